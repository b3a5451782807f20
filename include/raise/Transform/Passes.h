//===- Passes.h - all passes, in the order in which they run ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A pass is a function from a Function to a Function: it reads Context for
// settings and records there what it left and why. Each can be run alone by
// raise-opt --pass=<name>.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_TRANSFORM_PASSES_H
#define RAISE_TRANSFORM_PASSES_H

#include "raise/IR/Context.h"
#include "llvm/ADT/ArrayRef.h"
#include <map>
#include <set>
#include <string>

namespace raise {

struct Pass {
  llvm::StringRef Name;
  llvm::StringRef Summary;
  FunctionRef (*Run)(FunctionRef, Context &);
};

/// Every pass, in pipeline order.
llvm::ArrayRef<Pass> allPasses();
/// What raiseLoops may do to a loop on its way, as passes that do it to every
/// outermost loop that it changes, and what is done to derivatives before. No
/// part of the pipeline.
llvm::ArrayRef<Pass> loopRewrites();
/// A pass of either list.
const Pass *findPass(llvm::StringRef Name);

/// `if (c) return;` and `if (c) continue;` become the condition of what
/// follows: later passes see structured code only.
FunctionRef structureExits(FunctionRef F, Context &Ctx);

/// Kernels: what lanes of a warp exchange step by step until each has the sum
/// (product, largest, ...) over the warp becomes that, of one exchange. Sums of
/// floats not under FPMode::Strict.
FunctionRef raiseButterflies(FunctionRef F, Context &Ctx);

/// `m = fmaxf(m, x)`, of an m that starts as a number and gets no values but
/// such, becomes `m = x > m ? x : m`, which is a reduction. Not under
/// FPMode::Strict: of zeros of both signs either may stay.
FunctionRef compareExtrema(FunctionRef F, Context &Ctx);

/// Kernels with barriers or shared arrays: a loop over blocks, in which loops
/// over the threads do what stands between barriers, and what lives on from one
/// to the next is the block's. What that needs of the launch becomes a guard of
/// the region.
FunctionRef splitBarriers(FunctionRef F, Context &Ctx);

/// Kernels that split-barriers took apart: code in which threads of a block put
/// elements of its arrays together, such as trees, becomes sums (products,
/// extremes, ...) over ranges and running sums, where threads are so many as
/// the code says. Sums of floats not under FPMode::Strict.
FunctionRef raiseNetworks(FunctionRef F, Context &Ctx);

/// Kernels that split-barriers took apart: sums over what each thread of a
/// block had become sums of these, loops over warps and lanes one over threads,
/// and `for (t) for (i = t; i < n; i += threads)` is `for (i = 0; i < n; ++i)`.
/// Sums of floats not under FPMode::Strict.
FunctionRef mergeThreads(FunctionRef F, Context &Ctx);

/// Kernels: the loops over grid and block become one loop over a plain range,
/// where the kernel uses its indices only through the merged global index (per
/// dimension, or one index over several dimensions) and a guard. What that
/// needs of the launch becomes a guard of the region.
FunctionRef mergeLaunch(FunctionRef F, Context &Ctx);

/// One kernel, called Name, for a launch of First and a launch of Second behind
/// it over the same grid and blocks (Function::InOrder). Both are as the
/// frontend gives them. Same: parameters of Second, each with the parameter of
/// First that is given the same; the others of Second come behind First's, in
/// their order, under names that are free. Null where one waits for other
/// threads, shares memory with them, or has a parameter that is more than a
/// scalar or a pointer.
FunctionRef joinLaunches(const Function &First, const Function &Second,
                         const std::map<std::string, std::string> &Same,
                         const std::string &Name);

/// Host functions: the loops over the threads of a launch, which the frontend
/// leaves where one is launched, become plain loops: over ranges, where the
/// launch is proved to cover them.
FunctionRef launchLoops(FunctionRef F, Context &Ctx);

/// Loops that are proved to be whole-array operations become TensorOps in a
/// Region; all others stay, with the reason in Ctx.Missed.
FunctionRef raiseLoops(FunctionRef F, Context &Ctx);

/// Of two Regions that stand one behind the other, maps over one range of which
/// no two points have anything to do with one another become one Region, whose
/// original is both loops. With Options::Fuse, in functions that have plain
/// originals.
FunctionRef fuseOperations(FunctionRef F, Context &Ctx);

/// In straight bodies, what a point computes twice and a compiler could not
/// know to be the same gets a name, and stores that the same point overwrites
/// before anything looks at them go. No rounding changes. Functions that have
/// plain originals only.
FunctionRef shareValues(FunctionRef F, Context &Ctx);

/// Iterators of a TensorOp are ordered so that stores and loads are contiguous
/// in the innermost one.
FunctionRef orderIterators(FunctionRef F, Context &Ctx);

/// Of an operation alone in its region, the innermost iterators become one,
/// which counts their points, where nothing but that number is asked for.
FunctionRef coalesceIterators(FunctionRef F, Context &Ctx);

/// Where the options take expressions or calls for products of matrices: sums
/// of products are made in the elements that they go to, with all of their
/// iterators around them, apart from what else the nest does. FPMode::Fast
/// only: sums round otherwise.
FunctionRef isolateProducts(FunctionRef F, Context &Ctx);

/// Sums over k for each point of two parallel iterators i and j are made by
/// tiles of a few rows and columns, whose sums stay in registers, from a copy
/// of what is loaded along k and j. Each sum is made in its order. Rows that
/// fill no tile stay as they are.
FunctionRef tileRegisters(FunctionRef F, Context &Ctx);

/// An iterator whose points are independent, and which goes along the lines of
/// memory, goes inside of the loops of its body that go across them: whole, or
/// by bands, where scalars live across these loops or threads are to share the
/// bands. Each point does what it did, in its own order. A test that there are
/// points enough joins the Region's guards.
FunctionRef sinkIterators(FunctionRef F, Context &Ctx);

/// The largest or smallest of floating values, which no compiler finds by
/// vectors: in an array with an element for each lane. The same bits, NaNs and
/// zeros included. Functions that have plain originals only.
FunctionRef reduceByLanes(FunctionRef F, Context &Ctx);

/// A search asks of a whole strip of elements whether it is among them before
/// it looks at each, where all of them may be loaded. Functions that have plain
/// originals only.
FunctionRef searchByStrips(FunctionRef F, Context &Ctx);

/// A loop that keeps its order because of what it hands on under a condition
/// asks that of a whole strip at once: where it holds for all points, or for
/// none, these are free. Functions that have plain originals only.
FunctionRef decideByStrips(FunctionRef F, Context &Ctx);

/// Running sums and products of floats, which wait for each addition, are made
/// for strips of a few points apart from one another. Other roundings, so not
/// with FPMode::Strict. Functions that have plain originals only.
FunctionRef scanByStrips(FunctionRef F, Context &Ctx);

/// A loop that keeps its order because a statement takes values from one
/// further down runs its statements one after the other, for a strip of points
/// at a time. Functions that have plain originals only.
FunctionRef stepByStrips(FunctionRef F, Context &Ctx);

/// Of loops that keep their order, what later iterations store is loaded before
/// an iteration stores anything, where that lets compilers run several side by
/// side; also where a body that was unrolled by hand is in one copy. The order
/// stays.
FunctionRef readAhead(FunctionRef F, Context &Ctx);

/// Where one loop was taken apart into several over its whole range, all free,
/// these run strip by strip, so that what the first brings into the caches is
/// there for the next. Functions that have plain originals only.
FunctionRef stripParts(FunctionRef F, Context &Ctx);

/// What all points of an inner loop load, from memory that the region's tests
/// keep apart from what the loop stores, is loaded before it. A test that the
/// loop runs joins the Region's guards. No rounding changes. Functions that
/// have plain originals only.
FunctionRef nameInvariants(FunctionRef F, Context &Ctx);

/// In a loop that runs in its order, inside of another one, what one iteration
/// stores and the next loads stays in a scalar; the store stays as well. Where
/// nothing before the loop has touched the first such element, a test that the
/// loop runs joins the Region's guards. No rounding changes. Functions that
/// have plain originals only.
FunctionRef carryValues(FunctionRef F, Context &Ctx);

/// Of a nest of two loops that both carry values, a few rows side by side, each
/// some columns behind the one before it, where every point waits for the one
/// before it in its row. Points on one skewed diagonal are free of one another;
/// each computes what it did, and nothing rounds otherwise. Nests that the
/// passes before have left, or raised in their order. Functions that have plain
/// originals only.
FunctionRef wavefront(FunctionRef F, Context &Ctx);

/// Inside raised code, variables are declared where they are first set, and
/// unused declarations disappear.
FunctionRef sinkDeclarations(FunctionRef F, Context &Ctx);

/// F, where loops that count by a variable of the function (`int i; for (i = 0;
/// ...)`) whose value nothing looks at afterwards count by one of their own:
/// two loops that share a variable have nothing else in common. Others are
/// declared where they get their first value.
FunctionRef withOwnCounters(const FunctionRef &F);

/// Scalars.h's rewrites of each outermost loop that they change, in its place.
FunctionRef substituteInductionsPass(FunctionRef F, Context &Ctx);
FunctionRef expandWrapAroundsPass(FunctionRef F, Context &Ctx);
FunctionRef rewriteLastValuesPass(FunctionRef F, Context &Ctx);
FunctionRef splitArgExtremaPass(FunctionRef F, Context &Ctx);
FunctionRef rewriteScalarsPass(FunctionRef F, Context &Ctx);
/// Loops that were unrolled by hand, with one copy of what they repeat.
FunctionRef rerollPass(FunctionRef F, Context &Ctx);
/// Distribute.h's, each loop that it changes as a region of its result.
FunctionRef distributePass(FunctionRef F, Context &Ctx);
FunctionRef interchangePass(FunctionRef F, Context &Ctx);
FunctionRef runOncePass(FunctionRef F, Context &Ctx);
FunctionRef splitRangePass(FunctionRef F, Context &Ctx);
/// Hoist.h's, of each outermost loop that it changes: a Region, whose tests are
/// those that it needs.
FunctionRef hoistInvariantsPass(FunctionRef F, Context &Ctx);
/// Loops that count down by one and whose iterations are independent, but for
/// sums in memory and in scalars, count up. What that needs is tested by the
/// Region around them, whose tests it joins; where there is none, or where a
/// test could not stand there, they stay. With FPMode::Strict sums keep their
/// order. Buffers that Ctx.Apart names are known to be apart.
FunctionRef countUp(FunctionRef F, Context &Ctx);
/// Of the loops over certain variables, those whose iterations may run in any
/// order, but for sums in memory and in scalars, under what is tested as for
/// countUp; and those whose iterations are independent, but for reductions,
/// under whatever tests.
struct LoopOrders {
  std::set<const Var *> Free, Independent;
};
/// F, with what the free ones need among the tests of the Region around them.
FunctionRef findLoopOrders(FunctionRef F, const std::set<const Var *> &Of,
                           Context &Ctx, LoopOrders &Found);
/// Nests that add to several arrays of which one comes back to each of its rows
/// again and again, in two: of the rows of that one each is gone through at
/// once. The order in which an element's sum is made stays. What is tested, and
/// where, is as for countUp.
FunctionRef splitSums(FunctionRef F, Context &Ctx);
/// Nests whose points meet in sums alone go along the lines of memory, where
/// rows are long: a test that stands before the nest. What else their outer
/// loops do is done in loops of its own. The order in which an element's sum is
/// made changes. What else is tested, and where, is as for countUp.
FunctionRef orderSums(FunctionRef F, Context &Ctx);

/// Nests of sums with the loops outermost that choose an element, so that one
/// thread can have all of its terms; other stores in loops of their own. For
/// dialects whose threads are many.
FunctionRef pointSums(FunctionRef F, Context &Ctx);
/// Nests that add to an element of an array from several iterations, by
/// subscripts that constants set apart, so that each iteration adds to one
/// element: every statement's iterations are renumbered by what it adds to. The
/// order in which an element's sum is made changes. What is tested, and where,
/// is as for countUp.
FunctionRef gatherSums(FunctionRef F, Context &Ctx);
/// Arrays that raised code declares get names of their own there.
FunctionRef nameArrays(FunctionRef F, Context &Ctx);

/// The whole pipeline.
FunctionRef raiseFunction(FunctionRef F, Context &Ctx);

} // namespace raise

#endif // RAISE_TRANSFORM_PASSES_H
