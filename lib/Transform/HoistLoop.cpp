//===- HoistLoop.cpp - what leaves one loop of a nest ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "HoistLoop.h"
#include "FoldConstants.h"
#include "LoopForm.h"
#include "Peel.h"
#include "raise/IR/Effects.h"
#include "raise/IR/Visitor.h"
#include "llvm/ADT/STLExtras.h"

using namespace raise;
using namespace raise::hoisting;
using llvm::cast;
using llvm::dyn_cast;
using llvm::isa;

LoopHoister::LoopHoister(const For &L, const Liveness::VarSet &After,
                         const HoistRules &Rules, const NamedCalls &Named,
                         NestState &Nest)
    : L(L), After(After), Rules(Rules), Named(Named), Nest(Nest),
      Out(Nest.Out) {
  Body = nodesOf(L.Body);
  for (const ExprRef &E : {L.Lo, L.Hi, L.Step}) {
    Summary S = summarise(E);
    Header.Reads.insert(S.Reads.begin(), S.Reads.end());
  }
  forEachStmt(L.Body, [&](const StmtRef &S) {
    if (auto *D = dyn_cast<Decl>(S.get()))
      Declared.insert(D->V.get());
    if (auto *St = dyn_cast<Store>(S.get());
        St && !llvm::is_contained(Stored, St->To.Buf))
      Stored.push_back(St->To.Buf);
    if (auto *D = dyn_cast<DeclBuffer>(S.get()))
      Made.push_back(D->B);
  });
}

//===-- The tree of an iteration ------------------------------------------===//

std::vector<Node> LoopHoister::nodesOf(const StmtRef &S) {
  std::vector<Node> Nodes;
  for (const StmtRef &Sub : statements(S)) {
    Node N;
    N.S = Sub;
    if (isa<Block>(Sub.get())) {
      N.Open = true;
      N.Then = nodesOf(Sub);
    } else {
      N.Sum = summarise(Sub);
    }
    Nodes.push_back(std::move(N));
  }
  return Nodes;
}

/// Do(leaf, path), in the order of execution.
template <class Fn>
void LoopHoister::eachLeaf(std::vector<Node> &Nodes, Path &At, Fn Do) {
  for (Node &N : Nodes) {
    if (!N.Open) {
      Do(N, At);
      continue;
    }
    if (isa<Block>(N.S.get())) {
      eachLeaf(N.Then, At, Do);
      continue;
    }
    for (bool Which : {true, false}) {
      At.emplace_back(N.S.get(), Which);
      eachLeaf(Which ? N.Then : N.Else, At, Do);
      At.pop_back();
    }
  }
}

template <class Fn>
void LoopHoister::eachOpen(std::vector<Node> &Nodes, Fn Do) {
  for (Node &N : Nodes)
    if (N.Open) {
      Do(N);
      eachOpen(N.Then, Do);
      eachOpen(N.Else, Do);
    }
}

//===-- What may go -------------------------------------------------------===//

static std::string inQuotes(const std::string &Name) {
  return "'" + Name + "'";
}

static bool isPassed(const Buffer &B, const PureCall &C) {
  return llvm::any_of(
      C.Args, [&](const PureCall::Argument &A) { return A.Base.get() == &B; });
}

/// Whether C cannot see what a store to Written changes.
bool LoopHoister::isHidden(const Buffer &Written, const PureCall &C) const {
  bool Passed = llvm::any_of(C.Args, [](const PureCall::Argument &A) {
    return A.Base && A.Base->Kind == BufferKind::Pointer;
  });
  if (Passed || isPassed(Written, C) || Rules.KeepsPointers)
    return false;
  return Written.Kind == BufferKind::Local ||
         (Written.Kind == BufferKind::Param && Written.Restrict);
}

/// Why what S reads of memory may change in the loop; unset if it does not
/// (under a test that buffers do not overlap).
Reason LoopHoister::whyReads(const Summary &S) const {
  for (const BufferRef &B : Made)
    if (llvm::is_contained(S.Loads, B) ||
        llvm::any_of(S.Calls,
                     [&](const Opaque *O) { return isPassed(*B, *O->Pure); }))
      return {"CR1207", inQuotes(B->Name) + " is made anew in each iteration",
              B->Loc};
  for (const BufferRef &From : S.Loads)
    for (const BufferRef &To : Stored)
      if (From == To)
        return {"CR1207", inQuotes(From->Name) + " is read and written", {}};
  for (const Opaque *O : S.Calls)
    for (const BufferRef &To : Stored)
      if (O->Pure->ReadsMemory && !isHidden(*To, *O->Pure) &&
          (Rules.Alias == AliasMode::Check || isPassed(*To, *O->Pure)))
        return {"CR1207",
                "it may read what the loop writes through " +
                    inQuotes(To->Name),
                O->Loc};
  return {};
}

/// Which variable that S reads has another value in each iteration.
Reason LoopHoister::whyVarying(const Summary &S,
                               const Summary::VarSet &Others) const {
  const Var *Found = S.Reads.count(L.V.get()) ? L.V.get() : nullptr;
  // The name that comes first, so that the text is always the same.
  for (const Var *V : S.Exposed)
    if (Others.count(V) && (!Found || V->Name < Found->Name))
      Found = V;
  if (!Found)
    return {};
  return {"CR1207", inQuotes(Found->Name) + " changes in the loop", {}};
}

void LoopHoister::drop(Node &N, const Reason &Cause) {
  N.In = false;
  if (N.Sum.Calls.empty() || Why.isSet())
    return;
  const Opaque *Call = N.Sum.Calls.front();
  std::string Text = "'" + Call->Pure->Name +
                     "' has no known body and stays in the loop: " + Cause.Text;
  Why = {"CR1207", std::move(Text), Call->Loc};
}

static bool startsWith(const Path &Whole, const Path &Prefix) {
  return Whole.size() >= Prefix.size() &&
         std::equal(Prefix.begin(), Prefix.end(), Whole.begin());
}

/// Drops a leaf that cannot go while the others do; false if all of them can.
bool LoopHoister::dropOne() {
  Summary::VarSet Staying, Going, ReadBefore;
  Path At;
  eachLeaf(Body, At, [&](Node &N, const Path &) {
    (N.In ? Going : Staying).insert(N.Sum.Writes.begin(), N.Sum.Writes.end());
  });
  Summary::VarSet Tested;
  eachOpen(Body, [&](Node &N) {
    Tested.insert(N.Sum.Reads.begin(), N.Sum.Reads.end());
  });
  std::vector<std::pair<const Var *, Path>> Set;
  bool Dropped = false, Effects = false;
  eachLeaf(Body, At, [&](Node &N, const Path &Here) {
    if (Dropped)
      return;
    if (!N.In) {
      ReadBefore.insert(N.Sum.Reads.begin(), N.Sum.Reads.end());
      Effects |= !N.Sum.Free || llvm::any_of(N.Sum.Writes, [&](const Var *V) {
        return !Declared.count(V);
      });
      return;
    }
    Reason Why = whyVarying(N.Sum, Staying);
    // A value that is made of what the iteration before left.
    for (const Var *V : N.Sum.Exposed) {
      bool Fresh =
          !Going.count(V) || llvm::any_of(Set, [&](const auto &Earlier) {
            return Earlier.first == V && startsWith(Here, Earlier.second);
          });
      if (!Fresh && !Why.isSet())
        Why = {"CR1207", inQuotes(V->Name) + " changes in the loop", {}};
    }
    for (const Var *V : N.Sum.Writes)
      if (!Why.isSet() && (Staying.count(V) || ReadBefore.count(V) ||
                           Header.Reads.count(V) || Tested.count(V)))
        Why = {"CR1207",
               inQuotes(V->Name) + " has other values in the loop as well",
               {}};
    if (!Why.isSet() && Effects &&
        llvm::any_of(N.Sum.Calls,
                     [](const Opaque *O) { return O->Pure->MayThrow; }))
      Why = {"CR1207",
             "it may throw, and the iteration has had an effect by then",
             {}};
    if (Why.isSet()) {
      drop(N, Why);
      Dropped = true;
      return;
    }
    for (const Var *V : N.Sum.Surely)
      Set.emplace_back(V, Here);
  });
  return Dropped;
}

/// Opens an `if` that holds something costly under a condition that is the same
/// in every iteration.
bool LoopHoister::openOne(std::vector<Node> &Nodes) {
  for (Node &N : Nodes) {
    if (N.Open) {
      if (openOne(N.Then) || openOne(N.Else))
        return true;
      continue;
    }
    auto *I = dyn_cast<If>(N.S.get());
    if (!I || N.In || !N.Sum.Costly)
      continue;
    Summary Cond = summarise(I->Cond);
    bool Fixed = Cond.Free && !Cond.Costly && !whyReads(Cond).isSet() &&
                 llvm::none_of(Cond.Reads, [&](const Var *V) {
                   return V == L.V.get() || assigns(L.Body, V);
                 });
    if (!Fixed)
      continue;
    N.Open = true;
    N.Sum = std::move(Cond);
    N.Then = nodesOf(I->Then);
    if (I->Else)
      N.Else = nodesOf(I->Else);
    return true;
  }
  return false;
}

/// Of what may go, only what is connected with something costly does.
void LoopHoister::selectCostly() {
  Path At;
  std::vector<Node *> Going;
  eachLeaf(Body, At, [&](Node &N, const Path &) {
    if (N.In)
      Going.push_back(&N);
    N.In = N.In && N.Sum.Costly;
  });
  auto Meet = [](const Summary::VarSet &A, const Summary::VarSet &B) {
    return llvm::any_of(A, [&](const Var *V) { return B.count(V) != 0; });
  };
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (Node *N : Going)
      for (const Node *M : Going)
        if (!N->In && M->In &&
            (Meet(N->Sum.Writes, M->Sum.Writes) ||
             Meet(N->Sum.Writes, M->Sum.Reads) ||
             Meet(N->Sum.Reads, M->Sum.Writes)))
          Changed = N->In = true;
  }
}

void LoopHoister::choose() {
  do {
    Path At;
    Why = {};
    eachLeaf(Body, At, [&](Node &N, const Path &) {
      N.In = N.Sum.Free;
      Reason Cause = whyReads(N.Sum);
      // Under a directive, a clause may make an outer variable each thread's.
      if (L.LKind != LoopKind::Serial && !isOnlyOwn(N.Sum))
        Cause = {"CR1207", "it sets what was declared before the loop", {}};
      if (!N.Sum.Free && !N.Sum.Calls.empty())
        Cause.Text =
            isa<If>(N.S.get())
                ? "it stands under a condition that changes in the loop"
                : "it is part of what the loop writes";
      if (!N.Sum.Free || Cause.isSet())
        drop(N, Cause);
    });
    while (dropOne())
      ;
  } while (openOne(Body));
  selectCostly();
  if (Why.isSet())
    Out.Why = Why;
}

//===-- The result --------------------------------------------------------===//

static ExprRef zero(const Type &Ty) {
  if (Ty.isFloat())
    return build::floatConst(0, Ty);
  return Ty.isBool() ? build::boolConst(false) : build::intConst(0, Ty);
}

/// What was hoisted by N, for the reader.
void LoopHoister::note(const Node &N) {
  auto Add = [&](const std::string &Name) {
    if (!llvm::is_contained(Out.Names, Name))
      Out.Names.push_back(Name);
  };
  if (!N.Sum.Costly)
    return;
  for (const Opaque *O : N.Sum.Calls)
    Add(O->Pure->Name);
  forEachExpr(N.S, [&](const ExprRef &E) {
    if (isCostlyCall(*E))
      Add(cast<Call>(E.get())->Fn->Name);
  });
  if (!isa<For>(N.S.get()))
    return;
  assignedVars(N.S, [&](const VarRef &V) {
    if (N.Sum.Writes.count(V.get()) && !isa<Opaque>(N.S.get()) &&
        V != cast<For>(N.S.get())->V)
      Add(V->Name);
  });
}

/// Conditional: declarations stand in Top, where all that follows sees them.
void LoopHoister::gather(const std::vector<Node> &Nodes, bool Conditional,
                         std::vector<StmtRef> &To, std::vector<StmtRef> &Top) {
  for (const Node &N : Nodes) {
    if (N.Open && isa<Block>(N.S.get())) {
      gather(N.Then, Conditional, To, Top);
    } else if (N.Open) {
      auto *I = cast<If>(N.S.get());
      std::vector<StmtRef> Then, Else;
      gather(N.Then, true, Then, Top);
      gather(N.Else, true, Else, Top);
      if (!Then.empty() || !Else.empty())
        To.push_back(std::make_shared<If>(
            I->Cond, makeBlock(std::move(Then)),
            Else.empty() ? nullptr : makeBlock(std::move(Else)), I->Loc));
    } else if (N.In) {
      note(N);
      auto *D = dyn_cast<Decl>(N.S.get());
      if (!D || !Conditional) {
        To.push_back(N.S);
        continue;
      }
      bool Constant = D->Init && (llvm::isa<IntConst>(D->Init.get()) ||
                                  llvm::isa<FloatConst>(D->Init.get()));
      Top.push_back(std::make_shared<Decl>(
          D->V, Constant ? D->Init : zero(D->V->Ty), D->Loc));
      if (D->V->Const)
        NowSet.push_back(D->V);
      if (D->Init && !Constant)
        To.push_back(
            std::make_shared<Assign>(D->V, Combiner::None, D->Init, D->Loc));
    }
  }
}

/// What stays.
std::vector<StmtRef> LoopHoister::rest(const std::vector<Node> &Nodes) {
  std::vector<StmtRef> List;
  for (const Node &N : Nodes) {
    if (!N.Open) {
      if (!N.In)
        List.push_back(N.S);
      continue;
    }
    std::vector<StmtRef> Then = rest(N.Then);
    if (isa<Block>(N.S.get())) {
      if (!Then.empty())
        List.push_back(std::make_shared<Block>(std::move(Then), N.S->Loc));
      continue;
    }
    std::vector<StmtRef> Else = rest(N.Else);
    auto *I = cast<If>(N.S.get());
    // The test was there for what has now left: the loop makes it as well.
    auto Test = Nest.Made.find(N.S);
    if (Test != Nest.Made.end() && Else.empty() && Then.size() == 1 &&
        Then[0].get() == Test->second)
      List.push_back(Then[0]);
    else if (!Then.empty() || !Else.empty())
      List.push_back(std::make_shared<If>(
          I->Cond, makeBlock(std::move(Then), I->Then->Loc),
          Else.empty() ? nullptr : makeBlock(std::move(Else), I->Else->Loc),
          I->Loc));
  }
  return List;
}

/// Adds the loop with what stays to Run, unless nothing does.
const Stmt *LoopHoister::addLoop(const For &Fixed, std::vector<StmtRef> &Run) {
  std::vector<StmtRef> Stay = rest(Body);
  if (Stay.empty() && L.DeclaresVar)
    return nullptr;
  Run.push_back(std::make_shared<For>(
      L.V, Fixed.Lo, L.Cond, Fixed.Hi, L.Step, L.LKind, L.DeclaresVar,
      withoutNames(makeBlock(std::move(Stay), L.Body->Loc), Named), L.Loc));
  return Run.back().get();
}

/// `0 < n` as people write it.
static ExprRef constantLast(const ExprRef &Test) {
  auto *B = dyn_cast<Binary>(Test.get());
  if (!B || B->Op != BinaryOp::LT || !constantValue(B->L))
    return Test;
  return build::binary(BinaryOp::GT, B->R, B->L);
}

StmtRef LoopHoister::assemble() {
  FixedBounds Fixed = fixBounds(L);
  auto *Always = dyn_cast<IntConst>(Fixed.Runs.get());
  if (Always && !Always->Value)
    return nullptr;
  std::vector<StmtRef> Going, Run;
  gather(Body, false, Going, Run);
  if (Going.empty())
    return nullptr;
  llvm::append_range(Run, Going);
  const Stmt *Loop = addLoop(*Fixed.Loop, Run);
  std::vector<StmtRef> Whole = Fixed.Lets;
  if (Always) {
    llvm::append_range(Whole, Run);
  } else {
    StmtRef Else;
    if (!L.DeclaresVar && After.count(L.V.get()))
      Else = std::make_shared<Assign>(L.V, Combiner::None, Fixed.Loop->Lo);
    Whole.push_back(std::make_shared<If>(constantLast(Fixed.Runs),
                                         makeBlock(std::move(Run)), Else));
    if (Loop && !Else && NowSet.empty())
      Nest.Made[Whole.back()] = Loop;
  }
  StmtRef Result = makeBlock(std::move(Whole), L.Loc);
  for (const VarRef &V : NowSet) {
    auto Own = std::make_shared<Var>(*V);
    Own->Const = false;
    Result = renameVar(Result, V, Own);
  }
  return Result;
}

/// Whether S sets nothing but what each iteration declares for itself.
bool LoopHoister::isOnlyOwn(const Summary &S) const {
  return llvm::all_of(S.Writes,
                      [&](const Var *V) { return Declared.count(V) != 0; });
}

/// What it takes that S reads the same before the loop.
void LoopHoister::noteReads(const Summary &S) {
  for (const BufferRef &From : S.Loads)
    for (const BufferRef &To : Stored)
      Out.NeedsSeparation |= alias(*From, *To) != AliasResult::No ||
                             From->Home == PointerHome::Global ||
                             From->Home == PointerHome::Memory;
  for (const Opaque *O : S.Calls)
    for (const BufferRef &To : Stored)
      if (O->Pure->ReadsMemory && !isHidden(*To, *O->Pure)) {
        std::string Text = O->Pure->Name +
                           " reads nothing that is written through " + To->Name;
        if (!llvm::is_contained(Out.Assumed, Text))
          Out.Assumed.push_back(std::move(Text));
      }
}

StmtRef LoopHoister::run() {
  if (llvm::none_of(Body, [](const Node &N) { return N.Open || N.Sum.Costly; }))
    return nullptr;
  choose();
  StmtRef Result = assemble();
  if (!Result)
    return nullptr;
  Path At;
  eachLeaf(Body, At, [&](Node &N, const Path &) {
    if (N.In)
      noteReads(N.Sum);
  });
  eachOpen(Body, [&](Node &N) { noteReads(N.Sum); });
  return Result;
}
