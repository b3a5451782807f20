//===- Compile.cpp - resolving names to slots
//--------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Code.h"
#include "raise/IR/Fact.h"
#include "raise/IR/Visitor.h"
#include "llvm/ADT/DenseSet.h"

namespace raise::interp {

/// Expressions deeper than this would endanger the interpreter's stack.
static constexpr unsigned MaxDepth = 400;

/// A cursor's value is an offset in elements, whatever it points to.
static TC varType(const Var &V) {
  return V.Kind == VarKind::Cursor ? TC::I64 : typeCode(V.Ty);
}

class Compiler {
public:
  Compiler(Program &P, FunctionCode &Code) : P(P), Code(Code) {}

  void params() {
    const Function &F = *Code.Src;
    for (const Param &Prm : F.Params) {
      unsigned Slot = Prm.Scalar ? declare(Prm.Scalar) : declare(Prm.Buf);
      Code.Params.push_back({&Prm, Slot});
      if (Prm.Scalar)
        ParamVars.insert(Prm.Scalar.get());
    }
    for (unsigned I = 0; I < 6; ++I)
      if (F.LaunchDims[I])
        Code.Launch[I] = declare(F.LaunchDims[I]);
    for (const Param &Prm : F.Params)
      if (Prm.Buf)
        extents(Prm.Buf);
  }

  const ExprNode *expr(const ExprRef &E);
  const StmtNode *stmt(const StmtRef &S);
  std::vector<GuardNode> guards(llvm::ArrayRef<Guard> Of);

private:
  Program &P;
  FunctionCode &Code;
  llvm::DenseMap<const Var *, unsigned> Vars;
  llvm::DenseMap<const Buffer *, unsigned> Bufs;
  llvm::DenseSet<const Var *> ParamVars;
  unsigned Depth = 0;

  unsigned declare(const VarRef &V) {
    auto [It, New] = Vars.try_emplace(V.get(), Code.NumVars);
    if (New)
      ++Code.NumVars;
    return It->second;
  }
  unsigned declare(const BufferRef &B) {
    auto [It, New] = Bufs.try_emplace(B.get(), Code.NumBufs);
    if (New)
      ++Code.NumBufs;
    return It->second;
  }
  void extents(const BufferRef &B) {
    std::vector<const ExprNode *> Es;
    for (const ExprRef &E : B->Extents)
      Es.push_back(E ? expr(E) : nullptr);
    Code.Extents[declare(B)] = std::move(Es);
  }
  /// A variable that is used without a declaration is a global.
  unsigned use(const VarRef &V) {
    bool Known = Vars.count(V.get());
    unsigned Slot = declare(V);
    if (!Known && V->Kind == VarKind::External)
      Code.Globals.push_back({V, nullptr, Slot});
    return Slot;
  }
  unsigned use(const BufferRef &B) {
    bool Known = Bufs.count(B.get());
    unsigned Slot = declare(B);
    if (!Known &&
        (B->Kind == BufferKind::Global || B->Kind == BufferKind::Pointer)) {
      Code.Globals.push_back({nullptr, B, Slot});
      extents(B);
    }
    return Slot;
  }
  AccessNode access(const Access &A);
  void call(const Call &C, ExprNode &N);
  void loop(const For &F, StmtNode &N);
  void tensor(const TensorOp &T, StmtNode &N);
  void region(const Region &R, StmtNode &N);
  void part(StmtNode &N, const StmtRef &S) {
    const StmtNode *Child = S ? stmt(S) : nullptr;
    N.Body.push_back(Child);
    if (Child)
      N.HasBarrier |= Child->HasBarrier;
  }
};

AccessNode Compiler::access(const Access &A) {
  AccessNode N;
  N.Buf = use(A.Buf);
  for (const ExprRef &E : A.Indices)
    N.Indices.push_back(expr(E));
  for (const ExprRef &E : A.Extents)
    N.Extents.push_back(expr(E));
  N.Elem = A.Field.empty() ? typeCode(A.Buf->Elem) : TC::Void;
  N.Src = &A;
  size_t Rank = A.isView() ? A.Extents.size() + 1 : A.Buf->rank();
  if (A.Indices.size() != Rank)
    P.Error = "access to '" + A.Buf->Name + "' with a wrong number of indices";
  return N;
}

void Compiler::call(const Call &C, ExprNode &N) {
  for (const ExprRef &A : C.Args)
    N.Args.push_back(expr(A));
  if (C.Fn->Definition)
    N.Callee = P.compile(*C.Fn->Definition);
  else
    N.Math = findMath(*C.Fn);
}

const ExprNode *Compiler::expr(const ExprRef &E) {
  ExprNode &N = P.Exprs.emplace_back();
  N.Kind = E->Kind;
  N.Ty = typeCode(E->Ty);
  N.Src = E.get();
  if (++Depth > MaxDepth) {
    P.Error = "an expression is nested too deeply";
    --Depth;
    N.Kind = ExprKind::IntConst;
    return &N;
  }
  switch (E->Kind) {
  case ExprKind::IntConst:
    N.K = ofI(wrap(llvm::cast<IntConst>(*E).Value, N.Ty));
    break;
  case ExprKind::FloatConst:
    N.K = ofD(roundTo(llvm::cast<FloatConst>(*E).Value, N.Ty));
    break;
  case ExprKind::VarUse:
    N.Slot = use(llvm::cast<VarUse>(*E).V);
    N.Ty = varType(*llvm::cast<VarUse>(*E).V);
    break;
  case ExprKind::Load:
    N.At = access(llvm::cast<Load>(*E).From);
    break;
  case ExprKind::Unary:
    N.UOp = llvm::cast<Unary>(*E).Op;
    N.A = expr(llvm::cast<Unary>(*E).Operand);
    break;
  case ExprKind::Binary:
    N.BOp = llvm::cast<Binary>(*E).Op;
    N.A = expr(llvm::cast<Binary>(*E).L);
    N.B = expr(llvm::cast<Binary>(*E).R);
    break;
  case ExprKind::Select:
    N.A = expr(llvm::cast<Select>(*E).Cond);
    N.B = expr(llvm::cast<Select>(*E).True);
    N.C = expr(llvm::cast<Select>(*E).False);
    break;
  case ExprKind::Cast:
    N.A = expr(llvm::cast<Cast>(*E).Operand);
    break;
  case ExprKind::Call:
    call(llvm::cast<Call>(*E), N);
    break;
  case ExprKind::NonNull:
    N.Slot = use(llvm::cast<NonNull>(*E).Buf);
    break;
  }
  --Depth;
  return &N;
}

void Compiler::loop(const For &F, StmtNode &N) {
  N.Slot = declare(F.V);
  N.Ty = varType(*F.V);
  N.Lo = expr(F.Lo);
  N.Hi = expr(F.Hi);
  N.Step = expr(F.Step);
  N.Cond = F.Cond;
  N.LKind = F.LKind;
  llvm::DenseSet<const Var *> Inside;
  if (isThreadLoop(F.LKind)) {
    forEachStmt(F.Body, [&](const StmtRef &S) {
      if (auto *D = llvm::dyn_cast<Decl>(S.get()))
        Inside.insert(D->V.get());
      if (auto *Inner = llvm::dyn_cast<For>(S.get()))
        Inside.insert(Inner->V.get());
      if (auto *T = llvm::dyn_cast<TensorOp>(S.get()))
        for (const Iterator &I : T->Iterators)
          Inside.insert(I.V.get());
    });
    assignedVars(F.Body, [&](const VarRef &V) {
      if (Inside.count(V.get()))
        return;
      if (ParamVars.count(V.get()))
        N.Params.push_back(declare(V));
      else
        N.WritesOuterLocal = true;
    });
  }
  part(N, F.Body);
}

void Compiler::tensor(const TensorOp &T, StmtNode &N) {
  for (const Iterator &I : T.Iterators) {
    IteratorNode It;
    It.Lo = expr(I.Lo);
    It.Hi = expr(I.Hi);
    It.Step = expr(I.Step);
    It.Slot = declare(I.V);
    It.Ty = typeCode(I.V->Ty);
    It.Parallel = I.Kind == IterKind::Parallel;
    It.Ordered = isOrdered(I.Kind);
    N.Iterators.push_back(It);
  }
  N.Value = T.Mask ? expr(T.Mask) : nullptr;
  part(N, T.Body);
}

std::vector<GuardNode> Compiler::guards(llvm::ArrayRef<Guard> Of) {
  std::vector<GuardNode> Made;
  for (const Guard &G : Of) {
    GuardNode Out;
    if (G.Cond) {
      Out.Cond = expr(G.Cond);
    } else {
      Out.BufA = use(G.A.Buf);
      Out.BufB = use(G.B.Buf);
      Out.LoA = expr(G.A.Lo);
      Out.HiA = expr(G.A.Hi);
      Out.LoB = expr(G.B.Lo);
      Out.HiB = expr(G.B.Hi);
    }
    Made.push_back(Out);
  }
  return Made;
}

void Compiler::region(const Region &R, StmtNode &N) {
  N.Inspection = R.Rests.Inspection ? stmt(R.Rests.Inspection) : nullptr;
  N.Guards = guards(R.Rests.Guards);
  part(N, R.Body);
  part(N, R.Original);
}

const StmtNode *Compiler::stmt(const StmtRef &S) {
  StmtNode &N = P.Stmts.emplace_back();
  N.Kind = S->Kind;
  N.Src = S.get();
  switch (S->Kind) {
  case StmtKind::Block:
    for (const StmtRef &Child : llvm::cast<Block>(*S).Body)
      part(N, Child);
    break;
  case StmtKind::Decl: {
    const auto &D = llvm::cast<Decl>(*S);
    N.Value = D.Init ? expr(D.Init) : nullptr;
    N.Slot = declare(D.V);
    N.Ty = varType(*D.V);
    if (asFact(D)) {
      N.Fact =
          isExtent(D) ? StmtNode::FactKind::Elements : StmtNode::FactKind::True;
      N.To.Buf = isExtent(D) ? use(D.V->Base) : 0;
    }
    break;
  }
  case StmtKind::DeclBuffer: {
    const auto &D = llvm::cast<DeclBuffer>(*S);
    for (const ExprRef &E : D.B->Extents)
      N.Exprs.push_back(E ? expr(E) : nullptr);
    for (const ExprRef &E : D.Init)
      N.Exprs.push_back(expr(E));
    N.Slot = declare(D.B);
    break;
  }
  case StmtKind::Assign: {
    const auto &A = llvm::cast<Assign>(*S);
    N.Slot = use(A.V);
    N.Ty = varType(*A.V);
    N.Op = A.Op;
    N.Value = expr(A.Value);
    break;
  }
  case StmtKind::Store: {
    const auto &St = llvm::cast<Store>(*S);
    N.To = access(St.To);
    N.Op = St.Op;
    N.Value = expr(St.Value);
    N.Atomic = St.Atomic;
    break;
  }
  case StmtKind::For:
    loop(llvm::cast<For>(*S), N);
    break;
  case StmtKind::While:
    N.Value = expr(llvm::cast<While>(*S).Cond);
    part(N, llvm::cast<While>(*S).Body);
    break;
  case StmtKind::If:
    N.Value = expr(llvm::cast<If>(*S).Cond);
    part(N, llvm::cast<If>(*S).Then);
    part(N, llvm::cast<If>(*S).Else);
    break;
  case StmtKind::Barrier:
    N.HasBarrier = true;
    break;
  case StmtKind::Return:
    if (const ExprRef &V = llvm::cast<Return>(*S).Value)
      N.Value = expr(V);
    break;
  case StmtKind::Break:
  case StmtKind::Continue:
  case StmtKind::Opaque:
    break;
  case StmtKind::TensorOp:
    tensor(llvm::cast<TensorOp>(*S), N);
    break;
  case StmtKind::Region:
    region(llvm::cast<Region>(*S), N);
    break;
  }
  return &N;
}

const FunctionCode *Program::compile(const Function &F) {
  auto [It, New] = ByFunction.try_emplace(&F, nullptr);
  if (!New)
    return It->second;
  FunctionCode &Code = Functions.emplace_back();
  It->second = &Code; // before the body, which may call F
  Code.Src = &F;
  Compiler C(*this, Code);
  C.params();
  Code.Requires = C.guards(F.Requires);
  Code.Body = C.stmt(F.Body);
  return &Code;
}

const ExprNode *Program::compileGuard(const ExprRef &E, const Function &F) {
  FunctionCode &Code = Functions.emplace_back();
  ByFunction[&F] = &Code;
  Code.Src = &F;
  Compiler C(*this, Code);
  C.params();
  return C.expr(E);
}

const FunctionCode *Program::find(const Function &F) const {
  return ByFunction.lookup(&F);
}

} // namespace raise::interp
