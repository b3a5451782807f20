//===- NoteFacts.cpp - what comments say, in the IR -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A loop that is turned off is an Opaque like any that is not understood: what
// stands around it stays as well, and its neighbours do not look into it. Facts
// come before the loop, or begin the function. Both are the text's: they count
// where their function is lifted for itself, not in place of a call.
//
//===----------------------------------------------------------------------===//
#include "Lifter.h"
#include "NoteScope.h"
#include "raise/IR/Fact.h"

using namespace clang;
using namespace llvm;

namespace raise::lifting {

/// The offset of L in the file that the notes are of.
std::optional<unsigned> Lifter::noteOffset(SourceLocation L) const {
  const SourceManager &SM = AST.getSourceManager();
  const SourceLocation At = SM.getExpansionLoc(L);
  if (At.isInvalid() || !Settings.Notes ||
      SM.getFileID(At) != Settings.Notes->file())
    return std::nullopt;
  return SM.getFileOffset(At);
}

bool Lifter::turnedOff(SourceLocation L, SourceRange Of) {
  const std::optional<unsigned> At = noteOffset(L);
  const SourceNotes::OffRange *R = At ? Settings.Notes->offAt(*At) : nullptr;
  if (R)
    refuse(codes::TurnedOff,
           "'clang-raise: off' on line " + std::to_string(R->Line) +
               " has it left as it is",
           Of);
  return R != nullptr;
}

/// False, and a failure, if S is a loop that is off. Of other statements that
/// are off in a loop, or in a kernel, only what stands around them hears.
bool Lifter::obeyOff(const clang::Stmt *S) {
  if (isa<CompoundStmt>(S) || !turnedOff(S->getBeginLoc(), S->getSourceRange()))
    return true;
  const auto *D = dyn_cast<OMPExecutableDirective>(S);
  if (isLoopStatement(S) || D)
    return false;
  const Reason Why = Failure;
  Failure = {};
  if (Loops.empty() && !IsKernel)
    return true;
  Stopped.push_back(Why);
  emit(std::make_shared<Opaque>("", Why.Code, Why.Text, std::vector<VarRef>(),
                                locateStatement(S, AST)));
  return true;
}

ExprRef Lifter::factVariable(StringRef Name, const clang::Stmt *Loop) {
  const FunctionDecl &FD = *CallStack.front()->getDefinition();
  if (const auto Constant = findConstant(FD, Loop, Name)) {
    const std::optional<Type> Ty = scalarType(Constant->D->getType(), AST);
    if (!Ty || !Ty->isIntegral() || Constant->OfMacro)
      return nullptr;
    return std::make_shared<IntConst>(Constant->Value, *Ty, Name.str());
  }
  const ValueDecl *V = findVariable(FD, Loop, Name);
  auto It = V ? Bindings.find(V) : Bindings.end();
  if (It == Bindings.end() || !V->getType()->isIntegralOrEnumerationType())
    return nullptr;
  const Binding &B = It->second;
  if (B.Kind == Binding::Value && B.E->Ty.isIntegral())
    return B.E;
  return B.Kind == Binding::Scalar && B.V->Ty.isIntegral() ? build::var(B.V)
                                                           : nullptr;
}

/// C's integer promotion.
static ExprRef promoted(ExprRef E) {
  return E->Ty.isBool() || E->Ty.Bits < 32 ? build::cast(E, Type::getI32()) : E;
}

/// C's usual conversions.
static void balance(ExprRef &L, ExprRef &R) {
  L = promoted(L);
  R = promoted(R);
  const Type &A = L->Ty, &B = R->Ty;
  const Type Common = A.Bits != B.Bits ? (A.Bits > B.Bits ? A : B)
                      : A.Signed       ? B
                                       : A;
  const Type Plain = Type::getInt(Common.Bits, Common.Signed);
  L = build::cast(L, Plain);
  R = build::cast(R, Plain);
}

static ExprRef asCondition(const ExprRef &E) {
  return E->Ty.isBool() ? E : build::cast(E, Type::getBool());
}

ExprRef Lifter::factValue(const NoteTerm &T, const clang::Stmt *Loop) {
  using Kind = NoteTerm::TermKind;
  if (T.Kind == Kind::Number)
    return build::intConst(T.Value,
                           Type::getInt(T.Long ? 64 : 32, !T.Unsigned));
  if (T.Kind == Kind::Name)
    return factVariable(T.Name, Loop);
  ExprRef L = factValue(T.Parts.front(), Loop);
  if (!L)
    return nullptr;
  if (T.Kind == Kind::Not)
    return build::logicalNot(asCondition(L));
  if (T.Kind == Kind::Negative) {
    L = promoted(L);
    return build::sub(build::intConst(0, L->Ty), L);
  }
  ExprRef R = factValue(T.Parts.back(), Loop);
  if (!R)
    return nullptr;
  if (T.Op == BinaryOp::LAnd || T.Op == BinaryOp::LOr)
    return build::binary(T.Op, asCondition(L), asCondition(R));
  balance(L, R);
  return build::binary(T.Op, L, R);
}

/// What is known where Loop begins, or, if that is null, the function.
void Lifter::stateFacts(unsigned Begin, const clang::Stmt *Loop) {
  for (const SourceNotes::Fact &F : Settings.Notes->factsOf(Begin, !Loop)) {
    ExprRef Value = factValue(F.What.Term, Loop);
    if (!Value)
      continue; // nothing that is lifted stands for a name: nobody uses it
    if (F.What.Kind == Note::NoteKind::Assume) {
      Out->push_back(makeAssumption(asCondition(Value), F.What.Says, F.Loc));
      continue;
    }
    const ValueDecl *V =
        findVariable(*CallStack.front()->getDefinition(), Loop, F.What.Pointer);
    auto It = V ? Bindings.find(V) : Bindings.end();
    if (It == Bindings.end() || It->second.Kind != Binding::BufferObj)
      continue;
    Out->push_back(makeExtent(It->second.P.Base,
                              build::cast(Value, Type::getI64()), F.What.Says,
                              F.Loc));
  }
}

/// S, a loop or a directive over Loop, with what is known there: a block whose
/// text is no statement's.
bool Lifter::liftWithFacts(const clang::Stmt *S, const clang::Stmt *Loop) {
  const std::optional<unsigned> Begin = noteOffset(Loop->getBeginLoc());
  const bool Off =
      Loop != S && turnedOff(Loop->getBeginLoc(), Loop->getSourceRange());
  if (Off)
    return false;
  const auto Facts = Begin ? Settings.Notes->factsOf(*Begin, false)
                           : ArrayRef<SourceNotes::Fact>();
  if (Facts.empty() || Settings.Alone)
    return liftStatement(S);
  const ScopeGuard Scope(*this);
  StmtList List;
  StmtList *const Saved = std::exchange(Out, &List);
  stateFacts(*Begin, Loop);
  const bool Done = liftStatement(S);
  Out = Saved;
  if (!Done)
    return false;
  SourceLoc Loc = locateStatement(S, AST);
  Loc.Begin = Facts.front().Loc.Begin;
  Loc.Line = Facts.front().Loc.Line;
  Loc.Column = Facts.front().Loc.Column;
  emit(std::make_shared<raise::Block>(std::move(List), Loc));
  return true;
}

} // namespace raise::lifting
