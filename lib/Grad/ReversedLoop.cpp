//===- ReversedLoop.cpp - a counted loop from its end ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ReversedLoop.h"
#include "raise/IR/Visitor.h"
#include "llvm/Support/MathExtras.h"
#include <cstdlib>

using namespace llvm;

namespace raise::grad {

std::optional<int64_t> fixedStep(const For &L) {
  auto *C = dyn_cast<IntConst>(L.Step.get());
  // An unsigned variable falls by adding what wraps.
  const int64_t Value = C ? SignExtend64(C->Value, C->Ty.Bits) : 0;
  const bool Up = L.Cond == BinaryOp::LT || L.Cond == BinaryOp::LE;
  const bool Down = L.Cond == BinaryOp::GT || L.Cond == BinaryOp::GE;
  if (C && ((Up && Value > 0) || (Down && Value < 0)))
    return Value;
  return std::nullopt;
}

bool isCounted(const For &L) {
  const Type &V = L.V->Ty, &T = L.Hi->Ty;
  if (!V.isInt() || !T.isInt())
    return false;
  if (fixedStep(L))
    return true;
  // The difference of the ends is what wraps as the variable does.
  auto *C = dyn_cast<IntConst>(L.Step.get());
  if (L.Cond == BinaryOp::NE)
    return C && C->Value == 1 && V.Bits == T.Bits && V.Signed == T.Signed;
  return !C && V.Signed && T.Signed;
}

ExprRef numberIn(const ExprRef &E, const Type &T) {
  const Expr *Bare = E.get();
  while (auto *C = dyn_cast<Cast>(Bare))
    Bare = C->Operand.get();
  auto *C = dyn_cast<IntConst>(Bare);
  return C && C->Ty.isInt() && C->Value >= 0 && C->Value < 128
             ? build::intConst(C->Value, T)
             : build::cast(E, T);
}

static bool isClosed(BinaryOp Cond) {
  return Cond == BinaryOp::LE || Cond == BinaryOp::GE;
}

static bool isPlain(const IntConst *C) {
  return C && std::abs(C->Value) <= 1024 &&
         (C->Spelling.empty() || C->Spelling == std::to_string(C->Value));
}

/// E less Step; `n - 1` less 1 is `n - 2`.
static ExprRef before(const ExprRef &E, int64_t Step) {
  auto *B = dyn_cast<Binary>(E.get());
  auto *By = B ? dyn_cast<IntConst>(B->R.get()) : nullptr;
  if (!isPlain(By) || (B->Op != BinaryOp::Add && B->Op != BinaryOp::Sub))
    return build::sub(E, build::intConst(Step, E->Ty));
  const int64_t Plus = (B->Op == BinaryOp::Add ? By->Value : -By->Value) - Step;
  return Plus < 0 ? build::sub(B->L, build::intConst(-Plus, E->Ty))
                  : build::add(B->L, build::intConst(Plus, E->Ty));
}

/// E in 64 bits, as a value and what is added to it: `n - 1` of ints, which
/// does not overflow where the source computes it, is n and -1.
static std::pair<ExprRef, int64_t> shiftIn(const ExprRef &E) {
  const Type T = Type::getI64();
  auto *Number = dyn_cast<IntConst>(E.get());
  if (isPlain(Number))
    return {build::intConst(0, T), Number->Value};
  auto *B = dyn_cast<Binary>(E.get());
  auto *By = B ? dyn_cast<IntConst>(B->R.get()) : nullptr;
  if (isPlain(By) && E->Ty == Type::getI32() &&
      (B->Op == BinaryOp::Add || B->Op == BinaryOp::Sub))
    return {numberIn(B->L, T), B->Op == BinaryOp::Add ? By->Value : -By->Value};
  return {numberIn(E, T), 0};
}

ExprRef tripCount(BinaryOp Cond, const ExprRef &Lo, const ExprRef &Hi,
                  int64_t Step) {
  const Type T = Type::getI64();
  const int64_t By = std::abs(Step);
  const auto [From, Below] = shiftIn(Step > 0 ? Lo : Hi);
  const auto [To, Above] = shiftIn(Step > 0 ? Hi : Lo);
  const int64_t Plus = Above - Below + (isClosed(Cond) ? By : By - 1);
  const ExprRef Span = build::sub(To, From);
  const ExprRef More = Plus < 0 ? build::sub(Span, build::intConst(-Plus, T))
                                : build::add(Span, build::intConst(Plus, T));
  return By == 1 ? More : build::div(More, build::intConst(By, T));
}

/// Whether the last value is Hi less one step for any Hi at which the loop does
/// not run at all, too.
static bool countsDownPlainly(const For &L, const LoopHeader &H) {
  const Type &V = L.V->Ty, &T = L.Hi->Ty;
  const std::optional<int64_t> Step = fixedStep(L);
  if (!Step || std::abs(*Step) != 1 || L.V->Kind == VarKind::Cursor ||
      !V.isInt() || !V.Signed || V.Bits < 32)
    return false;
  auto *Lo = dyn_cast<IntConst>(H.Lo.get());
  const auto *End = Step && *Step > 0 ? Lo : nullptr;
  if (End && End->Value == (V.Bits == 32 ? INT32_MIN : INT64_MIN))
    return false; // there is nothing below
  return T == V || (*Step > 0 && T.isInt() && !T.Signed && Lo && !Lo->Value);
}

ExprRef anyTripCount(const For &L, const LoopHeader &H) {
  const Type T = Type::getI64();
  const ExprRef Start = numberIn(H.Lo, H.Hi->Ty);
  const ExprRef Zero = build::intConst(0, T);
  if (L.Cond == BinaryOp::NE) {
    // The difference in the type that is compared, which may wrap.
    const ExprRef Span = build::cast(build::sub(H.Hi, Start), T);
    return build::div(Span, build::cast(H.Step, T));
  }
  const bool Up = L.Cond == BinaryOp::LT || L.Cond == BinaryOp::LE;
  const ExprRef Runs = build::binary(L.Cond, Start, H.Hi);
  const std::optional<int64_t> Fixed = fixedStep(L);
  if (Fixed && (H.Hi->Ty.Bits < 64 || H.Hi->Ty.Signed))
    return build::select(Runs, tripCount(L.Cond, H.Lo, H.Hi, *Fixed), Zero);
  const ExprRef Span =
      build::cast(Up ? build::sub(H.Hi, Start) : build::sub(Start, H.Hi), T);
  const ExprRef Step = build::cast(H.Step, T);
  const ExprRef By = Up ? Step : build::sub(Zero, Step);
  const ExprRef More =
      isClosed(L.Cond)
          ? build::add(Span, By)
          : build::add(Span, build::sub(By, build::intConst(1, T)));
  return build::select(Runs, build::div(More, By), Zero);
}

StmtRef withPlainEnds(const StmtRef &Body) {
  struct Ends : Rewriter {
    /// Whether it may end, or the function, before its variable gets there.
    static bool mayLeave(const StmtRef &S) {
      bool Leaves = false;
      forEachStmt(S, [&](const StmtRef &Sub) {
        Leaves |= isa<Break, Return, Opaque>(*Sub);
      });
      return Leaves;
    }
    StmtRef rewriteStmt(const StmtRef &S) override {
      auto *L = dyn_cast<For>(S.get());
      auto *Step = L ? dyn_cast<IntConst>(L->Step.get()) : nullptr;
      auto *Lo = L ? dyn_cast<IntConst>(L->Lo.get()) : nullptr;
      // A signed variable that starts beyond the end overflows before it gets
      // there, unless the loop is left; without a sign nothing is below 0.
      if (!Step || Step->Value != 1 || L->Cond != BinaryOp::NE ||
          L->LKind != LoopKind::Serial || L->V->Kind == VarKind::Cursor ||
          L->V->Ty != L->Hi->Ty || L->V->Ty.Bits < 32 || !L->DeclaresVar ||
          !((L->V->Ty.Signed && !mayLeave(L->Body)) ||
            (Lo && Lo->Value == 0 && !L->V->Ty.Signed)))
        return S;
      return std::make_shared<For>(L->V, L->Lo, BinaryOp::LT, L->Hi, L->Step,
                                   L->LKind, L->DeclaresVar, L->Body, L->Loc);
    }
  };
  return Ends().run(Body);
}

StmtRef reversed(const For &L, const LoopHeader &H, std::vector<StmtRef> Body,
                 function_ref<VarRef(StringRef, const Type &)> Fresh) {
  const auto Block = [](std::vector<StmtRef> S) {
    return std::make_shared<raise::Block>(std::move(S));
  };
  if (countsDownPlainly(L, H)) {
    const Type &V = L.V->Ty;
    const int64_t Step = *fixedStep(L);
    ExprRef Last = build::cast(H.Hi, V);
    if (!isClosed(L.Cond))
      Last = before(Last, Step);
    BinaryOp Cond = Step > 0 ? BinaryOp::GE : BinaryOp::LE;
    ExprRef First = H.Lo;
    // `i < n` where the source began at `n - 1`.
    auto *B = dyn_cast<Binary>(First.get());
    if (auto *By = B ? dyn_cast<IntConst>(B->R.get()) : nullptr;
        Step < 0 && isPlain(By) && By->Value == 1 && B->Op == BinaryOp::Sub &&
        B->Ty.Signed) {
      Cond = BinaryOp::LT;
      First = B->L;
    }
    return std::make_shared<For>(
        H.V, Last, Cond, First, build::intConst(-Step, V), LoopKind::Serial,
        /*DeclaresVar=*/true, Block(std::move(Body)), L.Loc);
  }
  // Below 0 there is nothing without a sign: it is one more.
  if (!L.V->Ty.Signed && L.Hi->Ty == L.V->Ty && L.Cond == BinaryOp::LT &&
      fixedStep(L) == 1 && L.V->Ty.Bits >= 32) {
    const Type &V = L.V->Ty;
    auto K = std::make_shared<Var>(*Fresh(L.V->Name + "_end", V));
    K->Const = false;
    Body.insert(Body.begin(),
                std::make_shared<Decl>(
                    H.V, build::sub(build::var(K), build::intConst(1, V))));
    return std::make_shared<For>(K, H.Hi, BinaryOp::GT, numberIn(H.Lo, V),
                                 build::intConst(-1, V), LoopKind::Serial,
                                 /*DeclaresVar=*/true, Block(std::move(Body)),
                                 L.Loc);
  }
  const Type T = Type::getI64();
  auto K = std::make_shared<Var>(*Fresh("k", T));
  K->Const = false;
  const ExprRef Value =
      build::add(H.Lo, build::mul(build::cast(build::var(K), H.V->Ty), H.Step));
  Body.insert(Body.begin(), std::make_shared<Decl>(H.V, Value));
  return std::make_shared<For>(
      K, build::sub(anyTripCount(L, H), build::intConst(1, T)), BinaryOp::GE,
      build::intConst(0, T), build::intConst(-1, T), LoopKind::Serial,
      /*DeclaresVar=*/true, Block(std::move(Body)), L.Loc);
}

} // namespace raise::grad
