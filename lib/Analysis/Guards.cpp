//===- Guards.cpp - facts as conditions that cannot overflow --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A guard runs on any input, also where the original would not have evaluated
// its products. So it is computed in 64 bits, and wherever a product might not
// fit, a guard before it limits the partial product.
//
//===----------------------------------------------------------------------===//

#include "Symbols.h"
#include "raise/IR/Text.h"
#include <algorithm>

namespace raise::analysis {

static constexpr int64_t ProductLimit = INT32_MAX;
static constexpr int64_t SumLimit = int64_t(1) << 60;
static constexpr unsigned ProductBits = 31, SumBits = 60, FactorPairBits = 63;

static unsigned bitsOf(int64_t C) {
  unsigned B = 0;
  for (uint64_t M = C < 0 ? -uint64_t(C) : uint64_t(C); M; M >>= 1)
    ++B;
  return B;
}

unsigned Symbols::bits(const Poly &P) const {
  if (P.isZero())
    return 0;
  unsigned Most = 0;
  for (auto &[M, C] : P.terms()) {
    unsigned B = C == 1 || C == -1 ? 0 : bitsOf(C);
    for (AtomId A : M)
      B += Atoms[A].Bits;
    Most = std::max(Most, M.empty() ? bitsOf(C) : B);
  }
  return std::min<unsigned>(62, Most + bitsOf(P.terms().size() - 1));
}

/// The facts under which every intermediate value of P's evaluation fits in 64
/// bits. In a comparison, a single atom against a constant needs none.
std::optional<Needs> Symbols::limits(const Poly &P, bool Comparison) {
  Needs N;
  auto Limit = [&](const Poly &What, int64_t Bound) {
    Poly Below = Poly::constant(Bound) - What;
    if (!proves(Below))
      N.insert(addFact(Below, toString(What) + " fits in an index"));
  };
  auto NonNegative = [&](AtomId A) {
    // Not under N: facts are made in the same order whoever asks, so that a
    // number stands after those of the facts that it needs.
    if (!proves(Poly::atom(A))) {
      N = N + Atoms[A].Pre;
      N.insert(addFact(Poly::atom(A), Atoms[A].Name + " is not negative"));
    }
  };
  bool Simple = Comparison && P.atoms().size() == 1;
  for (auto &[M, C] : P.terms()) {
    Simple = Simple && M.size() <= 1 && (M.empty() || C == 1 || C == -1);
    // In a comparison the constant is a side of its own, or the last of a sum.
    if (bitsOf(C) > SumBits + (Comparison && M.empty() ? 1 : 0))
      return std::nullopt;
  }
  if (Simple)
    return N;
  unsigned Products = 0;
  for (auto &T : P.terms())
    Products += T.first.size() > 1;
  // One product of 62 bits and some small terms fit; several must be smaller.
  const unsigned Most = P.terms().size() == 1   ? FactorPairBits
                        : Products <= 1         ? FactorPairBits - 1
                        : P.terms().size() <= 6 ? SumBits
                                                : SumBits - 2;
  for (auto &[M, C] : P.terms()) {
    unsigned Scale = C == 1 || C == -1 ? 0 : bitsOf(C);
    bool Product = M.size() > 1 || Scale > 0;
    unsigned Acc = 0;
    Monomial Prefix;
    auto LimitPrefix = [&] {
      for (AtomId F : Prefix)
        NonNegative(F);
      Limit(Poly::term(Prefix, 1), ProductLimit);
      Acc = ProductBits;
    };
    for (AtomId A : M) {
      N = N + Atoms[A].Pre;
      unsigned B = Atoms[A].Bits;
      if (B > SumBits || (Product && B > ProductBits + 1)) {
        NonNegative(A);
        Limit(Poly::atom(A), Product ? ProductLimit : SumLimit);
        B = Product ? ProductBits : SumBits;
      }
      if (Acc + B > FactorPairBits)
        LimitPrefix();
      if (Acc + B > FactorPairBits) { // a 32-bit unsigned factor
        NonNegative(A);
        Limit(Poly::atom(A), ProductLimit);
        B = ProductBits;
      }
      Prefix.push_back(A);
      Acc += B;
    }
    if (Acc + Scale > Most)
      LimitPrefix();
    if (Acc + Scale > Most)
      return std::nullopt;
  }
  if (P.terms().size() > 24)
    return std::nullopt;
  return N;
}

ExprRef Symbols::termExpr(const Monomial &M, int64_t C) const {
  ExprRef E;
  for (AtomId A : M)
    E = E ? build::mul(E, Atoms[A].Value) : Atoms[A].Value;
  if (!E)
    return build::intConst(C, Type::getI64());
  return C == 1 ? E : build::mul(build::intConst(C, Type::getI64()), E);
}

/// The sum of P's terms of one sign, each with a positive coefficient.
static Poly part(const Poly &P, bool Positive) {
  Poly R;
  for (auto &[M, C] : P.terms())
    if ((C > 0) == Positive)
      R = R + Poly::term(M, C < 0 ? -C : C);
  return R;
}

std::optional<Symbols::Lowered> Symbols::lowerToExpr(const Poly &P) {
  if (!guardable(P))
    return std::nullopt;
  auto N = limits(P, false);
  if (!N)
    return std::nullopt;
  for (AtomId A : P.atoms())
    *N = *N + Atoms[A].Pre;
  auto Sum = [&](const Poly &Terms) {
    ExprRef E;
    for (int Constants = 0; Constants < 2; ++Constants)
      for (auto &[M, C] : Terms.terms())
        if (M.empty() == bool(Constants)) {
          ExprRef T = termExpr(M, C);
          E = E ? build::add(E, T) : T;
        }
    return E;
  };
  Poly Plus = part(P, true), Minus = part(P, false);
  ExprRef E = Plus.isZero() ? build::intConst(0, Type::getI64()) : Sum(Plus);
  for (auto &[M, C] : Minus.terms())
    E = build::sub(E, termExpr(M, C));
  return Lowered{E, *N};
}

ExprRef Symbols::lowerFact(const Poly &P) const {
  // a - c >= 0 reads a > c - 1 or a >= c; c - a >= 0 reads a <= c.
  Poly Plus, Minus;
  int64_t C = P.constantTerm();
  for (auto &[M, K] : P.terms())
    if (!M.empty())
      (K > 0 ? Plus : Minus) =
          (K > 0 ? Plus : Minus) + Poly::term(M, K < 0 ? -K : K);
  auto Sum = [&](const Poly &Terms, int64_t Constant) {
    ExprRef E;
    for (auto &[M, K] : Terms.terms()) {
      ExprRef T = termExpr(M, K);
      E = E ? build::add(E, T) : T;
    }
    ExprRef K = build::intConst(Constant, Type::getI64());
    return !E ? K : Constant == 0 ? E : build::add(E, K);
  };
  // An unsigned 64-bit variable is compared in its own type: the conversion to
  // i64 is only right below the limit.
  auto Compare = [&](BinaryOp Op, AtomId A, int64_t Bound) {
    const ExprRef &V = Atoms[A].Value;
    const auto *Conversion = llvm::dyn_cast<Cast>(V.get());
    if (Conversion && Conversion->Operand->Ty == Type::getInt(64, false) &&
        Bound >= 0)
      return build::binary(Op, Conversion->Operand,
                           build::intConst(Bound, Type::getInt(64, false)));
    return build::binary(Op, V, build::intConst(Bound, Type::getI64()));
  };
  if (Minus.isZero())
    if (auto A = Plus.asAtom())
      return C <= 0 ? Compare(C == 0 ? BinaryOp::GE : BinaryOp::GT, *A,
                              C == 0 ? 0 : -C - 1)
                    : Compare(BinaryOp::GE, *A, -C);
  if (Plus.isZero()) {
    if (auto A = Minus.asAtom())
      return Compare(BinaryOp::LE, *A, C);
    return build::binary(BinaryOp::LE, Sum(Minus, 0),
                         build::intConst(C, Type::getI64()));
  }
  // Plus + C >= Minus, with the constant where it is positive; one off makes
  // the comparison strict.
  if (C == -1)
    return build::binary(BinaryOp::GT, Sum(Plus, 0), Sum(Minus, 0));
  return build::binary(BinaryOp::GE, Sum(Plus, std::max<int64_t>(C, 0)),
                       Sum(Minus, C < 0 ? -C : 0));
}

std::vector<Guard> Symbols::guards(const Needs &N) const {
  // Signs of plain variables come first, each once and at its strongest: they
  // need nothing, and imply many others.
  std::vector<unsigned> Signs, Others;
  auto IsSign = [&](unsigned F) {
    const Poly &P = Facts[F].P;
    auto As = P.atoms();
    return As.size() == 1 && Atoms[*As.begin()].Pre.empty() &&
           P.terms().size() <= 2 &&
           (P - Poly::constant(P.constantTerm())).asAtom().has_value();
  };
  for (unsigned F : N)
    (IsSign(F) ? Signs : Others).push_back(F);
  std::vector<Guard> R;
  Needs Kept;
  auto Keep = [&](unsigned F) {
    if (proves(Facts[F].P, Kept))
      return;
    Kept.insert(F);
    Guard G;
    G.Cond = lowerFact(Facts[F].P);
    G.Why = Facts[F].Why;
    R.push_back(std::move(G));
  };
  std::stable_sort(Signs.begin(), Signs.end(), [&](unsigned A, unsigned B) {
    AtomId X = *Facts[A].P.atoms().begin(), Y = *Facts[B].P.atoms().begin();
    return std::make_pair(X, Facts[A].P.constantTerm()) <
           std::make_pair(Y, Facts[B].P.constantTerm());
  });
  for (unsigned F : Signs)
    Keep(F);
  for (unsigned F : Others)
    Keep(F);
  return R;
}

} // namespace raise::analysis
