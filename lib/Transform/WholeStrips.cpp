//===- WholeStrips.cpp - a range as strips of one length, and a rest ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "WholeStrips.h"
#include "FoldConstants.h"
#include "raise/IR/SizeTest.h"
#include "raise/IR/Visitor.h"
#include "llvm/ADT/STLExtras.h"

using namespace raise;

namespace {

std::shared_ptr<Var> named(const Iterator &It, const char *Suffix) {
  auto V = std::make_shared<Var>();
  V->Name = It.V->Name + Suffix;
  V->Ty = It.V->Ty;
  V->Loc = It.V->Loc;
  return V;
}

/// It has Least points. Null where the length might not be representable.
ExprRef isLong(const Iterator &It, int64_t Least) {
  const Type Own = It.V->Ty, Wide = Type::getI64();
  const ExprRef Hi = build::cast(It.Hi, Own), Lo = build::cast(It.Lo, Own);
  if (const auto From = constantValue(It.Lo);
      From && *From >= 0 && *From < INT32_MAX - Least)
    return sizeTest(BinaryOp::GE, Hi, build::intConst(*From + Least, Own));
  if (Own.Bits >= 64)
    return nullptr;
  return build::binary(BinaryOp::GE,
                       build::sub(build::cast(Hi, Wide), build::cast(Lo, Wide)),
                       build::intConst(Least, Wide));
}

/// Where the rest begins, for a range that is long enough.
ExprRef beginOfRest(const Iterator &It, int64_t Width) {
  const auto From = constantValue(It.Lo);
  const Type Own = It.V->Ty, As = From && *From >= 0 ? Own : Type::getI64();
  const ExprRef Hi = build::cast(build::cast(It.Hi, Own), As),
                Lo = build::cast(build::cast(It.Lo, Own), As);
  const ExprRef Length = From && *From == 0 ? Hi : build::sub(Hi, Lo);
  return build::cast(
      build::sub(Hi, build::rem(Length, build::intConst(Width, As))), Own);
}

} // namespace

std::optional<WholeStrips> raise::wholeStrips(const Iterator &It, int64_t Width,
                                              int64_t Least, bool IsLong) {
  const auto From = constantValue(It.Lo), To = constantValue(It.Hi),
             Step = constantValue(It.Step);
  // A sum of an unsigned counter may wrap, which is no vector's subscript.
  if (!Step || *Step != 1 || It.V->Ty.Bits < 32 ||
      (!It.V->Ty.Signed && It.V->Ty.Bits < 64))
    return std::nullopt;
  const Type Own = It.V->Ty;
  WholeStrips Of;
  Of.HasLast = true;
  if (From && To) {
    if (*From < 0 || *To > INT32_MAX || *To - *From < Least)
      return std::nullopt;
    const int64_t Begin = *To - (*To - *From) % Width;
    Of.Rest = build::intConst(Begin, Own);
    Of.HasLast = Begin != *To;
  } else {
    const ExprRef Test = isLong(It, Least);
    if (!Test)
      return std::nullopt;
    const ExprRef Lo = build::cast(It.Lo, Own), Begin = beginOfRest(It, Width);
    auto V = named(It, "_rest");
    V->Const = true;
    Of.RestDecl = std::make_shared<Decl>(
        V, IsLong ? Begin : build::select(Test, Begin, Lo), V->Loc);
    Of.Rest = build::var(V);
    if (!IsLong)
      Of.Any = build::binary(BinaryOp::GT, Of.Rest, Lo);
  }
  Of.Strips = It;
  Of.Strips.V = named(It, "_strip");
  Of.Strips.Hi = Of.Rest;
  Of.Strips.Step = build::intConst(Width, Own);
  Of.Strips.Kind = IterKind::Serial;
  Of.Points = It;
  Of.Points.Lo = build::var(Of.Strips.V);
  Of.Points.Hi =
      build::add(build::var(Of.Strips.V), build::intConst(Width, Own));
  Of.Last = It;
  Of.Last.Lo = Of.Rest;
  return Of;
}

ExprRef raise::lengthTest(const Iterator &It, int64_t Least,
                          const StmtRef &Body) {
  if (constantValue(It.Lo) && constantValue(It.Hi))
    return nullptr;
  const ExprRef Test = isLong(It, Least);
  bool Before = Test != nullptr; // may be asked there
  if (Test)
    forEachExpr(Test, [&](const ExprRef &E) {
      const auto *U = llvm::dyn_cast<VarUse>(E.get());
      Before &= !llvm::isa<Load>(E.get()) && !llvm::isa<Call>(E.get()) &&
                !(U && assigns(Body, U->V.get()));
    });
  return Before ? Test : nullptr;
}

bool raise::isImplied(const ExprRef &Test, llvm::ArrayRef<Guard> Guards) {
  const auto *T = llvm::dyn_cast_or_null<Binary>(Test.get());
  const auto Least =
      T && T->Op == BinaryOp::GE ? constantValue(T->R) : std::nullopt;
  return Least && llvm::any_of(Guards, [&](const Guard &G) {
           const auto *B = llvm::dyn_cast_or_null<Binary>(G.Cond.get());
           const auto C =
               B && B->Op == BinaryOp::GE ? constantValue(B->R) : std::nullopt;
           return C && *C >= *Least && structurallyEqual(B->L, T->L);
         });
}

Iterator raise::withOwnVariable(const Iterator &Range, StmtRef &S) {
  Iterator Own = Range;
  Own.V = std::make_shared<Var>(*Range.V);
  S = substitute(S, Range.V, build::var(Own.V));
  return Own;
}
