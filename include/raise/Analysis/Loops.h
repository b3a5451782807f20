//===- Loops.h - may the iterations of a loop run in any order? -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The one question that raising asks of the proof library. The answer is
// reached in steps, each in its own file: every access of the loop is written
// as an integer function of iterators and parameters (local scalars
// substituted, unsigned and narrow arithmetic only where it provably does not
// wrap); digits of mixed-radix decompositions (x = id % w; id /= w; ...) become
// iterators; parametric strides are split into dimensions (after Grosser,
// Ramanujam, Pouchet, Sadayappan, Pop, "Optimistic Delinearization of
// Parametrically Sized Arrays", ICS 2015); isl decides conflicts between the
// affine maps that result. What an answer needs and the loop does not imply
// becomes a guard.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_ANALYSIS_LOOPS_H
#define RAISE_ANALYSIS_LOOPS_H

#include "raise/IR/Context.h"

namespace raise {

/// A scalar or an element that all iterations update with one operator, and
/// that is read nowhere else in the loop.
struct ReductionInfo {
  VarRef Scalar;  ///< set for a scalar accumulator ...
  Access Element; ///< ... else this element, whose indices do not vary with
                  ///< the loop
  Combiner Op;    ///< Min and Max are `if (v < x) x = v`, by whatever spelling
  SourceLoc Loc;
  /// The rounding of the result depends on order (floating + and *).
  bool Rounds = false;
  /// Of values that compare equal the first stays: zeros of both signs
  /// (floating Min and Max).
  bool keepsFirst() const;
};

/// Which values an element of an index array takes in one run of the loop, so
/// that guards can say which part of another buffer it leads to: the least and
/// the greatest of Element (and 0) over the iterations of Loops, as variables
/// that guards use. Loops stand in each other, outermost first; each of their
/// iterations evaluates Element, which uses their variables and what does not
/// change in the loop.
struct Inspection {
  ExprRef Element;
  std::vector<std::shared_ptr<const For>> Loops; ///< with empty bodies
  VarRef Least, Greatest;
  /// Equal for inspections of the same Loops.
  unsigned Nest = 0;
};

/// The outcome for one loop.
///
/// Codes of Why (docs/diagnostics has a page for each): CR1101 a value flows to
/// a later iteration, CR1102 one is overwritten that an earlier iteration
/// reads, CR1103 two iterations write one element, CR1104 a subscript is not
/// understood, CR1105 buffers may overlap and a range is not known before the
/// loop, CR1106 index arithmetic may wrap, CR1107 a scalar carries a value
/// between iterations, CR1108 a last value comes from a conditional write,
/// CR1109 an indirect store, CR1110 a floating minimum or maximum that must not
/// be reordered, CR1111 a statement that fixes the order (a call with effects,
/// volatile, barrier, break, return), CR1112 the loop's range is not
/// understood, CR1190 isl's budget is spent.
struct LoopFacts {
  enum class Result {
    Independent, ///< but for Reductions, under Guards
    Conflict,    ///< two iterations provably touch one element, one writing
    Unknown,
  };
  Result R = Result::Unknown;
  /// To be tested in this order, before the loop: each can be evaluated without
  /// a trap or an overflow once those before it hold (`w > 0` comes before what
  /// divides by w). Ranges come last. Conditions are in 64 bits.
  std::vector<Guard> Guards;
  /// Of threads: under which no two of them touch one element, one writing,
  /// where it hangs on the size of the launch alone.
  std::vector<Guard> RaceFree;
  Reason Race; ///< what two threads do where RaceFree does not hold
  /// To be computed before Guards, which use them.
  std::vector<Inspection> Inspections;
  std::vector<std::string>
      Proved; ///< for the comment: "stores are distinct: ..."
  std::vector<std::string> Assumed; ///< by --alias=assume
  std::vector<ReductionInfo> Reductions;
  std::vector<VarRef> Private;   ///< declared outside, written before read in
                                 ///< each iteration, not read after the loop
  std::vector<VarRef> LastValue; ///< likewise, but read after the loop
  Reason Why;                    ///< for Conflict and Unknown
};

/// What the loop stands in. `Enclosing` lists the loops around it, outermost
/// first, whose variables are fixed; `LiveOut` answers whether a scalar
/// declared outside the loop may be read after it. Known holds conditions (bool
/// expressions over variables that the loop does not write) that are true
/// whenever the loop is reached.
struct LoopQuery {
  const For *Loop = nullptr;
  std::vector<const For *> Enclosing;
  std::vector<ExprRef> Known;
  /// How many elements a buffer has, where that is known: what is outside of
  /// them is not there.
  std::vector<std::pair<BufferRef, ExprRef>> Sizes;
  /// Scalars that may be read after the loop; a null list means all may.
  const std::vector<const Var *> *LiveOut = nullptr;
  /// The loop stands for the threads of a launch: order is free whatever is
  /// proved, and only a proved conflict stops it. (A store of one and the same
  /// value by several threads is no conflict.)
  bool Threads = false;
  /// Pairs of buffers of which a guard around the loop has found that no access
  /// in it meets one of the other.
  std::vector<std::pair<const Buffer *, const Buffer *>> Separated;
  bool isSeparated(const Buffer &A, const Buffer &B) const {
    for (auto &[X, Y] : Separated)
      if ((X == &A && Y == &B) || (X == &B && Y == &A))
        return true;
    return false;
  }
  /// Two atomic updates may change places with each other, whatever becomes of
  /// them: of different buffers, too, that overlap.
  bool UpdatesCommute = false;
};

/// Decides about Q.Loop. Never modifies; deterministic; bounded by
/// Ctx.Opts.MaxIslOperations (past it: Unknown with code CR1190).
LoopFacts analyseLoop(const LoopQuery &Q, const Function &F,
                      const Context &Ctx);

} // namespace raise

#endif // RAISE_ANALYSIS_LOOPS_H
