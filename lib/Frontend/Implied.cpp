//===- Implied.cpp - what parameters give besides themselves --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Where a whole function is made of what is lifted, all that it reads must be a
// parameter of it. A container `v` gives its elements and `v.size()`, a
// structure `*l` what its pointers and containers lead to (`l->w`), and the
// object of a member function is one more parameter, `self`.
//
//===----------------------------------------------------------------------===//

#include "Lifter.h"
#include "raise/IR/Visitor.h"
#include "clang/AST/DeclTemplate.h"

using namespace clang;
using namespace llvm;

namespace raise::lifting {

static StringRef containerName(QualType T) {
  return T.getNonReferenceType()->getAsCXXRecordDecl()->getName();
}

int64_t Lifter::mostElements(QualType Elem) const {
  // GNU's structures of empty arrays have no size.
  const int64_t Size = AST.getTypeSizeInChars(Elem).getQuantity();
  return std::numeric_limits<int64_t>::max() / std::max<int64_t>(Size, 1);
}

VarRef Lifter::impliedSize(const std::string &Name, QualType Elem,
                           const SourceLoc &Loc) {
  auto V = std::make_shared<Var>();
  V->Name = Name + ".size()";
  V->Ty = liftedType(AST.getSizeType(), AST);
  V->Kind = VarKind::Param;
  V->Const = true;
  V->Most = mostElements(Elem);
  V->Loc = Loc;
  Implied.push_back({V, nullptr, /*Implied=*/true});
  return V;
}

/// The elements of a container of type T. Null if they are no scalars.
static std::shared_ptr<Buffer> elementsOf(const std::string &Name, QualType T,
                                          const SourceLoc &Loc,
                                          const ASTContext &AST) {
  const QualType Elem = *containerElement(T);
  const std::optional<Type> Ty = scalarType(Elem, AST);
  if (!Ty || Ty->isVoid() || Elem.isVolatileQualified())
    return nullptr;
  auto B = std::make_shared<Buffer>();
  B->Name = Name;
  B->Kind = BufferKind::Param;
  B->Elem = *Ty;
  B->Container = true;
  B->Const = Elem.isConstQualified();
  B->Owned = containerName(T) == "vector";
  B->Loc = Loc;
  if (containerName(T) == "array")
    B->Extents = {
        build::intConst(cast<ClassTemplateSpecializationDecl>(
                            T.getNonReferenceType()->getAsCXXRecordDecl())
                            ->getTemplateArgs()[1]
                            .getAsIntegral()
                            .getSExtValue(),
                        Type::getI64())};
  return B;
}

/// False without a failure if P is no container that is followed.
bool Lifter::liftContainerParam(const ParmVarDecl *P, Function &F) {
  const QualType T = P->getType();
  if (!Settings.Alone || IsKernel || IsDevice || !Outermost ||
      T->isRValueReferenceType() || T->isPointerType() ||
      P->getName().empty() || !containerElement(T) ||
      T.getNonReferenceType().isVolatileQualified())
    return false;
  const SourceLoc Loc = locate(P->getLocation(), AST);
  const auto B = elementsOf(P->getNameAsString(), T, Loc, AST);
  if (!B)
    return false;
  // What is passed by value is the function's own, but for a view.
  if (!T->isReferenceType() && containerName(T) != "span")
    B->Const = true;
  B->TypeSpelling = spellingOf(P->getOriginalType(), AST);
  F.Params.push_back({nullptr, B});
  if (containerName(T) != "array")
    B->Count = impliedSize(B->Name, *containerElement(T), Loc);
  Binding Bound;
  Bound.Kind = Binding::BufferObj;
  Bound.P.Base = B;
  Bindings[P] = Bound;
  Owned[P] = B;
  return true;
}

/// A container that is a member of what a parameter leads to: `l->w`.
BufferRef Lifter::impliedContainer(const std::string &Name, QualType T,
                                   const SourceLoc &Loc) {
  if (!Settings.Alone || IsKernel || IsDevice || !Outermost)
    return nullptr;
  const auto B = elementsOf(Name, T, Loc, AST);
  if (!B)
    return nullptr;
  B->TypeSpelling =
      spellingOf(T.getNonReferenceType().getUnqualifiedType(), AST) + " &";
  Implied.push_back({nullptr, B, /*Implied=*/true});
  return B;
}

/// What B, a pointer that is a member of a structure, leads to.
BufferRef Lifter::impliedPointer(const BufferRef &B) {
  if (!Settings.Alone || !Outermost || B->Owner->Kind != BufferKind::Param)
    return B;
  auto Made = std::make_shared<Buffer>(*B);
  Made->Kind = BufferKind::Param;
  Made->Home = PointerHome::Fixed;
  Implied.push_back({nullptr, Made, /*Implied=*/true});
  return Made;
}

/// B, an array that is a member of what In points to.
BufferRef Lifter::impliedArray(const std::shared_ptr<Buffer> &B,
                               const Buffer &In) {
  if (!Settings.Alone || !Outermost || In.Kind != BufferKind::Param)
    return B;
  B->Kind = BufferKind::Param;
  B->Const |= In.Const;
  Implied.push_back({nullptr, B, /*Implied=*/true});
  return B;
}

/// Whether A is a member of what a parameter itself points to.
static bool isOfParameter(const Access &A) {
  const auto *At =
      A.Indices.size() == 1 ? dyn_cast<IntConst>(A.Indices[0].get()) : nullptr;
  return A.Buf->Kind == BufferKind::Param && A.Buf->Elem.isVoid() && At &&
         At->Value == 0 && !A.isView() && !A.Field.empty() && !A.Buf->Volatile;
}

bool mayFixMembers(const Function &F) {
  if (F.Kind != FunctionKind::Host)
    return false;
  std::vector<const Load *> Members;
  forEachExpr(F.Body, [&](const ExprRef &E) {
    const auto *L = dyn_cast<Load>(E.get());
    if (L && L->Ty.isInt() && isOfParameter(L->From))
      Members.push_back(L);
  });
  bool Changes = false;
  forEachStmt(F.Body, [&](const StmtRef &S) {
    Changes |= isa<Opaque>(S.get());
    const auto *St = dyn_cast<Store>(S.get());
    if (!St || St->To.Buf->Kind == BufferKind::Local)
      return;
    // What has another type is another object, but for bytes.
    const Type &Ty =
        St->To.Buf->Elem.isVoid() ? St->Value->Ty : St->To.Buf->Elem;
    Changes |= Ty.Bits <= 8;
    for (const Load *L : Members)
      Changes |= Ty.isIntegral() && Ty.Bits == L->Ty.Bits;
  });
  return !Members.empty() && !Changes;
}

/// The parameter that stands for member A, if it is one.
std::optional<Place> Lifter::impliedMember(const Access &A, const Type &Ty) {
  if (!FixedMembers || !Outermost || !Ty.isInt() || !isOfParameter(A))
    return std::nullopt;
  VarRef &V = Sizes[{A.Buf.get(), memberName(A)}];
  if (!V) {
    auto New = std::make_shared<Var>();
    New->Name = memberName(A);
    New->Ty = Ty;
    New->Kind = VarKind::Param;
    New->Const = true;
    New->Loc = A.Buf->Loc;
    V = New;
    Implied.push_back({V, nullptr, /*Implied=*/true});
  }
  Place P;
  P.Kind = Place::Scalar;
  P.V = V;
  P.Ty = Ty;
  return P;
}

/// The object of a member function: what `this`, which never changes, points
/// to.
void Lifter::bindThis(const CXXMethodDecl &M) {
  if (M.getParent()->isLambda() || IsKernel || IsDevice)
    return;
  const auto B =
      makeNamed("this", M.getThisType(), PointerHome::Fixed, M.getLocation());
  if (!B)
    return;
  if (holdsContainers(M.getThisType()->getPointeeType()))
    B->Apart = groupOf(B.get());
  This.Kind = Place::Memory;
  This.A.Buf = B;
  This.A.Indices = {build::intConst(0, Type::getI64())};
  This.QualTy = M.getThisType()->getPointeeType();
}

/// Makes the object of a member function a parameter.
bool Lifter::bindSelf(const CXXMethodDecl &M, Function &F) {
  if (!Settings.Alone || M.getParent()->isLambda() || IsKernel || IsDevice)
    return false;
  std::string Name = "self";
  while (llvm::any_of(M.parameters(), [&](const ParmVarDecl *P) {
    return P->getName() == Name;
  }))
    Name += '_';
  const QualType Of = M.getThisType()->getPointeeType();
  const auto B =
      makeNamed(Name, M.getThisType(), PointerHome::Fixed, M.getLocation());
  if (!B)
    return false;
  B->Kind = BufferKind::Param;
  B->Reference = true;
  B->TypeSpelling = spellingOf(Of, AST) + " &";
  B->Elem.Spelling = spellingOf(Of.getUnqualifiedType(), AST);
  if (holdsContainers(Of))
    B->Apart = groupOf(B.get());
  F.Name = M.getParent()->getNameAsString() + "_" + F.Name;
  F.Params.push_back({nullptr, B});
  This.Kind = Place::Memory;
  This.A.Buf = B;
  This.A.Indices = {build::intConst(0, Type::getI64())};
  This.QualTy = Of;
  return true;
}

/// Adds to F's parameters those that are implied and used.
bool Lifter::addImplied(Function &F) {
  llvm::SmallPtrSet<const void *, 8> Used;
  const Store *Bytes = nullptr, *ToCopy = nullptr;
  const auto Note = [&](const Access &A) { Used.insert(A.Buf.get()); };
  forEachExpr(F.Body, [&](const ExprRef &E) {
    if (const auto *U = dyn_cast<VarUse>(E.get())) {
      Used.insert(U->V.get());
      if (U->V->Base)
        Used.insert(U->V->Base.get());
    } else if (const auto *L = dyn_cast<Load>(E.get())) {
      Note(L->From);
    }
  });
  forEachStmt(F.Body, [&](const StmtRef &S) {
    if (const auto *D = dyn_cast<raise::Decl>(S.get()); D && D->V->Base)
      Used.insert(D->V->Base.get());
    const auto *St = dyn_cast<Store>(S.get());
    if (!St)
      return;
    Note(St->To);
    const Type &Ty =
        St->To.Buf->Elem.isVoid() ? St->Value->Ty : St->To.Buf->Elem;
    if (Ty.Bits <= 8 && St->To.Buf->Kind != BufferKind::Local)
      Bytes = St;
    if (St->To.Buf->Container && St->To.Buf->Const)
      ToCopy = St;
  });
  if (ToCopy)
    return refuse(Reason{codes::Signature,
                         "the function changes its copy of '" +
                             ToCopy->To.Buf->Name + "'",
                         ToCopy->Loc}),
           false;
  // A structure is, with the arrays that lie in it.
  const auto HoldsUsed = [&](const Param &P) {
    return P.Buf && llvm::any_of(Implied, [&](const Param &Other) {
             StringRef Rest = Other.name();
             return Other.Buf && !Other.Buf->Container && !Other.Buf->Owner &&
                    Used.contains(Other.Buf.get()) &&
                    Rest.consume_front(P.name()) && Rest.starts_with("->");
           });
  };
  for (const Param &P : Implied) {
    const void *Is =
        P.Scalar ? static_cast<const void *>(P.Scalar.get()) : P.Buf.get();
    if (!Used.contains(Is) && !HoldsUsed(P))
      continue;
    // The language lets bytes be a part of anything, a pointer or a size too.
    if (Bytes)
      return refuse(Reason{codes::Signature,
                           "'" + P.name().str() +
                               "' might be changed by what writes bytes",
                           Bytes->Loc}),
             false;
    F.Params.push_back(P);
  }
  return true;
}

} // namespace raise::lifting
