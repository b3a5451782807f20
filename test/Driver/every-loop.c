// Each outermost loop has exactly one result, wherever it stands.
//
// RUN: %clang_raise explain %s --json=%t.json -- -std=gnu11 -fopenmp > %t.out
// RUN: %python %S/Inputs/results.py %s %t.json
// RUN: FileCheck %s < %t.out
// RUN: FileCheck %s --check-prefix=OTHER < %t.json

void under_parallel_for(float *x, int n) {
// CHECK: every-loop.c:[[#@LINE+2]]:3: remark: not rewritten: it already runs under the author's 'omp parallel for' [CR1020
#pragma omp parallel for
  for (int i = 0; i < n; ++i) // results: CR1020
    x[i] = 0;
}
void under_simd(float *x, int n) {
#pragma omp simd
  for (int i = 0; i < n; ++i) // results: CR1020
    x[i] = 0;
}
void without_directive(float *x, int n) {
  for (int i = 0; i < n; ++i) // results: none
    x[i] = 0;
}

void in_a_region(float *x, int n) {
#pragma omp parallel
  {
#pragma omp for
    for (int i = 0; i < n; ++i) // results: CR1020
      x[i] = 0;
#pragma omp for collapse(2)
    for (int i = 0; i < n; ++i) // results: CR1020
      for (int j = 0; j < n; ++j)
        x[i * n + j] = 0;
    while (*x > 0) // results: CR1020
      --*x;
  }
  for (int i = 0; i < n; ++i) // results: none
    x[i] += 1;
}

void inside_a_loop(float *x, int n) {
  for (int j = 0; j < n; ++j) { // results: CR1101
#pragma omp parallel for
    for (int i = 0; i < n; ++i) // results: CR1020
      x[i] += j;
  }
}

#define TWO(x, n)                                                              \
  for (int i = 0; i < n; ++i)                                                  \
    x[i] = 0;                                                                  \
  for (int i = 0; i < n; ++i)                                                  \
  x[i] += 1
void in_a_macro(float *x, int n) {
  TWO(x, n); // results: CR1702 CR1702
}

void in_another_file(float *x, int n) {
#include "Inputs/body.inc"
}
// OTHER: body.inc",
// OTHER: "code": "CR1701"

void not_lifted(float *x, int n, ...) {
  for (int i = 0; i < n; ++i) // results: none
    x[i] = 0;
  do // results: CR1201
    --n;
  while (n > 0);
}

void in_a_switch(float *x, int n) {
  switch (n) {
  case 1:
    for (int i = 0; i < n; ++i) // results: none
      x[i] = 0;
    break;
  default:
    for (int i = 0; i < n; ++i) // results: none
      x[i] = 1;
  }
}

int in_an_expression(int n) {
  return ({
    int k = 0;
    for (int i = 0; i < n; ++i) // results: CR1024
      k += i;
    k;
  });
}

void after_a_label(float *x, int n) {
again: // results: CR1201
  for (int i = 0; i < n; ++i) // results: none
    x[i] += 1;
  if (n--)
    goto again;
}
