//===- BlasCall.cpp - products as calls of BLAS ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// gemm, gemv, ger and dot of CBLAS, whose arguments are ints. A table is rows
// of elements that lie beside each other, at a distance that is no less than
// their number: where that is not known, it is tested.
//
//===----------------------------------------------------------------------===//

#include "BlasCall.h"
#include "BlasArguments.h"
#include "Work.h"
#include "raise/IR/Terms.h"
#include "raise/IR/Visitor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace raise::eigen {

/// Below so many operations a call costs more than it brings.
static constexpr uint64_t BlasWork = 5000;
/// What loops over a triangle do as fast, if they are vector code: libraries
/// compute tiles of some rows, and fewer sums are as many stores as anyhow.
static constexpr int64_t TriangleRows = 24, TriangleDepth = 8;

void Operation::require(const ExprRef &Cond) {
  std::string Text = P.value(Cond).Text;
  if (!is_contained(Required, Text))
    Required.push_back(std::move(Text));
}

Operation::Text Operation::blasPointer(const Access &A) {
  auto M = motionOf(A, Syms);
  if (!M)
    return std::nullopt;
  return pointer({A, *M, M->Shifts, M->Shifts}, *M);
}

/// E as an int that is greater than 0: tested where Positive is not known.
Operation::Text Operation::blasInteger(const ExprRef &E, bool Positive) {
  const ExprRef Bare = withoutImplicitCasts(E);
  if (auto C = numberOf(Bare))
    return *C > 0 && *C <= INT32_MAX ? Text(std::to_string(*C)) : std::nullopt;
  const Type &Ty = Bare->Ty;
  if (!Ty.isInt())
    return std::nullopt;
  if (!Positive)
    require(build::binary(BinaryOp::GT, Bare, build::intConst(0, Ty)));
  const bool Fits = Ty.Bits < 32 || (Ty.Bits == 32 && Ty.Signed);
  if (Fits)
    return P.value(Bare).Text;
  require(build::binary(BinaryOp::LE, Bare, build::intConst(INT32_MAX, Ty)));
  return P.value(build::cast(Bare, Type::getI32(), /*Implicit=*/false)).Text;
}

/// A with rows of iterator Row.
bool Operation::blasMatrix(const Access &A, size_t Row, size_t Column,
                           Stored &Out) {
  auto M = motionOf(A, Syms);
  auto Pointer = blasPointer(A);
  if (!M || !Pointer)
    return false;
  Out.Pointer = *Pointer;
  Out.Turned = M->Steps[Column].asConstant() != 1;
  if (Out.Turned)
    std::swap(Row, Column);
  if (M->Steps[Column].asConstant() != 1)
    return false;
  const Sum &Step = M->Steps[Row], &Width = Counts[Column];
  const auto Known = Step.asConstant(), Least = Width.asConstant();
  const bool Enough = Step == Width || (Known && Least && *Known >= *Least);
  if (Known && Least && !Enough)
    return false;
  const ExprRef E = Syms.exprOf(Step);
  if (!Enough) {
    // Both in a type that holds either.
    const ExprRef L = withoutImplicitCasts(E),
                  R = withoutImplicitCasts(Syms.exprOf(Width));
    if (!L->Ty.Signed || !R->Ty.Signed)
      return false;
    const Type &Ty = L->Ty.Bits >= R->Ty.Bits ? L->Ty : R->Ty;
    require(
        build::binary(BinaryOp::GE, build::cast(L, Ty), build::cast(R, Ty)));
  }
  auto Text = blasInteger(E, /*Positive=*/true);
  if (!Text)
    return false;
  Out.Step = *Text;
  return true;
}

bool Operation::blasVector(const Access &A, size_t K, Stored &Out) {
  auto M = motionOf(A, Syms);
  auto Pointer = blasPointer(A);
  if (!M || !Pointer)
    return false;
  auto Text = blasInteger(Syms.exprOf(M->Steps[K]), /*Positive=*/false);
  if (!Text)
    return false;
  Out.Pointer = *Pointer;
  Out.Step = *Text;
  return true;
}

bool Operation::blasDot(const BlasCall &C) {
  const Write &W = *C.Is.W;
  Stored A, B;
  if (!blasVector(C.Is.A, *C.Is.Of.Summed, A) ||
      !blasVector(C.Is.B, *C.Is.Of.Summed, B))
    return false;
  std::string Scale;
  if (C.Is.Scale)
    Scale =
        parenthesised(P.inType(C.Is.Scale, W.Value->Ty), Prec::Product) + " * ";
  Statements.push_back((W.Scalar ? P.nameOf(W.Scalar.get()) : P.access(W.To)) +
                       (W.Op == Combiner::Sub ? " -= " : " += ") + Scale +
                       C.Name + "dot(" +
                       join(std::vector<std::string>{C.summed(), A.Pointer,
                                                     A.Step, B.Pointer, B.Step},
                            ", ") +
                       ");");
  return true;
}

bool Operation::blasGer(const BlasCall &C) {
  const Shape &Of = C.Is.Of;
  Stored A, B, To;
  if (!blasMatrix(C.Is.W->To, *Of.Row, *Of.Column, To) || To.Turned ||
      !blasVector(C.Is.A, *Of.Row, A) || !blasVector(C.Is.B, *Of.Column, B))
    return false;
  C.addTo(Statements, "ger", {"CblasRowMajor", C.rows(), C.columns(), C.Alpha},
          {A.Pointer, A.Step, B.Pointer, B.Step, To.Pointer, To.Step});
  return true;
}

bool Operation::blasGemv(const BlasCall &C) {
  const Shape &Of = C.Is.Of;
  Stored A, B, To;
  if (!blasMatrix(C.Is.A, *Of.Row, *Of.Summed, A) ||
      !blasVector(C.Is.B, *Of.Summed, B) ||
      !blasVector(C.Is.W->To, *Of.Row, To))
    return false;
  // The sizes are those of the table as it lies.
  C.addTo(Statements, "gemv",
          {"CblasRowMajor", turned(A.Turned), A.Turned ? C.summed() : C.rows(),
           A.Turned ? C.rows() : C.summed(), C.Alpha},
          {A.Pointer, A.Step, B.Pointer, B.Step, C.Beta, To.Pointer, To.Step});
  return true;
}

bool Operation::blasGemm(const BlasCall &C) {
  const Shape &Of = C.Is.Of;
  Stored A, B, To;
  if (!blasMatrix(C.Is.A, *Of.Row, *Of.Summed, A) ||
      !blasMatrix(C.Is.B, *Of.Summed, *Of.Column, B) ||
      !blasMatrix(C.Is.W->To, *Of.Row, *Of.Column, To) || To.Turned)
    return false;
  C.addTo(Statements, "gemm",
          {"CblasRowMajor", turned(A.Turned), turned(B.Turned), C.rows(),
           C.columns(), C.summed(), C.Alpha},
          {A.Pointer, A.Step, B.Pointer, B.Step, C.Beta, To.Pointer, To.Step});
  return true;
}

/// Whether what T does may be enough for a call; where a size decides, it is
/// tested.
bool Operation::blasPays() {
  const Shape &Of = Products.front().Of;
  Least.assign(Iters.size(), 1);
  if (Half && Of.Row && Of.Column && Of.Summed) {
    Least[*Of.Row] = Least[*Of.Column] = TriangleRows;
    Least[*Of.Summed] = TriangleDepth;
  }
  for (size_t K = 0; K < Iters.size(); ++K)
    if (const auto N = Counts[K].asConstant(); N && *N < Least[K])
      return false;
  // So many points are enough; on fewer, calls lose to vector code.
  if (Half)
    return true;
  Options Enlarged = *Where.Opts;
  Enlarged.Machine.ParallelWork =
      std::min(Enlarged.Machine.ParallelWork, BlasWork);
  const Threshold Enough = parallelThreshold(T, Level, P, Enlarged);
  if (Enough.When == Threshold::Test)
    Required.push_back(Enough.Text);
  return Enough.When != Threshold::Never;
}

/// What T adds up, as products of one shape.
bool Operation::readProducts() {
  if (Writes.size() != 1 || Writes[0].Op == Combiner::None)
    return false;
  for (const Addend &A : addendsOf(Writes[0].Value)) {
    Write &W = Terms.emplace_back(Writes[0]);
    W.Value = A.Value;
    if (A.Minus)
      W.Op = W.Op == Combiner::Add   ? Combiner::Sub
             : W.Op == Combiner::Sub ? Combiner::Add
                                     : Combiner::None;
  }
  for (const Write &W : Terms) {
    auto Is = readProduct(W);
    if (!Is || W.Op == Combiner::None ||
        (!Products.empty() && Is->Of != Products[0].Of))
      return false;
    Products.push_back(std::move(*Is));
  }
  // Several calls go over the data several times: it is memory's speed that
  // they have, but for products of tables, and vectors with tables of their
  // own.
  const Shape &Of = Products[0].Of;
  return Products.size() == 1 || (Of.Row && Of.Column && Of.Summed) ||
         (Of.Row && Of.Summed && Products.size() == 2 &&
          Products[0].A.Buf != Products[1].A.Buf);
}

/// What a call of Is begins with.
Operation::BlasCall Operation::blasCall(const Product &Is, bool FromZero) {
  const Type &Ty = Is.W->Value->Ty;
  const auto Factor = [&](const ExprRef &E) {
    return P.initialiser(E ? build::cast(E, Ty) : build::floatConst(1, Ty));
  };
  // BLAS does not look at what it would multiply by 0: neither an infinity nor
  // a NaN there would come through.
  if (Is.Scale && Is.Of.Row)
    require(build::binary(BinaryOp::NE, Is.Scale, build::floatConst(0, Ty)));
  BlasCall C{Is, BlasSizes, {}, {}, {}};
  C.Name = std::string("cblas_") + (Ty.Bits == 32 ? "s" : "d");
  C.Alpha = Is.W->Op != Combiner::Sub ? Factor(Is.Scale)
            : Is.Scale ? Factor(build::unary(UnaryOp::Neg, Is.Scale))
                       : Factor(build::floatConst(-1, Ty));
  C.Beta = Factor(FromZero ? build::floatConst(0, Ty) : nullptr);
  return C;
}

bool Operation::runBlas(bool FromZero) {
  if (Where.Opts->FP != FPMode::Fast || !readTriangle() || !readIterators() ||
      !readBody() || !readProducts())
    return false;
  // BLAS refuses a distance of 0, which a size may be.
  NeedsPoint = true;
  for (const Sum &Count : Counts) {
    auto Size = blasInteger(Syms.exprOf(Count), /*Positive=*/true);
    if (!Size)
      return false;
    BlasSizes.push_back(*Size);
  }
  const Shape &Of = Products[0].Of;
  if (!blasPays() || (FromZero && (!Of.Row || !Of.Summed)))
    return false;
  if (Half && areOneCall())
    return blasTwoTables(blasCall(Products[0], FromZero));
  return all_of(Products, [&](const Product &Is) {
    const BlasCall C = blasCall(Is, FromZero && &Is == &Products[0]);
    return Half         ? blasTriangle(C)
           : !Of.Row    ? blasDot(C)
           : !Of.Summed ? blasGer(C)
           : !Of.Column ? blasGemv(C)
                        : blasGemm(C);
  });
}

namespace {

/// What one operation does to the elements that another adds to then.
enum class Start { Other, Zero, Scaled };

} // namespace

static bool isZero(const ExprRef &E) {
  const ExprRef Bare = withoutImplicitCasts(E);
  const auto *Number = dyn_cast<FloatConst>(Bare.get());
  const auto *Whole = dyn_cast<IntConst>(Bare.get());
  return (Number && Number->Value == 0) || (Whole && Whole->Value == 0);
}

static Start startOf(const TensorOp &First, const TensorOp &Then) {
  const auto *Sets = dyn_cast<Store>(First.Body.get());
  const auto *Adds = dyn_cast<Store>(Then.Body.get());
  if (!Sets || !Adds || First.Mask)
    return Start::Other;
  std::vector<const Iterator *> Kept;
  for (const Iterator &It : Then.Iterators)
    if (It.Kind == IterKind::Parallel)
      Kept.push_back(&It);
  if (Kept.size() != First.Iterators.size())
    return Start::Other;
  Substitution Same;
  for (size_t I = 0; I < Kept.size(); ++I) {
    const Iterator &It = First.Iterators[I];
    if (It.Kind != IterKind::Parallel ||
        !structurallyEqual(substitute(It.Lo, Same), Kept[I]->Lo) ||
        !structurallyEqual(substitute(It.Hi, Same), Kept[I]->Hi) ||
        !structurallyEqual(It.Step, Kept[I]->Step))
      return Start::Other;
    Same[It.V.get()] = build::var(Kept[I]->V);
  }
  Access To = Sets->To;
  for (ExprRef &I : To.Indices)
    I = substitute(I, Same);
  if (!sameAccess(To, Adds->To))
    return Start::Other;
  return Sets->Op == Combiner::None && isZero(Sets->Value) ? Start::Zero
                                                           : Start::Scaled;
}

std::optional<BlasForm> blasForm(ArrayRef<StmtRef> Body, const Place &Where,
                                 Names &N) {
  if (!Where.Opts->Blas || Body.empty())
    return std::nullopt;
  const auto *First = dyn_cast<TensorOp>(Body[0].get());
  const auto *Second =
      Body.size() > 1 ? dyn_cast<TensorOp>(Body[1].get()) : nullptr;
  const Start How = First && Second ? startOf(*First, *Second) : Start::Other;
  if (How != Start::Other)
    if (auto Form = blasForm(*Second, 0, Where, N, How == Start::Zero)) {
      Form->Replaced = 2;
      if (How == Start::Scaled)
        Form->Before = Body[0];
      return Form;
    }
  return First ? blasForm(*First, 0, Where, N) : std::nullopt;
}

std::optional<BlasForm> blasForm(const TensorOp &T, size_t Level,
                                 const Place &Where, Names &N, bool FromZero) {
  if (!Where.Opts->Blas)
    return std::nullopt;
  // What is around in the nest must leave each point to itself.
  for (const Iterator &It : ArrayRef(T.Iterators).take_front(Level))
    if (It.Kind != IterKind::Parallel)
      return std::nullopt;
  Views None(N, *Where.P);
  Operation Op(T, Level, Where, None);
  if (!Op.runBlas(FromZero))
    return std::nullopt;
  return BlasForm{std::move(Op.Statements), Op.test(), 1, nullptr};
}

std::optional<Batch> batchOf(const TensorOp &T, size_t Level,
                             const Place &Where, Names &N) {
  for (size_t At = Level + 1; At + 3 <= T.Iterators.size(); ++At) {
    const auto Form = blasForm(T, At, Where, N);
    if (!Form)
      continue;
    const auto Around = ArrayRef(T.Iterators).slice(Level, At - Level);
    const bool Differs = any_of(Around, [&](const Iterator &It) {
      return names(Form->Test, N.of(It.V.get()));
    });
    return Batch{Differs ? "" : Form->Test};
  }
  return std::nullopt;
}

} // namespace raise::eigen
