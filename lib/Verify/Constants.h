//===- Constants.h - a function without its constants -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_VERIFY_CONSTANTS_H
#define RAISE_LIB_VERIFY_CONSTANTS_H

#include "raise/Interp/Interp.h"

namespace raise {

/// F with the values of variables and arrays from outside of it in their place,
/// by name; those without values stay. Arrays become local ones.
FunctionRef
withConstants(const Function &F,
              const std::map<std::string, std::vector<interp::Value>> &Values);

} // namespace raise

#endif // RAISE_LIB_VERIFY_CONSTANTS_H
