//===- CalleeFacts.cpp - what functions do with references to const -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A reference to const is an address like another: who is given one may keep
// it, and may change what it leads to, if that was not declared const. A body
// says what it does; where there is none, the standard says it of the library,
// and nothing of anything else.
//
//===----------------------------------------------------------------------===//

#include "Lifter.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;
using namespace llvm;

namespace raise::lifting {

/// How many calls are followed into each other.
static constexpr unsigned MaxDepth = 16;

/// Whether the standard says that FD reads its arguments and keeps nothing of
/// them. Containers copy what they are given.
static bool onlyReads(const FunctionDecl &FD) {
  if (!FD.isInStdNamespace())
    return false;
  if (const auto *M = dyn_cast<CXXMethodDecl>(&FD))
    return containerElement(M->getASTContext().getRecordType(M->getParent())) !=
           std::nullopt;
  if (!FD.getIdentifier())
    return false;
  return StringSwitch<bool>(FD.getName())
      .Cases("fill", "fill_n", "count", "replace", "remove", true)
      .Cases("lower_bound", "upper_bound", "binary_search", true)
      .Default(false);
}

const CalleeFacts::Fates &CalleeFacts::of(const FunctionDecl &FD) {
  const FunctionDecl *Body = knownBody(&FD);
  const FunctionDecl *Key = FD.getCanonicalDecl();
  if (auto It = Known.find(Key); It != Known.end())
    return *It->second;
  auto &Made = Known[Key];
  Made = std::make_unique<Fates>(); // also of one that calls itself: the worst
  Fates &Result = *Made;
  if (!Body || Body->isDependentContext() || Depth == MaxDepth)
    return Result;
  ++Depth;
  Prescan InIt(*this);
  std::vector<const clang::Stmt *> Bodies{Body->getBody()};
  if (const auto *C = dyn_cast<CXXConstructorDecl>(Body))
    for (const CXXCtorInitializer *I : C->inits())
      Bodies.push_back(I->getInit());
  InIt.scanAs(Body, Bodies);
  --Depth;
  Result.Followed = true;
  Result.KeepsThis = InIt.KeepsThis;
  Result.ReturnsThis = InIt.ReturnsThis;
  for (const ParmVarDecl *P : Body->parameters()) {
    Result.Keeps.push_back(InIt.Addressed.contains(P) ||
                           InIt.Assigned.contains(P));
    Result.Returns.push_back(InIt.Returned.contains(P));
  }
  return Result;
}

bool CalleeFacts::keepsParam(const FunctionDecl &FD, unsigned I) {
  const QualType To = FD.getParamDecl(I)->getType()->getPointeeType();
  // What a container or an array holds is memory, whoever knows where it is.
  if (onlyReads(FD) || containerElement(To) || To->isArrayType())
    return false;
  const Fates &Of = of(FD);
  return !Of.Followed || I >= Of.Keeps.size() || Of.Keeps[I];
}

bool CalleeFacts::keepsThis(const CXXMethodDecl &M) {
  if (M.isVirtual())
    return true;
  const Fates &Of = of(M);
  return !Of.Followed || Of.KeepsThis;
}

void CalleeFacts::eachReturned(const FunctionDecl &FD, const clang::CallExpr &C,
                               function_ref<void(const clang::Expr *)> In) {
  const auto *M = dyn_cast<CXXMethodDecl>(&FD);
  const bool IsOperator = isa<CXXOperatorCallExpr>(C) && M && M->isInstance();
  const Fates &Of = of(FD);
  const clang::Expr *Object = nullptr;
  if (IsOperator)
    Object = C.getArg(0);
  else if (const auto *Call = dyn_cast<CXXMemberCallExpr>(&C))
    Object = Call->getImplicitObjectArgument();
  if (Object && Of.ReturnsThis && !Object->getType()->isPointerType())
    In(Object);
  for (unsigned I = 0; I < Of.Returns.size(); ++I)
    if (Of.Returns[I] && I + IsOperator < C.getNumArgs())
      In(C.getArg(I + IsOperator));
}

} // namespace raise::lifting
