//===- LoopForm.cpp - loops as ascending half-open ranges -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "LoopForm.h"
#include "EarlyExits.h"
#include "FoldConstants.h"
#include "raise/IR/Visitor.h"
#include "llvm/ADT/STLExtras.h"

using namespace raise;
using llvm::dyn_cast;

/// E + 1 where that cannot overflow for any value of E's variables: E is a
/// constant or X - c with c > 0 (whose value is below the largest).
static ExprRef safeSuccessor(const ExprRef &E) {
  if (auto *C = dyn_cast<IntConst>(E.get())) {
    bool Largest =
        E->Ty.Signed ? C->Value == (int64_t)(~0ULL >> (65 - E->Ty.Bits)) : true;
    return Largest ? nullptr : build::intConst(C->Value + 1, E->Ty);
  }
  auto *B = dyn_cast<Binary>(E.get());
  if (!B || B->Op != BinaryOp::Sub || !E->Ty.Signed)
    return nullptr;
  auto *C = dyn_cast<IntConst>(B->R.get());
  if (!C || C->Value < 1)
    return nullptr;
  return build::sub(B->L, build::intConst(C->Value - 1, E->Ty));
}

static ExprRef stripCasts(ExprRef E) {
  while (auto *C = dyn_cast<Cast>(E.get()))
    E = C->Operand;
  return E;
}

/// `int i` against a bound of another type: C compares in the wider one, and so
/// does the range. A signed variable that outgrows its type would overflow,
/// which C leaves undefined, so it may be counted in the wider type. An
/// unsigned one would start again from 0, and the loop, which nothing else
/// leaves, would have no end: C and C++ let us assume that it has one.
static std::optional<LoopForm> widenedForm(const For &L, Reason &Why) {
  const Type &Ty = L.V->Ty, &Wide = L.Hi->Ty;
  auto *Step = dyn_cast<IntConst>(stripCasts(L.Step).get());
  // A number that every integer type holds is the same in all of them.
  auto *Lo = dyn_cast<IntConst>(stripCasts(L.Lo).get());
  bool StartsAtZero =
      Lo && Lo->Value >= 0 && (Lo->Value < 128 || Lo == L.Lo.get());
  const bool Counts =
      Ty.Signed ? Wide.Bits >= Ty.Bits && (Wide.Signed || StartsAtZero)
                : Wide.Bits > Ty.Bits && !leavesEarly(L.Body);
  if (L.Cond != BinaryOp::LT || !Step || Step->Value < 1 || Ty.Bits < 32 ||
      !Counts) {
    Why = {"CR1204",
           "the variable and the bound of the loop have types of which neither "
           "holds the other's values",
           L.Loc};
    return std::nullopt;
  }
  ExprRef Start = StartsAtZero ? build::intConst(Lo->Value, Wide)
                               : build::cast(L.Lo, Wide),
          Last;
  if (Step->Value == 1)
    Last = build::cast(build::select(build::lt(Start, L.Hi), L.Hi, Start), Ty);
  return LoopForm{Start, L.Hi, build::intConst(Step->Value, Wide), Last};
}

std::optional<LoopForm> raise::ascendingForm(const For &L, bool KeepOrder,
                                             Reason &Why) {
  auto Refuse = [&](std::string Text) {
    Why = {"CR1204", std::move(Text), L.Loc};
    return std::nullopt;
  };
  const Type &Ty = L.V->Ty;
  if (L.Hi->Ty != Ty)
    return widenedForm(L, Why);
  ExprRef Step = stripCasts(L.Step);
  auto *Constant = dyn_cast<IntConst>(Step.get());
  ExprRef One = build::intConst(1, Ty);
  if (!Constant) {
    // The proof has seen to it that the step is positive.
    if (L.Cond != BinaryOp::LT)
      return Refuse("the step is not a constant and the loop is not of the "
                    "form i < n");
    return LoopForm{L.Lo, L.Hi, build::cast(L.Step, Ty), nullptr};
  }
  int64_t S = Constant->Value;
  auto LastOf = [&](const ExprRef &Hi) -> ExprRef {
    if (S != 1)
      return nullptr;
    return build::select(build::lt(L.Lo, Hi), Hi, L.Lo);
  };
  switch (L.Cond) {
  case BinaryOp::LT:
    if (S < 1)
      return Refuse("the loop counts away from its bound");
    // Compilers fold the condition, and gcc takes no such loop for OpenMP's.
    if (!Ty.Signed && constantValue(L.Hi) == 0)
      return Refuse("the loop has no iteration");
    return LoopForm{L.Lo, L.Hi, build::intConst(S, Ty), LastOf(L.Hi)};
  case BinaryOp::NE:
    // Passing the bound would overflow, which C leaves undefined.
    if (S != 1 || !Ty.Signed || Ty.Bits < 32)
      return Refuse("the loop may step over the value that ends it");
    return LoopForm{L.Lo, L.Hi, One, LastOf(L.Hi)};
  case BinaryOp::LE: {
    // i <= INT_MAX never ends but by overflow, which C leaves undefined.
    if (S < 1 || !Ty.Signed || Ty.Bits < 32)
      return Refuse("the end of the range may wrap around");
    ExprRef Hi = safeSuccessor(L.Hi);
    if (!Hi)
      Hi = build::add(L.Hi, One);
    return LoopForm{L.Lo, Hi, build::intConst(S, Ty), LastOf(Hi)};
  }
  case BinaryOp::GT:
  case BinaryOp::GE: {
    if (KeepOrder)
      return Refuse("the loop counts down, and its order matters");
    if (S != -1)
      return Refuse("the loop counts down by more than one");
    if (!Ty.Signed || Ty.Bits < 32)
      return Refuse("the loop counts down, by a variable whose range, counted "
                    "upwards, may wrap around");
    ExprRef Hi = safeSuccessor(L.Lo);
    ExprRef Lo = L.Cond == BinaryOp::GE ? L.Hi : safeSuccessor(L.Hi);
    if (!Lo || !Hi)
      return Refuse("the range of the loop, counted upwards, may overflow");
    // After the loop: one below the last value, or where it started.
    ExprRef Below = L.Cond == BinaryOp::GT ? L.Hi : nullptr;
    if (!Below)
      if (auto *C = dyn_cast<IntConst>(L.Hi.get()))
        Below = build::intConst(C->Value - 1, Ty);
    ExprRef Last =
        Below ? build::select(build::lt(Lo, Hi), Below, L.Lo) : nullptr;
    return LoopForm{Lo, Hi, One, Last};
  }
  default:
    return Refuse("the loop's condition is no comparison with a bound");
  }
}

std::shared_ptr<const For> raise::countedUp(const For &L,
                                            const LoopForm &Form) {
  auto Up = std::make_shared<Var>();
  Up->Name = L.V->Name + "_up";
  Up->Ty = Form.Lo->Ty;
  auto Wide = [](const ExprRef &E) { return build::cast(E, Type::getI64()); };
  // In 64 bits: the distance of two ints may overflow an int.
  ExprRef Passed = build::sub(Wide(build::var(Up)), Wide(Form.Lo));
  ExprRef Value = build::cast(build::sub(Wide(L.Lo), Passed), L.V->Ty);
  auto Own = std::make_shared<Var>(*L.V);
  Own->Kind = VarKind::Local;
  std::vector<StmtRef> Body{std::make_shared<Decl>(Own, Value, L.Loc)};
  StmtRef Renamed = renameVar(L.Body, L.V, Own);
  for (const StmtRef &S : statements(Renamed))
    Body.push_back(S);
  return std::make_shared<For>(Up, Form.Lo, BinaryOp::LT, Form.Hi, Form.Step,
                               LoopKind::Serial, /*DeclaresVar=*/true,
                               makeBlock(std::move(Body), L.Body->Loc), L.Loc);
}

bool raise::isFree(const LoopFacts &Facts, const For &L) {
  return Facts.R == LoopFacts::Result::Independent &&
         Facts.Inspections.empty() &&
         llvm::all_of(Facts.LastValue,
                      [&](const VarRef &V) { return V == L.V; });
}

Reason raise::againstClaim(const For &L, const LoopFacts &Facts) {
  const std::string &Code = Facts.Why.Code;
  if (L.LKind != LoopKind::Claimed || Facts.R != LoopFacts::Result::Conflict ||
      (Code != "CR1101" && Code != "CR1102" && Code != "CR1103"))
    return Facts.Why;
  return {"CR1030",
          "the OpenMP directive claims that iterations are independent, but " +
              Facts.Why.Text,
          Facts.Why.Loc};
}

StmtRef raise::renameVar(const StmtRef &S, const VarRef &V, const VarRef &To) {
  struct Renamer : Rewriter {
    VarRef V, To;
    ExprRef rewriteExpr(const ExprRef &E) override {
      auto *U = dyn_cast<VarUse>(E.get());
      return U && U->V == V ? build::var(To) : E;
    }
    StmtRef rewriteStmt(const StmtRef &S) override {
      if (auto *D = dyn_cast<Decl>(S.get()); D && D->V == V)
        return std::make_shared<Decl>(To, D->Init, D->Loc);
      if (auto *A = dyn_cast<Assign>(S.get()); A && A->V == V)
        return std::make_shared<Assign>(To, A->Op, A->Value, A->Loc);
      if (auto *L = dyn_cast<For>(S.get()); L && L->V == V)
        return std::make_shared<For>(To, L->Lo, L->Cond, L->Hi, L->Step,
                                     L->LKind, L->DeclaresVar, L->Body, L->Loc);
      if (auto *O = dyn_cast<Opaque>(S.get());
          O && (llvm::is_contained(O->Touches, V) ||
                llvm::is_contained(O->Keeps, V)))
        return touching(*O);
      return S;
    }
    StmtRef touching(const Opaque &O) const {
      std::vector<VarRef> Touches = O.Touches, Keeps = O.Keeps;
      std::replace(Touches.begin(), Touches.end(), V, To);
      std::replace(Keeps.begin(), Keeps.end(), V, To);
      std::shared_ptr<PureCall> Call;
      if (O.Pure) {
        Call = std::make_shared<PureCall>(*O.Pure);
        if (Call->Result == V)
          Call->Result = To;
      }
      return std::make_shared<Opaque>(O.Text, O.Code, O.Why, std::move(Touches),
                                      O.Loc, O.NoReturn, std::move(Call),
                                      std::move(Keeps));
    }
  } R;
  R.V = V;
  R.To = To;
  return R.run(S);
}

StmtRef raise::makeOperation(Iterator It, const StmtRef &Body, SourceLoc Loc) {
  std::vector<Iterator> Its{std::move(It)};
  auto List = statements(Body);
  auto *T = List.size() == 1 ? dyn_cast<TensorOp>(List.front().get()) : nullptr;
  if (T && !T->Mask) {
    Its.insert(Its.end(), T->Iterators.begin(), T->Iterators.end());
    return std::make_shared<TensorOp>(std::move(Its), nullptr, T->Body, "",
                                      std::move(Loc));
  }
  return std::make_shared<TensorOp>(std::move(Its), nullptr, Body, "",
                                    std::move(Loc));
}

StmtRef raise::declareInside(StmtRef Body, const std::vector<VarRef> &Private) {
  for (const VarRef &V : Private) {
    if (!uses(Body, V.get()) && !assigns(Body, V.get()))
      continue; // an inner loop's variable, which that loop now declares
    auto Own = std::make_shared<Var>(*V);
    Own->Kind = V->Kind == VarKind::Param ? VarKind::Local : V->Kind;
    Own->Const = false;
    std::vector<StmtRef> Out{std::make_shared<Decl>(Own, nullptr)};
    StmtRef Renamed = renameVar(Body, V, Own);
    auto List = statements(Renamed);
    Out.insert(Out.end(), List.begin(), List.end());
    Body = makeBlock(std::move(Out), Body->Loc);
  }
  return Body;
}
