//===- CommutingUpdates.cpp - elements that iterations meet in ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "CommutingUpdates.h"
#include "ReductionForm.h"
#include "SumLoops.h"
#include "raise/IR/UpdatedRows.h"
#include "raise/IR/Updates.h"
#include "raise/IR/Visitor.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace raise;
using llvm::dyn_cast;

namespace {

/// All stores of S to B.
std::vector<const Store *> storesTo(const StmtRef &S, const Buffer &B) {
  std::vector<const Store *> Found;
  forEachStmt(S, [&](const StmtRef &Sub) {
    if (const auto *St = dyn_cast<Store>(Sub.get());
        St && St->To.Buf.get() == &B)
      Found.push_back(St);
  });
  return Found;
}

/// S with `h[e] = h[e] + v` as `h[e] += v`, for stores to B.
StmtRef withUpdates(StmtRef S, const Buffer &B) {
  for (const Store *St : storesTo(S, B)) {
    if (St->Op != Combiner::None)
      continue;
    for (const Combiner Op : {Combiner::Add, Combiner::Max, Combiner::Min}) {
      ReductionInfo R;
      R.Element = St->To;
      R.Op = Op;
      if (StmtRef New = canonicalReduction(S, R)) {
        S = New;
        break;
      }
    }
  }
  return S;
}

/// Whether S does nothing with B but to update elements, in any order.
bool onlyUpdates(const StmtRef &S, const Buffer &B, FPMode FP) {
  bool Reads = false;
  forEachExpr(S, [&](const ExprRef &E) {
    const auto *L = dyn_cast<Load>(E.get());
    Reads |= L && L->From.Buf.get() == &B;
  });
  const std::vector<const Store *> All = storesTo(S, B);
  return !Reads && llvm::all_of(All, [&](const Store *St) {
    return !St->Atomic && St->To.Field.empty() && !St->To.isView() &&
           familyOf(St->Op) == familyOf(All.front()->Op) &&
           combinesInAnyOrder(St->Op, B.Elem, St->Value->Ty, FP);
  });
}

/// The stores to one array, made atomic.
class Atomics : public Rewriter {
public:
  explicit Atomics(const Buffer &Of) : Of(Of) {}
  StmtRef rewriteStmt(const StmtRef &S) override {
    const auto *St = dyn_cast<Store>(S.get());
    if (!St || St->To.Buf.get() != &Of)
      return S;
    return std::make_shared<Store>(St->To, St->Op, St->Value, /*Atomic=*/true,
                                   St->Loc);
  }

private:
  const Buffer &Of;
};

/// Whether L is known to be too short for threads.
bool isShort(const For &L, const Options &Opts) {
  const auto *Lo = dyn_cast<IntConst>(L.Lo.get());
  const auto *Hi = dyn_cast<IntConst>(L.Hi.get());
  bool Nested = false;
  forEachStmt(L.Body, [&](const StmtRef &S) {
    Nested |= llvm::isa<For>(S.get()) || llvm::isa<While>(S.get());
  });
  return !Nested && Lo && Hi &&
         uint64_t(std::abs(Hi->Value - Lo->Value)) < Opts.Machine.ParallelWork;
}

/// The buffers that S stores to, and does not declare.
std::vector<BufferRef> storedTo(const StmtRef &S) {
  std::vector<BufferRef> Found;
  forEachStmt(S, [&](const StmtRef &Sub) {
    const auto *St = dyn_cast<Store>(Sub.get());
    if (St && !llvm::is_contained(Found, St->To.Buf))
      Found.push_back(St->To.Buf);
  });
  forEachStmt(S, [&](const StmtRef &Sub) {
    if (const auto *D = dyn_cast<DeclBuffer>(Sub.get()))
      llvm::erase(Found, D->B);
  });
  return Found;
}

/// Has Of test what a row of B rests on. False if it cannot be one.
bool addRow(const StmtRef &Whole, const BufferRef &B, CommutingLoop &Of) {
  // Where the author has threads share out a row, it is as he wants it.
  bool Directed = false;
  forEachStmt(Whole, [&](const StmtRef &S) {
    const auto *L = dyn_cast<For>(S.get());
    Directed |= L && L->LKind != LoopKind::Serial;
  });
  if (Directed)
    return false;
  std::optional<UpdatedRow> Row = updatedRow(Whole, *B);
  if (!Row)
    return false;
  const ExprRef Many = hasManyRows(Whole, *B);
  if (!Many)
    return false;
  Of.Rows.push_back(B);
  if (!llvm::isa<IntConst>(Many.get())) {
    Guard G;
    G.Cond = Many;
    G.Why = "rows enough to be shared out";
    Row->Tests.push_back(std::move(G));
  }
  for (Guard &G : Row->Tests)
    if (llvm::none_of(Of.Tests, [&](const Guard &Other) {
          return structurallyEqual(Other.Cond, G.Cond);
        }))
      Of.Tests.push_back(std::move(G));
  return true;
}

} // namespace

std::optional<CommutingLoop> raise::withCommutingUpdates(const For &L,
                                                         const Options &Opts) {
  if (isShort(L, Opts))
    return std::nullopt;
  CommutingLoop Found;
  StmtRef Body = L.Body;
  for (const BufferRef &B : storedTo(L.Body)) {
    const StmtRef New = withUpdates(Body, *B);
    const StmtRef Whole = withLoopBody(L, New);
    if (onlyUpdates(Whole, *B, Opts.FP) &&
        (fitsEachThread(*B) || addRow(Whole, B, Found)))
      Body = Atomics(*B).run(New);
  }
  if (Body == L.Body)
    return std::nullopt;
  Found.Loop = withLoopBody(L, Body);
  return Found;
}
