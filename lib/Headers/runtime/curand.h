/*===- curand.h - cuRAND's host interface, for C and C++ ----------------------===//
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *===------------------------------------------------------------------------===//
 *
 * Every pseudo-random generator type is Philox4x32-10 here: the same seed and offset always give the same values, on every machine, but not those of cuRAND.
 * Quasi-random types are refused with CURAND_STATUS_TYPE_ERROR. Uniform values lie in (0, 1], as cuRAND's do; normal ones come from Box and Muller's method.
 */
#ifndef RAISE_FORWARD_CURAND_H
#define RAISE_FORWARD_CURAND_H

#include "raise/curand_types.h"
#include "raise/runtime.h"

#ifdef __cplusplus
extern "C++" {
#endif
#include <math.h>

#include "raise/philox.h"

struct curandGenerator_st {
  unsigned long long seed, position; /* position counts 32-bit words */
};

RAISE_FN uint32_t raise_curand_next(curandGenerator_t generator) {
  uint64_t block = generator->position / 4;
  uint32_t counter[4] = {(uint32_t)block, (uint32_t)(block >> 32), 0, 0}, out[4];
  uint32_t key[2] = {(uint32_t)generator->seed, (uint32_t)(generator->seed >> 32)};
  raise_philox_block(counter, key, out);
  return out[generator->position++ % 4];
}
RAISE_FN double raise_curand_uniform(curandGenerator_t generator) {
  uint64_t bits = (uint64_t)raise_curand_next(generator) << 21;
  bits ^= raise_curand_next(generator) >> 11;
  return (double)(bits & (((uint64_t)1 << 53) - 1)) * 0x1p-53 + 0x1p-54;
}
RAISE_FN float raise_curand_uniform_float(curandGenerator_t generator) {
  return (float)raise_curand_next(generator) * 0x1p-32f + 0x1p-33f;
}
RAISE_FN void raise_curand_normal_pair(curandGenerator_t generator, double *first, double *second) {
  double u = raise_curand_uniform(generator), v = raise_curand_uniform(generator);
  double radius = sqrt(-2.0 * log(u < 1.0 ? u : 1.0)), angle = 6.283185307179586476925 * v;
  *first = radius * cos(angle);
  *second = radius * sin(angle);
}

RAISE_FN curandStatus_t curandCreateGenerator(curandGenerator_t *generator, curandRngType_t type) {
  if (!generator)
    return CURAND_STATUS_NOT_INITIALIZED;
  if ((int)type < CURAND_RNG_PSEUDO_DEFAULT || (int)type >= CURAND_RNG_QUASI_DEFAULT)
    return CURAND_STATUS_TYPE_ERROR;
  *generator = (curandGenerator_t)calloc(1, sizeof **generator);
  return *generator ? CURAND_STATUS_SUCCESS : CURAND_STATUS_ALLOCATION_FAILED;
}
RAISE_FN curandStatus_t curandCreateGeneratorHost(curandGenerator_t *generator, curandRngType_t type) {
  return curandCreateGenerator(generator, type);
}
RAISE_FN curandStatus_t curandDestroyGenerator(curandGenerator_t generator) {
  if (!generator)
    return CURAND_STATUS_NOT_INITIALIZED;
  free(generator);
  return CURAND_STATUS_SUCCESS;
}
RAISE_FN curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator, unsigned long long seed) {
  if (!generator)
    return CURAND_STATUS_NOT_INITIALIZED;
  generator->seed = seed;
  generator->position = 0;
  return CURAND_STATUS_SUCCESS;
}
RAISE_FN curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator, unsigned long long offset) {
  if (!generator)
    return CURAND_STATUS_NOT_INITIALIZED;
  generator->position = offset;
  return CURAND_STATUS_SUCCESS;
}
RAISE_FN curandStatus_t curandSetGeneratorOrdering(curandGenerator_t generator, curandOrdering_t order) {
  (void)order;
  return generator ? CURAND_STATUS_SUCCESS : CURAND_STATUS_NOT_INITIALIZED;
}
RAISE_FN curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t stream) {
  (void)stream;
  return generator ? CURAND_STATUS_SUCCESS : CURAND_STATUS_NOT_INITIALIZED;
}

RAISE_FN curandStatus_t curandGenerate(curandGenerator_t generator, unsigned int *output, size_t count) {
  if (!generator)
    return CURAND_STATUS_NOT_INITIALIZED;
  for (size_t i = 0; i < count; ++i)
    output[i] = raise_curand_next(generator);
  return CURAND_STATUS_SUCCESS;
}
RAISE_FN curandStatus_t curandGenerateUniform(curandGenerator_t generator, float *output, size_t count) {
  if (!generator)
    return CURAND_STATUS_NOT_INITIALIZED;
  for (size_t i = 0; i < count; ++i)
    output[i] = raise_curand_uniform_float(generator);
  return CURAND_STATUS_SUCCESS;
}
RAISE_FN curandStatus_t curandGenerateUniformDouble(curandGenerator_t generator, double *output, size_t count) {
  if (!generator)
    return CURAND_STATUS_NOT_INITIALIZED;
  for (size_t i = 0; i < count; ++i)
    output[i] = raise_curand_uniform(generator);
  return CURAND_STATUS_SUCCESS;
}

/* Normal values come in pairs, so their count must be even, as cuRAND has it. */
#define RAISE_CURAND_NORMAL(Name, T, Value)                                                                            \
  RAISE_FN curandStatus_t Name(curandGenerator_t generator, T *output, size_t count, T mean, T stddev) {               \
    if (!generator)                                                                                                    \
      return CURAND_STATUS_NOT_INITIALIZED;                                                                            \
    if (count % 2 != 0)                                                                                                \
      return CURAND_STATUS_LENGTH_NOT_MULTIPLE;                                                                        \
    for (size_t i = 0; i < count; i += 2) {                                                                            \
      double pair[2];                                                                                                  \
      raise_curand_normal_pair(generator, &pair[0], &pair[1]);                                                         \
      for (int k = 0; k < 2; ++k) {                                                                                    \
        double x = (double)mean + (double)stddev * pair[k];                                                            \
        output[i + (size_t)k] = (T)(Value);                                                                            \
      }                                                                                                                \
    }                                                                                                                  \
    return CURAND_STATUS_SUCCESS;                                                                                      \
  }
RAISE_CURAND_NORMAL(curandGenerateNormal, float, x)
RAISE_CURAND_NORMAL(curandGenerateNormalDouble, double, x)
RAISE_CURAND_NORMAL(curandGenerateLogNormal, float, exp(x))
RAISE_CURAND_NORMAL(curandGenerateLogNormalDouble, double, exp(x))
#undef RAISE_CURAND_NORMAL

#ifdef __cplusplus
} /* extern "C++" */
#endif

#endif /* RAISE_FORWARD_CURAND_H */
