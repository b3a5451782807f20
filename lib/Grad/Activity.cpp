//===- Activity.cpp - what carries derivatives ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "raise/Grad/Activity.h"
#include "raise/Grad/Derivatives.h"
#include "raise/IR/Effects.h"
#include "raise/IR/Visitor.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace raise::grad {

bool Activity::isActive(const ExprRef &E) const {
  bool Found = false;
  forEachSource(E, [&](const ExprRef &Leaf) {
    if (auto *U = dyn_cast<VarUse>(Leaf.get()))
      Found |= isActive(U->V.get());
    else
      Found |= isActive(cast<Load>(Leaf.get())->From.Buf.get());
  });
  return Found;
}

namespace {

/// One direction's set, as it grows.
struct Reached {
  DenseSet<const Var *> Vars;
  DenseSet<const Buffer *> Buffers;
  bool Changed = false;

  void add(const Var *V) {
    if (V->Ty.isFloat())
      Changed |= Vars.insert(V).second;
  }
  bool has(const ExprRef &E) const {
    bool Found = false;
    forEachSource(E, [&](const ExprRef &Leaf) {
      if (auto *U = dyn_cast<VarUse>(Leaf.get()))
        Found |= Vars.count(U->V.get());
      else
        Found |= Buffers.count(cast<Load>(Leaf.get())->From.Buf.get());
    });
    return Found;
  }
};

class Flow {
public:
  /// Separate: overlap nothing, or so that it does not matter.
  Flow(const Function &F, AliasMode Alias,
       const DenseSet<const Buffer *> &Separate)
      : Alias(Alias), Separate(Separate) {
    auto Note = [&](const BufferRef &B) {
      if (B && holdsFloats(*B) && Seen.insert(B.get()).second)
        All.push_back(B.get());
    };
    for (const Param &P : F.Params)
      Note(P.Buf);
    forEachExpr(F.Body, [&](const ExprRef &E) {
      if (auto *L = dyn_cast<Load>(E.get()))
        Note(L->From.Buf);
    });
    forEachStmt(F.Body, [&](const StmtRef &S) {
      Statements.push_back(S.get());
      if (auto *St = dyn_cast<Store>(S.get())) {
        Note(St->To.Buf);
        Written.insert(St->To.Buf.get());
      }
      if (auto *D = dyn_cast<DeclBuffer>(S.get()))
        Note(D->B);
    });
  }

  void add(Reached &R, const Buffer *B) const {
    for (const Buffer *Other : All)
      if (B == Other || mayMeet(*B, *Other))
        R.Changed |= R.Buffers.insert(Other).second;
  }

  /// Until nothing changes. Result: whether a varied value is returned.
  void forward(Reached &R, bool &Result) const {
    do {
      R.Changed = false;
      for (const Stmt *S : Statements)
        stepForward(*S, R, Result);
    } while (R.Changed);
  }
  void backward(Reached &R, bool FromResult) const {
    do {
      R.Changed = false;
      for (const Stmt *S : Statements)
        stepBackward(*S, R, FromResult);
    } while (R.Changed);
  }

private:
  /// Whether what is written through one is seen through the other. Where both
  /// are only read, each stands for a value of its own.
  bool mayMeet(const Buffer &A, const Buffer &B) const {
    if (!Written.count(&A) && !Written.count(&B))
      return false;
    if (isConstant(A) || isConstant(B))
      return false;
    const AliasResult R = alias(A, B);
    return R == AliasResult::Must ||
           (R == AliasResult::May && Alias == AliasMode::Check &&
            !Separate.count(&A) && !Separate.count(&B));
  }
  static bool isConstant(const Buffer &B) {
    return B.Kind == BufferKind::Global && B.Const;
  }

  void stepForward(const Stmt &S, Reached &R, bool &Result) const {
    if (auto *D = dyn_cast<Decl>(&S)) {
      if (D->Init && R.has(D->Init))
        R.add(D->V.get());
    } else if (auto *A = dyn_cast<Assign>(&S)) {
      if (R.has(A->Value))
        R.add(A->V.get());
    } else if (auto *St = dyn_cast<Store>(&S)) {
      if (R.has(St->Value) && holdsFloats(*St->To.Buf))
        add(R, St->To.Buf.get());
    } else if (auto *B = dyn_cast<DeclBuffer>(&S)) {
      if (any_of(B->Init, [&](const ExprRef &E) { return R.has(E); }))
        add(R, B->B.get());
    } else if (auto *Rt = dyn_cast<Return>(&S)) {
      Result |= Rt->Value && R.has(Rt->Value);
    } else if (auto *O = dyn_cast<Opaque>(&S); O && O->Pure) {
      if (callVaries(*O->Pure, R))
        R.add(O->Pure->Result.get());
    }
  }

  /// A function without a body may read whatever varies.
  static bool callVaries(const PureCall &C, const Reached &R) {
    if (C.ReadsMemory && !R.Buffers.empty())
      return true;
    return any_of(C.Args, [&](const PureCall::Argument &A) {
      return !A.Base && R.has(A.Value);
    });
  }

  void useful(const ExprRef &E, Reached &R) const {
    forEachSource(E, [&](const ExprRef &Leaf) {
      if (auto *U = dyn_cast<VarUse>(Leaf.get()))
        R.add(U->V.get());
      else
        add(R, cast<Load>(Leaf.get())->From.Buf.get());
    });
  }

  void stepBackward(const Stmt &S, Reached &R, bool FromResult) const {
    if (auto *D = dyn_cast<Decl>(&S)) {
      if (D->Init && R.Vars.count(D->V.get()))
        useful(D->Init, R);
    } else if (auto *A = dyn_cast<Assign>(&S)) {
      if (R.Vars.count(A->V.get()))
        useful(A->Value, R);
    } else if (auto *St = dyn_cast<Store>(&S)) {
      if (R.Buffers.count(St->To.Buf.get()))
        useful(St->Value, R);
    } else if (auto *B = dyn_cast<DeclBuffer>(&S)) {
      if (R.Buffers.count(B->B.get()))
        for (const ExprRef &E : B->Init)
          useful(E, R);
    } else if (auto *Rt = dyn_cast<Return>(&S)) {
      if (FromResult && Rt->Value)
        useful(Rt->Value, R);
    } else if (auto *O = dyn_cast<Opaque>(&S); O && O->Pure) {
      if (R.Vars.count(O->Pure->Result.get()))
        for (const PureCall::Argument &A : O->Pure->Args)
          if (!A.Base)
            useful(A.Value, R);
    }
  }

  const AliasMode Alias;
  const DenseSet<const Buffer *> &Separate;
  std::vector<const Stmt *> Statements;
  std::vector<const Buffer *> All;
  DenseSet<const Buffer *> Seen, Written;
};

Activity both(const Reached &Varied, const Reached &Useful, bool Result) {
  Activity A;
  A.ResultVaried = Result;
  for (const Var *V : Varied.Vars)
    if (Useful.Vars.count(V))
      A.Vars.insert(V);
  for (const Buffer *B : Varied.Buffers)
    if (Useful.Buffers.count(B))
      A.Buffers.insert(B);
  A.VariedBuffers = Varied.Buffers;
  A.UsefulBuffers = Useful.Buffers;
  return A;
}

} // namespace

Activity activityOf(const Function &F, const Signature &Sig, AliasMode Alias) {
  const Flow Along(F, Alias, Sig.Separate);
  Reached Varied, Useful;
  for (const Slot &S : Sig.Slots) {
    const Param &P = F.Params[S.Index];
    if (P.Scalar) {
      Varied.add(P.Scalar.get());
      continue;
    }
    // What a buffer holds on return is seen by the caller, named as a dependent
    // or not: its derivative must say so.
    Along.add(Varied, P.Buf.get());
    Along.add(Useful, P.Buf.get());
  }
  bool Result = false;
  Along.forward(Varied, Result);
  Along.backward(Useful, Sig.ResultDependent);
  return both(Varied, Useful, Result && Sig.ResultDependent);
}

Activity activityOfCallee(const Function &F) {
  const DenseSet<const Buffer *> None;
  const Flow Along(F, AliasMode::Check, None);
  Reached Varied, Useful;
  for (const Param &P : F.Params)
    Varied.add(P.Scalar.get());
  bool Result = false;
  Along.forward(Varied, Result);
  Along.backward(Useful, /*FromResult=*/true);
  return both(Varied, Useful, Result);
}

} // namespace raise::grad
