//===- LastChoice.cpp - which iteration a loop's choice was ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "LastChoice.h"
#include "ReversedLoop.h"
#include "raise/IR/Visitor.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace raise::grad {

namespace {

class Choices {
public:
  Choices(const Activity &Active, std::set<std::string> &Names,
          DenseSet<const Var *> &Last)
      : Active(Active), Names(Names), Last(Last) {}

  StmtRef run(const StmtRef &S) {
    const StmtRef New =
        mapChildren(S, [&](const StmtRef &C) { return run(C); });
    auto *L = dyn_cast<For>(New.get());
    return L && isPlain(*L) ? marked(New, *L) : New;
  }

private:
  /// Whether L counts up from 0 or more, and all that it does is known.
  static bool isPlain(const For &L) {
    auto *Lo = dyn_cast<IntConst>(L.Lo.get());
    bool Known = true;
    forEachStmt(L.Body, [&](const StmtRef &S) {
      Known &= !isa<Opaque>(*S) && !isa<Break>(*S) && !isa<Continue>(*S) &&
               !isa<Return>(*S);
    });
    return Known && L.DeclaresVar && L.LKind == LoopKind::Serial &&
           L.V->Kind != VarKind::Cursor && L.V->Ty.isInt() && L.V->Ty.Signed &&
           Lo && Lo->Value >= 0 && fixedStep(L).value_or(-1) > 0 &&
           !assigns(L.Body, L.V.get());
  }

  /// The assignment of an active variable from outside of L that is all that S,
  /// a statement of L's body, does, and all of L that names the variable.
  const Assign *choice(const StmtRef &S, const For &L) const {
    auto *I = dyn_cast<If>(S.get());
    if (!I || I->Else || statements(I->Then).size() != 1)
      return nullptr;
    auto *A = dyn_cast<Assign>(statements(I->Then).front().get());
    if (!A || A->Op != Combiner::None || !A->V->Ty.isFloat() ||
        !Active.isActive(A->V.get()) || uses(A->Value, A->V.get()) ||
        !uses(I->Cond, A->V.get())) // else it can be asked again
      return nullptr;
    const auto Names = [&](const StmtRef &Other) {
      return Other != S &&
             (uses(Other, A->V.get()) || assigns(Other, A->V.get()));
    };
    const bool Alone =
        none_of(statements(L.Body), Names) &&
        none_of(std::initializer_list<ExprRef>{L.Hi, L.Step},
                [&](const ExprRef &E) { return uses(E, A->V.get()); });
    return Alone ? A : nullptr;
  }

  VarRef place(const Var &Of, const Type &T) {
    auto V = std::make_shared<Var>();
    V->Name = Of.Name + "_at";
    while (!Names.insert(V->Name).second)
      V->Name += '_';
    V->Ty = T;
    V->Kind = VarKind::Local;
    Last.insert(V.get());
    return V;
  }

  StmtRef marked(const StmtRef &S, const For &L) {
    std::vector<StmtRef> Out, Body;
    for (const StmtRef &Each : statements(L.Body)) {
      const Assign *A = choice(Each, L);
      Body.push_back(Each);
      if (!A)
        continue;
      const VarRef At = place(*A->V, L.V->Ty);
      Out.push_back(std::make_shared<Decl>(At, build::intConst(-1, At->Ty)));
      const std::vector<StmtRef> Then = {
          statements(cast<If>(Each.get())->Then).front(),
          std::make_shared<Assign>(At, Combiner::None, build::var(L.V))};
      Body.back() = std::make_shared<If>(cast<If>(Each.get())->Cond,
                                         std::make_shared<Block>(Then), nullptr,
                                         Each->Loc);
    }
    if (Out.empty())
      return S;
    Out.push_back(std::make_shared<For>(
        L.V, L.Lo, L.Cond, L.Hi, L.Step, L.LKind, L.DeclaresVar,
        std::make_shared<Block>(std::move(Body)), L.Loc));
    return std::make_shared<Block>(std::move(Out));
  }

  const Activity &Active;
  std::set<std::string> &Names;
  DenseSet<const Var *> &Last;
};

} // namespace

FunctionRef lastChoices(const FunctionRef &F, const Activity &Active,
                        std::set<std::string> &Names,
                        DenseSet<const Var *> &Last) {
  return withBody(*F, Choices(Active, Names, Last).run(F->Body));
}

VarRef lastChoiceOf(const If &I, const DenseSet<const Var *> &Last) {
  const ArrayRef<StmtRef> Then = statements(I.Then);
  auto *A = Then.size() == 2 ? dyn_cast<Assign>(Then[1].get()) : nullptr;
  return A && Last.count(A->V.get()) ? A->V : nullptr;
}

} // namespace raise::grad
