//===- JointLoops.cpp - iterations that are reversed one by one -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The reverse of what follows such a loop has to leave it its seeds first: of
// that as much goes before the loop as the loop needs, which may use nothing
// that the loop or what follows it computes.
//
//===----------------------------------------------------------------------===//

#include "JointLoops.h"
#include "AdjointBuilder.h"
#include "ReversedLoop.h"
#include "Rules.h"
#include "raise/Analysis/ArrayFlow.h"
#include "raise/IR/Visitor.h"

using namespace llvm;

namespace raise::grad {

using Statements = AdjointBuilder::Statements;

namespace {

/// What statements read, replace, and add to. Sums may come in any order.
struct Touched {
  DenseSet<const void *> Reads, Writes, Sums;
  bool Unknown = false;

  void add(const StmtRef &S) {
    forEachExpr(S, [&](const ExprRef &E) {
      if (auto *U = dyn_cast<VarUse>(E.get()))
        Reads.insert(U->V.get());
      else if (auto *L = dyn_cast<Load>(E.get()))
        Reads.insert(L->From.Buf.get());
    });
    forEachStmt(S, [&](const StmtRef &Sub) {
      const auto Set = [&](const void *What, Combiner Op) {
        (Op == Combiner::Add || Op == Combiner::Sub ? Sums : Writes)
            .insert(What);
      };
      if (auto *D = dyn_cast<Decl>(Sub.get()))
        Writes.insert(D->V.get());
      else if (auto *B = dyn_cast<DeclBuffer>(Sub.get()))
        Writes.insert(B->B.get());
      else if (auto *A = dyn_cast<Assign>(Sub.get()))
        Set(A->V.get(), A->Op);
      else if (auto *St = dyn_cast<Store>(Sub.get()))
        Set(St->To.Buf.get(), St->Op);
      else if (auto *L = dyn_cast<For>(Sub.get()))
        Writes.insert(L->V.get());
      else
        Unknown |= !isa<Block, If, While, Return>(*Sub);
    });
  }

  bool names(const void *What) const {
    return Reads.count(What) || Writes.count(What) || Sums.count(What);
  }

  /// Whether the order of both matters.
  bool meets(const Touched &O) const {
    const auto Any = [](const DenseSet<const void *> &A,
                        const DenseSet<const void *> &B) {
      return any_of(A, [&](const void *What) { return B.count(What) != 0; });
    };
    return Unknown || O.Unknown || Any(Writes, O.Writes) ||
           Any(Writes, O.Reads) || Any(Writes, O.Sums) ||
           Any(O.Writes, Reads) || Any(O.Writes, Sums) || Any(Sums, O.Reads) ||
           Any(O.Sums, Reads);
  }
};

Touched touchedBy(ArrayRef<StmtRef> List) {
  Touched T;
  for (const StmtRef &S : List)
    T.add(S);
  return T;
}

} // namespace

bool AdjointBuilder::isJoint(const Node &S) const {
  auto *L = dyn_cast<For>(S.S.get());
  return Joint && L && Joint->Loops.count(L);
}

/// Whether Of, of the reverse sweep's Part, uses only what is there, and as it
/// stays, before S, and what Part declares.
bool AdjointBuilder::isThereBefore(const Node &S, const StmtRef &Of,
                                   ArrayRef<StmtRef> Part) const {
  DenseSet<const void *> Own;
  for (const StmtRef &Each : Part)
    if (auto *D = dyn_cast<Decl>(Each.get()))
      Own.insert(D->V.get());
  for (const auto &[V, Adj] : Vars)
    Own.insert(Adj.get());
  for (const auto &[B, Adj] : Buffers)
    Own.insert(Adj.get());
  forEachStmt(Of, [&](const StmtRef &Sub) {
    if (auto *D = dyn_cast<Decl>(Sub.get()))
      Own.insert(D->V.get());
    else if (auto *L = dyn_cast<For>(Sub.get()))
      Own.insert(L->V.get());
  });
  const ArrayRef<std::unique_ptr<Node>> After =
      ArrayRef(S.In->Nodes).drop_front(S.Index);
  bool There = true;
  forEachExpr(Of, [&](const ExprRef &E) {
    if (auto *U = dyn_cast<VarUse>(E.get())) {
      const Var *V = U->V.get();
      There &=
          Own.count(V) || (Seed && uses(Seed, V)) ||
          (nest().Vars.count(V) && V->Kind != VarKind::External &&
           none_of(After, [&](const auto &N) { return N->Sets.count(V); }));
    } else if (auto *L = dyn_cast<Load>(E.get())) {
      const Buffer *B = L->From.Buf.get();
      There &= Own.count(B) ||
               (nest().Buffers.count(B) && none_of(After, [&](const auto &N) {
                  return N->Declares.count(B) ||
                         any_of(N->Stores, [&](const Store *St) {
                           return kept().mayMeet(*B, *St->To.Buf);
                         });
                }));
    }
  });
  return There;
}

/// Of the arrays that are declared before S, in its list, and named by nothing
/// else, those of which an iteration reads nothing that an earlier one left.
void AdjointBuilder::findOwnArrays(const Node &S) {
  constexpr unsigned long MaxIslOperations = 400000;
  auto *L = cast<For>(S.S.get());
  const auto Names = [](const Node &Of, const Buffer *B) {
    Touched T;
    T.add(Of.S);
    bool Points = false;
    for (const DenseSet<const void *> *Which : {&T.Reads, &T.Writes})
      Points |= Which->count(B) != 0;
    forEachStmt(Of.S, [&](const StmtRef &Sub) {
      auto *D = dyn_cast<Decl>(Sub.get());
      Points |= D && D->V->Base.get() == B;
    });
    return Points || T.Sums.count(B) || T.Unknown;
  };
  for (unsigned K = 0; K < S.Index; ++K) {
    auto *D = dyn_cast<DeclBuffer>(S.In->Nodes[K]->S.get());
    if (!D || D->B->Kind != BufferKind::Local || !D->B->Elem.isFloat())
      continue;
    bool Alone = true;
    for (const std::unique_ptr<Node> &Other : S.In->Nodes)
      Alone &= Other->Index == K || Other->Index == S.Index ||
               !Names(*Other, D->B.get());
    for (const ExprRef &E : D->B->Extents)
      for (unsigned At = K + 1; At <= S.Index; ++At)
        Alone &= E && none_of(S.In->Nodes[At]->Sets,
                              [&](const Var *V) { return uses(E, V); });
    if (!Alone)
      continue;
    const DeclBuffer Each(D->B, {zero(D->B->Elem)});
    const auto Flow = flowOf(Each, statements(L->Body), MaxIslOperations);
    if (!Flow || !Flow->Unread.count(&Each))
      continue;
    Joint->Own.push_back({L->V.get(), D->B});
    if (const BufferRef A = Buffers.lookup(D->B.get()))
      Joint->Own.push_back({L->V.get(), A});
  }
}

/// Both sweeps of S, iteration by iteration. Sweep is the reverse of what
/// follows S so far.
bool AdjointBuilder::join(const Node &S, Statements &Sweep) {
  auto *L = cast<For>(S.S.get());
  auto F = std::make_shared<Function>(*Plain.F);
  F->Body = L->Body;
  Around.push_back(L);
  Sweeps.push_back(
      std::make_unique<struct Sweep>(F, Plain.Counters, Alias, Later, Names));
  kept().setIteration(Around);
  Statements Reverse, Body;
  reverseOf(nest().Root, Reverse);
  forward(nest().Root, Body);
  Both Made;
  Made.Reverse = Reverse;
  for (const auto &[Of, Inner] : Joined)
    if (Of->In == &nest().Root) {
      append_range(Made.Reverse, Inner.Before);
      append_range(Made.Reverse, Inner.Reverse);
    }
  Finished.push_back(std::move(Sweeps.back()));
  Sweeps.pop_back();
  Around.pop_back();
  if (Made.Reverse.empty())
    return false;
  append_range(Body, Reverse);
  Made.Loop = std::make_shared<For>(L->V, L->Lo, L->Cond, L->Hi, L->Step,
                                    LoopKind::Serial, L->DeclaresVar,
                                    block(std::move(Body)), L->Loc);
  // What has to be done before, from the last: that which the loop's reverse,
  // or what goes before it, does not commute with.
  Touched Needs = touchedBy(Made.Reverse);
  Statements First, Rest;
  for (const StmtRef &Of : reverse(Sweep)) {
    const Touched T = touchedBy(Of);
    if (!T.meets(Needs)) {
      Rest.push_back(Of);
      continue;
    }
    if (!isThereBefore(S, Of, Sweep))
      return false;
    Needs.add(Of);
    First.push_back(Of);
  }
  Made.Before.assign(First.rbegin(), First.rend());
  Sweep.assign(Rest.rbegin(), Rest.rend());
  Joined[&S] = std::move(Made);
  findOwnArrays(S);
  return true;
}

void AdjointBuilder::declareFirst(const Node &S, Statements &Head) {
  Both &To = Joined[&S];
  Touched Needs = touchedBy(To.Before);
  for (const StmtRef &Of : To.Reverse)
    Needs.add(Of);
  Statements First, Rest;
  for (const StmtRef &Of : reverse(Head)) {
    // What it declares or fills.
    const Touched T = touchedBy(Of);
    if (none_of(T.Writes, [&](const void *W) { return Needs.names(W); })) {
      Rest.push_back(Of);
      continue;
    }
    Joint->Failed |= !isThereBefore(S, Of, Head);
    Needs.add(Of);
    First.push_back(Of);
  }
  To.Before.insert(To.Before.begin(), First.rbegin(), First.rend());
  Head.assign(Rest.rbegin(), Rest.rend());
}

//===-- Where arrays are declared
//-------------------------------------------===//

StmtRef withOwnArrays(const StmtRef &S, const JointLoops &Loops) {
  struct Moved : Rewriter {
    explicit Moved(const JointLoops &Loops) : Loops(Loops) {}
    StmtRef rewriteStmt(const StmtRef &S) override {
      if (auto *D = dyn_cast<DeclBuffer>(S.get()))
        return any_of(Loops.Own,
                      [&](const auto &Own) { return Own.second == D->B; })
                   ? nullptr
                   : S;
      auto *L = dyn_cast<For>(S.get());
      if (!L)
        return S;
      Statements Body;
      for (const auto &[V, B] : Loops.Own)
        if (V == L->V.get())
          Body.push_back(std::make_shared<DeclBuffer>(
              B, std::vector<ExprRef>{zero(B->Elem)}));
      if (Body.empty())
        return S;
      append_range(Body, statements(L->Body));
      return std::make_shared<For>(
          L->V, L->Lo, L->Cond, L->Hi, L->Step, L->LKind, L->DeclaresVar,
          std::make_shared<Block>(std::move(Body)), L->Loc);
    }
    const JointLoops &Loops;
  };
  return Moved(Loops).run(S);
}

StmtRef withArraysBefore(const StmtRef &S, const std::set<const Var *> &Vars) {
  struct Moved : Rewriter {
    explicit Moved(const std::set<const Var *> &Vars) : Vars(Vars) {}
    static bool isKnownBefore(const DeclBuffer &D, const For &L) {
      bool Known = D.B->Lies == ArrayHome::Heap && D.Init.empty();
      for (const ExprRef &Size : D.B->Extents)
        forEachExpr(Size, [&](const ExprRef &E) {
          auto *U = dyn_cast<VarUse>(E.get());
          auto *B = dyn_cast<Binary>(E.get());
          Known &= !isa<Load, Call>(*E) &&
                   !(U && (U->V == L.V || assigns(L.Body, U->V.get()))) &&
                   !(B && (B->Op == BinaryOp::Div || B->Op == BinaryOp::Rem));
        });
      return Known;
    }
    StmtRef rewriteStmt(const StmtRef &S) override {
      auto *L = dyn_cast<For>(S.get());
      if (!L || !Vars.count(L->V.get()))
        return S;
      Statements Before, Body;
      for (const StmtRef &Each : statements(L->Body)) {
        auto *D = dyn_cast<DeclBuffer>(Each.get());
        (D && isKnownBefore(*D, *L) ? Before : Body).push_back(Each);
      }
      if (Before.empty())
        return S;
      Before.push_back(std::make_shared<For>(
          L->V, L->Lo, L->Cond, L->Hi, L->Step, L->LKind, L->DeclaresVar,
          std::make_shared<Block>(std::move(Body)), L->Loc));
      return std::make_shared<Block>(std::move(Before));
    }
    const std::set<const Var *> &Vars;
  };
  return Moved(Vars).run(S);
}

//===-- Which loops
//---------------------------------------------------------===//

/// The loop that is all that S does, but for declarations before it.
static const For *onlyLoopOf(const StmtRef &S) {
  const ArrayRef<StmtRef> Body = statements(S);
  return !Body.empty() && all_of(Body.drop_back(),
                                 [](const StmtRef &D) { return isa<Decl>(*D); })
             ? dyn_cast<For>(Body.back().get())
             : nullptr;
}

std::vector<std::vector<const For *>> jointNests(const Function &F) {
  const auto Fits = [](const For &L) {
    return isCounted(L) && fixedStep(L) && L.DeclaresVar &&
           !isThreadLoop(L.LKind) && L.V->Kind != VarKind::Cursor;
  };
  std::vector<std::vector<const For *>> Out;
  for (const StmtRef &S : statements(F.Body)) {
    std::vector<const For *> Nest;
    for (auto *L = dyn_cast<For>(S.get()); L && Fits(*L);
         L = onlyLoopOf(L->Body))
      Nest.push_back(L);
    if (!Nest.empty())
      Out.push_back(std::move(Nest));
  }
  return Out;
}

static unsigned slowCalls(const StmtRef &S) {
  unsigned Count = 0;
  forEachExpr(S, [&](const ExprRef &E) {
    auto *C = dyn_cast<Call>(E.get());
    if (!C)
      return;
    // Not those of its arguments, which count for themselves.
    bool Inner = false;
    for (const ExprRef &A : C->Args)
      Inner |= isSlow(A);
    Count += !Inner && isSlow(E);
  });
  return Count;
}

/// The most loops in which an element of B, which F's list declares, is stored.
static unsigned depthOf(const StmtRef &S, const Buffer *B, unsigned Loops) {
  if (auto *St = dyn_cast<Store>(S.get()))
    return St->To.Buf.get() == B ? Loops : 0;
  unsigned Most = 0;
  const auto Look = [&](const StmtRef &Inner, unsigned At) {
    if (Inner)
      Most = std::max(Most, depthOf(Inner, B, At));
  };
  if (auto *Bl = dyn_cast<Block>(S.get()))
    for (const StmtRef &Sub : Bl->Body)
      Look(Sub, Loops);
  else if (auto *L = dyn_cast<For>(S.get()))
    Look(L->Body, Loops + 1);
  else if (auto *W = dyn_cast<While>(S.get()))
    Look(W->Body, Loops + 1);
  else if (auto *I = dyn_cast<If>(S.get())) {
    Look(I->Then, Loops);
    Look(I->Else, Loops);
  }
  return Most;
}

/// How many arrays of the function's own list hold more than one number for
/// each iteration of Nest.
static unsigned longTapes(const Function &F, ArrayRef<const For *> Nest) {
  unsigned Count = 0;
  const ArrayRef<StmtRef> Body = statements(F.Body);
  for (const StmtRef &S : Body) {
    auto *D = dyn_cast<DeclBuffer>(S.get());
    if (!D || D->B->Lies == ArrayHome::Automatic || !D->Init.empty())
      continue;
    Count += any_of(Body, [&](const StmtRef &Of) {
      auto *L = dyn_cast<For>(Of.get());
      return L && L->V == Nest.front()->V &&
             depthOf(Of, D->B.get(), 0) > Nest.size();
    });
  }
  return Count;
}

bool isPointwise(ArrayRef<const For *> Nest) {
  bool Loops = false;
  forEachStmt(Nest.back()->Body,
              [&](const StmtRef &S) { Loops |= isa<For, While>(*S); });
  return !Loops;
}

bool mayJointPay(const Function &TwoSweeps, ArrayRef<const For *> Nest) {
  return slowCalls(Nest.front()->Body) || longTapes(TwoSweeps, Nest);
}

bool hasArraysInLoops(const Function &F) {
  bool Has = false;
  forEachStmt(F.Body, [&](const StmtRef &S) {
    if (auto *L = dyn_cast<For>(S.get()))
      forEachStmt(L->Body, [&](const StmtRef &Sub) {
        auto *D = dyn_cast<DeclBuffer>(Sub.get());
        Has |= D && D->B->Lies != ArrayHome::Automatic;
      });
  });
  return Has;
}

bool isJointWorthIt(const Function &TwoSweeps, const Function &Made,
                    ArrayRef<const For *> Nest) {
  return slowCalls(Made.Body) < slowCalls(TwoSweeps.Body) ||
         longTapes(Made, Nest) < longTapes(TwoSweeps, Nest);
}

} // namespace raise::grad
