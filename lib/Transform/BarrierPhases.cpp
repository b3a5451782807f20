//===- BarrierPhases.cpp - a thread's code, cut at its barriers -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "BarrierPhases.h"
#include "LaunchIndices.h"
#include "raise/IR/Effects.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace llvm;

namespace raise {

void forEachThreads(PhaseList &List,
                    function_ref<void(PhaseNode &, PhaseList &)> Fn) {
  for (PhaseNode &N : List) {
    if (N.Kind == PhaseNode::Threads)
      Fn(N, List);
    forEachThreads(N.Then, Fn);
    forEachThreads(N.Else, Fn);
  }
}

namespace {

class Rename : public Rewriter {
public:
  Rename(const VarRef &From, VarRef To) : From(From.get()), To(std::move(To)) {}

private:
  const Var *From;
  VarRef To;
  ExprRef rewriteExpr(const ExprRef &E) override {
    auto *U = dyn_cast<VarUse>(E.get());
    return U && U->V.get() == From ? std::make_shared<VarUse>(To, E->Loc) : E;
  }
  StmtRef rewriteStmt(const StmtRef &S) override {
    if (auto *D = dyn_cast<Decl>(S.get()); D && D->V.get() == From)
      return std::make_shared<Decl>(To, D->Init, S->Loc);
    if (auto *A = dyn_cast<Assign>(S.get()); A && A->V.get() == From)
      return std::make_shared<Assign>(To, A->Op, A->Value, S->Loc);
    if (auto *L = dyn_cast<For>(S.get()); L && L->V.get() == From)
      return std::make_shared<For>(To, L->Lo, L->Cond, L->Hi, L->Step, L->LKind,
                                   L->DeclaresVar, L->Body, S->Loc);
    return S;
  }
};

bool hasLoad(const ExprRef &E) {
  bool Yes = false;
  if (E)
    forEachExpr(E, [&](const ExprRef &Sub) { Yes |= isa<Load>(*Sub); });
  return Yes;
}

class Cutter {
public:
  Cutter(const StmtRef &Body, std::set<const Var *> Indices, bool OfWarp)
      : Body(Body), OfWarp(OfWarp), Varying(Body, std::move(Indices), OfWarp) {
    findNeeded();
  }

  Phases run() {
    // What a thread's own statements set is no variable of the block, nor what
    // is made of it.
    for (size_t Old = SIZE_MAX; Old != Demoted;) {
      Old = Demoted;
      bool Clean = true;
      settle(statements(Body), Clean);
    }
    Phases Out;
    cut(statements(Body), Out.List, /*Last=*/!OfWarp);
    Out.Why = Why;
    assignedVars(Body, [&](const VarRef &V) {
      if (!Varying.contains(V.get()) && OfBlock.count(V.get()))
        Out.OfBlock.insert(V.get());
    });
    return Out;
  }

private:
  const StmtRef &Body;
  const bool OfWarp;
  ThreadVarying Varying;
  std::set<const Var *> Needed; ///< conditions around barriers are made of it
  std::set<const Var *> OfBlock;
  size_t Demoted = 0;
  Reason Why;
  /// What leaves out threads at the place that is looked at: all that is known
  /// is that some thread may run it.
  unsigned Masked = 0;
  StmtList Marks;

  /// Whether S waits, or leaves a loop that it stands in.
  bool isCut(const StmtRef &S) const {
    if (auto *B = dyn_cast<Barrier>(S.get()))
      return B->OfWarp == OfWarp;
    if (isa<Break>(*S) || isa<Continue>(*S))
      return true;
    bool Yes = false;
    if (isa<For>(*S) || isa<While>(*S)) {
      forEachStmt(S, [&](const StmtRef &Sub) {
        Yes |= isa<Barrier>(*Sub) && isCut(Sub);
      });
      return Yes;
    }
    forEachPart(S, [&](const StmtRef &Sub) { Yes |= isCut(Sub); });
    return Yes;
  }

  void need(const ExprRef &E) {
    if (E)
      forEachExpr(E, [&](const ExprRef &Sub) {
        if (auto *U = dyn_cast<VarUse>(Sub.get()))
          Needed.insert(U->V.get());
      });
  }

  void findNeeded() {
    for (size_t Old = SIZE_MAX; Old != Needed.size();) {
      Old = Needed.size();
      forEachStmt(Body, [&](const StmtRef &S) {
        const ExprRef Cond = conditionOf(S.get());
        bool Decides = Cond && isCut(S);
        if (!Decides)
          assignedVars(S, [&](const VarRef &V) {
            Decides |= Needed.count(V.get()) != 0;
          });
        if (!Decides)
          return;
        need(Cond);
        if (auto *D = dyn_cast<Decl>(S.get()))
          need(D->Init);
        if (auto *A = dyn_cast<Assign>(S.get()))
          need(A->Value);
      });
    }
  }

  /// Whether the block can do S once for all threads; Clean: no piece of the
  /// threads' has begun, so that memory may be read.
  bool isOfBlock(const StmtRef &S, bool Clean) const {
    const auto Allows = [&](const Var *V, const ExprRef &E) {
      return !Varying.contains(V) && !Varying.varies(E) &&
             (!hasLoad(E) || Clean || Needed.count(V)) && !isForSome(E);
    };
    if (auto *D = dyn_cast<Decl>(S.get()))
      return D->V->Kind != VarKind::Cursor && Allows(D->V.get(), D->Init);
    if (auto *A = dyn_cast<Assign>(S.get()))
      return A->V->Kind != VarKind::Cursor && Allows(A->V.get(), A->Value);
    if (!isa<Block>(*S) && !isa<If>(*S) && !isa<For>(*S) && !isa<While>(*S))
      return false;
    if (auto *L = dyn_cast<For>(S.get()); L && Varying.contains(L->V.get()))
      return false;
    const ExprRef Cond = conditionOf(S.get());
    if (Cond &&
        (Varying.varies(Cond) || (hasLoad(Cond) && !Clean) || isForSome(Cond)))
      return false;
    if (Masked && !comesToEnd(*S))
      return false;
    bool All = true;
    forEachPart(S, [&](const StmtRef &Sub) {
      All &= isOfBlock(Sub, Clean) || isa<Break>(*Sub) || isa<Continue>(*Sub);
    });
    return All;
  }

  /// Whether a block of which no thread is left may not evaluate E.
  bool isForSome(const ExprRef &E) const {
    return Masked && E && (hasLoad(E) || effectsOf(E).MayTrap);
  }

  /// `while (k > 0) { ...; k >>= 1; }`, which nothing else decides on: any
  /// other may wait for what threads do.
  static bool halves(const While &W) {
    auto *B = dyn_cast<Binary>(W.Cond.get());
    auto *U = B ? dyn_cast<VarUse>(withoutIntCasts(B->L.get())) : nullptr;
    auto *Least = B ? dyn_cast<IntConst>(withoutIntCasts(B->R.get())) : nullptr;
    if (!U || !Least || B->Op != BinaryOp::GT || Least->Value < 0 ||
        B->L->Ty.Signed != U->V->Ty.Signed || !W.TestFirst)
      return false; // (-1 >> 1 is -1, which as an unsigned number is above 0)
    unsigned Sets = 0, Halves = 0;
    assignedVars(W.Body, [&](const VarRef &V) { Sets += V == U->V; });
    for (const StmtRef &S : statements(W.Body)) {
      if (isa<Continue>(*S))
        return false;
      auto *A = dyn_cast<Assign>(S.get());
      auto *By = A && A->V == U->V
                     ? dyn_cast<IntConst>(withoutIntCasts(A->Value.get()))
                     : nullptr;
      Halves += By && ((A->Op == Combiner::Shr && By->Value >= 1) ||
                       (A->Op == Combiner::Div && By->Value >= 2));
    }
    bool Skips = false; // what comes after it
    forEachStmt(W.Body, [&](const StmtRef &S) { Skips |= isa<Continue>(*S); });
    return Sets == 1 && Halves == 1 && !Skips;
  }

  /// Whether S, if it is a loop, ends for a block of which no thread is left.
  static bool comesToEnd(const Stmt &S) {
    auto *L = dyn_cast<For>(&S);
    if (auto *W = dyn_cast<While>(&S))
      return halves(*W);
    if (!L)
      return true;
    const Expr *Step = withoutIntCasts(L->Step.get());
    auto *C = dyn_cast<IntConst>(Step);
    auto *U = dyn_cast<VarUse>(Step);
    const bool Up = L->Cond == BinaryOp::LT || L->Cond == BinaryOp::LE,
               Down = L->Cond == BinaryOp::GT || L->Cond == BinaryOp::GE;
    return (C && ((Up && C->Value > 0) || (Down && C->Value < 0))) ||
           (U && Up && U->V->Kind == VarKind::Launch);
  }

  /// Whether pieces may go on after S, which the block does before them.
  static bool goesBefore(const StmtRef &S) {
    auto *D = dyn_cast<Decl>(S.get());
    return D && !hasLoad(D->Init);
  }

  void settle(ArrayRef<StmtRef> List, bool &Clean) {
    for (const StmtRef &S : List) {
      if (isCut(S)) {
        Clean = true;
        bool Inner = true;
        const ExprRef Cond = conditionOf(S.get());
        const SaveAndRestore Mask(
            Masked, Masked + (Cond && isa<If>(*S) && Varying.varies(Cond)));
        forEachPart(S, [&](const StmtRef &Sub) {
          Inner = true;
          settle(statements(Sub), Inner);
        });
        continue;
      }
      if (isOfBlock(S, Clean)) {
        Clean |= !goesBefore(S);
        continue;
      }
      Clean = false;
      std::set<const Var *> Own;
      forEachStmt(S, [&](const StmtRef &Sub) {
        if (auto *D = dyn_cast<Decl>(Sub.get()); D && Sub != S)
          Own.insert(D->V.get());
        if (auto *L = dyn_cast<For>(Sub.get()); L && L->DeclaresVar)
          Own.insert(L->V.get());
      });
      assignedVars(S, [&](const VarRef &V) {
        if (Own.count(V.get()) || Varying.contains(V.get()))
          return;
        Varying.add(Body, V.get());
        ++Demoted;
      });
    }
  }

  void refuse(const StmtRef &S) {
    if (!Why.isSet())
      Why = {"CR1402",
             (OfWarp
                  ? "the threads of a warp wait for each other here, under a "
                  : "the threads of a block wait for each other here, under "
                    "a ") +
                 std::string(
                     "condition that is not known to be the same for all of "
                     "them"),
             S->Loc};
  }

  /// Last: List is the last thing that a thread does.
  void cut(ArrayRef<StmtRef> List, PhaseList &Out, bool Last) {
    StmtList Piece;
    const auto End = [&] {
      if (!Piece.empty())
        Out.push_back({PhaseNode::Threads, std::move(Piece), nullptr, {}, {}});
      Piece.clear();
    };
    for (const StmtRef &S : List) {
      const bool IsLast = Last && S == List.back();
      if (isCut(S) && IsLast && endsOthers(S) &&
          Varying.varies(conditionOf(S.get()))) {
        const bool InThen = isCut(cast<If>(S.get())->Then);
        const StmtRef Mark = mark(*cast<If>(S.get()), InThen, Piece);
        End();
        cutMasked(*cast<If>(S.get()), InThen, Mark, Out);
      } else if (isCut(S)) {
        End();
        cutStatement(S, Out, IsLast);
      } else if (isOfBlock(S, Piece.empty())) {
        assignedVars(S, [&](const VarRef &V) { OfBlock.insert(V.get()); });
        PhaseNode Node{PhaseNode::Once, {S}, nullptr, {}, {}};
        if (!goesBefore(S))
          End();
        Out.push_back(std::move(Node));
      } else {
        addTo(Piece, S);
      }
    }
    End();
  }

  void addTo(StmtList &Piece, const StmtRef &S) const {
    if (Piece.empty())
      Piece = Marks;
    Piece.push_back(S);
  }

  /// What begins the pieces of the branch of I in which threads wait. Where its
  /// condition may be another one later on, Piece keeps it.
  StmtRef mark(const If &I, bool InThen, StmtList &Piece) {
    ExprRef Cond = I.Cond;
    bool Steady = true;
    forEachExpr(Cond, [&](const ExprRef &E) {
      auto *U = dyn_cast<VarUse>(E.get());
      Steady &= !isa<Load>(*E) && !isa<Call>(*E);
      unsigned Sets = 0;
      if (U)
        assignedVars(Body, [&](const VarRef &V) { Sets += V == U->V; });
      Steady &= Sets <= 1;
    });
    if (!Steady) {
      auto V = std::make_shared<Var>();
      V->Name = InThen ? "active" : "ended";
      V->Ty = Type::getBool();
      addTo(Piece, std::make_shared<Decl>(V, Cond, I.Loc));
      Cond = build::var(V);
    }
    if (InThen)
      Cond = build::opposite(Cond);
    return std::make_shared<If>(Cond, std::make_shared<Continue>(I.Loc),
                                nullptr, I.Loc);
  }

  void cutMasked(const If &I, bool InThen, const StmtRef &Mark,
                 PhaseList &Out) {
    // The others go on without a barrier, to their end.
    if (const StmtRef &Other = InThen ? I.Else : I.Then) {
      StmtList Piece;
      const ExprRef &Left = cast<If>(Mark.get())->Cond;
      addTo(Piece, std::make_shared<If>(Left, Other, nullptr, I.Loc));
      Out.push_back({PhaseNode::Threads, std::move(Piece), nullptr, {}, {}});
    }
    Marks.push_back(Mark);
    ++Masked;
    cut(statements(InThen ? I.Then : I.Else), Out, /*Last=*/true);
    --Masked;
    Marks.pop_back();
  }

  void cutStatement(const StmtRef &S, PhaseList &Out, bool Last) {
    if (isa<Barrier>(*S)) {
      Out.push_back({PhaseNode::Wait, {S}, nullptr, {}, {}});
      return;
    }
    if (isa<Break>(*S) || isa<Continue>(*S)) {
      Out.push_back({PhaseNode::Once, {S}, nullptr, {}, {}});
      return;
    }
    if (isa<Block>(*S))
      return cut(statements(S), Out, Last);
    const ExprRef Cond = conditionOf(S.get());
    auto *L = dyn_cast<For>(S.get());
    if (!Cond || Varying.varies(Cond) || (L && Varying.contains(L->V.get())) ||
        isForSome(Cond) || (Masked && !comesToEnd(*S)))
      return refuse(S);
    if (L)
      OfBlock.insert(L->V.get());
    PhaseNode Node{PhaseNode::Nest, {}, S, {}, {}};
    bool First = true;
    forEachPart(S, [&](const StmtRef &Sub) {
      cut(statements(Sub), First ? Node.Then : Node.Else, Last && isa<If>(*S));
      First = false;
    });
    Out.push_back(std::move(Node));
  }
};

} // namespace

/// `if (...) continue;`, which no piece has of its own.
static const If *asMark(const StmtRef &S) {
  auto *I = dyn_cast<If>(S.get());
  return I && !I->Else && isa<Continue>(*I->Then) ? I : nullptr;
}

void placeUnderMarks(StmtList &List) {
  const auto At = find_if(List, [](const StmtRef &S) { return asMark(S); });
  if (At == List.end())
    return;
  const If &Mark = *asMark(*At);
  // Of what was declared before it, the condition may need some.
  const StmtList Before(List.begin(), At);
  StmtList Out, Inside;
  std::set<const Var *> Needed;
  const auto Need = [&](const ExprRef &E) {
    if (E)
      forEachExpr(E, [&](const ExprRef &Sub) {
        if (auto *U = dyn_cast<VarUse>(Sub.get()))
          Needed.insert(U->V.get());
      });
  };
  Need(Mark.Cond);
  for (const StmtRef &S : reverse(Before)) {
    auto *D = dyn_cast<Decl>(S.get());
    const bool Is = D && Needed.count(D->V.get());
    if (Is)
      Need(D->Init);
    StmtList &To = Is ? Out : Inside;
    To.insert(To.begin(), S);
  }
  Inside.insert(Inside.end(), std::next(At), List.end());
  placeUnderMarks(Inside);
  const ExprRef Cond = build::opposite(Mark.Cond);
  if (!Inside.empty())
    Out.push_back(std::make_shared<If>(Cond, makeBlock(std::move(Inside)),
                                       nullptr, Mark.Loc));
  List = std::move(Out);
}

StmtRef renamed(const StmtRef &S, const VarRef &From, const VarRef &To) {
  return Rename(From, To).run(S);
}

Phases cutAtBarriers(const StmtRef &Body, std::set<const Var *> Indices,
                     bool OfWarp) {
  return Cutter(Body, std::move(Indices), OfWarp).run();
}

} // namespace raise
