//===- Selection.h - which functions were asked for --------------*- C++
//-*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_DRIVER_SELECTION_H
#define RAISE_LIB_DRIVER_SELECTION_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace clang {
class FunctionDecl;
} // namespace clang

namespace raise {

/// "n::f(float *, int)", without template arguments.
std::string signatureOf(const clang::FunctionDecl &FD);

/// Whether Asked names FD: `f`, `n::f`, and either with the parameter types in
/// parentheses, or of an instantiation with its arguments, `f<double>`. White
/// space does not count.
bool answersTo(const clang::FunctionDecl &FD, llvm::StringRef Asked);

} // namespace raise

#endif // RAISE_LIB_DRIVER_SELECTION_H
