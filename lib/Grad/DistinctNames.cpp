//===- DistinctNames.cpp - one name, one thing ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The bodies of functions that a function calls stand in its own, with their
// variables and arrays. In the source each had a scope; here a name may stand
// beside or in the scope of another thing of that name. Scalars alone would get
// their names apart when they are printed, but derivatives are named after what
// they are derivatives of.
//
//===----------------------------------------------------------------------===//
#include "DistinctNames.h"
#include "raise/Grad/Signature.h"
#include "raise/IR/Visitor.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <set>

using namespace llvm;

namespace raise::grad {

namespace {

/// New names for what is declared where its name means something else.
class Collisions {
public:
  std::map<const void *, std::string> NewNames;

  explicit Collisions(const Function &F) : All(namesIn(F)) {
    std::set<const void *> Declared;
    forEachStmt(F.Body, [&](const StmtRef &S) {
      if (auto *D = dyn_cast<Decl>(S.get()))
        Declared.insert(D->V.get());
      else if (auto *B = dyn_cast<DeclBuffer>(S.get()))
        Declared.insert(B->B.get());
      else if (auto *L = dyn_cast<For>(S.get()); L && L->DeclaresVar)
        Declared.insert(L->V.get());
    });
    // Parameters, and whatever lies outside.
    Scopes.emplace_back();
    for (const Param &P : F.Params)
      Scopes.back()[P.name().str()] =
          P.Buf ? (const void *)P.Buf.get() : (const void *)P.Scalar.get();
    const auto Outside = [&](const auto &Entity) {
      if (!Declared.count(Entity.get()))
        Scopes.front().try_emplace(Entity->Name, Entity.get());
    };
    forEachExpr(F.Body, [&](const ExprRef &E) {
      if (auto *U = dyn_cast<VarUse>(E.get()))
        Outside(U->V);
      else if (auto *L = dyn_cast<Load>(E.get()))
        Outside(L->From.Buf);
      else if (auto *C = dyn_cast<Call>(E.get()))
        Scopes.front().try_emplace(C->Fn->Name, C->Fn.get());
      else if (auto *I = dyn_cast<IntConst>(E.get()); I && !I->Spelling.empty())
        Scopes.front().try_emplace(I->Spelling, I);
      else if (auto *X = dyn_cast<FloatConst>(E.get());
               X && !X->Spelling.empty())
        Scopes.front().try_emplace(X->Spelling, X);
    });
    forEachStmt(F.Body, [&](const StmtRef &S) {
      if (auto *St = dyn_cast<Store>(S.get()))
        Outside(St->To.Buf);
    });
    Scopes.emplace_back();
    for (const StmtRef &S : statements(F.Body))
      walk(S);
  }

private:
  std::set<std::string> All;
  std::vector<std::map<std::string, const void *>> Scopes;

  void walk(const StmtRef &S) {
    if (auto *D = dyn_cast<Decl>(S.get()))
      return declare(D->V->Name, D->V.get());
    if (auto *B = dyn_cast<DeclBuffer>(S.get()))
      return B->B->Owner ? void() : declare(B->B->Name, B->B.get());
    Scopes.emplace_back();
    if (auto *L = dyn_cast<For>(S.get()); L && L->DeclaresVar)
      declare(L->V->Name, L->V.get());
    mapChildren(S, [&](const StmtRef &Sub) {
      Scopes.emplace_back();
      walk(Sub);
      if (isa<Block>(*S)) { // its statements share one scope
        auto Own = std::move(Scopes.back());
        Scopes.pop_back();
        Scopes.back().merge(Own);
      } else {
        Scopes.pop_back();
      }
      return Sub;
    });
    Scopes.pop_back();
  }

  void declare(const std::string &Name, const void *Entity) {
    const auto Meets = [&](const std::map<std::string, const void *> &Scope) {
      auto It = Scope.find(Name);
      return It != Scope.end() && It->second != Entity;
    };
    auto Known = NewNames.find(Entity);
    if (Known == NewNames.end() && any_of(Scopes, Meets)) {
      std::string New;
      for (unsigned N = 2; New.empty() || !All.insert(New).second; ++N)
        New = Name + "_" + std::to_string(N);
      Known = NewNames.emplace(Entity, New).first;
    }
    Scopes.back()[Known == NewNames.end() ? Name : Known->second] = Entity;
  }
};

class EntityRenamer : public Rewriter {
public:
  explicit EntityRenamer(const std::map<const void *, std::string> &NewNames)
      : NewNames(NewNames) {}

  ExprRef rewriteExpr(const ExprRef &E) override {
    if (auto *U = dyn_cast<VarUse>(E.get())) {
      VarRef V = var(U->V);
      return V == U->V ? E : std::make_shared<VarUse>(V, E->Loc);
    }
    if (auto *L = dyn_cast<Load>(E.get()))
      return std::make_shared<Load>(access(L->From), E->Ty, E->Loc);
    if (auto *N = dyn_cast<NonNull>(E.get()))
      return std::make_shared<NonNull>(buffer(N->Buf), E->Loc);
    return E;
  }

  StmtRef rewriteStmt(const StmtRef &S) override {
    if (auto *D = dyn_cast<Decl>(S.get()))
      return std::make_shared<Decl>(var(D->V), D->Init, D->Loc);
    if (auto *D = dyn_cast<DeclBuffer>(S.get()))
      return std::make_shared<DeclBuffer>(buffer(D->B), D->Init, D->Loc);
    if (auto *A = dyn_cast<Assign>(S.get()))
      return std::make_shared<Assign>(var(A->V), A->Op, A->Value, A->Loc);
    if (auto *St = dyn_cast<Store>(S.get()))
      return std::make_shared<Store>(access(St->To), St->Op, St->Value,
                                     St->Atomic, St->Loc);
    if (auto *L = dyn_cast<For>(S.get()))
      return std::make_shared<For>(var(L->V), L->Lo, L->Cond, L->Hi, L->Step,
                                   L->LKind, L->DeclaresVar, L->Body, L->Loc);
    if (auto *O = dyn_cast<Opaque>(S.get()))
      return opaque(*O);
    return S;
  }

private:
  const std::map<const void *, std::string> &NewNames;
  DenseMap<const Var *, VarRef> Vars;
  DenseMap<const Buffer *, BufferRef> Buffers;

  VarRef var(const VarRef &V) {
    if (!V)
      return V;
    auto It = Vars.find(V.get());
    if (It != Vars.end())
      return It->second;
    const BufferRef Base = buffer(V->Base);
    const auto New = NewNames.find(V.get());
    VarRef Out = V;
    if (New != NewNames.end() || Base != V->Base) {
      auto Made = std::make_shared<Var>(*V);
      Made->Base = Base;
      if (New != NewNames.end())
        Made->Name = New->second;
      Out = std::move(Made);
    }
    return Vars[V.get()] = Out;
  }

  BufferRef buffer(const BufferRef &B) {
    if (!B)
      return B;
    auto It = Buffers.find(B.get());
    if (It != Buffers.end())
      return It->second;
    auto Made = std::make_shared<Buffer>(*B);
    bool Changed = false;
    for (ExprRef &E : Made->Extents)
      if (E) {
        const ExprRef Old = E;
        E = run(E);
        Changed |= !structurallyEqual(E, Old);
      }
    Made->Count = var(B->Count);
    Made->Owner = buffer(B->Owner);
    Changed |= Made->Count != B->Count || Made->Owner != B->Owner;
    if (const auto New = NewNames.find(B.get()); New != NewNames.end()) {
      Made->Name = New->second;
      Changed = true;
    }
    return Buffers[B.get()] = Changed ? BufferRef(Made) : B;
  }

  Access access(Access A) {
    A.Buf = buffer(A.Buf);
    return A;
  }

  StmtRef opaque(const Opaque &O) {
    std::vector<VarRef> Touches = O.Touches, Keeps = O.Keeps;
    for (std::vector<VarRef> *List : {&Touches, &Keeps})
      for (VarRef &V : *List)
        V = var(V);
    std::shared_ptr<PureCall> Call;
    if (O.Pure) {
      Call = std::make_shared<PureCall>(*O.Pure);
      Call->Result = var(Call->Result);
      for (PureCall::Argument &A : Call->Args) {
        A.Base = buffer(A.Base);
        if (A.Value)
          A.Value = run(A.Value);
      }
    }
    return std::make_shared<Opaque>(O.Text, O.Code, O.Why, std::move(Touches),
                                    O.Loc, O.NoReturn, std::move(Call),
                                    std::move(Keeps));
  }
};

} // namespace

FunctionRef withDistinctNames(const FunctionRef &F) {
  const Collisions Found(*F);
  return Found.NewNames.empty()
             ? F
             : withBody(*F, EntityRenamer(Found.NewNames).run(F->Body));
}

} // namespace raise::grad
