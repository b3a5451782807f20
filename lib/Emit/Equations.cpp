//===- Equations.cpp - what statements compute, as equations --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The invariant: at each point, the value that is kept for a variable, read in
// a program that consists of the equations so far, is the variable's value in
// the original program. Where no such value is known, the variable's name is
// right if every definition that may reach the point is an equation. Which
// definitions must be is found by need: a use asks for them, and the whole is
// read again until nothing more is asked for.
//
//===----------------------------------------------------------------------===//

#include "EquationReader.h"
#include "llvm/ADT/STLExtras.h"
#include <utility>

using namespace llvm;

namespace raise {
namespace equations {

/// What is short enough to stand in place of a name that is used several times
/// or once.
constexpr size_t InlineWidth = 12, OnceWidth = 56;

static bool isPrivate(const Buffer &B) {
  return B.Kind == BufferKind::Local || B.Kind == BufferKind::Shared;
}

// --- What a value rests on --------------------------------------------------

bool Reader::mayAlias(const Buffer *A, const Buffer *B) const {
  if (A == B)
    return true;
  bool Arrays = A->Kind == BufferKind::Global &&
                B->Kind == BufferKind::Global && A->Extents[0] && B->Extents[0];
  if (isPrivate(*A) || isPrivate(*B) || A->Restrict || B->Restrict || Arrays)
    return false;
  return none_of(Guards, [&](const Guard &G) {
    const Buffer *X = G.A.Buf.get(), *Y = G.B.Buf.get();
    return !G.Cond && ((X == A && Y == B) || (X == B && Y == A));
  });
}

void Reader::addMentions(const ExprRef &E, Mentions &M) const {
  forEachExpr(E, [&](const ExprRef &Sub) {
    if (auto *L = dyn_cast<Load>(Sub.get()))
      M.Buffers.insert(L->From.Buf.get());
    auto *U = dyn_cast<VarUse>(Sub.get());
    if (!U)
      return;
    auto It = OfSums.find(U->V.get());
    if (It == OfSums.end()) {
      M.Vars.insert(U->V.get());
      return;
    }
    M.Vars.insert(It->second.Vars.begin(), It->second.Vars.end());
    M.Buffers.insert(It->second.Buffers.begin(), It->second.Buffers.end());
  });
}

bool Reader::mentions(const ExprRef &E, const Var *V) const {
  Mentions M;
  addMentions(E, M);
  return M.Vars.count(V);
}

bool Reader::dependsOn(const ExprRef &E, const Buffer *B) const {
  Mentions M;
  addMentions(E, M);
  return any_of(M.Buffers, [&](const Buffer *X) { return mayAlias(X, B); });
}

void Reader::invalidate(function_ref<bool(const ExprRef &)> Stale) {
  for (auto &Entry : States)
    if (Entry.second.Value && Stale(Entry.second.Value))
      Entry.second.Value = nullptr;
  for (Condition &C : Conditions)
    C.Dead |= Stale(C.Holds);
  for (Range &R : Ranges)
    R.Dead |= Stale(R.Lo) || Stale(R.Hi) || Stale(R.Step);
}

void Reader::changed(const Var *V) {
  invalidate([&](const ExprRef &E) { return mentions(E, V); });
}

void Reader::changed(const Buffer *B) {
  invalidate([&](const ExprRef &E) { return dependsOn(E, B); });
}

// --- Values and names -------------------------------------------------------

void Reader::require(ArrayRef<Def> Defs) {
  for (const Def &X : Defs) {
    GaveUp |= !X.S;
    Asked |= X.S && D.Required.insert(X).second;
  }
}

bool Reader::isRequired(const Stmt *S, const Var *V) const {
  if (D.Required.count({S, V, false}))
    return true;
  return any_of(Enclosing, [&](const Stmt *Around) {
    return D.Required.count({Around, V, true});
  });
}

ExprRef Reader::use(const VarRef &V) {
  auto It = States.find(V.get());
  if (It == States.end())
    return build::var(V);
  auto &[Value, Defs, Depth] = It->second;
  // A sum is not taken anew by each iteration of another loop.
  if (!Value || (Ranges.size() > Depth && isSum(Value)))
    require(Defs);
  return Value ? Value : build::var(V);
}

ExprRef Reader::known(const ExprRef &E) {
  if (!E)
    return nullptr;
  Substitution Map;
  forEachExpr(E, [&](const ExprRef &Sub) {
    if (auto *U = dyn_cast<VarUse>(Sub.get()))
      if (auto It = States.find(U->V.get()); It != States.end()) {
        auto &[Value, Defs, Depth] = It->second;
        (void)Depth;
        if (D.Counting && Value && Defs.size() == 1)
          ++D.Uses[{Defs[0].S, U->V.get()}];
        Map[U->V.get()] = use(U->V);
      }
  });
  return Map.empty() ? E : substitute(E, Map);
}

Access Reader::known(const Access &A) {
  Access To = A;
  for (ExprRef &I : To.Indices)
    I = known(I);
  for (ExprRef &X : To.Extents)
    X = known(X);
  return To;
}

unsigned Reader::usesOf(const Stmt *S, const Var *V) const {
  auto It = D.Uses.find({S, V});
  return It == D.Uses.end() ? 0 : It->second;
}

bool Reader::isSum(const ExprRef &Value) const {
  return any_of(Out.Sums,
                [&](const Sum &X) { return uses(Value, X.Name.get()); });
}

bool Reader::isTooLong(const ExprRef &Value, const Stmt *S,
                       const VarRef &V) const {
  if (V->Kind == VarKind::Cursor || D.Counting)
    return false;
  Formula F = Widths.of(Value);
  bool Summed =
      any_of(Out.Sums, [&](const Sum &S) { return uses(Value, S.Name.get()); });
  if (F.Strength == Atom && !Summed)
    return false;
  // In a loop that sums, a name of its own would keep the sum from being one.
  bool Once = usesOf(S, V.get()) <= 1 || (V->Ty.isInt() && !Summed) ||
              !Accumulators.empty();
  return columns(F.Text) > (Once ? OnceWidth : InlineWidth);
}

/// A quotient or remainder of what is fixed in all of Root keeps its name.
bool Reader::isDigit(const VarRef &V, const ExprRef &Value) const {
  if (!V->Ty.isInt() || V->Kind == VarKind::Cursor)
    return false;
  bool Divides = false;
  forEachExpr(Value, [&](const ExprRef &E) {
    auto *B = dyn_cast<Binary>(E.get());
    Divides |= B && (B->Op == BinaryOp::Div || B->Op == BinaryOp::Rem);
  });
  unsigned Definitions = 0;
  assignedVars(Root, [&](const VarRef &X) { Definitions += X == V; });
  Mentions M;
  addMentions(Value, M);
  return Divides && Definitions == 1 && M.Buffers.empty() &&
         all_of(M.Vars, [&](const Var *X) {
           return Digits.count(X) || !assigns(Root, X) ||
                  any_of(Ranges, [&](const Range &R) {
                    return R.V.get() == X && !R.Dead;
                  });
         });
}

void Reader::line(Equation Line) {
  GaveUp |= any_of(Conditions, [](const Condition &C) { return C.Dead; }) ||
            any_of(Ranges, [](const Range &R) { return R.Dead; });
  if (Line.Loops.empty())
    Line.Loops = Ranges;
  if (!Line.After)
    for (const Condition &C : Conditions)
      Line.Where.push_back(C.Holds);
  Out.Lines.push_back(std::move(Line));
}

/// Whether E has more parts than a line could show by far. What is put in place
/// of names over and over doubles with each use of them.
static bool isHuge(const ExprRef &E) {
  struct Counter : Visitor {
    unsigned Left = 2000;
    bool visitExpr(const ExprRef &) override { return Left && --Left; }
  } C;
  C.walk(E);
  return C.Left == 0;
}

/// V is Value from here on; Line says so if it has to be said.
void Reader::define(const Stmt *S, const VarRef &V, const ExprRef &Value,
                    Equation Line) {
  const bool Huge = isHuge(Value);
  GaveUp |= Huge && V->Kind == VarKind::Cursor;
  bool Digit = !Huge && Line.Declares && isDigit(V, Value);
  if (Huge || Digit || isTooLong(Value, S, V))
    require(Def{S, V.get(), false});
  if (!isRequired(S, V.get())) {
    States[V.get()] = {Value, {{S, V.get(), false}}, Ranges.size()};
    return;
  }
  Line.At = S;
  Line.Scalar = V;
  Line.Lasting = Digit;
  if (Digit) {
    Digits.insert(V.get());
    Widths.addDigit(V, Value);
  }
  if (!Line.Value)
    Line.Value = Value;
  line(std::move(Line));
  changed(V.get());
  States[V.get()] = {build::var(V), {{S, V.get(), false}}};
}

// --- Straight lines ---------------------------------------------------------

void Reader::readDecl(const Decl &S) {
  States.erase(S.V.get());
  if (!S.Init) {
    States[S.V.get()] = State();
    return;
  }
  Equation Line;
  Line.Declares = true;
  ExprRef Value = build::cast(known(S.Init), S.V->Ty);
  define(&S, S.V, Value, std::move(Line));
}

void Reader::readArray(const DeclBuffer &S) {
  changed(S.B.get());
  const bool IsZero = llvm::all_of(S.Init, [](const ExprRef &E) {
    const auto *C = dyn_cast<IntConst>(withoutImplicitCasts(E).get());
    return C && C->Value == 0;
  });
  if (S.Init.empty() || (IsZero && !S.B->Const && S.Init.size() > 4))
    return; // what it starts with is no news
  Equation Line;
  Line.At = &S;
  Line.Array = S.B;
  Line.Declares = true;
  for (const ExprRef &E : S.Init)
    Line.Values.push_back(known(E));
  line(std::move(Line));
}

/// Old Op= Operand, converted as C's compound assignment does.
static ExprRef combined(const ExprRef &Old, Combiner Op,
                        const ExprRef &Operand) {
  ExprRef Wide = build::cast(Old, Operand->Ty);
  auto Apply = [&](BinaryOp B) {
    return build::cast(build::binary(B, Wide, Operand), Old->Ty);
  };
  switch (Op) {
  case Combiner::None:
    return build::cast(Operand, Old->Ty);
  case Combiner::Add:
    return Apply(BinaryOp::Add);
  case Combiner::Sub:
    return Apply(BinaryOp::Sub);
  case Combiner::Mul:
    return Apply(BinaryOp::Mul);
  case Combiner::Div:
    return Apply(BinaryOp::Div);
  case Combiner::Rem:
    return Apply(BinaryOp::Rem);
  case Combiner::And:
    return Apply(BinaryOp::And);
  case Combiner::Or:
    return Apply(BinaryOp::Or);
  case Combiner::Xor:
    return Apply(BinaryOp::Xor);
  case Combiner::Shl:
    return Apply(BinaryOp::Shl);
  case Combiner::Shr:
    return Apply(BinaryOp::Shr);
  case Combiner::LAnd:
    return Apply(BinaryOp::LAnd);
  case Combiner::LOr:
    return Apply(BinaryOp::LOr);
  case Combiner::Min:
  case Combiner::Max: {
    BinaryOp Compare = Op == Combiner::Min ? BinaryOp::LT : BinaryOp::GT;
    return build::cast(
        build::select(build::binary(Compare, Operand, Wide), Operand, Wide),
        Old->Ty);
  }
  }
  return nullptr;
}

bool isUseOf(const ExprRef &E, const Var *V) {
  auto *U = dyn_cast<VarUse>(E.get());
  return U && U->V.get() == V;
}

void Reader::readAssign(const Assign &A) {
  ExprRef Value = known(A.Value);
  if (auto It = Accumulators.find(A.V.get()); It != Accumulators.end()) {
    Accumulator &Into = It->second;
    Combined Term;
    Term.Op = A.Op;
    Term.Over.assign(Ranges.begin() + ptrdiff_t(Into.Ranges), Ranges.end());
    for (const Condition &C :
         ArrayRef(Conditions).drop_front(Into.Conditions)) {
      Term.Under.push_back(C.Holds);
      Into.Failed |= C.Dead;
    }
    Into.Failed |= any_of(Term.Over, [](const Range &R) { return R.Dead; }) ||
                   !combinesExactly(A.Op, A.V->Ty, Value->Ty);
    Term.Value = build::cast(Value, A.V->Ty);
    Into.Terms.push_back(std::move(Term));
    return;
  }
  if (A.Op == Combiner::None)
    return define(&A, A.V, build::cast(Value, A.V->Ty), {});
  ExprRef Old = use(A.V);
  Equation Line;
  if (isUseOf(Old, A.V.get())) {
    Line.Op = A.Op;
    Line.Value = Value;
  }
  define(&A, A.V, combined(Old, A.Op, Value), std::move(Line));
}

// --- Branches ---------------------------------------------------------------

void Reader::readIf(const StmtRef &S, const If &I) {
  ExprRef Cond = known(I.Cond);
  DenseMap<const Var *, State> Before = States;
  Enclosing.push_back(S.get());
  Conditions.push_back({Cond, false});
  read(I.Then);
  bool Dead = Conditions.back().Dead;
  DenseMap<const Var *, State> Then = std::move(States);
  States = std::move(Before);
  if (I.Else) {
    // Equations are read one after the other: what the first branch changed may
    // have changed what the condition says.
    Conditions.back() = {build::logicalNot(Cond), Dead};
    read(I.Else);
    Dead |= Conditions.back().Dead;
  }
  Conditions.pop_back();
  Enclosing.pop_back();
  merge(std::move(Then), Cond, Dead);
}

/// Joins Then with States, which is what the other branch left.
void Reader::merge(DenseMap<const Var *, State> Then, const ExprRef &Cond,
                   bool Dead) {
  for (auto &Entry : States) {
    const Var *V = Entry.first;
    State &Here = Entry.second;
    auto It = Then.find(V);
    if (It == Then.end()) { // from outside, and only assigned here
      Here.Value = nullptr;
      continue;
    }
    State &There = It->second;
    bool Same = Here.Defs == There.Defs;
    for (const Def &X : There.Defs)
      if (!is_contained(Here.Defs, X))
        Here.Defs.push_back(X);
    ExprRef A = There.Value, B = Here.Value;
    Here.Value = nullptr;
    if (!A || !B)
      continue;
    if (structurallyEqual(A, B))
      Here.Value = A;
    else if (!Same && !Dead && !isUseOf(A, V) && !isUseOf(B, V)) {
      ExprRef Choice = build::select(Cond, A, B);
      if (columns(Widths.of(Choice).Text) <= OnceWidth)
        Here.Value = Choice;
    }
  }
  // A variable from outside that only the first branch assigned.
  for (auto &Entry : Then)
    if (!States.count(Entry.first))
      States[Entry.first] = {nullptr, Entry.second.Defs};
}

void Reader::readBlock(const Block &B) {
  for (const StmtRef &S : B.Body)
    read(S);
  for (const StmtRef &S : B.Body) {
    if (auto *X = dyn_cast<Decl>(S.get())) {
      changed(X->V.get());
      States.erase(X->V.get());
    } else if (auto *X = dyn_cast<DeclBuffer>(S.get())) {
      changed(X->B.get());
    }
  }
}

void Reader::readStore(const Store &S) {
  Access To = known(S.To);
  ExprRef Value = known(S.Value);
  if (!sumOverLoops(S, To, Value)) {
    Equation Line;
    Line.At = &S;
    Line.Element = To;
    Line.Op = S.Op;
    Line.Value = Value;
    line(std::move(Line));
  }
  changed(S.To.Buf.get());
}

void Reader::read(const StmtRef &S) {
  switch (S->Kind) {
  case StmtKind::Block:
    return readBlock(*cast<Block>(S.get()));
  case StmtKind::Decl:
    return readDecl(*cast<Decl>(S.get()));
  case StmtKind::DeclBuffer:
    return readArray(*cast<DeclBuffer>(S.get()));
  case StmtKind::Assign:
    return readAssign(*cast<Assign>(S.get()));
  case StmtKind::Store:
    return readStore(*cast<Store>(S.get()));
  case StmtKind::If:
    return readIf(S, *cast<If>(S.get()));
  case StmtKind::Region:
    return read(cast<Region>(S.get())->meaning());
  case StmtKind::For: {
    auto &F = *cast<For>(S.get());
    return readLoop(S, {{F.V, F.Lo, F.Hi, F.Step, F.Cond}}, nullptr, F.Body);
  }
  case StmtKind::TensorOp: {
    auto &T = *cast<TensorOp>(S.get());
    std::vector<Range> Own;
    Own.reserve(T.Iterators.size());
    for (const Iterator &I : T.Iterators)
      Own.push_back({I.V, I.Lo, I.Hi, I.Step});
    return readLoop(S, Own, T.Mask, T.Body);
  }
  case StmtKind::Break:
  case StmtKind::Return:
  case StmtKind::Opaque:
    return readExit(S);
  default: // no equation says in which iterations it happens
    GaveUp = true;
  }
}

/// A way out of an operation in order. (A loop that one point runs is none.)
void Reader::readExit(const StmtRef &S) {
  auto *O = dyn_cast<Opaque>(S.get());
  if (Levels.empty() || !isa<TensorOp>(Levels.back().Loop) ||
      (O && !O->NoReturn)) {
    GaveUp = true;
    return;
  }
  Equation Line;
  Line.At = S.get();
  Line.Leaves = true;
  if (auto *R = dyn_cast<Return>(S.get()))
    Line.Value = known(R->Value);
  line(std::move(Line));
}

void Reader::readRoot() {
  read(Root);
  // What is declared outside may be used after it.
  for (const VarRef &V : assignedIn(Root))
    if (auto It = States.find(V.get()); It != States.end())
      if (!is_contained(It->second.Defs, Def{}) &&
          !(It->second.Value && isUseOf(It->second.Value, V.get())))
        require(It->second.Defs);
}

} // namespace equations

using namespace equations;

Equations equationsOf(const StmtRef &S, ArrayRef<Guard> Guards) {
  constexpr size_t MaxRounds = 200;
  Decisions D;
  for (size_t Round = 0; Round < MaxRounds; ++Round) {
    Reader R(S, Guards, D);
    R.readRoot();
    bool Counted = std::exchange(D.Counting, false);
    if (R.Asked || Counted)
      continue;
    if (R.GaveUp)
      break;
    R.Out.Known = true;
    return std::move(R.Out);
  }
  return Equations();
}

} // namespace raise
