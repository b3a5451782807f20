//===- MemberAccess.h - which members a function may name -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_DRIVER_MEMBERACCESS_H
#define RAISE_LIB_DRIVER_MEMBERACCESS_H

#include "llvm/ADT/StringRef.h"

namespace clang {
class FunctionDecl;
}

namespace raise {

/// Whether F may name Path (`a.rows_`, `this->d`), members after a parameter or
/// `this`, though its text does not: each is public, or F is a member or a
/// friend of the class whose member it is.
bool mayName(const clang::FunctionDecl &F, llvm::StringRef Path);

} // namespace raise

#endif // RAISE_LIB_DRIVER_MEMBERACCESS_H
