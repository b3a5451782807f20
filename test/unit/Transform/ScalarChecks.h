//===- ScalarChecks.h - rewritten loops against the original ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_TEST_TRANSFORM_SCALARCHECKS_H
#define RAISE_TEST_TRANSFORM_SCALARCHECKS_H

#include "raise/Transform/Scalars.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <random>
#include <string>

namespace raise::testing {

using LoopRewrite = llvm::function_ref<std::optional<StmtRef>(
    const For &, const Liveness::VarSet &)>;

/// Random functions of one loop (which may hold others) over scalars of all
/// integer types that advance, follow each other, are reset and are logged,
/// with bounds and steps of all kinds. Their parameters: buffers log (i64) and
/// a, b (f64), scalars.
class ScalarLoops {
public:
  explicit ScalarLoops(uint64_t Seed) : Random(Seed) {}
  std::string function();
  /// One loop or two that look for an extremum and where it is.
  std::string searching();

private:
  struct Scalar {
    std::string Name, Ty;
  };
  std::mt19937_64 Random;
  std::vector<Scalar> Carried; ///< declared outside the loop
  std::vector<Scalar> Scope;   ///< loop variables and locals
  unsigned Names = 0;

  unsigned pick(unsigned N) { return Random() % N; }
  std::string number(int From, int To, const std::string &Ty);
  std::string as(const Scalar &S, const std::string &Ty);
  std::string amount(const std::string &Ty);
  std::string update();
  std::string follow();
  std::string log();
  std::string loop(unsigned Level);
  std::string header(const Scalar &V);
  std::string body(unsigned Level);
  std::string extremum();
};

struct ScalarTrial {
  bool Changed = false;   ///< the rewrite did something
  unsigned Ran = 0;       ///< inputs on which the original is defined
  std::string Difference; ///< empty: none
};

/// Rewrites the one outermost loop of Text, with a random set of scalars read
/// after it, and runs both on random inputs (extreme ones among them).
ScalarTrial tryRewrite(const std::string &Text, LoopRewrite Rewrite,
                       uint64_t Seed, unsigned Runs);

/// Tries Rewrite on Programs random loops (RAISE_FUZZ_PROGRAMS in the
/// environment, if set) of Generate, which must find no difference and change
/// one in OneIn of them at least.
void checkRandomLoops(unsigned Programs,
                      llvm::function_ref<std::string(ScalarLoops &)> Generate,
                      LoopRewrite Rewrite, unsigned OneIn);

} // namespace raise::testing

#endif // RAISE_TEST_TRANSFORM_SCALARCHECKS_H
