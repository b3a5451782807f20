//===- RegionScalars.cpp - what a thread carries between iterations -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A scalar that is declared in `omp parallel` is each thread's own. A shared
// loop may use one for what an iteration computes; what it passes on to the
// thread's next iteration, or to what follows the loop, hangs on how the
// iterations are shared, and is not what one thread computes.
//
//===----------------------------------------------------------------------===//

#include "Lifter.h"
#include "raise/IR/Visitor.h"
#include "clang/AST/RecursiveASTVisitor.h"

using namespace clang;
using namespace llvm;

namespace raise::lifting {

namespace {

/// The scalars of a region that its shared loops set, and those of them that
/// something beside these loops names.
class RegionScan : public RecursiveASTVisitor<RegionScan> {
public:
  RegionScan(const OMPExecutableDirective &Region, CalleeFacts &Called)
      : Called(Called) {
    TraverseStmt(const_cast<clang::Stmt *>(Region.getRawStmt()));
  }
  std::set<const VarDecl *> Set, Beside;

  bool TraverseStmt(clang::Stmt *S) {
    const auto *L = dyn_cast_or_null<OMPLoopDirective>(S);
    if (!L || L->getDirectiveKind() == omp::OMPD_simd)
      return RecursiveASTVisitor::TraverseStmt(S);
    Prescan InBody(Called);
    InBody.scan(L->getRawStmt());
    Set.insert(InBody.Assigned.begin(), InBody.Assigned.end());
    return true;
  }
  bool VisitDeclRefExpr(DeclRefExpr *E) {
    if (const auto *V = dyn_cast<VarDecl>(E->getDecl()))
      Beside.insert(V);
    return true;
  }

private:
  CalleeFacts &Called;
};

/// Whether V is set before it is used on each way through a statement.
class SetFirst {
public:
  explicit SetFirst(const VarRef &V) : V(V) {}

  /// Is: whether it is set where S begins, and then where S ends.
  bool run(const StmtRef &S, bool &Is) const {
    if (!S || Is)
      return true;
    if (const auto *B = dyn_cast<raise::Block>(S.get()))
      return llvm::all_of(B->Body,
                          [&](const StmtRef &Sub) { return run(Sub, Is); });
    if (const auto *I = dyn_cast<If>(S.get())) {
      bool Then = false, Else = false;
      if (uses(I->Cond, V.get()) || !run(I->Then, Then) || !run(I->Else, Else))
        return false;
      Is = Then && Else;
      return true;
    }
    if (const auto *A = dyn_cast<Assign>(S.get()); A && A->V == V) {
      Is = true;
      return A->Op == Combiner::None && !uses(A->Value, V.get());
    }
    if (const auto *F = dyn_cast<raise::For>(S.get())) {
      bool Inside = false;
      return F->V != V && !uses(F->Lo, V.get()) && !uses(F->Hi, V.get()) &&
             !uses(F->Step, V.get()) && run(F->Body, Inside);
    }
    return !uses(S, V.get());
  }

private:
  const VarRef V;
};

} // namespace

bool Lifter::checkRegionScalars(const OMPLoopDirective *D, const Claim &C,
                                const StmtList &List) {
  if (!ParallelRegion)
    return true;
  RegionScan Region(*ParallelRegion, Called);
  Prescan InBody(Called);
  InBody.scan(D->getRawStmt());
  const SourceManager &SM = AST.getSourceManager();
  for (const VarDecl *X : Region.Set) {
    const auto It = Bindings.find(X);
    if (SM.isBeforeInTranslationUnit(X->getLocation(),
                                     ParallelRegion->getBeginLoc()) ||
        !SM.isBeforeInTranslationUnit(X->getLocation(), D->getBeginLoc()) ||
        It == Bindings.end() ||
        (It->second.Kind != Binding::Scalar &&
         It->second.Kind != Binding::Cursor) ||
        is_contained(C.Private, X))
      continue;
    const VarRef V = It->second.V;
    bool Named = Region.Beside.count(X) && InBody.Assigned.contains(X);
    for (const StmtRef &S : List) {
      bool Is = false;
      Named |= !SetFirst(V).run(S, Is);
      forEachStmt(S, [&](const StmtRef &Sub) {
        const auto *O = dyn_cast<Opaque>(Sub.get());
        Named |= O && is_contained(O->Touches, V);
      });
    }
    if (Named)
      return refuse(codes::InsideOpenMP,
                    "each thread has a '" + X->getNameAsString() +
                        "' of its own, which its iterations pass on",
                    D->getSourceRange()),
             false;
  }
  for (const StmtRef &S : List) {
    const Buffer *Kept = nullptr;
    forEachStmt(S, [&](const StmtRef &Sub) {
      if (const auto *To = dyn_cast<Store>(Sub.get()))
        if (is_contained(RegionArrays, To->To.Buf))
          Kept = To->To.Buf.get();
    });
    if (Kept)
      return refuse(codes::InsideOpenMP,
                    "each thread has an array '" + Kept->Name +
                        "' of its own, which its iterations may pass on",
                    D->getSourceRange()),
             false;
  }
  return true;
}

} // namespace raise::lifting
