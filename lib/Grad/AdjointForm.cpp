//===- AdjointForm.cpp - a function run, then reversed --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "AdjointForm.h"
#include "AdjointBuilder.h"
#include "Distinct.h"
#include "Split.h"
#include "Tidy.h"
#include "Unnamed.h"

using namespace llvm;

namespace raise::grad {

using Statements = AdjointBuilder::Statements;

AdjointBuilder::AdjointBuilder(const Function &Primal, Structured Plain,
                               const Signature &Sig, Activity Active,
                               AliasMode Alias, Overwrites *Later,
                               Callees &Called,
                               std::set<std::string> NamesInUse)
    : Names(std::move(NamesInUse)), Primal(Primal), Plain(std::move(Plain)),
      Alias(Alias), Later(Later), Sig(Sig), Active(std::move(Active)),
      Called(Called) {
  Sweeps.push_back(std::make_unique<Sweep>(this->Plain.F, this->Plain.Counters,
                                           Alias, Later, Names));
}

FunctionRef AdjointBuilder::whole() {
  for (const Slot &S : Sig.Slots) {
    const Param &P = Primal.Params[S.Index];
    if (P.Buf)
      Buffers[P.Buf.get()] = S.Derivative.Buf;
    else
      Results[P.Scalar.get()] = S.Derivative.Buf;
  }
  for (const Workspace &W : Sig.Workspaces)
    Buffers[Primal.Params[W.Index].Buf.get()] = W.Derivative;
  if (Sig.ResultDependent)
    Seed = build::var(Sig.Result.Scalar);
  auto A = std::make_shared<Function>(Primal);
  A->Name = Primal.Name + "_adjoint";
  A->QualifiedName = Primal.QualifiedName + "_adjoint";
  A->InternalLinkage = false;
  A->Result = Type::getVoid();
  for (const Slot &S : Sig.Slots)
    A->Params.push_back(S.Derivative);
  if (Sig.ResultDependent)
    A->Params.push_back(Sig.Result);
  A->Requires = Sig.Requires;
  A->Body = body();
  return A;
}

FunctionRef AdjointBuilder::ofParameter(unsigned K, std::string Name) {
  auto A = std::make_shared<Function>(Primal);
  auto V = std::make_shared<Var>();
  V->Name = derivativeName(Primal.Name, Mode::Reverse, Names);
  V->Ty = Primal.Result;
  V->Kind = VarKind::Param;
  Seed = build::var(V);
  A->Params.push_back({V, nullptr});
  A->Name = std::move(Name);
  A->QualifiedName = A->Name;
  A->InternalLinkage = true;
  Returned = Primal.Params[K].Scalar;
  A->Differentiates = Returned->Name;
  A->Result = Returned->Ty;
  A->Body = body();
  return A;
}

StmtRef AdjointBuilder::body() {
  Statements Sweep, Out;
  if (Steps)
    Segmented = askedLoops(nest(), Primal, Steps->Asked, Steps->Why);
  reverseOf(nest().Root, Sweep);
  Statements Before, After;
  for (const Workspace &W : Sig.Workspaces)
    Before.push_back(declaration(W));
  // Parameters' adjoints, unless they are memory.
  for (const Param &P : Primal.Params) {
    if (!P.Scalar || !Vars.count(P.Scalar.get()))
      continue;
    const VarRef A = adjoint(P.Scalar);
    Before.push_back(std::make_shared<Decl>(A, zero(A->Ty)));
    if (BufferRef To = Results.lookup(P.Scalar.get()))
      After.push_back(std::make_shared<Store>(
          Access{To, {build::intConst(0, Type::getI64())}, {}, ""},
          Combiner::Add, build::var(A)));
  }
  if (any_of(Joined,
             [&](const auto &J) { return J.first->In == &nest().Root; }))
    std::swap(Before, Out); // a joint loop may add to them
  forward(nest().Root, Out);
  if (Split) {
    Statements Reverse = std::move(Before);
    append_range(Reverse, Sweep);
    append_range(Reverse, After);
    return inTwo(std::move(Out), std::move(Reverse));
  }
  append_range(Out, Before);
  append_range(Out, Sweep);
  append_range(Out, After);
  if (Returned) {
    const VarRef A = Vars.lookup(Returned.get());
    Out.push_back(
        std::make_shared<Return>(A ? build::var(A) : zero(Returned->Ty)));
  }
  return withDistinctVariables(tidied(block(Out)));
}

StmtRef AdjointBuilder::inTwo(Statements Forward, Statements Reverse) {
  std::string Name = "tape";
  while (!Names.insert(Name).second)
    Name += '_';
  const BufferRef Tape = tapeParameter(Primal, Name);
  const ArrayRef<StmtRef> Source = statements(Plain.F->Body);
  if (!Source.empty())
    if (auto *R = dyn_cast<Return>(Source.back().get()); R && R->Value)
      append_range(Forward, keptResult(Tape, R->Value));
  Forward.push_back(block(std::move(Reverse)));
  return withMembers(tidied(block(std::move(Forward))), Primal, Tape, Source,
                     *Split);
}

FunctionRef adjointForm(const Function &Primal, const Structured &Plain,
                        const Signature &Sig, AliasMode Alias,
                        Overwrites *Later, Callees &Called,
                        std::set<std::string> Names, std::vector<Reason> *Split,
                        Stepping *Steps, JointLoops *Joint) {
  for (const FunctionRef &Made : Called.InOrder)
    Names.insert(Made->Name);
  AdjointBuilder B(Primal, Plain, Sig, activityOf(*Plain.F, Sig, Alias), Alias,
                   Later, Called, std::move(Names));
  Called.Names = &B.Names;
  B.Split = Split;
  B.Steps = Steps;
  B.Joint = Joint;
  FunctionRef Made = B.whole();
  Called.Names = nullptr;
  return Made;
}

} // namespace raise::grad
