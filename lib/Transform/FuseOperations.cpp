//===- FuseOperations.cpp - neighbouring operations as one ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
//   for (i) t[i] = a[i] * b[i];
//   for (i) c[i] = t[i] + d[i];
//
// goes over t twice, and starts threads twice. With
//
//   for (i) { t[i] = a[i] * b[i]; c[i] = t[i] + d[i]; }
//
// only this changes: point i of the second loop comes before what the first
// does at later points. So it is enough that no two points of the one loop have
// anything to do with one another, which is what every loop is asked for that
// is raised.
//
// Where the second loop is a sum, compilers would make no vectors of both in
// one. So they run strip by strip: what the first stores is still in the
// nearest cache when the second comes.
//
//===----------------------------------------------------------------------===//
#include "IntoLoops.h"
#include "LinesTouched.h"
#include "LoopForm.h"
#include "NestGuards.h"
#include "RegionPass.h"
#include "StoredValues.h"
#include "raise/Analysis/Loops.h"
#include "raise/IR/Effects.h"
#include "raise/IR/Visitor.h"
#include "raise/Transform/Passes.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace raise;
using llvm::cast;
using llvm::dyn_cast;
using llvm::isa;

namespace {

/// Arrays that a processor still reads ahead of one loop.
constexpr size_t MostStreams = 8;

/// The loops of the source that R stands for: one, or those that were fused.
/// Empty where it stands for anything else.
std::vector<StmtRef> sourceLoops(const Region &R) {
  const llvm::ArrayRef<StmtRef> Loops = statements(R.Original);
  const bool All = llvm::all_of(Loops, [](const StmtRef &S) {
    const auto *L = dyn_cast<For>(S.get());
    return L && L->LKind == LoopKind::Serial;
  });
  return All ? Loops.vec() : std::vector<StmtRef>();
}

/// Whether E is what compilers make vectors of, whatever its operands are.
bool isVectorExpr(const Expr &E) {
  switch (E.Kind) {
  case ExprKind::Select:
  case ExprKind::NonNull:
    return false;
  case ExprKind::Call:
    return llvm::StringRef(cast<Call>(&E)->Fn->Name).ends_with("fabs");
  case ExprKind::Binary: {
    const BinaryOp Op = cast<Binary>(&E)->Op;
    const bool Divides = Op == BinaryOp::Div || Op == BinaryOp::Rem;
    return Op != BinaryOp::LAnd && Op != BinaryOp::LOr &&
           !(Divides && E.Ty.isInt());
  }
  default:
    return true;
  }
}

/// Whether no store of the loops changes which memory B is.
bool isFixed(const Buffer &B) {
  const bool Stays = B.Kind != BufferKind::Pointer ||
                     B.Home == PointerHome::Fixed ||
                     B.Home == PointerHome::Variable;
  return Stays && !B.Owner && !B.Volatile && B.Lies != ArrayHome::Growing;
}

/// The scalars that S declares.
std::vector<VarRef> declaredBy(const StmtRef &S) {
  std::vector<VarRef> Found;
  for (const StmtRef &Sub : statements(S))
    if (const auto *D = dyn_cast<Decl>(Sub.get()))
      Found.push_back(D->V);
  return Found;
}

/// Whether T makes sums, and nothing else.
bool isSum(const TensorOp &T) {
  return T.Iterators.size() == 1 &&
         T.Iterators.front().Kind == IterKind::Reduction;
}

/// Whether T does nothing but to store to elements; or to add to scalars, if it
/// makes sums.
bool isStraight(const TensorOp &T) {
  const std::vector<VarRef> Own = declaredBy(T.Body);
  return llvm::all_of(statements(T.Body), [&](const StmtRef &S) {
    const auto *St = dyn_cast<Store>(S.get());
    const auto *A = dyn_cast<Assign>(S.get());
    if (!A)
      return isa<Decl>(*S) || (St && !St->Atomic && !isSum(T));
    const bool Adds = A->Op == Combiner::Add || A->Op == Combiner::Sub;
    return llvm::is_contained(Own, A->V) || (isSum(T) && Adds);
  });
}

/// Whether T is a map or a sum without conditions that vectors do along lines.
bool isVectorLoop(const TensorOp &T) {
  bool Plain = !T.Mask && isStraight(T);
  for (const Iterator &It : T.Iterators)
    Plain &= It.Kind == IterKind::Parallel || isSum(T);
  forEachExpr(T.Body, [&](const ExprRef &E) {
    Plain &= isVectorExpr(*E);
    if (const auto *L = dyn_cast<Load>(E.get()))
      for (const ExprRef &Index : L->From.Indices)
        Plain &= effectsOf(Index).Memory.empty();
  });
  for (const MemoryAccess &A : effectsOf(T.Body).Memory)
    Plain &= isFixed(*A.At.Buf);
  return Plain && goesAlongLines(T.Body, T.Iterators.back().V.get());
}

/// The map or sum that R is, and nothing else; null where it is anything more.
const TensorOp *vectorLoopOf(const Region &R) {
  const Obligations &On = R.Rests;
  const auto *T = dyn_cast<TensorOp>(R.Body.get());
  return T && !On.Inspection && !On.Means && On.Ordered.empty() &&
                 On.Hoisted.empty() && isVectorLoop(*T)
             ? T
             : nullptr;
}

std::set<const Buffer *> buffersOf(const TensorOp &T) {
  std::set<const Buffer *> Found;
  for (const MemoryAccess &A : effectsOf(T.Body).Memory)
    Found.insert(A.At.Buf.get());
  return Found;
}

/// Whether one loop for both has less to load or store, and no more streams
/// than processors follow.
bool pays(const TensorOp &A, const TensorOp &B) {
  std::set<const Buffer *> Both = buffersOf(A);
  const std::set<const Buffer *> Second = buffersOf(B);
  const size_t Apart = Both.size() + Second.size();
  Both.insert(Second.begin(), Second.end());
  return Both.size() < Apart && Both.size() <= MostStreams;
}

/// B's body with A's iterators, if both have the same points.
StmtRef bodyOver(const TensorOp &A, const TensorOp &B) {
  if (A.Iterators.size() != B.Iterators.size())
    return nullptr;
  Substitution Names;
  for (size_t I = 0; I != A.Iterators.size(); ++I) {
    const Iterator &X = A.Iterators[I], &Y = B.Iterators[I];
    const auto Same = [&](const ExprRef &E, const ExprRef &F) {
      return effectsOf(E).Memory.empty() &&
             structurallyEqual(E, substitute(F, Names));
    };
    if (X.V->Ty != Y.V->Ty || !Same(X.Lo, Y.Lo) || !Same(X.Hi, Y.Hi) ||
        !Same(X.Step, Y.Step))
      return nullptr;
    Names[Y.V.get()] = build::var(X.V);
  }
  return substitute(B.Body, Names);
}

/// S with scalars of its own in place of those that it declares.
StmtRef withOwnScalars(StmtRef S) {
  for (const VarRef &V : declaredBy(S))
    S = renameVar(S, V, std::make_shared<Var>(*V));
  return S;
}

StmtRef nestOver(llvm::ArrayRef<Iterator> Iterators, StmtRef Body) {
  for (const Iterator &It : llvm::reverse(Iterators))
    Body = std::make_shared<For>(It.V, It.Lo, BinaryOp::LT, It.Hi, It.Step,
                                 LoopKind::Serial, /*DeclaresVar=*/true, Body);
  return Body;
}

/// Whether B, a sum behind A, may be made from strips of their range: in any
/// order, and without what A does for its own sake.
bool takesStrips(const TensorOp &A, const TensorOp &B, const Options &Opts) {
  bool Rounds = false, Alone = true;
  assignedVars(B.Body, [&](const VarRef &V) {
    Rounds |= V->Ty.isFloat();
    Alone &=
        llvm::is_contained(declaredBy(B.Body), V) || !uses(A.Body, V.get());
  });
  for (const StmtRef &S : statements(A.Body))
    if (const auto *St = dyn_cast<Store>(S.get()))
      Alone &= St->Op == Combiner::None;
  const Iterator &It = A.Iterators.front();
  const auto *Step = dyn_cast<IntConst>(It.Step.get());
  const auto *Lo = dyn_cast<IntConst>(It.Lo.get());
  return Alone && !(Rounds && Opts.FP == FPMode::Strict) && Step &&
         Step->Value == 1 && It.V->Ty.Signed &&
         (It.V->Ty.Bits < 64 || (Lo && Lo->Value >= 0));
}

/// A, and then B, for each strip of their range.
StmtRef byStrips(const TensorOp &A, const TensorOp &B,
                 const MachineFacts &Machine) {
  const BandsOf Strips = makeBands(
      A.Iterators.front(),
      std::max<int64_t>(2, 32 * int64_t(Machine.VectorBytes)), "strip");
  std::vector<StmtRef> Body = {Strips.End};
  for (const TensorOp *T : {&A, &B}) {
    Iterator Points = T->Iterators.front();
    Points.Lo = Strips.Points.Lo;
    Points.Hi = Strips.Points.Hi;
    Body.push_back(std::make_shared<TensorOp>(std::vector<Iterator>{Points},
                                              nullptr, T->Body, "", T->Loc));
  }
  Iterator Over = Strips.Bands;
  Over.Kind = IterKind::Reduction;
  return std::make_shared<TensorOp>(std::vector<Iterator>{Over}, nullptr,
                                    makeBlock(std::move(Body)), "", A.Loc);
}

/// The text that both stand in; no place where there is none.
SourceLoc placeOfBoth(const SourceLoc &A, const SourceLoc &B) {
  SourceLoc Both = A;
  Both.End = B.End;
  return A.File == B.File && A.End <= B.Begin && !B.InMacro ? Both
                                                            : SourceLoc();
}

class Fuser : public Rewriter {
public:
  Fuser(const Function &F, const Context &Ctx) : F(F), Ctx(Ctx) {}

private:
  const Function &F;
  const Context &Ctx;

  StmtRef rewriteStmt(const StmtRef &S) override;
  StmtRef fused(const Region &First, const Region &Second) const;
  bool prove(const StmtRef &Loop, Nest &N) const;
};

} // namespace

/// Whether all points of Loop are independent, with what that rests on in N.
bool Fuser::prove(const StmtRef &Loop, Nest &N) const {
  for (const auto *L = dyn_cast<For>(Loop.get()); L;
       L = dyn_cast<For>(L->Body.get())) {
    const bool Outermost = N.Loops.empty();
    LoopQuery Q;
    Q.Loop = L;
    Q.Enclosing = N.Loops;
    Q.Separated = N.Separated;
    llvm::append_range(Q.Separated, Ctx.Apart);
    LoopFacts Facts = analyseLoop(Q, F, Ctx);
    Reason Why;
    const auto Form = ascendingForm(*L, /*KeepOrder=*/true, Why);
    const bool Sums = llvm::all_of(
        Facts.Reductions, [](const ReductionInfo &R) { return R.Scalar; });
    if (!isFree(Facts, *L) || !Sums || !Form ||
        (Outermost && !N.addCountFits(*Form, Facts.Guards)) ||
        !N.adopt(Facts.Guards, Outermost))
      return false;
    if (Outermost)
      N.separate(Facts.Guards);
    addOnce(N.Rests.Proved, Facts.Proved);
    addOnce(N.Rests.Assumptions, Facts.Assumed);
    N.Loops.push_back(L);
  }
  return true;
}

/// Takes over what R rests on beside what is proved of the fused loop, whose
/// tests of two buffers cover all that R does with them.
static bool adoptRest(const Region &R, Nest &N) {
  std::vector<Guard> Others;
  for (const Guard &G : R.Rests.Guards)
    if (G.Cond || !areApart(N.Rests.Guards, *G.A.Buf, *G.B.Buf))
      Others.push_back(G);
  addOnce(N.Rests.Proved, R.Rests.Proved);
  addOnce(N.Rests.Assumptions, R.Rests.Assumptions);
  return N.adopt(Others, /*Outermost=*/true);
}

StmtRef Fuser::fused(const Region &First, const Region &Second) const {
  std::vector<StmtRef> Originals = sourceLoops(First);
  const std::vector<StmtRef> More = sourceLoops(Second);
  const TensorOp *A = vectorLoopOf(First), *B = vectorLoopOf(Second);
  if (Originals.empty() || More.empty() || !A || !B || isSum(*A) ||
      !pays(*A, *B) || (isSum(*B) && !takesStrips(*A, *B, Ctx.Opts)))
    return nullptr;
  const SourceLoc Place = placeOfBoth(First.Loc, Second.Loc);
  const StmtRef Behind = bodyOver(*A, *B);
  if (!Behind || Place.isValid() != First.Loc.isValid())
    return nullptr;
  std::vector<StmtRef> Body = statements(A->Body).vec();
  llvm::append_range(Body, statements(withOwnScalars(Behind)));
  StmtRef Loop = nestOver(A->Iterators, makeBlock(std::move(Body)));
  Nest N;
  N.Root = Loop;
  assignedVars(Loop, [&](const VarRef &V) { N.Inner.insert(V.get()); });
  if (!prove(Loop, N) || !adoptRest(First, N) || !adoptRest(Second, N))
    return nullptr;
  std::vector<Guard> &Guards = N.Rests.Guards;
  std::stable_partition(Guards.begin(), Guards.end(),
                        [](const Guard &G) { return G.Cond != nullptr; });
  dropImplied(Guards);
  llvm::append_range(Originals, More);
  if (isSum(*B))
    N.Rests.Means = makeBlock({First.Body, Second.Body});
  return std::make_shared<Region>(
      std::move(N.Rests),
      isSum(*B) ? byStrips(*A, *B, Ctx.Opts.Machine)
                : std::make_shared<TensorOp>(A->Iterators, nullptr,
                                             N.Loops.back()->Body, "", A->Loc),
      makeBlock(std::move(Originals)), Place);
}

/// Whether T's stores reach no other buffer than their own.
static bool storesApart(const TensorOp &T, llvm::ArrayRef<Guard> Tested) {
  const std::vector<MemoryAccess> All = effectsOf(T.Body).Memory;
  return llvm::all_of(All, [&](const MemoryAccess &A) {
    return A.How == MemoryAccess::Mode::Read ||
           llvm::all_of(All, [&](const MemoryAccess &B) {
             return A.At.Buf == B.At.Buf ||
                    areApart(Tested, *A.At.Buf, *B.At.Buf);
           });
  });
}

/// R, which was fused, with what a point stores for itself in scalars.
static StmtRef forwarded(const Region &R) {
  const auto *T = cast<TensorOp>(R.Body.get());
  if (R.Rests.Means || !storesApart(*T, R.Rests.Guards))
    return std::make_shared<Region>(R);
  const StmtRef Loop = nestOver(T->Iterators.back(), T->Body);
  const auto Scalars = useStoredValues(*cast<For>(Loop.get()));
  if (!Scalars)
    return std::make_shared<Region>(R);
  return std::make_shared<Region>(
      R.Rests,
      std::make_shared<TensorOp>(T->Iterators, nullptr,
                                 withoutSingleUses(Scalars->Body), "", T->Loc),
      R.Original, R.Loc);
}

StmtRef Fuser::rewriteStmt(const StmtRef &S) {
  const auto *B = dyn_cast<Block>(S.get());
  if (!B)
    return S;
  std::vector<StmtRef> Out;
  std::set<size_t> Fused;
  for (const StmtRef &Sub : B->Body) {
    const auto *R = dyn_cast<Region>(Sub.get());
    const auto *Last =
        Out.empty() ? nullptr : dyn_cast<Region>(Out.back().get());
    if (StmtRef Both = R && Last ? fused(*Last, *R) : nullptr) {
      Out.back() = std::move(Both);
      Fused.insert(Out.size() - 1);
    } else {
      Out.push_back(Sub);
    }
  }
  for (const size_t I : Fused)
    Out[I] = forwarded(*cast<Region>(Out[I].get()));
  return Fused.empty() ? S : std::make_shared<Block>(std::move(Out), S->Loc);
}

FunctionRef raise::fuseOperations(FunctionRef F, Context &Ctx) {
  // Without threads, loops stay as they are.
  if (!Ctx.Opts.Fuse || !Ctx.Opts.OpenMP || !takesVectorLoops(*F, Ctx.Opts))
    return F;
  return withBody(*F, Fuser(*F, Ctx).run(F->Body));
}
