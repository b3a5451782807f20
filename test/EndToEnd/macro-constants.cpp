// A macro's name has the type, and the tokens, of what it stands for: what it is
// converted to is said where it is written, and an operation has parentheses.
// RUN: rm -rf %t && mkdir -p %t
// RUN: %clang_raise rewrite --verify %s -o %t/out.cpp -- -O2 -fopenmp 2> %t/err
// RUN: FileCheck %s < %t/out.cpp
// RUN: FileCheck %s --check-prefix=VERIFIED < %t/err
// VERIFIED-COUNT-4: verification passed
// RUN: %clangxx -O1 -fopenmp -Wall -Wextra -Werror -DMAIN %t/out.cpp -o %t/run && %t/run
#define SEVEN 7
#define LARGE 3214212.01
#define SUM 3 + 4
#define CHOICE 1 ? 5 : 6
#define WRAPPED (3 + 4)
#define TINY 1e-5

static float ratio(int b, float s) { return b / s; }
static int times(int b, int s) { return b * s; }
static unsigned char low(unsigned char x) { return x; }

// CHECK-LABEL: void casts(
// CHECK: #pragma omp parallel for simd
// CHECK-NEXT: for (
// CHECK-NEXT: a[j] = b[j] / (float)SEVEN + b[j] / (float)LARGE + (b[j] & (int)LARGE);
void casts(float *__restrict a, const int *__restrict b, int n) {
  for (int j = 0; j < n; ++j)
    a[j] = b[j] / (float)SEVEN + b[j] / (float)LARGE + (b[j] & (int)LARGE);
}

// Arguments are converted to the types of parameters.
// CHECK-LABEL: void arguments(
// CHECK: #pragma omp parallel for
// CHECK-NEXT: for (
// CHECK-NEXT: a[j] = ratio(b[j], (float)SEVEN) + ratio(b[j], (float)LARGE) +
// CHECK-NEXT: low((unsigned char)(93 + SEVEN));
void arguments(float *__restrict a, const int *__restrict b, int n) {
  for (int j = 0; j < n; ++j)
    a[j] = ratio(b[j], SEVEN) + ratio(b[j], LARGE) + low(93 + SEVEN);
}

// CHECK-LABEL: void operations(
// CHECK: #pragma omp parallel for
// CHECK-NEXT: for (
// CHECK: times(b[j], (SUM)) + times(b[j], (CHOICE)) + times(b[j], WRAPPED)
void operations(int *__restrict a, const int *__restrict b, int n) {
  for (int j = 0; j < n; ++j)
    a[j] = times(b[j], SUM) + times(b[j], CHOICE) + times(b[j], WRAPPED);
}

// What C converts by itself is left to it.
// CHECK-LABEL: void converted(
// CHECK: #pragma omp parallel for simd
// CHECK-NEXT: for (
// CHECK-NEXT: a[j] = b[j] / SEVEN + b[j] * TINY;
void converted(float *__restrict a, const float *__restrict b, int n) {
  for (int j = 0; j < n; ++j)
    a[j] = b[j] / SEVEN + b[j] * TINY;
}

#ifdef MAIN
#include <cstdio>
int main() {
  const int n = 300000;
  static int b[n], c[n];
  static float a[n];
  int bad = 0;
  for (int i = 0; i < n; ++i)
    b[i] = i % 23 - 11;
  casts(a, b, n);
  for (int i = 0; i < n; ++i)
    bad += a[i] != b[i] / 7.0f + b[i] / 3214212.0f + (b[i] & 3214212);
  arguments(a, b, n);
  for (int i = 0; i < n; ++i)
    bad += a[i] != b[i] / 7.0f + b[i] / 3214212.0f + 100;
  operations(c, b, n);
  for (int i = 0; i < n; ++i)
    bad += c[i] != b[i] * 7 + b[i] * 5 + b[i] * 7;
  std::printf("%d wrong\n", bad);
  return bad != 0;
}
#endif
