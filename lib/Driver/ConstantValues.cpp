//===- ConstantValues.cpp - what constants of a source hold ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ConstantValues.h"
#include "raise/IR/Visitor.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Frontend/ASTUnit.h"

using namespace llvm;

namespace raise {

namespace {

using Values = std::vector<interp::Value>;

/// Appends what V holds; false where that is no number or array of numbers.
bool append(const clang::APValue &V, Values &Out) {
  switch (V.getKind()) {
  case clang::APValue::Int: {
    const APSInt &I = V.getInt();
    Out.push_back(interp::Value::ofInt(
        I.getExtValue(), Type::getInt(64, /*Signed=*/I.isSigned())));
    return I.getSignificantBits() <= 64;
  }
  case clang::APValue::Float: {
    APFloat F = V.getFloat();
    bool Loses = false;
    F.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &Loses);
    Out.push_back(
        interp::Value::ofFloat(F.convertToDouble(), Type::getFloat(64)));
    return !Loses;
  }
  case clang::APValue::Array:
    for (unsigned I = 0; I < V.getArraySize(); ++I)
      if (!append(I < V.getArrayInitializedElts() ? V.getArrayInitializedElt(I)
                                                  : V.getArrayFiller(),
                  Out))
        return false;
    return true;
  default:
    return false;
  }
}

class Finder : public clang::RecursiveASTVisitor<Finder> {
public:
  Finder(clang::ASTContext &AST, const std::set<std::string> &Wanted)
      : AST(AST), Wanted(Wanted) {}
  std::map<std::string, Values> Found;
  std::set<std::string> Seen, Ambiguous;

  bool VisitVarDecl(clang::VarDecl *V) {
    if (!V->hasGlobalStorage() ||
        V->isThisDeclarationADefinition() != clang::VarDecl::Definition)
      return true;
    for (const std::string &Name : Wanted) {
      if (StringRef(Name).rsplit("::").second != V->getNameAsString() &&
          Name != V->getNameAsString())
        continue;
      if (!Seen.insert(Name).second)
        Ambiguous.insert(Name);
      Values Held;
      if (!V->isTemplated() && V->hasInit() &&
          AST.getBaseElementType(V->getType()).isConstQualified())
        if (const clang::APValue *Value = V->evaluateValue())
          if (append(*Value, Held))
            Found[Name] = std::move(Held);
    }
    return true;
  }

private:
  clang::ASTContext &AST;
  const std::set<std::string> &Wanted;
};

} // namespace

std::map<std::string, Values> constantsOf(const Function &F,
                                          clang::ASTUnit &Unit) {
  std::set<std::string> Wanted;
  forEachExpr(F.Body, [&](const ExprRef &E) {
    if (auto *U = dyn_cast<VarUse>(E.get());
        U && U->V->Kind == VarKind::External)
      Wanted.insert(U->V->Name);
    if (auto *L = dyn_cast<Load>(E.get());
        L && L->From.Buf->Kind == BufferKind::Global)
      Wanted.insert(L->From.Buf->Name);
  });
  if (Wanted.empty())
    return {};
  Finder Constants(Unit.getASTContext(), Wanted);
  Constants.TraverseDecl(Unit.getASTContext().getTranslationUnitDecl());
  for (const std::string &Name : Constants.Ambiguous)
    Constants.Found.erase(Name);
  return std::move(Constants.Found);
}

} // namespace raise
