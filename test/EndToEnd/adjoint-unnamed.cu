// Weights of a kernel, which nobody names, must not overlap what it writes; a kernel has no workspace.
// RUN: %clang_raise grad --verify --require-verified --function=weigh --wrt=x --of=y %s -o %t.cpp -- -std=c++17 2>&1 | FileCheck %s --check-prefix=VERIFIED
// RUN: %clang_raise grad --verify --require-verified --mode=forward --function=weigh --wrt=x --of=y %s -o %t.tan.cpp -- -std=c++17 2>&1 | FileCheck %s --check-prefix=VERIFIED
// VERIFIED: verification passed
// RUN: %gxx -std=c++17 -O2 -fopenmp -Wall -Wextra -Werror -I%runtime -c %t.cpp -o %t.o
// RUN: FileCheck %s < %t.cpp
// RUN: %clang_raise grad --target=cuda --function=weigh --wrt=x --of=y %s -o %t.device.cu -- -std=c++17
// RUN: FileCheck %s --check-prefix=DEVICE < %t.device.cu
// RUN: %if nvcc %{ nvcc -arch=sm_80 -std=c++17 -Werror all-warnings -c %t.device.cu -o %t.device.o %}
// RUN: not %clang_raise grad --function=through --wrt=x --of=y %s -o %t.no.cpp -- -std=c++17 2>&1 | FileCheck %s --check-prefix=THROUGH
// RUN: not %clang_raise grad --function=strided --wrt=x --of=y %s -o %t.no.cpp -- -std=c++17 2>&1 | FileCheck %s --check-prefix=STRIDED

// CHECK: // Ends the program (abort) where w overlaps y, or sizes
// CHECK: void weigh_adjoint(dim3 grid, dim3 block, float *y, const float *w,
// CHECK: std::abort();
// DEVICE: raise_unfit("weigh_adjoint",
// DEVICE: w and y do not overlap");
__global__ void weigh(float *y, const float *w, const float *x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = w[i] * x[i] * x[i];
}

// THROUGH: error: 't' carries derivatives {{.*}} (a kernel allocates nothing) [CR1804]
__global__ void through(float *y, float *t, const float *x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    t[i] = x[i] * x[i];
    y[i] = t[i] * x[i];
  }
}

// Its step may be 0 in a launch without blocks, which is none.
// STRIDED: error: 'w' may overlap {{.*}} (which elements are used hangs on how the arguments of 'strided' compare) [CR1806]
__global__ void strided(float *y, const float *w, const float *x, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    y[i] = w[i] * x[i];
}
