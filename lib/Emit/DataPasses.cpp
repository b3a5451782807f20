//===- DataPasses.cpp - how often a text goes over its data ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "DataPasses.h"
#include "Work.h"
#include "raise/IR/Effects.h"
#include "raise/IR/Visitor.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

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

/// A goes over a range by strips, and B over what is left behind the last one.
static bool isRestOf(const TensorOp &B, const TensorOp &A) {
  const Iterator &Strips = A.Iterators.front(), &Rest = B.Iterators.front();
  auto *By = dyn_cast<IntConst>(Strips.Step.get());
  return By && By->Value > 1 && A.Iterators.size() == 1 &&
         B.Iterators.size() == 1 && structurallyEqual(Strips.Hi, Rest.Lo);
}

namespace {

/// Fewer iterations than these do not make a loop that counts.
constexpr int64_t FewTrips = 64;

bool isShort(const ExprRef &Lo, const ExprRef &Hi) {
  auto *From = dyn_cast<IntConst>(Lo.get()), *To = dyn_cast<IntConst>(Hi.get());
  return From && To && To->Value - From->Value < FewTrips &&
         From->Value - To->Value < FewTrips;
}

/// The operations of a list so far.
class Pieces {
public:
  /// Whether S is a piece of a range of which one came before.
  bool continuedBy(const StmtRef &S) {
    auto *T = dyn_cast<TensorOp>(S.get());
    if (!T)
      return false;
    bool Found = any_of(Seen, [&](const TensorOp *Before) {
      return continues(*Before, *T) || isRestOf(*T, *Before);
    });
    Seen.push_back(T);
    return Found;
  }

private:
  std::vector<const TensorOp *> Seen;
};

class PassFinder {
public:
  WritingPasses Found;
  void find(const StmtRef &S, unsigned Depth);

private:
  void findInList(const Block &B, unsigned Depth);
  void findInLoop(const StmtRef &Body, unsigned Depth, bool Short);
  bool storesItself(const StmtRef &S) const;
  /// Short arrays that iterations have for themselves: they stay in the caches.
  std::set<const Buffer *> Own;
  StmtRef Around; ///< the body of the innermost loop around that is not short
};

/// Whether S stores data outside of loops of its own.
bool PassFinder::storesItself(const StmtRef &S) const {
  struct Finder : Visitor {
    explicit Finder(const std::set<const Buffer *> &Own) : Own(Own) {}
    const std::set<const Buffer *> &Own;
    bool Found = false;
    bool visitExpr(const ExprRef &) override { return false; }
    bool visitStmt(const StmtRef &Sub) override {
      auto *St = dyn_cast<Store>(Sub.get());
      Found |= St && !Own.count(St->To.Buf.get());
      return !isa<For>(*Sub) && !isa<While>(*Sub) && !isa<TensorOp>(*Sub);
    }
  } F(Own);
  F.walk(S);
  return F.Found;
}

/// What short loops that a pass laid out in one iteration of a longer one write
/// is still in the caches for the next of them: together they are a part of
/// that one's pass.
void PassFinder::findInLoop(const StmtRef &Body, unsigned Depth, bool Short) {
  const StmtRef Outer = Around, Pass = Short && Around ? Around : Body;
  if (storesItself(Body)) {
    if (Depth > Found.Depth)
      Found = {Depth, {}};
    if (Depth == Found.Depth && !is_contained(Found.Bodies, Pass))
      Found.Bodies.push_back(Pass);
  }
  if (!Short)
    Around = Body;
  find(Body, Depth);
  Around = Outer;
}

void PassFinder::findInList(const Block &B, unsigned Depth) {
  Pieces Seen;
  for (const StmtRef &Sub : B.Body)
    if (!Seen.continuedBy(Sub))
      find(Sub, Depth);
}

void PassFinder::find(const StmtRef &S, unsigned Depth) {
  if (!S)
    return;
  if (auto *D = dyn_cast<DeclBuffer>(S.get())) {
    auto *Size = D->B->Extents.size() == 1
                     ? dyn_cast_or_null<IntConst>(D->B->Extents[0].get())
                     : nullptr;
    if (Depth && D->B->Lies == ArrayHome::Automatic && Size &&
        Size->Value < FewTrips)
      Own.insert(D->B.get());
  } else if (auto *B = dyn_cast<Block>(S.get())) {
    findInList(*B, Depth);
  } else if (auto *I = dyn_cast<If>(S.get())) {
    find(I->Then, Depth);
    find(I->Else, Depth);
  } else if (auto *L = dyn_cast<For>(S.get())) {
    findInLoop(L->Body, Depth + !isShort(L->Lo, L->Hi), false);
  } else if (auto *W = dyn_cast<While>(S.get())) {
    findInLoop(W->Body, Depth + 1, false);
  } else if (auto *T = dyn_cast<TensorOp>(S.get())) {
    const unsigned Long =
        unsigned(count_if(T->Iterators, [](const Iterator &It) {
          return !isShort(It.Lo, It.Hi);
        }));
    findInLoop(T->Body, Depth + Long, Long == 0);
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

WritingPasses writingPasses(const StmtRef &S) {
  PassFinder F;
  F.find(S, 0);
  return std::move(F.Found);
}

BufferRef sharedByParts(const StmtRef &S) {
  unsigned Depth = writingPasses(S).Depth;
  std::set<const Buffer *> Earlier;
  Pieces Seen;
  BufferRef Shared;
  for (const StmtRef &Part : statements(S)) {
    WritingPasses Own = writingPasses(Part);
    if (!Seen.continuedBy(Part) && Own.Depth == Depth) {
      std::set<const Buffer *> Touched;
      for (const StmtRef &Body : Own.Bodies)
        for (const MemoryAccess &A : effectsOf(Body).Memory) {
          if (Earlier.count(A.At.Buf.get()) && !Shared)
            Shared = A.At.Buf;
          Touched.insert(A.At.Buf.get());
        }
      Earlier.insert(Touched.begin(), Touched.end());
    }
  }
  return Depth ? Shared : nullptr;
}

bool WritingPasses::computeMoreThanTheyMove(const MachineFacts &Machine) const {
  return all_of(Bodies, [&](const StmtRef &Body) {
    return costOfBody(Body) * 1000 >= Machine.ParallelWork;
  });
}

} // namespace raise
