// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel in a header.
__global__ void scale(float *x, float a) { x[threadIdx.x] *= a; }
