//===- RingCalls.cpp - calls that lead back, one to a statement -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "RingCalls.h"
#include "raise/Grad/Signature.h"
#include "raise/IR/Recursion.h"
#include "raise/IR/Visitor.h"

using namespace llvm;

namespace raise::grad {

namespace {

bool isRingCall(const ExprRef &E) {
  auto *C = dyn_cast<Call>(E.get());
  return C && C->Ty.isFloat() && C->Fn->Definition && !C->Fn->Rule &&
         callsItself(*C->Fn->Definition);
}

bool hasRingCall(const ExprRef &E) {
  bool Found = false;
  forEachExpr(E, [&](const ExprRef &Sub) { Found |= isRingCall(Sub); });
  return Found;
}

class Separator {
public:
  using Statements = std::vector<StmtRef>;
  explicit Separator(const Function &F) : Names(namesIn(F)) {}

  StmtRef stmt(const StmtRef &S) {
    Statements Out;
    if (auto *D = dyn_cast<Decl>(S.get()); D && D->Init && hasRingCall(D->Init))
      Out.push_back(std::make_shared<Decl>(D->V, root(D->Init, Out), D->Loc));
    else if (auto *A = dyn_cast<Assign>(S.get()); A && hasRingCall(A->Value))
      Out.push_back(
          std::make_shared<Assign>(A->V, A->Op, root(A->Value, Out), A->Loc));
    else if (auto *St = dyn_cast<Store>(S.get()); St && hasRingCall(St->Value))
      Out.push_back(std::make_shared<Store>(
          St->To, St->Op, root(St->Value, Out), St->Atomic, St->Loc));
    else if (auto *R = dyn_cast<Return>(S.get());
             R && R->Value && hasRingCall(R->Value))
      leave(R->Value, R->Loc, Out);
    else
      return mapChildren(S,
                         [this](const StmtRef &Child) { return stmt(Child); });
    return block(std::move(Out));
  }

private:
  static StmtRef block(Statements S) {
    return S.size() == 1 ? S.front() : std::make_shared<Block>(std::move(S));
  }

  static bool isChoice(const ExprRef &E) {
    auto *S = dyn_cast<Select>(E.get());
    return S && (hasRingCall(S->True) || hasRingCall(S->False));
  }

  void leave(const ExprRef &E, const SourceLoc &Loc, Statements &Out) {
    if (!isChoice(E)) {
      Out.push_back(std::make_shared<Return>(root(E, Out), Loc));
      return;
    }
    auto *S = cast<Select>(E.get());
    const ExprRef Cond = apart(S->Cond, Out);
    Statements Then;
    leave(S->True, Loc, Then);
    Out.push_back(
        std::make_shared<If>(Cond, block(std::move(Then)), nullptr, Loc));
    leave(S->False, Loc, Out);
  }

  VarRef temporary(const std::string &Of, const ExprRef &E, bool Const) {
    auto V = std::make_shared<Var>();
    V->Name = Of;
    for (unsigned K = 2; !Names.insert(V->Name).second; ++K)
      V->Name = Of + std::to_string(K);
    V->Ty = E->Ty;
    V->Const = Const;
    return V;
  }

  /// The value of a statement, which may be one call.
  ExprRef root(const ExprRef &E, Statements &Out) {
    if (isChoice(E))
      return apart(E, Out);
    if (isRingCall(E))
      return inner(E, Out);
    if (auto *C = dyn_cast<Cast>(E.get()); C && isRingCall(C->Operand))
      return build::cast(inner(C->Operand, Out), E->Ty, C->Implicit);
    return inner(E, Out);
  }

  /// E with its operands apart.
  ExprRef inner(const ExprRef &E, Statements &Out) {
    const auto Part = [&](const ExprRef &Sub) { return apart(Sub, Out); };
    switch (E->Kind) {
    case ExprKind::Unary: {
      auto *U = cast<Unary>(E.get());
      return std::make_shared<Unary>(U->Op, Part(U->Operand), E->Ty, E->Loc);
    }
    case ExprKind::Binary: {
      auto *B = cast<Binary>(E.get());
      const ExprRef L = Part(B->L);
      // What may not be evaluated is a truth value, without a derivative.
      const bool Lazy = B->Op == BinaryOp::LAnd || B->Op == BinaryOp::LOr;
      return std::make_shared<Binary>(B->Op, L, Lazy ? B->R : Part(B->R), E->Ty,
                                      E->Loc);
    }
    case ExprKind::Cast: {
      auto *C = cast<Cast>(E.get());
      return build::cast(Part(C->Operand), E->Ty, C->Implicit);
    }
    case ExprKind::Select: { // its arms have none
      auto *S = cast<Select>(E.get());
      return std::make_shared<Select>(Part(S->Cond), S->True, S->False, E->Loc);
    }
    case ExprKind::Call: {
      auto *C = cast<Call>(E.get());
      std::vector<ExprRef> Args;
      for (const ExprRef &A : C->Args)
        Args.push_back(Part(A));
      return std::make_shared<Call>(C->Fn, std::move(Args), E->Loc);
    }
    default:
      return E;
    }
  }

  ExprRef apart(const ExprRef &E, Statements &Out) {
    if (!hasRingCall(E))
      return E;
    if (isChoice(E)) {
      auto *S = cast<Select>(E.get());
      const ExprRef Cond = apart(S->Cond, Out);
      const VarRef V = temporary("chosen", E, /*Const=*/false);
      Out.push_back(std::make_shared<Decl>(V, nullptr, E->Loc));
      const auto Arm = [&](const ExprRef &Value) {
        Statements Made;
        Made.push_back(std::make_shared<Assign>(V, Combiner::None,
                                                root(Value, Made), E->Loc));
        return block(std::move(Made));
      };
      const StmtRef Then = Arm(S->True);
      Out.push_back(std::make_shared<If>(Cond, Then, Arm(S->False), E->Loc));
      return build::var(V);
    }
    const ExprRef Made = inner(E, Out);
    if (!isRingCall(Made))
      return Made;
    const VarRef V =
        temporary(cast<Call>(E.get())->Fn->Definition->Name + "_value", E,
                  /*Const=*/true);
    Out.push_back(std::make_shared<Decl>(V, Made, E->Loc));
    return build::var(V);
  }

  std::set<std::string> Names;
};

} // namespace

FunctionRef withCallsApart(const FunctionRef &F) {
  bool Any = false;
  forEachExpr(F->Body, [&](const ExprRef &E) { Any |= isRingCall(E); });
  return Any ? withBody(*F, Separator(*F).stmt(F->Body)) : F;
}

} // namespace raise::grad
