//===- Expr.cpp - scalar expressions --------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Lifter.h"
#include "raise/IR/Effects.h"
#include "raise/IR/Text.h"
#include "raise/IR/Visitor.h"

using namespace clang;
using namespace llvm;

namespace raise::lifting {

/// Empty where it would be too long to read.
std::string asName(std::string Text) {
  constexpr size_t LongestName = 48;
  std::replace(Text.begin(), Text.end(), '\n', ' ');
  return Text.size() <= LongestName ? Text : "";
}

ExprRef Lifter::spill(ExprRef E, StringRef Name) {
  VarRef V = fresh(Name, E->Ty, E->Loc, asName(raise::sourceText(E)));
  emit(std::make_shared<Decl>(V, E, E->Loc));
  return std::make_shared<VarUse>(V, E->Loc);
}

bool Lifter::isFixed(const ExprRef &E) const {
  bool Fixed = true;
  forEachExpr(E, [&](const ExprRef &X) {
    if (const auto *U = dyn_cast<VarUse>(X.get()))
      Fixed &= !Changing.contains(U->V.get());
    Fixed &= !isa<Load>(X.get());
  });
  return Fixed;
}

/// Whether running the statements can change the value of E.
static bool disturbs(const StmtList &List, const ExprRef &E) {
  bool Reads = false, Changed = false;
  for (const StmtRef &S : List)
    forEachExpr(E, [&](const ExprRef &X) {
      Reads |= isa<Load>(X.get());
      if (const auto *U = dyn_cast<VarUse>(X.get()))
        Changed |= assigns(S, U->V.get());
    });
  if (Changed || !Reads)
    return Changed;
  // A call that is declared pure writes no memory.
  StmtList Others;
  copy_if(List, std::back_inserter(Others), [](const StmtRef &S) {
    const auto *O = dyn_cast<Opaque>(S.get());
    return !O || !O->Pure;
  });
  const Effects Does = effectsOf(makeBlock(std::move(Others)));
  bool Writes = Does.Unknown || Does.Barrier;
  for (const MemoryAccess &M : Does.Memory)
    Writes |= M.How != MemoryAccess::Mode::Read;
  return Writes;
}

void Lifter::appendAfter(ExprRef &E, StmtList Later, StringRef Name) {
  if (E && disturbs(Later, E))
    E = spill(E, Name);
  Out->insert(Out->end(), Later.begin(), Later.end());
}

bool Lifter::operands(const std::function<ExprRef()> &L,
                      const std::function<ExprRef()> &R, ExprRef &LV,
                      ExprRef &RV) {
  if (!(LV = L()))
    return false;
  StmtList Later;
  StmtList *const Saved = Out;
  Out = &Later;
  RV = R();
  Out = Saved;
  if (!RV)
    return false;
  appendAfter(LV, std::move(Later), "left");
  return true;
}

ExprRef Lifter::choose(ExprRef Cond, const std::function<ExprRef()> &True,
                       const std::function<ExprRef()> &False) {
  if (const auto *Known = dyn_cast<IntConst>(Cond.get()))
    return Known->Value ? True() : False();
  StmtList Then, Else;
  StmtList *const Saved = Out;
  Out = &Then;
  ExprRef T = True();
  Out = &Else;
  ExprRef F = T ? False() : nullptr;
  Out = Saved;
  if (!T || !F)
    return nullptr;
  if (Then.empty() && Else.empty())
    return std::make_shared<Select>(Cond, T, F, Cond->Loc);
  VarRef V = fresh("chosen", T->Ty, Cond->Loc);
  Changing.insert(V.get());
  emit(std::make_shared<Decl>(V, nullptr, Cond->Loc));
  Then.push_back(std::make_shared<Assign>(V, Combiner::None, T, T->Loc));
  Else.push_back(std::make_shared<Assign>(V, Combiner::None, F, F->Loc));
  emit(std::make_shared<If>(Cond, makeBlock(std::move(Then)),
                            makeBlock(std::move(Else)), Cond->Loc));
  return std::make_shared<VarUse>(V, Cond->Loc);
}

/// The integer that E is, whatever type it was converted to since; a narrower
/// one might not hold it.
static std::optional<int64_t> constantOf(const ExprRef &E) {
  if (const auto *C = dyn_cast<IntConst>(E.get()))
    return C->Value;
  const auto *C = dyn_cast<raise::Cast>(E.get());
  return C && C->Operand->Ty.isBool() ? constantOf(C->Operand) : std::nullopt;
}

ExprRef Lifter::condition(const clang::Expr *E) {
  const clang::Expr *Bare = E->IgnoreParens();
  if (Bare->getType()->isPointerType()) { // if (p)
    if (isKnownNull(Bare))
      return build::boolConst(false);
    Pointer P = pointer(Bare);
    if (!P.isSet())
      return nullptr;
    if (P.Scalar || (P.Base->Kind != BufferKind::Param &&
                     P.Base->Kind != BufferKind::Pointer))
      return build::boolConst(true);
    return std::make_shared<NonNull>(P.Base, locate(E->getSourceRange(), AST));
  }
  ExprRef V = value(E);
  if (V)
    V = withoutErrorTests(E, V);
  if (!V || V->Ty.isBool())
    return V;
  if (const std::optional<int64_t> Known = constantOf(V))
    return build::boolConst(*Known != 0);
  // C's comparisons are int: what they were made from is the test.
  if (const auto *C = dyn_cast<raise::Cast>(V.get()))
    if (C->Implicit && C->Operand->Ty.isBool())
      return C->Operand;
  return std::make_shared<raise::Cast>(V, Type::getBool(), /*Implicit=*/true,
                                       V->Loc);
}

ExprRef Lifter::value(const clang::Expr *E) {
  const bool IsError = Settings.Alone && isErrorCode(E->getType());
  ExprRef V = IsError ? errorValue(E) : valueInner(E);
  if (!V && !failed())
    refuse(codes::Expression, "this expression is not supported",
           E->getSourceRange());
  return V;
}

/// Whether floating arithmetic here depends on, or changes, rounding modes and
/// exception flags: threads have their own.
bool Lifter::accessesEnvironment(const clang::Expr *E) const {
  const FPOptions FP = E->getFPFeaturesInEffect(AST.getLangOpts());
  return Facts.SetsEnvironment || FP.getAllowFEnvAccess() ||
         FP.getExceptionMode() == LangOptions::FPE_Strict ||
         FP.getRoundingMode() != llvm::RoundingMode::NearestTiesToEven;
}

ExprRef Lifter::valueInner(const clang::Expr *E) {
  if (ExprRef C = constant(E))
    return C;
  if (failed())
    return nullptr;
  // In the IR both sides are integers of one type; in C++ only a cast that is
  // written makes one of the other.
  if (const auto *C = dyn_cast<ExplicitCastExpr>(E);
      C && C->getType()->isScopedEnumeralType() !=
               C->getSubExpr()->getType()->isScopedEnumeralType())
    return refuse(codes::ScalarType,
                  "a scoped enumeration is converted here, which is not "
                  "followed",
                  E->getSourceRange());
  if (E->getType()->isFloatingType() && accessesEnvironment(E))
    return refuse(codes::FloatEnvironment,
                  "the floating-point environment is accessed here",
                  E->getSourceRange());
  if (isSmall(E->getType()))
    return smallValue(E);
  if (ExprRef I = launchIndex(E))
    return I;
  switch (E->getStmtClass()) {
  case clang::Stmt::ParenExprClass:
    return value(cast<ParenExpr>(E)->getSubExpr());
  case clang::Stmt::ConstantExprClass:
    return value(cast<ConstantExpr>(E)->getSubExpr());
  case clang::Stmt::ExprWithCleanupsClass:
    return value(cast<ExprWithCleanups>(E)->getSubExpr());
  case clang::Stmt::MaterializeTemporaryExprClass:
    return value(cast<MaterializeTemporaryExpr>(E)->getSubExpr());
  case clang::Stmt::CXXDefaultArgExprClass:
    return value(cast<CXXDefaultArgExpr>(E)->getExpr());
  case clang::Stmt::SubstNonTypeTemplateParmExprClass:
    return value(cast<SubstNonTypeTemplateParmExpr>(E)->getReplacement());
  default:
    break;
  }
  if (const auto *I = dyn_cast<InitListExpr>(E); I && I->getNumInits() == 1)
    return value(I->getInit(0));
  if (const auto *C = dyn_cast<CastExpr>(E))
    return castValue(C);
  if (const auto *C = dyn_cast<CompoundAssignOperator>(E)) {
    Place P;
    return compound(C, &P) ? load(P, E->getSourceRange()) : nullptr;
  }
  if (const auto *B = dyn_cast<clang::BinaryOperator>(E))
    return binary(B);
  if (const auto *U = dyn_cast<clang::UnaryOperator>(E))
    return unary(U);
  if (const auto *C = dyn_cast<AbstractConditionalOperator>(E))
    return conditional(C);
  if (const auto *C = dyn_cast<clang::CallExpr>(E);
      C && (!E->isLValue() || isExtremum(C)))
    return isWidening(C)      ? smallValue(C->getArg(0))
           : comparesSmall(C) ? smallComparison(C)
                              : call(C);
  if (isa<CXXThrowExpr>(E))
    return refuse(codes::Exception, "an exception is thrown",
                  E->getSourceRange());
  if (isa<CXXNewExpr>(E) || isa<CXXDeleteExpr>(E))
    return refuse(codes::Heap, "memory is allocated or freed",
                  E->getSourceRange());
  if (isa<LambdaExpr>(E))
    return refuse(codes::Closure, "a lambda", E->getSourceRange());
  if (isa<CoawaitExpr>(E) || isa<CoyieldExpr>(E))
    return refuse(codes::Closure, "a coroutine", E->getSourceRange());
  if (E->isLValue()) {
    Place P = place(E);
    return P.isSet() ? load(P, E->getSourceRange()) : nullptr;
  }
  return nullptr;
}

ExprRef Lifter::castValue(const CastExpr *E) {
  const clang::Expr *Sub = E->getSubExpr();
  const auto *Imp = dyn_cast<ImplicitCastExpr>(E);
  const bool Implicit = Imp && !Imp->isPartOfExplicitCast();
  switch (E->getCastKind()) {
  case CK_LValueToRValue: {
    if (ExprRef I = launchIndex(Sub->IgnoreParens()))
      return I;
    // (c ? a : b) is an object in C++; its value is that of one of the two.
    if (const auto *C =
            dyn_cast<AbstractConditionalOperator>(Sub->IgnoreParens()))
      return conditional(C);
    // So is the value of std::min(a, b).
    if (const auto *C = dyn_cast<clang::CallExpr>(Sub->IgnoreParens());
        C && isExtremum(C))
      return call(C);
    if (failed())
      return nullptr;
    Place P = place(Sub);
    return P.isSet() ? load(P, E->getSourceRange()) : nullptr;
  }
  case CK_NoOp:
  case CK_IntegralCast:
  case CK_IntegralToFloating:
  case CK_FloatingToIntegral:
  case CK_FloatingCast:
  case CK_IntegralToBoolean:
  case CK_FloatingToBoolean:
  case CK_BooleanToSignedIntegral: {
    if (E->getCastKind() == CK_BooleanToSignedIntegral)
      return nullptr;
    ExprRef V = value(Sub);
    std::optional<Type> Ty = scalarType(E->getType(), AST);
    if (!V)
      return nullptr;
    if (!Ty || Ty->isVoid())
      return refuse(codes::ScalarType,
                    "type '" + spellingOf(E->getType(), AST) +
                        "' is not supported",
                    E->getSourceRange());
    if (V->Ty == *Ty && !Implicit && AST.getLangOpts().CPlusPlus &&
        E->getType()->isEnumeralType() &&
        !AST.hasSameUnqualifiedType(E->getType(), Sub->getType()))
      return refuse(codes::ScalarType,
                    "an enumeration is computed here, which is not followed",
                    E->getSourceRange());
    if (V->Ty == *Ty)
      return V;
    return std::make_shared<raise::Cast>(V, *Ty, Implicit,
                                         locate(E->getSourceRange(), AST));
  }
  case CK_PointerToBoolean:
    return condition(Sub);
  case CK_ConstructorConversion:
  case CK_UserDefinedConversion:
    // Its one conversion is to float.
    if (const auto *C = dyn_cast<CXXMemberCallExpr>(Sub->IgnoreParens());
        C && isSmall(C->getObjectType()) && E->getType()->isFloatingType())
      return smallValue(C->getImplicitObjectArgument());
    return refuse(codes::UnknownCall, "a conversion that runs user code",
                  E->getSourceRange());
  case CK_PointerToIntegral:
  case CK_IntegralToPointer:
    return refuse(codes::PointerCast,
                  "a pointer is converted to or from an integer",
                  E->getSourceRange());
  default:
    return refuse(codes::Expression,
                  std::string("a conversion (") + E->getCastKindName() +
                      ") that is not supported",
                  E->getSourceRange());
  }
}

static std::optional<BinaryOp> operatorOf(BinaryOperatorKind K) {
  switch (K) {
  case BO_Add:
    return BinaryOp::Add;
  case BO_Sub:
    return BinaryOp::Sub;
  case BO_Mul:
    return BinaryOp::Mul;
  case BO_Div:
    return BinaryOp::Div;
  case BO_Rem:
    return BinaryOp::Rem;
  case BO_Shl:
    return BinaryOp::Shl;
  case BO_Shr:
    return BinaryOp::Shr;
  case BO_And:
    return BinaryOp::And;
  case BO_Or:
    return BinaryOp::Or;
  case BO_Xor:
    return BinaryOp::Xor;
  case BO_LT:
    return BinaryOp::LT;
  case BO_LE:
    return BinaryOp::LE;
  case BO_GT:
    return BinaryOp::GT;
  case BO_GE:
    return BinaryOp::GE;
  case BO_EQ:
    return BinaryOp::EQ;
  case BO_NE:
    return BinaryOp::NE;
  default:
    return std::nullopt;
  }
}

ExprRef Lifter::logical(const clang::BinaryOperator *E) {
  const bool And = E->getOpcode() == BO_LAnd;
  ExprRef L = condition(E->getLHS());
  if (!L)
    return nullptr;
  if (const auto *Known = dyn_cast<IntConst>(L.get())) {
    if ((Known->Value != 0) == And) // else the right side is not evaluated
      L = condition(E->getRHS());
    return L ? build::cast(L, liftedType(E->getType(), AST)) : nullptr;
  }
  StmtList Later;
  StmtList *const Saved = Out;
  Out = &Later;
  ExprRef R = condition(E->getRHS());
  Out = Saved;
  if (!R)
    return nullptr;
  const SourceLoc Loc = locate(E->getSourceRange(), AST);
  ExprRef V;
  if (Later.empty()) {
    V = std::make_shared<Binary>(And ? BinaryOp::LAnd : BinaryOp::LOr, L, R,
                                 Type::getBool(), Loc);
  } else { // the right side has statements, which run only if it is evaluated
    VarRef T = fresh("test", Type::getBool(), Loc);
    Changing.insert(T.get());
    emit(std::make_shared<Decl>(T, L, Loc));
    Later.push_back(std::make_shared<Assign>(T, Combiner::None, R, Loc));
    ExprRef Use = std::make_shared<VarUse>(T, Loc);
    emit(std::make_shared<If>(And ? Use : build::logicalNot(Use),
                              makeBlock(std::move(Later)), nullptr, Loc));
    V = Use;
  }
  return build::cast(V, liftedType(E->getType(), AST));
}

/// p == nullptr and p != nullptr.
ExprRef Lifter::pointerComparison(const clang::BinaryOperator *E) {
  const auto IsNull = [&](const clang::Expr *X) {
    return X->isNullPointerConstant(AST, clang::Expr::NPC_NeverValueDependent);
  };
  const clang::Expr *P = IsNull(E->getRHS())   ? E->getLHS()
                         : IsNull(E->getLHS()) ? E->getRHS()
                                               : nullptr;
  if (!P || !E->isEqualityOp())
    return refuse(codes::AddressTaken, "two pointers are compared",
                  E->getSourceRange());
  ExprRef V = condition(P);
  if (!V)
    return nullptr;
  if (E->getOpcode() == BO_EQ)
    V = build::logicalNot(V);
  return build::cast(V, liftedType(E->getType(), AST));
}

/// The values of a variable or an element, by its type alone.
static std::optional<std::pair<__int128, __int128>> rangeOf(const ExprRef &E) {
  const raise::Expr *X = E.get();
  while (const auto *C = dyn_cast<Cast>(X)) {
    const Type &From = C->Operand->Ty, &To = C->Ty;
    if (!From.isIntegral() || !To.isInt() ||
        (!From.isBool() && (From.Bits > To.Bits || From.Signed != To.Signed) &&
         (From.Bits >= To.Bits || From.Signed)))
      return std::nullopt;
    X = C->Operand.get();
  }
  if (!isa<VarUse>(X) && !isa<Load>(X))
    return std::nullopt;
  const Type &T = X->Ty;
  if (T.isBool())
    return std::pair<__int128, __int128>(0, 1);
  if (!T.isInt())
    return std::nullopt;
  const __int128 Size = __int128(1) << (T.Signed ? T.Bits - 1 : T.Bits);
  return std::pair<__int128, __int128>(T.Signed ? -Size : 0, Size - 1);
}

/// A comparison with a constant that all values of the other side's type decide
/// alike.
static std::optional<bool> decidedByTypes(BinaryOp Op, ExprRef L, ExprRef R) {
  if (isa<IntConst>(*L)) {
    std::swap(L, R);
    Op = Op == BinaryOp::LT   ? BinaryOp::GT
         : Op == BinaryOp::LE ? BinaryOp::GE
         : Op == BinaryOp::GT ? BinaryOp::LT
         : Op == BinaryOp::GE ? BinaryOp::LE
                              : Op;
  }
  const auto *C = dyn_cast<IntConst>(R.get());
  const auto Range = C ? rangeOf(L) : std::nullopt;
  if (!Range || (!C->Ty.Signed && C->Value < 0)) // beyond int64_t
    return std::nullopt;
  const auto [Lo, Hi] = *Range;
  const __int128 V = C->Value;
  const auto Decide = [](bool Always, bool Never) {
    return Always  ? std::optional(true)
           : Never ? std::optional(false)
                   : std::nullopt;
  };
  switch (Op) {
  case BinaryOp::LT:
    return Decide(Hi < V, Lo >= V);
  case BinaryOp::LE:
    return Decide(Hi <= V, Lo > V);
  case BinaryOp::GT:
    return Decide(Lo > V, Hi <= V);
  case BinaryOp::GE:
    return Decide(Lo >= V, Hi < V);
  case BinaryOp::EQ:
    return Decide(false, V < Lo || V > Hi);
  case BinaryOp::NE:
    return Decide(V < Lo || V > Hi, false);
  default:
    return std::nullopt;
  }
}

ExprRef Lifter::binary(const clang::BinaryOperator *E) {
  switch (E->getOpcode()) {
  case BO_LAnd:
  case BO_LOr:
    return logical(E);
  case BO_Comma:
    return liftEffect(E->getLHS()) ? value(E->getRHS()) : nullptr;
  case BO_Assign: {
    Place P;
    return assign(E, &P) ? load(P, E->getSourceRange()) : nullptr;
  }
  default:
    break;
  }
  if (E->getLHS()->getType()->isPointerType() ||
      E->getRHS()->getType()->isPointerType()) {
    if (E->isComparisonOp())
      return pointerComparison(E);
    if (Settings.Alone && E->getOpcode() == BO_Sub)
      if (ExprRef Distance = pointerDistance(E); Distance || failed())
        return Distance;
    return refuse(codes::AddressTaken, "a difference of two pointers",
                  E->getSourceRange());
  }
  std::optional<BinaryOp> Op = operatorOf(E->getOpcode());
  std::optional<Type> Ty = scalarType(E->getType(), AST);
  if (!Op || !Ty)
    return nullptr;
  ExprRef L, R;
  if (!operands([&] { return value(E->getLHS()); },
                [&] { return value(E->getRHS()); }, L, R))
    return nullptr;
  const SourceLoc Loc = locate(E->getSourceRange(), AST);
  if (isComparison(*Op)) {
    if (L->Ty != R->Ty)
      return nullptr;
    // A template asks `x < 0` of an unsigned type, too.
    if (const auto Known = decidedByTypes(*Op, L, R);
        Known && isKernelInstance(*CallStack.front()))
      return build::cast(build::boolConst(*Known), *Ty);
    ExprRef V = std::make_shared<Binary>(*Op, L, R, Type::getBool(), Loc);
    return build::cast(V, *Ty);
  }
  Ty->Spelling = L->Ty == *Ty ? L->Ty.Spelling : Ty->Spelling;
  if (L->Ty != *Ty)
    return nullptr;
  return std::make_shared<Binary>(*Op, L, R, *Ty, Loc);
}

ExprRef Lifter::unary(const clang::UnaryOperator *E) {
  const SourceLoc Loc = locate(E->getSourceRange(), AST);
  std::optional<Type> Ty = scalarType(E->getType(), AST);
  switch (E->getOpcode()) {
  case UO_Plus:
  case UO_Extension:
    return value(E->getSubExpr());
  case UO_Minus:
  case UO_Not: {
    ExprRef V = value(E->getSubExpr());
    if (!V || !Ty || V->Ty != *Ty)
      return nullptr;
    // -1 is a constant.
    if (const auto *C = dyn_cast<IntConst>(V.get());
        C && E->getOpcode() == UO_Minus && Ty->Signed &&
        C->Value != std::numeric_limits<int64_t>::min() && C->Value > 0)
      return std::make_shared<IntConst>(
          -C->Value, *Ty, C->Spelling.empty() ? "" : "-" + C->Spelling, Loc);
    return std::make_shared<Unary>(E->getOpcode() == UO_Minus ? UnaryOp::Neg
                                                              : UnaryOp::BitNot,
                                   V, *Ty, Loc);
  }
  case UO_LNot: {
    ExprRef C = condition(E->getSubExpr());
    if (!C || !Ty)
      return nullptr;
    if (const std::optional<int64_t> Known = constantOf(C))
      return build::cast(build::boolConst(!*Known), *Ty);
    return build::cast(
        std::make_shared<Unary>(UnaryOp::Not, C, Type::getBool(), Loc), *Ty);
  }
  case UO_PreInc:
  case UO_PreDec: {
    Place P;
    return increment(E, &P) ? load(P, E->getSourceRange()) : nullptr;
  }
  case UO_PostInc:
  case UO_PostDec: {
    Place P = place(E->getSubExpr());
    if (!P.isSet())
      return nullptr;
    ExprRef Old = load(P, E->getSourceRange());
    if (!Old)
      return nullptr;
    Old = spill(Old, "old");
    return increment(E, nullptr) ? Old : nullptr;
  }
  case UO_Deref: {
    Place P = place(E);
    return P.isSet() ? load(P, E->getSourceRange()) : nullptr;
  }
  default:
    return nullptr;
  }
}

ExprRef Lifter::conditional(const AbstractConditionalOperator *E) {
  if (isa<BinaryConditionalOperator>(E))
    return nullptr;
  ExprRef Cond = condition(E->getCond());
  if (!Cond)
    return nullptr;
  return choose(
      Cond, [&] { return value(E->getTrueExpr()); },
      [&] { return value(E->getFalseExpr()); });
}

} // namespace raise::lifting
