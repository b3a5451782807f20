//===- Exchange.cpp - loops that exchange whole arrays --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "raise/Emit/Exchange.h"
#include "raise/IR/Visitor.h"

using namespace llvm;

namespace raise {

static bool isConst(const ExprRef &E, int64_t Value) {
  auto *C = dyn_cast<IntConst>(E.get());
  return C && C->Value == Value;
}

static const ExprRef &bare(const ExprRef &E) {
  auto *C = dyn_cast<Cast>(E.get());
  return C && C->Ty.isInt() && C->Operand->Ty.isInt() ? bare(C->Operand) : E;
}

/// What S exchanges, whatever else leads into it.
static std::optional<Exchange> matched(const StmtRef &S) {
  auto *L = dyn_cast<For>(S.get());
  if (!L || L->LKind != LoopKind::Serial || !L->DeclaresVar ||
      L->Cond != BinaryOp::LT || !isConst(L->Lo, 0) || !isConst(L->Step, 1))
    return std::nullopt;
  const ArrayRef<StmtRef> Body = statements(L->Body);
  auto *Keep = Body.size() == 3 ? dyn_cast<Decl>(Body[0].get()) : nullptr;
  auto *First = Keep ? dyn_cast<Store>(Body[1].get()) : nullptr;
  auto *Second = First ? dyn_cast<Store>(Body[2].get()) : nullptr;
  auto *OfA = Second && Keep->Init ? dyn_cast<Load>(Keep->Init.get()) : nullptr;
  auto *OfB = OfA ? dyn_cast<Load>(First->Value.get()) : nullptr;
  auto *Kept = OfB ? dyn_cast<VarUse>(Second->Value.get()) : nullptr;
  if (!Kept || Kept->V != Keep->V || First->Atomic || Second->Atomic ||
      First->Op != Combiner::None || Second->Op != Combiner::None)
    return std::nullopt;
  const BufferRef &A = First->To.Buf, &B = Second->To.Buf;
  const auto IsElement = [&](const Access &At, const BufferRef &Of) {
    if (At.Buf != Of || At.Indices.size() != 1 || !At.Field.empty() ||
        At.isView())
      return false;
    auto *U = dyn_cast<VarUse>(bare(At.Indices[0]).get());
    return U && U->V == L->V;
  };
  const auto IsWhole = [&](const BufferRef &Of) {
    return Of->rank() == 1 && Of->Extents[0] &&
           structurallyEqual(bare(Of->Extents[0]), bare(L->Hi));
  };
  if (A == B || A->Elem != B->Elem || !IsElement(OfA->From, A) ||
      !IsElement(First->To, A) || !IsElement(OfB->From, B) ||
      !IsElement(Second->To, B) || !IsWhole(A) || !IsWhole(B))
    return std::nullopt;
  return Exchange{A, B};
}

namespace {

class Movers {
public:
  bool Unknown = false; ///< something is done that is not followed

  /// Pointers: what the pointers in scope lead into, and stay with.
  void walk(const StmtRef &S, SmallVector<const Buffer *, 4> Pointers) {
    if (auto *B = dyn_cast<Block>(S.get())) {
      for (const StmtRef &C : B->Body)
        if (auto *D = dyn_cast<Decl>(C.get()); D && D->V->Base)
          Pointers.push_back(D->V->Base.get());
        else
          walk(C, Pointers);
      return;
    }
    if (auto *D = dyn_cast<DeclBuffer>(S.get());
        D && D->B->Lies == ArrayHome::Heap && D->B->rank() == 1)
      Heap.insert(D->B.get());
    if (auto *O = dyn_cast<Opaque>(S.get()); O && !O->NoReturn)
      Unknown = true;
    if (const std::optional<Exchange> X = matched(S))
      for (const BufferRef &B : {X->A, X->B})
        (is_contained(Pointers, B.get()) ? Stay : Found).insert(B.get());
    if (auto *L = dyn_cast<For>(S.get()); L && L->V->Base)
      Pointers.push_back(L->V->Base.get());
    if (auto *R = dyn_cast<Region>(S.get()))
      for (const StmtRef &Form : {R->Body, R->Original})
        walk(Form, Pointers);
    mapChildren(S, [&](const StmtRef &C) {
      walk(C, Pointers);
      return C;
    });
  }
  MovableArrays take() {
    if (Unknown)
      return {};
    MovableArrays Moved;
    for (const Buffer *B : Found)
      if (Heap.contains(B) && !Stay.contains(B))
        Moved.insert(B);
    return Moved;
  }

private:
  MovableArrays Heap, Found, Stay;
};

} // namespace

MovableArrays movableArrays(const Function &F, const Options &Opts) {
  // Eigen's views are pointers, too.
  if (Opts.Target != Dialect::OpenMP)
    return {};
  Movers M;
  M.walk(F.Body, {});
  return M.take();
}

std::optional<Exchange> exchangeOf(const StmtRef &S,
                                   const MovableArrays &Movable) {
  const std::optional<Exchange> X = matched(S);
  return X && Movable.contains(X->A.get()) && Movable.contains(X->B.get())
             ? X
             : std::nullopt;
}

} // namespace raise
