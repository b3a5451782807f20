//===- Views.cpp - arrays of scalars that are seen as arrays of structures ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// `reinterpret_cast<float4 *>(x)[i].y`, where x points to floats, is x[4 * i +
// 1]: a structure of nothing but such floats, with nothing between them, lies
// where they lie. The memory stays that of x, whose elements offsets count; how
// many of them a pointer steps over is told by what the pointer points to.
//
//===----------------------------------------------------------------------===//

#include "Lifter.h"
#include "raise/IR/Visitor.h"

using namespace clang;
using namespace llvm;

namespace raise::lifting {

/// Bits between one element of type Ty and the next.
static uint64_t bitsOf(const Type &Ty, const ASTContext &AST) {
  if (Ty.isBool())
    return AST.getTypeSize(AST.BoolTy);
  return Ty.isFloat() && Ty.Bits == 80 ? AST.getTypeSize(AST.LongDoubleTy)
                                       : Ty.Bits;
}

/// How many scalars of type Elem an object of type T is, if it is nothing else.
static std::optional<uint64_t> flatSize(QualType T, const Type &Elem,
                                        const ASTContext &AST) {
  if (std::optional<Type> Ty = scalarType(T, AST))
    return *Ty == Elem ? std::optional<uint64_t>(1) : std::nullopt;
  if (const ConstantArrayType *A = AST.getAsConstantArrayType(T)) {
    const auto Inner = flatSize(A->getElementType(), Elem, AST);
    return Inner ? std::optional(*Inner * A->getSize().getZExtValue())
                 : std::nullopt;
  }
  const RecordDecl *R = T->getAsRecordDecl();
  R = R ? R->getDefinition() : nullptr;
  if (!R || R->isUnion() || R->isInvalidDecl())
    return std::nullopt;
  if (const auto *C = dyn_cast<CXXRecordDecl>(R))
    if (C->getNumBases() || C->isPolymorphic() || !C->isTriviallyCopyable() ||
        !C->hasTrivialDestructor())
      return std::nullopt;
  uint64_t Size = 0;
  for (const FieldDecl *Field : R->fields()) {
    const auto Inner =
        Field->isBitField() || Field->getType().isVolatileQualified()
            ? std::nullopt
            : flatSize(Field->getType(), Elem, AST);
    if (!Inner)
      return std::nullopt;
    Size += *Inner;
  }
  if (Size == 0 || AST.getTypeSize(T) != Size * bitsOf(Elem, AST))
    return std::nullopt; // it has a gap
  return Size;
}

/// The type that objects of type T are made of, if they may be of one alone.
static QualType leafOf(QualType T, const ASTContext &AST) {
  for (;;) {
    T = AST.getBaseElementType(T);
    const RecordDecl *R = T->getAsRecordDecl();
    R = R ? R->getDefinition() : nullptr;
    if (!R)
      return T;
    if (R->field_empty())
      return QualType();
    T = R->field_begin()->getType();
  }
}

bool maySee(QualType From, QualType To, const ASTContext &AST) {
  const QualType Whole = leafOf(From, AST), Part = leafOf(To, AST);
  if (Whole.isNull() || Part.isNull())
    return false;
  const std::optional<Type> A = scalarType(Whole, AST),
                            B = scalarType(Part, AST);
  return A && B && !A->isVoid() && *A == *B;
}

std::optional<Type> soleScalar(QualType T, const ASTContext &AST) {
  const QualType Leaf = leafOf(T, AST);
  const std::optional<Type> Ty =
      Leaf.isNull() ? std::nullopt : scalarType(Leaf, AST);
  return Ty && !Ty->isVoid() && flatSize(T, *Ty, AST) ? Ty : std::nullopt;
}

bool isViewOf(QualType T, const Buffer &Base, const ASTContext &AST) {
  return Base.rank() == 1 && !Base.Elem.isVoid() &&
         flatSize(T, Base.Elem, AST).has_value();
}

int64_t stepOf(QualType T, const Buffer &Base, const ASTContext &AST) {
  if (T.isNull() || Base.Elem.isVoid() || Base.rank() != 1)
    return 1;
  return flatSize(T, Base.Elem, AST).value_or(1);
}

ExprRef scaled(ExprRef Index, QualType T, const Buffer &Base,
               const ASTContext &AST) {
  Index = build::cast(Index, Type::getI64());
  const int64_t Step = stepOf(T, Base, AST);
  if (Step == 1)
    return Index;
  if (const auto *C = dyn_cast<IntConst>(Index.get()))
    return build::intConst(int64_t(uint64_t(C->Value) * uint64_t(Step)),
                           Type::getI64());
  return build::mul(build::intConst(Step, Type::getI64()), Index);
}

Place partAt(Place P, QualType T, const ASTContext &AST) {
  P.QualTy = T;
  const std::optional<Type> Ty = scalarType(T, AST);
  P.Kind = Ty ? Place::Memory : Place::Packed;
  if (Ty)
    P.Ty = *Ty;
  return P;
}

/// P, Further elements of its buffer on.
static Place moved(Place P, ExprRef Further) {
  const auto *C = dyn_cast<IntConst>(Further.get());
  if (!C || C->Value != 0)
    P.A.Indices[0] =
        build::add(build::cast(P.A.Indices[0], Type::getI64()), Further);
  return P;
}

Place packedMember(const Place &P, const FieldDecl *Field, QualType T,
                   const ASTContext &AST) {
  const uint64_t At = AST.getFieldOffset(Field) / bitsOf(P.A.Buf->Elem, AST);
  return partAt(moved(P, build::intConst(int64_t(At), Type::getI64())), T, AST);
}

Place packedElement(const Place &P, const ExprRef &Index, QualType T,
                    const ASTContext &AST) {
  return partAt(moved(P, scaled(Index, T, *P.A.Buf, AST)), T, AST);
}

Place packedPart(const Place &P, size_t I) {
  Place R = moved(P, build::intConst(int64_t(I), Type::getI64()));
  R.Kind = Place::Memory;
  R.Ty = P.A.Buf->Elem;
  return R;
}

/// `reinterpret_cast<float4 &>(x[i])`.
Place Lifter::viewedPlace(const CastExpr *E) {
  const clang::Expr *Sub = E->getSubExpr();
  if (!maySee(Sub->getType(), E->getType(), AST))
    return Place();
  const Pointer P = addressOf(Sub);
  if (!P.Base || !isViewOf(E->getType(), *P.Base, AST))
    return Place();
  return element(P, nullptr, E->getType(), E->getSourceRange());
}

/// Gives indices that read memory a variable: what is stored, part by part,
/// could change them.
void Lifter::keepIndices(Place &P) {
  for (ExprRef &I : P.A.Indices) {
    bool Reads = false;
    forEachExpr(I, [&](const ExprRef &E) { Reads |= isa<Load>(E.get()); });
    if (Reads)
      I = spill(I, "index");
  }
}

} // namespace raise::lifting
