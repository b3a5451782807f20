//===- OneCondition.cpp - loops with one condition in their body ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "OneCondition.h"
#include "AlwaysDefined.h"
#include "FoldConstants.h"
#include "LaneValue.h"
#include "Peel.h"
#include "Subscripts.h"
#include "raise/Analysis/Separation.h"
#include "raise/IR/Effects.h"
#include "raise/IR/Visitor.h"
#include "raise/Transform/IndexMath.h"
#include "llvm/ADT/STLExtras.h"
#include <array>

using namespace raise;
using llvm::cast;
using llvm::dyn_cast;
using llvm::isa;

namespace {

/// Whether S is all scalars and stores, one after the other.
bool isPlain(const StmtRef &S) {
  return llvm::all_of(statements(S), [](const StmtRef &Sub) {
    const auto *St = dyn_cast<Store>(Sub.get());
    return isa<Decl>(Sub.get()) || isa<Assign>(Sub.get()) ||
           (St && !St->Atomic && !St->To.Buf->Volatile);
  });
}

bool usesAny(const ExprRef &E, const std::set<const Var *> &Of) {
  bool Yes = false;
  forEachExpr(E, [&](const ExprRef &Sub) {
    const auto *U = dyn_cast<VarUse>(Sub.get());
    Yes |= U && Of.count(U->V.get());
  });
  return Yes;
}

/// Whether E loads no element that Before does not, and calls nothing.
bool loadsNoMore(const ExprRef &E, const ExprRef &Before) {
  bool Ok = true;
  forEachExpr(E, [&](const ExprRef &Sub) {
    Ok &= !isa<Call>(Sub.get());
    const auto *L = dyn_cast<Load>(Sub.get());
    if (!L)
      return;
    bool There = false;
    forEachExpr(Before, [&](const ExprRef &Other) {
      There |= structurallyEqual(Other, Sub);
    });
    Ok &= There;
  });
  return Ok;
}

/// What is looked at first of E, in any case.
ExprRef leftmost(const ExprRef &E) {
  const auto *B = dyn_cast<Binary>(E.get());
  return B && (B->Op == BinaryOp::LAnd || B->Op == BinaryOp::LOr)
             ? leftmost(B->L)
             : E;
}

/// E, a condition, with `&` for `&&` where what is on the right may be looked
/// at in any case, as what a lane counts: 0 or 1.
ExprRef eager(const ExprRef &E) {
  const auto *B = dyn_cast<Binary>(E.get());
  if (!B || (B->Op != BinaryOp::LAnd && B->Op != BinaryOp::LOr))
    return build::cast(E, Type::getI32());
  const ExprRef L = eager(B->L), R = eager(B->R);
  // (Of what hangs on a condition itself, no load is sure.)
  if (!L || !R || !loadsNoMore(B->R, leftmost(B->L)) || !isAlwaysDefined(B->R))
    return nullptr;
  return build::binary(B->Op == BinaryOp::LAnd ? BinaryOp::And : BinaryOp::Or,
                       L, R);
}

/// What Cond uses of what Before declares, in its order. Used: the variables
/// of all that. Nothing where one is declared as no value.
std::optional<std::vector<StmtRef>> takeLets(const ExprRef &Cond,
                                             const std::vector<StmtRef> &Before,
                                             std::set<const Var *> &Used) {
  const auto Look = [&](const ExprRef &E) {
    forEachExpr(E, [&](const ExprRef &Sub) {
      if (const auto *U = dyn_cast<VarUse>(Sub.get()))
        Used.insert(U->V.get());
    });
  };
  std::vector<StmtRef> Lets;
  Look(Cond);
  for (const StmtRef &S : llvm::reverse(Before)) {
    const auto *D = dyn_cast<Decl>(S.get());
    if (!D || !Used.count(D->V.get()))
      continue;
    if (!D->Init || D->V->Kind == VarKind::Cursor)
      return std::nullopt;
    Look(D->Init);
    Lets.insert(Lets.begin(), S);
  }
  return Lets;
}

/// Whether what is declared for a condition is set nowhere else in Body.
bool areFixed(const std::vector<StmtRef> &Lets, const StmtRef &Body) {
  bool Ok = true;
  forEachStmt(Body, [&](const StmtRef &Sub) {
    const auto *A = dyn_cast<Assign>(Sub.get());
    Ok &= !A || llvm::none_of(Lets, [&](const StmtRef &S) {
      return cast<Decl>(*S).V == A->V;
    });
  });
  return Ok;
}

/// What is computed to ask.
std::vector<ExprRef> asking(const ExprRef &Cond,
                            const std::vector<StmtRef> &Lets) {
  std::vector<ExprRef> Out{Cond};
  for (const StmtRef &S : Lets)
    Out.push_back(cast<Decl>(*S).Init);
  return Out;
}

/// The buffers that E, or what is declared for it, loads from.
template <typename Fn> void forEachAsked(const OneCondition &C, Fn Look) {
  for (const ExprRef &E : asking(C.Cond, C.Lets))
    forEachExpr(E, [&](const ExprRef &Sub) {
      if (const auto *L = dyn_cast<Load>(Sub.get()))
        Look(*L);
    });
}

bool isIn(const BufferPairs &Pairs, const Buffer &A, const Buffer &B) {
  return llvm::any_of(Pairs, [&](const auto &P) {
    return (P.first == &A && P.second == &B) ||
           (P.first == &B && P.second == &A);
  });
}

std::shared_ptr<Var> scalar(const std::string &Name, const Type &Ty) {
  auto V = std::make_shared<Var>();
  V->Name = Name;
  V->Ty = Ty;
  return V;
}

For loopOver(const Iterator &It, const StmtRef &Body, const SourceLoc &Loc) {
  return {It.V,
          It.Lo,
          BinaryOp::LT,
          It.Hi,
          It.Step,
          LoopKind::Serial,
          /*DeclaresVar=*/true,
          Body,
          Loc};
}

/// The condition, as a scalar of its own, with what it uses.
std::vector<StmtRef> asked(const OneCondition &C) {
  std::vector<StmtRef> List = C.Lets;
  List.push_back(
      std::make_shared<Decl>(scalar("asked", Type::getBool()), C.Asks.Cond));
  return statements(withOwnVariables(makeBlock(std::move(List)))).vec();
}

/// What S, a path, adds to V in all, if it does nothing else with it than add
/// constants.
std::optional<int64_t> stepOn(const StmtRef &S, const VarRef &V) {
  int64_t Sum = 0;
  for (const StmtRef &Sub : statements(S)) {
    const auto *A = dyn_cast<Assign>(Sub.get());
    if (!A || A->V != V)
      continue;
    const auto Value = Polynomial::of(A->Value);
    std::optional<int64_t> By;
    if (Value && A->Op == Combiner::None)
      By = (*Value - Polynomial::variable(V.get())).asConstant();
    else if (Value && (A->Op == Combiner::Add || A->Op == Combiner::Sub))
      By = Value->asConstant();
    if (!By || std::abs(*By) > INT16_MAX)
      return std::nullopt;
    // (Unsigned numbers are kept as they are written.)
    Sum += A->Op == Combiner::Sub ? -*By : *By;
  }
  return Sum;
}

/// One iteration, for the elements that it may touch: both paths, and at their
/// beginning each integer that they count as if it had always been counted
/// most.
class Farthest {
public:
  Farthest(const OneCondition &C) : C(C) {}

  /// Conditions of which nothing is known.
  const VarRef Holds = scalar("holds", Type::getBool()),
               Fails = scalar("fails", Type::getBool());

  /// Whether one of them is asked by Test.
  bool isAskedBy(const Guard &Test) const {
    return llvm::any_of(
        std::array{Test.Cond, Test.A.Lo, Test.A.Hi, Test.B.Lo, Test.B.Hi},
        [&](const ExprRef &E) {
          return E && (uses(E, Holds.get()) || uses(E, Fails.get()));
        });
  }

  StmtRef body() {
    std::vector<VarRef> Set;
    std::set<const Var *> Own;
    forEachStmt(C.T.Body, [&](const StmtRef &S) {
      if (const auto *D = dyn_cast<Decl>(S.get()))
        Own.insert(D->V.get());
      if (const auto *A = dyn_cast<Assign>(S.get()))
        if (!Own.count(A->V.get()) && !llvm::is_contained(Set, A->V))
          Set.push_back(A->V);
    });
    StmtRef Yes = C.path(true), No = C.path(false);
    std::vector<StmtRef> ThenList, ElseList;
    for (const VarRef &V : Set) {
      const auto A = stepOn(Yes, V), B = stepOn(No, V);
      if (!V->Ty.isInt() || V->Ty.Bits < 32 || !A || !B || (*A < 0 && *B > 0) ||
          (*A > 0 && *B < 0))
        continue;
      const int64_t Most = std::abs(*A) > std::abs(*B) ? *A : *B;
      const ExprRef At = farthest(V, Most);
      Yes = counted(Yes, V, At, ThenList);
      No = counted(No, V, At, ElseList);
    }
    llvm::append_range(ThenList, statements(Yes));
    llvm::append_range(ElseList, statements(No));
    return makeBlock(
        {std::make_shared<If>(build::var(Holds), makeBlock(std::move(ThenList)),
                              nullptr),
         std::make_shared<If>(build::var(Fails), makeBlock(std::move(ElseList)),
                              nullptr)});
  }

private:
  const OneCondition &C;

  ExprRef farthest(const VarRef &V, int64_t Most) const {
    const Iterator &It = C.over();
    const ExprRef Done = build::sub(build::cast(build::var(It.V), V->Ty),
                                    build::cast(It.Lo, V->Ty));
    return build::add(build::var(V),
                      build::mul(Done, build::intConst(Most, V->Ty)));
  }

  /// S with a variable of its own for V, which begins as At.
  static StmtRef counted(const StmtRef &S, const VarRef &V, const ExprRef &At,
                         std::vector<StmtRef> &List) {
    const auto Mine = scalar(V->Name, V->Ty);
    List.push_back(std::make_shared<Decl>(Mine, At));
    return renamed(S, V, Mine);
  }

  static StmtRef renamed(const StmtRef &S, const VarRef &V, const VarRef &To) {
    std::vector<StmtRef> List;
    const StmtRef Used = substitute(S, V, build::var(To));
    for (const StmtRef &Sub : statements(Used)) {
      const auto *A = dyn_cast<Assign>(Sub.get());
      List.push_back(A && A->V == V
                         ? std::make_shared<Assign>(To, A->Op, A->Value, A->Loc)
                         : Sub);
    }
    return std::make_shared<Block>(std::move(List));
  }
};

} // namespace

StmtRef OneCondition::path(bool Holds) const {
  std::vector<StmtRef> List = Before;
  if (const StmtRef &Arm = Holds ? Asks.Then : Asks.Else)
    llvm::append_range(List, statements(Arm));
  llvm::append_range(List, Behind);
  return std::make_shared<Block>(std::move(List), T.Body->Loc);
}

namespace {

/// `Before; if () ...; Behind;`
struct Parts {
  const If *Asks = nullptr;
  std::vector<StmtRef> Before, Behind;
};

/// Those of T; null where it is no such operation, or has an arm for which
/// IsArm does not hold.
std::optional<Parts> partsOf(const TensorOp &T,
                             llvm::function_ref<bool(const StmtRef &)> IsArm) {
  if (T.Mask || T.Iterators.size() != 1 ||
      !isOrdered(T.Iterators.front().Kind) ||
      T.Iterators.front().Kind == IterKind::Search)
    return std::nullopt;
  Parts Out;
  for (const StmtRef &S : statements(T.Body)) {
    const auto *I = dyn_cast<If>(S.get());
    if (I && !Out.Asks && IsArm(I->Then) && (!I->Else || IsArm(I->Else)))
      Out.Asks = I;
    else if (!I && isPlain(S) && !isa<Block>(S.get()))
      (Out.Asks ? Out.Behind : Out.Before).push_back(S);
    else
      return std::nullopt;
  }
  return Out.Asks ? std::optional(std::move(Out)) : std::nullopt;
}

std::set<const Var *> changedIn(const StmtRef &S) {
  std::set<const Var *> Out;
  assignedVars(S, [&](const VarRef &V) { Out.insert(V.get()); });
  return Out;
}

/// Scalars, stores, and conditions of such.
bool isInOrder(const StmtRef &S) {
  return llvm::all_of(statements(S), [](const StmtRef &Sub) {
    const auto *I = dyn_cast<If>(Sub.get());
    return I ? isInOrder(I->Then) && (!I->Else || isInOrder(I->Else))
             : isPlain(Sub);
  });
}

/// One operation, whose points may be idle where its condition is IdleIf.
class Idle {
public:
  Idle(const TensorOp &T, bool IdleIf)
      : T(T), IdleIf(IdleIf), Changed(changedIn(T.Body)) {}
  std::optional<OneCondition> run();

private:
  const TensorOp &T;
  const bool IdleIf;
  const std::set<const Var *> Changed;
  std::vector<OneCondition::Counted> Counts;

  bool takeCount(const StmtRef &S);
  bool mayAsk(const std::vector<ExprRef> &Asked,
              const std::vector<StmtRef> &Lets) const;
  ExprRef atPoint(const ExprRef &E) const;
};

/// Whether S counts a variable on that nothing else sets, each time as far.
bool Idle::takeCount(const StmtRef &S) {
  const auto *A = dyn_cast<Assign>(S.get());
  if (!A || A->Op != Combiner::Add || !A->V->Ty.isInt() || A->V->Ty.Bits < 32 ||
      usesAny(A->Value, Changed) || uses(A->Value, T.Iterators.front().V.get()))
    return false;
  unsigned Times = 0;
  assignedVars(T.Body, [&](const VarRef &V) { Times += V == A->V; });
  const auto By = Polynomial::of(A->Value);
  bool Loads = false;
  forEachExpr(A->Value, [&](const ExprRef &E) { Loads |= isa<Load>(E.get()); });
  if (Times != 1 || !By || Loads || !isAlwaysDefined(A->Value))
    return false;
  Counts.push_back({A->V, build::cast(A->Value, A->V->Ty), !By->asConstant()});
  return true;
}

/// E of a first point, at point i of those behind it.
ExprRef Idle::atPoint(const ExprRef &E) const {
  ExprRef Out = E;
  for (const auto &C : Counts) {
    const ExprRef By = C.OnlyByOne ? build::intConst(1, C.V->Ty) : C.By;
    Out = substitute(
        Out, C.V,
        build::add(
            build::var(C.V),
            build::mul(build::cast(build::var(T.Iterators.front().V), C.V->Ty),
                       By)));
  }
  return Out;
}

/// Whether lanes may ask, also those behind a point that is not idle: of
/// elements that it does not choose, and computing nothing that may overflow.
/// And whether that pays: they ask about what such a point hands on, so it is
/// one of few, as the records among n numbers in any order are, ln n. Of other
/// conditions nothing says that they seldom hold.
bool Idle::mayAsk(const std::vector<ExprRef> &Asked,
                  const std::vector<StmtRef> &Lets) const {
  std::set<const Var *> Handed = Changed;
  for (const auto &C : Counts)
    Handed.erase(C.V.get());
  for (const StmtRef &S : Lets)
    Handed.erase(cast<Decl>(*S).V.get());
  const auto Loads = [](const ExprRef &E) {
    bool Any = false;
    forEachExpr(E, [&](const ExprRef &Sub) { Any |= isa<Load>(Sub.get()); });
    return Any;
  };
  // What such a point may choose: also by what is declared of it, or by what
  // it stores.
  std::set<const Var *> Chosen = Handed;
  for (const StmtRef &S : Lets)
    if (const auto &D = cast<Decl>(*S);
        usesAny(D.Init, Chosen) || Loads(D.Init))
      Chosen.insert(D.V.get());
  const Var *Point = T.Iterators.front().V.get();
  bool Ok = true, Moves = false, Records = false, Stores = false;
  forEachStmt(T.Body, [&](const StmtRef &S) { Stores |= isa<Store>(S.get()); });
  for (const ExprRef &E : Asked) {
    const ExprRef There = atPoint(E);
    Records |= usesAny(E, Handed);
    Ok &= isLaneValue(There, Point) && isAlwaysDefined(E);
    forEachExpr(There, [&](const ExprRef &Sub) {
      const auto *L = dyn_cast<Load>(Sub.get());
      if (!L)
        return;
      const auto Stride = strideAlong(L->From, Point);
      Moves |= Stride && *Stride != 0;
      // A pointer that lies in memory may be what a store changes.
      const Buffer &B = *L->From.Buf;
      Ok &= !Stores ||
            (B.Lies != ArrayHome::Growing && B.Home != PointerHome::Global &&
             B.Home != PointerHome::Memory);
      for (const auto *Exprs : {&L->From.Indices, &L->From.Extents})
        for (const ExprRef &I : *Exprs)
          Ok &= !usesAny(I, Chosen) && !Loads(I);
    });
  }
  return Ok && Moves && Records;
}

std::optional<OneCondition> Idle::run() {
  auto P = partsOf(T, isInOrder);
  const Iterator &It = T.Iterators.front();
  if (!P || Changed.count(It.V.get()) || usesAny(It.Lo, Changed) ||
      usesAny(It.Hi, Changed))
    return std::nullopt;
  const StmtRef &Arm = IdleIf ? P->Asks->Then : P->Asks->Else;
  // What an idle point computes for the others' sake is left out.
  const auto IsDecl = [](const StmtRef &S) {
    bool Acts = false;
    forEachExpr(S, [&](const ExprRef &E) {
      const auto *L = dyn_cast<Load>(E.get());
      Acts |= (isa<Call>(E.get()) && !isAbsolute(E)) ||
              (L && L->From.Buf->Volatile);
    });
    return isa<Decl>(S.get()) && !Acts;
  };
  if ((Arm && !statements(Arm).empty()) || !llvm::all_of(P->Before, IsDecl) ||
      !llvm::all_of(P->Behind, [&](const StmtRef &S) { return takeCount(S); }))
    return std::nullopt;
  const ExprRef Cond = eager(P->Asks->Cond);
  std::set<const Var *> Used;
  const auto Lets = Cond ? takeLets(Cond, P->Before, Used) : std::nullopt;
  if (!Lets || !areFixed(*Lets, T.Body) || !mayAsk(asking(Cond, *Lets), *Lets))
    return std::nullopt;
  return OneCondition{T,
                      *P->Asks,
                      Cond,
                      *Lets,
                      std::move(P->Before),
                      std::move(P->Behind),
                      std::move(Counts),
                      IdleIf};
}

} // namespace

std::optional<OneCondition> raise::oneCondition(const TensorOp &T) {
  auto P = partsOf(T, isPlain);
  if (!P)
    return std::nullopt;
  std::set<const Var *> Changed = changedIn(T.Body), Used;
  const Var *Point = T.Iterators.front().V.get();
  const ExprRef Cond = eager(P->Asks->Cond);
  const auto Lets = Cond ? takeLets(Cond, P->Before, Used) : std::nullopt;
  if (!Lets || Changed.count(Point) || !areFixed(*Lets, T.Body) ||
      !llvm::all_of(asking(Cond, *Lets),
                    [&](const ExprRef &E) { return isLaneValue(E, Point); }))
    return std::nullopt;
  for (const StmtRef &S : *Lets)
    Changed.erase(cast<Decl>(*S).V.get());
  if (llvm::any_of(Used, [&](const Var *V) { return Changed.count(V) != 0; }))
    return std::nullopt;
  return OneCondition{
      T,  *P->Asks,    Cond, *Lets, std::move(P->Before), std::move(P->Behind),
      {}, std::nullopt};
}

std::optional<OneCondition> raise::idlePoints(const TensorOp &T) {
  for (const bool IdleIf : {false, true})
    if (auto C = Idle(T, IdleIf).run())
      return C;
  return std::nullopt;
}

std::vector<VarRef> raise::handedOn(const OneCondition &C,
                                    const std::set<const Var *> &Live) {
  std::vector<VarRef> Out;
  assignedVars(C.T.Body, [&](const VarRef &V) {
    if (Live.count(V.get()) && !llvm::is_contained(Out, V))
      Out.push_back(V);
  });
  return Out;
}

std::optional<ApartByTests> raise::separate(const OneCondition &C,
                                            llvm::ArrayRef<Guard> Known,
                                            const Function &F,
                                            const Context &Ctx) {
  std::vector<BufferRef> Written, All;
  const auto Touch = [](std::vector<BufferRef> &List, const BufferRef &B) {
    if (!llvm::is_contained(List, B))
      List.push_back(B);
  };
  for (const MemoryAccess &A : effectsOf(C.T.Body).Memory) {
    Touch(All, A.At.Buf);
    if (A.How != MemoryAccess::Mode::Read)
      Touch(Written, A.At.Buf);
  }
  ApartByTests Out;
  bool Needed = false;
  for (const BufferRef &W : Written)
    for (const BufferRef &B : All)
      if (W != B && alias(*W, *B) != AliasResult::No) {
        Needed |= !areApart(Known, *W, *B);
        Out.Pairs.push_back({W.get(), B.get()});
      }
  if (!Needed)
    return Out;
  // Asked are all points.
  std::vector<StmtRef> List = asked(C);
  Farthest Both(C);
  List.push_back(Both.body());
  const For L = loopOver(C.over(), makeBlock(std::move(List)), C.T.Loc);
  LoopQuery Q;
  Q.Loop = &L;
  Separation S = separateBuffers(Q, F, Ctx);
  if (S.Why.isSet() ||
      llvm::any_of(S.Guards, [&](const Guard &G) { return Both.isAskedBy(G); }))
    return std::nullopt;
  Out.Guards = std::move(S.Guards);
  Out.Assumed = std::move(S.Assumed);
  return Out;
}

bool raise::mayAskAhead(const OneCondition &C, const BufferPairs &Apart,
                        const Function &F, const Context &Ctx) {
  std::set<const Var *> Set;
  assignedVars(C.T.Body, [&](const VarRef &V) { Set.insert(V.get()); });
  // Stores to what is asked about: their places must be known, and no other
  // iteration's.
  std::vector<StmtRef> List = asked(C);
  bool Ok = true, Meets = false;
  const auto Look = [&](const StmtRef &S, bool IsBefore) {
    const auto *St = dyn_cast<Store>(S.get());
    bool Same = false;
    if (St)
      forEachAsked(C, [&](const Load &L) {
        if (L.From.Buf == St->To.Buf)
          Same = true;
        else
          Ok &= alias(*L.From.Buf, *St->To.Buf) == AliasResult::No ||
                isIn(Apart, *L.From.Buf, *St->To.Buf);
      });
    if (!Same)
      return;
    Meets = true;
    Ok &= !IsBefore && St->Op == Combiner::None;
    for (const auto *Exprs : {&St->To.Indices, &St->To.Extents})
      for (const ExprRef &E : *Exprs)
        Ok &= !usesAny(E, Set);
    const Type &Ty = St->Value->Ty;
    List.push_back(std::make_shared<Store>(
        St->To, Combiner::None,
        Ty.isFloat() ? build::floatConst(0, Ty) : build::intConst(0, Ty)));
  };
  for (const StmtRef &S : C.Before)
    Look(S, true);
  forEachStmt(C.Asks.Then, [&](const StmtRef &S) { Look(S, false); });
  if (C.Asks.Else)
    forEachStmt(C.Asks.Else, [&](const StmtRef &S) { Look(S, false); });
  for (const StmtRef &S : C.Behind)
    Look(S, false);
  if (!Ok || !Meets)
    return Ok;
  const For L = loopOver(C.over(), makeBlock(std::move(List)), C.T.Loc);
  LoopQuery Q;
  Q.Loop = &L;
  Q.Separated = Apart;
  const LoopFacts Facts = analyseLoop(Q, F, Ctx);
  return Facts.R == LoopFacts::Result::Independent && Facts.Guards.empty() &&
         Facts.Inspections.empty() && Facts.Assumed.empty();
}
