//===- ClaimedSums.cpp - what a reduction clause says, and the loop does --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Under `reduction(op : v)` each thread begins with what op leaves alone and
// its result is combined with v by op. That is what one thread makes of the
// loop as it stands only where all that an iteration does with v is to combine
// it with something else by op: what looks at v on the way would see how the
// iterations were shared.
//
//===----------------------------------------------------------------------===//

#include "Lifter.h"
#include "raise/IR/Visitor.h"

using namespace llvm;

namespace raise::lifting {

namespace {

class Updates {
public:
  Updates(const VarRef &V, Combiner By) : V(V), By(By) {}

  bool run(ArrayRef<StmtRef> List) {
    // `v = v && mine` makes 1 of any other truth, whatever the loop does.
    if (isTruth() && !V->Ty.isBool())
      return false;
    for (const StmtRef &S : List)
      forEachStmt(S, [&](const StmtRef &Sub) { add(Sub); });
    for (const StmtRef &S : List) {
      forEachStmt(S, [&](const StmtRef &Sub) { Good &= isKnown(Sub); });
      forEachExpr(S, [&](const ExprRef &E) { Uses += isV(E); });
    }
    return Good && Uses == Known;
  }

private:
  const VarRef V;
  const Combiner By;
  bool Good = true;
  size_t Uses = 0, Known = 0;     ///< of V: all, and those that combine it
  std::set<const Stmt *> Combine; ///< assignments that do

  bool isV(const ExprRef &E) const {
    const auto *U = dyn_cast<VarUse>(E.get());
    return U && U->V == V;
  }
  bool isFree(const ExprRef &E) const { return !uses(E, V.get()); }
  bool isTruth() const { return By == Combiner::LAnd || By == Combiner::LOr; }
  bool isExtremum() const { return By == Combiner::Min || By == Combiner::Max; }

  /// Whether C keeps every value of what it converts, in its order.
  bool keeps(const Cast &C) const {
    const Type &To = C.Ty, &From = C.Operand->Ty;
    if (To.isFloat() || From.isFloat()) // rounding is not what is asked here
      return To.isFloat() && From.isFloat();
    if (To.isBool()) // V itself is a truth value where truth is combined
      return From.isBool() || isTruth();
    if (From.isBool())
      return isTruth();
    return From.Signed == To.Signed ? To.Bits >= From.Bits
                                    : !From.Signed && To.Bits > From.Bits;
  }

  /// E without conversions that change nothing of what is combined.
  ExprRef plain(ExprRef E) const {
    while (const auto *C = dyn_cast<Cast>(E.get())) {
      if (!keeps(*C))
        break;
      E = C->Operand;
    }
    return E;
  }

  /// Without the conversion back to V's type, too, that wraps as sums and
  /// products do.
  ExprRef assigned(const ExprRef &E) const {
    const auto *C = dyn_cast<Cast>(E.get());
    const bool Wraps = C && !isExtremum() && C->Ty == V->Ty && V->Ty.isInt() &&
                       C->Operand->Ty.isInt();
    return Wraps ? C->Operand : E;
  }

  /// The operator of a chain, and its two sides.
  bool isStep(const Binary &B) const {
    switch (By) {
    case Combiner::Add:
      return B.Op == BinaryOp::Add || B.Op == BinaryOp::Sub;
    case Combiner::Mul:
      return B.Op == BinaryOp::Mul;
    case Combiner::And:
      return B.Op == BinaryOp::And;
    case Combiner::Or:
      return B.Op == BinaryOp::Or;
    case Combiner::Xor:
      return B.Op == BinaryOp::Xor;
    case Combiner::LAnd:
      return B.Op == BinaryOp::LAnd;
    case Combiner::LOr:
      return B.Op == BinaryOp::LOr;
    default:
      return false;
    }
  }

  /// V, as a truth value too where it is combined as one.
  bool isOld(const ExprRef &E) const {
    const ExprRef P = plain(E);
    const auto *B = dyn_cast<Binary>(P.get());
    const auto *Zero = B && isTruth() && B->Op == BinaryOp::NE
                           ? dyn_cast<IntConst>(B->R.get())
                           : nullptr;
    return isV(Zero && Zero->Value == 0 ? plain(B->L) : P);
  }

  /// How often V stands in E, if E combines it with what does not hang on it.
  size_t inChain(const ExprRef &Whole) const {
    const ExprRef E = plain(Whole);
    if (isOld(E))
      return 1;
    if (isExtremum())
      return inExtremum(E);
    const auto *B = dyn_cast<Binary>(E.get());
    if (!B || !isStep(*B))
      return 0;
    if (isFree(B->R))
      return inChain(B->L);
    return isFree(B->L) && B->Op != BinaryOp::Sub ? inChain(B->R) : 0;
  }

  /// `fmax(v, e)`, `e > v ? e : v` and their like.
  size_t inExtremum(const ExprRef &E) const {
    const bool Max = By == Combiner::Max;
    if (const auto *C = dyn_cast<Call>(E.get())) {
      const StringRef Name = C->Fn->Name;
      const bool Fits = Name == (Max ? "fmax" : "fmin") ||
                        Name == (Max ? "fmaxf" : "fminf") ||
                        Name == (Max ? "fmaxl" : "fminl");
      const bool One = Fits && C->Args.size() == 2 &&
                       ((isOld(C->Args[0]) && isFree(C->Args[1])) ||
                        (isFree(C->Args[0]) && isOld(C->Args[1])));
      return One ? 1 : 0;
    }
    const auto *S = dyn_cast<Select>(E.get());
    if (!S || isOld(S->True) == isOld(S->False))
      return 0;
    const ExprRef &Other = isOld(S->True) ? S->False : S->True;
    return isFree(Other) && choosesNew(S->Cond, Other, isOld(S->False)) ? 2 : 0;
  }

  /// Whether Cond holds where New is the one to take, or where it is not.
  bool choosesNew(const ExprRef &Cond, const ExprRef &New, bool IfTrue) const {
    const auto *C = dyn_cast<Binary>(Cond.get());
    if (!C)
      return false;
    const bool Less = C->Op == BinaryOp::LT || C->Op == BinaryOp::LE;
    if (!Less && C->Op != BinaryOp::GT && C->Op != BinaryOp::GE)
      return false;
    const auto IsNew = [&](const ExprRef &E) {
      return structurallyEqual(plain(E), plain(New));
    };
    const bool NewFirst = IsNew(C->L) && isOld(C->R);
    if (!NewFirst && !(isOld(C->L) && IsNew(C->R)))
      return false;
    const bool NewIsLess = Less == NewFirst;
    return (NewIsLess == (By == Combiner::Min)) == IfTrue;
  }

  /// Takes note of S if it combines V.
  void add(const StmtRef &S) {
    if (const auto *I = dyn_cast<If>(S.get()); I && isExtremum() && !I->Else) {
      // `if (e > v) v = e;`: what else stood there would hang on v.
      const std::vector<StmtRef> Then = statements(I->Then);
      const auto *A =
          Then.size() == 1 ? dyn_cast<Assign>(Then.front().get()) : nullptr;
      if (A && A->V == V && A->Op == Combiner::None && isFree(A->Value) &&
          choosesNew(I->Cond, A->Value, /*IfTrue=*/true)) {
        Known += 1;
        Combine.insert(A);
      }
      return;
    }
    const auto *A = dyn_cast<Assign>(S.get());
    if (!A || A->V != V || Combine.count(A))
      return;
    // A number that is cut off after each step is no sum.
    if (V->Ty.isInt() && A->Value->Ty.isFloat())
      return;
    const bool Same =
        A->Op == By || (By == Combiner::Add && A->Op == Combiner::Sub);
    size_t Old = 0;
    if (A->Op == Combiner::None)
      Old = inChain(assigned(A->Value));
    else if (!Same || !isFree(A->Value))
      return;
    if (A->Op == Combiner::None && !Old)
      return;
    Known += Old;
    Combine.insert(A);
  }

  bool isKnown(const StmtRef &S) const {
    if (const auto *A = dyn_cast<Assign>(S.get()))
      return A->V != V || Combine.count(A);
    if (const auto *F = dyn_cast<For>(S.get()))
      return F->V != V;
    const auto *O = dyn_cast<Opaque>(S.get());
    return !O || !is_contained(O->Touches, V);
  }
};

} // namespace

bool isOnlyCombined(ArrayRef<StmtRef> List, const VarRef &V, Combiner By) {
  return Updates(V, By).run(List);
}

} // namespace raise::lifting
