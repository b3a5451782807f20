//===- Effects.cpp - what a statement reads and writes --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "raise/IR/Effects.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace llvm;

namespace raise {
namespace {

class Collector {
  Effects &Out;
  SmallPtrSet<const Var *, 16> Declared, Read, Written;

public:
  explicit Collector(Effects &Out) : Out(Out) {}
  void add(const ExprRef &E);
  void add(const StmtRef &S);

private:
  void read(const VarRef &V) {
    if (!Declared.contains(V.get()) && Read.insert(V.get()).second)
      Out.ScalarReads.push_back(V);
  }
  void write(const VarRef &V) {
    if (!Declared.contains(V.get()) && Written.insert(V.get()).second)
      Out.ScalarWrites.push_back(V);
  }
  void addIndices(const Access &A);
  void addMemory(const Access &A, MemoryAccess::Mode How, bool Atomic,
                 const SourceLoc &Loc);
  void addBinary(const Binary &B);
  void addStore(const Store &S);
  void addBuffer(const DeclBuffer &D, const SourceLoc &Loc);
  void addFor(const For &F);
  void addTensorOp(const TensorOp &T);
  void addRegion(const Region &R);
  void addOpaque(const Opaque &O);
};

void Collector::addIndices(const Access &A) {
  for (const ExprRef &E : A.Extents)
    add(E);
  for (const ExprRef &E : A.Indices)
    add(E);
}

void Collector::addMemory(const Access &A, MemoryAccess::Mode How, bool Atomic,
                          const SourceLoc &Loc) {
  Out.Volatile |= A.Buf->Volatile;
  Out.Memory.push_back({A, How, Atomic, Loc});
}

/// Whether the division can be seen not to trap: by a constant other than 0,
/// and other than -1, which overflows for the least value.
bool isSafeDivisor(const ExprRef &E) {
  const auto *C = dyn_cast<IntConst>(E.get());
  return C && C->Value != 0 && !(C->Ty.Signed && C->Value == -1);
}

void Collector::addBinary(const Binary &B) {
  add(B.L);
  add(B.R);
  if ((B.Op == BinaryOp::Div || B.Op == BinaryOp::Rem) &&
      B.L->Ty.isIntegral() && !isSafeDivisor(B.R))
    Out.MayTrap = true;
}

void Collector::add(const ExprRef &E) {
  if (!E)
    return;
  switch (E->Kind) {
  case ExprKind::IntConst:
  case ExprKind::FloatConst:
  case ExprKind::NonNull:
    return;
  case ExprKind::VarUse:
    return read(cast<VarUse>(E.get())->V);
  case ExprKind::Load:
    addIndices(cast<Load>(E.get())->From);
    return addMemory(cast<Load>(E.get())->From, MemoryAccess::Mode::Read, false,
                     E->Loc);
  case ExprKind::Unary:
    return add(cast<Unary>(E.get())->Operand);
  case ExprKind::Cast:
    return add(cast<Cast>(E.get())->Operand);
  case ExprKind::Binary:
    return addBinary(*cast<Binary>(E.get()));
  case ExprKind::Select:
    add(cast<Select>(E.get())->Cond);
    add(cast<Select>(E.get())->True);
    return add(cast<Select>(E.get())->False);
  case ExprKind::Call:
    for (const ExprRef &Arg : cast<Call>(E.get())->Args)
      add(Arg);
    Out.MayTrap |= cast<Call>(E.get())->Fn->MayTrap;
    return;
  }
}

bool combinerMayTrap(Combiner Op, const ExprRef &Value) {
  return (Op == Combiner::Div || Op == Combiner::Rem) &&
         Value->Ty.isIntegral() && !isSafeDivisor(Value);
}

void Collector::addStore(const Store &S) {
  addIndices(S.To);
  add(S.Value);
  Out.MayTrap |= combinerMayTrap(S.Op, S.Value);
  addMemory(S.To,
            S.Op == Combiner::None ? MemoryAccess::Mode::Write
                                   : MemoryAccess::Mode::Update,
            S.Atomic, S.Loc);
}

/// A buffer that is declared holds other values than before: in a loop, than
/// in the last iteration.
void Collector::addBuffer(const DeclBuffer &D, const SourceLoc &Loc) {
  for (const ExprRef &E : D.B->Extents)
    add(E);
  for (const ExprRef &E : D.Init)
    add(E);
  Access Whole;
  Whole.Buf = D.B;
  Whole.Indices.assign(D.B->Extents.size(), build::intConst(0, Type::getI64()));
  addMemory(Whole, MemoryAccess::Mode::Write, false, Loc);
}

void Collector::addFor(const For &F) {
  add(F.Lo);
  add(F.Hi);
  add(F.Step);
  if (F.DeclaresVar)
    Declared.insert(F.V.get());
  else
    write(F.V); // its first value comes from Lo: nothing outside is read
  add(F.Body);
}

void Collector::addTensorOp(const TensorOp &T) {
  for (const Iterator &I : T.Iterators) {
    add(I.Lo);
    add(I.Hi);
    add(I.Step);
    Declared.insert(I.V.get());
  }
  add(T.Mask);
  add(T.Body);
}

/// Either of the two versions may run.
void Collector::addRegion(const Region &R) {
  add(R.Rests.Inspection);
  for (const Guard &G : R.Rests.Guards)
    for (const ExprRef *E : {&G.Cond, &G.A.Lo, &G.A.Hi, &G.B.Lo, &G.B.Hi})
      add(*E);
  add(R.Body);
  add(R.Original);
}

void Collector::addOpaque(const Opaque &O) {
  Out.Unknown = Out.Barrier = Out.MayReturn = Out.MayTrap = Out.Volatile = true;
  if (O.Pure)
    for (const PureCall::Argument &A : O.Pure->Args)
      add(A.Value);
  for (const VarRef &V : O.Touches) {
    read(V);
    write(V);
  }
}

void Collector::add(const StmtRef &S) {
  if (!S)
    return;
  switch (S->Kind) {
  case StmtKind::Block:
    for (const StmtRef &Child : cast<Block>(S.get())->Body)
      add(Child);
    return;
  case StmtKind::Decl:
    add(cast<Decl>(S.get())->Init);
    Declared.insert(cast<Decl>(S.get())->V.get());
    return;
  case StmtKind::DeclBuffer:
    return addBuffer(*cast<DeclBuffer>(S.get()), S->Loc);
  case StmtKind::Assign: {
    const auto *A = cast<Assign>(S.get());
    add(A->Value);
    if (A->Op != Combiner::None)
      read(A->V);
    Out.MayTrap |= combinerMayTrap(A->Op, A->Value);
    return write(A->V);
  }
  case StmtKind::Store:
    return addStore(*cast<Store>(S.get()));
  case StmtKind::For:
    return addFor(*cast<For>(S.get()));
  case StmtKind::While:
    add(cast<While>(S.get())->Cond);
    return add(cast<While>(S.get())->Body);
  case StmtKind::If:
    add(cast<If>(S.get())->Cond);
    add(cast<If>(S.get())->Then);
    return add(cast<If>(S.get())->Else);
  case StmtKind::Return:
    Out.MayReturn = true;
    return add(cast<Return>(S.get())->Value);
  case StmtKind::Barrier:
    Out.Barrier = true;
    return;
  case StmtKind::Break:
  case StmtKind::Continue:
    return;
  case StmtKind::Opaque:
    return addOpaque(*cast<Opaque>(S.get()));
  case StmtKind::TensorOp:
    return addTensorOp(*cast<TensorOp>(S.get()));
  case StmtKind::Region:
    return addRegion(*cast<Region>(S.get()));
  }
}

/// Storage of its own, that no pointer parameter of a correct call overlaps
/// while the function runs.
bool isOwnArray(const Buffer &B) {
  return B.Kind == BufferKind::Local || B.Kind == BufferKind::Shared;
}

/// Whether who allocated A and B keeps them apart.
bool isElsewhere(const Buffer &A, const Buffer &B) {
  // An array of bytes may be where other objects live.
  auto IsVariable = [](const Buffer &X) {
    return (isOwnArray(X) || X.Kind == BufferKind::Global) && X.Elem.Bits > 8;
  };
  if ((A.Owned && IsVariable(B)) || (B.Owned && IsVariable(A)))
    return true;
  // Containers of different types never exchange their elements.
  if (A.Owned && B.Owned && A.Elem != B.Elem)
    return true;
  return A.Fresh != B.Fresh || (A.Apart && A.Apart == B.Apart);
}

} // namespace

bool isDynamicShared(const Buffer &B) {
  return B.Kind == BufferKind::Shared && !B.Extents.empty() && !B.Extents[0];
}

const Buffer &wholeOf(const Buffer &B) {
  const Buffer *Of = &B;
  while (Of->EachElement)
    Of = Of->Owner.get();
  return *Of;
}

int64_t bytesOfElement(const Buffer &B) {
  const int64_t Bytes =
      B.Elem.isVoid() ? int64_t(B.ElemBytes) : B.Elem.sizeInBytes();
  return std::max<int64_t>(Bytes, 1);
}

Effects effectsOf(const StmtRef &S) {
  Effects Out;
  Collector(Out).add(S);
  return Out;
}

Effects effectsOf(const ExprRef &E) {
  Effects Out;
  Collector(Out).add(E);
  return Out;
}

/// `this` of the function itself: like a parameter it leads to what was there
/// before the call, and was not computed from anything in the function.
static bool isThis(const Buffer &B) {
  return B.Kind == BufferKind::Pointer && B.Home == PointerHome::Fixed &&
         B.Name == "this";
}

AliasResult alias(const Buffer &A, const Buffer &B) {
  if (&A == &B)
    return AliasResult::Must;
  if (A.EachElement || B.EachElement) {
    const Buffer &WholeA = wholeOf(A), &WholeB = wholeOf(B);
    return &WholeA == &WholeB ? AliasResult::No : alias(WholeA, WholeB);
  }
  if (isDynamicShared(A) && isDynamicShared(B))
    return AliasResult::May;
  if (A.Derivative != B.Derivative)
    return AliasResult::No;
  if (isElsewhere(A, B))
    return AliasResult::No;
  // Such a pointer may lead into any array, also one that is local, and may
  // have been computed from a restrict pointer.
  const auto MayLeadAnywhere = [](const Buffer &X) {
    return X.Kind == BufferKind::Pointer && !isThis(X);
  };
  if (MayLeadAnywhere(A) || MayLeadAnywhere(B))
    return AliasResult::May;
  if (isOwnArray(A) || isOwnArray(B))
    return AliasResult::No;
  if (A.Kind == BufferKind::Global && B.Kind == BufferKind::Global)
    return AliasResult::No;
  // C17 6.7.3.1: what is modified and reached through a restrict pointer is
  // reached through nothing else, so one of the two is enough.
  if (A.Restrict || B.Restrict)
    return AliasResult::No;
  return AliasResult::May;
}

bool areApart(llvm::ArrayRef<Guard> Tested, const Buffer &A, const Buffer &B) {
  return alias(A, B) == AliasResult::No ||
         llvm::any_of(Tested, [&](const Guard &G) {
           return !G.Cond && ((G.A.Buf.get() == &A && G.B.Buf.get() == &B) ||
                              (G.A.Buf.get() == &B && G.B.Buf.get() == &A));
         });
}

bool isWholeContainer(const Buffer &B) {
  // A pointer that was set to a place in it has a name of its own.
  return B.Owned && (B.Container || (B.Kind == BufferKind::Pointer &&
                                     StringRef(B.Name).ends_with(".data()")));
}

} // namespace raise
