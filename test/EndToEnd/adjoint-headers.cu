// Derivatives of a source whose headers hold device code, or define what the
// program may have once: those are not included again; what the derivative's
// text needs of them is repeated. All others are included as before.
//
// RUN: rm -rf %t && mkdir -p %t
// RUN: %clang_raise rewrite %s -o %t/kernels.cpp -- -I%S/Inputs/adjoint-headers
// RUN: %clang_raise grad --function=rows --function=gained %s -o %t/adjoint.cpp -- -I%S/Inputs/adjoint-headers
// RUN: FileCheck %s < %t/adjoint.cpp
// RUN: FileCheck %s --check-prefix=HEADER < %t/adjoint.h
// RUN: %clangxx -std=c++17 -fopenmp -O2 -Wall -Wextra -Werror -I%runtime -c %t/adjoint.cpp -o %t/clang.o
// RUN: %gxx -std=c++17 -fopenmp -O2 -Wall -Wextra -Werror -I%runtime -c %t/adjoint.cpp -o %t/gcc.o
// RUN: %clangxx -std=c++17 -fopenmp -O2 -I%runtime -I%t -I%S/Inputs/adjoint-headers %S/Inputs/adjoint-headers/main.cpp %t/kernels.cpp %t/clang.o -o %t/run
// RUN: env OMP_NUM_THREADS=1 %t/run && env OMP_NUM_THREADS=4 %t/run
// RUN: %clang_raise grad --function=halved --verify --require-verified %s -o %t/halved.cpp -- -I%S/Inputs/adjoint-headers 2>&1 | FileCheck %s --check-prefix=VERIFIED
// RUN: not %clang_raise grad --function=kept %s -- -I%S/Inputs/adjoint-headers -DSTATE 2>&1 | FileCheck %s --check-prefix=STATE
// RUN: not %clang_raise grad --function=rows %s -- -I%S/Inputs/adjoint-headers -include device.cuh 2>&1 | FileCheck %s --check-prefix=FORCED
// VERIFIED: the adjoint of 'halved': verification passed
// VERIFIED-NOT: error
#include <math.h>
#include "device.cuh"
#include "names.h"

// CHECK: #include <raise/cuda.h>
// CHECK-NEXT: #include <math.h>
// CHECK-NEXT: #include "{{.*}}Inputs/adjoint-headers/plain.h"
// CHECK-NEXT: #include <cuda_runtime.h>
// CHECK-NEXT: #include <stdio.h>
// CHECK-NOT: #include "{{.*}}device.cuh"
// CHECK-NOT: #include "{{.*}}names.h"
// CHECK-NOT: DEVICE_CUH
// CHECK-DAG: constexpr real Half = 0.5;
// CHECK-DAG: typedef double real;
// CHECK-DAG: enum Kind { Sum, Mean };
// CHECK-NOT: warpSum
// CHECK-NOT: report
// CHECK: // The adjoint of rows

// HEADER-NOT: device.cuh
// HEADER: struct Gain;

// CHECK: // The adjoint of gained

__global__ void rows(real *out, const real *x, int n, int c, int kind) {
  const int row = blockIdx.x * (blockDim.x / WARP) + threadIdx.x / WARP;
  if (row < n) {
    real sum = 0;
    for (int i = threadIdx.x % WARP; i < c; i += WARP)
      sum += bend(x[row * c + i]);
    sum = warpSum(sum);
    if (threadIdx.x % WARP == 0)
      out[row] = kind == Mean ? sum / c : Half * sum;
  }
}

__global__ void gained(real *out, const real *x, const Gain *g, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = g->by * bend(x[i]);
}

__global__ void halved(real *out, const real *x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = Half * x[i] * x[i];
}

#ifdef STATE
#include "state.cuh"
real kept(real x) { return scale * x * x; }
// STATE: state.cuh:4:13: error: the derivative uses 'scale', which only this file sees and may change [CR1809]
#endif
// FORCED: device.cuh:1:1: error: this header holds device code or defines what the source exports, so that the derivative's file cannot include it, and no file of the project's has its #include; include it in the source [CR1809]

int launched() { return launches; }
