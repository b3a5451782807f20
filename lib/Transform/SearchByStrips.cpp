//===- SearchByStrips.cpp - the first of its kind, by vectors -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
//   for (i) if (a[i] > t) { at = i; break; }
//
// asks about one element after the other, since a loop that may end loads
// nothing ahead. Where a is an array of which all elements are there, a strip
// of them is asked at once:
//
//   for (strip) { any = 0; for (i in strip) any |= a[i] > t; if (any) break;
//                 i_from = strip + 64; }
//   for (i = i_from; ...) as before
//
// What else the iterations do, they do for all of a strip that has no answer,
// if that is free and changes none of what is asked about.
//
// The second kind is the least index for which something holds, a reduction
// over all points (split-arg-extrema makes it), which may end at the first one:
// indices only grow.
//
//===----------------------------------------------------------------------===//
#include "AlwaysDefined.h"
#include "FoldConstants.h"
#include "LaneValue.h"
#include "RegionPass.h"
#include "WholeStrips.h"
#include "raise/Analysis/Loops.h"
#include "raise/IR/Effects.h"
#include "raise/IR/Visitor.h"
#include "raise/Transform/IndexMath.h"
#include "raise/Transform/Passes.h"
#include "llvm/ADT/STLExtras.h"

using namespace raise;
using llvm::cast;
using llvm::dyn_cast;
using llvm::isa;

namespace {

/// Strips from which on asking pays where the element may be found early.
constexpr int64_t LeastStrips = 4;

/// What is asked of each point, and what is done at the first that it holds of.
struct Question {
  const TensorOp &T;
  std::vector<StmtRef> Lets; ///< what Cond uses
  const If &Found;
  StmtRef Each = nullptr; ///< what is done for all points before that
  const Iterator &inner() const { return T.Iterators.back(); }
};

std::optional<Question> questionOf(const TensorOp &T, IterKind Kind) {
  std::vector<StmtRef> Lets = statements(T.Body);
  const auto *Asks = Lets.empty() ? nullptr : dyn_cast<If>(Lets.back().get());
  if (!Asks || Asks->Else || T.Mask ||
      llvm::any_of(T.Iterators,
                   [&](const Iterator &It) { return It.Kind != Kind; }))
    return std::nullopt;
  const Var *Inner = T.Iterators.back().V.get();
  bool Ok = isLaneValue(Asks->Cond, Inner);
  Lets.pop_back();
  for (const StmtRef &S : Lets) {
    const auto *D = dyn_cast<Decl>(S.get());
    Ok &= D && D->Init && D->V->Kind != VarKind::Cursor &&
          isLaneValue(D->Init, Inner);
  }
  if (!Ok)
    return std::nullopt;
  return Question{T, std::move(Lets), *Asks};
}

/// Whether E's value for a later point is greater than for an earlier one.
bool grows(const ExprRef &E, llvm::ArrayRef<Iterator> Iterators) {
  const auto P = Polynomial::of(E);
  if (!P)
    return false;
  int64_t Least = 1; // by which an iterator has to move E
  for (const Iterator &It : llvm::reverse(Iterators)) {
    const auto By = P->coefficient(It.V.get());
    const auto Step = By ? By->asConstant() : std::nullopt;
    if (!Step || *Step < Least || *Step > INT32_MAX)
      return false;
    if (&It == &Iterators.front())
      return true;
    const auto Lo = constantValue(It.Lo), Hi = constantValue(It.Hi);
    if (!Lo || !Hi || *Hi - *Lo > INT32_MAX)
      return false;
    Least = *Step * std::max<int64_t>(*Hi - *Lo - 1, 0) + 1;
    if (Least > INT32_MAX)
      return false;
  }
  return true;
}

/// Whether A is an element of a global array for every point of It.
bool isThere(const Access &A, const Iterator &It) {
  const auto Lo = constantValue(It.Lo), Hi = constantValue(It.Hi);
  if (A.Buf->Kind != BufferKind::Global || A.isView() || !Lo || !Hi ||
      A.Indices.size() != A.Buf->Extents.size())
    return false;
  for (size_t D = 0; D < A.Indices.size(); ++D) {
    const ExprRef &Extent = A.Buf->Extents[D];
    const auto Size = Extent ? constantValue(Extent) : std::nullopt;
    const auto P = Polynomial::of(A.Indices[D]);
    const auto By = P ? P->coefficient(It.V.get()) : std::nullopt;
    const auto Step = By ? By->asConstant() : std::nullopt;
    if (!Size || !Step || std::abs(*Step) > 1)
      return false;
    const auto Start = (*P - Polynomial::of(build::var(It.V)).value() *
                                 Polynomial::constant(*Step))
                           .asConstant();
    if (!Start || std::abs(*Start) > INT32_MAX || std::abs(*Lo) > INT32_MAX ||
        std::abs(*Hi) > INT32_MAX)
      return false;
    const int64_t First = *Start + *Step * *Lo,
                  Last = *Start + *Step * (*Hi - 1);
    if (std::min(First, Last) < 0 || std::max(First, Last) >= *Size)
      return false;
  }
  return true;
}

/// Whether all that Q asks about may be loaded and computed before it is known
/// that the source would.
bool mayAskAhead(const Question &Q) {
  bool Ok = true;
  const auto Look = [&](const ExprRef &E) {
    Ok &= isAlwaysDefined(E, &Q.inner());
    forEachExpr(E, [&](const ExprRef &Sub) {
      if (const auto *L = dyn_cast<Load>(Sub.get()))
        Ok &= isThere(L->From, Q.inner());
    });
  };
  Look(Q.Found.Cond);
  for (const StmtRef &S : Q.Lets)
    Look(cast<Decl>(*S).Init);
  return Ok;
}

StmtRef operation(Iterator It, IterKind Kind, StmtRef Body) {
  It.Kind = Kind;
  return std::make_shared<TensorOp>(std::vector<Iterator>{std::move(It)},
                                    nullptr, std::move(Body), "");
}

std::shared_ptr<Var> counter(const std::string &Name, const Type &Ty) {
  auto V = std::make_shared<Var>();
  V->Name = Name;
  V->Ty = Ty;
  return V;
}

/// `any = 0; for (Over) any |= Cond;`, and a test of it. Start: where a strip
/// begins, which is Over; null for any other range.
struct Asked {
  std::vector<StmtRef> Loop;
  ExprRef Any;
};

Asked ask(const Question &Q, Iterator Over, const ExprRef &Start = nullptr) {
  const auto Any = counter("any", Type::getI32());
  std::vector<StmtRef> List = Q.Lets;
  List.push_back(std::make_shared<Assign>(Any, Combiner::Or,
                                          build::cast(Q.Found.Cond, Any->Ty)));
  StmtRef Body = makeBlock(std::move(List));
  if (Start) {
    const auto Lane = counter("lane", Type::getI32());
    Body = forLane(Body, Over.V, Start, Lane);
    Over = {Lane, build::intConst(0), build::intConst(StripLength),
            build::intConst(1)};
  } else {
    Over = withOwnVariable(Over, Body);
  }
  return {{std::make_shared<Decl>(Any, build::intConst(0)),
           operation(Over, IterKind::Reduction, Body)},
          build::binary(BinaryOp::NE, build::var(Any), build::intConst(0))};
}

/// Goes over whole strips until one has it, then from there.
StmtRef byStrips(const Question &Q, int64_t Least,
                 llvm::ArrayRef<Guard> Guards) {
  const Iterator &It = Q.inner();
  const auto Of = wholeStrips(
      It, StripLength, Least * StripLength,
      isImplied(lengthTest(It, Least * StripLength, Q.T.Body), Guards));
  if (!Of)
    return nullptr;
  const auto From = counter(It.V->Name + "_from", It.V->Ty);
  Asked A = ask(Q, Of->Points, build::var(Of->Strips.V));
  A.Loop.push_back(std::make_shared<If>(
      A.Any, makeBlock({std::make_shared<Break>()}), nullptr));
  if (StmtRef Each = Q.Each) {
    const Iterator Own = withOwnVariable(Of->Points, Each);
    A.Loop.push_back(operation(Own, IterKind::Parallel, Each));
  }
  A.Loop.push_back(
      std::make_shared<Assign>(From, Combiner::None, Of->Points.Hi));
  std::vector<StmtRef> Body;
  if (Of->RestDecl)
    Body.push_back(Of->RestDecl);
  Body.push_back(std::make_shared<Decl>(From, build::cast(It.Lo, It.V->Ty)));
  Body.push_back(
      operation(Of->Strips, IterKind::Search, makeBlock(std::move(A.Loop))));
  Iterator Then = It;
  Then.Lo = build::var(From);
  Then.Kind = IterKind::Search;
  Body.push_back(std::make_shared<TensorOp>(
      std::vector<Iterator>{Then}, nullptr, Q.T.Body, Q.T.OpKind, Q.T.Loc));
  return makeBlock(std::move(Body));
}

/// `if (Cond) least min= index` ends where it holds first. IsMost: least is
/// greater than any index before.
StmtRef leastIndex(const TensorOp &T, llvm::ArrayRef<Guard> Guards,
                   bool IsMost) {
  const auto Q = questionOf(T, IterKind::Reduction);
  const auto Then = Q ? statements(Q->Found.Then) : llvm::ArrayRef<StmtRef>();
  const auto *A =
      Then.size() == 1 ? dyn_cast<Assign>(Then.front().get()) : nullptr;
  if (!A || A->Op != Combiner::Min || !A->V->Ty.isInt() ||
      A->Value->Ty != A->V->Ty || !grows(A->Value, T.Iterators))
    return nullptr;
  const auto Ends = std::make_shared<If>(
      Q->Found.Cond,
      makeBlock({IsMost ? std::make_shared<Assign>(A->V, Combiner::None,
                                                   A->Value, A->Loc)
                        : Then.front(),
                 std::make_shared<Break>()}),
      nullptr, Q->Found.Loc);
  std::vector<StmtRef> List = Q->Lets;
  List.push_back(Ends);
  const StmtRef Body = makeBlock(std::move(List));
  if (T.Iterators.size() == 1) {
    const TensorOp Search({T.Iterators.front()}, nullptr, Body, T.OpKind,
                          T.Loc);
    return byStrips({Search, Q->Lets, *Ends}, 1, Guards);
  }
  // Of a table, a row is asked at once.
  if (T.Iterators.size() != 2)
    return nullptr;
  Asked Row = ask(*Q, Q->inner());
  StmtRef Within = Body;
  const Iterator Own = withOwnVariable(Q->inner(), Within);
  Row.Loop.push_back(
      std::make_shared<If>(Row.Any,
                           makeBlock({operation(Own, IterKind::Search, Within),
                                      std::make_shared<Break>()}),
                           nullptr));
  return operation(T.Iterators.front(), IterKind::Search,
                   makeBlock(std::move(Row.Loop)));
}

/// Whether S, the last of a list, ends the operation.
bool ends(const StmtRef &S) {
  const auto *O = dyn_cast<Opaque>(S.get());
  return isa<Break>(S.get()) || isa<Return>(S.get()) || (O && O->NoReturn);
}

/// Whether E names one of Vars.
bool namesOneOf(const ExprRef &E, llvm::ArrayRef<const Var *> Vars) {
  bool Found = false;
  forEachExpr(E, [&](const ExprRef &Sub) {
    if (const auto *U = dyn_cast<VarUse>(Sub.get()))
      Found |= llvm::is_contained(Vars, U->V.get());
  });
  return Found;
}

/// T, a search of the source's, as a question; what it does before and behind
/// is Each.
std::optional<Question> searchOf(const TensorOp &T) {
  if (T.Mask || T.Iterators.size() != 1 ||
      T.Iterators.front().Kind != IterKind::Search)
    return std::nullopt;
  const Var *V = T.Iterators.front().V.get();
  const If *Asks = nullptr;
  std::vector<StmtRef> Lets, Each;
  std::vector<const Var *> NotAsked; // variables that the question cannot have
  bool Works = false;
  for (const StmtRef &S : statements(T.Body)) {
    const auto *I = dyn_cast<If>(S.get());
    if (I && !Asks && !I->Else && !statements(I->Then).empty() &&
        ends(statements(I->Then).back())) {
      Asks = I;
      continue;
    }
    const auto *D = dyn_cast<Decl>(S.get());
    if (!D && !isa<Store>(S.get()))
      return std::nullopt;
    Works |= !D;
    Each.push_back(S);
    if (!D || Asks)
      continue;
    if (D->Init && D->V->Kind != VarKind::Cursor && isLaneValue(D->Init, V) &&
        !namesOneOf(D->Init, NotAsked))
      Lets.push_back(S);
    else
      NotAsked.push_back(D->V.get());
  }
  if (!Asks || !isLaneValue(Asks->Cond, V) || namesOneOf(Asks->Cond, NotAsked))
    return std::nullopt;
  return Question{T, std::move(Lets), *Asks,
                  Works ? makeBlock(std::move(Each), T.Loc) : nullptr};
}

/// Whether what Q does for all points may be done for a strip of them at once,
/// after it was asked about.
bool isFreeWork(const Question &Q, const Function &F, const Context &Ctx) {
  bool Ok = true;
  std::vector<BufferRef> Stored;
  forEachStmt(Q.Each, [&](const StmtRef &S) {
    if (const auto *St = dyn_cast<Store>(S.get()))
      Stored.push_back(St->To.Buf);
  });
  const auto Look = [&](const ExprRef &E) {
    forEachExpr(E, [&](const ExprRef &Sub) {
      if (const auto *L = dyn_cast<Load>(Sub.get()))
        Ok &= llvm::all_of(Stored, [&](const BufferRef &B) {
          return alias(*B, *L->From.Buf) == AliasResult::No;
        });
    });
  };
  Look(Q.Found.Cond);
  for (const StmtRef &S : Q.Lets)
    Look(cast<Decl>(*S).Init);
  const Iterator &It = Q.inner();
  const For L(It.V, It.Lo, BinaryOp::LT, It.Hi, It.Step, LoopKind::Serial,
              /*DeclaresVar=*/true, Q.Each, Q.T.Loc);
  LoopQuery Query;
  Query.Loop = &L;
  if (!Ok)
    return false;
  const LoopFacts Facts = analyseLoop(Query, F, Ctx);
  return Facts.R == LoopFacts::Result::Independent && Facts.Guards.empty() &&
         Facts.Inspections.empty() && Facts.Assumed.empty() &&
         Facts.Reductions.empty() && Facts.Private.empty() &&
         Facts.LastValue.empty();
}

/// A search of the source's.
StmtRef search(const TensorOp &T, const Function &F, const Context &Ctx) {
  const auto Q = searchOf(T);
  if (!Q || !mayAskAhead(*Q) || (Q->Each && !isFreeWork(*Q, F, Ctx)))
    return nullptr;
  return byStrips(*Q, LeastStrips, {});
}

/// Whether D's variable begins as the greatest value of its type.
bool beginsAsMost(const Decl &D) {
  const auto C = D.Init ? constantValue(D.Init) : std::nullopt;
  return C && D.V->Ty.Signed &&
         *C == (D.V->Ty.Bits == 64 ? INT64_MAX
                                   : (int64_t(1) << (D.V->Ty.Bits - 1)) - 1);
}

/// Whether Body is one operation, and scalars that are set around it.
bool isOneOperation(const StmtRef &Body) {
  unsigned Operations = 0;
  return llvm::all_of(statements(Body),
                      [&](const StmtRef &S) {
                        Operations += isa<TensorOp>(S.get());
                        return isa<TensorOp>(S.get()) || isa<Decl>(S.get()) ||
                               isa<Assign>(S.get());
                      }) &&
         Operations == 1;
}

class Operations : public Rewriter {
public:
  Operations(llvm::ArrayRef<Guard> Guards, const Function &F,
             const Context &Ctx)
      : Guards(Guards), F(F), Ctx(Ctx) {}
  bool Changed = false, Searched = false;

private:
  const llvm::ArrayRef<Guard> Guards;
  const Function &F;
  const Context &Ctx;

  StmtRef rewriteStmt(const StmtRef &S) override {
    if (isa<Block>(S.get()))
      return block(S);
    const auto *T = dyn_cast<TensorOp>(S.get());
    StmtRef New = T ? search(*T, F, Ctx) : nullptr;
    Searched |= New != nullptr;
    return New ? New : S;
  }

  StmtRef block(const StmtRef &S) {
    std::vector<StmtRef> Body = statements(S);
    bool Any = false;
    for (size_t I = 0; I < Body.size(); ++I) {
      const auto *T = dyn_cast<TensorOp>(Body[I].get());
      const auto *D = I ? dyn_cast<Decl>(Body[I - 1].get()) : nullptr;
      const bool IsMost =
          T && D && beginsAsMost(*D) && assigns(T->Body, D->V.get());
      StmtRef New = T ? leastIndex(*T, Guards, IsMost) : nullptr;
      if (!New)
        continue;
      const std::vector<StmtRef> List = statements(New);
      Body.erase(Body.begin() + ptrdiff_t(I));
      Body.insert(Body.begin() + ptrdiff_t(I), List.begin(), List.end());
      I += List.size() - 1;
      Any = true;
    }
    Changed |= Any;
    return Any ? makeBlock(std::move(Body), S->Loc) : S;
  }
};

StmtRef byStrips(const Region &R, const Function &F, const Context &Ctx) {
  Operations By(R.Rests.Guards, F, Ctx);
  StmtRef Body = By.run(R.Body);
  if (!By.Changed && !By.Searched)
    return nullptr;
  Obligations Rests = R.Rests;
  // That it may end is what a search says of itself.
  if (By.Searched && isOneOperation(R.Body))
    Rests.Ordered.clear();
  Rests.Proved.push_back(
      By.Searched ? "all elements of the arrays are there, so that a strip "
                    "of them may be asked at once"
                  : "indices grow, so that the first is the least");
  return laidOut(R, std::move(Body), std::move(Rests));
}

} // namespace

FunctionRef raise::searchByStrips(FunctionRef F, Context &Ctx) {
  if (!takesVectorLoops(*F, Ctx.Opts))
    return F;
  return mapRegions(F, [&](const Region &R) { return byStrips(R, *F, Ctx); });
}
