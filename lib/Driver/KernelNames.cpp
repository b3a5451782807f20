//===- KernelNames.cpp - kernels named other than to launch them ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelNames.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include <set>

using namespace raise;
using namespace clang;

namespace {

/// The name of a kernel leads to what launches it, which has other parameters:
/// it can be launched by, be given to a function of the runtime, or to a
/// template that launches what it is given. Anything else would call, or keep,
/// a function of the kernel's own type.
class KernelNames : public RecursiveASTVisitor<KernelNames> {
public:
  explicit KernelNames(EditList &Edits) : Edits(Edits) {}

  bool shouldVisitTemplateInstantiations() const { return true; }

  bool VisitCUDAKernelCallExpr(CUDAKernelCallExpr *Call) {
    allow(Call->getCallee());
    return true;
  }
  bool VisitCallExpr(CallExpr *Call) {
    const FunctionDecl *FD = Call->getDirectCallee();
    if (!FD)
      return true;
    const SourceManager &SM = FD->getASTContext().getSourceManager();
    const bool OfSystem =
        SM.isInSystemHeader(SM.getExpansionLoc(FD->getLocation()));
    const FunctionDecl *Pattern = FD->getTemplateInstantiationPattern();
    for (unsigned I = 0; I < Call->getNumArgs(); ++I) {
      const ParmVarDecl *Of =
          Pattern && !Pattern->parameters().empty()
              ? Pattern->getParamDecl(std::min(I, Pattern->getNumParams() - 1))
              : nullptr;
      const bool Deduced = Of && Of->getType()->isDependentType();
      if (OfSystem || (Deduced && !calls(*FD, I)))
        allow(Call->getArg(I));
    }
    return true;
  }
  bool VisitVarDecl(VarDecl *V) {
    // Its type is then the launcher's.
    if (V->getInit() && V->getTypeSourceInfo() &&
        V->getTypeSourceInfo()->getType()->getContainedAutoType())
      allow(V->getInit());
    return true;
  }
  bool VisitDeclRefExpr(DeclRefExpr *Ref) {
    if (Ref->getDecl()->hasAttr<CUDAGlobalAttr>() && !Allowed.count(Ref) &&
        Edits.covers(Ref->getLocation()) && Seen.insert(Ref).second)
      Edits.error("CR1502",
                  "the kernel's name is used as a value here, which is not "
                  "translated; launch it by its name",
                  Ref->getLocation());
    return true;
  }

private:
  EditList &Edits;
  std::set<const DeclRefExpr *> Allowed, Seen;

  void allow(const clang::Expr *E) {
    E = E->IgnoreParenImpCasts();
    if (const auto *C = dyn_cast<ConditionalOperator>(E)) {
      allow(C->getTrueExpr());
      allow(C->getFalseExpr());
      return;
    }
    if (const auto *U = dyn_cast<UnaryOperator>(E);
        U && U->getOpcode() == UO_AddrOf)
      E = U->getSubExpr()->IgnoreParenImpCasts();
    if (const auto *C = dyn_cast<ExplicitCastExpr>(E)) // (const void *)kernel
      E = C->getSubExpr()->IgnoreParenImpCasts();
    if (const auto *Ref = dyn_cast<DeclRefExpr>(E))
      Allowed.insert(Ref);
  }

  /// Whether FD calls its parameter as it is.
  static bool calls(const FunctionDecl &FD, unsigned Index) {
    if (Index >= FD.getNumParams() || !FD.getBody())
      return false;
    struct Finder : RecursiveASTVisitor<Finder> {
      const ParmVarDecl *Of = nullptr;
      bool Found = false;
      bool VisitCallExpr(CallExpr *C) {
        const auto *Ref =
            dyn_cast<DeclRefExpr>(C->getCallee()->IgnoreParenImpCasts());
        Found |= Ref && Ref->getDecl() == Of && !isa<CUDAKernelCallExpr>(C);
        return true;
      }
    } F;
    F.Of = FD.getParamDecl(Index);
    F.TraverseStmt(FD.getBody());
    return F.Found;
  }
};

} // namespace

void raise::checkKernelNames(ASTContext &AST, EditList &Edits) {
  KernelNames(Edits).TraverseDecl(AST.getTranslationUnitDecl());
}
