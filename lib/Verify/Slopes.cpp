//===- Slopes.cpp - tangents against differences --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "raise/Verify/Slopes.h"
#include "Directions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>
#include <limits>

using namespace llvm;

namespace raise {

using interp::Binding;
using interp::Inputs;
using interp::Outcome;
using interp::Storage;
using interp::Value;

namespace {

/// Half the distances of the two points of central differences. The first keeps
/// rounding and curvature far below what is compared; where the function bends
/// too much for it, a smaller one tells.
constexpr double Steps[] = {1e-5, 1e-6, 1e-7};
constexpr double Tolerance = 1e-5;

class Checker {
public:
  Checker(const Function &Primal, const grad::Differentiated &D,
          const Inputs &In, uint64_t Seed, SlopeCheck &Out)
      : Primal(Primal), D(D), In(inDouble(In)),
        Along(Primal, D.Sig, this->In, Seed), Out(Out) {}

  void run() {
    if (overlapsUnnamed(Primal, D.Sig, In)) {
      ++Out.Unusable;
      return;
    }
    Inputs Here = interp::clone(In);
    const Outcome Base = interp::run(Primal, Here);
    bool Ran = Base.Why == interp::Stop::Done;
    PathHere = pathOf(Base);
    for (const double Step : Steps) {
      Pairs.push_back({Step, moved(Step), moved(-Step), {}, {}});
      Pair &P = Pairs.back();
      P.Above = interp::run(Primal, P.Up);
      P.Below = interp::run(Primal, P.Down);
      Ran &= P.Above.Why == interp::Stop::Done &&
             P.Below.Why == interp::Stop::Done;
    }
    if (!Ran) {
      ++Out.Unusable;
      return;
    }
    Inputs Both = withTangents();
    const Outcome Tan = interp::run(*D.F, Both);
    if (Tan.Why == interp::Stop::Requirement) {
      ++Out.Unusable;
      return;
    }
    if (Tan.Why != interp::Stop::Done)
      return differ("the tangent stops where the primal does not: " +
                    Tan.Message);
    comparePrimal(Base, Tan, Here, Both);
    compareResult(Base, Both);
    for (const grad::Slot &S : D.Sig.Slots)
      if (S.Derivative.Buf)
        compareBuffer(S, Here, Both);
  }

private:
  struct Pair {
    double Step;
    Inputs Up, Down;
    Outcome Above, Below;
  };
  struct Slopes {
    double Left = 0, Right = 0;
    double central() const { return (Left + Right) / 2; }
  };

  void differ(const std::string &Text) {
    if (Out.Difference.empty())
      Out.Difference = Text;
  }

  const Param &primalOf(const grad::Slot &S) const {
    return Primal.Params[S.Index];
  }
  Inputs moved(double By) {
    Inputs M = interp::clone(In);
    for (const auto &[Name, Slope] : Along.Scalars) {
      Value &V = M.Scalars[Name];
      V = Value::ofFloat(V.D + By * Slope, V.Ty);
    }
    std::set<Storage *> Done;
    for (const grad::Slot &S : D.Sig.Slots) {
      if (!primalOf(S).Buf)
        continue;
      const Binding From = bindingOf(In, primalOf(S).name());
      Binding To = bindingOf(M, primalOf(S).name());
      if (!From.Store || !Done.insert(To.Store.get()).second)
        continue;
      const Storage &Slopes = *Along.Stores.at(From.Store.get());
      eachCell(*To.Store, [&](std::optional<Value> &V, StringRef Field,
                              size_t Cell) {
        if (isFloat(V))
          V = Value::ofFloat(V->D + By * cellAt(Slopes, Field, Cell)->D, V->Ty);
      });
    }
    return M;
  }

  Inputs withTangents() {
    Inputs B = Along.beside(Primal, D.Sig, In);
    if (D.Sig.Result.Buf) {
      Binding R;
      R.Store = std::make_shared<Storage>();
      R.Store->Cells.resize(1);
      B.Buffers[D.Sig.Result.name().str()] = R;
    }
    return B;
  }

  void comparePrimal(const Outcome &Base, const Outcome &Tan, Inputs &Here,
                     Inputs &Both) {
    if (!sameValue(Base.Result, Tan.Result))
      differ("the tangent returns another primal value");
    if (std::string Name = differentPrimal(Primal, Here, Both); !Name.empty())
      differ("the tangent leaves another primal value in '" + Name + "'");
  }

  /// Whether the primal takes another path here than at all points beside it
  /// (an iteration stops at once where it starts at its limit, a value is
  /// exactly what a test asks for): what is
  /// differentiated is this path, and no difference is taken along it.
  static std::pair<uint64_t, uint64_t> pathOf(const Outcome &O) {
    return {O.Steps, O.Path};
  }
  bool isApart() const {
    return all_of(Pairs, [&](const Pair &P) {
      return pathOf(P.Above) != PathHere && pathOf(P.Below) != PathHere;
    });
  }

  void compareResult(const Outcome &Base, Inputs &Both) {
    if (!D.Sig.Result.Buf || !Base.Result)
      return;
    const Binding R = bindingOf(Both, D.Sig.Result.name());
    std::vector<std::optional<Value>> Around;
    for (const Pair &P : Pairs) {
      Around.push_back(P.Below.Result);
      Around.push_back(P.Above.Result);
    }
    compare(*Base.Result, Around, cellAt(*R.Store, "", 0), "the result");
  }

  void compareBuffer(const grad::Slot &S, Inputs &Here, Inputs &Both) {
    const StringRef Name = primalOf(S).name();
    const Binding At = bindingOf(Here, Name);
    if (!At.Store)
      return;
    const Storage &Tan = *bindingOf(Both, S.Derivative.name()).Store;
    eachCell(*At.Store, [&](std::optional<Value> &V, StringRef Field,
                            size_t Cell) {
      if (!isFloat(V))
        return;
      std::vector<std::optional<Value>> Around;
      for (const Pair &P : Pairs) {
        Around.push_back(cellAt(*bindingOf(P.Down, Name).Store, Field, Cell));
        Around.push_back(cellAt(*bindingOf(P.Up, Name).Store, Field, Cell));
      }
      compare(*V, Around, cellAt(Tan, Field, Cell),
              Name.str() + "[" + std::to_string(Cell) + "]" +
                  (Field.empty() ? "" : "." + Field.str()));
    });
  }

  /// Around holds, for each of Steps, the value below and above At.
  void compare(const Value &At, ArrayRef<std::optional<Value>> Around,
               const std::optional<Value> &Tan, const std::string &What) {
    for (const std::optional<Value> &V : Around)
      if (!V || !std::isfinite(double(V->D)) || !std::isfinite(double(At.D))) {
        ++Out.Unusable;
        return;
      }
    if (!Tan)
      return differ("the tangent of " + What + " is not set");
    const double Got = double(Tan->D);
    std::vector<Slopes> S;
    for (size_t I = 0; I < std::size(Steps); ++I)
      S.push_back({double(At.D - Around[2 * I]->D) / Steps[I],
                   double(Around[2 * I + 1]->D - At.D) / Steps[I]});
    const auto Distance = [&](const Slopes &X) {
      return std::fabs(X.central() - Got) /
             (1 + std::fabs(X.central()) + std::fabs(double(At.D)));
    };
    double Least = std::numeric_limits<double>::infinity();
    for (const Slopes &X : S) // what is no number is not less
      Least = std::min(Least, Distance(X));
    if (Least <= Tolerance) {
      ++Out.Compared;
      Out.Largest = std::max(Out.Largest, Least);
      Out.NonZero += Got != 0;
      return;
    }
    if (isApart()) {
      ++Out.Kinks;
      return;
    }
    // A slope that is the same on both sides and at all distances is one.
    for (const Slopes &X : S) {
      const double Limit = std::min(0.1 * std::fabs(X.central() - Got),
                                    1e-3 * (1 + std::fabs(X.central())));
      if (!(std::fabs(X.Right - X.Left) < Limit) ||
          !(std::fabs(X.central() - S[0].central()) < Limit)) {
        ++Out.Kinks;
        return;
      }
    }
    std::string Text;
    raw_string_ostream(Text) << "the tangent of " << What << " is " << Got
                             << ", the slope by differences " << S[0].central();
    differ(Text);
  }

  const Function &Primal;
  const grad::Differentiated &D;
  const Inputs In;
  const Directions Along;
  SlopeCheck &Out;
  std::vector<Pair> Pairs;
  std::pair<uint64_t, uint64_t> PathHere; ///< of the primal
};

} // namespace

void checkSlopes(const Function &Primal, const grad::Differentiated &D,
                 const Inputs &In, uint64_t Seed, SlopeCheck &Out) {
  Checker(Primal, D, In, Seed, Out).run();
}

} // namespace raise
