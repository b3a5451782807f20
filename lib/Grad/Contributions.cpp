//===- Contributions.cpp - what an expression's adjoint passes on ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Contributions.h"
#include "Rules.h"
#include "raise/IR/Visitor.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace raise::grad {

namespace {

class Spreader {
public:
  explicit Spreader(const ContributionHooks &Hooks) : Hooks(Hooks) {}

  void run(const ExprRef &E, const Term &Seed, const ExprRef &Value,
           Contributions &Out) {
    if (!E->Ty.isFloat() || !Hooks.IsActive(E))
      return;
    switch (E->Kind) {
    case ExprKind::VarUse:
    case ExprKind::Load:
      return give(E, Seed, Out);
    case ExprKind::Select:
      return choose(*cast<Select>(E.get()), Seed, Out);
    case ExprKind::Call:
      if (!hasRule(*cast<Call>(E.get())->Fn))
        return call(*cast<Call>(E.get()), Seed, Out);
      return spread(E, Seed, Value, Out);
    case ExprKind::Binary:
      if (power(*cast<Binary>(E.get()), Seed, Out) ||
          quotient(*cast<Binary>(E.get()), Seed, Value, Out))
        return;
      return spread(E, Seed, Value, Out);
    default:
      return spread(E, Seed, Value, Out);
    }
  }

private:
  static void give(const ExprRef &To, const Term &T, Contributions &Out) {
    // What one place gets stands in one statement, unless something that it
    // uses is named in between.
    for (Contribution &C : reverse(Out)) {
      if (C.Named || C.Cond)
        break;
      if (structurallyEqual(C.To, To)) {
        C.Terms.push_back(T);
        return;
      }
    }
    Contribution C;
    C.To = To;
    C.Terms = {T};
    Out.push_back(std::move(C));
  }

  static bool isCheap(const ExprRef &E) {
    switch (E->Kind) {
    case ExprKind::VarUse:
    case ExprKind::IntConst:
    case ExprKind::FloatConst:
      return true;
    case ExprKind::Load:
      return true;
    case ExprKind::Cast:
      return isCheap(cast<Cast>(E.get())->Operand);
    case ExprKind::Unary:
      return isCheap(cast<Unary>(E.get())->Operand);
    default:
      return false;
    }
  }
  /// A product of two things is no reason for a name yet.
  static bool isShort(const ExprRef &E) {
    if (isCheap(E))
      return true;
    auto *B = dyn_cast<Binary>(E.get());
    return B && B->Op == BinaryOp::Mul && isCheap(B->L) && isCheap(B->R);
  }

  Term named(const Term &T, Contributions &Out) {
    if (isCheap(T.E))
      return T;
    Contribution C;
    C.Named = Hooks.Temporary("d", T.E->Ty);
    C.Terms = {{T.E, false}};
    const ExprRef Use = build::var(C.Named);
    Out.push_back(std::move(C));
    return {Use, T.Minus};
  }

  unsigned activeSources(const ExprRef &E) const {
    unsigned Count = 0;
    forEachSource(E,
                  [&](const ExprRef &Leaf) { Count += Hooks.IsActive(Leaf); });
    return Count;
  }

  void spread(const ExprRef &E, Term Seed, const ExprRef &Value,
              Contributions &Out) {
    std::vector<std::pair<ExprRef, Term>> Parts;
    if (usesSeedTwice(*E))
      Seed = named(Seed, Out);
    for (unsigned K = 0; const ExprRef Operand = operandOf(*E, K); ++K) {
      if (!passesOn(*E, K) || !Hooks.IsActive(Operand))
        continue;
      if (std::optional<Term> T =
              propagate(E, K, Seed.E, Direction::Reverse, Value))
        Parts.push_back({Operand, {T->E, T->Minus != Seed.Minus}});
    }
    for (auto &[Operand, T] : Parts) {
      // What several contributions use is computed once.
      if (!isShort(T.E) && activeSources(Operand) > 1)
        T = named(T, Out);
      run(Operand, T, nullptr, Out);
    }
  }

  /// Of a product with equal factors, one term for all of these: x * x gives
  /// 2 * x * seed, and c * x * x gives 2 * c * x * seed. False if it has none.
  bool power(const Binary &B, Term Seed, Contributions &Out) {
    std::vector<ExprRef> Factors;
    const Binary *M = &B;
    while (M && M->Op == BinaryOp::Mul) {
      Factors.insert(Factors.begin(), M->R);
      if (!isa<Binary>(*M->L) || cast<Binary>(M->L.get())->Op != BinaryOp::Mul)
        Factors.insert(Factors.begin(), M->L);
      M = dyn_cast<Binary>(M->L.get());
    }
    // Of many factors, all products of the others would be long.
    if (B.Op != BinaryOp::Mul || Factors.size() > 4)
      return false;
    std::vector<size_t> Distinct;
    bool AnyEqual = false;
    for (size_t I = 0; I < Factors.size(); ++I) {
      if (any_of(Distinct, [&](size_t K) {
            return structurallyEqual(Factors[K], Factors[I]);
          }))
        AnyEqual |= Hooks.IsActive(Factors[I]);
      else
        Distinct.push_back(I);
    }
    if (!AnyEqual)
      return false;
    if (Distinct.size() > 1 && !isShort(Seed.E))
      Seed = named(Seed, Out);
    for (const size_t I : Distinct) {
      const ExprRef &F = Factors[I];
      if (!Hooks.IsActive(F))
        continue;
      const int64_t Times = count_if(
          Factors, [&](const ExprRef &G) { return structurallyEqual(F, G); });
      ExprRef E = Times > 1 ? whole(Times, B.Ty) : nullptr;
      for (size_t K = 0; K < Factors.size(); ++K)
        if (K != I)
          E = E ? times(E, Factors[K]) : Factors[K];
      const Term T{times(E, Seed.E), Seed.Minus};
      run(F, activeSources(F) > 1 ? named(T, Out) : T, nullptr, Out);
    }
    return true;
  }

  /// Of x / y, one division of the seed for both: d = seed / y goes to x, and
  /// x / y * d is taken off for y. False if it is no such thing.
  bool quotient(const Binary &B, const Term &Seed, const ExprRef &Value,
                Contributions &Out) {
    if (B.Op != BinaryOp::Div || !Hooks.IsActive(B.L) || !Hooks.IsActive(B.R))
      return false;
    const Term Above = named({over(Seed.E, B.R), Seed.Minus}, Out);
    const ExprRef Quotient = Value ? Value : build::div(B.L, B.R);
    Term Below{times(Quotient, Above.E), !Seed.Minus};
    if (!isShort(Below.E) && activeSources(B.R) > 1)
      Below = named(Below, Out);
    run(B.L, Above, nullptr, Out);
    run(B.R, Below, nullptr, Out);
    return true;
  }

  void choose(const Select &S, const Term &Seed, Contributions &Out) {
    Contribution C;
    C.Cond = S.Cond;
    const Term Once =
        activeSources(S.True) + activeSources(S.False) > 1 && !isShort(Seed.E)
            ? named(Seed, Out)
            : Seed;
    run(S.True, Once, nullptr, C.Then);
    run(S.False, Once, nullptr, C.Else);
    if (!C.Then.empty() || !C.Else.empty())
      Out.push_back(std::move(C));
  }

  void call(const Call &C, const Term &Seed, Contributions &Out) {
    unsigned Active = 0;
    for (const ExprRef &A : C.Args)
      Active += A->Ty.isFloat() && Hooks.IsActive(A);
    const Term Once = Active > 1 ? named(Seed, Out) : Seed;
    for (unsigned K = 0; K < C.Args.size(); ++K) {
      if (!C.Args[K]->Ty.isFloat() || !Hooks.IsActive(C.Args[K]))
        continue;
      const ExprRef E = Hooks.OfArgument(C, K, Once.E);
      if (!E)
        continue;
      Term T{E, Once.Minus};
      if (activeSources(C.Args[K]) > 1)
        T = named(T, Out);
      run(C.Args[K], T, nullptr, Out);
    }
  }

  const ContributionHooks &Hooks;
};

} // namespace

Contributions contributionsOf(const ExprRef &E, const Term &Seed,
                              const ContributionHooks &Hooks,
                              const ExprRef &Value) {
  Contributions Out;
  Spreader(Hooks).run(E, Seed, Value, Out);
  return Out;
}

} // namespace raise::grad
