//===- DeviceMath.cpp - CUDA's functions of numbers, by name --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The same functions that emitted code calls: those of raise/device_math.h.
//
//===----------------------------------------------------------------------===//
#include "Arith.h"
#include "raise/device_math.h"
#include "llvm/ADT/StringMap.h"
#include <type_traits>
#include <utility>

namespace raise::interp {
namespace {

template <class T> T argument(const Scalar &S) {
  if constexpr (std::is_floating_point_v<T>)
    return static_cast<T>(S.D);
  else
    return static_cast<T>(S.I);
}

template <class R, class... As, size_t... I>
Scalar call(R (*Fn)(As...), const Scalar *Args, std::index_sequence<I...>) {
  const R Value = Fn(argument<As>(Args[I])...);
  if constexpr (std::is_floating_point_v<R>)
    return ofD(Value);
  else
    return ofI(static_cast<int64_t>(Value));
}

struct Entry {
  MathFn Fn;
  unsigned Arity;
};

template <class F> struct ArityOf;
template <class R, class... As> struct ArityOf<R (*)(As...)> {
  static constexpr unsigned Value = sizeof...(As);
};
template <class R, class... As> struct ArityOf<R (*)(As...) noexcept> {
  static constexpr unsigned Value = sizeof...(As);
};

template <auto Fn> constexpr Entry entry() {
  constexpr unsigned Arity = ArityOf<decltype(Fn)>::Value;
  return {[](const Scalar *A, Scalar &O) {
            O = call(Fn, A, std::make_index_sequence<Arity>());
            return Stop::Done;
          },
          Arity};
}

#define RAISE_ENTRY(NAME) {#NAME, entry<&::NAME>()}
#define RAISE_ROUNDED(STEM)                                                    \
  RAISE_ENTRY(STEM##_rn), RAISE_ENTRY(STEM##_rz), RAISE_ENTRY(STEM##_ru),      \
      RAISE_ENTRY(STEM##_rd)

const llvm::StringMap<Entry> &functions() {
  static const llvm::StringMap<Entry> Table = {
      {"exp10", entry<static_cast<double (*)(double)>(&::exp10)>()},
      {"exp10f", entry<&::exp10f>()},
      RAISE_ENTRY(__exp10f),
      RAISE_ENTRY(__saturatef),
      RAISE_ENTRY(__frsqrt_rn),
      RAISE_ENTRY(sinpi),
      RAISE_ENTRY(cospi),
      RAISE_ENTRY(sinpif),
      RAISE_ENTRY(cospif),
      RAISE_ENTRY(normcdf),
      RAISE_ENTRY(normcdff),
      RAISE_ENTRY(rhypot),
      RAISE_ENTRY(rhypotf),
      RAISE_ENTRY(norm3d),
      RAISE_ENTRY(norm4d),
      RAISE_ENTRY(norm3df),
      RAISE_ENTRY(norm4df),
      RAISE_ENTRY(rnorm3d),
      RAISE_ENTRY(rnorm4d),
      RAISE_ENTRY(rnorm3df),
      RAISE_ENTRY(rnorm4df),
      RAISE_ENTRY(umin),
      RAISE_ENTRY(umax),
      RAISE_ENTRY(llmin),
      RAISE_ENTRY(llmax),
      RAISE_ENTRY(ullmin),
      RAISE_ENTRY(ullmax),
      RAISE_ENTRY(__fmaf_rn),
      RAISE_ENTRY(__fma_rn),
      RAISE_ENTRY(__float_as_int),
      RAISE_ENTRY(__float_as_uint),
      RAISE_ENTRY(__int_as_float),
      RAISE_ENTRY(__uint_as_float),
      RAISE_ENTRY(__double_as_longlong),
      RAISE_ENTRY(__longlong_as_double),
      RAISE_ENTRY(__double2hiint),
      RAISE_ENTRY(__double2loint),
      RAISE_ENTRY(__hiloint2double),
      RAISE_ENTRY(__mulhi),
      RAISE_ENTRY(__umulhi),
      RAISE_ENTRY(__umul64hi),
      RAISE_ENTRY(__mul64hi),
      RAISE_ENTRY(__umul24),
      RAISE_ENTRY(__mul24),
      RAISE_ENTRY(__usad),
      RAISE_ENTRY(__sad),
      RAISE_ENTRY(__hadd),
      RAISE_ENTRY(__rhadd),
      RAISE_ENTRY(__uhadd),
      RAISE_ENTRY(__urhadd),
      RAISE_ENTRY(__brev),
      RAISE_ENTRY(__brevll),
      RAISE_ENTRY(__byte_perm),
      RAISE_ENTRY(__funnelshift_l),
      RAISE_ENTRY(__funnelshift_r),
      RAISE_ENTRY(__funnelshift_lc),
      RAISE_ENTRY(__funnelshift_rc),
      RAISE_ROUNDED(__fadd),
      RAISE_ROUNDED(__fsub),
      RAISE_ROUNDED(__fmul),
      RAISE_ROUNDED(__fdiv),
      RAISE_ROUNDED(__dadd),
      RAISE_ROUNDED(__dsub),
      RAISE_ROUNDED(__dmul),
      RAISE_ROUNDED(__ddiv),
      RAISE_ROUNDED(__frcp),
      RAISE_ROUNDED(__fsqrt),
      RAISE_ROUNDED(__drcp),
      RAISE_ROUNDED(__dsqrt),
      RAISE_ROUNDED(__float2int),
      RAISE_ROUNDED(__float2uint),
      RAISE_ROUNDED(__float2ll),
      RAISE_ROUNDED(__float2ull),
      RAISE_ROUNDED(__double2int),
      RAISE_ROUNDED(__double2uint),
      RAISE_ROUNDED(__double2ll),
      RAISE_ROUNDED(__double2ull),
      RAISE_ROUNDED(__int2float),
      RAISE_ROUNDED(__uint2float),
      RAISE_ROUNDED(__ll2float),
      RAISE_ROUNDED(__ull2float),
      RAISE_ROUNDED(__ll2double),
      RAISE_ROUNDED(__ull2double),
      RAISE_ROUNDED(__double2float),
  };
  return Table;
}

/// `min(a, b)` and `max(a, b)` of two types. Of integers, both are taken as
/// unsigned numbers of the wider type.
template <bool Least, class T> Stop extremum(const Scalar *A, Scalar &O) {
  const T X = argument<T>(A[0]), Y = argument<T>(A[1]);
  if constexpr (std::is_floating_point_v<T>)
    O = ofD(Least ? fmin(X, Y) : fmax(X, Y));
  else
    O = ofI(static_cast<int64_t>(Least ? (X < Y ? X : Y) : (X > Y ? X : Y)));
  return Stop::Done;
}

template <bool Least> MathFn extremumOf(const Callee &C) {
  if (C.Result.isFloat())
    return C.Result.Bits == 64 ? extremum<Least, double> : nullptr;
  if (C.Result.Signed)
    return nullptr;
  return C.Result.Bits == 64 ? extremum<Least, uint64_t>
                             : extremum<Least, uint32_t>;
}

} // namespace

MathFn findDeviceMath(const Callee &C) {
  const bool Least = C.Name == "min";
  if ((Least || C.Name == "max") && C.Params.size() == 2)
    return Least ? extremumOf<true>(C) : extremumOf<false>(C);
  const auto It = functions().find(C.Name);
  return It != functions().end() && It->second.Arity == C.Params.size()
             ? It->second.Fn
             : nullptr;
}

} // namespace raise::interp
