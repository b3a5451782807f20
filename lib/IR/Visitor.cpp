//===- Visitor.cpp - walking and rewriting the IR -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "raise/IR/Visitor.h"
#include "llvm/Support/ErrorHandling.h"

using namespace llvm;

namespace raise {

//===----------------------------------------------------------------------===//
// Visitor
//===----------------------------------------------------------------------===//

void Visitor::walk(const Access &A) {
  for (const ExprRef &E : A.Extents)
    walk(E);
  for (const ExprRef &E : A.Indices)
    walk(E);
}

void Visitor::walk(const ExprRef &E) {
  if (!E || !visitExpr(E))
    return;
  switch (E->Kind) {
  case ExprKind::IntConst:
  case ExprKind::FloatConst:
  case ExprKind::VarUse:
  case ExprKind::NonNull:
    return;
  case ExprKind::Load:
    return walk(cast<Load>(E.get())->From);
  case ExprKind::Unary:
    return walk(cast<Unary>(E.get())->Operand);
  case ExprKind::Cast:
    return walk(cast<Cast>(E.get())->Operand);
  case ExprKind::Binary:
    walk(cast<Binary>(E.get())->L);
    return walk(cast<Binary>(E.get())->R);
  case ExprKind::Select:
    walk(cast<Select>(E.get())->Cond);
    walk(cast<Select>(E.get())->True);
    return walk(cast<Select>(E.get())->False);
  case ExprKind::Call:
    for (const ExprRef &Arg : cast<Call>(E.get())->Args)
      walk(Arg);
    return;
  }
}

static void walkRegion(Visitor &V, const Region &R) {
  if (R.Rests.Inspection && V.VisitInspections)
    V.walk(R.Rests.Inspection);
  for (const Guard &G : R.Rests.Guards) {
    V.walk(G.Cond);
    for (const ElementRange *Range : {&G.A, &G.B}) {
      V.walk(Range->Lo);
      V.walk(Range->Hi);
    }
  }
  if (V.VisitOriginals && R.Rests.Means)
    V.walk(R.Rests.Means);
  V.walk(R.Body);
  if (V.VisitOriginals)
    V.walk(R.Original);
}

static void walkTensorOp(Visitor &V, const TensorOp &T) {
  for (const Iterator &I : T.Iterators) {
    V.walk(I.Lo);
    V.walk(I.Hi);
    V.walk(I.Step);
  }
  V.walk(T.Mask);
  V.walk(T.Body);
}

static void walkChildren(Visitor &V, const Stmt *S) {
  switch (S->Kind) {
  case StmtKind::Block:
    for (const StmtRef &Child : cast<Block>(S)->Body)
      V.walk(Child);
    return;
  case StmtKind::Decl:
    return V.walk(cast<Decl>(S)->Init);
  case StmtKind::DeclBuffer:
    for (const ExprRef &E : cast<DeclBuffer>(S)->B->Extents)
      V.walk(E);
    for (const ExprRef &E : cast<DeclBuffer>(S)->Init)
      V.walk(E);
    return;
  case StmtKind::Assign:
    return V.walk(cast<Assign>(S)->Value);
  case StmtKind::Store:
    V.walk(cast<Store>(S)->To);
    return V.walk(cast<Store>(S)->Value);
  case StmtKind::For:
    V.walk(cast<For>(S)->Lo);
    V.walk(cast<For>(S)->Hi);
    V.walk(cast<For>(S)->Step);
    return V.walk(cast<For>(S)->Body);
  case StmtKind::While:
    V.walk(cast<While>(S)->Cond);
    return V.walk(cast<While>(S)->Body);
  case StmtKind::If:
    V.walk(cast<If>(S)->Cond);
    V.walk(cast<If>(S)->Then);
    return V.walk(cast<If>(S)->Else);
  case StmtKind::Return:
    return V.walk(cast<Return>(S)->Value);
  case StmtKind::TensorOp:
    return walkTensorOp(V, *cast<TensorOp>(S));
  case StmtKind::Region:
    return walkRegion(V, *cast<Region>(S));
  case StmtKind::Opaque:
    if (const auto &Call = cast<Opaque>(S)->Pure)
      for (const PureCall::Argument &A : Call->Args)
        V.walk(A.Value);
    return;
  case StmtKind::Barrier:
  case StmtKind::Break:
  case StmtKind::Continue:
    return;
  }
}

void Visitor::walk(const StmtRef &S) {
  if (!S)
    return;
  if (visitStmt(S))
    walkChildren(*this, S.get());
  leaveStmt(S);
}

namespace {
struct ExprCaller : Visitor {
  function_ref<void(const ExprRef &)> Fn;
  explicit ExprCaller(function_ref<void(const ExprRef &)> Fn) : Fn(Fn) {}
  bool visitExpr(const ExprRef &E) override {
    Fn(E);
    return true;
  }
};

struct StmtCaller : Visitor {
  function_ref<void(const StmtRef &)> Fn;
  explicit StmtCaller(function_ref<void(const StmtRef &)> Fn) : Fn(Fn) {}
  bool visitExpr(const ExprRef &) override { return false; }
  bool visitStmt(const StmtRef &S) override {
    Fn(S);
    return true;
  }
};
} // namespace

void forEachExpr(const StmtRef &S, function_ref<void(const ExprRef &)> Fn) {
  ExprCaller(Fn).walk(S);
}

void forEachExpr(const ExprRef &E, function_ref<void(const ExprRef &)> Fn) {
  ExprCaller(Fn).walk(E);
}

void forEachStmt(const StmtRef &S, function_ref<void(const StmtRef &)> Fn) {
  StmtCaller(Fn).walk(S);
}

//===----------------------------------------------------------------------===//
// Rewriter
//===----------------------------------------------------------------------===//

/// Runs R over each; true if one of them changed.
static bool runAll(Rewriter &R, std::vector<ExprRef> &Exprs) {
  bool Changed = false;
  for (ExprRef &E : Exprs) {
    ExprRef New = R.run(E);
    Changed |= New != E;
    E = std::move(New);
  }
  return Changed;
}

static bool runInPlace(Rewriter &R, Access &A) {
  bool Changed = runAll(R, A.Extents);
  return runAll(R, A.Indices) || Changed;
}

Access Rewriter::run(const Access &A) {
  Access New = A;
  runInPlace(*this, New);
  return New;
}

static ExprRef rewriteCall(Rewriter &R, const ExprRef &E) {
  const auto *C = cast<Call>(E.get());
  std::vector<ExprRef> Args = C->Args;
  if (!runAll(R, Args))
    return E;
  return std::make_shared<Call>(C->Fn, std::move(Args), C->Loc);
}

static ExprRef rewriteSelect(Rewriter &R, const ExprRef &E) {
  const auto *S = cast<Select>(E.get());
  ExprRef C = R.run(S->Cond), T = R.run(S->True), F = R.run(S->False);
  if (C == S->Cond && T == S->True && F == S->False)
    return E;
  return std::make_shared<Select>(std::move(C), std::move(T), std::move(F),
                                  S->Loc);
}

static ExprRef rewriteOperands(Rewriter &R, const ExprRef &E) {
  switch (E->Kind) {
  case ExprKind::IntConst:
  case ExprKind::FloatConst:
  case ExprKind::VarUse:
  case ExprKind::NonNull:
    return E;
  case ExprKind::Load: {
    Access From = cast<Load>(E.get())->From;
    if (!runInPlace(R, From))
      return E;
    return std::make_shared<Load>(std::move(From), E->Ty, E->Loc);
  }
  case ExprKind::Unary: {
    const auto *U = cast<Unary>(E.get());
    ExprRef New = R.run(U->Operand);
    if (New == U->Operand)
      return E;
    return std::make_shared<Unary>(U->Op, std::move(New), E->Ty, E->Loc);
  }
  case ExprKind::Cast: {
    const auto *C = cast<Cast>(E.get());
    ExprRef New = R.run(C->Operand);
    if (New == C->Operand)
      return E;
    return std::make_shared<Cast>(std::move(New), E->Ty, C->Implicit, E->Loc);
  }
  case ExprKind::Binary: {
    const auto *B = cast<Binary>(E.get());
    ExprRef L = R.run(B->L), Right = R.run(B->R);
    if (L == B->L && Right == B->R)
      return E;
    return std::make_shared<Binary>(B->Op, std::move(L), std::move(Right),
                                    E->Ty, E->Loc);
  }
  case ExprKind::Select:
    return rewriteSelect(R, E);
  case ExprKind::Call:
    return rewriteCall(R, E);
  }
  llvm_unreachable("unknown expression");
}

ExprRef Rewriter::run(const ExprRef &E) {
  if (!E)
    return E;
  return rewriteExpr(rewriteOperands(*this, E));
}

/// A loop or branch must keep a body: a deleted one becomes the empty block.
static StmtRef runBody(Rewriter &R, const StmtRef &S) {
  StmtRef New = R.run(S);
  if (!New && S)
    return std::make_shared<Block>(std::vector<StmtRef>{}, S->Loc);
  return New;
}

static StmtRef rewriteBlock(Rewriter &R, const StmtRef &S) {
  const auto *B = cast<Block>(S.get());
  std::vector<StmtRef> Body;
  bool Changed = false;
  for (const StmtRef &Child : B->Body) {
    StmtRef New = R.run(Child);
    Changed |= New != Child;
    if (!New)
      continue;
    // One statement became several: they stand in this block, so that what
    // they declare is visible to the rest of it.
    if (New != Child && isa<Block>(New.get()) && !isa<Block>(Child.get()))
      for (const StmtRef &Part : statements(New))
        Body.push_back(Part);
    else
      Body.push_back(std::move(New));
  }
  if (!Changed)
    return S;
  return std::make_shared<Block>(std::move(Body), S->Loc);
}

static StmtRef rewriteFor(Rewriter &R, const StmtRef &S) {
  const auto *F = cast<For>(S.get());
  ExprRef Lo = R.run(F->Lo), Hi = R.run(F->Hi), Step = R.run(F->Step);
  StmtRef Body = runBody(R, F->Body);
  if (Lo == F->Lo && Hi == F->Hi && Step == F->Step && Body == F->Body)
    return S;
  return std::make_shared<For>(F->V, std::move(Lo), F->Cond, std::move(Hi),
                               std::move(Step), F->LKind, F->DeclaresVar,
                               std::move(Body), F->Loc);
}

static StmtRef rewriteIf(Rewriter &R, const StmtRef &S) {
  const auto *I = cast<If>(S.get());
  ExprRef Cond = R.run(I->Cond);
  StmtRef Then = runBody(R, I->Then), Else = R.run(I->Else);
  if (Cond == I->Cond && Then == I->Then && Else == I->Else)
    return S;
  return std::make_shared<If>(std::move(Cond), std::move(Then), std::move(Else),
                              I->Loc);
}

static StmtRef rewriteWhile(Rewriter &R, const StmtRef &S) {
  const auto *W = cast<While>(S.get());
  ExprRef Cond = R.run(W->Cond);
  StmtRef Body = runBody(R, W->Body);
  if (Cond == W->Cond && Body == W->Body)
    return S;
  return std::make_shared<While>(std::move(Cond), W->TestFirst, std::move(Body),
                                 W->Why, W->Loc, W->AsIf);
}

static StmtRef rewriteTensorOp(Rewriter &R, const StmtRef &S) {
  const auto *T = cast<TensorOp>(S.get());
  std::vector<Iterator> Iterators = T->Iterators;
  bool Changed = false;
  for (Iterator &I : Iterators)
    for (ExprRef *E : {&I.Lo, &I.Hi, &I.Step}) {
      ExprRef New = R.run(*E);
      Changed |= New != *E;
      *E = std::move(New);
    }
  ExprRef Mask = R.run(T->Mask);
  StmtRef Body = runBody(R, T->Body);
  if (!Changed && Mask == T->Mask && Body == T->Body)
    return S;
  return std::make_shared<TensorOp>(std::move(Iterators), std::move(Mask),
                                    std::move(Body), T->OpKind, T->Loc);
}

static StmtRef rewriteRegion(Rewriter &R, const StmtRef &S) {
  const auto *Reg = cast<Region>(S.get());
  Obligations Rests = Reg->Rests;
  if (Rests.Inspection)
    Rests.Inspection = runBody(R, Rests.Inspection);
  if (Rests.Means)
    Rests.Means = runBody(R, Rests.Means);
  bool Changed = Rests.Inspection != Reg->Rests.Inspection ||
                 Rests.Means != Reg->Rests.Means;
  for (Guard &G : Rests.Guards)
    for (ExprRef *E : {&G.Cond, &G.A.Lo, &G.A.Hi, &G.B.Lo, &G.B.Hi}) {
      ExprRef New = R.run(*E);
      Changed |= New != *E;
      *E = std::move(New);
    }
  StmtRef Body = runBody(R, Reg->Body);
  if (!Changed && Body == Reg->Body)
    return S;
  return std::make_shared<Region>(std::move(Rests), std::move(Body),
                                  Reg->Original, Reg->Loc);
}

static StmtRef rewriteOpaque(Rewriter &R, const StmtRef &S) {
  const auto *O = cast<Opaque>(S.get());
  if (!O->Pure)
    return S;
  auto Call = std::make_shared<PureCall>(*O->Pure);
  bool Changed = false;
  for (PureCall::Argument &A : Call->Args) {
    ExprRef New = R.run(A.Value);
    Changed |= New != A.Value;
    A.Value = std::move(New);
  }
  if (!Changed)
    return S;
  return std::make_shared<Opaque>(O->Text, O->Code, O->Why, O->Touches, O->Loc,
                                  O->NoReturn, std::move(Call), O->Keeps);
}

static StmtRef rewriteSimple(Rewriter &R, const StmtRef &S) {
  switch (S->Kind) {
  case StmtKind::Decl: {
    const auto *D = cast<Decl>(S.get());
    ExprRef Init = R.run(D->Init);
    if (Init == D->Init)
      return S;
    return std::make_shared<Decl>(D->V, std::move(Init), D->Loc);
  }
  case StmtKind::DeclBuffer: {
    const auto *D = cast<DeclBuffer>(S.get());
    std::vector<ExprRef> Init = D->Init;
    if (!runAll(R, Init))
      return S;
    return std::make_shared<DeclBuffer>(D->B, std::move(Init), D->Loc);
  }
  case StmtKind::Assign: {
    const auto *A = cast<Assign>(S.get());
    ExprRef Value = R.run(A->Value);
    if (Value == A->Value)
      return S;
    return std::make_shared<Assign>(A->V, A->Op, std::move(Value), A->Loc);
  }
  case StmtKind::Store: {
    const auto *St = cast<Store>(S.get());
    Access To = St->To;
    bool Changed = runInPlace(R, To);
    ExprRef Value = R.run(St->Value);
    if (!Changed && Value == St->Value)
      return S;
    return std::make_shared<Store>(std::move(To), St->Op, std::move(Value),
                                   St->Atomic, St->Loc);
  }
  case StmtKind::Return: {
    const auto *Ret = cast<Return>(S.get());
    ExprRef Value = R.run(Ret->Value);
    if (Value == Ret->Value)
      return S;
    return std::make_shared<Return>(std::move(Value), Ret->Loc);
  }
  case StmtKind::Opaque:
    return rewriteOpaque(R, S);
  default:
    return S;
  }
}

static StmtRef rewriteParts(Rewriter &R, const StmtRef &S) {
  switch (S->Kind) {
  case StmtKind::Block:
    return rewriteBlock(R, S);
  case StmtKind::For:
    return rewriteFor(R, S);
  case StmtKind::While:
    return rewriteWhile(R, S);
  case StmtKind::If:
    return rewriteIf(R, S);
  case StmtKind::TensorOp:
    return rewriteTensorOp(R, S);
  case StmtKind::Region:
    return rewriteRegion(R, S);
  default:
    return rewriteSimple(R, S);
  }
}

StmtRef mapChildren(const StmtRef &S,
                    llvm::function_ref<StmtRef(const StmtRef &)> Fn) {
  if (!S)
    return S;
  switch (S->Kind) {
  case StmtKind::Block: {
    std::vector<StmtRef> Out;
    bool Same = true;
    for (const StmtRef &Sub : cast<Block>(S.get())->Body) {
      StmtRef New = Fn(Sub);
      Same &= New == Sub;
      if (New != Sub && isa<Block>(New.get()) && !isa<Block>(Sub.get()))
        llvm::append_range(Out, statements(New));
      else
        Out.push_back(std::move(New));
    }
    return Same ? S : std::make_shared<Block>(std::move(Out), S->Loc);
  }
  case StmtKind::If: {
    auto *I = cast<If>(S.get());
    const StmtRef Then = Fn(I->Then), Else = I->Else ? Fn(I->Else) : nullptr;
    return Then == I->Then && Else == I->Else
               ? S
               : std::make_shared<If>(I->Cond, Then, Else, I->Loc);
  }
  case StmtKind::While: {
    auto *W = cast<While>(S.get());
    const StmtRef Body = Fn(W->Body);
    return Body == W->Body
               ? S
               : std::make_shared<While>(W->Cond, W->TestFirst, Body, W->Why,
                                         W->Loc, W->AsIf);
  }
  case StmtKind::For: {
    auto *L = cast<For>(S.get());
    const StmtRef Body = Fn(L->Body);
    return Body == L->Body
               ? S
               : std::make_shared<For>(L->V, L->Lo, L->Cond, L->Hi, L->Step,
                                       L->LKind, L->DeclaresVar, Body, L->Loc);
  }
  default:
    return S;
  }
}

StmtRef Rewriter::run(const StmtRef &S) {
  if (!S)
    return S;
  return rewriteStmt(rewriteParts(*this, S));
}
} // namespace raise
