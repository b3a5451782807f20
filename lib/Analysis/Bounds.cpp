//===- Bounds.cpp - bounds of polynomials over an iteration space ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Atoms are eliminated from the innermost outwards: a bound on an atom is a
// polynomial over atoms made before it, so replacing each by its bound, at the
// end that the sign of its coefficient asks for, ends with invariants only.
// This is exact for boxes and triangles and a safe hull otherwise.
//
//===----------------------------------------------------------------------===//

#include "Symbols.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

namespace raise::analysis {

bool Symbols::varies(const Poly &P, AtomId &Last) const {
  bool Any = false;
  for (AtomId A : P.atoms())
    if (Atoms[A].Varies) {
      Last = A;
      Any = true;
    }
  return Any;
}

double Symbols::typical(const Poly &P) const {
  double Sum = 0;
  for (auto &[M, C] : P.terms()) {
    double T = C;
    // Different sizes, so that terms do not cancel by accident; small ones, so
    // that quotients of sizes are not taken for sizes themselves.
    for (AtomId A : M)
      T *= 7 + 0.37 * (A % 11);
    Sum += T;
  }
  return Sum;
}

bool Symbols::isMeantPositive(const Poly &P) const {
  if (contradictsSense(-P))
    return true;
  return !contradictsSense(P) && typical(P) > 0;
}

std::optional<std::pair<bool, Needs>> Symbols::sign(const Poly &C) {
  if (C.isConstant())
    return std::make_pair(C.constantTerm() >= 0, Needs{});
  const bool Up = isMeantPositive(C);
  for (bool NonNegative : {Up, !Up})
    if (auto N = require(NonNegative ? C : -C,
                         toString(C) + (NonNegative ? " is not negative"
                                                    : " is not positive")))
      return std::make_pair(NonNegative, *N);
  return std::nullopt;
}

std::optional<Bounded> Symbols::extreme(const Poly &P, bool Max,
                                        const ExtraBounds *X, unsigned Depth) {
  if (!P.valid() || Depth > 24)
    return std::nullopt;
  AtomId A = 0;
  if (!varies(P, A))
    return Bounded{P, {}};
  auto Split = P.splitLinear(A);
  if (!Split)
    return std::nullopt;
  auto S = sign(Split->first);
  if (!S)
    return std::nullopt;
  bool Upper = Max == S->first;
  std::vector<Bounded> Candidates = Upper ? Atoms[A].Hi : Atoms[A].Lo;
  if (X) {
    auto &More = Upper ? X->Hi : X->Lo;
    auto It = More.find(A);
    if (It != More.end())
      Candidates.insert(Candidates.end(), It->second.begin(), It->second.end());
    // A condition on the dividend bounds the quotient.
    if (Atoms[A].From == Origin::Quotient) {
      const DivNode D = Nodes[Atoms[A].Node];
      auto B = D.Positive ? extreme(D.E, Upper, X, Depth + 1) : std::nullopt;
      if (B)
        if (auto Whole = B->P.divideExactly(D.M))
          Candidates.insert(Candidates.begin(), {*Whole, B->N + *D.Positive});
    }
  }
  for (Bounded &C : Candidates) {
    C.P = Split->first * C.P + Split->second;
    C.N = C.N + S->second;
  }
  // Fewer terms left means that more cancelled: a tighter bound, and a guard
  // that reads better.
  std::stable_sort(Candidates.begin(), Candidates.end(),
                   [&](const Bounded &L, const Bounded &R) {
                     return L.P.terms().size() < R.P.terms().size();
                   });
  // Of those that differ by a number alone, the tightest.
  for (size_t I = 1; I < Candidates.size(); ++I) {
    const Poly Less = Max ? Candidates[0].P - Candidates[I].P
                          : Candidates[I].P - Candidates[0].P;
    if (Less.isConstant() && Less.constantTerm() > 0 &&
        Candidates[I].N == Candidates[0].N)
      std::swap(Candidates[0], Candidates[I]);
  }
  unsigned Tried = 0;
  for (const Bounded &C : Candidates) {
    if (++Tried > 3)
      break;
    if (auto B = extreme(C.P, Max, X, Depth + 1))
      return Bounded{B->P, B->N + C.N};
  }
  return std::nullopt;
}

void Symbols::learnLeast(const Poly &P,
                         std::map<AtomId, int64_t> &Least) const {
  // C * a + D >= 0 with C > 0 gives a >= ceil(-D / C).
  auto As = P.atoms();
  if (As.size() != 1)
    return;
  auto Split = P.splitLinear(*As.begin());
  if (!Split || !Split->first.isConstant() || Split->first.constantTerm() <= 0)
    return;
  int64_t C = Split->first.constantTerm(), D = -Split->second.constantTerm();
  int64_t Bound = D / C + (D > 0 && D % C != 0);
  auto [It, New] = Least.emplace(*As.begin(), Bound);
  if (!New)
    It->second = std::max(It->second, Bound);
}

std::map<AtomId, int64_t> Symbols::leastUnder(const Needs &N) const {
  std::map<AtomId, int64_t> Least;
  for (AtomId A = 0; A < Atoms.size(); ++A)
    if (const auto &Own = Atoms[A].Least; Own && !Atoms[A].Varies)
      Least[A] = *Own;
  for (const Poly &P : Known)
    learnLeast(P, Least);
  for (unsigned F : N)
    learnLeast(Facts[F].P, Least);
  return Least;
}

/// Whether every term is non-negative once each atom is written as its least
/// value plus something non-negative.
static bool obviouslyNonNegative(const Poly &P,
                                 const std::map<AtomId, int64_t> &Least) {
  Poly Shifted = P;
  for (AtomId A : P.atoms()) {
    auto It = Least.find(A);
    if (It == Least.end())
      return false;
    if (It->second != 0)
      Shifted =
          Shifted.substitute(A, Poly::atom(A) + Poly::constant(It->second));
  }
  if (!Shifted.valid())
    return false;
  for (auto &T : Shifted.terms())
    if (T.second < 0)
      return false;
  return true;
}

/// The least or the greatest value of a product, by the ranges of the atoms'
/// types and what is known to be their least value.
std::optional<int64_t>
Symbols::extremeByType(const Monomial &M, bool Greatest,
                       const std::map<AtomId, int64_t> &Least) const {
  int64_t Lowest = 1, Highest = 1;
  bool Signed = false;
  for (AtomId Of : M) {
    const Atom &A = Atoms[Of];
    auto It = Least.find(Of);
    auto Lo = It != Least.end() ? std::optional(It->second) : A.TypeMin;
    const bool Below = !Lo || *Lo < 0;
    if (M.size() == 1)
      return Greatest ? A.TypeMax : Lo;
    // Of a product with factors of any sign, by their sizes.
    if ((Below && (!A.TypeMin || *A.TypeMin == INT64_MIN)) || !A.TypeMax)
      return std::nullopt;
    const int64_t Size = Below ? std::max(-*A.TypeMin, *A.TypeMax) : *A.TypeMax;
    if (__builtin_mul_overflow(Highest, Size, &Highest) ||
        (!Below && __builtin_mul_overflow(Lowest, *Lo, &Lowest)))
      return std::nullopt;
    Signed |= Below;
  }
  return Greatest ? Highest : Signed ? -Highest : Lowest;
}

/// The least value of P by the ranges of the atoms' types.
bool Symbols::provesByType(const Poly &P,
                           const std::map<AtomId, int64_t> &Least) const {
  int64_t Sum = 0;
  for (auto &[M, C] : P.terms()) {
    int64_t Extreme = 1;
    if (!M.empty()) {
      auto Bound = extremeByType(M, /*Greatest=*/C < 0, Least);
      if (!Bound)
        return false;
      Extreme = *Bound;
    }
    if (__builtin_mul_overflow(Extreme, C, &Extreme) ||
        __builtin_add_overflow(Sum, Extreme, &Sum))
      return false;
  }
  return Sum >= 0;
}

bool Symbols::provesWhere(const Poly &P, const Needs &N,
                          llvm::ArrayRef<Poly> Where) const {
  if (!P.valid())
    return false;
  if (P.isConstant())
    return P.constantTerm() >= 0;
  auto Least = leastUnder(N);
  for (const Poly &K : Where)
    learnLeast(K, Least);
  if (obviouslyNonNegative(P, Least) || provesByType(P, Least))
    return true;
  for (const auto &Also : {llvm::ArrayRef<Poly>(Known), Where})
    for (const Poly &K : Also)
      if (obviouslyNonNegative(P - K, Least))
        return true;
  for (unsigned F : N)
    if (obviouslyNonNegative(P - Facts[F].P, Least))
      return true;
  return false;
}

/// Whether P < 0 in every run of the loop that makes a difference.
bool Symbols::contradictsSense(const Poly &P) const {
  Poly Opposite = -P - Poly::constant(1);
  if (proves(Opposite))
    return true;
  auto Least = leastUnder({});
  for (const Poly &K : Sensible)
    learnLeast(K, Least);
  if (obviouslyNonNegative(Opposite, Least))
    return true;
  for (const Poly &K : Sensible)
    if (obviouslyNonNegative(Opposite - K, Least))
      return true;
  return false;
}

bool Symbols::contradictory(const Needs &N) const {
  return llvm::any_of(N, [&](unsigned F) {
    Needs Others = N;
    Others.erase(F);
    return proves(-Facts[F].P - Poly::constant(1), Others);
  });
}

void Symbols::addSensible(const Poly &P) {
  if (P.valid() && !varies(P))
    Sensible.push_back(P);
}

void Symbols::addKnown(const Poly &P) {
  if (P.valid() && !varies(P))
    Known.push_back(P);
}

std::optional<Needs> Symbols::require(const Poly &P, const std::string &Why,
                                      const ExtraBounds *X) {
  auto B = lower(P, X);
  if (!B)
    return std::nullopt;
  if (B->P.isConstant()) {
    if (B->P.constantTerm() < 0)
      return std::nullopt;
    return B->N;
  }
  if (proves(B->P))
    return B->N;
  // A test of a value that is never negative for being at most -1, say.
  if (contradictsSense(B->P) || !guardable(B->P))
    return std::nullopt;
  auto Limits = limits(B->P, true);
  if (!Limits)
    return std::nullopt;
  Needs N = B->N + *Limits;
  for (AtomId A : B->P.atoms())
    N = N + Atoms[A].Pre;
  N.insert(addFact(B->P, Why));
  return N;
}

} // namespace raise::analysis
