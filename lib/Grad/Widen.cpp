//===- Widen.cpp - a function in double -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "raise/Grad/Widen.h"
#include "Rules.h"
#include "raise/IR/Math.h"
#include "raise/IR/Recursion.h"
#include "raise/IR/Visitor.h"
#include "llvm/ADT/DenseMap.h"

using namespace llvm;

namespace raise::grad {

namespace {

Type wide(const Type &T) {
  return T.isFloat() && T.Bits < 64 ? Type::getFloat(64) : T;
}

/// What stands for the callees, in all functions that are widened for one.
using Callees = DenseMap<const Callee *, CalleeRef>;

class Widener : public Rewriter {
public:
  explicit Widener(Callees &Called) : Called(Called) {}

  FunctionRef run(const Function &F) {
    auto W = std::make_shared<Function>(F);
    W->Result = wide(F.Result);
    for (Param &P : W->Params) {
      if (P.Scalar)
        P.Scalar = var(P.Scalar);
      else
        P.Buf = buffer(P.Buf);
    }
    W->Body = Rewriter::run(F.Body);
    return W;
  }

  ExprRef rewriteExpr(const ExprRef &E) override {
    switch (E->Kind) {
    case ExprKind::IntConst:
      return E;
    case ExprKind::FloatConst:
      return wide(E->Ty) == E->Ty
                 ? E
                 : build::floatConst(cast<FloatConst>(E.get())->Value,
                                     wide(E->Ty));
    case ExprKind::VarUse:
      return std::make_shared<VarUse>(var(cast<VarUse>(E.get())->V), E->Loc);
    case ExprKind::Load:
      return std::make_shared<Load>(access(cast<Load>(E.get())->From),
                                    wide(E->Ty), E->Loc);
    case ExprKind::Unary: {
      auto *U = cast<Unary>(E.get());
      return std::make_shared<Unary>(U->Op, U->Operand, wide(E->Ty), E->Loc);
    }
    case ExprKind::Binary: {
      auto *B = cast<Binary>(E.get());
      return std::make_shared<Binary>(B->Op, B->L, B->R, wide(E->Ty), E->Loc);
    }
    case ExprKind::Select: {
      auto *S = cast<Select>(E.get());
      return std::make_shared<Select>(S->Cond, S->True, S->False, E->Loc);
    }
    case ExprKind::Cast: {
      auto *C = cast<Cast>(E.get());
      return build::cast(C->Operand, wide(E->Ty), C->Implicit);
    }
    case ExprKind::Call: {
      auto *C = cast<Call>(E.get());
      return std::make_shared<Call>(callee(C->Fn), C->Args, E->Loc);
    }
    case ExprKind::NonNull:
      return std::make_shared<NonNull>(buffer(cast<NonNull>(E.get())->Buf),
                                       E->Loc);
    }
    llvm_unreachable("unknown expression");
  }

  StmtRef rewriteStmt(const StmtRef &S) override {
    switch (S->Kind) {
    case StmtKind::Decl: {
      auto *D = cast<Decl>(S.get());
      return std::make_shared<Decl>(var(D->V), D->Init, D->Loc);
    }
    case StmtKind::DeclBuffer: {
      auto *D = cast<DeclBuffer>(S.get());
      return std::make_shared<DeclBuffer>(buffer(D->B), D->Init, D->Loc);
    }
    case StmtKind::Assign: {
      auto *A = cast<Assign>(S.get());
      return std::make_shared<Assign>(var(A->V), A->Op, A->Value, A->Loc);
    }
    case StmtKind::Store: {
      auto *St = cast<Store>(S.get());
      return std::make_shared<Store>(access(St->To), St->Op, St->Value,
                                     St->Atomic, St->Loc);
    }
    case StmtKind::Region: {
      auto *R = cast<Region>(S.get());
      Obligations Rests = R->Rests;
      for (Guard &G : Rests.Guards)
        for (ElementRange *E : {&G.A, &G.B})
          if (E->Buf)
            E->Buf = buffer(E->Buf);
      return std::make_shared<Region>(
          std::move(Rests), R->Body,
          R->Original ? Rewriter::run(R->Original) : nullptr, R->Loc);
    }
    default:
      return S;
    }
  }

private:
  VarRef var(const VarRef &V) {
    const bool Cursor = V->Kind == VarKind::Cursor;
    if (wide(V->Ty) == V->Ty && !Cursor)
      return V;
    VarRef &W = Vars[V.get()];
    if (!W) {
      auto Made = std::make_shared<Var>(*V);
      Made->Ty = wide(V->Ty);
      if (Cursor)
        Made->Base = buffer(V->Base);
      W = std::move(Made);
    }
    return W;
  }

  BufferRef buffer(const BufferRef &B) {
    if (wide(B->Elem) == B->Elem)
      return B;
    BufferRef &W = Buffers[B.get()];
    if (!W) {
      auto Made = std::make_shared<Buffer>(*B);
      Made->Elem = wide(B->Elem);
      Made->TypeSpelling.clear();
      W = std::move(Made);
    }
    return W;
  }

  Access access(Access A) {
    A.Buf = buffer(A.Buf);
    return A;
  }

  CalleeRef callee(const CalleeRef &Fn) {
    CalleeRef &W = Called[Fn.get()];
    if (W)
      return W;
    if (!Fn->Definition) {
      const CalleeRef Known = knownMathCallee(baseName(*Fn));
      W = knownMathCallee(Fn->Name) == Fn && Known ? Known : Fn;
      return W;
    }
    auto Made = std::make_shared<Callee>(*Fn);
    Made->Result = wide(Fn->Result);
    for (Type &T : Made->Params)
      T = wide(T);
    W = Made; // before the body, which may call it
    Made->Definition = Widener(Called).run(*Fn->Definition);
    if (callsItself(*Made->Definition))
      keepRing(Made);
    return Made;
  }

  DenseMap<const Var *, VarRef> Vars;
  DenseMap<const Buffer *, BufferRef> Buffers;
  Callees &Called;
};

} // namespace

FunctionRef widened(const Function &F) {
  Callees Called;
  return Widener(Called).run(F);
}

} // namespace raise::grad
