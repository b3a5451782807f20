//===- EigenOp.cpp - tensor operations as Eigen statements ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "EigenOp.h"
#include "raise/IR/Effects.h"
#include "raise/IR/Visitor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>

using namespace llvm;

namespace raise::eigen {

/// What differs between the points of T, beside its iterators.
static DenseSet<const Var *> changing(const TensorOp &T) {
  DenseSet<const Var *> Vars;
  assignedVars(T.Body, [&](const VarRef &V) { Vars.insert(V.get()); });
  return Vars;
}

Operation::Operation(const TensorOp &T, size_t Level, const Place &Where,
                     Views &V)
    : T(T), Level(Level), Iters(ArrayRef(T.Iterators).drop_front(Level)),
      Where(Where), P(*Where.P), V(V),
      Known(Where.Counters ? *Where.Counters : NotNegative()),
      Changing(changing(T)), Syms(Iters, Changing) {
  if (Where.Tested)
    for (const Guard &G : *Where.Tested)
      if (G.Cond)
        Known.enter(G.Cond);
}

/// Whether what T accesses of one type has one name: Eigen takes `long` and
/// `long long` for two types where they are one to the processor.
static bool hasOneNameEach(const TensorOp &T, const ExprPrinter &P) {
  bool Same = true;
  SmallVector<std::pair<Type, std::string>, 4> Names;
  const auto Look = [&](const Type &Ty) {
    if (!Ty.isInt())
      return;
    const std::string Name = P.typeOf(Ty);
    for (const auto &[Other, Has] : Names)
      Same &= Other != Ty || Has == Name;
    Names.push_back({Ty, Name});
  };
  forEachExpr(T.Body, [&](const ExprRef &E) {
    if (auto *L = dyn_cast<Load>(E.get()))
      Look(L->From.Buf->Elem);
  });
  forEachStmt(T.Body, [&](const StmtRef &S) {
    if (auto *St = dyn_cast<Store>(S.get()))
      Look(St->To.Buf->Elem);
  });
  return Same;
}

// --- Iterators --------------------------------------------------------------

static bool isSimpleBound(const ExprRef &E) {
  bool Simple = true;
  forEachExpr(E, [&](const ExprRef &Sub) {
    Simple &= !isa<Load>(*Sub) && !isa<Call>(*Sub);
  });
  return Simple;
}

bool Operation::readIterators() {
  if (T.Mask || Iters.empty() || Iters.size() > 3 || !hasOneNameEach(T, P))
    return false;
  for (const Iterator &It : Iters) {
    if ((It.Kind != IterKind::Parallel && It.Kind != IterKind::Reduction) ||
        numberOf(It.Step) != 1 || !Syms.isFixed(It.Lo) ||
        !Syms.isFixed(It.Hi) || !isSimpleBound(It.Lo) || !isSimpleBound(It.Hi))
      return false;
    auto Lo = Syms.sumOf(It.Lo), Hi = Syms.sumOf(It.Hi);
    if (!Lo || !Hi)
      return false;
    Counts.push_back(Hi->plus(*Lo, -1));
    if (auto N = Counts.back().asConstant(); N && *N <= 0)
      return false;
    SizeTexts.push_back(sizeText(Counts.back()));
  }
  return true;
}

bool Operation::isNotNegative(const ExprRef &E) const {
  return (E->Ty.isInt() && !E->Ty.Signed) || Known.holds(E);
}

std::string Operation::testOf(size_t K) const {
  if (Counts[K].asConstant())
    return "";
  const Iterator &It = Iters[K];
  const auto Lo = numberOf(It.Lo);
  if (Lo == 0 && !NeedsPoint && isNotNegative(It.Hi))
    return "";
  const int64_t Points = Least.empty() ? 1 : Least[K];
  auto Text = [&](const ExprRef &Size, int64_t From) {
    return P
        .value(build::binary(BinaryOp::GT, Size,
                             build::intConst(From + Points - 1, Size->Ty)))
        .Text;
  };
  // n - 1 > 1 is n > 2, unless it wraps.
  auto *B = dyn_cast<Binary>(It.Hi.get());
  const auto Off = B ? numberOf(B->R) : std::nullopt;
  if (Lo && Off && B->Ty.Signed &&
      (B->Op == BinaryOp::Sub || B->Op == BinaryOp::Add))
    return Text(B->L, B->Op == BinaryOp::Sub ? *Lo + *Off : *Lo - *Off);
  ExprRef Hi = build::cast(It.Hi, It.V->Ty);
  if (Lo)
    return Text(Hi, *Lo);
  const std::string Any =
      P.value(build::lt(build::cast(It.Lo, It.V->Ty), Hi)).Text;
  return Points > 1 ? Any + " && " + Text(Syms.exprOf(Counts[K]), 0) : Any;
}

/// Whether Other is a test of the same size as One, `n > 0`, and says as much.
static bool saysAsMuch(StringRef Other, StringRef One) {
  const auto [Size, Least] = One.rsplit(" > ");
  uint64_t Number, Bound;
  return !Least.getAsInteger(10, Number) && Other.consume_front(Size) &&
         Other.consume_front(" > ") && !Other.getAsInteger(10, Bound) &&
         Bound > Number;
}

std::string Operation::test() const {
  SmallVector<std::string, 8> All;
  const auto Add = [&](const std::string &One) {
    if (!One.empty() && !is_contained(All, One))
      All.push_back(One);
  };
  for (size_t K = 0; K < Iters.size(); ++K)
    Add(testOf(K));
  for_each(Required, Add);
  SmallVector<StringRef, 8> Telling;
  for (const std::string &One : All)
    if (none_of(All, [&](StringRef Other) { return saysAsMuch(Other, One); }))
      Telling.push_back(One);
  return join(Telling, " && ");
}

// --- The body ---------------------------------------------------------------

/// How often V is used, but for `v * v`, which is written with one.
static unsigned usesIn(ArrayRef<StmtRef> Body, const Var *V) {
  unsigned Count = 0;
  for (const StmtRef &S : Body)
    forEachExpr(S, [&](const ExprRef &E) {
      auto *U = dyn_cast<VarUse>(E.get());
      Count += U && U->V.get() == V;
      auto *B = dyn_cast<Binary>(E.get());
      auto *L = B ? dyn_cast<VarUse>(B->L.get()) : nullptr;
      if (L && L->V.get() == V && B->Op == BinaryOp::Mul &&
          structurallyEqual(B->L, B->R))
        --Count;
    });
  return Count;
}

/// Short and cheap enough to stand in several places.
static bool isLight(const ExprRef &E) {
  unsigned Parts = 0;
  forEachExpr(E, [&](const ExprRef &Sub) {
    auto *B = dyn_cast<Binary>(Sub.get());
    Parts += isa<Load>(*Sub) || isa<VarUse>(*Sub);
    if (isa<Call>(*Sub) || isa<Select>(*Sub) || (B && B->Op == BinaryOp::Div))
      Parts += 100;
  });
  return Parts <= 6;
}

/// Whether no access of the operation to A meets one to B, one of which it
/// writes.
bool Operation::areSeparate(const Buffer &A, const Buffer &B) const {
  if (&A != &B && Where.Opts->Alias == AliasMode::Assume)
    return true;
  return areApart(Where.Tested ? ArrayRef(*Where.Tested) : ArrayRef<Guard>(), A,
                  B);
}

/// Whether the locals that E names have their values still where E stands:
/// none of the writes since has changed what they were loaded from.
bool Operation::mayMoveDown(const ExprRef &E) const {
  bool Fine = true;
  forEachExpr(E, [&](const ExprRef &Sub) {
    auto *U = dyn_cast<VarUse>(Sub.get());
    auto It = U ? Lets.find(U->V.get()) : Lets.end();
    if (It == Lets.end())
      return;
    for (size_t I = It->second.Before; I < Writes.size(); ++I)
      forEachExpr(It->second.Value, [&](const ExprRef &Part) {
        auto *L = dyn_cast<Load>(Part.get());
        Fine &= !L || Writes[I].Scalar ||
                areSeparate(*Writes[I].To.Buf, *L->From.Buf);
      });
  });
  return Fine;
}

bool Operation::readLet(const Decl &D, ArrayRef<StmtRef> Later) {
  if (!D.Init || !mayMoveDown(D.Init))
    return false;
  ExprRef Value = replaced(D.Init, Values);
  for (const StmtRef &S : Later)
    if (assigns(S, D.V.get()))
      return false;
  if (D.V->Kind != VarKind::Cursor && usesIn(Later, D.V.get()) > 1 &&
      !isLight(Value))
    return false;
  if (D.V->Kind != VarKind::Cursor && D.V->Ty != Value->Ty)
    return false;
  Values[D.V.get()] = Value;
  Lets[D.V.get()] = {Value, Writes.size()};
  return true;
}

static bool isWritable(Combiner Op) {
  return Op == Combiner::None || Op == Combiner::Add || Op == Combiner::Sub ||
         Op == Combiner::Mul || Op == Combiner::Div;
}

bool Operation::readWrite(Write W) {
  if (!isWritable(W.Op) || !mayMoveDown(W.Value))
    return false;
  W.Value = replaced(W.Value, Values);
  if (W.Scalar) {
    if (declaresInside(T.Body, W.Scalar.get()) ||
        W.Scalar->Kind == VarKind::Cursor || W.Value->Ty != W.Scalar->Ty)
      return false;
    Writes.push_back(std::move(W));
    return true;
  }
  for (const ExprRef &I : W.To.Indices)
    if (!mayMoveDown(I))
      return false;
  for (ExprRef &I : W.To.Indices)
    I = replaced(I, Values);
  auto M = motionOf(W.To, Syms);
  if (!M || !Views::canView(*W.To.Buf))
    return false;
  W.M = std::move(*M);
  // Types that C brings together first.
  const Type &Elem = W.To.Buf->Elem;
  if (W.Op != Combiner::None && W.Value->Ty != Elem) {
    const BinaryOp Op = W.Op == Combiner::Add   ? BinaryOp::Add
                        : W.Op == Combiner::Sub ? BinaryOp::Sub
                        : W.Op == Combiner::Mul ? BinaryOp::Mul
                                                : BinaryOp::Div;
    ExprRef Old = build::cast(build::load(W.To), W.Value->Ty);
    W.Value = build::cast(build::binary(Op, Old, W.Value), Elem);
    W.Op = Combiner::None;
  }
  Writes.push_back(std::move(W));
  return true;
}

bool Operation::readBody() {
  ArrayRef<StmtRef> Body = statements(T.Body);
  for (size_t I = 0; I < Body.size(); ++I) {
    bool Ok = false;
    if (auto *D = dyn_cast<Decl>(Body[I].get()))
      Ok = readLet(*D, Body.drop_front(I + 1));
    else if (auto *A = dyn_cast<Assign>(Body[I].get()))
      Ok = readWrite({A->V, {}, A->Op, A->Value, {}});
    else if (auto *S = dyn_cast<Store>(Body[I].get()); S && !S->Atomic)
      Ok = readWrite({nullptr, S->To, S->Op, S->Value, {}});
    if (!Ok)
      return false;
  }
  return !Writes.empty();
}

// --- Which accesses share a view --------------------------------------------

unsigned Operation::dims(const Motion &M) const {
  unsigned Bits = 0;
  for (size_t K = 0; K < Iters.size(); ++K)
    Bits |= M.moves(K) ? 1u << K : 0;
  return Bits;
}

bool Operation::add(const Access &A, bool Written) {
  auto M = motionOf(A, Syms);
  if (!M || !Views::canView(*A.Buf))
    return false;
  for (Family &F : Families)
    if (F.First.Buf == A.Buf && F.M.Steps == M->Steps && F.M.Rest == M->Rest) {
      for (size_t K = 0; K < Iters.size(); ++K) {
        F.Least[K] = std::min(F.Least[K], M->Shifts[K]);
        F.Most[K] = std::max(F.Most[K], M->Shifts[K]);
      }
      F.Written |= Written;
      return true;
    }
  Families.push_back({A, *M, M->Shifts, M->Shifts, Written});
  return true;
}

bool Operation::collect(const ExprRef &E) {
  bool Ok = true;
  forEachExpr(E, [&](const ExprRef &Sub) {
    auto *L = dyn_cast<Load>(Sub.get());
    if (L && !Syms.isFixed(Sub))
      Ok &= add(L->From, false);
  });
  return Ok;
}

/// Columns are what lies beside each other.
void Operation::chooseInner() {
  Inner = Iters.size() - 1;
  if (Iters.size() != 2)
    return;
  unsigned Votes[2] = {0, 0};
  for (const Family &F : Families)
    for (size_t K : {0, 1})
      if (dims(F.M) == 3 && F.M.Steps[K].asConstant() == 1)
        Votes[K] += F.Written ? 1000 : 1;
  if (Votes[0] > Votes[1])
    Inner = 0;
}

// --- Statements -------------------------------------------------------------

static StringRef assignment(Combiner Op) {
  return Op == Combiner::None  ? " = "
         : Op == Combiner::Add ? " += "
         : Op == Combiner::Sub ? " -= "
         : Op == Combiner::Mul ? " *= "
                               : " /= ";
}

Operation::Text Operation::writeMap(const Write &W, const Piece &Value) {
  auto To = element(W.To);
  if (!To)
    return std::nullopt;
  if (Value.Dims == 0 && W.Op == Combiner::None) {
    auto *C = dyn_cast<FloatConst>(withoutImplicitCasts(W.Value).get());
    auto *I = dyn_cast<IntConst>(withoutImplicitCasts(W.Value).get());
    const bool Zero =
        (C && C->Value == 0 && !std::signbit(C->Value)) || (I && I->Value == 0);
    return To->Text +
           (Zero ? ".setZero();" : ".setConstant(" + Value.Text + ");");
  }
  if (Value.Dims == whole() || Value.Dims == 0)
    return To->Text + assignment(W.Op).str() + Value.Text + ";";
  const bool IsRow = Value.Dims == (1u << Inner);
  return To->Text + (IsRow ? ".rowwise()" : ".colwise()") +
         assignment(W.Op).str() +
         (IsRow ? postfix(Value) + ".transpose()" : Value.Text) + ";";
}

/// Sums and products in any order, as far as that is allowed.
Operation::Text Operation::total(Combiner Op, const Piece &Value) const {
  const bool IsSum = Op == Combiner::Add || Op == Combiner::Sub;
  if ((!IsSum && Op != Combiner::Mul) || Value.Dims != whole())
    return std::nullopt;
  return IsSum ? ".sum()" : ".prod()";
}

Operation::Text Operation::writeReduction(const Write &W, const Piece &Value) {
  auto How = total(W.Op, Value);
  if (!How)
    return std::nullopt;
  if (W.Scalar)
    return P.nameOf(W.Scalar.get()) + assignment(W.Op).str() + postfix(Value) +
           *How + ";";
  // The element that all points share, or one for each row or column.
  NeedsPoint = true;
  const unsigned Kept = dims(W.M);
  if (!Kept)
    return P.access(W.To) + assignment(W.Op).str() + postfix(Value) + *How +
           ";";
  auto To = element(W.To);
  // What is no more than a sum of a table: products are for factors().
  if (!To || Iters.size() != 2 || any_of(Families, [&](const Family &F) {
        return !F.Written && dims(F.M) != whole();
      }))
    return std::nullopt;
  const bool OfColumns = Kept == (1u << Inner);
  return To->Text + assignment(W.Op).str() + postfix(Value) +
         (OfColumns ? ".colwise()" : ".rowwise()") + *How +
         (OfColumns ? ".transpose();" : ";");
}

Operation::Text Operation::write(const Write &W) {
  auto Element = [&](const Access &A) { return element(A); };
  ExprWriter Writer(*Where.Opts, P, Syms, SizeTexts, Inner, Element);
  for (const Write &Each : Writes)
    Writer.addCertain(Each.Value);
  auto Value = Writer.write(W.Value);
  NeedsPoint |= Writer.NeedsPoint;
  if (!Value || Writer.Meetings > 1 ||
      Writer.Operands.size() > ExprWriter::MaxOperands)
    return std::nullopt;
  if (!W.Scalar && dims(W.M) == whole())
    return writeMap(W, *Value);
  const Type &Ty = W.Scalar ? W.Scalar->Ty : W.To.Buf->Elem;
  if (W.Value->Ty != Ty || Ty.isBool() || (Ty.isInt() && Ty.Bits != 32) ||
      (Ty.isFloat() && Where.Opts->FP == FPMode::Strict))
    return std::nullopt;
  // Only what takes no part in the sum itself is added.
  bool Reads = false;
  forEachExpr(W.Value, [&](const ExprRef &E) {
    auto *L = dyn_cast<Load>(E.get());
    Reads |= L && !W.Scalar && L->From.Buf == W.To.Buf;
  });
  return Reads ? std::nullopt : writeReduction(W, *Value);
}

bool isLongEnough(ArrayRef<Iterator> Iters) {
  int64_t Points = 1;
  for (const Iterator &It : Iters) {
    const auto Lo = numberOf(It.Lo), Hi = numberOf(It.Hi);
    if (!Lo || !Hi)
      return true;
    Points *= std::max<int64_t>(1, std::min<int64_t>(*Hi - *Lo, 64));
  }
  return Points >= 16;
}

/// Compilers make slow code of blocks of a matrix that do not begin where its
/// rows do; and of several rows of one buffer, names do not tell which is
/// which.
bool Operation::areReadable() const {
  for (const Family &F : Families) {
    if (Iters.size() == 2 && dims(F.M) == 3 && F.Least != F.Most)
      return false;
    for (const Family &Other : Families)
      if (&F != &Other && F.First.Buf == Other.First.Buf && Level > 0)
        return false;
  }
  return true;
}

bool Operation::run() {
  if (!isLongEnough(Iters) || !readIterators() || !readBody())
    return false;
  if (product())
    return true;
  if (Iters.size() > 2)
    return false;
  for (const Write &W : Writes)
    if ((!W.Scalar && dims(W.M) && !add(W.To, true)) || !collect(W.Value))
      return false;
  chooseInner();
  if (!areReadable())
    return false;
  for (const Write &W : Writes) {
    Text Line = write(W);
    if (!Line)
      return false;
    Statements.push_back(std::move(*Line));
  }
  return true;
}

} // namespace raise::eigen
