// A loop that was taken apart runs strip by strip, and what an iteration hands
// to the next stays in a scalar. Bit by bit the same, at sizes around those of a
// strip, from 0 up, and where arrays overlap.
//
// RUN: rm -rf %t && mkdir %t
// RUN: printf 'machine:\n  parallel-work: 1\n' > %t/config
// RUN: %clang_raise rewrite --fp=strict %s -o %t/strips.cpp -- -std=c++17 -fopenmp
// RUN: sed "/STRIPS/d" %t/strips.cpp | FileCheck --check-prefix=STRIPS %s
// RUN: %clang_raise rewrite --config=%t/config --fp=strict %s -o %t/eager.cpp -- -std=c++17 -fopenmp
// RUN: sed "/CHECK/d" %t/eager.cpp | FileCheck %s
// RUN: %clangxx -std=c++17 -O2 -ffp-contract=off -fopenmp -Wall -Wextra -Werror -Wno-unknown-pragmas -DORIGINAL -c %s -o %t/original.o
// RUN: %clangxx -std=c++17 -O2 -ffp-contract=off -fopenmp -Wall -Wextra -Werror -DMAIN %t/strips.cpp %t/original.o -o %t/run && %t/run
// RUN: %clangxx -std=c++17 -O2 -ffp-contract=off -fopenmp -Wall -Wextra -Werror -DMAIN %t/eager.cpp %t/original.o -o %t/run
// RUN: env OMP_NUM_THREADS=3 %t/run
// RUN: %gxx -std=c++17 -O3 -ffp-contract=off -fopenmp -Wall -Wextra -Werror -Wno-unknown-pragmas -DORIGINAL -c %s -o %t/original.o
// RUN: %gxx -std=c++17 -O3 -ffp-contract=off -fopenmp -Wall -Wextra -Werror -DMAIN %t/strips.cpp %t/original.o -o %t/run && %t/run
// RUN: %gxx -std=c++17 -O3 -ffp-contract=off -fopenmp -Wall -Wextra -Werror -DMAIN %t/eager.cpp %t/original.o -o %t/run
// RUN: env OMP_NUM_THREADS=2 %t/run
// RUN: %clang_raise rewrite --verify --require-verified %s -o %t/verified.cpp -- -std=c++17 -fopenmp
// RUN: %clang_raise rewrite --verify --require-verified --config=%t/config %s -o %t/verified.cpp -- -std=c++17 -fopenmp

#ifdef ORIGINAL
#define NAME(F) F##_original
#else
#define NAME(F) F
#endif

// STRIPS-LABEL: // clang-raise: ahead
// STRIPS: n > 2000
// STRIPS: for (long long i_strip = 0; i_strip < n - 1; i_strip += 1024) {
// STRIPS-NEXT: const int i_end =
// STRIPS-NEXT: n - 1 - i_strip < 1024 ? n - 1 : (int)(i_strip + 1024);
// STRIPS-NEXT: #pragma omp simd
// STRIPS-NEXT: for (int i = i_strip; i < i_end; ++i)
// STRIPS-NEXT: b[i] += a[i + 1] * d[i];
// STRIPS-NEXT: #pragma omp simd
// STRIPS-NEXT: for (int i = i_strip; i < i_end; ++i)
// STRIPS-NEXT: a[i] *= c[i];
void NAME(ahead)(float *a, float *b, const float *c, const float *d, int n) {
  for (int i = 0; i < n - 1; i++) {
    a[i] *= c[i];
    b[i] += a[i + 1] * d[i];
  }
}

// An iteration reads what the one before stored, and what it stores itself.
// STRIPS-LABEL: // clang-raise: behind
// STRIPS: i_strip
// STRIPS: c[i] =
// STRIPS: a[i] = t + c[i - 1];
void NAME(behind)(float *a, const float *b, float *c, const float *d, int n) {
  for (int i = 1; i < n; ++i) {
    const float t = a[i] + b[i];
    a[i] = t + c[i - 1];
    c[i] = c[i] * d[i];
  }
}

// Down: the strips would go the other way.
// STRIPS-LABEL: void NAME(down)(
// STRIPS-NOT: i_strip
// STRIPS: void NAME(factors)(
void NAME(down)(float *a, float *b, const float *c, const float *d, int n) {
  for (int i = n - 1; i > 0; i--) {
    a[i] *= c[i];
    b[i] += a[i - 1] * d[i];
  }
}

// CHECK: double p_last = p[i * n];
// CHECK: for (int j = 1; j < n; ++j) {
// CHECK-NEXT: const double p_j = -a / (a * p_last + b);
// CHECK-NEXT: p[i * n + j] = p_j;
// CHECK-NEXT: q_last = (u[j * m + i] - a * q_last) / (a * p_last + b);
// CHECK-NEXT: q[i * n + j] = q_last;
// CHECK-NEXT: p_last = p_j;
void NAME(factors)(double *p, double *q, const double *u, double a, double b,
                   int m, int n) {
  for (int i = 0; i < m; i++) {
    p[i * n] = 0;
    q[i * n] = u[i];
    for (int j = 1; j < n; j++) {
      p[i * n + j] = -a / (a * p[i * n + j - 1] + b);
      q[i * n + j] =
          (u[j * m + i] - a * q[i * n + j - 1]) / (a * p[i * n + j - 1] + b);
    }
  }
}

#ifdef MAIN
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

void ahead_original(float *, float *, const float *, const float *, int);
void behind_original(float *, const float *, float *, const float *, int);
void down_original(float *, float *, const float *, const float *, int);
void factors_original(double *, double *, const double *, double, double, int,
                      int);

template <typename T> static std::vector<T> filled(size_t N, unsigned Seed) {
  std::vector<T> V(N);
  for (T &X : V) {
    Seed = Seed * 1103515245u + 12345u;
    X = T((Seed >> 16) % 2001) / 1000 - 1;
  }
  return V;
}

template <typename T>
static void same(const std::vector<T> &A, const std::vector<T> &B,
                 const char *What, int N) {
  if (A.size() && std::memcmp(A.data(), B.data(), A.size() * sizeof(T))) {
    std::printf("%s differs at %d\n", What, N);
    std::exit(1);
  }
}

int main() {
  for (int N : {0, 1, 2, 3, 17, 1023, 1024, 1025, 1026, 2049, 5000})
    for (int Shift : {3, 6000}) { // the other array, or a neighbour
      // Four arrays in one, of which the second may overlap the first.
      const size_t Size = 24000, At = 100;
      auto X = filled<float>(Size, 1 + N), Y = X;
      const auto Run = [&](auto &&F, std::vector<float> &V) {
        float *A = V.data() + At;
        F(A, A + Shift, A + 12000, A + 17500, N);
      };
      Run(ahead, X);
      Run(ahead_original, Y);
      same(X, Y, "ahead", N);
      Run(down, X);
      Run(down_original, Y);
      same(X, Y, "down", N);
      const auto Turned = [&](auto &&F, std::vector<float> &V) {
        float *A = V.data() + At;
        F(A, A + 12000, A + Shift, A + 17500, N);
      };
      Turned(behind, X);
      Turned(behind_original, Y);
      same(X, Y, "behind", N);
    }
  for (int M : {0, 1, 5, 40})
    for (int N : {1, 2, 3, 40})
      for (int Near : {0, 1}) {
        auto X = filled<double>(8000, 7 + M + N), Y = X;
        const auto Run = [&](auto &&F, std::vector<double> &V) {
          double *P = V.data();
          F(P, P + (Near ? 1 : 2000), P + (Near ? 2 : 4000), 0.5, 1.5, M, N);
        };
        Run(factors, X);
        Run(factors_original, Y);
        same(X, Y, "factors", N);
      }
  return 0;
}
#endif
