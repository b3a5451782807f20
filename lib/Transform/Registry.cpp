//===- Registry.cpp - the list of passes, in pipeline order ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "raise/Transform/Passes.h"

using namespace raise;

static const Pass Passes[] = {
    {"structure-exits", "early return and continue become conditions",
     structureExits},
    {"raise-butterflies", "exchanges by which a warp reduces, as that",
     raiseButterflies},
    {"compare-extrema", "fmax and fmin of numbers as comparisons",
     compareExtrema},
    {"split-barriers", "code between barriers, thread by thread",
     splitBarriers},
    {"raise-networks", "trees and ladders over a block's threads, as sums",
     raiseNetworks},
    {"merge-threads", "what the threads of a block do in turn, as one loop",
     mergeThreads},
    {"merge-launch", "the threads of a launch become plain ranges",
     mergeLaunch},
    {"raise-loops", "proved loops become tensor operations", raiseLoops},
    {"fuse-operations", "neighbouring loops over one range become one",
     fuseOperations},
    {"share-values", "what a point computes or stores twice", shareValues},
    {"order-iterators", "the contiguous iterator goes innermost",
     orderIterators},
    {"isolate-products", "products of matrices on their own, for a library",
     isolateProducts},
    {"tile-registers", "products of matrices by tiles", tileRegisters},
    {"sink-iterators", "free iterators go inside of loops across memory",
     sinkIterators},
    {"coalesce-iterators", "iterators over one range of elements as one",
     coalesceIterators},
    {"reduce-by-lanes", "the largest or smallest float, by vectors",
     reduceByLanes},
    {"search-by-strips", "the first of its kind, by vectors", searchByStrips},
    {"decide-by-strips",
     "a condition that loops carry values under, by vectors", decideByStrips},
    {"scan-by-strips", "running sums of floats, by strips", scanByStrips},
    {"step-by-strips", "statement by statement, by strips", stepByStrips},
    {"strip-parts", "the loops that one was taken apart into, by strips",
     stripParts},
    {"read-ahead", "what later iterations store is read first", readAhead},
    {"name-invariants", "what an inner loop repeats is computed before it",
     nameInvariants},
    {"carry-values", "what the iteration before stored stays in a scalar",
     carryValues},
    {"wavefront", "rows of a recurrence side by side", wavefront},
    {"sink-declarations", "variables are declared where they are first set",
     sinkDeclarations},
    {"name-arrays", "arrays of raised code get names of their own", nameArrays},
};

static const Pass Rewrites[] = {
    {"substitute-inductions", "scalars that advance steadily get closed forms",
     substituteInductionsPass},
    {"expand-wrap-arounds",
     "what the iteration before computed is computed "
     "again",
     expandWrapAroundsPass},
    {"rewrite-last-values", "what is read after a loop is computed after it",
     rewriteLastValuesPass},
    {"split-arg-extrema", "an extremum first, then where it is",
     splitArgExtremaPass},
    {"rewrite-scalars", "all of these, in an order that suits them",
     rewriteScalarsPass},
    {"reroll", "bodies that were unrolled by hand", rerollPass},
    {"distribute", "the statements of a loop in loops of their own",
     distributePass},
    {"split-range", "the range of a loop in pieces that are free",
     splitRangePass},
    {"interchange", "a loop that is free goes around those that are not",
     interchangePass},
    {"run-once", "what every iteration does alike is done once", runOncePass},
    {"hoist-invariants", "what every iteration computes alike goes before",
     hoistInvariantsPass},
    {"launch-loops", "launches in host functions as plain loops", launchLoops},
    {"count-up", "loops that count down for no reason", countUp},
    {"gather-sums", "what each element gets, instead of what each gives",
     gatherSums},
    {"split-sums", "each sum in the loops that suit it", splitSums},
    {"point-sums", "an element that gets a sum is one thread's", pointSums},
    {"order-sums", "nests of sums go along the lines of memory", orderSums},
};

llvm::ArrayRef<Pass> raise::allPasses() { return Passes; }
llvm::ArrayRef<Pass> raise::loopRewrites() { return Rewrites; }

const Pass *raise::findPass(llvm::StringRef Name) {
  for (llvm::ArrayRef<Pass> List : {allPasses(), loopRewrites()})
    for (const Pass &P : List)
      if (P.Name == Name)
        return &P;
  return nullptr;
}

FunctionRef raise::raiseFunction(FunctionRef F, Context &Ctx) {
  for (const Pass &P : Passes)
    F = P.Run(std::move(F), Ctx);
  return F;
}
