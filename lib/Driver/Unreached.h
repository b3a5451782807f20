//===- Unreached.h - loops and kernels that no lift reached ------*- C++
//-*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Internal to lib/Driver: gives each outermost loop and each kernel of the
// source its finding where lifting gave none.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_DRIVER_UNREACHED_H
#define RAISE_LIB_DRIVER_UNREACHED_H

#include "Candidate.h"

namespace raise {

/// Adds to C the outermost loops of its function that its findings do not
/// cover, and takes away those of functions that stand inside of it. Stopped is
/// what the lift recorded. Sets C.Directives.
void addUnreachedLoops(Candidate &C, llvm::ArrayRef<Reason> Stopped);

/// Why a raised loop at L is kept as it is: it runs under a directive of the
/// author's. Empty if it does not. Begin is where the text begins that would be
/// replaced: a directive in it that starts the threads, or the vectors, of this
/// loop alone does not count, since it stays.
Reason underDirective(const Candidate &C, const SourceLoc &L, unsigned Begin);

/// What File writes and no candidate covers. IsAsked tells for the
/// pattern of a function (null: an initialiser outside of every function)
/// whether it was asked for.
std::vector<Finding> unreachedConstructs(
    clang::ASTContext &AST, clang::FileID File,
    llvm::ArrayRef<Candidate> Candidates,
    llvm::function_ref<bool(const clang::FunctionDecl *)> IsAsked);

} // namespace raise

#endif // RAISE_LIB_DRIVER_UNREACHED_H
