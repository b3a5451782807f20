//===- Inline.cpp - functions that touch memory, in place of their calls --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "FreshScan.h"
#include "Lifter.h"
#include "raise/IR/Text.h"
#include "raise/IR/Visitor.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace clang;
using namespace llvm;

namespace raise::lifting {

/// Whether E is a null pointer, by its text or by that of the call.
bool Lifter::isKnownNull(const clang::Expr *E) const {
  const auto *D = dyn_cast<DeclRefExpr>(E->IgnoreParenCasts());
  const auto It = D ? Bindings.find(D->getDecl()) : Bindings.end();
  return It != Bindings.end() ? It->second.Kind == Binding::Null
                              : isNullPointer(E, AST);
}

/// Whether E is a variable, or one that is made as wide as an offset.
static bool isVariable(const ExprRef &E) {
  const auto *C = dyn_cast<raise::Cast>(E.get());
  return isa<VarUse>(C ? C->Operand.get() : E.get());
}

/// Evaluates an argument and says what the parameter stands for. The binding is
/// returned, not yet made: a later argument may call the same function.
/// Private: nothing that the function does can change the caller's variables,
/// so that a parameter which is never assigned can stand for the argument.
bool Lifter::bindArgument(const ParmVarDecl *P, const clang::Expr *Arg,
                          bool Private, Binding &B) {
  const QualType T = P->getType();
  const SourceLoc Loc = locate(Arg->getSourceRange(), AST);
  if (T.isVolatileQualified())
    return refuse(codes::Volatile,
                  "parameter '" + P->getNameAsString() + "' is volatile",
                  P->getSourceRange()),
           false;
  if (isThreadGroup(T))
    return bindThreadGroup(P, Arg), true; // it has no state
  if (T->isReferenceType()) {
    Place At = place(Arg);
    if (!At.isSet() || !freeze(At))
      return false;
    B.Kind = Binding::Alias;
    B.At = At;
    return true;
  }
  if (T->isPointerType() && isKnownNull(Arg) && !Facts.Assigned.contains(P) &&
      !Facts.Addressed.contains(P)) {
    B.Kind = Binding::Null;
    B.Why = {codes::PointerBase,
             "parameter '" + P->getNameAsString() +
                 "' is a null pointer in this call",
             Loc};
    return true;
  }
  if (isa<clang::StringLiteral, PredefinedExpr>(Arg->IgnoreParenImpCasts())) {
    B.Why = {codes::PointerBase,
             "parameter '" + P->getNameAsString() + "' is a string", Loc};
    return true;
  }
  if (T->isPointerType()) {
    Pointer Ptr = pointer(Arg);
    if (!Ptr.isSet())
      return false;
    const bool Moves = Facts.Assigned.contains(P);
    const bool Simple =
        !Ptr.Offset || isConstant(Ptr.Offset) ||
        (Private && isa<VarUse>(Ptr.Offset.get())) ||
        (IsKernel && isFixed(Ptr.Offset) && isVariable(Ptr.Offset));
    if (Ptr.Scalar || (!Moves && Simple)) {
      if (Moves)
        return refuse(codes::PointerBase,
                      "a pointer to a single variable is changed",
                      P->getSourceRange()),
               false;
      B.Kind = Binding::PointerVal;
      B.P = Ptr;
      return true;
    }
    const bool IsTaken = Facts.Addressed.contains(P);
    if (IsTaken || Ptr.Base->rank() > 1)
      return refuse(codes::PointerBase,
                    IsTaken ? "the address of pointer '" +
                                  P->getNameAsString() + "' is taken"
                            : "a pointer into '" + Ptr.Base->Name +
                                  "', an array of several dimensions, is "
                                  "passed to a function",
                    Arg->getSourceRange()),
             false;
    auto V = std::make_shared<Var>();
    V->Name = P->getNameAsString();
    V->Ty = Type::getI64();
    V->Kind = VarKind::Cursor;
    V->Base = Ptr.Base;
    V->Loc = locate(P->getLocation(), AST);
    if (Moves)
      Changing.insert(V.get());
    else
      V->Says = asName(sourceText(Arg->getSourceRange(), AST));
    emit(std::make_shared<Decl>(
        V, Ptr.Offset ? Ptr.Offset : build::intConst(0, Type::getI64()), Loc));
    B.Kind = Binding::Cursor;
    B.V = V;
    return true;
  }
  if (isOnlyCopied(P)) {
    B.Kind = Binding::OfBytes;
    B.Held = bytesOf(Arg);
    B.Held.Loops = 0; // of the function that is called
    return B.Held.isSet();
  }
  if (T->isRecordType() && !isSmall(T)) {
    // A structure that neither side changes is the caller's.
    if (const auto *D = dyn_cast<DeclRefExpr>(Arg->IgnoreImplicit()))
      if (auto It = Bindings.find(D->getDecl());
          It != Bindings.end() && It->second.Kind == Binding::Frozen &&
          !Facts.Assigned.contains(P) && !Facts.Addressed.contains(P)) {
        B = It->second;
        return true;
      }
    if (!Facts.Assigned.contains(P) && !Facts.Addressed.contains(P))
      if (const Place Part = objectPart(Arg); Part.Kind == Place::Frozen) {
        B.Kind = Binding::Frozen;
        B.At = Part;
        return true;
      }
    if (!failed() && mayOwnObject(T))
      return bindObject(P, Arg, Private, B);
    std::vector<ExprRef> Values;
    if (failed() || !recordValue(Arg, Values))
      return false;
    B.Kind = Binding::Record;
    B.At.Kind = Place::Record;
    B.At.QualTy = B.At.At = T;
    if (Private && !Facts.Assigned.contains(P) &&
        all_of(Values, [](const ExprRef &V) { return isa<VarUse>(V.get()); })) {
      for (const ExprRef &V : Values)
        B.At.Parts.push_back(cast<VarUse>(V.get())->V);
      return true;
    }
    B.At.Parts = makeParts(P->getName(), T, Loc);
    for (size_t I = 0; I < Values.size(); ++I)
      emit(std::make_shared<Decl>(B.At.Parts[I], Values[I], Loc));
    return true;
  }
  std::optional<Type> Ty = isSmall(T) ? Type::getFloat(32) : scalarType(T, AST);
  if (!Ty || Ty->isVoid())
    return refuse(codes::ScalarType,
                  "parameter '" + P->getNameAsString() + "' has type '" +
                      spellingOf(T, AST) + "', which is not supported",
                  P->getSourceRange()),
           false;
  ExprRef V = value(Arg);
  if (!V)
    return false;
  V = build::cast(V, *Ty); // a library's rule may have another integer type
  if (Settings.Alone && isErrorCode(T)) {
    B.Kind = Binding::Value;
    B.E = V;
    return true;
  }
  B.Kind = Binding::Scalar;
  const auto *Use = dyn_cast<VarUse>(V.get());
  if (Use && (Private || isFixed(V)) && !Facts.Assigned.contains(P)) {
    B.V = Use->V;
    return true;
  }
  B.V = Facts.Assigned.contains(P)
            ? declare(P, *Ty)
            : declare(P, *Ty, asName(raise::sourceText(V)));
  emit(std::make_shared<Decl>(B.V, V, Loc));
  return true;
}

/// A result that is written once, at the end, is declared there instead.
static bool joinResult(StmtList &List, const VarRef &Result) {
  if (List.empty())
    return false;
  const auto *Last = dyn_cast<Assign>(List.back().get());
  if (!Last || Last->V != Result || Last->Op != Combiner::None)
    return false;
  const StmtRef Kept = List.back();
  List.pop_back();
  for (const StmtRef &S : List)
    if (assigns(S, Result.get())) {
      List.push_back(Kept);
      return false;
    }
  List.push_back(std::make_shared<Decl>(Result, Last->Value, Kept->Loc));
  return true;
}

/// Binds the parameters of Body to the arguments.
bool Lifter::bindArguments(const FunctionDecl &Body,
                           ArrayRef<const clang::Expr *> Args, bool Private) {
  Facts.scan(Body.getBody());
  std::vector<Binding> Bound(Body.getNumParams());
  for (unsigned I = 0; I < Body.getNumParams() && I < Args.size(); ++I) {
    const clang::Expr *Arg = Args[I]->IgnoreParenCasts();
    const auto *U = dyn_cast<clang::UnaryOperator>(Arg);
    const auto *D = dyn_cast<DeclRefExpr>(Arg);
    auto It = D ? Bindings.find(D->getDecl()) : Bindings.end();
    Private &= !Body.getParamDecl(I)->getType()->isReferenceType() &&
               !(U && U->getOpcode() == UO_AddrOf) &&
               !(It != Bindings.end() && It->second.P.Scalar) &&
               !Arg->HasSideEffects(AST);
  }
  for (unsigned I = 0; I < Body.getNumParams(); ++I)
    if (I >= Args.size() ||
        !bindArgument(Body.getParamDecl(I), Args[I], Private, Bound[I]))
      return false;
  for (unsigned I = 0; I < Body.getNumParams(); ++I)
    Bindings[Body.getParamDecl(I)] = Bound[I];
  // A pointer that moves must stay in one object.
  for (const ParmVarDecl *P : Body.parameters())
    if (Bindings[P].Kind == Binding::Cursor && Facts.Assigned.contains(P)) {
      BufferRef Base = Bindings[P].V->Base;
      SmallPtrSet<const VarDecl *, 4> Seen;
      const SaveAndRestore Follow(FollowedPointer, P->getNameAsString());
      for (const clang::Expr *X : Facts.Values.lookup(P))
        if (!collectBases(X, Seen, Base))
          return false;
    }
  return true;
}

/// Lifts the statements of Body, which FD has, in place of a call.
bool Lifter::liftInlined(const FunctionDecl *FD, const InlineFrame &Frame,
                         StmtList &List, function_ref<bool()> First) {
  const FunctionDecl &Body = *Frame.FD;
  StmtList *const Saved = Out;
  std::vector<LoopFrame> SavedLoops;
  SavedLoops.swap(Loops);
  Out = &List;
  CallStack.push_back(FD->getCanonicalDecl());
  Inlines.push_back(Frame);
  Names->setForeign(true);
  bool Done = !First || First();
  for (const clang::Stmt *S : cast<CompoundStmt>(Body.getBody())->body())
    Done = Done && lift(S);
  Inlines.pop_back();
  Names->setForeign(!Inlines.empty());
  CallStack.pop_back();
  Loops.swap(SavedLoops);
  Out = Saved;
  return Done;
}

bool Lifter::inlineCall(const FunctionDecl *FD, const clang::CallExpr *E,
                        std::vector<VarRef> &Results, const Place *Into,
                        Bytes *AsBytes) {
  const FunctionDecl *Body = knownBody(FD);
  const std::string Name = FD->getNameAsString();
  if (!Body)
    return refuse(whyUnknown(FD, E->getSourceRange())), false;
  if (is_contained(CallStack, FD->getCanonicalDecl()))
    return refuse(codes::Recursion,
                  "calls " + Name + " recursively" +
                      (Settings.Alone
                           ? "; that is differentiated only of plain functions "
                             "that compute a value from scalars: write a loop"
                           : ""),
                  E->getSourceRange()),
           false;
  if (FD->isVariadic())
    return refuse(codes::Variadic,
                  "calls " + Name + ", which takes variable arguments",
                  E->getSourceRange()),
           false;
  Place Object;
  const auto *M = dyn_cast<CXXMethodDecl>(FD);
  const bool IsLambda = M && M->getParent()->isLambda();
  const bool HasObject = M && M->isInstance() && !IsLambda;
  if (HasObject && (!mayEnter(FD, E) || !calledObject(E, Object)))
    return false;
  // The object of an operator is its first argument.
  const unsigned Skip =
      (HasObject || IsLambda) && isa<CXXOperatorCallExpr>(E) ? 1 : 0;
  if (FD->getReturnType()->isPointerType() ||
      FD->getReturnType()->isReferenceType())
    return refuse(codes::UnknownCall,
                  "calls " + Name + ", which returns a pointer",
                  E->getSourceRange()),
           false;
  // What a library does with objects is not told by its text alone.
  const SourceManager &SM = AST.getSourceManager();
  if (SM.isInSystemHeader(SM.getExpansionLoc(FD->getLocation())))
    for (const ParmVarDecl *P : FD->parameters())
      if (P->getType().getNonReferenceType()->isRecordType())
        return refuse(codes::UnknownCall,
                      "calls " + FD->getQualifiedNameAsString() +
                          ", which works on objects",
                      E->getSourceRange()),
               false;
  if (isa<CXXTryStmt>(Body->getBody()))
    return refuse(codes::Exception, Name + " may catch an exception",
                  E->getSourceRange()),
           false;
  const size_t Bound = Out->size();
  if (!bindArguments(*Body,
                     ArrayRef(E->getArgs(), E->getNumArgs()).drop_front(Skip),
                     !HasObject && !IsLambda))
    return false;
  const QualType R = FD->getReturnType();
  const SourceLoc Loc = locate(E->getSourceRange(), AST);
  if (Into || AsBytes) {
    // What is returned goes there.
  } else if (R->isRecordType() && !isSmall(R)) {
    if (!plainMembers(R, AST))
      return refuse(codes::ClassObject,
                    "calls " + Name + ", which returns an object",
                    E->getSourceRange()),
             false;
    Results = makeParts(FD->isOverloadedOperator() ? "result" : Name, R, Loc);
  } else if (!R->isVoidType()) {
    const std::optional<Type> Ty = isSmall(R)
                                       ? Type::getFloat(32)
                                       : scalarType(Body->getReturnType(), AST);
    if (!Ty)
      return refuse(codes::ScalarType,
                    "calls " + Name + ", whose result has type '" +
                        spellingOf(R, AST) + "'",
                    E->getSourceRange()),
             false;
    const std::string Result =
        FD->isOverloadedOperator() ? "result" : Name + "_result";
    Results = {
        fresh(Result, *Ty, Loc, asName(sourceText(E->getSourceRange(), AST)))};
    if (Results[0]->Says.empty())
      Results[0] = fresh(Result, *Ty, Loc, Name + "(...)");
    Changing.insert(Results[0].get());
  }
  StmtList List;
  if (isLibraryRule(*Body)) {
    List.assign(Out->begin() + ptrdiff_t(Bound), Out->end());
    Out->resize(Bound);
  }
  SaveAndRestore SavedThis(This, HasObject  ? Object
                                 : IsLambda ? This
                                            : Place());
  if (!liftInlined(FD, {Body, Results, Into, AsBytes}, List) ||
      !keepsBorrowed(*Body, List, E->getSourceRange()))
    return false;
  removeReturns(List);
  if (isLibraryRule(*Body))
    specialise(List);
  if (Results.size() == 1 && joinResult(List, Results[0]))
    Changing.erase(Results[0].get());
  else
    for (const VarRef &V : Results)
      emit(std::make_shared<Decl>(V, nullptr, Loc));
  Out->insert(Out->end(), List.begin(), List.end());
  return true;
}

} // namespace raise::lifting
