//===- Pointer.cpp - pointers as base and offset --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Lifter.h"

using namespace clang;
using namespace llvm;

namespace raise::lifting {

bool Lifter::samePointee(QualType A, QualType B) {
  return AST.hasSameUnqualifiedType(A->getPointeeType(), B->getPointeeType());
}

std::string Lifter::intoSeveral(SourceRange At) const {
  return "'" + shortText(At, AST) +
         "' leads into an array of several dimensions, which is not followed";
}

Pointer Lifter::advance(Pointer P, ExprRef By, bool Forward, QualType To,
                        SourceRange At) {
  if (P.Scalar || (P.Base && P.Base->rank() > 1))
    return refuse(codes::PointerBase,
                  P.Scalar ? "arithmetic on the address of a variable"
                           : intoSeveral(At),
                  At),
           Pointer();
  if (!By->Ty.isIntegral())
    return Pointer();
  if (P.Base && isRaw(To, *P.Base)) {
    By = elementsInBytes(By, *P.Base);
    if (!By)
      return refuseBytes(*P.Base, At), Pointer();
  } else {
    By =
        P.Base ? scaled(By, To, *P.Base, AST) : build::cast(By, Type::getI64());
  }
  if (!P.Offset)
    P.Offset = Forward ? By : build::unary(UnaryOp::Neg, By);
  else
    P.Offset = Forward ? build::add(P.Offset, By) : build::sub(P.Offset, By);
  return P;
}

Pointer Lifter::decay(const clang::Expr *E) {
  Place Array = place(E);
  if (!Array.isSet())
    return Pointer();
  if (isMemberArray(Array) && !makeMemberArray(Array, E))
    return Pointer();
  Pointer P;
  if (Array.Kind == Place::Memory && Array.A.Indices.empty() &&
      Array.Path.empty()) {
    P.Base = Array.A.Buf;
    return P;
  }
  if (Array.Kind == Place::Packed)
    return addressOf(E);
  return refuse(codes::PointerBase,
                Array.Kind == Place::Memory && Array.A.Buf->EachElement
                    ? "'" + shortText(E->getSourceRange(), AST) +
                          "' leads into an array of one of several "
                          "structures, which is followed by its elements alone"
                    : intoSeveral(E->getSourceRange()),
                E->getSourceRange()),
         P;
}

Pointer Lifter::addressOf(const clang::Expr *E) {
  Pointer P;
  if (const auto *S = dyn_cast<ArraySubscriptExpr>(E->IgnoreParens());
      S && !Raw.empty() && isByte(S->getType())) {
    P = pointer(S->getBase());
    if (failed())
      return Pointer();
    if (P.Base && isRaw(S->getType(), *P.Base)) {
      const ExprRef By = value(S->getIdx());
      return By ? advance(P, By, true, S->getType(), E->getSourceRange())
                : Pointer();
    }
    P = Pointer();
  }
  Place At = place(E);
  if (At.Kind == Place::Scalar && !isNamedMember(*At.V)) {
    P.Scalar = At.V;
    return P;
  }
  if ((At.Kind == Place::Memory || At.Kind == Place::Packed) &&
      At.Path.empty() && At.A.Buf->rank() == 1 && At.A.Indices.size() == 1) {
    P.Base = At.A.Buf;
    const auto *C = dyn_cast<IntConst>(At.A.Indices[0].get());
    if (!C || C->Value != 0)
      P.Offset = build::cast(At.A.Indices[0], Type::getI64());
    return P;
  }
  return refuse(codes::AddressTaken,
                "the address of '" + shortText(E->getSourceRange(), AST) +
                    (At.Path.empty() && isa<MemberExpr>(E->IgnoreParens())
                         ? "', a member,"
                         : "'") +
                    " is not followed",
                E->getSourceRange()),
         P;
}

Pointer Lifter::pointerFromCast(const CastExpr *E) {
  const clang::Expr *Sub = E->getSubExpr();
  switch (E->getCastKind()) {
  case CK_ArrayToPointerDecay:
    return decay(Sub);
  case CK_LValueToRValue:
    return pointer(Sub);
  case CK_NoOp:
    return pointer(Sub);
  case CK_BitCast:
    if (samePointee(E->getType(), Sub->getType()))
      return pointer(Sub);
    if (const QualType To = E->getType()->getPointeeType(),
        From = Sub->getType()->getPointeeType();
        maySee(From, To, AST) || (!Raw.empty() && isByte(From))) {
      const Pointer P = pointer(Sub);
      if (!P.isSet() || (P.Base && isViewOf(To, *P.Base, AST) &&
                         (maySee(From, To, AST) || isRaw(From, *P.Base))))
        return P;
    }
    return refuse(codes::PointerCast,
                  "'" + spellingOf(Sub->getType(), AST) +
                      "' is converted to '" + spellingOf(E->getType(), AST) +
                      "'",
                  E->getSourceRange()),
           Pointer();
  case CK_NullToPointer:
    return refuse(codes::PointerBase, "a null pointer is used as a value",
                  E->getSourceRange()),
           Pointer();
  default:
    return refuse(codes::PointerCast,
                  "a conversion of a pointer that cannot be followed",
                  E->getSourceRange()),
           Pointer();
  }
}

Pointer Lifter::pointerArithmetic(const clang::BinaryOperator *E) {
  const bool Swapped = !E->getLHS()->getType()->isPointerType();
  const clang::Expr *Ptr = Swapped ? E->getRHS() : E->getLHS();
  const clang::Expr *Int = Swapped ? E->getLHS() : E->getRHS();
  Pointer P = pointer(Ptr);
  if (!P.isSet())
    return P;
  StmtList Later;
  StmtList *const Saved = Out;
  Out = &Later;
  ExprRef By = value(Int);
  Out = Saved;
  if (!By)
    return Pointer();
  appendAfter(P.Offset, std::move(Later), "offset");
  return advance(P, By, E->getOpcode() == BO_Add,
                 E->getType()->getPointeeType(), E->getSourceRange());
}

/// p++ and its kin, with their value.
Pointer Lifter::pointerStep(const clang::UnaryOperator *E) {
  Pointer Before = pointer(E->getSubExpr());
  if (!Before.isSet())
    return Before;
  if (!E->isPrefix() && Before.Offset)
    Before.Offset = spill(Before.Offset, "old");
  if (!movePointer(E->getSubExpr(), E->isIncrementOp(),
                   build::intConst(1, Type::getI64()), E))
    return Pointer();
  return E->isPrefix() ? pointer(E->getSubExpr()) : Before;
}

Pointer Lifter::choosePointer(const AbstractConditionalOperator *E) {
  if (isa<BinaryConditionalOperator>(E))
    return Pointer();
  ExprRef Cond = condition(E->getCond());
  if (!Cond)
    return Pointer();
  Pointer T, F;
  const auto Offset = [](const Pointer &P) {
    return P.Offset ? P.Offset : build::intConst(0, Type::getI64());
  };
  const auto Lift = [&](Pointer &P, const clang::Expr *From) -> ExprRef {
    P = pointer(From);
    return P.isSet() ? Offset(P) : nullptr;
  };
  ExprRef Chosen = choose(
      Cond, [&] { return Lift(T, E->getTrueExpr()); },
      [&] { return Lift(F, E->getFalseExpr()); });
  if (!Chosen)
    return Pointer();
  if (T.Scalar || F.Scalar || T.Base != F.Base)
    return refuse(codes::PointerBase,
                  pointerName(E, AST) + " may point into one of two objects",
                  E->getSourceRange()),
           Pointer();
  T.Offset = Chosen;
  return T;
}

void Lifter::refuseBase(const clang::Expr *E) {
  const std::string Name = pointerName(E, AST);
  refuse(codes::PointerBase,
         isa<ArraySubscriptExpr>(E)
             ? Name + " is a pointer that is loaded from an array"
             : "the object that " + Name + " points into is not known",
         E->getSourceRange());
}

Pointer Lifter::pointer(const clang::Expr *E) {
  if (failed())
    return Pointer();
  E = E->IgnoreParens();
  Pointer P;
  if (const auto *D = dyn_cast<DeclRefExpr>(E)) {
    auto It = Bindings.find(D->getDecl());
    if (It == Bindings.end()) {
      P.Base = globalPointer(D);
      return P;
    }
    const Binding &B = It->second;
    if (B.Kind == Binding::Unsupported || B.Kind == Binding::Null)
      return refuse(B.Why.Code.c_str(), B.Why.Text, E->getSourceRange()), P;
    if (B.Kind == Binding::BufferObj || B.Kind == Binding::PointerVal)
      return B.P;
    if (B.Kind == Binding::Cursor) {
      P.Base = B.V->Base;
      P.Offset =
          std::make_shared<VarUse>(B.V, locate(E->getSourceRange(), AST));
      return P;
    }
  } else if (const auto *M = dyn_cast<MemberExpr>(E)) {
    const Place Held = place(M);
    if (Held.isSet() && Held.QualTy->isPointerType())
      P.Base = heldPointer(Held, E);
  } else if (const auto *C = dyn_cast<CastExpr>(E)) {
    P = pointerFromCast(C);
  } else if (const auto *B = dyn_cast<clang::BinaryOperator>(E)) {
    if (B->getOpcode() == BO_Add || B->getOpcode() == BO_Sub)
      P = pointerArithmetic(B);
    else if (B->getOpcode() == BO_Comma && liftEffect(B->getLHS()))
      P = pointer(B->getRHS());
  } else if (const auto *U = dyn_cast<clang::UnaryOperator>(E)) {
    if (U->getOpcode() == UO_AddrOf)
      P = addressOf(U->getSubExpr());
    else if (U->isIncrementDecrementOp())
      P = pointerStep(U);
  } else if (const auto *C = dyn_cast<AbstractConditionalOperator>(E)) {
    P = choosePointer(C);
  } else if (const auto *W = dyn_cast<ExprWithCleanups>(E)) {
    P = pointer(W->getSubExpr());
  } else if (const auto *C = dyn_cast<clang::CallExpr>(E)) {
    P = containerPointer(C);
    if (!P.isSet() && !failed())
      expandCall(C, [&](const clang::Expr *Returned) {
        P = pointer(Returned);
        return P.isSet();
      });
  } else if (isa<CXXNewExpr>(E)) {
    refuse(codes::Heap, "memory is allocated", E->getSourceRange());
  } else if (isa<CXXThisExpr>(E)) {
    if (This.Kind == Place::Memory && This.Path.empty() &&
        This.A.Indices.size() == 1) {
      P.Base = This.A.Buf;
      P.Offset = build::cast(This.A.Indices[0], Type::getI64());
    } else {
      refuse(codes::ClassObject, "a member of this object",
             E->getSourceRange());
    }
  }
  if (failed())
    return Pointer();
  if (!P.isSet())
    refuseBase(E);
  return P;
}

//===-- Pointers that are known by their names
//-------------------------------===//

/// What Name, a pointer of type T, points to. Null if T is no pointer to
/// something that is supported.
std::shared_ptr<Buffer> Lifter::makeNamed(const std::string &Name, QualType T,
                                          PointerHome Home,
                                          clang::SourceLocation At) {
  // To all that follows, `this` is what C++ means by it.
  if (!T->isPointerType() || (Name == "this" && !AST.getLangOpts().CPlusPlus))
    return nullptr;
  QualType To = T->getPointeeType();
  auto New = std::make_shared<Buffer>();
  while (const ConstantArrayType *A = AST.getAsConstantArrayType(To)) {
    New->Extents.push_back(
        build::intConst(A->getSize().getSExtValue(), Type::getI64()));
    To = A->getElementType();
  }
  if (T.isVolatileQualified() || To.isVolatileQualified() ||
      !elementType(To, New->Elem))
    return nullptr;
  New->Name = Name;
  New->Kind = BufferKind::Pointer;
  New->Home = Home;
  New->Const = To.isConstQualified();
  New->TypeSpelling = spellingOf(T.getUnqualifiedType(), AST);
  New->Loc = locate(At, AST);
  return New;
}

BufferRef Lifter::pointerByName(const VarDecl *Of, const std::string &Name,
                                QualType T, PointerHome Home) {
  BufferRef &B = Globals[{Of, Name}];
  if (B)
    return B;
  auto New = makeNamed(Name, T, Home, Of->getLocation());
  if (New && Name == Of->getName())
    New->Fresh = Memory.groupOf(Of->getCanonicalDecl());
  // Elements of a container that changed are elements still.
  if (const BufferRef Into = New ? Pinned.lookup(Of).Into : nullptr)
    New->Owned = Into->Owned;
  return B = New;
}

/// A pointer variable at namespace scope. What is assigned to it is not
/// followed, so it is known by its name alone.
BufferRef Lifter::globalPointer(const DeclRefExpr *E) {
  const auto *V = dyn_cast<VarDecl>(E->getDecl());
  if (!V || !V->hasGlobalStorage() || IsKernel || IsDevice)
    return refuse(codes::PointerBase,
                  "'" + E->getDecl()->getNameAsString() +
                      "' is a pointer outside the function",
                  E->getSourceRange());
  V = V->getCanonicalDecl();
  if (V->getTLSKind() != VarDecl::TLS_None)
    return refuse(codes::StaticState,
                  "'" + V->getNameAsString() + "' is thread-local",
                  E->getSourceRange());
  const std::string Name = globalName(V, E->getSourceRange());
  if (Name.empty())
    return nullptr;
  BufferRef B =
      pointerByName(V, Name, V->getType(),
                    V->getType().isConstQualified() ? PointerHome::Fixed
                                                    : PointerHome::Global);
  if (!B)
    return refuse(codes::PointerBase,
                  "what pointer '" + V->getNameAsString() +
                      "' points to is not supported",
                  E->getSourceRange());
  return B;
}

/// A pointer that is a member of a structure, if the structure itself has a
/// name: `layer.output` or `l->output`.
BufferRef Lifter::heldPointer(const Place &Held, const clang::Expr *E) {
  if (Held.Kind == Place::Frozen && Objects.contains(Held.Of))
    return objectBuffer(Held.Of, Held.Path, Held.QualTy, /*IsArray=*/false,
                        E->getSourceRange());
  if (Held.Kind == Place::Frozen)
    return pointerByName(Held.Of, Held.Path, Held.QualTy,
                         memberHome(Held.Of, Held.Path));
  if (Held.Kind != Place::Memory || Held.A.isView() ||
      Held.A.Indices.size() != 1 || IsKernel || IsDevice)
    return nullptr;
  const Buffer &B = *Held.A.Buf;
  const auto *At = dyn_cast<IntConst>(Held.A.Indices[0].get());
  if (!At || At->Value != 0 ||
      (B.Kind == BufferKind::Local || B.Kind == BufferKind::Shared))
    return refuse(codes::PointerBase,
                  "'" + shortText(E->getSourceRange(), AST) +
                      "' is a pointer that is loaded from an array",
                  E->getSourceRange());
  const std::string Name = memberName(Held.A);
  BufferRef &Known = Members[{&B, Held.A.Field}];
  if (Known)
    return Known;
  const auto Owned =
      makeNamed(Name, Held.QualTy, PointerHome::Memory, E->getExprLoc());
  if (!Owned)
    return nullptr;
  Owned->Owner = Held.A.Buf;
  Owned->OwnerField = Held.A.Field;
  return Known = impliedPointer(Owned);
}

/// Whether P is a whole array that is a member of a structure.
bool Lifter::isMemberArray(const Place &P) const {
  return P.QualTy->isConstantArrayType() && !P.Path.empty() &&
         (P.Kind == Place::Frozen || P.Kind == Place::Memory);
}

/// Has P, such an array, be the memory that its name leads to, if the structure
/// itself has a name: `model->sizes`.
bool Lifter::makeMemberArray(Place &P, const clang::Expr *E) {
  const QualType Decayed = AST.getArrayDecayedType(P.QualTy);
  BufferRef B;
  if (P.Kind == Place::Frozen && Objects.contains(P.Of)) {
    B = objectBuffer(P.Of, P.Path, Decayed, /*IsArray=*/true,
                     E->getSourceRange());
  } else if (IsKernel || IsDevice) {
    // Said below.
  } else if (P.Kind == Place::Frozen) {
    B = pointerByName(P.Of, P.Path, Decayed, PointerHome::Fixed);
  } else if (!P.A.isView() && P.A.Indices.size() == 1) {
    const Buffer &In = *P.A.Buf;
    const auto *At = dyn_cast<IntConst>(P.A.Indices[0].get());
    const bool IsOwn =
        In.Kind == BufferKind::Local || In.Kind == BufferKind::Shared;
    // The array moves with the structure: nothing may move that.
    const bool Stays =
        In.Kind != BufferKind::Pointer || In.Home == PointerHome::Fixed;
    const bool HasOthers = any_of(InElements, [&](const auto &Known) {
      return Known.first.first == &In && Known.second;
    });
    if (At && At->Value == 0 && !IsOwn && Stays && !HasOthers) {
      BufferRef &Known = Members[{&In, P.A.Field}];
      if (!Known)
        if (auto New = makeNamed(memberName(P.A), Decayed, PointerHome::Fixed,
                                 E->getExprLoc())) {
          New->Fresh = In.Fresh; // it lies there
          Known = impliedArray(New, In);
        }
      B = Known;
    }
  }
  if (!B && P.Kind == Place::Memory && (B = arrayInElements(P.A, P.QualTy))) {
    P.A.Buf = B;
    P.A.Field.clear();
    P.Path.clear();
    return true;
  }
  if (!B)
    return refuse(codes::Expression,
                  "'" + shortText(E->getSourceRange(), AST) +
                      "': an array inside a structure that has no name of its "
                      "own",
                  E->getSourceRange()),
           false;
  Place R;
  R.Kind = Place::Memory;
  R.A.Buf = B;
  R.QualTy = P.QualTy;
  P = R;
  return true;
}

/// The member of a structure that is the first element of a buffer.
std::string Lifter::memberName(const Access &A) {
  return A.Buf->Name + (A.Buf->Reference ? "." : "->") + A.Field;
}

/// How C is called, for a sentence.
std::string Lifter::calleeName(const clang::CallExpr *C) const {
  if (const FunctionDecl *FD = C->getDirectCallee())
    return FD->getNameAsString();
  return sourceText(C->getCallee()->getSourceRange(), AST);
}

} // namespace raise::lifting
