//===- PointerBases.cpp - what a pointer variable points into -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The one base of all values that a pointer variable is ever given, or of those
// that it is given until it begins anew.
//
//===----------------------------------------------------------------------===//

#include "Lifter.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace clang;
using namespace llvm;

namespace raise::lifting {

bool Lifter::collectBases(const clang::Expr *E,
                          SmallPtrSetImpl<const VarDecl *> &Seen,
                          BufferRef &Base) {
  E = E->IgnoreParenCasts();
  if (const auto *B = dyn_cast<clang::BinaryOperator>(E)) {
    if (B->getOpcode() == BO_Comma || B->isAssignmentOp())
      return collectBases(B->getOpcode() == BO_Comma ||
                                  B->getOpcode() == BO_Assign
                              ? B->getRHS()
                              : B->getLHS(),
                          Seen, Base);
    const clang::Expr *Side =
        B->getLHS()->IgnoreParenCasts()->getType()->isIntegerType()
            ? B->getRHS()
            : B->getLHS();
    return collectBases(Side, Seen, Base);
  }
  if (const auto *C = dyn_cast<AbstractConditionalOperator>(E))
    return collectBases(C->getTrueExpr(), Seen, Base) &&
           collectBases(C->getFalseExpr(), Seen, Base);
  if (const auto *U = dyn_cast<clang::UnaryOperator>(E))
    if (U->getOpcode() == UO_AddrOf || U->isIncrementDecrementOp()) {
      const clang::Expr *Of = U->getSubExpr()->IgnoreParenCasts();
      const auto *A = dyn_cast<ArraySubscriptExpr>(Of);
      return collectBases(A && U->getOpcode() == UO_AddrOf ? A->getBase() : Of,
                          Seen, Base);
    }
  if (const auto *W = dyn_cast<ExprWithCleanups>(E))
    return collectBases(W->getSubExpr(), Seen, Base);
  if (const auto *M = dyn_cast<MemberExpr>(E);
      M && M->getType()->isPointerType()) {
    const Pointer Held = pointer(M);
    if (!Held.Base)
      return false;
    return joinBases(Base, Held.Base, E);
  }
  if (isa<MemberExpr>(E) && E->getType()->isConstantArrayType()) {
    const Pointer Held = decay(E);
    return Held.Base && joinBases(Base, Held.Base, E);
  }
  if (const auto *A = dyn_cast<ArraySubscriptExpr>(E);
      A && !A->getType()->isPointerType())
    return collectBases(A->getBase(), Seen, Base);
  if (const auto *C = dyn_cast<clang::CallExpr>(E)) {
    BufferRef Found;
    if (containerOp(C) != ContainerOp::None) {
      if (!(Found = containerData(containerObject(C))))
        return false;
    } else if (C->getDirectCallee() && knownBody(C->getDirectCallee())) {
      return expandCall(C, [&](const clang::Expr *Returned) {
        return collectBases(Returned, Seen, Base);
      });
    }
    if (Found)
      return joinBases(Base, Found, E);
  }
  const auto *D = dyn_cast<DeclRefExpr>(E);
  const auto *V = D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
  if (!V) {
    const auto *C = dyn_cast<clang::CallExpr>(E);
    const FunctionDecl *FD = C ? C->getDirectCallee() : nullptr;
    if (FD && mayReturnNullInto(FD, AST))
      return refuse(whyUnknown(FD, E->getSourceRange())), false;
    if (C)
      return refuse(codes::PointerBase,
                    "the pointer that '" + calleeName(C) +
                        "' returns may point anywhere",
                    E->getSourceRange()),
             false;
    if (isa<CXXNewExpr>(E))
      return refuse(codes::Heap, "memory is allocated", E->getSourceRange()),
             false;
    return refuseBase(E), false;
  }
  auto It = Bindings.find(V);
  if (It == Bindings.end() && isDynamicShared(V)) {
    if (!bindDynamicShared(V, E->getSourceRange()))
      return false;
    It = Bindings.find(V);
  }
  if (It == Bindings.end() && V->hasGlobalStorage() &&
      V->getType()->isArrayType()) {
    Place P = placeOfGlobal(V, E->getSourceRange());
    if (!P.isSet())
      return false;
    return joinBases(Base, P.A.Buf, E);
  }
  BufferRef Found;
  if (It != Bindings.end()) {
    const Binding &B = It->second;
    if (B.Kind == Binding::Unsupported || B.Kind == Binding::Null)
      return refuse(B.Why), false;
    Found = B.Kind == Binding::Cursor ? B.V->Base
            : B.Kind == Binding::Alias && B.At.Kind == Place::Memory
                ? B.At.A.Buf
                : B.P.Base;
    if (!Found)
      return refuse(codes::AddressTaken,
                    "a pointer to variable '" + V->getNameAsString() + "'",
                    E->getSourceRange()),
             false;
  } else if (V->getType()->isPointerType() && V->hasLocalStorage()) {
    // Declared later: what it is given decides, if all of that is seen.
    if (!Seen.insert(V).second)
      return true;
    const auto Given = Facts.Values.find(V);
    if (Given == Facts.Values.end() || isa<ParmVarDecl>(V) ||
        V->isExceptionVariable() || Facts.Addressed.contains(V))
      return refuse(codes::PointerBase,
                    "'" + FollowedPointer + "' is given the value of '" +
                        V->getNameAsString() +
                        "', and where that points is not known here",
                    E->getSourceRange()),
             false;
    for (const clang::Expr *X : Given->second)
      if (!collectBases(X, Seen, Base))
        return false;
    return true;
  } else if (!(Found = globalPointer(D))) {
    return false;
  }
  return joinBases(Base, Found, E);
}

/// Has Base, what a pointer variable was found to point into before, be Found;
/// false, and a failure, if it was something else.
bool Lifter::joinBases(BufferRef &Base, const BufferRef &Found,
                       const clang::Expr *E) {
  if (Base && Base != Found)
    return refuse(codes::PointerBase,
                  StringRef(Found->Name).starts_with(FollowedPointer + "->")
                      ? "'" + FollowedPointer + "' walks along '" +
                            Found->Name +
                            "', and where that leads is not known before"
                  : Base->Name == FollowedPointer
                      ? "'" + FollowedPointer + "' is moved into '" +
                            Found->Name + "', which may be another object"
                      : "'" + FollowedPointer + "' may point into '" +
                            Base->Name + "' or '" + Found->Name + "'",
                  E->getSourceRange()),
           false;
  Base = Found;
  return true;
}

bool Lifter::mayBeginAnew(const VarDecl *V) const {
  // Where the text of the source stays around what is made of a loop, a
  // variable has the name that it has there.
  return (IsKernel || IsDevice || Settings.Alone) && !Facts.HasLabel &&
         Facts.Anew.contains(V);
}

std::vector<const clang::Expr *>
Lifter::valuesFrom(const VarDecl *V, const clang::Expr *Begin) const {
  const auto All = Facts.Values.lookup(V);
  const auto Anew = Facts.Anew.lookup(V);
  std::vector<const clang::Expr *> Given;
  auto At = Begin ? llvm::find(All, Begin) : All.begin();
  while (At != All.end()) {
    Given.push_back(*At++);
    // A body that is called twice gives its values twice.
    if (At != All.end() &&
        (*At == V->getInit() || llvm::is_contained(Anew, *At)))
      break;
  }
  return Given;
}

BufferRef Lifter::commonBase(const VarDecl *V) {
  return commonBase(V, Facts.Values.lookup(V));
}

BufferRef Lifter::commonBase(const VarDecl *V,
                             ArrayRef<const clang::Expr *> Given) {
  SmallPtrSet<const VarDecl *, 4> Seen;
  Seen.insert(V);
  BufferRef Base;
  const llvm::SaveAndRestore Follow(FollowedPointer, V->getNameAsString());
  if (auto It = Bindings.find(V);
      It != Bindings.end() && It->second.Kind == Binding::BufferObj)
    Base = It->second.P.Base; // a parameter starts with its own
  for (const clang::Expr *E : Given)
    if (!collectBases(E, Seen, Base))
      return nullptr;
  if (!Base)
    return refuse(codes::PointerBase,
                  "pointer '" + V->getNameAsString() + "' is never set",
                  V->getSourceRange());
  if (Base->rank() > 1)
    return refuse(codes::PointerBase,
                  "pointer '" + V->getNameAsString() +
                      "' points into an array of several dimensions",
                  V->getSourceRange());
  return Base;
}

} // namespace raise::lifting
