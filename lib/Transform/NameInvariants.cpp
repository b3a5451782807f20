//===- NameInvariants.cpp - what an inner loop repeats, before it ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
//   for (k) for (j) c[i,j] += alpha * a[i,k] * b[k,j];
//
// A compiler that does not know that c and a are apart, as the region's tests
// found, loads a[i,k] after each store again. Computed before the loop over j
// it has one value, which rounds as it did. It is loaded only where the loop
// has a point.
//
//===----------------------------------------------------------------------===//
#include "Products.h"
#include "raise/IR/Effects.h"
#include "raise/IR/Visitor.h"
#include "raise/Transform/Passes.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace raise;
using llvm::dyn_cast;
using llvm::isa;

namespace {

/// E without conversions that keep every value.
ExprRef bare(ExprRef E) {
  while (const auto *C = dyn_cast<Cast>(E.get())) {
    const Type &From = C->Operand->Ty, &To = C->Ty;
    const bool Same = From.Bits == To.Bits && From.Signed == To.Signed;
    if (!From.isInt() || !To.isInt() ||
        !(Same || (To.Bits > From.Bits && (To.Signed || !From.Signed))))
      break;
    E = C->Operand;
  }
  return E;
}

const Var *asVar(const ExprRef &E) {
  const auto *U = dyn_cast<VarUse>(bare(E).get());
  return U ? U->V.get() : nullptr;
}

/// A band's counter, in the type of the points.
const Var *asCounter(const ExprRef &E) {
  const auto *C = dyn_cast<Cast>(E.get());
  return asVar(C ? C->Operand : E);
}

/// The number that E is, if each integer type has it.
std::optional<int64_t> asNumber(ExprRef E) {
  while (const auto *C = dyn_cast<Cast>(E.get()))
    E = C->Operand;
  const auto *I = dyn_cast<IntConst>(E.get());
  return I && I->Value >= 0 && I->Value < 128 ? std::optional(I->Value)
                                              : std::nullopt;
}

/// Of one region.
class Namer {
public:
  Namer(const Region &R, bool MayTest, bool KeepProducts)
      : R(R), MayTest(MayTest), KeepProducts(KeepProducts) {}
  bool Changed = false;
  std::vector<Guard> Tests;

  StmtRef run(const StmtRef &S, bool InLoop);

private:
  StmtRef tensorOp(const TensorOp &T, bool InLoop);
  std::vector<StmtRef> takeOut(const TensorOp &T, StmtRef &Body);
  bool isKnownToRun(const Iterator &It) const;
  bool runs(const Iterator &It);
  void enterBand(const Decl &D);

  const Region &R;
  const bool MayTest, KeepProducts;
  /// Where a band ends, by the counter of its first point.
  llvm::DenseMap<const Var *, const Var *> BandOf;
  llvm::DenseMap<const Var *, ExprRef> EndOf; ///< of iterators around
};

/// `end = hi - band < 64 ? hi : band + 64`, in the loop over band < hi: later
/// than band in either case.
void Namer::enterBand(const Decl &D) {
  const auto *S = D.Init ? dyn_cast<Select>(D.Init.get()) : nullptr;
  if (!S)
    return;
  // In the band's type, of which it is known to fit.
  const auto *Fits = dyn_cast<Cast>(S->False.get());
  const ExprRef &Later = Fits ? Fits->Operand : S->False;
  const auto *Sum = dyn_cast<Binary>(Later.get());
  const Var *First = Sum && Sum->Op == BinaryOp::Add ? asVar(Sum->L) : nullptr;
  const auto Size = First ? asNumber(Sum->R) : std::nullopt;
  const auto End = EndOf.find(First);
  if (Size && *Size > 0 && End != EndOf.end() &&
      structurallyEqual(bare(End->second), bare(S->True)))
    BandOf[D.V.get()] = First;
}

bool Namer::isKnownToRun(const Iterator &It) const {
  const auto Lo = asNumber(It.Lo);
  if (const auto *Hi = dyn_cast<IntConst>(bare(It.Hi).get()); Lo && Hi)
    return *Lo < Hi->Value;
  const Var *End = asVar(It.Hi);
  if (!End)
    return false;
  if (const auto Band = BandOf.find(End); Band != BandOf.end())
    return asCounter(It.Lo) == Band->second;
  return Lo && llvm::any_of(R.Rests.Guards, [&](const Guard &G) {
           const auto *B = G.Cond ? dyn_cast<Binary>(G.Cond.get()) : nullptr;
           const auto Least = B ? asNumber(B->R) : std::nullopt;
           return Least && asVar(B->L) == End &&
                  ((B->Op == BinaryOp::GE && *Least > *Lo) ||
                   (B->Op == BinaryOp::GT && *Least >= *Lo));
         });
}

/// Whether It has a point wherever the region's body runs; a test may say so.
bool Namer::runs(const Iterator &It) {
  if (isKnownToRun(It))
    return true;
  const auto Lo = asNumber(It.Lo);
  const auto *End = dyn_cast<VarUse>(bare(It.Hi).get());
  if (!MayTest || R.Rests.Guards.empty() || !Lo || !End ||
      assigns(R.Body, End->V.get()) || It.Hi->Ty != End->V->Ty)
    return false;
  Guard G;
  G.Cond = build::binary(BinaryOp::GT, bare(It.Hi),
                         build::intConst(*Lo, End->V->Ty));
  G.Why = "the loop over " + It.V->Name + " runs";
  if (llvm::none_of(Tests, [&](const Guard &T) {
        return structurallyEqual(T.Cond, G.Cond);
      }))
    Tests.push_back(std::move(G));
  return true;
}

/// Whether each point of a loop over Body evaluates all of it to the end.
bool isStraight(const StmtRef &Body) {
  bool Straight = true;
  forEachStmt(Body, [&](const StmtRef &S) {
    Straight &= isa<Block>(S.get()) || isa<Decl>(S.get()) ||
                isa<Assign>(S.get()) ||
                (isa<Store>(S.get()) && !llvm::cast<Store>(*S).Atomic);
  });
  return Straight;
}

/// Replaces what has one value in a loop over V by names.
class Replacer {
public:
  Replacer(const StmtRef &Body, const Var *V, const Region &R) : V(V), R(R) {
    for (const MemoryAccess &A : effectsOf(Body).Memory)
      if (A.How != MemoryAccess::Mode::Read)
        Written.push_back(A.At.Buf);
    assignedVars(Body, [&](const VarRef &Set) { Sets.insert(Set.get()); });
  }
  std::vector<StmtRef> Named;

  ExprRef run(const ExprRef &E);

private:
  bool isFixed(const ExprRef &E) const;
  const Var *V;
  const Region &R;
  std::vector<BufferRef> Written;
  llvm::DenseSet<const Var *> Sets;
  std::vector<std::pair<ExprRef, VarRef>> Known;
};

/// Whether E is an operation on numbers that has one value, of which a compiler
/// may not know that.
bool Replacer::isFixed(const ExprRef &E) const {
  bool Fixed = E->Ty.isFloat(), Loads = false;
  forEachExpr(E, [&](const ExprRef &Sub) {
    if (const auto *U = dyn_cast<VarUse>(Sub.get()))
      Fixed &= U->V.get() != V && !Sets.contains(U->V.get());
    if (const auto *L = dyn_cast<Load>(Sub.get())) {
      Loads = true;
      Fixed &= !L->From.Buf->Volatile &&
               llvm::all_of(Written, [&](const BufferRef &B) {
                 return areApart(R.Rests.Guards, *B, *L->From.Buf) &&
                        !(B->Kind == BufferKind::Global &&
                          L->From.Buf->Kind == BufferKind::Global);
               });
    }
    const auto *B = dyn_cast<Binary>(Sub.get());
    Fixed &= !isa<Call>(Sub.get()) && !isa<Select>(Sub.get()) &&
             !(B && !B->Ty.isFloat() &&
               (B->Op == BinaryOp::Div || B->Op == BinaryOp::Rem ||
                B->Op == BinaryOp::LAnd || B->Op == BinaryOp::LOr));
  });
  return Fixed && Loads;
}

/// What people call it: A[i][k] is A_ik, anything else a factor.
std::string nameOf(const ExprRef &E) {
  const auto *L = dyn_cast<Load>(bare(E).get());
  if (!L)
    return "factor";
  std::string Name = L->From.Buf->Name, Suffix;
  for (const ExprRef &I : L->From.Indices)
    forEachExpr(I, [&](const ExprRef &Sub) {
      const auto *U = dyn_cast<VarUse>(Sub.get());
      if (U && U->V->Kind != VarKind::Param && U->V->Name.size() == 1)
        Suffix += U->V->Name;
    });
  for (char &C : Name)
    if (!std::isalnum(static_cast<unsigned char>(C)))
      C = '_';
  return Name + (Suffix.empty() ? "_value" : "_" + Suffix);
}

ExprRef Replacer::run(const ExprRef &E) {
  if (isFixed(E)) {
    for (const auto &[Same, Name] : Known)
      if (structurallyEqual(Same, E))
        return build::var(Name);
    const auto Name = std::make_shared<Var>();
    Name->Name = nameOf(E);
    Name->Ty = E->Ty;
    Name->Const = true;
    Named.push_back(std::make_shared<Decl>(Name, E));
    Known.push_back({E, Name});
    return build::var(Name);
  }
  if (const auto *B = dyn_cast<Binary>(E.get());
      B && B->Op != BinaryOp::LAnd && B->Op != BinaryOp::LOr) {
    const ExprRef L = run(B->L), Right = run(B->R);
    return L == B->L && Right == B->R ? E : build::binary(B->Op, L, Right);
  }
  if (const auto *U = dyn_cast<Unary>(E.get())) {
    const ExprRef Sub = run(U->Operand);
    return Sub == U->Operand ? E : build::unary(U->Op, Sub);
  }
  if (const auto *C = dyn_cast<Cast>(E.get())) {
    const ExprRef Sub = run(C->Operand);
    return Sub == C->Operand ? E : build::cast(Sub, C->Ty, C->Implicit);
  }
  return E;
}

/// Names for what all points of T's last iterator compute alike.
std::vector<StmtRef> Namer::takeOut(const TensorOp &T, StmtRef &Body) {
  Replacer Replace(T.Body, T.Iterators.back().V.get(), R);
  std::vector<StmtRef> New;
  for (const StmtRef &S : statements(T.Body)) {
    if (const auto *St = dyn_cast<Store>(S.get()))
      New.push_back(std::make_shared<Store>(
          St->To, St->Op, Replace.run(St->Value), St->Atomic, St->Loc));
    else if (const auto *A = dyn_cast<Assign>(S.get()))
      New.push_back(
          std::make_shared<Assign>(A->V, A->Op, Replace.run(A->Value), A->Loc));
    else
      New.push_back(S);
  }
  Body = makeBlock(std::move(New), T.Body->Loc);
  return std::move(Replace.Named);
}

StmtRef Namer::tensorOp(const TensorOp &T, bool InLoop) {
  const bool Inner = InLoop || T.Iterators.size() > 1;
  const bool Stores = llvm::any_of(
      statements(T.Body), [](const StmtRef &S) { return isa<Store>(S.get()); });
  if (!Inner || T.Mask || !Stores || !isStraight(T.Body) ||
      (KeepProducts && isProduct(T)))
    return nullptr;
  StmtRef Body;
  std::vector<StmtRef> Out = takeOut(T, Body);
  if (Out.empty() || !runs(T.Iterators.back()))
    return nullptr;
  Changed = true;
  Out.push_back(std::make_shared<TensorOp>(
      std::vector<Iterator>{T.Iterators.back()}, nullptr, Body, "", T.Loc));
  const StmtRef Around = makeBlock(std::move(Out), T.Loc);
  std::vector<Iterator> Rest = T.Iterators;
  Rest.pop_back();
  return Rest.empty() ? Around
                      : std::make_shared<TensorOp>(std::move(Rest), nullptr,
                                                   Around, T.OpKind, T.Loc);
}

StmtRef Namer::run(const StmtRef &S, bool InLoop) {
  if (const auto *D = dyn_cast<Decl>(S.get()))
    enterBand(*D);
  const auto *T = dyn_cast<TensorOp>(S.get());
  if (!T) {
    const bool Loop = isa<For>(S.get()) || isa<While>(S.get());
    return mapChildren(
        S, [&](const StmtRef &Sub) { return run(Sub, InLoop || Loop); });
  }
  for (const Iterator &It : T->Iterators)
    EndOf[It.V.get()] = It.Hi;
  if (StmtRef New = tensorOp(*T, InLoop))
    return New;
  StmtRef Body = run(T->Body, true);
  return Body == T->Body ? S
                         : std::make_shared<TensorOp>(T->Iterators, T->Mask,
                                                      Body, T->OpKind, T->Loc);
}

/// Whether n >= m, since New tests n > l.
bool isImplied(const Guard &G, const Guard &New) {
  const auto *Weak = G.Cond ? dyn_cast<Binary>(G.Cond.get()) : nullptr;
  const auto *Strong = dyn_cast<Binary>(New.Cond.get());
  if (!Weak || !Strong || Weak->Op != BinaryOp::GE)
    return false;
  const auto Low = asNumber(Weak->R), High = asNumber(Strong->R);
  return Low && High && *Low <= *High + 1 && asVar(Weak->L) &&
         asVar(Weak->L) == asVar(Strong->L);
}

class Regions : public Rewriter {
public:
  Regions(bool MayTest, bool KeepProducts)
      : MayTest(MayTest), KeepProducts(KeepProducts) {}

private:
  const bool MayTest, KeepProducts;
  StmtRef rewriteStmt(const StmtRef &S) override {
    const auto *Of = dyn_cast<Region>(S.get());
    if (!Of)
      return S;
    Namer N(*Of, MayTest, KeepProducts);
    StmtRef Body = N.run(Of->Body, false);
    if (!N.Changed)
      return S;
    Obligations Rests = Of->Rests;
    if (!Rests.Means)
      Rests.Means = Of->Body;
    // What the new tests imply need not be tested.
    llvm::erase_if(Rests.Guards, [&](const Guard &G) {
      return llvm::any_of(N.Tests,
                          [&](const Guard &New) { return isImplied(G, New); });
    });
    Rests.Guards.insert(Rests.Guards.begin(), N.Tests.begin(), N.Tests.end());
    return std::make_shared<Region>(std::move(Rests), std::move(Body),
                                    Of->Original, Of->Loc);
  }
};

} // namespace

FunctionRef raise::nameInvariants(FunctionRef F, Context &Ctx) {
  // Expressions of whole arrays have no loops to repeat it.
  if (Ctx.Opts.Target == Dialect::Eigen || !hasPlainOriginals(*F))
    return F;
  const bool KeepProducts = Ctx.Opts.Blas && Ctx.Opts.FP == FPMode::Fast;
  return withBody(*F, Regions(/*MayTest=*/true, KeepProducts).run(F->Body));
}
