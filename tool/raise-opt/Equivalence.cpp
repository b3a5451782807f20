//===- Equivalence.cpp - the same results on small inputs? ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Equivalence.h"
#include "raise/IR/Visitor.h"
#include "raise/Interp/Interp.h"
#include <cmath>
#include <random>

using namespace llvm;

namespace raise {
namespace {

using interp::Binding;
using interp::Inputs;
using interp::Outcome;
using interp::Settings;
using interp::Storage;
using interp::Value;

constexpr unsigned MaxSize = 6, TrialsOfSize = 12;

/// Quarters: sums and small products of them are exact in every order.
Value randomFloat(uint64_t Bits, const Type &Ty) {
  return Value::ofFloat((static_cast<int64_t>(Bits % 33) - 16) / 4.0L, Ty);
}

/// The engine's numbers are the same everywhere, those of the library's
/// distributions are not.
uint64_t mix(uint64_t X) {
  X = (X ^ (X >> 30)) * 0xbf58476d1ce4e5b9;
  X = (X ^ (X >> 27)) * 0x94d049bb133111eb;
  return X ^ (X >> 31);
}

uint64_t hashText(StringRef Text) {
  uint64_t H = 0;
  for (unsigned char C : Text)
    H = mix(H ^ C);
  return H;
}

class InputMaker {
  std::mt19937_64 Random;
  const Options &Opts;
  unsigned Size = 0;

public:
  InputMaker(uint64_t Seed, const Options &Opts) : Random(Seed), Opts(Opts) {}
  Inputs make(const Function &F, unsigned NewSize);

private:
  uint64_t below(uint64_t N) { return Random() % N; }
  Value scalar(const Type &Ty);
  void buffer(Inputs &In, const Buffer &B);
  std::vector<const Buffer *> Made;
};

/// Mostly the size itself, sometimes anything near the range of sizes.
Value InputMaker::scalar(const Type &Ty) {
  if (Ty.isFloat())
    return randomFloat(Random(), Ty);
  if (Ty.isBool())
    return Value::ofInt(below(2), Ty);
  int64_t I = below(3) ? int64_t(Size) : int64_t(below(MaxSize + 2)) - 1;
  return Value::ofInt(Ty.Signed ? I : std::max<int64_t>(I, 0), Ty);
}

/// A storage of its own, or that of an earlier buffer that it may overlap.
void InputMaker::buffer(Inputs &In, const Buffer &B) {
  if (In.Buffers.count(B.Name))
    return;
  const bool MayShare = B.Kind == BufferKind::Param && !B.Restrict &&
                        !B.Reference && Opts.Alias == AliasMode::Check;
  if (MayShare && below(4) == 0)
    for (const Buffer *Other : Made)
      if (Other->Kind == BufferKind::Param && !Other->Restrict &&
          !Other->Reference && Other->Elem == B.Elem) {
        Binding Shared = In.Buffers[Other->Name];
        Shared.Offset += below(3);
        In.Buffers[B.Name] = Shared;
        return;
      }
  auto Store = std::make_shared<Storage>();
  Store->Growable = true;
  Store->MaxElements = 1 << 16;
  const uint64_t Salt = Random();
  const unsigned Limit = Size + 1;
  Store->Fill = [Salt, Limit](size_t Cell, const std::string &Field,
                              const Type &Ty) {
    const uint64_t Bits = mix(Salt ^ mix(Cell) ^ hashText(Field));
    return Ty.isFloat()  ? randomFloat(Bits, Ty)
           : Ty.isBool() ? Value::ofInt(Bits & 1, Ty)
                         : Value::ofInt(Bits % Limit, Ty);
  };
  In.Buffers[B.Name] = {std::move(Store), 0};
  Made.push_back(&B);
}

Inputs InputMaker::make(const Function &F, unsigned NewSize) {
  Size = NewSize;
  Made.clear();
  Inputs In;
  for (const Param &P : F.Params)
    if (P.Scalar)
      In.Scalars[P.Scalar->Name] = scalar(P.Scalar->Ty);
    else
      buffer(In, *P.Buf);
  auto AddGlobal = [&](const BufferRef &B) {
    if (B && B->Kind == BufferKind::Global)
      buffer(In, *B);
  };
  forEachExpr(F.Body, [&](const ExprRef &E) {
    if (const auto *U = dyn_cast<VarUse>(E.get()))
      if (U->V->Kind == VarKind::External && !In.Scalars.count(U->V->Name))
        In.Scalars[U->V->Name] = scalar(U->V->Ty);
    if (const auto *L = dyn_cast<Load>(E.get()))
      AddGlobal(L->From.Buf);
  });
  forEachStmt(F.Body, [&](const StmtRef &S) {
    if (const auto *St = dyn_cast<Store>(S.get()))
      AddGlobal(St->To.Buf);
  });
  bool InWarps = false; // exchanges are of whole warps
  forEachStmt(F.Body, [&](const StmtRef &S) {
    const auto *B = dyn_cast<Barrier>(S.get());
    InWarps |= B && B->OfWarp;
  });
  for (unsigned D = 0; D < 3; ++D) {
    In.GridDim[D] = D == 0 ? 1 + below(3) : 1 + below(2);
    In.BlockDim[D] = D == 0 ? 1 + below(4) : 1 + below(2);
    if (InWarps && D == 0)
      In.BlockDim[D] = 32 * (1 + below(2));
  }
  return In;
}

/// What was read or written at a cell of the plane.
std::optional<Value> cellOf(const Storage &S, const std::string &Field,
                            size_t Cell) {
  const Storage::Plane *Plane = &S.Cells;
  if (!Field.empty()) {
    auto It = S.Fields.find(Field);
    if (It == S.Fields.end())
      return std::nullopt;
    Plane = &It->second;
  }
  return Cell < Plane->size() ? (*Plane)[Cell] : std::nullopt;
}

template <typename FillFn>
void freezePlane(Storage::Plane &Mine, const Storage::Plane &Grown,
                 const std::string &Field, const FillFn &Fill) {
  Mine.resize(std::max(Mine.size(), Grown.size()));
  for (size_t I = 0; I < Grown.size(); ++I)
    if (const auto &Cell = Grown[I]; Cell && !Mine[I])
      Mine[I] = Fill(I, Field, Cell->Ty);
}

/// Initial with exactly the elements that Final, grown by a run, has: what the
/// run did not touch is out of range from now on.
void freeze(Inputs &Initial, const Inputs &Final) {
  for (auto &Entry : Initial.Buffers) {
    Storage *Mine = Entry.second.Store.get();
    if (!Mine)
      continue;
    const Storage &Grown = *Final.Buffers.at(Entry.first).Store;
    Mine->Growable = false;
    freezePlane(Mine->Cells, Grown.Cells, "", Mine->Fill);
    for (const auto &Field : Grown.Fields)
      freezePlane(Mine->Fields[Field.first], Field.second, Field.first,
                  Mine->Fill);
  }
}

bool sameFloat(long double A, long double B, const Type &Ty, FPMode FP) {
  if (std::isnan(A) || std::isnan(B))
    return std::isnan(A) && std::isnan(B);
  if (A == B)
    return FP != FPMode::Strict || std::signbit(A) == std::signbit(B);
  if (FP == FPMode::Strict || std::isinf(A) || std::isinf(B))
    return false;
  const long double Unit = Ty.Bits == 16   ? 0x1p-8L
                           : Ty.Bits == 32 ? 0x1p-17L
                                           : 0x1p-44L;
  return std::fabs(A - B) <=
         Unit * std::max({1.0L, std::fabs(A), std::fabs(B)});
}

bool sameValue(const std::optional<Value> &A, const std::optional<Value> &B,
               FPMode FP) {
  if (!A || !B)
    return !A && !B;
  if (A->Ty != B->Ty)
    return false;
  return A->Ty.isFloat() ? sameFloat(A->D, B->D, A->Ty, FP) : A->I == B->I;
}

std::string show(const std::optional<Value> &V) {
  if (!V)
    return "nothing";
  return V->Ty.isFloat() ? std::to_string(V->D) : std::to_string(V->I);
}

/// Cells is a plane of the reference; a cell that it has not touched must stay
/// untouched.
std::string comparePlane(const std::string &Where, const Storage &S,
                         const std::string &Field, const Storage::Plane &Cells,
                         FPMode FP) {
  for (size_t I = 0; I < Cells.size(); ++I) {
    std::optional<Value> Found = cellOf(S, Field, I);
    if (!sameValue(Cells[I], Found, FP))
      return Where + "[" + std::to_string(I) + "]" +
             (Field.empty() ? "" : "." + Field) + " is " + show(Found) +
             " instead of " + show(Cells[I]);
  }
  return "";
}

/// The first difference in results or memory; empty if there is none.
std::string compare(const Outcome &A, const Inputs &MemA, const Outcome &B,
                    const Inputs &MemB, FPMode FP) {
  if (B.Why != interp::Stop::Done)
    return "execution stops: " + B.Message;
  if (!sameValue(A.Result, B.Result, FP))
    return "the result is " + show(B.Result) + " instead of " + show(A.Result);
  for (const auto &[Name, Bound] : MemA.Buffers) {
    if (!Bound.Store)
      continue;
    const Storage &X = *Bound.Store, &Y = *MemB.Buffers.at(Name).Store;
    std::string D = comparePlane(Name, Y, "", X.Cells, FP);
    for (const auto &[Field, Plane] : X.Fields)
      if (D.empty())
        D = comparePlane(Name, Y, Field, Plane, FP);
    if (!D.empty())
      return D;
  }
  return "";
}

std::string describe(const Inputs &In) {
  std::string Text;
  for (const auto &[Name, V] : In.Scalars)
    Text.append(Name).append(" = ").append(show(V)).append(", ");
  for (const auto &[Name, B] : In.Buffers)
    for (const auto &[Other, C] : In.Buffers)
      if (Name < Other && B.Store == C.Store)
        Text.append(Name).append(" overlaps ").append(Other).append(", ");
  return "grid " + std::to_string(In.GridDim[0]) + "x" +
         std::to_string(In.GridDim[1]) + "x" + std::to_string(In.GridDim[2]) +
         ", block " + std::to_string(In.BlockDim[0]) + "x" +
         std::to_string(In.BlockDim[1]) + "x" + std::to_string(In.BlockDim[2]) +
         (Text.empty() ? "" : ", " + Text.substr(0, Text.size() - 2));
}

class Checker {
  const Function &Before, &After;
  const Options &Opts;
  uint64_t Seed;
  EquivalenceResult Result;

public:
  Checker(const Function &Before, const Function &After, const Options &Opts,
          uint64_t Seed)
      : Before(Before), After(After), Opts(Opts), Seed(Seed) {}

  EquivalenceResult run() {
    InputMaker Maker(Seed, Opts);
    for (unsigned Size = 0; Size <= MaxSize; ++Size)
      for (unsigned T = 0; T < TrialsOfSize && Result.Difference.empty(); ++T)
        checkOne(Maker.make(Before, Size));
    return std::move(Result);
  }

private:
  /// F's first difference from the reference in any order; empty: none.
  std::string differs(const Function &F, const Inputs &Start,
                      const Outcome &Wanted, const Inputs &WantedMemory) {
    for (auto Ord : {Settings::Order::Ascending, Settings::Order::Descending,
                     Settings::Order::Random}) {
      Settings S;
      S.Ord = Ord;
      S.Seed = Seed;
      Inputs Memory = clone(Start);
      Outcome O = interp::run(F, Memory, S);
      std::string D = compare(Wanted, WantedMemory, O, Memory, Opts.FP);
      if (!D.empty())
        return D;
    }
    return "";
  }

  void checkOne(Inputs Start) {
    Inputs Memory = clone(Start);
    const Outcome Wanted = interp::run(Before, Memory, Settings());
    if (Wanted.Why != interp::Stop::Done) {
      ++Result.Skipped;
      return;
    }
    freeze(Start, Memory);
    if (!differs(Before, Start, Wanted, Memory).empty()) {
      ++Result.Skipped;
      return;
    }
    ++Result.Compared;
    std::string D = differs(After, Start, Wanted, Memory);
    if (!D.empty())
      Result.Difference = D + " (" + describe(Start) + ")";
  }
};

} // namespace

EquivalenceResult checkEquivalent(const Function &Before, const Function &After,
                                  const Options &Opts, uint64_t Seed) {
  return Checker(Before, After, Opts, Seed).run();
}

} // namespace raise
