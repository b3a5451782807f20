//===- LeftUncalled.h - functions that edits leave without a use -*- C++
//-*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Internal to lib/Driver. A raised loop has the bodies of the functions that it
// called: a static one may be left without a use, of which compilers warn.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_DRIVER_LEFTUNCALLED_H
#define RAISE_LIB_DRIVER_LEFTUNCALLED_H

#include "Rewrite.h"

namespace clang {
class ASTContext;
class FileID;
} // namespace clang

namespace raise {

/// Has the last of Edits (in order, of that file) that takes away a use of
/// an internal function name it, if no other use remains.
void nameFunctionsLeft(clang::ASTContext &AST, clang::FileID File,
                       llvm::MutableArrayRef<Edit> Edits);

} // namespace raise

#endif // RAISE_LIB_DRIVER_LEFTUNCALLED_H
