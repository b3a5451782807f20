//===- Distribute.cpp - one loop as several in a row ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The parts of the body that cannot be repeated are the nodes of a graph; each
// brings the parts that it needs (tests, scalars of the iteration) with it, as
// a closure. An edge says that something in one closure must run before
// something in another. Strongly connected nodes stay in one loop; the others
// follow in a topological order, the one nearest to the text.
//
//===----------------------------------------------------------------------===//
#include "raise/Transform/Distribute.h"
#include "LoopForm.h"
#include "Peel.h"
#include "StoredValues.h"
#include "raise/Analysis/Dependences.h"
#include "raise/IR/Effects.h"
#include "raise/IR/Visitor.h"
#include "llvm/ADT/STLExtras.h"

using namespace raise;
using llvm::cast;
using llvm::dyn_cast;
using llvm::isa;

namespace {

using PartSet = std::set<unsigned>;

/// Keeps of a body the parts that are in a set.
class PartFilter {
public:
  PartFilter(const BodyFacts &Facts, const PartSet &Keep) {
    for (unsigned P = 0; P < Facts.Parts.size(); ++P)
      if (!Keep.count(P))
        Dropped.insert(Facts.Parts[P].S.get());
  }

  StmtRef run(const StmtRef &S) const {
    if (!S)
      return nullptr;
    if (auto *B = dyn_cast<Block>(S.get())) {
      std::vector<StmtRef> Out;
      for (const StmtRef &Sub : B->Body)
        if (StmtRef Kept = run(Sub))
          Out.push_back(std::move(Kept));
      if (Out.empty())
        return nullptr;
      return std::make_shared<Block>(std::move(Out), S->Loc);
    }
    if (Dropped.count(S.get()))
      return nullptr;
    auto *I = dyn_cast<If>(S.get());
    if (!I)
      return S;
    StmtRef Then = run(I->Then), Else = run(I->Else);
    if (!Then && !Else)
      return nullptr;
    return std::make_shared<If>(I->Cond, Then ? Then : makeBlock({}), Else,
                                S->Loc);
  }

private:
  std::set<const Stmt *> Dropped;
};

class Distributor {
public:
  Distributor(const LoopQuery &Q, const Function &F, const Context &Ctx)
      : Q(Q), L(*Q.Loop), F(F), Ctx(Ctx) {}
  std::optional<LoopSequence> run();
  std::optional<LoopSequence>
  runBy(llvm::function_ref<unsigned(const StmtRef &)> LabelOf);

private:
  struct Group {
    PartSet Parts;
    bool Free; ///< its iterations are independent, but for reductions
  };
  PartSet closure(unsigned Node) const;
  void findNodes();
  void findComponents();
  std::shared_ptr<const For> loopOf(const PartSet &Parts) const;
  bool isFree(const PartSet &Parts) const;
  bool findParts();
  unsigned firstGroupFor(unsigned Component) const;
  void place(unsigned Component);
  std::optional<std::vector<unsigned>>
  labels(llvm::function_ref<unsigned(const StmtRef &)> LabelOf) const;
  bool placeBy(llvm::function_ref<unsigned(const StmtRef &)> LabelOf);
  LoopSequence sequence();
  bool isWorthIt() const;
  bool mustPrecede(const PartSet &A, const PartSet &B) const;

  const LoopQuery &Q;
  const For &L;
  const Function &F;
  const Context &Ctx;
  BodyFacts Facts;
  std::vector<PartSet> Nodes;            ///< closed
  std::vector<std::vector<bool>> Before; ///< node to node, direct or not
  std::vector<PartSet> Components;       ///< closed, in topological order
  std::vector<Group> Groups;
  std::vector<unsigned> GroupOf; ///< of the components placed so far
};

} // namespace

/// Node and all that it needs, directly or not. What is no copy is in the same
/// component in any case.
PartSet Distributor::closure(unsigned Node) const {
  PartSet Found{Node};
  std::vector<unsigned> Todo{Node};
  while (!Todo.empty()) {
    unsigned P = Todo.back();
    Todo.pop_back();
    for (unsigned Needed : Facts.Parts[P].Needs)
      if (Found.insert(Needed).second)
        Todo.push_back(Needed);
  }
  return Found;
}

bool Distributor::mustPrecede(const PartSet &A, const PartSet &B) const {
  return llvm::any_of(Facts.Order, [&](const auto &Pair) {
    return A.count(Pair.first) && B.count(Pair.second);
  });
}

void Distributor::findNodes() {
  for (unsigned P = 0; P < Facts.Parts.size(); ++P)
    if (!Facts.Parts[P].Copies)
      Nodes.push_back(closure(P));
  size_t Count = Nodes.size();
  Before.assign(Count, std::vector<bool>(Count));
  for (unsigned A = 0; A < Count; ++A)
    for (unsigned B = 0; B < Count; ++B)
      Before[A][B] = A != B && mustPrecede(Nodes[A], Nodes[B]);
  for (unsigned Via = 0; Via < Count; ++Via)
    for (unsigned A = 0; A < Count; ++A)
      for (unsigned B = 0; Before[A][Via] && B < Count; ++B)
        if (Before[Via][B])
          Before[A][B] = true;
}

/// The components, each time the first in the text of those that nothing left
/// must precede.
void Distributor::findComponents() {
  std::vector<bool> Done(Nodes.size());
  auto IsNext = [&](unsigned A) {
    for (unsigned B = 0; B < Nodes.size(); ++B)
      if (!Done[B] && Before[B][A] && !Before[A][B])
        return false;
    return !Done[A];
  };
  for (size_t Left = Nodes.size(); Left;) {
    unsigned Next = 0;
    while (!IsNext(Next))
      ++Next;
    PartSet All;
    for (unsigned B = 0; B < Nodes.size(); ++B)
      if (B == Next || (Before[Next][B] && Before[B][Next])) {
        All.insert(Nodes[B].begin(), Nodes[B].end());
        Done[B] = true;
        --Left;
      }
    Components.push_back(std::move(All));
  }
}

std::shared_ptr<const For> Distributor::loopOf(const PartSet &Parts) const {
  StmtRef Body = PartFilter(Facts, Parts).run(L.Body);
  if (!Body)
    Body = makeBlock({});
  return std::make_shared<For>(L.V, L.Lo, L.Cond, L.Hi, L.Step, L.LKind,
                               L.DeclaresVar, Body, L.Loc);
}

bool Distributor::isFree(const PartSet &Parts) const {
  auto Loop = loopOf(Parts);
  LoopQuery Own = Q;
  Own.Loop = Loop.get();
  LoopFacts Found = analyseLoop(Own, F, Ctx);
  return raise::isFree(Found, L);
}

/// The first group that may hold it, as far as order goes.
unsigned Distributor::firstGroupFor(unsigned Component) const {
  unsigned First = 0;
  for (unsigned Earlier = 0; Earlier < Component; ++Earlier)
    if (mustPrecede(Components[Earlier], Components[Component]))
      First = std::max(First, GroupOf[Earlier]);
  return First;
}

/// The label of each component; those without one go with the one before, or
/// after, in the text. None where a component has two.
std::optional<std::vector<unsigned>> Distributor::labels(
    llvm::function_ref<unsigned(const StmtRef &)> LabelOf) const {
  std::vector<unsigned> Out;
  for (const PartSet &Parts : Components) {
    unsigned Label = 0;
    for (unsigned P : Parts)
      if (unsigned Own =
              Facts.Parts[P].Copies ? 0 : LabelOf(Facts.Parts[P].S)) {
        if (Label && Label != Own)
          return std::nullopt;
        Label = Own;
      }
    Out.push_back(Label || Out.empty() ? Label : Out.back());
  }
  const auto First = llvm::find_if(Out, [](unsigned L) { return L != 0; });
  if (First != Out.end())
    std::fill(Out.begin(), First, *First);
  return Out;
}

/// A group for each label, in an order in which none has to run before and
/// after another: the one nearest to the text.
bool Distributor::placeBy(
    llvm::function_ref<unsigned(const StmtRef &)> LabelOf) {
  const auto Labels = labels(LabelOf);
  if (!Labels)
    return false;
  llvm::SmallVector<unsigned, 4> Left;
  for (unsigned Label : *Labels)
    if (!llvm::is_contained(Left, Label))
      Left.push_back(Label);
  const auto MustWait = [&](unsigned Label) {
    for (size_t A = 0; A < Components.size(); ++A)
      for (size_t B = 0; B < Components.size(); ++B)
        if ((*Labels)[B] == Label && (*Labels)[A] != Label &&
            llvm::is_contained(Left, (*Labels)[A]) &&
            mustPrecede(Components[A], Components[B]))
          return true;
    return false;
  };
  while (!Left.empty()) {
    auto *const Next =
        llvm::find_if(Left, [&](unsigned Label) { return !MustWait(Label); });
    if (Next == Left.end())
      return false;
    Group G{{}, /*Free=*/false};
    for (size_t C = 0; C < Components.size(); ++C)
      if ((*Labels)[C] == *Next)
        G.Parts.insert(Components[C].begin(), Components[C].end());
    Groups.push_back(std::move(G));
    Left.erase(Next);
  }
  return true;
}

/// Into the first group of its kind that may hold it, or one of its own.
void Distributor::place(unsigned Component) {
  const PartSet &Parts = Components[Component];
  bool Free = isFree(Parts);
  for (unsigned G = firstGroupFor(Component); G < Groups.size(); ++G) {
    if (Groups[G].Free != Free)
      continue;
    PartSet Both = Groups[G].Parts;
    Both.insert(Parts.begin(), Parts.end());
    if (Free && !isFree(Both))
      continue;
    Groups[G].Parts = std::move(Both);
    GroupOf.push_back(G);
    return;
  }
  GroupOf.push_back(Groups.size());
  Groups.push_back({Parts, Free});
}

/// In how many loops the innermost statement stands.
static unsigned depthOf(const StmtRef &S) {
  unsigned Most = 0, Now = 0;
  struct Counter : Visitor {
    unsigned &Most, &Now;
    Counter(unsigned &Most, unsigned &Now) : Most(Most), Now(Now) {}
    bool visitExpr(const ExprRef &) override { return false; }
    bool visitStmt(const StmtRef &Sub) override {
      Now += isa<For>(Sub.get());
      Most = std::max(Most, Now);
      return true;
    }
    void leaveStmt(const StmtRef &Sub) override { Now -= isa<For>(Sub.get()); }
  } C(Most, Now);
  C.walk(S);
  return Most;
}

/// A loop where most of the work is has to be free. Inner loops are operations
/// as they stand, and what they share is still in the caches from one to the
/// next: only such as share nothing are taken apart.
bool Distributor::isWorthIt() const {
  unsigned Deepest = depthOf(std::make_shared<For>(L));
  std::set<const Buffer *> Touched;
  bool AnyFree = false;
  for (const Group &G : Groups) {
    auto Loop = loopOf(G.Parts);
    if (depthOf(Loop) < Deepest)
      continue;
    AnyFree |= G.Free;
    std::set<const Buffer *> Own;
    for (const MemoryAccess &A : effectsOf(Loop).Memory)
      Own.insert(A.At.Buf.get());
    for (const Buffer *B : Own)
      if (!Touched.insert(B).second && Deepest > 1)
        return false;
  }
  return AnyFree;
}

bool Distributor::findParts() {
  Facts = analyseBody(Q, F, Ctx);
  if (Facts.Why.isSet())
    return false;
  findNodes();
  findComponents();
  return Components.size() > 1;
}

LoopSequence Distributor::sequence() {
  LoopSequence Out;
  for (const Group &G : Groups) {
    StmtRef Loop = loopOf(G.Parts);
    // What a loop declares is its own.
    Out.Body.push_back(Out.Body.empty() ? Loop : withOwnVariables(Loop));
  }
  Out.Guards = std::move(Facts.Guards);
  Out.Assumed = std::move(Facts.Assumed);
  return Out;
}

std::optional<LoopSequence> Distributor::run() {
  if (!findParts())
    return std::nullopt;
  for (unsigned C = 0; C < Components.size(); ++C)
    place(C);
  if (Groups.size() < 2 || !isWorthIt())
    return std::nullopt;
  return sequence();
}

std::optional<LoopSequence>
Distributor::runBy(llvm::function_ref<unsigned(const StmtRef &)> LabelOf) {
  if (!findParts() || !placeBy(LabelOf) || Groups.size() < 2)
    return std::nullopt;
  return sequence();
}

std::optional<LoopSequence>
raise::distributeBy(const LoopQuery &Q, const Function &F, const Context &Ctx,
                    llvm::function_ref<unsigned(const StmtRef &)> LabelOf) {
  const For &L = *Q.Loop;
  if (!runsThrough(L) || !isFixedIn(L.Step, L) || !isFixedIn(L.Lo, L) ||
      !isFixedIn(L.Hi, L))
    return std::nullopt;
  return Distributor(Q, F, Ctx).runBy(LabelOf);
}

std::optional<LoopSequence>
raise::distribute(const LoopQuery &Q, const Function &F, const Context &Ctx) {
  const For &L = *Q.Loop;
  if (!runsThrough(L) || !isFixedIn(L.Step, L))
    return std::nullopt;
  FixedBounds Fixed = fixBounds(L);
  LoopQuery Own = Q;
  Own.Loop = Fixed.Loop.get();
  auto Found = Distributor(Own, F, Ctx).run();
  if (!Found) {
    auto Split = useStoredValues(*Fixed.Loop);
    if (!Split)
      return std::nullopt;
    Own.Loop = Split.get();
    Found = Distributor(Own, F, Ctx).run();
    if (!Found)
      return std::nullopt;
    for (StmtRef &S : Found->Body)
      S = withoutSingleUses(S);
  }
  if (useLets(Found->Guards, Fixed))
    return std::nullopt;
  Found->Body.insert(Found->Body.begin(), Fixed.Lets.begin(), Fixed.Lets.end());
  return Found;
}
