//===- Walks.cpp - loops over elements ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// `for (T &x : v)` and `for (p = begin; p != end; ++p)` are counted loops over
// an index that the source has no name for.
//
//===----------------------------------------------------------------------===//

#include "Lifter.h"
#include "raise/IR/Visitor.h"

using namespace clang;
using namespace llvm;

namespace raise::lifting {

/// for (Name = Lo; Name Cond Hi; ++Name) { Bind; Body }.
bool Lifter::liftIndexLoop(const clang::Stmt *S, const clang::Stmt *Body,
                           const std::string &Name, ExprRef Lo, BinaryOp Cond,
                           ExprRef Hi,
                           function_ref<bool(const VarRef &)> Bind) {
  const ScopeGuard Scope(*this);
  const SourceLoc Loc = locateStatement(S, AST);
  VarRef Index = fresh(Name, Type::getI64(), Loc);
  StmtList List;
  StmtList *const Saved = Out;
  Counters.push_back(Index);
  const Checkpoint Start = checkpoint();
  const size_t Known = Loose.size();
  const auto Lift = [&] {
    Out = &List;
    const bool Bound = Bind(Index);
    Out = Saved;
    return Bound && liftLoopBody(Body, nullptr, List);
  };
  bool Done = Lift();
  if (Done && pinReferences(Known, List)) {
    rollBack(Start);
    List.clear();
    Done = Lift();
    Loose.resize(Known);
  }
  Counters.pop_back();
  if (!Done)
    return false;
  emit(std::make_shared<raise::For>(
      Index, std::move(Lo), Cond, std::move(Hi),
      build::intConst(1, Type::getI64()), LoopKind::Serial,
      /*DeclaresVar=*/true,
      makeBlock(std::move(List), locate(Body->getSourceRange(), AST)), Loc));
  return true;
}

/// Makes V the object, or a copy of its value.
bool Lifter::bindElement(const VarDecl *V, Place At) {
  Binding B;
  if (V->getType()->isReferenceType()) {
    if (Pinned.contains(V))
      return bindReferenceByName(V);
    B.Kind = Binding::Alias;
    B.At = std::move(At);
    Bindings[V] = B;
    noteReference(V, B.At);
    return true;
  }
  std::optional<Type> Ty = scalarType(V->getType(), AST);
  if (!Ty)
    return refuse(codes::ClassObject,
                  "'" + V->getNameAsString() + "' is a copy of a structure",
                  V->getSourceRange()),
           false;
  ExprRef Value = load(At, V->getSourceRange());
  if (!Value)
    return false;
  B.Kind = Binding::Scalar;
  B.V = declare(V, *Ty);
  Bindings[V] = B;
  emit(std::make_shared<Decl>(B.V, build::cast(Value, *Ty),
                              locate(V->getSourceRange(), AST)));
  return true;
}

bool Lifter::liftRangeFor(const CXXForRangeStmt *S) {
  const clang::Expr *Range = S->getRangeInit()->IgnoreParenImpCasts();
  const VarDecl *V = S->getLoopVariable();
  const auto Refuse = [&] {
    return refuse(codes::Statement, "a range that is not followed",
                  S->getRangeInit()->getSourceRange()),
           false;
  };
  if (S->getInit() || !V || isa<DecompositionDecl>(V))
    return Refuse();
  const ExprRef Zero = build::intConst(0, Type::getI64());
  if (const ConstantArrayType *A =
          AST.getAsConstantArrayType(Range->getType())) {
    const Place Whole = place(Range);
    if (Whole.Kind != Place::Memory || !Whole.Path.empty() ||
        Whole.A.Indices.size() >= Whole.A.Buf->rank())
      return Refuse();
    return liftIndexLoop(
        S, S->getBody(), V->getNameAsString() + "_index", Zero, BinaryOp::LT,
        build::intConst(A->getSize().getSExtValue(), Type::getI64()),
        [&](const VarRef &Index) {
          Place At = Whole;
          At.A.Indices.push_back(build::var(Index));
          At.QualTy = A->getElementType();
          if (std::optional<Type> Ty = scalarType(At.QualTy, AST))
            At.Ty = *Ty;
          return bindElement(V, At);
        });
  }
  if (!containerElement(Range->getType()))
    return Refuse();
  Pointer P;
  P.Base = containerData(Range);
  ExprRef Size = P.Base ? containerSize(Range) : nullptr;
  if (!Size)
    return false;
  Walked.push_back(P.Base);
  const bool Done = liftIndexLoop(
      S, S->getBody(), V->getNameAsString() + "_index", Zero, BinaryOp::LT,
      build::cast(Size, Type::getI64()), [&](const VarRef &Index) {
        const Place At =
            element(P, build::var(Index), *containerElement(Range->getType()),
                    V->getSourceRange());
        return At.isSet() && bindElement(V, At);
      });
  Walked.pop_back();
  return Done;
}

//===-- Pointers that walk
//--------------------------------------------------===//

static bool isIterator(QualType T) {
  if (T->isPointerType())
    return true;
  const CXXRecordDecl *R = T->getAsCXXRecordDecl();
  return R && R->getIdentifier() && R->getName() == "__normal_iterator";
}

static const clang::Expr *bare(const clang::Expr *E) {
  for (;;) {
    E = E->IgnoreParenImpCasts()->IgnoreImplicit();
    const auto *C = dyn_cast<CXXConstructExpr>(E);
    if (!C || C->getNumArgs() != 1)
      return E;
    E = C->getArg(0);
  }
}

static bool names(const clang::Expr *E, const VarDecl *V) {
  const auto *D = dyn_cast<DeclRefExpr>(bare(E));
  return D && D->getDecl() == V;
}

/// Both sides of a comparison, built in or an iterator's operator.
static bool comparison(const clang::Expr *E, bool &Less, const clang::Expr *&L,
                       const clang::Expr *&R) {
  E = E->IgnoreParenImpCasts();
  if (const auto *W = dyn_cast<ExprWithCleanups>(E))
    E = W->getSubExpr()->IgnoreParenImpCasts();
  if (const auto *W = dyn_cast<CXXRewrittenBinaryOperator>(E)) {
    const auto D = W->getDecomposedForm();
    L = D.LHS;
    R = D.RHS;
    Less = D.Opcode == BO_LT;
    return Less || D.Opcode == BO_NE;
  }
  if (const auto *B = dyn_cast<clang::BinaryOperator>(E)) {
    L = B->getLHS();
    R = B->getRHS();
    Less = B->getOpcode() == BO_LT;
    return Less || B->getOpcode() == BO_NE;
  }
  const auto *C = dyn_cast<CXXOperatorCallExpr>(E);
  if (!C || C->getNumArgs() != 2)
    return false;
  L = C->getArg(0);
  R = C->getArg(1);
  Less = C->getOperator() == OO_Less;
  return Less || C->getOperator() == OO_ExclaimEqual;
}

static bool stepsForward(const clang::Expr *E, const VarDecl *V) {
  E = E->IgnoreParenImpCasts()->IgnoreImplicit();
  if (const auto *U = dyn_cast<clang::UnaryOperator>(E))
    return U->isIncrementOp() && names(U->getSubExpr(), V);
  const auto *C = dyn_cast<CXXOperatorCallExpr>(E);
  return C && C->getOperator() == OO_PlusPlus && names(C->getArg(0), V);
}

/// An iterator of one of the containers, or a pointer.
Pointer Lifter::walkEnd(const clang::Expr *E) {
  E = bare(E);
  if (const auto *C = dyn_cast<CXXOperatorCallExpr>(E);
      C && C->getNumArgs() == 2 && isIterator(C->getArg(0)->getType()) &&
      (C->getOperator() == OO_Plus || C->getOperator() == OO_Minus) &&
      scalarType(C->getArg(1)->getType().getNonReferenceType(), AST)) {
    Pointer P = walkEnd(C->getArg(0));
    const clang::Expr *By = C->getArg(1);
    if (const auto *M = dyn_cast<MaterializeTemporaryExpr>(By))
      By = M->getSubExpr();
    ExprRef V = P.isSet() ? value(By) : nullptr;
    return V ? advance(P, V, C->getOperator() == OO_Plus, QualType(),
                       E->getSourceRange())
             : Pointer();
  }
  return pointer(E);
}

/// The variable of D, the header's declaration, that the loop compares.
static const VarDecl *compared(const DeclStmt *D, const clang::Expr *E) {
  const auto *Ref = dyn_cast<DeclRefExpr>(bare(E));
  if (D && Ref)
    for (const clang::Decl *Child : D->decls())
      if (Child == Ref->getDecl())
        return dyn_cast<VarDecl>(Child);
  return nullptr;
}

/// `for (p = x, end = x + n; ...)`: end stands for its value, which stays.
bool Lifter::bindEnds(const DeclStmt *D, const VarDecl *Walker,
                      const Prescan &InBody) {
  for (const clang::Decl *Child : D->decls()) {
    const auto *X = dyn_cast<VarDecl>(Child);
    if (X == Walker)
      continue;
    if (!X || !X->getInit() || !isIterator(X->getType()) ||
        InBody.Assigned.contains(X) || InBody.Addressed.contains(X))
      return false;
    const size_t Before = Out->size();
    Binding B;
    B.Kind = Binding::PointerVal;
    B.P = walkEnd(X->getInit());
    if (!B.P.isSet() || Out->size() != Before ||
        (B.P.Offset && !isFixed(B.P.Offset) && !isa<VarUse>(B.P.Offset.get())))
      return false;
    Bindings[X] = B;
  }
  return true;
}

/// 1: lifted; 0: S is no such loop; -1: refused.
int Lifter::liftWalk(const ForStmt *S) {
  const auto *D = dyn_cast_or_null<DeclStmt>(S->getInit());
  const clang::Expr *L = nullptr, *R = nullptr;
  bool Less = false;
  if (!D || !S->getCond() || !S->getInc() || S->getConditionVariable() ||
      !comparison(S->getCond(), Less, L, R))
    return 0;
  const VarDecl *V = compared(D, L);
  if (!V || !V->getInit() || !isIterator(V->getType()) ||
      !stepsForward(S->getInc(), V) || R->HasSideEffects(AST, false))
    return 0;
  Prescan InBody(Called);
  InBody.scan(S->getBody());
  if (InBody.Assigned.contains(V) || InBody.Addressed.contains(V))
    return 0;
  const size_t Start = Out->size();
  if (!bindEnds(D, V, InBody)) {
    Out->resize(Start);
    Failure = {};
    return 0;
  }
  const Pointer From = walkEnd(V->getInit());
  const size_t Before = Out->size();
  const Pointer To = From.isSet() ? walkEnd(R) : Pointer();
  if (!To.isSet() || Out->size() != Before)
    return -1;
  if (From.Scalar || To.Scalar || From.Base != To.Base || From.Base->rank() > 1)
    return refuse(codes::PointerBase,
                  "'" + V->getNameAsString() +
                      "' does not lead to the end that it is compared with",
                  S->getCond()->getSourceRange()),
           -1;
  if (V->getType()->isPointerType() &&
      stepOf(V->getType()->getPointeeType(), *From.Base) != 1)
    return refuse(codes::PointerCast,
                  "'" + V->getNameAsString() +
                      "' walks over several elements of '" + From.Base->Name +
                      "' at once",
                  S->getCond()->getSourceRange()),
           -1;
  const auto Offset = [](const Pointer &P) {
    return P.Offset ? P.Offset : build::intConst(0, Type::getI64());
  };
  if (!isFixed(Offset(To)) && !isa<VarUse>(Offset(To).get())) {
    Out->resize(Start);
    return 0;
  }
  // From begin() to end() the index never passes the end.
  const auto *End = dyn_cast<clang::CallExpr>(bare(R));
  Less |= !From.Offset && End && containerOp(End) == ContainerOp::End;
  const size_t First = Out->size();
  if (!liftIndexLoop(S, S->getBody(), V->getNameAsString() + "_index",
                     Offset(From), Less ? BinaryOp::LT : BinaryOp::NE,
                     Offset(To), [&](const VarRef &Index) {
                       Binding B;
                       B.Kind = Binding::PointerVal;
                       B.P.Base = From.Base;
                       B.P.Offset = build::var(Index);
                       Bindings[V] = B;
                       return true;
                     }))
    return -1;
  // The end is compared with anew in each iteration: it must stay where it is.
  std::string Changed;
  const StmtRef Loop = Out->back();
  bool HasOpaque = false;
  Reason Unknown;
  forEachStmt(Loop, [&](const StmtRef &Sub) {
    if (const auto *O = dyn_cast<Opaque>(Sub.get()); O && !HasOpaque) {
      HasOpaque = true;
      Unknown = {O->Code, O->Why, O->Loc};
    }
  });
  forEachExpr(Offset(To), [&](const ExprRef &E) {
    const auto *U = dyn_cast<VarUse>(E.get());
    if (U && (assigns(Loop, U->V.get()) || (HasOpaque && !isFixed(E))))
      Changed = U->V->Name;
    if (U && HasOpaque && Unowned.contains(U->V.get()))
      Changed = U->V->Name;
  });
  if (Changed.empty() && !(HasOpaque && From.Base->Home != PointerHome::Fixed))
    return 1;
  Out->resize(First);
  if (HasOpaque)
    return refuse(Unknown), -1;
  return refuse(codes::PointerBase,
                "the loop changes '" + Changed + "', where it ends",
                S->getCond()->getSourceRange()),
         -1;
}

} // namespace raise::lifting
