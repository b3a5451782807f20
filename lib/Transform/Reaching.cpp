//===- Reaching.cpp - whether code comes to a buffer ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Reaching.h"
#include "FoldConstants.h"
#include "raise/IR/Effects.h"
#include "raise/IR/Visitor.h"

using namespace raise;
using llvm::cast;
using llvm::dyn_cast;
using llvm::isa;

bool raise::isFoundInMemory(const Buffer &B) {
  const Buffer *By = B.Owner.get();
  if (!By || By->Reference)
    return false;
  const bool IsThis = By->Kind == BufferKind::Pointer && By->Name == "this";
  return !IsThis &&
         (By->Kind == BufferKind::Pointer || By->Kind == BufferKind::Param);
}

namespace {

class Reacher {
public:
  Reacher(const Buffer &B, llvm::function_ref<bool(const ExprRef &)> Testable)
      : B(B), Testable(Testable) {}
  std::optional<std::vector<ExprRef>> Found;

  /// False if what follows S may not be come to.
  bool walk(const StmtRef &S);

private:
  const Buffer &B;
  llvm::function_ref<bool(const ExprRef &)> Testable;
  Substitution First; ///< iterators in their first iterations
  std::vector<ExprRef> Path;
  bool IsOpen = true; ///< Path says all that decides whether one comes here

  void expr(const ExprRef &E);
  void access(const Access &A);
  void walkFor(const For &L);
  void walkTensor(const TensorOp &T);
  template <class Fn> void under(const ExprRef &Cond, Fn Do);
  template <class Fn> void unless(const ExprRef &Cond, Fn Do) {
    under(build::logicalNot(Cond), Do);
  }
};

/// Does what stands under Cond.
template <class Fn> void Reacher::under(const ExprRef &Cond, Fn Do) {
  const size_t Before = Path.size();
  const bool WasOpen = IsOpen;
  ExprRef Test = ConstantFolder().run(substitute(Cond, First));
  auto *C = dyn_cast<IntConst>(Test.get());
  auto *Or = dyn_cast<Binary>(Test.get());
  if (Or && Or->Op == BinaryOp::LT && constantValue(Or->L)) // as people write
    Test = build::binary(BinaryOp::GT, Or->R, Or->L);
  if (C)
    IsOpen &= C->Value != 0;
  else if ((Or && Or->Op == BinaryOp::LOr) || isa<Select>(Test.get()) ||
           effectsOf(Test).MayTrap || !Testable(Test))
    IsOpen = false;
  else
    Path.push_back(Test);
  if (IsOpen)
    Do();
  IsOpen = WasOpen;
  Path.resize(Before);
}

void Reacher::access(const Access &A) {
  for (const ExprRef &I : A.Indices)
    expr(I);
  for (const Buffer *At = A.Buf.get(); At; At = At->Owner.get())
    if (At == &B && (!Found || Path.size() < Found->size()))
      Found = Path;
}

void Reacher::expr(const ExprRef &E) {
  if (!E)
    return;
  if (auto *L = dyn_cast<Load>(E.get()))
    return access(L->From);
  if (auto *U = dyn_cast<Unary>(E.get()))
    return expr(U->Operand);
  if (auto *C = dyn_cast<Cast>(E.get()))
    return expr(C->Operand);
  if (auto *C = dyn_cast<Call>(E.get())) {
    for (const ExprRef &Arg : C->Args)
      expr(Arg);
    return;
  }
  if (auto *S = dyn_cast<Select>(E.get())) {
    expr(S->Cond);
    under(S->Cond, [&] { expr(S->True); });
    unless(S->Cond, [&] { expr(S->False); });
    return;
  }
  auto *Bin = dyn_cast<Binary>(E.get());
  if (!Bin)
    return;
  expr(Bin->L);
  if (Bin->Op == BinaryOp::LAnd)
    under(Bin->L, [&] { expr(Bin->R); });
  else if (Bin->Op == BinaryOp::LOr)
    unless(Bin->L, [&] { expr(Bin->R); });
  else
    expr(Bin->R);
}

void Reacher::walkFor(const For &L) {
  expr(L.Lo);
  expr(L.Hi);
  expr(L.Step);
  const ExprRef Runs = build::binary(L.Cond, build::cast(L.Lo, L.Hi->Ty), L.Hi);
  under(Runs, [&] {
    First[L.V.get()] = substitute(L.Lo, First);
    walk(L.Body);
    First.erase(L.V.get());
  });
}

void Reacher::walkTensor(const TensorOp &T) {
  std::function<void(size_t)> In = [&](size_t I) {
    if (I == T.Iterators.size()) {
      if (T.Mask)
        under(T.Mask, [&] { walk(T.Body); });
      else
        walk(T.Body);
      return;
    }
    const Iterator &It = T.Iterators[I];
    under(build::binary(BinaryOp::LT, It.Lo, It.Hi), [&] {
      First[It.V.get()] = substitute(It.Lo, First);
      In(I + 1);
      First.erase(It.V.get());
    });
  };
  In(0);
}

bool Reacher::walk(const StmtRef &S) {
  if (!S)
    return true;
  switch (S->Kind) {
  case StmtKind::Block:
    for (const StmtRef &Sub : cast<Block>(S.get())->Body)
      if (!walk(Sub))
        return false;
    return true;
  case StmtKind::Decl:
    expr(cast<Decl>(S.get())->Init);
    return true;
  case StmtKind::DeclBuffer:
    for (const ExprRef &E : cast<DeclBuffer>(S.get())->Init)
      expr(E);
    return true;
  case StmtKind::Assign:
    expr(cast<Assign>(S.get())->Value);
    return true;
  case StmtKind::Store:
    expr(cast<Store>(S.get())->Value);
    access(cast<Store>(S.get())->To);
    return true;
  case StmtKind::For:
    walkFor(*cast<For>(S.get()));
    break;
  case StmtKind::TensorOp:
    walkTensor(*cast<TensorOp>(S.get()));
    break;
  case StmtKind::Region:
    return walk(cast<Region>(S.get())->Original);
  case StmtKind::If: {
    auto *I = cast<If>(S.get());
    expr(I->Cond);
    under(I->Cond, [&] { walk(I->Then); });
    unless(I->Cond, [&] { walk(I->Else); });
    break;
  }
  case StmtKind::While:
    expr(cast<While>(S.get())->Cond);
    break;
  default:
    return false;
  }
  // What leaves a part of S early may leave more than S.
  bool Leaves = false;
  forEachStmt(S, [&](const StmtRef &Sub) {
    auto *O = dyn_cast<Opaque>(Sub.get());
    Leaves |= isa<Break>(Sub.get()) || isa<Continue>(Sub.get()) ||
              isa<Return>(Sub.get()) || (O && !O->Pure);
  });
  return !Leaves;
}

} // namespace

std::optional<std::vector<ExprRef>>
raise::testsToReach(const Buffer &B, const StmtRef &S,
                    llvm::function_ref<bool(const ExprRef &)> Testable) {
  Reacher R(B, Testable);
  R.walk(S);
  return std::move(R.Found);
}
