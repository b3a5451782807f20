//===- Record.cpp - small structures as separate scalars ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Lifter.h"
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
    return refuse(codes::ClassObject, "an object with a constructor",
                  E->getSourceRange()),
           false;
  }
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
      ExprRef V = value(I);
      if (!V)
        return false;
      Values.push_back(V);
    }
    return true;
  }
  if (const auto *C = dyn_cast<clang::CallExpr>(E))
    return recordCall(C, Values);
  Place P = place(E);
  if (!P.isSet())
    return false;
  if (P.Kind == Place::Frozen) {
    for (const Member &M : *Members) {
      const Place Part = frozenMember(P, P.Path + "." + M.Path, M.Ty);
      if (!Part.isSet())
        return false;
      Values.push_back(build::var(Part.V));
    }
    return true;
  }
  if (!P.Path.empty())
    return refuse(codes::ClassObject,
                  "'" + shortText(E->getSourceRange(), AST) +
                      "', a structure inside another, is copied",
                  E->getSourceRange()),
           false;
  for (size_t I = 0; I < Members->size(); ++I) {
    if (P.Kind == Place::Record) {
      Values.push_back(build::var(P.Parts[I]));
      continue;
    }
    Place M = P;
    M.A.Field = (*Members)[I].Path;
    M.Ty = (*Members)[I].Ty;
    ExprRef V = load(M, E->getSourceRange());
    if (!V)
      return false;
    Values.push_back(V);
  }
  return true;
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
  if (!recordValue(From, Values))
    return false;
  if (!To.Path.empty())
    return refuse(codes::ClassObject,
                  "'" + shortText(At, AST) +
                      "' assigns a structure inside another",
                  At),
           false;
  // a = {a.y, a.x}: all values are read before the first is written.
  for (ExprRef &V : Values)
    if (Values.size() > 1 && !isConstant(V))
      V = spill(V, "part");
  std::vector<Member> Members =
      plainMembers(From->getType(), AST).value_or(std::vector<Member>());
  for (size_t I = 0; I < Values.size(); ++I) {
    Place M = To;
    if (To.Kind == Place::Record) {
      M.Kind = Place::Scalar;
      M.V = To.Parts[I];
    } else {
      M.A.Field = Members[I].Path;
    }
    M.Ty = Members[I].Ty;
    if (!write(M, Combiner::None, Values[I], Loc, At))
      return false;
  }
  return true;
}

} // namespace raise::lifting
