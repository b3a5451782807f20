//===- Tangent.h - forward mode ---------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The tangent of `R f(args)` is
//   R f_tangent(args, <x_tan for each named parameter>[, R *f_tan])
// which runs the primal and beside it each statement's linearisation, before
// the statement where that uses what the statement overwrites. Primal results
// are those of f. On entry x_tan is the tangent of x, for a named buffer of its
// contents; on return that of what x points to, and *f_tan that of the result.
//
// In k directions (Request::Directions) x_tan holds k tangents for each value;
// the primal runs once. See Signature::Directions.
//
// This is right whatever overlaps, as long as tangents overlap exactly as their
// primals do and never overlap a primal.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_GRAD_TANGENT_H
#define RAISE_GRAD_TANGENT_H

#include "raise/Grad/Activity.h"

namespace raise::grad {

struct Differentiated {
  FunctionRef F; ///< null if refused
  /// Of an adjoint of a kernel: a function that does as F does, and goes over
  /// the plain range of launches that cover it as over loops of one thread:
  /// sums are gathered there, where F's threads meet in atomic updates. Null
  /// where there is no such range.
  FunctionRef OverRange;
  Signature Sig;
  /// The functions made beside F that its calls reach, each after those that it
  /// calls.
  std::vector<FunctionRef> Helpers;
  /// Pairs of parameters of F, of which no access in the body of the region
  /// that ends F meets one to the other; see Context::Apart.
  std::vector<std::pair<const Buffer *, const Buffer *>> Apart;
  std::set<const Var *> Brief;    ///< see Context::Brief
  std::vector<std::string> Notes; ///< sentences for whoever reads F
  std::vector<Reason> Refused;    ///< see whyNotDifferentiable and signatureOf
};

/// F, as lifted, is not raised yet: tensor operations are refused. Derivatives
/// of functions that F calls are reached from the result's calls: a static
/// function `g_tan` that takes g's parameters and then a tangent for each
/// floating one, and returns the tangent of g's result.
Differentiated tangentOf(const FunctionRef &F, const Request &Asked);

} // namespace raise::grad

#endif // RAISE_GRAD_TANGENT_H
