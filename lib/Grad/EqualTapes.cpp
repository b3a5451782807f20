//===- EqualTapes.cpp - what is kept twice --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
//   t1[i] = p[j - 1]; p[j] = e; t2[i] = p[j - 1]; q[j] = f;
//
// Two statements need p[j - 1], and each keeps it. Where nothing in between
// changes it, both tapes hold the same values at the same places: what reads t2
// may as well read t1. And what then is read from one place twice is read once.
//
//===----------------------------------------------------------------------===//

#include "EqualTapes.h"
#include "raise/IR/Visitor.h"
#include "raise/Transform/IndexMath.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace raise::grad {

namespace {

/// Whether A and B, of one buffer, are different elements for sure: they differ
/// in one subscript, by a number.
bool differ(const Access &A, const Access &B) {
  if (A.isView() || B.isView() || !A.Field.empty() || !B.Field.empty() ||
      A.Indices.size() != B.Indices.size())
    return false;
  unsigned Unequal = 0;
  for (size_t D = 0; D < A.Indices.size(); ++D) {
    if (structurallyEqual(A.Indices[D], B.Indices[D]))
      continue;
    const auto P = Polynomial::of(A.Indices[D]),
               Q = Polynomial::of(B.Indices[D]);
    const auto By = P && Q ? (*P - *Q).asConstant() : std::nullopt;
    if (!By || *By == 0)
      return false;
    ++Unequal;
  }
  return Unequal == 1;
}

using Statements = std::vector<StmtRef>;

/// What S, and the blocks in it, do one after the other.
void flatten(const StmtRef &S, Statements &Into) {
  if (!isa<Block>(*S))
    return Into.push_back(S);
  for (const StmtRef &Sub : cast<Block>(S.get())->Body)
    flatten(Sub, Into);
}

/// Calls Visit for each such list in S.
void forEachList(const StmtRef &S,
                 function_ref<void(ArrayRef<StmtRef>)> Visit) {
  Statements List;
  flatten(S, List);
  Visit(List);
  for (const StmtRef &Sub : List)
    mapChildren(Sub, [&](const StmtRef &C) {
      forEachList(C, Visit);
      return C;
    });
}

/// Tapes of one function: all arrays on the heap are, and most have one store.
class Tapes {
public:
  explicit Tapes(const StmtRef &Body) {
    DenseMap<const Buffer *, unsigned> Stores;
    unsigned Lists = 0;
    forEachList(Body, [&](ArrayRef<StmtRef> List) {
      ++Lists;
      for (const StmtRef &S : List)
        if (auto *St = dyn_cast<Store>(S.get()))
          ++Stores[St->To.Buf.get()];
        else if (auto *D = dyn_cast<DeclBuffer>(S.get());
                 D && D->B->Lies == ArrayHome::Heap)
          DeclaredIn[D->B.get()] = Lists;
    });
    for (auto &[B, In] : DeclaredIn)
      if (Stores.lookup(B) == 1)
        Once.insert(B);
  }

  bool isOurs(const Buffer &B) const { return DeclaredIn.count(&B); }

  /// S as what keeps a value; null if it is anything else.
  const Store *keeps(const StmtRef &S) const {
    auto *St = dyn_cast<Store>(S.get());
    return St && St->Op == Combiner::None && !St->Atomic &&
                   Once.count(St->To.Buf.get())
               ? St
               : nullptr;
  }

  /// Whether tapes of A and B are of one kind, and so are the places.
  bool areAlike(const Store &A, const Store &B) const {
    const Buffer &X = *A.To.Buf, &Y = *B.To.Buf;
    return &X != &Y && X.Elem == Y.Elem &&
           DeclaredIn.lookup(&X) == DeclaredIn.lookup(&Y) &&
           sameList(X.Extents, Y.Extents) &&
           sameList(A.To.Indices, B.To.Indices) &&
           sameList(A.To.Extents, B.To.Extents) && A.To.Field.empty() &&
           B.To.Field.empty();
  }

private:
  static bool same(const ExprRef &A, const ExprRef &B) {
    return A && B ? structurallyEqual(A, B) : A == B;
  }
  static bool sameList(const std::vector<ExprRef> &A,
                       const std::vector<ExprRef> &B) {
    return std::equal(A.begin(), A.end(), B.begin(), B.end(), same);
  }
  DenseMap<const Buffer *, unsigned> DeclaredIn; ///< the list
  DenseSet<const Buffer *> Once;
};

/// Whether S, which stands between, leaves E's value as it is.
bool leaves(const StmtRef &S, const ExprRef &E, const Tapes &Known) {
  if (auto *D = dyn_cast<Decl>(S.get()))
    return !uses(E, D->V.get());
  if (auto *A = dyn_cast<Assign>(S.get()))
    return !uses(E, A->V.get());
  auto *St = dyn_cast<Store>(S.get());
  if (!St)
    return false;
  bool Ok = true;
  forEachExpr(E, [&](const ExprRef &Sub) {
    auto *L = dyn_cast<Load>(Sub.get());
    Ok &= !isa<Call>(*Sub);
    if (L)
      Ok &= !L->From.Buf->Volatile &&
            (Known.isOurs(*St->To.Buf)
                 ? L->From.Buf != St->To.Buf
                 : L->From.Buf == St->To.Buf && differ(L->From, St->To));
  });
  return Ok;
}

/// Reads other tapes.
class Readers : public Rewriter {
public:
  DenseMap<const Buffer *, BufferRef> Instead;
  ExprRef rewriteExpr(const ExprRef &E) override {
    auto *L = dyn_cast<Load>(E.get());
    const BufferRef By = L ? Instead.lookup(L->From.Buf.get()) : nullptr;
    if (!By)
      return E;
    Access From = L->From;
    From.Buf = By;
    return std::make_shared<Load>(std::move(From), E->Ty);
  }
};

/// Uses one constant for what is read from one place of a tape twice.
class Reads : public Rewriter {
public:
  explicit Reads(const StmtRef &Body) {
    const Tapes Known(Body);
    // (A name is known in its own block.)
    forEachStmt(Body, [&](const StmtRef &S) {
      if (const auto *B = dyn_cast<Block>(S.get()))
        find(B->Body, Known);
    });
  }
  bool any() const { return !Instead.empty(); }

private:
  DenseMap<const Var *, VarRef> Instead;
  DenseSet<const Stmt *> Dropped;

  static const Decl *reads(const StmtRef &S, const Tapes &Known) {
    const auto *D = dyn_cast<Decl>(S.get());
    const auto *L =
        D && D->Init && D->V->Const ? dyn_cast<Load>(D->Init.get()) : nullptr;
    return L && D->V->Kind == VarKind::Local && Known.isOurs(*L->From.Buf)
               ? D
               : nullptr;
  }
  void find(ArrayRef<StmtRef> List, const Tapes &Known) {
    for (size_t K = 0; K < List.size(); ++K) {
      const Decl *First = reads(List[K], Known);
      if (!First || Dropped.count(First))
        continue;
      for (size_t M = K + 1;
           M < List.size() && leaves(List[M], First->Init, Known); ++M)
        if (const Decl *Again = reads(List[M], Known);
            Again && Again->V->Ty == First->V->Ty &&
            structurallyEqual(First->Init, Again->Init)) {
          Instead[Again->V.get()] = First->V;
          Dropped.insert(Again);
        }
    }
  }
  ExprRef rewriteExpr(const ExprRef &E) override {
    const auto *U = dyn_cast<VarUse>(E.get());
    const VarRef V = U ? Instead.lookup(U->V.get()) : nullptr;
    return V ? build::var(V) : E;
  }
  StmtRef rewriteStmt(const StmtRef &S) override {
    return Dropped.count(S.get()) ? makeBlock({}) : S;
  }
};

StmtRef withoutEqualReads(const StmtRef &Body) {
  Reads R(Body);
  return R.any() ? R.run(Body) : Body;
}

} // namespace

StmtRef withoutEqualTapes(StmtRef Body) {
  const Tapes Known(Body);
  Readers R;
  forEachList(Body, [&](ArrayRef<StmtRef> List) {
    for (size_t K = 0; K < List.size(); ++K) {
      const Store *First = Known.keeps(List[K]);
      if (!First || R.Instead.count(First->To.Buf.get()))
        continue;
      for (size_t M = K + 1; M < List.size(); ++M) {
        const Store *Again = Known.keeps(List[M]);
        if (Again && Known.areAlike(*First, *Again) &&
            structurallyEqual(First->Value, Again->Value))
          R.Instead[Again->To.Buf.get()] = First->To.Buf;
        else if (const auto Changes =
                     [&](const ExprRef &E) {
                       return E && !leaves(List[M], E, Known);
                     };
                 Changes(First->Value) || any_of(First->To.Indices, Changes) ||
                 any_of(First->To.Extents, Changes))
          break;
      }
    }
  });
  return withoutEqualReads(R.Instead.empty() ? Body : R.run(Body));
}

} // namespace raise::grad
