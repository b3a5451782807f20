//===- Reroll.cpp - bodies that were unrolled by hand ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Reroll.h"
#include "raise/Analysis/UpdateChain.h"
#include "raise/IR/Visitor.h"
#include "raise/Transform/Passes.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace raise;
using llvm::cast;
using llvm::dyn_cast;
using llvm::isa;

namespace {

/// Whether one statement is another with Shift added to the loop's variable.
/// What each declares for itself may have another name.
class ShiftedMatcher {
public:
  ShiftedMatcher(const VarRef &V, int64_t Shift,
                 const llvm::DenseSet<const Var *> &Locals)
      : V(V), Shift(Shift), Locals(Locals) {}
  bool same(const StmtRef &A, const StmtRef &B);

private:
  const VarRef &V;
  int64_t Shift;
  const llvm::DenseSet<const Var *> &Locals;
  llvm::DenseMap<const Var *, const Var *> Twin;

  std::optional<int64_t> offset(const ExprRef &E) const;
  bool same(const ExprRef &A, const ExprRef &B);
  bool same(const Access &A, const Access &B);
  bool same(llvm::ArrayRef<ExprRef> A, llvm::ArrayRef<ExprRef> B) {
    return A.size() == B.size() &&
           llvm::all_of(llvm::zip(A, B), [&](const auto &P) {
             return same(std::get<0>(P), std::get<1>(P));
           });
  }
  bool same(const Var *A, const Var *B) const {
    auto It = Twin.find(A);
    return It == Twin.end() ? A == B && !Locals.count(A) : It->second == B;
  }
  bool declare(const VarRef &A, const VarRef &B) {
    Twin[A.get()] = B.get();
    return A->Ty == B->Ty && A->Kind == B->Kind && A->Base == B->Base;
  }
};

/// E is the loop's variable plus this number, computed in the variable's type.
/// By one operation: of several, the first might overflow for another value.
std::optional<int64_t> ShiftedMatcher::offset(const ExprRef &E) const {
  auto IsV = [&](const ExprRef &Of) {
    auto *U = dyn_cast<VarUse>(Of.get());
    return U && U->V == V;
  };
  if (IsV(E))
    return 0;
  auto *B = dyn_cast<Binary>(E.get());
  if (!B || E->Ty != V->Ty ||
      (B->Op != BinaryOp::Add && B->Op != BinaryOp::Sub))
    return std::nullopt;
  auto *C = dyn_cast<IntConst>(B->R.get());
  const ExprRef *Of = &B->L;
  if (!C && B->Op == BinaryOp::Add) {
    C = dyn_cast<IntConst>(B->L.get());
    Of = &B->R;
  }
  if (!C || std::abs(C->Value) >= int64_t(1) << 30 || !IsV(*Of))
    return std::nullopt;
  return B->Op == BinaryOp::Add ? C->Value : -C->Value;
}

bool ShiftedMatcher::same(const Access &A, const Access &B) {
  return A.Buf == B.Buf && A.Field == B.Field &&
         same(llvm::ArrayRef(A.Indices), B.Indices) &&
         same(llvm::ArrayRef(A.Extents), B.Extents);
}

bool ShiftedMatcher::same(const ExprRef &A, const ExprRef &B) {
  if (!A || !B)
    return !A && !B;
  if (A->Ty != B->Ty)
    return false;
  if (auto From = offset(A)) {
    auto To = offset(B);
    return To && *To == *From + Shift;
  }
  if (A->Kind != B->Kind)
    return false;
  switch (A->Kind) {
  case ExprKind::IntConst:
  case ExprKind::FloatConst:
  case ExprKind::NonNull:
    return structurallyEqual(A, B);
  case ExprKind::VarUse:
    return same(cast<VarUse>(A.get())->V.get(), cast<VarUse>(B.get())->V.get());
  case ExprKind::Load:
    return same(cast<Load>(A.get())->From, cast<Load>(B.get())->From);
  case ExprKind::Unary: {
    auto *X = cast<Unary>(A.get()), *Y = cast<Unary>(B.get());
    return X->Op == Y->Op && same(X->Operand, Y->Operand);
  }
  case ExprKind::Binary: {
    auto *X = cast<Binary>(A.get()), *Y = cast<Binary>(B.get());
    return X->Op == Y->Op && same(X->L, Y->L) && same(X->R, Y->R);
  }
  case ExprKind::Select: {
    auto *X = cast<Select>(A.get()), *Y = cast<Select>(B.get());
    return same(X->Cond, Y->Cond) && same(X->True, Y->True) &&
           same(X->False, Y->False);
  }
  case ExprKind::Cast:
    return same(cast<Cast>(A.get())->Operand, cast<Cast>(B.get())->Operand);
  case ExprKind::Call: {
    auto *X = cast<Call>(A.get()), *Y = cast<Call>(B.get());
    return X->Fn == Y->Fn && same(llvm::ArrayRef(X->Args), Y->Args);
  }
  }
  return false;
}

bool ShiftedMatcher::same(const StmtRef &A, const StmtRef &B) {
  if (!A || !B)
    return !A && !B;
  auto List = statements(A), Other = statements(B);
  if (isa<Block>(A.get()) || isa<Block>(B.get()))
    return List.size() == Other.size() &&
           llvm::all_of(llvm::zip(List, Other), [&](const auto &P) {
             return same(std::get<0>(P), std::get<1>(P));
           });
  if (A->Kind != B->Kind)
    return false;
  switch (A->Kind) {
  case StmtKind::Decl: {
    auto *X = cast<Decl>(A.get()), *Y = cast<Decl>(B.get());
    return same(X->Init, Y->Init) && declare(X->V, Y->V);
  }
  case StmtKind::Assign: {
    auto *X = cast<Assign>(A.get()), *Y = cast<Assign>(B.get());
    return X->Op == Y->Op && same(X->V.get(), Y->V.get()) &&
           same(X->Value, Y->Value);
  }
  case StmtKind::Store: {
    auto *X = cast<Store>(A.get()), *Y = cast<Store>(B.get());
    return X->Op == Y->Op && X->Atomic == Y->Atomic && same(X->To, Y->To) &&
           same(X->Value, Y->Value);
  }
  case StmtKind::If: {
    auto *X = cast<If>(A.get()), *Y = cast<If>(B.get());
    return same(X->Cond, Y->Cond) && same(X->Then, Y->Then) &&
           same(X->Else, Y->Else);
  }
  case StmtKind::For: {
    auto *X = cast<For>(A.get()), *Y = cast<For>(B.get());
    return X->DeclaresVar && Y->DeclaresVar && X->Cond == Y->Cond &&
           X->LKind == Y->LKind && same(X->Lo, Y->Lo) && same(X->Hi, Y->Hi) &&
           same(X->Step, Y->Step) && declare(X->V, Y->V) &&
           same(X->Body, Y->Body);
  }
  default:
    return false;
  }
}

/// What reroll does with one loop.
class Reroller {
public:
  Reroller(const For &L, FPMode FP) : L(L), FP(FP) {}
  std::optional<StmtRef> run();

private:
  const For &L;
  FPMode FP;
  std::vector<StmtRef> List;
  llvm::DenseSet<const Var *> Locals;

  void addStatement(const StmtRef &S);
  void addTerms(const Assign &A, const ExprRef &E, bool Minus);
  bool mayRegroup(const Type &Ty) const {
    return Ty.isFloat() ? FP != FPMode::Strict : Ty.isInt() && !Ty.Signed;
  }
  bool repeats(unsigned Copies, int64_t Step) const;
  ExprRef end(int64_t Step);

public:
  std::vector<ExprRef> Known;
};

} // namespace

/// `x += a - b` as `x += a; x -= b`.
void Reroller::addTerms(const Assign &A, const ExprRef &E, bool Minus) {
  auto *B = dyn_cast<Binary>(E.get());
  if (B && E->Ty == A.V->Ty &&
      (B->Op == BinaryOp::Add || B->Op == BinaryOp::Sub)) {
    addTerms(A, B->L, Minus);
    return addTerms(A, B->R, Minus != (B->Op == BinaryOp::Sub));
  }
  List.push_back(std::make_shared<Assign>(
      A.V, Minus ? Combiner::Sub : Combiner::Add, E, A.Loc));
}

void Reroller::addStatement(const StmtRef &S) {
  auto *A = dyn_cast<Assign>(S.get());
  if (!A || A->V->Kind == VarKind::Cursor) {
    List.push_back(S);
    return;
  }
  auto IsTarget = [&](const ExprRef &E) {
    auto *U = dyn_cast<VarUse>(E.get());
    return U && U->V == A->V;
  };
  if (A->Op == Combiner::None && A->Value->Ty == A->V->Ty)
    if (auto Chain = updateChain(A->Value, IsTarget)) {
      for (ChainLink &Link : *Chain)
        List.push_back(std::make_shared<Assign>(
            A->V, Link.Op, std::move(Link.Operand), A->Loc));
      return;
    }
  bool Sum = A->Op == Combiner::Add || A->Op == Combiner::Sub;
  if (Sum && A->Value->Ty == A->V->Ty && mayRegroup(A->V->Ty) &&
      !uses(A->Value, A->V.get()))
    return addTerms(*A, A->Value, A->Op == Combiner::Sub);
  List.push_back(S);
}

/// Whether the body is so many copies of its first part, each Step further.
bool Reroller::repeats(unsigned Copies, int64_t Step) const {
  size_t Size = List.size() / Copies;
  for (unsigned C = 1; C < Copies; ++C) {
    ShiftedMatcher M(L.V, C * Step, Locals);
    for (size_t I = 0; I < Size; ++I)
      if (!M.same(List[I], List[C * Size + I]))
        return false;
  }
  return true;
}

/// Where the range ends that has all iterations: Lo and the least multiple of
/// Step above Hi. The loop's own variable comes to that value, so it fits.
ExprRef Reroller::end(int64_t Step) {
  auto *Lo = dyn_cast<IntConst>(L.Lo.get());
  auto *Hi = dyn_cast<IntConst>(L.Hi.get());
  const Type Wide = Type::getI64();
  auto Number = [&](int64_t N) { return build::intConst(N, Wide); };
  constexpr int64_t Most = int64_t(1) << 30;
  if (Lo && Hi && std::abs(Lo->Value) < Most && std::abs(Hi->Value) < Most) {
    int64_t Room = std::max<int64_t>(Hi->Value - Lo->Value, 0);
    int64_t Trips = (Room + Step - 1) / Step;
    return Trips * Step == Room
               ? L.Hi
               : build::intConst(Lo->Value + Trips * Step, L.Hi->Ty);
  }
  // Unsigned variables wrap where signed ones must not.
  if (!L.V->Ty.Signed || !L.Hi->Ty.Signed)
    return nullptr;
  bool Narrow = L.V->Ty.Bits <= 32 && L.Hi->Ty.Bits <= 32;
  if (!Narrow && !(Lo && Lo->Value >= 0 && Lo->Value < Step))
    return nullptr;
  ExprRef From = build::cast(L.Lo, Wide), To = build::cast(L.Hi, Wide);
  // For an empty range the quotient is not positive, and the range is empty.
  ExprRef Trips = build::binary(
      BinaryOp::Div, build::add(build::sub(To, From), Number(Step - 1)),
      Number(Step));
  ExprRef End = build::add(From, build::mul(Trips, Number(Step)));
  if (L.Hi->Ty == Wide)
    return End;
  // Else the variable would pass the largest value of its type.
  unsigned Bits = L.Hi->Ty.Bits - 1;
  Known = {build::binary(BinaryOp::LE, End, Number((int64_t(1) << Bits) - 1)),
           build::binary(BinaryOp::GE, End, Number(-(int64_t(1) << Bits)))};
  return build::cast(End, L.Hi->Ty);
}

std::optional<StmtRef> Reroller::run() {
  auto *Step = dyn_cast<IntConst>(L.Step.get());
  if (!Step || Step->Value < 2 || Step->Value > 64 || L.Cond != BinaryOp::LT ||
      L.Hi->Ty.Bits < L.V->Ty.Bits)
    return std::nullopt;
  bool Straight = true;
  forEachStmt(L.Body, [&](const StmtRef &S) {
    Straight &= !isa<Break>(S.get()) && !isa<Continue>(S.get()) &&
                !isa<Return>(S.get()) && !isa<Opaque>(S.get()) &&
                !isa<While>(S.get()) && !isa<Barrier>(S.get());
    if (auto *D = dyn_cast<Decl>(S.get()))
      Locals.insert(D->V.get());
    if (auto *F = dyn_cast<For>(S.get()))
      Locals.insert(F->V.get());
  });
  if (!Straight)
    return std::nullopt;
  for (const StmtRef &S : statements(L.Body))
    addStatement(S);
  for (unsigned Copies = Step->Value; Copies > 1; --Copies) {
    if (Step->Value % Copies || List.size() % Copies || List.empty() ||
        !repeats(Copies, Step->Value / Copies))
      continue;
    ExprRef Hi = end(Step->Value);
    if (!Hi)
      return std::nullopt;
    List.resize(List.size() / Copies);
    return std::make_shared<For>(
        L.V, L.Lo, L.Cond, Hi,
        build::intConst(Step->Value / Copies, L.Step->Ty), L.LKind,
        L.DeclaresVar, makeBlock(std::move(List), L.Body->Loc), L.Loc);
  }
  return std::nullopt;
}

std::optional<StmtRef> raise::reroll(const For &L, FPMode FP,
                                     std::vector<ExprRef> &Known) {
  Reroller R(L, FP);
  auto New = R.run();
  Known = std::move(R.Known);
  return New;
}

FunctionRef raise::rerollPass(FunctionRef F, Context &Ctx) {
  struct Each : Rewriter {
    FPMode FP;
    StmtRef rewriteStmt(const StmtRef &S) override {
      auto *L = dyn_cast<For>(S.get());
      std::vector<ExprRef> Known;
      auto New = L ? reroll(*L, FP, Known) : std::nullopt;
      return New ? *New : S;
    }
  } R;
  R.FP = Ctx.Opts.FP;
  return withBody(*F, R.run(F->Body));
}
