//===- NoteScope.h - what the names in a note mean --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_FRONTEND_NOTESCOPE_H
#define RAISE_LIB_FRONTEND_NOTESCOPE_H

#include "raise/Frontend/Notes.h"

namespace raise {

/// A `for`, `while` or `do`.
bool isLoopStatement(const clang::Stmt *S);

/// The integer constant of that name which FD sees: a `const` variable that is
/// no parameter, or an enumerator.
struct NamedConstant {
  const clang::ValueDecl *D = nullptr;
  int64_t Value = 0;    ///< as in IntConst
  bool OfMacro = false; ///< the value hangs on a macro's
};
std::optional<NamedConstant> findConstant(const clang::FunctionDecl &FD,
                                          const clang::Stmt *S,
                                          llvm::StringRef Name);

/// Where a fact holds: in Loop, a statement of FD, or, where that is null, in
/// all of FD.
class FactScope {
public:
  FactScope(const clang::FunctionDecl &FD, const clang::Stmt *Loop)
      : FD(FD), Loop(Loop) {}
  /// What is wrong with a fact that is stated there.
  std::optional<NoteError> check(const Note &N) const;

private:
  const clang::FunctionDecl &FD;
  const clang::Stmt *Loop;
  std::optional<NoteError> checkTerm(const NoteTerm &T) const;
  std::optional<NoteError> checkVariable(llvm::StringRef Name, unsigned At,
                                         bool Pointer) const;
  std::string describePlace() const;
};

} // namespace raise

#endif // RAISE_LIB_FRONTEND_NOTESCOPE_H
