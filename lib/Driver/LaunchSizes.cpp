//===- LaunchSizes.cpp - the blocks that a file launches ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "LaunchSizes.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include <optional>

using namespace clang;

namespace raise {

namespace {

using Block = std::array<int64_t, 3>;

/// The variable that E, an lvalue, is or is a member of.
const VarDecl *variableOf(const Expr *E) {
  for (;;) {
    E = E->IgnoreParenImpCasts();
    const auto *M = dyn_cast<MemberExpr>(E);
    if (!M || M->isArrow())
      break;
    E = M->getBase();
  }
  const auto *D = dyn_cast<DeclRefExpr>(E);
  return D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
}

class Launches : public RecursiveASTVisitor<Launches> {
public:
  std::vector<const CUDAKernelCallExpr *> Calls;
  llvm::DenseSet<const FunctionDecl *> UsedOtherwise;
  llvm::DenseSet<const VarDecl *> Changed; ///< after its declaration

  bool shouldVisitTemplateInstantiations() const { return true; }

  bool VisitCUDAKernelCallExpr(CUDAKernelCallExpr *E) {
    Calls.push_back(E);
    if (const auto *D =
            dyn_cast<DeclRefExpr>(E->getCallee()->IgnoreParenImpCasts()))
      Launching.insert(D);
    return true;
  }
  bool VisitDeclRefExpr(DeclRefExpr *E) {
    const auto *FD = dyn_cast<FunctionDecl>(E->getDecl());
    if (FD && FD->hasAttr<CUDAGlobalAttr>() && !Launching.contains(E))
      UsedOtherwise.insert(FD->getCanonicalDecl());
    return true;
  }
  bool VisitBinaryOperator(BinaryOperator *E) {
    if (E->isAssignmentOp())
      change(E->getLHS());
    return true;
  }
  bool VisitUnaryOperator(UnaryOperator *E) {
    if (E->isIncrementDecrementOp() || E->getOpcode() == UO_AddrOf)
      change(E->getSubExpr());
    return true;
  }
  bool VisitCallExpr(CallExpr *E) {
    const FunctionDecl *FD = E->getDirectCallee();
    const bool Member =
        isa<CXXOperatorCallExpr>(E) && FD && isa<CXXMethodDecl>(FD);
    for (unsigned I = 0; I < E->getNumArgs(); ++I) {
      const unsigned P = I - Member;
      const QualType T = Member && I == 0 ? QualType()
                         : FD && P < FD->getNumParams()
                             ? FD->getParamDecl(P)->getType()
                             : QualType();
      // Whoever is given a reference may change what it leads to.
      if (T.isNull() ? E->getArg(I)->isLValue()
                     : T->isLValueReferenceType() &&
                           !T->getPointeeType().isConstQualified())
        change(E->getArg(I));
    }
    return true;
  }
  bool VisitCXXConstructExpr(CXXConstructExpr *E) {
    for (unsigned I = 0; I < E->getNumArgs(); ++I) {
      const FunctionDecl *FD = E->getConstructor();
      const QualType T =
          I < FD->getNumParams() ? FD->getParamDecl(I)->getType() : QualType();
      if (T.isNull() || (T->isLValueReferenceType() &&
                         !T->getPointeeType().isConstQualified()))
        change(E->getArg(I));
    }
    return true;
  }
  bool VisitInitListExpr(InitListExpr *E) {
    for (const Expr *Init : E->inits())
      if (Init->isLValue()) // a member that is a reference
        change(Init);
    return true;
  }
  bool VisitVarDecl(VarDecl *V) {
    if (V->getType()->isLValueReferenceType() && V->getInit() &&
        !V->getType()->getPointeeType().isConstQualified())
      change(V->getInit());
    return true;
  }

private:
  llvm::DenseSet<const DeclRefExpr *> Launching;
  void change(const Expr *E) {
    if (const VarDecl *V = variableOf(E))
      Changed.insert(V);
  }
};

class Sizes {
public:
  Sizes(const Launches &In, const ASTContext &AST) : In(In), AST(AST) {}

  /// What E, a dim3, holds; 0 for what is not known.
  Block blockOf(const Expr *E) const {
    E = E->IgnoreParens()->IgnoreImplicit();
    if (const auto *C = dyn_cast<ExplicitCastExpr>(E))
      return blockOf(C->getSubExpr());
    if (const auto *C = dyn_cast<CXXConstructExpr>(E)) {
      if (C->getConstructor()->isCopyOrMoveConstructor())
        return blockOf(C->getArg(0));
      Block B{1, 1, 1};
      for (unsigned I = 0; I < 3 && I < C->getNumArgs(); ++I)
        B[I] = C->getArg(I)->getType()->isIntegerType()
                   ? number(C->getArg(I)).value_or(0)
                   : 0;
      return C->getNumArgs() ? B : Block{};
    }
    if (const VarDecl *V = fixed(E))
      return blockOf(V->getInit());
    return {};
  }

private:
  const Launches &In;
  const ASTContext &AST;

  /// The variable that E names, if it keeps what it was declared with.
  const VarDecl *fixed(const Expr *E) const {
    const auto *D = dyn_cast<DeclRefExpr>(E->IgnoreParenImpCasts());
    const auto *V = D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
    const bool Known =
        V && V->getInit() && !isa<ParmVarDecl>(V) && !In.Changed.contains(V);
    // Of a variable that other files see, they may change what is no constant.
    return Known && (V->isLocalVarDecl() || !V->isExternallyVisible() ||
                     V->getType().isConstQualified())
               ? V
               : nullptr;
  }

  std::optional<int64_t> number(const Expr *E) const {
    if (const auto *Default = dyn_cast<CXXDefaultArgExpr>(E))
      E = Default->getExpr();
    Expr::EvalResult R;
    if (!E->isValueDependent() && E->EvaluateAsInt(R, AST))
      return R.Val.getInt().getExtValue();
    const VarDecl *V = fixed(E);
    return V && V->getType()->isIntegerType() ? number(V->getInit())
                                              : std::nullopt;
  }
};

/// Whether FD is declared where other files may see it.
bool isAnnounced(const FunctionDecl &FD) {
  const FunctionDecl *Body = FD.getDefinition();
  const FunctionDecl *Pattern =
      Body ? Body->getTemplateInstantiationPattern() : nullptr;
  const FunctionDecl &Of = Pattern ? *Pattern : Body ? *Body : FD;
  const SourceManager &SM = FD.getASTContext().getSourceManager();
  const FileID Home = SM.getFileID(SM.getExpansionLoc(Of.getLocation()));
  return FD.isExternallyVisible() &&
         llvm::any_of(Of.redecls(), [&](const FunctionDecl *D) {
           return SM.getFileID(SM.getExpansionLoc(D->getLocation())) != Home;
         });
}

} // namespace

LaunchSizes::LaunchSizes(ASTContext &AST) {
  const SourceManager &SM = AST.getSourceManager();
  Launches Found;
  for (Decl *D : AST.getTranslationUnitDecl()->decls())
    if (!SM.isInSystemHeader(SM.getExpansionLoc(D->getLocation())))
      Found.TraverseDecl(D);
  const Sizes In(Found, AST);
  for (const CUDAKernelCallExpr *E : Found.Calls) {
    const FunctionDecl *FD = E->getDirectCallee();
    const CallExpr *Config = E->getConfig();
    if (!FD || !Config || Config->getNumArgs() < 2)
      continue;
    const Block B = In.blockOf(Config->getArg(1));
    auto [It, New] = Blocks.try_emplace(FD->getCanonicalDecl(), B);
    for (unsigned D = 0; D < 3; ++D)
      if (It->second[D] != B[D])
        It->second[D] = 0;
  }
  for (auto &[FD, B] : Blocks)
    if (Found.UsedOtherwise.contains(FD) || isAnnounced(*FD))
      B = {};
}

std::array<int64_t, 3> LaunchSizes::blockOf(const FunctionDecl &Kernel) const {
  return Blocks.lookup(Kernel.getCanonicalDecl());
}

} // namespace raise
