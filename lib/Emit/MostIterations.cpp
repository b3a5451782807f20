//===- MostIterations.cpp - how long a loop can be at most ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "MostIterations.h"
#include "ExprPrinter.h"
#include "raise/Emit/KnownSizes.h"
#include "raise/IR/Effects.h"
#include "raise/IR/Visitor.h"
#include <cmath>
#include <optional>

using namespace llvm;

namespace raise {

static thread_local const ArraySizes *Known = nullptr;

KnownSizes::KnownSizes(const ArraySizes &Sizes) : Before(Known) {
  Known = &Sizes;
}
KnownSizes::~KnownSizes() { Known = Before; }

/// Of dimension D.
static std::optional<double> extentOf(const Buffer &B, size_t D) {
  if (const auto *Size = dyn_cast_or_null<IntConst>(B.Extents[D].get()))
    return double(Size->Value);
  if (!Known || B.rank() != 1)
    return std::nullopt;
  const auto It = Known->find(&B);
  return It == Known->end() ? std::nullopt
                            : std::optional<double>(double(It->second));
}

/// By how much E grows with V; nothing where that is no number.
static std::optional<int64_t> growth(const ExprRef &E, const Var *V) {
  if (auto *U = dyn_cast<VarUse>(E.get()))
    return U->V.get() == V;
  if (auto *C = dyn_cast<Cast>(E.get()); C && C->Ty.isInt())
    return growth(C->Operand, V);
  if (!uses(E, V))
    return 0;
  auto *B = dyn_cast<Binary>(E.get());
  if (!B)
    return std::nullopt;
  auto L = growth(B->L, V), R = growth(B->R, V);
  auto *CL = dyn_cast<IntConst>(withoutImplicitCasts(B->L).get());
  auto *CR = dyn_cast<IntConst>(withoutImplicitCasts(B->R).get());
  if (!L || !R)
    return std::nullopt;
  if (B->Op == BinaryOp::Add)
    return *L + *R;
  if (B->Op == BinaryOp::Sub)
    return *L - *R;
  if (B->Op == BinaryOp::Mul && (CL || CR) &&
      std::abs(CL ? CL->Value : CR->Value) < 1000000)
    return CL ? CL->Value * *R : CR->Value * *L;
  return std::nullopt;
}

namespace {

/// Looks at the elements that every iteration touches. What a condition or an
/// inner loop decides about may not run at all.
class SureAccesses : public Visitor {
public:
  explicit SureAccesses(const Var *V) : V(V) {}
  double Most = HUGE_VAL;

  void lookAt(const TensorOp &T) {
    if (T.Mask)
      return walk(T.Mask);
    for (const StmtRef &S : statements(T.Body)) {
      if (auto *St = dyn_cast<Store>(S.get())) {
        look(St->To);
        walk(St->To);
        walk(St->Value);
      } else if (auto *As = dyn_cast<Assign>(S.get())) {
        walk(As->Value);
      } else if (auto *D = dyn_cast<Decl>(S.get()); D && D->Init) {
        walk(D->Init);
      } else if (auto *I = dyn_cast<If>(S.get())) {
        walk(I->Cond);
      }
    }
  }

  bool visitExpr(const ExprRef &E) override {
    if (auto *L = dyn_cast<Load>(E.get()))
      look(L->From);
    if (auto *S = dyn_cast<Select>(E.get()))
      return walk(S->Cond), false;
    auto *B = dyn_cast<Binary>(E.get());
    if (B && (B->Op == BinaryOp::LAnd || B->Op == BinaryOp::LOr))
      return walk(B->L), false;
    return true;
  }

private:
  const Var *V;

  void look(const Access &A) {
    if (A.isView() || A.Indices.size() != A.Buf->rank())
      return;
    for (size_t D = 0; D < A.Indices.size(); ++D) {
      const auto Size = extentOf(*A.Buf, D);
      const auto By = Size ? growth(A.Indices[D], V) : std::nullopt;
      if (By && *By)
        Most = std::min(Most, *Size / double(std::abs(*By)) + 1);
    }
  }
};

} // namespace

double mostIterations(const Iterator &It, const TensorOp &T) {
  auto *Lo = dyn_cast<IntConst>(withoutImplicitCasts(It.Lo).get());
  auto *Hi = dyn_cast<IntConst>(withoutImplicitCasts(It.Hi).get());
  SureAccesses Sure(It.V.get());
  if (Lo && Hi)
    Sure.Most = double(std::max<int64_t>(Hi->Value - Lo->Value, 0));
  Sure.lookAt(T);
  return Sure.Most;
}

} // namespace raise
