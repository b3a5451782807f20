//===- SmallFloat.cpp - bfloat16 and half, which are classes --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// `__nv_bfloat16` of <cuda_bf16.h>, and `__half` of <cuda_fp16.h> in kernels,
// are classes with conversions and operators that compute in float and round.
// An element of memory that is one has type bf16, or f16; variables and all
// that is computed are float, with the conversions that round in between (see
// raise/IR/SmallFloat.h).
//
//===----------------------------------------------------------------------===//

#include "raise/IR/SmallFloat.h"
#include "Lifter.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;
using namespace llvm;

namespace raise::lifting {

static const Type Wide = Type::getFloat(32);

/// Whether T is CUDA's class of this name.
static bool isClass(QualType T, StringRef Name) {
  const CXXRecordDecl *R = T.getNonReferenceType()->getAsCXXRecordDecl();
  return R && R->getIdentifier() && R->getName() == Name &&
         R->getDeclContext()->getRedeclContext()->isTranslationUnit() &&
         R->getASTContext().getSourceManager().isInSystemHeader(
             R->getLocation());
}

bool isBFloat16(QualType T) { return isClass(T, "__nv_bfloat16"); }
bool isHalf(QualType T) { return isClass(T, "__half"); }

Type Lifter::smallType(QualType T) const {
  if (isHalf(T))
    return getHalf();
  return getBFloat16(
      emittedSpelling(T.getNonReferenceType().getUnqualifiedType(), AST));
}

/// V, rounded to what T, such a class, holds.
ExprRef Lifter::rounded(const ExprRef &V, QualType T, SourceRange At) {
  const SourceLoc Loc = locate(At, AST);
  const Type To = isHalf(T) ? getHalf() : getBFloat16();
  return std::make_shared<raise::Cast>(
      std::make_shared<raise::Cast>(V, To, false, Loc), Wide, false, Loc);
}

/// What makes one of something else: `(T)x`, `T(x)`, an implicit conversion.
ExprRef Lifter::smallFrom(const CXXConstructExpr *C) {
  if (C->getNumArgs() != 1)
    return refuse(codes::ClassObject, "an object without a value",
                  C->getSourceRange());
  const clang::Expr *From = C->getArg(0);
  if (isSmall(From->getType()))
    return AST.hasSameUnqualifiedType(From->getType().getNonReferenceType(),
                                      C->getType())
               ? smallValue(From)
               : refuse(codes::ClassObject, "an object of another class",
                        C->getSourceRange());
  // The constructors take float, double, int and unsigned.
  if (!scalarType(From->getType(), AST))
    return refuse(codes::ClassObject, "an object with a constructor",
                  C->getSourceRange());
  const ExprRef V = value(From);
  return V ? rounded(V, C->getType(), C->getSourceRange()) : nullptr;
}

/// An operator of two, or a function that stands for one.
ExprRef Lifter::smallOperation(BinaryOp Op, const clang::Expr *L,
                               const clang::Expr *R, SourceRange At) {
  if (smallType(L->getType()) != smallType(R->getType()))
    return refuse(codes::ClassObject, "an operator of two classes", At);
  const ExprRef A = smallValue(L), B = A ? smallValue(R) : nullptr;
  if (!B)
    return nullptr;
  return rounded(std::make_shared<Binary>(Op, A, B, Wide, locate(At, AST)),
                 L->getType(), At);
}

static std::optional<BinaryOp> comparisonOf(OverloadedOperatorKind K) {
  switch (K) {
  case OO_Less:
    return BinaryOp::LT;
  case OO_LessEqual:
    return BinaryOp::LE;
  case OO_Greater:
    return BinaryOp::GT;
  case OO_GreaterEqual:
    return BinaryOp::GE;
  case OO_EqualEqual:
    return BinaryOp::EQ;
  case OO_ExclaimEqual:
    return BinaryOp::NE;
  default:
    return std::nullopt;
  }
}

/// Whether C compares two such values.
bool Lifter::comparesSmall(const clang::CallExpr *C) const {
  const auto *O = dyn_cast<CXXOperatorCallExpr>(C);
  return O && O->getNumArgs() == 2 && comparisonOf(O->getOperator()) &&
         isSmall(O->getArg(0)->getType()) && isSmall(O->getArg(1)->getType()) &&
         smallType(O->getArg(0)->getType()) ==
             smallType(O->getArg(1)->getType());
}

/// As floats, which the comparison makes of them.
ExprRef Lifter::smallComparison(const clang::CallExpr *C) {
  const auto *O = cast<CXXOperatorCallExpr>(C);
  ExprRef A, B;
  if (!operands([&] { return smallValue(O->getArg(0)); },
                [&] { return smallValue(O->getArg(1)); }, A, B))
    return nullptr;
  return std::make_shared<Binary>(*comparisonOf(O->getOperator()), A, B,
                                  Type::getBool(),
                                  locate(C->getSourceRange(), AST));
}

static std::optional<BinaryOp> operationOf(OverloadedOperatorKind K) {
  switch (K) {
  case OO_Plus:
  case OO_PlusEqual:
    return BinaryOp::Add;
  case OO_Minus:
  case OO_MinusEqual:
    return BinaryOp::Sub;
  case OO_Star:
  case OO_StarEqual:
    return BinaryOp::Mul;
  case OO_Slash:
  case OO_SlashEqual:
    return BinaryOp::Div;
  default:
    return std::nullopt;
  }
}

/// A function of CUDA's headers that takes so many values.
static StringRef libraryName(const clang::CallExpr *C, const ASTContext &AST,
                             unsigned Values = 1) {
  const FunctionDecl *FD = C->getDirectCallee();
  const bool IsLibrary =
      FD && FD->getIdentifier() && C->getNumArgs() == Values &&
      AST.getSourceManager().isInSystemHeader(FD->getLocation());
  return IsLibrary ? FD->getName() : "";
}

bool Lifter::isWidening(const clang::CallExpr *C) const {
  const StringRef Name = libraryName(C, AST);
  return (Name == "__bfloat162float" || Name == "__half2float") &&
         isSmall(C->getArg(0)->getType());
}

ExprRef Lifter::smallCall(const clang::CallExpr *C) {
  const SourceRange At = C->getSourceRange();
  if (const auto *O = dyn_cast<CXXOperatorCallExpr>(C)) {
    const auto Op = operationOf(O->getOperator());
    if (Op && !O->isAssignmentOp() && O->getNumArgs() == 2)
      return smallOperation(*Op, O->getArg(0), O->getArg(1), At);
    if (O->getOperator() == OO_Minus && O->getNumArgs() == 1) {
      const ExprRef V = smallValue(O->getArg(0));
      return V ? build::unary(UnaryOp::Neg, V) : nullptr;
    }
  }
  const StringRef Name = libraryName(C, AST);
  if (Name == "__float2bfloat16" || Name == "__float2bfloat16_rn" ||
      Name == "__double2bfloat16" || Name == "__int2bfloat16_rn" ||
      Name == "__float2half" || Name == "__float2half_rn" ||
      Name == "__double2half" || Name == "__int2half_rn") {
    const ExprRef V = value(C->getArg(0));
    return V ? rounded(V, C->getType(), At) : nullptr;
  }
  if (Name == "__hneg" && isSmall(C->getArg(0)->getType())) {
    const ExprRef V = smallValue(C->getArg(0));
    return V ? build::unary(UnaryOp::Neg, V) : nullptr;
  }
  const std::optional<BinaryOp> Op =
      StringSwitch<std::optional<BinaryOp>>(libraryName(C, AST, 2))
          .Case("__hadd", BinaryOp::Add)
          .Case("__hsub", BinaryOp::Sub)
          .Case("__hmul", BinaryOp::Mul)
          .Case("__hdiv", BinaryOp::Div)
          .Default(std::nullopt);
  if (Op && isSmall(C->getArg(0)->getType()) &&
      isSmall(C->getArg(1)->getType()))
    return smallOperation(*Op, C->getArg(0), C->getArg(1), At);
  // A load that may go through another cache.
  if (const StringRef Load = libraryName(C, AST);
      Load == "__ldg" || Load == "__ldcs" || Load == "__ldcg") {
    const Pointer P = pointer(C->getArg(0));
    const Place From =
        P.isSet()
            ? element(P, nullptr, C->getArg(0)->getType()->getPointeeType(), At)
            : Place();
    return From.isSet() ? load(From, At) : nullptr;
  }
  const FunctionDecl *FD = target(C);
  if (failed())
    return nullptr;
  std::vector<VarRef> Results;
  if (FD && knownBody(FD) && !libraryName(C, AST, C->getNumArgs()).size())
    return inlineCall(FD, C, Results) ? build::var(Results.front()) : nullptr;
  return refuse(codes::UnknownCall,
                "'" + calleeName(C) + "' makes a " +
                    (isHalf(C->getType()) ? "half" : "bfloat16") +
                    ", and is not followed",
                At);
}

/// The value of E, of that class, as a float.
ExprRef Lifter::smallValue(const clang::Expr *E) {
  E = E->IgnoreParens();
  if (const auto *C = dyn_cast<ExprWithCleanups>(E))
    return smallValue(C->getSubExpr());
  if (const auto *C = dyn_cast<MaterializeTemporaryExpr>(E))
    return smallValue(C->getSubExpr());
  if (const auto *C = dyn_cast<CXXBindTemporaryExpr>(E))
    return smallValue(C->getSubExpr());
  if (const auto *C = dyn_cast<CXXConstructExpr>(E))
    return smallFrom(C);
  if (const auto *C = dyn_cast<CastExpr>(E))
    return smallValue(C->getSubExpr());
  if (!isSmall(E->getType())) // what a conversion makes one of
    return refuse(codes::ClassObject, "an object with a constructor",
                  E->getSourceRange());
  if (const auto *C = dyn_cast<AbstractConditionalOperator>(E);
      C && !isa<BinaryConditionalOperator>(C)) {
    const ExprRef Cond = condition(C->getCond());
    return Cond ? choose(
                      Cond, [&] { return smallValue(C->getTrueExpr()); },
                      [&] { return smallValue(C->getFalseExpr()); })
                : nullptr;
  }
  if (E->isPRValue())
    if (const auto *C = dyn_cast<clang::CallExpr>(E))
      return smallCall(C);
  if (E->isPRValue())
    return refuse(codes::ClassObject, "an object of this class",
                  E->getSourceRange());
  const Place P = place(E);
  return P.isSet() ? load(P, E->getSourceRange()) : nullptr;
}

/// A variable of that class, as a float.
bool Lifter::liftSmallDecl(const VarDecl *D, const SourceLoc &Loc) {
  const auto *C = dyn_cast_or_null<CXXConstructExpr>(D->getInit());
  ExprRef Init;
  if (D->getInit() && !(C && C->getNumArgs() == 0) &&
      !(Init = smallValue(D->getInit())))
    return false;
  Binding B;
  B.Kind = Binding::Scalar;
  B.V = declare(D, Wide);
  Bindings[D] = B;
  emit(std::make_shared<Decl>(B.V, Init, Loc));
  return true;
}

/// `x = y` and `x += y` for an x of that class.
bool Lifter::smallAssign(const CXXOperatorCallExpr *E) {
  const SourceLoc Loc = locate(E->getSourceRange(), AST);
  const auto Op = operationOf(E->getOperator());
  ExprRef Value = smallValue(E->getArg(1));
  if (!Value)
    return false;
  StmtList Later;
  StmtList *const Saved = Out;
  Out = &Later;
  Place To = place(E->getArg(0));
  Out = Saved;
  if (!To.isSet())
    return false;
  appendAfter(Value, std::move(Later), "right");
  if (Op) {
    if (To.Kind == Place::Memory && !freeze(To))
      return false;
    const ExprRef Old = load(To, E->getSourceRange());
    if (!Old)
      return false;
    Value = rounded(std::make_shared<Binary>(*Op, Old, Value, Wide, Loc),
                    E->getArg(0)->getType(), E->getSourceRange());
  }
  return write(To, Combiner::None, Value, Loc, E->getSourceRange());
}

bool Lifter::isElementOfSmall(const Place &P) {
  return P.Kind == Place::Memory && isFloatClass(P.A.Buf->Elem) &&
         (isBFloat16(P.QualTy) || isHalf(P.QualTy)) && P.A.Field.empty() &&
         P.A.Indices.size() == P.A.Buf->rank();
}

/// What memory gets of V: the same, or what V was before it was widened.
ExprRef Lifter::narrowed(const ExprRef &V, const Type &To) {
  const auto *C = dyn_cast<raise::Cast>(V.get());
  const auto *Inner = C ? dyn_cast<raise::Cast>(C->Operand.get()) : nullptr;
  if (Inner && Inner->Ty == To && isFloatClass(Inner->Ty))
    return std::make_shared<raise::Cast>(Inner->Operand, To, false, V->Loc);
  return std::make_shared<raise::Cast>(V, To, false, V->Loc);
}

} // namespace raise::lifting
