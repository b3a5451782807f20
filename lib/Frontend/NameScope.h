//===- NameScope.h - what a name finds inside a function --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What is lifted is printed again later, as text, somewhere in the function
// that was lifted. A declaration may then be out of reach: hidden by a local,
// by a nearer namespace, or never visible there because its use came from the
// body of another function. This says under which spelling each declaration is
// found, anywhere in the function, or that there is none.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_FRONTEND_NAMESCOPE_H
#define RAISE_LIB_FRONTEND_NAMESCOPE_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "llvm/ADT/StringMap.h"
#include <string>
#include <vector>

namespace raise::lifting {

class NameScope {
public:
  /// From: of the function that Root is lifted for, beside which what is made
  /// of Root is printed: names are to be found from there as well.
  /// Alone: nothing is printed in Root itself, nor in its class.
  explicit NameScope(const clang::FunctionDecl &Root,
                     const NameScope *From = nullptr, bool Alone = false);

  /// D's plain name, if it finds D everywhere in the function; else, in C++, a
  /// name from the global namespace; else empty.
  std::string nameOf(const clang::NamedDecl *D) const;
  /// The same for a name that the function itself spells Written: kept where it
  /// means one thing throughout.
  std::string nameOf(const clang::NamedDecl *D, llvm::StringRef Written) const;
  /// Whether the plain name of a function of the library finds nothing else.
  bool findsLibrary(llvm::StringRef Name) const;
  /// How T is spelled: by its typedef where that is found, else by what the
  /// typedef stands for.
  std::string spell(clang::QualType T) const;

  /// Set while the body of another function is lifted: what that spells says
  /// nothing about this one.
  void setForeign(bool Yes) { Foreign = Yes; }

  /// While it lives, types are spelled for Scope (of this thread's lift).
  class Use {
    const NameScope *Before;

  public:
    explicit Use(const NameScope &Scope);
    ~Use();
    Use(const Use &) = delete;
    Use &operator=(const Use &) = delete;
  };
  static const NameScope *current();

private:
  std::string
  nameOfInstance(const clang::VarTemplateSpecializationDecl &D) const;
  bool isHidden(llvm::StringRef Name) const { return Locals.count(Name) != 0; }
  bool findsPlain(const clang::NamedDecl *D) const;
  bool findsOutside(const clang::NamedDecl *D) const;
  /// The first declarations of Name on the way outwards, and those that a using
  /// directive or a base class may put before them.
  std::vector<const clang::NamedDecl *>
  lookup(const clang::IdentifierInfo *Name, bool &Uncertain) const;
  bool isVisibleFrom(const clang::NamedDecl *D) const;

  const clang::FunctionDecl &Root;
  const NameScope *From;
  const bool Alone;
  const clang::ASTContext &AST;
  /// Names that the function declares, and how often.
  llvm::StringMap<unsigned> Locals;
  /// Namespaces that using directives open to the function's lookups.
  std::vector<const clang::DeclContext *> Opened;
  bool Foreign = false;
};

} // namespace raise::lifting

#endif // RAISE_LIB_FRONTEND_NAMESCOPE_H
