//===- Vectorise.cpp - whether compilers make vector code of a loop -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Strides of what it touches, calls that have vector forms, and statements that
// lanes can run side by side.
//
//===----------------------------------------------------------------------===//
#include "ExprPrinter.h"
#include "OwnElements.h"
#include "Schedule.h"
#include "raise/IR/Counts.h"
#include "raise/IR/Visitor.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace raise {

namespace {

/// How far E moves when V goes one step; nothing if that is not a constant.
std::optional<int64_t> stride(const ExprRef &E, const Var *V) {
  if (!uses(E, V)) {
    bool Loads = false;
    forEachExpr(E, [&](const ExprRef &Sub) { Loads |= isa<Load>(*Sub); });
    return Loads ? std::nullopt : std::optional<int64_t>(0);
  }
  if (isa<VarUse>(*E))
    return 1;
  if (auto *C = dyn_cast<Cast>(E.get()))
    return C->Ty.isInt() && C->Operand->Ty.isInt() ? stride(C->Operand, V)
                                                   : std::nullopt;
  auto *B = dyn_cast<Binary>(E.get());
  if (!B || !E->Ty.isInt())
    return std::nullopt;
  // Unsigned 32-bit sums wrap, which neither compiler vectorises well.
  if (!E->Ty.Signed && E->Ty.Bits < 64)
    return std::nullopt;
  auto L = stride(B->L, V), R = stride(B->R, V);
  if (!L || !R)
    return std::nullopt;
  if (B->Op == BinaryOp::Add)
    return *L + *R;
  if (B->Op == BinaryOp::Sub)
    return *L - *R;
  auto *CL = dyn_cast<IntConst>(withoutImplicitCasts(B->L).get());
  auto *CR = dyn_cast<IntConst>(withoutImplicitCasts(B->R).get());
  if (B->Op == BinaryOp::Mul && CL && std::abs(CL->Value) < 64)
    return CL->Value * *R;
  if (B->Op == BinaryOp::Mul && CR && std::abs(CR->Value) < 64)
    return CR->Value * *L;
  return std::nullopt;
}

} // namespace

std::optional<int64_t> stride(const Access &A, const Var *V) {
  for (size_t I = 0; I + 1 < A.Indices.size(); ++I)
    if (uses(A.Indices[I], V))
      return std::nullopt;
  for (const ExprRef &E : A.Extents)
    if (uses(E, V))
      return std::nullopt;
  return stride(A.Indices.back(), V);
}

bool isUnrolled(const TensorOp &T) {
  auto *Lo = dyn_cast<IntConst>(T.Iterators.front().Lo.get());
  auto *Hi = dyn_cast<IntConst>(T.Iterators.front().Hi.get());
  return T.Iterators.size() == 1 && !T.Mask && Lo && Hi &&
         Hi->Value - Lo->Value <= 4 && all_of(statements(T.Body), [](auto &S) {
           auto *St = dyn_cast<Store>(S.get());
           return St && St->To.Buf->Kind == BufferKind::Local;
         });
}

namespace {

constexpr int64_t MaxVectorStride = 4;

bool isVectorCall(const Callee &Fn, const Options &Opts) {
  if (Fn.Definition)
    return false;
  StringRef Name = Fn.Name;
  Name.consume_front("::");
  Name.consume_front("std::");
  if (Name == "fabs" || Name == "fabsf")
    return true;
  return (Name == "sqrt" || Name == "sqrtf") && !Opts.MathErrno;
}

class VectorCheck : public Visitor {
public:
  VectorCheck(const Options &Opts, const TensorOp &T) : Opts(Opts) {
    V = T.Iterators.back().V.get();
    assignedVars(T.Body, [&](const VarRef &L) { Lets.insert(L.get()); });
    for (const StmtRef &S : statements(T.Body))
      if (auto *Rows = dyn_cast<TensorOp>(S.get()))
        Lets.erase(Rows->Iterators.front().V.get());
  }
  bool Ok = true;

  bool fits(const Access &A, bool Written) {
    for (const ExprRef &I : A.Indices)
      for (const Var *Let : Lets)
        if (uses(I, Let))
          return false;
    auto S = stride(A, V);
    return S && std::abs(*S) <= MaxVectorStride && !(Written && *S == 0);
  }
  bool visitExpr(const ExprRef &E) override {
    bool Odd = E->Ty.isFloat() && E->Ty.Bits != 32 && E->Ty.Bits != 64;
    if (Odd)
      Ok = false;
    if (auto *L = dyn_cast<Load>(E.get())) {
      Ok &= fits(L->From, false);
      return false;
    }
    if (auto *C = dyn_cast<Call>(E.get()))
      Ok &= isVectorCall(*C->Fn, Opts);
    if (auto *B = dyn_cast<Binary>(E.get())) {
      bool Divides = B->Op == BinaryOp::Div || B->Op == BinaryOp::Rem;
      Ok &= !(Divides && E->Ty.isInt());
      if (B->Op == BinaryOp::LAnd || B->Op == BinaryOp::LOr)
        Ok &= isSpeculable(B->R);
    }
    if (auto *S = dyn_cast<Select>(E.get()))
      Ok &= quiet(S->True) && quiet(S->False);
    return Ok;
  }

private:
  /// What a select may evaluate in every lane: no load, no integer division.
  static bool quiet(const ExprRef &E) {
    bool Quiet = true;
    forEachExpr(E, [&](const ExprRef &Sub) {
      auto *B = dyn_cast<Binary>(Sub.get());
      bool Divides = B && (B->Op == BinaryOp::Div || B->Op == BinaryOp::Rem);
      Quiet &= !isa<Load>(*Sub) && !(Divides && Sub->Ty.isInt());
    });
    return Quiet;
  }

  const Options &Opts;
  const Var *V;
  DenseSet<const Var *> Lets;
};

} // namespace

bool vectorises(const TensorOp &T, const Options &Opts,
                ArrayRef<Accumulator> Reductions) {
  auto Vectorisable = [](Combiner Op) {
    return Op == Combiner::None || Op == Combiner::Add || Op == Combiner::Sub ||
           Op == Combiner::Mul || Op == Combiner::Div || Op == Combiner::And ||
           Op == Combiner::Or || Op == Combiner::Xor;
  };
  if (T.Mask)
    return false;
  VectorCheck Check(Opts, T);
  for (const StmtRef &S : statements(T.Body)) {
    if (auto *D = dyn_cast<Decl>(S.get())) {
      if (!D->Init || D->V->Kind == VarKind::Cursor)
        return false;
    } else if (auto *A = dyn_cast<Assign>(S.get())) {
      if (!Vectorisable(A->Op))
        return false;
    } else if (auto *St = dyn_cast<Store>(S.get())) {
      bool Kept = any_of(Reductions,
                         [&](const Accumulator &R) { return R.Element == St; });
      bool Divides = St->Op == Combiner::Div && !St->To.Buf->Elem.isFloat();
      if (!Vectorisable(St->Op) || St->Atomic || Divides ||
          (!Kept && !Check.fits(St->To, true)))
        return false;
      Check.walk(St->Value);
      continue;
    } else if (auto *Rows = dyn_cast<TensorOp>(S.get())) {
      if (!isUnrolled(*Rows))
        return false;
      for (const StmtRef &Row : statements(Rows->Body)) {
        auto *St = cast<Store>(Row.get());
        if (!Vectorisable(St->Op) || !Check.fits(St->To, true))
          return false;
        Check.walk(St->Value);
      }
      continue;
    } else {
      return false;
    }
    Check.walk(S);
  }
  return Check.Ok;
}

} // namespace raise
