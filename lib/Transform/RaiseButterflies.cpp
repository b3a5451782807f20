//===- RaiseButterflies.cpp - exchanges that reduce over a warp -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// `v += __shfl_xor_sync(~0u, v, m)` for m = 16, 8, 4, 2, 1 (in any order, in a
// loop or written out) leaves in every lane the sum over the warp. What is said
// here is that: one exchange, then a loop over its array, as of
// __reduce_add_sync. For maxima and minima there is more to it than speed: of
// values that are equal, all lanes take one and the same.
//
//===----------------------------------------------------------------------===//
#include "Warps.h"
#include "raise/IR/Updates.h"
#include "raise/IR/Visitor.h"
#include "raise/Transform/Passes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"

using namespace llvm;

namespace raise {

namespace {

using Statements = std::vector<StmtRef>;

/// One exchange with a lane whose number differs in some bits, and what is made
/// of both values.
struct Stage {
  const Store *Put = nullptr;
  VarRef V;     ///< what is exchanged, and updated
  ExprRef Mask; ///< the bits
  Combiner Op = Combiner::None;
  CalleeRef Fn; ///< fmax or fmin, where Op is None
  /// A copy of the value from before the exchange; may be null.
  const Var *Kept = nullptr;
  size_t Length = 0; ///< in statements
};

const VarUse *asVar(const ExprRef &E) { return dyn_cast<VarUse>(E.get()); }

bool isVar(const ExprRef &E, const Var *V) {
  auto *U = asVar(E);
  return U && U->V.get() == V;
}

/// `(unsigned)E <= 31`: always so for a lane and a mask below 32. The limit of
/// a part of a warp is another one, and its lanes may get their own values.
bool isWithinWarp(const ExprRef &Cond, const ExprRef &E) {
  auto *B = dyn_cast<Binary>(Cond.get());
  auto *Most = B ? dyn_cast<IntConst>(B->R.get()) : nullptr;
  auto *Bits = B ? dyn_cast<Cast>(B->L.get()) : nullptr;
  return Most && Bits && B->Op == BinaryOp::LE && Most->Value == WarpSize - 1 &&
         Bits->Ty == Type::getInt(32, false) &&
         structurallyEqual(Bits->Operand, E);
}

/// The mask of `lane ^ mask`, also where it is kept within the warp.
ExprRef maskOf(ExprRef Index, const ExprRef &Lane) {
  if (auto *S = dyn_cast<Select>(Index.get())) {
    if (!structurallyEqual(S->False, Lane) || !isWithinWarp(S->Cond, S->True))
      return nullptr;
    Index = S->True;
  }
  auto *B = dyn_cast<Binary>(Index.get());
  if (!B || B->Op != BinaryOp::Xor)
    return nullptr;
  return structurallyEqual(B->L, Lane)   ? B->R
         : structurallyEqual(B->R, Lane) ? B->L
                                         : nullptr;
}

bool commutes(Combiner Op) {
  return is_contained({Combiner::Add, Combiner::Mul, Combiner::Min,
                       Combiner::Max, Combiner::And, Combiner::Or,
                       Combiner::Xor},
                      Op);
}

/// Sets what A makes of S's value and that of the other lane, Got.
bool readUpdate(const Assign &A, const Var *Got, Stage &S) {
  if (A.V != S.V)
    return false;
  const auto AreBoth = [&](const ExprRef &L, const ExprRef &R) {
    const auto IsOwn = [&](const ExprRef &E) {
      return isVar(E, S.Kept ? S.Kept : S.V.get());
    };
    return (IsOwn(L) && isVar(R, Got)) || (IsOwn(R) && isVar(L, Got));
  };
  if (A.Op != Combiner::None) {
    S.Op = A.Op;
    return !S.Kept && commutes(A.Op) && isVar(A.Value, Got);
  }
  if (auto *B = dyn_cast<Binary>(A.Value.get())) {
    S.Op = commutingUpdate(B->Op).value_or(Combiner::None);
    return S.Op != Combiner::None && AreBoth(B->L, B->R);
  }
  auto *C = dyn_cast<Call>(A.Value.get());
  if (!C || C->Args.size() != 2 || !AreBoth(C->Args[0], C->Args[1]) ||
      C->Fn->Definition)
    return false;
  S.Fn = C->Fn;
  return is_contained({"fmax", "fmin", "fmaxf", "fminf"},
                      StringRef(C->Fn->Name));
}

/// The stage at the front of List.
std::optional<Stage> stageAt(ArrayRef<StmtRef> List) {
  Stage S;
  const Decl *First = List.empty() ? nullptr : dyn_cast<Decl>(List[0].get());
  if (First) { // an argument that is evaluated before the exchange
    if (!First->Init || !asVar(First->Init))
      return std::nullopt;
    S.Kept = First->V.get();
    List = List.drop_front();
    S.Length = 1;
  }
  if (List.size() < 5)
    return std::nullopt;
  S.Length += 5;
  S.Put = dyn_cast<Store>(List[0].get());
  auto *Wait = dyn_cast<Barrier>(List[1].get());
  auto *Got = dyn_cast<Decl>(List[2].get());
  auto *Again = dyn_cast<Barrier>(List[3].get());
  auto *Update = dyn_cast<Assign>(List[4].get());
  if (!S.Put || !Wait || !Got || !Again || !Update || !Wait->OfWarp ||
      !Again->OfWarp || S.Put->Op != Combiner::None ||
      !S.Put->To.Buf->PerWarp || S.Put->To.Indices.size() != 1 ||
      !asVar(S.Put->Value) || !Got->Init)
    return std::nullopt;
  S.V = asVar(S.Put->Value)->V;
  if (First && asVar(First->Init)->V != S.V)
    return std::nullopt;
  auto *L = dyn_cast<Load>(Got->Init.get());
  if (!L || L->From.Buf != S.Put->To.Buf || L->From.Indices.size() != 1)
    return std::nullopt;
  S.Mask = maskOf(L->From.Indices[0], S.Put->To.Indices[0]);
  if (!S.Mask || uses(S.Put->To.Indices[0], S.V.get()) ||
      !readUpdate(*Update, Got->V.get(), S))
    return std::nullopt;
  return S;
}

bool isAlike(const Stage &A, const Stage &B) {
  return A.V == B.V && A.Op == B.Op &&
         (A.Fn ? A.Fn->Name : "") == (B.Fn ? B.Fn->Name : "") &&
         structurallyEqual(A.Put->To.Indices[0], B.Put->To.Indices[0]);
}

std::optional<int64_t> constant(const ExprRef &E) {
  auto *C = dyn_cast<IntConst>(E.get());
  return C ? std::optional(C->Value) : std::nullopt;
}

/// Whether Masks are the bits of a lane's number, each once.
bool areAllBits(std::vector<int64_t> Masks) {
  llvm::sort(Masks);
  int64_t Bit = 1;
  for (int64_t M : Masks) {
    if (M != Bit)
      return false;
    Bit *= 2;
  }
  return Bit == WarpSize;
}

/// `V Op Limit` for a number V.
std::optional<bool> holds(const ExprRef &Cond, const Var *V, int64_t Value) {
  if (isVar(Cond, V))
    return Value != 0;
  auto *B = dyn_cast<Binary>(Cond.get());
  const std::optional<int64_t> Limit = B ? constant(B->R) : std::nullopt;
  if (!Limit || !isVar(B->L, V))
    return std::nullopt;
  switch (B->Op) {
  case BinaryOp::GT:
    return Value > *Limit;
  case BinaryOp::GE:
    return Value >= *Limit;
  case BinaryOp::LT:
    return Value < *Limit;
  case BinaryOp::LE:
    return Value <= *Limit;
  case BinaryOp::NE:
    return Value != *Limit;
  default:
    return std::nullopt;
  }
}

/// The values of First's variable, by which Loop counts in powers of two.
std::vector<int64_t> valuesOf(const Decl &First, const While &Loop,
                              const Assign &Update) {
  const std::optional<int64_t> From = First.Init ? constant(First.Init)
                                                 : std::nullopt,
                               By = constant(Update.Value);
  if (!From || !By || !Loop.TestFirst || Update.V != First.V)
    return {};
  const bool Halves = (Update.Op == Combiner::Div && *By == 2) ||
                      (Update.Op == Combiner::Shr && *By == 1);
  const bool Doubles = (Update.Op == Combiner::Mul && *By == 2) ||
                       (Update.Op == Combiner::Shl && *By == 1);
  std::vector<int64_t> Values;
  for (int64_t V = *From; (Halves || Doubles) && V >= 0 && V <= WarpSize;
       V = Halves ? V / 2 : V * 2) {
    const std::optional<bool> Goes = holds(Loop.Cond, First.V.get(), V);
    if (!Goes || Values.size() > 8)
      return {};
    if (!*Goes)
      return Values;
    Values.push_back(V);
  }
  return {};
}

class Butterflies : public Rewriter {
public:
  explicit Butterflies(const Options &Opts) : Opts(Opts) {}

private:
  StmtRef rewriteStmt(const StmtRef &S) override {
    auto *B = dyn_cast<Block>(S.get());
    if (!B)
      return S;
    Statements Out;
    bool Any = false;
    for (ArrayRef<StmtRef> Rest = B->Body; !Rest.empty();) {
      if (const size_t Taken = reduce(Rest, Out)) {
        Rest = Rest.drop_front(Taken);
        Any = true;
        continue;
      }
      Out.push_back(Rest.front());
      Rest = Rest.drop_front();
    }
    return Any ? std::make_shared<Block>(std::move(Out), S->Loc) : S;
  }

  /// Adds to Out what the statements at the front of List come to, and returns
  /// their number; 0 if they are no butterfly.
  size_t reduce(ArrayRef<StmtRef> List, Statements &Out) const {
    if (const size_t Taken = reduceLoop(List, Out))
      return Taken;
    std::vector<int64_t> Masks;
    std::optional<Stage> First;
    size_t Taken = 0;
    while (Masks.size() < 5) {
      const std::optional<Stage> S = stageAt(List.drop_front(Taken));
      const std::optional<int64_t> Mask = S ? constant(S->Mask) : std::nullopt;
      if (!Mask || (First && !isAlike(*First, *S)))
        return 0;
      if (!First)
        First = S;
      Masks.push_back(*Mask);
      Taken += S->Length;
      if (any_of(List.drop_front(Taken), [&](const StmtRef &Later) {
            return S->Kept && uses(Later, S->Kept);
          }))
        return 0;
    }
    if (!First || !areAllBits(Masks) || !mayReorder(*First))
      return 0;
    write(*First, Out);
    return Taken;
  }

  size_t reduceLoop(ArrayRef<StmtRef> List, Statements &Out) const {
    if (List.size() < 2)
      return 0;
    auto *D = dyn_cast<Decl>(List[0].get());
    auto *W = dyn_cast<While>(List[1].get());
    if (!D || !W || any_of(List.drop_front(2), [&](const StmtRef &S) {
          return uses(S, D->V.get()) || assigns(S, D->V.get());
        }))
      return 0;
    Statements Body;
    flatten(W->Body, Body);
    auto *Update = Body.empty() ? nullptr : dyn_cast<Assign>(Body.back().get());
    const std::optional<Stage> S = stageAt(Body);
    if (!Update || !S || S->Length + 1 != Body.size() ||
        !isVar(S->Mask, D->V.get()) || S->V == D->V ||
        !areAllBits(valuesOf(*D, *W, *Update)) || !mayReorder(*S))
      return 0;
    write(*S, Out);
    return 2;
  }

  static void flatten(const StmtRef &S, Statements &Out) {
    for (const StmtRef &Sub : statements(S))
      if (isa<Block>(*Sub))
        flatten(Sub, Out);
      else
        Out.push_back(Sub);
  }

  bool mayReorder(const Stage &S) const {
    // The largest is the same in any order (of zeros of both signs, fmax may
    // return either).
    return S.Fn || combinesInAnyOrder(S.Op, S.V->Ty, S.V->Ty, Opts.FP);
  }

  static void write(const Stage &S, Statements &Out) {
    const SourceLoc &Loc = S.Put->Loc;
    const auto At = [&](const ExprRef &I) {
      Access A = S.Put->To;
      A.Indices = {I};
      return std::make_shared<Load>(std::move(A), S.V->Ty, Loc);
    };
    const auto Fresh = [&](const char *Name, const Type &Ty) {
      auto V = std::make_shared<Var>();
      V->Name = Name;
      V->Ty = Ty;
      V->Loc = Loc;
      return V;
    };
    const VarRef All = Fresh("all", S.V->Ty), L = Fresh("l", Type::getI32());
    const ExprRef Other = At(build::var(L));
    StmtRef Update =
        S.Fn ? std::make_shared<Assign>(
                   All, Combiner::None,
                   std::make_shared<Call>(
                       S.Fn, std::vector<ExprRef>{build::var(All), Other}, Loc),
                   Loc)
             : std::make_shared<Assign>(All, S.Op, Other, Loc);
    Out.push_back(std::make_shared<Store>(S.Put->To, Combiner::None,
                                          S.Put->Value, false, Loc));
    Out.push_back(std::make_shared<Barrier>(Loc, /*OfWarp=*/true));
    Out.push_back(std::make_shared<Decl>(All, At(build::intConst(0)), Loc));
    Out.push_back(std::make_shared<For>(
        L, build::intConst(1), BinaryOp::LT, build::intConst(WarpSize),
        build::intConst(1), LoopKind::Serial, true,
        std::make_shared<Block>(Statements{std::move(Update)}, Loc), Loc));
    Out.push_back(std::make_shared<Barrier>(Loc, /*OfWarp=*/true));
    Out.push_back(
        std::make_shared<Assign>(S.V, Combiner::None, build::var(All), Loc));
  }

  const Options &Opts;
};

} // namespace

FunctionRef raiseButterflies(FunctionRef F, Context &Ctx) {
  if (F->Kind != FunctionKind::Kernel)
    return F;
  return withBody(*F, Butterflies(Ctx.Opts).run(F->Body));
}

} // namespace raise
