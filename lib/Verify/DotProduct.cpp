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

class Checker {
public:
  Checker(const Function &Primal, const grad::Differentiated &Tangent,
          const grad::Differentiated &Adjoint, const Inputs &Given,
          uint64_t Seed, DotProductCheck &Out)
      : Primal(Primal), Tangent(Tangent), Adjoint(Adjoint), In(inDouble(Given)),
        Dx(Primal, Tangent.Sig, In, 2 * Seed), Seed(Seed), Out(Out) {}

  void run() {
    if (overlapsUnnamed(Primal, Adjoint.Sig, In)) {
      ++Out.Unusable;
      return;
    }
    Inputs Here = interp::clone(In);
    const Outcome Base = interp::run(Primal, Here);
    // What is written has an adjoint, whether it had a value before or not.
    Seeds = Directions(Primal, Adjoint.Sig, Here, 2 * Seed + 1)
                .beside(Primal, Adjoint.Sig, Here, In);
    const std::optional<Product> Left = forward(In);
    if (Base.Why != interp::Stop::Done || !Left) {
      ++Out.Unusable;
      return;
    }
    Inputs Reverse = interp::clone(Seeds);
    if (Adjoint.Sig.Result.Scalar)
      Reverse.Scalars[Adjoint.Sig.Result.name().str()] =
          Value::ofFloat(ResultSeed, Adjoint.Sig.Result.Scalar->Ty);
    const Outcome Adj = interp::run(*Adjoint.F, Reverse);
    if (Adj.Why == interp::Stop::Requirement) {
      ++Out.Unusable;
      return;
    }
    if (Adj.Why != interp::Stop::Done)
      return differ("the adjoint stops where the primal does not: " +
                    Adj.Message);
    if (std::string Name = differentPrimal(Primal, Here, Reverse);
        !Name.empty())
      return differ("the adjoint leaves another primal value in '" + Name +
                    "'");
    Product Right;
    Right.add(Primal, Adjoint.Sig, Reverse, Tangent.Sig,
              Dx.beside(Primal, Tangent.Sig, In));
    compare(*Left, Right);
  }

private:
  static constexpr double ResultSeed = 0.75;

  void differ(const std::string &Text) {
    if (Out.Difference.empty())
      Out.Difference = Text;
  }

  /// The seeds times the tangent's results at At; nothing if it stops or is not
  /// finite.
  std::optional<Product> forward(const Inputs &At) const {
    Inputs Forward = Dx.beside(Primal, Tangent.Sig, In, At);
    if (Tangent.Sig.Result.Buf) {
      Binding R;
      R.Store = std::make_shared<Storage>();
      R.Store->Cells.resize(1);
      Forward.Buffers[Tangent.Sig.Result.name().str()] = R;
    }
    if (interp::run(*Tangent.F, Forward).Why != interp::Stop::Done)
      return std::nullopt;
    Product P;
    P.add(Primal, Adjoint.Sig, Seeds, Tangent.Sig, Forward);
    if (Tangent.Sig.Result.Buf) {
      const std::optional<Value> R =
          bindingOf(Forward, Tangent.Sig.Result.name()).Store->Cells[0];
      if (R)
        P.add(ResultSeed, double(R->D));
    }
    return P.Finite ? std::optional(P) : std::nullopt;
  }

  /// In, with each floating value of a buffer off by about its rounding.
  Inputs besideIn() const {
    Inputs Near = interp::clone(In);
    std::set<Storage *> Done;
    for (auto &[Name, B] : Near.Buffers)
      if (B.Store && Done.insert(B.Store.get()).second)
        eachCell(*B.Store, [](std::optional<Value> &V, StringRef, size_t Cell) {
          if (isFloat(V))
            V->D = double(V->D * (1 + (Cell % 2 ? 2e-15 : -2e-15)));
        });
    return Near;
  }

  void compare(const Product &Left, const Product &Right) {
    const double Error = std::fabs(Left.Sum - Right.Sum);
    const bool Same =
        Right.Finite && Error <= Tolerance * (1 + Left.Size + Right.Size);
    if (!Same) {
      // Where rounding of the inputs alone changes the derivative, it cannot be
      // compared.
      const std::optional<Product> Near = forward(besideIn());
      if (!Near || !(std::fabs(Near->Sum - Left.Sum) < 1e-3 * Error)) {
        ++Out.Unusable;
        return;
      }
    }
    ++Out.Compared;
    Out.NonZero += Left.Sum != 0;
    if (Same)
      return;
    std::string Text;
    raw_string_ostream(Text) << "the adjoint gives " << Right.Sum
                             << " along a direction, the tangent " << Left.Sum;
    differ(Text);
  }

  const Function &Primal;
  const grad::Differentiated &Tangent, &Adjoint;
  const Inputs In;
  const Directions Dx;
  const uint64_t Seed;
  DotProductCheck &Out;
  Inputs Seeds;
};

} // namespace

void checkDotProduct(const Function &Primal,
                     const grad::Differentiated &Tangent,
                     const grad::Differentiated &Adjoint, const Inputs &Given,
                     uint64_t Seed, DotProductCheck &Out) {
  Checker(Primal, Tangent, Adjoint, Given, Seed, Out).run();
}

} // namespace raise
