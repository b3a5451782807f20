//===- Binomial.cpp - a loop reversed from a fixed number of states -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Some number of states are kept, as a stack. The reverse goes back one step at
// a time: from the youngest state forward to that step, keeping states on the
// way where there is room, and drops a state where its own step is reversed.
// Which steps to keep, so that fewest are computed again, is told by binomial
// coefficients (Griewank, Walther, "Algorithm 799: revolve", ACM TOMS 26(1),
// 2000). What follows the loop counts as one more step: the forward sweep,
// which goes through all of them, keeps the first states.
//
//===----------------------------------------------------------------------===//

#include "SegmentedLoop.h"
#include "raise/IR/Visitor.h"

using namespace llvm;

namespace raise::grad {

using Statements = AdjointBuilder::Statements;

static const Type I64 = Type::getI64();
static ExprRef number(int64_t N) { return build::intConst(N, I64); }
static StmtRef set(const VarRef &V, const ExprRef &E,
                   Combiner Op = Combiner::None) {
  return std::make_shared<Assign>(V, Op, E);
}
static StmtRef block(Statements S) {
  return std::make_shared<Block>(std::move(S));
}

/// C(room + times, times) steps are reversed with that room if none is computed
/// more than so many times again. The longest way to the next state after which
/// the steps before it and those after it can be: the former have the room, the
/// latter one less.
static StmtRef strideBody(const VarRef &Steps, const VarRef &Room) {
  const auto Local = [](const char *Name, bool Const = false) {
    auto V = std::make_shared<Var>();
    V->Name = Name;
    V->Ty = I64;
    V->Const = Const;
    return V;
  };
  const VarRef Times = Local("times"), Fewer = Local("fewer"),
               Reach = Local("reach");
  const auto Use = [](const VarRef &V) { return build::var(V); };
  const ExprRef One = number(1);
  Statements Out;
  Out.push_back(std::make_shared<If>(
      build::binary(BinaryOp::LOr, build::lt(Use(Room), number(2)),
                    build::lt(Use(Steps), number(2))),
      std::make_shared<Return>(Use(Steps)), nullptr));
  Out.push_back(std::make_shared<Decl>(Times, number(0)));
  Out.push_back(std::make_shared<Decl>(Fewer, One));
  Out.push_back(std::make_shared<Decl>(Reach, One));
  Out.push_back(std::make_shared<While>(
      build::lt(Use(Reach), Use(Steps)), /*TestFirst=*/true,
      block(
          {set(Times, One, Combiner::Add), set(Fewer, Use(Reach)),
           set(Reach, build::div(build::mul(Use(Reach),
                                            build::add(Use(Room), Use(Times))),
                                 Use(Times)))})));
  // C(room + times - 2, times - 1), of C(room + times - 1, times - 1).
  const VarRef After = Local("after", /*Const=*/true);
  Out.push_back(std::make_shared<Decl>(
      After, build::div(build::mul(Use(Fewer), Use(Room)),
                        build::sub(build::add(Use(Room), Use(Times)), One))));
  const ExprRef Most = build::sub(Use(Steps), Use(After));
  Out.push_back(std::make_shared<Return>(
      build::select(build::lt(Use(Fewer), Most), Use(Fewer), Most)));
  return block(std::move(Out));
}

CalleeRef strideFunction(Callees &Called, bool LanguageC) {
  if (Called.Stride)
    return Called.Stride;
  auto F = std::make_shared<Function>();
  F->Name = "steps_to_snapshot";
  while (!Called.Names->insert(F->Name).second)
    F->Name += '_';
  F->QualifiedName = F->Name;
  F->InternalLinkage = true;
  F->LanguageC = LanguageC;
  F->Result = I64;
  F->Comment =
      "How far to go from a state that is kept to the next, where so many "
      "steps "
      "are to be reversed with room for so many states, this one included, so "
      "that fewest steps are computed again (Griewank, Walther, Algorithm 799, "
      "ACM TOMS 26(1), 2000).";
  std::vector<VarRef> Params;
  for (const char *Name : {"steps", "room"}) {
    auto V = std::make_shared<Var>();
    V->Name = Name;
    V->Ty = I64;
    V->Kind = VarKind::Param;
    F->Params.push_back({V, nullptr});
    Params.push_back(V);
  }
  F->Body = strideBody(Params[0], Params[1]);
  auto Made = std::make_shared<Callee>();
  Made->Name = F->Name;
  Made->Result = I64;
  Made->Params = {I64, I64};
  Made->MayTrap = true; // a loop
  Made->Definition = F;
  Called.InOrder.push_back(F);
  return Called.Stride = Made;
}

void SegmentedLoop::countStates() {
  const std::string &Name = L.V->Name;
  const auto Least = [&](const ExprRef &E) {
    return build::select(build::lt(E, number(Snapshots)), E, number(Snapshots));
  };
  Parts = named(Name + "_room", {Least(Trips.There), Least(Trips.Back)});
  Back = counter(Name + "_left");
  Top = counter(Name + "_top");
  Next = counter(Name + "_next");
  Saves = array(Name, I64, Parts.There);
  Made.Before.push_back(std::make_shared<Decl>(Top, number(0)));
  Made.Before.push_back(std::make_shared<Decl>(Next, number(0)));
  Part = build::var(Top);
  Slot = build::sub(build::var(Top), number(1));
}

/// The step before which the youngest state was kept.
ExprRef SegmentedLoop::lastSaved() const {
  return std::make_shared<Load>(Access{Saves, {Slot}, {}, ""}, I64);
}

/// How far it is from step At, before which the youngest state was kept, to the
/// next, with the steps before End to be reversed.
ExprRef SegmentedLoop::stride(const ExprRef &At, const ExprRef &End,
                              const ExprRef &Room) {
  const ExprRef Free = build::add(build::sub(Room, build::var(Top)), number(1));
  return build::call(strideFunction(B.Called, B.Primal.LanguageC),
                     {build::sub(End, At), Free});
}

/// In step Here: `if (Here == next) { … }`.
StmtRef SegmentedLoop::savedAt(const ExprRef &Here, const ExprRef &End,
                               const ExprRef &Room, const Statements &Copies) {
  const ExprRef At = build::var(Next);
  Statements Then = Copies;
  Then.push_back(std::make_shared<Store>(Access{Saves, {Part}, {}, ""},
                                         Combiner::None, At));
  Then.push_back(set(Top, number(1), Combiner::Add));
  Then.push_back(set(Next, stride(At, End, Room), Combiner::Add));
  return std::make_shared<If>(build::binary(BinaryOp::EQ, Here, At),
                              block(std::move(Then)), nullptr);
}

/// From the youngest state to Last, the step that is reversed.
void SegmentedLoop::goForward(const VarRef &Last) {
  const VarRef From = local(L.V->Name + "_from", I64);
  const ExprRef Left = build::var(Back);
  Body.push_back(std::make_shared<Decl>(From, lastSaved()));
  Body.push_back(
      set(Next, build::add(build::var(From),
                           stride(build::var(From), Left, Parts.Back))));
  Body.push_back(
      std::make_shared<Decl>(Last, valueAt(build::sub(Left, number(1)))));
  Statements Each = {savedAt(build::cast(indexFrom(B.kept().at(L.Lo, P)), I64),
                             Left, Parts.Back, SavedAgain)};
  append_range(Each, statements(runAgain(L.Body, State.Outputs, Unread)));
  const StmtRef Way = std::make_shared<For>(
      L.V, valueAt(build::var(From)), Step > 0 ? BinaryOp::LT : BinaryOp::GT,
      build::var(Last), L.Step, LoopKind::Serial, /*DeclaresVar=*/true,
      block(std::move(Each)), L.Loc);
  Body.push_back(runAgain(Way, {}, {}));
  Body.push_back(std::make_shared<Decl>(L.V, build::var(Last)));
}

/// A state is no longer needed once its own step is reversed.
void SegmentedLoop::forget() {
  Body.push_back(std::make_shared<If>(
      build::binary(BinaryOp::EQ, lastSaved(),
                    build::sub(build::var(Back), number(1))),
      set(Top, number(1), Combiner::Sub), nullptr));
}

std::vector<std::string> SegmentedLoop::binomialNotes() const {
  // Of C(Snapshots + times, times) steps; what follows the loop is one of them.
  std::string Work;
  int64_t Reach = 1;
  for (int64_t Times = 1; Times <= 4; ++Times) {
    Reach = Reach * (Snapshots + Times) / Times;
    if (Reach > INT32_MAX)
      break;
    Work += (Times == 1 ? "Each step is computed at most " : ", ") +
            std::to_string(Times + 1) + (Times == 1 ? " times" : "") +
            " for up to " + std::to_string(Reach - 1) +
            (Times == 1 ? " steps" : "");
  }
  return {"The loop over " + L.V->Name + " is reversed from " +
              (Snapshots == 1 ? std::string("one state that is kept. ")
                              : "at most " + std::to_string(Snapshots) +
                                    " states that are kept. ") +
              Work + ".",
          "Kept for each state, in bytes: 8 (" + L.V->Name + ")" +
              (Bytes.empty() ? "" : " + " + Bytes) + "."};
}

} // namespace raise::grad
