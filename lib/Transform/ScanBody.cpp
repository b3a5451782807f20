//===- ScanBody.cpp - the running sums of a loop --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ScanBody.h"
#include "FoldConstants.h"
#include "LaneValue.h"
#include "PlainName.h"
#include "raise/Analysis/UpdateChain.h"
#include "raise/IR/Effects.h"
#include "raise/IR/Visitor.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace raise;
using llvm::cast;
using llvm::dyn_cast;
using llvm::isa;

BinaryOp raise::operatorOf(Combiner Op) {
  return Op == Combiner::Add   ? BinaryOp::Add
         : Op == Combiner::Sub ? BinaryOp::Sub
                               : BinaryOp::Mul;
}

namespace {

/// Sums side by side take the loop no longer than one does, and strips twice as
/// long.
constexpr size_t MostScans = 1;
/// Operations on what is summed, which are done one by one.
constexpr uint64_t MostSummed = 1;
/// Operations of a point that vectors do in the time of an addition.
constexpr uint64_t MostOperations = 16;

Combiner combinerOf(BinaryOp Op) {
  return Op == BinaryOp::Add   ? Combiner::Add
         : Op == BinaryOp::Sub ? Combiner::Sub
         : Op == BinaryOp::Mul ? Combiner::Mul
                               : Combiner::None;
}

/// E, in which IsOld holds for one part, as that and an update of it.
std::optional<ChainLink>
updateOf(const ExprRef &E, llvm::function_ref<bool(const ExprRef &)> IsOld) {
  if (const auto Links = updateChain(E, IsOld)) {
    // x - a + b is x - (a - b).
    const Combiner Op = Links->front().Op;
    ExprRef Value = Links->front().Operand;
    for (const ChainLink &L : llvm::ArrayRef(*Links).drop_front()) {
      if (L.Operand->Ty != Value->Ty)
        return std::nullopt;
      BinaryOp With = operatorOf(L.Op);
      if (Op == Combiner::Sub)
        With = L.Op == Combiner::Sub ? BinaryOp::Add : BinaryOp::Sub;
      Value = build::binary(With, Value, L.Operand);
    }
    return ChainLink{Op, Value};
  }
  unsigned Olds = 0;
  forEachExpr(E, [&](const ExprRef &Sub) { Olds += IsOld(Sub); });
  const auto *B = dyn_cast<Binary>(E.get());
  const Combiner Op = B ? combinerOf(B->Op) : Combiner::None;
  if (Olds != 1 || Op == Combiner::None)
    return std::nullopt;
  if (IsOld(B->L))
    return ChainLink{Op, B->R};
  if (IsOld(B->R) && Op != Combiner::Sub)
    return ChainLink{Op, B->L};
  return std::nullopt;
}

/// Whether running sums of this type wait for their additions.
bool isSlow(const Type &Ty) {
  return Ty.isFloat() && (Ty.Bits == 32 || Ty.Bits == 64);
}

} // namespace

Distance ScanBody::between(const Access &Stored, const Access &Other) const {
  return distanceBetween(Stored, Other, Body, It.V.get(), R.Rests.Guards);
}

/// Whether E loads what St stored one iteration ago.
bool ScanBody::isOld(const ExprRef &E, const Store &St) const {
  const auto *L = dyn_cast<Load>(E.get());
  if (!L || L->From.Buf != St.To.Buf || E->Ty != St.To.Buf->Elem)
    return false;
  const Distance D = between(St.To, L->From);
  return D.Known && D.By == -1;
}

/// Whether no other statement stores to the elements that St does.
bool ScanBody::isStoredOnce(const Store &St) const {
  return llvm::all_of(statements(Body), [&](const StmtRef &S) {
    const auto *Other = dyn_cast<Store>(S.get());
    return !Other || Other == &St ||
           (Other->To.Buf != St.To.Buf &&
            areApart(R.Rests.Guards, *Other->To.Buf, *St.To.Buf));
  });
}

bool ScanBody::addAssign(const Assign &A) {
  if (llvm::any_of(Scans, [&](const Scan &S) { return S.S == A.V; }) ||
      !isSlow(A.V->Ty) || A.Value->Ty != A.V->Ty ||
      llvm::any_of(List, [&](const StmtRef &S) {
        const auto *D = dyn_cast<Decl>(S.get());
        return D && D->V == A.V;
      }))
    return false;
  std::optional<ChainLink> Update;
  if (A.Op == Combiner::None)
    Update = updateOf(A.Value, [&](const ExprRef &E) {
      const auto *U = dyn_cast<VarUse>(E.get());
      return U && U->V == A.V;
    });
  else if (A.Op == Combiner::Add || A.Op == Combiner::Sub ||
           A.Op == Combiner::Mul)
    Update = ChainLink{A.Op, A.Value};
  if (!Update || Update->Operand->Ty != A.V->Ty)
    return false;
  Scans.push_back(
      {A.V, plainName(A.V->Name), List.size(), Update->Op, Update->Operand});
  List.push_back(
      std::make_shared<Assign>(A.V, Update->Op, Update->Operand, A.Loc));
  return true;
}

/// A sum in memory, `a[i] = a[i-1] + x`, gets a scalar.
bool ScanBody::addStore(const Store &St) {
  if (St.Atomic || St.To.Buf->Volatile || !St.To.Field.empty())
    return false;
  const Type &Ty = St.To.Buf->Elem;
  ExprRef Value = St.Value;
  const auto IsOld = [&](const ExprRef &E) { return isOld(E, St); };
  bool Reads = false;
  forEachExpr(Value, [&](const ExprRef &E) { Reads |= IsOld(E); });
  if (!Reads) {
    List.push_back(std::make_shared<Store>(St));
    return true;
  }
  if (!isSlow(Ty) || Value->Ty != Ty || !isStoredOnce(St))
    return false;
  if (St.Op == Combiner::Add || St.Op == Combiner::Mul)
    Value = build::binary(operatorOf(St.Op), build::load(St.To), Value);
  else if (St.Op != Combiner::None)
    return false;
  ExprRef Old;
  forEachExpr(Value, [&](const ExprRef &E) {
    if (IsOld(E))
      Old = E;
  });
  const auto Update = updateOf(Value, IsOld);
  if (!Update || Update->Operand->Ty != Ty)
    return false;
  Access First = cast<Load>(*Old).From;
  for (ExprRef &E : First.Indices)
    E = ConstantFolder().run(substitute(E, It.V, build::cast(It.Lo, It.V->Ty)));
  const auto Last = std::make_shared<Var>();
  const std::string Name = plainName(St.To.Buf->Name);
  Last->Name = Name + "_last";
  Last->Ty = Ty;
  Before.push_back(std::make_shared<Decl>(Last, build::load(First)));
  Scans.push_back({Last, Name, List.size(), Update->Op, Update->Operand});
  List.push_back(
      std::make_shared<Assign>(Last, Update->Op, Update->Operand, St.Loc));
  List.push_back(std::make_shared<Store>(St.To, Combiner::None,
                                         build::var(Last), false, St.Loc));
  return true;
}

/// The lets that the sums need; false if a sum hangs on another one.
bool ScanBody::takeLets() {
  std::set<const Var *> Used, Sums;
  bool Ok = true;
  for (const Scan &S : Scans)
    Sums.insert(S.S.get());
  const auto Look = [&](const ExprRef &E) {
    Ok &= isLaneValue(E, It.V.get());
    forEachExpr(E, [&](const ExprRef &Sub) {
      if (const auto *U = dyn_cast<VarUse>(Sub.get()))
        Used.insert(U->V.get());
    });
  };
  for (size_t I = List.size(); I-- > 0;) {
    const auto *D = dyn_cast<Decl>(List[I].get());
    if (const Scan *S = scanAt(I)) {
      Look(S->Value);
    } else if (D && Used.count(D->V.get())) {
      Look(D->Init);
      Lets.insert(Lets.begin(), List[I]);
    }
  }
  return Ok &&
         llvm::none_of(Sums, [&](const Var *V) { return Used.count(V) != 0; });
}

/// Whether what E, of statement At, loads is the same ahead of a strip's
/// stores.
bool ScanBody::runsAhead(const ExprRef &E, size_t At) const {
  bool Ok = true;
  forEachExpr(E, [&](const ExprRef &Sub) {
    const auto *L = dyn_cast<Load>(Sub.get());
    for (size_t I = 0; L && I < List.size(); ++I) {
      const auto *St = dyn_cast<Store>(List[I].get());
      if (!St)
        continue;
      const Distance D = between(St->To, L->From);
      Ok &= D.Known && (!D.By || *D.By > 0 || (*D.By == 0 && I > At));
    }
  });
  return Ok;
}

/// Whether what is summed may be loaded first; sets IsFree.
bool ScanBody::readsOnlyFirst() {
  for (size_t I = 0; I < List.size(); ++I) {
    if (const Scan *S = scanAt(I); S && !runsAhead(S->Value, I))
      return false;
    const auto *D = dyn_cast<Decl>(List[I].get());
    if (D && llvm::is_contained(Lets, List[I]) && !runsAhead(D->Init, I))
      return false;
  }
  // The other statements stay as they are, point by point.
  const auto Apart = [&](const Access &Stored, const Access &Other) {
    const Distance D = between(Stored, Other);
    IsFree &= D.Known && (!D.By || *D.By == 0);
  };
  for (size_t I = 0; I < List.size(); ++I)
    for (size_t K = 0; K < List.size(); ++K) {
      const auto *St = dyn_cast<Store>(List[I].get());
      if (!St || scanAt(K))
        continue;
      if (const auto *Other = dyn_cast<Store>(List[K].get());
          Other && Other != St)
        Apart(St->To, Other->To);
      forEachExpr(List[K], [&](const ExprRef &E) {
        if (const auto *L = dyn_cast<Load>(E.get()))
          Apart(St->To, L->From);
      });
    }
  return true;
}

/// Whether vectors hold all that is done beside the sums.
bool ScanBody::pays() const {
  uint64_t Operations = 0, Summed = 0, Stores = 0;
  bool Ok = true;
  const auto Count = [&](const ExprRef &E, uint64_t &Operations) {
    Ok &= isLaneValue(E, It.V.get());
    forEachExpr(E, [&](const ExprRef &Sub) {
      const auto *B = dyn_cast<Binary>(Sub.get());
      if (B && Sub->Ty.isFloat())
        Operations += B->Op == BinaryOp::Div ? 4 : 1;
    });
  };
  for (size_t I = 0; I < List.size(); ++I) {
    if (const Scan *S = scanAt(I)) {
      Count(S->Value, Summed);
    } else if (const auto *D = dyn_cast<Decl>(List[I].get())) {
      Ok &= isSlow(D->V->Ty);
      Count(D->Init, llvm::is_contained(Lets, List[I]) ? Summed : Operations);
    } else {
      ++Stores;
      const auto &St = cast<Store>(*List[I]);
      const auto Stride = strideAlong(St.To, It.V.get());
      Ok &= Stride && std::abs(*Stride) == 1;
      Count(St.Value, Operations);
    }
  }
  // Of two stores, clang 19 makes code that is slower than the loop past the
  // caches.
  return Ok && Stores == 1 && Operations <= MostOperations &&
         Summed <= MostSummed;
}

bool ScanBody::find() {
  for (const StmtRef &S : statements(Body)) {
    if (const auto *D = dyn_cast<Decl>(S.get())) {
      if (!D->Init || D->V->Kind == VarKind::Cursor)
        return false;
      List.push_back(S);
    } else if (const auto *A = dyn_cast<Assign>(S.get())) {
      if (!addAssign(*A))
        return false;
    } else if (const auto *St = dyn_cast<Store>(S.get())) {
      if (!addStore(*St))
        return false;
    } else {
      return false;
    }
  }
  const bool Stores =
      llvm::any_of(List, [](const StmtRef &S) { return isa<Store>(S.get()); });
  return Stores && !Scans.empty() && Scans.size() <= MostScans && takeLets() &&
         readsOnlyFirst() && IsFree && pays();
}
