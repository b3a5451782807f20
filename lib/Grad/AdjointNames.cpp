//===- AdjointNames.cpp - adjoints of what has a name ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "AdjointBuilder.h"
#include "raise/Grad/UserRules.h"
#include "raise/IR/Recursion.h"
#include "raise/IR/Visitor.h"

using namespace llvm;

namespace raise::grad {

VarRef AdjointBuilder::adjoint(const VarRef &V) {
  VarRef &A = Vars[V.get()];
  if (!A) {
    auto Made = std::make_shared<Var>(*V);
    Made->Kind = VarKind::Local;
    Made->Const = false;
    Made->Name = nameFor(V->Name);
    A = std::move(Made);
  }
  return A;
}

BufferRef AdjointBuilder::adjoint(const BufferRef &B) {
  BufferRef &A = Buffers[B.get()];
  if (A)
    return A;
  std::shared_ptr<Buffer> Made = derivativeBuffer(*B, nameFor(B->Name));
  // What a segment names may be of the function around it.
  for (const std::unique_ptr<Sweep> &Of : reverse(Sweeps)) {
    const List *L = Of->N.scopeOf(B.get());
    if (!L)
      continue;
    if (B->Lies == ArrayHome::Growing) {
      Made->Lies = ArrayHome::Heap;
      Made->Extents = {
          Of->Kept.at(build::var(B->Count), {L, unsigned(L->Nodes.size())})};
      break;
    }
    for (const std::unique_ptr<Node> &Child : L->Nodes)
      if (auto *D = dyn_cast<DeclBuffer>(Child->S.get()); D && D->B == B)
        for (ExprRef &E : Made->Extents)
          E = Of->Kept.at(E, before(*Child));
    break;
  }
  A = Made;
  return A;
}

std::string AdjointBuilder::nameFor(StringRef Of) {
  auto [It, New] = NameOf.try_emplace(Of);
  if (New)
    It->second = derivativeName(Of, Mode::Reverse, Names);
  return It->second;
}

Access AdjointBuilder::adjoint(const Access &A, Position P) {
  Access To = A;
  To.Buf = adjoint(A.Buf);
  if (To.Buf->rank() < A.Buf->rank()) // its rows lie one after the other
    To.Extents.assign(A.Buf->Extents.begin() + 1, A.Buf->Extents.end());
  for (ExprRef &E : To.Extents)
    E = kept().here(E, P);
  for (ExprRef &E : To.Indices) {
    E = kept().here(E, P);
    Substitution Map;
    forEachExpr(E, [&](const ExprRef &Sub) {
      auto *U = dyn_cast<VarUse>(Sub.get());
      if (U && U->V->Kind == VarKind::Cursor && U->V->Base == A.Buf)
        if (VarRef C = kept().cursorInto(U->V, To.Buf, nameFor(U->V->Name)))
          Map[U->V.get()] = build::var(C);
    });
    if (!Map.empty())
      E = substitute(E, Map);
  }
  return To;
}

VarRef AdjointBuilder::temporary(StringRef Name, const Type &T) {
  auto V = std::make_shared<Var>();
  V->Name = kept().freshName(Name);
  V->Ty = T;
  V->Const = true;
  return V;
}

CalleeRef AdjointBuilder::byRule(const Callee &C, unsigned K) {
  CalleeRef &Made = Called.ByRule[{C.Name, K}];
  if (!Made) {
    Made = adjointByRule(C, K, adjointName(*C.Definition, K));
    Called.InOrder.push_back(Made->Definition);
  }
  return Made;
}

/// "g_adj", or "g_adj_x" where g has several floating parameters.
std::string AdjointBuilder::adjointName(const Function &Of, unsigned K) {
  const auto Floats = count_if(
      Of.Params, [](const Param &P) { return P.Scalar->Ty.isFloat(); });
  std::string Name = Of.Name + "_adj";
  if (Floats > 1)
    Name += "_" + Of.Params[K].name().str();
  // Nor is it hidden where it is called.
  while (Names.count(Name) || !Called.Names->insert(Name).second)
    Name += '_';
  Names.insert(Name);
  return Name;
}

CalleeRef AdjointBuilder::callee(const Call &C, unsigned K) {
  if (C.Fn->Rule)
    return byRule(*C.Fn, K);
  const std::shared_ptr<const Function> &D = C.Fn->Definition;
  auto [It, New] = Called.Made.try_emplace({D.get(), K});
  if (!New)
    return It->second;
  Activity Inside = activityOfCallee(*D);
  const Var *P = D->Params[K].Scalar.get();
  if (!Inside.ResultVaried || !Inside.isActive(P))
    return nullptr;
  const std::string Name = adjointName(*D, K);
  std::set<std::string> Inner = namesIn(*D);
  Inner.insert(Called.Names->begin(), Called.Names->end());
  Structured S = structured(D, Inner);
  Inside = activityOfCallee(*S.F); // of the variables that it has now
  const Signature None;
  AdjointBuilder B(*D, std::move(S), None, std::move(Inside), AliasMode::Check,
                   /*Later=*/nullptr, Called, std::move(Inner));
  auto Made = std::make_shared<Callee>();
  Made->Name = Name;
  Made->Definition = B.ofParameter(K, Name);
  Made->Result = Made->Definition->Result;
  Made->Params = C.Fn->Params;
  Made->Params.push_back(C.Fn->Result);
  Made->MayTrap = C.Fn->MayTrap;
  Called.InOrder.push_back(Made->Definition);
  Called.Made[{D.get(), K}] = Made;
  return Made;
}

/// The tangent in the direction of one argument, by as much as the adjoint of
/// the result, is that argument's adjoint. A function has one tangent, of all
/// its parameters, which calls itself where the function does; an adjoint of
/// each parameter would call those of all others, and so on at each level.
ExprRef AdjointBuilder::byTangent(const Call &C, unsigned K,
                                  const ExprRef &Seed) {
  const Function &D = *C.Fn->Definition;
  if (!activityOfCallee(D).isActive(D.Params[K].Scalar.get()))
    return nullptr;
  TangentCallees &Tangents = Called.Tangents;
  Tangents.Names = Called.Names;
  const CalleeRef Fn = tangentOfCallee(*C.Fn, Tangents);
  append_range(Called.InOrder, std::exchange(Tangents.InOrder, {}));
  if (!Fn)
    return nullptr;
  std::vector<ExprRef> Args = C.Args;
  for (unsigned I = 0; I < C.Args.size(); ++I)
    if (const Type &T = C.Args[I]->Ty; T.isFloat())
      Args.push_back(I == K ? build::cast(Seed, T) : zero(T));
  return build::cast(build::call(Fn, std::move(Args)), C.Args[K]->Ty);
}

ExprRef AdjointBuilder::ofArgument(const Call &C, unsigned K,
                                   const ExprRef &Seed) {
  if (!C.Fn->Rule && callsItself(*C.Fn->Definition))
    return byTangent(C, K, Seed);
  const CalleeRef Fn = callee(C, K);
  if (!Fn)
    return nullptr;
  std::vector<ExprRef> Args = C.Args;
  Args.push_back(Seed);
  return build::call(Fn, std::move(Args));
}

} // namespace raise::grad
