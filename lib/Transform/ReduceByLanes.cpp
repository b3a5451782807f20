//===- ReduceByLanes.cpp - the largest float, by vectors ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
//   for (i) if (a[i] > m) m = a[i];
//
// is a vector loop for no compiler that minds NaNs and the signs of zeros. With
// an array of one m for each lane of a few vectors it is one for all of them:
//
//   for (strip) for (i in strip) m_lane[i - strip] max= a[i];
//   for (lane) m max= m_lane[lane];
//
// Why this is exact. All lanes begin with m and compare as the loop does, so a
// NaN in a is ignored by every lane, and a NaN in m stays in all of them. Else
// the result is the largest value of all, whoever compares it with what, and
// two values that are equal are the same bits but for zeros. The loop leaves
// the zero that comes first: m itself, if it is one; else the first one in a,
// which is looked for if a zero is the result and a[i] may be negative zero.
//
//===----------------------------------------------------------------------===//
#include "LaneValue.h"
#include "RegionPass.h"
#include "WholeStrips.h"
#include "raise/IR/Visitor.h"
#include "raise/Transform/Passes.h"
#include "llvm/ADT/STLExtras.h"

using namespace raise;
using llvm::cast;
using llvm::dyn_cast;
using llvm::isa;

namespace {

/// Vectors at once: as many as it takes to hide how long one comparison takes.
constexpr unsigned Vectors = 4;
/// Strips from which it pays to put the lanes together in the end.
constexpr int64_t LeastStrips = 32;
/// The same for each row of a table, whose lanes are put together once.
constexpr int64_t LeastOfRow = 2;

/// Whether E is no zero of negative sign.
bool isNeverNegativeZero(const ExprRef &E) {
  if (isAbsolute(E))
    return true;
  if (const auto *C = dyn_cast<Cast>(E.get()))
    return C->Operand->Ty.isInt() || isNeverNegativeZero(C->Operand);
  const auto *B = dyn_cast<Binary>(E.get());
  return B && B->Op == BinaryOp::Mul && structurallyEqual(B->L, B->R);
}

/// `V max= Value` or `V min= Value`, for all points of an operation.
struct Extremum {
  const TensorOp &T;
  std::shared_ptr<const Assign> A;
  std::vector<StmtRef> Lets;   ///< what Value uses
  std::vector<StmtRef> Places; ///< assignments where it is
  const Iterator &inner() const { return T.Iterators.back(); }
};

std::optional<Extremum> extremumOf(const TensorOp &T) {
  std::vector<StmtRef> Lets = statements(T.Body);
  const auto *A = Lets.empty() ? nullptr : dyn_cast<Assign>(Lets.back().get());
  if (!A || T.Mask || (A->Op != Combiner::Max && A->Op != Combiner::Min) ||
      !A->V->Ty.isFloat() || (A->V->Ty.Bits != 32 && A->V->Ty.Bits != 64) ||
      A->Value->Ty != A->V->Ty || uses(A->Value, A->V.get()) ||
      llvm::any_of(T.Iterators, [](const Iterator &It) {
        return It.Kind != IterKind::Reduction;
      }))
    return std::nullopt;
  const Var *Inner = T.Iterators.back().V.get();
  bool Moves = uses(A->Value, Inner), Ok = isLaneValue(A->Value, Inner);
  Lets.pop_back();
  for (const StmtRef &S : Lets) {
    const auto *D = dyn_cast<Decl>(S.get());
    // (What an iteration declares is no extremum of them all.)
    Ok &= D && D->V != A->V && D->Init && D->V->Ty.isFloat() &&
          isLaneValue(D->Init, Inner) && !uses(D->Init, A->V.get());
    Moves |= Ok && uses(D->Init, Inner);
  }
  if (!Ok || !Moves)
    return std::nullopt;
  return Extremum{T, std::make_shared<Assign>(*A), std::move(Lets), {}};
}

/// `if (Value > V) { V = Value; ... }` as the update of V, what else it does in
/// Places; null where it is none.
std::shared_ptr<const Assign> updateOf(const If &I,
                                       std::vector<StmtRef> &Places) {
  const auto *B = dyn_cast<Binary>(I.Cond.get());
  if (!B || (I.Else && !statements(I.Else).empty()) ||
      (B->Op != BinaryOp::LT && B->Op != BinaryOp::GT))
    return nullptr;
  std::shared_ptr<const Assign> Update;
  for (const StmtRef &S : statements(I.Then)) {
    const auto *A = dyn_cast<Assign>(S.get());
    if (!A || A->Op != Combiner::None)
      return nullptr;
    const auto Is = [&](const ExprRef &Value, const ExprRef &Old) {
      const auto *U = dyn_cast<VarUse>(Old.get());
      return U && U->V == A->V && structurallyEqual(Value, A->Value);
    };
    const bool Right = Is(B->L, B->R);
    if (!Right && !Is(B->R, B->L)) {
      Places.push_back(S);
      continue;
    }
    if (Update)
      return nullptr;
    const Combiner Op =
        (B->Op == BinaryOp::GT) == Right ? Combiner::Max : Combiner::Min;
    Update = std::make_shared<Assign>(A->V, Op, A->Value, A->Loc);
  }
  return Update;
}

/// An extremum whose place is kept with it.
std::optional<Extremum> placedExtremumOf(const TensorOp &T) {
  std::vector<StmtRef> Lets = statements(T.Body);
  const auto *I = Lets.empty() ? nullptr : dyn_cast<If>(Lets.back().get());
  if (!I || T.Iterators.size() != 1 ||
      T.Iterators.front().Kind != IterKind::Serial)
    return std::nullopt;
  std::vector<StmtRef> Places;
  const auto Update = updateOf(*I, Places);
  if (!Update || Places.empty())
    return std::nullopt;
  // As an operation that keeps no place it is an extremum as any other.
  const Var *Inner = T.Iterators.front().V.get();
  Lets.back() = Update;
  std::vector<Iterator> Free = T.Iterators;
  Free.front().Kind = IterKind::Reduction;
  const TensorOp Alone(Free, T.Mask, makeBlock(Lets), "", T.Loc);
  Lets.pop_back();
  if (!extremumOf(Alone)) // then Lets are declarations
    return std::nullopt;
  bool Ok = isRepeatable(Update->Value);
  for (const StmtRef &S : Lets)
    Ok &= isRepeatable(cast<Decl>(*S).Init);
  // Each of them is a value of the point.
  for (const StmtRef &S : Places) {
    const auto &A = cast<Assign>(*S);
    Ok &= A.V.get() != Inner && A.V != Update->V &&
          isLaneValue(A.Value, Inner) &&
          llvm::none_of(Lets, [&](const StmtRef &Let) {
            return cast<Decl>(*Let).V == A.V ||
                   uses(cast<Decl>(*Let).Init, A.V.get());
          });
    for (const ExprRef &E : {A.Value, Update->Value})
      Ok &= !uses(E, A.V.get());
    Ok &= !uses(A.Value, Update->V.get());
    for (const StmtRef &Other : Places)
      Ok &= S == Other || (cast<Assign>(*Other).V != A.V &&
                           !uses(cast<Assign>(*Other).Value, A.V.get()));
  }
  if (!Ok)
    return std::nullopt;
  return Extremum{T, Update, std::move(Lets), std::move(Places)};
}

StmtRef operation(Iterator It, IterKind Kind, StmtRef Body) {
  It.Kind = Kind;
  return std::make_shared<TensorOp>(std::vector<Iterator>{std::move(It)},
                                    nullptr, std::move(Body), "");
}

VarRef scalar(const std::string &Name, const Type &Ty) {
  auto V = std::make_shared<Var>();
  V->Name = Name;
  V->Ty = Ty;
  V->Const = true;
  return V;
}

/// What an extremum is of, with what has a name in it.
ExprRef valueOf(const Extremum &E) {
  const auto *U = dyn_cast<VarUse>(E.A->Value.get());
  for (const StmtRef &S : E.Lets)
    if (const auto &D = cast<Decl>(*S); U && D.V == U->V)
      return D.Init;
  return E.A->Value;
}

/// Writes one extremum by lanes.
class ByLanes {
public:
  ByLanes(const Extremum &E, const MachineFacts &Machine)
      : E(E),
        Width(Vectors * int64_t(Machine.VectorBytes) * 8 / E.A->V->Ty.Bits) {}
  /// Null where the range is known to be short, or cannot be cut. IsLong: it
  /// was tested to be long.
  StmtRef run(bool IsLong);
  /// Says that it is long, before the region of Body; null where that cannot
  /// be said, or is known.
  ExprRef test(const StmtRef &Body) const {
    return E.T.Iterators.size() > 1
               ? nullptr
               : lengthTest(E.inner(), LeastStrips * Width, Body);
  }

private:
  BinaryOp beats() const {
    return E.A->Op == Combiner::Max ? BinaryOp::GT : BinaryOp::LT;
  }
  Access lane(ExprRef At) const {
    Access A;
    A.Buf = Lanes;
    A.Indices = {std::move(At)};
    return A;
  }
  StmtRef forLanes(IterKind Kind, llvm::function_ref<StmtRef(ExprRef)> Body);
  StmtRef strips(const WholeStrips &Of);
  StmtRef signOfZero(const WholeStrips &Of, const VarRef &Before);
  StmtRef place(const WholeStrips &Of, const VarRef &Before, bool Zeros);
  StmtRef firstWhere(const WholeStrips &Of, const ExprRef &Cond,
                     std::vector<StmtRef> Then);
  StmtRef around(StmtRef Body) const;

  const Extremum &E;
  const int64_t Width;
  BufferRef Lanes;
};

StmtRef ByLanes::forLanes(IterKind Kind,
                          llvm::function_ref<StmtRef(ExprRef)> Body) {
  const auto V = scalar("lane", Type::getI32());
  auto Counter = std::make_shared<Var>(*V);
  Counter->Const = false;
  return operation(
      {Counter, build::intConst(0), build::intConst(Width), build::intConst(1)},
      Kind, Body(build::var(Counter)));
}

/// The comparisons of whole strips. Values go by scalars: that a lane is stored
/// in any case is what lets every compiler see a vector.
StmtRef ByLanes::strips(const WholeStrips &Of) {
  const Type &Ty = E.A->V->Ty;
  const auto Counter = std::make_shared<Var>();
  Counter->Name = "lane";
  Counter->Ty = Type::getI32();
  const Access Mine = lane(build::var(Counter));
  const auto Value = scalar(E.A->V->Name + "_" + Of.Points.V->Name, Ty),
             Best = scalar("best", Ty);
  // A value that has a name already keeps it.
  const bool Named = isa<VarUse>(E.A->Value.get());
  const ExprRef New = Named ? E.A->Value : build::var(Value);
  std::vector<StmtRef> List = E.Lets;
  if (!Named)
    List.push_back(std::make_shared<Decl>(Value, E.A->Value, E.A->Loc));
  List.push_back(std::make_shared<Decl>(Best, build::load(Mine)));
  List.push_back(std::make_shared<Store>(
      Mine, Combiner::None,
      build::select(build::binary(beats(), New, build::var(Best)), New,
                    build::var(Best))));
  const StmtRef Body = forLane(makeBlock(std::move(List)), Of.Points.V,
                               build::var(Of.Strips.V), Counter);
  return operation(Of.Strips, IterKind::Serial,
                   operation({Counter, build::intConst(0),
                              build::intConst(Width), build::intConst(1)},
                             IterKind::Parallel, Body));
}

/// Then at the first point of the strips for which Cond holds.
StmtRef ByLanes::firstWhere(const WholeStrips &Of, const ExprRef &Cond,
                            std::vector<StmtRef> Then) {
  Iterator First = E.inner();
  First.Hi = Of.Rest;
  Then.push_back(std::make_shared<Break>());
  std::vector<StmtRef> List = E.Lets;
  List.push_back(
      std::make_shared<If>(Cond, makeBlock(std::move(Then)), nullptr));
  StmtRef Body = makeBlock(std::move(List));
  First = withOwnVariable(First, Body);
  return operation(First, IterKind::Search, Body);
}

/// Where the extremum is, if it is another than it was before. A zero has the
/// sign of the first one, too.
StmtRef ByLanes::place(const WholeStrips &Of, const VarRef &Before,
                       bool Zeros) {
  std::vector<StmtRef> Then;
  if (Zeros)
    Then.push_back(
        std::make_shared<Assign>(E.A->V, Combiner::None, E.A->Value));
  llvm::append_range(Then, E.Places);
  const ExprRef Result = build::var(E.A->V);
  return std::make_shared<If>(
      build::binary(beats(), Result, build::var(Before)),
      firstWhere(Of, build::binary(BinaryOp::EQ, E.A->Value, Result),
                 std::move(Then)),
      nullptr);
}

/// Zeros of both signs are equal, and the loop keeps the first.
StmtRef ByLanes::signOfZero(const WholeStrips &Of, const VarRef &Before) {
  const ExprRef Zero = build::floatConst(0, E.A->V->Ty);
  const auto IsZero = [&](const ExprRef &X) {
    return build::binary(BinaryOp::EQ, X, Zero);
  };
  const ExprRef Result = build::var(E.A->V);
  StmtRef Again;
  if (E.T.Iterators.size() == 1) {
    Again = firstWhere(
        Of, IsZero(E.A->Value),
        {std::make_shared<Assign>(E.A->V, Combiner::None, E.A->Value)});
  } else {
    Again = makeBlock(
        {std::make_shared<Assign>(E.A->V, Combiner::None, build::var(Before)),
         std::make_shared<TensorOp>(E.T.Iterators, nullptr, E.T.Body, "",
                                    E.T.Loc)});
  }
  return std::make_shared<If>(
      build::logicalAnd(IsZero(Result),
                        build::binary(BinaryOp::NE, build::var(Before), Zero)),
      Again, nullptr);
}

/// Body for all points of the outer iterators.
StmtRef ByLanes::around(StmtRef Body) const {
  std::vector<Iterator> Outer(E.T.Iterators.begin(),
                              std::prev(E.T.Iterators.end()));
  if (Outer.empty())
    return Body;
  for (Iterator &It : Outer)
    It.Kind = IterKind::Serial;
  return std::make_shared<TensorOp>(std::move(Outer), nullptr, std::move(Body),
                                    "", E.T.Loc);
}

StmtRef ByLanes::run(bool IsLong) {
  const bool Nested = E.T.Iterators.size() > 1;
  const auto Of = wholeStrips(
      E.inner(), Width, (Nested ? LeastOfRow : LeastStrips) * Width, IsLong);
  // The lanes of a nest are put together once; its rows have to be of one
  // length for that to be known to pay.
  if (!Of || (Nested && Of->RestDecl))
    return nullptr;
  auto B = std::make_shared<Buffer>();
  B->Name = E.A->V->Name + "_lane";
  B->Elem = E.A->V->Ty;
  B->Kind = BufferKind::Local;
  B->Extents = {build::intConst(Width, Type::getI64())};
  B->Loc = E.A->Loc;
  Lanes = B;
  const ExprRef Result = build::var(E.A->V);
  std::vector<StmtRef> Body, Row = {strips(*Of)};
  const auto Rest = std::make_shared<TensorOp>(std::vector<Iterator>{Of->Last},
                                               nullptr, E.T.Body, "", E.T.Loc);
  if (Nested && Of->HasLast)
    Row.push_back(Rest);
  const bool Zeros = !isNeverNegativeZero(valueOf(E));
  const VarRef Before = scalar(E.A->V->Name + "_before", E.A->V->Ty);
  if (Zeros || !E.Places.empty())
    Body.push_back(std::make_shared<Decl>(Before, Result));
  Body.push_back(std::make_shared<DeclBuffer>(Lanes));
  Body.push_back(forLanes(IterKind::Parallel, [&](const ExprRef &At) {
    return std::make_shared<Store>(lane(At), Combiner::None, Result);
  }));
  Body.push_back(around(makeBlock(std::move(Row))));
  Body.push_back(forLanes(IterKind::Reduction, [&](const ExprRef &At) {
    return std::make_shared<Assign>(E.A->V, E.A->Op, build::load(lane(At)));
  }));
  if (!E.Places.empty())
    Body.push_back(place(*Of, Before, Zeros));
  else if (Zeros)
    Body.push_back(signOfZero(*Of, Before));
  if (!Of->Any) {
    if (Of->RestDecl)
      Body.insert(Body.begin(), Of->RestDecl);
    if (!Nested && Of->HasLast)
      Body.push_back(Rest);
    return makeBlock(std::move(Body));
  }
  return makeBlock(
      {Of->RestDecl,
       std::make_shared<If>(Of->Any, makeBlock(std::move(Body)), nullptr),
       Rest});
}

/// The extrema of one region.
class Operations : public Rewriter {
public:
  /// MayTest: small sizes may go to the region's original.
  Operations(const MachineFacts &Machine, const Region &R, bool MayTest)
      : Machine(Machine), R(R), MayTest(MayTest) {}
  std::vector<Guard> Tests;
  bool Changed = false;

private:
  const MachineFacts Machine;
  const Region &R;
  const bool MayTest;

  StmtRef rewriteStmt(const StmtRef &S) override {
    const auto *T = dyn_cast<TensorOp>(S.get());
    const auto Alone = T ? extremumOf(*T) : std::nullopt;
    const auto Placed = T && !Alone ? placedExtremumOf(*T) : std::nullopt;
    const auto &E = Alone ? Alone : Placed;
    if (!E)
      return S;
    // A short range is the original's; inside of loops, it is tested there.
    const bool Outermost =
        S == R.Body || llvm::is_contained(statements(R.Body), S);
    if (Outermost && !MayTest)
      return S;
    ByLanes By(*E, Machine);
    const ExprRef Test = Outermost ? By.test(R.Body) : nullptr;
    StmtRef New = By.run(Test != nullptr);
    if (!New)
      return S;
    Changed = true;
    if (Test && !isImplied(Test, R.Rests.Guards) && !isImplied(Test, Tests))
      Tests.push_back({Test, {}, {}, ""});
    return New;
  }
};

StmtRef byLanes(const Region &R, const MachineFacts &Machine, bool MayTest) {
  Operations By(Machine, R, MayTest);
  StmtRef Body = By.run(R.Body);
  if (!By.Changed)
    return nullptr;
  Obligations Rests = R.Rests;
  Rests.Guards.insert(Rests.Guards.end(), By.Tests.begin(), By.Tests.end());
  Rests.Proved.push_back(
      "each lane compares as the loop does, and of zeros the first stays");
  return laidOut(R, std::move(Body), std::move(Rests));
}

} // namespace

FunctionRef raise::reduceByLanes(FunctionRef F, Context &Ctx) {
  const bool MayTest = takesVectorLoops(*F, Ctx.Opts);
  const bool Derives = isDerivative(*F) && Ctx.Opts.Target == Dialect::OpenMP &&
                       Ctx.Opts.OpenMPSimd;
  if (!MayTest && !Derives)
    return F;
  return mapRegions(F, [&](const Region &R) {
    return byLanes(R, Ctx.Opts.Machine, MayTest);
  });
}
