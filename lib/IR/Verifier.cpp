//===- Verifier.cpp - invariants of statements and functions --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "IRInternal.h"
#include "VerifierInternal.h"
#include "raise/IR/Text.h"
#include "raise/IR/Visitor.h"
#include <cmath>

using namespace llvm;

namespace raise::detail {

void Verifier::report(const Twine &What, const SourceLoc &Loc) {
  std::string Text;
  if (Loc.isValid())
    Text = Loc.File + ":" + std::to_string(Loc.Line) + ":" +
           std::to_string(Loc.Column) + ": ";
  Messages.push_back(Text + "in '" + F.Name + "': " + What.str());
}

void Verifier::declare(const Var &V) {
  if (!Visible.insert(&V).second)
    report("variable '" + V.Name + "' is declared again in its own scope");
  if (V.Kind == VarKind::Cursor) {
    if (V.Ty != Type::getI64())
      report("cursor '" + V.Name + "' has type " + V.Ty.name());
    if (!V.Base)
      report("cursor '" + V.Name + "' has no base");
    else
      use(*V.Base);
  }
  if (V.Kind == VarKind::Local && V.Base) // of an extent
    use(*V.Base);
  if (V.Ty.isVoid())
    report("variable '" + V.Name + "' has type void");
  if (!Tensors.empty())
    Tensors.back().Own.insert(&V);
}

void Verifier::extents(const Buffer &B) {
  if (B.Extents.empty())
    report("buffer '" + B.Name + "' has no dimension");
  for (size_t I = 0; I < B.Extents.size(); ++I)
    if (B.Extents[I] || I > 0)
      integer(B.Extents[I], "an extent of '" + B.Name + "'");
}

void Verifier::declare(const Buffer &B) {
  extents(B);
  if (!Visible.insert(&B).second)
    report("buffer '" + B.Name + "' is declared again in its own scope");
}

/// What every write to a scalar must fulfil, whatever writes it.
void Verifier::written(const VarRef &V, Combiner Op) {
  use(*V, At);
  if (V->Const)
    report("constant '" + V->Name + "' is written");
  if (V->Kind == VarKind::External || V->Kind == VarKind::Launch)
    report("'" + V->Name + "' may only be read");
  if (!Tensors.empty())
    writtenInTensor(V, Op);
}

void Verifier::decl(const Decl &D) {
  if (D.Init)
    typed(D.Init, D.V->Ty, "the initialiser of '" + D.V->Name + "'");
  if (D.V->Kind != VarKind::Local && D.V->Kind != VarKind::Cursor)
    report("'" + D.V->Name + "' is declared but is no local variable");
  declare(*D.V);
}

/// The number of elements, if all extents are constants.
static std::optional<uint64_t> constantSize(const Buffer &B) {
  uint64_t Size = 1;
  for (const ExprRef &E : B.Extents) {
    const auto *C = dyn_cast_or_null<IntConst>(E.get());
    if (!C)
      return std::nullopt;
    Size *= static_cast<uint64_t>(C->Value);
  }
  return Size;
}

static bool isZero(const ExprRef &E) {
  const Expr *Bare = E.get();
  while (const auto *C = dyn_cast_or_null<Cast>(Bare))
    Bare = C->Operand.get();
  const auto *I = dyn_cast_or_null<IntConst>(Bare);
  const auto *D = dyn_cast_or_null<FloatConst>(Bare);
  return (I && I->Value == 0) ||
         (D && D->Value == 0 && !std::signbit(D->Value));
}

void Verifier::declBuffer(const DeclBuffer &D) {
  const Buffer &B = *D.B;
  if (B.Kind != BufferKind::Local && B.Kind != BufferKind::Shared)
    report("'" + B.Name + "' is declared but is no local array");
  // `extern __shared__ T a[];` gets its size from the launch.
  if (B.Kind == BufferKind::Local && !B.Extents.empty() && !B.Extents[0])
    report("array '" + B.Name + "' has no size");
  if (B.Kind == BufferKind::Shared && F.Kind != FunctionKind::Kernel)
    report("shared array '" + B.Name + "' outside a kernel");
  for (const ExprRef &E : D.Init)
    typed(E, B.Elem, "an initialiser of '" + B.Name + "'");
  if (B.Lies == ArrayHome::Heap) {
    if (D.Init.size() > 1 || (!D.Init.empty() && !isZero(D.Init.front())))
      report("'" + B.Name + "' lies on the heap and is not set to zero alone");
  } else if (!D.Init.empty() && constantSize(B) != D.Init.size())
    report("'" + B.Name + "' has " + Twine(D.Init.size()) +
           " initialisers, which is not one for each element");
  declare(B);
}

void Verifier::assign(const Assign &A) {
  expr(A.Value);
  written(A.V, A.Op);
  const std::string Problem =
      A.Value ? writeProblem(A.Op, A.V->Ty, A.Value->Ty) : "";
  if (!Problem.empty())
    report(Problem);
}

void Verifier::store(const Store &S) {
  access(S.To);
  expr(S.Value);
  if (!S.To.Buf || !S.Value)
    return;
  if (S.To.Buf->Const)
    report("constant buffer '" + S.To.Buf->Name + "' is written");
  if (S.Atomic && S.Op == Combiner::None)
    report("an atomic store to '" + S.To.Buf->Name + "' has no combiner");
  // The type of a field is known only from what is written to it.
  if (!S.To.Field.empty())
    return;
  const std::string Problem = writeProblem(S.Op, S.To.Buf->Elem, S.Value->Ty);
  if (!Problem.empty())
    report(Problem);
}

/// Outside a kernel, a thread loop is one of the six that a launch is.
void Verifier::launchLoop(const For &L) {
  static const LoopKind Order[] = {LoopKind::BlockX, LoopKind::BlockY,
                                   LoopKind::BlockZ, LoopKind::GridX,
                                   LoopKind::GridY,  LoopKind::GridZ};
  const For *Next = &L;
  for (const LoopKind *K = llvm::find(Order, L.LKind); K != Order; --K) {
    Next = statements(Next->Body).size() == 1
               ? dyn_cast<For>(statements(Next->Body).front().get())
               : nullptr;
    if (!Next || Next->LKind != K[-1]) {
      report("a thread loop outside a kernel");
      return;
    }
  }
  if (F.Kind != FunctionKind::Host ||
      (LaunchDepth == 0 && L.LKind != LoopKind::GridZ))
    report("a thread loop outside a kernel");
}

void Verifier::forLoop(const For &L) {
  const std::string Name = "'" + L.V->Name + "'";
  if (!L.V->Ty.isInt())
    report("loop variable " + Name + " has type " + L.V->Ty.name());
  typed(L.Lo, L.V->Ty, "the first value of " + Name);
  integer(L.Hi, "the bound of " + Name);
  typed(L.Step, L.V->Ty, "the step of " + Name);
  if (!isComparison(L.Cond) || L.Cond == BinaryOp::EQ)
    report("the condition of loop " + Name + " is '" + spelling(L.Cond) + "'");
  if (isThreadLoop(L.LKind) && F.Kind != FunctionKind::Kernel)
    launchLoop(L);
  const auto Outside = Visible;
  if (L.DeclaresVar)
    declare(*L.V);
  else
    written(L.V, Combiner::None);
  if (assigns(L.Body, L.V.get()))
    report("the body of the loop assigns its variable " + Name);
  ++LoopDepth;
  LaunchDepth += isThreadLoop(L.LKind);
  body(L.Body);
  LaunchDepth -= isThreadLoop(L.LKind);
  --LoopDepth;
  Visible = Outside;
}

void Verifier::whileLoop(const While &W) {
  typed(W.Cond, Type::getBool(), "the condition of a loop");
  ++LoopDepth;
  body(W.Body);
  --LoopDepth;
}

void Verifier::ifElse(const If &I) {
  typed(I.Cond, Type::getBool(), "the condition of an if");
  body(I.Then);
  if (I.Else)
    body(I.Else);
}

void Verifier::returned(const Return &R) {
  if (!R.Value) {
    if (!F.Result.isVoid())
      report("a return without a value");
    return;
  }
  typed(R.Value, F.Result, "the value of a return");
}

void Verifier::pureCall(const PureCall &C) {
  use(*C.Result, At);
  for (const PureCall::Argument &A : C.Args) {
    if (A.Base) {
      use(*A.Base);
      integer(A.Value, "an offset in an argument of '" + C.Name + "'");
    } else if (A.Value) {
      expr(A.Value);
    } else {
      report("an argument of '" + C.Name + "' is missing");
    }
  }
}

/// A statement list with a scope of its own.
void Verifier::body(const StmtRef &S) {
  if (!S)
    return report("a body is missing");
  const auto Outside = Visible;
  for (const StmtRef &Child : statements(S))
    stmt(Child);
  Visible = Outside;
}

void Verifier::stmt(const StmtRef &S) {
  if (!S)
    return report("a statement is missing");
  const SourceLoc Saved = At;
  if (S->Loc.isValid())
    At = S->Loc;
  if (!Tensors.empty() && !allowedInTensor(*S))
    report("a statement that a tensor operation may not contain");
  const Stmt *P = S.get();
  switch (S->Kind) {
  case StmtKind::Block:
    body(S);
    break;
  case StmtKind::Decl:
    decl(*cast<Decl>(P));
    break;
  case StmtKind::DeclBuffer:
    declBuffer(*cast<DeclBuffer>(P));
    break;
  case StmtKind::Assign:
    assign(*cast<Assign>(P));
    break;
  case StmtKind::Store:
    store(*cast<Store>(P));
    break;
  case StmtKind::For:
    forLoop(*cast<For>(P));
    break;
  case StmtKind::While:
    whileLoop(*cast<While>(P));
    break;
  case StmtKind::If:
    ifElse(*cast<If>(P));
    break;
  case StmtKind::Barrier:
    if (F.Kind != FunctionKind::Kernel)
      report("a barrier outside a kernel");
    break;
  case StmtKind::Return:
    returned(*cast<Return>(P));
    break;
  case StmtKind::Break:
  case StmtKind::Continue:
    if (LoopDepth == 0 &&
        (Tensors.empty() || (P->Kind == StmtKind::Break && !mayEndTensor())))
      report("a break or continue outside a loop");
    break;
  case StmtKind::Opaque:
    for (const VarRef &V : cast<Opaque>(P)->Touches)
      use(*V, At);
    for (const VarRef &V : cast<Opaque>(P)->Keeps)
      use(*V, At);
    if (const auto &Call = cast<Opaque>(P)->Pure)
      pureCall(*Call);
    break;
  case StmtKind::TensorOp:
    tensorOp(*cast<TensorOp>(P));
    break;
  case StmtKind::Region:
    region(*cast<Region>(P));
    break;
  }
  At = Saved;
}

void Verifier::parameters() {
  for (const VarRef &V : F.LaunchDims) {
    if (!V != (F.Kind != FunctionKind::Kernel))
      report("launch dimensions belong to kernels");
    if (V)
      Visible.insert(V.get());
  }
  for (const Param &P : F.Params) {
    if (!P.Scalar == !P.Buf) {
      report("a parameter is neither scalar nor buffer, or both");
      continue;
    }
    if (P.Scalar && P.Scalar->Kind != VarKind::Param)
      report("parameter '" + P.Scalar->Name + "' has another kind");
    if (P.Buf && P.Buf->Kind != BufferKind::Param)
      report("parameter '" + P.Buf->Name + "' has another kind");
    Visible.insert(P.Scalar ? static_cast<const void *>(P.Scalar.get())
                            : P.Buf.get());
  }
  // All parameters are in scope first: C++ declares them in any order.
  for (const Param &P : F.Params)
    if (P.Buf)
      extents(*P.Buf);
}

std::vector<std::string> Verifier::run() {
  At = F.Loc;
  parameters();
  for (size_t N = 0; N != F.Requires.size(); ++N)
    guard(F.Requires[N], ArrayRef(F.Requires).take_front(N));
  body(F.Body);
  return std::move(Messages);
}

} // namespace raise::detail

namespace raise {

std::vector<std::string> verify(const Function &F) {
  return detail::Verifier(F).run();
}

} // namespace raise
