//===- NameCalls.cpp - calls worth a name of their own --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "NameCalls.h"
#include "raise/IR/Text.h"
#include "raise/IR/Visitor.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace raise;
using llvm::dyn_cast;
using llvm::isa;

namespace {

class CallNamer {
public:
  CallNamer(const For &L, NamedCalls &Named) : L(L), Named(Named) {}

  StmtRef run(const StmtRef &S) {
    if (auto *B = dyn_cast<Block>(S.get())) {
      std::vector<StmtRef> Out;
      for (const StmtRef &Sub : B->Body) {
        StmtRef New = run(Sub);
        llvm::append_range(Out, Lets);
        Lets.clear();
        Out.push_back(std::move(New));
      }
      return std::make_shared<Block>(std::move(Out), S->Loc);
    }
    if (auto *I = dyn_cast<If>(S.get())) {
      StmtRef Then = body(I->Then), Else = I->Else ? body(I->Else) : nullptr;
      return std::make_shared<If>(named(I->Cond), Then, Else, I->Loc);
    }
    if (auto *D = dyn_cast<Decl>(S.get()); D && D->Init)
      return std::make_shared<Decl>(D->V, withNamedParts(D->Init), D->Loc);
    if (auto *A = dyn_cast<Assign>(S.get()))
      return std::make_shared<Assign>(
          A->V, A->Op,
          A->Op == Combiner::None ? withNamedParts(A->Value) : named(A->Value),
          A->Loc);
    if (auto *St = dyn_cast<Store>(S.get()))
      return std::make_shared<Store>(St->To, St->Op, named(St->Value),
                                     St->Atomic, St->Loc);
    return S;
  }
  /// A branch or a loop's body: names stand inside of it.
  StmtRef body(const StmtRef &S) {
    StmtRef Whole = isa<Block>(S.get()) ? S : makeBlock({S}, S->Loc);
    if (!isa<Block>(Whole.get()))
      Whole = std::make_shared<Block>(std::vector<StmtRef>{S}, S->Loc);
    return run(Whole);
  }

private:
  const For &L;
  std::vector<StmtRef> Lets;

  NamedCalls &Named;

  ExprRef named(const ExprRef &E) {
    ExprRef Inside = withNamedParts(E);
    auto *C = dyn_cast<Call>(Inside.get());
    if (!C || uses(Inside, L.V.get()))
      return Inside;
    auto V = std::make_shared<Var>();
    size_t Colon = C->Fn->Name.rfind(':');
    V->Name = C->Fn->Name.substr(Colon + 1) + "_result";
    V->Ty = E->Ty;
    V->Const = true;
    V->Says = sourceText(Inside);
    V->Loc = E->Loc;
    Lets.push_back(std::make_shared<Decl>(V, Inside, E->Loc));
    Named[V.get()] = Inside;
    return build::var(V);
  }

  ExprRef withNamedParts(const ExprRef &E) {
    if (auto *U = dyn_cast<Unary>(E.get()))
      return std::make_shared<Unary>(U->Op, named(U->Operand), U->Ty, U->Loc);
    if (auto *C = dyn_cast<Cast>(E.get()))
      return std::make_shared<Cast>(named(C->Operand), C->Ty, C->Implicit,
                                    C->Loc);
    if (auto *C = dyn_cast<Call>(E.get())) {
      std::vector<ExprRef> Args;
      for (const ExprRef &A : C->Args)
        Args.push_back(named(A));
      return std::make_shared<Call>(C->Fn, std::move(Args), C->Loc);
    }
    if (auto *B = dyn_cast<Binary>(E.get())) {
      bool Lazy = B->Op == BinaryOp::LAnd || B->Op == BinaryOp::LOr;
      return std::make_shared<Binary>(B->Op, named(B->L),
                                      Lazy ? B->R : named(B->R), B->Ty, B->Loc);
    }
    if (auto *Sel = dyn_cast<Select>(E.get()))
      return std::make_shared<Select>(named(Sel->Cond), Sel->True, Sel->False,
                                      Sel->Loc);
    return E;
  }
};

/// Puts calls back in the place of their names.
class Unnamer : public Rewriter {
public:
  explicit Unnamer(const NamedCalls &Named) : Named(Named) {}
  std::set<const Var *> Declared;
  ExprRef rewriteExpr(const ExprRef &E) override {
    auto *U = dyn_cast<VarUse>(E.get());
    auto It = U ? Named.find(U->V.get()) : Named.end();
    if (It == Named.end() || !Declared.count(U->V.get()))
      return E;
    return run(It->second);
  }
  StmtRef rewriteStmt(const StmtRef &S) override {
    auto *D = dyn_cast<Decl>(S.get());
    return D && Declared.count(D->V.get()) ? nullptr : S;
  }

private:
  const NamedCalls &Named;
};

} // namespace

StmtRef raise::nameCalls(const StmtRef &Body, const For &L, NamedCalls &Named) {
  return CallNamer(L, Named).body(Body);
}

StmtRef raise::withoutNames(const StmtRef &S, const NamedCalls &Named) {
  Unnamer Back(Named);
  forEachStmt(S, [&](const StmtRef &Sub) {
    auto *D = dyn_cast<Decl>(Sub.get());
    if (D && Named.count(D->V.get()))
      Back.Declared.insert(D->V.get());
  });
  return Back.run(S);
}
