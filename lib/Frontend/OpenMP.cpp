//===- OpenMP.cpp - directives of the author's ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// One thread that runs all iterations in order is one of the ways in which
// OpenMP may run a loop, so a loop below a directive is lifted as it stands.
// What the directive says beyond that, that iterations may run at once, is kept
// as the loop's kind: a claim, which is proved or not like that of any other
// loop. Clauses that make a variable each thread's own are taken into account;
// with those that give a loop another meaning it is left.
//
//===----------------------------------------------------------------------===//

#include "Lifter.h"
#include "raise/IR/Visitor.h"
#include "clang/AST/ASTLambda.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/OpenMPKinds.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace clang;
using namespace llvm;

namespace raise {

std::string directiveName(const OMPExecutableDirective &D) {
  return "omp " + omp::getOpenMPDirectiveName(D.getDirectiveKind()).str();
}

/// Whether the directive's own threads run the loop, all of whose variables
/// from outside they share.
static bool startsThreads(const OMPExecutableDirective &D) {
  return D.getDirectiveKind() == omp::OMPD_parallel_for ||
         D.getDirectiveKind() == omp::OMPD_parallel_for_simd;
}

bool isFollowed(const OMPExecutableDirective &D) {
  switch (D.getDirectiveKind()) {
  case omp::OMPD_parallel:
  case omp::OMPD_for:
  case omp::OMPD_for_simd:
  case omp::OMPD_simd:
  case omp::OMPD_barrier:
  case omp::OMPD_atomic:
    return true;
  default:
    return startsThreads(D);
  }
}

namespace lifting {

//===-- Clauses
//-------------------------------------------------------------===//

/// The variable that an entry of a clause's list names; null for anything else.
static const VarDecl *listed(const clang::Expr *E) {
  const auto *D = dyn_cast<DeclRefExpr>(E->IgnoreParenImpCasts());
  return D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
}

static std::optional<Combiner> combinerOf(OverloadedOperatorKind Kind) {
  switch (Kind) {
  case OO_Plus:
  case OO_Minus:
    return Combiner::Add;
  case OO_Star:
    return Combiner::Mul;
  case OO_Amp:
    return Combiner::And;
  case OO_Pipe:
    return Combiner::Or;
  case OO_Caret:
    return Combiner::Xor;
  case OO_AmpAmp:
    return Combiner::LAnd;
  case OO_PipePipe:
    return Combiner::LOr;
  default:
    return std::nullopt;
  }
}

bool Lifter::readReduction(const OMPReductionClause *R, Claim &C) {
  const DeclarationName Name = R->getNameInfo().getName();
  // In C the operator is told by name as well; min and max have none.
  const auto *Id = Name.getAsIdentifierInfo();
  std::optional<Combiner> Op;
  if (Id && Id->isStr("min"))
    Op = Combiner::Min;
  else if (Id && Id->isStr("max"))
    Op = Combiner::Max;
  else
    Op = combinerOf(Name.getCXXOverloadedOperator());
  for (const clang::Expr *E : R->varlists()) {
    const VarDecl *V = listed(E);
    if (!V || !scalarType(V->getType(), AST) || !Op ||
        R->getModifier() == OMPC_REDUCTION_inscan ||
        R->getModifier() == OMPC_REDUCTION_task)
      return refuse(codes::InsideOpenMP, "this reduction is not followed",
                    SourceRange(R->getBeginLoc(), R->getEndLoc())),
             false;
    C.Reductions.emplace_back(V, *Op);
  }
  return true;
}

bool Lifter::readClauses(const OMPExecutableDirective *D,
                         const clang::Stmt *Body, Claim &C) {
  Prescan InBody(Called);
  InBody.scan(Body);
  const auto Refuse = [&](const OMPClause *X, const std::string &Text) {
    return refuse(codes::InsideOpenMP, Text,
                  SourceRange(X->getBeginLoc(), X->getEndLoc())),
           false;
  };
  for (const OMPClause *X : D->clauses()) {
    if (X->isImplicit())
      continue;
    for (const clang::Stmt *Child : const_cast<OMPClause *>(X)->children())
      if (const auto *E = dyn_cast_or_null<clang::Expr>(Child);
          E && E->HasSideEffects(AST))
        return Refuse(X, "a clause with an effect");
    switch (X->getClauseKind()) {
    case omp::OMPC_private:
      for (const clang::Expr *E : cast<OMPPrivateClause>(X)->varlists()) {
        const VarDecl *V = listed(E);
        if (!V || !scalarType(V->getType(), AST))
          return Refuse(X, "a private object that is no scalar");
        C.Private.push_back(V);
      }
      break;
    case omp::OMPC_firstprivate:
      for (const clang::Expr *E : cast<OMPFirstprivateClause>(X)->varlists()) {
        const VarDecl *V = listed(E);
        if (!V || InBody.Assigned.contains(V) || InBody.Addressed.contains(V) ||
            Facts.Addressed.contains(V) || V->getType()->isArrayType())
          return Refuse(X, "a firstprivate object that the loop changes");
      }
      break;
    case omp::OMPC_lastprivate: // as it is in order, but under its name alone
      for (const clang::Expr *E : cast<OMPLastprivateClause>(X)->varlists())
        if (const VarDecl *V = listed(E); !V || Facts.Addressed.contains(V))
          return Refuse(X, "a lastprivate object that has another name");
      break;
    case omp::OMPC_reduction:
      if (!readReduction(cast<OMPReductionClause>(X), C))
        return false;
      break;
    case omp::OMPC_default:
      if (const auto Kind = cast<OMPDefaultClause>(X)->getDefaultKind();
          Kind != omp::OMP_DEFAULT_shared && Kind != omp::OMP_DEFAULT_none)
        return Refuse(X, "variables that a default makes each thread's own");
      break;
    case omp::OMPC_shared:
    case omp::OMPC_schedule:
    case omp::OMPC_collapse:
    case omp::OMPC_num_threads:
    case omp::OMPC_proc_bind:
    case omp::OMPC_if:
    case omp::OMPC_nowait:
    case omp::OMPC_safelen:
    case omp::OMPC_simdlen:
    case omp::OMPC_aligned:
    case omp::OMPC_nontemporal:
    case omp::OMPC_order:
      break;
    default:
      return Refuse(X, "clause '" +
                           getOpenMPClauseName(X->getClauseKind()).str() +
                           "' of '" + directiveName(*D) + "' is not followed");
    }
  }
  return true;
}

/// What the clauses of D compute before it, from variables that change: they
/// say how it runs, which no loop shows.
void Lifter::readByClauses(const OMPExecutableDirective *D) {
  for (const OMPClause *X : D->clauses()) {
    switch (X->getClauseKind()) {
    case omp::OMPC_schedule:
    case omp::OMPC_num_threads:
    case omp::OMPC_if:
      break;
    default:
      continue;
    }
    for (const clang::Stmt *E : const_cast<OMPClause *>(X)->children()) {
      std::vector<VarRef> Read;
      if (E)
        llvm::copy_if(
            touchedBy(E), std::back_inserter(Read), [&](const VarRef &V) {
              return Changing.contains(V.get()) && !is_contained(Addressed, V);
            });
      if (!Read.empty())
        emit(std::make_shared<Opaque>(
            getOpenMPClauseName(X->getClauseKind()).str(), codes::InsideOpenMP,
            "clause '" + getOpenMPClauseName(X->getClauseKind()).str() +
                "' of '" + directiveName(*D) + "' uses a variable that changes",
            std::move(Read), locate(D->getSourceRange(), AST)));
    }
  }
}

//===-- Claims that are wrong on their face
//---------------------------------===//

namespace {
/// Whether some directive stands inside a statement.
class DirectiveFinder : public RecursiveASTVisitor<DirectiveFinder> {
public:
  bool Found = false;
  bool VisitOMPExecutableDirective(OMPExecutableDirective *) {
    return !(Found = true);
  }
};
} // namespace

/// A scalar that all threads share and that each iteration writes: no order of
/// the iterations is right.
bool Lifter::checkShared(const OMPLoopDirective *D, const Claim &C) {
  const OMPExecutableDirective *Threads =
      startsThreads(*D) ? D : ParallelRegion;
  const clang::Stmt *Body = D->getRawStmt();
  DirectiveFinder Inner;
  Inner.TraverseStmt(const_cast<clang::Stmt *>(Body));
  if (!Threads || Inner.Found)
    return true;
  Prescan InBody(Called);
  InBody.scan(Body);
  llvm::SmallPtrSet<const VarDecl *, 8> Own;
  for (const OMPExecutableDirective *X :
       {Threads, static_cast<const OMPExecutableDirective *>(D)})
    for (const OMPClause *Clause : X->clauses())
      if (Clause->getClauseKind() != omp::OMPC_shared)
        for (const clang::Stmt *E : const_cast<OMPClause *>(Clause)->children())
          if (const auto *Ref = dyn_cast_or_null<clang::Expr>(E))
            if (const VarDecl *V = listed(Ref))
              Own.insert(V);
  for (const clang::Expr *E : D->counters())
    if (const VarDecl *V = listed(E))
      Own.insert(V);
  const SourceManager &SM = AST.getSourceManager();
  const VarDecl *Shared = nullptr;
  for (const VarDecl *V : InBody.Assigned)
    if (!Own.contains(V) && !InBody.Addressed.contains(V) &&
        !isLambdaCallOperator(V->getDeclContext()) && // a call has its own
        scalarType(V->getType(), AST) && V->getTLSKind() == VarDecl::TLS_None &&
        !V->hasAttr<OMPThreadPrivateDeclAttr>() &&
        SM.isBeforeInTranslationUnit(V->getLocation(),
                                     Threads->getBeginLoc()) &&
        (!Shared ||
         SM.isBeforeInTranslationUnit(V->getLocation(), Shared->getLocation())))
      Shared = V;
  (void)C;
  return !Shared ||
         (refuse(codes::WrongClaim,
                 "'" + directiveName(*D) +
                     "' claims that iterations are independent, but they share "
                     "'" +
                     Shared->getNameAsString() + "', which the loop writes",
                 D->getSourceRange()),
          false);
}

/// Whether all that the loop does with a variable of a reduction is what its
/// clause says: anything else has no meaning in order.
bool Lifter::checkReductions(const Claim &C, const StmtList &List) {
  for (const auto &[D, By] : C.Reductions) {
    auto It = Bindings.find(D);
    if (It == Bindings.end() || It->second.Kind != Binding::Scalar)
      return refuse(codes::InsideOpenMP,
                    "a reduction into '" + D->getNameAsString() +
                        "', which is no local variable",
                    D->getSourceRange()),
             false;
    // What is not understood does something else, but not for that reason.
    const Opaque *Unknown = nullptr;
    for (const StmtRef &S : List)
      forEachStmt(S, [&](const StmtRef &Sub) {
        const auto *O = dyn_cast<raise::Opaque>(Sub.get());
        if (O && !Unknown && is_contained(O->Touches, It->second.V))
          Unknown = O;
      });
    if (Unknown)
      return refuse(Reason{Unknown->Code, Unknown->Why, Unknown->Loc}), false;
    if (!isOnlyCombined(List, It->second.V, By))
      return refuse(codes::InsideOpenMP,
                    "'" + D->getNameAsString() +
                        "' is used in another way than its reduction says",
                    D->getSourceRange()),
             false;
  }
  return true;
}

//===-- Directives
//----------------------------------------------------------===//

/// The variables that each iteration has of its own, in its body.
void Lifter::declarePrivates(const Claim &C, StmtList &Body) {
  for (const VarDecl *D : C.Private) {
    // A loop's own variable is so in any case.
    if (auto It = Bindings.find(D); It != Bindings.end() &&
                                    It->second.Kind == Binding::Scalar &&
                                    is_contained(Counters, It->second.V))
      continue;
    Binding B;
    B.Kind = Binding::Scalar;
    B.V = declare(D, liftedType(D->getType(), AST));
    Changing.insert(B.V.get());
    Bindings[D] = B;
    Body.push_back(std::make_shared<raise::Decl>(
        B.V, nullptr, locate(D->getLocation(), AST)));
    Visible.push_back(B.V);
  }
}

/// Whether no loop's variable is one from outside that has its last value
/// behind the loop: `simd` gives it that, and a clause may.
bool Lifter::checkCounters(const OMPLoopDirective *D) {
  llvm::SmallPtrSet<const VarDecl *, 4> Last;
  for (const OMPClause *X : D->clauses())
    if (const auto *L = dyn_cast<OMPLastprivateClause>(X);
        L && !X->isImplicit())
      for (const clang::Expr *E : L->varlists())
        Last.insert(listed(E));
  const bool Both = D->getDirectiveKind() == omp::OMPD_for_simd ||
                    D->getDirectiveKind() == omp::OMPD_parallel_for_simd;
  for (const clang::Expr *E : D->counters())
    if (const VarDecl *V = listed(E);
        V && (Last.contains(V) ||
              (Both && AST.getSourceManager().isBeforeInTranslationUnit(
                           V->getLocation(), D->getBeginLoc()))))
      return refuse(codes::InsideOpenMP,
                    "'" + V->getNameAsString() +
                        "' has its last value behind the loop, whose threads "
                        "have their own",
                    D->getSourceRange()),
             false;
  return true;
}

/// Whether what threads do one at a time comes to the same in any order: each
/// variable that they set is only combined in the loop, by one operator, and
/// memory is only added to.
bool Lifter::checkInTurn(const OMPLoopDirective *D, const StmtList &List) {
  const auto Refuse = [&](const std::string &Name) {
    return refuse(codes::InsideOpenMP,
                  "what becomes of '" + Name +
                      "' hangs on the order in which threads get their turn",
                  D->getSourceRange()),
           false;
  };
  std::set<const Var *> Own;
  for (const StmtRef &S : List)
    forEachStmt(S, [&](const StmtRef &Sub) {
      if (const auto *X = dyn_cast<raise::Decl>(Sub.get()))
        Own.insert(X->V.get());
    });
  for (const StmtRef &S : InTurn) {
    if (const auto *A = dyn_cast<Assign>(S.get());
        A && !Own.count(A->V.get())) {
      const bool Free = llvm::any_of(
          ArrayRef({Combiner::Add, Combiner::Mul, Combiner::Min, Combiner::Max,
                    Combiner::And, Combiner::Or, Combiner::Xor}),
          [&](Combiner By) { return isOnlyCombined(List, A->V, By); });
      if (!Free)
        return Refuse(A->V->Name);
    }
    const auto *To = dyn_cast<Store>(S.get());
    if (!To)
      continue;
    bool Adds = true;
    for (const StmtRef &Top : List) {
      forEachStmt(Top, [&](const StmtRef &Sub) {
        const auto *Other = dyn_cast<Store>(Sub.get());
        Adds &= !Other || Other->To.Buf != To->To.Buf ||
                Other->Op == Combiner::Add || Other->Op == Combiner::Sub;
      });
      forEachExpr(Top, [&](const ExprRef &E) {
        const auto *Ld = dyn_cast<Load>(E.get());
        Adds &= !Ld || Ld->From.Buf != To->To.Buf;
      });
    }
    if (!Adds)
      return Refuse(To->To.Buf->Name);
  }
  return true;
}

bool Lifter::liftClaimedLoop(const OMPLoopDirective *D) {
  const clang::Stmt *Body = D->getRawStmt();
  Claim C;
  C.Depth = std::max(1u, D->getLoopsNumber());
  // In a function that threads may call, or beside arrays of a thread, it is
  // not known what iterations share.
  if (!startsThreads(*D) && (!ParallelRegion || RegionOwnsObjects))
    C.Kind = LoopKind::Serial;
  if (D->getDirectiveKind() == omp::OMPD_simd) {
    C.Kind = LoopKind::Simd;
    C.PrivateCounter = false; // it has its last value after the loop
  }
  if (!readClauses(D, Body, C) || !checkShared(D, C) || !checkCounters(D))
    return false;
  readByClauses(D);
  std::vector<std::pair<const VarDecl *, std::optional<Binding>>> Hidden;
  for (const VarDecl *V : C.Private)
    Hidden.emplace_back(V, Bindings.count(V) ? std::optional(Bindings[V])
                                             : std::nullopt);
  Pending = C;
  StmtList List;
  SaveAndRestore Turns(InTurn, StmtList());
  const bool Done = liftInto(Body, List);
  Pending = std::nullopt;
  for (auto &[V, Old] : Hidden)
    if (Old)
      Bindings[V] = *Old;
    else
      Bindings.erase(V);
  if (!Done || !checkReductions(C, List) || !checkRegionScalars(D, C, List) ||
      !checkInTurn(D, List))
    return false;
  Out->insert(Out->end(), List.begin(), List.end());
  return true;
}

/// What stands in a parallel region runs once on each thread. Declarations are
/// each thread's own; of the rest only shared loops and barriers mean the same
/// on one thread.
bool Lifter::liftRegionStatement(const clang::Stmt *S) {
  if (const auto *C = dyn_cast<CompoundStmt>(S)) {
    const ScopeGuard Scope(*this);
    StmtList List;
    StmtList *const Saved = Out;
    Out = &List;
    for (const clang::Stmt *Child : C->body())
      liftRegionStatement(Child);
    Out = Saved;
    emit(std::make_shared<raise::Block>(std::move(List),
                                        locateStatement(S, AST)));
    return true;
  }
  if (const auto *I = dyn_cast<IfStmt>(S);
      I && !I->getInit() && !I->getConditionVariable() && !I->isConstexpr() &&
      !I->isConsteval())
    return liftRegionIf(I);
  const auto *D = dyn_cast<OMPExecutableDirective>(S);
  if (const auto *Decls = dyn_cast<DeclStmt>(S))
    for (const clang::Decl *Child : Decls->decls())
      if (const auto *V = dyn_cast<VarDecl>(Child))
        RegionOwnsObjects |= !scalarType(V->getType(), AST);
  if (isa<DeclStmt>(S)) {
    const size_t Before = Out->size();
    const bool Done = lift(S);
    std::set<const Var *> Own;
    bool Effect = false;
    for (const StmtRef &Made : ArrayRef(*Out).drop_front(Before))
      forEachStmt(Made, [&](const StmtRef &Sub) {
        if (const auto *Array = dyn_cast<DeclBuffer>(Sub.get()))
          RegionArrays.push_back(Array->B);
        if (const auto *X = dyn_cast<raise::Decl>(Sub.get()))
          Own.insert(X->V.get());
        const auto *A = dyn_cast<Assign>(Sub.get());
        const auto *To = dyn_cast<Store>(Sub.get());
        Effect |= (A && !Own.count(A->V.get())) ||
                  (To && !is_contained(RegionArrays, To->To.Buf));
      });
    if (!Effect)
      return Done;
    refuse(codes::InsideOpenMP, "it runs once on each thread of 'omp parallel'",
           S->getSourceRange());
    makeOpaque(S, Before);
    return true;
  }
  if (isa<NullStmt>(S) || (D && isFollowed(*D) &&
                           !isa<OMPParallelDirective, OMPAtomicDirective>(D) &&
                           D->getDirectiveKind() != omp::OMPD_simd))
    return lift(S);
  refuse(codes::InsideOpenMP, "it runs once on each thread of 'omp parallel'",
         S->getSourceRange());
  makeOpaque(S, Out->size());
  return true;
}

/// All threads take one way, or the loops in it would wait for each other.
bool Lifter::liftRegionIf(const IfStmt *S) {
  StmtList Before;
  StmtList *const Saved = Out;
  Out = &Before;
  ExprRef Cond = condition(S->getCond());
  StmtList Ways[2];
  if (Cond && Before.empty())
    for (const clang::Stmt *Way : {S->getThen(), S->getElse()})
      if (Way) {
        Out = &Ways[Way == S->getElse()];
        liftRegionStatement(Way);
      }
  Out = Saved;
  const SourceLoc Loc = locateStatement(S, AST);
  if (Cond && Before.empty()) {
    emit(std::make_shared<If>(
        Cond, std::make_shared<raise::Block>(std::move(Ways[0]), Loc),
        S->getElse() ? std::make_shared<raise::Block>(std::move(Ways[1]), Loc)
                     : nullptr,
        Loc));
    return true;
  }
  refuse(codes::InsideOpenMP,
         "a condition with an effect, on each thread of 'omp parallel'",
         S->getSourceRange());
  makeOpaque(S, Out->size());
  return true;
}

bool Lifter::liftParallelRegion(const OMPParallelDirective *D) {
  const clang::Stmt *Body = D->getRawStmt();
  Claim C;
  if (!Inlines.empty())
    return refuse(codes::InsideOpenMP,
                  "'omp parallel' in a function that is called",
                  D->getSourceRange()),
           false;
  if (!readClauses(D, Body, C))
    return false;
  if (!C.Private.empty() || !C.Reductions.empty())
    return refuse(codes::InsideOpenMP,
                  "variables that 'omp parallel' makes each thread's own",
                  D->getSourceRange()),
           false;
  readByClauses(D);
  SaveAndRestore Objects(RegionOwnsObjects, false);
  SaveAndRestore Arrays(RegionArrays, std::vector<BufferRef>());
  SaveAndRestore Region(ParallelRegion,
                        static_cast<const OMPExecutableDirective *>(D));
  return liftRegionStatement(Body);
}

/// `omp atomic` over an update of memory.
bool Lifter::liftAtomic(const OMPAtomicDirective *D) {
  StmtList List;
  for (const OMPClause *X : D->clauses())
    if (X->getClauseKind() != omp::OMPC_update && !X->isImplicit())
      return refuse(codes::InsideOpenMP, "this 'omp atomic' is not followed",
                    D->getSourceRange()),
             false;
  if (!liftInto(D->getRawStmt(), List))
    return false;
  const auto *S = List.size() == 1 ? dyn_cast<Store>(List[0].get()) : nullptr;
  const auto *A = List.size() == 1 ? dyn_cast<Assign>(List[0].get()) : nullptr;
  if (Settings.Alone && A && A->V->Kind == VarKind::Local) {
    InTurn.push_back(List[0]);
    emit(List[0]);
    return true;
  }
  if (!S || S->Op == Combiner::None)
    return refuse(codes::InsideOpenMP, "this 'omp atomic' is not followed",
                  D->getSourceRange()),
           false;
  emit(
      std::make_shared<Store>(S->To, S->Op, S->Value, /*Atomic=*/true, S->Loc));
  return true;
}

bool Lifter::liftDirective(const OMPExecutableDirective *D) {
  if (const auto *A = dyn_cast<OMPAtomicDirective>(D))
    return liftAtomic(A);
  if (isFollowed(*D)) {
    if (D->getDirectiveKind() == omp::OMPD_barrier)
      return true; // what stands before it is done, in order
    if (const auto *P = dyn_cast<OMPParallelDirective>(D))
      return liftParallelRegion(P);
    if (const auto *L = dyn_cast<OMPLoopDirective>(D))
      return liftClaimedLoop(L);
  }
  // Threads that wait for each other may run in order.
  if (Settings.Alone && isa<OMPCriticalDirective>(D)) {
    const size_t Before = Out->size();
    if (!lift(D->getRawStmt()))
      return false;
    for (const StmtRef &S : ArrayRef(*Out).drop_front(Before))
      forEachStmt(S, [&](const StmtRef &Sub) { InTurn.push_back(Sub); });
    return true;
  }
  return refuse(codes::InsideOpenMP,
                "'" + directiveName(*D) + "' is not followed",
                D->getSourceRange()),
         false;
}

} // namespace lifting
} // namespace raise
