// Loops over columns around loops over rows: the columns go inside, whole or by
// bands. Bit by bit the same, at sizes around those of a vector and of a band.
//
// RUN: rm -rf %t && mkdir %t
// RUN: printf 'machine:\n  parallel-work: 1\n' > %t/config
// RUN: %clang_raise rewrite --config=%t/config --fp=strict %s -o %t/out.cpp -- -std=c++17 -fopenmp -I%t
// RUN: sed "/CHECK/d" %t/out.cpp | FileCheck %s
// RUN: %clangxx -std=c++17 -O2 -ffp-contract=off -fopenmp -Wall -Wextra -Werror -Wno-unknown-pragmas -DORIGINAL -c %s -o %t/original.o
// RUN: %clangxx -std=c++17 -O2 -ffp-contract=off -fopenmp -Wall -Wextra -Werror -DMAIN %t/out.cpp %t/original.o -o %t/run
// RUN: env OMP_NUM_THREADS=1 %t/run
// RUN: env OMP_NUM_THREADS=3 %t/run
// RUN: %gxx -std=c++17 -O3 -ffp-contract=off -fopenmp -Wall -Wextra -Werror -Wno-unknown-pragmas -DORIGINAL -c %s -o %t/original.o
// RUN: %gxx -std=c++17 -O3 -ffp-contract=off -fopenmp -Wall -Wextra -Werror -DMAIN %t/out.cpp %t/original.o -o %t/run
// RUN: env OMP_NUM_THREADS=2 %t/run
// RUN: %clang_raise rewrite --verify --require-verified --config=%t/config %s -o %t/verified.cpp -- -std=c++17 -fopenmp

#ifdef ORIGINAL
#define NAME(F) F##_original
#else
#define NAME(F) F
#endif

// CHECK-LABEL: // clang-raise: product
// CHECK: // c[i,j] = Σ_k a[i,k]·b[k,j],
// CHECK: m >= 16
// CHECK: // Rows that fill no tile.
// CHECK-NEXT: for (int i = i_rest; i < n; ++i)
// CHECK: for (long long j_band = 0; j_band < m; j_band += 64) {
// CHECK: c[i * m + j] = 0;
// CHECK: for (int k = 0; k < l; ++k) {
// CHECK-NEXT: const double a_ik = a[i * l + k];
// CHECK-NEXT: #pragma omp simd
// CHECK-NEXT: for (int j = j_band; j < j_end; ++j)
// CHECK-NEXT: c[i * m + j] += a_ik * b[k * m + j];
void NAME(product)(double *c, const double *a, const double *b, int n, int m,
                   int l) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      double s = 0;
      for (int k = 0; k < l; k++)
        s += a[i * l + k] * b[k * m + j];
      c[i * m + j] = s;
    }
}

// CHECK-LABEL: void NAME(deviations)(
// CHECK: for (long long j_band = 0; j_band < m; j_band += 64) {
// CHECK-NEXT: const int j_end = m - j_band < 64 ? m : (int)(j_band + 64);
// CHECK: double mean[64];
void NAME(deviations)(double *c, const double *a, int n, int m) {
  for (int j = 0; j < m; j++) {
    double mean = 0, square = 0;
    for (int i = 0; i < n; i++)
      mean += a[i * m + j];
    mean /= n;
    for (int i = 0; i < n; i++)
      square += (a[i * m + j] - mean) * (a[i * m + j] - mean);
    c[j] = square;
  }
}

// The range of j hangs on i, and w is read only where it has a point.
// CHECK-LABEL: void NAME(upper)(
// CHECK: j_band = i; j_band < m
// CHECK: const double w_i = w[i];
void NAME(upper)(double *c, const double *a, const double *w, int n, int m,
                 int l) {
  for (int i = 0; i < n; i++)
    for (int j = i; j < m; j++) {
      const double w_i = w[i];
      c[i * m + j] = 0;
      for (int k = 0; k < l; k++)
        c[i * m + j] += w_i * a[k * m + j];
    }
}

// Each column its recurrence, in its order.
// CHECK-LABEL: void NAME(columns)(
// CHECK: for (int i = 1; i < n; ++i) {
// CHECK-NEXT: #pragma omp simd
// CHECK-NEXT: for (int j = j_band; j < j_end; ++j)
void NAME(columns)(double *a, int n, int m) {
  for (int j = 0; j < m; j++)
    for (int i = 1; i < n; i++)
      a[i * m + j] = a[i * m + j] * 0.5 + a[(i - 1) * m + j];
}

// The range of k hangs on j: left in its order.
// CHECK-LABEL: void NAME(triangle)(
// CHECK-NOT: j_band
// CHECK: end
void NAME(triangle)(double *c, const double *a, int n, int m) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      double s = 0;
      for (int k = 0; k < j; k++)
        s += a[k * m + j];
      c[i * m + j] = s;
    }
}

#ifdef MAIN
#include <cstdio>
#include <cstring>
#include <vector>

void product_original(double *, const double *, const double *, int, int, int);
void deviations_original(double *, const double *, int, int);
void upper_original(double *, const double *, const double *, int, int, int);
void columns_original(double *, int, int);
void triangle_original(double *, const double *, int, int);

static std::vector<double> filled(size_t N) {
  std::vector<double> V(N + 1);
  for (size_t I = 0; I < V.size(); ++I)
    V[I] = double(I * 2654435761u % 1000) / 64 - 7;
  return V;
}

int main() {
  int Failures = 0;
  for (int m : {0, 1, 15, 16, 17, 63, 64, 65, 128, 200})
    for (int n : {-1, 0, 1, 2, 7, 70})
      for (int l : {0, 1, 9}) {
        const size_t N = n > 0 ? n : 0;
        const auto A = filled((N + l) * m), B = filled(size_t(l) * m),
                   L = filled(N * l);
        const auto Same = [&](auto &&F, auto &&G, size_t Size) {
          std::vector<double> X = filled(Size), Y = X;
          F(X.data());
          G(Y.data());
          if (std::memcmp(X.data(), Y.data(), X.size() * sizeof(double))) {
            std::printf("differs: n %d, m %d, l %d\n", n, m, l);
            ++Failures;
          }
        };
        Same([&](double *C) { product(C, L.data(), B.data(), n, m, l); },
             [&](double *C) { product_original(C, L.data(), B.data(), n, m, l); },
             N * m);
        Same([&](double *C) { deviations(C, A.data(), n, m); },
             [&](double *C) { deviations_original(C, A.data(), n, m); }, m);
        // As many elements of w as rows that have a point.
        const auto W = filled(N < size_t(m) ? N : m);
        Same([&](double *C) { upper(C, B.data(), W.data(), n, m, l); },
             [&](double *C) { upper_original(C, B.data(), W.data(), n, m, l); },
             N * m);
        Same([&](double *C) { columns(C, n, m); },
             [&](double *C) { columns_original(C, n, m); }, N * m);
        const auto S = filled(size_t(m) * m);
        Same([&](double *C) { triangle(C, S.data(), n, m); },
             [&](double *C) { triangle_original(C, S.data(), n, m); }, N * m);
        // Where the arguments overlap the original runs.
        std::vector<double> X = filled(N * m + size_t(l) * m), Y = X;
        product(X.data(), L.data(), X.data(), n, m, l);
        product_original(Y.data(), L.data(), Y.data(), n, m, l);
        if (X != Y)
          ++Failures;
      }
  if (Failures)
    std::printf("%d differ\n", Failures);
  return Failures != 0;
}
#endif
