//===- Walk.cpp - one iteration in program order --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Walk.h"
#include "raise/IR/Text.h"
#include "raise/IR/Visitor.h"

using namespace llvm;

namespace raise::analysis {

ExtraBounds Touch::bounds(const Symbols &S) const {
  ExtraBounds X;
  for (const Bounded &B : Path) {
    AtomId A = 0;
    if (!S.varies(B.P, A))
      continue;
    auto Split = B.P.splitLinear(A);
    if (!Split || !Split->first.isConstant())
      continue;
    if (Split->first.constantTerm() == 1)
      X.Lo[A].push_back({-Split->second, B.N});
    if (Split->first.constantTerm() == -1)
      X.Hi[A].push_back({Split->second, B.N});
  }
  return X;
}

bool excludeEachOther(const Touch &A, const Touch &B) {
  for (auto &[C, Outcome] : A.Fixed)
    for (auto &[D, Other] : B.Fixed)
      if (Outcome != Other && structurallyEqual(*C, *D))
        return true;
  return false;
}

/// Notes how each variable of Body gets its value. A loop's variable has one
/// during an iteration, so it counts as never assigned.
void Walk::findDefinitions(const StmtRef &Body) {
  std::map<const Var *, unsigned> Writes;
  assignedVars(Body, [&](const VarRef &V) { ++Writes[V.get()]; });
  forEachStmt(Body, [&](const StmtRef &St) {
    if (const auto *L = dyn_cast<For>(St.get()))
      if (L->DeclaresVar)
        --Writes[L->V.get()];
    const auto *D = dyn_cast<Decl>(St.get());
    if (D && D->Init && Writes[D->V.get()] == 1) {
      Definitions.emplace(D->V.get(), D->Init);
      --Writes[D->V.get()];
    }
  });
  for (auto &[V, Count] : Writes)
    if (Count > 0)
      Definitions[V] = nullptr;
}

/// The variable whose value E is, as a number of another type; null if E is
/// anything else.
static ExprRef convertedFrom(const ExprRef &E) {
  const auto *C = dyn_cast<Cast>(E.get());
  if (!C)
    return nullptr;
  return isa<VarUse>(C->Operand.get()) ? C->Operand : convertedFrom(C->Operand);
}

/// Whether no conversion in E is to a type of more bits.
static bool onlyNarrows(const ExprRef &E) {
  const auto *C = dyn_cast<Cast>(E.get());
  return !C || (C->Ty.Bits <= C->Operand->Ty.Bits && onlyNarrows(C->Operand));
}

/// What a variable from outside the loop was declared with, where the variables
/// that it was computed from still have their values: they are never assigned
/// either.
std::optional<Value> Walk::definition(const VarRef &V) {
  auto It = Definitions.find(V.get());
  if (It == Definitions.end() || !It->second || DefinitionDepth > 8)
    return std::nullopt;
  // Its base may be another one by now.
  if (V->Kind == VarKind::Cursor && V->Base->Home != PointerHome::Fixed)
    return std::nullopt;
  bool Fixed = true;
  forEachExpr(It->second, [&](const ExprRef &E) {
    Fixed &= !isa<Load>(E.get()) && !isa<Call>(E.get()) &&
             !isa<Select>(E.get()) && E->Ty.isIntegral();
    if (const auto *N = dyn_cast<NonNull>(E.get()))
      Fixed &= N->Buf->Home == PointerHome::Fixed;
    const auto *U = dyn_cast<VarUse>(E.get());
    if (!U)
      return;
    auto Other = Definitions.find(U->V.get());
    Fixed &= !Inside.count(U->V.get()) && U->V->Kind != VarKind::External &&
             (Other == Definitions.end() || Other->second);
  });
  if (!Fixed)
    return std::nullopt;
  ++DefinitionDepth;
  Value R = eval(It->second);
  --DefinitionDepth;
  if (!R.P.valid() || !S.guardable(R.P))
    return std::nullopt;
  // What `int n = v.size()` says needs a test, but for this: the last bits of
  // a number make none that is greater.
  if (const ExprRef From = convertedFrom(It->second); From && !R.N.empty()) {
    const bool IsNew = Converted.insert(V.get()).second;
    if (IsNew && !From->Ty.Signed && onlyNarrows(It->second))
      if (const Value Of = eval(From); Of.N.empty())
        S.addKnown(Of.P - Poly::atom(S.variable(V)));
    return std::nullopt;
  }
  // A named quotient reads better by its name.
  if (V->Kind != VarKind::Cursor)
    for (AtomId A : R.P.atoms())
      if (S[A].Derived)
        return std::nullopt;
  return R;
}

Walk::Walk(Symbols &S, const LoopQuery &Q, const Function &F, bool Inspect)
    : S(S), Q(Q), Inspect(Inspect) {
  findDefinitions(F.Body);
  if (Inspect)
    findLocals();
  // The loop may be newer than F's body.
  if (!Q.Enclosing.empty())
    findDefinitions(Q.Enclosing.front()->Body);
  Inside.insert(Q.Loop->V.get());
  assignedVars(Q.Loop->Body, [&](const VarRef &V) { Inside.insert(V.get()); });
  forEachStmt(Q.Loop->Body, [&](const StmtRef &St) {
    if (const auto *D = dyn_cast<DeclBuffer>(St.get()))
      Own.insert(D->B.get());
    if (const auto *W = dyn_cast<Store>(St.get()))
      WrittenFields.insert({W->To.Buf.get(), W->To.Field});
    if (const auto *W = dyn_cast<Store>(St.get()))
      if (Written.insert(W->To.Buf.get()).second)
        WrittenRefs.push_back(W->To.Buf);
    if (const auto *T = dyn_cast<TensorOp>(St.get()))
      for (const Iterator &I : T->Iterators)
        Inside.insert(I.V.get());
  });
}

void Walk::restore(const PathMark &M) {
  Path.resize(M.Path);
  Fixed.resize(M.Fixed);
  Iterators.resize(M.Iterators);
  Around.resize(M.Around);
  Exact = M.Exact;
  Conditions = M.Conditions;
}

Reason Walk::run() {
  for (const For *Outer : Q.Enclosing) {
    // What is known of the enclosing loops' variables.
    if (!Inside.count(Outer->V.get()) && isInvariant(Outer->Lo) &&
        isInvariant(Outer->Hi) && isInvariant(Outer->Step)) {
      Value Lo = eval(Outer->Lo), Hi = eval(Outer->Hi), St = eval(Outer->Step);
      Poly V = Poly::atom(S.variable(Outer->V)), One = Poly::constant(1);
      // A variable that may wrap may pass below its start.
      const Type &T = Outer->V->Ty;
      bool Wraps =
          T.Signed ? T.Bits < 32
                   : Outer->Cond != BinaryOp::LT || St.P != Poly::constant(1);
      bool Plain = T == Outer->Hi->Ty && Lo.N.empty() && Hi.N.empty() &&
                   St.P.isConstant() && !Wraps;
      if (Plain && St.P.constantTerm() > 0 &&
          (Outer->Cond == BinaryOp::LT || Outer->Cond == BinaryOp::LE)) {
        S.addKnown(V - Lo.P);
        S.addKnown(Hi.P - V - (Outer->Cond == BinaryOp::LT ? One : Poly()));
      }
    }
  }
  for (const ExprRef &K : Q.Known)
    if (isInvariant(K)) {
      Value V = eval(K);
      if (V.Means)
        for (const Bounded &B : V.Means->WhenTrue)
          if (B.N.empty())
            S.addKnown(B.P);
    }
  for (const auto &[Buf, Elements] : Q.Sizes)
    if (isInvariant(Elements))
      if (Value V = eval(Elements); V.P.valid())
        Sizes.try_emplace(Buf.get(), Bounded{V.P, V.N});
  Root = enter(*Q.Loop);
  if (Root.Why.isSet())
    return Root.Why;
  Values[Q.Loop->V.get()] = Root.V;
  Iterators.push_back(Root.A);
  Around.push_back(Q.Loop);
  walk(Q.Loop->Body);
  return {};
}

Run Walk::enter(const For &L) {
  Run R;
  auto Fail = [&](std::string Text) {
    R.Why = {"CR1112", std::move(Text), L.Loc};
    R.A = S.unknown(L.V->Name, "CR1112", R.Why.Text);
    R.V = {Poly::atom(R.A), {}, nullptr};
    R.Exact = false;
    return R;
  };
  Value Lo = eval(L.Lo), Hi = eval(L.Hi), Step = eval(L.Step);
  if (!Lo.P.valid() || !Hi.P.valid() || !Step.P.valid() || S.varies(Step.P))
    return Fail("the step of '" + L.V->Name + "' varies");
  const Type &VT = L.V->Ty, &HT = L.Hi->Ty;
  if (!VT.isInt() || !HT.isInt() || HT.Bits < VT.Bits)
    return Fail("the variable and its bound have unsuitable types");
  Poly One = Poly::constant(1), St = Step.P;
  Needs N = Lo.N + Hi.N + Step.N;
  bool Down = L.Cond == BinaryOp::GT || L.Cond == BinaryOp::GE ||
              (L.Cond == BinaryOp::NE && St == -One);
  bool Ne = L.Cond == BinaryOp::NE;
  auto Need = [&](const Poly &P, std::string Why) {
    auto F = S.require(P, Why);
    if (F)
      N = N + *F;
    return F.has_value();
  };
  // An unsigned variable steps down by adding a number that wraps.
  const auto *Number = dyn_cast<IntConst>(L.Step.get());
  if (Down && !VT.Signed && Number && Number->Value != 0) {
    const int64_t Wrapped =
        VT.Bits == 64 ? Number->Value : Number->Value - (int64_t(1) << VT.Bits);
    if (Wrapped > 0 || Wrapped < -(int64_t(1) << 20))
      return Fail("the step of '" + L.V->Name + "' is not understood");
    St = Poly::constant(Wrapped);
  }
  Poly Size = Down ? -St : St; // > 0
  if (Ne && Size != One)
    return Fail("'!=' with a step other than one may never be false");
  if (!Need(Size - One, "the step of '" + L.V->Name + "' is positive"))
    return Fail("the step of '" + L.V->Name + "' may not lead to the bound");
  bool Inclusive = L.Cond == BinaryOp::LE || L.Cond == BinaryOp::GE;
  Poly Span = Down ? Lo.P - Hi.P : Hi.P - Lo.P;
  Poly Past = Inclusive ? Poly() : One; // last = Hi -+ Past at most
  if (Ne && !Need(Span, "'" + L.V->Name + "' reaches its bound"))
    return Fail("'!=' may never be false");
  // The comparison converts the variable, and the variable must not wrap
  // before the loop ends.
  if (VT.Signed && !HT.Signed &&
      !Need(Lo.P, "'" + L.V->Name + "' starts at 0 or later"))
    return Fail("a negative '" + L.V->Name + "' would be compared as unsigned");
  if (Down && !HT.Signed &&
      !Need(Hi.P - Size + Past, "'" + L.V->Name + "' ends before it wraps"))
    return Fail("'" + L.V->Name + "' may wrap below zero");
  if (!Down && (!VT.Signed || VT.Bits < 32) && VT.Bits < 62) {
    Poly Most = Poly::constant((int64_t(1) << (VT.Bits - VT.Signed)) - 1);
    if (!Need(Most - Hi.P - Size + Past, "'" + L.V->Name + "' does not wrap"))
      return Fail("'" + L.V->Name + "' may wrap");
  } else if (!Down && !VT.Signed && !Ne && (Inclusive || Size != One)) {
    if (!Need(Poly::constant(int64_t(1) << 62) - Hi.P - Size,
              "'" + L.V->Name + "' does not wrap"))
      return Fail("'" + L.V->Name + "' may wrap");
  } else if (Down && VT.Signed && VT.Bits < 32) {
    Poly Least = Poly::constant(int64_t(1) << (VT.Bits - 1));
    if (!Need(Hi.P - Size + Past + Least, "'" + L.V->Name + "' does not wrap"))
      return Fail("'" + L.V->Name + "' may wrap");
  }
  R.A = S.iterator(L.V->Name);
  Poly A = Poly::atom(R.A);
  if (Size == One) {
    Poly Last = Down ? Hi.P + Past : Hi.P - Past;
    S.at(R.A).Lo.push_back({Down ? Last : Lo.P, N});
    S.at(R.A).Hi.push_back({Down ? Lo.P : Last, N});
    R.V = {A, N, nullptr};
    R.Count0 = Down ? Lo.P - A : A - Lo.P;
    R.Trips = Span + (Inclusive ? One : Poly());
    S.addSensible(*R.Trips - Poly::constant(2));
    return R;
  }
  // V = Lo + St * k: k is the atom.
  S.at(R.A).Name = "(iteration of " + L.V->Name + ")";
  S.at(R.A).Lo.push_back({Poly(), N});
  Poly Room = Span - Past; // Size * k <= Room
  R.V = {Lo.P + St * A, N, nullptr};
  R.Count0 = A;
  Constraints.insert({R.A, {Room - Size * A, N}});
  S.addSensible(Room - Size);
  if (auto Whole = Room.divideExactly(Size))
    S.at(R.A).Hi.push_back({*Whole, N});
  else if (auto Top = S.upper(Room))
    // Truncation is right for a negative Room too: then there is no k, and any
    // bound is.
    if (!S.varies(Size)) {
      // Dividing may make new atoms, which moves the old ones.
      Poly Quotient = Poly::atom(S.node(S.divide(Top->P, Size)).Q);
      S.at(R.A).Hi.push_back({Quotient, N + Top->N});
    }
  return R;
}

/// The flat index; Dims gets the index of each declared dimension where there
/// are several.
Value Walk::flatten(const Access &At, std::vector<Poly> &Dims) {
  Value Sum{Poly(), {}, nullptr};
  const auto &Declared = At.Buf->Extents;
  bool Several = !At.isView() && At.Indices.size() > 1;
  for (size_t K = 0; K < At.Indices.size(); ++K) {
    if (K > 0) {
      const ExprRef &Extent = At.isView()           ? At.Extents[K - 1]
                              : K < Declared.size() ? Declared[K]
                                                    : nullptr;
      if (!Extent)
        return {Poly::atom(S.unknown(At.Buf->Name, "CR1104",
                                     "a dimension of unknown extent")),
                {},
                nullptr};
      Value X = eval(Extent);
      Sum.P = Sum.P * X.P;
      Sum.N = Sum.N + X.N;
    }
    Value I = eval(At.Indices[K]);
    if (Several)
      Dims.push_back(I.P);
    Sum.P = Sum.P + I.P;
    Sum.N = Sum.N + I.N;
  }
  if (!Sum.P.valid())
    Sum.P = Poly::atom(
        S.unknown(At.Buf->Name, "CR1104", "a subscript too large to follow"));
  return Sum;
}

/// What the pointer that B is named by is read from with each use; null where
/// no store can change it.
BufferRef Walk::homeOf(const Buffer &B) {
  if (B.Home != PointerHome::Global && B.Home != PointerHome::Memory)
    return nullptr;
  BufferRef &Home = Homes[&B];
  if (Home)
    return Home;
  auto New = std::make_shared<Buffer>();
  New->Name = "&" + B.Name;
  New->Elem = Type::getInt(64, /*Signed=*/false);
  New->Kind =
      B.Home == PointerHome::Global ? BufferKind::Global : BufferKind::Pointer;
  New->Extents = {build::intConst(1, Type::getI64())};
  New->Loc = B.Loc;
  return Home = New;
}

/// That the pointer which B is named by is read.
void Walk::recordHome(const Buffer &B, const SourceLoc &Loc) {
  Access Read;
  if (B.Home == PointerHome::Memory && B.Owner) {
    Read.Buf = B.Owner;
    Read.Field = B.OwnerField;
  } else if (!(Read.Buf = homeOf(B))) {
    return;
  }
  Read.Indices = {build::intConst(0, Type::getI64())};
  record(Read, MemoryAccess::Mode::Read, nullptr, Loc);
}

void Walk::record(const Access &At, MemoryAccess::Mode How, const Store *By,
                  const SourceLoc &Loc) {
  for (const ExprRef &I : At.Indices)
    collect(I);
  for (const ExprRef &X : At.Extents)
    collect(X);
  if (Own.count(At.Buf.get()))
    return;
  Touch T;
  Value V = flatten(At, T.Dims);
  T.At = At;
  T.P = V.P;
  T.N = V.N;
  T.How = How;
  T.By = By;
  if (By) {
    T.Op = By->Op;
    T.Atomic = By->Atomic;
    T.FixedValue = isFixed(By->Value);
  }
  T.In = Current;
  T.Loc = Loc;
  T.Path = Path;
  T.Fixed = Fixed;
  T.Iterators = Iterators;
  T.Exact = Exact;
  T.Conditions = Conditions;
  Touches.push_back(std::move(T));
  recordHome(*At.Buf, Loc);
}

void Walk::assume(const ExprRef &Cond, bool Outcome) {
  ++Conditions;
  if (isInvariant(Cond))
    Fixed.push_back({Cond, Outcome});
  Value V = eval(Cond);
  size_t Before = Path.size();
  if (V.Means) {
    const auto &Means = Outcome ? V.Means->WhenTrue : V.Means->WhenFalse;
    Path.insert(Path.end(), Means.begin(), Means.end());
  }
  // One comparison is understood exactly; of more, perhaps a part.
  const auto *B = dyn_cast<Binary>(Cond.get());
  bool Whole =
      B && isComparison(B->Op) && B->L->Ty.isIntegral() && Path.size() > Before;
  Exact = Exact && Whole;
}

void Walk::collect(const ExprRef &E) {
  if (!E)
    return;
  auto Under = [&](const ExprRef &Cond, bool Outcome, const ExprRef &Sub) {
    PathMark M = mark();
    assume(Cond, Outcome);
    collect(Sub);
    restore(M);
  };
  switch (E->Kind) {
  case ExprKind::IntConst:
  case ExprKind::FloatConst:
  case ExprKind::VarUse:
    return;
  case ExprKind::NonNull:
    return recordHome(*cast<NonNull>(E.get())->Buf, E->Loc);
  case ExprKind::Load:
    return record(cast<Load>(E.get())->From, MemoryAccess::Mode::Read, nullptr,
                  E->Loc);
  case ExprKind::Unary:
    return collect(cast<Unary>(E.get())->Operand);
  case ExprKind::Cast:
    return collect(cast<Cast>(E.get())->Operand);
  case ExprKind::Call:
    for (const ExprRef &A : cast<Call>(E.get())->Args)
      collect(A);
    return;
  case ExprKind::Binary: {
    const auto *B = cast<Binary>(E.get());
    collect(B->L);
    if (B->Op == BinaryOp::LAnd)
      return Under(B->L, true, B->R);
    if (B->Op == BinaryOp::LOr)
      return Under(B->L, false, B->R);
    return collect(B->R);
  }
  case ExprKind::Select: {
    const auto *Sel = cast<Select>(E.get());
    collect(Sel->Cond);
    Under(Sel->Cond, true, Sel->True);
    Under(Sel->Cond, false, Sel->False);
    return;
  }
  }
}

void Walk::walkIf(const ExprRef &Cond, function_ref<void()> Then,
                  function_ref<void()> Else) {
  collect(Cond);
  // Both arms start from the same values.
  Value Test = eval(Cond);
  Env Before = Values;
  PathMark M = mark();
  assume(Cond, true);
  Then();
  restore(M);
  Env After = std::move(Values);
  Values = std::move(Before);
  assume(Cond, false);
  Else();
  restore(M);
  auto Unknown = [&](const Var *X) {
    return Value{
        Poly::atom(S.unknown(X->Name, "CR1104",
                             "'" + X->Name + "' depends on a condition")),
        {},
        nullptr};
  };
  auto Forget = [&](const Var *X) { Values[X] = Unknown(X); };
  std::vector<const Var *> OnlyElse;
  for (auto &V : Values)
    if (!After.count(V.first))
      OnlyElse.push_back(V.first);
  for (const Var *X : OnlyElse)
    Forget(X);
  for (const auto &Kept : After) {
    const Var *const X = Kept.first;
    const Value &V = Kept.second;
    auto It = Values.find(X);
    if (It != Values.end() && It->second.P == V.P)
      It->second.N = It->second.N + V.N;
    else if (It != Values.end() && It->second.P.valid() && V.P.valid())
      It->second = eitherOf(V, It->second, Test, [&] { return Unknown(X); });
    else
      Forget(X);
  }
}

} // namespace raise::analysis
