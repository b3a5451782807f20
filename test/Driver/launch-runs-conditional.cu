// A function that is made for launches under an #if serves no others; comments stay with what they are of.
// RUN: rm -rf %t && mkdir -p %t
// RUN: %clang_raise rewrite %s -o %t/runs.cpp -- -O2 2> %t/err
// RUN: FileCheck %s < %t/runs.cpp
// RUN: %gxx -std=c++17 -fopenmp -Wall -Wextra -Werror -I%runtime -fsyntax-only %t/runs.cpp
// RUN: %gxx -std=c++17 -fopenmp -Wall -Wextra -Werror -DOTHER -I%runtime -fsyntax-only %t/runs.cpp
// CHECK: #ifndef OTHER
// CHECK: static void a_b(
// CHECK: /* A block
// CHECK: // and a line.
// CHECK-NEXT: void one(
// CHECK: static void a_b_2(
// CHECK: void two(
// CHECK: a_b_2(
// CHECK: void three(
// CHECK: a_b_2(
#include <cuda_runtime.h>
__global__ void a(float *t, const float *x, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) t[i] = x[i] * 2; }
__global__ void b(float *y, const float *t, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = t[i] + 1; }
int z; // of z

#ifndef OTHER
/* A block
// of two lines */
// and a line.
void one(float *y, float *t, const float *x, int n) {
  a<<<n / 64, 64>>>(t, x, n);
  b<<<n / 64, 64>>>(y, t, n);
}
#endif
/*
// inside
*/ void two(float *y, float *t, const float *x, int n) {
  a<<<n / 64, 64>>>(t, x, n);
  b<<<n / 64, 64>>>(y, t, n);
}
int q; /* here */
void three(float *y, float *t, const float *x, int n) {
  a<<<n / 64, 64>>>(t, x, n);
  b<<<n / 64, 64>>>(y, t, n);
}
