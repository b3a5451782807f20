//===- curand_kernel.h - random numbers in kernels ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===------------------------------------------------------------------------===//
//
// cuRAND's device interface over Philox4x32-10 for every kind of state: a pair of seed and subsequence names a stream, the offset a position in it. Streams are
// reproducible everywhere; that the values equal cuRAND's is not promised. Uniform values lie in (0, 1].
#ifndef RAISE_CURAND_KERNEL_H
#define RAISE_CURAND_KERNEL_H

#include <cmath>

#include "raise/philox.h"

#ifndef RAISE_CUDA_PRELUDE
#include "raise/runtime_types.h"
#endif

/// A position in a stream, in words, and the other half of a pair of normal values.
struct curandStatePhilox4_32_10 {
  unsigned long long seed, subsequence, position;
  double spare;
  bool hasSpare;
};
typedef curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;
struct curandStateXORWOW : curandStatePhilox4_32_10 {};
typedef curandStateXORWOW curandStateXORWOW_t;
typedef curandStateXORWOW curandState;
typedef curandStateXORWOW curandState_t;
struct curandStateMRG32k3a : curandStatePhilox4_32_10 {};
typedef curandStateMRG32k3a curandStateMRG32k3a_t;

#define RAISE_DEVICE_FN __host__ __device__ inline

RAISE_DEVICE_FN void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                                 curandStatePhilox4_32_10 *state) {
  state->seed = seed;
  state->subsequence = subsequence;
  state->position = offset;
  state->spare = 0;
  state->hasSpare = false;
}
RAISE_DEVICE_FN void skipahead(unsigned long long n, curandStatePhilox4_32_10 *state) {
  state->position += n;
  state->hasSpare = false;
}
RAISE_DEVICE_FN unsigned int curand(curandStatePhilox4_32_10 *state) {
  const unsigned long long block = state->position / 4;
  const uint32_t counter[4] = {static_cast<uint32_t>(block), static_cast<uint32_t>(block >> 32),
                               static_cast<uint32_t>(state->subsequence),
                               static_cast<uint32_t>(state->subsequence >> 32)};
  const uint32_t key[2] = {static_cast<uint32_t>(state->seed), static_cast<uint32_t>(state->seed >> 32)};
  uint32_t out[4];
  raise_philox_block(counter, key, out);
  return out[state->position++ % 4];
}
RAISE_DEVICE_FN uint4 curand4(curandStatePhilox4_32_10 *state) {
  const unsigned int a = curand(state), b = curand(state), c = curand(state), d = curand(state);
  return make_uint4(a, b, c, d);
}
RAISE_DEVICE_FN float curand_uniform(curandStatePhilox4_32_10 *state) {
  return static_cast<float>(curand(state)) * 0x1p-32f + 0x1p-33f;
}
RAISE_DEVICE_FN float4 curand_uniform4(curandStatePhilox4_32_10 *state) {
  const float a = curand_uniform(state), b = curand_uniform(state), c = curand_uniform(state),
              d = curand_uniform(state);
  return make_float4(a, b, c, d);
}
RAISE_DEVICE_FN double curand_uniform_double(curandStatePhilox4_32_10 *state) {
  const unsigned long long high = curand(state), low = curand(state);
  return static_cast<double>((high << 32 | low) >> 11) * 0x1p-53 + 0x1p-54;
}
/// Box and Muller's method; the second value of a pair is kept for the next call.
RAISE_DEVICE_FN double curand_normal_double(curandStatePhilox4_32_10 *state) {
  if (state->hasSpare) {
    state->hasSpare = false;
    return state->spare;
  }
  const double u = curand_uniform_double(state), angle = 6.283185307179586476925 * curand_uniform_double(state);
  const double radius = ::sqrt(-2.0 * ::log(u < 1.0 ? u : 1.0));
  state->spare = radius * ::sin(angle);
  state->hasSpare = true;
  return radius * ::cos(angle);
}
RAISE_DEVICE_FN float curand_normal(curandStatePhilox4_32_10 *state) {
  return static_cast<float>(curand_normal_double(state));
}
RAISE_DEVICE_FN double2 curand_normal2_double(curandStatePhilox4_32_10 *state) {
  state->hasSpare = false;
  const double a = curand_normal_double(state), b = curand_normal_double(state);
  return make_double2(a, b);
}
RAISE_DEVICE_FN float2 curand_normal2(curandStatePhilox4_32_10 *state) {
  const double2 v = curand_normal2_double(state);
  return make_float2(static_cast<float>(v.x), static_cast<float>(v.y));
}
RAISE_DEVICE_FN float4 curand_normal4(curandStatePhilox4_32_10 *state) {
  const float2 a = curand_normal2(state), b = curand_normal2(state);
  return make_float4(a.x, a.y, b.x, b.y);
}
RAISE_DEVICE_FN float curand_log_normal(curandStatePhilox4_32_10 *state, float mean, float stddev) {
  return static_cast<float>(::exp(mean + stddev * curand_normal_double(state)));
}
RAISE_DEVICE_FN double curand_log_normal_double(curandStatePhilox4_32_10 *state, double mean, double stddev) {
  return ::exp(mean + stddev * curand_normal_double(state));
}
#undef RAISE_DEVICE_FN

#endif // RAISE_CURAND_KERNEL_H
