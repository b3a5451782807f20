//===- Interp.cpp - running a function
//----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Engine.h"
#include <cmath>

namespace raise::interp {

bool Engine::enter(const FunctionCode &Code, Inputs &In, Frame &F) {
  F.Vars.resize(Code.NumVars);
  F.Bufs.resize(Code.NumBufs);
  auto Missing = [&](const std::string &Name) {
    fail(Stop::Unsupported, Code.Src->Loc, "no input for '" + Name + "'");
    return false;
  };
  auto SetVar = [&](const VarRef &V, unsigned Slot) {
    auto It = In.Scalars.find(V->Name);
    if (It == In.Scalars.end())
      return Missing(V->Name);
    Scalar Converted = ofI(0);
    check(convert(toScalar(It->second), typeCode(It->second.Ty),
                  typeCode(V->Ty), Converted),
          V->Loc);
    F.Vars[Slot] = {Converted, true};
    return !failed();
  };
  auto SetBuffer = [&](const BufferRef &B, unsigned Slot) {
    auto It = In.Buffers.find(B->Name);
    if (It == In.Buffers.end())
      return Missing(B->Name);
    F.Bufs[Slot].Store = It->second.Store;
    F.Bufs[Slot].Offset = It->second.Offset;
    return true;
  };
  for (unsigned I = 0; I < 6; ++I)
    if (Code.Launch[I] >= 0)
      F.Vars[Code.Launch[I]] = {ofI(I < 3 ? In.GridDim[I] : In.BlockDim[I - 3]),
                                true};
  for (const ParamSlot &P : Code.Params)
    if (!(P.Src->Scalar ? SetVar(P.Src->Scalar, P.Slot)
                        : SetBuffer(P.Src->Buf, P.Slot)))
      return false;
  for (const GlobalSlot &G : Code.Globals)
    if (!(G.Scalar ? SetVar(G.Scalar, G.Slot) : SetBuffer(G.Buf, G.Slot)))
      return false;
  for (unsigned Slot = 0; Slot < Code.NumBufs; ++Slot) {
    auto It = Code.Extents.find(Slot);
    if (It == Code.Extents.end())
      continue;
    for (const ExprNode *E : It->second) {
      int64_t V = E ? eval(E, F).I : -1;
      if (!failed() && E && V <= 0)
        fail(Stop::OutOfRange, E->Src->Loc,
             "extent of an array is not positive");
      F.Bufs[Slot].Extents.push_back(V);
    }
  }
  for (const ParamSlot &P : Code.Params) // `T a[n]` is a pointer there
    if (P.Src->Buf && !F.Bufs[P.Slot].Extents.empty())
      F.Bufs[P.Slot].Extents[0] = -1;
  return !failed();
}

bool sameValue(const Value &A, const Value &B) {
  if (A.Ty != B.Ty)
    return false;
  if (!A.Ty.isFloat())
    return A.I == B.I;
  return (A.D == B.D && std::signbit(A.D) == std::signbit(B.D)) ||
         (std::isnan(A.D) && std::isnan(B.D));
}

Inputs clone(const Inputs &In) {
  Inputs Out = In;
  std::map<const Storage *, std::shared_ptr<Storage>> Copies;
  for (auto &[Name, B] : Out.Buffers) {
    if (!B.Store)
      continue;
    std::shared_ptr<Storage> &Copy = Copies[B.Store.get()];
    if (!Copy)
      Copy = std::make_shared<Storage>(*B.Store);
    B.Store = Copy;
  }
  return Out;
}

Outcome run(const Function &F, Inputs &In, const Settings &S) {
  Program P;
  const FunctionCode *Code = P.compile(F);
  Engine E(S, P);
  if (!P.Error.empty()) {
    E.Out.Why = Stop::Unsupported;
    E.Out.Message = P.Error;
    return std::move(E.Out);
  }
  Frame Fr;
  if (E.enter(*Code, In, Fr)) {
    if (S.WatchThreads)
      E.watchThreads(In);
    E.meetRequirements(*Code, Fr);
    if (!E.failed())
      E.exec(Code->Body, Fr);
  }
  if (E.failed())
    return std::move(E.Out);
  if (Fr.HasResult)
    E.Out.Result = toValue(Fr.Result, F.Result);
  for (const ParamSlot &Prm : Code->Params)
    if (const VarRef &V = Prm.Src->Scalar)
      E.Out.Scalars[V->Name] = toValue(Fr.Vars[Prm.Slot].V, V->Ty);
  return std::move(E.Out);
}

std::optional<Value> evaluate(const ExprRef &Ex, const Function &F,
                              Inputs &In) {
  Program P;
  const ExprNode *N = P.compileGuard(Ex, F);
  Settings S;
  Engine E(S, P);
  Frame Fr;
  if (!P.Error.empty() || !E.enter(*P.find(F), In, Fr))
    return std::nullopt;
  Scalar V = E.eval(N, Fr);
  if (E.failed())
    return std::nullopt;
  return toValue(V, Ex->Ty);
}

} // namespace raise::interp
