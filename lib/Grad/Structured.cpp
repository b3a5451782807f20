//===- Structured.cpp - a function without jumps --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A jump sets a flag, and what it jumps over runs where no flag is set. Where a
// branch ends in a jump, the rest of its list joins the other branch instead,
// which needs no flag. A counted loop that may be left becomes a while loop
// that counts, since its last iteration is not known before it.
//
//===----------------------------------------------------------------------===//

#include "Structured.h"
#include "Cleanup.h"
#include "ReversedLoop.h"
#include "Rules.h"
#include "raise/IR/Visitor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace llvm;

namespace raise::grad {

namespace {

using Statements = std::vector<StmtRef>;

std::string unique(StringRef Name, std::set<std::string> &Names) {
  std::string Text = Name.str();
  for (unsigned I = 2; !Names.insert(Text).second; ++I)
    Text = Name.str() + (isDigit(Name.back()) ? "_" : "") + std::to_string(I);
  return Text;
}

//===-- Jumps
//--------------------------------------------------------------===//

/// What leaves S, seen from outside of it.
struct Exits {
  bool Break = false, Continue = false, Return = false;
  bool any() const { return Break || Continue || Return; }
};

Exits exitsOf(const StmtRef &S) {
  Exits E;
  if (!S)
    return E;
  const auto Join = [&](const Exits &O) {
    E.Break |= O.Break;
    E.Continue |= O.Continue;
    E.Return |= O.Return;
  };
  switch (S->Kind) {
  case StmtKind::Break:
    E.Break = true;
    break;
  case StmtKind::Continue:
    E.Continue = true;
    break;
  case StmtKind::Return:
    E.Return = true;
    break;
  case StmtKind::Block:
    for (const StmtRef &Child : cast<Block>(S.get())->Body)
      Join(exitsOf(Child));
    break;
  case StmtKind::If:
    Join(exitsOf(cast<If>(S.get())->Then));
    Join(exitsOf(cast<If>(S.get())->Else));
    break;
  case StmtKind::For:
    E.Return = exitsOf(cast<For>(S.get())->Body).Return;
    break;
  case StmtKind::While:
    E.Return = exitsOf(cast<While>(S.get())->Body).Return;
    break;
  default:
    break;
  }
  return E;
}

/// Whether every path through S jumps.
bool alwaysJumps(const StmtRef &S) {
  if (!S)
    return false;
  if (isa<Break>(*S) || isa<Continue>(*S) || isa<Return>(*S))
    return true;
  if (auto *B = dyn_cast<Block>(S.get()))
    return any_of(B->Body, alwaysJumps);
  auto *I = dyn_cast<If>(S.get());
  return I && alwaysJumps(I->Then) && alwaysJumps(I->Else);
}

class Jumps {
public:
  Jumps(const Function &F, std::set<std::string> &Names) : F(F), Names(Names) {}

  StmtRef run(DenseMap<const While *, VarRef> &CountersOut) {
    const ArrayRef<StmtRef> All = statements(F.Body);
    // A return at the very end is what the result looks like.
    const bool AtEnd = !All.empty() && isa<Return>(*All.back());
    const auto Early = AtEnd ? All.drop_back() : All;
    const bool Any =
        any_of(Early, [](const StmtRef &S) { return exitsOf(S).Return; });
    if (Any) {
      Returned = flag("returned");
      if (!F.Result.isVoid()) {
        auto V = std::make_shared<Var>();
        V->Name = unique("result", Names);
        V->Ty = F.Result;
        Result = V;
      }
    }
    Statements Out;
    lower(Any ? All : Early, Out);
    Statements Whole;
    if (Result)
      Whole.push_back(std::make_shared<Decl>(Result, zero(F.Result)));
    if (Returned)
      Whole.push_back(
          std::make_shared<Decl>(Returned, build::boolConst(false)));
    append_range(Whole, Out);
    if (Result)
      Whole.push_back(std::make_shared<Return>(build::var(Result)));
    else if (!Any && AtEnd)
      Whole.push_back(All.back());
    CountersOut = std::move(Counters);
    return std::make_shared<Block>(std::move(Whole), F.Body->Loc);
  }

private:
  VarRef flag(StringRef Name) {
    auto V = std::make_shared<Var>();
    V->Name = unique(Name, Names);
    V->Ty = Type::getBool();
    return V;
  }
  static StmtRef set(const VarRef &Flag) {
    return std::make_shared<Assign>(Flag, Combiner::None,
                                    build::boolConst(true));
  }
  static StmtRef block(Statements S) {
    return std::make_shared<Block>(std::move(S));
  }

  /// No flag of what may leave S is set.
  ExprRef goesOn(const Exits &E) const {
    ExprRef C;
    if (E.Continue)
      C = build::logicalAnd(C, build::logicalNot(build::var(Skipped)));
    if (E.Break)
      C = build::logicalAnd(C, build::logicalNot(build::var(Stopped)));
    if (E.Return)
      C = build::logicalAnd(C, build::logicalNot(build::var(Returned)));
    return C;
  }

  void lower(ArrayRef<StmtRef> List, Statements &Out) {
    for (size_t K = 0; K < List.size(); ++K) {
      const StmtRef &S = List[K];
      const ArrayRef<StmtRef> Rest = List.drop_front(K + 1);
      if (auto *B = dyn_cast<Block>(S.get())) {
        if (!exitsOf(S).any()) {
          Statements Inner;
          lower(B->Body, Inner);
          append_range(Out, Inner);
          continue;
        }
        Statements Joined(B->Body);
        append_range(Joined, Rest);
        return lower(Joined, Out);
      }
      if (isa<Break>(*S)) {
        Out.push_back(set(Stopped));
        return;
      }
      if (isa<Continue>(*S)) {
        Out.push_back(set(Skipped));
        return;
      }
      if (auto *R = dyn_cast<Return>(S.get())) {
        if (R->Value)
          Out.push_back(std::make_shared<Assign>(Result, Combiner::None,
                                                 R->Value, R->Loc));
        Out.push_back(set(Returned));
        return;
      }
      if (auto *I = dyn_cast<If>(S.get())) {
        if (branch(*I, Rest, Out))
          return;
      } else if (auto *L = dyn_cast<For>(S.get())) {
        counted(*L, Out);
      } else if (auto *W = dyn_cast<While>(S.get())) {
        Out.push_back(repeated(*W));
      } else {
        Out.push_back(S);
      }
      if (const Exits E = exitsOf(S); E.any() && !Rest.empty()) {
        Statements After;
        const ExprRef Cond = goesOn(E);
        lower(Rest, After);
        if (!After.empty())
          Out.push_back(std::make_shared<If>(Cond, block(After), nullptr));
        return;
      }
    }
  }

  /// True if Rest was taken into a branch.
  bool branch(const If &I, ArrayRef<StmtRef> Rest, Statements &Out) {
    const bool Then = alwaysJumps(I.Then), Else = alwaysJumps(I.Else);
    const bool Joins = Then || Else;
    const auto Arm = [&](const StmtRef &S, bool TakesRest) {
      Statements All;
      if (S)
        All.push_back(S);
      if (TakesRest)
        append_range(All, Rest);
      Statements Lowered;
      lower(All, Lowered);
      return Lowered;
    };
    const Statements T = Arm(I.Then, Joins && !Then);
    const Statements E = Arm(I.Else, Joins && !Else);
    Out.push_back(std::make_shared<If>(I.Cond, block(T),
                                       E.empty() ? nullptr : block(E), I.Loc));
    return Joins;
  }

  /// The body of a loop, with the flags that it needs; Before gets those that
  /// outlive an iteration.
  Statements body(const StmtRef &Body, VarRef &StoppedHere) {
    const Exits E = exitsOf(Body);
    const VarRef OuterSkipped = Skipped, OuterStopped = Stopped;
    Statements Out;
    if (E.Continue) {
      Skipped = flag("skipped");
      Out.push_back(std::make_shared<Decl>(Skipped, build::boolConst(false)));
    }
    if (E.Break)
      Stopped = StoppedHere = flag("stopped");
    lower({Body}, Out);
    Skipped = OuterSkipped;
    Stopped = OuterStopped;
    return Out;
  }

  ExprRef untilLeft(const ExprRef &Cond, const VarRef &StoppedHere,
                    const Exits &E) const {
    ExprRef C;
    if (StoppedHere)
      C = build::logicalNot(build::var(StoppedHere));
    if (E.Return)
      C = build::logicalAnd(C, build::logicalNot(build::var(Returned)));
    return build::logicalAnd(C, Cond);
  }

  StmtRef repeated(const While &W) {
    const Exits E = exitsOf(W.Body);
    VarRef StoppedHere;
    Statements Inner = body(W.Body, StoppedHere);
    const StmtRef Loop =
        std::make_shared<While>(untilLeft(W.Cond, StoppedHere, E), W.TestFirst,
                                block(Inner), W.Why, W.Loc);
    if (!StoppedHere)
      return Loop;
    return block(
        {std::make_shared<Decl>(StoppedHere, build::boolConst(false)), Loop});
  }

  /// E as it is before L, which is evaluated in each iteration then.
  ExprRef held(const ExprRef &E, StringRef Name, const For &L,
               Statements &Out) {
    bool Changes = false;
    forEachExpr(E, [&](const ExprRef &Sub) {
      auto *U = dyn_cast<VarUse>(Sub.get());
      Changes |= isa<Load, Call>(*Sub) ||
                 (U && (U->V == L.V || assigns(L.Body, U->V.get())));
    });
    if (!Changes)
      return E;
    auto V = std::make_shared<Var>();
    V->Name = unique(Name, Names);
    V->Ty = E->Ty;
    V->Const = true;
    Out.push_back(std::make_shared<Decl>(V, E));
    return build::var(V);
  }

  void counted(const For &L, Statements &Out) {
    const Exits E = exitsOf(L.Body);
    VarRef StoppedHere;
    Statements Inner = body(L.Body, StoppedHere);
    if (!E.Break && !E.Return && isCounted(L)) {
      Out.push_back(std::make_shared<For>(L.V, L.Lo, L.Cond, L.Hi, L.Step,
                                          L.LKind, L.DeclaresVar, block(Inner),
                                          L.Loc));
      return;
    }
    auto Count = std::make_shared<Var>();
    Count->Name = unique("trip", Names);
    Count->Ty = Type::getI64();
    const ExprRef Lo = held(L.Lo, L.V->Name + "_start", L, Out);
    const ExprRef Hi = held(L.Hi, L.V->Name + "_end", L, Out);
    const ExprRef Step = held(L.Step, L.V->Name + "_step", L, Out);
    const ExprRef At = build::add(
        Lo, build::mul(build::cast(build::var(Count), L.V->Ty), Step));
    const ExprRef Cond = build::binary(L.Cond, build::cast(At, Hi->Ty), Hi);
    Statements Each;
    if (L.DeclaresVar)
      Each.push_back(std::make_shared<Decl>(L.V, At));
    else
      Each.push_back(std::make_shared<Assign>(L.V, Combiner::None, At));
    append_range(Each, Inner);
    Each.push_back(std::make_shared<Assign>(
        Count, Combiner::Add, build::intConst(1, Type::getI64())));
    const auto Loop =
        std::make_shared<While>(untilLeft(Cond, StoppedHere, E),
                                /*TestFirst=*/true, block(Each), "", L.Loc);
    Counters[Loop.get()] = Count;
    if (StoppedHere)
      Out.push_back(
          std::make_shared<Decl>(StoppedHere, build::boolConst(false)));
    Out.push_back(
        std::make_shared<Decl>(Count, build::intConst(0, Type::getI64())));
    Out.push_back(Loop);
    if (L.DeclaresVar)
      return;
    const StmtRef Last = std::make_shared<Assign>(L.V, Combiner::None, At);
    const ExprRef Ended = untilLeft(nullptr, StoppedHere, E);
    Out.push_back(Ended ? std::make_shared<If>(Ended, block({Last}), nullptr)
                        : Last);
  }

  const Function &F;
  std::set<std::string> &Names;
  VarRef Returned, Result, Stopped, Skipped;
  DenseMap<const While *, VarRef> Counters;
};

//===-- Updates
//------------------------------------------------------------===//

ExprRef asPlain(const ExprRef &Old, Combiner Op, const ExprRef &Value) {
  const BinaryOp B = Op == Combiner::Add   ? BinaryOp::Add
                     : Op == Combiner::Sub ? BinaryOp::Sub
                     : Op == Combiner::Mul ? BinaryOp::Mul
                                           : BinaryOp::Div;
  return build::cast(build::binary(B, build::cast(Old, Value->Ty), Value),
                     Old->Ty);
}

/// Products and quotients, and sums of the target with itself, are written out.
class PlainUpdates : public Rewriter {
  StmtRef rewriteStmt(const StmtRef &S) override {
    if (auto *A = dyn_cast<Assign>(S.get())) {
      const ExprRef Old = build::var(A->V);
      if (A->V->Ty.isFloat() && isAffected(A->Op, uses(A->Value, A->V.get())))
        return std::make_shared<Assign>(A->V, Combiner::None,
                                        asPlain(Old, A->Op, A->Value), A->Loc);
    } else if (auto *St = dyn_cast<Store>(S.get())) {
      const Type Ty = St->To.Field.empty() ? St->To.Buf->Elem : St->Value->Ty;
      bool Self = false;
      forEachExpr(St->Value, [&](const ExprRef &E) {
        auto *L = dyn_cast<Load>(E.get());
        Self |= L && sameAccess(L->From, St->To);
      });
      if (Ty.isFloat() && !St->Atomic && isAffected(St->Op, Self))
        return std::make_shared<Store>(
            St->To, Combiner::None,
            asPlain(std::make_shared<Load>(St->To, Ty), St->Op, St->Value),
            false, St->Loc);
    }
    return S;
  }
  static bool isAffected(Combiner Op, bool Self) {
    return Op == Combiner::Mul || Op == Combiner::Div ||
           (Self && (Op == Combiner::Add || Op == Combiner::Sub));
  }
};

//===-- Names
//--------------------------------------------------------------===//

/// Gives a variable that would hide another one, or stand beside one of its
/// name once inner blocks join their lists, a name of its own.
class Renamer : public Rewriter {
public:
  Renamer(const Function &F, std::set<std::string> &Names) : Names(Names) {
    for (const Param &P : F.Params)
      Scopes.back().insert(P.name().str());
    scope(F.Body);
  }
  bool isNeeded() const { return !Vars.empty() || !Buffers.empty(); }

private:
  void scope(const StmtRef &S) {
    if (auto *B = dyn_cast<Block>(S.get())) {
      for (const StmtRef &Child : B->Body)
        scope(Child);
    } else if (auto *D = dyn_cast<Decl>(S.get())) {
      declare(D->V);
    } else if (auto *D = dyn_cast<DeclBuffer>(S.get())) {
      declare(D->B);
    } else if (auto *L = dyn_cast<For>(S.get())) {
      inner(L->Body, L->DeclaresVar ? L->V : nullptr);
    } else if (auto *W = dyn_cast<While>(S.get())) {
      inner(W->Body);
    } else if (auto *I = dyn_cast<If>(S.get())) {
      inner(I->Then);
      if (I->Else)
        inner(I->Else);
    }
  }
  void inner(const StmtRef &S, const VarRef &V = nullptr) {
    Scopes.emplace_back();
    if (V)
      declare(V);
    scope(S);
    Scopes.pop_back();
  }
  bool isTaken(const std::string &Name) {
    if (any_of(Scopes, [&](auto &S) { return S.count(Name) != 0; }))
      return true;
    Scopes.back().insert(Name);
    return false;
  }
  void declare(const VarRef &V) {
    const BufferRef Base = Buffers.lookup(V->Base.get());
    const bool Taken = isTaken(V->Name);
    if (!Taken && !Base)
      return;
    auto New = std::make_shared<Var>(*V);
    if (Taken)
      New->Name = unique(V->Name, Names);
    if (Base)
      New->Base = Base;
    Vars[V.get()] = New;
  }
  void declare(const BufferRef &B) {
    const bool Taken = isTaken(B->Name);
    auto New = std::make_shared<Buffer>(*B);
    for (ExprRef &E : New->Extents)
      if (E)
        E = run(E);
    if (VarRef Count = Vars.lookup(B->Count.get()))
      New->Count = Count;
    if (!Taken && New->Extents == B->Extents && New->Count == B->Count)
      return;
    if (Taken)
      New->Name = unique(B->Name, Names);
    Buffers[B.get()] = New;
  }

  Access renamed(Access A) const {
    if (BufferRef B = Buffers.lookup(A.Buf.get()))
      A.Buf = B;
    return A;
  }
  VarRef renamed(const VarRef &V) const {
    VarRef New = Vars.lookup(V.get());
    return New ? New : V;
  }
  ExprRef rewriteExpr(const ExprRef &E) override {
    if (auto *U = dyn_cast<VarUse>(E.get()); U && Vars.count(U->V.get()))
      return std::make_shared<VarUse>(renamed(U->V), U->Loc);
    if (auto *L = dyn_cast<Load>(E.get());
        L && Buffers.count(L->From.Buf.get()))
      return std::make_shared<Load>(renamed(L->From), L->Ty, L->Loc);
    return E;
  }
  StmtRef rewriteStmt(const StmtRef &S) override {
    if (auto *D = dyn_cast<Decl>(S.get()); D && Vars.count(D->V.get()))
      return std::make_shared<Decl>(renamed(D->V), D->Init, D->Loc);
    if (auto *A = dyn_cast<Assign>(S.get()); A && Vars.count(A->V.get()))
      return std::make_shared<Assign>(renamed(A->V), A->Op, A->Value, A->Loc);
    if (auto *D = dyn_cast<DeclBuffer>(S.get()); D && Buffers.count(D->B.get()))
      return std::make_shared<DeclBuffer>(Buffers.lookup(D->B.get()), D->Init,
                                          D->Loc);
    if (auto *St = dyn_cast<Store>(S.get());
        St && Buffers.count(St->To.Buf.get()))
      return std::make_shared<Store>(renamed(St->To), St->Op, St->Value,
                                     St->Atomic, St->Loc);
    if (auto *L = dyn_cast<For>(S.get()); L && Vars.count(L->V.get()))
      return std::make_shared<For>(renamed(L->V), L->Lo, L->Cond, L->Hi,
                                   L->Step, L->LKind, L->DeclaresVar, L->Body,
                                   L->Loc);
    return S;
  }

  std::set<std::string> &Names;
  std::vector<std::set<std::string>> Scopes{1};
  DenseMap<const Var *, VarRef> Vars;
  DenseMap<const Buffer *, BufferRef> Buffers;
};

} // namespace

Structured structured(const FunctionRef &F, std::set<std::string> &Names) {
  Structured S;
  StmtRef Body = PlainUpdates().run(F->Body);
  Renamer R(*withBody(*F, Body), Names);
  if (R.isNeeded())
    Body = R.run(Body);
  Body = Jumps(*withBody(*F, Body), Names).run(S.Counters);
  S.F = withBody(*F, Body);
  return S;
}

} // namespace raise::grad
