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
#include "LoopForm.h"
#include "Peel.h"
#include "raise/IR/Effects.h"
#include "raise/IR/Visitor.h"
#include "raise/Transform/Scalars.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace raise;
using llvm::cast;
using llvm::dyn_cast;
using llvm::isa;

namespace {

using VarSet = Liveness::VarSet;

/// What scalars hold in an iteration, over their values at its start.
class EndValues {
public:
  explicit EndValues(const For &L) {
    for (const MemoryAccess &A : effectsOf(L.Body).Memory)
      if (A.How != MemoryAccess::Mode::Read)
        Written.push_back(A.At.Buf);
    for (const StmtRef &S : statements(L.Body))
      run(S);
  }

  /// V at the end of the iteration; null if not known, or not set.
  ExprRef of(const VarRef &V) const {
    auto It = Values.find(V.get());
    return It == Values.end() ? nullptr : It->second;
  }

private:
  std::vector<BufferRef> Written;
  std::map<const Var *, ExprRef> Values; ///< null: not known

  void run(const StmtRef &S) {
    if (isa<Block>(S.get())) {
      for (const StmtRef &Sub : statements(S))
        run(Sub);
      return;
    }
    if (auto *D = dyn_cast<Decl>(S.get())) {
      Values[D->V.get()] = D->Init ? eval(D->Init) : nullptr;
      return;
    }
    if (auto *A = dyn_cast<Assign>(S.get())) {
      Values[A->V.get()] = A->Op == Combiner::None ? eval(A->Value) : nullptr;
      return;
    }
    assignedVars(S, [&](const VarRef &V) { Values[V.get()] = nullptr; });
  }

  bool isKept(const Buffer &B) const {
    return !B.Volatile && llvm::all_of(Written, [&](const BufferRef &W) {
      return alias(*W, B) == AliasResult::No;
    });
  }

  ExprRef eval(const ExprRef &E) const {
    Substitution Map;
    bool Ok = true;
    unsigned Size = 0;
    forEachExpr(E, [&](const ExprRef &Sub) {
      auto *Ld = dyn_cast<Load>(Sub.get());
      Ok &= !Ld || isKept(*Ld->From.Buf);
      auto *U = dyn_cast<VarUse>(Sub.get());
      auto It = U ? Values.find(U->V.get()) : Values.end();
      if (It == Values.end())
        return;
      Ok &= It->second != nullptr;
      Map[U->V.get()] = It->second;
    });
    if (!Ok)
      return nullptr;
    ExprRef New = substitute(E, Map);
    forEachExpr(New, [&](const ExprRef &) { ++Size; });
    return Size <= MaxSize ? New : nullptr;
  }

  /// What is computed twice should be small.
  static constexpr unsigned MaxSize = 64;
};

class WrapArounds {
public:
  WrapArounds(const For &L, const VarSet &After) : L(L), After(After) {}

  std::optional<StmtRef> run() {
    if (!runsThrough(L) || !isFixedIn(L.Step, L))
      return std::nullopt;
    EndValues Ends(L);
    assignedVars(L.Body, [&](const VarRef &V) {
      ExprRef End = Ends.of(V);
      if (End && isIndependent(End) && !isOwn(V) && isReadFirst(V) &&
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

  /// E is over the loop's variable and what the loop does not assign.
  bool isIndependent(const ExprRef &E) const {
    bool Ok = true;
    forEachExpr(E, [&](const ExprRef &Sub) {
      auto *U = dyn_cast<VarUse>(Sub.get());
      Ok &= !U || U->V == L.V || !assigns(L.Body, U->V.get());
    });
    return Ok;
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
