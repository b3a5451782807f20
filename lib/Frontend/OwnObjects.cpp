//===- OwnObjects.cpp - objects with arrays, and constructors -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// An object that a kernel declares, or a function in the place of whose call
// its body stands, is a variable for each scalar of its class and an array for
// each of its arrays. Its constructor's body stands where it is made, and what
// a function returns is made in the place of the object that it becomes, as
// C++17 has it.
//
//===----------------------------------------------------------------------===//

#include "Lifter.h"
#include "raise/IR/SmallFloat.h"
#include "raise/IR/Visitor.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace clang;
using namespace llvm;

namespace raise::lifting {

/// Whether T is a class whose objects are scalars and arrays of their own here.
/// Elsewhere statements that are not followed may name them.
bool Lifter::mayOwnObject(QualType T) const {
  return (IsKernel || IsDevice || Settings.Alone || !Inlines.empty()) &&
         !T->isReferenceType() && !containerElement(T) &&
         objectMembers(T, AST).has_value();
}

/// The array that P, a member of such an object, is; false if it is none.
bool Lifter::arrayOf(const Place &P, Place &Array) const {
  const auto M = objectMembers(P.At, AST);
  for (size_t I = 0; M && I < M->Arrays.size(); ++I)
    if (M->Arrays[I].Path == P.Path) {
      Array = Place();
      Array.Kind = Place::Memory;
      Array.A.Buf = P.Arrays[I];
      Array.QualTy = M->Arrays[I].Ty;
      return true;
    }
  return false;
}

/// An object that holds nothing yet.
Place Lifter::declareObject(StringRef Name, QualType T, const SourceLoc &Loc) {
  Place P;
  P.Kind = Place::Record;
  P.QualTy = P.At = T;
  P.Parts = makeParts(Name, T, Loc);
  for (const VarRef &V : P.Parts)
    emit(std::make_shared<Decl>(V, nullptr, Loc));
  const auto M = objectMembers(T, AST);
  for (const ArrayMember &A : M ? M->Arrays : std::vector<ArrayMember>()) {
    auto B = std::make_shared<Buffer>();
    B->Name = (Name + "_" + A.Path).str();
    std::replace(B->Name.begin(), B->Name.end(), '.', '_');
    B->Kind = BufferKind::Local;
    B->Loc = Loc;
    B->TypeSpelling = spellingOf(A.Ty, AST);
    B->Extents.clear();
    QualType Elem = A.Ty;
    arrayExtents(A.Ty, B->Extents, Elem, SourceRange());
    elementType(Elem, B->Elem);
    P.Arrays.push_back(B);
    emit(std::make_shared<DeclBuffer>(B, std::vector<ExprRef>(), Loc));
  }
  return P;
}

bool Lifter::liftObjectDecl(const VarDecl *D, const SourceLoc &Loc) {
  const QualType T = D->getType().getUnqualifiedType();
  Binding B;
  B.Kind = Binding::Record;
  const Place *Into = Inlines.empty() ? nullptr : Inlines.back().Into;
  // Every `return` in its scope returns it.
  const bool IsResult =
      Into && D->isNRVOVariable() && AST.hasSameType(Into->At, T);
  B.At = IsResult ? *Into : declareObject(D->getName(), T, Loc);
  Bindings[D] = B;
  if (Facts.Addressed.contains(D))
    Addressed.insert(Addressed.end(), B.At.Parts.begin(), B.At.Parts.end());
  return !D->getInit() || buildObject(D->getInit(), B.At);
}

//===-- What an object begins as
//---------------------------------------------------------===//

/// Into, an array of type T, gets the values of Init; null: zeros.
bool Lifter::setArray(const Place &Into, QualType T, const clang::Expr *Init) {
  const SourceLoc Loc = Into.A.Buf->Loc;
  const Type &Elem = Into.A.Buf->Elem;
  std::vector<uint64_t> Shape;
  QualType Of = T;
  while (const ConstantArrayType *A = AST.getAsConstantArrayType(Of)) {
    Shape.push_back(A->getSize().getZExtValue());
    Of = A->getElementType();
  }
  if (!Init) {
    const ExprRef Zero =
        isFloatClass(Elem)
            ? build::cast(build::floatConst(0, Type::getFloat(32)), Elem)
            : zeroOf(Elem, Of);
    loopOver(
        build::intConst(Shape.front()), ArrayRef(Shape).drop_front(),
        /*Forward=*/true, Loc,
        [&](ArrayRef<VarRef> Index) {
          Access To = Into.A;
          for (const VarRef &V : Index)
            To.Indices.push_back(build::var(V));
          emit(std::make_shared<Store>(To, Combiner::None, Zero, false, Loc));
        },
        'k');
    return true;
  }
  std::vector<ExprRef> Values;
  if (isFloatClass(Elem) || !arrayInit(Init, T, Values))
    return failed() ? false
                    : (refuse(codes::ClassObject,
                              "this initialiser is not supported",
                              Init->getSourceRange()),
                       false);
  for (size_t I = 0; I < Values.size(); ++I) {
    Access To = Into.A;
    size_t Rest = I;
    std::vector<ExprRef> Index(Shape.size());
    for (size_t D = Shape.size(); D-- > 0; Rest /= Shape[D])
      Index[D] = build::intConst(Rest % Shape[D]);
    append_range(To.Indices, Index);
    emit(std::make_shared<Store>(To, Combiner::None,
                                 build::cast(Values[I], Elem), false, Loc));
  }
  return true;
}

/// Whether Init leaves what it is for as it is.
static bool setsNothing(const clang::Expr *Init) {
  const auto *C = dyn_cast<CXXConstructExpr>(Init->IgnoreImplicit());
  return C && C->getNumArgs() == 0 && C->getConstructor()->isTrivial() &&
         !C->requiresZeroInitialization();
}

/// Whether C makes an object by a constructor whose body is followed: no copy,
/// and none of a library's.
bool Lifter::isMadeHere(const CXXConstructExpr *C) const {
  const CXXConstructorDecl *CD = C->getConstructor();
  const SourceManager &SM = AST.getSourceManager();
  return !CD->isCopyOrMoveConstructor() && knownBody(CD) &&
         !SM.isInSystemHeader(SM.getExpansionLoc(CD->getLocation()));
}

/// Gives member Field of Into, a new object, its first value.
bool Lifter::setMember(const FieldDecl *Field, const clang::Expr *Init,
                       const Place &Into) {
  // Its class's own members are those of the object that begins here.
  const bool IsDefault = isa<CXXDefaultInitExpr>(Init);
  const SaveAndRestore Its(This, IsDefault ? Into : This);
  if (const auto *D = dyn_cast<CXXDefaultInitExpr>(Init))
    Init = D->getExpr();
  Init = Init->IgnoreParens();
  if (setsNothing(Init))
    return true;
  const bool IsZero = isa<ImplicitValueInitExpr>(Init);
  const QualType T = Field->getType();
  Place P = Into;
  P.Path = Field->getNameAsString();
  if (Place Array; arrayOf(P, Array)) {
    if (!IsZero && !isa<InitListExpr>(Init))
      return refuse(codes::ClassObject, "this initialiser is not supported",
                    Init->getSourceRange()),
             false;
    return setArray(Array, T, IsZero ? nullptr : Init);
  }
  const SourceLoc Loc = locate(Init->getSourceRange(), AST);
  const std::optional<Type> Ty = scalarType(T, AST);
  const std::vector<Member> Members =
      Ty ? std::vector<Member>{{"", *Ty}} : scalarMembers(T, AST);
  if (!Ty && objectMembers(T, AST))
    return refuse(codes::ClassObject,
                  "an initialiser of an object inside another",
                  Init->getSourceRange()),
           false;
  const std::vector<Member> All = scalarMembers(Into.At, AST);
  std::vector<VarRef> Parts;
  for (const Member &M : Members) {
    const std::string Path = M.Path.empty() ? P.Path : P.Path + "." + M.Path;
    const auto At =
        find_if(All, [&](const Member &Of) { return Of.Path == Path; });
    if (At == All.end())
      return refuse(codes::ClassObject, "a member that is not followed",
                    Init->getSourceRange()),
             false;
    Parts.push_back(Into.Parts[size_t(At - All.begin())]);
  }
  if (const auto *C = dyn_cast<CXXConstructExpr>(Init->IgnoreImplicit());
      C && !Ty && isMadeHere(C)) {
    Place Inner;
    Inner.Kind = Place::Record;
    Inner.QualTy = Inner.At = T;
    Inner.Parts = Parts;
    return construct(C, Inner);
  }
  std::vector<ExprRef> Values;
  if (!IsZero && Ty) {
    Values.push_back(value(Init));
    if (!Values.back())
      return false;
  } else if (!IsZero && !recordValue(Init, Values)) {
    return false;
  }
  for (size_t I = 0; I < Parts.size(); ++I) {
    const Type &Of = Parts[I]->Ty;
    const ExprRef V =
        IsZero ? zeroOf(Of, Ty ? T : QualType()) : build::cast(Values[I], Of);
    emit(std::make_shared<Assign>(Parts[I], Combiner::None, V, Loc));
  }
  return true;
}

bool Lifter::setMembers(const InitListExpr *L, const Place &Into) {
  const RecordDecl *R = L->getType()->getAsRecordDecl();
  const auto Fields = R->getDefinition()->fields();
  if (L->getNumInits() != unsigned(std::distance(Fields.begin(), Fields.end())))
    return refuse(codes::ClassObject, "this initialiser is not supported",
                  L->getSourceRange()),
           false;
  unsigned I = 0;
  for (const FieldDecl *Field : Fields)
    if (!setMember(Field, L->getInit(I++), Into))
      return false;
  return true;
}

/// The body of C's constructor, for Into, a new object.
bool Lifter::construct(const CXXConstructExpr *C, const Place &Into) {
  const CXXConstructorDecl *CD = C->getConstructor();
  const SourceRange At = C->getSourceRange();
  if (CD->isTrivial() && C->getNumArgs() == 0) {
    if (!C->requiresZeroInitialization())
      return true;
    for (const FieldDecl *Field : CD->getParent()->getDefinition()->fields()) {
      ImplicitValueInitExpr Zero(Field->getType());
      if (!setMember(Field, &Zero, Into))
        return false;
    }
    return true;
  }
  const SourceManager &SM = AST.getSourceManager();
  const auto *Body = dyn_cast_or_null<CXXConstructorDecl>(knownBody(CD));
  if (!Body || SM.isInSystemHeader(SM.getExpansionLoc(CD->getLocation())) ||
      Body->isDelegatingConstructor() || Body->isVariadic() ||
      isa<CXXTryStmt>(Body->getBody()) || C->requiresZeroInitialization() ||
      is_contained(CallStack, CD->getCanonicalDecl()))
    return refuse(codes::ClassObject, "an object with a constructor", At),
           false;
  if (!bindArguments(*Body, ArrayRef(C->getArgs(), C->getNumArgs()),
                     /*Private=*/true))
    return false;
  const SaveAndRestore SavedThis(This, Into);
  const auto Begin = [&] {
    for (const CXXCtorInitializer *I : Body->inits()) {
      if (!I->isMemberInitializer())
        return refuse(codes::ClassObject, "an object with a constructor", At),
               false;
      if (!setMember(I->getMember(), I->getInit(), Into))
        return false;
    }
    return true;
  };
  StmtList List;
  if (!liftInlined(CD, {Body, {}}, List, Begin) ||
      !keepsBorrowed(*Body, List, At))
    return false;
  removeReturns(List);
  append_range(*Out, List);
  return true;
}

/// What an object that has no name is called: `position`, of a class Position.
std::string Lifter::temporaryName(const CXXConstructExpr *C) {
  std::string Name = C->getConstructor()->getParent()->getNameAsString();
  if (!Name.empty())
    Name.front() = toLower(Name.front());
  return Name;
}

/// The values of a structure that is only scalars, from its constructor.
bool Lifter::constructedParts(const CXXConstructExpr *C,
                              std::vector<ExprRef> &Values) {
  if (C->getConstructor()->isTrivial() && C->getNumArgs() == 0 &&
      !C->requiresZeroInitialization())
    return refuse(codes::ClassObject, "an object without a value",
                  C->getSourceRange()),
           false;
  const Place P = declareObject(temporaryName(C), C->getType(),
                                locate(C->getSourceRange(), AST));
  if (!construct(C, P))
    return false;
  for (const VarRef &V : P.Parts)
    Values.push_back(build::var(V));
  return true;
}

//===-- Copies
//---------------------------------------------------------===//

/// Into, an array of type T, gets From's elements.
bool Lifter::copyArray(const Place &From, const Place &Into, QualType T,
                       const clang::Expr *E) {
  if (From.A.Buf->Elem != Into.A.Buf->Elem)
    return refuse(codes::ClassObject, "an array of another type",
                  E->getSourceRange()),
           false;
  std::vector<uint64_t> Shape;
  while (const ConstantArrayType *A = AST.getAsConstantArrayType(T)) {
    Shape.push_back(A->getSize().getZExtValue());
    T = A->getElementType();
  }
  // A part of the copy: by itself it has no text that could be replaced.
  SourceLoc Loc = locate(E->getSourceRange(), AST);
  Loc.End = Loc.Begin;
  loopOver(
      build::intConst(Shape.front()), ArrayRef(Shape).drop_front(),
      /*Forward=*/true, Loc,
      [&](ArrayRef<VarRef> Index) {
        Access Read = From.A, Write = Into.A;
        for (const VarRef &V : Index) {
          Read.Indices.push_back(build::var(V));
          Write.Indices.push_back(build::var(V));
        }
        emit(std::make_shared<Store>(
            Write, Combiner::None,
            std::make_shared<Load>(Read, From.A.Buf->Elem, Loc), false, Loc));
      },
      'k');
  return true;
}

bool Lifter::copyObject(const Place &From, const Place &Into,
                        const clang::Expr *E) {
  const auto M = objectMembers(E->getType(), AST);
  const auto IsObject = [](const Place &P) {
    return (P.Kind == Place::Record || P.Kind == Place::Memory) &&
           P.Path.empty();
  };
  if (!M || !IsObject(From) || !IsObject(Into))
    return refuse(codes::ClassObject,
                  "an object of type '" + spellingOf(E->getType(), AST) +
                      "' that is not followed",
                  E->getSourceRange()),
           false;
  for (const Place *P : {&From, &Into})
    if (P->Kind == Place::Memory &&
        !mayNameAll(E->getType(), E->getSourceRange()))
      return false;
  Place Read = From, Write = Into;
  keepIndices(Read);
  keepIndices(Write);
  const auto Array = [&](const Place &P, const ArrayMember &A) {
    Place Of = P, Found;
    Of.Path = A.Path;
    Of.QualTy = A.Ty;
    if (P.Kind == Place::Record)
      return arrayOf(Of, Found) ? Found : Place();
    Of.A.Field = A.Path;
    return makeMemberArray(Of, E) ? Of : Place();
  };
  for (const ArrayMember &A : M->Arrays) {
    const Place R = Array(Read, A), W = R.isSet() ? Array(Write, A) : Place();
    if (!W.isSet() || !copyArray(R, W, A.Ty, E))
      return false;
  }
  const SourceLoc Loc = locate(E->getSourceRange(), AST);
  for (size_t I = 0; I < M->Scalars.size(); ++I) {
    const Place R = partOf(Read, I, M->Scalars[I], AST),
                W = partOf(Write, I, M->Scalars[I], AST);
    const ExprRef V =
        R.isSet() && W.isSet() ? load(R, E->getSourceRange()) : nullptr;
    if (!V || !write(W, Combiner::None, V, Loc, E->getSourceRange()))
      return false;
  }
  return true;
}

/// Into, a new object, becomes what E is.
bool Lifter::buildObject(const clang::Expr *E, const Place &Into) {
  if (failed())
    return false;
  E = E->IgnoreParens();
  if (const auto *C = dyn_cast<CXXConstructExpr>(E))
    return C->getConstructor()->isCopyOrMoveConstructor() &&
                   C->getNumArgs() == 1
               ? buildObject(C->getArg(0), Into)
               : construct(C, Into);
  if (const auto *C = dyn_cast<ExprWithCleanups>(E))
    return buildObject(C->getSubExpr(), Into);
  if (const auto *C = dyn_cast<MaterializeTemporaryExpr>(E))
    return buildObject(C->getSubExpr(), Into);
  if (const auto *C = dyn_cast<CXXBindTemporaryExpr>(E))
    return buildObject(C->getSubExpr(), Into);
  if (const auto *C = dyn_cast<CastExpr>(E);
      C && C->getCastKind() != CK_LValueBitCast)
    return buildObject(C->getSubExpr(), Into);
  if (const auto *L = dyn_cast<InitListExpr>(E)) {
    if (L->isTransparent())
      return buildObject(L->getInit(0), Into);
    return setMembers(L, Into);
  }
  if (const auto *C = dyn_cast<clang::CallExpr>(E); C && E->isPRValue()) {
    const FunctionDecl *FD = target(C);
    std::vector<VarRef> None;
    return FD && inlineCall(FD, C, None, &Into);
  }
  const Place From = place(E);
  if (!From.isSet())
    return false;
  if (From.Kind == Place::Record && From.Path.empty() &&
      From.Arrays == Into.Arrays && From.Parts == Into.Parts)
    return true;
  return copyObject(From, Into, E);
}

bool Lifter::assignObject(const Place &To, const clang::Expr *From,
                          SourceRange At) {
  const clang::Expr *Of = From->IgnoreParenImpCasts();
  if (Of->isLValue()) {
    const Place Same = place(Of);
    return Same.isSet() && copyObject(Same, To, From);
  }
  // What a call returns may be made of what To was.
  const Place New = declareObject(
      "copied", From->getType().getUnqualifiedType(), locate(At, AST));
  return buildObject(From, New) && copyObject(New, To, From);
}

//===-- Objects as arguments
//---------------------------------------------------------===//

/// How a function uses a parameter other than as an object that is const.
static unsigned changingUses(const ParmVarDecl *P, const clang::Stmt *S) {
  const auto IsIt = [P](const clang::Stmt *E) {
    const auto *D = dyn_cast_or_null<DeclRefExpr>(E);
    return D && D->getDecl() == P;
  };
  if (!S || P->getType().isConstQualified())
    return 0;
  if (const auto *C = dyn_cast<ImplicitCastExpr>(S);
      C &&
      (C->getCastKind() == CK_LValueToRValue ||
       (C->getCastKind() == CK_NoOp && C->getType().isConstQualified())) &&
      IsIt(C->getSubExpr()->IgnoreParens()))
    return 0;
  unsigned Uses = IsIt(S);
  for (const clang::Stmt *Child : S->children())
    Uses += changingUses(P, Child);
  return Uses;
}

/// A parameter that is such an object: the caller's, where the function only
/// looks at it.
bool Lifter::bindObject(const ParmVarDecl *P, const clang::Expr *Arg,
                        bool Private, Binding &B) {
  B.Kind = Binding::Record;
  const auto *C = dyn_cast<CXXConstructExpr>(Arg->IgnoreImplicit());
  const clang::Expr *Of = C && C->getConstructor()->isCopyOrMoveConstructor() &&
                                  C->getNumArgs() == 1
                              ? C->getArg(0)->IgnoreParenImpCasts()
                              : Arg->IgnoreParenImpCasts();
  const auto *FD = cast<FunctionDecl>(P->getDeclContext());
  if (const auto *D = dyn_cast<DeclRefExpr>(Of);
      D && changingUses(P, FD->getBody()) == 0) {
    const Place From = place(D);
    if (!From.isSet())
      return false;
    if (From.Kind == Place::Record && From.Path.empty() &&
        (From.Parts.empty() || (Private && !Facts.Addressed.contains(P)))) {
      B.At = From;
      B.Borrows = true;
      return true;
    }
  }
  B.At = declareObject(P->getName(), P->getType().getUnqualifiedType(),
                       locate(P->getLocation(), AST));
  return buildObject(Arg, B.At);
}

/// Whether List, in the place of a call of Body, leaves what its parameters
/// borrow as it is.
bool Lifter::keepsBorrowed(const FunctionDecl &Body, const StmtList &List,
                           SourceRange At) {
  for (const ParmVarDecl *P : Body.parameters()) {
    const auto It = Bindings.find(P);
    if (It == Bindings.end() || !It->second.Borrows)
      continue;
    bool Keeps = true;
    for (const StmtRef &S : List)
      forEachStmt(S, [&](const StmtRef &Sub) {
        const auto *St = dyn_cast<Store>(Sub.get());
        Keeps &= !St || !is_contained(It->second.At.Arrays, St->To.Buf);
      });
    if (!Keeps)
      return refuse(codes::ClassObject,
                    "what is copied into parameter '" + P->getNameAsString() +
                        "' is changed in the call by another name",
                    At),
             false;
  }
  return true;
}

} // namespace raise::lifting
