//===- PureFunctions.cpp - callees that only compute on scalars -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A function that takes scalars, gives one, and touches no memory is called by
// the IR as it is by the source.
//
// Where whole functions are made (LiftSettings::Alone), it is lifted once for
// all that call it, and may call itself, by way of others or not: while a
// function is lifted it is taken to be one of these, and its callee is known by
// its signature. Where it turns out to be none, what was lifted meanwhile may
// rest on that, and is forgotten.
//
//===----------------------------------------------------------------------===//

#include "Lifter.h"
#include "raise/IR/Effects.h"
#include "raise/IR/Recursion.h"
#include "raise/IR/Visitor.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;
using namespace llvm;

namespace raise::lifting {

bool Lifter::hasScalarSignature(const FunctionDecl &FD) const {
  if (FD.isVariadic() || FD.isMain())
    return false;
  if (const auto *M = dyn_cast<CXXMethodDecl>(&FD); M && M->isInstance())
    return false;
  const auto IsScalar = [&](QualType T) {
    const std::optional<Type> Ty = scalarType(T, AST);
    return Ty && !Ty->isVoid();
  };
  return IsScalar(FD.getReturnType()) &&
         all_of(FD.parameters(),
                [&](const ParmVarDecl *P) { return IsScalar(P->getType()); });
}

static bool onlyComputes(const Function &F) {
  bool Pure = true;
  forEachStmt(F.Body, [&](const StmtRef &S) {
    Pure &= !isa<Store>(S.get()) && !isa<DeclBuffer>(S.get()) &&
            !isa<Barrier>(S.get()) && !isa<Opaque>(S.get());
  });
  forEachExpr(F.Body, [&](const ExprRef &E) {
    Pure &= !isa<Load>(E.get()) && !isa<NonNull>(E.get());
  });
  return Pure;
}

static bool mayTrap(const Function &F) {
  bool Loops = false;
  forEachStmt(F.Body, [&](const StmtRef &S) {
    Loops |= isa<raise::While>(S.get()) || isa<raise::For>(S.get());
  });
  return Loops || effectsOf(F.Body).MayTrap;
}

/// Body lifted; null where it does more than compute.
FunctionRef Lifter::pureBody(const FunctionDecl &Body) {
  // What a function of its own inlines is no matter of who calls it.
  Lifter Within(AST,
                Settings.Alone ? std::vector{CallStack.front()} : CallStack,
                Settings);
  if (Settings.Alone)
    Within.Scalars = Scalars;
  Within.CalledFrom = CalledFrom ? CalledFrom : Names.get();
  const LiftedFunction L = Within.run(Body);
  return L.F && L.Stopped.empty() && onlyComputes(*L.F) ? L.F : nullptr;
}

/// The function as a callee, if it is pure in scalar arguments; else null,
/// without a failure.
CalleeRef Lifter::pureCallee(const FunctionDecl *FD) {
  if (CalleeRef Callee = calleeByRule(FD))
    return Callee;
  const FunctionDecl *Body = knownBody(FD);
  if (!Body || !hasScalarSignature(*FD))
    return nullptr;
  const FunctionDecl *Key = FD->getCanonicalDecl();
  if (!Settings.Alone && is_contained(CallStack, Key))
    return nullptr;
  // Else its body takes the place of the call, with its template's arguments.
  const std::string Name = Names->nameOf(FD);
  if (Name.empty() || FD->isFunctionTemplateSpecialization())
    return nullptr;
  // Nor has another compiler's header what this one's keeps to itself.
  const SourceManager &SM = AST.getSourceManager();
  if (StringRef(Name).starts_with("__") &&
      SM.isInSystemHeader(SM.getExpansionLoc(FD->getLocation())))
    return nullptr;
  if (const auto It = Callees.find(Key); It != Callees.end())
    return It->second;
  if (!Scalars->Of.count(Key))
    liftScalars(*Key, *Body);
  return Callees[Key] = scalarCallee(*FD, Name);
}

/// Enters FD into Scalars.
void Lifter::liftScalars(const FunctionDecl &FD, const FunctionDecl &Body) {
  using State = ScalarFunctions::State;
  const size_t Since = Scalars->Order.size();
  Scalars->Of[&FD].Is = State::Open;
  Scalars->Order.push_back(&FD);
  ++Scalars->Open;
  const FunctionRef F = pureBody(Body);
  const bool IsFirst = --Scalars->Open == 0;
  ScalarFunctions::Entry &Own = Scalars->Of[&FD];
  if (!F) {
    Own = {};
    for (const FunctionDecl *Later : drop_begin(Scalars->Order, Since + 1))
      if (Scalars->Of[Later].Is == State::Pure)
        Scalars->Of.erase(Later);
    Scalars->Order.resize(Since + 1);
    return;
  }
  Own.Is = State::Pure;
  Own.F = F;
  for (const std::shared_ptr<Callee> &C : Own.Named) {
    C->Definition = F;
    C->MayTrap |= mayTrap(*F);
  }
  if (!IsFirst)
    return;
  // Now all that it may reach is known.
  for (const FunctionDecl *Each : drop_begin(Scalars->Order, Since)) {
    const ScalarFunctions::Entry &E = Scalars->Of[Each];
    const bool IsRing = E.F && callsItself(*E.F);
    for (const std::shared_ptr<Callee> &C : E.Named) {
      C->SetsErrno = mayReachErrno(*E.F);
      if (IsRing)
        keepRing(C);
    }
  }
}

/// A function of Scalars under that name; null if it is none of scalars.
CalleeRef Lifter::scalarCallee(const FunctionDecl &FD,
                               const std::string &Name) {
  using State = ScalarFunctions::State;
  ScalarFunctions::Entry &E = Scalars->Of[FD.getCanonicalDecl()];
  if (E.Is == State::NotPure)
    return nullptr;
  for (const std::shared_ptr<Callee> &C : E.Named)
    if (C->Name == Name)
      return C;
  auto Made = std::make_shared<Callee>();
  Made->Name = Name;
  Made->Result = E.F ? E.F->Result : liftedType(FD.getReturnType(), AST);
  for (unsigned I = 0; I < FD.getNumParams(); ++I)
    Made->Params.push_back(
        E.F ? E.F->Params[I].Scalar->Ty
            : liftedType(FD.getParamDecl(I)->getType(), AST));
  Made->Definition = E.F;
  // A call that leads back to itself may not come back.
  Made->MayTrap = !E.F || mayTrap(*E.F);
  Made->SetsErrno = !E.F || mayReachErrno(*E.F);
  E.Named.push_back(Made);
  if (E.F && callsItself(*E.F))
    keepRing(Made);
  return Made;
}

} // namespace raise::lifting
