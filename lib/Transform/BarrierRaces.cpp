//===- BarrierRaces.cpp - pieces that no barrier keeps apart --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "BarrierRaces.h"
#include "Warps.h"
#include "raise/Analysis/Loops.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace raise {

BarrierRaces::BarrierRaces(const Function &F, const Context &Ctx,
                           const Phases &All, std::vector<ForRef> Blocks,
                           function_ref<Levels(const StmtRef &)> OverThreads)
    : F(F), Ctx(Ctx), All(All), Around(std::move(Blocks)),
      OverThreads(OverThreads) {}

Reason BarrierRaces::find(std::vector<Guard> &Into) {
  Guards = &Into;
  Leaving None;
  flow(All.List, {}, None);
  return Found;
}

Reason BarrierRaces::findIn(const StmtRef &Piece, std::vector<Guard> &Into) {
  Guards = &Into;
  analyse(Piece);
  return Found;
}

bool BarrierRaces::keepSmall(const StmtRef &Piece, std::vector<Guard> &Into) {
  Guards = &Into;
  const Levels Loops = OverThreads(Piece);
  const Answer Of = askedOf(Loops);
  return !Of.Race.isSet() || avoidBySize(Piece, Loops, Of.Race);
}

template <class ListT> static void addOnce(ListT &Into, const ListT &From) {
  for (const auto &X : From)
    if (!is_contained(Into, X))
      Into.push_back(X);
}

namespace {
/// A statement without its effects on scalars: what it reads is left.
class ReadsOnly : public Rewriter {
  StmtRef rewriteStmt(const StmtRef &S) override {
    auto *A = dyn_cast<Assign>(S.get());
    if (!A)
      return isa<Break>(*S) || isa<Continue>(*S) ? nullptr : S;
    auto V = std::make_shared<Var>(*A->V);
    V->Kind = VarKind::Local;
    V->Ty = A->Value->Ty;
    return std::make_shared<Decl>(V, A->Value, S->Loc);
  }
};
} // namespace

static bool reads(const StmtRef &S) {
  bool Yes = false;
  forEachExpr(S, [&](const ExprRef &E) { Yes |= isa<Load>(*E); });
  return Yes;
}

/// What the block reads at N, once or as N's condition, each thread reads.
void BarrierRaces::look(const PhaseNode &N, OpenList &Now) {
  StmtList List = N.List;
  if (N.Kind == PhaseNode::Nest) {
    auto V = std::make_shared<Var>();
    V->Name = "condition";
    V->Ty = Type::getBool();
    List = {std::make_shared<Decl>(V, conditionOf(N.Control.get()),
                                   N.Control->Loc)};
  }
  if (none_of(List, reads))
    return;
  const PhaseNode *&Piece = LookOf[&N];
  if (!Piece) {
    ReadsOnly R;
    StmtList Reads;
    for (const StmtRef &S : List)
      if (StmtRef New = R.run(S))
        Reads.push_back(std::move(New));
    Looks.push_back({PhaseNode::Threads, std::move(Reads), nullptr, {}, {}});
    Piece = &Looks.back();
  }
  for (const Open &O : Now)
    compare(O, *Piece);
  addOnce(Now, OpenList{{Piece, nullptr}});
}

/// What is open after List, before which Now is.
BarrierRaces::OpenList BarrierRaces::flow(const PhaseList &List, OpenList Now,
                                          Leaving &Out) {
  for (const PhaseNode &N : List)
    switch (N.Kind) {
    case PhaseNode::Wait:
      Now.clear();
      break;
    case PhaseNode::Once:
      if (isa<Break>(*N.List.front()))
        addOnce(Out.Break, Now);
      if (isa<Continue>(*N.List.front()))
        addOnce(Out.Continue, Now);
      look(N, Now);
      break;
    case PhaseNode::Threads:
      for (const Open &O : Now)
        compare(O, N);
      addOnce(Now, OpenList{{&N, nullptr}});
      break;
    case PhaseNode::Nest:
      if (isa<If>(*N.Control)) {
        look(N, Now);
        OpenList Else = flow(N.Else, Now, Out);
        Now = flow(N.Then, std::move(Now), Out);
        addOnce(Now, Else);
      } else {
        Now = flowLoop(N, std::move(Now));
      }
      break;
    }
  return Now;
}

BarrierRaces::OpenList BarrierRaces::flowLoop(const PhaseNode &Loop,
                                              OpenList Now) {
  const auto L = isa<For>(*Loop.Control)
                     ? std::static_pointer_cast<const For>(Loop.Control)
                     : nullptr;
  if (L)
    Around.push_back(L);
  Within.push_back(&Loop);
  auto *W = dyn_cast<While>(Loop.Control.get());
  Leaving Out;
  if (!W || W->TestFirst)
    look(Loop, Now);
  OpenList After = flow(Loop.Then, Now, Out);
  addOnce(After, Out.Continue);
  if (W && !W->TestFirst)
    look(Loop, After);
  // Of the loops that have gone on since, the outermost says all.
  OpenList Again;
  for (Open O : After) {
    if (!is_contained(Within, O.Since))
      O.Since = &Loop;
    addOnce(Again, OpenList{O});
  }
  Leaving Later;
  if (W && W->TestFirst)
    look(Loop, Again);
  flow(Loop.Then, std::move(Again), Later);
  Within.pop_back();
  if (L)
    Around.pop_back();
  addOnce(Now, After); // it may not run at all
  addOnce(Now, Out.Break);
  return Now;
}

/// S as an iteration of Loop before the present one does it: Loop's counter is
/// a step behind, and what the block sets in it had other values.
StmtRef BarrierRaces::inEarlierIteration(const StmtRef &S,
                                         const PhaseNode &Loop) const {
  StmtRef Out = S;
  auto *L = dyn_cast<For>(Loop.Control.get());
  if (L)
    Out = substitute(Out, L->V, build::sub(build::var(L->V), L->Step));
  std::set<const Var *> Done;
  const auto Forget = [&](const VarRef &V) {
    if (!All.OfBlock.count(V.get()) || (L && V == L->V) ||
        !Done.insert(V.get()).second)
      return;
    auto Old = std::make_shared<Var>(*V);
    Out = substitute(Out, V, build::var(Old));
  };
  assignedVars(Loop.Control, Forget);
  return Out;
}

const Effects &BarrierRaces::effectsOfPiece(const PhaseNode &N) {
  const auto It = EffectsOf.find(&N);
  if (It != EffectsOf.end())
    return It->second;
  return EffectsOf.emplace(&N, effectsOf(makeBlock(N.List))).first->second;
}

/// Whether one of the pieces may write what the other touches.
bool BarrierRaces::mayMeet(const PhaseNode &A, const PhaseNode &B) {
  const Effects &OfA = effectsOfPiece(A), &OfB = effectsOfPiece(B);
  const auto Writes = [](const MemoryAccess &M) {
    return M.How != MemoryAccess::Mode::Read;
  };
  return OfA.Unknown || OfB.Unknown ||
         any_of(OfA.Memory, [&](const MemoryAccess &X) {
           return any_of(OfB.Memory, [&](const MemoryAccess &Y) {
             return (Writes(X) || Writes(Y)) &&
                    alias(*X.At.Buf, *Y.At.Buf) != AliasResult::No;
           });
         });
}

void BarrierRaces::compare(const Open &Earlier, const PhaseNode &Later) {
  if (Found.isSet() ||
      !Compared.insert({Earlier.Piece, &Later, Earlier.Since}).second)
    return;
  // Most have no memory in common; then each is looked at by itself.
  if (!mayMeet(*Earlier.Piece, Later)) {
    for (const PhaseNode *N : {Earlier.Piece, &Later})
      if (LookedAt.insert(N).second && !Found.isSet())
        analyse(makeBlock(N->List));
    return;
  }
  LookedAt.insert({Earlier.Piece, &Later});
  StmtRef First = makeBlock(Earlier.Piece->List);
  if (Earlier.Since)
    First = inEarlierIteration(First, *Earlier.Since);
  // Both may be one piece: the names that it declares are then two.
  StmtList Both = statements(First).vec();
  StmtList Second = Later.List;
  if (Earlier.Piece == &Later)
    for (StmtRef &S : Both)
      if (auto *D = dyn_cast<Decl>(S.get())) {
        auto Own = std::make_shared<Var>(*D->V);
        const VarRef Old = D->V;
        S = std::make_shared<Decl>(Own, D->Init, S->Loc);
        for (StmtRef &Use : Both)
          Use = substitute(Use, Old, build::var(Own));
      }
  append_range(Both, Second);
  analyse(std::make_shared<Block>(std::move(Both), F.Loc));
}

bool BarrierRaces::canTest(const Guard &G) const {
  bool Can = G.Cond != nullptr;
  if (Can)
    forEachExpr(G.Cond, [&](const ExprRef &E) {
      auto *U = dyn_cast<VarUse>(E.get());
      Can &= !isa<Load>(*E) && (!U || U->V->Kind == VarKind::Launch ||
                                U->V->Kind == VarKind::Param);
    });
  return Can;
}

void BarrierRaces::addGuard(const Guard &G) {
  if (none_of(*Guards, [&](const Guard &Old) {
        return Old.Cond && structurallyEqual(Old.Cond, G.Cond);
      }))
    Guards->push_back(G);
}

std::string BarrierRaces::sinceRace(const Reason &Race) const {
  return ", since two would race (" + sys::path::filename(Race.Loc.File).str() +
         ":" + std::to_string(Race.Loc.Line) + ")";
}

/// What Loops, outermost first, rest on for no two threads to race.
BarrierRaces::Answer BarrierRaces::askedOf(const Levels &Loops) const {
  Answer Out;
  LoopQuery Q;
  for (const ForRef &L : Around)
    Q.Enclosing.push_back(L.get());
  const std::vector<const Var *> None;
  Q.LiveOut = &None;
  Q.Threads = true;
  for (const Level &L : Loops) {
    Q.Loop = L.Asked.get();
    const LoopFacts Facts = analyseLoop(Q, F, Ctx);
    if (Facts.R == LoopFacts::Result::Conflict ||
        !all_of(Facts.RaceFree, [&](const Guard &G) { return canTest(G); })) {
      const bool Certain = Facts.R == LoopFacts::Result::Conflict;
      const Reason Race = Certain ? Facts.Why : Facts.Race;
      if (!L.One.Cond) {
        Out.Race = Race;
        return Out;
      }
      // A test of the launch leaves no two iterations of L.
      Guard G = L.One;
      G.Why += sinceRace(Race);
      Out.Tests.push_back(std::move(G));
    } else {
      append_range(Out.Tests, Facts.RaceFree);
    }
    Q.Enclosing.push_back(L.Loop.get());
  }
  return Out;
}

/// `(int)blockDim.x`
static bool isLaunchSize(ExprRef E) {
  while (auto *C = dyn_cast<Cast>(E.get()))
    E = C->Operand;
  auto *U = dyn_cast<VarUse>(E.get());
  return U && U->V->Kind == VarKind::Launch;
}

/// The numbers that S computes with, the largest first, as far as a block can
/// have as many threads in one direction.
static std::vector<int64_t> numbersIn(const StmtRef &S) {
  constexpr int64_t MostThreads = 1024;
  std::set<int64_t> Found;
  forEachExpr(S, [&](const ExprRef &E) {
    auto *C = dyn_cast<IntConst>(E.get());
    if (C && C->Value > 1 && C->Value <= MostThreads)
      Found.insert(C->Value);
  });
  return {Found.rbegin(), Found.rend()};
}

/// A race that there is in larger blocks alone (`s[t]` and `s[t + 256]`), or in
/// such as have a second dimension: the launch is tested for a smaller one.
bool BarrierRaces::avoidBySize(const StmtRef &Both, const Levels &Loops,
                               const Reason &Race) {
  if (!all_of(Loops, [](const Level &L) {
        return L.Loop == L.Asked &&
               (isa<IntConst>(*L.Loop->Hi) || isLaunchSize(L.Loop->Hi));
      }))
    return false;
  // Per dimension: any size (0), a number of the code's, in y and z one.
  std::vector<int64_t> Sizes = numbersIn(Both);
  constexpr size_t MostSizes = 6;
  Sizes.resize(std::min(Sizes.size(), MostSizes));
  Sizes.insert(Sizes.begin(), 0);
  const auto sizesOf = [&](const Level &L) {
    if (isa<IntConst>(*L.Loop->Hi))
      return std::vector<int64_t>{0};
    std::vector<int64_t> Own = Sizes;
    bool IsX = false;
    forEachExpr(L.Loop->Hi, [&](const ExprRef &E) {
      auto *U = dyn_cast<VarUse>(E.get());
      IsX |= U && StringRef(U->V->Name).ends_with(".x");
    });
    if (!IsX)
      Own.push_back(1);
    return Own;
  };
  std::vector<std::vector<int64_t>> Choices;
  for (const Level &L : Loops)
    Choices.push_back(sizesOf(L));
  std::vector<std::vector<size_t>> Tries{std::vector<size_t>(Loops.size(), 0)};
  for (size_t D = 0; D < Loops.size(); ++D)
    for (size_t T = 0, Old = Tries.size(); T < Old; ++T)
      for (size_t K = 1; K < Choices[D].size(); ++K) {
        Tries.push_back(Tries[T]);
        Tries.back()[D] = K;
      }
  // Few and large ones first.
  const auto rankOf = [](const std::vector<size_t> &T) {
    size_t Set = 0, Depth = 0;
    for (size_t K : T) {
      Set += K != 0;
      Depth += K;
    }
    return std::make_pair(Set, Depth);
  };
  stable_sort(Tries, [&](const auto &A, const auto &B) {
    return rankOf(A) < rankOf(B);
  });
  // Accesses are compared pair by pair.
  const size_t Accesses = effectsOf(Both).Memory.size();
  const unsigned Cost =
      unsigned(std::clamp<size_t>(Accesses * Accesses / 256, 1, TriesLeft + 1));
  for (const std::vector<size_t> &Try : drop_begin(Tries)) {
    if (TriesLeft < Cost)
      return false;
    TriesLeft -= Cost;
    Levels Smaller;
    StmtRef Inner = Loops.back().Loop->Body;
    for (size_t D = Loops.size(); D-- > 0;) {
      const For &L = *Loops[D].Loop;
      const int64_t Size = Choices[D][Try[D]];
      const auto Own = std::make_shared<For>(
          L.V, L.Lo, L.Cond, Size ? build::intConst(Size, L.Hi->Ty) : L.Hi,
          L.Step, L.LKind, L.DeclaresVar, Inner, L.Loc);
      Smaller.insert(Smaller.begin(), Level{Own, Own, {}});
      Inner = Own;
    }
    const Answer Of = askedOf(Smaller);
    if (Of.Race.isSet())
      continue;
    for (size_t D = 0; D < Loops.size(); ++D) {
      const int64_t Size = Choices[D][Try[D]];
      if (!Size)
        continue;
      // The loop ends with the launch's own number.
      VarRef Threads;
      forEachExpr(Loops[D].Loop->Hi, [&](const ExprRef &E) {
        if (auto *U = dyn_cast<VarUse>(E.get()))
          Threads = U->V;
      });
      Guard G;
      G.Cond = build::binary(BinaryOp::LE, build::var(Threads),
                             build::intConst(Size, Threads->Ty));
      G.Why = Threads->Name + " is at most " + std::to_string(Size) +
              sinceRace(Race);
      addGuard(G);
    }
    for_each(Of.Tests, [&](const Guard &G) { addGuard(G); });
    return true;
  }
  return false;
}

void BarrierRaces::analyse(const StmtRef &Both) {
  const Levels Loops = OverThreads(Both);
  const Answer Of = askedOf(Loops);
  if (!Of.Race.isSet())
    for_each(Of.Tests, [&](const Guard &G) { addGuard(G); });
  else if (!avoidBySize(Both, Loops, Of.Race))
    Found = Of.Race;
}

StmtRef withoutExchanges(const StmtRef &S) {
  struct Dropper : Rewriter {
    ExprRef rewriteExpr(const ExprRef &E) override {
      auto *L = dyn_cast<Load>(E.get());
      if (!L || !L->From.Buf->PerWarp)
        return E;
      auto Any = std::make_shared<Var>();
      Any->Name = L->From.Buf->Name;
      Any->Ty = E->Ty;
      return build::var(Any);
    }
    StmtRef rewriteStmt(const StmtRef &S) override {
      auto *St = dyn_cast<Store>(S.get());
      return isa<Barrier>(*S) || (St && St->To.Buf->PerWarp) ? nullptr : S;
    }
  } R;
  return R.run(S);
}

std::shared_ptr<const For> overFirstThreads(const For &L,
                                            const VarRef &Threads) {
  auto First = std::make_shared<Var>(*L.V);
  First->Name = "thread";
  const ExprRef Size = build::intConst(WarpSize, First->Ty);
  return std::make_shared<For>(
      First, L.Lo, L.Cond, build::cast(build::var(Threads), First->Ty), Size,
      L.LKind, L.DeclaresVar,
      substitute(L.Body, L.V, build::div(build::var(VarRef(First)), Size)),
      L.Loc);
}

} // namespace raise
