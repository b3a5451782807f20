//===- AliasRanges.cpp - guards that buffers do not overlap ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "AliasRanges.h"
#include "raise/IR/Text.h"

namespace raise::analysis {

namespace {
/// All that the loop touches of one buffer.
struct Extent {
  BufferRef Buf;
  bool Written = false, Known = true;
  Poly Lo, Hi; ///< half-open
  Needs N;
  const Touch *First = nullptr, *Unknown = nullptr;
};
} // namespace

static void include(Symbols &S, Extent &X, const Touch &T) {
  X.Written |= T.writes();
  bool Fresh = !X.First;
  if (Fresh)
    X.First = &T;
  if (!X.Known)
    return;
  ExtraBounds Extra = T.bounds(S);
  // A whole that was taken apart and put together again has the range of the
  // whole, which reads better than that of its digits.
  Needs Folds;
  Poly Folded = S.fold(T.P, Folds);
  bool Use = Folded != T.P;
  auto Lo = S.lower(Use ? Folded : T.P, &Extra);
  auto Hi = S.upper(Use ? Folded : T.P, &Extra);
  if (Use && Lo && Hi)
    X.N = X.N + Folds;
  else if (Use) {
    Lo = S.lower(T.P, &Extra);
    Hi = S.upper(T.P, &Extra);
  }
  auto Fail = [&] {
    X.Known = false;
    X.Unknown = &T;
  };
  if (!Lo || !Hi)
    return Fail();
  Poly End = Hi->P + Poly::constant(1);
  X.N = X.N + T.N + Lo->N + Hi->N;
  if (Fresh) {
    X.Lo = Lo->P;
    X.Hi = End;
    return;
  }
  auto NewLo = S.chooseInvariant(X.Lo, Lo->P, true, X.N);
  auto NewHi = S.chooseInvariant(X.Hi, End, false, X.N);
  if (!NewLo || !NewHi)
    return Fail();
  X.Lo = NewLo->P;
  X.Hi = NewHi->P;
  X.N = X.N + NewLo->N + NewHi->N;
}

/// An array is no larger than its declaration says.
static bool useDeclaredSize(Extent &X) {
  int64_t Size = 1;
  for (const ExprRef &E : X.Buf->Extents) {
    const auto *C =
        E ? llvm::dyn_cast<IntConst>(E.get()) : nullptr;
    if (!C || C->Value < 0 || __builtin_mul_overflow(Size, C->Value, &Size))
      return false;
  }
  X.Lo = Poly();
  X.Hi = Poly::constant(Size);
  X.N.clear();
  return true;
}

static std::optional<ElementRange> lowerRange(Symbols &S, Extent &X) {
  auto Try = [&]() -> std::optional<ElementRange> {
    auto Lo = S.lowerToExpr(X.Lo), Hi = S.lowerToExpr(X.Hi);
    if (!Lo || !Hi)
      return std::nullopt;
    X.N = X.N + Lo->N + Hi->N;
    return ElementRange{X.Buf, Lo->E, Hi->E};
  };
  if (X.Known)
    if (auto R = Try())
      return R;
  if (useDeclaredSize(X))
    return Try();
  return std::nullopt;
}

AliasFacts separateBuffers(Symbols &S, const Walk &W, AliasMode Mode) {
  AliasFacts R;
  std::vector<Extent> Extents;
  std::vector<std::vector<const Touch *>> TouchesOf;
  for (const Touch &T : W.Touches) {
    size_t I = 0;
    while (I < Extents.size() && Extents[I].Buf != T.At.Buf)
      ++I;
    if (I == Extents.size()) {
      Extents.push_back({T.At.Buf, false, true, {}, {}, {}, nullptr, nullptr});
      TouchesOf.emplace_back();
    }
    Extents[I].Written |= T.writes();
    TouchesOf[I].push_back(&T);
  }
  for (size_t I = 0; I < Extents.size(); ++I)
    for (size_t J = I + 1; J < Extents.size(); ++J) {
      Extent &X = Extents[I], &Y = Extents[J];
      if (!X.Written && !Y.Written)
        continue;
      if (alias(*X.Buf, *Y.Buf) == AliasResult::No)
        continue;
      if (Mode == AliasMode::Assume) {
        R.Assumed.push_back(X.Buf->Name + " and " + Y.Buf->Name +
                            " do not overlap");
        continue;
      }
      for (Extent *E : {&X, &Y})
        if (!E->First)
          for (const Touch *T : TouchesOf[E == &X ? I : J])
            include(S, *E, *T);
      auto RX = lowerRange(S, X), RY = lowerRange(S, Y);
      if (!RX || !RY) {
        const Extent &Bad = RX ? Y : X, &Other = RX ? X : Y;
        const Touch *T = Bad.Unknown ? Bad.Unknown : Bad.First;
        R.Why = {"CR1105",
                 "'" + Bad.Buf->Name + "' may overlap '" + Other.Buf->Name +
                     "', and which of its elements are used is not known "
                     "before the loop",
                 T->Loc};
        return R;
      }
      R.N = R.N + X.N + Y.N;
      Guard G;
      G.A = *RX;
      G.B = *RY;
      G.Why = X.Buf->Name + " and " + Y.Buf->Name + " do not overlap";
      R.Guards.push_back(std::move(G));
    }
  return R;
}

} // namespace raise::analysis
