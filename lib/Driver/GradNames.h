//===- GradNames.h - whom grad differentiates, under which names -*- C++
//-*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What grad asks of a source's declarations: which functions there are, which
// of them cannot have a derivative whatever they compute, and whether the names
// that a derivative declares and calls mean there what they have to.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_DRIVER_GRADNAMES_H
#define RAISE_LIB_DRIVER_GRADNAMES_H

#include "GradFile.h"
#include "raise/Driver/GradientRequest.h"
#include "clang/Frontend/ASTUnit.h"

namespace raise {

/// The functions of the main file that have a body, in source order.
std::vector<const clang::FunctionDecl *> functionsOf(clang::ASTUnit &AST);

/// Whether FD is a template that is differentiated by its instantiations.
bool isTold(const clang::FunctionDecl &FD,
            llvm::ArrayRef<const clang::FunctionDecl *> All);

/// What kind of function has no derivative of its own yet; null for others.
const char *whyNotFunction(const clang::FunctionDecl &FD);

/// What is wrong with a name of an entry of `gradients` stands there.
std::vector<Reason> atEntry(std::vector<Reason> Why, const GradientRequest &G);

/// What is exported.
std::vector<std::string> namesOf(const GradItem &Item);

/// A function of <math.h> that the derivative calls and, where FD stands, would
/// not find; empty if there is none.
std::string hiddenFunction(const clang::FunctionDecl &FD, const GradItem &Item,
                           clang::ASTUnit &AST);

/// Whether the source declares Name, where FD stands, as no more than functions
/// that it will be linked with.
bool declaresOnly(const clang::FunctionDecl &FD, llvm::StringRef Name,
                  clang::ASTUnit &AST);

} // namespace raise

#endif // RAISE_LIB_DRIVER_GRADNAMES_H
