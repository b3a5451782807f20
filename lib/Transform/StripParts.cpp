//===- StripParts.cpp - the parts of a loop, strip by strip ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
//   for (i) { a[i] *= c[i]; b[i] += a[i+1] * d[i]; }
//
// is no vector loop, since an iteration reads what the next one writes. Taken
// apart, `for (i) b...; for (i) a...;`, both are, but what the first brings
// into the caches is gone when the second comes. So they run strip by strip:
//
//   for (strip) { for (i in strip) b...; for (i in strip) a...; }
//
// The parts may run one after the other as wholes, so they may within a strip;
// what lies in two strips comes in the order of the original's iterations.
//
//===----------------------------------------------------------------------===//
#include "FoldConstants.h"
#include "IntoLoops.h"
#include "LoopRuns.h"
#include "RegionPass.h"
#include "StripLoops.h"
#include "raise/IR/Visitor.h"
#include "raise/Transform/Passes.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace raise;
using llvm::dyn_cast;
using llvm::isa;

namespace {

/// Points of a strip: what several arrays have for them stays in the nearest
/// cache, and starting a loop is nothing against them.
int64_t stripPoints(const MachineFacts &Machine) {
  return std::max<int64_t>(2, 32 * int64_t(Machine.VectorBytes));
}

/// Whether It is long enough for strips, and its bands can be counted.
bool takesStrips(const Iterator &It, int64_t Strip) {
  const auto *Lo = dyn_cast<IntConst>(It.Lo.get()),
             *Hi = dyn_cast<IntConst>(It.Hi.get());
  if (Lo && Hi && Hi->Value - Lo->Value <= 2 * Strip)
    return false;
  return It.V->Ty.Signed && (It.V->Ty.Bits < 64 || (Lo && Lo->Value >= 0));
}

/// Whether Parts stand as Original has their statements. Then whatever an
/// iteration takes from an earlier one it takes from a statement further up,
/// and compilers make a vector loop of the original as it is.
bool areInOrderOf(const StmtRef &Original,
                  llvm::ArrayRef<const TensorOp *> Parts) {
  std::set<unsigned> There;
  forEachStmt(Original, [&](const StmtRef &S) {
    if (isa<Store>(S.get()) && S->Loc.isValid())
      There.insert(S->Loc.Begin);
  });
  std::vector<unsigned> At;
  bool Known = true;
  for (const TensorOp *T : Parts)
    forEachStmt(T->Body, [&](const StmtRef &S) {
      if (!isa<Store>(S.get()))
        return;
      Known &= S->Loc.isValid() && There.count(S->Loc.Begin);
      At.push_back(S->Loc.Begin);
    });
  return Known && llvm::is_sorted(At);
}

/// The loops that R's original was taken apart into, if there are several, each
/// free and over the whole range.
std::vector<const TensorOp *> partsOf(const Region &R, int64_t Strip) {
  const auto *L = dyn_cast<For>(R.Original.get());
  if (!L || L->LKind != LoopKind::Serial || constantValue(L->Step) != 1 ||
      !isStraight(L->Body))
    return {};
  std::vector<const TensorOp *> Parts;
  for (const StmtRef &S : statements(R.Body)) {
    const auto *T = dyn_cast<TensorOp>(S.get());
    if (!T || T->Mask || T->Iterators.size() != 1 || !isStraight(T->Body))
      return {};
    const Iterator &It = T->Iterators.front();
    if (It.Kind != IterKind::Parallel || constantValue(It.Step) != 1 ||
        !goesWith(It, *L) || !takesStrips(It, Strip))
      return {};
    Parts.push_back(T);
  }
  return Parts.size() < 2 || areInOrderOf(R.Original, Parts)
             ? std::vector<const TensorOp *>()
             : Parts;
}

/// Whether threads pay for a pass over the data of their own: from a thousand
/// points on.
bool computesMuch(const TensorOp &T, const MachineFacts &Machine) {
  uint64_t Operations = 0;
  forEachExpr(T.Body, [&](const ExprRef &E) {
    Operations += isa<Binary>(E.get()) && E->Ty.isFloat();
    Operations += isa<Call>(E.get()) ? 20 : 0;
  });
  return std::max<uint64_t>(Operations, 1) * 1000 >= Machine.ParallelWork;
}

/// Whether a part leaves a value behind, in no element.
bool setsOuterScalars(const TensorOp &T) {
  std::vector<const Var *> Own;
  for (const StmtRef &S : statements(T.Body))
    if (const auto *D = dyn_cast<Decl>(S.get()))
      Own.push_back(D->V.get());
  return llvm::any_of(statements(T.Body), [&](const StmtRef &S) {
    const auto *A = dyn_cast<Assign>(S.get());
    return A && !llvm::is_contained(Own, A->V.get());
  });
}

StmtRef byStrips(const Region &R, const MachineFacts &Machine) {
  const int64_t Strip = stripPoints(Machine);
  const std::vector<const TensorOp *> Parts = partsOf(R, Strip);
  if (Parts.empty() || llvm::any_of(Parts, [&](const TensorOp *T) {
        return setsOuterScalars(*T) || computesMuch(*T, Machine);
      }))
    return nullptr;
  const BandsOf Strips =
      makeBands(Parts.front()->Iterators.front(), Strip, "strip");
  std::vector<StmtRef> Body = {Strips.End};
  for (const TensorOp *T : Parts) {
    Iterator Points = T->Iterators.front();
    Points.Lo = Strips.Points.Lo;
    Points.Hi = Strips.Points.Hi;
    Body.push_back(std::make_shared<TensorOp>(std::vector<Iterator>{Points},
                                              nullptr, T->Body, "", T->Loc));
  }
  Iterator Over = Strips.Bands;
  Over.Kind = IterKind::Serial;
  return laidOut(R,
                 std::make_shared<TensorOp>(std::vector<Iterator>{Over},
                                            nullptr, makeBlock(std::move(Body)),
                                            "", R.Body->Loc),
                 R.Rests);
}

} // namespace

FunctionRef raise::stripParts(FunctionRef F, Context &Ctx) {
  if (!takesVectorLoops(*F, Ctx.Opts))
    return F;
  return mapRegions(
      F, [&](const Region &R) { return byStrips(R, Ctx.Opts.Machine); });
}
