//===- IsolateProducts.cpp - products of matrices on their own ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A product of matrices stands among other statements of a nest:
//
//   for (i) for (j) { s = 0; for (k) s += a[i,k] * b[k,j]; c[i,j] += x * s; }
//
// Summed in its element, and with all of i, j and k around it, it is one
// operation, for which there are libraries.
//
//===----------------------------------------------------------------------===//
#include "Products.h"
#include "RegionPass.h"
#include "raise/IR/Effects.h"
#include "raise/IR/Terms.h"
#include "raise/IR/Visitor.h"
#include "raise/Transform/Passes.h"
#include "llvm/ADT/STLExtras.h"
#include <utility>

using namespace raise;
using llvm::ArrayRef;
using llvm::dyn_cast;
using llvm::isa;

static bool loads(const ExprRef &E) {
  bool Found = false;
  forEachExpr(E, [&](const ExprRef &Sub) { Found |= isa<Load>(Sub.get()); });
  return Found;
}

static bool isMovedBy(const Access &A, const Var *V) {
  return llvm::any_of(A.Indices, [&](const ExprRef &I) { return uses(I, V); });
}

namespace {

/// What `c[..] += a[..] * b[..]` reads.
using Factors = llvm::SmallVector<const Access *, 2>;

} // namespace

static std::optional<Factors> loadedFactors(const ExprRef &Value,
                                            const Buffer &To) {
  llvm::SmallVector<ExprRef, 4> All;
  factorsOf(Value, All);
  Factors Loads;
  for (const ExprRef &F : All) {
    if (!loads(F))
      continue;
    const auto *L = dyn_cast<Load>(F.get());
    if (!L || L->From.Buf.get() == &To || llvm::any_of(L->From.Indices, loads))
      return std::nullopt;
    Loads.push_back(&L->From);
  }
  return Loads.size() == 2 ? std::optional(Loads) : std::nullopt;
}

/// Of each product that T adds up; none where it does anything else.
static llvm::SmallVector<Factors, 2> addedProducts(const TensorOp &T) {
  const auto *St = dyn_cast<Store>(T.Body.get());
  if (T.Mask || !St || St->Atomic ||
      (St->Op != Combiner::Add && St->Op != Combiner::Sub) ||
      !St->To.Buf->Elem.isFloat() || St->Value->Ty != St->To.Buf->Elem ||
      llvm::any_of(St->To.Indices, loads))
    return {};
  llvm::SmallVector<Factors, 2> Found;
  for (const Addend &A : addendsOf(St->Value)) {
    auto Loads = loadedFactors(A.Value, *St->To.Buf);
    if (!Loads)
      return {};
    Found.push_back(std::move(*Loads));
  }
  return Found;
}

/// Of `c[..] += a[..] * b[..]`, with Loads.
static std::optional<size_t> summedIterator(const TensorOp &T,
                                            const Factors &Loads) {
  const Access &To = llvm::cast<Store>(T.Body.get())->To;
  std::optional<size_t> Summed;
  bool Differ = false;
  for (size_t I = 0; I < T.Iterators.size(); ++I) {
    const Iterator &It = T.Iterators[I];
    const bool InA = isMovedBy(*Loads[0], It.V.get()),
               InB = isMovedBy(*Loads[1], It.V.get());
    if (isMovedBy(To, It.V.get())) {
      Differ |= InA != InB;
      if (It.Kind != IterKind::Parallel)
        return std::nullopt;
      continue;
    }
    if (Summed || !InA || !InB ||
        (It.Kind != IterKind::Reduction && It.Kind != IterKind::Serial))
      return std::nullopt;
    Summed = I;
  }
  return Differ ? Summed : std::nullopt;
}

std::optional<size_t> raise::summedIterator(const TensorOp &T) {
  std::optional<size_t> Summed;
  for (const Factors &Loads : addedProducts(T)) {
    const auto At = ::summedIterator(T, Loads);
    if (!At || (Summed && Summed != At))
      return std::nullopt;
    Summed = At;
  }
  return Summed;
}

bool raise::isProduct(const TensorOp &T) {
  if (summedIterator(T))
    return true;
  const auto Added = addedProducts(T);
  return Added.size() == 1 &&
         llvm::all_of(T.Iterators, [&](const Iterator &It) {
           return isMovedBy(*Added[0][0], It.V.get()) !=
                  isMovedBy(*Added[0][1], It.V.get());
         });
}

namespace {

/// Sets V after its declaration.
bool setsAgain(ArrayRef<StmtRef> Body, const Var *V) {
  return llvm::any_of(Body, [&](const StmtRef &S) { return assigns(S, V); });
}

bool mentions(ArrayRef<StmtRef> Body, const Var *V) {
  return llvm::any_of(
      Body, [&](const StmtRef &S) { return uses(S, V) || assigns(S, V); });
}

class Isolator {
public:
  Isolator(const Region &R, const Context &Ctx)
      : Guards(R.Rests.Guards), Ctx(Ctx) {}
  bool Changed = false;
  StmtRef run(const StmtRef &S);

private:
  using List = std::vector<StmtRef>;
  StmtRef tensorOp(const TensorOp &T);
  bool sumInElement(List &Body) const;
  bool isApart(const TensorOp &T) const;
  std::optional<size_t> summed(const TensorOp &T) const;
  std::optional<List> withoutLets(const List &Body) const;

  const std::vector<Guard> &Guards;
  const Context &Ctx;
};

bool isZero(ExprRef E) {
  while (const auto *C = dyn_cast<Cast>(E.get()))
    E = C->Operand;
  const auto *F = dyn_cast<FloatConst>(E.get());
  const auto *I = dyn_cast<IntConst>(E.get());
  return (F && F->Value == 0) || (I && I->Value == 0);
}

/// What C becomes beside a multiple of V, and that multiple without V.
struct Split {
  ExprRef Rest, Scale; ///< null: none; 1
};

std::optional<Split> splitAt(const ExprRef &E, const Var *V) {
  const auto *B = dyn_cast<Binary>(E.get());
  if (B && B->Op == BinaryOp::Add) {
    const bool Left = uses(B->L, V);
    if (Left == uses(B->R, V))
      return std::nullopt;
    auto Part = splitAt(Left ? B->L : B->R, V);
    if (!Part)
      return std::nullopt;
    const ExprRef &Other = Left ? B->R : B->L;
    Part->Rest = Part->Rest ? build::add(Part->Rest, Other) : Other;
    return Part;
  }
  llvm::SmallVector<ExprRef, 4> Factors;
  factorsOf(E, Factors);
  Split Found;
  bool Met = false;
  for (const ExprRef &F : Factors) {
    const auto *U = dyn_cast<VarUse>(F.get());
    if (U && U->V.get() == V && !Met) {
      Met = true;
    } else if (uses(F, V) || loads(F)) {
      return std::nullopt;
    } else {
      Found.Scale = Found.Scale ? build::mul(Found.Scale, F) : F;
    }
  }
  return Met ? std::optional<Split>(Found) : std::nullopt;
}

/// `s = e; for (k) s += a * b; c = r + x * s;` as `c = r + x * e;`
/// `for (k) c += x * a * b;`, where c is apart from a and b. Whether there was
/// such a thing.
bool Isolator::sumInElement(List &Body) const {
  for (size_t At = 1; At + 1 < Body.size(); ++At) {
    const auto *T = dyn_cast<TensorOp>(Body[At].get());
    const auto *To = dyn_cast<Store>(Body[At + 1].get());
    const auto *Sum = T ? dyn_cast<Assign>(T->Body.get()) : nullptr;
    if (!Sum || !To)
      continue;
    // Other lets may stand between.
    size_t I = At;
    const Decl *D = nullptr;
    while (I > 0 && (D = dyn_cast<Decl>(Body[I - 1].get()))) {
      --I;
      if (D->V == Sum->V)
        break;
    }
    if (!D || D->V != Sum->V || !D->Init || T->Mask ||
        mentions(ArrayRef(Body).slice(I + 1, At - I - 1), D->V.get()) ||
        mentions(ArrayRef(Body).drop_front(At + 2), D->V.get()) ||
        (Sum->Op != Combiner::Add && Sum->Op != Combiner::Sub) ||
        (To->Op != Combiner::None && To->Op != Combiner::Add &&
         To->Op != Combiner::Sub) ||
        To->To.Buf->Elem != D->V->Ty || Sum->Value->Ty != D->V->Ty ||
        !D->V->Ty.isFloat() || To->Atomic)
      continue;
    const bool Fixed = llvm::none_of(To->To.Indices, [&](const ExprRef &Index) {
      return loads(Index) || uses(Index, D->V.get());
    });
    const auto Parts = splitAt(To->Value, D->V.get());
    if (!Fixed || !Parts || uses(Sum->Value, D->V.get()))
      continue;
    bool Apart = true;
    forEachExpr(Body[At], [&](const ExprRef &E) {
      if (const auto *L = dyn_cast<Load>(E.get()))
        Apart &= areSeparate(Guards, Ctx, *L->From.Buf, *To->To.Buf);
    });
    if (!Apart)
      continue;
    const auto Scaled = [&](const ExprRef &E) {
      return Parts->Scale ? build::mul(Parts->Scale, E) : E;
    };
    const bool Less = To->Op == Combiner::Sub;
    const bool FromZero = isZero(D->Init);
    ExprRef First = FromZero ? Parts->Rest : Scaled(D->Init);
    if (!FromZero && Parts->Rest)
      First = build::add(Parts->Rest, First);
    List New(Body.begin(), Body.begin() + At);
    New.erase(New.begin() + I);
    const auto *Old = First ? dyn_cast<Load>(First.get()) : nullptr;
    const bool Stays = To->Op == Combiner::None
                           ? Old && sameAccess(Old->From, To->To)
                           : !First;
    if (!Stays)
      New.push_back(std::make_shared<Store>(
          To->To, To->Op, First ? First : D->Init, false, To->Loc));
    const bool Minus = Less != (Sum->Op == Combiner::Sub);
    New.push_back(std::make_shared<TensorOp>(
        T->Iterators, nullptr,
        std::make_shared<Store>(To->To, Minus ? Combiner::Sub : Combiner::Add,
                                Scaled(Sum->Value), false, Sum->Loc),
        "", T->Loc));
    New.insert(New.end(), Body.begin() + At + 2, Body.end());
    Body = std::move(New);
    return true;
  }
  return false;
}

/// Body with its lets in the places where they are used; nothing where one may
/// not move there.
std::optional<Isolator::List> Isolator::withoutLets(const List &Body) const {
  List Left = Body;
  for (size_t I = 0; I < Left.size();) {
    const auto *D = dyn_cast<Decl>(Left[I].get());
    if (!D) {
      ++I;
      continue;
    }
    const ArrayRef<StmtRef> Later = ArrayRef(Left).drop_front(I + 1);
    if (!D->Init || setsAgain(Later, D->V.get()) ||
        (D->V->Kind != VarKind::Cursor && D->V->Ty != D->Init->Ty))
      return std::nullopt;
    bool Moves = true;
    forEachExpr(D->Init, [&](const ExprRef &E) {
      Moves &= !isa<Call>(E.get());
      const auto *U = dyn_cast<VarUse>(E.get());
      Moves &= !U || !setsAgain(Later, U->V.get());
      if (const auto *L = dyn_cast<Load>(E.get()))
        for (const StmtRef &S : Later)
          for (const MemoryAccess &A : effectsOf(S).Memory)
            Moves &= A.How == MemoryAccess::Mode::Read ||
                     areSeparate(Guards, Ctx, *A.At.Buf, *L->From.Buf);
    });
    if (!Moves)
      return std::nullopt;
    const ExprRef Init = D->Init;
    const VarRef V = D->V;
    Left.erase(Left.begin() + I);
    for (size_t K = I; K < Left.size(); ++K)
      Left[K] = substitute(Left[K], V, Init);
  }
  return Left;
}

/// S at each point of Outer, with iterators of its own.
StmtRef under(ArrayRef<Iterator> Outer, const StmtRef &S) {
  std::vector<Iterator> Its;
  Substitution Renamed;
  for (const Iterator &It : Outer) {
    const auto V = std::make_shared<Var>(*It.V);
    Its.push_back({V, substitute(It.Lo, Renamed), substitute(It.Hi, Renamed),
                   substitute(It.Step, Renamed), It.Kind});
    Renamed[It.V.get()] = build::var(V);
  }
  const StmtRef Own = substitute(S, Renamed);
  const auto *T = dyn_cast<TensorOp>(Own.get());
  if (!T || T->Mask)
    return std::make_shared<TensorOp>(std::move(Its), nullptr, Own, "", S->Loc);
  llvm::append_range(Its, T->Iterators);
  return std::make_shared<TensorOp>(std::move(Its), nullptr, T->Body, "",
                                    S->Loc);
}

/// T, of which the order of sums says nothing but how they round.
StmtRef asProduct(const TensorOp &T, size_t Summed) {
  std::vector<Iterator> Its = T.Iterators;
  Its[Summed].Kind = IterKind::Reduction;
  return std::make_shared<TensorOp>(std::move(Its), nullptr, T.Body, T.OpKind,
                                    T.Loc);
}

/// Whether what T adds to is nothing that it reads: a serial iterator may be
/// one for that, and not for the order of rounding alone.
bool Isolator::isApart(const TensorOp &T) const {
  const Access &To = llvm::cast<Store>(T.Body.get())->To;
  bool Apart = true;
  forEachExpr(StmtRef(StmtRef(), &T), [&](const ExprRef &E) {
    if (const auto *L = dyn_cast<Load>(E.get()))
      Apart &= areSeparate(Guards, Ctx, *L->From.Buf, *To.Buf);
  });
  return Apart;
}

/// The iterator that a product, of which nothing is read, sums over. Several
/// products in one sum are several calls, and no expression.
std::optional<size_t> Isolator::summed(const TensorOp &T) const {
  if (!Ctx.Opts.Blas && addedProducts(T).size() > 1)
    return std::nullopt;
  const auto At = summedIterator(T);
  return At && isApart(T) ? At : std::nullopt;
}

StmtRef Isolator::tensorOp(const TensorOp &T) {
  const bool Elsewhere = std::exchange(Changed, false);
  const StmtRef Inner = run(T.Body);
  bool Here = std::exchange(Changed, Elsewhere);
  List Body = statements(Inner).vec();
  while (sumInElement(Body))
    Here = true;
  const StmtRef Whole =
      Here ? std::make_shared<TensorOp>(T.Iterators, T.Mask,
                                        makeBlock(Body, T.Body->Loc), T.OpKind,
                                        T.Loc)
           : StmtRef(StmtRef(), &T);
  const auto Keep = [&]() -> StmtRef {
    Changed |= Here;
    return Here ? Whole : nullptr;
  };
  if (T.Mask)
    return Keep();
  if (const auto At = summed(T);
      At && T.Iterators[*At].Kind == IterKind::Serial) {
    Changed = true;
    return asProduct(T, *At);
  }
  // Its points have nothing to do with one another, but for the sums that the
  // order of a serial iterator rounds.
  const auto Alone = withoutLets(Body);
  if (!Alone || Alone->empty())
    return Keep();
  const bool Free = llvm::all_of(T.Iterators, [](const Iterator &I) {
    return I.Kind == IterKind::Parallel;
  });
  if (!Free && Alone->size() > 1)
    return Keep();
  List Parts;
  bool Found = false;
  for (const StmtRef &S : *Alone) {
    StmtRef Part = under(T.Iterators, S);
    const auto *P = dyn_cast<TensorOp>(Part.get());
    if (const auto At = summed(*P)) {
      Part = asProduct(*P, *At);
      Found = true;
    }
    Parts.push_back(std::move(Part));
  }
  // Alone as it stood, it is nothing new.
  if (!Found || (Alone->size() == 1 && isa<Store>(Body.front().get())))
    return Keep();
  Changed = true;
  return makeBlock(std::move(Parts), T.Loc);
}

StmtRef Isolator::run(const StmtRef &S) {
  if (const auto *T = dyn_cast<TensorOp>(S.get())) {
    StmtRef New = tensorOp(*T);
    return New ? New : S;
  }
  return mapChildren(S, [&](const StmtRef &Sub) { return run(Sub); });
}

class Regions : public Rewriter {
public:
  explicit Regions(const Context &Ctx) : Ctx(Ctx) {}

private:
  StmtRef rewriteStmt(const StmtRef &S) override {
    const auto *R = dyn_cast<Region>(S.get());
    if (!R)
      return S;
    Isolator Isolate(*R, Ctx);
    StmtRef Body = Isolate.run(R->Body);
    if (!Isolate.Changed)
      return S;
    Obligations Rests = R->Rests;
    if (!Rests.Means)
      Rests.Means = R->Body;
    return std::make_shared<Region>(std::move(Rests), std::move(Body),
                                    R->Original, R->Loc);
  }

  const Context &Ctx;
};

} // namespace

FunctionRef raise::isolateProducts(FunctionRef F, Context &Ctx) {
  const bool Wanted = Ctx.Opts.Blas || Ctx.Opts.Target == Dialect::Eigen;
  if (!Wanted || Ctx.Opts.FP != FPMode::Fast)
    return F;
  return withBody(*F, Regions(Ctx).run(F->Body));
}
