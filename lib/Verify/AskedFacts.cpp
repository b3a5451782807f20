//===- AskedFacts.cpp - inputs on which facts hold ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "AskedFacts.h"
#include "raise/IR/Fact.h"
#include "raise/IR/Visitor.h"
#include <limits>

namespace raise {

using interp::Inputs;
using interp::Value;

int64_t clampTo(int64_t V, const Type &Ty) {
  if (Ty.isBool())
    return V & 1;
  if (!Ty.Signed && V < 0)
    return 0;
  int64_t Max = Ty.Bits >= 64 ? std::numeric_limits<int64_t>::max()
                              : (int64_t(1) << (Ty.Bits - Ty.Signed)) - 1;
  return std::min(V, Max);
}

AskedFacts::AskedFacts(const Function &F, const std::vector<VarRef> &Ints) {
  for (const VarRef &V : Ints)
    Sizes.Params.push_back({V, nullptr});
  forEachStmt(F.Body, [&](const StmtRef &S) {
    const Decl *D = asFact(*S);
    if (!D || isExtent(*D))
      return;
    bool Known = true;
    forEachExpr(D->Init, [&](const ExprRef &E) {
      const auto *U = llvm::dyn_cast<VarUse>(E.get());
      Known &= !U || llvm::is_contained(Ints, U->V);
    });
    if (Known)
      Conditions.push_back(D->Init);
  });
}

bool AskedFacts::holds(const ExprRef &Cond, Inputs &In) const {
  const std::optional<Value> V = interp::evaluate(Cond, Sizes, In);
  return V && V->I != 0;
}

/// Values near Old and smaller ones by a power of two, or, where Far, larger
/// ones and those of the other arguments.
static std::vector<int64_t> nextValues(int64_t Old, bool Far,
                                       const std::vector<int64_t> &Others) {
  std::vector<int64_t> Values;
  if (!Far)
    for (int64_t By = 1; By <= 256; ++By)
      Values.insert(Values.end(), {Old + By, Old - By});
  for (unsigned Times = 1; Times <= 6; ++Times)
    Values.push_back(Far ? Old * (1 << Times) : Old / (1 << Times));
  if (Far)
    for (int64_t Other : Others)
      Values.insert(Values.end(), {Other, Other + 1, Other - 1});
  return Values;
}

/// Moves one argument as little as it takes.
bool AskedFacts::satisfy(const ExprRef &Cond, Inputs &In) const {
  std::vector<const Var *> Of;
  std::vector<int64_t> Values;
  forEachExpr(Cond, [&](const ExprRef &E) {
    const auto *U = llvm::dyn_cast<VarUse>(E.get());
    if (!U || llvm::is_contained(Of, U->V.get()))
      return;
    Of.push_back(U->V.get());
    Values.push_back(In.Scalars[U->V->Name].I);
  });
  for (bool Far : {false, true})
    for (const Var *V : Of) {
      Value &Arg = In.Scalars[V->Name];
      const Value Old = Arg;
      if (Old.I > INT32_MAX || Old.I < INT32_MIN)
        continue; // no family makes such sizes
      for (int64_t New : nextValues(Old.I, Far, Values)) {
        Arg = Value::ofInt(clampTo(New, V->Ty), V->Ty);
        if (holds(Cond, In))
          return true;
      }
      Arg = Old;
    }
  return false;
}

/// What does not come out so is rejected when the original is run.
void AskedFacts::satisfy(Inputs &In) const {
  for (size_t Round = 0; Round <= Conditions.size(); ++Round) {
    bool Changed = false;
    for (const ExprRef &Cond : Conditions)
      if (!holds(Cond, In))
        Changed |= satisfy(Cond, In);
    if (!Changed)
      return;
  }
}

} // namespace raise
