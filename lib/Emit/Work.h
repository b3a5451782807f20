//===- Work.h - how much a loop does, as far as it can be told --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Below a size, threads cost more than they bring. The size is a product of
// trip counts times the operations of one iteration. It is an estimate: it may
// leave out what it cannot evaluate without a trap, and it never decides about
// more than speed.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_EMIT_WORK_H
#define RAISE_LIB_EMIT_WORK_H

#include "CounterRanges.h"
#include "ExprPrinter.h"
#include "raise/IR/Context.h"

namespace raise {

/// Operations of one evaluation.
uint64_t costOf(const ExprRef &E);

/// When a loop is worth several threads.
struct Threshold {
  enum { Always, Never, Test } When = Test;
  std::string Text; ///< for Test: "n > 200000", "(double)N * C > 50000"
  /// What holds wherever Text does, or threads would not pay, and asks less:
  /// "(N | C) >= 128". Empty where Text is as short.
  std::string Quick = {};
  /// Of variables and constants alone: it may be asked before anything else is
  /// known of them.
  bool Plain = false;
  /// A few trips of each loop do so much that a clause that fails costs little
  /// beside them.
  bool Outweighs = false;

  /// Text, for an `if` that calls of a few nanoseconds pass, too.
  std::string quickFirst() const {
    return Quick.empty() ? Text : Quick + " && " + Text;
  }
};

/// For the loops of T from iterator Level inwards, and all in its body. Around
/// tells of the counters of the loops that T stands in.
Threshold parallelThreshold(const TensorOp &T, size_t Level,
                            const ExprPrinter &P, const Options &Opts,
                            CounterRanges Around = {});

} // namespace raise

#endif // RAISE_LIB_EMIT_WORK_H
