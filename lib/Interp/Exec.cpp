//===- Exec.cpp - evaluating expressions, executing statements
//---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Engine.h"

namespace raise::interp {

llvm::StringRef describe(Stop S) {
  switch (S) {
  case Stop::Done:
    return "done";
  case Stop::OutOfRange:
    return "access out of range";
  case Stop::Uninitialised:
    return "read of an indeterminate value";
  case Stop::SignedOverflow:
    return "signed overflow";
  case Stop::DivisionByZero:
    return "division by zero";
  case Stop::FloatToIntRange:
    return "conversion of a floating value outside the integer's range";
  case Stop::NullPointer:
    return "access through a null pointer";
  case Stop::StepLimit:
    return "too many steps";
  case Stop::Unsupported:
    return "not supported by the interpreter";
  case Stop::DivergentBarrier:
    return "barrier not reached by all threads";
  case Stop::BadShift:
    return "shift by a negative or too large amount";
  case Stop::Requirement:
    return "what the function requires does not hold";
  }
  return "";
}

void Engine::fail(Stop Why, const SourceLoc &Loc, const llvm::Twine &Text) {
  if (failed())
    return;
  const SourceLoc &At = !Loc.isValid() && Current ? Current->Loc : Loc;
  Out.Why = Why;
  Out.Loc = At;
  std::string Place;
  if (At.isValid())
    Place = At.File + ":" + std::to_string(At.Line) + ":" +
            std::to_string(At.Column) + ": ";
  std::string Detail = Text.str();
  Out.Message =
      Place + describe(Why).str() + (Detail.empty() ? "" : ": ") + Detail;
}

bool Engine::step() {
  if (++Out.Steps > S.MaxSteps)
    fail(Stop::StepLimit, {}, std::to_string(S.MaxSteps));
  return !failed();
}

void Engine::check(Stop R, const SourceLoc &Loc) {
  if (R != Stop::Done)
    fail(R, Loc, "");
}

uint64_t Engine::nextRandom() { // splitmix64
  uint64_t Z = (Random += 0x9e3779b97f4a7c15ull);
  Z = (Z ^ (Z >> 30)) * 0xbf58476d1ce4e5b9ull;
  Z = (Z ^ (Z >> 27)) * 0x94d049bb133111ebull;
  return Z ^ (Z >> 31);
}

Scalar Engine::evalBinary(const ExprNode *N, Frame &F) {
  Scalar L = eval(N->A, F), Result = ofI(0);
  if (N->BOp == BinaryOp::LAnd && (failed() || !L.I))
    return ofI(0);
  if (N->BOp == BinaryOp::LOr && (failed() || L.I))
    return ofI(1);
  Scalar R = eval(N->B, F);
  if (failed())
    return Result;
  switch (N->BOp) {
  case BinaryOp::LAnd:
  case BinaryOp::LOr:
    return ofI(R.I != 0);
  case BinaryOp::Shl:
  case BinaryOp::Shr:
    check(shift(N->BOp == BinaryOp::Shl, N->Ty, L, N->B->Ty, R, Result),
          N->Src->Loc);
    return Result;
  default:
    check(binary(N->BOp, N->A->Ty, L, R, Result), N->Src->Loc);
    return Result;
  }
}

Scalar Engine::evalCall(const ExprNode *N, Frame &F) {
  std::vector<Scalar> Args;
  Args.reserve(N->Args.size());
  for (const ExprNode *A : N->Args)
    Args.push_back(eval(A, F));
  Scalar Result = ofI(0);
  if (failed())
    return Result;
  const auto &Src = *llvm::cast<Call>(N->Src);
  if (N->Math) {
    check(N->Math(Args.data(), Result), Src.Loc);
    if (isFloat(N->Ty) && !Src.Fn->Params.empty())
      Result.D = roundTo(Result.D, N->Ty);
    return Result;
  }
  if (!N->Callee || N->Callee->Params.size() != Args.size() ||
      !N->Callee->Globals.empty()) {
    fail(Stop::Unsupported, Src.Loc, "call of '" + Src.Fn->Name + "'");
    return Result;
  }
  if (F.CallDepth >= 64) {
    fail(Stop::Unsupported, Src.Loc, "recursion deeper than 64 calls");
    return Result;
  }
  Frame G;
  G.Vars.resize(N->Callee->NumVars);
  G.Bufs.resize(N->Callee->NumBufs);
  G.CallDepth = F.CallDepth + 1;
  G.Who = F.Who;
  for (size_t I = 0; I < Args.size(); ++I) {
    if (!N->Callee->Params[I].Src->Scalar) {
      fail(Stop::Unsupported, Src.Loc, "pointer argument of a call");
      return Result;
    }
    G.Vars[N->Callee->Params[I].Slot] = {Args[I], true};
  }
  G.Where.swap(F.Where);
  exec(N->Callee->Body, G);
  F.Where.swap(G.Where);
  if (!failed() && !G.HasResult)
    fail(Stop::Uninitialised, Src.Loc, "no value returned");
  return G.Result;
}

Scalar Engine::evalOther(const ExprNode *N, Frame &F) {
  Scalar Result = ofI(0);
  if (isFloat(N->Ty))
    Result = ofD(0);
  switch (N->Kind) {
  case ExprKind::IntConst:
  case ExprKind::FloatConst:
    return N->K;
  case ExprKind::VarUse: {
    const VarSlot &V = F.Vars[N->Slot];
    if (!V.Set) {
      fail(Stop::Uninitialised, N->Src->Loc,
           "variable '" + llvm::cast<VarUse>(N->Src)->V->Name + "'");
      return Result;
    }
    if (S.TraceScalars)
      traceScalar(llvm::cast<VarUse>(N->Src)->V.get(), F, false, Combiner::None,
                  N->Src->Loc);
    return V.V;
  }
  case ExprKind::Load:
    return load(N, F);
  case ExprKind::Unary: {
    Scalar V = eval(N->A, F);
    if (N->UOp == UnaryOp::Not)
      return ofI(isFloat(N->A->Ty) ? V.D == 0 : V.I == 0);
    if (N->UOp == UnaryOp::BitNot)
      return ofI(wrap(~V.I, N->Ty));
    if (!failed())
      check(negate(N->Ty, V, Result), N->Src->Loc);
    return Result;
  }
  case ExprKind::Binary:
    return evalBinary(N, F);
  case ExprKind::Select: {
    Scalar C = eval(N->A, F);
    chose(C.I != 0);
    return failed() ? Result : eval(C.I ? N->B : N->C, F);
  }
  case ExprKind::Cast: {
    Scalar V = eval(N->A, F);
    if (!failed())
      check(convert(V, N->A->Ty, N->Ty, Result), N->Src->Loc);
    return Result;
  }
  case ExprKind::Call:
    return evalCall(N, F);
  case ExprKind::NonNull:
    return ofI(F.Bufs[N->Slot].Store != nullptr);
  }
  return Result;
}

void Engine::assign(const StmtNode *N, Frame &F) {
  const auto &Src = *llvm::cast<Assign>(N->Src);
  Scalar V = eval(N->Value, F);
  if (failed())
    return;
  VarSlot &Slot = F.Vars[N->Slot];
  if (N->Op != Combiner::None && !Slot.Set)
    return fail(Stop::Uninitialised, Src.Loc, "variable '" + Src.V->Name + "'");
  Scalar Result = ofI(0);
  check(combine(N->Op, N->Ty, Slot.V, N->Value->Ty, V, Result), Src.Loc);
  Slot = {Result, true};
  if (S.TraceScalars)
    traceScalar(Src.V.get(), F, true, N->Op, Src.Loc);
}

bool Engine::loopGoesOn(const StmtNode *N, Scalar V, Scalar Hi) {
  Scalar C = ofI(0);
  check(convert(V, N->Ty, N->Hi->Ty, C), N->Src->Loc);
  return !failed() && compare(N->Cond, N->Hi->Ty, C, Hi);
}

bool Engine::advance(const StmtNode *N, Scalar &V, Scalar Step) {
  Scalar Next = V;
  check(combine(Combiner::Add, N->Ty, V, N->Step->Ty, Step, Next), N->Src->Loc);
  V = Next;
  return !failed();
}

/// All values that the loop's variable takes.
std::vector<Scalar> Engine::iterations(const StmtNode *N, Frame &F) {
  std::vector<Scalar> Values;
  Scalar Lo = eval(N->Lo, F), Hi = eval(N->Hi, F), Step = eval(N->Step, F);
  Scalar V = ofI(0);
  if (failed())
    return Values;
  check(convert(Lo, N->Lo->Ty, N->Ty, V), N->Src->Loc);
  while (!failed() && loopGoesOn(N, V, Hi)) {
    Values.push_back(V);
    if (!step() || !advance(N, V, Step))
      break;
  }
  if (!failed())
    F.Vars[N->Slot] = {V, true}; // what a variable from outside keeps
  return Values;
}

/// One iteration. Leave is set when the loop ends.
Flow Engine::execBody(const StmtNode *N, Frame &F, bool &Leave) {
  Flow R = step() ? exec(N->Body[0], F) : Flow::Return;
  Leave = R == Flow::Break || R == Flow::Return;
  return R == Flow::Return ? R : Flow::Next;
}

Flow Engine::runSerial(const StmtNode *N, Frame &F) {
  Scalar Lo = eval(N->Lo, F), Hi = eval(N->Hi, F), Step = eval(N->Step, F);
  Scalar V = ofI(0);
  if (failed())
    return Flow::Return;
  check(convert(Lo, N->Lo->Ty, N->Ty, V), N->Src->Loc);
  F.Vars[N->Slot] = {V, true};
  F.Where.emplace_back(N->Src, 0);
  Flow R = Flow::Next;
  bool Leave = false;
  while (!failed() && loopGoesOn(N, F.Vars[N->Slot].V, Hi)) {
    R = execBody(N, F, Leave);
    if (Leave || !advance(N, F.Vars[N->Slot].V, Step))
      break;
    ++F.Where.back().second;
  }
  F.Where.pop_back();
  return failed() ? Flow::Return : R;
}

Flow Engine::runOrdered(const StmtNode *N, Frame &F) {
  std::vector<std::pair<int64_t, Scalar>> Order;
  for (Scalar V : iterations(N, F))
    Order.emplace_back(Order.size(), V);
  if (failed())
    return Flow::Return;
  VarSlot Last = F.Vars[N->Slot];
  reorder(Order);
  bool Threads = isThreadLoop(N->LKind);
  std::vector<VarSlot> Own;
  Own.reserve(N->Params.size());
  for (unsigned P : N->Params)
    Own.push_back(F.Vars[P]);
  F.Where.emplace_back(N->Src, 0);
  const ThreadId Outer = F.Who;
  const bool OverBlocks = Threads && N->LKind <= LoopKind::GridZ;
  for (auto &[Count, V] : Order) {
    F.Vars[N->Slot] = {V, true};
    F.Where.back().second = Count;
    if (OverBlocks) {
      Shared.clear();
      PerWarp.clear();
    }
    F.Who = Outer;
    if (Threads)
      F.Who.enter(OverBlocks, Count, Order.size());
    bool Leave = false;
    Flow R = execBody(N, F, Leave);
    for (size_t I = 0; I < Own.size(); ++I)
      F.Vars[N->Params[I]] = Own[I];
    // A return ends the thread only.
    if (failed() || (Leave && !Threads)) {
      F.Where.pop_back();
      return failed() ? Flow::Return : R;
    }
  }
  F.Where.pop_back();
  F.Who = Outer;
  F.Vars[N->Slot] = Last;
  return Flow::Next;
}

Flow Engine::execFor(const StmtNode *N, Frame &F) {
  if (N->LKind == LoopKind::Serial || N->LKind == LoopKind::Simd ||
      N->LKind == LoopKind::Claimed)
    return runSerial(N, F);
  bool IsBlock = N->LKind >= LoopKind::BlockX && N->LKind <= LoopKind::BlockZ;
  if (IsBlock && N->HasBarrier)
    return runBlock(N, F);
  return runOrdered(N, F);
}

Flow Engine::execWhile(const StmtNode *N, Frame &F) {
  bool Test = llvm::cast<While>(N->Src)->TestFirst;
  F.Where.emplace_back(N->Src, 0);
  Flow R = Flow::Next;
  bool Leave = false;
  for (; !failed(); Test = true, ++F.Where.back().second) {
    if (Test && (!eval(N->Value, F).I || failed()))
      break;
    R = execBody(N, F, Leave);
    if (Leave)
      break;
  }
  F.Where.pop_back();
  return failed() ? Flow::Return : R;
}

Flow Engine::execTensor(const StmtNode *N, Frame &F, unsigned Depth) {
  if (Depth == N->Iterators.size()) {
    Flow R = Flow::Next;
    if (step() && (!N->Value || eval(N->Value, F).I) && !failed())
      R = exec(N->Body[0], F);
    return R == Flow::Continue ? Flow::Next : R;
  }
  const IteratorNode &I = N->Iterators[Depth];
  int64_t Lo = eval(I.Lo, F).I, Hi = eval(I.Hi, F).I, Step = eval(I.Step, F).I;
  if (failed())
    return Flow::Return;
  if (Step <= 0) {
    fail(Stop::Unsupported, N->Src->Loc, "iterator step is not positive");
    return Flow::Return;
  }
  bool Unsigned = !isSigned(I.Hi->Ty);
  auto Before = [&](int64_t A) {
    return Unsigned ? uint64_t(A) < uint64_t(Hi) : A < Hi;
  };
  Flow R = Flow::Next;
  auto RunAt = [&](int64_t Count, int64_t V) {
    F.Where.back().second = Count;
    F.Vars[I.Slot] = {ofI(wrap(V, I.Ty)), true};
    R = execTensor(N, F, Depth + 1);
    return R == Flow::Next && !failed();
  };
  // In order: one by one, since some iteration may be the last.
  if (I.Ordered) {
    F.Where.emplace_back(N->Src, 0);
    int64_t V = Lo;
    for (int64_t Count = 0; Before(V) && step() && RunAt(Count, V); ++Count)
      if (__builtin_add_overflow(V, Step, &V))
        break;
    F.Where.pop_back();
    return R == Flow::Break ? Flow::Next : R;
  }
  std::vector<std::pair<int64_t, int64_t>> Order;
  for (int64_t V = Lo; Before(V);) {
    Order.emplace_back(Order.size(), V);
    if (!step())
      return Flow::Return;
    if (__builtin_add_overflow(V, Step, &V))
      break;
  }
  if (I.Parallel)
    reorder(Order);
  F.Where.emplace_back(N->Src, 0);
  for (auto &[Count, V] : Order)
    if (!RunAt(Count, V))
      break;
  F.Where.pop_back();
  return R;
}

bool Engine::guardHolds(const GuardNode &G, Frame &F) {
  if (G.Cond)
    return eval(G.Cond, F).I != 0;
  int64_t LoA = eval(G.LoA, F).I, HiA = eval(G.HiA, F).I;
  int64_t LoB = eval(G.LoB, F).I, HiB = eval(G.HiB, F).I;
  const BufSlot &A = F.Bufs[G.BufA], &B = F.Bufs[G.BufB];
  // Cells of one storage have one size, so comparing cells compares bytes.
  if (!A.Store || !B.Store || A.Store != B.Store || LoA >= HiA || LoB >= HiB)
    return true;
  return A.Offset + HiA <= B.Offset + LoB || B.Offset + HiB <= A.Offset + LoA;
}

void Engine::meetRequirements(const FunctionCode &Code, Frame &F) {
  for (size_t I = 0; I < Code.Requires.size() && !failed(); ++I)
    if (!guardHolds(Code.Requires[I], F) && !failed())
      fail(Stop::Requirement, Code.Src->Loc, Code.Src->Requires[I].Why);
}

Flow Engine::execRegion(const StmtNode *N, Frame &F) {
  bool Body = S.Regions == Settings::Which::Body;
  if (S.Regions == Settings::Which::Guarded) {
    Body = true;
    if (N->Inspection)
      exec(N->Inspection, F);
    for (const GuardNode &G : N->Guards)
      if (Body && !failed())
        Body = guardHolds(G, F);
    if (failed())
      return Flow::Return;
    ++(Body ? Out.GuardsPassed : Out.GuardsFailed);
  }
  const StmtNode *Run = N->Body[Body ? 0 : 1];
  return Run ? exec(Run, F) : Flow::Next;
}

Flow Engine::exec(const StmtNode *N, Frame &F) {
  const Stmt *Outer = Current;
  if (N->Src->Loc.isValid())
    Current = N->Src;
  if (N->Kind != StmtKind::Block && !step())
    return Flow::Return;
  Flow R = Flow::Next;
  switch (N->Kind) {
  case StmtKind::Block:
    for (const StmtNode *Child : N->Body) {
      R = exec(Child, F);
      if (R != Flow::Next)
        break;
    }
    break;
  case StmtKind::Decl: {
    VarSlot New;
    if (N->Value) {
      Scalar V = eval(N->Value, F);
      if (!failed())
        check(convert(V, N->Value->Ty, N->Ty, New.V), N->Src->Loc);
      New.Set = true;
    }
    F.Vars[N->Slot] = New;
    if (N->Fact != StmtNode::FactKind::None && !failed())
      fact(N, New.V.I, F);
    break;
  }
  case StmtKind::DeclBuffer:
    declareBuffer(N, F);
    break;
  case StmtKind::Assign:
    assign(N, F);
    break;
  case StmtKind::Store:
    if (S.Reached)
      S.Reached->insert(N->Src);
    store(N, F);
    break;
  case StmtKind::For:
    R = execFor(N, F);
    break;
  case StmtKind::While:
    R = execWhile(N, F);
    break;
  case StmtKind::If: {
    bool C = eval(N->Value, F).I != 0;
    chose(C);
    if (!failed())
      if (const StmtNode *Branch = N->Body[C ? 0 : 1])
        R = exec(Branch, F);
    break;
  }
  case StmtKind::Barrier:
    waitAtBarrier(N);
    ++F.Who.Barriers;
    break;
  case StmtKind::Return:
    if (N->Value) {
      F.Result = eval(N->Value, F);
      F.HasResult = true;
    }
    R = Flow::Return;
    break;
  case StmtKind::Break:
    R = Flow::Break;
    break;
  case StmtKind::Continue:
    R = Flow::Continue;
    break;
  case StmtKind::Opaque:
    fail(Stop::Unsupported, N->Src->Loc, llvm::cast<Opaque>(N->Src)->Why);
    break;
  case StmtKind::TensorOp:
    R = execTensor(N, F, 0);
    break;
  case StmtKind::Region:
    R = execRegion(N, F);
    break;
  }
  Current = Outer;
  return failed() ? Flow::Return : R;
}

} // namespace raise::interp
