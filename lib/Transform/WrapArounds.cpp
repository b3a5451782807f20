//===- WrapArounds.cpp - what the iteration before computed ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The value that x has at the end of an iteration is written as an expression
// over the loop's variable, what the loop does not change, and memory that it
// does not write: end(i). Then x starts every iteration but the first as
// end(i - step). Such an expression has the same value wherever it is
// evaluated, and iteration i - step did evaluate all of it, so iteration i may
// do so again: no load, no trap and no rounding is new.
//
// Only the first iteration uses the x from before the loop, so it is peeled. If
// the end of y is the start of x (y = x; x = e), y is such a scalar of the
// remaining loop, which is treated in the same way.
//
//===----------------------------------------------------------------------===//
#include "FoldConstants.h"
#include "IterationValues.h"
#include "LoopForm.h"
#include "Peel.h"
#include "raise/IR/Visitor.h"
#include "raise/Transform/Scalars.h"
#include "llvm/ADT/STLExtras.h"

using namespace raise;
using llvm::dyn_cast;

namespace {

using VarSet = Liveness::VarSet;

class WrapArounds {
public:
  WrapArounds(const For &L, const VarSet &After) : L(L), After(After) {}

  std::optional<StmtRef> run() {
    if (!runsThrough(L) || !isFixedIn(L.Step, L))
      return std::nullopt;
    IterationValues Values(L);
    assignedVars(L.Body, [&](const VarRef &V) {
      ExprRef End = Values.atEnd(V);
      if (End && Values.isIndependent(End) && !isOwn(V) && isReadFirst(V) &&
          !known(V.get()))
        Known.push_back({V, End});
    });
    auto P = Known.empty() ? std::nullopt : peelFirst(L);
    if (!P)
      return std::nullopt;
    // A last value needs the last index.
    if (!P->LastIndex && llvm::any_of(Known, [&](const auto &K) {
          return After.count(K.first.get()) != 0;
        }))
      return std::nullopt;
    for (const auto &[V, End] : Known)
      if (After.count(V.get()))
        P->Last.push_back(
            std::make_shared<Assign>(V, Combiner::None, at(End, P->LastIndex)));
    auto Rest =
        std::make_shared<For>(L.V, P->Rest->Lo, L.Cond, P->Rest->Hi, L.Step,
                              L.LKind, L.DeclaresVar, restBody(), L.Loc);
    P->Rest = Rest;
    // Others may rest on these.
    StmtRef Tail = expandWrapArounds(*Rest, After).value_or(Rest);
    // Set again after Tail, if that matters.
    for (const auto &[V, End] : Known)
      dropUnread(P->First, Tail, V.get());
    return assemble(*P, Tail, L, After);
  }

private:
  const For &L;
  const VarSet &After;
  std::vector<std::pair<VarRef, ExprRef>> Known; ///< with their ends

  bool known(const Var *V) const {
    return llvm::any_of(Known,
                        [&](const auto &K) { return K.first.get() == V; });
  }

  /// Declared by the body: no value comes from an earlier iteration.
  bool isOwn(const VarRef &V) const {
    bool Own = V == L.V;
    forEachStmt(L.Body, [&](const StmtRef &S) {
      auto *D = dyn_cast<Decl>(S.get());
      auto *F = dyn_cast<For>(S.get());
      Own |= (D && D->V == V) || (F && F->V == V);
    });
    return Own;
  }

  /// End in the iteration in which the variable is I.
  ExprRef at(const ExprRef &End, const ExprRef &I) const {
    return ConstantFolder().run(substitute(End, L.V, I));
  }

  /// Unless the first that is heard of V is a new value.
  bool isReadFirst(const VarRef &V) const {
    for (const StmtRef &S : statements(L.Body)) {
      if (!uses(S, V.get()) && !assigns(S, V.get()))
        continue;
      auto *A = dyn_cast<Assign>(S.get());
      return !A || A->V != V || uses(S, V.get());
    }
    return false;
  }

  /// The body of all iterations but the first: what it starts with is a value
  /// of its own.
  StmtRef restBody() const {
    StmtRef Body = L.Body;
    std::vector<StmtRef> Out;
    ExprRef Before = stepped(build::var(L.V), L, -1);
    for (const auto &[V, End] : Known) {
      auto Own = std::make_shared<Var>(*V);
      Own->Kind = V->Kind == VarKind::Param ? VarKind::Local : V->Kind;
      Own->Const = false;
      Out.push_back(std::make_shared<Decl>(Own, at(End, Before)));
      Body = renameVar(Body, V, Own);
      std::vector<StmtRef> List = statements(Body).vec();
      dropUnread(List, nullptr, Own.get());
      Body = makeBlock(std::move(List), Body->Loc);
    }
    llvm::append_range(Out, statements(Body));
    return std::make_shared<Block>(std::move(Out), L.Body->Loc);
  }

  /// Removes assignments of V that nothing reads, neither List nor Then.
  static void dropUnread(std::vector<StmtRef> &List, const StmtRef &Then,
                         const Var *V) {
    bool Read = Then && uses(Then, V);
    for (size_t I = List.size(); I-- > 0 && !Read;) {
      auto *A = dyn_cast<Assign>(List[I].get());
      Read |= uses(List[I], V);
      if (A && A->V.get() == V && A->Op == Combiner::None)
        List.erase(List.begin() + I);
    }
  }
};

} // namespace

std::optional<StmtRef> raise::expandWrapArounds(const For &L,
                                                const Liveness::VarSet &After) {
  return WrapArounds(L, After).run();
}
