//===- Naming.h - how a declaration is spelled beside a function -*- C++
//-*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_FRONTEND_NAMING_H
#define RAISE_FRONTEND_NAMING_H

#include <string>

namespace clang {
class FunctionDecl;
class NamedDecl;
class QualType;
} // namespace clang

namespace raise {

/// How a type that has a name, and a declaration, are spelled in a function
/// that stands where FD does; "" where a declaration cannot be named there.
std::string typeNameBeside(const clang::FunctionDecl &FD, clang::QualType T);
std::string nameBeside(const clang::FunctionDecl &FD,
                       const clang::NamedDecl &D);

} // namespace raise

#endif // RAISE_FRONTEND_NAMING_H
