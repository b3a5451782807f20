//===- Crossings.h - where a loop's dependences cross -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Some dependences touch one iteration only (`a[i] = a[k] + b[i]`: the one that
// writes a[k]), or turn round at one point (`a[i] = a[n - 1 - i]`: the first
// half reads what the second half writes). Cut there, the pieces of the loop
// may be free. After Banerjee, "Dependence Analysis" (1997), on crossing
// thresholds and index-set splitting, and Wolfe, "High Performance Compilers
// for Parallel Computing" (1996), section 9.3.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_ANALYSIS_CROSSINGS_H
#define RAISE_ANALYSIS_CROSSINGS_H

#include "raise/Analysis/Loops.h"

namespace raise {

/// A place to cut a loop that counts up by one. Whether the pieces are free is
/// not known.
struct Crossing {
  /// In 64 bits: (Start + Offset) / Divisor, where Divisor > 1 comes with one
  /// more: (Start + Offset) / Divisor + 1. Start is null for zero.
  ExprRef Start;
  int64_t Offset = 0, Divisor = 1;
  /// The iteration At stands alone between two pieces; else the second piece
  /// begins with it.
  bool Alone = false;
  /// Under which At lies in the loop's range (or, if not alone, at its end),
  /// and nothing in it overflows or rounds upwards.
  std::vector<Guard> Guards;
};

struct CrossingFacts {
  std::vector<Crossing> Places; ///< in the order of the text, each once
  /// They separate every two buffers of which the loop writes one, as in
  /// LoopFacts.
  std::vector<Guard> Guards;
  std::vector<std::string> Assumed; ///< by --alias=assume
  Reason Why;                       ///< set: nothing is known
};

/// Never modifies; deterministic; bounded by Ctx.Opts.MaxIslOperations.
CrossingFacts findCrossings(const LoopQuery &Q, const Function &F,
                            const Context &Ctx);

} // namespace raise

#endif // RAISE_ANALYSIS_CROSSINGS_H
