//===- LoopRuns.cpp - whether a loop of a region has a point --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "LoopRuns.h"
#include "raise/IR/Visitor.h"
#include "llvm/ADT/STLExtras.h"

using namespace raise;
using llvm::dyn_cast;
using llvm::isa;

namespace {

/// E without conversions that keep every value.
ExprRef bare(ExprRef E) {
  while (const auto *C = dyn_cast<Cast>(E.get())) {
    const Type &From = C->Operand->Ty, &To = C->Ty;
    const bool Same = From.Bits == To.Bits && From.Signed == To.Signed;
    if (!From.isInt() || !To.isInt() ||
        !(Same || (To.Bits > From.Bits && (To.Signed || !From.Signed))))
      break;
    E = C->Operand;
  }
  return E;
}

const Var *asVar(const ExprRef &E) {
  const auto *U = dyn_cast<VarUse>(bare(E).get());
  return U ? U->V.get() : nullptr;
}

/// A band's counter, in the type of the points.
const Var *asCounter(const ExprRef &E) {
  const auto *C = dyn_cast<Cast>(E.get());
  return asVar(C ? C->Operand : E);
}

/// The number that E is, if each integer type has it.
std::optional<int64_t> asNumber(ExprRef E) {
  while (const auto *C = dyn_cast<Cast>(E.get()))
    E = C->Operand;
  const auto *I = dyn_cast<IntConst>(E.get());
  return I && I->Value >= 0 && I->Value < 128 ? std::optional(I->Value)
                                              : std::nullopt;
}

/// Whether n >= m, since New tests n > l.
bool isImplied(const Guard &G, const Guard &New) {
  const auto *Weak = G.Cond ? dyn_cast<Binary>(G.Cond.get()) : nullptr;
  const auto *Strong = dyn_cast<Binary>(New.Cond.get());
  if (!Weak || !Strong || Weak->Op != BinaryOp::GE)
    return false;
  const auto Low = asNumber(Weak->R), High = asNumber(Strong->R);
  return Low && High && *Low <= *High + 1 && asVar(Weak->L) &&
         asVar(Weak->L) == asVar(Strong->L);
}

} // namespace

/// `end = hi - band < 64 ? hi : band + 64`, in the loop over band < hi: later
/// than band in either case.
void LoopRuns::enterBand(const Decl &D) {
  const auto *S = D.Init ? dyn_cast<Select>(D.Init.get()) : nullptr;
  if (!S)
    return;
  // In the band's type, of which it is known to fit.
  const auto *Fits = dyn_cast<Cast>(S->False.get());
  const ExprRef &Later = Fits ? Fits->Operand : S->False;
  const auto *Sum = dyn_cast<Binary>(Later.get());
  const Var *First = Sum && Sum->Op == BinaryOp::Add ? asVar(Sum->L) : nullptr;
  const auto Size = First ? asNumber(Sum->R) : std::nullopt;
  const auto End = EndOf.find(First);
  if (Size && *Size > 0 && End != EndOf.end() &&
      structurallyEqual(bare(End->second), bare(S->True)))
    BandOf[D.V.get()] = First;
}

/// The least value of E, as i + 1, by where the counters around begin.
std::optional<int64_t> LoopRuns::leastOf(const ExprRef &E) const {
  if (const auto Number = asNumber(E))
    return Number;
  if (const Var *V = asVar(E)) {
    const auto At = LeastOf.find(V);
    return At == LeastOf.end() ? std::nullopt : std::optional(At->second);
  }
  const auto *Sum = dyn_cast<Binary>(bare(E).get());
  if (!Sum || Sum->Op != BinaryOp::Add || !Sum->Ty.Signed)
    return std::nullopt;
  const auto L = leastOf(Sum->L), Right = leastOf(Sum->R);
  return L && Right ? std::optional(*L + *Right) : std::nullopt;
}

bool LoopRuns::isKnownToRun(const Iterator &It) const {
  const auto Lo = asNumber(It.Lo);
  if (const auto *Hi = dyn_cast<IntConst>(bare(It.Hi).get()); Lo && Hi)
    return *Lo < Hi->Value;
  if (const auto Least = leastOf(It.Hi); Lo && Least && *Lo < *Least)
    return true;
  const Var *End = asVar(It.Hi);
  if (!End)
    return false;
  if (const auto Band = BandOf.find(End); Band != BandOf.end())
    return asCounter(It.Lo) == Band->second;
  return Lo && llvm::any_of(R.Rests.Guards, [&](const Guard &G) {
           const auto *B = G.Cond ? dyn_cast<Binary>(G.Cond.get()) : nullptr;
           const auto Least = B ? asNumber(B->R) : std::nullopt;
           return Least && asVar(B->L) == End &&
                  ((B->Op == BinaryOp::GE && *Least > *Lo) ||
                   (B->Op == BinaryOp::GT && *Least >= *Lo));
         });
}

/// Whether It has a point wherever the region's body runs; a test may say so.
bool LoopRuns::runs(const Iterator &It) {
  if (isKnownToRun(It))
    return true;
  const auto Lo = asNumber(It.Lo);
  const auto *End = dyn_cast<VarUse>(bare(It.Hi).get());
  if (!MayTest || R.Rests.Guards.empty() || !Lo || !End ||
      assigns(R.Body, End->V.get()) || It.Hi->Ty != End->V->Ty)
    return false;
  Guard G;
  G.Cond = build::binary(BinaryOp::GT, bare(It.Hi),
                         build::intConst(*Lo, End->V->Ty));
  G.Why = "the loop over " + It.V->Name + " runs";
  if (llvm::none_of(Tests, [&](const Guard &T) {
        return structurallyEqual(T.Cond, G.Cond);
      }))
    Tests.push_back(std::move(G));
  return true;
}

bool raise::isStraight(const StmtRef &Body) {
  bool Straight = true;
  forEachStmt(Body, [&](const StmtRef &S) {
    Straight &= isa<Block>(S.get()) || isa<Decl>(S.get()) ||
                isa<Assign>(S.get()) ||
                (isa<Store>(S.get()) && !llvm::cast<Store>(*S).Atomic);
  });
  return Straight;
}

void LoopRuns::enter(const TensorOp &T) {
  for (const Iterator &It : T.Iterators) {
    EndOf[It.V.get()] = It.Hi;
    const auto By = asNumber(It.Step);
    if (const auto Lo = leastOf(It.Lo); Lo && By && *By > 0)
      LeastOf[It.V.get()] = *Lo;
  }
}

void LoopRuns::joinTests(std::vector<Guard> &Guards) const {
  // What the new tests imply need not be tested.
  llvm::erase_if(Guards, [&](const Guard &G) {
    return llvm::any_of(Tests,
                        [&](const Guard &New) { return isImplied(G, New); });
  });
  Guards.insert(Guards.begin(), Tests.begin(), Tests.end());
}
