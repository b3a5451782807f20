//===- ReversedLoop.h - a counted loop from its end -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_GRAD_REVERSEDLOOP_H
#define RAISE_LIB_GRAD_REVERSEDLOOP_H

#include "raise/IR/Function.h"
#include <functional>
#include <optional>

namespace raise::grad {

/// A loop's header, as the reverse sweep knows it.
struct LoopHeader {
  ExprRef Lo, Hi, Step;
  VarRef V;
};

/// Body for the values of H.V that L runs through, last one first. Fresh makes
/// a variable of a name and type.
StmtRef
reversed(const For &L, const LoopHeader &H, std::vector<StmtRef> Body,
         llvm::function_ref<VarRef(llvm::StringRef, const Type &)> Fresh);

/// Whether the number of L's iterations follows from its header. (A loop whose
/// unsigned variable ends by wrapping is none.)
bool isCounted(const For &L);

/// The step of a loop that counts up (Cond is < or <=) or down by a number.
std::optional<int64_t> fixedStep(const For &L);
/// E as a number of T; a small constant is one.
ExprRef numberIn(const ExprRef &E, const Type &T);

/// How often such a loop runs if it runs at all, else at most 0; in i64.
ExprRef tripCount(BinaryOp Cond, const ExprRef &Lo, const ExprRef &Hi,
                  int64_t Step);

/// How often L runs, in i64, whatever its bounds are; its header as H.
ExprRef anyTripCount(const For &L, const LoopHeader &H);

/// Body with `i < n` for `i != n` in loops that count up by one, where that
/// says the same.
StmtRef withPlainEnds(const StmtRef &Body);

} // namespace raise::grad

#endif // RAISE_LIB_GRAD_REVERSEDLOOP_H
