//===- LaunchIndices.cpp - a launch's indices, by name --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "LaunchIndices.h"
#include "LaunchForm.h"
#include "Warps.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include <limits>

using namespace llvm;

namespace raise {

/// Numbers of the kernel's are small beside what indices may come to.
static constexpr int64_t MostFactor = 1 << 20;

const Expr *withoutIntCasts(const Expr *E) {
  while (auto *C = dyn_cast<Cast>(E)) {
    if (!C->Operand->Ty.isInt() || C->Ty.Bits < 32)
      break;
    E = C->Operand.get();
  }
  return E;
}

StmtRef LaunchIndices::takeWarps(StmtRef Of, MutableArrayRef<VarRef> Index) {
  InWarps = true;
  const int64_t Size = literalBlockSizes(Of, Index)[0];
  if (Size % WarpSize == 0 && Size != 0) {
    LiteralX = Size;
    Of = withExtent(Of, extent(Lane), Size);
  }
  const auto Number = [&](const char *Name) {
    auto V = std::make_shared<Var>(*Index[Lane]);
    V->Name = Name;
    return V;
  };
  const VarRef W = Number("warp"), L = Number("lane");
  Of = countByWarps(std::move(Of), F, Index, W, L);
  // The kernel's text says blockDim.x, by which threads were counted.
  if (const int64_t Usual = F.UsualBlock[0];
      Size == 0 && TakeLiterals && Usual != 0 && Usual % WarpSize == 0) {
    LiteralX = Usual;
    Of = withExtent(Of, extent(Lane), Usual);
  }
  Index[Warp] = W;
  Index[Lane] = L;
  return Of;
}

ExprRef LaunchIndices::extentIn(unsigned D, const Type &Ty) const {
  if (InWarps && D == Lane)
    return build::intConst(WarpSize, Ty);
  if (D == Warp) {
    const Type U32 = extent(Lane)->Ty;
    return LiteralX ? build::intConst(LiteralX / WarpSize, Ty)
                    : build::cast(build::div(build::var(extent(Lane)),
                                             build::intConst(WarpSize, U32)),
                                  Ty);
  }
  return Literal[D] ? build::intConst(Literal[D], Ty)
                    : build::cast(build::var(extent(D)), Ty);
}

/// How many threads a block has along D wherever it is launched, if Thread is
/// looked at; 0 if that is not known.
int64_t LaunchIndices::usualSize(unsigned D, const VarRef &Thread) const {
  const bool Asked =
      Thread && (uses(Body, Thread.get()) || uses(Body, extent(D + 3).get()));
  return Asked ? F.UsualBlock[D] : 0;
}

void LaunchIndices::takeLiteralBlocks() {
  VarRef Names[NumDims];
  for (unsigned D = 0; D < NumDims; ++D)
    Names[D] = Iterator[D] ? Iterator[D] : Index[D];
  const auto Sizes = literalBlockSizes(Body, Names);
  for (unsigned D = 0; D < 3; ++D) {
    const int64_t Size = Sizes[D] ? Sizes[D] : usualSize(D, Names[D + 3]);
    if (Size && !(InWarps && D == 0)) {
      Literal[D + 3] = Size;
      Body = withExtent(Body, extent(D + 3), Size);
    }
  }
}

/// The variable that is declared to be the index V and never changed.
VarRef LaunchIndices::declaredAs(const Var *V) const {
  VarRef Found;
  forEachStmt(Body, [&](const StmtRef &S) {
    auto *D = dyn_cast<Decl>(S.get());
    if (Found || !D || !D->Init || !D->V->Ty.isInt() || D->V->Ty.Bits < 32 ||
        D->V->Kind == VarKind::Cursor)
      return;
    auto *U = dyn_cast<VarUse>(withoutIntCasts(D->Init.get()));
    unsigned Sets = 0;
    assignedVars(Body, [&](const VarRef &Set) { Sets += Set == D->V; });
    if (U && U->V.get() == V && Sets == 1)
      Found = D->V;
  });
  return Found;
}

std::string LaunchIndices::freshName(unsigned D,
                                     const std::set<std::string> &Taken) const {
  // `block` and `grid` are the launcher's own.
  const unsigned First = D < 3 ? 0 : 3;
  const bool Alone = all_of(seq(First, First + 3), [&](unsigned Other) {
    return Other == D || !uses(Body, Index[Other].get());
  });
  std::string Base = D < 3 ? "b" : "t";
  if (D == Warp || (InWarps && D == Lane))
    Base = D == Warp ? "warp" : "lane";
  else if (!Alone)
    Base += "xyz"[D % 3];
  std::string Name = Base;
  for (unsigned N = 1; Taken.count(Name); ++N)
    Name = Base + std::to_string(N);
  return Name;
}

class LaunchIndices::Replacer : public Rewriter {
public:
  LaunchIndices &S;
  const std::set<const Var *> &Dropped;
  Replacer(LaunchIndices &S, const std::set<const Var *> &Dropped)
      : S(S), Dropped(Dropped) {}
  ExprRef rewriteExpr(const ExprRef &E) override {
    if (auto *U = dyn_cast<VarUse>(E.get()))
      for (unsigned D = 0; D < S.Index.size(); ++D)
        if (S.Index[D] && U->V == S.Index[D])
          return build::cast(build::var(S.Iterator[D]), E->Ty);
    if (auto *L = dyn_cast<Load>(E.get())) {
      Access From = L->From;
      return S.plainIndices(From) ? std::make_shared<Load>(From, E->Ty, E->Loc)
                                  : E;
    }
    auto *C = dyn_cast<Cast>(E.get());
    return C && C->Ty.isInt() && C->Ty.Bits >= 32
               ? S.narrowed(E, C->Operand, E->Ty)
               : E;
  }
  StmtRef rewriteStmt(const StmtRef &St) override {
    auto *D = dyn_cast<Decl>(St.get());
    if (D && Dropped.count(D->V.get()))
      return nullptr;
    auto *W = dyn_cast<Store>(St.get());
    Access At = W ? W->To : Access();
    return W && S.plainIndices(At)
               ? std::make_shared<Store>(At, W->Op, W->Value, W->Atomic,
                                         St->Loc)
               : St;
  }
};

StmtRef LaunchIndices::name(StmtRef Of, ArrayRef<VarRef> Indices,
                            std::set<std::string> Taken) {
  Body = std::move(Of);
  Index = Indices;
  for (const Param &P : F.Params)
    Taken.insert(P.name().str());
  assignedVars(Body, [&](const VarRef &V) { Taken.insert(V->Name); });
  std::set<const Var *> Dropped;
  for (unsigned D = 0; D < NumDims; ++D) {
    if (!Index[D] || (!uses(Body, Index[D].get()) && D != Warp))
      continue;
    if (const VarRef Declared = declaredAs(Index[D].get())) {
      Iterator[D] = Declared;
      Dropped.insert(Declared.get());
      continue;
    }
    auto V = std::make_shared<Var>();
    V->Name = freshName(D, Taken);
    V->Ty = Type::getI32();
    Iterator[D] = V;
  }
  Replacer R(*this, Dropped);
  Body = R.run(Body);
  if (TakeLiterals)
    takeLiteralBlocks();
  return Body;
}

/// Has indices that are made of indices of threads, which are never negative,
/// be ints, unsigned or not as they were. False if there is nothing to do.
bool LaunchIndices::plainIndices(Access &At) {
  bool Any = false;
  for (ExprRef &E : At.Indices) {
    auto *C = dyn_cast<Cast>(E.get());
    auto *U = dyn_cast<VarUse>(withoutIntCasts(E.get()));
    if (C && U && is_contained(Iterator, U->V)) {
      E = std::make_shared<VarUse>(U->V, E->Loc);
      Any = true;
    } else if (isa<Binary>(*E) && E->Ty == Type::getInt(32, false)) {
      ExprRef Int = narrowed(E, E, Type::getI32());
      Any |= Int != E;
      E = std::move(Int);
    }
  }
  return Any;
}

/// E, which stands for the unsigned number Of in type Ty, computed as an int
/// (which MustFitInt asks for) where Of is made of indices and extents; else
/// E.
ExprRef LaunchIndices::narrowed(const ExprRef &E, const ExprRef &Of,
                                const Type &Ty) {
  ExprRef Most;
  const ExprRef Int = asInt(Of, Most);
  if (!Int)
    return E;
  if (isa<Binary>(*withoutIntCasts(Of.get())) &&
      none_of(MustFitInt,
              [&](const ExprRef &M) { return structurallyEqual(M, Most); }))
    MustFitInt.push_back(Most);
  return build::cast(Int, Ty);
}

/// E, which is made of indices, extents and natural numbers by sums and
/// products, as an int; Most is what it stays below, or its value, in 64
/// bits. Null for anything else.
ExprRef LaunchIndices::asInt(const ExprRef &E, ExprRef &Most) const {
  const Type I32 = Type::getI32(), I64 = Type::getI64();
  if (!E->Ty.isInt())
    return nullptr;
  if (auto *K = dyn_cast<IntConst>(E.get())) {
    if (K->Value < 0 || K->Value > MostFactor)
      return nullptr;
    Most = build::intConst(K->Value, I64);
    // `7u` is no int, nor need an enumerator be one.
    const bool IsName = !K->Spelling.empty() && !isDigit(K->Spelling.front());
    if (K->Ty != I32 && IsName)
      return std::make_shared<Cast>(E, I32, /*Implicit=*/false, E->Loc);
    return std::make_shared<IntConst>(
        K->Value, I32, K->Ty == I32 ? K->Spelling : std::string(), E->Loc);
  }
  if (auto *U = dyn_cast<VarUse>(E.get())) {
    for (unsigned D = 0; D < NumDims; ++D) {
      if (Iterator[D] == U->V)
        Most = extentIn(D, I64);
      else if (D != Warp && extent(D) == U->V)
        Most = Literal[D] ? extentIn(D, I64) : build::cast(E, I64);
      if (Most)
        return build::cast(E, I32);
    }
    return nullptr;
  }
  if (auto *C = dyn_cast<Cast>(E.get()))
    return C->Ty.Bits >= 32 ? asInt(C->Operand, Most) : nullptr;
  auto *B = dyn_cast<Binary>(E.get());
  if (!B || E->Ty.Bits > 32 ||
      (B->Op != BinaryOp::Add && B->Op != BinaryOp::Mul))
    return nullptr;
  ExprRef MostL, MostR;
  const ExprRef L = asInt(B->L, MostL), R = L ? asInt(B->R, MostR) : nullptr;
  if (!R || bitsOf(B->L) + bitsOf(B->R) > 61)
    return nullptr;
  Most = build::binary(B->Op, MostL, MostR);
  return std::make_shared<Binary>(B->Op, L, R, I32, E->Loc);
}

/// Most binary digits of a number that asInt takes.
unsigned LaunchIndices::bitsOf(const ExprRef &E) const {
  if (auto *C = dyn_cast<Cast>(E.get()))
    return bitsOf(C->Operand);
  if (auto *K = dyn_cast<IntConst>(E.get()))
    return Log2_64(uint64_t(K->Value) + 1) + 1;
  if (auto *U = dyn_cast<VarUse>(E.get())) {
    static const unsigned Bits[] = {31, 16, 16, 11, 11, 7, 6};
    for (unsigned D = 0; D < NumDims; ++D)
      if (Iterator[D] == U->V || (D != Warp && extent(D) == U->V))
        return Bits[D];
    return 64;
  }
  auto *B = cast<Binary>(E.get());
  return B->Op == BinaryOp::Mul ? bitsOf(B->L) + bitsOf(B->R)
                                : std::max(bitsOf(B->L), bitsOf(B->R)) + 1;
}

void LaunchIndices::addWarpGuard(std::vector<Guard> &Guards) const {
  const VarRef &X = extent(Lane);
  const ExprRef Size = build::var(X);
  const auto Num = [&](int64_t V) { return build::intConst(V, X->Ty); };
  if (LiteralX)
    Guards.push_back({build::binary(BinaryOp::EQ, Size, Num(LiteralX)),
                      {},
                      {},
                      X->Name + " is " + std::to_string(LiteralX)});
  else
    Guards.push_back(
        {build::binary(BinaryOp::EQ, build::rem(Size, Num(WarpSize)), Num(0)),
         {},
         {},
         "a block has whole warps"});
}

void LaunchIndices::addGuards(std::vector<Guard> &Guards) const {
  std::vector<unsigned> Unused;
  ExprRef Once;
  for (unsigned D = 0; D < Warp; ++D)
    if (!Iterator[D]) {
      Unused.push_back(D);
      Once = build::logicalAnd(
          Once, build::binary(BinaryOp::EQ, build::var(extent(D)),
                              build::intConst(1, extent(D)->Ty)));
    }
  if (Once)
    Guards.push_back({Once, {}, {}, unusedText(Unused)});
  if (InWarps)
    addWarpGuard(Guards);
  for (unsigned D = 0; D < Warp; ++D)
    if (Literal[D])
      Guards.push_back(
          {build::binary(BinaryOp::EQ, build::var(extent(D)),
                         build::intConst(Literal[D], extent(D)->Ty)),
           {},
           {},
           extent(D)->Name + " is " + std::to_string(Literal[D])});
  for (const ExprRef &Most : MustFitInt)
    Guards.push_back(
        {build::binary(BinaryOp::LE, Most,
                       build::intConst(std::numeric_limits<int32_t>::max(),
                                       Type::getI64())),
         {},
         {},
         "a thread's index fits an int"});
}

} // namespace raise
