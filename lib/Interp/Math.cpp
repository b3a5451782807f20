//===- Math.cpp - the functions of <cmath> by name
//---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Each function is computed by the libm function of its own type, so that the
// interpreter rounds as compiled code does on the same machine.
//
//===----------------------------------------------------------------------===//
#include "Arith.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/bit.h"
#include <cmath>
#include <limits>

namespace raise::interp {
namespace {

/// Implementations by floating type.
struct Family {
  MathFn F32 = nullptr, F64 = nullptr, F80 = nullptr;
  unsigned Arity = 1;
};

template <typename T> T reciprocalSqrt(T X) { return T(1) / std::sqrt(X); }

#define RAISE_UNARY(NAME)                                                      \
  {#NAME,                                                                      \
   {[](const Scalar *A, Scalar &O) {                                           \
      O = ofD(std::NAME(static_cast<float>(A[0].D)));                          \
      return Stop::Done;                                                       \
    },                                                                         \
    [](const Scalar *A, Scalar &O) {                                           \
      O = ofD(std::NAME(static_cast<double>(A[0].D)));                         \
      return Stop::Done;                                                       \
    },                                                                         \
    [](const Scalar *A, Scalar &O) {                                           \
      O = ofD(std::NAME(A[0].D));                                              \
      return Stop::Done;                                                       \
    },                                                                         \
    1}}
#define RAISE_BINARY(NAME)                                                     \
  {#NAME,                                                                      \
   {[](const Scalar *A, Scalar &O) {                                           \
      O = ofD(                                                                 \
          std::NAME(static_cast<float>(A[0].D), static_cast<float>(A[1].D)));  \
      return Stop::Done;                                                       \
    },                                                                         \
    [](const Scalar *A, Scalar &O) {                                           \
      O = ofD(std::NAME(static_cast<double>(A[0].D),                           \
                        static_cast<double>(A[1].D)));                         \
      return Stop::Done;                                                       \
    },                                                                         \
    [](const Scalar *A, Scalar &O) {                                           \
      O = ofD(std::NAME(A[0].D, A[1].D));                                      \
      return Stop::Done;                                                       \
    },                                                                         \
    2}}
/// The second argument is an integer.
#define RAISE_WITH_INT(NAME)                                                   \
  {#NAME,                                                                      \
   {[](const Scalar *A, Scalar &O) {                                           \
      O = ofD(std::NAME(static_cast<float>(A[0].D), A[1].I));                  \
      return Stop::Done;                                                       \
    },                                                                         \
    [](const Scalar *A, Scalar &O) {                                           \
      O = ofD(std::NAME(static_cast<double>(A[0].D), A[1].I));                 \
      return Stop::Done;                                                       \
    },                                                                         \
    [](const Scalar *A, Scalar &O) {                                           \
      O = ofD(std::NAME(A[0].D, A[1].I));                                      \
      return Stop::Done;                                                       \
    },                                                                         \
    2}}
using std::isfinite;
using std::isinf;
using std::isnan;
using std::signbit;
int isinf_sign(long double X) { return !isinf(X) ? 0 : X < 0 ? -1 : 1; }

/// The result is an integer or bool; classification does not depend on type,
/// except for isnormal and the like of narrower types, which are not listed.
#define RAISE_CLASSIFY(NAME)                                                   \
  {#NAME,                                                                      \
   {[](const Scalar *A, Scalar &O) {                                           \
      O = ofI(NAME(A[0].D));                                                   \
      return Stop::Done;                                                       \
    },                                                                         \
    [](const Scalar *A, Scalar &O) {                                           \
      O = ofI(NAME(A[0].D));                                                   \
      return Stop::Done;                                                       \
    },                                                                         \
    [](const Scalar *A, Scalar &O) {                                           \
      O = ofI(NAME(A[0].D));                                                   \
      return Stop::Done;                                                       \
    },                                                                         \
    1}}
#define RAISE_OWN(SPELLED, FN)                                                 \
  {#SPELLED,                                                                   \
   {[](const Scalar *A, Scalar &O) {                                           \
      O = ofD(FN(static_cast<float>(A[0].D)));                                 \
      return Stop::Done;                                                       \
    },                                                                         \
    [](const Scalar *A, Scalar &O) {                                           \
      O = ofD(FN(static_cast<double>(A[0].D)));                                \
      return Stop::Done;                                                       \
    },                                                                         \
    [](const Scalar *A, Scalar &O) {                                           \
      O = ofD(FN(A[0].D));                                                     \
      return Stop::Done;                                                       \
    },                                                                         \
    1}}

/// Rounding to an integer type: undefined where the result does not fit.
template <long double (*Round)(long double)>
Stop roundToLong(const Scalar *A, Scalar &O) {
  return convert(ofD(Round(A[0].D)), TC::F80, TC::I64, O);
}

const llvm::StringMap<Family> &families() {
  static const llvm::StringMap<Family> Table = {
      RAISE_UNARY(acos),
      RAISE_UNARY(acosh),
      RAISE_UNARY(asin),
      RAISE_UNARY(asinh),
      RAISE_UNARY(atan),
      RAISE_UNARY(atanh),
      RAISE_UNARY(cbrt),
      RAISE_UNARY(ceil),
      RAISE_UNARY(cos),
      RAISE_UNARY(cosh),
      RAISE_UNARY(erf),
      RAISE_UNARY(erfc),
      RAISE_UNARY(exp),
      RAISE_UNARY(exp2),
      RAISE_UNARY(expm1),
      RAISE_UNARY(fabs),
      RAISE_UNARY(floor),
      RAISE_UNARY(lgamma),
      RAISE_UNARY(log),
      RAISE_UNARY(log10),
      RAISE_UNARY(log1p),
      RAISE_UNARY(log2),
      RAISE_UNARY(logb),
      RAISE_UNARY(nearbyint),
      RAISE_UNARY(rint),
      RAISE_UNARY(round),
      RAISE_UNARY(sin),
      RAISE_UNARY(sinh),
      RAISE_UNARY(sqrt),
      RAISE_UNARY(tan),
      RAISE_UNARY(tanh),
      RAISE_UNARY(tgamma),
      RAISE_UNARY(trunc),
      RAISE_BINARY(atan2),
      RAISE_BINARY(copysign),
      RAISE_BINARY(fdim),
      RAISE_BINARY(fmax),
      RAISE_BINARY(fmin),
      RAISE_BINARY(fmod),
      RAISE_BINARY(hypot),
      RAISE_BINARY(nextafter),
      RAISE_BINARY(pow),
      RAISE_BINARY(remainder),
      RAISE_WITH_INT(ldexp),
      RAISE_WITH_INT(scalbn),
      RAISE_WITH_INT(scalbln),
      RAISE_CLASSIFY(isfinite),
      RAISE_CLASSIFY(isinf),
      RAISE_CLASSIFY(isnan),
      RAISE_CLASSIFY(signbit),
      RAISE_CLASSIFY(isinf_sign),
      RAISE_OWN(rsqrt, reciprocalSqrt),
      {"fma",
       {[](const Scalar *A, Scalar &O) {
          O = ofD(std::fma(static_cast<float>(A[0].D),
                           static_cast<float>(A[1].D),
                           static_cast<float>(A[2].D)));
          return Stop::Done;
        },
        [](const Scalar *A, Scalar &O) {
          O = ofD(std::fma(static_cast<double>(A[0].D),
                           static_cast<double>(A[1].D),
                           static_cast<double>(A[2].D)));
          return Stop::Done;
        },
        [](const Scalar *A, Scalar &O) {
          O = ofD(std::fma(A[0].D, A[1].D, A[2].D));
          return Stop::Done;
        },
        3}},
      {"lrint",
       {roundToLong<std::rint>, roundToLong<std::rint>, roundToLong<std::rint>,
        1}},
      {"lround",
       {roundToLong<std::round>, roundToLong<std::round>,
        roundToLong<std::round>, 1}},
  };
  return Table;
}

MathFn ofType(const Family &F, TC T) {
  switch (T) {
  case TC::F32:
    return F.F32;
  case TC::F64:
    return F.F64;
  case TC::F80:
    return F.F80;
  default:
    return nullptr;
  }
}

template <TC T> Stop absolute(const Scalar *A, Scalar &O) {
  if (A[0].I >= 0) {
    O = A[0];
    return Stop::Done;
  }
  return negate(T, A[0], O);
}

/// The functions of bits, of 32 or 64 of them.
template <unsigned Bits> uint64_t bitsOf(const Scalar &S) {
  return Bits == 64 ? uint64_t(S.I) : uint32_t(S.I);
}
template <unsigned Bits> Stop countOnes(const Scalar *A, Scalar &O) {
  O = {};
  O.I = llvm::popcount(bitsOf<Bits>(A[0]));
  return Stop::Done;
}
template <unsigned Bits> Stop findFirst(const Scalar *A, Scalar &O) {
  const uint64_t V = bitsOf<Bits>(A[0]);
  O = {};
  O.I = V ? 1 + llvm::countr_zero(V) : 0;
  return Stop::Done;
}
template <unsigned Bits> Stop leadingZeros(const Scalar *A, Scalar &O) {
  const uint64_t V = bitsOf<Bits>(A[0]);
  O = {};
  O.I = V ? int(llvm::countl_zero(V)) - int(64 - Bits) : 0;
  return V ? Stop::Done : Stop::BadShift;
}
template <unsigned Bits> Stop trailingZeros(const Scalar *A, Scalar &O) {
  const uint64_t V = bitsOf<Bits>(A[0]);
  O = {};
  O.I = V ? llvm::countr_zero(V) : 0;
  return V ? Stop::Done : Stop::BadShift;
}

MathFn findBits(llvm::StringRef Name) {
  return llvm::StringSwitch<MathFn>(Name)
      .Case("popcount", countOnes<32>)
      .Case("popcountll", countOnes<64>)
      .Case("ffs", findFirst<32>)
      .Case("ffsll", findFirst<64>)
      .Case("clz", leadingZeros<32>)
      .Case("clzll", leadingZeros<64>)
      .Case("ctz", trailingZeros<32>)
      .Case("ctzll", trailingZeros<64>)
      .Default(nullptr);
}

} // namespace

MathFn findMath(const Callee &C) {
  if (C.Params.empty())
    return nullptr;
  llvm::StringRef Name = C.Name;
  Name.consume_front("::");
  Name.consume_front("std::");
  Name.consume_front("__builtin_");
  if (llvm::StringRef(C.Name).starts_with("__builtin_"))
    if (const MathFn Bits = findBits(Name))
      return Bits;
  TC T = typeCode(C.Params[0]);
  if (Name == "abs" || Name == "labs" || Name == "llabs") {
    if (T == TC::I32)
      return absolute<TC::I32>;
    if (T == TC::I64)
      return absolute<TC::I64>;
    Name = "fabs"; // the overloads of std::abs
  }
  if (Name.starts_with("llr"))
    Name = Name.drop_front();
  const llvm::StringMap<Family> &Table = families();
  auto It = Table.find(Name);
  if (It == Table.end() && ((T == TC::F32 && Name.consume_back("f")) ||
                            (T == TC::F80 && Name.consume_back("l"))))
    It = Table.find(Name);
  if (It == Table.end() || It->second.Arity != C.Params.size())
    return findDeviceMath(C);
  return ofType(It->second, T);
}

} // namespace raise::interp
