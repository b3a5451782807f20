//===- curand.h - declarations for parsing ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===------------------------------------------------------------------------===//
// Defined in the runtime header of the same name.
#ifndef RAISE_PRELUDE_CURAND_H
#define RAISE_PRELUDE_CURAND_H

#include "../runtime/raise/curand_types.h"

curandStatus_t curandCreateGenerator(curandGenerator_t *generator, curandRngType_t type);
curandStatus_t curandCreateGeneratorHost(curandGenerator_t *generator, curandRngType_t type);
curandStatus_t curandDestroyGenerator(curandGenerator_t generator);
curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator, unsigned long long seed);
curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator, unsigned long long offset);
curandStatus_t curandSetGeneratorOrdering(curandGenerator_t generator, curandOrdering_t order);
curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t stream);
curandStatus_t curandGenerate(curandGenerator_t generator, unsigned int *output, size_t count);
curandStatus_t curandGenerateUniform(curandGenerator_t generator, float *output, size_t count);
curandStatus_t curandGenerateUniformDouble(curandGenerator_t generator, double *output, size_t count);
curandStatus_t curandGenerateNormal(curandGenerator_t generator, float *output, size_t count, float mean, float stddev);
curandStatus_t curandGenerateNormalDouble(curandGenerator_t generator, double *output, size_t count, double mean, double stddev);
curandStatus_t curandGenerateLogNormal(curandGenerator_t generator, float *output, size_t count, float mean, float stddev);
curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t generator, double *output, size_t count, double mean, double stddev);

#endif // RAISE_PRELUDE_CURAND_H
