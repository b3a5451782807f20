//===- Dependences.h - which parts of a loop's body may part ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// May the statements of a loop's body run in loops of their own, and in which
// order? That is asked before a loop is distributed. A part is a simple
// statement, the test of an If, or a whole inner loop. All dependences count
// (flow, anti and output, through memory and through scalars), and a dependence
// that is not disproved is one. After Kennedy, McKinley, "Loop Distribution
// with Arbitrary Control Flow" (Supercomputing 1990), and Allen, Kennedy,
// "Automatic Translation of Fortran Programs to Vector Form", TOPLAS 9(4),
// 1987.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_ANALYSIS_DEPENDENCES_H
#define RAISE_ANALYSIS_DEPENDENCES_H

#include "raise/Analysis/Loops.h"

namespace raise {

/// A Decl, an Assign, a Store, an If (for its test alone) or a For (whole).
struct BodyPart {
  StmtRef S;
  /// The parts that every loop holding this one must hold too: the tests of the
  /// Ifs around it, the declarations of what it names, and the writes that the
  /// scalars it reads may have their values from. Not closed: these have needs
  /// of their own.
  std::vector<unsigned> Needs;
  /// It may stand in several loops: it sets nothing but a scalar that lives
  /// within an iteration (or is a test), and is cheap. Where and when it is
  /// evaluated is then bound only by what it reads from memory.
  bool Copies = false;
};

struct BodyFacts {
  std::vector<BodyPart> Parts; ///< in program order; a test before its arms
  /// (A, B), A != B: some instance of part A must run before some instance of
  /// part B. Both (A, B) and (B, A): they cannot part. Sorted, each once.
  std::vector<std::pair<unsigned, unsigned>> Order;
  /// What the absence of pairs rests on, as in LoopFacts. They also separate
  /// every two buffers of which the loop writes one.
  std::vector<Guard> Guards;
  std::vector<std::string> Assumed; ///< by --alias=assume
  Reason Why;                       ///< set: nothing is known
};

/// Never modifies; deterministic; bounded by Ctx.Opts.MaxIslOperations. What
/// the body declares is one for each iteration; arrays that it declares, jumps
/// out of an iteration, atomic updates and whatever fixes the order of a loop
/// (CR1111) are refused.
BodyFacts analyseBody(const LoopQuery &Q, const Function &F,
                      const Context &Ctx);

} // namespace raise

#endif // RAISE_ANALYSIS_DEPENDENCES_H
