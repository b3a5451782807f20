//===- CountersBack.cpp - counters that the reverse sweep takes back ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A variable that a nest only adds constants to, such as the place in a packed
// triangle:
//
//   for (i…) for (j = i + 1…) { y[j] += l[k] * x[i]; k++; }
//
// needs no tape: the reverse of the nest begins with the value that it left,
// and the reverse of each statement that adds takes its constant off again. So
// at the reverse of any statement the variable has the value that it had just
// after that statement, which is the one before it too, if the statement does
// not set it.
//
//===----------------------------------------------------------------------===//

#include "Values.h"
#include "raise/IR/Visitor.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace raise::grad {

/// Iterations of a loop that its author says are independent have no order to
/// count in.
static bool hasOrder(const Node &Loop) {
  auto *F = dyn_cast<For>(Loop.S.get());
  return !F || F->LKind == LoopKind::Serial;
}

static bool isNumber(const ExprRef &E) {
  auto *C = dyn_cast<Cast>(E.get());
  return isa<IntConst>(E.get()) || (C && isNumber(C->Operand));
}

/// Whether all that S does to V is to add a constant, whenever it is reached:
/// what stands under a condition would need that in the reverse.
static bool onlyCounts(const Node &S, const Var *V) {
  if (!S.Sets.count(V))
    return true;
  if (auto *A = dyn_cast<Assign>(S.S.get()))
    return (A->Op == Combiner::Add || A->Op == Combiner::Sub) &&
           isNumber(A->Value) && A->Value->Ty == V->Ty;
  if (!S.isLoop() || !hasOrder(S) || S.Trips.get() == V)
    return false;
  auto *F = dyn_cast<For>(S.S.get());
  return !(F && F->V.get() == V) &&
         all_of(S.Body->Nodes, [&](const std::unique_ptr<Node> &Sub) {
           return onlyCounts(*Sub, V);
         });
}

Values::BackCounter *Values::backCounter(const VarRef &V, Position P) {
  // Parts of a loop that run again have values of their own.
  if (PartOf.second || V->Kind != VarKind::Local || !V->Ty.isInt() ||
      V->Ty.Bits < 32)
    return nullptr;
  const Node *Loop = nullptr;
  for (const List *L = P.L; L->Owner; L = outer(*L)) {
    if (!L->Owner->isLoop())
      continue;
    if (!L->Owner->Sets.count(V.get()) || !onlyCounts(*L->Owner, V.get()))
      break;
    Loop = L->Owner;
  }
  if (!Loop)
    return nullptr;
  for (BackCounter &B : BackCounters)
    if (B.Loop == Loop && B.Of == V)
      return &B;
  auto Made = std::make_shared<Var>(*V);
  Made->Name = freshName(V->Name + "_back");
  Made->Const = false;
  BackCounters.push_back({Loop, V, Made, false});
  return &BackCounters.back();
}

ExprRef Values::countedBack(const ExprRef &Use, Position P) {
  if (!Here)
    return nullptr;
  // What sets V runs backwards after what is asked for here.
  if (!P.Ends && P.Index < P.L->Nodes.size() &&
      P.L->Nodes[P.Index]->Sets.count(cast<VarUse>(Use.get())->V.get()))
    return nullptr;
  BackCounter *B = backCounter(cast<VarUse>(Use.get())->V, P);
  if (!B)
    return nullptr;
  B->Used = true;
  return build::var(B->Back);
}

StmtRef Values::takenBack(const Node &S) {
  auto *A = cast<Assign>(S.S.get());
  if (!onlyCounts(S, A->V.get()))
    return nullptr;
  const BackCounter *B = backCounter(A->V, before(S));
  return B ? std::make_shared<Assign>(B->Back,
                                      A->Op == Combiner::Add ? Combiner::Sub
                                                             : Combiner::Add,
                                      A->Value, A->Loc)
           : nullptr;
}

namespace {

/// Without a variable that is set and never read, and loops that did that
/// alone.
class WithoutSets : public Rewriter {
public:
  explicit WithoutSets(const Var *V) : V(V) {}

private:
  StmtRef rewriteStmt(const StmtRef &S) override {
    if (auto *A = dyn_cast<Assign>(S.get()))
      return A->V.get() == V ? nullptr : S;
    auto *L = dyn_cast<For>(S.get());
    return L && statements(L->Body).empty() ? nullptr : S;
  }
  const Var *V;
};

} // namespace

void Values::addBackCounters(const Node &Loop, std::vector<StmtRef> &Reverse) {
  for (BackCounter &B : BackCounters) {
    if (B.Loop != &Loop)
      continue;
    if (B.Used) {
      Reverse.insert(Reverse.begin(),
                     std::make_shared<Decl>(B.Back,
                                            at(build::var(B.Of), after(Loop)),
                                            Loop.S->Loc));
      continue;
    }
    std::vector<StmtRef> Kept;
    for (const StmtRef &S : Reverse)
      if (StmtRef Left = WithoutSets(B.Back.get()).run(S))
        Kept.push_back(std::move(Left));
    Reverse = std::move(Kept);
  }
}

} // namespace raise::grad
