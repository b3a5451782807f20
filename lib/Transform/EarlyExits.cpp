//===- EarlyExits.cpp - loops that some iteration leaves ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "EarlyExits.h"
#include "LoopForm.h"
#include "raise/IR/Visitor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace raise;
using llvm::cast;
using llvm::dyn_cast;
using llvm::isa;

namespace {

/// S with Set before each break that belongs to the loop whose body S is.
StmtRef setAtBreaks(const StmtRef &S, llvm::ArrayRef<StmtRef> Set) {
  if (!S)
    return S;
  switch (S->Kind) {
  case StmtKind::Break: {
    std::vector<StmtRef> Out(Set.begin(), Set.end());
    Out.push_back(S);
    return makeBlock(std::move(Out), S->Loc);
  }
  case StmtKind::Block: {
    std::vector<StmtRef> Out;
    for (const StmtRef &Sub : cast<Block>(S.get())->Body) {
      StmtRef New = setAtBreaks(Sub, Set);
      if (isa<Break>(Sub.get()))
        llvm::append_range(Out, statements(New));
      else
        Out.push_back(std::move(New));
    }
    return std::make_shared<Block>(std::move(Out), S->Loc);
  }
  case StmtKind::If: {
    auto *I = cast<If>(S.get());
    return std::make_shared<If>(I->Cond, setAtBreaks(I->Then, Set),
                                setAtBreaks(I->Else, Set), I->Loc);
  }
  default: // loops take their own breaks
    return S;
  }
}

VarRef newVariable(const Var &Like, const char *Suffix, const Type &Ty) {
  auto V = std::make_shared<Var>();
  V->Name = Like.Name + Suffix;
  V->Ty = Ty;
  V->Loc = Like.Loc;
  return V;
}

/// A variable to which each iteration of a while loop adds Step, once, by the
/// statement At of the body.
struct Counter {
  VarRef V;
  int64_t Step;
  const Stmt *At;
  VarRef Total; ///< what the iterations have added in the end
};

/// What a step may be at most: totals of more are for no element.
constexpr int64_t MostStep = int64_t(1) << 20;
/// No loop runs this often: that takes a century.
constexpr int64_t MostTrips = int64_t(1) << 62;

std::optional<Counter> asCounter(const StmtRef &S) {
  auto *A = dyn_cast<Assign>(S.get());
  if (!A || !A->V->Ty.isInt())
    return std::nullopt;
  ExprRef By = A->Value;
  Combiner Op = A->Op;
  if (auto *B = Op == Combiner::None ? dyn_cast<Binary>(By.get()) : nullptr) {
    auto *U = dyn_cast<VarUse>(B->L.get());
    if (!U || U->V != A->V ||
        (B->Op != BinaryOp::Add && B->Op != BinaryOp::Sub))
      return std::nullopt;
    Op = B->Op == BinaryOp::Add ? Combiner::Add : Combiner::Sub;
    By = B->R;
  }
  auto *C = dyn_cast<IntConst>(By.get());
  if (!C || (Op != Combiner::Add && Op != Combiner::Sub) ||
      std::abs(C->Value) > MostStep || C->Value == 0)
    return std::nullopt;
  // In a wider type it might not come back the same.
  if (A->Value->Ty != A->V->Ty)
    return std::nullopt;
  return Counter{A->V, Op == Combiner::Add ? C->Value : -C->Value, A, nullptr};
}

/// Whether an element is found by V, itself or by a local made of it.
bool indexes(const StmtRef &Body, const ExprRef &Cond, const Var *V) {
  llvm::SmallPtrSet<const Var *, 4> Made{V};
  forEachStmt(Body, [&](const StmtRef &S) {
    auto *D = dyn_cast<Decl>(S.get());
    if (D && D->Init &&
        llvm::any_of(Made, [&](const Var *M) { return uses(D->Init, M); }))
      Made.insert(D->V.get());
  });
  bool Found = false;
  auto Look = [&](const Access &A) {
    for (const ExprRef &I : A.Indices)
      for (const Var *M : Made)
        Found |= uses(I, M);
  };
  auto InExpr = [&](const ExprRef &E) {
    if (auto *L = dyn_cast<Load>(E.get()))
      Look(L->From);
  };
  forEachExpr(Cond, InExpr);
  forEachExpr(Body, InExpr);
  forEachStmt(Body, [&](const StmtRef &S) {
    if (auto *St = dyn_cast<Store>(S.get()))
      Look(St->To);
  });
  return Found;
}

class WhileCounter {
public:
  explicit WhileCounter(const While &W) : W(W) {}

  std::optional<OwnedLoop> run(Reason &Why) {
    if (!findCounters()) {
      Why = {"CR1201", "the loop walks over no elements", W.Loc};
      return std::nullopt;
    }
    K = newVariable(*Counters.front().V, "_step", Type::getI64());
    OwnedLoop Out;
    ExprRef Zero = build::intConst(0, Type::getI64());
    for (Counter &C : Counters) {
      C.Total = newVariable(*C.V, "_total", Type::getI64());
      Out.Before.push_back(std::make_shared<Decl>(C.Total, Zero, W.Loc));
    }
    std::vector<StmtRef> Body;
    if (W.TestFirst)
      addTest(Body);
    for (const StmtRef &S : statements(W.Body))
      add(S, Body);
    if (!W.TestFirst)
      addTest(Body);
    Out.Loop = std::make_shared<For>(
        K, Zero, BinaryOp::LT, build::intConst(MostTrips, Type::getI64()),
        build::intConst(1, Type::getI64()), LoopKind::Serial,
        /*DeclaresVar=*/true,
        std::make_shared<Block>(std::move(Body), W.Body->Loc), W.Loc);
    for (const Counter &C : Counters)
      Out.After.push_back(std::make_shared<Assign>(
          C.V, Combiner::None, plus(C.V, build::var(C.Total)), W.Loc));
    return Out;
  }

private:
  const While &W;
  std::vector<Counter> Counters;
  std::vector<const Stmt *> Passed;
  VarRef K;

  bool findCounters() {
    auto List = statements(W.Body);
    bool Walks = false;
    for (const StmtRef &S : List) {
      auto C = asCounter(S);
      unsigned Writes = 0;
      if (C)
        assignedVars(W.Body, [&](const VarRef &V) { Writes += V == C->V; });
      if (Writes != 1)
        continue;
      Walks |= indexes(W.Body, W.Cond, C->V.get());
      Counters.push_back(*C);
    }
    return Walks;
  }

  /// V + By as V's type holds it; V is what it was before the loop.
  static ExprRef plus(const VarRef &V, const ExprRef &By) {
    ExprRef Start = build::var(V);
    if (V->Ty.Bits == 64)
      return build::add(Start, build::cast(By, V->Ty));
    return build::cast(build::add(build::cast(Start, Type::getI64()), By),
                       V->Ty);
  }

  /// What C's variable has gained by the place that is being written.
  ExprRef gained(const Counter &C) const {
    ExprRef Times = build::var(K);
    if (llvm::is_contained(Passed, C.At))
      Times = build::add(Times, build::intConst(1, Type::getI64()));
    return C.Step == 1
               ? Times
               : build::mul(build::intConst(C.Step, Type::getI64()), Times);
  }

  Substitution now() const {
    Substitution Map;
    for (const Counter &C : Counters)
      Map[C.V.get()] = plus(C.V, gained(C));
    return Map;
  }

  std::vector<StmtRef> totals() const {
    std::vector<StmtRef> Out;
    for (const Counter &C : Counters)
      Out.push_back(
          std::make_shared<Assign>(C.Total, Combiner::None, gained(C), W.Loc));
    return Out;
  }

  void add(const StmtRef &S, std::vector<StmtRef> &Body) {
    if (llvm::any_of(Counters,
                     [&](const Counter &C) { return C.At == S.get(); })) {
      Passed.push_back(S.get());
      return;
    }
    Body.push_back(setAtBreaks(substitute(S, now()), totals()));
  }

  void addTest(std::vector<StmtRef> &Body) {
    if (auto *C = dyn_cast<IntConst>(W.Cond.get()); C && C->Value)
      return;
    std::vector<StmtRef> Leave = totals();
    Leave.push_back(std::make_shared<Break>(W.Loc));
    Body.push_back(std::make_shared<If>(
        build::logicalNot(substitute(W.Cond, now())),
        std::make_shared<Block>(std::move(Leave), W.Cond->Loc), nullptr,
        W.Cond->Loc));
  }
};

} // namespace

std::optional<OwnedLoop> raise::withOwnVariable(const For &L,
                                                const ExprRef &Last) {
  if (uses(L.Hi, L.V.get()) || uses(L.Step, L.V.get()))
    return std::nullopt;
  VarRef Own = newVariable(*L.V, "_at", L.V->Ty);
  OwnedLoop Out;
  StmtRef Body = substitute(L.Body, L.V, build::var(Own));
  ExprRef Lo = L.Lo, Ends = Last;
  if (Last && uses(Lo, L.V.get())) { // which is set before it starts
    VarRef From = newVariable(*L.V, "_from", L.V->Ty);
    Out.Before.push_back(std::make_shared<Decl>(From, build::var(L.V), L.Loc));
    Lo = substitute(Lo, {{L.V.get(), build::var(From)}});
    Ends = substitute(Last, {{L.V.get(), build::var(From)}});
  }
  if (Last) {
    Out.Before.push_back(
        std::make_shared<Assign>(L.V, Combiner::None, Ends, L.Loc));
    Body = setAtBreaks(Body, {std::make_shared<Assign>(
                                 L.V, Combiner::None, build::var(Own), L.Loc)});
  }
  Out.Loop = std::make_shared<For>(Own, Lo, L.Cond, L.Hi, L.Step, L.LKind,
                                   /*DeclaresVar=*/true, Body, L.Loc);
  return Out;
}

std::shared_ptr<const For> raise::ownStart(const For &L) {
  const Var *V = L.V.get();
  if (L.DeclaresVar || !uses(L.Lo, V) || uses(L.Hi, V) || uses(L.Step, V) ||
      leavesEarly(L.Body))
    return nullptr;
  VarRef Own = newVariable(*L.V, "", L.V->Ty);
  return std::make_shared<For>(Own, L.Lo, L.Cond, L.Hi, L.Step, L.LKind,
                               /*DeclaresVar=*/true,
                               renameVar(L.Body, L.V, Own), L.Loc);
}

std::optional<OwnedLoop> raise::countedWhile(const While &W, Reason &Why) {
  return WhileCounter(W).run(Why);
}

const While *raise::wholeWhile(const StmtRef &S) {
  if (auto *W = dyn_cast<While>(S.get()))
    return W;
  auto List = statements(S);
  auto *W = List.size() > 1 ? dyn_cast<While>(List.back().get()) : nullptr;
  bool OneText = W && W->Loc.isValid() && W->Loc.Begin == S->Loc.Begin &&
                 W->Loc.End == S->Loc.End;
  for (const StmtRef &First : List.drop_back(OneText ? 1 : 0))
    OneText &= isa<Assign>(First.get()) || isa<Decl>(First.get());
  return OneText ? W : nullptr;
}

bool raise::leavesEarly(const StmtRef &S) {
  bool Yes = false;
  forEachStmt(S, [&](const StmtRef &Sub) {
    Yes |= isa<Break>(Sub.get()) || isa<Continue>(Sub.get()) ||
           isa<Return>(Sub.get());
  });
  return Yes;
}
