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
// not set it. A loop that takes off one in each iteration is told where it
// begins instead,
//
//   k_back -= n - 1 - i;
//   for (j = n - 1; j > i; --j) … l[k_back + j - (i + 1)] …
//
// so that its iterations have no order to keep.
//
//===----------------------------------------------------------------------===//

#include "ReversedLoop.h"
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

static bool isZero(const ExprRef &E) {
  auto *C = dyn_cast<IntConst>(E.get());
  return C && C->Value == 0;
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

//===-- Loops that count by one
//---------------------------------------------===//

/// The loop around S that counts up with V; null if none does.
static const For *counterOf(const Node &S, const Var *V) {
  for (const Node *At = S.In->Owner; At; At = At->In->Owner) {
    auto *L = dyn_cast<For>(At->S.get());
    if (L && L->V.get() == V)
      return fixedStep(*L).value_or(-1) > 0 && !assigns(L->Body, V) ? L
                                                                    : nullptr;
  }
  return nullptr;
}

/// E as a variable and what is added to it; none if it is something else.
static std::optional<std::pair<const Var *, int64_t>>
asOffset(const ExprRef &E) {
  if (auto *U = dyn_cast<VarUse>(E.get()))
    return std::pair(U->V.get(), int64_t(0));
  auto *B = dyn_cast<Binary>(E.get());
  auto *U = B ? dyn_cast<VarUse>(B->L.get()) : nullptr;
  auto *By = B ? dyn_cast<IntConst>(B->R.get()) : nullptr;
  if (!U || !By || (B->Op != BinaryOp::Add && B->Op != BinaryOp::Sub))
    return std::nullopt;
  return std::pair(U->V.get(), B->Op == BinaryOp::Add ? By->Value : -By->Value);
}

/// Whether E, evaluated at S, is 0 or more.
static bool isNotNegative(const ExprRef &E, const Node &S) {
  if (auto *C = dyn_cast<IntConst>(E.get()))
    return C->Value >= 0;
  const auto At = asOffset(E);
  const For *L = At && At->second >= 0 ? counterOf(S, At->first) : nullptr;
  auto *From = L ? dyn_cast<IntConst>(L->Lo.get()) : nullptr;
  return From && From->Value >= 0;
}

/// Whether L, at S, begins no later than behind its end.
static bool runsToItsEnd(const For &L, const Node &S) {
  if (const auto From = asOffset(L.Lo); From && From->second <= 1) {
    const For *Outer = counterOf(S, From->first);
    if (Outer && Outer->Cond == BinaryOp::LT &&
        structurallyEqual(Outer->Hi, L.Hi))
      return true;
  }
  return isZero(L.Lo) && isNotNegative(L.Hi, S);
}

std::vector<StmtRef> Values::countedOutside(const Node &Loop,
                                            const LoopHeader &H,
                                            std::vector<StmtRef> &Body) const {
  std::vector<StmtRef> Before;
  auto &L = *cast<For>(Loop.S.get());
  const Type I32 = Type::getI32();
  if (L.Cond != BinaryOp::LT || fixedStep(L) != 1 || L.V->Ty != I32 ||
      H.Lo->Ty != I32 || H.Hi->Ty != I32 || !isNotNegative(L.Lo, Loop))
    return Before;
  for (const BackCounter &B : BackCounters) {
    const auto Sets = [&](const StmtRef &S) {
      return assigns(S, B.Back.get());
    };
    const auto At = find_if(Body, Sets);
    auto *A = At == Body.end() ? nullptr : dyn_cast<Assign>(At->get());
    auto *By = A ? dyn_cast<IntConst>(A->Value.get()) : nullptr;
    if (!By || By->Value != 1 || B.Back->Ty != I32 ||
        count_if(Body, Sets) != 1 ||
        (A->Op != Combiner::Add && A->Op != Combiner::Sub))
      continue;
    const bool Rises = A->Op == Combiner::Sub; // in the forward sweep
    const ExprRef Trips =
        runsToItsEnd(L, Loop)
            ? build::sub(H.Hi, H.Lo)
            : build::select(build::binary(BinaryOp::LT, H.Lo, H.Hi),
                            build::sub(H.Hi, H.Lo), build::intConst(0, I32));
    Before.push_back(std::make_shared<Assign>(B.Back, A->Op, Trips, A->Loc));
    // Which iteration it is, and what those before and it have counted.
    const ExprRef Gone =
        isZero(H.Lo) ? build::var(H.V) : build::sub(build::var(H.V), H.Lo);
    const auto After = [&](const ExprRef &Count) {
      return Rises ? build::add(build::var(B.Back), Count)
                   : build::sub(build::var(B.Back), Count);
    };
    for (auto S = Body.begin(); S != At; ++S)
      *S = substitute(*S, B.Back,
                      After(build::add(Gone, build::intConst(1, I32))));
    for (auto S = At + 1; S != Body.end(); ++S)
      *S = substitute(*S, B.Back, After(Gone));
    Body.erase(At);
  }
  return Before;
}

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
