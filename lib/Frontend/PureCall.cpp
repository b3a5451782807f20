//===- PureCall.cpp - functions that are only declared, but pure ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// `__attribute__((pure))` and `((const))` are promises of the author's: the
// call does nothing but give a value, which depends on its arguments and, for
// `pure`, on memory. That is less than a body says, but enough to compute it
// once where nothing changes in between.
//
//===----------------------------------------------------------------------===//

#include "Lifter.h"
#include "raise/IR/Visitor.h"
#include "clang/AST/Attr.h"

using namespace clang;
using namespace llvm;

namespace raise::lifting {

/// Whether FD's type and attributes say all that is needed of a call.
static const FunctionProtoType *declaredPure(const FunctionDecl *FD) {
  const auto *M = dyn_cast<CXXMethodDecl>(FD);
  if ((!FD->hasAttr<PureAttr>() && !FD->hasAttr<ConstAttr>()) ||
      knownBody(FD) || FD->isVariadic() || FD->isNoReturn() ||
      (M && M->isInstance()) || FD->isFunctionTemplateSpecialization() ||
      !FD->getIdentifier())
    return nullptr;
  return FD->getType()->getAs<FunctionProtoType>();
}

/// The address that a pointer argument passes, if it is one of elements that
/// the parameter sees as the same type.
static bool hasSamePointee(QualType Param, const clang::Expr *Arg,
                           const ASTContext &AST) {
  const QualType Passed = Arg->IgnoreParenImpCasts()->getType();
  QualType From;
  if (const clang::ArrayType *A = AST.getAsArrayType(Passed))
    From = A->getElementType();
  else if (Passed->isPointerType())
    From = Passed->getPointeeType();
  else
    return false;
  return AST.hasSameUnqualifiedType(From, Param->getPointeeType());
}

bool Lifter::pureArgument(QualType Param, const clang::Expr *Arg,
                          PureCall::Argument &A) {
  if (Param->isPointerType()) {
    if (!hasSamePointee(Param, Arg, AST))
      return false;
    Pointer P = pointer(Arg);
    if (!P.Base || P.Base->rank() != 1 || P.Base->Volatile ||
        stepOf(Param->getPointeeType(), *P.Base) != 1)
      return false;
    A.Base = P.Base;
    A.Value = P.Offset ? P.Offset : build::intConst(0, Type::getI64());
    return true;
  }
  const std::optional<Type> Ty = scalarType(Param, AST);
  ExprRef V = Ty && !Ty->isVoid() ? value(Arg) : nullptr;
  if (!V)
    return false;
  A.Value = build::cast(V, *Ty);
  return true;
}

/// Whether memory holds variables that have no store in the IR when they are
/// set: a function that reads memory may see them.
bool Lifter::hasAddressedScalars() const {
  return any_of(Facts.Addressed, [&](const VarDecl *V) {
    return scalarType(V->getType().getNonReferenceType(), AST).has_value();
  });
}

/// A statement that changes nothing but a variable that it declares.
static bool onlyGivesValue(const StmtRef &S) {
  const auto *O = dyn_cast<Opaque>(S.get());
  return isa<raise::Decl>(S.get()) || (O && O->Pure);
}

bool Lifter::isDeclaredPure(const FunctionDecl *FD) const {
  return declaredPure(FD) != nullptr;
}

ExprRef Lifter::pureCall(const FunctionDecl *FD, const clang::CallExpr *E) {
  const FunctionProtoType *Proto = declaredPure(FD);
  const std::optional<Type> Ty = scalarType(FD->getReturnType(), AST);
  if (!Proto || !Ty || Ty->isVoid() || AST.getLangOpts().CUDA ||
      FD->getNumParams() != E->getNumArgs())
    return nullptr;
  auto Call = std::make_shared<PureCall>();
  Call->ReadsMemory = !FD->hasAttr<ConstAttr>();
  Call->MayThrow = AST.getLangOpts().CPlusPlus && !Proto->isNothrow() &&
                   !FD->hasAttr<NoThrowAttr>();
  Call->Name = Names->nameOf(FD);
  if (Call->Name.empty() || (Call->ReadsMemory && hasAddressedScalars()))
    return nullptr;
  const SourceLoc Loc = locate(E->getSourceRange(), AST);
  for (unsigned I = 0; I < E->getNumArgs(); ++I) {
    StmtList Before;
    StmtList *const Saved = Out;
    Out = &Before;
    PureCall::Argument A;
    const bool Known =
        pureArgument(FD->getParamDecl(I)->getType(), E->getArg(I), A);
    Out = Saved;
    // What an argument does besides would come before the others.
    if (!Known || !all_of(Before, onlyGivesValue))
      return failed() ? nullptr : refuse(whyUnknown(FD, E->getSourceRange()));
    Out->insert(Out->end(), Before.begin(), Before.end());
    Call->Args.push_back(std::move(A));
  }
  Call->Result = fresh(FD->getNameAsString() + "_result", *Ty, Loc);
  Changing.insert(Call->Result.get());
  emit(std::make_shared<Decl>(Call->Result, nullptr, Loc));
  const Reason Why = {
      "CR1207", "calls " + Call->Name + ", which is pure but has no known body",
      Loc};
  emit(std::make_shared<Opaque>(sourceText(E->getSourceRange(), AST), Why.Code,
                                Why.Text, std::vector<VarRef>{Call->Result},
                                Loc, /*NoReturn=*/false, Call));
  return std::make_shared<VarUse>(Call->Result, Loc);
}

} // namespace raise::lifting
