//===- Attempts.cpp - what inputs are tried -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Attempts.h"
#include "RaisedForm.h"
#include "raise/IR/Effects.h"
#include "raise/IR/Visitor.h"
#include <cmath>

namespace raise {

using interp::Binding;
using interp::Inputs;
using interp::Storage;
using interp::Value;

/// Integers of which F asks only whether they are zero.
static std::set<const Var *> switchesOf(const Function &F,
                                        const std::vector<VarRef> &Ints) {
  std::map<const Var *, int> Others;
  for (const VarRef &V : Ints)
    Others[V.get()] = 0;
  const auto Count = [&](const ExprRef &E, int By) {
    auto *U = llvm::dyn_cast<VarUse>(E.get());
    if (auto It = Others.find(U ? U->V.get() : nullptr); It != Others.end())
      It->second += By;
  };
  bool Asked = false;
  forEachExpr(F.Body, [&](const ExprRef &E) {
    Count(E, 1);
    auto *C = llvm::dyn_cast<Cast>(E.get());
    if (C && C->Ty.isBool())
      Count(C->Operand, -1), Asked = true;
  });
  std::set<const Var *> Found;
  for (const auto &[V, N] : Others)
    if (Asked && N == 0 && uses(F.Body, V))
      Found.insert(V);
  return Found;
}

AttemptMaker::AttemptMaker(const VerifyJob &Job, const DiscoverySettings &S)
    : Job(Job), F(*Job.Original), Shape(shapeOf(F, Job.Layouts)),
      Asked(F, Shape.Ints), Switches(switchesOf(F, Shape.Ints)), Rand(S.Seed),
      WithSpecials(S.Specials), LooksAhead(looksAhead(Job.Raised.get())) {}

int64_t AttemptMaker::chooseInt(Family Kind, unsigned Number, unsigned Index) {
  static const int64_t Sizes[] = {33, 0, 7, 257, 1, 1025, 2, 16};
  static const int64_t Larges[] = {257, 33, 1025, 129};
  size_t Count = std::max<size_t>(Shape.Ints.size(), 1);
  switch (Kind) {
  case Family::Equal:
    return Sizes[Number % 8];
  case Family::OneLarge:
    return Index == Number % Count ? Larges[Number / Count % 4]
                                   : Rand.between(1, 4);
  case Family::Flags:
    return Rand.between(0, 3);
  case Family::Product: // powers of two divide each other
    return Number % 2 ? Rand.between(1, 5) : int64_t(1) << Rand.below(3);
  case Family::Negative:
    return Index == Number % Count ? Rand.between(-3, -1) : Rand.between(1, 8);
  case Family::Large:
    return largeInt(Number, Index);
  default:
    return Rand.between(1, 8);
  }
}

/// Values under which loops over one to four of the parameters are long enough.
int64_t AttemptMaker::largeInt(unsigned Number, unsigned Index) {
  static const int64_t Roots[] = {131075, 400, 63, 20, 11, 250003};
  size_t Count = std::max<size_t>(Shape.Ints.size(), 1);
  int64_t Root = Roots[Number % (LargePeriod / 2)];
  if (isForAll(Number))
    return Root;
  return Index == Number / LargePeriod % Count ? Root : Rand.between(1, 4);
}

void AttemptMaker::chooseScalars(Attempt &A, unsigned Number) {
  for (unsigned I = 0; I < Shape.Ints.size(); ++I) {
    const Var &V = *Shape.Ints[I];
    const int64_t Chosen = Switches.count(&V) && Rand.below(8)
                               ? int64_t(Rand.below(2))
                               : chooseInt(A.Kind, Number, I);
    A.In.Scalars[V.Name] = Value::ofInt(clampTo(Chosen, V.Ty), V.Ty);
  }
  if (A.Kind == Family::Product && Shape.Ints.size() > 1) {
    // N = w * h * c, as kernels over a flattened range want it.
    unsigned Target = Number % Shape.Ints.size();
    bool Leading = Rand.below(2); // of those that come first, else of any
    unsigned Most =
        Leading ? 1 + Rand.below(Shape.Ints.size() - 1) : Shape.Ints.size();
    int64_t Product = 1;
    for (unsigned I = 0, Taken = 0; I < Shape.Ints.size() && Taken < Most; ++I)
      if (I != Target && (Leading || Rand.below(4))) {
        Product *= A.In.Scalars[Shape.Ints[I]->Name].I;
        ++Taken;
      }
    const Var &V = *Shape.Ints[Target];
    A.In.Scalars[V.Name] =
        Value::ofInt(clampTo(std::min<int64_t>(Product, 4096), V.Ty), V.Ty);
  }
  for (const VarRef &V : Shape.Floats) {
    unsigned Which = Rand.below(6);
    double D = Which == 0 ? 0 : Which == 1 ? 1 : Rand.real(-2, 2);
    A.In.Scalars[V->Name] = Value::ofFloat(D, V->Ty);
  }
}

std::optional<HintRange> AttemptMaker::hint(llvm::StringRef Name,
                                            const Inputs &In) {
  auto It = Job.Hints.find(Name);
  if (It == Job.Hints.end())
    return std::nullopt;
  return evaluateHint(It->second,
                      [&](llvm::StringRef N) -> std::optional<double> {
                        auto V = In.Scalars.find(N.str());
                        if (V != In.Scalars.end())
                          return V->second.Ty.isFloat() ? double(V->second.D)
                                                        : double(V->second.I);
                        if (N == "k") // "k*NH": any multiple
                          return double(Rand.between(1, 3));
                        return std::nullopt;
                      });
}

void AttemptMaker::applyHints(Attempt &A) {
  // A hint may name a parameter that has a hint: as many rounds as parameters.
  Inputs Before = A.In;
  for (size_t Round = 0; Round <= F.Params.size(); ++Round) {
    bool Changed = false;
    for (const Param &P : F.Params) {
      if (!P.Scalar)
        continue;
      auto H = hint(P.Scalar->Name, A.In);
      if (!H)
        continue;
      const Type &Ty = P.Scalar->Ty;
      Value &V = A.In.Scalars[P.Scalar->Name];
      double Now = Ty.isFloat() ? double(V.D) : double(V.I);
      bool Multiple =
          Job.Hints.lookup(P.Scalar->Name).find('k') != std::string::npos;
      if (Now >= H->Lo && Now <= H->Hi && !(Round == 0 && Multiple))
        continue;
      if (Multiple && Round > 0 && H->Lo == H->Hi && H->Lo != 0 &&
          std::fmod(Now, H->Lo) == 0)
        continue;
      V = Ty.isFloat() ? Value::ofFloat(Rand.real(H->Lo, H->Hi), Ty)
                       : Value::ofInt(Rand.between(H->Lo, H->Hi), Ty);
      Changed = true;
    }
    if (!Changed)
      break;
  }
}

int64_t AttemptMaker::largestInt(const Inputs &In) const {
  int64_t Max = 0;
  for (const VarRef &V : Shape.Ints)
    Max = std::max(Max, In.Scalars.at(V->Name).I);
  return std::min<int64_t>(Max, 1 << 20);
}

void AttemptMaker::chooseBuffers(Attempt &A) {
  static const FloatData FloatModes[] = {FloatData::Random, FloatData::Whole,
                                         FloatData::Random, FloatData::Positive,
                                         FloatData::Special};
  FloatData Floats = FloatModes[Rand.below(WithSpecials ? 5 : 4)];
  int64_t Range = std::max<int64_t>(largestInt(A.In), 1);
  if (Shape.Ints.empty() || Rand.below(4) == 0)
    Range = 4;
  for (const BufferRef &B : Shape.Buffers) {
    Binding &Bind = A.In.Buffers[B->Name];
    if (Shape.TestedForNull.contains(B->Name) && Rand.below(3) == 0)
      continue; // null
    auto Fill = std::make_shared<Filler>();
    Fill->Floats = Floats;
    Fill->Ints = static_cast<IntData>(Rand.below(6));
    Fill->Range = Range;
    Fill->Seed = Rand.next();
    Fill->Hint = hint(B->Name, A.In);
    Bind.Store = std::make_shared<Storage>();
    Bind.Store->Growable = true;
    Bind.Store->MaxElements = size_t(1) << 19;
    Bind.Store->Fill = [Fill](size_t I, const std::string &Field,
                              const Type &Ty) {
      return Fill->make(I, Field, Ty);
    };
    A.Fillers[B->Name] = Fill;
    // All of it is there, whatever the original looks at.
    if (LooksAhead)
      for (size_t I = 0, Count = elementsOf(*B); I < Count; ++I)
        Bind.Store->Cells.push_back(Fill->make(I, "", B->Elem));
  }
  for (const BufferRef &B : Shape.Buffers)
    if (B->EachElement && !A.In.Buffers[wholeOf(*B).Name].Store) {
      A.In.Buffers[B->Name].Store = nullptr;
      A.Fillers.erase(B->Name);
    }
}

void AttemptMaker::overlap(Attempt &A) {
  // An array in each element goes where that goes.
  const auto holdsArrays = [&](const BufferRef &B) {
    return llvm::any_of(Shape.Buffers, [&](const BufferRef &In) {
      return In->EachElement && (In == B || &wholeOf(*In) == B.get());
    });
  };
  std::vector<std::pair<BufferRef, BufferRef>> Pairs;
  for (const BufferRef &P : Shape.Buffers)
    for (const BufferRef &Q : Shape.Buffers)
      if (P != Q && alias(*P, *Q) != AliasResult::No && P->Elem == Q->Elem &&
          !P->Elem.isVoid() && !P->Container && !Q->Container &&
          !holdsArrays(P) && !holdsArrays(Q) && A.In.Buffers[P->Name].Store &&
          A.In.Buffers[Q->Name].Store)
        Pairs.emplace_back(P, Q);
  if (Pairs.empty())
    return;
  auto &[P, Q] = Pairs[Rand.below(Pairs.size())];
  Binding &From = A.In.Buffers[Q->Name];
  From.Store = A.In.Buffers[P->Name].Store;
  // Threads of a kernel would race on shifted ranges.
  From.Offset = Job.IsKernel ? 0 : Rand.below(4);
  A.Fillers.erase(Q->Name);
  A.Overlaps = true;
}

void AttemptMaker::chooseLaunch(Attempt &A) {
  std::vector<unsigned> Blocks = {32, 64, 100, 128, 256, 512, 1, 7};
  Blocks.insert(Blocks.end(), Shape.SharedSizes.begin(),
                Shape.SharedSizes.end());
  if (!Shape.SharedSizes.empty() && Rand.below(2))
    Blocks = Shape.SharedSizes;
  uint64_t *G = A.In.GridDim, *B = A.In.BlockDim;
  B[0] = Blocks[Rand.below(Blocks.size())];
  static const unsigned Sides[] = {1, 4, 8, 16, 32, 5};
  if (Shape.UsesBlockZ) {
    B[0] = Rand.between(1, 8);
    B[2] = Rand.between(1, 4);
  }
  if (Shape.UsesBlockY) {
    bool Square = Rand.below(2) && !Shape.UsesBlockZ;
    if (!Shape.UsesBlockZ)
      B[0] = Square && !Shape.SharedSizes.empty()
                 ? std::min(32u, Shape.SharedSizes[0])
                 : Sides[Rand.below(6)];
    B[1] = Square ? B[0] : Sides[Rand.below(Shape.UsesBlockZ ? 3 : 6)];
  }
  // Most launches are those that the raised form is for, some are others.
  const std::array<unsigned, 3> Asked = blockAskedFor(Job.Raised.get());
  if (Asked != std::array<unsigned, 3>{} && Rand.below(3))
    for (unsigned D = 0; D != 3; ++D)
      B[D] = Asked[D] ? Asked[D] : B[D];
  uint64_t Threads = B[0] * B[1] * B[2];
  int64_t Size = std::min<int64_t>(largestInt(A.In), 300000);
  bool Cover = Rand.below(3) != 0 && Size > 0;
  G[0] = Cover ? std::min<uint64_t>((Size + Threads - 1) / Threads, 2048)
               : Rand.between(1, 4);
  if (Shape.UsesBlockY || Shape.UsesBlockZ)
    G[0] = std::min<uint64_t>(G[0], 8);
  int64_t Most = A.Kind == Family::Large ? 64 : 3;
  if (Shape.UsesGridY)
    G[1] = Rand.between(1, Most);
  if (Shape.UsesGridZ)
    G[2] = Rand.between(1, Most);
  if (Cover && G[1] > 1 && A.Kind != Family::Large && Rand.below(2))
    G[0] = (G[0] + G[1] - 1) / G[1];
}

void AttemptMaker::make(Attempt &A, unsigned Number) {
  chooseScalars(A, Number);
  applyHints(A);
  Asked.satisfy(A.In);
  chooseBuffers(A);
  if (A.Kind == Family::Overlap)
    overlap(A);
  if (Job.IsKernel)
    chooseLaunch(A);
}

} // namespace raise
