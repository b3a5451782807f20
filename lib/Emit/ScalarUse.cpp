//===- ScalarUse.cpp - what a body does to scalars and fixed elements -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Which of them iterations of a loop accumulate, in a way that OpenMP can
// combine partial results, and which keep iterations apart.
//
//===----------------------------------------------------------------------===//
#include "Names.h"
#include "Schedule.h"
#include "raise/IR/Updates.h"
#include "raise/IR/Visitor.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace raise {

StringRef reductionOperator(Combiner Op, const Type &Ty) {
  bool Logic = Op == Combiner::And || Op == Combiner::Or ||
               Op == Combiner::LAnd || Op == Combiner::LOr;
  if (Ty.isBool() && !Logic)
    return "";
  switch (Op) {
  case Combiner::Add:
  case Combiner::Sub: // partial sums start from zero and are added
    return "+";
  case Combiner::Mul:
    return "*";
  case Combiner::And:
    return Ty.isFloat() ? "" : "&";
  case Combiner::Or:
    return Ty.isFloat() ? "" : "|";
  case Combiner::Xor:
    return Ty.isFloat() ? "" : "^";
  case Combiner::LAnd:
    return "&&";
  case Combiner::LOr:
    return "||";
  // OpenMP's min and max lose NaN, and any combination of partial results
  // loses which of two zeros came first.
  case Combiner::Min:
    return Ty.isFloat() ? "" : "min";
  case Combiner::Max:
    return Ty.isFloat() ? "" : "max";
  default:
    return "";
  }
}

bool isSpeculable(const ExprRef &E) {
  bool Safe = true;
  forEachExpr(E, [&](const ExprRef &Sub) {
    auto *B = dyn_cast<Binary>(Sub.get());
    Safe &= !isa<Load>(*Sub) && !isa<Call>(*Sub) &&
            !(B && (B->Op == BinaryOp::Div || B->Op == BinaryOp::Rem));
  });
  return Safe;
}

bool canAccumulate(Combiner Op, const Type &Elem, const ExprRef &Value) {
  if (reductionOperator(Op, Elem).empty())
    return false;
  if (Elem.isIntegral() && Value->Ty.isFloat())
    return false; // rounds to an integer in every step
  bool Lazy = Op == Combiner::LAnd || Op == Combiner::LOr;
  return !Lazy || isSpeculable(Value);
}

namespace {

unsigned countUses(const StmtRef &S, const Var *V) {
  unsigned Count = 0;
  forEachExpr(S, [&](const ExprRef &E) {
    auto *U = dyn_cast<VarUse>(E.get());
    Count += U && U->V.get() == V;
  });
  return Count;
}

class ScalarUseBuilder {
public:
  ScalarUseBuilder(const TensorOp &T, size_t Level) : T(T), Level(Level) {
    for (size_t I = Level; I < T.Iterators.size(); ++I)
      Varying.insert(T.Iterators[I].V.get());
    assignedVars(T.Body, [&](const VarRef &V) { Varying.insert(V.get()); });
  }
  ScalarUse run();

private:
  void scalar(const VarRef &V, ArrayRef<const Assign *> Writes);
  void elements();
  bool isInvariant(const Access &A) const;
  bool boundsAreInvariant() const;

  const TensorOp &T;
  size_t Level;
  DenseSet<const Var *> Varying;
  ScalarUse Result;
};

void ScalarUseBuilder::scalar(const VarRef &V,
                              ArrayRef<const Assign *> Writes) {
  bool Combines = all_of(Writes, [&](const Assign *A) {
    return A->Op != Combiner::None &&
           familyOf(A->Op) == familyOf(Writes[0]->Op) &&
           canAccumulate(A->Op, V->Ty, A->Value);
  });
  bool Read = countUses(T.Body, V.get()) || (T.Mask && uses(T.Mask, V.get()));
  if (!Combines || Read || V->Kind == VarKind::Cursor) {
    Result.Ordered = true;
    return;
  }
  Accumulator A;
  A.Scalar = V;
  A.Op = familyOf(Writes[0]->Op);
  for (const Assign *W : Writes)
    A.Rounds |= rounds(W->Op, V->Ty, W->Value->Ty);
  Result.Accumulators.push_back(A);
}

bool ScalarUseBuilder::isInvariant(const Access &A) const {
  auto Fixed = [&](const ExprRef &E) {
    bool Ok = true;
    forEachExpr(E, [&](const ExprRef &Sub) {
      auto *U = dyn_cast<VarUse>(Sub.get());
      Ok &= !isa<Load>(*Sub) && !(U && Varying.count(U->V.get()));
    });
    return Ok;
  };
  return all_of(A.Indices, Fixed) && all_of(A.Extents, Fixed);
}

/// Whether it can be tested before the loop that it runs at all.
bool ScalarUseBuilder::boundsAreInvariant() const {
  for (size_t I = Level; I < T.Iterators.size(); ++I)
    for (size_t K = Level; K < I; ++K)
      if (uses(T.Iterators[I].Lo, T.Iterators[K].V.get()) ||
          uses(T.Iterators[I].Hi, T.Iterators[K].V.get()))
        return false;
  return true;
}

void ScalarUseBuilder::elements() {
  if (T.Mask || !boundsAreInvariant())
    return;
  for (const StmtRef &S : statements(T.Body)) {
    auto *St = dyn_cast<Store>(S.get());
    if (!St || St->Atomic || !isInvariant(St->To) ||
        !canAccumulate(St->Op, St->To.Buf->Elem, St->Value))
      continue;
    // No other access of the buffer, so that a scalar can stand for it; and not
    // one of each iteration's own.
    unsigned Accesses = 0;
    bool Own = false;
    forEachExpr(T.Body, [&](const ExprRef &E) {
      auto *L = dyn_cast<Load>(E.get());
      Accesses += L && L->From.Buf == St->To.Buf;
    });
    forEachStmt(T.Body, [&](const StmtRef &Sub) {
      auto *Other = dyn_cast<Store>(Sub.get());
      Accesses += Other && Other->To.Buf == St->To.Buf;
      auto *D = dyn_cast<DeclBuffer>(Sub.get());
      Own |= D && D->B == St->To.Buf;
    });
    // A member of a structure has a type that is not known here.
    if (Accesses != 1 || Own || !St->To.Field.empty())
      continue;
    Accumulator A;
    A.Element = St;
    A.Op = familyOf(St->Op);
    A.Rounds = rounds(St->Op, St->To.Buf->Elem, St->Value->Ty);
    Result.Accumulators.push_back(A);
  }
}

ScalarUse ScalarUseBuilder::run() {
  MapVector<const Var *, std::pair<VarRef, SmallVector<const Assign *, 2>>>
      Writes;
  forEachStmt(T.Body, [&](const StmtRef &S) {
    auto *L = dyn_cast<For>(S.get());
    if (L && !L->DeclaresVar && !declaresInside(T.Body, L->V.get()))
      Result.Ordered = true;
    auto *A = dyn_cast<Assign>(S.get());
    if (A && !declaresInside(T.Body, A->V.get())) {
      auto &Entry = Writes[A->V.get()];
      Entry.first = A->V;
      Entry.second.push_back(A);
    }
  });
  for (auto &Entry : Writes)
    scalar(Entry.second.first, Entry.second.second);
  elements();
  return std::move(Result);
}

} // namespace

ScalarUse scalarUse(const TensorOp &T, size_t Level) {
  return ScalarUseBuilder(T, Level).run();
}

} // namespace raise
