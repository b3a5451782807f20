//===- NestGuards.cpp - what a nest needs, tested before it ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "NestGuards.h"
#include "FoldConstants.h"
#include "LoopForm.h"
#include "Reaching.h"
#include "raise/IR/Counts.h"
#include "raise/IR/Effects.h"
#include "raise/IR/Fact.h"
#include "raise/IR/Visitor.h"
#include "raise/Transform/IndexMath.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace raise;
using llvm::cast;
using llvm::dyn_cast;
using llvm::isa;

namespace {

/// A guard is evaluated once, before the region; what it reads from memory
/// must not change in between.
bool isWritten(const Buffer &B, const Nest &N) {
  bool Yes = false;
  for (const MemoryAccess &A : effectsOf(N.Root).Memory)
    Yes |= A.How != MemoryAccess::Mode::Read &&
           alias(*A.At.Buf, B) != AliasResult::No;
  return Yes;
}

bool usesInner(const ExprRef &E, const Nest &N) {
  bool Yes = false;
  if (E)
    forEachExpr(E, [&](const ExprRef &Sub) {
      if (auto *U = dyn_cast<VarUse>(Sub.get()))
        Yes |= N.Inner.count(U->V.get()) != 0;
      if (auto *Ld = dyn_cast<Load>(Sub.get()))
        Yes |= isWritten(*Ld->From.Buf, N);
    });
  return Yes;
}

bool samePair(const Guard &A, const Guard &B) {
  return !A.Cond && !B.Cond &&
         ((A.A.Buf == B.A.Buf && A.B.Buf == B.B.Buf) ||
          (A.A.Buf == B.B.Buf && A.B.Buf == B.A.Buf));
}

bool sameRange(const ElementRange &A, const ElementRange &B) {
  return A.Buf == B.Buf && A.MayUnderflow == B.MayUnderflow &&
         structurallyEqual(A.Lo, B.Lo) && structurallyEqual(A.Hi, B.Hi);
}

bool sameGuard(const Guard &A, const Guard &B) {
  if (A.Cond || B.Cond)
    return A.Cond && B.Cond && structurallyEqual(A.Cond, B.Cond);
  return (sameRange(A.A, B.A) && sameRange(A.B, B.B)) ||
         (sameRange(A.A, B.B) && sameRange(A.B, B.A));
}

/// Whether one of N's guards says that V >= 0.
bool isNonNegative(const Var *V, const Nest &N) {
  return llvm::any_of(N.Rests.Guards, [&](const Guard &G) {
    auto *B = G.Cond ? dyn_cast<Binary>(G.Cond.get()) : nullptr;
    auto *Zero = B ? dyn_cast<IntConst>(B->R.get()) : nullptr;
    if (!Zero || Zero->Value < 0 ||
        (B->Op != BinaryOp::GE && B->Op != BinaryOp::GT))
      return false;
    const Expr *L = B->L.get();
    if (auto *C = dyn_cast<Cast>(L); C && C->Ty == Type::getI64() &&
                                     C->Operand->Ty.isInt() &&
                                     C->Operand->Ty.Signed)
      L = C->Operand.get();
    auto *U = dyn_cast<VarUse>(L);
    return U && U->V.get() == V;
  });
}

/// The limit that a guard `E <= limit` sets, if there is one.
std::optional<int64_t> limitOf(const ExprRef &E, llvm::ArrayRef<Guard> Guards) {
  for (const Guard &G : Guards) {
    auto *B = G.Cond ? dyn_cast<Binary>(G.Cond.get()) : nullptr;
    auto *C = B ? dyn_cast<IntConst>(B->R.get()) : nullptr;
    if (C && B->Op == BinaryOp::LE && C->Value >= 0 &&
        structurallyEqual(B->L, E))
      return C->Value;
  }
  return std::nullopt;
}

/// Bits that E, a number that is not negative, takes in 64-bit arithmetic, none
/// of which loses any; nothing where that is not known.
std::optional<unsigned> bitsOf(const ExprRef &E, llvm::ArrayRef<Guard> Guards) {
  const auto Of = [](int64_t V) { return llvm::Log2_64_Ceil(uint64_t(V) + 1); };
  if (auto *C = dyn_cast<IntConst>(E.get()))
    return C->Value >= 0 ? std::optional(Of(C->Value)) : std::nullopt;
  if (const auto Limit = limitOf(E, Guards))
    return Of(*Limit);
  if (auto *C = dyn_cast<Cast>(E.get());
      C && C->Ty == Type::getI64() && isa<VarUse>(C->Operand.get())) {
    const Type &From = C->Operand->Ty;
    if (!From.isInt())
      return std::nullopt;
    if (From.Bits <= 32)
      return From.Bits;
    const auto Limit = limitOf(C->Operand, Guards);
    return Limit ? std::optional(Of(*Limit)) : std::nullopt;
  }
  auto *B = dyn_cast<Binary>(E.get());
  if (!B || (B->Op != BinaryOp::Mul && B->Op != BinaryOp::Add))
    return std::nullopt;
  const auto L = bitsOf(B->L, Guards), R = bitsOf(B->R, Guards);
  if (!L || !R)
    return std::nullopt;
  return B->Op == BinaryOp::Mul ? *L + *R : std::max(*L, *R) + 1;
}

/// E with iterators of the loops around at their ends, which is no less than
/// E for any of their values; null where E may fall with one of them.
ExprRef atMost(const ExprRef &E, const Nest &N) {
  if (auto *C = dyn_cast<IntConst>(E.get()))
    return C->Value >= 0 ? E : nullptr;
  if (auto *C = dyn_cast<Cast>(E.get())) {
    const bool Widens = C->Ty == Type::getI64() && C->Operand->Ty.isInt();
    ExprRef Of = Widens ? atMost(C->Operand, N) : nullptr;
    // Of an unsigned number of 64 bits a guard has to say that it fits.
    if (Of && !Of->Ty.Signed && Of->Ty.Bits == 64 &&
        !limitOf(Of, N.Rests.Guards))
      return nullptr;
    return Of ? build::cast(Of, C->Ty, C->Implicit) : nullptr;
  }
  if (auto *U = dyn_cast<VarUse>(E.get())) {
    for (const For *L : N.Loops) {
      const auto Lo = constantValue(L->Lo);
      if (L->V == U->V)
        return Lo && *Lo >= 0 && L->Cond == BinaryOp::LT && L->Hi->Ty == U->Ty
                   ? L->Hi
                   : nullptr;
    }
    const bool Unsigned = U->Ty.isInt() && !U->Ty.Signed;
    return Unsigned || isNonNegative(U->V.get(), N) ? E : nullptr;
  }
  auto *B = dyn_cast<Binary>(E.get());
  if (!B || !B->Ty.Signed || (B->Op != BinaryOp::Mul && B->Op != BinaryOp::Add))
    return nullptr;
  ExprRef L = atMost(B->L, N), R = atMost(B->R, N);
  return L && R ? build::binary(B->Op, L, R) : nullptr;
}

/// Whether E can be computed in 64 bits.
bool isComputable(const ExprRef &E, llvm::ArrayRef<Guard> Guards) {
  const auto Bits = bitsOf(E, Guards);
  return Bits && *Bits < 64;
}

/// An inner loop's `b*T <= limit`, for all b of the loops around it at once:
/// `B*T <= limit`. Nothing where there is no such test.
std::optional<Guard> forAllIterations(const Guard &G, const Nest &N) {
  auto *B = G.Cond ? dyn_cast<Binary>(G.Cond.get()) : nullptr;
  if (!B || B->Op != BinaryOp::LE || !isa<IntConst>(B->R.get()))
    return std::nullopt;
  ExprRef Most = atMost(B->L, N);
  if (!Most || !isComputable(Most, N.Rests.Guards))
    return std::nullopt;
  Guard All;
  All.Cond = build::binary(BinaryOp::LE, Most, B->R);
  All.Why = "its indices fit an int";
  return All;
}

/// The loops of I around Body, each with a variable of its own; null if one of
/// them has no ascending form. Values: what takes the place of their variables.
StmtRef aroundLoops(const Inspection &I, Substitution &Values,
                    llvm::function_ref<StmtRef()> Body) {
  std::vector<Iterator> Its;
  for (const auto &L : I.Loops) {
    Reason Why;
    auto Form = ascendingForm(*L, /*KeepOrder=*/false, Why);
    if (!Form)
      return nullptr;
    auto Own = std::make_shared<Var>(*L->V);
    Own->Ty = Form->Lo->Ty;
    Own->Kind = VarKind::Local;
    Its.push_back({Own, substitute(Form->Lo, Values),
                   substitute(Form->Hi, Values), substitute(Form->Step, Values),
                   IterKind::Reduction});
    Values[L->V.get()] = build::cast(build::var(Own), L->V->Ty);
  }
  return std::make_shared<TensorOp>(std::move(Its), nullptr, Body(), "");
}

} // namespace

bool Nest::inspect(llvm::ArrayRef<Inspection> Inspections, const For &L) {
  std::vector<StmtRef> Decls, Ops;
  if (Rests.Inspection) {
    auto Old = statements(Rests.Inspection);
    Decls.assign(Old.begin(), Old.end());
  }
  for (size_t First = 0; First < Inspections.size();) {
    const Inspection &I = Inspections[First];
    size_t End = First;
    while (End < Inspections.size() && Inspections[End].Nest == I.Nest)
      ++End;
    Substitution Values;
    StmtRef Op = aroundLoops(I, Values, [&] {
      std::vector<StmtRef> Body;
      for (const Inspection &Each : Inspections.slice(First, End - First)) {
        ExprRef Element = substitute(Each.Element, Values);
        for (auto &[V, How] : {std::make_pair(Each.Least, Combiner::Min),
                               std::make_pair(Each.Greatest, Combiner::Max)}) {
          Decls.push_back(std::make_shared<Decl>(V, build::intConst(0, V->Ty)));
          Body.push_back(std::make_shared<Assign>(V, How, Element));
        }
      }
      return makeBlock(std::move(Body));
    });
    if (!Op)
      return false;
    Ops.push_back(Op);
    First = End;
  }
  // Where the region is L alone, guards of L keep what L writes apart from what
  // is looked at.
  bool Alone = Root.get() == &L, Set = false;
  for (const StmtRef &Op : Ops)
    forEachExpr(Op, [&](const ExprRef &E) {
      auto *U = dyn_cast<VarUse>(E.get());
      Set |= U && Inner.count(U->V.get());
      auto *Ld = dyn_cast<Load>(E.get());
      Set |= Ld && !Alone && isWritten(*Ld->From.Buf, *this);
    });
  if (Set)
    return false;
  Decls.insert(Decls.end(), Ops.begin(), Ops.end());
  Rests.Inspection = makeBlock(std::move(Decls));
  return true;
}

bool Nest::addCountFits(const LoopForm &Form,
                        std::vector<Guard> &Guards) const {
  NotNegative Around;
  for (const For *L : Loops)
    Around.enter(*L);
  Guard G;
  G.Cond = countFits(Form.Lo, Form.Hi, Form.Step,
                     /*FromZero=*/Around.holds(Form.Lo));
  if (!G.Cond)
    return true;
  if (effectsOf(G.Cond).MayTrap)
    return false;
  G.Why = Form.Lo->Ty.Bits == 32 ? "the number of iterations fits an int"
                                 : "the number of iterations can be counted";
  Guards.insert(Guards.begin(), std::move(G));
  return true;
}

void Nest::separate(llvm::ArrayRef<Guard> Guards) {
  Separated.clear();
  for (const Guard &G : Guards)
    if (!G.Cond)
      Separated.push_back({G.A.Buf.get(), G.B.Buf.get()});
}

void Nest::know(const Decl &Fact) {
  if (isExtent(Fact))
    Sizes.emplace_back(Fact.V->Base, Fact.Init);
  else
    Known.push_back(Fact.Init);
}

void Nest::rest(const Decl &Fact) {
  know(Fact);
  addOnce(Rests.Assumptions, {saysOf(Fact).str()});
}

void raise::addOnce(std::vector<std::string> &Into,
                    const std::vector<std::string> &From) {
  // What holds in any case is not said again where the tests hold.
  for (const std::string &S : From)
    if (!llvm::is_contained(Into, S) &&
        !llvm::is_contained(Into, "where the tests hold, " + S))
      Into.push_back(S);
}

/// Whether an iteration of the nest makes B.
static bool isMadeInside(const BufferRef &B, const Nest &N) {
  bool Found = false;
  if (N.Root)
    forEachStmt(N.Root, [&](const StmtRef &S) {
      auto *D = dyn_cast<DeclBuffer>(S.get());
      Found |= D && D->B == B;
    });
  return Found;
}

/// Whether E, written out, is longer than anybody would test or read. What is
/// computed from variables that are computed from others grows with each, and
/// its parts are shared: no one may look at all of it.
static bool isTooLong(const ExprRef &E) {
  constexpr unsigned Most = 5000;
  struct Counter : Visitor {
    unsigned Count = 0;
    bool visitExpr(const ExprRef &) override { return ++Count <= Most; }
  } C;
  if (E)
    C.walk(E);
  return C.Count > Most;
}

bool Nest::adopt(const std::vector<Guard> &Guards, bool Outermost) {
  Obligations Old = Rests;
  for (Guard G : Guards) {
    if (llvm::any_of(std::initializer_list<ExprRef>{G.Cond, G.A.Lo, G.A.Hi,
                                                    G.B.Lo, G.B.Hi},
                     isTooLong)) {
      Rests = std::move(Old);
      return false;
    }
    // What leads elsewhere was there before the array: it is not the same. (A
    // pointer that is set to it is known as a place in it.)
    if (!G.Cond &&
        (isMadeInside(G.A.Buf, *this) || isMadeInside(G.B.Buf, *this)))
      continue;
    bool Inner = llvm::any_of(
        std::initializer_list<ExprRef>{G.Cond, G.A.Lo, G.A.Hi, G.B.Lo, G.B.Hi},
        [&](const ExprRef &E) { return usesInner(E, *this); });
    auto Same = [&](const Guard &Earlier) {
      return sameGuard(G, Earlier) ||
             // (Of a kernel the loop over threads has no test.)
             ((!Outermost || Covered) && !Kernel && samePair(G, Earlier));
    };
    if (llvm::any_of(Rests.Guards, Same))
      continue;
    if (Inner) {
      std::optional<Guard> All = forAllIterations(G, *this);
      if (!All || usesInner(All->Cond, *this)) {
        Rests = std::move(Old);
        return false;
      }
      G = *All;
      if (llvm::any_of(Rests.Guards, Same))
        continue;
    }
    Rests.Guards.push_back(std::move(G));
  }
  if (addTestsToReach())
    return true;
  Rests = std::move(Old);
  return false;
}

/// Where a buffer is may be asked only where the source asks it too.
bool Nest::addTestsToReach() {
  std::vector<Guard> Tests;
  for (const Guard &G : Rests.Guards)
    for (const BufferRef &B : {G.A.Buf, G.B.Buf}) {
      if (G.Cond || !isFoundInMemory(*B))
        continue;
      auto Found = testsToReach(
          *B, Root, [&](const ExprRef &E) { return !usesInner(E, *this); });
      if (!Found)
        return false;
      for (const ExprRef &E : *Found) {
        Guard Test;
        Test.Cond = E;
        Test.Why = "'" + B->Name + "' is used at all";
        auto Same = [&](const Guard &Earlier) {
          return sameGuard(Test, Earlier);
        };
        if (llvm::none_of(Tests, Same) && llvm::none_of(Rests.Guards, Same))
          Tests.push_back(std::move(Test));
      }
    }
  Rests.Guards.insert(Rests.Guards.begin(), Tests.begin(), Tests.end());
  return true;
}

namespace {

/// `V <= limit`: by which V fits where it is computed with.
const Var *limitedBy(const Guard &G) {
  const auto *B = G.Cond ? dyn_cast<Binary>(G.Cond.get()) : nullptr;
  const auto *U = B && B->Op == BinaryOp::LE && isa<IntConst>(B->R.get())
                      ? dyn_cast<VarUse>(B->L.get())
                      : nullptr;
  return U ? U->V.get() : nullptr;
}

/// The polynomial that is not negative where G, a comparison of numbers that no
/// step of its arithmetic changes, holds. Guards say what fits in 64 bits.
std::optional<Polynomial> asInequality(const Guard &G,
                                       llvm::ArrayRef<Guard> Guards) {
  const auto *B = G.Cond ? dyn_cast<Binary>(G.Cond.get()) : nullptr;
  if (!B || !B->L->Ty.isInt() || !B->R->Ty.isInt())
    return std::nullopt;
  bool Exact = true;
  const auto Look = [&](const ExprRef &E) {
    if (const auto *C = dyn_cast<Cast>(E.get())) {
      const Type &From = C->Operand->Ty;
      const bool Fits = From.isInt() && (From.Signed || From.Bits <= 32);
      Exact &= C->Ty == Type::getI64() &&
               (Fits || (From.isInt() && isa<VarUse>(C->Operand.get()) &&
                         limitOf(C->Operand, Guards)));
    } else if (const auto *C = dyn_cast<IntConst>(E.get())) {
      // Of large unsigned numbers only the bits are kept.
      constexpr int64_t Large = int64_t(1) << 61;
      Exact &= C->Value <= Large && C->Value >= (C->Ty.Signed ? -Large : 0);
    } else if (!isa<VarUse>(E.get())) {
      Exact &= E->Ty.Signed;
    }
  };
  forEachExpr(B->L, Look);
  forEachExpr(B->R, Look);
  const auto L = Polynomial::of(B->L), R = Polynomial::of(B->R);
  if (!Exact || !L || !R)
    return std::nullopt;
  const Polynomial One = Polynomial::constant(1);
  switch (B->Op) {
  case BinaryOp::LE:
    return *R - *L;
  case BinaryOp::LT:
    return *R - *L - One;
  case BinaryOp::GE:
    return *L - *R;
  case BinaryOp::GT:
    return *L - *R - One;
  default:
    return std::nullopt;
  }
}

/// Whether Strong may be tested where Weak was, after Before.
bool mayComeAt(const Guard &Strong, llvm::ArrayRef<Guard> Before) {
  const auto *B = cast<Binary>(Strong.Cond.get());
  if (!isa<IntConst>(B->R.get()))
    return false;
  // (The weaker one looks at the same variable.)
  ExprRef Of = B->L;
  while (const auto *C = dyn_cast<Cast>(Of.get()))
    Of = C->Operand;
  return isa<VarUse>(Of.get()) ||
         (B->Op == BinaryOp::LE && isComputable(B->L, Before));
}

/// Which of Guards says what the one at Weak says, and may take its place;
/// their number where there is none.
size_t findStronger(llvm::ArrayRef<Guard> Guards, size_t Weak) {
  const auto Less = asInequality(Guards[Weak], Guards);
  if (!Less)
    return Guards.size();
  const Var *Limited = limitedBy(Guards[Weak]);
  for (size_t By = 0; By < Guards.size(); ++By) {
    if (By == Weak || (Limited && limitedBy(Guards[By]) != Limited))
      continue;
    const auto More = asInequality(Guards[By], Guards);
    // Tests in between may rest on it.
    if (More && (*Less - *More).isNatural([](const Var *V) {
          return V->Ty.isInt() && !V->Ty.Signed;
        }) &&
        (By < Weak || mayComeAt(Guards[By], Guards.take_front(Weak))))
      return By;
  }
  return Guards.size();
}

} // namespace

bool raise::excludeEachOther(llvm::ArrayRef<Guard> Guards) {
  for (size_t I = 0; I < Guards.size(); ++I)
    for (size_t K = 0; K < I; ++K) {
      const auto A = asInequality(Guards[I], Guards),
                 B = asInequality(Guards[K], Guards);
      // Neither is below 0, and nor would be their sum.
      const auto Sum = A && B ? (*A + *B).asConstant() : std::nullopt;
      if (Sum && *Sum < 0)
        return true;
    }
  return false;
}

/// Whether Cond compares a variable with a number that is beyond all values of
/// its type: compilers warn of that.
static bool holdsByType(const ExprRef &Cond) {
  const auto *B = llvm::dyn_cast_or_null<Binary>(Cond.get());
  const auto Bound = B ? constantValue(B->R) : std::nullopt;
  if (!Bound)
    return false;
  ExprRef Of = B->L;
  unsigned Least = 64;
  bool Signed = true;
  while (const auto *C = dyn_cast<Cast>(Of.get())) {
    if (!C->Ty.isInt() || !C->Operand->Ty.isInt())
      return false;
    Least = std::min(Least, C->Ty.Bits - unsigned(C->Ty.Signed));
    Signed &= C->Ty.Signed;
    Of = C->Operand;
  }
  const Type &Ty = Of->Ty;
  const unsigned Width = Ty.Bits - unsigned(Ty.Signed);
  // Each conversion keeps all values: those below zero, where it has a sign.
  if (!isa<VarUse>(Of.get()) || !Ty.isInt() || Width >= 63 || Width > Least ||
      (Ty.Signed && !Signed))
    return false;
  const int64_t Most = (int64_t{1} << Width) - 1,
                Fewest = Ty.Signed ? -Most - 1 : 0;
  switch (B->Op) {
  case BinaryOp::LE:
    return Most <= *Bound;
  case BinaryOp::LT:
    return Most < *Bound;
  case BinaryOp::GE:
    return Fewest >= *Bound;
  case BinaryOp::GT:
    return Fewest > *Bound;
  default:
    return false;
  }
}

void raise::dropImplied(std::vector<Guard> &Guards) {
  llvm::erase_if(Guards, [](const Guard &G) {
    const auto *Known = llvm::dyn_cast_or_null<IntConst>(G.Cond.get());
    return (Known && Known->Value) || holdsByType(G.Cond);
  });
  for (size_t Weak = 0; Weak < Guards.size();) {
    const size_t By = findStronger(Guards, Weak);
    if (By == Guards.size()) {
      ++Weak;
      continue;
    }
    if (By > Weak)
      Guards[Weak] = Guards[By];
    Guards.erase(Guards.begin() + ptrdiff_t(std::max(By, Weak)));
    Weak = 0;
  }
}
