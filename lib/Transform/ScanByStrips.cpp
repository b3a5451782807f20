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
// A strip's first loop runs ahead of all stores of the strip, so it may load
// nothing that one of them stores for a later point.
//
//===----------------------------------------------------------------------===//
#include "FoldConstants.h"
#include "LaneValue.h"
#include "NestGuards.h"
#include "Peel.h"
#include "RegionPass.h"
#include "ScanBody.h"
#include "WholeStrips.h"
#include "raise/IR/Visitor.h"
#include "raise/Transform/Passes.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace raise;
using llvm::cast;
using llvm::dyn_cast;
using llvm::isa;

namespace {

/// Points of a strip: one addition waits for sixteen points instead of one,
/// and all compilers write out a loop of as many.
constexpr int64_t Width = 16;
/// Points from which strips pay, tests and all.
constexpr int64_t LeastPoints = 16 * Width;

std::shared_ptr<Var> scalar(const std::string &Name, const Type &Ty) {
  auto V = std::make_shared<Var>();
  V->Name = Name;
  V->Ty = Ty;
  return V;
}

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
  StmtRef lanes(IterKind Kind, std::vector<StmtRef> List, const VarRef &Lane,
                const WholeStrips &Of) const;
  static Access at(const BufferRef &Buf, const VarRef &Lane) {
    Access A;
    A.Buf = Buf;
    A.Indices = {build::var(Lane)};
    return A;
  }
  BufferRef array(const Scan &S, const char *Suffix) const;
  void findUses();
  std::vector<StmtRef> first(const VarRef &Lane) const;
  std::vector<StmtRef> second(const VarRef &Lane) const;

  const ScanBody &B;
  const Iterator &It;
  std::vector<Sums> All; ///< of B.Scans
};

BufferRef ByStrips::array(const Scan &S, const char *Suffix) const {
  auto Buf = std::make_shared<Buffer>();
  Buf->Name = S.Name + Suffix;
  Buf->Elem = S.S->Ty;
  Buf->Kind = BufferKind::Local;
  Buf->Extents = {build::intConst(Width, Type::getI64())};
  Buf->Loc = B.List[S.At]->Loc;
  return Buf;
}

/// Which sums the other statements use.
void ByStrips::findUses() {
  for (const Scan &S : B.Scans) {
    Sums Of{scalar(S.Name + "_part", S.S->Ty), nullptr, nullptr};
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

/// What a strip's points add up to, from its first on.
std::vector<StmtRef> ByStrips::first(const VarRef &Lane) const {
  std::vector<StmtRef> Out;
  for (size_t I = 0; I < B.List.size(); ++I) {
    const Scan *S = B.scanAt(I);
    if (!S) {
      if (llvm::is_contained(B.Lets, B.List[I]))
        Out.push_back(B.List[I]);
      continue;
    }
    const Sums &Of = All[size_t(S - B.Scans.data())];
    const auto Keep = [&](const BufferRef &In) {
      if (In)
        Out.push_back(std::make_shared<Store>(at(In, Lane), Combiner::None,
                                              build::var(Of.Part)));
    };
    Keep(Of.Before);
    // What is subtracted is added up.
    Out.push_back(std::make_shared<Assign>(
        Of.Part, S->Op == Combiner::Mul ? Combiner::Mul : Combiner::Add,
        S->Value, B.List[I]->Loc));
    Keep(Of.Upto);
  }
  return Out;
}

/// The other statements, with what came before the strip.
std::vector<StmtRef> ByStrips::second(const VarRef &Lane) const {
  std::vector<StmtRef> Out;
  for (size_t I = 0; I < B.List.size(); ++I) {
    if (B.scanAt(I))
      continue;
    StmtRef S = B.List[I];
    for (size_t K = 0; K < B.Scans.size(); ++K) {
      const Scan &Of = B.Scans[K];
      if (uses(S, Of.S.get()))
        S = substitute(
            S, Of.S,
            build::binary(operatorOf(Of.Op), build::var(Of.S),
                          build::load(at(
                              I > Of.At ? All[K].Upto : All[K].Before, Lane))));
    }
    Out.push_back(std::move(S));
  }
  return Out;
}

StmtRef ByStrips::lanes(IterKind Kind, std::vector<StmtRef> List,
                        const VarRef &Lane, const WholeStrips &Of) const {
  const StmtRef Body =
      ConstantFolder().run(forLane(withOwnVariables(makeBlock(std::move(List))),
                                   It.V, build::var(Of.Strips.V), Lane));
  return std::make_shared<TensorOp>(
      std::vector<Iterator>{{Lane, build::intConst(0), build::intConst(Width),
                             build::intConst(1), Kind}},
      nullptr, Body, "");
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
  const auto Lane = scalar("lane", Type::getI32()),
             Again = scalar("lane", Type::getI32());
  Strip.push_back(lanes(IterKind::Scan, first(Lane), Lane, *Of));
  Strip.push_back(lanes(IterKind::Parallel, second(Again), Again, *Of));
  for (size_t K = 0; K < All.size(); ++K)
    Strip.push_back(std::make_shared<Assign>(B.Scans[K].S, B.Scans[K].Op,
                                             build::var(All[K].Part)));
  std::vector<StmtRef> Out;
  if (Of->RestDecl)
    Out.push_back(Of->RestDecl);
  llvm::append_range(Out, B.Before);
  Iterator Strips = Of->Strips;
  Out.push_back(std::make_shared<TensorOp>(std::vector<Iterator>{Strips},
                                           nullptr, makeBlock(std::move(Strip)),
                                           "", Loc));
  if (Of->HasLast) {
    StmtRef Rest = withOwnVariables(makeBlock(B.List));
    Iterator Last = withOwnVariable(Of->Last, Rest);
    Last.Kind = It.Kind;
    Out.push_back(std::make_shared<TensorOp>(std::vector<Iterator>{Last},
                                             nullptr, Rest, "", Loc));
  }
  return makeBlock(std::move(Out));
}

/// The scans of one region.
class Scans : public Rewriter {
public:
  explicit Scans(const Region &R) : R(R) {
    forEachStmt(R.Body, [&](const StmtRef &S) {
      if (const auto *T = dyn_cast<TensorOp>(S.get()))
        for (const Iterator &I : T->Iterators)
          Inside.insert(I.V.get());
      if (const auto *D = dyn_cast<Decl>(S.get()))
        Inside.insert(D->V.get());
      if (const auto *L = dyn_cast<For>(S.get()))
        Inside.insert(L->V.get());
    });
  }
  std::vector<Guard> Tests;
  bool Changed = false;

private:
  const Region &R;
  std::set<const Var *> Inside;

  bool isLong(const Iterator &It, ExprRef &Test) const;
  StmtRef rewriteStmt(const StmtRef &S) override;
};

/// Whether It has enough points, under a test that is made before the region
/// (null: none is needed).
bool Scans::isLong(const Iterator &It, ExprRef &Test) const {
  const auto From = constantValue(It.Lo), To = constantValue(It.Hi);
  if (From && To)
    return *To - *From >= LeastPoints;
  Test = lengthTest(It, LeastPoints, R.Body);
  return Test &&
         llvm::none_of(Inside, [&](const Var *V) { return uses(Test, V); });
}

StmtRef Scans::rewriteStmt(const StmtRef &S) {
  const auto *T = dyn_cast<TensorOp>(S.get());
  if (!T || T->Mask || T->Iterators.empty())
    return S;
  const Iterator &It = T->Iterators.back();
  ExprRef Test;
  if ((It.Kind != IterKind::Scan && It.Kind != IterKind::Serial) ||
      !isLong(It, Test))
    return S;
  ScanBody Found(It, T->Body, R);
  const StmtRef New = Found.find() ? ByStrips(Found, It).run(T->Loc) : nullptr;
  if (!New)
    return S;
  Changed = true;
  if (Test && !isImplied(Test, R.Rests.Guards) && !isImplied(Test, Tests))
    Tests.push_back({Test, {}, {}, ""});
  if (T->Iterators.size() == 1)
    return New;
  std::vector<Iterator> Outer = T->Iterators;
  Outer.pop_back();
  return std::make_shared<TensorOp>(std::move(Outer), nullptr, New, "", T->Loc);
}

StmtRef byStrips(const Region &R) {
  Scans By(R);
  StmtRef Body = By.run(R.Body);
  if (!By.Changed)
    return nullptr;
  Obligations Rests = R.Rests;
  Rests.Ordered.clear();
  // They are cheap, and what they imply need not be tested.
  Rests.Guards.insert(Rests.Guards.begin(), By.Tests.begin(), By.Tests.end());
  dropImplied(Rests.Guards);
  Rests.Proved.push_back("each strip sums up for itself, and what came before "
                         "it joins in the end");
  return laidOut(R, std::move(Body), std::move(Rests));
}

} // namespace

FunctionRef raise::scanByStrips(FunctionRef F, Context &Ctx) {
  if (!takesVectorLoops(*F, Ctx.Opts) || Ctx.Opts.FP == FPMode::Strict)
    return F;
  return mapRegions(F, byStrips);
}
