// A vector that a parallel loop's body declares is an array of each iteration's
// own, as it is without threads; so what grad writes with -fopenmp is a source
// for grad again.
// RUN: rm -rf %t && mkdir -p %t
// RUN: %clang_raise grad --verify --require-verified --alias=assume --function=rows --function=sums %s -o %t/first.cpp -- -O2 -std=c++17 -fopenmp
// RUN: FileCheck %s --input-file=%t/first.cpp
// RUN: cat %s %t/first.cpp > %t/both.cpp
// RUN: %clang_raise grad --verify --require-verified --alias=assume --function=rows_adjoint --function=sums_adjoint %t/both.cpp -o %t/second.cpp -- -O2 -std=c++17 -fopenmp
// RUN: %clang_raise grad --verify --require-verified --alias=assume --mode=forward --function=rows_adjoint --function=sums_adjoint %t/both.cpp -o %t/tangent.cpp -- -O2 -std=c++17 -fopenmp
// RUN: not %clang_raise grad --alias=assume --function=kept %s -o %t/none.cpp -- -O2 -std=c++17 -fopenmp 2>&1 | FileCheck %s --check-prefix=LEFT
#include <vector>

// CHECK-LABEL: void rows_adjoint(
// CHECK: #pragma omp parallel for
// CHECK: std::vector<double> p(m);
void rows(const double *A, double *O, int n, int m) {
#pragma omp parallel for
  for (int q = 0; q < n; ++q) {
    std::vector<double> p(m);
    for (int k = 0; k < m; ++k)
      p[k] = A[q * m + k] * A[q * m + k];
    for (int k = 0; k < m; ++k)
      O[q * m + k] = p[k] * p[m - 1 - k];
  }
}

// CHECK-LABEL: void sums_adjoint(
double sums(const double *A, int n, int m) {
  double s = 0;
#pragma omp parallel for reduction(+ : s)
  for (int q = 0; q < n; ++q) {
    std::vector<double> p(m, 0.5);
    for (int k = 0; k < m; ++k)
      p[k] *= A[q * m + k];
    for (int k = 1; k < m; ++k)
      p[k] += p[k - 1] * p[k];
    for (int k = 0; k < m; ++k)
      s += p[k];
  }
  return s;
}

// What may hold its address is not followed, there as elsewhere.
// LEFT: [[@LINE+4]]:5: error: not differentiated: 'p' is an array of the function's own, and its use in line [[@LINE+6]] is not followed [CR1801]
void kept(const double *A, double *O, std::vector<double> **Where, int n) {
#pragma omp parallel for
  for (int q = 0; q < n; ++q) {
    std::vector<double> p(4);
    p[0] = A[q];
    Where[q] = &p;
    O[q] = p[0] * p[0];
  }
}
