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
//   for (block) {
//     for (strip of block) {
//       found = 0; for (lane) found += b[strip + lane] > 0;
//       if (found == 64) { for (lane) a[j + 1 + lane] = b[strip + lane]; j +=
//       64; } else if (found > 0) break;
//       i_from = strip + 64;
//     }
//     for (i = i_from; ...) as before
//   }
//
// What the body is under a condition that is known is rewritten and proved as
// any other loop is. From a strip of both kinds on, a block runs in its order:
// where conditions vary, asking is lost time, and so is leaving a loop often.
//
//   for (i) if (a[i] > m) { m = a[i]; at = i; ... }
//
// changes what it asks about, but not where the condition fails. So a strip in
// which it fails for all points, asked with the m that is there before it, is
// one of idle points, which need not run:
//
//   for (strip of block) {
//     found = 0; for (lane) found += a[strip + lane] > m;
//     if (found > 0) break;
//     i_from = strip + 64;
//   }
//
//===----------------------------------------------------------------------===//
#include "FoldConstants.h"
#include "IntoLoops.h"
#include "LaneValue.h"
#include "LoopForm.h"
#include "LoopRuns.h"
#include "OneCondition.h"
#include "Peel.h"
#include "Subscripts.h"
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

/// Points of a block: asking about one strip of it costs a hundredth of what
/// running it in order does.
constexpr int64_t BlockLength = 16 * StripLength;

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
    const auto Stride = strideAlong(A, V);
    Ok &= Stride && std::abs(*Stride) <= 2 && A.Field.empty() && !A.isView();
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
  /// What is done in a strip that is decided; under If (null: in any case).
  struct Decided {
    ExprRef If;
    StmtRef Then;
  };
  std::optional<Decided> whole(bool Holds) const;
  StmtRef freeLoop(const For &L, ExprRef &If) const;
  StmtRef count() const;
  std::vector<StmtRef> strip(const Decided &Yes, const Decided &No) const;
  std::vector<StmtRef> idleStrip() const;
  StmtRef block(const Iterator &Points);
};

/// How far a point counts: by ones, where it was tested that it does.
ExprRef stepOf(const OneCondition::Counted &Of) {
  return Of.OnlyByOne ? build::intConst(1, Of.V->Ty) : Of.By;
}

/// found += condition, for all lanes.
StmtRef ByStrips::count() const {
  const auto Lane = counter("lane");
  std::vector<StmtRef> List = C.Lets;
  List.push_back(std::make_shared<Assign>(Found, Combiner::Add, C.Cond));
  StmtRef Asked = forLane(withOwnVariables(makeBlock(std::move(List))),
                          C.over().V, Start, Lane);
  for (const auto &Of : C.Counts)
    Asked = substitute(
        Asked, Of.V,
        build::add(
            build::var(Of.V),
            build::mul(build::cast(build::var(Lane), Of.V->Ty), stepOf(Of))));
  return operation(lanes(Lane), IterKind::Reduction,
                   ConstantFolder().run(Asked));
}

/// L, whose condition is decided, as an operation, if its iterations are free
/// under tests that join If.
StmtRef ByStrips::freeLoop(const For &L, ExprRef &If) const {
  const std::vector<const Var *> LiveOut(After.begin(), After.end());
  LoopQuery Q;
  Q.Loop = &L;
  Q.LiveOut = &LiveOut;
  Q.Separated = Apart;
  const LoopFacts Facts = analyseLoop(Q, F, Ctx);
  Reason Why;
  const auto Form = ascendingForm(L, /*KeepOrder=*/true, Why);
  if (!Form || Form->Lo->Ty != L.V->Ty || !L.DeclaresVar ||
      Facts.R != LoopFacts::Result::Independent || !Facts.Inspections.empty() ||
      !Facts.Assumed.empty() || !Facts.Reductions.empty() ||
      !Facts.LastValue.empty() || !isVectorCode(L.Body, L.V.get()))
    return nullptr;
  for (const Guard &G : Facts.Guards) {
    if (!G.Cond)
      return nullptr;
    If = build::logicalAnd(If, G.Cond);
  }
  return makeOperation(
      {L.V, Form->Lo, Form->Hi, Form->Step, IterKind::Parallel},
      declareInside(L.Body, Facts.Private), L.Loc);
}

/// A strip in which the condition holds, or fails, for all points.
std::optional<ByStrips::Decided> ByStrips::whole(bool Holds) const {
  StmtRef Body = C.path(Holds);
  if (llvm::all_of(statements(Body),
                   [](const StmtRef &S) { return isa<Decl>(S.get()); }))
    return Decided{nullptr, makeBlock({})};
  const auto Lane = counter("lane");
  const For L(Lane, build::intConst(0), BinaryOp::LT,
              build::intConst(StripLength), build::intConst(1),
              LoopKind::Serial, /*DeclaresVar=*/true,
              at(Body, build::var(Lane)), C.T.Loc);
  const StmtRef Plain =
      rewriteScalars(L, After).value_or(std::make_shared<For>(L));
  std::vector<StmtRef> Out;
  ExprRef If;
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
    Out.push_back(freeLoop(*Inner, If));
    if (!Out.back())
      return std::nullopt;
  }
  // A test comes before what is computed for the loop.
  StmtRef Then = ConstantFolder().run(makeBlock(std::move(Out)));
  bool Ok = true;
  assignedVars(Then, [&](const VarRef &V) {
    Ok &= !If || After.count(V.get()) || !uses(If, V.get());
  });
  return Ok ? std::optional(Decided{If, Then}) : std::nullopt;
}

/// What is done in a strip of one kind; one of both kinds ends the loop.
std::vector<StmtRef> ByStrips::strip(const Decided &Yes,
                                     const Decided &No) const {
  const auto Is = [&](BinaryOp Op, int64_t Count) {
    return build::binary(Op, build::var(Found), build::intConst(Count));
  };
  const auto Mixed = makeBlock({std::make_shared<Break>()});
  StmtRef Else;
  if (statements(No.Then).empty())
    Else = std::make_shared<If>(Is(BinaryOp::GT, 0), Mixed, nullptr);
  else
    Else = std::make_shared<If>(build::logicalAnd(Is(BinaryOp::EQ, 0), No.If),
                                No.Then, Mixed);
  const ExprRef All = build::logicalAnd(Is(BinaryOp::EQ, StripLength), Yes.If);
  return {std::make_shared<Decl>(Found, build::intConst(0)), count(),
          std::make_shared<If>(All, Yes.Then, Else)};
}

/// What is done in a strip of idle points; any other one ends the loop.
std::vector<StmtRef> ByStrips::idleStrip() const {
  const ExprRef Other =
      *C.IdleIf
          ? build::binary(BinaryOp::LT, build::var(Found),
                          build::intConst(StripLength))
          : build::binary(BinaryOp::GT, build::var(Found), build::intConst(0));
  std::vector<StmtRef> Out{
      std::make_shared<Decl>(Found, build::intConst(0)), count(),
      std::make_shared<If>(Other, makeBlock({std::make_shared<Break>()}),
                           nullptr)};
  for (const auto &Of : C.Counts)
    Out.push_back(std::make_shared<Assign>(
        Of.V, Combiner::Add,
        build::mul(stepOf(Of), build::intConst(StripLength, Of.V->Ty))));
  return Out;
}

/// Strips of one kind, and from the first other one on all points in order.
StmtRef ByStrips::block(const Iterator &Points) {
  Iterator Strips = Points;
  const auto Strip = std::make_shared<Var>(*Points.V);
  Strip->Name += "_strip";
  Strips.V = Strip;
  Strips.Step = build::intConst(StripLength, Strip->Ty);
  Start = build::var(Strip);
  std::vector<StmtRef> Each;
  if (C.IdleIf) {
    Each = idleStrip();
  } else {
    const auto Yes = whole(true), No = whole(false);
    if (!Yes || !No)
      return nullptr;
    Each = strip(*Yes, *No);
  }
  const auto From = std::make_shared<Var>(*Points.V);
  From->Name += "_from";
  StmtRef Body = withOwnVariables(C.T.Body);
  Iterator Own = withOwnVariable(Points, Body);
  Own.Lo = build::var(From);
  Each.push_back(std::make_shared<Assign>(From, Combiner::None,
                                          build::add(Start, Strips.Step)));
  return makeBlock(
      {std::make_shared<Decl>(From, Points.Lo),
       operation(Strips, IterKind::Search, makeBlock(std::move(Each))),
       operation(Own, IterKind::Serial, Body, C.T.Loc)});
}

StmtRef ByStrips::run(bool IsLong) {
  auto Of = wholeStrips(C.over(), BlockLength, BlockLength, IsLong);
  if (!Of)
    return nullptr;
  const auto Block = std::make_shared<Var>(*Of->Strips.V);
  Block->Name = C.over().V->Name + "_block";
  Of->Strips.V = Block;
  Iterator Points = C.over();
  Points.Lo = build::var(Block);
  Points.Hi = build::add(build::var(Block), Of->Strips.Step);
  const StmtRef OfBlock = block(Points);
  if (!OfBlock)
    return nullptr;
  std::vector<StmtRef> Body;
  if (Of->RestDecl)
    Body.push_back(Of->RestDecl);
  Body.push_back(operation(Of->Strips, IterKind::Serial, OfBlock, C.T.Loc));
  if (Of->HasLast) {
    StmtRef Rest = withOwnVariables(C.T.Body);
    const Iterator Own = withOwnVariable(Of->Last, Rest);
    Body.push_back(operation(Own, C.over().Kind, Rest, C.T.Loc));
  }
  return makeBlock(std::move(Body));
}

/// The loops of one function.
class Loops {
public:
  Loops(const Function &F, Context &Ctx) : F(F), Ctx(Ctx), Live(F) {}
  StmtRef run(const StmtRef &S);

private:
  const Function &F;
  Context &Ctx;
  const Liveness Live;

  StmtRef decide(const TensorOp &T, const Stmt &Last, Obligations &Rests) const;
  StmtRef passOverIdle(const TensorOp &T, Obligations &Rests) const;
  StmtRef raised(const StmtRef &S) const;
  StmtRef left(const StmtRef &S) const;
  void forgetReasons(const SourceLoc &Loc) const;
};

/// Whether a strip can be had of T; under a test that joins Rests.
bool needLength(const TensorOp &T, Obligations &Rests) {
  const ExprRef Test = lengthTest(T.Iterators.front(), BlockLength, T.Body);
  if (Test && !isImplied(Test, Rests.Guards))
    Rests.Guards.push_back({Test, {}, {}, ""});
  return Test != nullptr;
}

/// What is written in place of T, whose points end with Last, with what it
/// needs in Rests.
StmtRef Loops::decide(const TensorOp &T, const Stmt &Last,
                      Obligations &Rests) const {
  const auto C = oneCondition(T);
  const auto Apart = C ? separate(*C, Rests.Guards, F, Ctx) : std::nullopt;
  if (!Apart || !mayAskAhead(*C, Apart->Pairs, F, Ctx))
    return passOverIdle(T, Rests);
  Obligations Needs = Rests;
  const bool IsLong = needLength(T, Needs);
  StmtRef New =
      ByStrips(*C, Apart->Pairs, Live.liveAfter(&Last), F, Ctx).run(IsLong);
  if (!New)
    return passOverIdle(T, Rests);
  Rests = std::move(Needs);
  llvm::append_range(Rests.Guards, Apart->Guards);
  llvm::append_range(Rests.Assumptions, Apart->Assumed);
  Rests.Proved.push_back("no iteration changes what is asked in another");
  return New;
}

/// The same, if points change what others ask about, but idle ones do not.
StmtRef Loops::passOverIdle(const TensorOp &T, Obligations &Rests) const {
  const auto C = idlePoints(T);
  if (!C)
    return nullptr;
  Obligations Needs = Rests;
  const bool IsLong = needLength(T, Needs);
  StmtRef New = ByStrips(*C, {}, {}, F, Ctx).run(IsLong);
  if (!New)
    return nullptr;
  Rests = std::move(Needs);
  for (const auto &Of : C->Counts)
    if (Of.OnlyByOne)
      Rests.Guards.push_back(
          {build::binary(BinaryOp::EQ, Of.By, build::intConst(1, Of.V->Ty)),
           {},
           {},
           ""});
  Rests.Proved.push_back(
      std::string("iterations change nothing where what they ask is ") +
      (*C->IdleIf ? "true" : "false"));
  return New;
}

/// A region whose body keeps its order.
StmtRef Loops::raised(const StmtRef &S) const {
  const auto &R = cast<Region>(*S);
  std::vector<StmtRef> Body = statements(R.Body);
  const auto *T = dyn_cast<TensorOp>(Body.front().get());
  // What follows the operation are last values.
  if (!T || R.Rests.Ordered.empty() || R.Rests.Inspection ||
      llvm::any_of(llvm::ArrayRef(Body).drop_front(),
                   [](const StmtRef &Sub) { return !isa<Assign>(Sub.get()); }))
    return S;
  Obligations Rests = R.Rests;
  const StmtRef New = decide(*T, *statements(T->Body).back(), Rests);
  if (!New)
    return S;
  if (!Rests.Means)
    Rests.Means = R.Body;
  Rests.Ordered.clear();
  std::vector<StmtRef> Out = statements(New);
  Out.insert(Out.end(), std::next(Body.begin()), Body.end());
  return std::make_shared<Region>(std::move(Rests), makeBlock(std::move(Out)),
                                  R.Original, R.Loc);
}

/// A loop that was left, since its order could not be proved to be that of an
/// operation.
StmtRef Loops::left(const StmtRef &S) const {
  const auto &L = cast<For>(*S);
  Reason Why;
  const auto Form = ascendingForm(L, /*KeepOrder=*/true, Why);
  if (L.LKind != LoopKind::Serial || Ctx.Brief.count(L.V.get()) || !Form ||
      Form->Lo->Ty != L.V->Ty || statements(L.Body).empty())
    return S;
  StmtRef Body = L.Body;
  Iterator It{L.V, Form->Lo, Form->Hi, Form->Step, IterKind::Scan};
  if (!L.DeclaresVar) {
    const auto Own = std::make_shared<Var>(*L.V);
    Own->Kind = VarKind::Local;
    It.V = Own;
    Body = substitute(Body, L.V, build::var(Own));
  }
  const bool NeedsLast = !L.DeclaresVar && Live.isLiveAfter(S.get(), L.V.get());
  Obligations Rests;
  const auto T = std::make_shared<TensorOp>(std::vector<Iterator>{It}, nullptr,
                                            Body, "", L.Loc);
  const StmtRef New = NeedsLast && !Form->Last
                          ? nullptr
                          : decide(*T, *statements(L.Body).back(), Rests);
  if (!New)
    return S;
  forgetReasons(L.Loc);
  Rests.Means = T;
  std::vector<StmtRef> Out = statements(New);
  if (NeedsLast)
    Out.push_back(std::make_shared<Assign>(L.V, Combiner::None, Form->Last));
  return std::make_shared<Region>(std::move(Rests), makeBlock(std::move(Out)),
                                  S, L.Loc);
}

/// Why the loop at Loc was left is no longer true.
void Loops::forgetReasons(const SourceLoc &Loc) const {
  llvm::erase_if(Ctx.Missed, [&](const Reason &R) {
    return R.Loc.isValid() && R.Loc.File == Loc.File &&
           R.Loc.Begin >= Loc.Begin && R.Loc.End <= Loc.End;
  });
}

StmtRef Loops::run(const StmtRef &S) {
  if (isa<Region>(S.get()))
    return raised(S);
  const auto *L = dyn_cast<For>(S.get());
  if (L && !hasLoop(L->Body))
    return left(S);
  // What stands under a directive of the author's is a part of its text, and
  // so is a loop whose header does more than set its variable.
  if (L && L->LKind != LoopKind::Serial)
    return S;
  return mapChildren(S, [&](const StmtRef &Sub) {
    const bool IsPart = isa<Block>(S.get()) && isa<For>(Sub.get()) &&
                        Sub->Loc.isValid() && Sub->Loc.Begin == S->Loc.Begin &&
                        Sub->Loc.End == S->Loc.End;
    return IsPart ? Sub : run(Sub);
  });
}

} // namespace

FunctionRef raise::decideByStrips(FunctionRef F, Context &Ctx) {
  if (Ctx.Opts.Target != Dialect::OpenMP || !Ctx.Opts.OpenMPSimd ||
      !hasPlainOriginals(*F))
    return F;
  return withBody(*F, Loops(*F, Ctx).run(F->Body));
}
