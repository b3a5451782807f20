//===- Crossings.cpp - where a loop's dependences cross -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "raise/Analysis/Crossings.h"
#include "Hazards.h"
#include "LoopProof.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace raise {
using namespace analysis;

namespace {

/// A loop that is cut at more places than these has no piece left that pays.
constexpr size_t MaxPlaces = 4;

class CrossingFinder : LoopProof {
public:
  CrossingFinder(const LoopQuery &Q, const Function &F, const Context &Ctx)
      : LoopProof(Q, F, Ctx) {}
  CrossingFacts run();

private:
  void compare(const Touch &A, const Touch &B);
  void cross(const Poly &A, const Poly &B);
  void place(const Poly &At, int64_t Divisor, bool Alone);

  CrossingFacts Facts;
  Poly First, Past; ///< the loop's range: First <= i < Past
  std::vector<std::pair<Poly, int64_t>> Seen;
};

} // namespace

/// Cuts at At / Divisor, rounded down, plus one where Divisor > 1.
void CrossingFinder::place(const Poly &At, int64_t Divisor, bool Alone) {
  if (!At.valid() || !S.guardable(At) || Facts.Places.size() >= MaxPlaces ||
      is_contained(Seen, std::make_pair(At, Divisor)))
    return;
  Seen.push_back({At, Divisor});
  Poly D = Poly::constant(Divisor), One = Poly::constant(1);
  Needs N;
  auto Need = [&](const Poly &P, const char *Why) {
    auto Some = S.require(P, Why);
    if (Some)
      N = N + *Some;
    return Some.has_value();
  };
  // At = D * q + r with 0 <= r < D. Where q + 1 is the cut, First <= q + 1 is
  // At >= D * (First - 1), and q + 1 <= Past is At < D * Past.
  bool Ok =
      Divisor == 1
          ? Need(At - First, "the cut lies in the range") &&
                Need(Past - At - (Alone ? One : Poly()),
                     "the cut lies in the range")
          : Need(At, "half of it rounds down") &&
                Need(At - D * (First - One), "the cut lies in the range") &&
                Need(D * Past - At - One, "the cut lies in the range");
  Crossing C;
  C.Offset = At.constantTerm();
  C.Divisor = Divisor;
  C.Alone = Alone;
  Poly Start = At - Poly::constant(C.Offset);
  if (!Ok)
    return;
  if (!Start.isZero()) {
    auto Whole = S.lowerToExpr(At), Lowered = S.lowerToExpr(Start);
    if (!Whole || !Lowered)
      return;
    C.Start = Lowered->E;
    N = N + Whole->N + Lowered->N;
  }
  C.Guards = S.guards(N);
  Facts.Places.push_back(std::move(C));
}

/// Where the subscripts A and B, of accesses that conflict, are equal.
void CrossingFinder::cross(const Poly &A, const Poly &B) {
  auto SA = A.splitLinear(W.Root.A), SB = B.splitLinear(W.Root.A);
  if (!SA || !SB || !SA->first.isConstant() || !SB->first.isConstant() ||
      S.varies(SA->second) || S.varies(SB->second))
    return;
  int64_t CA = SA->first.constantTerm(), CB = SB->first.constantTerm();
  Poly Apart = SB->second - SA->second; // CA * i + ... == CB * i + ...
  if (CA == 0 && CB == 0)
    return;
  if (CA == 0 || CB == 0) {
    // Only one iteration touches the fixed element through the other access.
    if (auto At = Apart.divideExactly(Poly::constant(CA - CB)))
      place(*At, 1, /*Alone=*/true);
    return;
  }
  if ((CA > 0) == (CB > 0) || std::abs(CA) > 1024 || std::abs(CB) > 1024)
    return;
  // They move towards each other and meet at Apart / (CA - CB).
  place(CA > CB ? Apart : -Apart, std::abs(CA - CB), /*Alone=*/false);
}

void CrossingFinder::compare(const Touch &A, const Touch &B) {
  if (Test.test(A, B).V == Meeting::Verdict::Never)
    return;
  if (A.Dims.empty() || A.Dims.size() != B.Dims.size())
    return cross(A.P, B.P);
  for (size_t I = 0; I < A.Dims.size(); ++I)
    cross(A.Dims[I], B.Dims[I]);
}

CrossingFacts CrossingFinder::run() {
  const For &L = *Q.Loop;
  const auto *Step = dyn_cast<IntConst>(L.Step.get());
  if (!Step || Step->Value != 1 || L.V->Ty != L.Hi->Ty || !L.V->Ty.Signed ||
      (L.Cond != BinaryOp::LT && L.Cond != BinaryOp::LE)) {
    Facts.Why = {"CR1112", "the loop does not count up by one", L.Loc};
    return std::move(Facts);
  }
  Facts.Why = findHazard(L);
  if (!Facts.Why.isSet())
    Facts.Why = W.run();
  if (Facts.Why.isSet())
    return std::move(Facts);
  Value Lo = W.eval(L.Lo), Hi = W.eval(L.Hi);
  First = Lo.P;
  Past = L.Cond == BinaryOp::LT ? Hi.P : Hi.P + Poly::constant(1);
  for (size_t I = 0; I < W.Touches.size(); ++I)
    for (size_t J = I; J < W.Touches.size(); ++J) {
      const Touch &A = W.Touches[I], &B = W.Touches[J];
      if (A.At.Buf == B.At.Buf && (A.writes() || B.writes()))
        compare(A.writes() ? A : B, A.writes() ? B : A);
    }
  if (Facts.Places.empty())
    return std::move(Facts);
  Facts.Why = addGuards(W.Root.V.N + Lo.N + Hi.N, Facts.Guards, Facts.Assumed);
  return std::move(Facts);
}

CrossingFacts findCrossings(const LoopQuery &Q, const Function &F,
                            const Context &Ctx) {
  return CrossingFinder(Q, F, Ctx).run();
}

} // namespace raise
