//===- SplitRange.cpp - a loop's range in pieces --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Cutting a range keeps the order of the iterations, so it is right at any
// point inside; the guards say that the point is inside. What is to be proved
// is only that it was worth it.
//
//===----------------------------------------------------------------------===//
#include "FoldConstants.h"
#include "LoopForm.h"
#include "Peel.h"
#include "raise/Analysis/Crossings.h"
#include "raise/IR/Visitor.h"
#include "raise/Transform/Distribute.h"
#include "llvm/ADT/STLExtras.h"

using namespace raise;
using llvm::dyn_cast;

namespace {

/// E, an i64, as an expression of type Ty, if E is a value of that type, or a
/// part of one; else null.
ExprRef asOwn(const ExprRef &E, const Type &Ty) {
  if (E->Ty == Ty)
    return E;
  if (auto *C = dyn_cast<Cast>(E.get()))
    return C->Operand->Ty == Ty ? C->Operand : nullptr;
  auto *B = dyn_cast<Binary>(E.get());
  auto By = B && B->Op == BinaryOp::Div ? constantValue(B->R) : std::nullopt;
  if (!By || *By < 2 || *By > INT32_MAX)
    return nullptr;
  ExprRef Of = asOwn(B->L, Ty);
  return Of ? build::div(Of, build::intConst(*By, Ty)) : nullptr;
}

/// Where C cuts, in type Ty, which holds the result.
ExprRef pointOf(const Crossing &C, const Type &Ty) {
  if (!C.Start)
    return build::intConst(C.Divisor == 1 ? C.Offset : C.Offset / C.Divisor + 1,
                           Ty);
  // In the variable's own type where nothing on the way is larger than what
  // the guards compare, or than the result.
  ExprRef Start = asOwn(C.Start, Ty);
  bool Own = Start && (C.Divisor == 1 || C.Offset <= 0);
  Type In = Own ? Ty : Type::getI64();
  if (!Own)
    Start = C.Start;
  ExprRef At = plusConstant(Start, C.Offset);
  if (C.Divisor > 1)
    At = plusConstant(build::div(At, build::intConst(C.Divisor, In)), 1);
  return build::cast(ConstantFolder().run(At), Ty);
}

class RangeSplitter {
public:
  RangeSplitter(const LoopQuery &Q, const Function &F, const Context &Ctx)
      : Q(Q), L(*Q.Loop), F(F), Ctx(Ctx) {}

  std::optional<LoopSequence> at(const Crossing &C) const {
    LoopSequence Out;
    ExprRef Point = pointOf(C, L.V->Ty);
    Out.Known = factsOf(C, Point);
    auto Add = [&](ExprRef Lo, BinaryOp Cond, ExprRef Hi) {
      auto Piece =
          std::make_shared<For>(L.V, std::move(Lo), Cond, std::move(Hi), L.Step,
                                L.LKind, L.DeclaresVar, L.Body, L.Loc);
      Out.Body.push_back(Out.Body.empty() ? Piece : withOwnVariables(Piece));
      return isFree(*Piece, Out.Known);
    };
    bool First = structurallyEqual(Point, L.Lo);
    if (!First && !Add(L.Lo, BinaryOp::LT, Point))
      return std::nullopt;
    ExprRef Next = Point;
    if (C.Alone) {
      StmtRef Body = Out.Body.empty() ? L.Body : withOwnVariables(L.Body);
      Body = ConstantFolder().run(substitute(Body, L.V, Point));
      llvm::append_range(Out.Body, statements(Body));
      Next = plusConstant(Point, 1);
    }
    // Nothing is left behind the last point but what the variable is then.
    const bool Last = L.DeclaresVar && L.Cond == BinaryOp::LT &&
                      structurallyEqual(Next, L.Hi);
    if (!Last && !Add(Next, L.Cond, L.Hi))
      return std::nullopt;
    return Out;
  }

private:
  const LoopQuery &Q;
  const For &L;
  const Function &F;
  const Context &Ctx;

  /// q = Start / d + 1 is the integer with d * (q - 1) <= Start < d * q.
  static std::vector<ExprRef> factsOf(const Crossing &C, const ExprRef &Point) {
    if (C.Divisor == 1 || !C.Start)
      return {};
    Type Wide = Type::getI64();
    ExprRef D = build::intConst(C.Divisor, Wide);
    ExprRef Whole = build::add(C.Start, build::intConst(C.Offset, Wide));
    ExprRef Times = build::mul(D, build::cast(Point, Wide));
    return {build::binary(BinaryOp::LE, build::sub(Times, D), Whole),
            build::binary(BinaryOp::LT, Whole, Times)};
  }

  bool isFree(const For &Piece, const std::vector<ExprRef> &Known) const {
    LoopQuery Own = Q;
    Own.Loop = &Piece;
    llvm::append_range(Own.Known, Known);
    LoopFacts Found = analyseLoop(Own, F, Ctx);
    return raise::isFree(Found, L);
  }
};

} // namespace

std::optional<LoopSequence>
raise::splitRange(const LoopQuery &Q, const Function &F, const Context &Ctx) {
  if (!runsThrough(*Q.Loop) || !isFixedIn(Q.Loop->Step, *Q.Loop))
    return std::nullopt;
  FixedBounds Fixed = fixBounds(*Q.Loop);
  LoopQuery Own = Q;
  Own.Loop = Fixed.Loop.get();
  CrossingFacts Facts = findCrossings(Own, F, Ctx);
  if (Facts.Why.isSet())
    return std::nullopt;
  RangeSplitter Splitter(Own, F, Ctx);
  for (const Crossing &C : Facts.Places) {
    auto Found = Splitter.at(C);
    if (!Found)
      continue;
    Found->Body.insert(Found->Body.begin(), Fixed.Lets.begin(),
                       Fixed.Lets.end());
    Found->Guards = C.Guards;
    llvm::append_range(Found->Guards, Facts.Guards);
    Found->Assumed = Facts.Assumed;
    if (useLets(Found->Guards, Fixed))
      return std::nullopt;
    return Found;
  }
  return std::nullopt;
}
