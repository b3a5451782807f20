//===- Work.cpp - how much a loop does, as far as it can be told ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Work.h"
#include "MostIterations.h"
#include "Schedule.h"
#include "raise/IR/Effects.h"
#include "raise/IR/Visitor.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>

using namespace llvm;

namespace raise {

/// A call of a function that is not seen costs as much as the usual ones of
/// <cmath>; one that is seen will mostly be inlined.
static uint64_t costOfCall(const Callee &Fn, unsigned Depth);

static uint64_t costOfNode(const Expr &E, unsigned Depth) {
  switch (E.Kind) {
  case ExprKind::Call:
    return costOfCall(*cast<Call>(&E)->Fn, Depth);
  case ExprKind::Binary: {
    auto &B = cast<Binary>(E);
    bool Divides = B.Op == BinaryOp::Div || B.Op == BinaryOp::Rem;
    return Divides ? 5 : 1;
  }
  case ExprKind::Unary:
  case ExprKind::Select:
    return 1;
  default:
    return 0;
  }
}

namespace {

/// Subscripts are not counted: compilers turn them into increments.
class CostCounter : public Visitor {
public:
  uint64_t Cost = 0;
  explicit CostCounter(unsigned Depth = 0) : Depth(Depth) {}
  bool visitExpr(const ExprRef &E) override {
    Cost += costOfNode(*E, Depth);
    return E->Kind != ExprKind::Load;
  }
  bool visitStmt(const StmtRef &S) override {
    Loops |= isa<For>(*S) || isa<While>(*S);
    return true;
  }
  bool Loops = false;

private:
  unsigned Depth;
};

} // namespace

static uint64_t costOfCall(const Callee &Fn, unsigned Depth) {
  constexpr uint64_t Unseen = 20;
  constexpr unsigned MaxDepth = 3;
  if (!Fn.Definition || Depth == MaxDepth)
    return Unseen;
  CostCounter Within(Depth + 1);
  Within.walk(Fn.Definition->Body);
  return Within.Loops ? std::max(Unseen, Within.Cost) : Within.Cost;
}

uint64_t costOf(const ExprRef &E) {
  CostCounter C;
  if (E)
    C.walk(E);
  return C.Cost;
}

namespace {

/// A number of operations: Count times the product of Factors.
struct Amount {
  double Count = 0;
  std::vector<ExprRef> Factors;
};

/// Trip counts that cannot be evaluated beforehand are taken for this.
constexpr double UnknownTrips = 16;

class Estimator {
public:
  explicit Estimator(const Options &Opts) : Opts(Opts) {}

  /// Variables whose values are not known before the loop.
  DenseSet<const Var *> Inner;
  /// Arrays that are not there before it.
  DenseSet<const Buffer *> InnerArrays;
  /// How far iterators step that go by more than one.
  DenseMap<const Var *, int64_t> Bands;

  Amount of(const StmtRef &S);
  Amount ofTensor(const TensorOp &T, size_t Level);
  /// Surely: the original evaluates the bounds whenever the loop is reached.
  void multiply(Amount &A, const ExprRef &Lo, const ExprRef &Hi,
                const ExprRef &Step, bool Surely = false);

private:
  const Options &Opts;
  /// Where a range begins that is cut in two: its first half may be empty.
  DenseMap<const Var *, ExprRef> Cuts;
  /// Where strips of so many points end, and with the rest the range.
  struct EndOfStrips {
    ExprRef Hi;
    int64_t Width;
  };
  DenseMap<const Var *, EndOfStrips> Rests;
  static std::optional<EndOfStrips> endOfStrips(const Decl &D);
  /// The counters of the loops that stand around what is looked at.
  SmallVector<const Var *, 6> Around;
  /// Where those of operations end that begin at 0, and of which a loop inside
  /// goes on from where each begins by as much: all of them together run as
  /// often as that loop would from 0 on.
  DenseMap<const Var *, ExprRef> Ends;
  DenseSet<const Var *> Strided;
  bool goesOnFrom(const Var *V, const ExprRef &Step) const;
  bool comesBack(const TensorOp &T) const;
  bool isSafe(const ExprRef &E, bool MayLoad) const;
  void keepLarger(Amount &Sum, const Amount &A);
  void declare(const StmtRef &S);
};

/// Evaluating E early can neither trap nor, unless it MayLoad, read memory.
bool Estimator::isSafe(const ExprRef &E, bool MayLoad) const {
  bool Safe = true;
  forEachExpr(E, [&](const ExprRef &Sub) {
    switch (Sub->Kind) {
    case ExprKind::IntConst:
    case ExprKind::Cast:
    case ExprKind::Select:
      break;
    case ExprKind::Load:
      Safe &= MayLoad && Sub->Ty.isInt() &&
              !InnerArrays.count(cast<Load>(Sub.get())->From.Buf.get());
      break;
    case ExprKind::VarUse:
      Safe &= !Inner.count(cast<VarUse>(Sub.get())->V.get()) && Sub->Ty.isInt();
      break;
    case ExprKind::Binary: {
      auto *B = cast<Binary>(Sub.get());
      bool Divides = B->Op == BinaryOp::Div;
      auto *C = dyn_cast<IntConst>(withoutImplicitCasts(B->R).get());
      Safe &= B->Op == BinaryOp::Add || B->Op == BinaryOp::Sub ||
              B->Op == BinaryOp::Mul || isComparison(B->Op) ||
              (Divides && C && C->Value > 0);
      break;
    }
    default:
      Safe = false;
    }
  });
  return Safe;
}

/// The part of a bound that grows: n of n - 1 and of 2 + n.
static ExprRef growing(const ExprRef &E) {
  ExprRef Bare = withoutImplicitCasts(E);
  auto *B = dyn_cast<Binary>(Bare.get());
  if (B && (B->Op == BinaryOp::Add || B->Op == BinaryOp::Sub)) {
    if (isa<IntConst>(*withoutImplicitCasts(B->R)))
      return growing(B->L);
    if (B->Op == BinaryOp::Add && isa<IntConst>(*withoutImplicitCasts(B->L)))
      return growing(B->R);
  }
  return Bare;
}

/// E, of which sums of short numbers are computed in 64 bits; null where
/// something might overflow.
static ExprRef withoutOverflow(const ExprRef &E) {
  ExprRef Bare = withoutImplicitCasts(E);
  if (isa<VarUse>(*Bare) || isa<IntConst>(*Bare))
    return Bare;
  auto *B = dyn_cast<Binary>(Bare.get());
  if (!B || (B->Op != BinaryOp::Add && B->Op != BinaryOp::Sub) ||
      B->Ty.Bits > 32 || !B->Ty.Signed)
    return nullptr;
  const ExprRef L = withoutOverflow(B->L), R = withoutOverflow(B->R);
  if (!L || !R)
    return nullptr;
  const Type Wide = Type::getI64();
  return build::binary(B->Op, build::cast(L, Wide), build::cast(R, Wide));
}

/// The factors of a product, constants multiplied into Count.
static void addFactors(Amount &A, const ExprRef &E) {
  ExprRef G = growing(E);
  if (auto *C = dyn_cast<IntConst>(G.get())) {
    A.Count *= std::max<int64_t>(C->Value, 1);
    return;
  }
  auto *B = dyn_cast<Binary>(G.get());
  if (B && B->Op == BinaryOp::Mul) {
    addFactors(A, B->L);
    addFactors(A, B->R);
  } else if (B && B->Op == BinaryOp::Div) {
    auto *C = cast<IntConst>(withoutImplicitCasts(B->R).get());
    A.Count /= double(C->Value);
    addFactors(A, B->L);
  } else {
    A.Factors.push_back(G);
  }
}

/// `rest = hi - (hi - lo) % width`.
std::optional<Estimator::EndOfStrips> Estimator::endOfStrips(const Decl &D) {
  auto *Sub = dyn_cast_or_null<Binary>(
      D.Init ? withoutImplicitCasts(D.Init).get() : nullptr);
  if (!Sub || Sub->Op != BinaryOp::Sub || !D.V->Const)
    return std::nullopt;
  auto *Rem = dyn_cast<Binary>(withoutImplicitCasts(Sub->R).get());
  auto *Width = Rem && Rem->Op == BinaryOp::Rem
                    ? dyn_cast<IntConst>(withoutImplicitCasts(Rem->R).get())
                    : nullptr;
  if (!Width || Width->Value < 1)
    return std::nullopt;
  return EndOfStrips{Sub->L, Width->Value};
}

/// Whether Step is as large as the range of V, in any order of its factors.
bool Estimator::goesOnFrom(const Var *V, const ExprRef &Step) const {
  const ExprRef End = Ends.lookup(V);
  if (!End)
    return false;
  // An estimate needs no widths.
  const auto Bare = [](ExprRef E) {
    while (auto *C = dyn_cast<Cast>(E.get()))
      E = C->Operand;
    return E;
  };
  Amount Range{1, {}}, By{1, {}};
  addFactors(Range, Bare(End));
  addFactors(By, Bare(Step));
  return Range.Count == By.Count && !By.Factors.empty() &&
         std::is_permutation(Range.Factors.begin(), Range.Factors.end(),
                             By.Factors.begin(), By.Factors.end(),
                             [&](const ExprRef &X, const ExprRef &Y) {
                               return structurallyEqual(*Bare(X), *Bare(Y));
                             });
}

void Estimator::multiply(Amount &A, const ExprRef &Lo, const ExprRef &Hi,
                         const ExprRef &Step, bool Surely) {
  size_t Known = A.Factors.size();
  ExprRef L = withoutImplicitCasts(Lo), H = withoutImplicitCasts(Hi);
  if (auto *U = dyn_cast<VarUse>(L.get()); U && Cuts.contains(U->V.get()))
    L = withoutImplicitCasts(Cuts.lookup(U->V.get()));
  if (auto *U = dyn_cast<VarUse>(L.get()); U && Rests.contains(U->V.get())) {
    A.Count *= double(Rests.lookup(U->V.get()).Width);
    return;
  }
  if (auto *U = dyn_cast<VarUse>(H.get()); U && Rests.contains(U->V.get()))
    H = withoutImplicitCasts(Rests.lookup(U->V.get()).Hi);
  if (auto *U = dyn_cast<VarUse>(L.get()); U && isa<VarUse>(*H) &&
                                           isSafe(H, Surely) &&
                                           goesOnFrom(U->V.get(), Step)) {
    Strided.insert(U->V.get());
    A.Factors.push_back(H);
    return;
  }
  auto *CL = dyn_cast<IntConst>(L.get()), *CH = dyn_cast<IntConst>(H.get());
  auto *Band = dyn_cast<VarUse>(L.get());
  if (Band && Bands.contains(Band->V.get())) {
    A.Count *= double(Bands.lookup(Band->V.get()));
    return;
  }
  if (CL && CH)
    A.Count *= double(std::max<int64_t>(CH->Value - CL->Value, 0));
  else if (CL && isSafe(H, Surely))
    addFactors(A, H);
  else if (!CL && isSafe(H, Surely) && isSafe(L, Surely))
    A.Factors.push_back(build::sub(build::cast(H, Type::getI64()),
                                   build::cast(L, Type::getI64())));
  else
    A.Count *= UnknownTrips;
  // A sum that the original might not reach could overflow here.
  for (size_t I = Known; !Surely && I < A.Factors.size();)
    if (ExprRef Exact = withoutOverflow(A.Factors[I])) {
      A.Factors[I++] = std::move(Exact);
    } else {
      A.Factors.erase(A.Factors.begin() + ptrdiff_t(I));
      A.Count *= UnknownTrips;
    }
  if (auto *S = dyn_cast<IntConst>(withoutImplicitCasts(Step).get()))
    A.Count /= double(std::max<int64_t>(S->Value, 1));
}

/// Only the fastest growing part of a sum is kept; equals are added.
void Estimator::keepLarger(Amount &Sum, const Amount &A) {
  if (A.Factors.size() == Sum.Factors.size())
    Sum.Count += A.Count;
  else if (A.Factors.size() > Sum.Factors.size())
    Sum = A;
}

void Estimator::declare(const StmtRef &S) {
  assignedVars(S, [&](const VarRef &V) { Inner.insert(V.get()); });
  if (auto *D = dyn_cast<DeclBuffer>(S.get()))
    InnerArrays.insert(D->B.get());
}

/// How many operations of T's points run in the time of one: a processor does
/// two vectors of them at once.
static double atOnce(const TensorOp &T, const Options &Opts) {
  if (T.Iterators.empty() ||
      !vectorises(T, Opts, scalarUse(T, T.Iterators.size() - 1).Accumulators))
    return 1;
  unsigned Bits = 8;
  for (const StmtRef &S : statements(T.Body)) {
    if (auto *St = dyn_cast<Store>(S.get()))
      Bits = std::max(Bits, St->To.Buf->Elem.Bits);
    else if (auto *A = dyn_cast<Assign>(S.get()))
      Bits = std::max(Bits, A->V->Ty.Bits);
  }
  return std::max(1.0, 2.0 * 8 * Opts.Machine.VectorBytes / Bits);
}

/// Whether loops around T's body come back to all elements that it touches.
bool Estimator::comesBack(const TensorOp &T) const {
  SmallVector<const Var *, 8> Counters;
  for (const Var *V : Around)
    if (!Bands.contains(V)) // stands for those of its points
      Counters.push_back(V);
  for (const Iterator &It : T.Iterators)
    Counters.push_back(It.V.get());
  return all_of(effectsOf(T.Body).Memory, [&](const MemoryAccess &A) {
    // What a row's pointer says, other rows' do not.
    bool Known = true;
    for (const ExprRef &I : A.At.Indices)
      forEachExpr(I, [&](const ExprRef &E) {
        auto *U = dyn_cast<VarUse>(E.get());
        Known &= !U || !Inner.count(U->V.get()) ||
                 is_contained(Counters, U->V.get()) ||
                 Bands.contains(U->V.get());
      });
    return Known && any_of(Counters, [&](const Var *V) {
             return none_of(A.At.Indices,
                            [&](const ExprRef &E) { return uses(E, V); });
           });
  });
}

Amount Estimator::ofTensor(const TensorOp &T, size_t Level) {
  const size_t Outer = Around.size();
  for (size_t I = Level; I < T.Iterators.size(); ++I) {
    Inner.insert(T.Iterators[I].V.get());
    Around.push_back(T.Iterators[I].V.get());
    auto *By =
        dyn_cast<IntConst>(withoutImplicitCasts(T.Iterators[I].Step).get());
    if (By && By->Value > 1)
      Bands[T.Iterators[I].V.get()] = By->Value;
    auto *Lo =
        dyn_cast<IntConst>(withoutImplicitCasts(T.Iterators[I].Lo).get());
    if (By && By->Value == 1 && Lo && Lo->Value == 0)
      Ends[T.Iterators[I].V.get()] = T.Iterators[I].Hi;
  }
  Amount A = of(T.Body);
  Around.resize(Outer);
  A.Count += double(costOf(T.Mask));
  // However little is computed, the elements come and go; those that loops
  // come back to, in a quarter of the time.
  if (const double Lanes = atOnce(T, Opts); Lanes > 1)
    A.Count = std::max(A.Count / Lanes, comesBack(T) ? 0.25 : 1.0);
  // Outer trip counts stand before inner ones, as people write a size.
  for (size_t I = T.Iterators.size(); I-- > Level;) {
    std::vector<ExprRef> Within = std::move(A.Factors);
    A.Factors.clear();
    if (!Strided.contains(T.Iterators[I].V.get()))
      multiply(A, T.Iterators[I].Lo, T.Iterators[I].Hi, T.Iterators[I].Step,
               I == Level);
    A.Factors.insert(A.Factors.end(), Within.begin(), Within.end());
  }
  return A;
}

Amount Estimator::of(const StmtRef &S) {
  Amount A;
  declare(S);
  switch (S->Kind) {
  case StmtKind::Block:
    for (const StmtRef &Sub : cast<Block>(S.get())->Body)
      keepLarger(A, of(Sub));
    break;
  case StmtKind::Decl: {
    auto *D = cast<Decl>(S.get());
    A.Count = double(costOf(D->Init));
    if (auto *Cut = dyn_cast_or_null<Select>(D->Init.get());
        Cut && D->V->Const && D->V->Ty.isInt())
      Cuts[D->V.get()] = Cut->False;
    if (auto End = endOfStrips(*D))
      Rests[D->V.get()] = *End;
    break;
  }
  case StmtKind::Assign: {
    auto *As = cast<Assign>(S.get());
    A.Count = double(costOf(As->Value)) + (As->Op != Combiner::None);
    break;
  }
  case StmtKind::Store: {
    auto *St = cast<Store>(S.get());
    A.Count =
        std::max(1.0, double(costOf(St->Value)) + (St->Op != Combiner::None));
    break;
  }
  case StmtKind::If: {
    auto *I = cast<If>(S.get());
    A = of(I->Then);
    if (I->Else)
      keepLarger(A, of(I->Else));
    A.Count += double(costOf(I->Cond));
    break;
  }
  case StmtKind::For: {
    auto *L = cast<For>(S.get());
    Around.push_back(L->V.get());
    A = of(L->Body);
    Around.pop_back();
    multiply(A, L->Lo, L->Hi, L->Step);
    break;
  }
  case StmtKind::While:
    A = of(cast<While>(S.get())->Body);
    A.Count *= UnknownTrips;
    break;
  case StmtKind::TensorOp:
    A = ofTensor(*cast<TensorOp>(S.get()), 0);
    break;
  default:
    break;
  }
  return A;
}

/// 1, 2 or 5 times a power of ten, near X.
uint64_t niceNumber(double X) {
  double Power = std::pow(10.0, std::floor(std::log10(X)));
  double Lead = X / Power;
  return std::llround(Power * (Lead >= 7.5   ? 10
                               : Lead >= 3.5 ? 5
                               : Lead >= 1.5 ? 2
                                             : 1));
}

/// The most that A may come to.
double largest(const Amount &A, const CounterRanges &Around) {
  double Most = A.Count;
  for (const ExprRef &E : A.Factors) {
    auto Range = Around.of(E);
    Most *= Range ? std::max(Range->Most, 0.0) : HUGE_VAL;
  }
  return Most;
}

bool allEqual(ArrayRef<ExprRef> Factors) {
  return all_of(Factors, [&](const ExprRef &E) {
    return isa<VarUse>(*E) && structurallyEqual(*E, *Factors[0]);
  });
}

/// A test of a product of Factors that is to be greater than Limit, by what
/// takes one operation for each: their bits together reach a power of two where
/// one of them does. Converted to floating numbers and multiplied, they take a
/// call of no iterations half a nanosecond, and what is no parameter may have
/// to be divided first.
std::string quickTest(ArrayRef<ExprRef> Factors, double Limit,
                      const ExprPrinter &P) {
  std::vector<std::string> Names;
  std::optional<Type> Ty;
  for (const ExprRef &Factor : Factors) {
    auto *U = dyn_cast<VarUse>(withoutImplicitCasts(Factor).get());
    if (!U || U->V->Kind != VarKind::Param || !U->Ty.isInt() ||
        U->Ty.Bits < 32 || (Ty && *Ty != U->Ty))
      continue;
    Ty = U->Ty;
    if (std::string Name = P.value(Factor).Text; !is_contained(Names, Name))
      Names.push_back(std::move(Name));
  }
  if (Names.size() < 2)
    return "";
  const std::string Bits = "(" + join(Names, " | ") + ")";
  if (Names.size() < Factors.size())
    return Bits + " > 1";
  const double Each = std::pow(Limit, 1.0 / double(Factors.size()));
  if (Each < 2)
    return "";
  return Bits + " >= " +
         std::to_string(uint64_t(std::exp2(std::floor(std::log2(Each)))));
}

/// The most operations that T's points may come to.
double mostWork(const TensorOp &T, size_t Level, const Options &Opts,
                CounterRanges Around) {
  double Most = 1;
  for (const Iterator &It : ArrayRef<Iterator>(T.Iterators).drop_front(Level)) {
    const double Here = mostIterations(It, T);
    Most *= Here;
    auto *Lo = dyn_cast<IntConst>(withoutImplicitCasts(It.Lo).get());
    auto *By = dyn_cast<IntConst>(withoutImplicitCasts(It.Step).get());
    if (Lo && By && By->Value > 0 && Here * double(By->Value) < 1e15)
      Around.add(*It.V, It.Lo,
                 build::intConst(Lo->Value + int64_t(Here) * By->Value,
                                 Type::getI64()));
  }
  Estimator Inside(Opts);
  Amount Each = Inside.of(T.Body);
  Each.Count = std::max(Each.Count, 1.0);
  return Most * largest(Each, Around);
}

} // namespace

Threshold parallelThreshold(const TensorOp &T, size_t Level,
                            const ExprPrinter &P, const Options &Opts,
                            CounterRanges Around) {
  Estimator E(Opts);
  Amount A = E.ofTensor(T, Level);
  A.Count = std::max(A.Count, 1.0 / 1024);
  for (const Iterator &I : ArrayRef<Iterator>(T.Iterators).take_front(Level))
    Around.add(*I.V, I.Lo, I.Hi);
  const double Work = double(std::max<uint64_t>(Opts.Machine.ParallelWork, 1));
  double Limit = Work / A.Count;
  // Starting a team of one thread takes the time of some thousand operations.
  const bool Outweighs =
      A.Count * std::pow(UnknownTrips, double(A.Factors.size())) >= 4000;
  // The estimate is not so good that a known size near the limit should pay.
  constexpr double Margin = 4;
  if (A.Factors.empty())
    return {Limit * Margin <= 1 ? Threshold::Always : Threshold::Never, ""};
  if (Limit <= 1)
    return {Threshold::Always, ""};
  // A test that never holds is none, and compilers say so.
  if (largest(A, Around) <= Work || mostWork(T, Level, Opts, Around) <= Work)
    return {Threshold::Never, ""};
  const bool Plain = all_of(A.Factors, [](const ExprRef &Factor) {
    const ExprRef Bare = withoutImplicitCasts(Factor);
    return isa<VarUse>(*Bare) || isa<IntConst>(*Bare);
  });
  if (allEqual(A.Factors)) {
    // Also spares the reader a product where the range is square.
    Limit = std::pow(Limit, 1.0 / double(A.Factors.size()));
    if (Limit < 1.5)
      return {Threshold::Always, ""};
    return {Threshold::Test,
            parenthesised(P.value(A.Factors[0]), Prec::Shift) + " > " +
                std::to_string(niceNumber(Limit)),
            "", Plain, Outweighs};
  }
  std::string Product;
  for (size_t I = 0; I < A.Factors.size(); ++I) {
    const std::string Factor =
        parenthesised(P.value(A.Factors[I]), Prec::Unary);
    // Products of floating numbers do not wrap. (Nor do compilers share the
    // extended factors with the original's subscripts, which costs a small nest
    // a sixth of its time.)
    if (I)
      Product += " * ";
    else if (A.Factors.size() > 1)
      Product += "(double)";
    Product += Factor;
  }
  const uint64_t Least = niceNumber(Limit);
  return {Threshold::Test, Product + " > " + std::to_string(Least),
          quickTest(A.Factors, double(Least), P), Plain, Outweighs};
}

} // namespace raise
