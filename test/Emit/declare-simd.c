// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang-raise
// RUN: %clang_raise rewrite %s -o %t.c -- -O2 -fopenmp 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=TEXT < %t.c
//
// Vectors of arguments call the first function: no parallel loop may be in it.

// CHECK: declare-simd.c:[[#@LINE+5]]:{{.*}}'omp declare simd'{{.*}}CR1020
// TEXT-NOT: {{^}}  // clang-raise: at_once
#pragma omp declare simd
void at_once(float *y, int n);
void at_once(float *y, int n) {
  for (int i = 0; i < n; i++)
    y[i] = 0;
}
// TEXT: {{^}}  // clang-raise: plain:1
void plain(float *y, int n) {
  for (int i = 0; i < n; i++)
    y[i] = 0;
}
