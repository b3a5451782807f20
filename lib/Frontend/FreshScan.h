//===- FreshScan.h - what a body's locals come from and go to ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Internal to Fresh.cpp, which says where memory comes from, and FreshUses.cpp,
// which says where it goes.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_FRONTEND_FRESHSCAN_H
#define RAISE_LIB_FRONTEND_FRESHSCAN_H

#include "Fresh.h"
#include "Lifter.h"
#include "llvm/ADT/EquivalenceClasses.h"

namespace raise::lifting {

/// What an expression is to the memory that is followed.
enum class As {
  Slot,    ///< a pointer variable that leads to it, as an lvalue
  SlotPtr, ///< the address of such a variable
  Pointer, ///< a pointer or an iterator into it
  Block,   ///< an lvalue in it
  Object,  ///< the container that owns it, as an lvalue
};

/// What the expression around another is to the memory: something (To), or
/// nothing that leads there (Ends). Neither: it is not followed.
struct Step {
  std::optional<As> To;
  bool Ends = false;
  const clang::Expr *At = nullptr; ///< the expression, if not the next one

  Step(As To) : To(To) {}
  static Step end() { return Step(true); }
  static Step lost() { return Step(false); }
  static Step endIf(bool Ends) { return Step(Ends); }

private:
  explicit Step(bool Ends) : Ends(Ends) {}
};

/// A container whose elements are numbers that are its own, and no one else's.
bool isOwner(clang::QualType T);
bool isNullPointer(const clang::Expr *E, const clang::ASTContext &AST);

/// One function body, and what its locals come from and go to.
class BodyScan {
public:
  /// AtEnd: what happens after the last loop counts as well.
  BodyScan(FreshMemory &All, const clang::FunctionDecl &FD, bool AtEnd)
      : All(All), AST(All.context()), FD(FD), AtEnd(AtEnd) {}

  /// Follows the locals of FD, and Param where there is one.
  void run(const clang::ParmVarDecl *Param, bool IsSlot) {
    Followed = Param;
    FollowsSlot = IsSlot;
    for (const clang::ParmVarDecl *P : FD.parameters())
      Strange |= P->getOriginalType()->isVariablyModifiedType();
    if (const auto *Body = llvm::dyn_cast<clang::CompoundStmt>(FD.getBody())) {
      unsigned At = 0;
      for (const clang::Stmt *S : Body->body()) {
        Top = ++At;
        Parents[S] = Body;
        walk(S);
      }
    } else {
      Top = 1;
      walk(FD.getBody());
    }
    for (auto &[Use, At] : Uses)
      follow(Use, At);
    if (!Followed) // else it comes from elsewhere, and may
      for (auto &[V, E] : Values)
        if (!comesIn(E, V))
          Bad.insert(V);
  }

  bool isBad(const clang::VarDecl *V) {
    return Strange || llvm::any_of(Bad, [&](const clang::VarDecl *B) {
             return B == V || Same.isEquivalent(B, V);
           });
  }
  bool isReturned(const clang::VarDecl *V) {
    return llvm::any_of(Returned, [&](const clang::VarDecl *B) {
      return B == V || Same.isEquivalent(B, V);
    });
  }
  bool isAllocated(const clang::VarDecl *V) {
    return llvm::any_of(Allocated, [&](const clang::VarDecl *B) {
      return B == V || Same.isEquivalent(B, V);
    });
  }
  bool isSame(const clang::VarDecl *A, const clang::VarDecl *B) {
    return A == B || Same.isEquivalent(A, B);
  }
  const std::vector<const clang::VarDecl *> &locals() const { return Locals; }
  bool returnsFresh();

private:
  FreshMemory &All;
  const clang::ASTContext &AST;
  const clang::FunctionDecl &FD;
  const bool AtEnd;
  const clang::ParmVarDecl *Followed = nullptr;
  bool FollowsSlot = false;
  llvm::DenseMap<const clang::Stmt *, const clang::Stmt *> Parents;
  std::vector<std::pair<const clang::DeclRefExpr *, unsigned>> Uses;
  std::vector<std::pair<const clang::VarDecl *, const clang::Expr *>> Values;
  std::vector<const clang::Expr *> ReturnedValues;
  std::vector<const clang::VarDecl *> Locals;
  llvm::EquivalenceClasses<const clang::VarDecl *> Same;
  llvm::SmallPtrSet<const clang::VarDecl *, 8> Bad, Returned, Allocated;
  unsigned Top = 0, LastLoop = 0;

  /// Declared by a statement of the body, in a way that all is seen of it.
  llvm::SmallPtrSet<const clang::VarDecl *, 16> Seen;
  bool Strange = false; ///< the body holds what is not followed at all

  void walk(const clang::Stmt *S);
  void walkClauses(const clang::OMPExecutableDirective *D);
  void declare(const clang::VarDecl *V);
  bool canBeFollowed(const clang::VarDecl *V) const;
  bool isFollowed(const clang::VarDecl *V) const {
    return V == Followed || Seen.contains(V);
  }
  void follow(const clang::DeclRefExpr *Use, unsigned At);
  bool goesWell(const clang::VarDecl *Of, const clang::Expr *E, As How);
  bool endsWell(const clang::VarDecl *Of, const clang::Stmt *Up,
                const clang::Expr *E, As How);
  Step step(const clang::VarDecl *Of, const clang::Expr *Up,
            const clang::Expr *E, As How);
  Step assignment(const clang::VarDecl *Of, const clang::BinaryOperator *B,
                  const clang::Expr *E, As How);
  Step binary(const clang::VarDecl *Of, const clang::BinaryOperator *B,
              const clang::Expr *E, As How);
  Step member(const clang::MemberExpr *M, As How);
  bool bind(const clang::VarDecl *Of, const clang::VarDecl *To, As How);
  Step call(const clang::CallExpr *C, const clang::Expr *E, As How);
  bool comesIn(const clang::Expr *E, const clang::VarDecl *To);
  bool placeComesIn(const clang::Expr *E, const clang::VarDecl *To);
  bool isAllocation(const clang::Expr *E);
  bool startsOwn(const clang::Expr *Init);
};

} // namespace raise::lifting

#endif // RAISE_LIB_FRONTEND_FRESHSCAN_H
