//===- Equality.cpp - structural equality ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "raise/IR/Fact.h"
#include "raise/IR/Function.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/ErrorHandling.h"
#include <cmath>
#include <cstring>
#include <memory>
#include <set>

using namespace llvm;

namespace raise {
namespace {

/// Compares two trees. Declarations that stand at the same place make their
/// variables (buffers) correspond; all others must be identical.
class Matcher {
  DenseMap<const void *, const void *> Forward, Backward;
  /// Functions that are compared, which they may be by way of themselves: they
  /// are equal unless something is found that differs.
  using Pairs = std::set<std::pair<const Function *, const Function *>>;
  const std::shared_ptr<Pairs> Entered;

public:
  explicit Matcher(std::shared_ptr<Pairs> Entered = std::make_shared<Pairs>())
      : Entered(std::move(Entered)) {}
  bool same(const ExprRef &A, const ExprRef &B);
  bool same(const Expr &A, const Expr &B);
  bool same(const Access &A, const Access &B);
  bool same(const StmtRef &A, const StmtRef &B);
  bool same(const Function &A, const Function &B);

private:
  bool sameId(const void *A, const void *B) const {
    auto It = Forward.find(A), Back = Backward.find(B);
    if (It == Forward.end() && Back == Backward.end())
      return A == B;
    return It != Forward.end() && Back != Backward.end() && It->second == B &&
           Back->second == A;
  }
  void bindId(const void *A, const void *B) {
    Forward[A] = B;
    Backward[B] = A;
  }
  bool bind(const VarRef &A, const VarRef &B);
  bool bind(const BufferRef &A, const BufferRef &B);
  bool same(const VarRef &A, const VarRef &B);
  bool same(const BufferRef &A, const BufferRef &B);
  bool sameOwner(const Buffer &A, const Buffer &B);
  bool sameCallee(const Callee &A, const Callee &B);
  bool sameList(ArrayRef<ExprRef> A, ArrayRef<ExprRef> B);
  bool sameBody(const StmtRef &A, const StmtRef &B);
  bool sameCall(const PureCall *A, const PureCall *B);
  bool sameLeaf(const Stmt *A, const Stmt *B);
  bool sameFor(const For &A, const For &B);
  bool sameTensorOp(const TensorOp &A, const TensorOp &B);
  bool sameRegion(const Region &A, const Region &B);
  bool sameGuard(const Guard &A, const Guard &B);
};

bool sameFloat(double A, double B) {
  if (std::isnan(A) || std::isnan(B))
    return std::isnan(A) && std::isnan(B);
  return std::memcmp(&A, &B, sizeof A) == 0; // 0.0 and -0.0 differ
}

/// Globals are found again by name: a parsed function has its own object for
/// the same global.
bool Matcher::same(const VarRef &A, const VarRef &B) {
  if (sameId(A.get(), B.get()))
    return true;
  return A->Kind == VarKind::External && B->Kind == VarKind::External &&
         A->Name == B->Name && A->Ty == B->Ty;
}

bool Matcher::same(const BufferRef &A, const BufferRef &B) {
  if (!A || !B)
    return !A && !B;
  if (sameId(A.get(), B.get()))
    return true;
  return A->Kind == B->Kind &&
         (A->Kind == BufferKind::Global || A->Kind == BufferKind::Pointer) &&
         A->Name == B->Name && A->Elem == B->Elem && A->Home == B->Home;
}

bool Matcher::bind(const VarRef &A, const VarRef &B) {
  if (A->Ty != B->Ty || A->Kind != B->Kind || A->Const != B->Const ||
      A->Most != B->Most || !same(A->Base, B->Base))
    return false;
  bindId(A.get(), B.get());
  return true;
}

/// Parameters alone: what else a pointer was read from is not in the text.
bool Matcher::sameOwner(const Buffer &A, const Buffer &B) {
  const auto IsGiven = [](const Buffer &P) {
    return P.Kind == BufferKind::Param && P.Owner &&
           P.Owner->Kind == BufferKind::Param;
  };
  if (!IsGiven(A) || !IsGiven(B))
    return IsGiven(A) == IsGiven(B);
  return same(A.Owner, B.Owner) && A.OwnerField == B.OwnerField &&
         A.EachElement == B.EachElement;
}

bool Matcher::bind(const BufferRef &A, const BufferRef &B) {
  if (A->Elem != B->Elem || A->Kind != B->Kind || A->Const != B->Const ||
      A->Restrict != B->Restrict || A->Volatile != B->Volatile ||
      A->Reference != B->Reference || A->Home != B->Home ||
      A->Fresh != B->Fresh || A->Apart != B->Apart || A->Owned != B->Owned ||
      A->PerWarp != B->PerWarp || !sameList(A->Extents, B->Extents) ||
      !sameOwner(*A, *B))
    return false;
  bindId(A.get(), B.get());
  return true;
}

bool Matcher::sameCallee(const Callee &A, const Callee &B) {
  if (&A == &B)
    return true;
  if (A.Name != B.Name || A.Result != B.Result || A.Params != B.Params ||
      A.SetsErrno != B.SetsErrno || A.MayTrap != B.MayTrap)
    return false;
  if (A.Definition == B.Definition)
    return true;
  if (!A.Definition || !B.Definition)
    return false;
  return !Entered->insert({A.Definition.get(), B.Definition.get()}).second ||
         Matcher(Entered).same(*A.Definition, *B.Definition);
}

bool Matcher::sameList(ArrayRef<ExprRef> A, ArrayRef<ExprRef> B) {
  if (A.size() != B.size())
    return false;
  for (size_t I = 0; I < A.size(); ++I)
    if (!same(A[I], B[I]))
      return false;
  return true;
}

bool Matcher::same(const Access &A, const Access &B) {
  return same(A.Buf, B.Buf) && A.Field == B.Field &&
         sameList(A.Extents, B.Extents) && sameList(A.Indices, B.Indices);
}

bool Matcher::same(const ExprRef &A, const ExprRef &B) {
  if (!A || !B)
    return !A && !B;
  return same(*A, *B);
}

bool Matcher::same(const Expr &A, const Expr &B) {
  if (A.Kind != B.Kind || A.Ty != B.Ty)
    return false;
  switch (A.Kind) {
  case ExprKind::IntConst:
    return cast<IntConst>(A).Value == cast<IntConst>(B).Value;
  case ExprKind::FloatConst:
    return sameFloat(cast<FloatConst>(A).Value, cast<FloatConst>(B).Value);
  case ExprKind::VarUse:
    return same(cast<VarUse>(A).V, cast<VarUse>(B).V);
  case ExprKind::Load:
    return same(cast<Load>(A).From, cast<Load>(B).From);
  case ExprKind::Unary:
    return cast<Unary>(A).Op == cast<Unary>(B).Op &&
           same(cast<Unary>(A).Operand, cast<Unary>(B).Operand);
  case ExprKind::Binary:
    return cast<Binary>(A).Op == cast<Binary>(B).Op &&
           same(cast<Binary>(A).L, cast<Binary>(B).L) &&
           same(cast<Binary>(A).R, cast<Binary>(B).R);
  case ExprKind::Select:
    return same(cast<Select>(A).Cond, cast<Select>(B).Cond) &&
           same(cast<Select>(A).True, cast<Select>(B).True) &&
           same(cast<Select>(A).False, cast<Select>(B).False);
  case ExprKind::Cast:
    return same(cast<Cast>(A).Operand, cast<Cast>(B).Operand);
  case ExprKind::Call:
    return sameCallee(*cast<Call>(A).Fn, *cast<Call>(B).Fn) &&
           sameList(cast<Call>(A).Args, cast<Call>(B).Args);
  case ExprKind::NonNull:
    return same(cast<NonNull>(A).Buf, cast<NonNull>(B).Buf);
  }
  llvm_unreachable("unknown expression");
}

/// Bodies of loops and branches: a block of one statement is that statement.
bool Matcher::sameBody(const StmtRef &A, const StmtRef &B) {
  if (!A || !B)
    return !A && !B;
  ArrayRef<StmtRef> X = statements(A), Y = statements(B);
  if (X.size() != Y.size())
    return false;
  for (size_t I = 0; I < X.size(); ++I)
    if (!same(X[I], Y[I]))
      return false;
  return true;
}

bool Matcher::sameFor(const For &A, const For &B) {
  // The bounds are evaluated before the variable comes into scope.
  if (A.Cond != B.Cond || A.LKind != B.LKind ||
      A.DeclaresVar != B.DeclaresVar || !same(A.Lo, B.Lo) ||
      !same(A.Hi, B.Hi) || !same(A.Step, B.Step))
    return false;
  if (A.DeclaresVar ? !bind(A.V, B.V) : !same(A.V, B.V))
    return false;
  return sameBody(A.Body, B.Body);
}

bool Matcher::sameTensorOp(const TensorOp &A, const TensorOp &B) {
  if (A.OpKind != B.OpKind || A.Iterators.size() != B.Iterators.size())
    return false;
  for (size_t I = 0; I < A.Iterators.size(); ++I) {
    const Iterator &X = A.Iterators[I], &Y = B.Iterators[I];
    if (X.Kind != Y.Kind || !same(X.Lo, Y.Lo) || !same(X.Hi, Y.Hi) ||
        !same(X.Step, Y.Step) || !bind(X.V, Y.V))
      return false;
  }
  return same(A.Mask, B.Mask) && sameBody(A.Body, B.Body);
}

bool Matcher::sameGuard(const Guard &A, const Guard &B) {
  return A.Why == B.Why && A.A.MayUnderflow == B.A.MayUnderflow &&
         A.B.MayUnderflow == B.B.MayUnderflow && same(A.Cond, B.Cond) &&
         same(A.A.Buf, B.A.Buf) && same(A.A.Lo, B.A.Lo) &&
         same(A.A.Hi, B.A.Hi) && same(A.B.Buf, B.B.Buf) &&
         same(A.B.Lo, B.B.Lo) && same(A.B.Hi, B.B.Hi);
}

bool Matcher::sameRegion(const Region &A, const Region &B) {
  const Obligations &X = A.Rests, &Y = B.Rests;
  if (X.Proved != Y.Proved || X.Assumptions != Y.Assumptions ||
      X.Hoisted != Y.Hoisted || X.Regrouped != Y.Regrouped ||
      X.Guards.size() != Y.Guards.size() ||
      X.Ordered.size() != Y.Ordered.size())
    return false;
  if (!X.Inspection != !Y.Inspection ||
      (X.Inspection && !sameBody(X.Inspection, Y.Inspection)))
    return false;
  for (size_t I = 0; I < X.Ordered.size(); ++I)
    if (X.Ordered[I].Why != Y.Ordered[I].Why)
      return false;
  for (size_t I = 0; I < X.Guards.size(); ++I)
    if (!sameGuard(X.Guards[I], Y.Guards[I]))
      return false;
  if (!X.Means != !Y.Means || (X.Means && !sameBody(X.Means, Y.Means)))
    return false;
  return sameBody(A.Body, B.Body) && sameBody(A.Original, B.Original);
}

bool Matcher::sameCall(const PureCall *A, const PureCall *B) {
  if (!A || !B)
    return !A && !B;
  if (A->Name != B->Name || A->ReadsMemory != B->ReadsMemory ||
      A->MayThrow != B->MayThrow || A->Args.size() != B->Args.size() ||
      !same(A->Result, B->Result))
    return false;
  for (size_t I = 0; I < A->Args.size(); ++I)
    if (!same(A->Args[I].Base, B->Args[I].Base) ||
        !same(A->Args[I].Value, B->Args[I].Value))
      return false;
  return true;
}

bool Matcher::sameLeaf(const Stmt *A, const Stmt *B) {
  if (const auto *X = dyn_cast<Decl>(A)) {
    const auto *Y = cast<Decl>(B);
    if ((asFact(*X) || asFact(*Y)) && X->V->Name != Y->V->Name)
      return false;
    return same(X->Init, Y->Init) && bind(X->V, Y->V);
  }
  if (const auto *X = dyn_cast<DeclBuffer>(A)) {
    const auto *Y = cast<DeclBuffer>(B);
    return sameList(X->Init, Y->Init) && bind(X->B, Y->B);
  }
  if (const auto *X = dyn_cast<Assign>(A)) {
    const auto *Y = cast<Assign>(B);
    return X->Op == Y->Op && same(X->V, Y->V) && same(X->Value, Y->Value);
  }
  if (const auto *X = dyn_cast<Store>(A)) {
    const auto *Y = cast<Store>(B);
    return X->Op == Y->Op && X->Atomic == Y->Atomic && same(X->To, Y->To) &&
           same(X->Value, Y->Value);
  }
  if (const auto *X = dyn_cast<Return>(A))
    return same(X->Value, cast<Return>(B)->Value);
  if (const auto *X = dyn_cast<Opaque>(A)) {
    const auto *Y = cast<Opaque>(B);
    if (X->Text != Y->Text || X->Code != Y->Code || X->Why != Y->Why ||
        X->NoReturn != Y->NoReturn || X->Touches.size() != Y->Touches.size() ||
        X->Keeps.size() != Y->Keeps.size())
      return false;
    for (size_t I = 0; I < X->Keeps.size(); ++I)
      if (!same(X->Keeps[I], Y->Keeps[I]))
        return false;
    for (size_t I = 0; I < X->Touches.size(); ++I)
      if (!same(X->Touches[I], Y->Touches[I]))
        return false;
    return sameCall(X->Pure.get(), Y->Pure.get());
  }
  return true; // barrier, break, continue have no parts
}

bool Matcher::same(const StmtRef &A, const StmtRef &B) {
  if (!A || !B)
    return !A && !B;
  if (A->Kind != B->Kind)
    return false;
  switch (A->Kind) {
  case StmtKind::Block:
    return sameBody(A, B);
  case StmtKind::For:
    return sameFor(*cast<For>(A.get()), *cast<For>(B.get()));
  case StmtKind::While: {
    const auto *X = cast<While>(A.get()), *Y = cast<While>(B.get());
    return X->TestFirst == Y->TestFirst && X->Why == Y->Why &&
           same(X->Cond, Y->Cond) && sameBody(X->Body, Y->Body);
  }
  case StmtKind::If: {
    const auto *X = cast<If>(A.get()), *Y = cast<If>(B.get());
    return same(X->Cond, Y->Cond) && sameBody(X->Then, Y->Then) &&
           sameBody(X->Else, Y->Else);
  }
  case StmtKind::TensorOp:
    return sameTensorOp(*cast<TensorOp>(A.get()), *cast<TensorOp>(B.get()));
  case StmtKind::Region:
    return sameRegion(*cast<Region>(A.get()), *cast<Region>(B.get()));
  default:
    return sameLeaf(A.get(), B.get());
  }
}

bool Matcher::same(const Function &A, const Function &B) {
  if (A.Name != B.Name || A.Kind != B.Kind || A.Result != B.Result ||
      A.InternalLinkage != B.InternalLinkage || A.LanguageC != B.LanguageC ||
      A.Params.size() != B.Params.size())
    return false;
  for (size_t I = 0; I < A.LaunchDims.size(); ++I) {
    const VarRef &X = A.LaunchDims[I], &Y = B.LaunchDims[I];
    if (!X != !Y || (X && !bind(X, Y)))
      return false;
  }
  for (size_t I = 0; I < A.Params.size(); ++I) {
    const Param &X = A.Params[I], &Y = B.Params[I];
    if (!X.Scalar != !Y.Scalar || X.Implied != Y.Implied ||
        !(X.Scalar ? bind(X.Scalar, Y.Scalar) : bind(X.Buf, Y.Buf)))
      return false;
  }
  return A.Requires.size() == B.Requires.size() &&
         std::equal(
             A.Requires.begin(), A.Requires.end(), B.Requires.begin(),
             [&](const Guard &X, const Guard &Y) { return sameGuard(X, Y); }) &&
         sameBody(A.Body, B.Body);
}

} // namespace

bool structurallyEqual(const Expr &A, const Expr &B) {
  return Matcher().same(A, B);
}

bool structurallyEqual(const ExprRef &A, const ExprRef &B) {
  return Matcher().same(A, B);
}

bool sameAccess(const Access &A, const Access &B) {
  return Matcher().same(A, B);
}

bool structurallyEqual(const StmtRef &A, const StmtRef &B) {
  return Matcher().same(A, B);
}

bool structurallyEqual(const Function &A, const Function &B) {
  return Matcher().same(A, B);
}

} // namespace raise
