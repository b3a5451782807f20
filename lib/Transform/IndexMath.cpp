//===- IndexMath.cpp - how an integer expression varies -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "raise/Transform/IndexMath.h"
#include <algorithm>

using namespace raise;
using llvm::dyn_cast;

void Polynomial::add(std::vector<const Var *> Vars, int64_t Factor) {
  auto [It, New] = Terms.try_emplace(std::move(Vars), 0);
  // Modulo 2^64, without signed overflow of our own.
  It->second = static_cast<int64_t>(static_cast<uint64_t>(It->second) +
                                    static_cast<uint64_t>(Factor));
  if (It->second == 0)
    Terms.erase(It);
}

Polynomial Polynomial::constant(int64_t C) {
  Polynomial P;
  P.add({}, C);
  return P;
}

Polynomial Polynomial::variable(const Var *V) {
  Polynomial P;
  P.add({V}, 1);
  return P;
}

Polynomial Polynomial::operator+(const Polynomial &O) const {
  Polynomial P = *this;
  for (const auto &[Vars, Factor] : O.Terms)
    P.add(Vars, Factor);
  return P;
}

Polynomial Polynomial::operator-(const Polynomial &O) const {
  return *this + O * constant(-1);
}

Polynomial Polynomial::operator*(const Polynomial &O) const {
  Polynomial P;
  for (const auto &[VarsA, FactorA] : Terms)
    for (const auto &[VarsB, FactorB] : O.Terms) {
      std::vector<const Var *> Vars = VarsA;
      Vars.insert(Vars.end(), VarsB.begin(), VarsB.end());
      std::sort(Vars.begin(), Vars.end());
      P.add(std::move(Vars),
            static_cast<int64_t>(static_cast<uint64_t>(FactorA) *
                                 static_cast<uint64_t>(FactorB)));
    }
  return P;
}

bool Polynomial::mentions(const Var *V) const {
  for (const auto &[Vars, Factor] : Terms)
    if (std::find(Vars.begin(), Vars.end(), V) != Vars.end())
      return true;
  return false;
}

std::optional<Polynomial> Polynomial::coefficient(const Var *V) const {
  Polynomial P;
  for (const auto &[Vars, Factor] : Terms) {
    auto Power = std::count(Vars.begin(), Vars.end(), V);
    if (Power > 1)
      return std::nullopt;
    if (Power == 0)
      continue;
    std::vector<const Var *> Rest = Vars;
    Rest.erase(std::find(Rest.begin(), Rest.end(), V));
    P.add(std::move(Rest), Factor);
  }
  return P;
}

Polynomial Polynomial::without(const Var *V) const {
  Polynomial P;
  for (const auto &[Vars, Factor] : Terms)
    if (std::find(Vars.begin(), Vars.end(), V) == Vars.end())
      P.add(Vars, Factor);
  return P;
}

bool Polynomial::isNatural(
    llvm::function_ref<bool(const Var *)> IsNatural) const {
  return llvm::all_of(Terms, [&](const auto &T) {
    return T.second >= 0 && llvm::all_of(T.first, IsNatural);
  });
}

std::optional<int64_t> Polynomial::asConstant() const {
  if (Terms.empty())
    return 0;
  if (Terms.size() == 1 && Terms.begin()->first.empty())
    return Terms.begin()->second;
  return std::nullopt;
}

std::optional<std::vector<int64_t>>
Polynomial::asSum(const std::vector<Polynomial> &Basis,
                  Polynomial *Rest) const {
  std::vector<int64_t> Out;
  Polynomial Left = *this;
  for (const Polynomial &B : Basis) {
    Out.push_back(0);
    if (B.isZero())
      continue;
    const auto Own =
        std::find_if(B.Terms.begin(), B.Terms.end(), [&](const auto &Term) {
          return std::all_of(
              Basis.begin(), Basis.end(), [&](const Polynomial &Other) {
                return &Other == &B || !Other.Terms.count(Term.first);
              });
        });
    if (Own == B.Terms.end())
      return std::nullopt;
    const auto Has = Terms.find(Own->first);
    const int64_t Factor = Has == Terms.end() ? 0 : Has->second;
    // Exact division, of which no quotient is out of range.
    if (Own->second == -1 ? Factor == INT64_MIN : Factor % Own->second != 0) {
      if (!Rest)
        return std::nullopt;
      continue;
    }
    Out.back() = Factor / Own->second;
    Left = Left - B * constant(Out.back());
  }
  if (Rest)
    *Rest = Left;
  else if (!Left.isZero())
    return std::nullopt;
  return Out;
}

std::optional<Polynomial> Polynomial::of(const ExprRef &E) {
  if (!E->Ty.isInt())
    return std::nullopt;
  if (auto *C = dyn_cast<IntConst>(E.get()))
    return constant(C->Value);
  if (auto *U = dyn_cast<VarUse>(E.get()))
    return variable(U->V.get());
  if (auto *C = dyn_cast<Cast>(E.get()))
    return C->Operand->Ty.isInt() && C->Ty.Bits >= 32 ? of(C->Operand)
                                                      : std::nullopt;
  if (auto *U = dyn_cast<Unary>(E.get())) {
    auto P = U->Op == UnaryOp::Neg ? of(U->Operand) : std::nullopt;
    return P ? std::optional(*P * constant(-1)) : std::nullopt;
  }
  auto *B = dyn_cast<Binary>(E.get());
  if (!B || (B->Op != BinaryOp::Add && B->Op != BinaryOp::Sub &&
             B->Op != BinaryOp::Mul))
    return std::nullopt;
  auto L = of(B->L), R = of(B->R);
  if (!L || !R)
    return std::nullopt;
  switch (B->Op) {
  case BinaryOp::Add:
    return *L + *R;
  case BinaryOp::Sub:
    return *L - *R;
  default:
    return *L * *R;
  }
}
