//===- ObjectParams.cpp - kernels' parameters of class type ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A structure that a kernel is passed by value, and that no thread changes its
// copy of, is known by its members' names: scalars (`p.n`) and what pointers
// (`p.x`) and arrays (`p.w[i]`) lead to are parameters that `p` implies. One
// that a thread changes is taken apart into scalars at the kernel's beginning.
//
//===----------------------------------------------------------------------===//

#include "Lifter.h"
#include "raise/IR/Effects.h"
#include "raise/IR/Visitor.h"

using namespace clang;
using namespace llvm;

namespace raise::lifting {

/// Whether a copy of an object is its bytes, and a function beside the kernel
/// can name its class.
static bool isPlainObject(QualType T) {
  const RecordDecl *R = T->getAsRecordDecl();
  R = R ? R->getDefinition() : nullptr;
  if (!R || R->isInvalidDecl() || T.isVolatileQualified() ||
      R->getParentFunctionOrMethod() ||
      (!R->getIdentifier() && !R->getTypedefNameForAnonDecl()))
    return false;
  const auto *C = dyn_cast<CXXRecordDecl>(R);
  return !C || (!C->isLambda() && !C->isPolymorphic() &&
                C->hasTrivialCopyConstructor() && C->hasTrivialDestructor());
}

/// Whether a thread may change its copy of P. (Nothing may change what was
/// declared const.)
bool Lifter::changesCopy(const ParmVarDecl *P) const {
  return !P->getType().isConstQualified() &&
         (Facts.Assigned.contains(P) || Facts.Addressed.contains(P));
}

/// False without a failure if P is no such parameter.
bool Lifter::liftObjectParam(const ParmVarDecl *P, Function &F) {
  const QualType T = P->getType();
  if (!IsKernel || !Outermost || !isPlainObject(T) || containerElement(T))
    return false;
  if (changesCopy(P) && !plainMembers(T, AST))
    return refuse(codes::Signature,
                  "parameter '" + P->getNameAsString() + "', of type '" +
                      spellingOf(T, AST) +
                      "', is changed, and is more than scalars",
                  P->getSourceRange()),
           false;
  auto B = std::make_shared<Buffer>();
  B->Name = P->getNameAsString();
  B->Kind = BufferKind::Param;
  B->Const = true;
  B->Reference = true;
  B->Loc = locate(P->getLocation(), AST);
  B->Elem = Type::getVoid();
  B->Elem.Spelling = emittedSpelling(T.getUnqualifiedType(), AST);
  B->TypeSpelling = spellingOf(T, AST);
  F.Params.push_back({nullptr, B});
  // Whoever calls it would have to make an object.
  if (F.MissingSignature.empty())
    F.MissingSignature = "parameter '" + B->Name + "' is an object of type '" +
                         spellingOf(T.getUnqualifiedType(), AST) + "'";
  Objects.insert(P);
  Binding Bound;
  Bound.Kind = Binding::Frozen;
  Bound.At.Kind = Place::Frozen;
  Bound.At.Of = P;
  Bound.At.Path = B->Name;
  Bound.At.QualTy = T;
  Bindings[P] = Bound;
  return true;
}

/// A thread's own copy of P, where it changes that.
bool Lifter::copyObjectParam(const ParmVarDecl *P) {
  if (!Objects.contains(P) || !changesCopy(P))
    return true;
  const Place From = Bindings[P].At;
  const SourceLoc Loc = locate(P->getLocation(), AST);
  const std::vector<Member> Members =
      plainMembers(P->getType(), AST).value_or(std::vector<Member>());
  Binding B;
  B.Kind = Binding::Record;
  B.At.Kind = Place::Record;
  B.At.QualTy = B.At.At = P->getType();
  B.At.Parts = makeParts(P->getName(), P->getType(), Loc);
  if (Facts.Addressed.contains(P))
    Addressed.insert(Addressed.end(), B.At.Parts.begin(), B.At.Parts.end());
  if (!mayNameAll(P->getType(), P->getSourceRange()))
    return false;
  for (size_t I = 0; I < Members.size(); ++I)
    emit(std::make_shared<Decl>(
        B.At.Parts[I],
        build::var(
            frozenMember(From, From.Path + "." + Members[I].Path, Members[I].Ty)
                .V),
        Loc));
  Bindings[P] = B;
  return true;
}

/// Whether what is made of the function may name Field where its text does not.
bool Lifter::mayName(const FieldDecl *Field, SourceRange At) {
  if ((!Settings.Alone && !IsKernel) || Field->getAccess() == AS_public ||
      Field->getAccess() == AS_none)
    return true;
  return refuse(codes::ClassObject,
                "'" + Field->getNameAsString() +
                    "' is a private member, which no other function can name",
                At),
         false;
}

bool Lifter::mayNameAll(QualType T, SourceRange At) {
  const RecordDecl *R = T->getAsRecordDecl();
  R = R ? R->getDefinition() : nullptr;
  return !R || all_of(R->fields(), [&](const FieldDecl *Field) {
    return mayName(Field, At) && mayNameAll(Field->getType(), At);
  });
}

/// What member Path of Of, such a parameter, leads to: a pointer, of type T, or
/// an array that decays to one.
BufferRef Lifter::objectBuffer(const VarDecl *Of, const std::string &Path,
                               QualType T, bool IsArray, SourceRange At) {
  BufferRef &Known = Globals[{Of, Path}];
  if (Known)
    return Known;
  auto B = makeNamed(Path, T, PointerHome::Fixed, Of->getLocation());
  if (!B)
    return refuse(codes::PointerBase,
                  "what '" + Path + "' leads to is not supported", At);
  B->Kind = BufferKind::Param;
  if (IsArray) { // it lies in the parameter, where nothing else does
    B->Const = true;
    B->Fresh = ++OwnMembers;
  }
  ObjectMembers.push_back({nullptr, B, /*Implied=*/true});
  return Known = B;
}

/// The scalar member Path of Of, which nothing changes.
VarRef Lifter::objectScalar(const VarDecl *Of, const std::string &Path,
                            const Type &Ty) {
  VarRef &Known = Externals[{Of, Path}];
  if (Known)
    return Known;
  auto V = std::make_shared<Var>();
  V->Name = Path;
  V->Ty = Ty;
  V->Kind = VarKind::Param;
  V->Const = true;
  V->Loc = locate(Of->getLocation(), AST);
  NamedMembers.insert(V.get());
  ObjectMembers.push_back({V, nullptr, /*Implied=*/true});
  return Known = V;
}

/// Adds what the body uses of such parameters to F's. A thread that changes
/// elements of its own copy changes no other's.
bool Lifter::addObjectMembers(Function &F) {
  SmallPtrSet<const void *, 8> Used;
  const auto NoteBuffer = [&](const BufferRef &B) { Used.insert(B.get()); };
  Reason Copied;
  forEachExpr(F.Body, [&](const ExprRef &E) {
    if (const auto *U = dyn_cast<VarUse>(E.get())) {
      Used.insert(U->V.get());
      NoteBuffer(U->V->Base);
    } else if (const auto *L = dyn_cast<Load>(E.get())) {
      NoteBuffer(L->From.Buf);
    } else if (const auto *N = dyn_cast<NonNull>(E.get())) {
      NoteBuffer(N->Buf);
    }
  });
  forEachStmt(F.Body, [&](const StmtRef &S) {
    if (const auto *D = dyn_cast<raise::Decl>(S.get()))
      NoteBuffer(D->V->Base);
    if (const auto *A = dyn_cast<Assign>(S.get()))
      NoteBuffer(A->V->Base);
    const auto *St = dyn_cast<Store>(S.get());
    if (!St)
      return;
    NoteBuffer(St->To.Buf);
    if (St->To.Buf->Fresh && St->To.Buf->Kind == BufferKind::Param)
      Copied = {codes::Signature,
                "a thread changes its copy of '" + St->To.Buf->Name + "'",
                St->Loc};
  });
  if (Copied.isSet())
    return refuse(Copied), false;
  for (const Param &P : ObjectMembers) {
    if (!Used.contains(P.Scalar ? static_cast<const void *>(P.Scalar.get())
                                : P.Buf.get()))
      continue;
    F.Params.push_back(P);
  }
  return true;
}

/// What E names, if that is a part of such a parameter, or a copy of one.
Place Lifter::objectPart(const clang::Expr *E) {
  for (;;) {
    E = E->IgnoreParens()->IgnoreImplicit();
    const auto *C = dyn_cast<CXXConstructExpr>(E);
    if (!C || !C->getConstructor()->isCopyOrMoveConstructor() ||
        !C->getConstructor()->isTrivial() || C->getNumArgs() != 1)
      break;
    E = C->getArg(0);
  }
  const clang::Expr *Root = E;
  while (const auto *M = dyn_cast<MemberExpr>(Root->IgnoreParenImpCasts())) {
    if (M->isArrow())
      return Place();
    Root = M->getBase();
  }
  const auto *D = dyn_cast<DeclRefExpr>(Root->IgnoreParenImpCasts());
  const auto It = D ? Bindings.find(D->getDecl()) : Bindings.end();
  if (It == Bindings.end() || It->second.At.Kind != Place::Frozen ||
      !Objects.contains(It->second.At.Of))
    return Place();
  return place(E);
}

} // namespace raise::lifting
