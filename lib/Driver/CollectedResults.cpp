//===- CollectedResults.cpp - what is reported of one file ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "CollectedResults.h"
#include "KernelInstances.h"
#include "SourceLoops.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace raise {

static bool samePlace(const Result &A, const Result &B) {
  return A.File == B.File && A.Line == B.Line && A.Column == B.Column &&
         A.What == B.What;
}

SourceLoc placeOf(const MarkedBlock &B, StringRef Display) {
  return {Display.str(),     B.Line,          B.Column,
          unsigned(B.Begin), unsigned(B.End), false};
}

bool liesInBlock(const SourceLoc &L, StringRef Spelled,
                 ArrayRef<MarkedBlock> Blocks) {
  return L.File == Spelled && blockAround(Blocks, L.Begin, L.End);
}

std::vector<Result> CollectedResults::of(ArrayRef<Candidate> Candidates,
                                         ArrayRef<Finding> Unreached) {
  for (const MarkedBlock &B : Blocks)
    All.push_back(ofBlock(B));
  Instances.assign(All.size(), nullptr);
  for (const Candidate &C : Candidates)
    if (C.Selected && !C.isKernel())
      add(C.Findings, patternOf(*C.Decl));
  add(Unreached, nullptr);
  addKernels(Candidates);
  // The source's own, then those of its headers.
  auto Place = [&](const Result &R) {
    return std::tuple(R.File != File.Spelled, StringRef(R.File), R.Line,
                      R.Column);
  };
  stable_sort(All, [&](const Result &A, const Result &B) {
    return Place(A) < Place(B);
  });
  return std::move(All);
}

/// Instantiations of one pattern share their places: the worst one counts.
/// Two loops of one instantiation share theirs where one macro writes both.
void CollectedResults::add(ArrayRef<Finding> Findings,
                           const clang::FunctionDecl *Pattern) {
  size_t Before = All.size();
  std::vector<bool> Taken(Before, false);
  for (const Finding &F : withFurtherLoops(Findings)) {
    if (liesInBlock(F.Loc, File.Spelled, Blocks))
      continue;
    size_t I = 0;
    while (I < Before && (Taken[I] || !Pattern || Instances[I] != Pattern ||
                          !samePlace(All[I], F.R)))
      ++I;
    if (I == Before) {
      All.push_back(F.R);
      Instances.push_back(Pattern);
      continue;
    }
    Taken[I] = true;
    if (isWorse(F.R, All[I]))
      All[I] = F.R;
  }
}

void CollectedResults::addKernels(ArrayRef<Candidate> Candidates) {
  MapVector<const clang::FunctionDecl *, std::vector<const Candidate *>> Of;
  for (const Candidate &C : Candidates)
    if (C.Selected && C.isKernel() &&
        !liesInBlock(C.Findings.front().Loc, File.Spelled, Blocks))
      Of[patternOf(*C.Decl)].push_back(&C);
  for (const auto &[Pattern, Each] : Of)
    All.push_back(resultOfInstances(Each));
}

Result CollectedResults::ofBlock(const MarkedBlock &B) const {
  Result R;
  R.File = File.Spelled;
  R.Line = B.Line;
  R.Column = B.Column;
  R.Function = StringRef(B.Id).rsplit(':').first.str();
  if (B.Edited) { // what it computes now, nobody has looked at
    R.Why = {"CR1709",
             "a block that was emitted before was edited by hand and is left "
             "as it is",
             placeOf(B, File.Display)};
    return R;
  }
  R.Outcome = Status::Raised;
  R.Kind = "block that was emitted before";
  if (StringRef(B.FirstLine).contains("= "))
    R.Notation = B.FirstLine;
  return R;
}

} // namespace raise
