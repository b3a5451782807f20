//===- ArgumentSizes.cpp - arrays that parameters and members are ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ArgumentSizes.h"
#include "raise/IR/Effects.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <optional>

using namespace clang;
using llvm::StringRef;

namespace raise {

/// The elements of an array of this type, all dimensions together. An array of
/// one stands for as many as follow it, where it is a structure's last member.
static std::optional<uint64_t> elementsOf(QualType T, ASTContext &AST) {
  uint64_t All = 1;
  const ConstantArrayType *A = AST.getAsConstantArrayType(T);
  if (!A)
    return std::nullopt;
  for (; A; A = AST.getAsConstantArrayType(A->getElementType())) {
    const uint64_t Size = A->getSize().getLimitedValue(UINT32_MAX);
    if (Size != 0 && All > UINT32_MAX / Size)
      return std::nullopt;
    All *= Size;
  }
  return All > 1 ? std::optional<uint64_t>(All) : std::nullopt;
}

/// The calls of the functions that no other file can call.
class ArgumentSizes::Calls : public RecursiveASTVisitor<Calls> {
public:
  explicit Calls(ASTContext &AST) : AST(AST) { TraverseAST(AST); }

  bool shouldVisitTemplateInstantiations() const { return true; }
  bool VisitCallExpr(CallExpr *C) {
    const FunctionDecl *FD = C->getDirectCallee();
    if (FD && isOurs(*FD)) {
      Of[FD->getCanonicalDecl()].push_back(C);
      ++Called[FD->getCanonicalDecl()];
    }
    return true;
  }
  bool VisitDeclRefExpr(DeclRefExpr *E) {
    const auto *FD = dyn_cast<FunctionDecl>(E->getDecl());
    if (FD && isOurs(*FD))
      ++Named[FD->getCanonicalDecl()];
    return true;
  }

  /// How many elements what is passed for P has at most.
  std::optional<uint64_t> largest(const ParmVarDecl &P) {
    const auto *FD = dyn_cast<FunctionDecl>(P.getDeclContext());
    if (!FD || !isOurs(*FD) || !P.getType()->isPointerType() ||
        !P.getType()->getPointeeType()->isScalarType())
      return std::nullopt;
    const FunctionDecl *Key = FD->getCanonicalDecl();
    const unsigned At = P.getFunctionScopeIndex();
    // One whose address is taken may be called by anyone.
    if (Named.lookup(Key) != Called.lookup(Key) || Of[Key].empty() ||
        llvm::is_contained(Asked, std::pair(Key, At)))
      return std::nullopt;
    Asked.push_back({Key, At});
    uint64_t Most = 0;
    for (const CallExpr *C : Of[Key]) {
      const auto Size = At < C->getNumArgs() ? passed(C->getArg(At))
                                             : std::optional<uint64_t>();
      if (!Size) {
        Most = 0;
        break;
      }
      Most = std::max(Most, *Size);
    }
    Asked.pop_back();
    return Most ? std::optional<uint64_t>(Most) : std::nullopt;
  }

private:
  ASTContext &AST;
  llvm::DenseMap<const FunctionDecl *, std::vector<const CallExpr *>> Of;
  llvm::DenseMap<const FunctionDecl *, unsigned> Called, Named;
  llvm::SmallVector<std::pair<const FunctionDecl *, unsigned>, 4> Asked;

  static bool isOurs(const FunctionDecl &FD) {
    return !FD.isExternallyVisible() && !isa<CXXMethodDecl>(FD);
  }

  std::optional<uint64_t> passed(const clang::Expr *E) {
    E = E->IgnoreParenImpCasts();
    if (const auto *B = dyn_cast<BinaryOperator>(E); B && B->isAdditiveOp()) {
      const clang::Expr *L = B->getLHS();
      return passed(L->getType()->isPointerType() ? L : B->getRHS());
    }
    if (const auto *U = dyn_cast<UnaryOperator>(E);
        U && U->getOpcode() == UO_AddrOf) {
      E = U->getSubExpr()->IgnoreParenImpCasts();
      const auto *At = dyn_cast<ArraySubscriptExpr>(E);
      return At ? passed(At->getBase()) : std::nullopt;
    }
    // Rows are run over, too.
    while (const auto *At = dyn_cast<ArraySubscriptExpr>(E))
      E = At->getBase()->IgnoreParenImpCasts();
    if (auto Size = elementsOf(E->getType(), AST))
      return Size;
    const auto *D = dyn_cast<DeclRefExpr>(E);
    const auto *P = D ? dyn_cast<ParmVarDecl>(D->getDecl()) : nullptr;
    return P ? largest(*P) : std::nullopt;
  }
};

namespace {
/// The arrays that are members, by the text that names them.
class MemberArrays : public RecursiveASTVisitor<MemberArrays> {
public:
  explicit MemberArrays(ASTContext &AST) : AST(AST) {}
  std::map<std::string, uint64_t> Found;
  bool VisitMemberExpr(MemberExpr *E) {
    const auto Size = elementsOf(E->getType(), AST);
    if (!Size)
      return true;
    std::string Text = Lexer::getSourceText(
                           CharSourceRange::getTokenRange(E->getSourceRange()),
                           AST.getSourceManager(), AST.getLangOpts())
                           .str();
    llvm::erase_if(Text, [](char C) { return llvm::isSpace(C); });
    Found[Text] = *Size;
    return true;
  }

private:
  ASTContext &AST;
};
} // namespace

ArgumentSizes::ArgumentSizes(ASTContext &AST) : AST(AST) {}
ArgumentSizes::~ArgumentSizes() = default;

void ArgumentSizes::add(const FunctionDecl &FD, const Function &Lifted,
                        ArraySizes &Sizes) {
  MemberArrays Members(AST);
  Members.TraverseStmt(FD.getBody());
  for (const MemoryAccess &A : effectsOf(Lifted.Body).Memory)
    if (A.At.Buf->Kind == BufferKind::Pointer)
      if (auto It = Members.Found.find(A.At.Buf->Name);
          It != Members.Found.end())
        Sizes[A.At.Buf.get()] = It->second;
  if (FD.isExternallyVisible())
    return;
  for (const raise::Param &P : Lifted.Params) {
    if (!P.Buf || P.Implied)
      continue;
    for (const ParmVarDecl *D : FD.parameters()) {
      if (D->getName() != P.Buf->Name || !D->getType()->isPointerType())
        continue;
      if (!Found)
        Found = std::make_unique<Calls>(AST);
      if (auto Size = Found->largest(*D))
        Sizes[P.Buf.get()] = *Size;
    }
  }
}

} // namespace raise
