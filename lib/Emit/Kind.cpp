//===- Kind.cpp - the name of what a tensor operation is ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ExprPrinter.h"
#include "raise/Emit/OpenMP.h"
#include "raise/IR/UpdatedRows.h"
#include "raise/IR/Visitor.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace llvm;

namespace raise {
namespace {

struct Shape {
  std::vector<const Iterator *> Iterators; ///< outermost first
  unsigned Tensors = 0;
  bool Reduces = false, Nested = false;
  /// Iterations meet in elements that are found, and combine there.
  bool Meets = false;
  std::vector<Access> Loads, Stores;
  std::vector<ExprRef> Combined; ///< values that go into an accumulator
};

bool usesAny(const Access &A, const Var *V) {
  return any_of(A.Indices, [&](const ExprRef &E) { return uses(E, V); });
}

bool isIndirect(const Access &A) {
  bool Found = false;
  for (const ExprRef &I : A.Indices)
    forEachExpr(I, [&](const ExprRef &E) { Found |= isa<Load>(*E); });
  return Found;
}

/// A serial loop that combines values into elements that do not move with it.
bool combinesOver(const TensorOp &T, const Iterator &I) {
  bool Found = false;
  if (I.Kind != IterKind::Parallel)
    forEachStmt(T.Body, [&](const StmtRef &S) {
      auto *St = dyn_cast<Store>(S.get());
      Found |= St && St->Op != Combiner::None && !usesAny(St->To, I.V.get());
    });
  return Found;
}

void lookAt(const StmtRef &S, Shape &Out) {
  forEachStmt(S, [&](const StmtRef &Sub) {
    if (auto *T = dyn_cast<TensorOp>(Sub.get())) {
      ++Out.Tensors;
      for (const Iterator &I : T->Iterators) {
        Out.Iterators.push_back(&I);
        Out.Reduces |= I.Kind == IterKind::Reduction || combinesOver(*T, I);
      }
      unsigned Loops = 0;
      for (const StmtRef &B : statements(T->Body))
        Loops += isa<TensorOp>(*B) || isa<For>(*B) || isa<While>(*B);
      Out.Nested |= Loops > 1;
    }
    if (auto *St = dyn_cast<Store>(Sub.get())) {
      Out.Stores.push_back(St->To);
      const bool Found = any_of(St->To.Indices, [](const ExprRef &E) {
        return !isa<IntConst>(*withoutImplicitCasts(E));
      });
      const bool Meets = St->Atomic && St->Op != Combiner::None && Found;
      // Each element of a row is a sum over all rows.
      const bool IsRow = Meets && updatedRow(S, *St->To.Buf);
      Out.Meets |= Meets && !IsRow;
      Out.Reduces |= IsRow;
      if (St->Op != Combiner::None)
        Out.Combined.push_back(St->Value);
    }
    if (auto *A = dyn_cast<Assign>(Sub.get()); A && A->Op != Combiner::None)
      Out.Combined.push_back(A->Value);
  });
  forEachExpr(S, [&](const ExprRef &E) {
    if (auto *L = dyn_cast<Load>(E.get()))
      Out.Loads.push_back(L->From);
  });
}

/// A product of two factors that share a summed iterator, of which one ranges
/// over an iterator that the other lacks.
bool isContraction(const Shape &Sh) {
  for (const ExprRef &Value : Sh.Combined) {
    auto *B = dyn_cast<Binary>(withoutImplicitCasts(Value).get());
    if (!B || B->Op != BinaryOp::Mul)
      continue;
    bool Shared = false, Alone = false;
    for (const Iterator *I : Sh.Iterators) {
      bool L = uses(B->L, I->V.get()), R = uses(B->R, I->V.get());
      Shared |= L && R && I->Kind != IterKind::Parallel;
      Alone |= L != R && I->Kind == IterKind::Parallel;
    }
    if (Shared && Alone)
      return true;
  }
  return false;
}

/// E is V plus a constant: that constant.
std::optional<int64_t> offsetFrom(const ExprRef &E, const Var *V) {
  ExprRef Bare = withoutImplicitCasts(E);
  if (auto *U = dyn_cast<VarUse>(Bare.get()))
    return U->V.get() == V ? std::optional<int64_t>(0) : std::nullopt;
  auto *B = dyn_cast<Binary>(Bare.get());
  if (!B || (B->Op != BinaryOp::Add && B->Op != BinaryOp::Sub))
    return std::nullopt;
  auto *C = dyn_cast<IntConst>(withoutImplicitCasts(B->R).get());
  auto Inner = offsetFrom(B->L, V);
  if (C && Inner)
    return *Inner + (B->Op == BinaryOp::Add ? C->Value : -C->Value);
  C = dyn_cast<IntConst>(withoutImplicitCasts(B->L).get());
  Inner = offsetFrom(B->R, V);
  if (C && Inner && B->Op == BinaryOp::Add)
    return *Inner + C->Value;
  return std::nullopt;
}

/// Neighbours are read: an index is off by a constant from the written one.
bool isStencil(const Shape &Sh) {
  for (const Iterator *I : Sh.Iterators)
    for (const Access &S : Sh.Stores)
      for (const ExprRef &At : S.Indices) {
        auto Written = offsetFrom(At, I->V.get());
        if (!Written)
          continue;
        for (const Access &L : Sh.Loads)
          for (const ExprRef &From : L.Indices) {
            auto Read = offsetFrom(From, I->V.get());
            if (Read && *Read != *Written)
              return true;
          }
      }
  return false;
}

/// The iterators in the order in which an access' indices name them.
std::vector<const Var *> order(const Access &A, const Shape &Sh) {
  std::vector<const Var *> Order;
  for (const ExprRef &E : A.Indices)
    forEachExpr(E, [&](const ExprRef &Sub) {
      auto *U = dyn_cast<VarUse>(Sub.get());
      if (!U || is_contained(Order, U->V.get()))
        return;
      if (any_of(Sh.Iterators, [&](const Iterator *I) { return I->V == U->V; }))
        Order.push_back(U->V.get());
    });
  return Order;
}

bool isTranspose(const Shape &Sh) {
  for (const Access &S : Sh.Stores)
    for (const Access &L : Sh.Loads) {
      std::vector<const Var *> To = order(S, Sh), From = order(L, Sh);
      if (To.size() < 2 || To.size() != From.size() || To == From)
        continue;
      if (all_of(To, [&](const Var *V) { return is_contained(From, V); }))
        return true;
    }
  return false;
}

/// Some load is the same for all values of an iterator that the store has.
bool isBroadcast(const Shape &Sh) {
  for (const Iterator *I : Sh.Iterators)
    for (const Access &S : Sh.Stores)
      if (usesAny(S, I->V.get()))
        for (const Access &L : Sh.Loads)
          if (!usesAny(L, I->V.get()) && !L.Buf->Reference)
            return true;
  return false;
}

/// The operation in order that S consists of, or null.
const TensorOp *inOrder(const StmtRef &S) {
  const TensorOp *Only = nullptr;
  for (const StmtRef &Sub : statements(S))
    if (auto *T = dyn_cast<TensorOp>(Sub.get())) {
      if (Only)
        return nullptr;
      Only = T;
    }
  bool Ordered =
      Only && Only->Iterators.size() == 1 && isOrdered(Only->Iterators[0].Kind);
  return Ordered ? Only : nullptr;
}

/// A scalar from outside that counts under a condition and says where elements
/// go or come from.
bool packs(const TensorOp &T, const Shape &Sh) {
  std::set<const Var *> Counters;
  forEachStmt(T.Body, [&](const StmtRef &S) {
    auto *I = dyn_cast<If>(S.get());
    if (!I)
      return;
    forEachStmt(S, [&](const StmtRef &Sub) {
      auto *A = dyn_cast<Assign>(Sub.get());
      if (A && A->V->Ty.isInt() && uses(Sub, A->V.get()))
        Counters.insert(A->V.get());
    });
  });
  auto IndexedBy = [&](const Access &A) {
    return any_of(Counters, [&](const Var *V) { return usesAny(A, V); });
  };
  return any_of(Sh.Stores, IndexedBy) || any_of(Sh.Loads, IndexedBy);
}

/// An extreme value and where it was found: under one test of the value, that
/// and other scalars are replaced.
bool keepsPlace(const TensorOp &T) {
  bool Found = false;
  forEachStmt(T.Body, [&](const StmtRef &S) {
    auto *I = dyn_cast<If>(S.get());
    if (!I || I->Else)
      return;
    bool Value = false, Place = false;
    for (const StmtRef &Sub : statements(I->Then))
      if (auto *A = dyn_cast<Assign>(Sub.get()); A && A->Op == Combiner::None)
        (uses(I->Cond, A->V.get()) ? Value : Place) = true;
    Found |= Value && Place;
  });
  return Found;
}

} // namespace

std::string kindOf(const StmtRef &S) {
  Shape Sh;
  lookAt(S, Sh);
  unsigned Top = 0;
  for (const StmtRef &Sub : statements(S))
    Top += isa<TensorOp>(*Sub);
  if (Sh.Nested || Top > 1)
    return "nest";
  if (const TensorOp *T = inOrder(S)) {
    if (T->Iterators[0].Kind == IterKind::Search)
      return "search";
    if (keepsPlace(*T))
      return "argument of an extreme";
    if (packs(*T, Sh))
      return "packing";
    if (any_of(Sh.Stores, isIndirect))
      return Sh.Combined.empty() ? "scatter" : "histogram";
    if (T->Iterators[0].Kind == IterKind::Scan)
      return "scan";
  }
  if (Sh.Meets)
    return "histogram";
  if (Sh.Reduces)
    return isContraction(Sh) ? "contraction" : "reduction";
  if (any_of(Sh.Stores, isIndirect))
    return "scatter";
  if (any_of(Sh.Loads, isIndirect))
    return "gather";
  if (isStencil(Sh))
    return "stencil";
  if (isTranspose(Sh))
    return "transpose";
  if (isBroadcast(Sh))
    return "broadcast";
  return "map";
}

} // namespace raise
