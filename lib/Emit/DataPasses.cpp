//===- DataPasses.cpp - how often a text goes over its data ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "DataPasses.h"
#include "Work.h"
#include "raise/IR/Visitor.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace raise {

/// B is A over the range that begins where A's ends, or one further on.
static bool continues(const TensorOp &A, const TensorOp &B) {
  const Iterator &I = A.Iterators.front(), &J = B.Iterators.front();
  if (I.Hi->Ty != J.Lo->Ty)
    return false;
  ExprRef Next = build::add(I.Hi, build::intConst(1, I.Hi->Ty));
  if (!structurallyEqual(I.Hi, J.Lo) && !structurallyEqual(Next, J.Lo))
    return false;
  std::vector<Iterator> Its = B.Iterators;
  Its.front().Lo = I.Lo;
  Its.front().Hi = I.Hi;
  StmtRef Same = std::make_shared<TensorOp>(Its, B.Mask, B.Body, B.OpKind);
  return structurallyEqual(std::make_shared<TensorOp>(A), Same);
}

namespace {

/// Finds the innermost loops that store to memory.
class PassFinder {
public:
  std::vector<StmtRef> Bodies;
  void find(const StmtRef &S);

private:
  void findInLoop(const StmtRef &Body);
};

void PassFinder::findInLoop(const StmtRef &Body) {
  bool Inner = false, Stores = false;
  forEachStmt(Body, [&](const StmtRef &S) {
    Inner |= isa<For>(*S) || isa<While>(*S) || isa<TensorOp>(*S);
    Stores |= isa<Store>(*S);
  });
  if (Inner)
    find(Body);
  else if (Stores)
    Bodies.push_back(Body);
}

void PassFinder::find(const StmtRef &S) {
  if (!S)
    return;
  if (auto *B = dyn_cast<Block>(S.get())) {
    const TensorOp *Last = nullptr;
    for (const StmtRef &Sub : B->Body) {
      auto *T = dyn_cast<TensorOp>(Sub.get());
      if (!T || !Last || !continues(*Last, *T))
        find(Sub);
      if (T)
        Last = T;
    }
  } else if (auto *I = dyn_cast<If>(S.get())) {
    find(I->Then);
    find(I->Else);
  } else if (auto *L = dyn_cast<For>(S.get())) {
    findInLoop(L->Body);
  } else if (auto *W = dyn_cast<While>(S.get())) {
    findInLoop(W->Body);
  } else if (auto *T = dyn_cast<TensorOp>(S.get())) {
    findInLoop(T->Body);
  }
}

uint64_t costOfBody(const StmtRef &Body) {
  uint64_t Cost = 0;
  forEachStmt(Body, [&](const StmtRef &S) {
    if (auto *D = dyn_cast<Decl>(S.get()))
      Cost += costOf(D->Init);
    if (auto *A = dyn_cast<Assign>(S.get()))
      Cost += costOf(A->Value) + (A->Op != Combiner::None);
    if (auto *W = dyn_cast<Store>(S.get()))
      Cost += costOf(W->Value) + (W->Op != Combiner::None);
  });
  return Cost;
}

} // namespace

unsigned writingPasses(const StmtRef &S) {
  PassFinder Found;
  Found.find(S);
  return unsigned(Found.Bodies.size());
}

bool computesMoreThanItMoves(const StmtRef &S, const MachineFacts &Machine) {
  PassFinder Found;
  Found.find(S);
  return all_of(Found.Bodies, [&](const StmtRef &Body) {
    return costOfBody(Body) * 1000 >= Machine.ParallelWork;
  });
}

} // namespace raise
