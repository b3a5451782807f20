//===- DotProduct.cpp - adjoints against tangents -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "raise/Verify/DotProduct.h"
#include "Directions.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>
#include <set>

using namespace llvm;

namespace raise {

using interp::Binding;
using interp::Inputs;
using interp::Outcome;
using interp::Storage;
using interp::Value;

namespace {

constexpr double Tolerance = 1e-9;

/// A sum of products, and of their sizes.
struct Product {
  double Sum = 0, Size = 0;
  bool Finite = true;
  void add(double A, double B) {
    Sum += A * B;
    Size += std::fabs(A * B);
    Finite &= std::isfinite(A) && std::isfinite(B);
  }
  /// Over the derivatives that A and B name, each memory once.
  void add(const Function &Primal, const grad::Signature &SigA, const Inputs &A,
           const grad::Signature &SigB, const Inputs &B) {
    std::set<const Storage *> Done;
    for (size_t I = 0; I < SigA.Slots.size(); ++I) {
      const grad::Slot &SA = SigA.Slots[I], &SB = SigB.Slots[I];
      if (Primal.Params[SA.Index].Scalar) {
        add(scalar(SA, A), scalar(SB, B));
        continue;
      }
      const Binding X = bindingOf(A, SA.Derivative.name()),
                    Y = bindingOf(B, SB.Derivative.name());
      if (!X.Store || !Done.insert(X.Store.get()).second)
        continue;
      eachCell(*X.Store,
               [&](std::optional<Value> &V, StringRef Field, size_t Cell) {
                 const std::optional<Value> W = cellAt(*Y.Store, Field, Cell);
                 if (isFloat(V) && isFloat(W))
                   add(double(V->D), double(W->D));
               });
    }
  }
  static double scalar(const grad::Slot &S, const Inputs &In) {
    if (S.Derivative.Scalar)
      return double(In.Scalars.at(S.Derivative.name().str()).D);
    return double(bindingOf(In, S.Derivative.name()).Store->Cells[0]->D);
  }
};

} // namespace

void checkDotProduct(const Function &Primal,
                     const grad::Differentiated &Tangent,
                     const grad::Differentiated &Adjoint, const Inputs &Given,
                     uint64_t Seed, DotProductCheck &Out) {
  const Inputs In = inDouble(Given);
  if (overlapsUnnamed(Primal, Adjoint.Sig, In)) {
    ++Out.Unusable;
    return;
  }
  const auto Differ = [&](const std::string &Text) {
    if (Out.Difference.empty())
      Out.Difference = Text;
  };
  const Directions Dx(Primal, Tangent.Sig, In, 2 * Seed);
  Inputs Here = interp::clone(In);
  const Outcome Base = interp::run(Primal, Here);
  const Inputs Tangents = Dx.beside(Primal, Tangent.Sig, In);
  // What is written has an adjoint, whether it had a value before or not.
  const Inputs Seeds = Directions(Primal, Adjoint.Sig, Here, 2 * Seed + 1)
                           .beside(Primal, Adjoint.Sig, Here, In);
  Inputs Forward = interp::clone(Tangents), Reverse = interp::clone(Seeds);
  if (Tangent.Sig.Result.Buf) {
    Binding R;
    R.Store = std::make_shared<Storage>();
    R.Store->Cells.resize(1);
    Forward.Buffers[Tangent.Sig.Result.name().str()] = R;
  }
  constexpr double ResultSeed = 0.75;
  if (Adjoint.Sig.Result.Scalar)
    Reverse.Scalars[Adjoint.Sig.Result.name().str()] =
        Value::ofFloat(ResultSeed, Adjoint.Sig.Result.Scalar->Ty);
  if (Base.Why != interp::Stop::Done ||
      interp::run(*Tangent.F, Forward).Why != interp::Stop::Done) {
    ++Out.Unusable;
    return;
  }
  const Outcome Adj = interp::run(*Adjoint.F, Reverse);
  if (Adj.Why != interp::Stop::Done)
    return Differ("the adjoint stops where the primal does not: " +
                  Adj.Message);
  if (std::string Name = differentPrimal(Primal, Here, Reverse); !Name.empty())
    return Differ("the adjoint leaves another primal value in '" + Name + "'");
  Product Left, Right;
  Left.add(Primal, Adjoint.Sig, Seeds, Tangent.Sig, Forward);
  if (Tangent.Sig.Result.Buf) {
    const std::optional<Value> R =
        bindingOf(Forward, Tangent.Sig.Result.name()).Store->Cells[0];
    if (R)
      Left.add(ResultSeed, double(R->D));
  }
  Right.add(Primal, Adjoint.Sig, Reverse, Tangent.Sig, Tangents);
  if (!Left.Finite) {
    ++Out.Unusable;
    return;
  }
  ++Out.Compared;
  Out.NonZero += Left.Sum != 0;
  if (Right.Finite && std::fabs(Left.Sum - Right.Sum) <=
                          Tolerance * (1 + Left.Size + Right.Size))
    return;
  std::string Text;
  raw_string_ostream(Text) << "the adjoint gives " << Right.Sum
                           << " along a direction, the tangent " << Left.Sum;
  Differ(Text);
}

} // namespace raise
