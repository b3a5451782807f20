//===- IdleStores.cpp - stores to adjoints that do nothing ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Each statement of the reverse sweep leaves the adjoint of what it replaced at
// zero, and adds to what it finds. Of arrays that the derivative has for itself
// both are often for nothing: what was cleared is not looked at again, and what
// is added to is zero.
//
//===----------------------------------------------------------------------===//

#include "raise/Grad/IdleStores.h"
#include "Rules.h"
#include "raise/Analysis/ArrayFlow.h"
#include "raise/IR/Visitor.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace raise::grad {

namespace {

/// Which stores write the elements of one array that others of the same loop
/// write too, for all that their subscripts say. In such a loop sums may change
/// places, and each stays one.
class Meeting : public Visitor {
public:
  explicit Meeting(const Buffer &B) : B(B) {}
  DenseSet<const Stmt *> Found;

  bool visitStmt(const StmtRef &S) override {
    auto *L = dyn_cast<For>(S.get());
    if (!L)
      return true;
    std::vector<const Store *> All;
    forEachStmt(L->Body, [&](const StmtRef &Sub) {
      if (auto *St = dyn_cast<Store>(Sub.get()); St && St->To.Buf.get() == &B)
        All.push_back(St);
    });
    for (const StmtRef &Sub : statements(L->Body))
      if (auto *St = dyn_cast<Store>(Sub.get()); St && St->To.Buf.get() == &B)
        for (const Store *Other : All)
          if (!structurallyEqual(elementOf(*St), elementOf(*Other)))
            Found.insert(St);
    return true;
  }

private:
  static ExprRef elementOf(const Store &St) {
    return std::make_shared<Load>(St.To, St.To.Buf->Elem);
  }
  const Buffer &B;
};

/// isl operations for one array.
constexpr unsigned long MaxOperations = 500000;

class WithoutIdle : public Rewriter {
public:
  WithoutIdle(const ArrayFlow &Flow, const DenseSet<const Stmt *> &Meeting)
      : Flow(Flow), Meeting(Meeting) {}

  StmtRef rewriteStmt(const StmtRef &S) override {
    if (auto *D = dyn_cast<DeclBuffer>(S.get()))
      return Flow.Unread.count(D) ? std::make_shared<DeclBuffer>(
                                        D->B, std::vector<ExprRef>(), D->Loc)
                                  : S;
    auto *St = dyn_cast<Store>(S.get());
    if (!St)
      return S;
    if (Flow.Unread.count(St))
      return nullptr;
    if (!Flow.OnZero.count(St) || Meeting.count(St) ||
        St->Value->Ty != St->To.Buf->Elem)
      return S;
    return std::make_shared<Store>(St->To, Combiner::None,
                                   St->Op == Combiner::Sub ? negated(St->Value)
                                                           : St->Value,
                                   /*Atomic=*/false, St->Loc);
  }

private:
  const ArrayFlow &Flow;
  const DenseSet<const Stmt *> &Meeting;
};

class Lists {
public:
  StmtRef run(const StmtRef &S) {
    if (auto *R = dyn_cast<Region>(S.get()))
      return std::make_shared<Region>(R->Rests, run(R->Body), R->Original,
                                      R->Loc);
    if (!isa<Block>(*S))
      return mapChildren(S, [&](const StmtRef &C) { return run(C); });
    std::vector<StmtRef> L;
    for (const StmtRef &C : cast<Block>(S.get())->Body)
      L.push_back(run(C));
    for (size_t K = 0; K < L.size(); ++K)
      if (auto *D = dyn_cast<DeclBuffer>(L[K].get()); D && isOurs(*D->B))
        while (improve(L, K))
          ;
    return std::make_shared<Block>(std::move(L), S->Loc);
  }

private:
  static bool isOurs(const Buffer &B) {
    return B.Derivative && B.Kind == BufferKind::Local &&
           B.Lies != ArrayHome::Growing && B.Elem.isFloat();
  }

  /// Changes L for the array that its Kth statement declares; false if there
  /// is nothing to change.
  static bool improve(std::vector<StmtRef> &L, size_t K) {
    const auto Flow = flowOf(*cast<DeclBuffer>(L[K].get()),
                             ArrayRef(L).drop_front(K + 1), MaxOperations);
    if (!Flow)
      return false;
    Meeting Others(*cast<DeclBuffer>(L[K].get())->B);
    for (const StmtRef &S : ArrayRef(L).drop_front(K + 1))
      Others.walk(S);
    WithoutIdle R(*Flow, Others.Found);
    std::vector<StmtRef> Out(L.begin(), L.begin() + K);
    bool Changed = false;
    for (const StmtRef &S : ArrayRef(L).drop_front(K)) {
      StmtRef New = R.run(S);
      Changed |= New != S;
      if (New)
        Out.push_back(std::move(New));
    }
    L = std::move(Out);
    return Changed;
  }
};

} // namespace

StmtRef withoutIdleStores(const StmtRef &Body) { return Lists().run(Body); }

} // namespace raise::grad
