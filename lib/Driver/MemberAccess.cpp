//===- MemberAccess.cpp - which members a function may name ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "MemberAccess.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclFriend.h"
#include "clang/AST/DeclTemplate.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace raise;
using llvm::SmallVector;
using llvm::StringRef;

/// Whether R says that F, or a class of which F is a member, is its friend.
static bool isFriend(const clang::FunctionDecl &F,
                     const clang::CXXRecordDecl &R) {
  const auto *M = llvm::dyn_cast<clang::CXXMethodDecl>(&F);
  return llvm::any_of(R.friends(), [&](const clang::FriendDecl *Friend) {
    const clang::NamedDecl *D = Friend->getFriendDecl();
    if (D && D->getCanonicalDecl() == F.getCanonicalDecl())
      return true;
    const clang::TypeSourceInfo *T = Friend->getFriendType();
    const auto *Class = T ? T->getType()->getAsCXXRecordDecl() : nullptr;
    return M && Class &&
           Class->getCanonicalDecl() == M->getParent()->getCanonicalDecl();
  });
}

/// Whether F may use what R keeps private.
static bool isWithin(const clang::FunctionDecl &F, const clang::RecordDecl &R) {
  const auto *M = llvm::dyn_cast<clang::CXXMethodDecl>(&F);
  if (M && M->getParent()->getCanonicalDecl() == R.getCanonicalDecl())
    return true;
  const auto *Class = llvm::dyn_cast<clang::CXXRecordDecl>(&R);
  return Class && Class->hasDefinition() &&
         isFriend(F, *Class->getDefinition());
}

/// A name that only an implementation of C++ gives: `_M_elems`.
static bool isReserved(StringRef Name) {
  return Name.starts_with("__") ||
         (Name.size() > 1 && Name[0] == '_' && llvm::isUpper(Name[1]));
}

bool raise::mayName(const clang::FunctionDecl &F, StringRef Path) {
  SmallVector<StringRef, 4> Words;
  llvm::SplitString(Path, Words, ".->[]");
  const auto *M = llvm::dyn_cast<clang::CXXMethodDecl>(&F);
  clang::QualType T;
  if (!Words.empty() && Words[0] == "this" && M && M->isInstance())
    T = M->getThisType();
  for (const clang::ParmVarDecl *P : F.parameters())
    if (!Words.empty() && Words[0] == P->getName())
      T = P->getType();
  for (StringRef W : llvm::drop_begin(Words, Words.empty() ? 0 : 1)) {
    if (T.isNull())
      return false;
    T = T.getNonReferenceType();
    if (T->isPointerType())
      T = T->getPointeeType();
    if (T->isArrayType()) // in each element, as the name says
      T = clang::QualType(T->getBaseElementTypeUnsafe(), 0);
    const clang::RecordDecl *R = T->getAsRecordDecl();
    const clang::FieldDecl *Found = nullptr;
    if (R)
      for (const clang::FieldDecl *Field : R->fields())
        if (Field->getName() == W)
          Found = Field;
    if (!Found || isReserved(W))
      return false;
    const clang::AccessSpecifier A = Found->getAccess();
    if (A != clang::AS_public && A != clang::AS_none && !isWithin(F, *R))
      return false;
    T = Found->getType();
  }
  return !T.isNull();
}
