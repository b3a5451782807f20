//===- Rules.cpp - the derivatives that a configuration names -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Rules.h"
#include "raise/Grad/UserRules.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Frontend/ASTUnit.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using clang::QualType;

namespace raise {

namespace {

/// The functions of a unit by some qualified names.
class Finder : public clang::RecursiveASTVisitor<Finder> {
public:
  std::map<std::string, std::vector<const clang::FunctionDecl *>> Named;
  std::set<std::string> LastNames;

  void want(StringRef Name) {
    if (Name.empty())
      return;
    Named[Name.str()];
    LastNames.insert(Name.substr(Name.rfind(':') + 1).str());
  }
  bool VisitFunctionDecl(clang::FunctionDecl *FD) {
    if (!FD->getIdentifier() || !LastNames.count(FD->getName().str()) ||
        FD->isTemplated() || isa<clang::CXXMethodDecl>(FD))
      return true;
    auto It = Named.find(FD->getQualifiedNameAsString());
    if (It != Named.end() && !is_contained(It->second, FD->getCanonicalDecl()))
      It->second.push_back(FD->getCanonicalDecl());
    return true;
  }
};

/// A function's type, and how its parameters are called.
struct Prototype {
  QualType Result;
  std::vector<std::pair<QualType, std::string>> Params;

  std::string text(StringRef Name, const clang::PrintingPolicy &Policy) const {
    std::vector<std::string> List;
    for (const auto &[T, Param] : Params) {
      const std::string Type = T.getAsString(Policy);
      List.push_back(Type + (StringRef(Type).ends_with("*") ? "" : " ") +
                     Param);
    }
    return Result.getAsString(Policy) + " " + Name.str() + "(" +
           join(List, ", ") + ")";
  }
  bool isThatOf(const clang::FunctionDecl &FD) const {
    return !FD.isVariadic() && FD.getNumParams() == Params.size() &&
           same(FD.getReturnType(), Result) &&
           all_of(zip(FD.parameters(), Params), [](const auto &Pair) {
             return same(std::get<0>(Pair)->getType(), std::get<1>(Pair).first);
           });
  }
  static bool same(QualType A, QualType B) {
    return A.getCanonicalType().getUnqualifiedType() ==
           B.getCanonicalType().getUnqualifiedType();
  }
};

bool isFloating(QualType T) { return T->isRealFloatingType(); }

Prototype prototypeOf(const clang::FunctionDecl &Primal, grad::Mode M,
                      const clang::ASTContext &AST) {
  const bool Forward = M == grad::Mode::Forward;
  const QualType R = Primal.getReturnType().getUnqualifiedType();
  Prototype P{Forward ? R : AST.VoidTy, {}};
  std::set<std::string> Used;
  for (const clang::ParmVarDecl *Each : Primal.parameters())
    P.Params.push_back(
        {Each->getType().getUnqualifiedType(), Each->getNameAsString()});
  for (size_t I = 0; I < Primal.getNumParams(); ++I) {
    std::string &Name = P.Params[I].second;
    if (Name.empty())
      Name = "x" + std::to_string(I + 1);
    Used.insert(Name);
  }
  for (size_t I = 0; I < Primal.getNumParams(); ++I) {
    const auto [T, Name] = P.Params[I];
    if (isFloating(T))
      P.Params.push_back({Forward ? T : AST.getPointerType(T),
                          grad::derivativeName(Name, M, Used)});
  }
  P.Params.push_back({Forward ? AST.getPointerType(R) : R,
                      grad::derivativeName(Primal.getNameAsString(), M, Used)});
  return P;
}

std::string whyNoPrimal(ArrayRef<const clang::FunctionDecl *> Named) {
  if (Named.size() > 1)
    return "is overloaded, and a rule says nothing of parameter types";
  const clang::FunctionDecl &FD = *Named.front();
  const auto IsScalar = [](QualType T) {
    return isFloating(T) || T->isIntegralOrEnumerationType();
  };
  if (FD.isVariadic())
    return "takes any number of arguments";
  if (!isFloating(FD.getReturnType()))
    return "returns no floating value";
  for (const clang::ParmVarDecl *P : FD.parameters())
    if (!IsScalar(P->getType()))
      return "takes a '" + P->getType().getAsString() +
             "', and rules are for functions of scalars by value";
  if (none_of(FD.parameters(),
              [](auto *P) { return isFloating(P->getType()); }))
    return "takes no floating value";
  return "";
}

} // namespace

Rules::Rules(const Config &Cfg, clang::ASTUnit &Unit) {
  if (Cfg.Derivatives.empty())
    return;
  Finder All;
  for (const auto &[Name, Rule] : Cfg.Derivatives)
    for (StringRef Each :
         {StringRef(Name), StringRef(Rule.Tangent), StringRef(Rule.Adjoint)})
      All.want(Each);
  const clang::ASTContext &AST = Unit.getASTContext();
  All.TraverseDecl(AST.getTranslationUnitDecl());
  for (const auto &[Name, Rule] : Cfg.Derivatives) {
    const auto &Primals = All.Named[Name];
    if (Primals.empty())
      continue;
    DerivativeFunctions::Entry E;
    SourceLoc At;
    At.File = Cfg.Path;
    At.Line = Rule.Line;
    At.Column = Rule.Column;
    E.From = Cfg.Path + ":" + std::to_string(Rule.Line) + ":" +
             std::to_string(Rule.Column);
    std::vector<Reason> &Wrong = Problems[E.From];
    if (std::string Why = whyNoPrimal(Primals); !Why.empty()) {
      Unfit.push_back({"", "'" + Name + "' " + Why, At});
      continue;
    }
    for (auto [M, Given, To] :
         {std::tuple(grad::Mode::Forward, &Rule.Tangent, &E.Tangent),
          std::tuple(grad::Mode::Reverse, &Rule.Adjoint, &E.Adjoint)}) {
      if (Given->empty())
        continue;
      const Prototype P = prototypeOf(*Primals.front(), M, AST);
      const auto &Candidates = All.Named[*Given];
      const auto It =
          find_if(Candidates, [&](const auto *FD) { return P.isThatOf(*FD); });
      if (It != Candidates.end()) {
        *To = *It;
        continue;
      }
      Wrong.push_back(
          {"",
           "the " +
               std::string(M == grad::Mode::Forward ? "tangent" : "adjoint") +
               " of '" + Name +
               "' must be declared where that is called, as '" +
               P.text(*Given, AST.getPrintingPolicy()) + "'",
           At});
    }
    Found.Of[Primals.front()] = E;
  }
}

std::vector<const clang::FunctionDecl *> Rules::derivatives() const {
  std::vector<const clang::FunctionDecl *> All;
  for (const auto &[Primal, E] : Found.Of)
    for (const clang::FunctionDecl *FD : {E.Tangent, E.Adjoint})
      if (FD)
        All.push_back(FD);
  return All;
}

std::vector<Reason> Rules::problemsOf(const Function &F) const {
  std::vector<Reason> All;
  std::set<std::string> Told;
  grad::forEachRule(F, [&](const Callee &C) {
    auto It = Problems.find(C.Rule->From);
    if (It != Problems.end() && Told.insert(C.Rule->From).second)
      append_range(All, It->second);
  });
  return All;
}

} // namespace raise
