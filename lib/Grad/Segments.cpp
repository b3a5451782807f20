//===- Segments.cpp - a loop reversed from snapshots ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The forward sweep runs the loop and keeps its state every so many iterations.
// The reverse goes over the segments between these snapshots from the last:
// puts the state back, runs the segment again with tapes of its length, and
// reverses that. A segment is differentiated as a function of its own would be,
// with the adjoints of the whole. (Griewank, Walther, "Evaluating Derivatives",
// 2nd ed., SIAM 2008, chapter 12.)
//
//===----------------------------------------------------------------------===//

#include "ReversedLoop.h"
#include "SegmentedLoop.h"
#include "raise/IR/Text.h"
#include "raise/IR/Visitor.h"

using namespace llvm;

namespace raise::grad {

using Statements = AdjointBuilder::Statements;

namespace {

const Type I64 = Type::getI64();
ExprRef number(int64_t N) { return build::intConst(N, I64); }

StmtRef blockOf(Statements S) { return std::make_shared<Block>(std::move(S)); }

/// `for (V = 0; V < Count; V += 1) Body`, without a loop for one iteration.
StmtRef forEach(const VarRef &V, const ExprRef &Count, const StmtRef &Body) {
  if (auto *C = dyn_cast<IntConst>(Count.get()); C && C->Value == 1)
    return substitute(Body, V, build::intConst(0, V->Ty));
  return std::make_shared<For>(V, build::intConst(0, V->Ty), BinaryOp::LT,
                               Count, build::intConst(1, V->Ty),
                               LoopKind::Serial, /*DeclaresVar=*/true, Body);
}

/// Drops the assignments of variables.
class WithoutSetting : public Rewriter {
public:
  explicit WithoutSetting(const DenseSet<const Var *> &Vars) : Vars(Vars) {}

private:
  StmtRef rewriteStmt(const StmtRef &S) override {
    auto *A = dyn_cast<Assign>(S.get());
    return A && Vars.count(A->V.get()) ? nullptr : S;
  }
  const DenseSet<const Var *> &Vars;
};

/// Drops the stores to what the loop does not read.
class WithoutOutputs : public Rewriter {
public:
  explicit WithoutOutputs(const DenseSet<const Buffer *> &Outputs)
      : Outputs(Outputs) {}

private:
  StmtRef rewriteStmt(const StmtRef &S) override {
    auto *St = dyn_cast<Store>(S.get());
    return St && Outputs.count(St->To.Buf.get()) ? nullptr : S;
  }
  const DenseSet<const Buffer *> &Outputs;
};

/// S with variables and arrays of its own in place of those that it declares:
/// they are the loop's, which the forward sweep declares as well.
class Renewed : public Rewriter {
public:
  explicit Renewed(const StmtRef &S) {
    forEachStmt(S, [&](const StmtRef &Sub) {
      if (auto *D = dyn_cast<Decl>(Sub.get()))
        renew(D->V);
      else if (auto *L = dyn_cast<For>(Sub.get()); L && L->DeclaresVar)
        renew(L->V);
      else if (auto *B = dyn_cast<DeclBuffer>(Sub.get()))
        renew(B->B);
    });
  }

private:
  void renew(const VarRef &V) {
    auto New = std::make_shared<Var>(*V);
    New->Base = of(V->Base);
    if (New->Kind == VarKind::Param)
      New->Kind = VarKind::Local;
    Vars[V.get()] = New;
  }
  void renew(const BufferRef &B) {
    auto New = std::make_shared<Buffer>(*B);
    for (ExprRef &E : New->Extents)
      if (E)
        E = run(E);
    New->Count = of(B->Count);
    Buffers[B.get()] = New;
  }
  VarRef of(const VarRef &V) const {
    const VarRef New = Vars.lookup(V.get());
    return New ? New : V;
  }
  BufferRef of(const BufferRef &B) const {
    const BufferRef New = Buffers.lookup(B.get());
    return New ? New : B;
  }
  Access of(Access A) const {
    A.Buf = of(A.Buf);
    return A;
  }
  ExprRef rewriteExpr(const ExprRef &E) override {
    if (auto *U = dyn_cast<VarUse>(E.get()); U && Vars.count(U->V.get()))
      return std::make_shared<VarUse>(of(U->V), U->Loc);
    if (auto *L = dyn_cast<Load>(E.get());
        L && Buffers.count(L->From.Buf.get()))
      return std::make_shared<Load>(of(L->From), L->Ty, L->Loc);
    return E;
  }
  StmtRef rewriteStmt(const StmtRef &S) override {
    if (auto *D = dyn_cast<Decl>(S.get()))
      return std::make_shared<Decl>(of(D->V), D->Init, D->Loc);
    if (auto *A = dyn_cast<Assign>(S.get()))
      return std::make_shared<Assign>(of(A->V), A->Op, A->Value, A->Loc);
    if (auto *D = dyn_cast<DeclBuffer>(S.get()))
      return std::make_shared<DeclBuffer>(of(D->B), D->Init, D->Loc);
    if (auto *St = dyn_cast<Store>(S.get()))
      return std::make_shared<Store>(of(St->To), St->Op, St->Value, St->Atomic,
                                     St->Loc);
    if (auto *L = dyn_cast<For>(S.get()))
      return std::make_shared<For>(of(L->V), L->Lo, L->Cond, L->Hi, L->Step,
                                   L->LKind, L->DeclaresVar, L->Body, L->Loc);
    return S;
  }

  DenseMap<const Var *, VarRef> Vars;
  DenseMap<const Buffer *, BufferRef> Buffers;
};

/// Where a part of a buffer is kept, in the terms of the sweep that copies it.
struct Copy {
  const SavedPart *Of;
  BufferRef Kept;
  Overwrites::Box Box;
};

/// Moves a part between its buffer and snapshot Index of Kept.
StmtRef moved(const Copy &C, const ExprRef &Index, bool Back,
              function_ref<VarRef(size_t)> Counter) {
  Access There{C.Of->B, C.Box.Base, {}, C.Of->Field}, Here{C.Kept, {}, {}, ""};
  if (Index)
    Here.Indices.push_back(Index);
  std::vector<VarRef> Js;
  for (const Overwrites::Box::Side &Side : C.Box.Sides) {
    const VarRef J = Counter(Js.size());
    Js.push_back(J);
    // The snapshot's extents are those of its inner dimensions.
    if (!Here.Indices.empty())
      Here.Extents.push_back(Side.Count);
    Here.Indices.push_back(build::var(J));
    for (const auto &[To, Step] : zip(There.Indices, Side.Steps))
      if (auto *N = dyn_cast<IntConst>(Step.get()); !N || N->Value != 0)
        To = build::add(To, build::mul(build::var(J), Step));
  }
  if (Here.Indices.empty())
    Here.Indices.push_back(number(0));
  const auto From = Back ? Here : There, To = Back ? There : Here;
  const Type &FromT = Back ? C.Kept->Elem : C.Of->Elem,
             &ToT = Back ? C.Of->Elem : C.Kept->Elem;
  StmtRef S = std::make_shared<Store>(
      To, Combiner::None,
      build::cast(std::make_shared<Load>(From, FromT), ToT));
  for (const auto &[J, Side] : reverse(zip(Js, C.Box.Sides)))
    S = forEach(J, Side.Count, blockOf({S}));
  return S;
}

std::shared_ptr<Buffer> heapArray(std::string Name, const Type &T,
                                  const ExprRef &Size) {
  auto B = std::make_shared<Buffer>();
  B->Name = std::move(Name);
  B->Elem = T;
  B->Kind = BufferKind::Local;
  B->Lies = ArrayHome::Heap;
  B->Extents = {Size};
  return B;
}

/// How many elements B has.
ExprRef sizeOf(const Overwrites::Box &B) {
  ExprRef Size = number(1);
  for (const Overwrites::Box::Side &Side : B.Sides)
    Size = build::mul(Size, Side.Count);
  return Size;
}

/// Whether S reads V for something else than a new value of V.
bool isReadIn(const Statements &S, const Var *V) {
  struct Finder : Visitor {
    const Var *V = nullptr;
    bool Found = false;
    bool visitExpr(const ExprRef &E) override {
      auto *U = dyn_cast<VarUse>(E.get());
      Found |= U && U->V.get() == V;
      return true;
    }
    bool visitStmt(const StmtRef &S) override {
      auto *A = dyn_cast<Assign>(S.get());
      return !A || A->V.get() != V;
    }
  } F;
  F.V = V;
  for (const StmtRef &Each : S)
    F.walk(Each);
  return F.Found;
}

Type keptType(const Type &T) { return T.isBool() ? Type::getInt(8) : T; }

} // namespace

StmtRef runAgain(const StmtRef &Loop, const DenseSet<const Buffer *> &Outputs,
                 const DenseSet<const Var *> &Unread) {
  StmtRef S = WithoutOutputs(Outputs).run(Loop);
  S = S ? WithoutSetting(Unread).run(S) : nullptr;
  return S ? Renewed(S).run(S) : blockOf({});
}

/// The segment's forward sweep and its reverse.
Statements AdjointBuilder::segment(const Node &S, const StmtRef &Loop,
                                   const StepState &State) {
  auto F = std::make_shared<Function>(*Plain.F);
  F->Body = blockOf(statements(Loop).vec());
  Sweeps.push_back(
      std::make_unique<Sweep>(F, Plain.Counters, Alias, Later, Names));
  kept().setPart(dyn_cast<For>(Loop.get()), cast<For>(S.S.get()));
  for (const Buffer *B : State.Outputs)
    kept().avoid(B);
  Statements Reverse, Out;
  reverseOf(nest().Root, Reverse);
  if (!Reverse.empty()) {
    Statements Forward;
    forward(nest().Root, Forward);
    for (const StmtRef &Each : Forward)
      if (StmtRef Kept = WithoutOutputs(State.Outputs).run(Each))
        Out.push_back(Kept);
    append_range(Out, Reverse);
  }
  Finished.push_back(std::move(Sweeps.back()));
  Sweeps.pop_back();
  return Out;
}

SegmentedLoop::SegmentedLoop(AdjointBuilder &B, const Node &S)
    : B(B), S(S), L(*cast<For>(S.S.get())), P(before(S)),
      AtRoot(S.In == &B.nest().Root), Step(*fixedStep(L)),
      Every(B.Steps->Asked.Every), Snapshots(B.Steps->Asked.Snapshots),
      State(stateOf(B.nest(), S, B.Steps->Ranges,
                    [&](const Buffer &X, const Buffer &Y) {
                      return B.kept().mayMeet(X, Y);
                    })) {}

void SegmentedLoop::run(Statements &Out) {
  const VarRef First = local(L.V->Name + (isBinomial() ? "_last" : "_first"),
                             L.V->Ty),
               End = local(L.V->Name + "_end", L.V->Ty);
  const StmtRef Again = std::make_shared<For>(
      L.V, build::var(First), Step > 0 ? BinaryOp::LT : BinaryOp::GT,
      build::var(End), L.Step, LoopKind::Serial, /*DeclaresVar=*/true, L.Body,
      L.Loc);
  const Statements Both = B.segment(S, isBinomial() ? L.Body : Again, State);
  if (Both.empty())
    return; // nothing in it carries derivatives
  if (!B.Steps->Why.isSet())
    B.Steps->Why = State.Why;
  if (isBinomial() && !AtRoot && !B.Steps->Why.isSet())
    B.Steps->Why = {
        "CR1812",
        "checkpoint: the loop over '" + L.V->Name +
            "' runs under a condition (or after a return that "
            "stands before it), and 'scheme: binomial' is for loops "
            "that always run; move the loop to a function of its "
            "own, or use 'scheme: periodic'",
        L.Loc};
  if (B.Steps->Why.isSet())
    return;
  count();
  scalars(Both);
  arrays();
  once();
  atEnd();
  atSteps();
  isBinomial() ? goForward(First) : bounds(First, End);
  WithoutSetting Drop(Unread);
  for (const StmtRef &Each : Both)
    if (StmtRef Kept = Drop.run(Each))
      Body.push_back(std::move(Kept));
  if (isBinomial())
    forget();
  own();
  whole(Out);
  if (isBinomial())
    append_range(B.Steps->Notes, binomialNotes());
  else
    B.Steps->Notes.push_back(notes());
}

std::string SegmentedLoop::notes() const {
  return "The loop over " + L.V->Name + " is reversed by segments of " +
         std::to_string(Every) + " steps, each step computed twice. " +
         (Bytes.empty() ? "Nothing is kept of its state."
                        : "Kept for each segment, in bytes: " + Bytes + ".");
}

VarRef SegmentedLoop::local(StringRef Name, const Type &T) {
  return B.temporary(Name, T);
}

VarRef SegmentedLoop::counter(StringRef Name) {
  auto V = std::make_shared<Var>(*local(Name, I64));
  V->Const = false;
  return V;
}

SegmentedLoop::Both SegmentedLoop::named(StringRef Name, Both E) {
  if (isa<IntConst>(*E.There) || isa<VarUse>(*E.There))
    return E;
  const VarRef V = local(Name, I64);
  Made.Before.push_back(std::make_shared<Decl>(V, E.There));
  if (AtRoot)
    return {build::var(V), build::var(V)};
  const VarRef R = local(Name, I64);
  Sizes.push_back(std::make_shared<Decl>(R, E.Back));
  return {build::var(V), build::var(R)};
}

ExprRef SegmentedLoop::indexFrom(const ExprRef &Lo) const {
  const Expr *Start = Lo.get();
  while (auto *C = dyn_cast<Cast>(Start))
    Start = C->Operand.get();
  auto *From = dyn_cast<IntConst>(Start);
  const ExprRef V = build::var(L.V);
  if (From && From->Value == 0 && Step == 1 && L.V->Ty.Bits >= 32)
    return V;
  const ExprRef At = build::cast(V, I64), Begin = build::cast(Lo, I64);
  const ExprRef Gone = Step > 0 ? build::sub(At, Begin) : build::sub(Begin, At);
  const int64_t By = std::abs(Step);
  return By == 1 ? Gone : build::div(Gone, number(By));
}

/// The loop's variable in iteration Number, in the reverse sweep.
ExprRef SegmentedLoop::valueAt(const ExprRef &Number) const {
  const ExprRef Lo = build::cast(B.kept().at(L.Lo, P), I64);
  return build::cast(build::add(Lo, build::mul(Number, number(Step))), L.V->Ty,
                     /*Implicit=*/false);
}

/// How many iterations and segments there are, and where one is.
void SegmentedLoop::count() {
  Trips = named(L.V->Name + "_steps",
                inBoth(anyTripCount(L, {L.Lo, L.Hi, L.Step, L.V})));
  Index = indexFrom(L.Lo);
  if (isBinomial())
    return countStates();
  const auto InParts = [&](const ExprRef &E) {
    return build::div(build::add(E, number(Every - 1)), number(Every));
  };
  Parts =
      named(L.V->Name + "_parts", {InParts(Trips.There), InParts(Trips.Back)});
  Back = counter(L.V->Name + "_part");
  Size = build::intConst(Every, Index->Ty);
  Part = build::cast(build::div(Index, Size), I64);
  Slot = build::var(Back);
}

void SegmentedLoop::note(const std::string &Name, const ExprRef &Count,
                         const Type &Elem) {
  auto *C = dyn_cast<IntConst>(Count.get());
  Bytes += (Bytes.empty() ? "" : " + ") + std::to_string(Elem.sizeInBytes()) +
           (C && C->Value == 1 ? "" : " * (" + sourceText(Count) + ")") + " (" +
           Name + ")";
}

BufferRef SegmentedLoop::array(const std::string &Base, const Type &Elem,
                               const ExprRef &Count) {
  auto A = heapArray(B.kept().freshName(Base + "_kept"), Elem, Count);
  if (AtRoot) {
    Made.Before.push_back(std::make_shared<DeclBuffer>(A));
    return A;
  }
  // How large it is may not be known where both sweeps see it.
  A->Lies = ArrayHome::Growing;
  A->Extents = {number(0)};
  B.kept().atHead(S, std::make_shared<DeclBuffer>(A));
  return A;
}

void SegmentedLoop::scalars(const Statements &Again) {
  for (const VarRef &V : State.SetFirst)
    if (!B.isOutside(V))
      Body.push_back(
          std::make_shared<Decl>(V, build::cast(build::intConst(0), V->Ty)));
  for (const VarRef &V : State.Scalars) {
    if (!isReadIn(Again, V.get())) {
      Unread.insert(V.get());
      continue;
    }
    const BufferRef A = array(V->Name, keptType(V->Ty), Parts.There);
    note(V->Name, number(1), A->Elem);
    Saved.push_back(
        std::make_shared<Store>(Access{A, {Part}, {}, ""}, Combiner::None,
                                build::cast(build::var(V), A->Elem)));
    SavedAgain.push_back(Saved.back());
    const ExprRef Old = build::cast(
        std::make_shared<Load>(Access{A, {Slot}, {}, ""}, A->Elem), V->Ty);
    if (B.isOutside(V))
      Body.push_back(std::make_shared<Assign>(V, Combiner::None, Old));
    else
      Body.push_back(std::make_shared<Decl>(V, Old));
  }
}

/// Copies have counters of their own, whose scopes are apart.
VarRef SegmentedLoop::copies(size_t K) {
  if (K == Js.size())
    Js.push_back(B.kept().freshName("j"));
  auto V = std::make_shared<Var>();
  V->Name = Js[K];
  V->Ty = I64;
  return V;
}

StmtRef SegmentedLoop::copied(const SavedPart &Of, const BufferRef &Kept,
                              const Overwrites::Box &Box, const ExprRef &At,
                              bool IsBack) {
  return moved({&Of, Kept, Box}, At, IsBack,
               [this](size_t K) { return copies(K); });
}

static ExprRef runs(const ExprRef &Parts) {
  return build::binary(BinaryOp::GT, Parts, number(0));
}

static std::string nameOf(const SavedPart &A) {
  std::string Text = lastName(A.B->Name).str();
  for (char C : A.Field.empty() ? "" : "_" + A.Field)
    Text += C == '.' ? '_' : C;
  return Text;
}

/// The box of A in terms of both sweeps.
std::pair<Overwrites::Box, Overwrites::Box>
SegmentedLoop::boxes(const SavedPart &A) {
  Overwrites::Box There = A.Box, Again = A.Box;
  for (auto [To, From] : zip(There.Sides, Again.Sides)) {
    const Expr *Of = To.Count.get();
    auto [At, New] = CountOf.try_emplace(Of);
    if (New)
      At->second = named(nameOf(A) + "_size", inBoth(To.Count));
    To.Count = At->second.There;
    From.Count = At->second.Back;
    for (ExprRef &E : From.Steps)
      E = B.kept().at(E, P);
  }
  for (ExprRef &E : Again.Base)
    E = B.kept().at(E, P);
  return {std::move(There), std::move(Again)};
}

void SegmentedLoop::arrays() {
  for (const SavedPart &A : State.Arrays) {
    const auto [There, Again] = boxes(A);
    const BufferRef Kept = array(nameOf(A), keptType(A.Elem),
                                 build::mul(Parts.There, sizeOf(There)));
    note(A.B->Name, sizeOf(A.Box), A.Elem);
    Saved.push_back(copied(A, Kept, There, Part, /*IsBack=*/false));
    if (isBinomial())
      SavedAgain.push_back(copied(A, Kept, Again, Part, /*IsBack=*/false));
    Body.push_back(copied(A, Kept, Again, Slot, /*IsBack=*/true));
  }
}

void SegmentedLoop::once() {
  Statements Copies;
  for (const SavedPart &A : State.Once) {
    const auto [There, Again] = boxes(A);
    const BufferRef Kept = array(nameOf(A), keptType(A.Elem), sizeOf(There));
    Copies.push_back(copied(A, Kept, There, nullptr, /*IsBack=*/false));
    Ended.push_back(copied(A, Kept, Again, nullptr, /*IsBack=*/true));
  }
  if (!Copies.empty())
    Made.Before.push_back(
        std::make_shared<If>(runs(Parts.There), blockOf(Copies), nullptr));
}

void SegmentedLoop::atEnd() {
  for (const SavedPart &A : State.AtEnd) {
    const auto Again = boxes(A).second;
    const BufferRef Last = heapArray(B.kept().freshName(nameOf(A) + "_last"),
                                     keptType(A.Elem), sizeOf(Again));
    Begin.push_back(std::make_shared<DeclBuffer>(Last));
    Begin.push_back(copied(A, Last, Again, nullptr, /*IsBack=*/false));
    PutBack.push_back(copied(A, Last, Again, nullptr, /*IsBack=*/true));
  }
}

void SegmentedLoop::atSteps() {
  if (isBinomial()) {
    Made.EachStep.push_back(savedAt(build::cast(Index, I64),
                                    build::add(Trips.There, number(1)),
                                    Parts.There, Saved));
    return;
  }
  const ExprRef Here = build::binary(BinaryOp::EQ, build::rem(Index, Size),
                                     build::intConst(0, Index->Ty));
  if (!Saved.empty())
    Made.EachStep.push_back(
        std::make_shared<If>(Here, blockOf(Saved), nullptr));
}

/// The segment's first value of the loop's variable, and the one after its
/// last.
void SegmentedLoop::bounds(const VarRef &First, const VarRef &End) {
  const Type &T = L.V->Ty;
  const ExprRef Before = build::mul(build::var(Back), number(Every)),
                Left = build::sub(Trips.Back, Before);
  Body.push_back(std::make_shared<Decl>(First, valueAt(Before)));
  const ExprRef Length =
      build::select(build::lt(Left, number(Every)), Left, number(Every));
  Body.push_back(std::make_shared<Decl>(
      End, build::add(build::var(First),
                      build::mul(build::cast(Length, T, /*Implicit=*/false),
                                 build::intConst(Step, T)))));
}

/// What the loop reads of variables that the reverse sweep does not see, or
/// that change after it.
void SegmentedLoop::own() {
  Statements Own;
  DenseSet<const Var *> Seen;
  forEachExpr(L.Body, [&](const ExprRef &E) {
    auto *U = dyn_cast<VarUse>(E.get());
    if (!U || S.Sets.count(U->V.get()) || !Seen.insert(U->V.get()).second ||
        U->V->Kind == VarKind::External)
      return;
    const ExprRef To = B.kept().at(E, P);
    auto *Use = dyn_cast<VarUse>(To.get());
    if (Use && Use->V == U->V)
      return;
    auto V = std::make_shared<Var>(*U->V);
    V->Name = B.kept().freshName(V->Name + "_old");
    V->Const = true;
    if (V->Kind == VarKind::Param)
      V->Kind = VarKind::Local;
    Begin.push_back(std::make_shared<Decl>(V, To));
    Own.push_back(std::make_shared<Decl>(U->V, build::var(V)));
  });
  Body.insert(Body.begin(), Own.begin(), Own.end());
}

/// The segments, from the last. Nothing is copied where there are none: then
/// there may be no memory.
void SegmentedLoop::whole(Statements &Out) {
  StmtRef All = blockOf(std::move(Body));
  All = Renewed(All).run(All);
  Statements Sweep = std::move(Begin);
  append_range(Sweep, Ended);
  const bool Steps = isBinomial();
  Sweep.push_back(std::make_shared<For>(
      Back, Steps ? Trips.Back : build::sub(Parts.Back, number(1)),
      Steps ? BinaryOp::GT : BinaryOp::GE, number(0), number(-1),
      LoopKind::Serial, /*DeclaresVar=*/true, All, L.Loc));
  append_range(Sweep, PutBack);
  append_range(Out, Sizes);
  if (Sweep.size() == 1)
    Out.push_back(Sweep.front());
  else
    Out.push_back(
        std::make_shared<If>(runs(Parts.Back), blockOf(Sweep), nullptr));
  B.Snapped[&S] = std::move(Made);
}

void AdjointBuilder::segmented(const Node &S, Statements &Out) {
  SegmentedLoop(*this, S).run(Out);
}

bool AdjointBuilder::isOutside(const VarRef &V) const {
  const List *Scope = nest().scopeOf(V.get());
  return !Scope || Scope == &nest().Root;
}

} // namespace raise::grad
