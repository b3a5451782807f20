//===- Constant.cpp - literals and other constants ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Lifter.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/Builtins.h"
#include "clang/Lex/Preprocessor.h"

using namespace clang;
using namespace llvm;

namespace raise::lifting {

bool isConstant(const ExprRef &E) {
  return E && (isa<IntConst>(E.get()) || isa<FloatConst>(E.get()));
}

ExprRef Lifter::integerConstant(const APSInt &Value, const Type &Ty,
                                const std::string &Spelling, SourceRange At) {
  APSInt Wide = Value;
  if (Ty.isBool())
    return std::make_shared<IntConst>(Value.getBoolValue(), Ty, Spelling,
                                      locate(At, AST));
  Wide = Wide.extOrTrunc(Ty.Bits);
  Wide.setIsSigned(Ty.Signed);
  const int64_t Bits = Ty.Signed ? Wide.getSExtValue()
                                 : static_cast<int64_t>(Wide.getZExtValue());
  return std::make_shared<IntConst>(Bits, Ty, Spelling, locate(At, AST));
}

ExprRef Lifter::floatConstant(const APFloat &Value, const Type &Ty,
                              const std::string &Spelling, SourceRange At) {
  APFloat Wide = Value;
  bool Lossy = false;
  Wide.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &Lossy);
  if (Lossy)
    return refuse(codes::ScalarType,
                  "a constant that needs more precision than double", At);
  return std::make_shared<FloatConst>(Wide.convertToDouble(), Ty, Spelling,
                                      locate(At, AST));
}

/// `Mode == Add`, of a template's argument: one of its instantiations knows it.
static bool asksForArgument(const clang::Expr *E) {
  const auto *B = dyn_cast<BinaryOperator>(E);
  // (IgnoreParenImpCasts would take the argument's own node away, too.)
  const auto IsArgument = [](const clang::Expr *Side) {
    return isa<SubstNonTypeTemplateParmExpr>(
        Side->IgnoreImpCasts()->IgnoreParens()->IgnoreImpCasts());
  };
  return B && B->isComparisonOp() &&
         (IsArgument(B->getLHS()) || IsArgument(B->getRHS()));
}

/// The variable whose value E is, if that is an integer that is known wherever
/// its name is: a member of a class that all of its objects share, and in
/// kernels a constant outside of functions. Null for anything else.
static const VarDecl *namedConstant(const clang::Expr *E, bool InKernel,
                                    const ASTContext &AST) {
  const auto *C = dyn_cast<ImplicitCastExpr>(E);
  if (!C || C->getCastKind() != CK_LValueToRValue)
    return nullptr;
  E = C->getSubExpr()->IgnoreParens();
  const auto *D = dyn_cast<DeclRefExpr>(E);
  const auto *M = dyn_cast<MemberExpr>(E);
  const auto *V = dyn_cast_or_null<VarDecl>(D   ? D->getDecl()
                                            : M ? M->getMemberDecl()
                                                : nullptr);
  if (!V || !V->getType()->isIntegerType() ||
      V->getType().isVolatileQualified())
    return nullptr;
  if (V->isStaticDataMember())
    return V->isConstexpr() ? V : nullptr;
  return InKernel && V->isFileVarDecl() && !V->getType()->isReferenceType() &&
                 V->isUsableInConstantExpressions(AST)
             ? V
             : nullptr;
}

/// Whether S names a variable: what a macro calls so may be another one where
/// the macro's name is put.
static bool namesVariable(const clang::Stmt *S) {
  const auto *Ref = llvm::dyn_cast_or_null<DeclRefExpr>(S);
  if (Ref && isa<VarDecl>(Ref->getDecl()))
    return true;
  return S && llvm::any_of(S->children(), namesVariable);
}

/// The macro that E is written as, if that name means the same wherever the
/// result may stand.
std::string Lifter::nameOfMacro(const clang::Expr *E) const {
  const std::string Name = macroName(E, AST);
  if (Name.empty() || namesVariable(E))
    return "";
  std::set<const IdentifierInfo *> Seen;
  return !Settings.Macros || meansOneThing(AST.Idents.get(Name), Seen) ? Name
                                                                       : "";
}

/// Whether the macro Known, and each macro that it is made of, is defined
/// before the function, and never otherwise.
bool Lifter::meansOneThing(const IdentifierInfo &Known,
                           std::set<const IdentifierInfo *> &Seen) const {
  if (!Seen.insert(&Known).second)
    return true;
  const SourceManager &SM = AST.getSourceManager();
  const MacroInfo *Only = nullptr;
  bool Means = true, OfSystem = true;
  for (const MacroDirective *D =
           Settings.Macros->getLocalMacroDirectiveHistory(&Known);
       D; D = D->getPrevious()) {
    OfSystem &= D->getLocation().isInvalid() ||
                SM.isInSystemHeader(D->getLocation()) ||
                SM.isWrittenInBuiltinFile(D->getLocation());
    const auto *Def = dyn_cast<DefMacroDirective>(D);
    if (!Def) {
      Means &= !isa<UndefMacroDirective>(D);
      continue;
    }
    Means &= !Only || Only == Def->getInfo() ||
             Only->isIdenticalTo(*Def->getInfo(),
                                 const_cast<Preprocessor &>(*Settings.Macros),
                                 /*Syntactically=*/true);
    Only = Def->getInfo();
    const SourceLocation At = SM.getExpansionLoc(D->getLocation());
    Means &= !SM.isBeforeInTranslationUnit(
        SM.getExpansionLoc(CallStack.front()->getBeginLoc()), At);
  }
  if (OfSystem || !Only)
    return true; // or no macro
  return Means && llvm::all_of(Only->tokens(), [&](const Token &T) {
           return !T.getIdentifierInfo() ||
                  meansOneThing(*T.getIdentifierInfo(), Seen);
         });
}

/// A constant by its spelling: a literal, an enumerator, a template's argument,
/// sizeof, or a macro that is nothing but a constant. Null, without a failure,
/// for anything else.
ExprRef Lifter::constant(const clang::Expr *E) {
  std::optional<Type> Ty = scalarType(E->getType(), AST);
  if (!Ty || Ty->isVoid() || E->isValueDependent())
    return nullptr;
  // Types of constants are spelled by what they are.
  if (!E->getType()->isEnumeralType())
    Ty->Spelling.clear();
  // What an inlined body spells need not mean the same here.
  const bool Foreign = !Inlines.empty();
  std::string Spelling = nameOfMacro(E);
  const clang::Expr *Bare = E->IgnoreParens();
  // The macro's name has the type of what it stands for, not the one that this
  // is converted to: `x / (float)N` is not `x / N`.
  if (const auto *C = dyn_cast<ImplicitCastExpr>(Bare);
      C &&
      !AST.hasSameUnqualifiedType(C->getType(), C->getSubExpr()->getType()))
    Spelling.clear();
  // And it means its tokens, wherever it is put.
  if (!Spelling.empty() && isa<BinaryOperator, AbstractConditionalOperator>(E))
    Spelling = "(" + Spelling + ")";
  if (const auto *C = dyn_cast<ConstantExpr>(Bare))
    Bare = C->getSubExpr()->IgnoreParens();
  const bool Literal =
      isa<IntegerLiteral>(Bare) || isa<FloatingLiteral>(Bare) ||
      isa<CharacterLiteral>(Bare) || isa<CXXBoolLiteralExpr>(Bare);
  if (Foreign && !Literal)
    Spelling.clear();
  bool Known = Literal || !Spelling.empty() || asksForArgument(Bare) ||
               isa<UnaryExprOrTypeTraitExpr>(Bare) ||
               isa<ImplicitValueInitExpr>(Bare) ||
               isa<CXXScalarValueInitExpr>(Bare);
  if (const auto *S = dyn_cast<SubstNonTypeTemplateParmExpr>(Bare)) {
    // A class's is found inside of the class.
    const bool Found =
        !Foreign && isa<FunctionDecl>(S->getParameter()->getDeclContext());
    Spelling = Found ? Names->nameOf(S->getParameter()) : std::string();
    Known = true;
  }
  if (const auto *D = dyn_cast<DeclRefExpr>(Bare))
    if (const auto *C = dyn_cast<EnumConstantDecl>(D->getDecl())) {
      if (Spelling.empty() || D->getBeginLoc().isMacroID())
        Spelling = Names->nameOf(C, D->getBeginLoc().isFileID()
                                        ? sourceText(D->getSourceRange(), AST)
                                        : std::string());
      // C++ makes no enumerator of a number that nobody casts.
      const auto *Of = cast<EnumDecl>(C->getDeclContext());
      if (AST.getLangOpts().CPlusPlus && Spelling.empty() &&
          Of->getIdentifier() && E->getType()->isEnumeralType())
        return refuse(codes::ScalarType,
                      "'" + C->getNameAsString() +
                          "', of an enumeration without a name that can be "
                          "written here, is not followed",
                      E->getSourceRange());
      return integerConstant(C->getInitVal(), *Ty, Spelling,
                             E->getSourceRange());
    }
  if (const VarDecl *V = namedConstant(Bare, IsKernel, AST)) {
    Spelling = Names->nameOf(V, Bare->getEndLoc().isFileID()
                                    ? sourceText(Bare->getSourceRange(), AST)
                                    : std::string());
    Known = true;
  }
  if (const auto *C = dyn_cast<clang::CallExpr>(Bare)) {
    const unsigned Builtin = C->getBuiltinCallee(); // INFINITY, NAN
    Known |= Builtin != 0 && C->getNumArgs() == 0;
    Known |= Builtin == Builtin::BI__builtin_nanf ||
             Builtin == Builtin::BI__builtin_nan;
  }
  if (!Known)
    return nullptr;
  clang::Expr::EvalResult Value;
  if (!E->EvaluateAsRValue(Value, AST) || Value.HasSideEffects)
    return nullptr;
  if (Literal && Spelling.empty())
    Spelling = tokenText(Bare->getBeginLoc(), AST);
  if (Value.Val.isInt() && Ty->isIntegral())
    return integerConstant(Value.Val.getInt(), *Ty, Spelling,
                           E->getSourceRange());
  if (Value.Val.isFloat() && Ty->isFloat())
    return floatConstant(Value.Val.getFloat(), *Ty, Spelling,
                         E->getSourceRange());
  return nullptr;
}

} // namespace raise::lifting
