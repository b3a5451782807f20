//===- LibraryRules.cpp - bodies for functions of libraries ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Lifter.h"
#include "raise/Frontend/Parse.h"
#include "raise/IR/Visitor.h"

using namespace clang;
using namespace llvm;

namespace raise {

void addLibraryRules(ParseCommand &Cmd, StringRef Headers) {
  const std::string Rules = (Headers + "/prelude/raise_library_rules.h").str();
  // In front of "--" and the file.
  Cmd.Arguments.insert(Cmd.Arguments.end() - 2, {"-include", Rules});
}

namespace lifting {

/// Whether a value of type From, of a parameter of the library's, is passed as
/// it is to one of type To. (Enumerations of C are numbers.)
static bool isPassedAs(QualType From, QualType To, const ASTContext &AST) {
  From = From.getCanonicalType().getUnqualifiedType();
  To = To.getCanonicalType().getUnqualifiedType();
  if (From->isPointerType() && To->isPointerType())
    return AST.hasSameType(From->getPointeeType(), To->getPointeeType());
  if (From->isRealFloatingType() || To->isRealFloatingType())
    return AST.hasSameType(From, To);
  return From->isIntegralOrEnumerationType() &&
         To->isIntegralOrEnumerationType() &&
         AST.getTypeSize(From) == AST.getTypeSize(To);
}

/// The definition that says what FD, of a library, computes; null if there is
/// none, or if FD is declared otherwise (as for 64-bit sizes).
static const FunctionDecl *ruleOf(const FunctionDecl *FD) {
  ASTContext &AST = FD->getASTContext();
  if (!FD->getIdentifier() || !FD->isGlobal() ||
      (AST.getLangOpts().CPlusPlus && !FD->isExternC()))
    return nullptr;
  IdentifierInfo &Name = AST.Idents.get(("raise_rule_" + FD->getName()).str());
  for (const NamedDecl *D : AST.getTranslationUnitDecl()->lookup(&Name)) {
    const auto *Rule = dyn_cast<FunctionDecl>(D);
    const FunctionDecl *Body = nullptr;
    if (!Rule || !Rule->hasBody(Body) ||
        Rule->getNumParams() != FD->getNumParams())
      continue;
    bool Same = true;
    for (unsigned I = 0; I < FD->getNumParams(); ++I)
      Same &= isPassedAs(FD->getParamDecl(I)->getType(),
                         Rule->getParamDecl(I)->getType(), AST);
    if (Same)
      return Body;
  }
  return nullptr;
}

const FunctionDecl *knownBody(const FunctionDecl *FD) {
  const FunctionDecl *Body = nullptr;
  if (FD->hasBody(Body))
    return FD->isWeak() ? nullptr : Body;
  return ruleOf(FD);
}

namespace {

/// Names of a rule's own go, where they stand for numbers and for variables
/// that keep their values; what then has a known outcome is as if written so.
class Specialiser : public Rewriter {
public:
  using Rewriter::run;
  Substitution Values;

  StmtRef rewriteStmt(const StmtRef &S) override {
    const auto *I = dyn_cast<raise::If>(S.get());
    const auto *C = I ? dyn_cast<IntConst>(I->Cond.get()) : nullptr;
    if (!C)
      return S;
    const StmtRef Taken = C->Value ? I->Then : I->Else;
    return Taken ? Taken : makeBlock({});
  }

  ExprRef rewriteExpr(const ExprRef &E) override {
    if (const auto *U = dyn_cast<VarUse>(E.get())) {
      const auto It = Values.find(U->V.get());
      return It == Values.end() ? E : It->second;
    }
    if (const auto *C = dyn_cast<raise::Cast>(E.get()))
      return ofNumber(*C, E);
    if (const auto *U = dyn_cast<raise::Unary>(E.get())) {
      const auto *F = dyn_cast<FloatConst>(U->Operand.get());
      return F && U->Op == UnaryOp::Neg ? build::floatConst(-F->Value, U->Ty)
                                        : build::unary(U->Op, U->Operand);
    }
    if (const auto *C = dyn_cast<Select>(E.get()))
      return build::select(C->Cond, C->True, C->False);
    if (const auto *B = dyn_cast<Binary>(E.get()))
      return ofNumbers(*B);
    return E;
  }

private:
  static ExprRef ofNumber(const raise::Cast &C, const ExprRef &E) {
    const auto *I = dyn_cast<IntConst>(C.Operand.get());
    if (I && C.Ty.isBool())
      return build::boolConst(I->Value != 0);
    if (I && C.Ty.isInt())
      return build::intConst(I->Value, C.Ty);
    // Numbers this small are the same in every type.
    if (I && C.Ty.isFloat() && std::abs(I->Value) < 256)
      return build::floatConst(double(I->Value), C.Ty);
    return E;
  }

  static ExprRef ofNumbers(const Binary &B) {
    const auto *L = dyn_cast<FloatConst>(B.L.get());
    const auto *R = dyn_cast<FloatConst>(B.R.get());
    if (L && R && B.Op == BinaryOp::EQ)
      return build::boolConst(L->Value == R->Value);
    if (L && B.Op == BinaryOp::Mul && L->Value == 1)
      return B.R;
    return build::binary(B.Op, B.L, B.R);
  }
};

} // namespace

/// Whether the name of a variable that holds E is no help.
static bool isPlain(const ExprRef &E) {
  const auto *C = dyn_cast<raise::Cast>(E.get());
  return isa<IntConst, FloatConst, VarUse>(E.get()) ||
         (C && isPlain(C->Operand));
}

bool isLibraryRule(const FunctionDecl &Body) {
  return Body.getIdentifier() && Body.getName().starts_with("raise_rule_");
}

void Lifter::specialise(StmtList &List) const {
  Specialiser Known;
  StmtList Rest;
  for (size_t I = 0; I < List.size(); ++I) {
    const auto *D = dyn_cast<Decl>(List[I].get());
    const ExprRef Init = D && D->Init ? Known.run(D->Init) : nullptr;
    bool Keeps = Init && isPlain(Init) && isFixed(Init);
    for (size_t J = I + 1; J < List.size() && Keeps; ++J) {
      Keeps = !assigns(List[J], D->V.get());
      forEachExpr(Init, [&](const ExprRef &E) {
        const auto *U = dyn_cast<VarUse>(E.get());
        Keeps &= !U || !assigns(List[J], U->V.get());
      });
    }
    if (Keeps)
      Known.Values[D->V.get()] = Init;
    else
      Rest.push_back(Known.run(List[I]));
  }
  List = std::move(Rest);
}

} // namespace lifting
} // namespace raise
