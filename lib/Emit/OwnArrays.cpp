//===- OwnArrays.cpp - what each thread updates for itself ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "OwnArrays.h"
#include "raise/IR/UpdatedRows.h"
#include "raise/IR/Updates.h"
#include "raise/IR/Visitor.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace raise {

std::vector<Accumulator> updatedArrays(const TensorOp &T,
                                       ArrayRef<Guard> Tested) {
  MapVector<const Buffer *, Accumulator> Found;
  DenseSet<const Buffer *> Others;
  forEachStmt(T.Body, [&](const StmtRef &S) {
    if (const auto *D = dyn_cast<DeclBuffer>(S.get()))
      Others.insert(D->B.get());
    const auto *St = dyn_cast<Store>(S.get());
    if (!St)
      return;
    Accumulator &A = Found[St->To.Buf.get()];
    const bool First = !A.Array;
    A.Array = St->To.Buf;
    if (!St->Atomic || !St->To.Field.empty() || St->To.isView() ||
        !canAccumulate(St->Op, St->To.Buf->Elem, St->Value) ||
        (!First && A.Op != familyOf(St->Op)))
      Others.insert(St->To.Buf.get());
    A.Op = familyOf(St->Op);
    A.Rounds |= rounds(St->Op, St->To.Buf->Elem, St->Value->Ty);
  });
  const auto AddRead = [&](const ExprRef &E) {
    if (const auto *L = dyn_cast<Load>(E.get()))
      Others.insert(L->From.Buf.get());
  };
  const StmtRef Whole = std::make_shared<TensorOp>(T);
  forEachExpr(Whole, AddRead);
  std::vector<Accumulator> Arrays;
  for (auto &[B, A] : Found) {
    if (Others.count(B))
      continue;
    if (!fitsEachThread(*B)) {
      const auto Row = updatedRow(Whole, *B);
      if (!Row || !areTested(*Row, Tested))
        continue;
      A.Length = Row->Length;
    }
    Arrays.push_back(A);
  }
  return Arrays;
}

StmtRef withPlainUpdates(const TensorOp &T,
                         const SmallPtrSetImpl<const Buffer *> &Own) {
  if (!hasAtomic(T.Body))
    return T.Body;
  DenseMap<const Buffer *, unsigned> Stores;
  forEachStmt(T.Body, [&](const StmtRef &S) {
    if (auto *St = dyn_cast<Store>(S.get()))
      ++Stores[St->To.Buf.get()];
  });
  bool Changed = false;
  std::vector<StmtRef> Body = statements(T.Body);
  for (StmtRef &S : Body) {
    auto *St = dyn_cast<Store>(S.get());
    const auto Step =
        St ? stride(St->To, T.Iterators.back().V.get()) : std::nullopt;
    if (!St || !St->Atomic || !Own.contains(St->To.Buf.get()) ||
        Stores[St->To.Buf.get()] != 1 || !Step || !*Step)
      continue;
    S = std::make_shared<Store>(St->To, St->Op, St->Value, /*Atomic=*/false,
                                St->Loc);
    Changed = true;
  }
  return Changed ? makeBlock(std::move(Body), T.Body->Loc) : T.Body;
}

bool updatesTogether(const TensorOp &T, ArrayRef<Accumulator> Own) {
  bool Found = false;
  forEachStmt(T.Body, [&](const StmtRef &S) {
    auto *St = dyn_cast<Store>(S.get());
    Found |= St && St->Atomic && none_of(Own, [&](const Accumulator &A) {
               return A.Array == St->To.Buf;
             });
  });
  return Found;
}

} // namespace raise
