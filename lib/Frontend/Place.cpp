//===- Place.cpp - lvalues ------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Lifter.h"
#include "raise/IR/Visitor.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;
using namespace llvm;

namespace raise::lifting {

/// Gives P its scalar type where it has one.
static void setType(Place &P, const ASTContext &AST) {
  if (std::optional<Type> Ty = scalarType(P.QualTy, AST))
    P.Ty = *Ty;
}

/// How V is named in what is printed: empty, and a failure, where no name finds
/// it.
std::string Lifter::globalName(const VarDecl *V, SourceRange At) {
  std::string Name = Names->nameOf(
      V, At.getEnd().isFileID() ? sourceText(At, AST) : std::string());
  if (Name.empty())
    refuse(codes::HiddenName,
           "'" + V->getNameAsString() +
               "' cannot be named here: it is another function's, private to a "
               "class, or hidden by a local of the same name",
           At);
  return Name;
}

/// A variable at namespace scope, or a constant static local. One that may
/// change is memory like any other; a constant cannot be written by anything.
Place Lifter::placeOfGlobal(const VarDecl *V, SourceRange At) {
  Place P;
  P.QualTy = V->getType().getNonReferenceType();
  V = V->getCanonicalDecl();
  if (V->getTLSKind() != VarDecl::TLS_None)
    return refuse(codes::StaticState,
                  "'" + V->getNameAsString() + "' is thread-local", At),
           Place();
  const QualType Elem = AST.getBaseElementType(P.QualTy);
  if (Elem.isVolatileQualified())
    return refuse(codes::Volatile, "'" + V->getNameAsString() + "' is volatile",
                  At),
           Place();
  if (V->hasAttr<CUDASharedAttr>())
    return refuse(codes::DynamicShared,
                  "'" + V->getNameAsString() + "' is dynamic shared memory",
                  At),
           Place();
  if (V->getType()->isReferenceType() || P.QualTy->isPointerType())
    return refuse(codes::PointerBase,
                  "'" + V->getNameAsString() +
                      "' is a pointer outside the function",
                  At),
           Place();
  std::optional<Type> Ty = scalarType(P.QualTy, AST);
  const std::string Name = globalName(V, At);
  if (Name.empty())
    return Place();
  if (Ty && Elem.isConstQualified()) {
    VarRef &X = Externals[{V, ""}];
    if (!X) {
      auto New = std::make_shared<Var>();
      New->Name = Name;
      New->Ty = *Ty;
      New->Kind = VarKind::External;
      New->Const = true;
      New->Loc = locate(V->getLocation(), AST);
      X = New;
    }
    P.Kind = Place::Scalar;
    P.V = X;
    P.Ty = *Ty;
    return P;
  }
  BufferRef &B = Globals[{V, ""}];
  if (!B) {
    auto New = std::make_shared<Buffer>();
    New->Name = Name;
    New->Kind = BufferKind::Global;
    New->Loc = locate(V->getLocation(), AST);
    New->Const = Elem.isConstQualified();
    New->TypeSpelling = spellingOf(V->getType(), AST);
    New->Extents.clear();
    QualType Inner = P.QualTy;
    if (!arrayExtents(P.QualTy, New->Extents, Inner, At))
      return Place();
    if (New->Extents.empty()) {
      New->Extents.push_back(build::intConst(1, Type::getI64()));
      New->Reference = true;
    }
    if (!elementType(Inner, New->Elem))
      return refuse(codes::ClassObject,
                    "global '" + Name + "' has type '" + New->TypeSpelling +
                        "', which is not supported",
                    At),
             Place();
    B = New;
  }
  P.Kind = Place::Memory;
  P.A.Buf = B;
  if (B->Reference)
    P.A.Indices = {build::intConst(0, Type::getI64())};
  setType(P, AST);
  return P;
}

Place Lifter::placeOf(const DeclRefExpr *E) {
  const auto *V = dyn_cast<VarDecl>(E->getDecl());
  if (!V)
    return refuse(codes::Expression,
                  "'" + E->getDecl()->getNameAsString() +
                      "' is not a variable that can be followed",
                  E->getSourceRange()),
           Place();
  auto It = Bindings.find(V);
  if (containerElement(V->getType()) && !V->getType().isVolatileQualified() &&
      (It == Bindings.end() || It->second.Kind == Binding::Unsupported) &&
      V->getTLSKind() == VarDecl::TLS_None && !IsKernel && !IsDevice) {
    Place P; // its elements and its size are known by its name
    P.Kind = Place::Frozen;
    P.Of = V->getCanonicalDecl();
    P.Path = V->hasGlobalStorage() ? globalName(V, E->getSourceRange())
                                   : V->getNameAsString();
    if (P.Path.empty())
      return Place();
    P.QualTy = V->getType().getNonReferenceType();
    return P;
  }
  if (It == Bindings.end() && isDynamicShared(V)) {
    if (!bindDynamicShared(V, E->getSourceRange()))
      return Place();
    It = Bindings.find(V);
  }
  if (It == Bindings.end()) {
    if (V->hasGlobalStorage())
      return placeOfGlobal(V, E->getSourceRange());
    return refuse(codes::Expression,
                  "variable '" + V->getNameAsString() +
                      "' is not followed here",
                  E->getSourceRange()),
           Place();
  }
  const Binding &B = It->second;
  Place P;
  P.QualTy = V->getType().getNonReferenceType();
  switch (B.Kind) {
  case Binding::Scalar:
    P.Kind = Place::Scalar;
    P.V = B.V;
    P.Ty = B.V->Ty;
    return P;
  case Binding::BufferObj:
    P.Kind = Place::Memory; // an array as a whole
    P.A.Buf = B.P.Base;
    return P;
  case Binding::Alias:
  case Binding::Record:
  case Binding::Frozen:
    return B.At;
  case Binding::Unsupported: // at its use: that is what stops
    return refuse(B.Why.Code.c_str(), B.Why.Text, E->getSourceRange()), Place();
  case Binding::OfBytes:
  case Binding::Value:
  case Binding::PointerVal:
  case Binding::Null:
  case Binding::Cursor:
    break;
  }
  return refuse(codes::AddressTaken,
                "'" + V->getNameAsString() + "' is used as an object",
                E->getSourceRange()),
         Place();
}

Place Lifter::element(const Pointer &P, ExprRef Index, QualType Ty,
                      SourceRange At) {
  Place R;
  R.QualTy = Ty;
  if (P.Scalar) { // *&x, (&x)[0]
    const auto *C = dyn_cast_or_null<IntConst>(Index.get());
    if (Index && (!C || C->Value != 0))
      return refuse(codes::AddressTaken, "an element beside a single variable",
                    At),
             Place();
    R.Kind = Place::Scalar;
    R.V = P.Scalar;
    R.Ty = P.Scalar->Ty;
    return R;
  }
  if (!P.Base)
    return Place();
  if (P.Base->rank() > 1 && P.Offset)
    return refuse(codes::PointerBase, intoSeveral(At), At), Place();
  if (isRaw(Ty, *P.Base))
    return refuseBytes(*P.Base, At), Place();
  R.Kind = Place::Memory;
  R.A.Buf = P.Base;
  if (Index && stepOf(Ty, *P.Base) != 1)
    Index = scaled(Index, Ty, *P.Base, AST);
  if (!Index)
    Index = P.Offset ? P.Offset : build::intConst(0, Type::getI64());
  else if (P.Offset)
    Index = build::add(P.Offset, build::cast(Index, Type::getI64()));
  if (const auto *C = dyn_cast<IntConst>(Index.get());
      P.Base->Reference && (!C || C->Value != 0))
    return refuse(codes::AddressTaken,
                  "an element beside what '" + P.Base->Name + "' refers to",
                  At),
           Place();
  R.A.Indices = {Index};
  setType(R, AST);
  return !scalarType(Ty, AST) && isViewOf(Ty, *P.Base, AST) ? partAt(R, Ty, AST)
                                                            : R;
}

Place Lifter::subscript(const ArraySubscriptExpr *E) {
  const clang::Expr *Base = E->getBase();
  const clang::Expr *Array = Base->IgnoreParens();
  Place Whole;
  Pointer P;
  ExprRef Index;
  // a[i][j]: an array of several dimensions collects its indices.
  const auto *Decay = dyn_cast<ImplicitCastExpr>(Array);
  const bool IsArray = Decay && Decay->getCastKind() == CK_ArrayToPointerDecay;
  StmtList Later;
  if (IsArray)
    Whole = place(Decay->getSubExpr());
  else
    P = pointer(Base);
  if (failed() || (IsArray ? !Whole.isSet() : !P.isSet()))
    return Place();
  StmtList *const Saved = Out;
  Out = &Later;
  Index = value(E->getIdx());
  Out = Saved;
  if (!Index)
    return Place();
  if (!Later.empty() && IsArray && !freeze(Whole))
    return Place();
  appendAfter(P.Offset, std::move(Later), "offset");
  if (!IsArray)
    return element(P, Index, E->getType(), E->getSourceRange());
  if (Whole.Kind == Place::Packed)
    return packedElement(Whole, Index, E->getType(), AST);
  if (Whole.Kind == Place::Memory && Whole.A.Indices.empty() &&
      isFlat(E->getType(), *Whole.A.Buf)) {
    P.Base = Whole.A.Buf;
    return element(P, Index, E->getType(), E->getSourceRange());
  }
  if (isMemberArray(Whole) && !makeMemberArray(Whole, E))
    return Place();
  if (Whole.Kind != Place::Memory || !Whole.Path.empty() ||
      Whole.A.Indices.size() >= Whole.A.Buf->rank())
    return refuse(codes::Expression, "an array inside a structure",
                  E->getSourceRange()),
           Place();
  Whole.A.Indices.push_back(Index);
  Whole.QualTy = E->getType();
  setType(Whole, AST);
  return Whole;
}

/// A scalar member is a variable by its own name, which only opaque statements
/// write; of other members the next one may be picked.
Place Lifter::frozenMember(Place P, const std::string &Path,
                           const std::optional<Type> &Ty) {
  P.Path = Path;
  if (!Ty || P.QualTy.isVolatileQualified())
    return P;
  if (Objects.contains(P.Of)) {
    Place R;
    R.Kind = Place::Scalar;
    R.V = objectScalar(P.Of, Path, *Ty);
    R.Ty = *Ty;
    R.QualTy = P.QualTy;
    return R;
  }
  VarRef &X = Externals[{P.Of, Path}];
  if (!X) {
    auto New = std::make_shared<Var>();
    New->Name = Path;
    New->Ty = *Ty;
    New->Kind = VarKind::External;
    New->Const = true;
    New->Loc = locate(P.Of->getLocation(), AST);
    X = New;
    if (writesMember(P.Of, Path))
      Unowned.insert(New.get());
  }
  Place R;
  R.Kind = Place::Scalar;
  R.V = X;
  R.Ty = *Ty;
  R.QualTy = P.QualTy;
  return R;
}

/// A member of a local structure, or of an element in memory.
Place Lifter::member(const MemberExpr *E) {
  const auto *Field = dyn_cast<FieldDecl>(E->getMemberDecl());
  if (!Field) {
    if (const auto *V = dyn_cast<VarDecl>(E->getMemberDecl()))
      return placeOfGlobal(V, E->getSourceRange()); // a static member
    return Place();
  }
  if (isa<CXXThisExpr>(E->getBase()->IgnoreParenImpCasts()) &&
      (!This.isSet() || !isa<CXXThisExpr>(E->getBase()->IgnoreParens())))
    return refuse(codes::ClassObject,
                  This.isSet() ? "a member of a base class"
                               : "a member of this object",
                  E->getSourceRange()),
           Place();
  // Of what nothing changes its text says enough.
  const bool IsFixed = isa<CXXThisExpr>(E->getBase()->IgnoreParens())
                           ? Objects.contains(This.Of)
                           : objectPart(E->getBase()).Kind == Place::Frozen;
  if (!IsFixed && (Field->isBitField() || Field->getParent()->isUnion()))
    return refuse(codes::UnionOrBitField,
                  (Field->getName().empty()
                       ? "a structure without a name"
                       : "'" + Field->getNameAsString() + "'") +
                      (Field->isBitField() ? " is a bit-field"
                                           : " is a member of a union"),
                  E->getSourceRange()),
           Place();
  if (Settings.Alone && !mayName(Field, E->getSourceRange()))
    return Place();
  if (Field->getType()->isReferenceType())
    return refuse(codes::ClassObject,
                  "'" + Field->getNameAsString() +
                      "' is a member that refers to another object",
                  E->getSourceRange()),
           Place();
  Place P;
  if (isa<CXXThisExpr>(E->getBase()->IgnoreParens())) {
    P = This;
  } else if (E->isArrow()) {
    Pointer Ptr = pointer(E->getBase());
    if (!Ptr.isSet())
      return Place();
    P = element(Ptr, nullptr, E->getBase()->getType()->getPointeeType(),
                E->getSourceRange());
  } else {
    P = place(E->getBase());
  }
  if (!P.isSet())
    return P;
  if (P.Kind == Place::Packed)
    return packedMember(P, Field, E->getType(), AST);
  if (P.Kind != Place::Record && !mayName(Field, E->getSourceRange()))
    return Place();
  if (Field->isAnonymousStructOrUnion()) { // its members are named without it
    P.QualTy = E->getType();
    return P;
  }
  const std::string Path =
      (P.Path.empty() ? "" : P.Path + ".") + Field->getNameAsString();
  P.QualTy = E->getType();
  std::optional<Type> Ty = scalarType(P.QualTy, AST);
  if (P.Kind == Place::Frozen)
    return frozenMember(P, Path, Ty);
  if (P.Kind == Place::Record) {
    P.Path = Path;
    if (Place Array; !P.Arrays.empty() && arrayOf(P, Array))
      return Array;
    if (!Ty)
      return P; // a nested structure; the next member picks on
    // The whole structure's type is what the parts were made from.
    const std::vector<Member> Members = scalarMembers(P.At, AST);
    for (size_t I = 0; I < Members.size(); ++I)
      if (Members[I].Path == Path) {
        Place R;
        R.Kind = Place::Scalar;
        R.V = P.Parts[I];
        R.Ty = *Ty;
        R.QualTy = P.QualTy;
        return R;
      }
    return Place();
  }
  if (P.Kind != Place::Memory || !P.A.Buf->Elem.isVoid())
    return Place();
  P.Path = Path;
  P.A.Field = Path;
  if (Ty)
    P.Ty = *Ty;
  if (Ty)
    if (std::optional<Place> Fixed = impliedMember(P.A, *Ty)) {
      Fixed->QualTy = P.QualTy;
      return *Fixed;
    }
  return P;
}

/// A container's subscript before it was made unsigned: a negative one is as
/// far outside of the container as what it becomes.
static const clang::Expr *signedIndex(const clang::Expr *E) {
  const auto *C = dyn_cast<ImplicitCastExpr>(E->IgnoreParens());
  if (!C || C->getCastKind() != CK_IntegralCast)
    return E;
  const clang::Expr *Sub = C->getSubExpr();
  return Sub->getType()->isSignedIntegerType() &&
                 !Sub->getType()->isBooleanType()
             ? Sub
             : E;
}

/// Which element of a container the call E gives.
ExprRef Lifter::elementIndex(const clang::CallExpr *E, ContainerOp Op) {
  const Type I64 = Type::getI64();
  if (Op == ContainerOp::Front)
    return build::intConst(0, I64);
  if (Op == ContainerOp::Back) {
    ExprRef Size = containerSize(containerObject(E));
    return Size ? build::sub(build::cast(Size, I64), build::intConst(1, I64))
                : nullptr;
  }
  const clang::Expr *At = isa<CXXOperatorCallExpr>(E) ? E->getArg(1)
                          : E->getNumArgs() == 1      ? E->getArg(0)
                                                      : nullptr;
  return At ? value(signedIndex(At)) : nullptr;
}

/// What a call refers to that returns a reference: an element of a container,
/// what an iterator leads to, or what a function of one expression returns.
Place Lifter::calledPlace(const clang::CallExpr *E) {
  Place P;
  const auto *O = dyn_cast<CXXOperatorCallExpr>(E);
  if (const clang::Expr *Of = castByCall(E))
    return place(Of);
  if (const ContainerOp Op = containerOp(E); isElementOf(Op)) {
    Pointer Data;
    Data.Base = containerData(containerObject(E));
    ExprRef Index = Data.Base ? elementIndex(E, Op) : nullptr;
    return Index ? element(Data, Index, E->getType().getNonReferenceType(),
                           E->getSourceRange())
                 : Place();
  }
  if (const auto *D =
          O ? dyn_cast<DeclRefExpr>(O->getArg(0)->IgnoreParenImpCasts())
            : nullptr) {
    auto It = Bindings.find(D->getDecl());
    if (It != Bindings.end() && It->second.Kind == Binding::PointerVal &&
        (O->getOperator() == OO_Star || O->getOperator() == OO_Subscript)) {
      ExprRef Index =
          O->getOperator() == OO_Subscript ? value(O->getArg(1)) : nullptr;
      if (O->getOperator() == OO_Subscript && !Index)
        return P;
      return element(It->second.P, Index, E->getType().getNonReferenceType(),
                     E->getSourceRange());
    }
  }
  expandCall(E, [&](const clang::Expr *Returned) {
    P = place(Returned);
    return P.isSet();
  });
  return P;
}

/// A temporary's value in a variable of its own, or one for each member.
Place Lifter::temporary(const MaterializeTemporaryExpr *T) {
  const auto Kept = [&](const ExprRef &V, StringRef Name) {
    return cast<VarUse>(spill(V, Name).get())->V;
  };
  Place P;
  P.QualTy = T->getType();
  if (std::optional<Type> Ty = scalarType(T->getType(), AST)) {
    if (ExprRef V = value(T->getSubExpr())) {
      P.Kind = Place::Scalar;
      P.V = Kept(V, "temporary");
      P.Ty = *Ty;
    }
    return P;
  }
  if (mayOwnObject(T->getType())) {
    const Place Own = declareObject("temporary", T->getType(),
                                    locate(T->getSourceRange(), AST));
    return buildObject(T->getSubExpr(), Own) ? Own : Place();
  }
  if (!plainMembers(T->getType(), AST))
    return P;
  if (const auto *C =
          dyn_cast<CXXConstructExpr>(T->getSubExpr()->IgnoreImplicit());
      C && isMadeHere(C)) {
    const Place Own =
        declareObject(temporaryName(C), T->getType().getUnqualifiedType(),
                      locate(T->getSourceRange(), AST));
    return construct(C, Own) ? Own : Place();
  }
  std::vector<ExprRef> Values;
  if (!recordValue(T->getSubExpr(), Values))
    return P;
  P.Kind = Place::Record;
  P.At = T->getType();
  for (const ExprRef &V : Values)
    P.Parts.push_back(Kept(V, "part"));
  return P;
}

Place Lifter::place(const clang::Expr *E) {
  if (failed())
    return Place();
  E = E->IgnoreParens();
  Place P;
  if (const auto *D = dyn_cast<DeclRefExpr>(E))
    P = placeOf(D);
  else if (const auto *A = dyn_cast<ArraySubscriptExpr>(E))
    P = subscript(A);
  else if (const auto *M = dyn_cast<MemberExpr>(E))
    P = member(M);
  else if (const auto *C = dyn_cast<CastExpr>(E);
           C && (C->getCastKind() == CK_NoOp))
    P = place(C->getSubExpr());
  else if (C && C->getCastKind() == CK_LValueBitCast)
    P = viewedPlace(C);
  else if (const auto *W = dyn_cast<ExprWithCleanups>(E))
    P = place(W->getSubExpr());
  else if (const auto *T = dyn_cast<MaterializeTemporaryExpr>(E)) {
    P = temporary(T);
  } else if (const auto *U = dyn_cast<clang::UnaryOperator>(E)) {
    if (U->getOpcode() == UO_Deref && This.isSet() &&
        isa<CXXThisExpr>(U->getSubExpr()->IgnoreParens())) {
      P = This;
    } else if (U->getOpcode() == UO_Deref) {
      Pointer Ptr = pointer(U->getSubExpr());
      if (Ptr.isSet())
        P = element(Ptr, nullptr, U->getType(), U->getSourceRange());
    } else if (U->isPrefix() && U->isIncrementDecrementOp()) {
      increment(U, &P); // ++i is i
    }
  } else if (const auto *C = dyn_cast<clang::CallExpr>(E)) {
    P = calledPlace(C);
  } else if (const auto *C = dyn_cast<CompoundAssignOperator>(E)) {
    compound(C, &P);
  } else if (const auto *B = dyn_cast<clang::BinaryOperator>(E);
             B && B->getOpcode() == BO_Assign) {
    assign(B, &P);
  } else if (B && B->getOpcode() == BO_Comma) {
    if (liftEffect(B->getLHS()))
      P = place(B->getRHS());
  }
  if (failed())
    return Place();
  if (!P.isSet())
    refuse(codes::Expression, "this object cannot be followed",
           E->getSourceRange());
  return P;
}

ExprRef Lifter::load(const Place &P, SourceRange At) {
  if (P.QualTy.isVolatileQualified() ||
      (P.Kind == Place::Memory && P.A.Buf->Volatile))
    return refuse(codes::Volatile, "a volatile object is read", At);
  const SourceLoc Loc = locate(At, AST);
  if (P.Kind == Place::Scalar)
    return std::make_shared<VarUse>(P.V, Loc);
  if (isElementOfSmall(P))
    return build::cast(std::make_shared<Load>(P.A, P.A.Buf->Elem, Loc),
                       Type::getFloat(32));
  if (P.Kind == Place::Memory && !P.Ty.isVoid() &&
      P.A.Indices.size() == P.A.Buf->rank())
    return std::make_shared<Load>(P.A, P.Ty, Loc);
  return refuse(codes::Expression,
                "a value of type '" + spellingOf(P.QualTy, AST) +
                    "' is not supported here",
                At);
}

bool Lifter::freeze(Place &P) {
  if (P.Kind != Place::Memory && P.Kind != Place::Packed)
    return P.isSet();
  for (ExprRef &I : P.A.Indices)
    if (!isFixed(I))
      I = spill(I, "index");
  return true;
}

} // namespace raise::lifting
