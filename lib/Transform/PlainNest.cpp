//===- PlainNest.cpp - loops around statements, and nothing else ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "PlainNest.h"
#include "FoldConstants.h"
#include "SumLoops.h"
#include "raise/IR/Visitor.h"
#include "raise/Transform/IndexMath.h"
#include "llvm/ADT/STLExtras.h"

using namespace raise;
using llvm::dyn_cast;
using llvm::isa;

namespace {

bool isSum(const Store &St) {
  return St.Value->Ty.isFloat() && !St.Atomic && !St.To.Buf->Volatile &&
         (St.Op == Combiner::Add || St.Op == Combiner::Sub);
}

/// Whether E may be evaluated once for each place where its value is used.
bool mayRepeat(const ExprRef &E) {
  bool Ok = true;
  forEachExpr(E, [&](const ExprRef &Sub) {
    auto *B = dyn_cast<Binary>(Sub.get());
    Ok &= !isa<Call>(*Sub) &&
          !(B && (B->Op == BinaryOp::Div || B->Op == BinaryOp::Rem));
  });
  return Ok;
}

/// Loops over a variable in which neighbours can be told by adding one.
bool countsUp(const For &L) {
  const Type &Ty = L.V->Ty;
  return L.DeclaresVar && L.LKind == LoopKind::Serial &&
         L.Cond == BinaryOp::LT && L.Lo->Ty == Ty && L.Hi->Ty == Ty &&
         constantValue(L.Step) == 1 &&
         (Ty.Signed ? Ty.Bits >= 32 : Ty.Bits == 64) &&
         !assigns(L.Body, L.V.get());
}

/// Whether anything in L but D, its declaration, sets D's variable.
bool isAssigned(const For &L, const Decl &D) {
  unsigned Times = 0;
  assignedVars(L.Body, [&](const VarRef &V) { Times += V == D.V; });
  return Times > 1;
}

class NestReader {
public:
  std::optional<PlainNest> read(const StmtRef &S) {
    if (!enter(S) || Nest.Loops.empty())
      return std::nullopt;
    for (Item &I : Nest.Items)
      classify(I);
    return std::move(Nest);
  }

private:
  PlainNest Nest;
  Substitution Lets;

  bool enter(const StmtRef &S) {
    auto *L = dyn_cast<For>(S.get());
    if (!L || !countsUp(*L))
      return false;
    Nest.Loops.push_back(L);
    const auto List = statements(L->Body);
    const bool IsInnermost =
        llvm::none_of(List, [](const StmtRef &Sub) { return isa<For>(*Sub); });
    for (const StmtRef &Sub : List) {
      if (auto *D = dyn_cast<Decl>(Sub.get())) {
        if (!D->Init || !mayRepeat(D->Init) || isAssigned(*L, *D) ||
            (!IsInnermost && !isCheap(Sub)))
          return false;
        Lets[D->V.get()] = substitute(D->Init, Lets);
      } else if (IsInnermost) {
        flatten(Sub, [](StmtRef Only) { return Only; });
      } else if (Sub != List.back()) {
        return false;
      }
    }
    return IsInnermost || enter(List.back());
  }

  /// S's statements one by one, each under the tests that it stands under.
  void flatten(const StmtRef &S,
               llvm::function_ref<StmtRef(StmtRef)> UnderTests) {
    if (auto *D = dyn_cast<Decl>(S.get());
        D && D->Init && mayRepeat(D->Init) &&
        !isAssigned(*Nest.Loops.back(), *D)) {
      Lets[D->V.get()] = substitute(D->Init, Lets);
      return;
    }
    auto *I = dyn_cast<If>(S.get());
    if (isa<Block>(*S)) {
      for (const StmtRef &Sub : statements(S))
        flatten(Sub, UnderTests);
      return;
    }
    if (!I) {
      Nest.Items.push_back({UnderTests(substitute(S, Lets)), nullptr, {}});
      return;
    }
    const ExprRef Test = substitute(I->Cond, Lets);
    flatten(I->Then, [&](StmtRef Only) {
      return UnderTests(std::make_shared<If>(Test, std::move(Only), nullptr));
    });
    if (I->Else)
      flatten(I->Else, [&](StmtRef Only) {
        return UnderTests(std::make_shared<If>(build::logicalNot(Test),
                                               std::move(Only), nullptr));
      });
  }

  void classify(Item &I) const {
    const Buffer *To = nullptr;
    bool Ok = true;
    std::optional<Shift> By;
    forEachStmt(I.S, [&](const StmtRef &Sub) {
      if (isa<Block>(*Sub) || isa<If>(*Sub))
        return;
      auto *St = dyn_cast<Store>(Sub.get());
      if (!St || !isSum(*St) || (To && To != St->To.Buf.get())) {
        Ok = false;
        return;
      }
      To = St->To.Buf.get();
      const auto Own = shiftOf(St->To);
      Ok &= Own && (!By || *By == *Own);
      By = Own;
    });
    forEachExpr(I.S, [&](const ExprRef &E) { Ok &= mayRepeat(E); });
    if (Ok && To && By) {
      I.Sums = To;
      I.By = *By;
    }
  }

  /// By how much the element's number is above the iteration's, in each loop.
  std::optional<Shift> shiftOf(const Access &A) const {
    // One polynomial for all dimensions, each marked by a variable of its own.
    std::vector<Var> Marks(A.Indices.size());
    Polynomial Whole;
    for (size_t D = 0; D < A.Indices.size(); ++D) {
      const auto P = Polynomial::of(A.Indices[D]);
      if (!P)
        return std::nullopt;
      Whole = Whole + *P * Polynomial::variable(&Marks[D]);
    }
    std::vector<Polynomial> Basis;
    Polynomial Rest = Whole;
    for (const For *L : Nest.Loops) {
      const auto C = Whole.coefficient(L->V.get());
      if (!C)
        return std::nullopt;
      Basis.push_back(*C);
      Rest = Rest.without(L->V.get());
    }
    for (const Polynomial &B : Basis)
      if (llvm::any_of(Nest.Loops,
                       [&](const For *L) { return B.mentions(L->V.get()); }))
        return std::nullopt;
    Polynomial Left;
    return Rest.asSum(Basis, &Left);
  }
};

} // namespace

std::optional<PlainNest> raise::readPlainNest(const StmtRef &S) {
  return NestReader().read(S);
}
