//===- Record.cpp - small structures as separate scalars ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Lifter.h"
#include "raise/IR/Visitor.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;
using namespace llvm;

namespace raise::lifting {

bool Lifter::recordCall(const clang::CallExpr *E,
                        std::vector<ExprRef> &Values) {
  const FunctionDecl *FD = target(E);
  if (!FD)
    return false;
  std::optional<std::vector<Member>> Members = plainMembers(E->getType(), AST);
  // CUDA's make_float3(x, y, z) and its kin.
  const SourceManager &SM = AST.getSourceManager();
  if (FD->getIdentifier() && FD->getName().starts_with("make_") && Members &&
      SM.isInSystemHeader(SM.getExpansionLoc(FD->getLocation())) &&
      E->getNumArgs() == Members->size()) {
    std::vector<Type> Types;
    for (const Member &M : *Members)
      Types.push_back(M.Ty);
    return arguments(E, Types, Values);
  }
  // A load that may go through another cache.
  if (FD->getIdentifier() && E->getNumArgs() == 1 && Members &&
      SM.isInSystemHeader(SM.getExpansionLoc(FD->getLocation())) &&
      (FD->getName() == "__ldg" || FD->getName() == "__ldcs" ||
       FD->getName() == "__ldcg")) {
    const Pointer P = pointer(E->getArg(0));
    return P.isSet() &&
           partsOf(element(P, nullptr,
                           E->getArg(0)->getType()->getPointeeType(),
                           E->getSourceRange()),
                   *Members, E, Values);
  }
  std::vector<VarRef> Results;
  if (!inlineCall(FD, E, Results))
    return false;
  for (const VarRef &V : Results)
    Values.push_back(build::var(V));
  return true;
}

/// CUDA's dim3: what is not given is 1.
static bool isDim3(QualType T) {
  const RecordDecl *R = T->getAsRecordDecl();
  return R && R->getIdentifier() && R->getName() == "dim3" &&
         R->getDeclContext()->getRedeclContext()->isTranslationUnit();
}

bool Lifter::launchExtents(const CXXConstructExpr *C,
                           std::vector<ExprRef> &Values) {
  const SourceManager &SM = AST.getSourceManager();
  if (!SM.isInSystemHeader(C->getConstructor()->getLocation()) ||
      C->getNumArgs() > 3)
    return refuse(codes::ClassObject, "an object with a constructor",
                  C->getSourceRange()),
           false;
  const Type U32 = Type::getInt(32, false);
  for (unsigned I = 0; I < 3; ++I) {
    const bool Given =
        I < C->getNumArgs() && !isa<CXXDefaultArgExpr>(C->getArg(I));
    const ExprRef V = Given ? value(C->getArg(I)) : build::intConst(1, U32);
    if (!V || !V->Ty.isIntegral())
      return refuse(codes::ClassObject,
                    "a dim3 that is not made of three extents",
                    C->getSourceRange()),
             false;
    Values.push_back(build::cast(V, U32));
  }
  return true;
}

/// M, scalar I of the structure that P is, which may be inside another.
Place partOf(const Place &P, size_t I, const Member &M, const ASTContext &AST) {
  const std::string Path = P.Path.empty() ? M.Path : P.Path + "." + M.Path;
  if (P.Kind == Place::Packed)
    return packedPart(P, I);
  Place R = P;
  R.Path = Path;
  R.Ty = M.Ty;
  if (P.Kind == Place::Memory)
    R.A.Field = Path;
  if (P.Kind != Place::Record)
    return R;
  const std::vector<Member> All = scalarMembers(P.At, AST);
  const auto At =
      find_if(All, [&](const Member &Of) { return Of.Path == Path; });
  if (At == All.end())
    return Place();
  R.Kind = Place::Scalar;
  R.V = P.Parts[size_t(At - All.begin())];
  return R;
}

/// The values of Members of P, which E is.
bool Lifter::partsOf(const Place &P, const std::vector<Member> &Members,
                     const clang::Expr *E, std::vector<ExprRef> &Values) {
  if (!P.isSet())
    return false;
  if (P.Kind == Place::Frozen) {
    if (!mayNameAll(E->getType(), E->getSourceRange()))
      return false;
    for (const Member &M : Members) {
      const Place Part = frozenMember(P, P.Path + "." + M.Path, M.Ty);
      if (!Part.isSet())
        return false;
      Values.push_back(build::var(Part.V));
    }
    return true;
  }
  if (P.Kind == Place::Memory && !mayNameAll(E->getType(), E->getSourceRange()))
    return false;
  for (size_t I = 0; I < Members.size(); ++I) {
    const Place M = partOf(P, I, Members[I], AST);
    ExprRef V = M.isSet() ? load(M, E->getSourceRange()) : nullptr;
    if (!V)
      return false;
    Values.push_back(V);
  }
  return true;
}

/// `c ? a : b` of two structures.
bool Lifter::recordChoice(const ConditionalOperator *C,
                          const std::vector<Member> &Members,
                          std::vector<ExprRef> &Values) {
  ExprRef Cond = condition(C->getCond());
  if (!Cond)
    return false;
  if (const auto *Known = dyn_cast<IntConst>(Cond.get()))
    return recordValue(Known->Value ? C->getTrueExpr() : C->getFalseExpr(),
                       Values);
  StmtList Then, Else;
  std::vector<ExprRef> True, False;
  StmtList *const Saved = Out;
  Out = &Then;
  bool Done = recordValue(C->getTrueExpr(), True);
  Out = &Else;
  Done = Done && recordValue(C->getFalseExpr(), False);
  Out = Saved;
  if (!Done)
    return false;
  const bool Simple = Then.empty() && Else.empty();
  if (!isFixed(Cond) && Simple && Members.size() > 1)
    Cond = spill(Cond, "chosen");
  for (size_t I = 0; I < Members.size(); ++I) {
    if (Simple) {
      Values.push_back(
          std::make_shared<Select>(Cond, True[I], False[I], Cond->Loc));
      continue;
    }
    const VarRef V = fresh("chosen", Members[I].Ty, Cond->Loc);
    Changing.insert(V.get());
    emit(std::make_shared<Decl>(V, nullptr, Cond->Loc));
    Then.push_back(
        std::make_shared<Assign>(V, Combiner::None, True[I], Cond->Loc));
    Else.push_back(
        std::make_shared<Assign>(V, Combiner::None, False[I], Cond->Loc));
    Values.push_back(build::var(V));
  }
  if (!Simple)
    emit(std::make_shared<If>(Cond, makeBlock(std::move(Then)),
                              makeBlock(std::move(Else)), Cond->Loc));
  return true;
}

/// The values of the members, in the order of plainMembers.
bool Lifter::recordValue(const clang::Expr *E, std::vector<ExprRef> &Values) {
  if (failed())
    return false;
  E = E->IgnoreParens();
  std::optional<std::vector<Member>> Members = plainMembers(E->getType(), AST);
  if (!Members)
    return refuse(codes::ClassObject,
                  "an object of type '" + spellingOf(E->getType(), AST) + "'",
                  E->getSourceRange()),
           false;
  if (const auto *C = dyn_cast<CXXConstructExpr>(E)) {
    if (C->getConstructor()->isCopyOrMoveConstructor() && C->getNumArgs() == 1)
      return recordValue(C->getArg(0), Values);
    if (isDim3(C->getType()))
      return launchExtents(C, Values);
    return constructedParts(C, Values);
  }
  if (const auto *C = dyn_cast<ConditionalOperator>(E))
    return recordChoice(C, *Members, Values);
  if (const auto *C = dyn_cast<CastExpr>(E))
    return recordValue(C->getSubExpr(), Values);
  if (const auto *C = dyn_cast<ExprWithCleanups>(E))
    return recordValue(C->getSubExpr(), Values);
  if (const auto *C = dyn_cast<MaterializeTemporaryExpr>(E))
    return recordValue(C->getSubExpr(), Values);
  if (const auto *C = dyn_cast<CompoundLiteralExpr>(E))
    return recordValue(C->getInitializer(), Values);
  if (const auto *L = dyn_cast<InitListExpr>(E)) {
    if (L->getNumInits() != Members->size() ||
        (L->getNumInits() == 1 && L->getInit(0)->getType()->isRecordType()))
      return refuse(codes::ClassObject, "this initialiser is not supported",
                    E->getSourceRange()),
             false;
    for (const clang::Expr *I : L->inits()) {
      if (isa<CXXDefaultInitExpr>(I)) // of members that have no values yet
        return refuse(codes::ClassObject,
                      "a member's own initialiser in a list of others",
                      E->getSourceRange()),
               false;
      if (!addValue(Values, [&] { return value(I); }))
        return false;
    }
    return true;
  }
  if (const auto *C = dyn_cast<clang::CallExpr>(E))
    return recordCall(C, Values);
  return partsOf(place(E), *Members, E, Values);
}

/// Whether an assignment to a part of To may change what V is.
static bool mayChange(const ExprRef &V, const Place &To) {
  bool May = false;
  forEachExpr(V, [&](const ExprRef &E) {
    const auto *U = dyn_cast<VarUse>(E.get());
    May |= To.Kind == Place::Record ? U && is_contained(To.Parts, U->V)
                                    : isa<Load>(E.get());
  });
  return May;
}

bool Lifter::recordAssign(const Place &To, const clang::Expr *From,
                          const SourceLoc &Loc, SourceRange At) {
  std::vector<ExprRef> Values;
  if (To.Kind == Place::Frozen)
    return refuse(codes::ClassObject,
                  "'" + To.Path +
                      "', a structure that is known by its members' names, is "
                      "changed",
                  At),
           false;
  if (objectMembers(From->getType(), AST))
    return assignObject(To, From, At);
  return recordValue(From, Values) &&
         assignParts(To, Values, From->getType(), Loc, At);
}

/// `Left = Right` of structures: as C++17 has it, the right side first.
bool Lifter::assignRecord(const clang::Expr *Left, const clang::Expr *Right,
                          const SourceLoc &Loc, SourceRange At,
                          Place *Written) {
  const auto Target = [&] {
    const Place To = place(Left);
    if (Written)
      *Written = To;
    return To;
  };
  if (!Left->HasSideEffects(AST)) {
    const Place To = Target();
    return To.isSet() && recordAssign(To, Right, Loc, At);
  }
  const QualType T = Right->getType().getUnqualifiedType();
  if (mayOwnObject(T)) {
    const Place New = declareObject("copied", T, Loc);
    if (!buildObject(Right, New))
      return false;
    const Place To = Target();
    return To.isSet() && copyObject(New, To, Right);
  }
  std::vector<ExprRef> Values;
  if (!recordValue(Right, Values))
    return false;
  for (ExprRef &V : Values)
    if (!isFixed(V))
      V = spill(V, "part");
  const Place To = Target();
  return To.isSet() && assignParts(To, Values, T, Loc, At);
}

/// Gives To, a structure of type T, the values of its scalars.
bool Lifter::assignParts(const Place &To, std::vector<ExprRef> &Values,
                         QualType T, const SourceLoc &Loc, SourceRange At) {
  if (!To.Path.empty())
    return refuse(codes::ClassObject,
                  "'" + shortText(At, AST) +
                      "' assigns a structure inside another",
                  At),
           false;
  if (To.Kind == Place::Memory && !mayNameAll(T, At))
    return false;
  Place Whole = To;
  if (Values.size() > 1)
    keepIndices(Whole);
  // a = {a.y, a.x}: all values are read before the first is written.
  for (ExprRef &V : Values)
    if (Values.size() > 1 && mayChange(V, To))
      V = spill(V, "part");
  std::vector<Member> Members =
      plainMembers(T, AST).value_or(std::vector<Member>());
  for (size_t I = 0; I < Values.size(); ++I) {
    const Place M = partOf(Whole, I, Members[I], AST);
    if (!M.isSet() || !write(M, Combiner::None, Values[I], Loc, At))
      return false;
  }
  return true;
}

} // namespace raise::lifting
