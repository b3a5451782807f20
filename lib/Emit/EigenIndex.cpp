//===- EigenIndex.cpp - how an access moves with its iterators ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "EigenIndex.h"
#include "raise/IR/Visitor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace raise::eigen {

// --- Sums -------------------------------------------------------------------

constexpr int64_t MaxFactor = int64_t(1) << 30;

Sum Sum::constant(int64_t C) {
  Sum R;
  R.add({}, C);
  return R;
}

void Sum::add(const Product &P, int64_t Factor) {
  int64_t &Known = Terms[P];
  Known += Factor;
  if (Known == 0)
    Terms.erase(P);
}

Sum Sum::plus(const Sum &O, int64_t Times) const {
  Sum R = *this;
  for (auto &[P, F] : O.Terms)
    R.add(P, F * Times);
  return R;
}

Sum Sum::times(const Sum &O) const {
  Sum R;
  for (auto &[P, F] : Terms)
    for (auto &[Q, G] : O.Terms) {
      Product Both = P;
      Both.insert(Both.end(), Q.begin(), Q.end());
      llvm::sort(Both);
      R.add(Both, F * G);
    }
  return R;
}

std::optional<int64_t> Sum::asConstant() const {
  if (Terms.empty())
    return 0;
  if (Terms.size() == 1 && Terms.begin()->first.empty())
    return Terms.begin()->second;
  return std::nullopt;
}

/// Small enough that sums and products of a few cannot overflow.
static bool isTame(const Sum &S) {
  return S.Terms.size() <= 8 && all_of(S.Terms, [](const auto &T) {
           return std::abs(T.second) < MaxFactor;
         });
}

// --- Symbols ----------------------------------------------------------------

Symbols::Symbols(ArrayRef<Iterator> Iters,
                 const DenseSet<const Var *> &Changing)
    : Count(Iters.size()), Changing(Changing) {
  for (const Iterator &I : Iters)
    List.push_back(build::var(I.V));
}

bool Symbols::isFixed(const ExprRef &E) const {
  bool Fixed = true;
  forEachExpr(E, [&](const ExprRef &Sub) {
    auto *U = dyn_cast<VarUse>(Sub.get());
    if (!U)
      return;
    Fixed &= !Changing.contains(U->V.get());
    for (size_t K = 0; K < Count; ++K)
      Fixed &= cast<VarUse>(List[K].get())->V != U->V;
  });
  return Fixed;
}

unsigned Symbols::symbol(const ExprRef &E) {
  for (size_t I = 0; I < List.size(); ++I)
    if (structurallyEqual(*List[I], *E))
      return unsigned(I);
  List.push_back(E);
  return unsigned(List.size() - 1);
}

/// Arithmetic of T is that of integers: it does not wrap, or does so as the
/// arithmetic of addresses does.
static bool isPlain(const Type &T) {
  return T.isInt() && (T.Bits == 64 || (T.Signed && T.Bits >= 32));
}

std::optional<int64_t> numberOf(const ExprRef &E) {
  if (auto *C = dyn_cast<Cast>(E.get()); C && C->Ty.isInt() &&
                                         C->Operand->Ty.isInt() &&
                                         C->Ty.Bits >= C->Operand->Ty.Bits) {
    auto N = numberOf(C->Operand);
    return N && *N >= 0 ? N : std::nullopt;
  }
  auto *C = dyn_cast<IntConst>(E.get());
  if (!C || C->Ty.isBool() || std::abs(C->Value) >= MaxFactor ||
      !all_of(C->Spelling, [](char X) { return isDigit(X); }))
    return std::nullopt;
  return C->Value;
}

std::optional<Sum> Symbols::sumOf(const ExprRef &E) {
  if (auto N = numberOf(E))
    return Sum::constant(*N);
  if (isa<VarUse>(*E) && (isFixed(E) || any_of(List, [&](const ExprRef &I) {
                            return structurallyEqual(*I, *E);
                          })))
    return Sum::symbol(symbol(E));
  if (auto *C = dyn_cast<Cast>(E.get())) {
    const Type &From = C->Operand->Ty;
    bool Widens = From.isInt() && C->Ty.isInt() &&
                  (C->Ty.Bits > From.Bits ||
                   (C->Ty.Bits == From.Bits &&
                    (C->Ty.Bits == 64 || C->Ty.Signed == From.Signed)));
    // A negative number in an unsigned type of 32 bits is another one.
    bool SameValue = C->Ty.Signed || C->Ty.Bits == 64 || !From.Signed;
    if (Widens && SameValue)
      return sumOf(C->Operand);
  }
  auto *B = dyn_cast<Binary>(E.get());
  if (B && isPlain(E->Ty) &&
      (B->Op == BinaryOp::Add || B->Op == BinaryOp::Sub ||
       B->Op == BinaryOp::Mul)) {
    auto L = sumOf(B->L), R = sumOf(B->R);
    if (!L || !R || !isTame(*L) || !isTame(*R))
      return std::nullopt;
    return B->Op == BinaryOp::Mul
               ? L->times(*R)
               : L->plus(*R, B->Op == BinaryOp::Sub ? -1 : 1);
  }
  if (isFixed(E) && E->Ty.isInt())
    return Sum::symbol(symbol(E));
  return std::nullopt;
}

/// A product of two variables may be too large for their type where the
/// original never formed it.
static Type typeFor(const Sum &S, const Symbols &In) {
  size_t Variable = 0;
  bool Simple = true;
  std::optional<Type> Of;
  for (auto &[P, F] : S.Terms) {
    if (P.empty())
      continue;
    ++Variable;
    Simple &= P.size() == 1 && F == 1;
    for (unsigned I : P)
      if (!Of || In.at(I)->Ty.Bits > Of->Bits)
        Of = In.at(I)->Ty;
  }
  if (!Of)
    return Type::getI32();
  if (Of->Bits == 64 || (Variable == 1 && Simple && isPlain(*Of)) ||
      (Variable == 1 && Simple && S.Terms.size() == 1))
    return *Of;
  return Type::getI64();
}

ExprRef Symbols::exprOf(const Sum &S) const {
  const Type T = typeFor(S, *this);
  ExprRef Result;
  auto Append = [&](ExprRef Part, bool Minus) {
    if (!Result)
      Result = Minus ? build::unary(UnaryOp::Neg, Part) : Part;
    else
      Result = Minus ? build::sub(Result, Part) : build::add(Result, Part);
  };
  for (bool Minus : {false, true})
    for (auto &[P, F] : S.Terms) {
      if (P.empty() || (F < 0) != Minus)
        continue;
      ExprRef Part;
      for (unsigned I : P) {
        ExprRef Factor = build::cast(List[I], T);
        Part = Part ? build::mul(Part, Factor) : Factor;
      }
      if (std::abs(F) != 1)
        Part = build::mul(build::intConst(std::abs(F), T), Part);
      Append(Part, Minus);
    }
  auto It = S.Terms.find({});
  if (It != S.Terms.end() || !Result) {
    int64_t C = It == S.Terms.end() ? 0 : It->second;
    if (!Result)
      return build::intConst(C, T);
    Append(build::intConst(std::abs(C), T), C < 0);
  }
  return Result;
}

// --- Accesses ---------------------------------------------------------------

/// The flat index, in 64 bits, of an access to an array of known extents too.
static ExprRef wholeIndex(const Access &A) {
  if (A.isView() || A.Buf->rank() == 1)
    return flatIndex(A, /*Wide=*/true);
  Access View = A;
  View.Extents.assign(A.Buf->Extents.begin() + 1, A.Buf->Extents.end());
  return flatIndex(View, /*Wide=*/true);
}

/// Takes from Rest what is a multiple of Step.
static int64_t takeShift(Sum &Rest, const Sum &Step) {
  if (Step.Terms.size() != 1)
    return 0;
  auto [P, F] = *Step.Terms.begin();
  auto It = Rest.Terms.find(P);
  if (It == Rest.Terms.end() || It->second % F)
    return 0;
  int64_t Shift = It->second / F;
  Rest.Terms.erase(It);
  return Shift;
}

std::optional<Motion> motionOf(const Access &A, Symbols &S) {
  // Structures lie apart by bytes, not by elements of their members.
  if (!A.Field.empty() || A.Buf->EachElement || A.Buf->Volatile ||
      A.Buf->Lies == ArrayHome::Growing ||
      (!A.isView() && A.Indices.size() != A.Buf->rank()))
    return std::nullopt;
  auto Flat = S.sumOf(wholeIndex(A));
  if (!Flat || !isTame(*Flat))
    return std::nullopt;
  Motion M;
  M.Steps.resize(S.iterators());
  for (auto &[P, F] : Flat->Terms) {
    size_t Varying = 0;
    unsigned Which = 0;
    Sum::Product Other;
    for (unsigned I : P) {
      if (I < S.iterators()) {
        ++Varying;
        Which = I;
      } else {
        Other.push_back(I);
      }
    }
    if (Varying > 1)
      return std::nullopt;
    (Varying ? M.Steps[Which] : M.Rest).add(Other, F);
  }
  for (const Sum &Step : M.Steps)
    M.Shifts.push_back(takeShift(M.Rest, Step));
  return M;
}

ExprRef replaced(const ExprRef &E, const DenseMap<const Var *, ExprRef> &By) {
  if (auto *U = dyn_cast<VarUse>(E.get())) {
    auto It = By.find(U->V.get());
    return It == By.end() ? E : build::cast(It->second, E->Ty);
  }
  if (auto *C = dyn_cast<Cast>(E.get())) {
    ExprRef In = replaced(C->Operand, By);
    if (auto N = numberOf(In); N && C->Ty.isInt() && *N >= 0)
      return build::intConst(*N, C->Ty);
    return build::cast(In, C->Ty, C->Implicit);
  }
  auto *B = dyn_cast<Binary>(E.get());
  if (B && (B->Op == BinaryOp::Add || B->Op == BinaryOp::Sub ||
            B->Op == BinaryOp::Mul)) {
    ExprRef L = replaced(B->L, By), R = replaced(B->R, By);
    for (ExprRef *Side : {&L, &R})
      if (auto N = numberOf(*Side))
        *Side = build::intConst(*N, (*Side)->Ty);
    auto IsZero = [](const ExprRef &X) { return numberOf(X) == 0; };
    if (B->Op == BinaryOp::Mul && (IsZero(L) || IsZero(R)))
      return build::intConst(0, E->Ty);
    if (B->Op == BinaryOp::Add && IsZero(L))
      return R;
    return build::binary(B->Op, L, R);
  }
  return substitute(E, By);
}

} // namespace raise::eigen
