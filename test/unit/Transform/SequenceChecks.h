//===- SequenceChecks.h - loops taken apart against the original -*- C++
//-*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_TEST_TRANSFORM_SEQUENCECHECKS_H
#define RAISE_TEST_TRANSFORM_SEQUENCECHECKS_H

#include "raise/IR/Context.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <random>
#include <string>

namespace raise::testing {

/// Random functions of one loop whose body's statements depend on one another:
/// through neighbouring, mirrored and fixed elements of four buffers, of which
/// some may overlap, through scalars that live within an iteration or longer,
/// under conditions, and in inner loops.
class LoopBodies {
public:
  explicit LoopBodies(uint64_t Seed)
      : Random(Seed), Ty(Seed % 2 ? "f64" : "u64") {}
  std::string function();

private:
  std::mt19937_64 Random;
  std::string Ty;
  std::vector<std::string> Lets;
  unsigned Names = 0;

  unsigned pick(unsigned N) { return Random() % N; }
  std::string buffer() { return std::string(1, "abcd"[pick(4)]); }
  std::string index();
  std::string element() { return buffer() + "[" + index() + "]"; }
  std::string number();
  std::string leaf();
  std::string value(unsigned Depth = 2);
  std::string condition();
  std::string statement(unsigned Level);
  std::string header();
};

/// Runs both functions, of which New was made of Old, on Runs random inputs in
/// which buffers without `restrict` may overlap. Where New is raised, parallel
/// iterations run in a random order. Returns the first difference in memory or
/// in a parameter named in After; empty: none. Ran counts inputs on which Old
/// is defined, Guarded those of them on which a region's guards held.
struct SequenceTrial {
  unsigned Ran = 0, Guarded = 0;
  std::string Difference;
};
SequenceTrial compareRuns(const Function &Old, const Function &New,
                          const std::vector<std::string> &After, uint64_t Seed,
                          unsigned Runs);

/// Makes something of a function under a context; null: nothing found.
using FunctionRewrite =
    llvm::function_ref<FunctionRef(const FunctionRef &, Context &)>;

/// Whether something in F was changed.
bool hasRegion(const FunctionRef &F);

/// Whether a pass laid loops of F out otherwise than they were proved.
bool isLaidOut(const FunctionRef &F);

/// Tries Rewrite on Programs random loop bodies (RAISE_FUZZ_PROGRAMS in the
/// environment, if set), which must show no difference and change one in OneIn
/// of them at least. All scalars of a program may be read after its loop where
/// its number is even.
void checkLoopBodies(unsigned Programs, FunctionRewrite Rewrite,
                     unsigned OneIn);

} // namespace raise::testing

#endif // RAISE_TEST_TRANSFORM_SEQUENCECHECKS_H
