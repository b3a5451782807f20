//===- AliasRanges.cpp - guards that buffers do not overlap ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "AliasRanges.h"
#include "raise/IR/Effects.h"
#include "raise/IR/Text.h"
#include <functional>

namespace raise::analysis {

namespace {
/// Elements [Lo, Hi) of a buffer that some of the loop's accesses stay in.
struct Range {
  Poly Lo, Hi;
  Needs N;
  std::vector<const Touch *> Touches;
  /// Some access reaches Lo, and some Hi - 1, if any is made at all: then their
  /// addresses exist.
  bool Reached = false;
  /// Lo, and Hi - 1, are touched wherever some element is.
  bool LoAttained = false, HiAttained = false;
  /// Whose bounds Lo and Hi are.
  const Touch *AtLo = nullptr, *AtHi = nullptr;
};

/// Which element of the whole T touches: `i` of `p[i].a[j]`. None where that
/// has several dimensions.
std::optional<Poly> indexInWhole(const Touch &T) {
  if (!T.At.Buf->EachElement)
    return T.P;
  if (wholeOf(*T.At.Buf).rank() != 1 || T.Dims.empty())
    return std::nullopt;
  return T.Dims.front();
}

BufferRef wholeOfTouch(const Touch &T) {
  BufferRef Of = T.At.Buf;
  while (Of->EachElement)
    Of = Of->Owner;
  return Of;
}

/// Whether A happens whenever B does: it stands in no other loop.
bool happensWith(const Touch &A, const Touch &B) {
  return A.Iterators.size() <= B.Iterators.size() &&
         std::equal(A.Iterators.begin(), A.Iterators.end(),
                    B.Iterators.begin());
}

/// Whether the ends of R are reached whenever any of its accesses happens,
/// though each of them fills a box of its own.
bool endsHappen(const Range &R) {
  return llvm::all_of(R.Touches, [&](const Touch *T) {
    return happensWith(*R.AtLo, *T) && happensWith(*R.AtHi, *T);
  });
}

/// All that the loop touches of one buffer.
struct Extent {
  BufferRef Buf;
  bool Written = false;
  std::vector<const Touch *> Touches;
  bool Computed = false;
  std::vector<Range> Ranges;
  const Touch *Unknown = nullptr; ///< whose range is not known before the loop
};

class Separator {
public:
  Separator(Symbols &S, const Walk &W, const Needs &Base)
      : S(S), W(W), Base(Base) {}
  AliasFacts run(AliasMode Mode);

private:
  std::optional<Range> rangeOf(const Touch &T);
  bool reachesEnds(const Touch &T, const Poly &P) const;
  bool attainsEnds(const Touch &T, const Poly &P) const;
  std::optional<Needs> atMost(const Poly &P, int64_t Limit);
  bool addLimits(Range &R, const Buffer &B);
  std::optional<Range> declaredRange(const Extent &X) const;
  void compute(Extent &X);
  void merge(Extent &X, Range R);
  std::vector<Poly> whereHappens(const Touch &T, const Needs &N) const;
  bool isCovered(const Range &A, const Range &B) const;
  void dropCovered(Extent &X) const;
  bool orderMatters(const Touch &X, const Touch &Y) const {
    return (X.writes() || Y.writes()) &&
           !(X.Atomic && Y.Atomic && W.query().UpdatesCommute);
  }
  bool interact(const Range &A, const Range &B) const;
  bool mayInteract(const Extent &A, const Extent &B) const {
    return llvm::any_of(A.Touches, [&](const Touch *X) {
      return llvm::any_of(B.Touches,
                          [&](const Touch *Y) { return orderMatters(*X, *Y); });
    });
  }
  bool separate(const Extent &X, const Extent &Y);
  std::optional<ElementRange> lower(const BufferRef &Buf, const Range &R);

  Symbols &S;
  const Walk &W;
  const Needs &Base; ///< facts that are tested in any case
  AliasFacts Facts;
};
} // namespace

/// Beyond this many ranges of one buffer, one hull takes their place; where an
/// end of it takes more than so many choices, each of which takes twice the
/// text, nothing is known.
static constexpr unsigned MostRanges = 3, MostChoices = 7;

/// Whether the accesses of T fill a box, whose corners are P's bounds.
bool Separator::reachesEnds(const Touch &T, const Poly &P) const {
  auto IsSide = [&](AtomId A) {
    auto Fixed = [&](const std::vector<Bounded> &Bounds) {
      return llvm::all_of(Bounds,
                          [&](const Bounded &B) { return !S.varies(B.P); });
    };
    return S[A].From == Origin::Iterator && Fixed(S[A].Lo) && Fixed(S[A].Hi);
  };
  for (AtomId A : P.atoms())
    if (S[A].Varies && !IsSide(A))
      return false;
  return T.Conditions == 0 && T.Exact && llvm::all_of(T.Iterators, IsSide);
}

/// Whether the bounds of P are what T touches: no condition keeps it from its
/// corners, and each loop has one bound, however that hangs on those around it.
bool Separator::attainsEnds(const Touch &T, const Poly &P) const {
  // What its bounds hang on is fixed, or of loops around it.
  const std::function<bool(AtomId)> IsSide = [&](AtomId A) {
    return S[A].From == Origin::Iterator && S[A].Lo.size() == 1 &&
           S[A].Hi.size() == 1 &&
           llvm::all_of((S[A].Hi[0].P - S[A].Lo[0].P).atoms(), [&](AtomId Of) {
             return !S[Of].Varies || (Of < A && IsSide(Of));
           });
  };
  for (AtomId A : P.atoms())
    if (S[A].Varies && !IsSide(A))
      return false;
  // A null pointer has no range.
  const auto IsNullTest = [&](const std::pair<ExprRef, bool> &C) {
    auto *Test = llvm::dyn_cast<NonNull>(C.first.get());
    return Test && C.second && Test->Buf == T.At.Buf;
  };
  const size_t Tests = llvm::count_if(T.Fixed, IsNullTest);
  return T.Conditions == Tests && (T.Exact || Tests > 0) &&
         llvm::all_of(T.Iterators, IsSide);
}

/// What makes P, over invariants, no more than Limit: of P as a whole where
/// that can be tested, else of each of its terms.
std::optional<Needs> Separator::atMost(const Poly &P, int64_t Limit) {
  auto Require = [&](const Poly &What, int64_t Bound) {
    return S.require(Poly::constant(Bound) - What,
                     S.toString(What) + " fits in an index");
  };
  if (auto Whole = Require(P, Limit))
    return Whole;
  Needs All;
  const int64_t Share = Limit / int64_t(P.terms().size());
  for (auto &[M, C] : P.terms()) {
    auto Term = Require(Poly::term(M, C), Share);
    if (!Term)
      return std::nullopt;
    All = All + *Term;
  }
  return All;
}

/// Has the ends of R keep so near to B that an address can be computed for the
/// upper one, and one that is above it if the lower one has none.
bool Separator::addLimits(Range &R, const Buffer &B) {
  // A structure's size is not known here: none is larger than this.
  int64_t Size = B.Elem.sizeInBytes() ? B.Elem.sizeInBytes() : 1 << 24;
  const int64_t Room = (int64_t(1) << 62) / Size;
  const int64_t Most = (int64_t(1) << 60) - 1; // facts hold no larger number
  auto Above = atMost(R.Hi, std::min((Room - 1) * 2, Most));
  auto Below = atMost(-R.Lo, std::min(Room, Most));
  if (Above && Below)
    R.N = R.N + *Above + *Below;
  return Above && Below;
}

std::optional<Range> Separator::rangeOf(const Touch &T) {
  ExtraBounds Extra = T.bounds(S);
  const std::optional<Poly> Index = indexInWhole(T);
  if (!Index)
    return std::nullopt;
  // A whole that was taken apart and put together again has the range of the
  // whole, which reads better than that of its digits.
  Needs Folds;
  Poly Folded = S.fold(*Index, Folds);
  for (bool Fold : {true, false}) {
    if (Fold && Folded == *Index)
      continue;
    const Poly &P = Fold ? Folded : *Index;
    auto Lo = S.lower(P, &Extra), Hi = S.upper(P, &Extra);
    if (!Lo || !Hi || !S.guardable(Lo->P) || !S.guardable(Hi->P))
      continue;
    Needs N = T.N + Lo->N + Hi->N;
    Range R{Lo->P, Hi->P + Poly::constant(1), Fold ? N + Folds : N, {&T}};
    R.Reached = reachesEnds(T, P);
    R.LoAttained = R.HiAttained = R.Reached || attainsEnds(T, P);
    R.AtLo = R.AtHi = &T;
    if (R.Reached || addLimits(R, wholeOf(*T.At.Buf)))
      return R;
  }
  return std::nullopt;
}

/// Adds R to X's ranges: into one that is clearly larger or smaller.
void Separator::merge(Extent &X, Range R) {
  for (Range &Old : X.Ranges) {
    Needs Own = Old.N + R.N, N = Own + Base;
    auto Lo = S.proves(Old.Lo - R.Lo, N)   ? std::optional<Poly>(R.Lo)
              : S.proves(R.Lo - Old.Lo, N) ? std::optional<Poly>(Old.Lo)
                                           : std::nullopt;
    auto Hi = S.proves(R.Hi - Old.Hi, N)   ? std::optional<Poly>(R.Hi)
              : S.proves(Old.Hi - R.Hi, N) ? std::optional<Poly>(Old.Hi)
                                           : std::nullopt;
    if (!Lo || !Hi)
      continue;
    Range Both = Old;
    auto Take = [&](Poly &End, const Touch *&By, const Poly &New,
                    const Poly &Other) {
      if (!(New == End) || (New == Other && happensWith(*R.AtLo, *By)))
        By = R.AtLo;
      End = New;
    };
    Take(Both.Lo, Both.AtLo, *Lo, R.Lo);
    Take(Both.Hi, Both.AtHi, *Hi, R.Hi);
    Both.N = Own;
    Both.Touches.push_back(R.Touches.front());
    Both.Reached = Old.Reached && R.Reached && endsHappen(Both);
    Both.LoAttained = *Lo == Old.Lo
                          ? Old.LoAttained || (R.LoAttained && R.Lo == *Lo)
                          : R.LoAttained;
    Both.HiAttained = *Hi == Old.Hi
                          ? Old.HiAttained || (R.HiAttained && R.Hi == *Hi)
                          : R.HiAttained;
    if (!Both.Reached && !addLimits(Both, *X.Buf))
      continue;
    Old = std::move(Both);
    return;
  }
  X.Ranges.push_back(std::move(R));
}

/// What is at least 0 wherever T happens, under N: the conditions before it,
/// and how often the loops around it run.
std::vector<Poly> Separator::whereHappens(const Touch &T,
                                          const Needs &N) const {
  std::vector<Poly> Out;
  const auto Holds = [&](const Bounded &B) {
    return std::includes(N.begin(), N.end(), B.N.begin(), B.N.end());
  };
  const auto Add = [&](const Poly &P) {
    if (P.valid() && !S.varies(P))
      Out.push_back(P);
  };
  for (const Bounded &B : T.Path)
    if (Holds(B))
      Add(B.P);
  for (AtomId A : T.Iterators)
    for (const Bounded &Lo : S[A].Lo)
      for (const Bounded &Hi : S[A].Hi)
        if (Holds(Lo) && Holds(Hi))
          Add(Hi.P - Lo.P);
  return Out;
}

/// Whether whatever happens in A lies in B, and what touches B's ends happens
/// then too: a test of B is one of A. Not if A is written and B is only read:
/// what is also only read may overlap B.
bool Separator::isCovered(const Range &A, const Range &B) const {
  const auto IsWritten = [](const Range &R) {
    return llvm::any_of(R.Touches, [](const Touch *T) { return T->writes(); });
  };
  if (IsWritten(A) && !IsWritten(B))
    return false;
  const Needs N = A.N + B.N + Base;
  return llvm::all_of(A.Touches, [&](const Touch *T) {
    const std::vector<Poly> Where = whereHappens(*T, N);
    const auto Happens = [&](const Touch &Other) {
      return Other.Conditions == 0 && Other.Exact &&
             llvm::all_of(Other.Iterators, [&](AtomId I) {
               return llvm::all_of(S[I].Lo, [&](const Bounded &Lo) {
                 return llvm::all_of(S[I].Hi, [&](const Bounded &Hi) {
                   return S.provesWhere(Hi.P - Lo.P, N, Where);
                 });
               });
             });
    };
    return S.provesWhere(A.Lo - B.Lo, N, Where) &&
           S.provesWhere(B.Hi - A.Hi, N, Where) && Happens(*B.AtLo) &&
           Happens(*B.AtHi);
  });
}

/// Leaves out ranges that lie in others.
void Separator::dropCovered(Extent &X) const {
  for (size_t I = 0; I < X.Ranges.size();) {
    const auto Into = llvm::find_if(X.Ranges, [&](const Range &B) {
      return &B != &X.Ranges[I] && isCovered(X.Ranges[I], B);
    });
    if (Into == X.Ranges.end()) {
      ++I;
      continue;
    }
    Into->N = Into->N + X.Ranges[I].N;
    llvm::append_range(Into->Touches, X.Ranges[I].Touches);
    X.Ranges.erase(X.Ranges.begin() + I);
  }
}

/// An array is no larger than its declaration, or the user, says.
std::optional<Range> Separator::declaredRange(const Extent &X) const {
  const Touch *First = X.Touches.front();
  if (auto It = W.Sizes.find(X.Buf.get());
      It != W.Sizes.end() && S.guardable(It->second.P))
    return Range{Poly(), It->second.P, It->second.N, X.Touches, true,
                 true,   true,         First,        First};
  int64_t Size = 1;
  for (const ExprRef &E : X.Buf->Extents) {
    const auto *C = E ? llvm::dyn_cast<IntConst>(E.get()) : nullptr;
    if (!C || C->Value < 0 || __builtin_mul_overflow(Size, C->Value, &Size))
      return std::nullopt;
  }
  return Range{
      Poly(), Poly::constant(Size), {}, X.Touches, true, true, true, First,
      First};
}

void Separator::compute(Extent &X) {
  if (X.Computed)
    return;
  X.Computed = true;
  for (const Touch *T : X.Touches) {
    auto R = rangeOf(*T);
    if (!R) {
      X.Unknown = T;
      break;
    }
    merge(X, std::move(*R));
  }
  if (X.Unknown) {
    if (auto R = declaredRange(X)) {
      X.Unknown = nullptr;
      X.Ranges = {*R};
    }
    return;
  }
  dropCovered(X);
  if (X.Ranges.size() <= MostRanges)
    return;
  Range Hull = X.Ranges.front();
  unsigned AtLo = 0, AtHi = 0; // choices
  for (size_t I = 1; I < X.Ranges.size(); ++I) {
    const Range &R = X.Ranges[I];
    Needs N = Hull.N + R.N + Base;
    auto Lo = S.chooseInvariant(Hull.Lo, R.Lo, true, N);
    auto Hi = S.chooseInvariant(Hull.Hi, R.Hi, false, N);
    if (!Lo || !Hi) {
      X.Unknown = R.Touches.front();
      return;
    }
    AtLo += !(Lo->P == Hull.Lo) && !(Lo->P == R.Lo);
    AtHi += !(Hi->P == Hull.Hi) && !(Hi->P == R.Hi);
    if (std::max(AtLo, AtHi) > MostChoices) {
      X.Unknown = R.Touches.front();
      return;
    }
    Hull.Lo = Lo->P;
    Hull.Hi = Hi->P;
    Hull.N = N + Lo->N + Hi->N;
    Hull.Reached = false; // which of them is an end is not known here
    Hull.Touches.insert(Hull.Touches.end(), R.Touches.begin(), R.Touches.end());
  }
  if (!addLimits(Hull, *X.Buf)) {
    X.Unknown = Hull.Touches.front();
    return;
  }
  X.Ranges = {Hull};
}

std::optional<ElementRange> Separator::lower(const BufferRef &Buf,
                                             const Range &R) {
  auto Lo = S.lowerToExpr(R.Lo), Hi = S.lowerToExpr(R.Hi);
  if (!Lo || !Hi)
    return std::nullopt;
  Facts.N = Facts.N + R.N + Lo->N + Hi->N;
  Facts.Attained &= R.LoAttained && R.HiAttained;
  bool Above = R.Reached || S.proves(R.Lo, Facts.N + Base);
  return ElementRange{Buf, Lo->E, Hi->E, !Above};
}

/// Whether some access of A and some of B can happen in one run of the loop,
/// and it matters which of them comes first.
bool Separator::interact(const Range &A, const Range &B) const {
  for (const Touch *X : A.Touches)
    for (const Touch *Y : B.Touches)
      if (orderMatters(*X, *Y) && !excludeEachOther(*X, *Y))
        return true;
  return false;
}

bool Separator::separate(const Extent &X, const Extent &Y) {
  for (const Range &A : X.Ranges)
    for (const Range &B : Y.Ranges) {
      if (!interact(A, B))
        continue;
      Guard G;
      auto RA = lower(X.Buf, A), RB = lower(Y.Buf, B);
      if (!RA || !RB)
        return false;
      G.A = *RA;
      G.B = *RB;
      G.Why = X.Buf->Name + " and " + Y.Buf->Name + " do not overlap";
      Facts.Guards.push_back(std::move(G));
    }
  return true;
}

/// The elements of two containers are the same or have none in common: what
/// holds of the first holds of all.
static Guard otherContainers(const BufferRef &A, const BufferRef &B) {
  const ExprRef Zero = build::intConst(0, Type::getI64()),
                One = build::intConst(1, Type::getI64());
  Guard G;
  G.A = {A, Zero, One};
  G.B = {B, Zero, One};
  G.Why = A->Name + " and " + B->Name + " do not overlap";
  return G;
}

AliasFacts Separator::run(AliasMode Mode) {
  std::vector<Extent> Extents;
  for (const Touch &T : W.Touches) {
    const BufferRef Of = wholeOfTouch(T);
    size_t I = 0;
    while (I < Extents.size() && Extents[I].Buf != Of)
      ++I;
    if (I == Extents.size()) {
      Extents.emplace_back();
      Extents.back().Buf = Of;
    }
    Extents[I].Written |= T.writes();
    Extents[I].Touches.push_back(&T);
  }
  for (size_t I = 0; I < Extents.size(); ++I)
    for (size_t J = I + 1; J < Extents.size(); ++J) {
      Extent &X = Extents[I], &Y = Extents[J];
      if (!mayInteract(X, Y) || alias(*X.Buf, *Y.Buf) == AliasResult::No ||
          W.query().isSeparated(*X.Buf, *Y.Buf))
        continue;
      if (Mode == AliasMode::Assume) {
        Facts.Assumed.push_back(X.Buf->Name + " and " + Y.Buf->Name +
                                " do not overlap");
        continue;
      }
      if (isWholeContainer(*X.Buf) && isWholeContainer(*Y.Buf)) {
        Facts.Guards.push_back(otherContainers(X.Buf, Y.Buf));
        continue;
      }
      compute(X);
      compute(Y);
      if (!X.Unknown && !Y.Unknown && separate(X, Y))
        continue;
      const Extent &Bad = Y.Unknown ? Y : X, &Other = Y.Unknown ? X : Y;
      const Touch *T = Bad.Unknown ? Bad.Unknown : Bad.Touches.front();
      Facts.Why = {"CR1105",
                   "'" + Bad.Buf->Name + "' may overlap '" + Other.Buf->Name +
                       "', and which of its elements are used is not known "
                       "before the loop",
                   T->Loc};
      return Facts;
    }
  return Facts;
}

/// Elements [0, the result) hold what T touches, whose index is P.
static std::optional<Bounded> endOf(Symbols &S, const Touch &T, const Poly &P,
                                    const Needs &Base) {
  ExtraBounds Extra = T.bounds(S);
  // As for ranges: a whole reads better than its digits.
  Needs Folds;
  const Poly Folded = S.fold(P, Folds);
  for (bool Fold : {true, false}) {
    if (Fold && Folded == P)
      continue;
    const Poly &Of = Fold ? Folded : P;
    auto Lo = S.lower(Of, &Extra), Hi = S.upper(Of, &Extra);
    if (!Lo || !Hi || !S.guardable(Hi->P))
      continue;
    const Needs N = T.N + Lo->N + Hi->N + (Fold ? Folds : Needs());
    if (S.proves(Lo->P, N + Base))
      return Bounded{Hi->P + Poly::constant(1), N};
  }
  return std::nullopt;
}

/// Whether P, a subscript of T, stays below Extent.
static bool isWithin(Symbols &S, const Touch &T, const Poly &P, const Walk &W,
                     const ExprRef &Extent, const Needs &Base) {
  const auto End = endOf(S, T, P, Base);
  const auto *C = Extent ? llvm::dyn_cast<IntConst>(Extent.get()) : nullptr;
  return End && C && S.proves(Poly::constant(C->Value) - End->P, End->N + Base);
}

std::optional<ElementCount> elementsUpTo(Symbols &S, const Walk &W,
                                         const Buffer &Buf, const Needs &Base) {
  std::optional<Bounded> Whole;
  std::optional<int64_t> Least;
  unsigned Choices = 0;
  for (const Touch &T : W.Touches) {
    if (T.At.Buf.get() != &Buf)
      continue;
    if (Buf.rank() > 1 && T.Dims.size() != Buf.rank())
      return std::nullopt;
    for (size_t D = 1; D < Buf.rank(); ++D)
      if (!isWithin(S, T, T.Dims[D], W, Buf.Extents[D], Base))
        return std::nullopt;
    const auto Own = endOf(S, T, Buf.rank() > 1 ? T.Dims.front() : T.P, Base);
    if (!Own || Choices > 2)
      return std::nullopt;
    if (Own->P.isConstant())
      Least = std::max(Least.value_or(INT64_MIN), Own->P.constantTerm());
    if (!Whole) {
      Whole = Own;
      continue;
    }
    const Needs N = Whole->N + Own->N;
    auto Greater =
        S.chooseInvariant(Whole->P, Own->P, /*Least=*/false, N + Base);
    if (!Greater)
      return std::nullopt;
    Choices += !(Greater->P == Whole->P) && !(Greater->P == Own->P);
    Whole = Bounded{Greater->P, N + Greater->N};
  }
  if (!Whole)
    return std::nullopt;
  return ElementCount{*Whole, Least};
}

AliasFacts separateBuffers(Symbols &S, const Walk &W, AliasMode Mode,
                           const Needs &Base) {
  return Separator(S, W, Base).run(Mode);
}

} // namespace raise::analysis
