//===- FlowGraph.cpp - how values flow between statements -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "FlowGraph.h"
#include "raise/IR/Visitor.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace raise::analysis {

/// Past this many statements a body is not looked at: pairs are compared.
static constexpr size_t MaxNodes = 200;

namespace {

class FlowBuilder {
public:
  FlowBuilder(const For &L, const Walk &W, ConflictTest &Test)
      : L(L), W(W), Test(Test) {}
  FlowGraph run();

private:
  using Arms = std::vector<std::pair<const If *, bool>>;
  void collect(const StmtRef &S, Arms Under);
  void controlFlow();
  void scalarFlow();
  void memoryFlow();
  void compare(const Touch &Write, unsigned From, const Touch &Read,
               unsigned To);
  bool reads(unsigned Node, const Var *V) const;
  void components();
  void refuse(const char *Code, std::string Text, const SourceLoc &Loc) {
    if (!G.Why.isSet())
      G.Why = {Code, std::move(Text), Loc};
  }
  std::optional<unsigned> nodeOf(const Stmt *S) const {
    for (unsigned I = 0; I < G.Nodes.size(); ++I)
      if (G.Nodes[I].S.get() == S)
        return I;
    return std::nullopt;
  }

  const For &L;
  const Walk &W;
  ConflictTest &Test;
  FlowGraph G;
};

} // namespace

void FlowBuilder::collect(const StmtRef &S, Arms Under) {
  if (!S)
    return;
  switch (S->Kind) {
  case StmtKind::Block:
    for (const StmtRef &Sub : cast<Block>(S.get())->Body)
      collect(Sub, Under);
    return;
  case StmtKind::If: {
    const auto *I = cast<If>(S.get());
    G.Nodes.push_back({S, Under, nullptr});
    Under.push_back({I, true});
    collect(I->Then, Under);
    Under.back().second = false;
    return collect(I->Else, Under);
  }
  case StmtKind::Decl:
    G.Nodes.push_back({S, std::move(Under), cast<Decl>(S.get())->V});
    return;
  case StmtKind::Assign:
    G.Nodes.push_back({S, std::move(Under), cast<Assign>(S.get())->V});
    return;
  case StmtKind::Store:
  case StmtKind::Break:
  case StmtKind::Return:
    G.Nodes.push_back({S, std::move(Under), nullptr});
    return;
  case StmtKind::Opaque:
    if (cast<Opaque>(S.get())->NoReturn) {
      G.Nodes.push_back({S, std::move(Under), nullptr});
      return;
    }
    [[fallthrough]];
  default:
    refuse("CR1111", "the order of what the loop does is not followed", S->Loc);
  }
}

/// What stands in an arm is done or not as the test turns out.
void FlowBuilder::controlFlow() {
  for (unsigned I = 0; I < G.Nodes.size(); ++I)
    if (!G.Nodes[I].Under.empty())
      if (auto Of = nodeOf(G.Nodes[I].Under.back().first))
        G.Edges.push_back({*Of, I, false});
}

/// Whether A's arms are all around B too: then B runs only where A does.
static bool dominates(const FlowNode &A, const FlowNode &B) {
  return A.Under.size() <= B.Under.size() &&
         std::equal(A.Under.begin(), A.Under.end(), B.Under.begin());
}

bool FlowBuilder::reads(unsigned Node, const Var *V) const {
  const Stmt *S = G.Nodes[Node].S.get();
  switch (S->Kind) {
  case StmtKind::If:
    return uses(cast<If>(S)->Cond, V);
  case StmtKind::Decl:
    return cast<Decl>(S)->Init && uses(cast<Decl>(S)->Init, V);
  case StmtKind::Assign: {
    const auto *A = cast<Assign>(S);
    return uses(A->Value, V) || (A->V.get() == V && A->Op != Combiner::None);
  }
  case StmtKind::Break:
    return false;
  case StmtKind::Return:
    return cast<Return>(S)->Value && uses(cast<Return>(S)->Value, V);
  case StmtKind::Opaque: // may read what it likes
    return true;
  default: {
    const auto *St = cast<Store>(S);
    bool Any = uses(St->Value, V);
    for (const ExprRef &E : St->To.Indices)
      Any |= uses(E, V);
    for (const ExprRef &E : St->To.Extents)
      Any |= uses(E, V);
    return Any;
  }
  }
}

void FlowBuilder::scalarFlow() {
  std::set<const Var *> Declared, Seen;
  for (const FlowNode &N : G.Nodes)
    if (isa<Decl>(N.S.get()))
      Declared.insert(N.Writes.get());
  for (const FlowNode &Any : G.Nodes) {
    const Var *V = Any.Writes.get();
    if (!V || !Seen.insert(V).second)
      continue;
    if (V == L.V.get())
      refuse("CR1112", "the loop assigns its own variable", Any.S->Loc);
    for (unsigned To = 0; To < G.Nodes.size(); ++To) {
      if (!reads(To, V))
        continue;
      // Only what was written since the last write that surely happened.
      unsigned Since = 0;
      bool Sure = false;
      for (unsigned I = 0; I < To; ++I)
        if (G.Nodes[I].Writes.get() == V &&
            dominates(G.Nodes[I], G.Nodes[To])) {
          Since = I;
          Sure = true;
        }
      for (unsigned From = 0; From < G.Nodes.size(); ++From) {
        if (G.Nodes[From].Writes.get() != V)
          continue;
        if (From >= Since && From < To)
          G.Edges.push_back({From, To, false, V});
        if (!Sure && !Declared.count(V))
          G.Edges.push_back({From, To, true, V});
      }
    }
  }
}

void FlowBuilder::compare(const Touch &Write, unsigned From, const Touch &Read,
                          unsigned To) {
  auto Ask = [&](When Pairs) {
    Meeting M = Test.test(Write, Read, Pairs);
    if (M.V == Meeting::Verdict::Budget)
      refuse("CR1190",
             "how values flow was not decided within the allowed number of "
             "operations",
             Write.Loc);
    if (M.V != Meeting::Verdict::Never)
      return true;
    G.N = G.N + M.N;
    return false;
  };
  if (Ask(When::Before))
    G.Edges.push_back({From, To, true, nullptr, &Read.At});
  if (From < To && Ask(When::Same))
    G.Edges.push_back({From, To, false, nullptr, &Read.At});
}

void FlowBuilder::memoryFlow() {
  for (const Touch &Write : W.Touches) {
    if (!Write.writes())
      continue;
    for (const Touch &Read : W.Touches) {
      if (Read.At.Buf != Write.At.Buf || Read.How == MemoryAccess::Mode::Write)
        continue;
      auto From = nodeOf(Write.In), To = nodeOf(Read.In);
      if (!From || !To)
        return refuse("CR1111",
                      "the order of what the loop does is not followed",
                      Read.Loc);
      compare(Write, *From, Read, *To);
      if (G.Why.isSet())
        return;
    }
  }
}

/// By reachability: bodies are small.
void FlowBuilder::components() {
  size_t Count = G.Nodes.size();
  std::vector<std::vector<bool>> Reach(Count, std::vector<bool>(Count));
  for (unsigned Start = 0; Start < Count; ++Start) {
    std::vector<unsigned> Todo{Start};
    while (!Todo.empty()) {
      unsigned At = Todo.back();
      Todo.pop_back();
      for (const FlowEdge &E : G.Edges)
        if (E.From == At && !Reach[Start][E.To]) {
          Reach[Start][E.To] = true;
          Todo.push_back(E.To);
        }
    }
  }
  G.Component.resize(Count);
  for (unsigned I = 0; I < Count; ++I) {
    G.Component[I] = I;
    for (unsigned J = 0; J < I; ++J)
      if (Reach[I][J] && Reach[J][I]) {
        G.Component[I] = G.Component[J];
        break;
      }
  }
}

FlowGraph FlowBuilder::run() {
  collect(L.Body, {});
  if (G.Nodes.size() > MaxNodes)
    refuse("CR1190", "the loop's body is too long to follow its values", L.Loc);
  if (G.Why.isSet())
    return std::move(G);
  controlFlow();
  scalarFlow();
  memoryFlow();
  if (!G.Why.isSet())
    components();
  return std::move(G);
}

bool FlowNode::isExit() const {
  return isa<Break>(S.get()) || isa<Return>(S.get()) || isa<Opaque>(S.get());
}

bool FlowGraph::leaves() const {
  return any_of(Nodes, [](const FlowNode &N) { return N.isExit(); });
}

/// Backwards from the ways out, along all that they were reached by. What one
/// of them returns does not matter, but is part of its node.
bool FlowGraph::leavesByState() const {
  std::vector<bool> Seen(Nodes.size());
  std::vector<unsigned> Todo;
  for (unsigned I = 0; I < Nodes.size(); ++I)
    if (Nodes[I].isExit()) {
      Seen[I] = true;
      Todo.push_back(I);
    }
  while (!Todo.empty()) {
    unsigned At = Todo.back();
    Todo.pop_back();
    for (const FlowEdge &E : Edges) {
      bool Value = Nodes[At].isExit() && (E.Scalar || E.Memory);
      if (E.To != At || Value)
        continue;
      if (E.Carried)
        return true;
      if (!Seen[E.From]) {
        Seen[E.From] = true;
        Todo.push_back(E.From);
      }
    }
  }
  return false;
}

bool FlowGraph::isRecurrent(unsigned C) const {
  return any_of(Edges, [&](const FlowEdge &E) {
    return E.Carried && Component[E.From] == C && Component[E.To] == C;
  });
}

FlowGraph flowOf(const For &L, const Walk &W, ConflictTest &Test) {
  return FlowBuilder(L, W, Test).run();
}

} // namespace raise::analysis
