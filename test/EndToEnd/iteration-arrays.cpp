// An array that each iteration declares has other values in each: no loop that reads it is computed once, before them.
// RUN: %clang_raise rewrite %s -o %t.cpp -- -fopenmp -O2 -std=c++17
// RUN: FileCheck %s < %t.cpp
// RUN: clang++-19 -std=c++17 -O2 -ffp-contract=off %s -o %t.before
// RUN: %t.before > %t.out.before
// RUN: clang++-19 -std=c++17 -O2 -fopenmp -ffp-contract=off -Wall -Wextra -Werror %t.cpp -o %t.clang
// RUN: env OMP_NUM_THREADS=4 %t.clang > %t.out.clang
// RUN: g++ -std=c++17 -O2 -fopenmp -ffp-contract=off -Wall -Wextra -Werror %t.cpp -o %t.gcc
// RUN: env OMP_NUM_THREADS=2 %t.gcc > %t.out.gcc
// RUN: diff %t.out.before %t.out.clang && diff %t.out.before %t.out.gcc
#include <cstdio>

enum { N = 200000 };
static double A[N], B[N];
static double Taps[24] = {8, 7, 6, 5, 4, 3, 2, 1};

double horner(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s = s * .5 + x[i];
  return s;
}

// CHECK-LABEL: void polynomials(
// CHECK-NOT: Computed{{ }}once
// CHECK: #pragma omp
// CHECK: double c[24] = {a[i], 1
// CHECK: a[i] =
__attribute__((noinline)) void polynomials(double *a, int n) {
  for (int i = 0; i < n; i++) {
    double c[24] = {a[i], 1};
    a[i] = horner(c, 24);
  }
}

// CHECK-LABEL: void hides(
// CHECK-NOT: Computed{{ }}once
// CHECK: #pragma omp
// CHECK: int main
__attribute__((noinline)) void hides(double *a, const double *b, int n) {
  for (int i = 0; i < n; i++) {
    double Taps[20] = {b[i], 1, 2};
    double s = 0;
    for (int j = 0; j < 20; j++)
      s = s * .5 + Taps[j];
    a[i] = s;
  }
}

// The last value is that of the last iteration's array.
__attribute__((noinline)) double last(const double *b, double *a, int n) {
  double k = 0;
  for (int i = 0; i < n; i++) {
    double c[4] = {b[i], 1, 2};
    k = c[i & 3];
    a[i] = k + 1;
  }
  return k;
}

int main() {
  for (int i = 0; i < N; i++)
    B[i] = A[i] = i % 7;
  polynomials(A, N);
  std::printf("%a %a\n", A[3], horner(A, N));
  hides(A, B, N);
  std::printf("%a %a %a\n", A[3], horner(A, N), horner(Taps, 24));
  double k = last(B, A, N - 3);
  std::printf("%a %a %a\n", k, A[3], horner(A, N));
}
