//===- Lift.cpp - functions and kernels -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Lifter.h"
#include "raise/IR/Text.h"
#include "raise/IR/Visitor.h"
#include "clang/AST/Attr.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace clang;
using namespace llvm;

namespace raise {
namespace lifting {

//===-- Failure
//-------------------------------------------------------------===//

/// Of At in a body that takes the place of a call: where it is, since remarks
/// stand at the call. Empty for others.
std::string Lifter::whereInlined(SourceRange At) const {
  const SourceManager &SM = AST.getSourceManager();
  const SourceLocation Loc = SM.getExpansionLoc(At.getBegin());
  const PresumedLoc Line = SM.getPresumedLoc(Loc);
  // Of a launch the line is said by whoever follows it.
  if (CallStack.size() < 2 || !Line.isValid() || SM.isInSystemHeader(Loc) ||
      CallStack.back()->hasAttr<CUDAGlobalAttr>())
    return "";
  const FunctionDecl &In = *CallStack.back();
  const auto *M = dyn_cast<CXXMethodDecl>(&In);
  if (M && M->getParent()->isLambda())
    return "";
  const PresumedLoc Outer =
      SM.getPresumedLoc(SM.getExpansionLoc(CallStack.front()->getLocation()));
  const bool Same =
      Outer.isValid() && StringRef(Outer.getFilename()) == Line.getFilename();
  return " (line " + std::to_string(Line.getLine()) +
         (Same ? ""
               : " of " + llvm::sys::path::filename(Line.getFilename()).str()) +
         ", in " + In.getNameAsString() + ")";
}

std::nullptr_t Lifter::refuse(const char *Code, const std::string &Text,
                              SourceRange At) {
  if (!Failure.isSet())
    Failure = {Code,
               StringRef(Text).contains("(line ") ? Text
                                                  : Text + whereInlined(At),
               locate(At, AST)};
  return nullptr;
}

std::nullptr_t Lifter::refuse(const Reason &R) {
  if (Failure.isSet())
    return nullptr;
  Failure = R;
  // Of a pointer it may be known since it was bound, outside of this body.
  const SourceLoc In = Inlines.empty()
                           ? SourceLoc()
                           : locate(Inlines.back().FD->getSourceRange(), AST);
  if (R.Loc.Line && R.Loc.File == In.File && R.Loc.Begin >= In.Begin &&
      R.Loc.End <= In.End && !StringRef(R.Text).contains("(line "))
    Failure.Text += whereInlined(AST.getSourceManager().translateLineCol(
        AST.getSourceManager().getFileID(AST.getSourceManager().getExpansionLoc(
            Inlines.back().FD->getBeginLoc())),
        R.Loc.Line, R.Loc.Column));
  return nullptr;
}

/// Whether control never comes to what follows S.
static bool endsHere(const clang::Stmt *S) {
  const auto *E = dyn_cast<clang::Expr>(S);
  const auto *C = E ? dyn_cast<CallExpr>(E->IgnoreParenCasts()) : nullptr;
  const FunctionDecl *FD = C ? C->getDirectCallee() : nullptr;
  return FD && FD->isNoReturn();
}

void Lifter::makeOpaque(const clang::Stmt *S, size_t KeepStatements) {
  Out->resize(KeepStatements);
  Stopped.push_back(Failure);
  std::vector<VarRef> Kept = keptBy(S);
  for (const VarRef &V : Kept)
    if (!is_contained(Escaped, V))
      Escaped.push_back(V);
  llvm::erase_if(Kept,
                 [&](const VarRef &V) { return !is_contained(Visible, V); });
  emit(std::make_shared<Opaque>(sourceText(S->getSourceRange(), AST),
                                Failure.Code, Failure.Text, touchedBy(S),
                                locateStatement(S, AST), endsHere(S), nullptr,
                                std::move(Kept)));
  Failure = {};
}

//===-- Parameters
//----------------------------------------------------------===//

bool Lifter::elementType(QualType T, Type &Elem) {
  if (isSmall(T)) {
    Elem = smallType(T);
    return true;
  }
  if (std::optional<Type> Ty = scalarType(T, AST)) {
    if (Ty->isVoid())
      return false;
    Elem = *Ty;
    return true;
  }
  // A structure: an element without a type of its own, accessed by Field. Those
  // of its members that are not scalars are refused where they are used.
  const RecordDecl *R = T->getAsRecordDecl();
  if (!R || !R->getDefinition() || R->isUnion() || R->isInvalidDecl())
    return false;
  Elem = Type::getVoid();
  Elem.Spelling = emittedSpelling(T.getUnqualifiedType(), AST);
  return true;
}

bool Lifter::arrayExtents(QualType T, std::vector<ExprRef> &Extents,
                          QualType &Elem, SourceRange At) {
  while (const clang::ArrayType *A = AST.getAsArrayType(T)) {
    if (const auto *C = dyn_cast<ConstantArrayType>(A)) {
      const clang::Expr *Size = C->getSizeExpr();
      std::string Spelling;
      if (Size && (isa<IntegerLiteral>(Size->IgnoreParenImpCasts())))
        Spelling = nameOfMacro(Size->IgnoreParenImpCasts());
      Extents.push_back(std::make_shared<IntConst>(C->getSize().getSExtValue(),
                                                   Type::getI64(), Spelling));
    } else if (const auto *V = dyn_cast<VariableArrayType>(A)) {
      ExprRef E = V->getSizeExpr() ? value(V->getSizeExpr()) : nullptr;
      if (!E)
        return refuse(codes::Expression, "the size of the array is not given",
                      At),
               false;
      Extents.push_back(E);
    } else {
      Extents.push_back(nullptr); // T a[]
    }
    T = A->getElementType();
  }
  Elem = T;
  return true;
}

/// An extent names what it was on entry: nothing in it may be assigned later.
static bool
fixedExtent(const ExprRef &E, const Prescan &Facts,
            const llvm::DenseMap<const ValueDecl *, Binding> &Bindings) {
  llvm::SmallPtrSet<const Var *, 4> Changed;
  for (const VarDecl *V : Facts.Assigned)
    if (auto It = Bindings.find(V); It != Bindings.end())
      Changed.insert(It->second.V.get());
  bool Fixed = true;
  forEachExpr(E, [&](const ExprRef &X) {
    if (const auto *U = dyn_cast<VarUse>(X.get()))
      Fixed &= !Changed.contains(U->V.get());
    Fixed &= !isa<Load>(X.get());
  });
  return Fixed;
}

BufferRef Lifter::paramBuffer(const ParmVarDecl *P, Function &F) {
  const QualType T = P->getType();
  auto B = std::make_shared<Buffer>();
  B->Name = P->getNameAsString();
  B->Kind = BufferKind::Param;
  B->Loc = locate(P->getLocation(), AST);
  B->Reference = T->isReferenceType();
  B->Restrict = T.isRestrictQualified();
  B->TypeSpelling = spellingOf(P->getOriginalType(), AST);
  QualType Elem = T->getPointeeType();
  std::vector<ExprRef> Inner;
  if (!arrayExtents(Elem, Inner, Elem, P->getSourceRange()))
    return nullptr;
  for (ExprRef &E : Inner)
    if (!E || !fixedExtent(E, Facts, Bindings))
      return refuse(codes::Signature,
                    "an extent of array '" + B->Name +
                        "' is not known or changes later",
                    P->getSourceRange());
  B->Extents.insert(B->Extents.end(), Inner.begin(), Inner.end());
  B->Const = Elem.isConstQualified();
  B->Volatile = Elem.isVolatileQualified();
  if (!elementType(Elem, B->Elem))
    return refuse(codes::Signature,
                  "parameter '" + B->Name + "' has type '" + B->TypeSpelling +
                      "', which is not supported",
                  P->getSourceRange());
  if (holdsContainers(Elem))
    B->Apart = groupOf(B.get());
  F.Params.push_back({nullptr, B});
  BufferParams.emplace_back(P, B);
  return B;
}

/// A pointer parameter that the body changes is a cursor that starts at it.
void Lifter::bindParamBuffer(const ParmVarDecl *P, const BufferRef &B) {
  Binding Bound;
  if (B->Reference) {
    Bound.Kind = Binding::Alias;
    Bound.At.Kind = Place::Memory;
    Bound.At.A.Buf = B;
    Bound.At.A.Indices = {build::intConst(0, Type::getI64())};
    Bound.At.QualTy = P->getType()->getPointeeType();
    if (!B->Elem.isVoid())
      Bound.At.Ty = B->Elem;
  } else {
    Bound.Kind = Binding::BufferObj;
    Bound.P.Base = B;
    Bindings[P] = Bound;
    if (!Facts.Assigned.contains(P))
      return;
    Failure = {};
    if (B->rank() > 1)
      refuse(codes::PointerBase,
             "pointer '" + B->Name + "' to rows of an array is changed",
             P->getSourceRange());
    else if (Facts.Addressed.contains(P))
      refuse(codes::AddressTaken, "the address of '" + B->Name + "' is taken",
             P->getSourceRange());
    if (Failure.isSet() || commonBase(P) != B) {
      // Between the statements that change it, it is a pointer like another.
      const bool Named = bindByName(P);
      Bound.Kind = Binding::Unsupported;
      Bound.Why = Failure;
      Failure = {};
      if (Named) {
        Bindings[P].Why = Bound.Why;
        return;
      }
    } else {
      auto V = std::make_shared<Var>();
      V->Name = B->Name;
      V->Ty = Type::getI64();
      V->Kind = VarKind::Cursor;
      V->Base = B;
      V->Loc = B->Loc;
      Bound = {};
      Bound.Kind = Binding::Cursor;
      Bound.V = V;
      Changing.insert(V.get());
      emit(std::make_shared<Decl>(V, build::intConst(0, Type::getI64()),
                                  B->Loc));
    }
  }
  Bindings[P] = Bound;
}

bool Lifter::liftParam(const ParmVarDecl *P, Function &F) {
  const QualType T = P->getType();
  if (T.isVolatileQualified())
    return refuse(codes::Volatile,
                  "parameter '" + P->getNameAsString() + "' is volatile",
                  P->getSourceRange()),
           false;
  if (std::optional<Type> Ty = scalarType(T, AST)) {
    auto V = std::make_shared<Var>();
    V->Name = P->getNameAsString();
    V->Ty = *Ty;
    V->Kind = VarKind::Param;
    V->Const = T.isConstQualified();
    V->Loc = locate(P->getLocation(), AST);
    F.Params.push_back({V, nullptr});
    Visible.push_back(V);
    Binding Bound;
    Bound.Kind = Binding::Scalar;
    Bound.V = V;
    Bindings[P] = Bound;
    return true;
  }
  if (liftContainerParam(P, F) || failed())
    return !failed();
  if ((T->isPointerType() || T->isLValueReferenceType()) &&
      !containerElement(T) && !T.getNonReferenceType()->isArrayType())
    return paramBuffer(P, F) != nullptr;
  if (liftObjectParam(P, F) || failed())
    return !failed();
  const auto Element = containerElement(T.getNonReferenceType());
  const bool OfRecords = Element && (*Element)->isRecordType();
  return refuse(codes::Signature,
                "parameter '" + P->getNameAsString() + "' has type '" +
                    spellingOf(T, AST) + "', which is not supported" +
                    (OfRecords
                         ? "; a pointer to its elements and their number are"
                         : ""),
                P->getSourceRange()),
         false;
}

/// Notes what the signature lacks, and goes on: loops of the body may not need
/// it. Kernels and functions that others call need all of theirs.
bool Lifter::skipMissing(Function &F) {
  if (F.Kind != FunctionKind::Host || CallStack.size() > 1)
    return false;
  if (F.MissingSignature.empty())
    F.MissingSignature = Failure.Text;
  Failure = {};
  return true;
}

/// What is not a parameter by name: the object, the result, variable arguments.
bool Lifter::liftSignature(const FunctionDecl &FD, Function &F) {
  std::optional<Type> Result = scalarType(FD.getReturnType(), AST);
  if (!Result)
    return refuse(codes::Signature,
                  "the result has type '" +
                      spellingOf(FD.getReturnType(), AST) +
                      "', which is not supported",
                  FD.getReturnTypeSourceRange()),
           false;
  F.Result = *Result;
  if (FD.isVariadic())
    return refuse(codes::Signature, "a function with variable arguments",
                  FD.getSourceRange()),
           false;
  // A method's object would be one more parameter.
  if (const auto *M = dyn_cast<CXXMethodDecl>(&FD);
      M && M->isInstance() && !This.A.Buf)
    return refuse(codes::Signature, "a member function", FD.getLocation()),
           false;
  if (const auto *M = dyn_cast<CXXMethodDecl>(&FD);
      M && M->isInstance() && This.A.Buf->Kind != BufferKind::Param)
    return refuse(codes::Signature, "a member function", FD.getLocation()),
           false;
  return true;
}

bool Lifter::liftParams(const FunctionDecl &FD, Function &F) {
  if (!liftSignature(FD, F) && !skipMissing(F))
    return false;
  StmtList Evaluated; // an extent with effects is refused below
  SaveAndRestore Restore(Out, &Evaluated);
  for (const ParmVarDecl *P : FD.parameters()) {
    const size_t Before = F.Params.size();
    if (liftParam(P, F))
      continue;
    Binding Unknown;
    Unknown.Why = Failure;
    F.Params.resize(Before);
    if (!skipMissing(F))
      return false;
    if (bindByName(P))
      continue;
    Bindings[P] = Unknown;
  }
  return Evaluated.empty() ||
         refuse(codes::Signature, "an extent of a parameter has an effect",
                FD.getLocation());
}

//===-- Bodies
//--------------------------------------------------------------===//

/// What holds for the whole translation unit and changes what arithmetic means.
bool Lifter::checkArithmetic(const FunctionDecl &FD) {
  const LangOptions &Lang = AST.getLangOpts();
  const bool Sanitized =
      Lang.Sanitize.has(SanitizerKind::SignedIntegerOverflow);
  if (Lang.getSignedOverflowBehavior() == LangOptions::SOB_Undefined &&
      !Sanitized)
    return true;
  const char *Why =
      Sanitized ? "-fsanitize=signed-integer-overflow"
      : Lang.getSignedOverflowBehavior() == LangOptions::SOB_Trapping
          ? "-ftrapv"
          : "-fwrapv";
  return refuse(codes::CheckedArithmetic,
                std::string("compiled with ") + Why +
                    ", which gives signed overflow a meaning",
                FD.getLocation()),
         false;
}

/// A thread has its own copy of each parameter: those that the body changes
/// become locals.
static StmtRef copyParam(Binding &B) {
  auto V = std::make_shared<Var>(*B.V);
  V->Kind = VarKind::Local;
  StmtRef D = std::make_shared<Decl>(V, build::var(B.V), V->Loc);
  B.V = V;
  return D;
}

void Lifter::liftWholeBody(const FunctionDecl &FD, StmtList &List) {
  const size_t Params = List.size();
  const auto *Whole = dyn_cast<CompoundStmt>(FD.getBody());
  if (Whole && Settings.Alone && CallStack.size() == 1 && liftForm(FD, Whole))
    return;
  if (Whole && !liftChildren(Whole, List)) {
    // A condition over a jump that cannot be expressed: statement by statement.
    List.resize(Params);
    Failure = {};
    FunctionBody = nullptr;
  }
  if (Whole && !FunctionBody)
    for (const clang::Stmt *S : Whole->body())
      lift(S);
  else if (!Whole)
    lift(FD.getBody()); // a function-try-block
}

void Lifter::liftBody(const FunctionDecl &FD, Function &F) {
  StmtList List;
  Out = &List;
  for (const ParmVarDecl *P : FD.parameters()) {
    if (!copyObjectParam(P))
      return;
    Binding &B = Bindings[P];
    if (B.Kind == Binding::Scalar) {
      if (IsKernel && Facts.Assigned.contains(P))
        emit(copyParam(B));
      if (Facts.Assigned.contains(P))
        Changing.insert(B.V.get());
      if (Facts.Addressed.contains(P))
        Addressed.push_back(B.V);
    }
  }
  // What one that changes is given may be another.
  for (auto &[P, B] : BufferParams) {
    Bindings[P].Kind = Binding::BufferObj;
    Bindings[P].P.Base = B;
  }
  for (auto &[P, B] : BufferParams)
    bindParamBuffer(P, B);
  if (Settings.Notes && !Settings.Alone && CallStack.size() == 1 &&
      noteOffset(FD.getLocation()))
    stateFacts(textBegin(FD), nullptr);
  FunctionBody = FD.getBody();
  const size_t Params = List.size();
  const Checkpoint Start = checkpoint();
  liftWholeBody(FD, List);
  if (pinReferences(0, List)) {
    rollBack(Start);
    List.resize(Params);
    FunctionBody = FD.getBody();
    liftWholeBody(FD, List);
  }
  StmtRef Body = markEscapes(
      std::make_shared<Block>(std::move(List),
                              locate(FD.getBody()->getSourceRange(), AST)),
      Escaped);
  F.Body = IsKernel ? wrapKernel(Body, F) : Body;
}

/// Body in the loops over the threads of a launch.
StmtRef Lifter::wrapKernel(StmtRef Body, Function &F) {
  const SourceLoc Loc = Body->Loc;
  Body = threadLoops(std::move(Body), Loc);
  F.LaunchDims = Launch;
  return std::make_shared<Block>(StmtList{Body}, Loc);
}

LiftedFunction Lifter::run(const FunctionDecl &FD) {
  LiftedFunction Result;
  Result.Decl = &FD;
  auto F = std::make_shared<Function>();
  F->Name = FD.getNameAsString();
  F->QualifiedName = FD.getQualifiedNameAsString();
  IsKernel = FD.hasAttr<CUDAGlobalAttr>();
  IsDevice = FD.hasAttr<CUDADeviceAttr>();
  F->Kind = IsKernel   ? FunctionKind::Kernel
            : IsDevice ? FunctionKind::Device
                       : FunctionKind::Host;
  F->Loc = locate(FD.getSourceRange(), AST);
  const SourceLoc Name = locate(FD.getLocation(), AST);
  F->Loc.Line = Name.Line;
  F->Loc.Column = Name.Column;
  F->InternalLinkage = !FD.isExternallyVisible();
  F->LanguageC = !AST.getLangOpts().CPlusPlus;
  Launch = makeLaunchDims();
  Indices = threadIndices(F->Loc);
  Outermost = CallStack.empty();
  CallStack.push_back(FD.getCanonicalDecl());
  Names = std::make_unique<NameScope>(FD, CalledFrom, Settings.Alone);
  NameScope::Use Spelled(*Names);
  Facts.scan(FD.getBody());
  if (const auto *C = dyn_cast<CXXConstructorDecl>(&FD))
    for (const CXXCtorInitializer *I : C->inits())
      Facts.scan(I->getInit());
  if (!IsKernel && !IsDevice && CallStack.size() == 1)
    Memory.scan(FD);
  if (const auto *M = dyn_cast<CXXMethodDecl>(&FD);
      M && M->isInstance() && CallStack.size() == 1 && !bindSelf(*M, *F))
    bindThis(*M);
  if (Facts.HasBlock)
    refuse(codes::Closure, "a block is made, which may share its variables",
           FD.getLocation());
  const bool Noted =
      Settings.Notes && CallStack.size() == 1 && noteOffset(FD.getLocation());
  if (Noted && IsKernel && !Settings.Alone)
    turnedOff(FD.getLocation(), FD.getLocation());
  if (failed() || !checkArithmetic(FD) || !liftParams(FD, *F)) {
    Result.Stopped.push_back(Failure);
    return Result;
  }
  liftBody(FD, *F);
  if (failed() || !addImplied(*F) || !addObjectMembers(*F)) {
    Result.Stopped = {Failure};
    return Result;
  }
  if (Noted && Settings.Alone) {
    Out = &Result.Facts;
    stateFacts(textBegin(FD), nullptr);
  }
  Result.F = F;
  Result.Stopped = std::move(Stopped);
  return Result;
}

/// The first store to an array that is declared to be constant. Not that
/// statement alone is left: others rely on what the declaration says.
static Reason writeOfConstants(const Function &F) {
  Reason Found;
  forEachStmt(F.Body, [&](const StmtRef &S) {
    const auto *St = dyn_cast<Store>(S.get());
    if (St && St->To.Buf->Const && !Found.isSet())
      Found = {codes::PointerCast,
               "'" + St->To.Buf->Name +
                   "', whose elements are declared to be constant, is written "
                   "through a cast",
               S->Loc};
  });
  return Found;
}

} // namespace lifting

LiftedFunction lift(const FunctionDecl &FD, ASTContext &AST,
                    const LiftSettings &Settings) {
  const FunctionDecl *Definition = nullptr;
  if (!FD.hasBody(Definition) || Definition->isDependentContext()) {
    LiftedFunction None;
    None.Decl = &FD;
    None.Stopped.push_back({codes::Signature,
                            Definition
                                ? "a template is lifted by its instantiations"
                                : "the function has no body here",
                            lifting::locate(FD.getLocation(), AST)});
    return None;
  }
  LiftedFunction L = lifting::Lifter(AST, {}, Settings).run(*Definition);
  if (!L.F)
    return L;
  if (Settings.Alone && lifting::mayFixMembers(*L.F)) {
    lifting::Lifter Again(AST, {}, Settings);
    Again.fixMembers();
    L = Again.run(*Definition);
    if (!L.F)
      return L;
  }
  const Reason Cast = lifting::writeOfConstants(*L.F);
  if (Cast.isSet()) {
    L.Stopped.push_back(Cast);
    L.F = nullptr;
    return L;
  }
  // Nothing after this looks at a function that breaks the IR's rules.
  const std::vector<std::string> Broken = verify(*L.F);
  if (!Broken.empty()) {
    L.Stopped.push_back(
        {codes::Statement,
         "the function has a form that is not supported: " + Broken.front(),
         lifting::locate(FD.getLocation(), AST)});
    L.F = nullptr;
  }
  return L;
}

} // namespace raise
