//===- Networks.cpp - what threads compute by exchanging values -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Networks.h"
#include "FoldConstants.h"
#include "raise/IR/Updates.h"
#include "raise/IR/Visitor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace raise {

bool operator==(const Combination &A, const Combination &B) {
  return A.Op == B.Op && (A.Fn ? A.Fn->Name : "") == (B.Fn ? B.Fn->Name : "") &&
         A.Cells == B.Cells && structurallyEqual(A.Number, B.Number);
}

std::optional<int64_t> plainElements(const Buffer &B) {
  if (B.Kind != BufferKind::Local || B.Lies != ArrayHome::Automatic ||
      B.Volatile || B.Elem.isVoid() || B.Owner || B.Container)
    return std::nullopt;
  int64_t Size = 1;
  for (const ExprRef &E : B.Extents) {
    const std::optional<int64_t> N = E ? constantValue(E) : std::nullopt;
    if (!N || *N <= 0 || *N > (1 << 20) || Size > (1 << 20))
      return std::nullopt;
    Size *= *N;
  }
  return Size;
}

/// V as Ty reads it: its last bits.
static int64_t wrapped(__int128 V, const Type &Ty) {
  if (Ty.isBool())
    return V != 0;
  const auto Bits = uint64_t(V);
  if (Ty.Bits == 64)
    return int64_t(Bits);
  return Ty.Signed ? SignExtend64(Bits, Ty.Bits)
                   : int64_t(Bits & maskTrailingOnes<uint64_t>(Ty.Bits));
}

/// V as a number, of any size.
static __int128 wide(int64_t V, const Type &Ty) {
  return Ty.Bits == 64 && !Ty.Signed ? __int128(uint64_t(V)) : __int128(V);
}

static std::optional<int64_t> fitted(__int128 V, const Type &Ty) {
  const int64_t Out = wrapped(V, Ty);
  if (Ty.Signed && wide(Out, Ty) != V)
    return std::nullopt; // overflow: the code means nothing
  return Out;
}

std::optional<int64_t> Network::binary(const ExprRef &E) {
  auto *B = cast<Binary>(E.get());
  const Type &Ty = B->L->Ty;
  if (!Ty.isIntegral())
    return std::nullopt;
  const std::optional<int64_t> LeftV = number(B->L);
  if (!LeftV)
    return std::nullopt;
  if (B->Op == BinaryOp::LAnd && !*LeftV)
    return 0;
  if (B->Op == BinaryOp::LOr && *LeftV)
    return 1;
  const std::optional<int64_t> RightV = number(B->R);
  if (!RightV)
    return std::nullopt;
  const __int128 L = wide(*LeftV, Ty), R = wide(*RightV, B->R->Ty);
  switch (B->Op) {
  case BinaryOp::Add:
    return fitted(L + R, Ty);
  case BinaryOp::Sub:
    return fitted(L - R, Ty);
  case BinaryOp::Mul:
    if (Ty.Bits > 32 && (*LeftV > INT32_MAX || *RightV > INT32_MAX))
      return std::nullopt;
    return fitted(L * R, Ty);
  case BinaryOp::Div:
    return R == 0 ? std::nullopt : fitted(L / R, Ty);
  case BinaryOp::Rem:
    return R == 0 || (R == -1 && Ty.Signed) ? std::nullopt : fitted(L % R, Ty);
  case BinaryOp::Shl:
    if (R < 0 || R >= Ty.Bits || L < 0 || R > 62)
      return std::nullopt;
    return fitted(L << int(R), Ty);
  case BinaryOp::Shr:
    if (R < 0 || R >= Ty.Bits || L < 0)
      return std::nullopt;
    return fitted(L >> int(R), Ty);
  case BinaryOp::And:
    return wrapped(L & R, Ty);
  case BinaryOp::Or:
    return wrapped(L | R, Ty);
  case BinaryOp::Xor:
    return wrapped(L ^ R, Ty);
  case BinaryOp::LT:
    return L < R;
  case BinaryOp::LE:
    return L <= R;
  case BinaryOp::GT:
    return L > R;
  case BinaryOp::GE:
    return L >= R;
  case BinaryOp::EQ:
    return L == R;
  case BinaryOp::NE:
    return L != R;
  case BinaryOp::LAnd:
  case BinaryOp::LOr:
    return *RightV != 0;
  }
  return std::nullopt;
}

std::optional<int64_t> Network::number(const ExprRef &E) {
  ++Steps;
  if (!E->Ty.isIntegral())
    return std::nullopt;
  switch (E->Kind) {
  case ExprKind::IntConst:
    return cast<IntConst>(E.get())->Value;
  case ExprKind::VarUse: {
    const auto It = Now.Scalars.find(cast<VarUse>(E.get())->V.get());
    if (It == Now.Scalars.end())
      return std::nullopt;
    auto *N = std::get_if<int64_t>(&It->second);
    return N ? std::optional(*N) : std::nullopt;
  }
  case ExprKind::Unary: {
    auto *U = cast<Unary>(E.get());
    const std::optional<int64_t> V = number(U->Operand);
    if (!V)
      return std::nullopt;
    if (U->Op == UnaryOp::Not)
      return *V == 0;
    return U->Op == UnaryOp::Neg ? fitted(-wide(*V, E->Ty), E->Ty)
                                 : wrapped(~wide(*V, E->Ty), E->Ty);
  }
  case ExprKind::Binary:
    return binary(E);
  case ExprKind::Select: {
    auto *S = cast<Select>(E.get());
    const std::optional<int64_t> C = number(S->Cond);
    return C ? number(*C ? S->True : S->False) : std::nullopt;
  }
  case ExprKind::Cast: {
    auto *C = cast<Cast>(E.get());
    const std::optional<int64_t> V = number(C->Operand);
    return V ? std::optional(wrapped(wide(*V, C->Operand->Ty), E->Ty))
             : std::nullopt;
  }
  default:
    return std::nullopt;
  }
}

std::optional<Cell> Network::cellOf(const Access &A) {
  if (A.isView() || !A.Field.empty() || !plainElements(*A.Buf) ||
      A.Indices.size() != A.Buf->Extents.size())
    return std::nullopt;
  int64_t Flat = 0;
  for (size_t D = 0; D != A.Indices.size(); ++D) {
    const std::optional<int64_t> I = number(A.Indices[D]);
    const int64_t Extent = *constantValue(A.Buf->Extents[D]);
    if (!I || *I < 0 || *I >= Extent)
      return std::nullopt;
    Flat = Flat * Extent + *I;
  }
  return Cell{A.Buf.get(), Flat};
}

bool Network::isStoredOut(const Buffer *B) const {
  return any_of(Now.Outputs,
                [&](const Output &O) { return O.To.Buf.get() == B; });
}

NetworkValue Network::load(const Access &A, const Type &Ty) {
  const std::optional<Cell> At = cellOf(A);
  if (!At || isStoredOut(At->Array))
    return {};
  const auto [It, New] = Now.Cells.try_emplace(*At);
  if (New) {
    auto Own = std::make_shared<Combination>();
    Own->Cells[*At] = 1;
    Own->Ty = Ty;
    It->second = CombinationRef(Own);
  }
  return It->second;
}

CombinationRef Network::asCombination(const NetworkValue &V,
                                      const Type &Ty) const {
  if (auto *C = std::get_if<CombinationRef>(&V))
    return *C;
  auto *N = std::get_if<int64_t>(&V);
  if (!N)
    return nullptr;
  auto Out = std::make_shared<Combination>();
  Out->Number = build::intConst(*N, Ty);
  Out->Ty = Ty;
  return Out;
}

static bool isExtremum(const CalleeRef &Fn) {
  if (!Fn || Fn->Definition)
    return false;
  StringRef Name = Fn->Name;
  Name.consume_front("::");
  Name.consume_front("std::");
  return is_contained({"fmax", "fmin", "fmaxf", "fminf"}, Name);
}

/// How often a cell counts that is there N times; none if that is no number
/// that a sum may be of.
static std::optional<int64_t> timesOf(Combiner Op, int64_t N) {
  if (Op == Combiner::Add || Op == Combiner::Mul)
    return N < (1 << 30) ? std::optional(N) : std::nullopt;
  if (Op == Combiner::Xor)
    return N % 2;
  return 1;
}

/// Whether the number E counts once however often it is there. (A zero that is
/// added makes +0 of -0, and so it is kept.)
static bool ignoresCopies(const ExprRef &E, Combiner Op, const CalleeRef &Fn) {
  if (Fn || Op == Combiner::Min || Op == Combiner::Max)
    return true;
  ExprRef Of = E;
  while (auto *C = dyn_cast<Cast>(Of.get()))
    Of = C->Operand;
  double V;
  if (auto *I = dyn_cast<IntConst>(Of.get()))
    V = double(I->Value);
  else if (auto *F = dyn_cast<FloatConst>(Of.get()))
    V = F->Value;
  else
    return false;
  return V == 0 ? is_contained({Combiner::Add, Combiner::Or, Combiner::Xor}, Op)
                : V == 1 && Op == Combiner::Mul;
}

NetworkValue Network::combine(Combiner Op, const CalleeRef &Fn,
                              const NetworkValue &L, const NetworkValue &R,
                              const Type &Ty) {
  const CombinationRef A = asCombination(L, Ty), B = asCombination(R, Ty);
  if (!A || !B || A->Ty != Ty || B->Ty != Ty)
    return {};
  // Here both sides count alike: a - b is none of it.
  if (Fn ? !isExtremum(Fn)
         : familyOf(Op) != Op || !combinesInAnyOrder(Op, Ty, Ty, FP))
    return {};
  auto Out = std::make_shared<Combination>();
  Out->Op = Op;
  Out->Fn = Fn;
  Out->Ty = Ty;
  for (const CombinationRef &X : {A, B}) {
    const bool Alone = X->Op == Combiner::None && !X->Fn;
    if (!Alone &&
        (X->Op != Op || (X->Fn ? X->Fn->Name : "") != (Fn ? Fn->Name : "")))
      return {};
    for (const auto &[At, N] : X->Cells) {
      ++Steps;
      int64_t &Have = Out->Cells[At];
      const std::optional<int64_t> Times = timesOf(Op, Have + N);
      if (!Times)
        return {};
      Have = *Times;
      if (Have == 0)
        Out->Cells.erase(At);
    }
    if (!X->Number)
      continue;
    if (Out->Number && !structurallyEqual(Out->Number, X->Number))
      return {};
    if (Out->Number && !ignoresCopies(X->Number, Op, Fn))
      return {};
    Out->Number = X->Number;
  }
  ++Now.Combined;
  Now.Rounds |= !Fn && rounds(Op, Ty, Ty);
  if (Out->Cells.size() == 1 && !Out->Number &&
      Out->Cells.begin()->second == 1) {
    Out->Op = Combiner::None;
    Out->Fn = nullptr;
  }
  if (Out->Cells.empty() && !Out->Number) // x ^ x
    Out->Number = build::intConst(0, Ty);
  return CombinationRef(Out);
}

static bool isPlainNumber(const ExprRef &E) {
  if (auto *C = dyn_cast<Cast>(E.get()))
    return isPlainNumber(C->Operand);
  if (auto *U = dyn_cast<Unary>(E.get()))
    return U->Op == UnaryOp::Neg && isPlainNumber(U->Operand);
  return isa<IntConst, FloatConst>(*E);
}

/// Max or Min, where S is the greater or the smaller of two integers.
static Combiner extremumOf(const Select &S) {
  auto *B = dyn_cast<Binary>(S.Cond.get());
  if (!B || !S.Ty.isInt() || !isComparison(B->Op) || B->Op == BinaryOp::EQ ||
      B->Op == BinaryOp::NE)
    return Combiner::None;
  const bool Less = B->Op == BinaryOp::LT || B->Op == BinaryOp::LE;
  if (structurallyEqual(B->L, S.True) && structurallyEqual(B->R, S.False))
    return Less ? Combiner::Min : Combiner::Max;
  if (structurallyEqual(B->L, S.False) && structurallyEqual(B->R, S.True))
    return Less ? Combiner::Max : Combiner::Min;
  return Combiner::None;
}

NetworkValue Network::value(const ExprRef &E) {
  ++Steps;
  if (E->Ty.isFloat() && isPlainNumber(E)) {
    auto Out = std::make_shared<Combination>();
    Out->Number = E;
    Out->Ty = E->Ty;
    return CombinationRef(Out);
  }
  switch (E->Kind) {
  case ExprKind::VarUse: {
    const auto It = Now.Scalars.find(cast<VarUse>(E.get())->V.get());
    return It == Now.Scalars.end() ? NetworkValue() : It->second;
  }
  case ExprKind::Load:
    return load(cast<Load>(E.get())->From, E->Ty);
  case ExprKind::Select: {
    auto *S = cast<Select>(E.get());
    if (const std::optional<int64_t> C = number(S->Cond))
      return value(*C ? S->True : S->False);
    const Combiner Op = extremumOf(*S);
    if (Op == Combiner::None)
      return {};
    const NetworkValue L = value(S->True);
    return combine(Op, nullptr, L, value(S->False), E->Ty);
  }
  case ExprKind::Call: {
    auto *C = cast<Call>(E.get());
    if (C->Args.size() != 2 || !isExtremum(C->Fn) || C->Args[0]->Ty != E->Ty ||
        C->Args[1]->Ty != E->Ty)
      return {};
    const NetworkValue L = value(C->Args[0]);
    return combine(Combiner::None, C->Fn, L, value(C->Args[1]), E->Ty);
  }
  case ExprKind::Binary: {
    if (const std::optional<int64_t> N = number(E))
      return *N;
    auto *B = cast<Binary>(E.get());
    const std::optional<Combiner> Op = commutingUpdate(B->Op);
    if (!Op || B->L->Ty != E->Ty || B->R->Ty != E->Ty)
      return {};
    const NetworkValue L = value(B->L);
    return combine(*Op, nullptr, L, value(B->R), E->Ty);
  }
  default:
    if (const std::optional<int64_t> N = number(E))
      return *N;
    return {};
  }
}

/// E with numbers for what has one now.
ExprRef Network::withNumbers(const ExprRef &E) {
  struct Numbers : Rewriter {
    explicit Numbers(Network &N) : N(N) {}
    Network &N;
    bool Fails = false;
    ExprRef rewriteExpr(const ExprRef &E) override {
      if (isa<Load>(*E))
        Fails = true;
      if (auto *U = dyn_cast<VarUse>(E.get());
          U && N.Now.Scalars.count(U->V.get())) {
        const std::optional<int64_t> V = N.number(E);
        Fails |= !V;
        return V ? build::intConst(*V, E->Ty) : E;
      }
      return E;
    }
  } Put(*this);
  const ExprRef Out = Put.run(E);
  return Put.Fails ? nullptr : ConstantFolder().run(Out);
}

bool Network::stepStore(const StmtRef &S) {
  auto *St = cast<Store>(S.get());
  const Type &Elem = St->To.Buf->Elem;
  if (St->Value->Ty != Elem || St->To.Buf->Volatile)
    return false;
  const NetworkValue V = value(St->Value);
  if (const std::optional<Cell> At = cellOf(St->To)) {
    if (isStoredOut(At->Array))
      return false;
    NetworkValue New = V;
    if (St->Op != Combiner::None)
      New = combine(St->Op, nullptr, load(St->To, Elem), V, Elem);
    const CombinationRef C = asCombination(New, Elem);
    if (!C)
      return false;
    Now.Cells[*At] = C;
    return true;
  }
  const CombinationRef C = asCombination(V, Elem);
  if (!C || St->Op != Combiner::None || St->Atomic || St->To.isView() ||
      any_of(Now.Cells, [&](const auto &Known) {
        return Known.first.Array == St->To.Buf.get();
      }))
    return false;
  Output O{St->To, C, St->Loc};
  for (ExprRef &I : O.To.Indices)
    if (!(I = withNumbers(I)))
      return false;
  // What each thread stores is a loop's to say.
  const bool Again = isStoredOut(O.To.Buf.get());
  Now.Outputs.push_back(std::move(O));
  return !Again;
}

bool Network::stepArray(const StmtRef &S) {
  auto *D = cast<DeclBuffer>(S.get());
  const std::optional<int64_t> Size = plainElements(*D->B);
  if (!Size || *Size > 4096 || isStoredOut(D->B.get()))
    return false;
  for (int64_t I = 0; I != *Size; ++I, ++Steps) {
    NetworkValue V;
    if (!D->Init.empty())
      V = asCombination(value(D->Init[size_t(I)]), D->B->Elem);
    Now.Cells[{D->B.get(), I}] = V;
  }
  return true;
}

std::optional<int64_t> Network::assigned(const Assign &A) {
  if (A.V->Kind != VarKind::Local || A.Value->Ty != A.V->Ty || !A.V->Ty.isInt())
    return std::nullopt;
  if (A.Op == Combiner::None)
    return number(A.Value);
  const std::optional<BinaryOp> Op = A.Op == Combiner::Shl ? BinaryOp::Shl
                                     : A.Op == Combiner::Shr
                                         ? BinaryOp::Shr
                                         : updateOperator(A.Op);
  return Op ? number(build::binary(*Op, build::var(A.V), A.Value))
            : std::nullopt;
}

void Network::follow(const StmtRef &S) {
  std::optional<int64_t> N;
  const Var *Of = nullptr;
  if (auto *D = dyn_cast<Decl>(S.get()); D && D->Init) {
    Of = D->V.get();
    const bool Follows =
        D->V->Kind == VarKind::Local || D->V->Kind == VarKind::Cursor;
    if (Follows && D->Init->Ty == D->V->Ty)
      N = number(D->Init);
  } else if (auto *A = dyn_cast<Assign>(S.get())) {
    Of = A->V.get();
    N = assigned(*A);
  }
  assignedVars(S, [&](const VarRef &V) { forget(V.get()); });
  if (N)
    set(Of, *N);
}

bool Network::stepAssign(const StmtRef &S) {
  auto *A = cast<Assign>(S.get());
  if (A->V->Kind != VarKind::Local || A->Value->Ty != A->V->Ty)
    return false;
  NetworkValue V;
  if (const std::optional<int64_t> N = assigned(*A))
    V = *N;
  else if (A->Op == Combiner::None)
    V = value(A->Value);
  else
    V = combine(A->Op, nullptr, value(build::var(A->V)), value(A->Value),
                A->V->Ty);
  if (std::holds_alternative<std::monostate>(V))
    return false;
  Now.Scalars[A->V.get()] = V;
  return true;
}

Network::Count::Count(const For &L, Network &In) : L(L), In(In) {
  const std::optional<int64_t> Lo = In.number(L.Lo), Hi = In.number(L.Hi),
                               By = In.number(L.Step);
  Known = Lo && Hi && By;
  if (!Known)
    return;
  At = wrapped(wide(*Lo, L.Lo->Ty), L.V->Ty);
  Goes = build::binary(L.Cond, build::cast(build::var(L.V), L.Hi->Ty),
                       build::intConst(*Hi, L.Hi->Ty));
  Next = build::binary(BinaryOp::Add, build::var(L.V),
                       build::intConst(*By, L.V->Ty));
}

bool Network::Count::goesOn() {
  if (Lost)
    return false;
  In.set(L.V.get(), At);
  const std::optional<int64_t> More = In.number(Goes);
  Lost = !More || In.isExhausted();
  return !Lost && *More;
}

void Network::Count::next() {
  In.set(L.V.get(), At); // the body may have lost it
  const std::optional<int64_t> V = In.number(Next);
  Lost |= !V;
  At = V.value_or(0);
}

bool Network::stepFor(const StmtRef &S) {
  auto *L = cast<For>(S.get());
  Count Values(*L, *this);
  if (!Values.isKnown())
    return false;
  while (Values.goesOn()) {
    if (!step(L->Body))
      return false;
    Values.next();
  }
  return !Values.isLost();
}

bool Network::step(const StmtRef &S) {
  if (isExhausted())
    return false;
  switch (S->Kind) {
  case StmtKind::Block:
    return all_of(cast<Block>(S.get())->Body,
                  [&](const StmtRef &Sub) { return step(Sub); });
  case StmtKind::Decl: {
    auto *D = cast<Decl>(S.get());
    if (D->V->Kind == VarKind::Cursor)
      return false;
    NetworkValue V;
    if (D->Init) {
      V = value(D->Init);
      if (std::holds_alternative<std::monostate>(V))
        return false;
    }
    Now.Scalars[D->V.get()] = V;
    return true;
  }
  case StmtKind::DeclBuffer:
    return stepArray(S);
  case StmtKind::Assign:
    return stepAssign(S);
  case StmtKind::Store:
    return stepStore(S);
  case StmtKind::For:
    return stepFor(S);
  case StmtKind::While: {
    auto *W = cast<While>(S.get());
    for (bool First = true;; First = false) {
      if (W->TestFirst || !First) {
        const std::optional<int64_t> More = number(W->Cond);
        if (!More)
          return false;
        if (!*More)
          return true;
      }
      if (isExhausted() || !step(W->Body))
        return false;
    }
  }
  case StmtKind::If: {
    auto *I = cast<If>(S.get());
    const std::optional<int64_t> C = number(I->Cond);
    if (!C)
      return false;
    const StmtRef &Taken = *C ? I->Then : I->Else;
    return !Taken || step(Taken);
  }
  default:
    return false;
  }
}

bool Network::run(const StmtRef &S) {
  State Before = Now;
  if (step(S))
    return true;
  Now = std::move(Before);
  return false;
}

} // namespace raise
