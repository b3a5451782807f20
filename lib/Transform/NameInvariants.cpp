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
#include "LoopRuns.h"
#include "PlainName.h"
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

/// Of one region.
class Namer {
public:
  Namer(const Region &R, bool MayTest, bool KeepProducts)
      : R(R), KeepProducts(KeepProducts), Runs(R, MayTest) {}
  bool Changed = false;

  StmtRef run(const StmtRef &S, bool InLoop);

private:
  StmtRef tensorOp(const TensorOp &T, bool InLoop);
  std::vector<StmtRef> takeOut(const TensorOp &T, StmtRef &Body);

  const Region &R;
  const bool KeepProducts;

public:
  LoopRuns Runs;
};

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
  const auto *L = dyn_cast<Load>(E.get());
  if (!L)
    return "factor";
  std::string Suffix;
  for (const ExprRef &I : L->From.Indices)
    forEachExpr(I, [&](const ExprRef &Sub) {
      const auto *U = dyn_cast<VarUse>(Sub.get());
      if (U && U->V->Kind != VarKind::Param && U->V->Name.size() == 1)
        Suffix += U->V->Name;
    });
  return plainName(L->From.Buf->Name) +
         (Suffix.empty() ? "_value" : "_" + Suffix);
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
  if (Out.empty() || !Runs.runs(T.Iterators.back()))
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
    Runs.enterBand(*D);
  const auto *T = dyn_cast<TensorOp>(S.get());
  if (!T) {
    const bool Loop = isa<For>(S.get()) || isa<While>(S.get());
    return mapChildren(
        S, [&](const StmtRef &Sub) { return run(Sub, InLoop || Loop); });
  }
  Runs.enter(*T);
  if (StmtRef New = tensorOp(*T, InLoop))
    return New;
  StmtRef Body = run(T->Body, true);
  return Body == T->Body ? S
                         : std::make_shared<TensorOp>(T->Iterators, T->Mask,
                                                      Body, T->OpKind, T->Loc);
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
    N.Runs.joinTests(Rests.Guards);
    return std::make_shared<Region>(std::move(Rests), std::move(Body),
                                    Of->Original, Of->Loc);
  }
};

} // namespace

FunctionRef raise::nameInvariants(FunctionRef F, Context &Ctx) {
  // Expressions of whole arrays have no loops to repeat it.
  if (Ctx.Opts.Target != Dialect::OpenMP || !hasPlainOriginals(*F))
    return F;
  const bool KeepProducts = Ctx.Opts.Blas && Ctx.Opts.FP == FPMode::Fast;
  return withBody(*F, Regions(/*MayTest=*/true, KeepProducts).run(F->Body));
}
