//===- Split.h - an adjoint in two functions --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Internal to lib/Grad. What the reverse sweep uses of the forward sweep's own
// variables and arrays become members of a structure, the tape: buffers that
// Tape owns, named as the text names them ("tape.sum"). The whole is still one
// function, which the interpreter can run; splitAdjoint (Adjoint.h) takes it
// apart.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_GRAD_SPLIT_H
#define RAISE_LIB_GRAD_SPLIT_H

#include "raise/IR/Context.h"
#include "raise/IR/Function.h"

namespace raise::grad {

/// The parameter that the two functions share.
BufferRef tapeParameter(const Function &Primal, std::string Name);

/// What is returned, as a statement of the forward sweep.
std::vector<StmtRef> keptResult(const BufferRef &Tape, const ExprRef &Value);

/// Body, whose last statement is the block of the reverse sweep, with members
/// between the two. Lead: declarations of the source that stay at the head.
/// Refused gets what cannot be kept from one call to the next (CR1807).
StmtRef withMembers(const StmtRef &Body, const Function &Primal,
                    const BufferRef &Tape, llvm::ArrayRef<StmtRef> Lead,
                    std::vector<Reason> &Refused);

} // namespace raise::grad

#endif // RAISE_LIB_GRAD_SPLIT_H
