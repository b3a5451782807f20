//===- Call.cpp - calls ---------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Lifter.h"
#include "raise/IR/Effects.h"
#include "raise/IR/Math.h"
#include "raise/IR/Visitor.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;
using namespace llvm;

namespace raise::lifting {

/// Whether a copy of V is as good as V for as long as nothing assigns V: there
/// is nothing in it that is written by other means.
static bool isCopiedWhole(const VarDecl *V, const ASTContext &AST) {
  const QualType T = V->getType();
  if (T->isPointerType() || scalarType(T, AST) || plainMembers(T, AST))
    return true;
  const CXXRecordDecl *R = T->getAsCXXRecordDecl();
  return R && containerElement(T) && R->getName() == "span"; // a view
}

/// Whether what a lambda captures is what it is where the lambda is called.
bool Lifter::knowsCaptures(const CXXMethodDecl *M,
                           const clang::CallExpr *E) const {
  const auto *O = dyn_cast<CXXOperatorCallExpr>(E);
  if (!O || O->getOperator() != OO_Call)
    return false;
  const clang::Expr *Callee =
      O->getArg(0)->IgnoreParenImpCasts()->IgnoreImplicit();
  // The copies of one that is called where it stands are new, but older than
  // the arguments.
  const bool IsNew = isa<LambdaExpr>(Callee);
  const bool Calm = llvm::none_of(E->arguments(), [&](const clang::Expr *Arg) {
    return !isa<LambdaExpr>(Arg->IgnoreParenImpCasts()->IgnoreImplicit()) &&
           Arg->HasSideEffects(AST);
  });
  for (const LambdaCapture &C : M->getParent()->captures()) {
    const auto *V =
        C.capturesVariable() ? dyn_cast<VarDecl>(C.getCapturedVar()) : nullptr;
    if (C.capturesVariable() && (!V || V->isInitCapture()))
      return false;
    if (C.getCaptureKind() == LCK_This || C.getCaptureKind() == LCK_ByRef)
      continue;
    if (!V || !M->isConst() || !isCopiedWhole(V, AST) ||
        (IsNew && Calm ? Facts.Addressed : Facts.Assigned).contains(V))
      return false; // a mutable lambda changes a copy of its own
  }
  return IsNew || isa<DeclRefExpr>(Callee);
}

const FunctionDecl *Lifter::target(const clang::CallExpr *E) {
  const FunctionDecl *FD = E->getDirectCallee();
  const auto *M = dyn_cast_or_null<CXXMethodDecl>(FD);
  if (M && M->getParent()->isLambda() && !knowsCaptures(M, E))
    return refuse(codes::Closure, "a lambda", E->getSourceRange());
  if (!FD || (M && M->isVirtual()))
    return refuse(codes::IndirectCall,
                  "the function that is called here is not known",
                  E->getSourceRange());
  return FD;
}

static bool allocates(StringRef Name) {
  return StringSwitch<bool>(Name)
      .Cases("malloc", "calloc", "realloc", "free", "aligned_alloc", true)
      .Cases("posix_memalign", "alloca", "__builtin_alloca", true)
      .Default(false);
}

bool mayReturnNullInto(const FunctionDecl *FD, const ASTContext &AST) {
  return FD->getIdentifier() && isLibrary(FD, AST) &&
         FD->getReturnType()->isPointerType() &&
         StringSwitch<bool>(FD->getName())
             .Cases("strchr", "strrchr", "strstr", "strpbrk", "memchr", true)
             .Default(false);
}

/// What C, the call that an assert() makes where it fails, says of it: whose it
/// is, where, and what it asserts. Empty if C is none.
std::string Lifter::describeAssert(const clang::CallExpr *C) const {
  const FunctionDecl *FD = C->getDirectCallee();
  if (!FD || !FD->isNoReturn() || !FD->getIdentifier() ||
      !FD->getName().contains("assert") || !isLibrary(FD, AST))
    return "";
  // The C libraries differ in which argument holds the condition: its text is
  // what the macro was given.
  const SourceManager &SM = AST.getSourceManager();
  const SourceRange At = SM.getExpansionRange(C->getSourceRange()).getAsRange();
  if (!C->getBeginLoc().isMacroID())
    return "";
  const std::string Text = shortText(At, AST);
  const PresumedLoc Line = SM.getPresumedLoc(At.getBegin());
  std::string Says = "'" + Text + "' is not proved to hold";
  if (CallStack.size() > 1 && Line.isValid())
    Says += ", in " + CallStack.back()->getNameAsString() + " (line " +
            std::to_string(Line.getLine()) + ")";
  return Says + ": where it fails, the program ends";
}

bool Lifter::liftAssert(const clang::Expr *E) {
  const auto *C = dyn_cast<clang::CallExpr>(E->IgnoreParens());
  if (!C || !IsKernel || Settings.Alone || IsLaunched)
    return false;
  const std::string Says = describeAssert(C);
  if (Says.empty())
    return false;
  const SourceLoc Loc = locate(C->getSourceRange(), AST);
  emit(std::make_shared<Opaque>("assert", codes::UnknownCall, Says,
                                std::vector<VarRef>(), Loc,
                                /*NoReturn=*/true));
  return true;
}

/// Why a function without a known meaning cannot be called.
Reason Lifter::whyUnknown(const FunctionDecl *FD, SourceRange At) const {
  const std::string Name = FD->getNameAsString();
  const SourceManager &SM = AST.getSourceManager();
  const SourceLoc Loc = locate(At, AST);
  const std::string Calls = "calls " + Name + whereInlined(At);
  if (FD->isNoReturn())
    return {codes::UnknownCall, Calls + ", which does not return", Loc};
  if (allocates(Name))
    return {codes::Heap, Calls + ", which manages memory", Loc};
  if (AST.getLangOpts().CUDA && FD->hasAttr<CUDADeviceAttr>() &&
      SM.isInSystemHeader(SM.getExpansionLoc(FD->getLocation())))
    return {codes::CudaBuiltin, Calls + ", which has no raised form", Loc};
  if (mayReturnNullInto(FD, AST))
    return {codes::UnknownCall,
            Calls +
                ", which returns a pointer into its argument or null: what may "
                "be null is not followed",
            Loc};
  if (StringRef(Name).starts_with("mem") && FD->getBuiltinID() &&
      FD->isExternC())
    return {codes::UnknownCall,
            Calls + ", which handles whole blocks of memory: only loops over "
                    "elements are followed",
            Loc};
  return {codes::UnknownCall, Calls + ", whose effects are not known", Loc};
}

bool Lifter::arguments(const clang::CallExpr *E,
                       const std::vector<Type> &Params,
                       std::vector<ExprRef> &Args) {
  for (unsigned I = 0; I < E->getNumArgs(); ++I) {
    StmtList Later;
    StmtList *const Saved = Out;
    Out = &Later;
    ExprRef V = value(E->getArg(I));
    Out = Saved;
    if (!V)
      return false;
    for (ExprRef &Earlier : Args) // they were evaluated before
      if (!Later.empty() && !isFixed(Earlier))
        Earlier = spill(Earlier, "argument");
    Out->insert(Out->end(), Later.begin(), Later.end());
    Args.push_back(build::cast(V, Params[I]));
  }
  return true;
}

//===-- Functions of <cmath>
//------------------------------------------------===//

static bool isStd(const FunctionDecl *FD) { return FD->isInStdNamespace(); }

/// Where the C library's functions and their overloads live.
bool isLibrary(const FunctionDecl *FD, const ASTContext &AST) {
  if (FD->getBuiltinID() || isStd(FD))
    return true;
  const SourceManager &SM = AST.getSourceManager();
  return FD->getDeclContext()->getRedeclContext()->isTranslationUnit() &&
         SM.isInSystemHeader(SM.getExpansionLoc(FD->getLocation()));
}

ExprRef Lifter::mathCall(const FunctionDecl *FD, const clang::CallExpr *E) {
  if (!FD->getIdentifier() || !isLibrary(FD, AST) ||
      FD->getNumParams() != E->getNumArgs() || E->getNumArgs() == 0)
    return nullptr;
  StringRef Name = FD->getName();
  Name.consume_front("__builtin_");
  std::optional<Type> Result = scalarType(FD->getReturnType(), AST);
  if (!Result || Result->isVoid())
    return nullptr;
  bool AllFloat32 = true, AnyFloat = false;
  for (const ParmVarDecl *P : FD->parameters()) {
    std::optional<Type> Ty = scalarType(P->getType(), AST);
    if (!Ty || Ty->isVoid())
      return nullptr;
    AllFloat32 &= Ty->isFloat() && Ty->Bits == 32;
    AnyFloat |= Ty->isFloat();
  }
  // An overload of a double function for float is the function with an f.
  std::string Canonical = Name.str();
  const bool Overload = AllFloat32 && Result->isFloat() && Result->Bits == 32;
  if (Name == "abs" && AnyFloat)
    Canonical = "fabs";
  if ((Name == "min" || Name == "max") && AnyFloat && !isStd(FD))
    Canonical = "f" + Name.str();
  CalleeRef Callee;
  if (Overload)
    Callee = knownMathCallee(Canonical + "f");
  if (!Callee)
    Callee = knownMathCallee(Canonical);
  if (!Callee) // compilers' own
    Callee = knownMathCallee(FD->getName());
  if (!Callee) // `__builtin_clzl` of a long that is as long as a long long
    Callee = knownMathCallee((FD->getName() + "l").str());
  if (!Callee || Callee->Params.size() != E->getNumArgs() ||
      Callee->Result != *Result)
    return nullptr;
  if (!Names->findsLibrary(Callee->Name))
    return refuse(codes::HiddenName,
                  "'" + Callee->Name +
                      "' means something else where this is used",
                  E->getSourceRange());
  // Other types than the function's own: an overload that converts, as
  // std::pow(float, int) does to double.
  for (unsigned I = 0; I < E->getNumArgs(); ++I) {
    std::optional<Type> Ty = scalarType(FD->getParamDecl(I)->getType(), AST);
    if (!Ty || (*Ty != Callee->Params[I] && !isStd(FD)))
      return nullptr;
    if (Ty->isFloat() && Ty->Bits > Callee->Params[I].Bits)
      return nullptr;
  }
  std::vector<ExprRef> Args;
  if (!arguments(E, Callee->Params, Args))
    return nullptr;
  return std::make_shared<raise::Call>(Callee, Args,
                                       locate(E->getSourceRange(), AST));
}

/// What kind of value x is, and comparisons of which a NaN is no error: the
/// macros of <math.h>, which are builtins of any floating type, and the
/// functions of <cmath>.
ExprRef Lifter::classification(const FunctionDecl *FD,
                               const clang::CallExpr *E) {
  if (!FD->getIdentifier() || (!FD->getBuiltinID() && !isStd(FD)))
    return nullptr;
  StringRef Name = FD->getName();
  Name.consume_front("__builtin_");
  const auto Order = StringSwitch<std::optional<BinaryOp>>(Name)
                         .Case("isgreater", BinaryOp::GT)
                         .Case("isgreaterequal", BinaryOp::GE)
                         .Case("isless", BinaryOp::LT)
                         .Case("islessequal", BinaryOp::LE)
                         .Default(std::nullopt);
  const CalleeRef Kind = knownMathCallee(("__builtin_" + Name).str());
  if ((!Order || E->getNumArgs() != 2) && (!Kind || E->getNumArgs() != 1))
    return nullptr;
  std::vector<Type> Types;
  for (const clang::Expr *Arg : E->arguments()) {
    const std::optional<Type> T = scalarType(Arg->getType(), AST);
    if (!T || !T->isFloat() || T->Bits > 64)
      return nullptr;
    Types.push_back(Kind ? Type::getFloat(64) : *T);
  }
  const std::optional<Type> Result = scalarType(E->getType(), AST);
  if (!Result || (Order && Types[0] != Types[1]))
    return nullptr;
  std::vector<ExprRef> Args;
  if (!arguments(E, Types, Args))
    return nullptr;
  const SourceLoc Loc = locate(E->getSourceRange(), AST);
  if (Order)
    return build::cast(std::make_shared<Binary>(*Order, Args[0], Args[1],
                                                Type::getBool(), Loc),
                       *Result);
  return build::cast(std::make_shared<raise::Call>(Kind, Args, Loc), *Result);
}

/// min and max of integers, and std::min and std::max of anything: a choice.
bool Lifter::isExtremum(const clang::CallExpr *E) const {
  const FunctionDecl *FD = E->getDirectCallee();
  return FD && FD->getIdentifier() && E->getNumArgs() == 2 &&
         isLibrary(FD, AST) &&
         (FD->getName() == "min" || FD->getName() == "max");
}

ExprRef Lifter::extremum(const FunctionDecl *FD, const clang::CallExpr *E) {
  if (!isExtremum(E))
    return nullptr;
  std::optional<Type> Ty = scalarType(E->getType().getNonReferenceType(), AST);
  if (!Ty || Ty->isVoid() || (Ty->isFloat() && !isStd(FD)))
    return nullptr;
  for (const ParmVarDecl *P : FD->parameters())
    if (scalarType(P->getType().getNonReferenceType(), AST) != Ty)
      return nullptr;
  std::vector<ExprRef> Args;
  if (!arguments(E, {*Ty, *Ty}, Args))
    return nullptr;
  for (ExprRef &A : Args) { // each is used twice
    bool Calls = false;
    forEachExpr(A,
                [&](const ExprRef &X) { Calls |= isa<raise::Call>(X.get()); });
    if (Calls)
      A = spill(A, "operand");
  }
  const bool Min = FD->getName() == "min";
  const SourceLoc Loc = locate(E->getSourceRange(), AST);
  // std::min(a, b) is (b < a) ? b : a, and std::max (a < b) ? b : a.
  ExprRef Less =
      std::make_shared<Binary>(BinaryOp::LT, Min ? Args[1] : Args[0],
                               Min ? Args[0] : Args[1], Type::getBool(), Loc);
  return std::make_shared<Select>(Less, Args[1], Args[0], Loc);
}

//===-- Calls
//---------------------------------------------------------------===//

ExprRef Lifter::call(const clang::CallExpr *E) {
  if (ExprRef V = containerValue(E); V || failed())
    return V;
  const FunctionDecl *FD = target(E);
  if (!FD)
    return nullptr;
  if (ExprRef V = cudaValue(FD, E))
    return V;
  const bool HasRule = calleeByRule(FD) != nullptr;
  if (!failed() && !HasRule)
    if (ExprRef V = extremum(FD, E))
      return V;
  if (!failed() && !HasRule)
    if (ExprRef V = classification(FD, E))
      return V;
  if (failed())
    return nullptr;
  if (ExprRef V = mathCall(FD, E))
    return V;
  if (failed())
    return nullptr;
  if (CalleeRef Callee = pureCallee(FD)) {
    std::vector<ExprRef> Args;
    if (!arguments(E, Callee->Params, Args))
      return nullptr;
    return std::make_shared<raise::Call>(Callee, Args,
                                         locate(E->getSourceRange(), AST));
  }
  if (ExprRef V = deviceMath(FD, E); V || failed())
    return V;
  if (ExprRef V = foldCall(FD, E); V || failed())
    return V;
  if (ExprRef V = pureCall(FD, E); V || failed())
    return V;
  if (!knownBody(FD))
    return refuse(whyUnknown(FD, E->getSourceRange()));
  if (ExprRef V = accessorValue(FD, E))
    return V;
  std::vector<VarRef> Results;
  if (!inlineCall(FD, E, Results))
    return nullptr;
  if (Results.size() != 1)
    return refuse(codes::Expression, "the call has no scalar value",
                  E->getSourceRange());
  ExprRef Result =
      std::make_shared<VarUse>(Results[0], locate(E->getSourceRange(), AST));
  const std::optional<Type> Ty = scalarType(E->getType(), AST);
  return Ty ? build::cast(Result, *Ty) : Result;
}

bool Lifter::callEffect(const clang::CallExpr *E) {
  if (const auto *L = dyn_cast<CUDAKernelCallExpr>(E))
    return liftLaunch(L);
  const FunctionDecl *FD = target(E);
  if (!FD)
    return false;
  if (const int Done = cudaStatement(FD, E))
    return Done > 0;
  if (const int Done = runtimeCall(FD, E))
    return Done > 0;
  if (const int Done = copyBytes(FD, E))
    return Done > 0;
  if (const int Done = blockCall(FD, E))
    return Done > 0;
  if (isDeclaredPure(FD)) // what for, if nothing looks at its value?
    return refuse(whyUnknown(FD, E->getSourceRange())), false;
  if (!E->getType()->isVoidType() && !E->getType()->isRecordType() &&
      (!knownBody(FD) || pureCallee(FD))) {
    ExprRef V = call(E);
    return V != nullptr;
  }
  if (const std::string Assert = describeAssert(E); !Assert.empty())
    return refuse(codes::UnknownCall, Assert, E->getSourceRange()), false;
  if (!knownBody(FD))
    return refuse(whyUnknown(FD, E->getSourceRange())), false;
  std::vector<VarRef> Results;
  return inlineCall(FD, E, Results);
}

} // namespace raise::lifting
