//===- UserRules.cpp - functions whose derivatives the user gives ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Lifter.h"

using namespace clang;
using namespace llvm;

namespace raise::lifting {

/// The function as a callee that is not looked into, if it has a rule; else
/// null, without a failure.
CalleeRef Lifter::calleeByRule(const FunctionDecl *FD) {
  if (!Settings.Rules)
    return nullptr;
  const auto Rule = Settings.Rules->Of.find(FD->getCanonicalDecl());
  if (Rule == Settings.Rules->Of.end())
    return nullptr;
  CalleeRef &Known = Callees[FD->getCanonicalDecl()];
  if (Known)
    return Known;
  auto Made = std::make_shared<Callee>();
  Made->Name = Names->nameOf(FD);
  Made->MayTrap = true;
  const std::optional<Type> Result = scalarType(FD->getReturnType(), AST);
  if (Made->Name.empty() || !Result || !Result->isFloat())
    return nullptr;
  Made->Result = liftedType(FD->getReturnType(), AST);
  auto Body = std::make_shared<Function>();
  Body->Name = FD->getNameAsString();
  Body->QualifiedName = FD->getQualifiedNameAsString();
  Body->Kind = FunctionKind::Device;
  Body->Result = Made->Result;
  Body->Loc = locate(FD->getLocation(), AST);
  Body->LanguageC = !AST.getLangOpts().CPlusPlus;
  for (const ParmVarDecl *P : FD->parameters()) {
    const std::optional<Type> Ty = scalarType(P->getType(), AST);
    if (!Ty || Ty->isVoid())
      return nullptr;
    auto V = std::make_shared<Var>();
    V->Name = P->getNameAsString();
    if (V->Name.empty())
      V->Name = "x" + std::to_string(Body->Params.size() + 1);
    V->Ty = liftedType(P->getType(), AST);
    V->Kind = VarKind::Param;
    Made->Params.push_back(V->Ty);
    Body->Params.push_back({V, nullptr});
  }
  Body->Body = std::make_shared<Block>(std::vector<StmtRef>{
      std::make_shared<Opaque>("", codes::UnknownCall,
                               Made->Name + " has a rule, and is not looked "
                                            "into")});
  Made->Definition = std::move(Body);
  auto By = std::make_shared<DerivativeRule>();
  By->From = Rule->second.From;
  // What finds nothing here would find something else in the derivative.
  const auto Name = [&](const FunctionDecl *Of) {
    return Of ? Names->nameOf(Of) : std::string();
  };
  By->Tangent = Name(Rule->second.Tangent);
  By->Adjoint = Name(Rule->second.Adjoint);
  Made->Rule = std::move(By);
  return Known = Made;
}

} // namespace raise::lifting
