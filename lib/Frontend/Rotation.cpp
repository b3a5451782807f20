//===- Rotation.cpp - arrays that change places ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A time loop often works on two or three arrays, which change places after
// each step. That only names move is what is cheap about it; what it means is
// that the arrays' contents change places, if nothing else leads to them. So
// it is lifted, as an exchange of the elements, whose derivative follows from
// what is known of assignments.
//
//===----------------------------------------------------------------------===//

#include "FreshScan.h"
#include "Lifter.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "llvm/ADT/MapVector.h"

using namespace clang;
using namespace llvm;

namespace raise::lifting {

namespace {

/// The local variable that E names, as an lvalue or for its value.
const VarDecl *named(const clang::Expr *E) {
  const auto *R = dyn_cast<DeclRefExpr>(E->IgnoreParenImpCasts());
  const auto *V = R ? dyn_cast<VarDecl>(R->getDecl()) : nullptr;
  return V && V->hasLocalStorage() && !V->getType().isVolatileQualified()
             ? V
             : nullptr;
}

bool isStdSwap(const FunctionDecl *FD) {
  return FD && FD->getIdentifier() && FD->getName() == "swap" &&
         FD->isInStdNamespace();
}

/// What the variables of a run of statements hold, by the variables that held
/// it before the run.
class Run {
public:
  using Names = std::pair<const VarDecl *, const VarDecl *>;

  /// Whether S only moves the values of variables, which it then has done.
  bool take(const clang::Stmt *S) {
    if (const auto *D = dyn_cast<DeclStmt>(S))
      return declare(*D);
    const auto *E = dyn_cast<clang::Expr>(S);
    if (!E)
      return false;
    E = E->IgnoreImplicit();
    if (const auto *B = dyn_cast<clang::BinaryOperator>(E))
      return B->getOpcode() == BO_Assign && B->getType()->isPointerType() &&
             move(named(B->getLHS()), named(B->getRHS()));
    if (const auto *M = dyn_cast<CXXMemberCallExpr>(E)) {
      const CXXMethodDecl *MD = M->getMethodDecl();
      return MD && MD->getIdentifier() && MD->getName() == "swap" &&
             M->getNumArgs() == 1 && containerElement(M->getObjectType()) &&
             swap(named(M->getImplicitObjectArgument()), named(M->getArg(0)));
    }
    const auto *C = dyn_cast<clang::CallExpr>(E);
    if (!C || C->getNumArgs() != 2 || !isStdSwap(C->getDirectCallee()))
      return false;
    const QualType T = C->getArg(0)->getType();
    return (T->isPointerType() || containerElement(T)) &&
           swap(named(C->getArg(0)), named(C->getArg(1)));
  }

  /// Whether those whose values went somewhere have one another's, and not all
  /// their own.
  bool isRotation() const {
    bool Moved = false;
    SmallPtrSet<const VarDecl *, 4> Seen;
    for (const VarDecl *V : Sources) {
      const VarDecl *Has = Holds.lookup(V);
      if (!Seen.insert(Has).second)
        return false;
      Moved |= Has != V;
    }
    return Moved;
  }

  Rotation rotation() const {
    Rotation R;
    DenseMap<const VarDecl *, const VarDecl *> Left;
    for (const VarDecl *V : Sources)
      Left[V] = Holds.lookup(V);
    for (const VarDecl *V : Sources) {
      const VarDecl *Has = Left[V];
      if (Has == V)
        continue;
      // What V should have lies in Has: exchanged, V's is there.
      R.Swaps.push_back({V, Has});
      for (auto &[Of, What] : Left)
        if (What == V)
          What = Has;
      Left[V] = V;
    }
    return R;
  }

  ArrayRef<const VarDecl *> sources() const { return Sources.getArrayRef(); }
  /// Written, though their own values went nowhere.
  std::vector<const VarDecl *> spares() const {
    std::vector<const VarDecl *> List;
    for (const auto &[V, What] : Holds)
      if (!Sources.contains(V))
        List.push_back(V);
    return List;
  }
  /// How often variables are named.
  DenseMap<const VarDecl *, unsigned> Mentions;

private:
  /// The variable whose value from before the run V holds.
  const VarDecl *held(const VarDecl *V) {
    const auto [It, New] = Holds.insert({V, V});
    if (New)
      Sources.insert(V);
    return It->second;
  }
  bool declare(const DeclStmt &D) {
    const auto *V =
        D.isSingleDecl() ? dyn_cast<VarDecl>(D.getSingleDecl()) : nullptr;
    if (!V || !V->getType()->isPointerType() || !V->getInit() ||
        !V->hasLocalStorage())
      return false;
    const VarDecl *From = named(V->getInit());
    if (!From || !From->getType()->isPointerType())
      return false;
    ++Mentions[From];
    const VarDecl *What = held(From);
    Holds[V] = What;
    return true;
  }
  bool move(const VarDecl *To, const VarDecl *From) {
    if (!To || !From || !From->getType()->isPointerType())
      return false;
    ++Mentions[To];
    ++Mentions[From];
    const VarDecl *What = held(From);
    Holds[To] = What;
    return true;
  }
  bool swap(const VarDecl *A, const VarDecl *B) {
    if (!A || !B || A == B)
      return false;
    ++Mentions[A];
    ++Mentions[B];
    const VarDecl *OfA = held(A);
    const VarDecl *OfB = held(B);
    Holds[A] = OfB;
    Holds[B] = OfA;
    return true;
  }

  MapVector<const VarDecl *, const VarDecl *> Holds;
  SetVector<const VarDecl *> Sources;
};

struct Found {
  std::vector<const clang::Stmt *> Statements;
  Run Moves;
};

/// Finds the shortest runs, and counts all names.
class Finder : public RecursiveASTVisitor<Finder> {
public:
  std::vector<Found> Runs;
  DenseMap<const VarDecl *, unsigned> Mentions;

  bool VisitDeclRefExpr(DeclRefExpr *E) {
    if (const auto *V = dyn_cast<VarDecl>(E->getDecl()))
      ++Mentions[V];
    return true;
  }
  bool VisitCompoundStmt(CompoundStmt *S) {
    const std::vector<const clang::Stmt *> All(S->body_begin(), S->body_end());
    for (size_t I = 0; I < All.size();)
      I += std::max<size_t>(1, runAt(ArrayRef(All).drop_front(I)));
    return true;
  }
  // What stands alone below a condition or a loop.
  bool VisitIfStmt(IfStmt *S) {
    alone(S->getThen());
    return alone(S->getElse());
  }
  bool VisitForStmt(ForStmt *S) { return alone(S->getBody()); }
  bool VisitWhileStmt(WhileStmt *S) { return alone(S->getBody()); }
  bool VisitDoStmt(DoStmt *S) { return alone(S->getBody()); }

private:
  bool alone(const clang::Stmt *S) {
    if (S && isa<clang::Expr>(S))
      runAt(S);
    return true;
  }
  size_t runAt(ArrayRef<const clang::Stmt *> All) {
    Found F;
    for (const clang::Stmt *S : All) {
      if (!F.Moves.take(S))
        return 0;
      F.Statements.push_back(S);
      if (!F.Moves.isRotation())
        continue;
      Runs.push_back(std::move(F));
      return Runs.back().Statements.size();
    }
    return 0;
  }
};

} // namespace

void Rotations::scan(const clang::Stmt *Body) {
  Finder F;
  F.TraverseStmt(const_cast<clang::Stmt *>(Body));
  // What a spare variable is left with must not be used.
  for (size_t Before = F.Runs.size() + 1; F.Runs.size() < Before;) {
    Before = F.Runs.size();
    DenseMap<const VarDecl *, unsigned> Within;
    DenseSet<const VarDecl *> Used;
    for (const Found &R : F.Runs) {
      for (const auto &[V, N] : R.Moves.Mentions)
        Within[V] += N;
      Used.insert(R.Moves.sources().begin(), R.Moves.sources().end());
    }
    erase_if(F.Runs, [&](const Found &R) {
      return any_of(R.Moves.spares(), [&](const VarDecl *V) {
        return isa<ParmVarDecl>(V) || Used.contains(V) ||
               Within.lookup(V) != F.Mentions.lookup(V);
      });
    });
  }
  for (const Found &R : F.Runs) {
    At[R.Statements.front()] = R.Moves.rotation();
    for (const clang::Stmt *S : R.Statements)
      Statements[S] = R.Statements.front();
    Rotated.insert(R.Moves.sources().begin(), R.Moves.sources().end());
    for (const VarDecl *V : R.Moves.spares())
      Spare[V] = R.Moves.sources().front();
  }
}

//===-- Lifting
//--------------------------------------------------------------===//

/// The outermost statement in which V may be named.
static const clang::Stmt *scopeOf(const VarDecl *V, const clang::Stmt *Body) {
  struct Walk : RecursiveASTVisitor<Walk> {
    const VarDecl *V;
    const clang::Stmt *Scope = nullptr;
    std::vector<const clang::Stmt *> Open;
    bool TraverseStmt(clang::Stmt *S) {
      const bool Opens = isa_and_nonnull<CompoundStmt, ForStmt, CXXForRangeStmt,
                                         WhileStmt, IfStmt, SwitchStmt>(S);
      if (Opens)
        Open.push_back(S);
      const bool More = RecursiveASTVisitor::TraverseStmt(S);
      if (Opens)
        Open.pop_back();
      return More;
    }
    bool VisitVarDecl(VarDecl *D) {
      if (D == V && !Open.empty())
        Scope = Open.back();
      return !Scope;
    }
  } W;
  W.V = V;
  W.TraverseStmt(const_cast<clang::Stmt *>(Body));
  return W.Scope;
}

static bool holds(const clang::Stmt *Outer, const clang::Stmt *Inner) {
  return Outer == Inner || any_of(Outer->children(), [&](const clang::Stmt *S) {
           return S && holds(S, Inner);
         });
}

/// Whether At, what V is bound to, leads to elements of B other than by the
/// name of the whole.
static bool leadsInto(const Binding &At, const BufferRef &B) {
  const auto Of = [&](const VarRef &V) { return V && V->Base == B; };
  switch (At.Kind) {
  case Binding::BufferObj:
  case Binding::PointerVal:
    return At.P.Base == B;
  case Binding::Cursor:
    return Of(At.V);
  case Binding::Alias:
    return (At.At.A.Buf == B && !At.At.A.Indices.empty()) || Of(At.At.V);
  case Binding::Record:
    return any_of(At.At.Parts, Of);
  default:
    return false;
  }
}

/// A variable, in use after S, that leads to elements of B and stays with them
/// when B's name moves.
const VarDecl *Lifter::staysWith(const BufferRef &B, const clang::Stmt *S) {
  for (const auto &[Name, At] : Bindings) {
    const auto *V = dyn_cast<VarDecl>(Name);
    if (!V || !leadsInto(At, B))
      continue;
    if (const auto It = Owned.find(V); It != Owned.end() && It->second == B)
      continue;
    const auto *FD = dyn_cast<FunctionDecl>(V->getDeclContext());
    if (FD && !is_contained(CallStack, FD->getCanonicalDecl()))
      continue; // of a call that has returned
    const clang::Stmt *Body = FD ? FD->getBody() : nullptr;
    const clang::Stmt *Scope = Body ? scopeOf(V, Body) : nullptr;
    // In a function around this one, or for all of it: it may be used again.
    if (!Scope || !holds(Body, S) || holds(Scope, S))
      return V;
  }
  return nullptr;
}

/// What else a vector that is a parameter may be reached by: a pointer, a view
/// or a structure that its caller passes beside it. Empty if there is none.
std::string Lifter::otherWayInto(const Buffer &B) const {
  if (!B.Container)
    return "";
  const FunctionDecl &FD = *CallStack.front()->getDefinition();
  const auto *M = dyn_cast<CXXMethodDecl>(&FD);
  if (M && M->isInstance())
    return "this";
  for (const ParmVarDecl *P : FD.parameters()) {
    const QualType T = P->getType(), Of = T.getNonReferenceType();
    if (isOwner(Of) || (!T->isReferenceType() && T->isArithmeticType()))
      continue; // nothing leads into a vector but its own name
    const auto Elem =
        scalarType(T->isPointerType() ? T->getPointeeType() : Of, AST);
    if (Elem && !Elem->isVoid() && Elem->Bits > 8 && *Elem != B.Elem)
      continue; // of another type
    return P->getNameAsString();
  }
  return "";
}

/// The number of B's elements, as far as it is known.
static ExprRef elementCount(const Buffer &B) {
  return B.Count ? build::cast(build::var(B.Count), Type::getI64())
                 : B.Extents[0];
}

/// Whether exchanging B for another such array gives it other memory, which
/// pointers into it do not follow.
static bool isByName(const Buffer &B) {
  return B.Lies == ArrayHome::Heap || (B.Container && B.Owned);
}

int Lifter::rotate(const clang::Stmt *S) {
  const clang::Stmt *First = Facts.Moves.Statements.lookup(S);
  const auto It = Facts.Moves.At.find(First);
  if (It == Facts.Moves.At.end())
    return 0;
  const SourceLoc Loc = locateStatement(S, AST);
  const auto Refuse = [&](const std::string &Why) {
    refuse(codes::PointerBase, Why, S->getSourceRange());
    return -1;
  };
  unsigned Followed = 0;
  for (const auto &[A, B] : It->second.Swaps)
    Followed += (ownArrayOf(A) != nullptr) + (ownArrayOf(B) != nullptr);
  if (!Followed) {
    // Pointers into one object are assigned to one another as all others are.
    const auto *E = dyn_cast<clang::Expr>(S);
    if (!E || isa<clang::BinaryOperator>(E->IgnoreImplicit()))
      return 0;
    const auto &[A, B] = It->second.Swaps.front();
    refuse(codes::UnknownCall,
           "'" + A->getNameAsString() + "' and '" + B->getNameAsString() +
               "' change places, which is followed for arrays that the "
               "function makes itself",
           S->getSourceRange());
    return -1;
  }
  if (S != First)
    return 1;
  for (const auto &[A, B] : It->second.Swaps) {
    const BufferRef OfA = ownArrayOf(A), OfB = ownArrayOf(B);
    const std::string Both = "'" + A->getNameAsString() + "' and '" +
                             B->getNameAsString() + "' change places, ";
    if (OfA == OfB && OfA)
      continue;
    // Of views, what they lead to would not move.
    const auto IsView = [](const BufferRef &Of) {
      return Of->Container && !Of->Owned && !Of->Extents[0];
    };
    if (!OfA || !OfB || OfA->Lies == ArrayHome::Growing ||
        OfB->Lies == ArrayHome::Growing || OfA->rank() != 1 ||
        OfB->rank() != 1 || OfA->Elem != OfB->Elem || IsView(OfA) ||
        IsView(OfB))
      return Refuse(Both + "and not both are arrays that this function makes, "
                           "and that keep their size");
    const ExprRef Count = elementCount(*OfA), Other = elementCount(*OfB);
    if (!Count || !Other || !structurallyEqual(Count, Other))
      return Refuse(Both + "and are not known to have one size: make one by "
                           "the other's, as in 'v(u.size())'");
    for (const BufferRef &Of : {OfA, OfB}) {
      if (!isByName(*Of))
        continue; // the elements themselves move
      if (is_contained(Walked, Of))
        return Refuse(Both + "and a loop around walks over what was '" +
                      Of->Name + "' when it began");
      if (const std::string Other = otherWayInto(*Of); !Other.empty())
        return Refuse(Both + "and '" + Other + "' may lead into what was '" +
                      Of->Name + "' before");
      if (const VarDecl *V = staysWith(Of, S))
        return Refuse(Both + "and '" + V->getNameAsString() +
                      "' leads into what was '" + Of->Name + "' before");
    }
    const VarRef I = fresh("i", Type::getI64(), Loc);
    const VarRef Held = fresh("held", OfA->Elem, Loc);
    const auto At = [&](const BufferRef &Of) {
      return Access{Of, {build::var(I)}, {}, ""};
    };
    emit(std::make_shared<raise::For>(
        I, build::intConst(0, I->Ty), BinaryOp::LT, Count,
        build::intConst(1, I->Ty), LoopKind::Serial, true,
        makeBlock(
            {std::make_shared<Decl>(
                 Held, std::make_shared<Load>(At(OfA), OfA->Elem, Loc), Loc),
             std::make_shared<raise::Store>(
                 At(OfA), Combiner::None,
                 std::make_shared<Load>(At(OfB), OfB->Elem, Loc), false, Loc),
             std::make_shared<raise::Store>(At(OfB), Combiner::None,
                                            build::var(Held), false, Loc)}),
        Loc));
  }
  return 1;
}

} // namespace raise::lifting
