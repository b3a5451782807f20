//===- Adjoint.h - reverse mode ---------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The adjoint of `R f(args)` is
//   void f_adjoint(args, <x_adj for each named parameter>[, R f_adj])
// which runs the primal, keeping what is needed of it, and then each
// statement's transposed linearisation in reverse order. Primal results are
// those of f. On entry y_adj is the adjoint of what y points to when f returns,
// on return that of what it pointed to when f was called; f_adj is the adjoint
// of the result. To the adjoint of a scalar by value is added.
//
// Nothing is assumed about overlap (unless asked for): adjoints overlap exactly
// as their primals do and overlap no primal.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_GRAD_ADJOINT_H
#define RAISE_GRAD_ADJOINT_H

#include "raise/Grad/Tangent.h"

namespace raise::grad {

/// F, as lifted, is not raised yet. Derivatives of functions that F calls are
/// reached from the result's calls: for each of their floating parameters a
/// static function that takes the parameters and the adjoint of the result, and
/// returns the adjoint of that parameter.
Differentiated adjointOf(const FunctionRef &F, const Request &Asked);

/// Those of Helpers that F calls, itself or through others, in their order.
std::vector<FunctionRef> calledOf(const Function &F,
                                  llvm::ArrayRef<FunctionRef> Helpers);

/// An adjoint as two functions. The first computes what the primal computes and
/// keeps what the second needs of it, which gives the adjoint.
struct SplitAdjoint {
  FunctionRef Augmented, Reverse;
  /// The members of the structure that the last parameter of both is, which the
  /// first fills: cells, arrays, and arrays on the heap. Without any there is
  /// no such parameter. Buffer::OwnerField names a member.
  std::vector<BufferRef> Members;
  std::string TapeType; ///< of the structure: "f_tape"
};

/// Joint: the adjoint of Primal, where Request::Split was set; other passes may
/// have changed its loops.
SplitAdjoint splitAdjoint(const Function &Primal, const Function &Joint);

/// By the request's mode.
Differentiated derivativeOf(const FunctionRef &F, const Request &Asked, Mode M);

} // namespace raise::grad

#endif // RAISE_GRAD_ADJOINT_H
