//===- Poly.cpp - integer polynomials over symbols ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Poly.h"
#include <algorithm>
#include <cstdlib>
#include <numeric>

namespace raise::analysis {

Monomial multiply(const Monomial &A, const Monomial &B) {
  Monomial R(A.size() + B.size());
  std::merge(A.begin(), A.end(), B.begin(), B.end(), R.begin());
  return R;
}

std::optional<Monomial> divide(const Monomial &A, const Monomial &B) {
  if (!std::includes(A.begin(), A.end(), B.begin(), B.end()))
    return std::nullopt;
  Monomial R;
  std::set_difference(A.begin(), A.end(), B.begin(), B.end(),
                      std::back_inserter(R));
  return R;
}

Poly Poly::constant(int64_t C) { return term({}, C); }
Poly Poly::atom(AtomId A) { return term({A}, 1); }
Poly Poly::term(Monomial M, int64_t C) {
  Poly P;
  P.add(M, C);
  return P;
}

void Poly::add(const Monomial &M, int64_t C) {
  // The most negative number has no negation; leaving it out keeps unary minus
  // and the absolute values below total.
  if (C == INT64_MIN) {
    Ok = false;
    return;
  }
  if (C == 0)
    return;
  auto [It, New] = Terms.emplace(M, C);
  if (New)
    return;
  if (__builtin_add_overflow(It->second, C, &It->second) ||
      It->second == INT64_MIN)
    Ok = false;
  if (It->second == 0)
    Terms.erase(It);
}

bool Poly::isConstant() const {
  return Ok &&
         (Terms.empty() || (Terms.size() == 1 && Terms.begin()->first.empty()));
}

int64_t Poly::constantTerm() const {
  auto It = Terms.find({});
  return It == Terms.end() ? 0 : It->second;
}

std::optional<AtomId> Poly::asAtom() const {
  if (!Ok || Terms.size() != 1 || Terms.begin()->second != 1 ||
      Terms.begin()->first.size() != 1)
    return std::nullopt;
  return Terms.begin()->first.front();
}

Poly Poly::operator+(const Poly &O) const {
  Poly R = *this;
  R.Ok = Ok && O.Ok;
  for (auto &[M, C] : O.Terms)
    R.add(M, C);
  return R;
}

Poly Poly::operator-() const {
  Poly R = *this;
  for (auto &T : R.Terms)
    T.second = -T.second;
  return R;
}

Poly Poly::operator-(const Poly &O) const { return *this + -O; }

Poly Poly::operator*(const Poly &O) const {
  Poly R;
  R.Ok = Ok && O.Ok;
  for (auto &[MA, CA] : Terms)
    for (auto &[MB, CB] : O.Terms) {
      int64_t C;
      if (__builtin_mul_overflow(CA, CB, &C))
        R.Ok = false;
      else
        R.add(multiply(MA, MB), C);
    }
  return R;
}

std::optional<Poly> Poly::divideExactly(const Poly &D) const {
  if (!Ok || !D.Ok || D.Terms.empty())
    return std::nullopt;
  // Division by the leading term, in the order by degree and then by atoms,
  // which multiplication respects.
  auto Leading = [](const Poly &P) {
    return *std::max_element(P.Terms.begin(), P.Terms.end(),
                             [](const auto &A, const auto &B) {
                               if (A.first.size() != B.first.size())
                                 return A.first.size() < B.first.size();
                               return A.first > B.first;
                             });
  };
  auto [DM, DC] = Leading(D);
  Poly Rest = *this, Quotient;
  for (unsigned Step = 0; !Rest.Terms.empty(); ++Step) {
    auto [M, C] = Leading(Rest);
    auto QM = divide(M, DM);
    if (!QM || C % DC != 0 || Step > 64)
      return std::nullopt;
    Poly T = term(*QM, C / DC);
    Quotient = Quotient + T;
    Rest = Rest - T * D;
    if (!Rest.Ok || !Quotient.Ok)
      return std::nullopt;
  }
  return Quotient;
}

std::set<AtomId> Poly::atoms() const {
  std::set<AtomId> R;
  for (auto &T : Terms)
    R.insert(T.first.begin(), T.first.end());
  return R;
}

bool Poly::mentions(AtomId A) const {
  for (auto &T : Terms)
    if (std::binary_search(T.first.begin(), T.first.end(), A))
      return true;
  return false;
}

std::optional<std::pair<Poly, Poly>> Poly::splitLinear(AtomId A) const {
  Poly Linear, Rest;
  Linear.Ok = Rest.Ok = Ok;
  for (auto &[M, C] : Terms) {
    auto Power = std::count(M.begin(), M.end(), A);
    if (Power > 1)
      return std::nullopt;
    if (Power == 0)
      Rest.add(M, C);
    else if (auto Others = divide(M, {A}))
      Linear.add(*Others, C);
  }
  return std::make_pair(Linear, Rest);
}

Poly Poly::substitute(AtomId A, const Poly &To) const {
  Poly R;
  R.Ok = Ok && To.Ok;
  for (auto &[M, C] : Terms) {
    Poly T = term({}, C);
    for (AtomId X : M)
      T = T * (X == A ? To : atom(X));
    R = R + T;
  }
  return R;
}

Poly Poly::filter(llvm::function_ref<bool(const Monomial &)> Keep) const {
  Poly R;
  R.Ok = Ok;
  for (auto &[M, C] : Terms)
    if (Keep(M))
      R.add(M, C);
  return R;
}

int64_t Poly::content() const {
  int64_t G = 0;
  for (auto &T : Terms)
    G = std::gcd(G, T.second);
  return G;
}

Poly Poly::dividedBy(int64_t C) const {
  Poly R;
  R.Ok = Ok && C != 0;
  if (C != 0)
    for (auto &[M, Coefficient] : Terms)
      R.add(M, Coefficient / C);
  return R;
}

} // namespace raise::analysis
