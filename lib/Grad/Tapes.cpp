//===- Tapes.cpp - values that are kept -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Where a value is kept for the reverse sweep: in a variable, in an array over
// the loops around the place, or in one that grows.
//
//===----------------------------------------------------------------------===//

#include "ReversedLoop.h"
#include "Rules.h"
#include "Values.h"
#include "raise/Grad/Derivatives.h"
#include "raise/IR/Visitor.h"
#include "raise/Transform/IndexMath.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace raise::grad {

/// No value is read that the source might not read, and nothing traps.
static bool isHarmless(const ExprRef &E) {
  bool Fine = true;
  forEachExpr(E, [&](const ExprRef &Sub) {
    if (isa<Load>(*Sub) || isa<Call>(*Sub))
      Fine = false;
    auto *B = dyn_cast<Binary>(Sub.get());
    if (B && (B->Op == BinaryOp::Div || B->Op == BinaryOp::Rem))
      Fine &= isa<IntConst>(*B->R);
  });
  return Fine;
}

bool Values::isFixedIn(const ExprRef &E, const Node &Loop) const {
  bool Fixed = true;
  forEachExpr(E, [&](const ExprRef &Sub) {
    if (auto *U = dyn_cast<VarUse>(Sub.get()))
      Fixed &= !Loop.Sets.count(U->V.get());
  });
  return Fixed && isHarmless(E);
}

/// The step, if it is a number.
static std::optional<int64_t> stepOf(const For &L) {
  if (!L.V->Ty.isInt() || L.V->Kind == VarKind::Cursor)
    return std::nullopt;
  return fixedStep(L);
}

/// The value that E converts from int, if that is all that E does to it.
static ExprRef narrow(const ExprRef &E) {
  auto *C = dyn_cast<Cast>(E.get());
  return C && C->Operand->Ty == Type::getI32() ? C->Operand : nullptr;
}

static ExprRef atLeastZero(const ExprRef &E) {
  const ExprRef Zero = build::intConst(0, E->Ty);
  // `n > 2 ? n - 2 : 0`, which stays in n's type: it is computed only where it
  // is above 0.
  auto *Less = dyn_cast<Binary>(E.get());
  auto *By = Less && Less->Op == BinaryOp::Sub
                 ? dyn_cast<IntConst>(Less->R.get())
                 : nullptr;
  const ExprRef Of = narrow(By ? Less->L : E);
  if (Of && (!By || (By->Value > 0 && By->Value <= INT32_MAX))) {
    const ExprRef Least = build::intConst(By ? By->Value : 0, Of->Ty);
    return build::cast(build::select(build::binary(BinaryOp::GT, Of, Least),
                                     By ? build::sub(Of, Least) : Of,
                                     build::intConst(0, Of->Ty)),
                       E->Ty);
  }
  if (auto *C = dyn_cast<IntConst>(E.get()))
    return C->Value > 0 ? E : Zero;
  return build::select(build::binary(BinaryOp::GT, E, Zero), E, Zero);
}

/// Whether E grows by one with V, where it uses it.
static bool risesWith(const ExprRef &E, const Var *V) {
  if (auto *U = dyn_cast<VarUse>(E.get()))
    return U->V.get() == V;
  if (auto *C = dyn_cast<Cast>(E.get()))
    return C->Ty.isInt() && C->Ty.Bits >= C->Operand->Ty.Bits &&
           risesWith(C->Operand, V);
  auto *B = dyn_cast<Binary>(E.get());
  if (!B || (B->Op != BinaryOp::Add && B->Op != BinaryOp::Sub))
    return false;
  if (!uses(B->R, V))
    return risesWith(B->L, V);
  return B->Op == BinaryOp::Add && !uses(B->L, V) && risesWith(B->R, V);
}

/// E at the greatest or least values of the variables of Loops; null if it does
/// not rise with each that it uses.
ExprRef Values::extreme(ExprRef E, ArrayRef<CountedLoop> Loops, bool Greatest) {
  for (const CountedLoop &Outer : reverse(Loops)) {
    auto *F = cast<For>(Outer.Loop->S.get());
    if (!uses(E, F->V.get()))
      continue;
    const int64_t Step = *stepOf(*F);
    if (!risesWith(E, F->V.get()) || std::abs(Step) != 1 || !F->V->Ty.Signed)
      return nullptr;
    const Type &T = F->V->Ty;
    ExprRef To = Outer.Lo;
    if (Greatest == (Step > 0)) {
      const bool Closed = F->Cond == BinaryOp::LE || F->Cond == BinaryOp::GE;
      To = build::cast(Outer.Hi, T);
      if (!Closed)
        To = build::sub(To, build::intConst(Step, T));
    }
    E = substitute(E, F->V, build::cast(To, T));
  }
  return E;
}

/// The loops around L, outermost first, with bounds that their bounds do not
/// pass; false if one does not count up to what is known before the outermost
/// one.
bool Values::countIterations(const List &L,
                             std::vector<CountedLoop> &Loops) const {
  const Node *Top = nullptr;
  std::vector<const Node *> Owners;
  for (const List *At = &L; At && At->Owner; At = outer(*At)) {
    Top = At->Owner;
    if (Top->isLoop())
      Owners.push_back(Top);
  }
  for (const Node *Owner : reverse(Owners)) {
    auto *F = dyn_cast<For>(Owner->S.get());
    if (!F || !stepOf(*F))
      return false;
    const bool Up = *stepOf(*F) > 0;
    const ExprRef Lo = extreme(F->Lo, Loops, !Up),
                  Hi = extreme(F->Hi, Loops, Up);
    if (!Lo || !Hi || !isFixedIn(Lo, *Top) || !isFixedIn(Hi, *Top))
      return false;
    Loops.push_back({Owner, Lo, Hi});
  }
  return true;
}

/// The statement of the function's list that holds L.
static const Node *topOf(const List &L) {
  const Node *Top = L.Owner;
  while (Top && Top->In->Owner)
    Top = Top->In->Owner;
  return Top;
}

void Values::atHead(const Node &S, StmtRef Of) {
  const Node *Top = &S;
  while (Top->In->Owner)
    Top = Top->In->Owner;
  Saves[{&N.Root, Top->Index}].push_back(std::move(Of));
}

bool Values::growsIn(const List &L) const {
  return any_of(Positions,
                [&](const auto &At) { return isWithin(At.first.first, &L); });
}

/// Which iteration of L it is in which V, that began at Lo, has its value.
static ExprRef iteration(const For &L, const VarRef &V, const ExprRef &Lo) {
  const Type I64 = Type::getI64();
  const int64_t Step = *stepOf(L);
  // No difference of what is not negative overflows.
  auto *Least = dyn_cast<IntConst>((Step > 0 ? L.Lo : L.Hi).get());
  if (V->Ty == Type::getI32() && Lo->Ty == V->Ty && Least &&
      Least->Value >= 0 && std::abs(Step) == 1)
    return build::cast(Step > 0 ? build::sub(build::var(V), Lo)
                                : build::sub(Lo, build::var(V)),
                       I64);
  const auto Sum = Polynomial::of(Lo);
  const auto Number = Sum ? Sum->asConstant() : std::nullopt;
  const ExprRef At = build::cast(build::var(V), I64),
                Begin =
                    Number ? build::intConst(*Number, I64) : numberIn(Lo, I64);
  const ExprRef Gone = Step > 0 ? build::sub(At, Begin) : build::sub(Begin, At);
  const int64_t By = std::abs(Step);
  return By == 1 ? Gone : build::div(Gone, build::intConst(By, I64));
}

/// Whether the variable, of a size's type, is the number of the iteration, and
/// the bound how many there are.
bool Values::countsItself(const CountedLoop &Of) {
  auto *L = cast<For>(Of.Loop->S.get());
  return isNumber(Of.Lo, 0) && L->Cond == BinaryOp::LT && *stepOf(*L) == 1 &&
         L->V->Ty == Type::getInt(64, /*Signed=*/false) &&
         Of.Hi->Ty == L->V->Ty;
}

Values::Tape Values::tapeFor(Position At, const Type &T, StringRef Name,
                             ArrayRef<const Node *> Besides,
                             function_ref<unsigned(const Node &)> PlaceOf) {
  const Type I64 = Type::getI64();
  auto B = std::make_shared<Buffer>();
  B->Name = freshName(Name.str() + "_tape");
  B->Elem = T;
  B->Kind = BufferKind::Local;
  const Node *Top = topOf(*At.L);
  auto &Head = Saves[{&N.Root, Top->Index}];
  Tape R;
  std::vector<CountedLoop> Loops;
  std::vector<ExprRef> Indices, Extents;
  // In the reverse, what the bounds name may have changed.
  std::vector<ExprRef> ReadAt, ReadExtents;
  const auto InReverse = [&](const ExprRef &E) { return at(E, before(*Top)); };
  if (countIterations(*At.L, Loops)) {
    B->Lies = ArrayHome::Heap;
    ExprRef Size;
    erase_if(Loops, [&](const CountedLoop &Each) {
      return is_contained(Besides, Each.Loop);
    });
    if (PlaceOf)
      stable_sort(Loops, [&](const CountedLoop &A, const CountedLoop &B) {
        return PlaceOf(*A.Loop) < PlaceOf(*B.Loop);
      });
    if (Loops.size() == 1 && countsItself(Loops.front())) {
      const CountedLoop &Only = Loops.front();
      Size = Only.Hi;
      Indices = {build::var(cast<For>(Only.Loop->S.get())->V)};
      ReadAt = {build::var(reverseCounter(*Only.Loop))};
      Loops.clear();
    }
    for (const CountedLoop &Each : Loops) {
      auto *L = cast<For>(Each.Loop->S.get());
      const int64_t Step = *stepOf(*L);
      const ExprRef Trips = tripCount(L->Cond, Each.Lo, Each.Hi, Step),
                    Count = atLeastZero(Trips);
      Size = Size ? build::mul(Size, Count) : Count;
      if (Each.Loop != Loops.front().Loop) {
        Extents.push_back(Trips);
        ReadExtents.push_back(InReverse(Trips));
      }
      Indices.push_back(iteration(*L, L->V, Each.Lo));
      ReadAt.push_back(
          iteration(*L, reverseCounter(*Each.Loop), InReverse(Each.Lo)));
    }
    B->Extents = {Size};
    if (auto *N = dyn_cast<IntConst>(Size.get());
        N && isNear() && N->Value > 0 && N->Value <= 64)
      B->Lies = ArrayHome::Automatic;
  } else {
    B->Lies = ArrayHome::Growing;
    B->Extents = {build::intConst(0, I64)};
    VarRef &Pos = Positions[{At.L, At.Index}];
    if (!Pos) {
      auto V = std::make_shared<Var>();
      V->Name = freshName(Name.str() + "_count");
      V->Ty = I64;
      Pos = V;
      Head.push_back(std::make_shared<Decl>(Pos, build::intConst(0, I64)));
      R.Back =
          std::make_shared<Assign>(Pos, Combiner::Sub, build::intConst(1, I64));
    }
    Indices = ReadAt = {build::var(Pos)};
  }
  Head.push_back(std::make_shared<DeclBuffer>(B));
  R.Written = {B, std::move(Indices), std::move(Extents), ""};
  R.Read = {B, std::move(ReadAt), std::move(ReadExtents), ""};
  return R;
}

ExprRef Values::keep(const ExprRef &Of, Position At, StringRef Name,
                     const ExprRef &Cond, const ExprRef &There) {
  if (ExprRef K = known(Of, At, Cond))
    return K;
  ExprRef Value = There ? There : Of;
  if (Cond && Of->Ty.isBool())
    Value = build::logicalAnd(Cond, Of);
  else if (Cond)
    Value = build::select(Cond, Of, zero(Of->Ty));
  const auto Declare = [&](VarRef V, ExprRef Init = nullptr,
                           StmtRef Before = nullptr) {
    ExprRef Use =
        declare(Of, At, std::move(V), std::move(Init), std::move(Before));
    All.back().Cond = Cond;
    return Use;
  };
  VarRef V = headVariable(Of, At, Name);
  if (V->Kind == VarKind::Cursor) {
    auto Offset = std::make_shared<Var>(*V);
    Offset->Kind = VarKind::Local;
    Offset->Base = nullptr;
    V = Offset;
  }
  auto &Here = Saves[{At.L, At.Index}];
  if (!loopsAround(*At.L)) {
    // One value: a variable of the function's own scope.
    if (At.L == &N.Root) {
      Here.push_back(std::make_shared<Decl>(V, Value));
      return Declare(V);
    }
    auto Set = std::make_shared<Var>(*V);
    Set->Const = false;
    Here.push_back(std::make_shared<Assign>(Set, Combiner::None, Value));
    Saves[{&N.Root, topOf(*At.L)->Index}].push_back(
        std::make_shared<Decl>(Set, zero(Set->Ty)));
    return Declare(Set);
  }
  const Type T = Of->Ty.isBool() ? Type::getInt(8) : Of->Ty;
  const Tape Kept = tapeFor(At, T, Name);
  Saves[{At.L, At.Index}].push_back(std::make_shared<Store>(
      Kept.Written, Combiner::None, build::cast(Value, T)));
  return Declare(V, build::cast(std::make_shared<Load>(Kept.Read, T), Of->Ty),
                 Kept.Back);
}

} // namespace raise::grad
