//===- BlockSizes.cpp - how many elements a block has ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Of memory that is counted in bytes, the number of bytes must be seen to be a
// multiple of an element's. `n * sizeof(T)` is n elements, also where the
// product would not be one of size_t, and no memory could hold them.
//
//===----------------------------------------------------------------------===//

#include "MemoryBlock.h"

using namespace clang;
using namespace llvm;

namespace raise::lifting {

static ExprRef wide(const ExprRef &E) { return build::cast(E, Type::getI64()); }

/// E before conversions that keep every value which is no negative number.
static const clang::Expr *beforeWidening(const clang::Expr *E,
                                         const ASTContext &AST) {
  for (;;) {
    E = E->IgnoreParens();
    const auto *C = dyn_cast<CastExpr>(E);
    if (!C || C->getCastKind() != CK_IntegralCast ||
        AST.getIntWidth(C->getSubExpr()->getType()) >
            AST.getIntWidth(C->getType()))
      return E;
    E = C->getSubExpr();
  }
}

/// How many elements of Size bytes E bytes are; null if they are not seen to be
/// a multiple (no failure), or with a failure.
ExprRef Lifter::elementsIn(const clang::Expr *E, uint64_t Size) {
  E = beforeWidening(E, AST);
  clang::Expr::EvalResult R;
  if (E->EvaluateAsInt(R, AST) && !R.HasSideEffects) {
    const APSInt N = R.Val.getInt();
    if (N.isNegative() || N.getActiveBits() > 62 || N.getZExtValue() % Size)
      return nullptr;
    return build::intConst(N.getZExtValue() / Size, Type::getI64());
  }
  if (Size == 1) {
    ExprRef N = value(E);
    return N && N->Ty.isIntegral() ? N : nullptr;
  }
  const QualType T = E->getType();
  if (const auto *C = dyn_cast<CastExpr>(E))
    return C->getCastKind() == CK_NoOp || C->getCastKind() == CK_LValueToRValue
               ? elementsIn(C->getSubExpr(), Size)
               : nullptr;
  if (const auto *D = dyn_cast<DeclRefExpr>(E)) {
    // A variable that holds a size, made of what stays what it was.
    const auto *V = dyn_cast<VarDecl>(D->getDecl());
    if (!V || !V->hasLocalStorage() || isa<ParmVarDecl>(V) || !V->getInit() ||
        Facts.Assigned.contains(V) || Facts.Addressed.contains(V))
      return nullptr;
    ExprRef N = elementsIn(V->getInit(), Size);
    return N && isFixed(N) ? N : nullptr;
  }
  const auto *B = dyn_cast<clang::BinaryOperator>(E);
  // A narrow unsigned product may be less than its factors.
  if (!B || !T->isIntegerType() ||
      (T->isUnsignedIntegerType() && AST.getIntWidth(T) < 64))
    return nullptr;
  if (B->isAdditiveOp()) {
    ExprRef L = elementsIn(B->getLHS(), Size);
    ExprRef Rest = L ? elementsIn(B->getRHS(), Size) : nullptr;
    return !Rest                      ? nullptr
           : B->getOpcode() == BO_Add ? build::add(wide(L), wide(Rest))
                                      : build::sub(wide(L), wide(Rest));
  }
  if (B->getOpcode() != BO_Mul)
    return nullptr;
  for (const auto &[Bytes, Times] : {std::pair(B->getLHS(), B->getRHS()),
                                     std::pair(B->getRHS(), B->getLHS())}) {
    const size_t Before = Out->size();
    if (ExprRef N = elementsIn(Bytes, Size)) {
      ExprRef By = elementsIn(Times, 1);
      const auto *One = dyn_cast<IntConst>(N.get());
      return !By || (One && One->Value == 1) ? By
                                             : build::mul(wide(By), wide(N));
    }
    if (failed())
      return nullptr;
    Out->resize(Before);
  }
  return nullptr;
}

/// The number of elements that the call works on: of a memory block.
ExprRef Lifter::blockCount(const clang::Expr *Bytes, const MemoryBlock &To,
                           const MemoryBlock *From) {
  const uint64_t Size = AST.getTypeSizeInChars(To.Elem).getQuantity();
  uint64_t Row = To.rowLength();
  if (From && Row == 1)
    Row = From->rowLength();
  ExprRef Count = Size && !Bytes->HasSideEffects(AST, false)
                      ? elementsIn(Bytes, Size * Row)
                      : nullptr;
  if (!Count && !failed())
    refuse(codes::UnknownCall,
           "the size '" + shortText(Bytes->getSourceRange(), AST) +
               "' is not seen to be a multiple of " +
               (Row > 1 ? "a row's"
                        : "the size of '" + spellingOf(To.Elem, AST) + "'"),
           Bytes->getSourceRange());
  return Count;
}

/// Elements between two iterators.
ExprRef Lifter::blockLength(const MemoryBlock &From, const clang::Expr *End) {
  MemoryBlock Last;
  if (!memoryBlock(End, Last))
    return nullptr;
  if (Last.Kind != MemoryBlock::Elements || !Last.Inner.empty() ||
      !From.Inner.empty() || Last.At.A.Buf != From.At.A.Buf)
    return refuse(codes::PointerBase, "where the range ends is not followed",
                  End->getSourceRange());
  const ExprRef Zero = build::intConst(0, Type::getI64());
  if (!From.Offset)
    return Last.Offset ? Last.Offset : Zero;
  const ExprRef To = Last.Offset ? Last.Offset : Zero;
  if (const auto *Sum = dyn_cast<Binary>(To.get());
      Sum && Sum->Op == BinaryOp::Add && structurallyEqual(Sum->L, From.Offset))
    return Sum->R;
  return build::sub(To, From.Offset);
}

} // namespace raise::lifting
