//===- ConstantValues.h - what constants of a source hold --------*- C++
//-*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_DRIVER_CONSTANTVALUES_H
#define RAISE_LIB_DRIVER_CONSTANTVALUES_H

#include "raise/Interp/Interp.h"

namespace clang {
class ASTUnit;
} // namespace clang

namespace raise {

/// The values of the constant variables and arrays that F reads by name, as far
/// as the source tells them and the name is no other variable's as well.
std::map<std::string, std::vector<interp::Value>>
constantsOf(const Function &F, clang::ASTUnit &Unit);

} // namespace raise

#endif // RAISE_LIB_DRIVER_CONSTANTVALUES_H
