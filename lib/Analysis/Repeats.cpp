//===- Repeats.cpp - what every iteration does alike ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// First all stores are candidates that mention no scalar that may change from
// one iteration to the next. One after the other is dropped that meets what it
// must not meet in memory, until the rest can go as a whole.
//
//===----------------------------------------------------------------------===//

#include "raise/Analysis/Repeats.h"
#include "FirstUse.h"
#include "Hazards.h"
#include "LoopProof.h"
#include "raise/IR/Visitor.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace raise {
using namespace analysis;

namespace {

/// Past this many statements a body is not looked at: pairs are compared.
constexpr size_t MaxLeaves = 64;

/// Lives before what refers to it.
struct OwnQuery {
  LoopQuery Own;
};

/// The accesses in one loop of the nest.
class NestProof : OwnQuery, LoopProof {
public:
  NestProof(LoopQuery Query, const Function &F, const Context &Ctx)
      : OwnQuery{std::move(Query)}, LoopProof(Own, F, Ctx) {
    Stopped = W.run();
  }

  const Reason &stopped() const { return Stopped; }
  ArrayRef<Touch> touches() const { return W.Touches; }

  /// Whether A and B never meet in such iterations of the loop; what that rests
  /// on is noted.
  bool never(const Touch &A, const Touch &B, When Pairs) {
    if (A.At.Buf != B.At.Buf)
      return true;
    Meeting M = Test.test(A, B, Pairs);
    if (M.V != Meeting::Verdict::Never)
      return false;
    N = N + M.N;
    return true;
  }

  /// What the answers since forget() rest on.
  std::vector<Guard> guards() const { return S.guards(N); }
  Reason separate(std::vector<Guard> &Guards,
                  std::vector<std::string> &Assumed) {
    return addGuards(N + W.Root.V.N, Guards, Assumed);
  }
  void forget() { N = {}; }

private:
  Reason Stopped;
  Needs N;
};

class RepeatAnalysis {
public:
  RepeatAnalysis(const LoopQuery &Q, const Function &F, const Context &Ctx)
      : Q(Q), L(*Q.Loop), F(F), Ctx(Ctx) {}
  RepeatFacts run();

private:
  /// A Decl, an Assign, a Store; or, for its test or range, an If or a For.
  struct Leaf {
    StmtRef S;
    std::vector<const Stmt *> Around; ///< Ifs and Fors, outermost first
    unsigned At;                      ///< in the order of the text
  };

  bool collect(const StmtRef &St, std::vector<const Stmt *> &Around);
  bool isCarried(const Var *V) const;
  bool usesCountersInside() const;
  void findVarying();
  bool varies(const Leaf &Of) const;
  BodySlice sliceOf(function_ref<bool(const Leaf &)> IsRoot) const;
  bool makeProofs();
  void slice();
  const Stmt *storeToDrop();
  const Stmt *meetsRest();
  const Stmt *isReadBefore(const For *M, NestProof &P);
  const Stmt *userOf(const Stmt *In) const;
  const For *innermostAround(const Stmt *A, const Stmt *B) const;
  bool addGuards(RepeatFacts &Facts);

  const LoopQuery &Q;
  const For &L;
  const Function &F;
  const Context &Ctx;
  std::vector<Leaf> Leaves;
  std::map<const Stmt *, unsigned> LeafOf;
  std::set<const Var *> Assigned, Declared, Varying;
  std::set<const Stmt *> Candidates; ///< stores
  RepeatFacts Found;
  /// Of L, then of the loops inside that hold a candidate, in their order.
  std::vector<std::pair<const For *, std::unique_ptr<NestProof>>> Proofs;
};

/// The expressions of Of itself, not of what stands in it.
void forEachOwnExpr(const Stmt &Of, function_ref<void(const ExprRef &)> Fn) {
  if (const auto *I = dyn_cast<If>(&Of))
    return forEachExpr(I->Cond, Fn);
  if (const auto *Inner = dyn_cast<For>(&Of)) {
    for (const ExprRef &E : {Inner->Lo, Inner->Hi, Inner->Step})
      forEachExpr(E, Fn);
    return;
  }
  if (const auto *D = dyn_cast<Decl>(&Of)) {
    if (D->Init)
      forEachExpr(D->Init, Fn);
    return;
  }
  struct Finder : Visitor {
    explicit Finder(function_ref<void(const ExprRef &)> Fn) : Fn(Fn) {}
    function_ref<void(const ExprRef &)> Fn;
    bool visitExpr(const ExprRef &E) override {
      Fn(E);
      return true;
    }
  } All(Fn);
  if (const auto *A = dyn_cast<Assign>(&Of))
    return All.walk(A->Value);
  const auto &W = *cast<Store>(&Of);
  All.walk(W.To);
  All.walk(W.Value);
}

/// What Of sets, if that is a scalar.
const Var *target(const Stmt &Of) {
  if (const auto *D = dyn_cast<Decl>(&Of))
    return D->V.get();
  if (const auto *A = dyn_cast<Assign>(&Of))
    return A->V.get();
  if (const auto *Inner = dyn_cast<For>(&Of))
    return Inner->V.get();
  return nullptr;
}

} // namespace

/// Whether all of St is understood.
bool RepeatAnalysis::collect(const StmtRef &St,
                             std::vector<const Stmt *> &Around) {
  if (!St)
    return true;
  if (const auto *B = dyn_cast<Block>(St.get()))
    return all_of(B->Body,
                  [&](const StmtRef &Sub) { return collect(Sub, Around); });
  LeafOf[St.get()] = Leaves.size();
  Leaves.push_back({St, Around, unsigned(Leaves.size())});
  const auto Inside = [&](const StmtRef &Sub) {
    Around.push_back(St.get());
    const bool Ok = collect(Sub, Around);
    Around.pop_back();
    return Ok;
  };
  switch (St->Kind) {
  case StmtKind::If: {
    const auto *I = cast<If>(St.get());
    return Inside(I->Then) && Inside(I->Else);
  }
  case StmtKind::For: {
    const auto *Inner = cast<For>(St.get());
    bool Loads = false;
    forEachOwnExpr(*Inner,
                   [&](const ExprRef &E) { Loads |= isa<Load>(E.get()); });
    return !Loads && Inner->LKind == LoopKind::Serial && Inside(Inner->Body);
  }
  case StmtKind::Decl:
    Declared.insert(cast<Decl>(St.get())->V.get());
    return true;
  case StmtKind::Assign:
    return true;
  case StmtKind::Store:
    return !cast<Store>(St.get())->Atomic;
  default:
    return false;
  }
}

/// Whether an iteration may find in V what another one left, or leaves
/// something there for what follows the loop.
bool RepeatAnalysis::isCarried(const Var *V) const {
  if (Declared.count(V))
    return false;
  return is_contained(*Q.LiveOut, V) || firstUse(L.Body, V) == First::Reads;
}

bool RepeatAnalysis::varies(const Leaf &Of) const {
  bool Any = false;
  const auto Look = [&](const Stmt &St) {
    forEachOwnExpr(St, [&](const ExprRef &E) {
      const auto *U = dyn_cast<VarUse>(E.get());
      Any |= U && Varying.count(U->V.get());
    });
  };
  Look(*Of.S);
  for (const Stmt *Control : Of.Around)
    Look(*Control);
  return Any;
}

/// Whether each mention of an inner loop's variable stands in such a loop.
bool RepeatAnalysis::usesCountersInside() const {
  std::set<const Var *> Counters;
  for (const Leaf &Of : Leaves)
    if (isa<For>(Of.S.get()))
      Counters.insert(target(*Of.S));
  return all_of(Leaves, [&](const Leaf &Of) {
    bool Ok = true;
    forEachOwnExpr(*Of.S, [&](const ExprRef &E) {
      const auto *U = dyn_cast<VarUse>(E.get());
      Ok &= !U || !Counters.count(U->V.get()) ||
            any_of(Of.Around, [&](const Stmt *Control) {
              return target(*Control) == U->V.get();
            });
    });
    return Ok && (isa<For>(Of.S.get()) || !Counters.count(target(*Of.S)));
  });
}

void RepeatAnalysis::findVarying() {
  for (const Leaf &Of : Leaves)
    if (const Var *V = target(*Of.S)) {
      const auto *Inner = dyn_cast<For>(Of.S.get());
      if (Inner && Inner->DeclaresVar)
        Declared.insert(V);
      Assigned.insert(V);
    }
  Varying.insert(L.V.get());
  for (const Var *V : Assigned)
    if (isCarried(V))
      Varying.insert(V);
  for (size_t Known = 0; Known != Varying.size();) {
    Known = Varying.size();
    for (const Leaf &Of : Leaves)
      if (const Var *V = target(*Of.S); V && varies(Of))
        Varying.insert(V);
  }
}

/// The leaves that are roots, with what they need: what sets the scalars that
/// they mention, and the tests and loops around.
BodySlice
RepeatAnalysis::sliceOf(function_ref<bool(const Leaf &)> IsRoot) const {
  BodySlice Out;
  std::vector<const Leaf *> Todo;
  const auto Add = [&](const Leaf &Of) {
    if (Out.insert(Of.S.get()).second)
      Todo.push_back(&Of);
  };
  for (const Leaf &Of : Leaves)
    if (IsRoot(Of))
      Add(Of);
  while (!Todo.empty()) {
    const Leaf &Of = *Todo.back();
    Todo.pop_back();
    for (const Stmt *Control : Of.Around)
      Add(Leaves[LeafOf.at(Control)]);
    std::set<const Var *> Needed;
    forEachOwnExpr(*Of.S, [&](const ExprRef &E) {
      if (const auto *U = dyn_cast<VarUse>(E.get()))
        Needed.insert(U->V.get());
    });
    if (isa<Assign>(Of.S.get()))
      Needed.insert(target(*Of.S)); // its declaration, and what it adds to
    for (const Leaf &Other : Leaves)
      if (const Var *V = target(*Other.S);
          V && Needed.count(V) && !isa<For>(Other.S.get()))
        Add(Other);
  }
  return Out;
}

void RepeatAnalysis::slice() {
  Found.Once = sliceOf(
      [&](const Leaf &Of) { return Candidates.count(Of.S.get()) != 0; });
  Found.Rest = sliceOf([&](const Leaf &Of) {
    if (isa<Store>(Of.S.get()))
      return Candidates.count(Of.S.get()) == 0;
    const Var *V = target(*Of.S);
    return V && !isa<For>(Of.S.get()) && isCarried(V);
  });
}

bool RepeatAnalysis::makeProofs() {
  const auto Make = [&](const For &M, ArrayRef<const Stmt *> Around) {
    LoopQuery Own = Q;
    Own.Loop = &M;
    if (&M != &L) {
      Own.Enclosing.push_back(&L);
      for (const Stmt *Control : Around)
        if (const auto *Outer = dyn_cast<For>(Control))
          Own.Enclosing.push_back(Outer);
    }
    Proofs.emplace_back(&M,
                        std::make_unique<NestProof>(std::move(Own), F, Ctx));
    return !Proofs.back().second->stopped().isSet();
  };
  if (!Make(L, {}))
    return false;
  for (const Leaf &Of : Leaves) {
    const auto *M = dyn_cast<For>(Of.S.get());
    if (M && Found.Once.count(M) && !Make(*M, Of.Around))
      return false;
  }
  return all_of(Proofs.front().second->touches(), [&](const Touch &T) {
    return !T.Atomic && LeafOf.count(T.In);
  });
}

const For *RepeatAnalysis::innermostAround(const Stmt *A, const Stmt *B) const {
  const auto &In = Leaves[LeafOf.at(A)].Around,
             &Other = Leaves[LeafOf.at(B)].Around;
  const For *Found = &L;
  for (size_t K = 0; K < std::min(In.size(), Other.size()); ++K) {
    if (In[K] != Other[K])
      break;
    if (const auto *Inner = dyn_cast<For>(In[K]))
      Found = Inner;
  }
  return Found;
}

/// A candidate that needs In.
const Stmt *RepeatAnalysis::userOf(const Stmt *In) const {
  for (const Leaf &Of : Leaves)
    if (Candidates.count(Of.S.get()) &&
        sliceOf([&](const Leaf &Root) { return Root.S == Of.S; }).count(In))
      return Of.S.get();
  return nullptr;
}

/// A candidate that touches what another store writes.
const Stmt *RepeatAnalysis::meetsRest() {
  NestProof &P = *Proofs.front().second;
  for (const Touch &A : P.touches()) {
    if (!Found.Once.count(A.In))
      continue;
    for (const Touch &B : P.touches())
      if (B.writes() && !Candidates.count(B.By) &&
          !(P.never(A, B, When::Same) && P.never(A, B, When::Different)))
        return userOf(A.In);
  }
  return nullptr;
}

/// A candidate in M that writes what was read before, in an earlier iteration
/// of M or, where M is the innermost loop around both, in the same one.
const Stmt *RepeatAnalysis::isReadBefore(const For *M, NestProof &P) {
  for (const Touch &Read : P.touches()) {
    if (Read.How == MemoryAccess::Mode::Write)
      continue;
    for (const Touch &Write : P.touches()) {
      if (!Write.writes() || !Candidates.count(Write.By))
        continue;
      const bool MayFollow = LeafOf.at(Write.In) >= LeafOf.at(Read.In) &&
                             innermostAround(Write.In, Read.In) == M;
      if ((M != &L && !P.never(Read, Write, When::Before)) ||
          (MayFollow && !P.never(Read, Write, When::Same)))
        return Write.By;
    }
  }
  return nullptr;
}

const Stmt *RepeatAnalysis::storeToDrop() {
  for (auto &[M, P] : Proofs)
    P->forget();
  if (const Stmt *Drop = meetsRest())
    return Drop;
  for (auto &[M, P] : Proofs)
    if (const Stmt *Drop = isReadBefore(M, *P))
      return Drop;
  return nullptr;
}

/// Whether what the answers rest on can be tested before the loop.
bool RepeatAnalysis::addGuards(RepeatFacts &Facts) {
  for (auto &[M, P] : Proofs) {
    if (M == &L)
      continue;
    for (Guard &G : P->guards()) {
      bool Known = true;
      forEachExpr(G.Cond, [&](const ExprRef &E) {
        const auto *U = dyn_cast<VarUse>(E.get());
        Known &= !isa<Load>(E.get()) &&
                 !(U && (U->V == L.V || Assigned.count(U->V.get())));
      });
      if (!Known)
        return false;
      Facts.Guards.push_back(std::move(G));
    }
  }
  std::vector<Guard> Apart;
  if (Proofs.front().second->separate(Apart, Facts.Assumed).isSet())
    return false;
  append_range(Facts.Guards, Apart);
  return true;
}

RepeatFacts RepeatAnalysis::run() {
  std::vector<const Stmt *> Around;
  if (findHazard(L).isSet() || !collect(L.Body, Around) ||
      Leaves.size() > MaxLeaves)
    return {};
  findVarying();
  if (!usesCountersInside())
    return {};
  for (const Leaf &Of : Leaves) {
    const auto *Inner = dyn_cast<For>(Of.S.get());
    if (Inner && !Inner->DeclaresVar && isCarried(Inner->V.get()))
      return {};
    if (isa<Store>(Of.S.get()) && !varies(Of))
      Candidates.insert(Of.S.get());
  }
  slice();
  if (Candidates.empty() || !makeProofs())
    return {};
  while (const Stmt *Drop = storeToDrop()) {
    Candidates.erase(Drop);
    slice();
    if (Candidates.empty())
      return {};
  }
  if (!addGuards(Found))
    return {};
  return std::move(Found);
}

RepeatFacts analyseRepeats(const LoopQuery &Q, const Function &F,
                           const Context &Ctx) {
  return RepeatAnalysis(Q, F, Ctx).run();
}

} // namespace raise
