//===- SourceParts.h - parts of a source that another repeats ----*- C++
//-*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Internal to lib/Driver. What a file that stands beside a source must say
// before it can name what the source declares.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_DRIVER_SOURCEPARTS_H
#define RAISE_LIB_DRIVER_SOURCEPARTS_H

#include "OwnText.h"
#include "raise/IR/Context.h"
#include "llvm/ADT/ArrayRef.h"
#include <set>

namespace clang {
class ASTUnit;
class Decl;
class FunctionDecl;
class NamedDecl;
} // namespace clang

namespace raise {

/// Adds each identifier of Text.
void addWords(llvm::StringRef Text, std::set<std::string> &Words);

class SourceParts {
public:
  explicit SourceParts(clang::ASTUnit &Unit) : Unit(Unit), Own(Unit) {}

  struct Piece {
    unsigned Offset = 0;            ///< see OwnText
    std::vector<std::string> Scope; ///< namespaces, outermost first
    bool ExternC = false;
    std::string Text; ///< complete lines
    unsigned End = 0; ///< of the text, counted as Offset is
    /// What it declares, where that is a type.
    const clang::NamedDecl *Type = nullptr;
  };

  /// The source's includes, and the macros that it defines before them, found
  /// from OutputFolder. Headers that belong to their source (OwnText) are left
  /// out, and their includes stand in their place.
  std::string preamble(llvm::StringRef SourcePath,
                       llvm::StringRef OutputFolder) const;

  /// Everything that Words name, that Roots or what they use refer to or that
  /// is one of Others, and that the source's own text declares, in order:
  /// definitions of types, constants, macros and internal functions,
  /// declarations of what is exported. Errors gets CR1809 for what must not be
  /// repeated.
  std::vector<Piece>
  partsFor(llvm::ArrayRef<const clang::FunctionDecl *> Roots,
           llvm::ArrayRef<const clang::FunctionDecl *> Others,
           std::set<std::string> Words, std::vector<Reason> &Errors) const;

  /// Of Parts, those types that Words name, as a header may repeat them beside
  /// the source itself: a structure is only declared. CR1809 where that is not
  /// possible.
  std::vector<Piece> forwardDeclarations(llvm::ArrayRef<Piece> Parts,
                                         std::set<std::string> Words,
                                         std::vector<Reason> &Errors) const;

  /// The namespaces around a declaration; unnamed ones are "", and left out
  /// where Named is set.
  static std::vector<std::string> scopeOf(const clang::Decl &D,
                                          bool Named = true);

private:
  clang::ASTUnit &Unit;
  const OwnText Own;
};

/// The path to File from Folder, both absolute and without dots.
std::string relativePath(llvm::StringRef File, llvm::StringRef Folder);

} // namespace raise

#endif // RAISE_LIB_DRIVER_SOURCEPARTS_H
