// Nests of unsigned counters: what the inner loop needs is said of all rows at
// once, and only once. The same at sizes from 0 up, and where a size is too
// large for any index, the original runs.
//
// RUN: rm -rf %t && mkdir %t
// RUN: printf 'machine:\n  parallel-work: 1\n' > %t/config
// RUN: %clang_raise rewrite --config=%t/config --fp=strict %s -o %t/out.cpp -- -std=c++17 -fopenmp -I%t
// RUN: sed "/CHECK/d" %t/out.cpp | FileCheck %s
// RUN: %clangxx -std=c++17 -O2 -ffp-contract=off -fopenmp -Wall -Wextra -Werror -Wno-unknown-pragmas -DORIGINAL -c %s -o %t/original.o
// RUN: %clangxx -std=c++17 -O2 -ffp-contract=off -fopenmp -Wall -Wextra -Werror -DMAIN %t/out.cpp %t/original.o -o %t/run
// RUN: env OMP_NUM_THREADS=1 %t/run
// RUN: env OMP_NUM_THREADS=3 %t/run
// RUN: %gxx -std=c++17 -O3 -ffp-contract=off -fopenmp -Wall -Wextra -Werror -DMAIN %t/out.cpp %t/original.o -o %t/run
// RUN: env OMP_NUM_THREADS=2 %t/run
// RUN: %clang_raise rewrite --verify --require-verified --config=%t/config %s -o %t/verified.cpp -- -std=c++17 -fopenmp

#include <cstddef>

#ifdef ORIGINAL
#define NAME(F) F##_original
#else
#define NAME(F) F
#endif

// CHECK-LABEL: // clang-raise: outer
// CHECK: if (n > 0 && m > 0) {
// CHECK-NEXT: if (n <= 2147483647 && m <= 2147483647 &&
// CHECK-NEXT: (long long)n * (long long)m <= 1152921504606846975LL &&
// CHECK-NEXT: (long long)n * (long long)m + (long long)m <= 1152921504606846976LL
// CHECK: #pragma omp parallel for
// CHECK-NEXT: for (size_t i = 0; i < n; ++i) {
// CHECK: #pragma omp simd
// CHECK-NEXT: for (size_t j = 0; j < m; ++j)
void NAME(outer)(double *__restrict c, const double *__restrict a,
                 const double *__restrict b, size_t n, size_t m) {
  for (size_t i = 0; i < n; ++i)
    for (size_t j = 0; j < m; ++j)
      c[i * m + j] += a[i] * b[j];
}

// CHECK-LABEL: // clang-raise: product
// CHECK: for (size_t k = k_block; k < k_end; ++k) {
// CHECK: // Rows that fill no tile.
// CHECK: for (size_t k = 0; k < l; ++k) {
// CHECK: #pragma omp simd
// CHECK-NEXT: for (size_t j = j_band; j < j_end; ++j)
// CHECK-NEXT: c[i * m + j] += a_ik * b[k * m + j];
void NAME(product)(double *__restrict c, const double *__restrict a,
                   const double *__restrict b, size_t n, size_t m, size_t l) {
  for (size_t i = 0; i < n; ++i)
    for (size_t j = 0; j < m; ++j) {
      double s = 0;
      for (size_t k = 0; k < l; ++k)
        s += a[i * l + k] * b[k * m + j];
      c[i * m + j] = s;
    }
}

#ifdef MAIN
#include <cstdio>
#include <cstdlib>
#include <vector>

void outer_original(double *, const double *, const double *, size_t, size_t);
void product_original(double *, const double *, const double *, size_t, size_t,
                      size_t);

int main() {
  std::vector<double> A(5000), B(5000);
  for (size_t I = 0; I < A.size(); ++I) {
    A[I] = double(I * 7919 % 1009) / 1009 - 0.5;
    B[I] = double(I * 104729 % 997) / 997 - 0.5;
  }
  for (size_t N : {0, 1, 3, 17})
    for (size_t M : {0, 1, 15, 16, 17, 65})
      for (size_t L : {0, 1, 4, 33}) {
        std::vector<double> X(N * M + 1, 0.25), Y = X;
        outer(X.data(), A.data(), B.data(), N, M);
        outer_original(Y.data(), A.data(), B.data(), N, M);
        product(X.data(), A.data(), B.data(), N, M, L);
        product_original(Y.data(), A.data(), B.data(), N, M, L);
        if (X != Y) {
          std::printf("differs at %zu %zu %zu\n", N, M, L);
          return 1;
        }
      }
  // No row, however long it would be.
  double One = 1;
  for (size_t Huge : {size_t(1) << 33, ~size_t(0)}) {
    outer(&One, A.data(), B.data(), 0, Huge);
    product(&One, A.data(), B.data(), 0, Huge, Huge);
  }
  return One != 1;
}
#endif
