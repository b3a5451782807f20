//===- Derivatives.cpp - derivatives of expressions -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "raise/Grad/Derivatives.h"
#include "Rules.h"
#include "raise/IR/SmallFloat.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace raise::grad {

//===-- Arithmetic that leaves out what does nothing
//-----------------------===//

Type derivativeType(const Type &T) {
  return isBFloat16(T) ? Type::getFloat(32) : T;
}

ExprRef number(double V, const Type &T) { return build::floatConst(V, T); }

ExprRef whole(int64_t V, const Type &T) {
  return build::cast(build::intConst(V), T);
}

ExprRef zero(const Type &T) { return whole(0, T); }

static const Expr &withoutCasts(const Expr &E) {
  auto *C = dyn_cast<Cast>(&E);
  return C ? withoutCasts(*C->Operand) : E;
}

bool isNumber(const ExprRef &E, double V) {
  const Expr &Bare = withoutCasts(*E);
  if (auto *F = dyn_cast<FloatConst>(&Bare))
    return F->Value == V;
  auto *I = dyn_cast<IntConst>(&Bare);
  return I && I->Ty.isInt() && double(I->Value) == V;
}

ExprRef times(const ExprRef &L, const ExprRef &R) {
  if (isNumber(L, 1))
    return R;
  if (isNumber(R, 1))
    return L;
  return build::mul(L, R);
}

ExprRef over(const ExprRef &L, const ExprRef &R) {
  return isNumber(R, 1) ? L : build::div(L, R);
}

ExprRef negated(const ExprRef &E) {
  if (auto *U = dyn_cast<Unary>(E.get()); U && U->Op == UnaryOp::Neg)
    return U->Operand;
  // -a * b reads better than -(a * b), and is the same number.
  auto *B = dyn_cast<Binary>(E.get());
  if (B && (B->Op == BinaryOp::Mul || B->Op == BinaryOp::Div))
    return std::make_shared<Binary>(B->Op, negated(B->L), B->R, B->Ty, B->Loc);
  return build::unary(UnaryOp::Neg, E);
}

ExprRef asExpr(const Sum &Terms) {
  if (Terms.empty())
    return nullptr;
  auto First = find_if(Terms, [](const Term &T) { return !T.Minus; });
  const bool AllMinus = First == Terms.end();
  if (AllMinus)
    First = Terms.begin();
  ExprRef E = AllMinus ? negated(First->E) : First->E;
  for (auto It = Terms.begin(); It != Terms.end(); ++It)
    if (It != First)
      E = It->Minus ? build::sub(E, It->E) : build::add(E, It->E);
  return E;
}

//===-- What depends on what
//-----------------------------------------------===//

ExprRef operandOf(const Expr &E, unsigned K) {
  switch (E.Kind) {
  case ExprKind::Unary:
    return K ? nullptr : cast<Unary>(E).Operand;
  case ExprKind::Binary:
    return K == 0 ? cast<Binary>(E).L : K == 1 ? cast<Binary>(E).R : nullptr;
  case ExprKind::Select: {
    auto &S = cast<Select>(E);
    return K == 0 ? S.Cond : K == 1 ? S.True : K == 2 ? S.False : nullptr;
  }
  case ExprKind::Cast:
    return K ? nullptr : cast<Cast>(E).Operand;
  case ExprKind::Call: {
    auto &C = cast<raise::Call>(E);
    return K < C.Args.size() ? C.Args[K] : nullptr;
  }
  default:
    return nullptr;
  }
}

bool passesOn(const Expr &E, unsigned K) {
  const ExprRef Operand = operandOf(E, K);
  if (!E.Ty.isFloat() || !Operand || !Operand->Ty.isFloat())
    return false;
  auto *C = dyn_cast<raise::Call>(&E);
  return !C || !hasRule(*C->Fn) || mathPassesOn(baseName(*C->Fn), K);
}

void forEachSource(const ExprRef &E, function_ref<void(const ExprRef &)> Fn) {
  if (!E->Ty.isFloat())
    return;
  if (isa<VarUse>(*E) || isa<Load>(*E))
    return Fn(E);
  for (unsigned K = 0; const ExprRef Operand = operandOf(*E, K); ++K)
    if (passesOn(*E, K))
      forEachSource(Operand, Fn);
}

//===-- One node
//-----------------------------------------------------------===//

bool usesSeedTwice(const Expr &E) {
  auto *C = dyn_cast<raise::Call>(&E);
  return C && hasRule(*C->Fn) && mathUsesSeedTwice(*C);
}

static std::optional<Term> binaryRule(const Binary &B, unsigned K,
                                      const ExprRef &Seed,
                                      const ExprRef &Value) {
  switch (B.Op) {
  case BinaryOp::Add:
    return Term{Seed};
  case BinaryOp::Sub:
    return Term{Seed, K == 1};
  case BinaryOp::Mul:
    return K == 0 ? Term{times(Seed, B.R)} : Term{times(B.L, Seed)};
  case BinaryOp::Div: {
    if (K == 0)
      return Term{over(Seed, B.R)};
    if (isNumber(B.L, 1) && !Value)
      return Term{over(Seed, build::mul(B.R, B.R)), true};
    // No product of divisors, which might overflow where the quotient does not.
    const ExprRef Quotient = Value ? Value : build::div(B.L, B.R);
    return Term{over(times(Quotient, Seed), B.R), true};
  }
  default:
    llvm_unreachable("no operator on floating values");
  }
}

std::optional<Term> propagate(const ExprRef &E, unsigned K, const ExprRef &Seed,
                              Direction D, const ExprRef &Value) {
  if (!passesOn(*E, K))
    return std::nullopt;
  switch (E->Kind) {
  case ExprKind::Unary:
    return Term{Seed, true};
  case ExprKind::Binary:
    return binaryRule(*cast<Binary>(E.get()), K, Seed, Value);
  case ExprKind::Cast: {
    auto *C = cast<Cast>(E.get());
    return Term{build::cast(
        Seed, derivativeType(D == Direction::Forward ? C->Ty : C->Operand->Ty),
        C->Implicit)};
  }
  case ExprKind::Call:
    return mathRule(*cast<raise::Call>(E.get()), K, Seed, Value);
  default:
    llvm_unreachable("no operand to pass anything on to");
  }
}

//===-- Whole expressions, forward
//-----------------------------------------===//

namespace {

class Forward {
public:
  explicit Forward(const ForwardHooks &Hooks) : Hooks(Hooks) {}

  Sum run(const ExprRef &E, const ExprRef &Value) {
    if (!E->Ty.isFloat())
      return {};
    switch (E->Kind) {
    case ExprKind::VarUse:
    case ExprKind::Load:
      if (ExprRef T = Hooks.OfLeaf(E))
        return {{T}};
      return {};
    case ExprKind::Binary:
      return binary(E, Value);
    case ExprKind::Select:
      return select(*cast<Select>(E.get()));
    case ExprKind::Call:
      if (!hasRule(*cast<raise::Call>(E.get())->Fn))
        return call(*cast<raise::Call>(E.get()));
      return general(E, Value);
    default:
      return general(E, Value);
    }
  }

private:
  Sum general(const ExprRef &E, const ExprRef &Value) {
    Sum Result;
    std::vector<ExprRef> Seeds;
    for (unsigned K = 0; ExprRef Operand = operandOf(*E, K); ++K)
      Seeds.push_back(passesOn(*E, K) ? asExpr(run(Operand, nullptr))
                                      : nullptr);
    if (auto *C = dyn_cast<raise::Call>(E.get()))
      if (ExprRef Merged = extremum(*C, Seeds, Value))
        return {{Merged}};
    for (unsigned K = 0; K < Seeds.size(); ++K) {
      if (!Seeds[K])
        continue;
      const ExprRef Seed = usesSeedTwice(*E) ? Hooks.Spill(Seeds[K]) : Seeds[K];
      if (std::optional<Term> T =
              propagate(E, K, Seed, Direction::Forward, Value))
        Result.push_back(*T);
    }
    return Result;
  }

  /// One choice for both arguments.
  static ExprRef extremum(const raise::Call &C, ArrayRef<ExprRef> Seeds,
                          const ExprRef &Value) {
    const StringRef Base = baseName(*C.Fn);
    if ((Base != "fmax" && Base != "fmin") || (!Seeds[0] && !Seeds[1]))
      return nullptr;
    const ExprRef V =
        Value ? Value : std::make_shared<raise::Call>(C.Fn, C.Args, C.Loc);
    return build::select(build::binary(BinaryOp::EQ, V, C.Args[0]),
                         Seeds[0] ? Seeds[0] : zero(C.Ty),
                         Seeds[1] ? Seeds[1] : zero(C.Ty));
  }

  Sum binary(const ExprRef &E, const ExprRef &Value) {
    auto &B = *cast<Binary>(E.get());
    if (B.Op == BinaryOp::Mul)
      return product(E);
    const Sum L = run(B.L, nullptr);
    const Sum R = run(B.R, nullptr);
    if (B.Op == BinaryOp::Add || B.Op == BinaryOp::Sub) {
      Sum Result = L;
      for (const Term &T : R)
        Result.push_back({T.E, T.Minus != (B.Op == BinaryOp::Sub)});
      return Result;
    }
    if (B.Op == BinaryOp::Div && !L.empty() && !R.empty()) {
      // One division for both.
      const ExprRef Quotient = Value ? Value : build::div(B.L, B.R);
      Sum Above = L;
      Above.push_back({times(Quotient, asExpr(R)), true});
      return {{build::div(asExpr(Above), B.R)}};
    }
    Sum Result;
    for (unsigned K = 0; K < 2; ++K)
      if (ExprRef Seed = asExpr(K ? R : L))
        if (auto T = propagate(E, K, unsignedSeed(Seed, K ? R : L),
                               Direction::Forward, Value))
          Result.push_back({T->E, T->Minus != isMinus(K ? R : L)});
    return Result;
  }

  /// One term for each factor, equal ones together: of c * x * x that is
  /// c_tan * x * x + 2 * c * x * x_tan.
  Sum product(const ExprRef &E) {
    std::vector<ExprRef> Factors;
    ExprRef Rest = E;
    for (const Binary *M;
         (M = dyn_cast<Binary>(Rest.get())) && M->Op == BinaryOp::Mul;
         Rest = M->L)
      Factors.insert(Factors.begin(), M->R);
    Factors.insert(Factors.begin(), Rest);
    Sum Result;
    for (size_t I = 0; I < Factors.size(); ++I) {
      const auto Same = [&](const ExprRef &F) {
        return structurallyEqual(F, Factors[I]);
      };
      // The last of equal factors stands for all.
      if (any_of(ArrayRef(Factors).drop_front(I + 1), Same))
        continue;
      const Sum Seed = run(Factors[I], nullptr);
      if (Seed.empty())
        continue;
      const int64_t Times = count_if(Factors, Same);
      ExprRef Term = whole(Times, E->Ty);
      for (size_t K = 0; K < Factors.size(); ++K)
        Term =
            times(Term, K == I ? unsignedSeed(asExpr(Seed), Seed) : Factors[K]);
      Result.push_back({Term, isMinus(Seed)});
    }
    return Result;
  }

  /// A sum that is one negative term passes its sign on.
  static bool isMinus(const Sum &S) { return S.size() == 1 && S[0].Minus; }
  static ExprRef unsignedSeed(const ExprRef &Seed, const Sum &S) {
    return isMinus(S) ? S[0].E : Seed;
  }

  Sum select(const Select &S) {
    ForwardHooks Lazy = Hooks; // nothing of an arm may be evaluated before
    Lazy.Spill = [](const ExprRef &E) { return E; };
    Forward Inner(Lazy);
    const ExprRef T = asExpr(Inner.run(S.True, nullptr));
    const ExprRef F = asExpr(Inner.run(S.False, nullptr));
    if (!T && !F)
      return {};
    return {{build::select(S.Cond, T ? T : zero(S.Ty), F ? F : zero(S.Ty))}};
  }

  Sum call(const raise::Call &C) {
    std::vector<ExprRef> Args = C.Args;
    bool Any = false;
    for (const ExprRef &A : C.Args) {
      if (!A->Ty.isFloat())
        continue;
      const ExprRef T = asExpr(run(A, nullptr));
      Any |= T != nullptr;
      Args.push_back(T ? T : zero(A->Ty));
    }
    if (!Any)
      return {};
    if (CalleeRef Fn = Hooks.OfCallee(C))
      return {{build::call(Fn, std::move(Args))}};
    return {};
  }

  const ForwardHooks &Hooks;
};

} // namespace

Sum tangentOf(const ExprRef &E, const ForwardHooks &Hooks,
              const ExprRef &Value) {
  return Forward(Hooks).run(E, Value);
}

} // namespace raise::grad
