//===- ReachedBoxes.cpp - exactly what a loop touches of a buffer ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A range that only bounds what a loop touches may reach past the memory that
// is there, or hold elements that nothing has set. That does no harm where
// addresses are compared; who copies elements needs those that are touched.
//
//===----------------------------------------------------------------------===//

#include "AliasRanges.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/iterator_range.h"

using namespace llvm;

namespace raise::analysis {

namespace {

class Finder {
public:
  Finder(Symbols &S, const Walk &W) : S(S), W(W) {}

  std::optional<std::vector<ReachedBox>> run(ArrayRef<const Touch *> Needed,
                                             ArrayRef<const Touch *> Others) {
    std::vector<const Touch *> Loose;
    for (const Touch *T : Needed)
      if (isBox(*T))
        add(*T);
      else
        Loose.push_back(T);
    for (const Touch *T : Loose) {
      const auto Holds = [&](const Touch *Box) { return isWithin(*T, *Box); };
      if (any_of(Boxes, Holds))
        continue;
      const auto *At = find_if(
          Others, [&](const Touch *Box) { return isBox(*Box) && Holds(Box); });
      if (At == Others.end())
        return std::nullopt;
      add(**At);
    }
    std::vector<ReachedBox> Out;
    for (const Touch *T : Boxes) {
      std::optional<ReachedBox> B = boxOf(*T);
      if (!B)
        return std::nullopt;
      Out.push_back(std::move(*B));
    }
    for (size_t I = 0; I < Out.size();) {
      const auto Whole = find_if(Out, [&](const ReachedBox &Of) {
        return &Of != &Out[I] && isPart(Out[I], Of);
      });
      if (Whole == Out.end()) {
        ++I;
        continue;
      }
      Whole->N = Whole->N + Out[I].N; // under which it is a part
      Out.erase(Out.begin() + I);
    }
    return Out;
  }

private:
  static std::vector<Poly> indices(const Touch &T) {
    return T.At.Buf->rank() > 1 ? T.Dims : std::vector<Poly>{T.P};
  }

  bool isSide(AtomId A) const {
    const auto IsFixed = [&](const Bounded &B) {
      return !S.varies(B.P) && S.guardable(B.P);
    };
    return A == W.Root.A ||
           (S[A].From == Origin::Iterator && S[A].Lo.size() == 1 &&
            S[A].Hi.size() == 1 && IsFixed(S[A].Lo[0]) && IsFixed(S[A].Hi[0]));
  }

  /// Whether T happens in all iterations of loops whose bounds do not vary, and
  /// is indexed by their variables, each to the first power.
  bool isBox(const Touch &T) const {
    const std::vector<Poly> All = indices(T);
    if (T.Conditions || !T.Fixed.empty() || !T.Exact ||
        All.size() != T.At.Buf->rank() ||
        !all_of(T.Iterators, [&](AtomId A) { return isSide(A); }))
      return false;
    return all_of(All, [&](Poly P) {
      for (AtomId A : T.Iterators)
        if (P.mentions(A)) {
          const auto Parts = P.splitLinear(A);
          if (!Parts || S.varies(Parts->first))
            return false;
          P = Parts->second;
        }
      return !S.varies(P) && S.guardable(P);
    });
  }

  /// Whether every element that T reaches is one of Box's, and Box is touched
  /// whenever T is: they have the same subscripts, in the same loops.
  bool isWithin(const Touch &T, const Touch &Box) const {
    return indices(T) == indices(Box) &&
           Box.Iterators.size() <= T.Iterators.size() &&
           std::equal(Box.Iterators.begin(), Box.Iterators.end(),
                      T.Iterators.begin());
  }

  /// The sides and the corner of T's box; sides of one step are ordered as the
  /// loops are.
  std::optional<ReachedBox> boxOf(const Touch &T) const {
    ReachedBox B;
    B.Base = indices(T);
    B.N = T.N;
    for (AtomId A : T.Iterators) {
      ReachedBox::Side Side;
      const bool Steps =
          any_of(B.Base, [&](const Poly &P) { return P.mentions(A); });
      if (A == W.Root.A && !Steps)
        continue; // it runs
      if (S[A].Lo.size() != 1 || S[A].Hi.size() != 1)
        return std::nullopt;
      const Bounded &Lo = S[A].Lo[0], &Hi = S[A].Hi[0];
      B.N = B.N + Lo.N + Hi.N;
      Side.Last = Hi.P - Lo.P;
      if (!S.guardable(Side.Last) || S.varies(Side.Last))
        return std::nullopt;
      // A bound by a quotient is one too many where there is no iteration.
      const auto More = W.Constraints.equal_range(A);
      for (const auto &[Of, C] : make_range(More.first, More.second)) {
        Side.If.push_back(C.P.substitute(A, Lo.P));
        B.N = B.N + C.N;
        if (!S.guardable(Side.If.back()) || S.varies(Side.If.back()))
          return std::nullopt;
      }
      for (Poly &P : B.Base) {
        const auto Parts = P.splitLinear(A);
        Side.Steps.push_back(P.mentions(A) ? Parts->first : Poly());
        P = P.substitute(A, Lo.P);
      }
      if (!Steps) {
        // Touches one element, if it runs.
        Side.Last = Poly();
        if (!S.proves(Hi.P - Lo.P) || !Side.If.empty())
          return std::nullopt;
        continue;
      }
      B.Sides.push_back(std::move(Side));
    }
    if (!all_of(B.Base, [&](const Poly &P) { return S.guardable(P); }))
      return std::nullopt;
    return B;
  }

  /// Whether B holds all of A: their sides are of the same dimensions, in steps
  /// of one.
  bool isPart(const ReachedBox &A, const ReachedBox &B) const {
    if (A.Base.size() != B.Base.size() || A.Sides.size() != B.Sides.size())
      return false;
    std::vector<Poly> Ahead, Behind; // of A's corner and of its last element
    for (const auto &[From, To] : zip(A.Base, B.Base)) {
      Ahead.push_back(From - To);
      Behind.push_back(To - From);
    }
    for (const auto &[Of, In] : zip(A.Sides, B.Sides)) {
      if (Of.Steps != In.Steps || !In.If.empty())
        return false;
      const Poly *Along = nullptr;
      for (const Poly &Step : Of.Steps)
        if (!Step.isZero()) {
          if (Along || Step != Poly::constant(1))
            return false;
          Along = &Step;
        }
      if (!Along)
        return false;
      Behind[Along - Of.Steps.data()] =
          Behind[Along - Of.Steps.data()] + In.Last - Of.Last;
    }
    const auto IsSure = [&](const Poly &P) { return S.proves(P, A.N + B.N); };
    return all_of(Ahead, IsSure) && all_of(Behind, IsSure);
  }

  static bool same(const ReachedBox &A, const ReachedBox &B) {
    return A.Base == B.Base && A.Sides.size() == B.Sides.size() &&
           all_of(zip(A.Sides, B.Sides), [](const auto &Both) {
             const auto &[L, R] = Both;
             return L.Last == R.Last && L.Steps == R.Steps;
           });
  }

  void add(const Touch &T) {
    const auto B = boxOf(T);
    if (!B || none_of(Boxes, [&](const Touch *Old) {
          const auto Has = boxOf(*Old);
          return Has && same(*Has, *B);
        }))
      Boxes.push_back(&T);
  }

  Symbols &S;
  const Walk &W;
  std::vector<const Touch *> Boxes;
};

} // namespace

std::optional<std::vector<ReachedBox>>
reachedBoxes(Symbols &S, const Walk &W, ArrayRef<const Touch *> Needed,
             ArrayRef<const Touch *> Others) {
  return Finder(S, W).run(Needed, Others);
}

} // namespace raise::analysis
