// Adjoints where memory holds bfloat16: what is computed is float, conversions
// pass derivatives on as they are, and adjoints are float.
// RUN: rm -rf %t && mkdir -p %t
// RUN: %clang_raise grad --function=gather --function=inside --function=means --function=chosen %s -o %t/adjoint.cpp --
// RUN: FileCheck %s < %t/adjoint.cpp
// RUN: %clangxx -std=c++17 -fopenmp -O2 -Wall -Wextra -Werror -I%runtime -c %t/adjoint.cpp -o %t/clang.o
// RUN: %gxx -std=c++17 -fopenmp -O2 -Wall -Wextra -Werror -I%runtime -c %t/adjoint.cpp -o %t/gcc.o
// RUN: %clangxx -std=c++17 -fopenmp -O2 -I%runtime -I%t %S/Inputs/adjoint-bf16-main.cpp %t/clang.o -o %t/run
// RUN: env OMP_NUM_THREADS=1 %t/run && env OMP_NUM_THREADS=4 %t/run
// RUN: %gxx -std=c++17 -fopenmp -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -I%runtime -I%t %S/Inputs/adjoint-bf16-main.cpp %t/adjoint.cpp -o %t/asan && %t/asan
// RUN: %clang_raise grad --function=gather --verify %s -o %t/verified.cpp -- 2>&1 | FileCheck %s --check-prefix=VERIFIED
// RUN: not %clang_raise grad --mode=forward --function=means %s -- 2>&1 | FileCheck %s --check-prefix=FORWARD
// RUN: not %clang_raise grad --function=root --function=scaled --function=bits --function=seen %s -- 2>&1 | FileCheck %s --check-prefix=REFUSED
// VERIFIED: verification inconclusive ('table' has 16-bit floating elements)
#include <cuda_bf16.h>
typedef __nv_bfloat16 real;

// CHECK: // The adjoint of gather
// CHECK: void gather_adjoint(dim3 grid, dim3 block, real *out, const real *table,
// CHECK-NEXT: const int *at, int n, float *out_adj, float *table_adj) {
// CHECK: out[i] = (real)((float)table[at[i]] * 3.0f);
// CHECK: #pragma omp atomic
// CHECK-NEXT: table_adj[{{.*}}] += out_adj_i * 3.0f;
__global__ void gather(real *out, const real *table, const int *at, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = (float)table[at[i]] * 3.0f;
}

// Variables of the class, its operators, and values that are overwritten.
__global__ void inside(real *x, const real *w, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    real v = x[i], u;
    u = v * w[i];
    x[i] = -u + x[i];
    x[i] *= w[i];
    for (int k = 0; k < 3; ++k)
      x[i] = x[i] * x[i] - w[i] / real(2);
  }
}

// FORWARD: adjoint-bf16.cu:[[#@LINE+6]]:{{[0-9]+}}: error: values of type real carry derivatives; these are for float and double [CR1810]
__global__ void means(real *out, const real *x, int n, int c) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float sum = 0;
    for (int k = 0; k < c; ++k)
      sum += __bfloat162float(x[i * c + k]) * (float)x[i * c + k];
    out[i] = __float2bfloat16(sum / c);
  }
}

__global__ void chosen(real *out, const real *x, const real *w, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    const real from = (float)x[i] > 1.0f ? x[i] : w[i];
    real most = (float)x[i] > (float)w[i] ? x[i] : w[i];
    out[i] = most * from;
  }
}

__global__ void root(real *out, const real *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    // REFUSED: adjoint-bf16.cu:[[#@LINE+1]]:{{[0-9]+}}: error: not differentiated: 'hsqrt' makes a bfloat16, and is not followed [CR1801]
    out[i] = hsqrt(x[i]);
}

__global__ void scaled(real *out, const real *x, real a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    // REFUSED: adjoint-bf16.cu:[[#@LINE+1]]:{{[0-9]+}}: error: not differentiated: a value of type 'real' is not supported here [CR1801]
    out[i] = x[i] * a;
}

__global__ void bits(real *out, const real *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  // REFUSED: adjoint-bf16.cu:[[#@LINE+1]]:{{[0-9]+}}: error: not differentiated: 'const real *' is converted to 'const unsigned short *' [CR1801]
  const unsigned short *p = reinterpret_cast<const unsigned short *>(x);
  if (i < n && p[i] > 5)
    out[i] = x[i];
}

__global__ void seen(real *out, const unsigned short *x, const float *w,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    // REFUSED: adjoint-bf16.cu:[[#@LINE+1]]:{{[0-9]+}}: error: not differentiated: a value of type 'const real' is not supported here [CR1801]
    out[i] = (float)reinterpret_cast<const real *>(x)[i] * w[i];
}
