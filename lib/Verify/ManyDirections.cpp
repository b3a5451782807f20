//===- ManyDirections.cpp - tangents at once and one by one ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "raise/Verify/ManyDirections.h"
#include "Directions.h"

using namespace llvm;

namespace raise {

using interp::Binding;
using interp::Inputs;
using interp::Outcome;
using interp::Storage;
using interp::Value;

std::shared_ptr<Storage> repeated(const Storage &S, unsigned K) {
  auto Wide = std::make_shared<Storage>(S);
  Wide->Cells.clear();
  for (const std::optional<Value> &C : S.Cells)
    Wide->Cells.insert(Wide->Cells.end(), K, C);
  return Wide;
}

namespace {

class Checker {
public:
  Checker(const Function &Primal, const grad::Differentiated &One,
          const grad::Differentiated &Many, const Inputs &In, uint64_t Seed,
          ManyDirectionsCheck &Out)
      : Primal(Primal), One(One), Many(Many), In(In), Seed(Seed),
        K(Many.Sig.Directions), Out(Out) {}

  void run() {
    Inputs All = wideInputs();
    std::vector<Outcome> Results;
    std::vector<Inputs> Each;
    for (unsigned D = 0; D < K; ++D) {
      Each.push_back(Directions(Primal, One.Sig, In, seedOf(D))
                         .beside(Primal, One.Sig, In));
      addResult(One.Sig, 1, Each[D]);
      fill(Each[D], D, All);
      Results.push_back(interp::run(*One.F, Each[D]));
      if (Results[D].Why != interp::Stop::Done) {
        ++Out.Unusable;
        return;
      }
    }
    const Outcome O = interp::run(*Many.F, All);
    if (O.Why != interp::Stop::Done)
      return differ("it stops: " + O.Message);
    if (!sameValue(O.Result, Results[0].Result))
      return differ("it returns another primal value");
    if (std::string Name = differentPrimal(Primal, Each[0], All); !Name.empty())
      return differ("it leaves another primal value in '" + Name + "'");
    for (unsigned D = 0; D < K; ++D)
      compare(Each[D], D, All);
  }

private:
  uint64_t seedOf(unsigned D) const { return Seed * 64 + D; }
  void differ(const std::string &Text) {
    if (Out.Difference.empty())
      Out.Difference =
          "the tangent in " + std::to_string(K) + " directions: " + Text;
  }

  void addResult(const grad::Signature &Sig, unsigned Cells, Inputs &To) const {
    if (!Sig.Result.Buf)
      return;
    Binding R;
    R.Store = std::make_shared<Storage>();
    R.Store->Cells.resize(Cells);
    To.Buffers[Sig.Result.name().str()] = R;
  }

  /// The storages of all directions, without values.
  Inputs wideInputs() const {
    Inputs All = interp::clone(In);
    std::map<Storage *, std::shared_ptr<Storage>> Made;
    for (const grad::Slot &S : Many.Sig.Slots) {
      const Param &P = Primal.Params[S.Index];
      Binding B;
      if (P.Scalar) {
        B.Store = std::make_shared<Storage>();
        B.Store->Cells.resize(K);
      } else if ((B = bindingOf(In, P.name())).Store) {
        auto &Wide = Made[B.Store.get()];
        if (!Wide)
          Wide = repeated(*B.Store, K);
        B = {Wide, B.Offset * int64_t(K)};
      }
      All.Buffers[S.Derivative.name().str()] = B;
    }
    addResult(Many.Sig, K, All);
    return All;
  }

  /// Gives direction D of All the tangents of From.
  void fill(const Inputs &From, unsigned D, Inputs &All) const {
    for (size_t I = 0; I < One.Sig.Slots.size(); ++I) {
      const Binding To = bindingOf(All, Many.Sig.Slots[I].Derivative.name());
      const Param &P = One.Sig.Slots[I].Derivative;
      if (P.Scalar) {
        To.Store->Cells[D] = From.Scalars.at(P.Scalar->Name);
        continue;
      }
      const Binding B = bindingOf(From, P.name());
      for (size_t C = 0; B.Store && C < B.Store->Cells.size(); ++C)
        To.Store->Cells[C * K + D] = B.Store->Cells[C];
    }
  }

  void compare(const Inputs &Left, unsigned D, const Inputs &All) {
    const auto Same = [&](StringRef OneName, StringRef ManyName) {
      const Binding A = bindingOf(Left, OneName), B = bindingOf(All, ManyName);
      for (size_t C = 0; A.Store && C < A.Store->Cells.size(); ++C) {
        const std::optional<Value> &V = A.Store->Cells[C];
        if (!isFloat(V))
          continue;
        ++Out.Compared;
        Out.NonZero += V->D != 0;
        if (!sameValue(V, cellAt(*B.Store, "", C * K + D)))
          differ("direction " + std::to_string(D) + " of '" + ManyName.str() +
                 "' is another at element " + std::to_string(C));
      }
    };
    for (size_t I = 0; I < One.Sig.Slots.size(); ++I)
      if (const Param &P = One.Sig.Slots[I].Derivative; P.Buf)
        Same(P.name(), Many.Sig.Slots[I].Derivative.name());
    if (One.Sig.Result.Buf)
      Same(One.Sig.Result.name(), Many.Sig.Result.name());
  }

  const Function &Primal;
  const grad::Differentiated &One, &Many;
  const Inputs &In;
  const uint64_t Seed;
  const unsigned K;
  ManyDirectionsCheck &Out;
};

} // namespace

void checkManyDirections(const Function &Primal,
                         const grad::Differentiated &One,
                         const grad::Differentiated &Many, const Inputs &In,
                         uint64_t Seed, ManyDirectionsCheck &Out) {
  if (overlapsUnnamed(Primal, One.Sig, In)) {
    ++Out.Unusable;
    return;
  }
  Checker(Primal, One, Many, In, Seed, Out).run();
}

} // namespace raise
