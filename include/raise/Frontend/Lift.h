//===- Lift.h - Clang AST to IR ---------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The only door from Clang's AST into the IR. Pointer locals and cursors are
// resolved to base buffer + offset; device and static functions that touch
// memory are inlined; calls of pure scalar functions are kept as calls. A
// statement that is not understood becomes an Opaque with its reason; it never
// disappears.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_FRONTEND_LIFT_H
#define RAISE_FRONTEND_LIFT_H

#include "raise/IR/Context.h"
#include <map>

namespace clang {
class ASTContext;
class FileID;
class FunctionDecl;
class OMPExecutableDirective;
class Preprocessor;
} // namespace clang

namespace raise {

class SourceNotes;

struct LiftedFunction {
  FunctionRef F; ///< null where not even the signature could be lifted
  /// What was not understood: one for each Opaque, in source order, or why F is
  /// null.
  std::vector<Reason> Stopped;
  const clang::FunctionDecl *Decl = nullptr;
  /// With LiftSettings::Alone, what notes say of the parameters: no part of F.
  std::vector<StmtRef> Facts;
};

/// Functions with a body that stand in the main file (or, below, in one of the
/// given headers), are kernels or contain a loop, in source order. Templates
/// are listed by their instantiations.
std::vector<const clang::FunctionDecl *> findCandidates(clang::ASTContext &AST);

/// Of a header, its functions with a loop that are no instantiations of
/// templates.
std::vector<const clang::FunctionDecl *> findCandidates(clang::ASTContext &AST,
                                                        clang::FileID Header);

/// The same of all headers of the user's.
std::vector<const clang::FunctionDecl *>
findHeaderCandidates(clang::ASTContext &AST);

/// Functions of scalars that are not looked into, since others give their
/// derivatives; all are canonical declarations.
struct DerivativeFunctions {
  struct Entry {
    const clang::FunctionDecl *Tangent = nullptr, *Adjoint = nullptr;
    std::string From; ///< see DerivativeRule
  };
  std::map<const clang::FunctionDecl *, Entry> Of;
};

/// What the result is for.
struct LiftSettings {
  /// A whole function is made of what comes out, which runs on one thread; no
  /// part goes back into the source. Then updates of the function's own
  /// variables need not be atomic, nor critical sections apart, and memory that
  /// it allocates and nothing else leads to is an array of its own (of
  /// ArrayHome::Heap or Growing): vectors that are only indexed, asked for
  /// their size and appended to, in C what malloc returns. That an allocation
  /// fails is left out.
  bool Alone = false;
  /// Of the two forms of an adjoint (docs/gradients.md), which are one function
  /// with a test between them: the one that holds whatever overlaps, or the one
  /// that rests on the test.
  bool SeparateForm = false;
  /// May be null. They do nothing but compute their values.
  const DerivativeFunctions *Rules = nullptr;
  /// What the author's comments say; may be null. What they turn off is Opaque,
  /// but where the function is lifted Alone; what they state is a fact
  /// (raise/IR/Fact.h).
  const SourceNotes *Notes = nullptr;
  /// Knows which macros mean one thing only: others are no names for constants.
  /// Where it is null, all are taken to.
  const clang::Preprocessor *Macros = nullptr;
};

/// Lifts one function. Kernels come wrapped in their grid and block loops (see
/// Function). Never fails silently: what it cannot express is Opaque.
LiftedFunction lift(const clang::FunctionDecl &FD, clang::ASTContext &AST,
                    const LiftSettings &Settings = {});

/// Whether the loops below an OpenMP directive of this kind are lifted. They
/// mean what they mean in order, on one thread, which is one of the ways in
/// which OpenMP may run them.
bool isFollowed(const clang::OMPExecutableDirective &D);
/// "omp parallel for".
std::string directiveName(const clang::OMPExecutableDirective &D);

} // namespace raise

#endif // RAISE_FRONTEND_LIFT_H
