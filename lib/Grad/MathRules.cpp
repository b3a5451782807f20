//===- MathRules.cpp - derivatives of the functions of <math.h> -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Rules.h"
#include "raise/IR/Math.h"
#include "raise/IR/Visitor.h"
#include "llvm/ADT/StringSwitch.h"
#include <cmath>

using namespace llvm;

namespace raise::grad {

StringRef baseName(const Callee &Fn) {
  StringRef Name = Fn.Name;
  if (!Fn.Params.empty() && Fn.Params[0].isFloat() && Fn.Params[0].Bits == 32)
    return Name.drop_back();
  return Name;
}

ExprRef mathCall(StringRef Base, const Type &T, std::vector<ExprRef> Args) {
  const CalleeRef Fn =
      knownMathCallee(T.Bits == 32 ? Base.str() + "f" : Base.str());
  assert(Fn && "no such function of <math.h>");
  return build::call(Fn, std::move(Args));
}

bool hasRule(const Callee &Fn) {
  if (Fn.Definition || knownMathCallee(Fn.Name).get() != &Fn)
    return false;
  return StringSwitch<bool>(baseName(Fn))
      .Cases("tgamma", "lgamma", "nextafter", false)
      .Default(true);
}

bool isSlow(const ExprRef &E) {
  bool Slow = false;
  forEachExpr(E, [&](const ExprRef &Sub) {
    auto *C = dyn_cast<Call>(Sub.get());
    if (!C)
      return;
    Slow |= C->Fn->Definition || C->Fn->Rule ||
            (hasRule(*C->Fn) &&
             !StringSwitch<bool>(baseName(*C->Fn))
                  .Cases("fabs", "fmax", "fmin", "sqrt", "fma", true)
                  .Cases("copysign", "ceil", "floor", "round", "trunc", true)
                  .StartsWith("__builtin_", true)
                  .Default(false));
  });
  return Slow;
}

/// What is constant between its jumps.
static bool isStep(StringRef Base) {
  return StringSwitch<bool>(Base)
      .Cases("ceil", "floor", "nearbyint", "rint", "round", "trunc", true)
      .Cases("logb", "ilogb", "lrint", "llrint", "lround", "llround", true)
      .Cases("__builtin_isnan", "__builtin_isinf", "__builtin_isinf_sign", true)
      .Cases("__builtin_isfinite", "__builtin_signbit", true)
      .Default(false);
}

bool mathPassesOn(StringRef Base, unsigned K) {
  if (isStep(Base))
    return false;
  if (Base == "copysign" || Base == "ldexp" || Base == "scalbn" ||
      Base == "scalbln")
    return K == 0;
  return true;
}

/// The exponent of a pow, where it is a constant.
static std::optional<double> fixedExponent(const raise::Call &C) {
  if (auto *N = dyn_cast<FloatConst>(C.Args[1].get()))
    return N->Value;
  auto *Converted = dyn_cast<Cast>(C.Args[1].get());
  auto *I = Converted ? dyn_cast<IntConst>(Converted->Operand.get()) : nullptr;
  return I ? std::optional<double>(double(I->Value)) : std::nullopt;
}

/// Whether a pow to that power has a value at 0 and an infinite slope.
static bool isRoot(double Exponent) { return Exponent > 0 && Exponent < 1; }

bool mathUsesSeedTwice(const raise::Call &C) {
  const StringRef Base = baseName(*C.Fn);
  if (Base == "pow") {
    const std::optional<double> Exponent = fixedExponent(C);
    return Exponent && isRoot(*Exponent);
  }
  return StringSwitch<bool>(Base)
      .Cases("sqrt", "cbrt", "fabs", "copysign", true)
      .Cases("asin", "acos", "acosh", true)
      .Default(false);
}

namespace {

/// One call, seen from one argument.
class Rule {
public:
  Rule(const raise::Call &C, unsigned K, ExprRef Seed, const ExprRef &Value)
      : C(C), K(K), Seed(std::move(Seed)), T(C.Ty), X(C.Args[0]),
        Y(C.Args.size() > 1 ? C.Args[1] : nullptr),
        V(Value ? Value : std::make_shared<raise::Call>(C.Fn, C.Args, C.Loc)) {}

  std::optional<Term> run() {
    const StringRef Base = baseName(*C.Fn);
    if (!mathPassesOn(Base, K))
      return std::nullopt;
    if (std::optional<Term> R = elementary(Base))
      return R;
    if (std::optional<Term> R = rooted(Base))
      return R;
    return binaryRule(Base);
  }

private:
  ExprRef num(double N) const { return number(N, T); }
  ExprRef one() const { return whole(1, T); }
  ExprRef call(StringRef Base, const ExprRef &A) const {
    return mathCall(Base, T, {A});
  }
  ExprRef square(const ExprRef &E) const { return build::mul(E, E); }
  ExprRef choose(BinaryOp Op, const ExprRef &L, const ExprRef &R,
                 const ExprRef &True, const ExprRef &False) const {
    return build::select(build::binary(Op, L, R), True, False);
  }
  Term by(const ExprRef &Factor, bool Minus = false) const {
    return {times(Factor, Seed), Minus};
  }
  Term through(const ExprRef &Divisor, bool Minus = false) const {
    return {over(Seed, Divisor), Minus};
  }
  /// What is finite where its slope is not: there, nothing comes of nothing.
  ExprRef ofSome(const ExprRef &E) const {
    return choose(BinaryOp::EQ, Seed, zero(T), zero(T), E);
  }
  Term throughRoot(const ExprRef &Square, bool Minus = false) const {
    return {ofSome(over(Seed, call("sqrt", Square))), Minus};
  }

  std::optional<Term> elementary(StringRef Base) const {
    const ExprRef XX = square(X);
    const ExprRef Dual = build::sub(one(), XX);
    if (Base == "sin")
      return by(call("cos", X));
    if (Base == "cos")
      return by(call("sin", X), true);
    if (Base == "tan")
      return by(build::add(one(), square(V)));
    if (Base == "asin" || Base == "acos")
      return throughRoot(Dual, Base == "acos");
    if (Base == "atan")
      return through(build::add(one(), XX));
    if (Base == "sinh")
      return by(call("cosh", X));
    if (Base == "cosh")
      return by(call("sinh", X));
    if (Base == "tanh")
      return by(build::sub(one(), square(V)));
    if (Base == "asinh")
      return through(call("sqrt", build::add(XX, one())));
    if (Base == "acosh")
      return throughRoot(build::sub(XX, one()));
    if (Base == "atanh")
      return through(Dual);
    if (Base == "exp")
      return by(V);
    if (Base == "exp2")
      return by(times(num(M_LN2), V));
    if (Base == "expm1")
      return by(call("exp", X));
    if (Base == "log")
      return through(X);
    if (Base == "log1p")
      return through(build::add(one(), X));
    if (Base == "log2")
      return through(times(num(M_LN2), X));
    if (Base == "log10")
      return through(times(num(M_LN10), X));
    if (Base == "erf" || Base == "erfc")
      return by(times(num(M_2_SQRTPI), call("exp", negated(XX))),
                Base == "erfc");
    return std::nullopt;
  }

  /// Functions with a kink or an infinite slope at 0.
  std::optional<Term> rooted(StringRef Base) const {
    const ExprRef Zero = zero(T);
    if (Base == "sqrt") // sqrt'(0) · 0 = 0
      return Term{ofSome(over(Seed, times(whole(2, T), V)))};
    if (Base == "cbrt")
      return Term{ofSome(over(Seed, times(whole(3, T), square(V))))};
    if (Base == "fabs")
      return Term{choose(BinaryOp::GT, X, Zero, Seed,
                         choose(BinaryOp::LT, X, Zero, negated(Seed), Zero))};
    if (Base == "copysign") // the sign of X is kept or turned
      return Term{choose(BinaryOp::EQ, X, Zero, Zero,
                         choose(BinaryOp::EQ, V, X, Seed, negated(Seed)))};
    if (Base == "hypot") // at the origin as |x| is
      return Term{
          choose(BinaryOp::EQ, V, Zero, Zero, times(over(K ? Y : X, V), Seed))};
    return std::nullopt;
  }

  std::optional<Term> binaryRule(StringRef Base) const {
    const ExprRef Zero = zero(T);
    if (Base == "atan2") { // of Y / X in C's order of arguments
      const ExprRef Length = build::add(square(X), square(Y));
      return by(over(K ? X : Y, Length), K == 1);
    }
    if (Base == "pow")
      return K ? exponent() : power();
    if (Base == "fmod" || Base == "remainder") {
      if (K == 0)
        return Term{Seed};
      // X - V is a multiple of Y.
      return by(over(build::sub(X, V), Y), true);
    }
    // Where the two are equal, the first counts; a NaN is passed over.
    if (Base == "fmax" || Base == "fmin")
      return Term{choose(BinaryOp::EQ, V, X, K ? Zero : Seed, K ? Seed : Zero)};
    if (Base == "fdim")
      return Term{choose(BinaryOp::GT, X, Y, Seed, Zero), K == 1};
    if (Base == "fma")
      return K == 2 ? Term{Seed} : by(C.Args[1 - K]);
    if (Base == "ldexp" || Base == "scalbn" || Base == "scalbln")
      return Term{build::call(C.Fn, {Seed, Y})};
    llvm_unreachable("a function without a rule");
  }

  std::optional<Term> power() const {
    const std::optional<double> Fixed = fixedExponent(C);
    if (!Fixed)
      return Term{
          choose(BinaryOp::EQ, Y, zero(T), zero(T),
                 times(times(Y, mathCall("pow", T, {X, build::sub(Y, one())})),
                       Seed))};
    if (*Fixed == 0)
      return std::nullopt;
    if (*Fixed == 1)
      return Term{Seed};
    const ExprRef Lower = *Fixed == 2 ? X
                          : *Fixed == 3
                              ? square(X)
                              : mathCall("pow", T, {X, num(*Fixed - 1)});
    const bool Whole = *Fixed == std::floor(*Fixed) && std::fabs(*Fixed) < 100;
    const ExprRef Slope =
        times(Whole ? whole(int64_t(*Fixed), T) : num(*Fixed), Lower);
    return isRoot(*Fixed) ? Term{ofSome(times(Slope, Seed))} : by(Slope);
  }

  /// 0 to a positive power stays 0.
  std::optional<Term> exponent() const {
    const ExprRef Flat =
        build::logicalAnd(build::binary(BinaryOp::EQ, X, zero(T)),
                          build::binary(BinaryOp::GT, Y, zero(T)));
    return Term{
        build::select(Flat, zero(T), times(times(V, call("log", X)), Seed))};
  }

  const raise::Call &C;
  const unsigned K;
  const ExprRef Seed;
  const Type T;
  const ExprRef X, Y, V;
};

} // namespace

std::optional<Term> mathRule(const raise::Call &C, unsigned K,
                             const ExprRef &Seed, const ExprRef &Value) {
  return Rule(C, K, Seed, Value).run();
}

} // namespace raise::grad
