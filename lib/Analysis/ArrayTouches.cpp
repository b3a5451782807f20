//===- ArrayTouches.cpp - the accesses of one array, in order -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ArrayTouches.h"
#include "raise/IR/Visitor.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>

using namespace llvm;

namespace raise::analysis {

bool isZeroNumber(const ExprRef &E) {
  if (auto *C = dyn_cast<Cast>(E.get()))
    return isZeroNumber(C->Operand);
  auto *I = dyn_cast<IntConst>(E.get());
  auto *F = dyn_cast<FloatConst>(E.get());
  return (I && I->Value == 0) || (F && F->Value == 0);
}

ArrayTouches::ArrayTouches(const Buffer &B, ArrayRef<StmtRef> Rest) : B(B) {
  for (const StmtRef &S : Rest)
    assignedVars(S, [&](const VarRef &V) { ++Set[V.get()]; });
  if (B.Kind == BufferKind::Local && B.Lies != ArrayHome::Growing)
    for (const ExprRef &E : B.Extents)
      Sizes.push_back(E ? eval(E, false) : std::nullopt);
  for (size_t K = 0; K < Rest.size() && Followed; ++K) {
    auto *R = dyn_cast<Return>(Rest[K].get());
    if (R && K + 1 == Rest.size()) {
      if (R->Value)
        reads(R->Value, R);
    } else {
      walk(Rest[K]);
    }
  }
  splitRows();
}

bool ArrayTouches::varies(const Monomial &M) const {
  return any_of(M, [&](AtomId A) { return Varies[A]; });
}

bool ArrayTouches::isAffine(const Poly &P) const {
  return P.valid() && all_of(P.terms(), [&](const auto &Term) {
           return Term.first.size() == 1 || !varies(Term.first);
         });
}

AtomId ArrayTouches::fresh(bool IsIteration) {
  Varies.push_back(IsIteration);
  return Varies.size() - 1;
}

//===-- Values
//-------------------------------------------------------------===//

/// Whether E has one value throughout.
bool ArrayTouches::isFixed(const ExprRef &E) const {
  bool Fixed = true;
  forEachExpr(E, [&](const ExprRef &Sub) {
    auto *U = dyn_cast<VarUse>(Sub.get());
    Fixed &=
        !isa<Load>(*Sub) && !isa<Call>(*Sub) && !(U && Set.count(U->V.get()));
  });
  return Fixed;
}

std::optional<Poly> ArrayTouches::eval(const ExprRef &E, bool Index) {
  if (!E->Ty.isInt())
    return std::nullopt;
  std::optional<Poly> P = evalWhole(E, Index);
  if (P && P->valid())
    return P;
  if (!isFixed(E))
    return std::nullopt;
  return Poly::atom(atomOf(E));
}

AtomId ArrayTouches::atomOf(const ExprRef &E) {
  for (const auto &[Has, A] : Fixed)
    if (structurallyEqual(Has, E))
      return A;
  Fixed.push_back({E, fresh(false)});
  return Fixed.back().second;
}

/// None where E is no polynomial of known values, or may wrap.
std::optional<Poly> ArrayTouches::evalWhole(const ExprRef &E, bool Index) {
  if (auto *C = dyn_cast<IntConst>(E.get()))
    return !E->Ty.Signed && C->Value < 0
               ? std::nullopt
               : std::optional(Poly::constant(C->Value));
  if (auto *U = dyn_cast<VarUse>(E.get())) {
    const auto Has = Known.find(U->V.get());
    return Has == Known.end() ? std::nullopt : std::optional(Has->second);
  }
  if (auto *C = dyn_cast<Cast>(E.get())) {
    const Type &From = C->Operand->Ty;
    const bool Keeps =
        From.isInt() &&
        (From.Signed == E->Ty.Signed ? E->Ty.Bits >= From.Bits
                                     : !From.Signed && E->Ty.Bits > From.Bits);
    return Keeps || (Index && From.isInt() && E->Ty.Bits == 64)
               ? eval(C->Operand, Index)
               : std::nullopt;
  }
  // Signed arithmetic that overflows is undefined, other arithmetic wraps.
  if (!E->Ty.Signed && !(Index && E->Ty.Bits == 64))
    return std::nullopt;
  if (auto *U = dyn_cast<Unary>(E.get())) {
    const auto P =
        U->Op == UnaryOp::Neg ? eval(U->Operand, Index) : std::nullopt;
    return P ? std::optional(-*P) : std::nullopt;
  }
  auto *Bin = dyn_cast<Binary>(E.get());
  if (!Bin || (Bin->Op != BinaryOp::Add && Bin->Op != BinaryOp::Sub &&
               Bin->Op != BinaryOp::Mul))
    return std::nullopt;
  const auto L = eval(Bin->L, Index), R = eval(Bin->R, Index);
  if (!L || !R)
    return std::nullopt;
  return Bin->Op == BinaryOp::Add   ? *L + *R
         : Bin->Op == BinaryOp::Sub ? *L - *R
                                    : *L * *R;
}

//===-- Conditions
//---------------------------------------------------------===//

void ArrayTouches::condition(Poly P, bool Equality) {
  if (isAffine(P))
    Now.Where.push_back({std::move(P), Equality});
  else
    Now.Exact = false;
}

/// That Cond has the value Holds; where it cannot be said, that it may.
void ArrayTouches::assume(const ExprRef &Cond, bool Holds) {
  // C's `int` that stands for a truth value.
  const auto IsTruth = [](const Cast &C) {
    auto *Int = dyn_cast<Cast>(C.Operand.get());
    return C.Operand->Ty.isBool() ||
           (C.Ty.isBool() && Int && Int->Operand->Ty.isBool());
  };
  if (auto *C = dyn_cast<Cast>(Cond.get()); C && IsTruth(*C))
    return assume(C->Operand, Holds);
  if (auto *U = dyn_cast<Unary>(Cond.get()); U && U->Op == UnaryOp::Not)
    return assume(U->Operand, !Holds);
  auto *Bin = dyn_cast<Binary>(Cond.get());
  if (Bin && (Bin->Op == BinaryOp::LAnd || Bin->Op == BinaryOp::LOr)) {
    if ((Bin->Op == BinaryOp::LAnd) == Holds) {
      assume(Bin->L, Holds);
      return assume(Bin->R, Holds);
    }
  } else if (Bin) {
    const auto L = eval(Bin->L, false), R = eval(Bin->R, false);
    const Poly One = Poly::constant(1);
    if (L && R)
      switch (Bin->Op) {
      case BinaryOp::LT:
        return condition(Holds ? *R - *L - One : *L - *R, false);
      case BinaryOp::LE:
        return condition(Holds ? *R - *L : *L - *R - One, false);
      case BinaryOp::GT:
        return condition(Holds ? *L - *R - One : *R - *L, false);
      case BinaryOp::GE:
        return condition(Holds ? *L - *R : *R - *L - One, false);
      case BinaryOp::EQ:
      case BinaryOp::NE:
        if ((Bin->Op == BinaryOp::EQ) == Holds)
          return condition(*L - *R, true);
        break;
      default:
        break;
      }
  }
  Now.Exact = false;
}

//===-- Accesses
//-----------------------------------------------------------===//

ArrayTouch &ArrayTouches::touch(const Access &At, const Stmt *By, bool Writes) {
  std::optional<std::vector<Poly>> Element;
  if (At.isView()) {
    std::optional<Poly> Flat = eval(At.Indices.front(), true);
    for (size_t K = 0; K < At.Extents.size() && Flat; ++K) {
      const auto By = eval(At.Extents[K], true),
                 Next = eval(At.Indices[K + 1], true);
      Flat = By && Next ? std::optional(*Flat * *By + *Next) : std::nullopt;
    }
    if (Flat)
      Element = {*Flat};
  } else {
    Element.emplace();
    for (const ExprRef &I : At.Indices) {
      const auto P = Element ? eval(I, true) : std::nullopt;
      if (P)
        Element->push_back(*P);
      else
        Element.reset();
    }
  }
  if (!At.Field.empty() || At.Buf->Volatile)
    Followed = false;
  ArrayTouch &T = All.emplace_back();
  T.Writes = Writes;
  T.By = By;
  T.Element = std::move(Element);
  T.Iterations = Now.Iterations;
  T.Unknown = Now.Unknown;
  T.Where = Now.Where;
  T.Exact = Now.Exact;
  T.Places = Now.Places;
  T.Places.push_back(Place++);
  return T;
}

void ArrayTouches::reads(const ExprRef &E, const Stmt *By) {
  forEachExpr(E, [&](const ExprRef &Sub) {
    auto *L = dyn_cast<Load>(Sub.get());
    if (!L)
      return;
    if (L->From.Buf.get() == &B)
      touch(L->From, By, /*Writes=*/false);
    // A pointer may lead anywhere.
    Followed &= L->From.Buf->Kind != BufferKind::Pointer ||
                L->From.Buf->Derivative != B.Derivative;
  });
}

void ArrayTouches::walk(const Store &St) {
  for (const std::vector<ExprRef> *List : {&St.To.Indices, &St.To.Extents})
    for (const ExprRef &E : *List)
      reads(E, &St);
  reads(St.Value, &St);
  Followed &= St.To.Buf->Kind != BufferKind::Pointer ||
              St.To.Buf->Derivative != B.Derivative;
  if (St.To.Buf.get() != &B)
    return;
  Followed &= !St.Atomic;
  if (St.Op != Combiner::None)
    touch(St.To, &St, /*Writes=*/false).OfUpdate =
        St.Op == Combiner::Add || St.Op == Combiner::Sub;
  touch(St.To, &St, /*Writes=*/true).Zero =
      St.Op == Combiner::None && isZeroNumber(St.Value);
}

//===-- Statements
//---------------------------------------------------------===//

void ArrayTouches::walk(const If &I) {
  reads(I.Cond, &I);
  const Around Before = Now;
  const auto Enter = [&](bool Holds) {
    Now = Before;
    assume(I.Cond, Holds);
    if (Now.Exact || !Before.Exact ||
        !(isFixed(I.Cond) || Before.Iterations.empty()))
      return;
    // A number that is not known, above 0 where the condition holds.
    Now = Before;
    const Poly P = Poly::atom(atomOf(I.Cond));
    condition(Holds ? P - Poly::constant(1) : -P, false);
  };
  Enter(true);
  walk(I.Then);
  if (I.Else) {
    Enter(false);
    walk(I.Else);
  }
  Now = Before;
}

/// That L runs in Iteration, by what its condition says.
void ArrayTouches::count(const For &L, const Poly &Lo, AtomId Iteration) {
  const auto *Step = cast<IntConst>(L.Step.get());
  const Poly V = Lo + Poly::constant(Step->Value) * Poly::atom(Iteration);
  const bool Up = Step->Value > 0;
  const auto Hi = eval(L.Hi, false);
  // The comparison is made in Hi's type.
  const bool Converted = L.Hi->Ty.Signed != L.V->Ty.Signed &&
                         !(Up && Lo.isConstant() && Lo.constantTerm() >= 0);
  const bool Wraps =
      !L.V->Ty.Signed && (std::abs(Step->Value) != 1 ||
                          L.Cond == BinaryOp::NE || L.Cond == BinaryOp::GE);
  if (!Hi || Converted || Wraps) {
    Now.Exact = false;
    return;
  }
  const Poly One = Poly::constant(1);
  switch (L.Cond) {
  case BinaryOp::LT:
    return condition(*Hi - V - One, false);
  case BinaryOp::LE:
    return condition(*Hi - V, false);
  case BinaryOp::GT:
    return condition(V - *Hi - One, false);
  case BinaryOp::GE:
    return condition(V - *Hi, false);
  default: // a signed variable that misses its end overflows
    return condition(Up ? *Hi - V - One : V - *Hi - One, false);
  }
}

void ArrayTouches::walk(const For &L) {
  for (const ExprRef &E : {L.Lo, L.Hi, L.Step})
    reads(E, &L);
  Followed &= L.LKind == LoopKind::Serial || L.LKind == LoopKind::Simd ||
              L.LKind == LoopKind::Claimed;
  const Around Before = Now;
  Now.Places.push_back(Place++);
  const AtomId K = fresh(true);
  Now.Iterations.push_back(K);
  Now.Where.push_back({Poly::atom(K), false});
  auto *Step = dyn_cast<IntConst>(L.Step.get());
  const auto Lo = eval(L.Lo, false);
  if (Step && Step->Value != 0 && Lo && isAffine(*Lo)) {
    count(L, *Lo, K);
    Known[L.V.get()] = *Lo + Poly::constant(Step->Value) * Poly::atom(K);
  } else {
    Now.Exact = false;
    const AtomId V = fresh(true);
    Now.Unknown.push_back(V);
    Known[L.V.get()] = Poly::atom(V);
  }
  walk(L.Body);
  Known.erase(L.V.get());
  Now = Before;
}

void ArrayTouches::walk(const While &W) {
  const Around Before = Now;
  Now.Places.push_back(Place++);
  const AtomId K = fresh(true);
  Now.Where.push_back({Poly::atom(K), false});
  // The number of its iterations is one, if it runs once.
  if (Now.Iterations.empty())
    Now.Where.push_back(
        {Poly::atom(fresh(false)) - Poly::atom(K) - Poly::constant(1), false});
  else
    Now.Exact = false;
  Now.Iterations.push_back(K);
  const auto Condition = [&] {
    const Around Inside = Now;
    Now.Where = Before.Where; // once more than the body
    reads(W.Cond, &W);
    Now = Inside;
  };
  if (W.TestFirst)
    Condition();
  walk(W.Body);
  if (!W.TestFirst)
    Condition();
  Now = Before;
}

void ArrayTouches::walk(const StmtRef &S) {
  if (!Followed)
    return;
  switch (S->Kind) {
  case StmtKind::Block:
    for (const StmtRef &C : cast<Block>(S.get())->Body)
      walk(C);
    return;
  case StmtKind::Decl: {
    auto *D = cast<Decl>(S.get());
    if (!D->Init)
      return;
    reads(D->Init, D);
    if (Set.lookup(D->V.get()) == 1 && D->V->Ty.isInt())
      if (const auto P = evalWhole(D->Init, false))
        Known[D->V.get()] = *P;
    return;
  }
  case StmtKind::DeclBuffer:
    for (const ExprRef &E : cast<DeclBuffer>(S.get())->Init)
      reads(E, S.get());
    return;
  case StmtKind::Assign:
    return reads(cast<Assign>(S.get())->Value, S.get());
  case StmtKind::Store:
    return walk(*cast<Store>(S.get()));
  case StmtKind::If:
    return walk(*cast<If>(S.get()));
  case StmtKind::For:
    return walk(*cast<For>(S.get()));
  case StmtKind::While:
    return walk(*cast<While>(S.get()));
  default: // jumps, and what may hold an address
    Followed = false;
  }
}

//===-- Rows of a flat array
//-----------------------------------------------===//

/// `i * n + j` is element [i][j] of rows of n elements. Strides: of the rows of
/// each dimension, the longest first.
std::optional<std::vector<Poly>>
ArrayTouches::digits(const ArrayTouch &T, ArrayRef<Poly> Strides) const {
  std::vector<Poly> Out;
  Poly Rest = T.Element->front();
  for (const Poly &S : Strides) {
    const auto &[M, Factor] = *S.terms().begin();
    Poly Digit;
    for (const auto &[Term, C] : Rest.terms())
      if (const auto Q = divide(Term, M); Q && C % Factor == 0)
        Digit = Digit + Poly::term(*Q, C / Factor);
    Rest = Rest - Digit * S;
    Out.push_back(Digit);
  }
  Out.push_back(Rest);
  if (!all_of(Out, [&](const Poly &P) { return isAffine(P); }))
    return std::nullopt;
  return Out;
}

void ArrayTouches::splitRows() {
  if (B.rank() != 1)
    return;
  // What does not vary and stands before what does.
  std::vector<Poly> Strides;
  std::map<Monomial, int64_t> Factors;
  const auto Fixed = [&](const Monomial &M) {
    Monomial Out;
    copy_if(M, std::back_inserter(Out), [&](AtomId A) { return !Varies[A]; });
    return Out;
  };
  const auto Bits = [](int64_t C) { return C < 0 ? -C : C; };
  for (const ArrayTouch &T : All)
    if (T.Element)
      for (const auto &[M, C] : T.Element->front().terms())
        if (varies(M) && M.size() > 1)
          Factors.try_emplace(Fixed(M), 0);
  if (Factors.empty())
    return;
  for (auto &[Stride, Factor] : Factors)
    for (const ArrayTouch &T : All)
      if (T.Element)
        for (const auto &[M, C] : T.Element->front().terms())
          if (Fixed(M) == Stride)
            Factor = std::gcd(Factor, Bits(C));
  for (const auto &[Stride, Factor] : Factors)
    Strides.push_back(Poly::term(Stride, Factor));
  stable_sort(Strides, [](const Poly &A, const Poly &B) {
    return A.terms().begin()->first.size() > B.terms().begin()->first.size();
  });
  // Each dimension's rows are a number of those of the next.
  std::vector<Poly> Extents;
  for (size_t K = 0; K < Strides.size(); ++K) {
    const auto Ratio = K + 1 < Strides.size()
                           ? Strides[K].divideExactly(Strides[K + 1])
                           : std::optional(Strides[K]);
    if (!Ratio) {
      for (ArrayTouch &T : All)
        T.Element.reset();
      return;
    }
    Extents.push_back(*Ratio);
  }
  for (ArrayTouch &T : All) {
    if (T.Element)
      T.Element = digits(T, Strides);
    T.Extents = Extents;
  }
}

} // namespace raise::analysis
