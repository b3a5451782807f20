//===- SinkIterators.cpp - which free iterator goes inside of loops -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Points of a Parallel iterator j have nothing to do with one another, so its
// body's statements may be run one after the other for many of them:
//
//   for (j) { s = 0; for (k) s += a[k][j]; c[j] = s; }
//   for (j) c[j] = 0;  for (k) for (j) c[j] += a[k][j];
//
// Each point still does what it did in its own order, so nothing rounds
// otherwise. That pays where j goes along the lines of memory and the loops of
// the body go across them. Where a scalar lives from one statement to the next,
// or j is what threads share out, it goes inside by bands: a scalar becomes an
// array with an element for each point of a band.
//
//===----------------------------------------------------------------------===//
#include "FoldConstants.h"
#include "IntoLoops.h"
#include "LinesTouched.h"
#include "Products.h"
#include "raise/IR/Visitor.h"
#include "raise/Transform/IndexMath.h"
#include "raise/Transform/Passes.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace raise;
using llvm::cast;
using llvm::dyn_cast;
using llvm::isa;

namespace {

/// Points of a band: some vectors of whatever type, and few enough that what a
/// band touches of a matrix's rows stays in a cache while other loops go over
/// it again.
int64_t bandWidth(const MachineFacts &Machine) {
  return std::max<int64_t>(2 * int64_t(Machine.VectorBytes), 1);
}

/// Points with which a loop of vectors pays.
int64_t longEnough(const MachineFacts &Machine) {
  return std::max<int64_t>(int64_t(Machine.VectorBytes) / 2, 1);
}

bool isLoop(const StmtRef &S) {
  return isa<TensorOp>(S.get()) || isa<For>(S.get()) || isa<While>(S.get());
}

/// Whether nothing in S ends an iteration or has effects that are not known.
bool isPlain(const StmtRef &S) {
  bool Plain = true;
  forEachStmt(S, [&](const StmtRef &Sub) {
    const auto *L = dyn_cast<For>(Sub.get());
    const auto *T = dyn_cast<TensorOp>(Sub.get());
    const auto *St = dyn_cast<Store>(Sub.get());
    const auto *D = dyn_cast<Decl>(Sub.get());
    const bool Known = isa<Block>(Sub.get()) || D || isa<Assign>(Sub.get()) ||
                       St || isa<If>(Sub.get()) || L || T;
    Plain &= Known &&
             !(L && (!L->DeclaresVar || L->LKind != LoopKind::Serial)) &&
             !(T && T->Mask) && !(St && (St->Atomic || St->To.Buf->Volatile));
    Plain &= !(T && llvm::any_of(T->Iterators, [](const Iterator &I) {
                 return I.Kind == IterKind::Search;
               }));
  });
  return Plain;
}

/// Whether S is a few rows of an array of ours, which compilers write out: the
/// sums of a tile.
bool isTile(const StmtRef &S) {
  const auto *T = dyn_cast<TensorOp>(S.get());
  const auto *Lo =
      T ? dyn_cast<IntConst>(T->Iterators.front().Lo.get()) : nullptr;
  const auto *Hi =
      T ? dyn_cast<IntConst>(T->Iterators.front().Hi.get()) : nullptr;
  const auto *St = T ? dyn_cast<Store>(T->Body.get()) : nullptr;
  return Lo && Hi && Hi->Value - Lo->Value <= 4 && St &&
         T->Iterators.size() == 1 && St->To.Buf->Kind == BufferKind::Local;
}

/// Scalars that S writes and does not declare.
bool writesOuterScalars(const StmtRef &S) {
  llvm::DenseSet<const Var *> Own;
  forEachStmt(S, [&](const StmtRef &Sub) {
    if (auto *D = dyn_cast<Decl>(Sub.get()))
      Own.insert(D->V.get());
    if (auto *L = dyn_cast<For>(Sub.get()))
      Own.insert(L->V.get());
    if (auto *T = dyn_cast<TensorOp>(Sub.get()))
      for (const Iterator &I : T->Iterators)
        Own.insert(I.V.get());
  });
  bool Writes = false;
  assignedVars(S, [&](const VarRef &V) { Writes |= !Own.count(V.get()); });
  return Writes;
}

//===----------------------------------------------------------------------===//
// Is it worth it
//===----------------------------------------------------------------------===//

/// Lines that the innermost loops of S come to, a step of each.
struct Lines {
  double Now = 0;       ///< by their own variables
  double Then = 0;      ///< by V, once it is innermost
  bool Blocked = false; ///< by a loop of which V sets the range
};

/// S over a variable that counts V's steps.
StmtRef stepped(const StmtRef &S, const VarRef &V, const ExprRef &Step) {
  return substitute(S, V, build::mul(build::cast(Step, V->Ty), build::var(V)));
}

void countLines(const StmtRef &Whole, const Var *V, Lines &Sum) {
  forEachStmt(Whole, [&](const StmtRef &Sub) {
    if (!isLoop(Sub))
      return;
    Sum.Blocked |= setsRange(Sub, V);
    const auto *L = dyn_cast<For>(Sub.get());
    const auto *T = dyn_cast<TensorOp>(Sub.get());
    const StmtRef &Body = L ? L->Body : T ? T->Body : Sub;
    if ((!L && !T) || hasLoop(Body))
      return;
    const VarRef Own = L ? L->V : T->Iterators.back().V;
    const ExprRef &Step = L ? L->Step : T->Iterators.back().Step;
    const auto *By = dyn_cast<IntConst>(Step.get());
    // A step of s is as one of a loop over s * v.
    if (By && By->Value == 1)
      Sum.Now += linesPerStep(Body, Own.get(), Whole);
    else
      Sum.Now += linesPerStep(stepped(Body, Own, Step), Own.get(),
                              stepped(Whole, Own, Step));
    Sum.Then += linesPerStep(Body, V, Whole);
  });
}

//===----------------------------------------------------------------------===//
// Which
//===----------------------------------------------------------------------===//

class Banding {
public:
  /// MayTest: small sizes may go to the region's original.
  Banding(const Region &R, const MachineFacts &Machine, bool MayTest,
          bool KeepProducts)
      : R(R), Machine(Machine), MayTest(MayTest), KeepProducts(KeepProducts) {}

  bool Changed = false;
  std::vector<Guard> Tests;

  StmtRef run(const StmtRef &S, bool InParallel);

private:
  StmtRef tensorOp(const TensorOp &T, bool InParallel);
  bool mayGoInside(const TensorOp &T, size_t N) const;
  bool isInside(const Var *V) const;
  bool isLimited(const Var *V) const;
  bool isLong(const Iterator &It);

  const Region &R;
  const MachineFacts &Machine;
  const bool MayTest, KeepProducts;
  std::vector<Iterator> Outer; ///< around what is looked at
};

/// Whether each of T's iterators could follow its Nth one's place.
bool Banding::mayGoInside(const TensorOp &T, size_t N) const {
  const Iterator &It = T.Iterators[N];
  const auto *By = dyn_cast<IntConst>(It.Step.get());
  const auto First = constantValue(It.Lo);
  if (It.Kind != IterKind::Parallel || !By || By->Value != 1 ||
      (It.V->Ty.Bits >= 64 && !(First && *First >= 0)))
    return false;
  return llvm::none_of(llvm::ArrayRef<Iterator>(T.Iterators).drop_front(N + 1),
                       [&](const Iterator &Later) {
                         return uses(Later.Lo, It.V.get()) ||
                                uses(Later.Hi, It.V.get()) ||
                                uses(Later.Step, It.V.get());
                       });
}

/// T with its Nth iterator last of those around the body: those that keep an
/// order become loops of the body.
TensorOp withInnermost(const TensorOp &T, size_t N) {
  std::vector<Iterator> Front = T.Iterators, Rest;
  const Iterator It = Front[N];
  const auto Ordered =
      std::find_if(Front.begin() + N + 1, Front.end(), [](const Iterator &I) {
        return I.Kind != IterKind::Parallel;
      });
  Rest.assign(Ordered, Front.end());
  Front.erase(Ordered, Front.end());
  Front.erase(Front.begin() + N);
  Front.push_back(It);
  if (Rest.empty())
    return TensorOp(std::move(Front), T.Mask, T.Body, T.OpKind, T.Loc);
  return TensorOp(
      std::move(Front), T.Mask,
      std::make_shared<TensorOp>(std::move(Rest), nullptr, T.Body, "", T.Loc),
      T.OpKind, T.Loc);
}

/// Whether V is declared or set in the region.
bool Banding::isInside(const Var *V) const {
  bool Inside = assigns(R.Body, V);
  forEachStmt(R.Body, [&](const StmtRef &S) {
    const auto *D = dyn_cast<Decl>(S.get());
    const auto *L = dyn_cast<For>(S.get());
    const auto *T = dyn_cast<TensorOp>(S.get());
    Inside |= (D && D->V.get() == V) || (L && L->V.get() == V) ||
              (T && llvm::any_of(T->Iterators, [&](const Iterator &I) {
                 return I.V.get() == V;
               }));
  });
  return Inside;
}

/// Whether a test of the region says that V, of 64 bits, is a small number.
bool Banding::isLimited(const Var *V) const {
  return llvm::any_of(R.Rests.Guards, [&](const Guard &G) {
    const auto *B = G.Cond ? dyn_cast<Binary>(G.Cond.get()) : nullptr;
    const auto *U = B ? dyn_cast<VarUse>(B->L.get()) : nullptr;
    const auto *Most = B ? dyn_cast<IntConst>(B->R.get()) : nullptr;
    return U && U->V.get() == V && Most && B->Op == BinaryOp::LE &&
           !V->Ty.Signed && Most->Value >= 0 && Most->Value <= INT32_MAX;
  });
}

/// Whether It has points enough, or a test says so where that is known before.
bool Banding::isLong(const Iterator &It) {
  const int64_t Enough = longEnough(Machine);
  ExprRef Lo = It.Lo, Hi = It.Hi;
  for (const Iterator &I : llvm::reverse(Outer)) {
    Lo = substitute(Lo, I.V, I.Lo);
    Hi = substitute(Hi, I.V, I.Lo);
  }
  const auto First = Polynomial::of(Lo), Last = Polynomial::of(Hi);
  if (!First || !Last)
    return false;
  // Hi - Lo, as the sum and difference of variables and a number.
  Polynomial Rest = *Last - *First;
  const Type Wide = Type::getI64();
  ExprRef Span;
  bool Known = true;
  const auto Take = [&](const ExprRef &In) {
    forEachExpr(In, [&](const ExprRef &E) {
      const auto *U = dyn_cast<VarUse>(E.get());
      if (!U || !Rest.mentions(U->V.get()))
        return;
      const auto Times = Rest.coefficient(U->V.get());
      const auto By = Times ? Times->asConstant() : std::nullopt;
      Known &= By && (*By == 1 || *By == -1) && !isInside(U->V.get()) &&
               (U->V->Ty.Bits < 64 || isLimited(U->V.get()));
      if (!Known)
        return;
      const ExprRef V = build::cast(E, Wide);
      if (*By < 0)
        Known &= Span != nullptr;
      if (Known)
        Span = !Span ? V : *By > 0 ? build::add(Span, V) : build::sub(Span, V);
      Rest = Rest.without(U->V.get());
    });
  };
  Take(Hi);
  Take(Lo);
  const auto Number = Rest.asConstant();
  if (!Known || !Number)
    return false;
  if (!Span)
    return *Number >= Enough;
  Guard G;
  G.Cond = build::binary(BinaryOp::GE, Span,
                         build::intConst(Enough - *Number, Wide));
  G.Why = "rows are long enough for vectors";
  Tests.push_back(std::move(G));
  return true;
}

/// Whether It has a point, whatever it is run on: no extent of a launch is 0.
bool hasPoint(const Iterator &It) {
  const auto *Lo = dyn_cast<IntConst>(It.Lo.get());
  const Expr *Hi = It.Hi.get();
  while (const auto *C = dyn_cast<Cast>(Hi)) {
    if (!C->Ty.isInt() || C->Ty.Bits < 32)
      return false;
    Hi = C->Operand.get();
  }
  const auto *End = dyn_cast<IntConst>(Hi);
  const auto *U = dyn_cast<VarUse>(Hi);
  return Lo && ((End && End->Value > Lo->Value) ||
                (Lo->Value <= 0 && U && U->V->Kind == VarKind::Launch));
}

StmtRef Banding::tensorOp(const TensorOp &T, bool InParallel) {
  // What a library computes: in a pass that leaves the loops for it.
  if (KeepProducts && summedIterator(T))
    return nullptr;
  if (T.Mask || isTile(T.Body) || !isPlain(T.Body) ||
      writesOuterScalars(T.Body))
    return nullptr;
  std::optional<TensorOp> Best;
  double Least = 0;
  for (size_t N = 0; N < T.Iterators.size(); ++N) {
    if (!mayGoInside(T, N))
      continue;
    TensorOp With = withInnermost(T, N);
    if (!hasLoop(With.Body))
      continue;
    Lines L;
    countLines(With.Body, With.Iterators.back().V.get(), L);
    // A change of order must pay clearly.
    if (L.Blocked || L.Then * 1.5 >= L.Now || (Best && L.Then >= Least))
      continue;
    Best.emplace(std::move(With));
    Least = L.Then;
  }
  if (!Best)
    return nullptr;
  std::vector<Iterator> Front = Best->Iterators;
  const Iterator It = Front.back();
  Front.pop_back();
  const std::vector<Guard> Before = Tests;
  llvm::append_range(Outer, Front);
  const bool Pays = !MayTest || isLong(It);
  Outer.resize(Outer.size() - Front.size());
  if (!Pays)
    return nullptr;
  const bool Threads = InParallel || llvm::any_of(Front, [](const Iterator &I) {
                         return I.Kind == IterKind::Parallel;
                       });
  // Whole, what stood between the loops is computed even if there is no point:
  // a test says that there are some, but where other iterators set the range.
  const bool IsSame =
      llvm::none_of(Front,
                    [&](const Iterator &I) {
                      return uses(It.Lo, I.V.get()) || uses(It.Hi, I.V.get());
                    }) &&
      llvm::none_of(Outer, [&](const Iterator &I) {
        return uses(It.Lo, I.V.get()) || uses(It.Hi, I.V.get());
      });
  StmtRef Out = Threads && IsSame && (MayTest || hasPoint(It))
                    ? goInside(*Best, Front, It, R, /*Width=*/0)
                    : nullptr;
  if (!Out)
    Out = goInside(*Best, Front, It, R, bandWidth(Machine));
  if (!Out)
    Tests = Before;
  return Out;
}

StmtRef Banding::run(const StmtRef &S, bool InParallel) {
  const auto *T = dyn_cast<TensorOp>(S.get());
  if (!T)
    return mapChildren(
        S, [&](const StmtRef &Sub) { return run(Sub, InParallel); });
  if (StmtRef Out = tensorOp(*T, InParallel)) {
    Changed = true;
    return Out;
  }
  InParallel |= llvm::any_of(T->Iterators, [](const Iterator &I) {
    return I.Kind == IterKind::Parallel;
  });
  llvm::append_range(Outer, T->Iterators);
  StmtRef Body = run(T->Body, InParallel);
  Outer.resize(Outer.size() - T->Iterators.size());
  return Body == T->Body ? S
                         : std::make_shared<TensorOp>(T->Iterators, T->Mask,
                                                      Body, T->OpKind, T->Loc);
}

/// Whether E >= m, since E >= n is tested for an n that is no less.
bool isImplied(const Expr &Weak, const Expr &Strong) {
  const auto *W = dyn_cast<Binary>(&Weak), *S = dyn_cast<Binary>(&Strong);
  if (!W || !S || W->Op != BinaryOp::GE || S->Op != BinaryOp::GE ||
      !structurallyEqual(W->L, S->L))
    return false;
  const auto *Low = dyn_cast<IntConst>(W->R.get());
  const auto *High = dyn_cast<IntConst>(S->R.get());
  return Low && High && Low->Value <= High->Value;
}

class Regions : public Rewriter {
public:
  Regions(const Options &Opts, bool MayTest)
      : Machine(Opts.Machine), MayTest(MayTest),
        KeepProducts(Opts.Blas && Opts.FP == FPMode::Fast) {}

private:
  const MachineFacts &Machine;
  const bool MayTest, KeepProducts;
  StmtRef rewriteStmt(const StmtRef &S) override {
    const auto *R = dyn_cast<Region>(S.get());
    if (!R)
      return S;
    Banding B(*R, Machine, MayTest, KeepProducts);
    StmtRef Body = B.run(R->Body, false);
    if (!B.Changed)
      return S;
    Obligations Rests = R->Rests;
    if (!Rests.Means)
      Rests.Means = R->Body;
    // What they imply need not be tested.
    llvm::erase_if(Rests.Guards, [&](const Guard &G) {
      return llvm::any_of(B.Tests, [&](const Guard &Test) {
        return G.Cond && isImplied(*G.Cond, *Test.Cond);
      });
    });
    // Tests of values come before those of ranges, which may need them.
    Rests.Guards.insert(Rests.Guards.begin(), B.Tests.begin(), B.Tests.end());
    return std::make_shared<Region>(std::move(Rests), Body, R->Original,
                                    R->Loc);
  }
};

} // namespace

FunctionRef raise::sinkIterators(FunctionRef F, Context &Ctx) {
  // Expressions of whole arrays have no order of loops.
  if (Ctx.Opts.Target != Dialect::OpenMP)
    return F;
  return withBody(*F, Regions(Ctx.Opts, hasPlainOriginals(*F)).run(F->Body));
}
