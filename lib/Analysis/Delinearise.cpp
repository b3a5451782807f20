//===- Delinearise.cpp - one index equation as one for each dimension -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Conflicts.h"
#include <algorithm>
#include <cstdlib>
#include <numeric>

namespace raise::analysis {

namespace {
struct Level {
  Poly Stride, A, B;
};

class Splitter {
public:
  Splitter(Symbols &S, const ExtraBounds &XA, const ExtraBounds &XB,
           SplitMode Mode)
      : S(S), XA(XA), XB(XB), Mode(Mode) {}
  std::optional<Splitting> run(const Poly &A, const Poly &B);

private:
  bool gather(const Poly &P, bool IsA);
  Poly &side(const Poly &Stride, bool IsA);
  std::vector<std::vector<Level>> orders();
  std::optional<Splitting> inOrder(const Poly &Delta);
  bool spread(const Poly &Delta);
  void widen();
  bool inRange(const Poly &A, const Poly &B, const Poly &Size, Needs &N,
               const std::string &Why);

  Symbols &S;
  const ExtraBounds &XA, &XB;
  SplitMode Mode;
  std::vector<Level> Levels;
};
} // namespace

Poly &Splitter::side(const Poly &Stride, bool IsA) {
  for (Level &L : Levels)
    if (L.Stride == Stride)
      return IsA ? L.A : L.B;
  Levels.push_back({Stride, {}, {}});
  return IsA ? Levels.back().A : Levels.back().B;
}

/// Sorts P's terms by the stride that multiplies what varies.
bool Splitter::gather(const Poly &P, bool IsA) {
  for (AtomId A : P.atoms()) {
    if (!S[A].Varies)
      continue;
    auto Split = P.splitLinear(A);
    if (!Split || S.varies(Split->first))
      return false;
    Poly Stride = Split->first;
    int64_t Scale =
        Mode == SplitMode::Full && Stride.isConstant() ? 1 : Stride.content();
    if (!S.isMeantPositive(Stride))
      Scale = -Scale;
    Stride = Stride.dividedBy(Scale);
    Poly &To = side(Stride, IsA);
    To = To + Poly::atom(A) * Poly::constant(Scale);
  }
  return true;
}

/// Orders of the strides in which as many as can be divide the next one. Of
/// sizes that are unrelated nothing else says which is the greater, so that
/// there may be several, the likeliest first.
std::vector<std::vector<Level>> Splitter::orders() {
  std::sort(Levels.begin(), Levels.end(), [&](const Level &L, const Level &R) {
    double X = S.typical(L.Stride), Y = S.typical(R.Stride);
    return X != Y ? X < Y : L.Stride < R.Stride;
  });
  const size_t Count = Levels.size();
  if (Count > 6)
    return {Levels};
  std::vector<std::vector<bool>> Divides(Count, std::vector<bool>(Count));
  for (size_t I = 0; I < Count; ++I)
    for (size_t J = 0; J < Count; ++J)
      Divides[I][J] =
          I != J && Levels[J].Stride.divideExactly(Levels[I].Stride);
  std::vector<size_t> Order(Count);
  for (size_t I = 0; I < Count; ++I)
    Order[I] = I;
  // Among such orders, products of more factors come later.
  std::vector<size_t> Degree(Count);
  for (size_t I = 0; I < Count; ++I)
    for (auto &T : Levels[I].Stride.terms())
      Degree[I] = std::max(Degree[I], T.first.size());
  size_t Least = SIZE_MAX;
  std::vector<std::vector<size_t>> Best;
  do {
    size_t Cost = 0;
    bool Possible = true;
    for (size_t I = 0; I < Count; ++I) {
      for (size_t J = I + 1; J < Count; ++J)
        Possible &= !Divides[Order[J]][Order[I]];
      if (I + 1 < Count)
        Cost += 16 * !Divides[Order[I]][Order[I + 1]] +
                (Degree[Order[I]] > Degree[Order[I + 1]]);
    }
    if (!Possible || Cost > Least)
      continue;
    if (Cost < Least)
      Best.clear();
    Least = Cost;
    Best.push_back(Order);
  } while (std::next_permutation(Order.begin(), Order.end()));
  std::vector<std::vector<Level>> Out;
  for (const std::vector<size_t> &Each : Best) {
    Out.emplace_back();
    for (size_t I : Each)
      Out.back().push_back(Levels[I]);
  }
  return Out;
}

/// Adds what does not vary to the dimension of the greatest stride dividing it,
/// or of the least: to `j` of `w - 1 - j`, which runs through a row backwards.
bool Splitter::spread(const Poly &Delta) {
  for (auto &[M, C] : Delta.terms()) {
    Poly T = Poly::term(M, C);
    bool Placed = false;
    for (size_t K = 0; K < Levels.size() && !Placed; ++K) {
      Level &L =
          Levels[Mode == SplitMode::Mirrored ? K : Levels.size() - 1 - K];
      if (auto Q = T.divideExactly(L.Stride)) {
        L.A = L.A + *Q;
        Placed = true;
      }
    }
    if (!Placed)
      return false;
  }
  return true;
}

/// Takes a number that divides every index of a dimension into its stride: rows
/// of q, k and v in one array, `b*(T*3*C) + t*(3*C) + C`, are 3*T rows of C for
/// each b. From the outermost inwards, and only where strides still divide.
void Splitter::widen() {
  for (size_t K = Levels.size(); K-- > 1;) {
    Level &L = Levels[K];
    const int64_t Scale = std::gcd(L.A.content(), L.B.content());
    if (Scale <= 1)
      continue;
    const Poly Wider = L.Stride * Poly::constant(Scale);
    if (!Wider.valid() ||
        (K + 1 < Levels.size() && !Levels[K + 1].Stride.divideExactly(Wider)))
      continue;
    L = {Wider, L.A.dividedBy(Scale), L.B.dividedBy(Scale)};
  }
}

/// Whether P >= 0 asks for a size of 0 or 1: `c >= n*c`.
static bool asksForNothing(const Poly &P) {
  Monomial Common;
  bool First = true, Falls = true, HasOne = false;
  for (auto &[M, C] : P.terms()) {
    Monomial Both;
    std::set_intersection(Common.begin(), Common.end(), M.begin(), M.end(),
                          std::back_inserter(Both));
    Common = First ? M : Both;
    First = false;
  }
  for (auto &[M, C] : P.terms()) {
    const bool Unit = M == Common;
    HasOne |= Unit && C <= 1;
    Falls &= Unit ? C <= 1 : C < 0;
  }
  return Falls && HasOne && P.terms().size() > 1;
}

/// |A - B| < Size for all pairs of iterations.
bool Splitter::inRange(const Poly &A, const Poly &B, const Poly &Size, Needs &N,
                       const std::string &Why) {
  auto AHi = S.upper(A, &XA), ALo = S.lower(A, &XA);
  auto BHi = S.upper(B, &XB), BLo = S.lower(B, &XB);
  if (!AHi || !ALo || !BHi || !BLo)
    return false;
  const Poly Above = Size - Poly::constant(1) - (AHi->P - BLo->P),
             Below = Size - Poly::constant(1) - (BHi->P - ALo->P);
  if (asksForNothing(Above) || asksForNothing(Below))
    return false;
  auto Up = S.require(Above, Why);
  auto Down = S.require(Below, Why);
  if (!Up || !Down)
    return false;
  N = N + AHi->N + ALo->N + BHi->N + BLo->N + *Up + *Down;
  return true;
}

std::optional<Splitting> Splitter::run(const Poly &A, const Poly &B) {
  if (!gather(A, true) || !gather(B, false))
    return std::nullopt;
  auto Invariant = [&](const Poly &P) {
    return P.filter(
        [&](const Monomial &M) { return !S.varies(Poly::term(M, 1)); });
  };
  Poly Delta = Invariant(A) - Invariant(B);
  if (!Delta.valid())
    return std::nullopt;
  for (std::vector<Level> &Order : orders()) {
    Levels = std::move(Order);
    if (auto R = inOrder(Delta))
      return R;
  }
  return std::nullopt;
}

std::optional<Splitting> Splitter::inOrder(const Poly &Delta) {
  const std::vector<Level> Before = Levels;
  if (!spread(Delta)) {
    Levels = Before;
    side(Poly::constant(1), true);
    Levels = orders().front();
    if (!spread(Delta))
      return std::nullopt;
  }
  widen();
  Splitting R;
  Poly One = Poly::constant(1), LowA, LowB;
  for (size_t K = 0; K < Levels.size(); ++K) {
    const Level &L = Levels[K];
    R.Dimensions.push_back({L.A, L.B});
    R.Strides.push_back(L.Stride);
    LowA = LowA + L.A * L.Stride;
    LowB = LowB + L.B * L.Stride;
    if (K == 0 && !L.Stride.isConstant()) {
      auto Positive =
          S.require(L.Stride - One, "elements are " + S.toString(L.Stride) +
                                        " apart, so they are distinct");
      if (!Positive)
        return std::nullopt;
      R.N = R.N + *Positive;
    }
    if (K + 1 == Levels.size())
      break;
    // The sum of what is below must be less than one step of the next stride.
    // Where strides divide it is enough that the digit is below the radix.
    const Poly &Next = Levels[K + 1].Stride;
    auto Size = Next.divideExactly(L.Stride);
    if (!(Size ? inRange(L.A, L.B, *Size, R.N,
                         "indices stay in a row of " + S.toString(*Size))
               : inRange(LowA, LowB, Next, R.N,
                         "indices stay in a row of " + S.toString(Next))))
      return std::nullopt;
    // If all strides above are multiples of the next one, what is below is a
    // multiple of it too, so zero: it plays no part any more.
    bool Clean = true;
    for (size_t J = K + 2; J < Levels.size(); ++J)
      Clean &= Levels[J].Stride.divideExactly(Next).has_value();
    if (Clean)
      LowA = LowB = Poly();
  }
  return R;
}

std::optional<Splitting> split(Symbols &S, const Poly &A, const Poly &B,
                               const ExtraBounds &XA, const ExtraBounds &XB,
                               SplitMode Mode) {
  for (const Poly *P : {&A, &B}) {
    if (!P->valid())
      return std::nullopt;
    // Leaves room for sums of coefficients.
    for (auto &T : P->terms())
      if (std::abs(T.second) > int64_t(1) << 48)
        return std::nullopt;
  }
  if (Mode == SplitMode::Whole) {
    for (const Poly *P : {&A, &B})
      for (AtomId X : P->atoms()) {
        auto L = P->splitLinear(X);
        if (S[X].Varies && (!L || !L->first.isConstant()))
          return std::nullopt;
      }
    return Splitting{{{A, B}}, {Poly::constant(1)}, {}};
  }
  return Splitter(S, XA, XB, Mode).run(A, B);
}

std::optional<Splitting> splitEach(Symbols &S, const std::vector<Poly> &A,
                                   const std::vector<Poly> &B,
                                   const ExtraBounds &XA, const ExtraBounds &XB,
                                   SplitMode Mode) {
  Splitting All;
  for (size_t K = A.size(); K-- > 0;) {
    auto One = split(S, A[K], B[K], XA, XB, Mode);
    if (!One)
      return std::nullopt;
    All.Dimensions.insert(All.Dimensions.end(), One->Dimensions.begin(),
                          One->Dimensions.end());
    All.Strides.insert(All.Strides.end(), One->Strides.begin(),
                       One->Strides.end());
    All.N = All.N + One->N;
  }
  return All;
}

} // namespace raise::analysis
