//===- ConcreteRaces.cpp - threads of a block of known size ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ConcreteRaces.h"
#include "FoldConstants.h"
#include "raise/IR/Visitor.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace raise {

/// Who has been there once T has, too.
static void join(int64_t &Who, int64_t T, int64_t None, int64_t Many) {
  if (T == None)
    return;
  Who = Who == None || Who == T ? T : Many;
}

void ConcreteRaces::noteRace(const Access &A, const Cell &At, int64_t Thread,
                             Visit How, const Visitors &V,
                             const SourceLoc &Loc) {
  const bool Reads = How == Visit::Read;
  const int64_t Writer = Reads ? V.Writers : Thread,
                Reader = Reads ? Thread : V.Readers;
  if (How == Visit::Update || Perhaps || V.May || Race.isSet() ||
      Writer == None || Writer == Many || Reader == None || Reader == Writer)
    return;
  std::string Element;
  int64_t Flat = At.At;
  for (size_t D = A.Buf->Extents.size(); D-- > 0;) {
    const int64_t Extent = constantValue(A.Buf->Extents[D]).value_or(1);
    Element.insert(0, "[" + std::to_string(D ? Flat % Extent : Flat) + "]");
    Flat = D ? Flat / Extent : 0;
  }
  const std::string Who =
      Reader == Many ? "another thread" : "thread " + std::to_string(Reader);
  Race = {"CR1101",
          "thread " + std::to_string(Writer) + " writes '" + A.Buf->Name +
              Element + "', which " + Who +
              " reads, and no barrier stands in between",
          Loc};
}

void ConcreteRaces::visit(const Access &A, int64_t Thread, Visit How,
                          const SourceLoc &Loc) {
  for (const ExprRef &I : A.Indices)
    visit(I, Thread);
  if (!Arrays.count(A.Buf.get()))
    return;
  const std::optional<Cell> At = Values.cellOf(A);
  if (!At) {
    Fails = true;
    return;
  }
  Visitors &V = Since[*At];
  const bool Met = Fails;
  const auto MeetsOther = [&](int64_t Who) {
    return Who != None && (Who == Many || Who != Thread);
  };
  switch (How) {
  case Visit::Read:
    Fails |= MeetsOther(V.Writers) || MeetsOther(V.Updaters);
    join(V.Readers, Thread, None, Many);
    break;
  case Visit::Write:
    Fails |= MeetsOther(V.Writers) || MeetsOther(V.Updaters) ||
             MeetsOther(V.Readers);
    join(V.Writers, Thread, None, Many);
    break;
  case Visit::Update:
    Fails |= MeetsOther(V.Writers) || MeetsOther(V.Readers);
    join(V.Updaters, Thread, None, Many);
    break;
  }
  if (Fails && !Met)
    noteRace(A, *At, Thread, How, V, Loc);
  V.May |= Perhaps != 0;
}

/// What evaluating E reads.
void ConcreteRaces::visit(const ExprRef &E, int64_t Thread) {
  if (!E || Fails)
    return;
  switch (E->Kind) {
  case ExprKind::Load:
    visit(cast<Load>(E.get())->From, Thread, Visit::Read, E->Loc);
    break;
  case ExprKind::Unary:
    visit(cast<Unary>(E.get())->Operand, Thread);
    break;
  case ExprKind::Cast:
    visit(cast<Cast>(E.get())->Operand, Thread);
    break;
  case ExprKind::Binary: {
    auto *B = cast<Binary>(E.get());
    visit(B->L, Thread);
    bool Lazy = B->Op == BinaryOp::LAnd || B->Op == BinaryOp::LOr;
    if (const std::optional<int64_t> L =
            Lazy ? Values.number(B->L) : std::nullopt) {
      if ((*L != 0) == (B->Op == BinaryOp::LOr))
        break; // R is not evaluated
      Lazy = false;
    }
    Perhaps += Lazy;
    visit(B->R, Thread);
    Perhaps -= Lazy;
    break;
  }
  case ExprKind::Select: {
    auto *S = cast<Select>(E.get());
    visit(S->Cond, Thread);
    const std::optional<int64_t> C = Values.number(S->Cond);
    Perhaps += !C;
    if (!C || *C)
      visit(S->True, Thread);
    if (!C || !*C)
      visit(S->False, Thread);
    Perhaps -= !C;
    break;
  }
  case ExprKind::Call:
    for (const ExprRef &A : cast<Call>(E.get())->Args)
      visit(A, Thread);
    break;
  default:
    break;
  }
}

void ConcreteRaces::forget(const StmtRef &S) {
  assignedVars(S, [&](const VarRef &V) { Values.forget(V.get()); });
}

void ConcreteRaces::forget(const PhaseNode &N) {
  if (N.Control)
    forget(N.Control);
  for (const StmtRef &S : N.List)
    forget(S);
  for (const PhaseList *List : {&N.Then, &N.Else})
    for (const PhaseNode &Sub : *List)
      forget(Sub);
}

void ConcreteRaces::visitStore(const Store &S, int64_t Thread) {
  visit(S.Value, Thread);
  if (S.Op != Combiner::None && !S.Atomic)
    visit(S.To, Thread, Visit::Read, S.Loc);
  visit(S.To, Thread, S.Atomic ? Visit::Update : Visit::Write, S.Loc);
}

/// What Thread does in S.
void ConcreteRaces::run(const StmtRef &S, int64_t Thread) {
  Fails |= Values.isExhausted();
  if (Fails)
    return;
  switch (S->Kind) {
  case StmtKind::Block:
    for (const StmtRef &Sub : cast<Block>(S.get())->Body)
      run(Sub, Thread);
    break;
  case StmtKind::Decl:
    visit(cast<Decl>(S.get())->Init, Thread);
    Values.follow(S);
    break;
  case StmtKind::Assign:
    visit(cast<Assign>(S.get())->Value, Thread);
    Values.follow(S);
    break;
  case StmtKind::Store:
    visitStore(*cast<Store>(S.get()), Thread);
    break;
  case StmtKind::If: {
    auto *I = cast<If>(S.get());
    visit(I->Cond, Thread);
    const std::optional<int64_t> C = Values.number(I->Cond);
    Perhaps += !C;
    if (!C || *C)
      run(I->Then, Thread);
    if (I->Else && !C)
      forget(I->Then);
    if (I->Else && (!C || !*C))
      run(I->Else, Thread);
    Perhaps -= !C;
    if (!C)
      forget(S);
    break;
  }
  case StmtKind::For:
  case StmtKind::While:
    runLoop(S, Thread);
    break;
  case StmtKind::DeclBuffer:
  case StmtKind::Barrier: // of a warp: it may order something, or not
    break;
  default:
    Fails = true;
  }
}

void ConcreteRaces::runLoop(const StmtRef &S, int64_t Thread) {
  const auto OnceWithout = [&](const StmtRef &Body) {
    // Any number of times, whatever it sets.
    forget(S);
    ++Perhaps;
    run(Body, Thread);
    --Perhaps;
    forget(S);
  };
  if (auto *W = dyn_cast<While>(S.get())) {
    for (bool First = true; !Fails; First = false) {
      if (W->TestFirst || !First) {
        visit(W->Cond, Thread);
        const std::optional<int64_t> More = Values.number(W->Cond);
        if (!More) {
          OnceWithout(W->Body);
          visit(W->Cond, Thread);
          return;
        }
        if (!*More)
          return;
      }
      run(W->Body, Thread);
    }
    return;
  }
  auto *L = cast<For>(S.get());
  for (const ExprRef &E : {L->Lo, L->Hi, L->Step})
    visit(E, Thread);
  Network::Count Count(*L, Values);
  if (!Count.isKnown()) {
    OnceWithout(L->Body);
    return;
  }
  while (!Fails && Count.goesOn()) {
    run(L->Body, Thread);
    Count.next();
  }
  Fails |= Count.isLost();
}

/// Whether all threads may pass Cond, as they pass `i < n` where n is large.
static bool isRangeTest(const ExprRef &Cond) {
  if (auto *U = dyn_cast<Unary>(Cond.get()))
    return U->Op == UnaryOp::Not && isRangeTest(U->Operand);
  auto *B = dyn_cast<Binary>(Cond.get());
  if (!B)
    return false;
  switch (B->Op) {
  case BinaryOp::LAnd:
  case BinaryOp::LOr:
    return isRangeTest(B->L) && isRangeTest(B->R);
  case BinaryOp::LT:
  case BinaryOp::LE:
  case BinaryOp::GT:
  case BinaryOp::GE: {
    bool Plain = true;
    forEachExpr(Cond, [&](const ExprRef &E) { Plain &= !isa<Load, Call>(*E); });
    return Plain;
  }
  default:
    return false;
  }
}

/// What Thread does in List. Who does not leave does all that is behind the
/// test, so that a race there does not hang on it.
void ConcreteRaces::runAll(const StmtList &List, int64_t Thread) {
  for (const StmtRef &S : List) {
    auto *I = dyn_cast<If>(S.get());
    if (!I || I->Else || &S != &List.back() || !isRangeTest(I->Cond) ||
        Values.number(I->Cond)) {
      run(S, Thread);
      continue;
    }
    visit(I->Cond, Thread);
    runAll(statements(I->Then).vec(), Thread);
    forget(S);
  }
}

void ConcreteRaces::eachThread(const StmtList &List) {
  std::vector<int64_t> At(Threads.size(), 0);
  int64_t Thread = 0;
  for (;;) {
    for (size_t D = 0; D != Threads.size(); ++D)
      Values.set(Threads[D].first.get(), At[D]);
    runAll(List, Thread / AsOne);
    ++Thread;
    size_t D = 0;
    while (D != Threads.size() && ++At[D] == Threads[D].second)
      At[D++] = 0;
    if (D == Threads.size() || Fails)
      break;
  }
  for (const Dim &D : Threads)
    Values.forget(D.first.get());
}

void ConcreteRaces::flowIf(const PhaseNode &N) {
  auto *I = cast<If>(N.Control.get());
  visit(I->Cond, Many);
  const std::optional<int64_t> C = Values.number(I->Cond);
  if (C) {
    flow(*C ? N.Then : N.Else);
    return;
  }
  // Either branch: what was open before it may still be open behind it.
  const Log Before = Since;
  Log After;
  ++Perhaps;
  for (const PhaseList *List : {&N.Then, &N.Else}) {
    Since = Before;
    forget(N);
    flow(*List);
    for (const auto &[At, V] : Since) {
      Visitors &Mine = After[At];
      join(Mine.Readers, V.Readers, None, Many);
      join(Mine.Writers, V.Writers, None, Many);
      join(Mine.Updaters, V.Updaters, None, Many);
      Mine.May |= V.May;
    }
  }
  --Perhaps;
  Since = std::move(After);
  forget(N);
}

void ConcreteRaces::flowLoop(const PhaseNode &N) {
  if (auto *W = dyn_cast<While>(N.Control.get())) {
    for (bool First = true; !Fails; First = false) {
      if (W->TestFirst || !First) {
        visit(W->Cond, Many);
        const std::optional<int64_t> More = Values.number(W->Cond);
        if (!More) {
          flowUnknownLoop(N);
          return;
        }
        if (!*More)
          return;
      }
      Fails |= Values.isExhausted();
      flow(N.Then);
    }
    return;
  }
  auto *L = cast<For>(N.Control.get());
  for (const ExprRef &E : {L->Lo, L->Hi, L->Step})
    visit(E, Many);
  Network::Count Count(*L, Values);
  if (!Count.isKnown()) {
    flowUnknownLoop(N);
    return;
  }
  while (!Fails && Count.goesOn()) {
    flow(N.Then);
    Count.next();
  }
  Fails |= Count.isLost();
}

/// A loop that may run any number of times, none among them: two say what one
/// leaves open for the next.
void ConcreteRaces::flowUnknownLoop(const PhaseNode &N) {
  Log Before = Since;
  for (int Round = 0; Round != 2; ++Round) {
    forget(N);
    flow(N.Then);
    if (auto *W = dyn_cast<While>(N.Control.get()))
      visit(W->Cond, Many);
  }
  forget(N);
  for (const auto &[At, V] : Before) {
    Visitors &Mine = Since[At];
    join(Mine.Readers, V.Readers, None, Many);
    join(Mine.Writers, V.Writers, None, Many);
    join(Mine.Updaters, V.Updaters, None, Many);
    Mine.May = true; // the loop may have ended with a barrier, or not run
  }
}

void ConcreteRaces::flow(const PhaseList &List) {
  for (const PhaseNode &N : List) {
    if (Fails)
      return;
    switch (N.Kind) {
    case PhaseNode::Wait:
      Since.clear();
      break;
    case PhaseNode::Once: // each thread does it
      for (const StmtRef &S : N.List)
        run(S, Many);
      break;
    case PhaseNode::Threads:
      eachThread(N.List);
      break;
    case PhaseNode::Nest:
      if (isa<If>(*N.Control))
        flowIf(N);
      else
        flowLoop(N);
      break;
    }
  }
}

bool ConcreteRaces::areApart(const PhaseList &List) {
  flow(List);
  return !Fails;
}

std::optional<std::set<int64_t>>
ConcreteRaces::cellsRead(ArrayRef<StmtRef> List, const Buffer &B,
                         const Network &Known) {
  ConcreteRaces Run({}, {&B});
  Run.Values = Known;
  for (const StmtRef &S : List)
    Run.run(S, 0);
  if (Run.Fails)
    return std::nullopt;
  std::set<int64_t> Out;
  for (const auto &[At, V] : Run.Since)
    if (V.Readers != None || V.Updaters != None)
      Out.insert(At.At);
  return Out;
}

StmtRef withoutArrays(const StmtRef &S,
                      const std::map<const Buffer *, BufferRef> &Instead) {
  struct Replacer : Rewriter {
    const std::map<const Buffer *, BufferRef> *Instead = nullptr;
    ExprRef rewriteExpr(const ExprRef &E) override {
      auto *L = dyn_cast<Load>(E.get());
      const auto It = L ? Instead->find(L->From.Buf.get()) : Instead->end();
      if (It == Instead->end())
        return E;
      Access A = L->From;
      A.Buf = It->second;
      return std::make_shared<Load>(std::move(A), L->Ty, L->Loc);
    }
    StmtRef rewriteStmt(const StmtRef &S) override {
      auto *St = dyn_cast<Store>(S.get());
      if (!St || !Instead->count(St->To.Buf.get()))
        return S;
      std::vector<StmtRef> Reads;
      std::vector<ExprRef> All = St->To.Indices;
      All.push_back(St->Value);
      for (const ExprRef &E : All) {
        auto V = std::make_shared<Var>();
        V->Name = "stored";
        V->Ty = E->Ty;
        Reads.push_back(std::make_shared<Decl>(V, E, S->Loc));
      }
      return std::make_shared<Block>(std::move(Reads), S->Loc);
    }
  } Replace;
  Replace.Instead = &Instead;
  return Replace.run(S);
}

} // namespace raise
