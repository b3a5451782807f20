//===- ScanByStrips.cpp - running sums by strips --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
//   for (i) { s += x[i]; y[i] = s; }
//
// takes the time of one addition for each element, since each waits for the
// one before. Strips have running sums of their own, which wait for nothing:
//
//   for (strip) {
//     s_part = 0;
//     for (lane) { s_part += x[strip + lane]; s_upto[lane] = s_part; }
//     for (lane) y[strip + lane] = s + s_upto[lane];
//     s += s_part;
//   }
//
// A processor works on several strips at once, and s is the only thing that
// one waits for. Sums and products round otherwise than in their order, so
// this is for floats where that is allowed; integers are added so fast that
// there is nothing to gain.
//
// Where a sum waits for several operations (`s = s + x[i] + y[i] * z[i]`),
// what is summed takes vectors of its own, with what is stored for it:
//
//     for (lane) s_upto[lane] = x[strip + lane] + y[strip + lane] * ...;
//     for (lane) { s_part += s_upto[lane]; s_upto[lane] = s_part; }
//
// Where what comes before each point is used, too, or more is stored than
// pays, the loop stays, but waits for one operation: `s += x[i] + y[i] * z[i]`.
//
// A strip's first loop runs ahead of all stores of the strip, so it may load
// nothing that one of them stores for a later point.
//
//===----------------------------------------------------------------------===//
#include "FoldConstants.h"
#include "LoopRuns.h"
#include "Peel.h"
#include "RegionPass.h"
#include "ScanBody.h"
#include "StripLoops.h"
#include "raise/Transform/Passes.h"
#include "llvm/ADT/STLExtras.h"

using namespace raise;
using llvm::ArrayRef;
using llvm::dyn_cast;

namespace {

/// Points of a strip: one addition waits for sixteen points instead of one,
/// and all compilers write out a loop of as many.
constexpr int64_t Width = 16;
/// Points from which strips pay, tests and all.
constexpr int64_t LeastPoints = 16 * Width;
/// Points from which a scalar in place of an element pays.
constexpr int64_t LeastForOneLink = 16;

/// Writes one loop by strips.
class ByStrips {
public:
  ByStrips(const ScanBody &B, const Iterator &It) : B(B), It(It) {}
  /// What stands in place of the loop, of at least LeastPoints points.
  StmtRef run(const SourceLoc &Loc);

private:
  /// A scan's sums within a strip: up to each point, and before it.
  struct Sums {
    std::shared_ptr<Var> Part;
    BufferRef Upto, Before;
  };
  BufferRef array(const Scan &S, const char *Suffix) const;
  void findUses();
  std::vector<StmtRef> terms(const VarRef &Lane) const;
  std::vector<StmtRef> first(const VarRef &Lane) const;
  std::vector<StmtRef> second(const VarRef &Lane) const;

  const ScanBody &B;
  const Iterator &It;
  std::vector<Sums> All; ///< of B.Scans
};

BufferRef ByStrips::array(const Scan &S, const char *Suffix) const {
  return stripArray(S.Name + Suffix, S.S->Ty, Width, B.List[S.At]->Loc);
}

/// Which sums the other statements use.
void ByStrips::findUses() {
  for (const Scan &S : B.Scans) {
    Sums Of{stripScalar(S.Name + "_part", S.S->Ty), nullptr, nullptr};
    if (B.ByTerms)
      Of.Upto = array(S, "_upto");
    for (size_t I = 0; I < B.List.size(); ++I) {
      if (B.scanAt(I) || !uses(B.List[I], S.S.get()))
        continue;
      BufferRef &Buf = I > S.At ? Of.Upto : Of.Before;
      if (!Buf)
        Buf = array(S, I > S.At ? "_upto" : "_before");
    }
    All.push_back(std::move(Of));
  }
}

/// What a strip's points add, and what is stored for that.
std::vector<StmtRef> ByStrips::terms(const VarRef &Lane) const {
  std::vector<StmtRef> Out;
  for (size_t I = 0; I < B.List.size(); ++I) {
    if (const Scan *S = B.scanAt(I))
      Out.push_back(std::make_shared<Store>(
          stripElement(All[size_t(S - B.Scans.data())].Upto, Lane),
          Combiner::None, S->Value));
    else if (B.isEarly(I) || llvm::is_contained(B.Lets, B.List[I]))
      Out.push_back(B.List[I]);
  }
  return Out;
}

/// What a strip's points add up to, from its first on.
std::vector<StmtRef> ByStrips::first(const VarRef &Lane) const {
  std::vector<StmtRef> Out;
  for (size_t I = 0; I < B.List.size(); ++I) {
    const Scan *S = B.scanAt(I);
    if (!S) {
      if (!B.ByTerms && llvm::is_contained(B.Lets, B.List[I]))
        Out.push_back(B.List[I]);
      continue;
    }
    const Sums &Of = All[size_t(S - B.Scans.data())];
    const auto Keep = [&](const BufferRef &In) {
      if (In)
        Out.push_back(std::make_shared<Store>(
            stripElement(In, Lane), Combiner::None, build::var(Of.Part)));
    };
    Keep(Of.Before);
    // What is subtracted is added up.
    Out.push_back(std::make_shared<Assign>(
        Of.Part, S->Op == Combiner::Mul ? Combiner::Mul : Combiner::Add,
        B.ByTerms ? build::load(stripElement(Of.Upto, Lane)) : S->Value,
        B.List[I]->Loc));
    Keep(Of.Upto);
  }
  return Out;
}

/// The other statements, with what came before the strip.
std::vector<StmtRef> ByStrips::second(const VarRef &Lane) const {
  std::vector<StmtRef> Out;
  for (size_t I = 0; I < B.List.size(); ++I) {
    if (B.scanAt(I) || B.isEarly(I))
      continue;
    StmtRef S = B.List[I];
    for (size_t K = 0; K < B.Scans.size(); ++K) {
      const Scan &Of = B.Scans[K];
      if (uses(S, Of.S.get()))
        S = substitute(
            S, Of.S,
            build::binary(operatorOf(Of.Op), build::var(Of.S),
                          build::load(stripElement(
                              I > Of.At ? All[K].Upto : All[K].Before, Lane))));
    }
    Out.push_back(std::move(S));
  }
  return Out;
}

StmtRef ByStrips::run(const SourceLoc &Loc) {
  const auto Of = wholeStrips(It, Width, LeastPoints, /*IsLong=*/true);
  if (!Of)
    return nullptr;
  findUses();
  std::vector<StmtRef> Strip;
  for (const Sums &S : All) {
    for (const BufferRef &Buf : {S.Before, S.Upto})
      if (Buf)
        Strip.push_back(std::make_shared<DeclBuffer>(Buf));
    const Scan &From = B.Scans[size_t(&S - All.data())];
    Strip.push_back(std::make_shared<Decl>(
        S.Part,
        build::floatConst(From.Op == Combiner::Mul ? 1 : 0, S.Part->Ty)));
  }
  const auto Each = stripScalar("lane", Type::getI32()),
             Lane = stripScalar("lane", Type::getI32()),
             Again = stripScalar("lane", Type::getI32());
  if (B.ByTerms)
    Strip.push_back(
        laneLoop(IterKind::Parallel, terms(Each), Each, Width, It, *Of));
  Strip.push_back(laneLoop(IterKind::Scan, first(Lane), Lane, Width, It, *Of));
  Strip.push_back(
      laneLoop(IterKind::Parallel, second(Again), Again, Width, It, *Of));
  for (size_t K = 0; K < All.size(); ++K)
    Strip.push_back(std::make_shared<Assign>(B.Scans[K].S, B.Scans[K].Op,
                                             build::var(All[K].Part)));
  return stripsAndRest(*Of, B.Before, std::move(Strip), B.List, It.Kind, Loc);
}

/// R's original as one loop in its order, where R took it apart: strips bring
/// what is stored for a sum and the sum together, and pass over the data once.
std::optional<Region> asOneLoop(const Region &R) {
  const auto *L = dyn_cast<For>(R.Original.get());
  const ArrayRef<StmtRef> Parts = statements(R.Body);
  if (!L || L->LKind != LoopKind::Serial || constantValue(L->Step) != 1 ||
      !isStraight(L->Body) || Parts.size() < 2)
    return std::nullopt;
  const Iterator *Range = nullptr;
  for (const StmtRef &S : Parts) {
    const auto *T = dyn_cast<TensorOp>(S.get());
    if (!T || T->Mask || T->Iterators.size() != 1 ||
        constantValue(T->Iterators.front().Step) != 1 ||
        !goesWith(T->Iterators.front(), *L))
      return std::nullopt;
    if (!Range)
      Range = &T->Iterators.front();
  }
  StmtRef Body = withOwnVariables(L->Body);
  Iterator It = *Range;
  It.V = stripScalar(Range->V->Name, Range->V->Ty);
  It.Kind = IterKind::Scan;
  Body = substitute(Body, L->V, build::cast(build::var(It.V), L->V->Ty));
  return Region(R.Rests,
                std::make_shared<TensorOp>(std::vector<Iterator>{It}, nullptr,
                                           Body, "", R.Body->Loc),
                R.Original, R.Loc);
}

StmtRef stripsOf(const Region &R) {
  return StripLoops(R, LeastPoints,
                    [&](const Iterator &It, const StmtRef &Body,
                        const SourceLoc &Loc) -> StmtRef {
                      ScanBody Found(It, Body, R);
                      return Found.find() && Found.takesStrips()
                                 ? ByStrips(Found, It).run(Loc)
                                 : nullptr;
                    })
      .run("each strip sums up for itself, and what came before it joins in "
           "the end");
}

/// Where strips do not pay, an iteration waits for one operation at least, and
/// not for several.
StmtRef withOneLink(const Region &R) {
  return StripLoops(R, LeastForOneLink,
                    [&](const Iterator &It, const StmtRef &Body,
                        const SourceLoc &Loc) -> StmtRef {
                      ScanBody Found(It, Body, R);
                      if (!Found.find() || !Found.waitsLong())
                        return nullptr;
                      std::vector<StmtRef> Out = Found.Before;
                      Out.push_back(std::make_shared<TensorOp>(
                          std::vector<Iterator>{It}, nullptr,
                          makeBlock(Found.List), "", Loc));
                      return makeBlock(std::move(Out));
                    })
      .run("what an iteration adds is added up first, so that the next one "
           "waits for one operation");
}

StmtRef byStrips(const Region &R) {
  const auto Whole = asOneLoop(R);
  if (Whole)
    if (StmtRef S = stripsOf(*Whole))
      return S;
  if (StmtRef S = stripsOf(R))
    return S;
  return withOneLink(Whole ? *Whole : R);
}

} // namespace

FunctionRef raise::scanByStrips(FunctionRef F, Context &Ctx) {
  if (!takesVectorLoops(*F, Ctx.Opts) || Ctx.Opts.FP == FPMode::Strict)
    return F;
  return mapRegions(F, byStrips);
}
