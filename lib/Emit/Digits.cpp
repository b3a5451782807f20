//===- Digits.cpp - row-major indices behind a flat index, for comments ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Only for reading: whether accesses are disjoint was decided elsewhere. The
// index is written as a sum of monomials; those with the same parameters in
// them form one digit, and the parameters that the next digit lacks are its
// extent.
//
//===----------------------------------------------------------------------===//

#include "Formula.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace llvm;

namespace raise {
namespace {

using VarList = std::vector<const Var *>; // a sorted multiset

struct Monomial {
  int64_t Factor = 1;
  VarList Vars;
};
using Polynomial = std::vector<Monomial>;

constexpr int64_t MaxFactor = 1 << 20;

void addTerm(Polynomial &P, Monomial M) {
  llvm::sort(M.Vars);
  for (Monomial &Old : P)
    if (Old.Vars == M.Vars) {
      Old.Factor += M.Factor;
      return;
    }
  P.push_back(std::move(M));
}

/// Nothing where E is no polynomial in integer variables, or is cut to fewer
/// bits.
std::optional<Polynomial> polynomialOf(const ExprRef &E) {
  if (auto *C = dyn_cast<Cast>(E.get()))
    return C->Ty.isInt() && C->Operand->Ty.isInt() &&
                   C->Ty.Bits >= C->Operand->Ty.Bits
               ? polynomialOf(C->Operand)
               : std::nullopt;
  if (auto *C = dyn_cast<IntConst>(E.get())) {
    if (std::abs(C->Value) > MaxFactor || !C->Spelling.empty())
      return std::nullopt;
    return Polynomial{{C->Value, {}}};
  }
  if (auto *U = dyn_cast<VarUse>(E.get()))
    return U->V->Kind == VarKind::Cursor
               ? std::nullopt
               : std::optional(Polynomial{{1, {U->V.get()}}});
  auto *B = dyn_cast<Binary>(E.get());
  if (!B)
    return std::nullopt;
  auto L = polynomialOf(B->L), R = polynomialOf(B->R);
  if (!L || !R)
    return std::nullopt;
  Polynomial Result;
  switch (B->Op) {
  case BinaryOp::Add:
  case BinaryOp::Sub:
    for (const Monomial &M : *L)
      addTerm(Result, M);
    for (Monomial M : *R) {
      M.Factor = B->Op == BinaryOp::Sub ? -M.Factor : M.Factor;
      addTerm(Result, M);
    }
    break;
  case BinaryOp::Mul:
    for (const Monomial &X : *L)
      for (const Monomial &Y : *R) {
        if (std::abs(X.Factor) > MaxFactor || std::abs(Y.Factor) > MaxFactor)
          return std::nullopt;
        Monomial M = X;
        M.Factor *= Y.Factor;
        M.Vars.insert(M.Vars.end(), Y.Vars.begin(), Y.Vars.end());
        addTerm(Result, M);
      }
    break;
  default:
    return std::nullopt;
  }
  erase_if(Result, [](const Monomial &M) { return M.Factor == 0; });
  return Result;
}

/// One digit: (Σ factor · iterator + Constant) · Stride.
struct Digit {
  VarList Stride;
  int64_t Scale = 1;
  std::vector<std::pair<int64_t, const Iterator *>> Terms;
  int64_t Constant = 0;
};

class Splitter {
public:
  explicit Splitter(ArrayRef<const Iterator *> Domain) : Domain(Domain) {}
  std::vector<Digit> Digits; ///< widest stride first

  bool split(const Polynomial &P);
  bool rangesShow() const;

private:
  const Iterator *iteratorOf(const Var *V) const {
    auto It =
        find_if(Domain, [&](const Iterator *I) { return I->V.get() == V; });
    return It == Domain.end() ? nullptr : *It;
  }
  Digit &digitFor(const VarList &Stride);
  bool splitConstantStride();
  bool fits(const Digit &D, const VarList &Extent, int64_t Scale) const;
  std::optional<Polynomial> upperBound(const Iterator &It) const;

  ArrayRef<const Iterator *> Domain;
};

Digit &Splitter::digitFor(const VarList &Stride) {
  for (Digit &D : Digits)
    if (D.Stride == Stride)
      return D;
  Digits.emplace_back();
  Digits.back().Stride = Stride;
  return Digits.back();
}

bool Splitter::split(const Polynomial &P) {
  digitFor({});
  for (const Monomial &M : P) {
    VarList Stride;
    const Iterator *It = nullptr;
    for (const Var *V : M.Vars) {
      const Iterator *Here = iteratorOf(V);
      if (!Here)
        Stride.push_back(V);
      else if (It)
        return false; // a product of iterators is no index of an array
      else
        It = Here;
    }
    Digit &D = digitFor(Stride);
    if (It)
      D.Terms.push_back({M.Factor, It});
    else
      D.Constant += M.Factor;
  }
  stable_sort(Digits, [](const Digit &A, const Digit &B) {
    return A.Stride.size() > B.Stride.size();
  });
  return splitConstantStride();
}

/// 3 * i + 1 is the two digits i, 1.
bool Splitter::splitConstantStride() {
  Digit &Last = Digits.back();
  int64_t Scale = 1;
  for (auto &[Factor, It] : Last.Terms)
    if (std::abs(Factor) != 1) {
      if (Scale != 1 && Scale != Factor)
        return false;
      Scale = Factor;
    }
  if (Scale == 1)
    return true;
  if (Scale < 0 || Last.Constant < 0)
    return false;
  Digit Outer = Last, Inner;
  Outer.Scale = Scale;
  Outer.Terms.clear();
  for (auto &[Factor, It] : Last.Terms) {
    if (Factor == Scale)
      Outer.Terms.push_back({1, It});
    else
      Inner.Terms.push_back({Factor, It});
  }
  Outer.Constant = Last.Constant / Scale;
  Inner.Constant = Last.Constant % Scale;
  Digits.back() = Outer;
  Digits.push_back(Inner);
  return true;
}

/// What no value of It reaches: its end, in which another iterator, as in
/// t2 < t + 1, is at most its own end less one.
std::optional<Polynomial> Splitter::upperBound(const Iterator &It) const {
  auto Hi = polynomialOf(It.Hi);
  if (!Hi)
    return std::nullopt;
  for (size_t I = 0; I < Hi->size(); ++I) {
    const Monomial M = (*Hi)[I];
    const Iterator *Outer =
        M.Vars.size() == 1 ? iteratorOf(M.Vars[0]) : nullptr;
    if (!Outer || M.Factor != 1)
      continue;
    auto End = polynomialOf(Outer->Hi);
    if (!End)
      return std::nullopt;
    Hi->erase(Hi->begin() + ptrdiff_t(I));
    for (const Monomial &More : *End)
      addTerm(*Hi, More);
    addTerm(*Hi, {-1, {}});
    erase_if(*Hi, [](const Monomial &X) { return X.Factor == 0; });
    break;
  }
  return Hi;
}

/// Whether D's iterator runs over an extent of that size, neighbours included.
bool Splitter::fits(const Digit &D, const VarList &Extent,
                    int64_t Scale) const {
  if (D.Terms.empty())
    return D.Constant >= 0 &&
           (Extent.empty() ? D.Constant < Scale : D.Constant == 0);
  if (D.Terms.size() != 1 || D.Terms[0].first != 1)
    return false;
  const Iterator &It = *D.Terms[0].second;
  auto *Lo = dyn_cast<IntConst>(withoutImplicitCasts(It.Lo).get());
  auto Hi = upperBound(It);
  if (!Lo || Lo->Value < 0 || !Hi)
    return false;
  int64_t Constant = 0;
  bool Match = Extent.empty();
  for (const Monomial &M : *Hi) {
    if (M.Vars.empty())
      Constant = M.Factor;
    else if (M.Vars == Extent && M.Factor == Scale)
      Match = true;
    else
      return false;
  }
  return Match &&
         (Extent.empty() ? Constant + D.Constant <= Scale : Constant <= 0);
}

bool Splitter::rangesShow() const {
  for (size_t I = 1; I < Digits.size(); ++I) {
    const VarList &Outer = Digits[I - 1].Stride, &Inner = Digits[I].Stride;
    if (!std::includes(Outer.begin(), Outer.end(), Inner.begin(), Inner.end()))
      return false;
    VarList Extent;
    std::set_difference(Outer.begin(), Outer.end(), Inner.begin(), Inner.end(),
                        std::back_inserter(Extent));
    int64_t Scale = Digits[I - 1].Scale / Digits[I].Scale;
    if (!fits(Digits[I], Extent, Scale))
      return false;
  }
  return true;
}

ExprRef valueOf(const Digit &D, const Type &Ty) {
  ExprRef Sum;
  for (auto &[Factor, It] : D.Terms) {
    ExprRef V = build::cast(build::var(It->V), Ty);
    if (Factor != 1)
      V = build::mul(build::intConst(Factor, Ty), V);
    Sum = Sum ? build::add(Sum, V) : V;
  }
  if (!Sum)
    return build::intConst(D.Constant, Ty);
  if (D.Constant < 0)
    return build::sub(Sum, build::intConst(-D.Constant, Ty));
  return build::add(Sum, build::intConst(D.Constant, Ty));
}

} // namespace

std::vector<ExprRef> digitsOf(const ExprRef &E,
                              ArrayRef<const Iterator *> Domain) {
  auto P = polynomialOf(E);
  Splitter S(Domain);
  if (!P || !S.split(*P) || S.Digits.size() < 2 || !S.rangesShow())
    return {E};
  // A strided vector, or an offset that no iterator moves, is no array.
  bool Strided = all_of(drop_begin(S.Digits), [](const Digit &D) {
    return D.Terms.empty() && D.Constant == 0;
  });
  if (Strided || S.Digits.front().Terms.empty())
    return {E};
  std::vector<ExprRef> Indices;
  Indices.reserve(S.Digits.size());
  for (const Digit &D : S.Digits)
    Indices.push_back(valueOf(D, Type::getI64()));
  return Indices;
}

} // namespace raise
