//===- SourceLoops.h - the loops that the source text holds ------*- C++
//-*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Internal to lib/Driver. What came through the lift is not all that the source
// holds: the lift enters no lambda, no OpenMP directive and no template that
// nobody instantiates. These lists are read off the AST alone, so that what
// they hold beyond the findings can be reported too: nothing is left without a
// word.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_DRIVER_SOURCELOOPS_H
#define RAISE_LIB_DRIVER_SOURCELOOPS_H

#include "raise/IR/Context.h"

namespace clang {
class ASTContext;
class FileID;
class FunctionDecl;
class SourceRange;
class Stmt;
} // namespace clang

namespace raise {

/// A loop that no other loop of its function encloses.
struct SourceLoop {
  const clang::Stmt *Loop = nullptr;
  SourceLoc Loc;
  /// The function whose text it stands in, as written (the pattern of a
  /// template); null in an initialiser outside of every function.
  const clang::FunctionDecl *Owner = nullptr;
  /// The innermost thing around it that keeps every lift out, if any.
  Reason Barrier;
};

/// An OpenMP directive of the author's, with what stands below it.
struct SourceDirective {
  SourceLoc Loc;
  std::string Name; ///< "omp parallel for"
};

struct SourceConstructs {
  std::vector<SourceLoop> Loops;
  std::vector<SourceDirective> Directives; ///< outermost first
  /// Functions with a text of their own inside: a local class's.
  std::vector<SourceLoc> Nested;
  std::vector<const clang::FunctionDecl *> Kernels;
};

/// Where D (with a body) is written: the pattern that it was instantiated
/// from, or D itself.
const clang::FunctionDecl *patternOf(const clang::FunctionDecl &D);

/// The outermost loops of FD as it was instantiated, in source order, and the
/// functions inside of it. No loops for a kernel, which is one construct as a
/// whole.
SourceConstructs constructsOf(const clang::FunctionDecl &FD);

/// The outermost loops and the kernels that the file writes, once however often
/// instantiated, in source order.
SourceConstructs constructsOf(clang::ASTContext &AST, clang::FileID File);

/// Where Range stands: the expansion, where it comes from a macro.
SourceLoc placeOf(clang::SourceRange Range, const clang::ASTContext &AST);

/// The place of D's name.
SourceLoc placeOf(const clang::FunctionDecl &D);

} // namespace raise

#endif // RAISE_LIB_DRIVER_SOURCELOOPS_H
