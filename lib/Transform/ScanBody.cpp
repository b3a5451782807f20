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
/// Operations on what is summed that are done one by one. More are done in
/// vectors before, for which sums have to wait longer than that takes.
constexpr uint64_t MostSummed = 1;
/// Stores of a loop that waits for two operations or more.
constexpr uint64_t MostStores = 2;
/// Operations of a point that vectors do in the time of an addition.
constexpr uint64_t MostOperations = 16;

Combiner combinerOf(BinaryOp Op) {
  return Op == BinaryOp::Add   ? Combiner::Add
         : Op == BinaryOp::Sub ? Combiner::Sub
         : Op == BinaryOp::Mul ? Combiner::Mul
                               : Combiner::None;
}

/// Updates of one value, made one.
struct Update : ChainLink {
  size_t Links = 1; ///< of how many
};

/// E, in which IsOld holds for one part, as that and an update of it.
std::optional<Update>
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
    return Update{{Op, Value}, Links->size()};
  }
  unsigned Olds = 0;
  forEachExpr(E, [&](const ExprRef &Sub) { Olds += IsOld(Sub); });
  const auto *B = dyn_cast<Binary>(E.get());
  const Combiner Op = B ? combinerOf(B->Op) : Combiner::None;
  if (Olds != 1 || Op == Combiner::None)
    return std::nullopt;
  if (IsOld(B->L))
    return Update{{Op, B->R}};
  if (IsOld(B->R) && Op != Combiner::Sub)
    return Update{{Op, B->L}};
  return std::nullopt;
}

/// Whether Fn holds for a part of E.
bool holdsAny(const ExprRef &E, llvm::function_ref<bool(const ExprRef &)> Fn) {
  bool Any = false;
  forEachExpr(E, [&](const ExprRef &Sub) { Any |= Fn(Sub); });
  return Any;
}

/// E, an expression or a statement, with Fn's result for each expression.
template <typename T>
T mapExprs(const T &E, llvm::function_ref<ExprRef(const ExprRef &)> Fn) {
  struct ByFn : Rewriter {
    llvm::function_ref<ExprRef(const ExprRef &)> Fn;
    explicit ByFn(llvm::function_ref<ExprRef(const ExprRef &)> Fn) : Fn(Fn) {}
    ExprRef rewriteExpr(const ExprRef &E) override { return Fn(E); }
  };
  return ByFn(Fn).run(E);
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
bool ScanBody::isStoredBefore(const ExprRef &E, const Store &St) const {
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
  std::optional<Update> By;
  const auto Old = [&](const ExprRef &E) {
    const auto *U = dyn_cast<VarUse>(E.get());
    return U && U->V == A.V;
  };
  if (A.Op == Combiner::None)
    By = updateOf(forwarded(A.Value, Old), Old);
  else if (A.Op == Combiner::Add || A.Op == Combiner::Sub ||
           A.Op == Combiner::Mul)
    By = Update{{A.Op, A.Value}};
  if (!By || By->Operand->Ty != A.V->Ty)
    return false;
  Scans.push_back(
      {A.V, plainName(A.V->Name), List.size(), By->Op, By->Operand, By->Links});
  List.push_back(std::make_shared<Assign>(A.V, By->Op, By->Operand, A.Loc));
  return true;
}

/// Whether E is still what it was before the statements from From on: they
/// store to nothing that it loads, and set no variable in it.
bool ScanBody::isKept(const ExprRef &E, size_t From) const {
  const auto Changes = [&](const StmtRef &S, const ExprRef &Sub) {
    if (const auto *U = dyn_cast<VarUse>(Sub.get()))
      return assigns(S, U->V.get());
    const auto *L = dyn_cast<Load>(Sub.get());
    const auto *St = dyn_cast<Store>(S.get());
    if (!L || !St)
      return false;
    const Distance D = between(St->To, L->From);
    return !D.Known || (D.By && *D.By == 0);
  };
  return !holdsAny(E, [&](const ExprRef &Sub) {
    return llvm::any_of(llvm::drop_begin(List, From),
                        [&](const StmtRef &S) { return Changes(S, Sub); });
  });
}

/// E with the values that earlier statements store for it, where these read
/// a sum: `b[i] = a[i] + d` behind `a[i] = b[i-1] + c`.
ExprRef ScanBody::forwarded(const ExprRef &E, IsOld Old) const {
  return mapExprs(E, [&](const ExprRef &Sub) {
    const auto *L = dyn_cast<Load>(Sub.get());
    for (size_t I = List.size(); L && I-- > 0;) {
      const auto *St = dyn_cast<Store>(List[I].get());
      const Distance D = St ? between(St->To, L->From) : Distance{true, {}};
      if (D.Known && !D.By)
        continue;
      const bool IsIt = D.Known && *D.By == 0 && St->Op == Combiner::None &&
                        St->To.Buf == L->From.Buf && St->Value->Ty == Sub->Ty;
      return IsIt && holdsAny(St->Value, Old) && isKept(St->Value, I)
                 ? St->Value
                 : Sub;
    }
    return Sub;
  });
}

/// What St stored an iteration ago, where statements before it read it, is in
/// Last.
void ScanBody::useLast(const Store &St, const VarRef &Last) {
  for (StmtRef &S : List)
    S = mapExprs(S, [&](const ExprRef &E) {
      return isStoredBefore(E, St) ? build::var(Last) : E;
    });
}

/// A sum in memory, `a[i] = a[i-1] + x`, gets a scalar.
bool ScanBody::addStore(const Store &St) {
  if (St.Atomic || St.To.Buf->Volatile || !St.To.Field.empty())
    return false;
  const Type &Ty = St.To.Buf->Elem;
  const auto IsOld = [&](const ExprRef &E) { return isStoredBefore(E, St); };
  ExprRef Value = forwarded(St.Value, IsOld);
  if (!holdsAny(Value, IsOld)) {
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
  const auto By = updateOf(Value, IsOld);
  if (!By || By->Operand->Ty != Ty)
    return false;
  Access First = cast<Load>(*Old).From;
  for (ExprRef &E : First.Indices)
    E = ConstantFolder().run(substitute(E, It.V, build::cast(It.Lo, It.V->Ty)));
  const auto Last = std::make_shared<Var>();
  const std::string Name = plainName(St.To.Buf->Name);
  Last->Name = Name + "_last";
  Last->Ty = Ty;
  Before.push_back(std::make_shared<Decl>(Last, build::load(First)));
  useLast(St, Last);
  Scans.push_back({Last, Name, List.size(), By->Op, By->Operand, By->Links});
  List.push_back(std::make_shared<Assign>(Last, By->Op, By->Operand, St.Loc));
  List.push_back(std::make_shared<Store>(St.To, Combiner::None,
                                         build::var(Last), false, St.Loc));
  return true;
}

/// What is stored for the sums, by statements before them that use none.
void ScanBody::takeEarly() {
  const auto *S = &Scans.front();
  std::vector<ExprRef> Read{S->Value};
  for (size_t I = S->At; I-- > 0;) {
    const auto *D = dyn_cast<Decl>(List[I].get());
    const auto *St = dyn_cast<Store>(List[I].get());
    if (D && llvm::any_of(
                 Read, [&](const ExprRef &E) { return uses(E, D->V.get()); }))
      Read.push_back(D->Init);
    if (!St || uses(List[I], S->S.get()))
      continue;
    const bool IsRead = llvm::any_of(Read, [&](const ExprRef &E) {
      return holdsAny(E, [&](const ExprRef &Sub) {
        const auto *L = dyn_cast<Load>(Sub.get());
        const Distance D = L ? between(St->To, L->From) : Distance{true, {}};
        return D.Known && D.By && *D.By == 0;
      });
    });
    if (IsRead) {
      Early.push_back(I);
      Read.push_back(St->Value);
    }
  }
}

/// The lets that the sums need, and what is stored for them; false if a sum
/// hangs on another one.
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
    } else if (isEarly(I)) {
      Look(cast<Store>(*List[I]).Value);
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
      // Of what is stored for all points of a strip before it is loaded, a
      // point's own value is right alone.
      Ok &= D.Known &&
            (!D.By ||
             (isEarly(I) ? *D.By == 0 : *D.By > 0 || (*D.By == 0 && I > At)));
    }
  });
  return Ok;
}

/// Whether S, which will stand behind St and stands before it, touches what
/// St stores or stores what it loads.
bool ScanBody::meets(const StmtRef &S, const Store &St) const {
  const auto Meet = [&](const Access &Stored, const Access &Other) {
    const Distance D = between(Stored, Other);
    return !D.Known || D.By;
  };
  bool Yes = false;
  forEachExpr(S, [&](const ExprRef &E) {
    const auto *L = dyn_cast<Load>(E.get());
    Yes |= L && Meet(St.To, L->From);
  });
  const auto *Other = dyn_cast<Store>(S.get());
  if (!Other)
    return Yes;
  forEachExpr(St.Value, [&](const ExprRef &E) {
    const auto *L = dyn_cast<Load>(E.get());
    Yes |= L && Meet(Other->To, L->From);
  });
  return Yes || Meet(Other->To, St.To);
}

/// Whether what is summed may be loaded first; sets IsFree.
bool ScanBody::readsOnlyFirst() {
  for (size_t I = 0; I < List.size(); ++I) {
    if (const Scan *S = scanAt(I); S && !runsAhead(S->Value, I))
      return false;
    const auto *D = dyn_cast<Decl>(List[I].get());
    if (D && llvm::is_contained(Lets, List[I]) && !runsAhead(D->Init, I))
      return false;
    if (isEarly(I) && !runsAhead(cast<Store>(*List[I]).Value, I))
      return false;
  }
  for (const size_t I : Early)
    for (size_t K = 0; K < I; ++K)
      if (!isEarly(K) && meets(List[K], cast<Store>(*List[I])))
        return false;
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
bool ScanBody::pays() {
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
  ByTerms = !Early.empty() || Summed > MostSummed;
  // Two arrays of a strip's sums bring more through the caches than they save.
  const Scan &Sum = Scans.front();
  bool Before = false, Upto = ByTerms;
  for (size_t I = 0; I < List.size(); ++I)
    if (!scanAt(I) && uses(List[I], Sum.S.get()))
      (I < Sum.At ? Before : Upto) = true;
  // Of two stores, clang 19 makes code that is slower than the loop past the
  // caches, if that waits for one addition.
  return Ok && !(Before && Upto && waitsLong()) &&
         Stores <= (waitsLong() ? MostStores : 1) &&
         (!ByTerms || waitsLong()) && Operations + Summed <= MostOperations;
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
  return Stores && !Scans.empty();
}

bool ScanBody::takesStrips() {
  if (Scans.size() != MostScans)
    return false;
  takeEarly();
  return takeLets() && readsOnlyFirst() && IsFree && pays();
}
