//===- DecideByStrips.cpp - conditions of a whole strip -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
//   for (i) if (b[i] > 0) { j++; a[j] = b[i]; }
//
// keeps its order, since each iteration hands on a j that hangs on a condition.
// Where the condition holds for a whole strip of iterations, or for none of it,
// j has a closed form there, and the strip's iterations are free:
//
//   for (strip) {
//     found = 0; for (lane) found += b[strip + lane] > 0;
//     if (found == 64) { for (lane) a[j + 1 + lane] = b[strip + lane]; j +=
//     64;} else if (found > 0) ...
//   }
//
// What the body is under a condition that is known is rewritten and proved as
// any other loop is. A strip of both kinds runs in its order; where iterations
// in which the condition fails do nothing, without a branch for each of them:
// first the others are numbered, then they run.
//
//===----------------------------------------------------------------------===//
#include "FoldConstants.h"
#include "LaneValue.h"
#include "LoopForm.h"
#include "LoopRuns.h"
#include "OneCondition.h"
#include "Peel.h"
#include "WholeStrips.h"
#include "raise/Analysis/Loops.h"
#include "raise/IR/Visitor.h"
#include "raise/Transform/IndexMath.h"
#include "raise/Transform/Passes.h"
#include "raise/Transform/Scalars.h"
#include "llvm/ADT/STLExtras.h"

using namespace raise;
using llvm::cast;
using llvm::dyn_cast;
using llvm::isa;

namespace {

/// Points that are asked at once: enough to hide the branch, few enough that
/// many strips are of one kind.
constexpr int64_t StripLength = 64;
/// Strips from which on asking pays.
constexpr int64_t LeastStrips = 4;

std::shared_ptr<Var> counter(const std::string &Name) {
  auto V = std::make_shared<Var>();
  V->Name = Name;
  V->Ty = Type::getI32();
  return V;
}

StmtRef operation(Iterator It, IterKind Kind, StmtRef Body,
                  const SourceLoc &Loc = {}) {
  It.Kind = Kind;
  return std::make_shared<TensorOp>(std::vector<Iterator>{std::move(It)},
                                    nullptr, std::move(Body), "", Loc);
}

/// Whether vectors hold what Body, of plain statements, computes for
/// neighbouring values of V: no calls, and elements at small strides.
bool isVectorCode(const StmtRef &Body, const Var *V) {
  bool Ok = isStraight(Body), Stores = false;
  const auto IsNear = [&](const Access &A) {
    for (size_t D = 0; D < A.Indices.size(); ++D) {
      if (!uses(A.Indices[D], V))
        continue;
      const auto P = Polynomial::of(A.Indices[D]);
      const auto By = P ? P->coefficient(V) : std::nullopt;
      const auto Step = By ? By->asConstant() : std::nullopt;
      Ok &= D + 1 == A.Indices.size() && Step && std::abs(*Step) <= 2;
    }
    Ok &= A.Field.empty() && !A.isView();
  };
  forEachStmt(Body, [&](const StmtRef &S) {
    if (const auto *St = dyn_cast<Store>(S.get())) {
      IsNear(St->To);
      Stores |= llvm::any_of(St->To.Indices,
                             [&](const ExprRef &E) { return uses(E, V); });
    }
  });
  forEachExpr(Body, [&](const ExprRef &E) {
    if (const auto *L = dyn_cast<Load>(E.get()))
      IsNear(L->From);
    const auto *B = dyn_cast<Binary>(E.get());
    Ok &= !isa<Call>(E.get()) || isAbsolute(E);
    Ok &= !B || !E->Ty.isInt() ||
          (B->Op != BinaryOp::Div && B->Op != BinaryOp::Rem);
  });
  return Ok && Stores;
}

/// Writes one operation by strips.
class ByStrips {
public:
  ByStrips(const OneCondition &C, const BufferPairs &Apart,
           const Liveness::VarSet &Live, const Function &F, const Context &Ctx)
      : C(C), Apart(Apart), F(F), Ctx(Ctx) {
    for (const VarRef &V : handedOn(C, Live))
      After.insert(V.get());
  }
  /// Null where it cannot be. IsLong: it was tested to be long.
  StmtRef run(bool IsLong);

private:
  const OneCondition &C;
  const BufferPairs &Apart;
  const Function &F;
  const Context &Ctx;
  Liveness::VarSet After;
  ExprRef Start; ///< of the strip
  const VarRef Found = counter("found");

  Iterator lanes(const VarRef &Lane) const {
    return {Lane, build::intConst(0), build::intConst(StripLength),
            build::intConst(1)};
  }
  /// S for the point that is Far behind the strip's first.
  StmtRef at(const StmtRef &S, const ExprRef &Far) const {
    return ConstantFolder().run(
        substitute(withOwnVariables(S), C.over().V,
                   build::add(Start, build::cast(Far, Start->Ty))));
  }
  std::optional<StmtRef> whole(bool Holds) const;
  std::optional<std::vector<StmtRef>> freeLoop(const For &L) const;
  StmtRef count() const;
  StmtRef mixed(const Iterator &Points) const;
};

/// found += condition, for all lanes.
StmtRef ByStrips::count() const {
  const auto Lane = counter("lane");
  std::vector<StmtRef> List = C.Lets;
  List.push_back(std::make_shared<Assign>(Found, Combiner::Add,
                                          build::cast(C.Asks.Cond, Found->Ty)));
  return operation(lanes(Lane), IterKind::Reduction,
                   forLane(withOwnVariables(makeBlock(std::move(List))),
                           C.over().V, Start, Lane));
}

/// L, whose condition is decided, as operations, if its iterations are free.
std::optional<std::vector<StmtRef>> ByStrips::freeLoop(const For &L) const {
  const std::vector<const Var *> LiveOut(After.begin(), After.end());
  LoopQuery Q;
  Q.Loop = &L;
  Q.LiveOut = &LiveOut;
  Q.Separated = Apart;
  const LoopFacts Facts = analyseLoop(Q, F, Ctx);
  Reason Why;
  const auto Form = ascendingForm(L, /*KeepOrder=*/true, Why);
  if (!Form || Form->Lo->Ty != L.V->Ty || !L.DeclaresVar ||
      Facts.R != LoopFacts::Result::Independent || !Facts.Guards.empty() ||
      !Facts.Inspections.empty() || !Facts.Assumed.empty() ||
      !Facts.Reductions.empty() || !Facts.LastValue.empty() ||
      !isVectorCode(L.Body, L.V.get()))
    return std::nullopt;
  return std::vector<StmtRef>{
      makeOperation({L.V, Form->Lo, Form->Hi, Form->Step, IterKind::Parallel},
                    declareInside(L.Body, Facts.Private), L.Loc)};
}

/// A strip in which the condition holds, or fails, for all points.
std::optional<StmtRef> ByStrips::whole(bool Holds) const {
  StmtRef Body = C.path(Holds);
  if (llvm::all_of(statements(Body),
                   [](const StmtRef &S) { return isa<Decl>(S.get()); }))
    return makeBlock({});
  const auto Lane = counter("lane");
  const For L(Lane, build::intConst(0), BinaryOp::LT,
              build::intConst(StripLength), build::intConst(1),
              LoopKind::Serial, /*DeclaresVar=*/true,
              at(Body, build::var(Lane)), C.T.Loc);
  const StmtRef Plain =
      rewriteScalars(L, After).value_or(std::make_shared<For>(L));
  std::vector<StmtRef> Out;
  for (const StmtRef &S : statements(Plain)) {
    const auto *Inner = dyn_cast<For>(S.get());
    if (!Inner) {
      bool HasLoop = false;
      forEachStmt(S, [&](const StmtRef &Sub) { HasLoop |= isa<For>(*Sub); });
      if (HasLoop)
        return std::nullopt;
      Out.push_back(S);
      continue;
    }
    auto Free = freeLoop(*Inner);
    if (!Free)
      return std::nullopt;
    llvm::append_range(Out, *Free);
  }
  return ConstantFolder().run(makeBlock(std::move(Out)));
}

/// A strip in which the condition holds for some points.
StmtRef ByStrips::mixed(const Iterator &Points) const {
  if (!C.isAllConditional()) {
    StmtRef Body = withOwnVariables(C.T.Body);
    const Iterator Own = withOwnVariable(Points, Body);
    return operation(Own, IterKind::Serial, Body, C.T.Loc);
  }
  auto B = std::make_shared<Buffer>();
  B->Name = C.over().V->Name + "_found";
  B->Elem = Type::getI32();
  B->Kind = BufferKind::Local;
  B->Extents = {build::intConst(StripLength, Type::getI64())};
  B->Loc = C.Asks.Loc;
  const auto Element = [&](const VarRef &At) {
    Access A;
    A.Buf = B;
    A.Indices = {build::var(At)};
    return A;
  };
  const auto Lane = counter("lane"), Nth = counter("nth");
  std::vector<StmtRef> Number = C.Lets;
  Number.push_back(std::make_shared<Store>(Element(Found), Combiner::None,
                                           build::var(Lane)));
  Number.push_back(std::make_shared<Assign>(
      Found, Combiner::Add, build::cast(C.Asks.Cond, Found->Ty)));
  std::vector<StmtRef> Each = C.Before;
  llvm::append_range(Each, statements(C.Asks.Then));
  Iterator All = lanes(Nth);
  All.Hi = build::var(Found);
  return makeBlock(
      {std::make_shared<DeclBuffer>(B),
       std::make_shared<Assign>(Found, Combiner::None, build::intConst(0)),
       operation(lanes(Lane), IterKind::Serial,
                 forLane(withOwnVariables(makeBlock(std::move(Number))),
                         C.over().V, Start, Lane)),
       operation(All, IterKind::Serial,
                 at(makeBlock(std::move(Each)), build::load(Element(Nth))),
                 C.T.Loc)});
}

StmtRef ByStrips::run(bool IsLong) {
  const auto Of =
      wholeStrips(C.over(), StripLength, LeastStrips * StripLength, IsLong);
  if (!Of)
    return nullptr;
  Start = build::var(Of->Strips.V);
  const auto Yes = whole(true), No = whole(false);
  if (!Yes || !No)
    return nullptr;
  const auto FoundIs = [&](BinaryOp Op, int64_t N) {
    return build::binary(Op, build::var(Found), build::intConst(N));
  };
  const StmtRef Else = statements(*No).empty() ? nullptr : *No;
  const StmtRef Strip = makeBlock(
      {std::make_shared<Decl>(Found, build::intConst(0)), count(),
       std::make_shared<If>(FoundIs(BinaryOp::EQ, StripLength), *Yes,
                            std::make_shared<If>(FoundIs(BinaryOp::GT, 0),
                                                 mixed(Of->Points), Else))});
  std::vector<StmtRef> Body;
  if (Of->RestDecl)
    Body.push_back(Of->RestDecl);
  Body.push_back(operation(Of->Strips, IterKind::Serial, Strip, C.T.Loc));
  if (Of->HasLast) {
    StmtRef Rest = withOwnVariables(C.T.Body);
    const Iterator Own = withOwnVariable(Of->Last, Rest);
    Body.push_back(operation(Own, C.over().Kind, Rest, C.T.Loc));
  }
  return makeBlock(std::move(Body));
}

class Regions : public Rewriter {
public:
  Regions(const Function &F, const Context &Ctx) : F(F), Ctx(Ctx), Live(F) {}

private:
  const Function &F;
  const Context &Ctx;
  const Liveness Live;

  /// What is written in place of the first statement of a region's body, T,
  /// with what it needs in Rests.
  StmtRef decide(const StmtRef &S, Obligations &Rests) const {
    const auto *T = dyn_cast<TensorOp>(S.get());
    const auto C = T ? oneCondition(*T) : std::nullopt;
    const auto Apart = C ? separate(*C, Rests.Guards, F, Ctx) : std::nullopt;
    if (!Apart || !mayAskAhead(*C, Apart->Pairs, F, Ctx))
      return nullptr;
    const ExprRef Test =
        lengthTest(C->over(), LeastStrips * StripLength, T->Body);
    StmtRef New =
        ByStrips(*C, Apart->Pairs,
                 Live.liveAfter(statements(T->Body).back().get()), F, Ctx)
            .run(Test != nullptr);
    if (!New)
      return nullptr;
    if (Test && !isImplied(Test, Rests.Guards))
      Rests.Guards.push_back({Test, {}, {}, ""});
    llvm::append_range(Rests.Guards, Apart->Guards);
    llvm::append_range(Rests.Assumptions, Apart->Assumed);
    Rests.Proved.push_back("no iteration changes what is asked in another");
    return New;
  }

  StmtRef rewriteStmt(const StmtRef &S) override {
    const auto *R = dyn_cast<Region>(S.get());
    if (!R || R->Rests.Ordered.empty() || R->Rests.Inspection)
      return S;
    std::vector<StmtRef> Body = statements(R->Body);
    Obligations Rests = R->Rests;
    // The first statement is the operation; what follows it are last values.
    if (llvm::any_of(llvm::ArrayRef(Body).drop_front(), [](const StmtRef &Sub) {
          return !isa<Assign>(Sub.get());
        }))
      return S;
    const StmtRef New = decide(Body.front(), Rests);
    if (!New)
      return S;
    if (!Rests.Means)
      Rests.Means = R->Body;
    Rests.Ordered.clear();
    std::vector<StmtRef> Out = statements(New);
    Out.insert(Out.end(), std::next(Body.begin()), Body.end());
    return std::make_shared<Region>(std::move(Rests), makeBlock(std::move(Out)),
                                    R->Original, R->Loc);
  }
};

} // namespace

FunctionRef raise::decideByStrips(FunctionRef F, Context &Ctx) {
  if (Ctx.Opts.Target == Dialect::Eigen || !Ctx.Opts.OpenMPSimd ||
      !hasPlainOriginals(*F))
    return F;
  return withBody(*F, Regions(*F, Ctx).run(F->Body));
}
