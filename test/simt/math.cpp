// RUN: %everywhere %s %t
// Device functions that the host's library lacks, at ordinary values and at their edges.
#include <raise/cuda.h>

#include "Check.h"

#include <cfloat>
#include <climits>
#include <cmath>

static bool near(double a, double b, double tolerance = 1e-6) { return std::fabs(a - b) <= tolerance * std::fabs(b); }

static void checkConversions() {
  CHECK(__float2int_rn(2.5f) == 2 && __float2int_rn(3.5f) == 4 && __float2int_rn(-2.5f) == -2);
  CHECK(__float2int_rz(-2.9f) == -2 && __float2int_ru(-2.9f) == -2 && __float2int_rd(-2.1f) == -3);
  CHECK(__float2int_rz(3e9f) == INT_MAX && __float2int_rz(-3e9f) == INT_MIN && __float2int_rz(NAN) == 0);
  CHECK(__float2uint_rz(-5.0f) == 0 && __float2uint_rz(5e9f) == UINT_MAX && __float2uint_rz(4294967040.0f) == 4294967040u);
  CHECK(__double2ll_rn(9.3e18) == LLONG_MAX && __double2ll_rn(-9223372036854775808.0) == LLONG_MIN);
  CHECK(__double2ull_rz(1.9e19) == ULLONG_MAX && __float2ull_rz(-1.0f) == 0);
  CHECK(__int2float_rn(16777217) == 16777216.0f && __int2float_ru(16777217) == 16777218.0f);
  CHECK(__int2float_rd(-16777217) == -16777218.0f && __uint2float_rz(4294967295u) == 4294967040.0f);
  CHECK(__double2float_ru(1.0 + 1e-12) == std::nextafterf(1.0f, 2.0f) && __double2float_rd(1.0 + 1e-12) == 1.0f);
  CHECK(__float_as_int(1.0f) == 0x3f800000 && __int_as_float(0x40000000) == 2.0f);
  CHECK(__hiloint2double(__double2hiint(-1.25), __double2loint(-1.25)) == -1.25);
}

static void checkRounding() {
  const float tiny = FLT_MIN / 4, up = std::nextafterf(1.0f, 2.0f), down = std::nextafterf(1.0f, 0.0f);
  CHECK(__fadd_rn(1.0f, tiny) == 1.0f && __fadd_ru(1.0f, tiny) == up && __fadd_rd(1.0f, -tiny) == down);
  CHECK(__fadd_rz(1.0f, -tiny) == down && __fadd_rz(-1.0f, tiny) == -down);
  CHECK(__fdiv_ru(1.0f, 3.0f) > __fdiv_rd(1.0f, 3.0f) && __fmul_ru(1.1f, 1.1f) >= __fmul_rn(1.1f, 1.1f));
  CHECK(__fsqrt_ru(2.0f) > __fsqrt_rd(2.0f) && __drcp_ru(3.0) > __drcp_rd(3.0) && __frcp_rn(4.0f) == 0.25f);
  CHECK(__dadd_ru(1.0, 1e-30) > 1.0 && __dadd_rd(1.0, 1e-30) == 1.0 && __dmul_rn(3.0, 5.0) == 15.0);
  // A product and a sum that must not become one fused operation: the exact value is not zero, the rounded one is.
  volatile float a = 1.0f + 0x1p-12f;
  CHECK(__fadd_rn(__fmul_rn(a, a), -__fmul_rn(a, a)) == 0.0f && __fmaf_rn(a, a, -__fmul_rn(a, a)) != 0.0f);
}

static void checkIntegers() {
  CHECK(__clz(0) == 32 && __clz(1) == 31 && __clz(-1) == 0 && __clzll(0) == 64 && __clzll(1) == 63);
  CHECK(__ffs(0) == 0 && __ffs(8) == 4 && __ffsll(1ll << 40) == 41 && __popc(0xf0f0u) == 8 && __popcll(~0ull) == 64);
  CHECK(__brev(1u) == 0x80000000u && __brev(0x12345678u) == 0x1e6a2c48u && __brevll(2ull) == 1ull << 62);
  CHECK(__mulhi(-1, 1) == -1 && __mulhi(INT_MIN, INT_MIN) == 1 << 30 && __umulhi(~0u, ~0u) == ~0u - 1);
  CHECK(__umul64hi(~0ull, ~0ull) == ~0ull - 1 && __mul64hi(-1, 1) == -1 && __mul64hi(LLONG_MIN, LLONG_MIN) == 1ll << 62);
  CHECK(__mul24(0x00ffffff, 2) == -2 && __umul24(0xff000003u, 4u) == 12);
  CHECK(__sad(-3, 4, 1u) == 8 && __usad(3u, 10u, 1u) == 8 && __hadd(INT_MAX, 1) == 1 << 30 && __urhadd(~0u, 0u) == 1u << 31);
  CHECK(__sad(INT_MIN, INT_MAX, 0u) == UINT_MAX && __rhadd(-3, -4) == -3 && __hadd(-3, -4) == -4);
  CHECK(__byte_perm(0x33221100u, 0x77665544u, 0x7041u) == 0x77004411u);
  CHECK(__funnelshift_l(0x80000000u, 1u, 1) == 3u && __funnelshift_r(0x80000000u, 1u, 1) == 0xc0000000u);
  CHECK(__funnelshift_l(5u, 7u, 32) == 7u && __funnelshift_lc(5u, 7u, 40) == 5u && __funnelshift_rc(5u, 7u, 40) == 7u);
}

static void checkFunctions() {
  CHECK(min(3, 4u) == 3u && max(-1, 1u) == UINT_MAX && min(2l, 3l) == 2 && max(1.0f, 2.0) == 2.0);
  CHECK(min(NAN, 1.0f) == 1.0f && max(1.0f, NAN) == 1.0f && max(NAN, -1.0) == -1.0);
  CHECK(rsqrtf(4.0f) == 0.5f && rsqrt(16.0) == 0.25 && near(rcbrtf(8.0f), 0.5) && __frsqrt_rn(4.0f) == 0.5f);
  CHECK(sinpi(1.0) == 0 && sinpif(0.5f) == 1.0f && cospi(0.5) == 0 && cospif(1.0f) == -1.0f && sinpi(1e15 + 0.5) == 1.0);
  CHECK(near(sinpi(0.25), std::sqrt(0.5)) && near(sinpi(1.25), -std::sqrt(0.5)) && near(cospi(0.75), -std::sqrt(0.5)));
  CHECK(near(sinpi(-0.75), -std::sqrt(0.5)) && near(cospi(-3.0), -1));
  CHECK(__saturatef(2.0f) == 1.0f && __saturatef(-2.0f) == 0.0f && __saturatef(NAN) == 0.0f && __saturatef(0.3f) == 0.3f);
  CHECK(near(__expf(1.0f), 2.7182818) && near(__powf(2.0f, 0.5f), 1.4142135) && near(__logf(2.0f), 0.6931472));
  CHECK(near(__exp10f(2.0f), 100) && near(__sinf(1.0f), 0.841471) && near(__log2f(8.0f), 3) && __fdividef(3.0f, 2.0f) == 1.5f);
  CHECK(near(normcdf(0.0), 0.5) && near(normcdff(1.959964f), 0.975) && near(norm3d(2.0, 3.0, 6.0), 7) && near(rnorm4df(1, 1, 1, 1), 0.5));
  float s, c;
  __sincosf(0.5f, &s, &c);
  CHECK(s == __sinf(0.5f) && c == __cosf(0.5f));
  const int table[2] = {4, 5};
  int cell = 0;
  __stcs(&cell, __ldg(table + 1));
  CHECK(cell == 5 && __ldcs(&cell) == 5);
}

int main() {
  checkConversions();
  checkRounding();
  checkIntegers();
  checkFunctions();
  return Failures != 0;
}
