//===- TangentCallees.h - tangents of functions that are called -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_GRAD_TANGENTCALLEES_H
#define RAISE_LIB_GRAD_TANGENTCALLEES_H

#include "raise/IR/Function.h"
#include "llvm/ADT/DenseMap.h"
#include <map>
#include <set>

namespace raise::grad {

/// The tangents of the functions that are called: one for each definition,
/// whoever calls it.
struct TangentCallees {
  std::set<std::string> *Names = nullptr;
  llvm::DenseMap<const Function *, CalleeRef> Made;
  std::map<std::string, CalleeRef> ByRule; ///< by the primal's name
  std::vector<FunctionRef> InOrder;
};

/// What takes the arguments of Fn and a tangent of each floating one, and gives
/// the tangent of the result; null where that is always zero.
CalleeRef tangentOfCallee(const Callee &Fn, TangentCallees &Called);

} // namespace raise::grad

#endif // RAISE_LIB_GRAD_TANGENTCALLEES_H
