// Adjoints of stencils gather: each element of an adjoint is summed by one
// iteration, the few at either end apart, so that loops are parallel.
// RUN: rm -rf %t && mkdir -p %t/made
// RUN: printf 'machine:\n  parallel-work: 1\n' > %t.cfg
// RUN: %clang_raise grad --config=%t.cfg --verify --function=smooth --function=five --function=plane --function=upwind --function=wide --function=below --function=cube %s -o %t/made/gather.cpp -- -std=c++17 -O2 -fopenmp 2> %t/err
// RUN: FileCheck --check-prefix=VERIFIED %s < %t/err
// RUN: FileCheck %s < %t/made/gather.cpp
// RUN: %clangxx -std=c++17 -O1 -g -fopenmp -fsanitize=address,undefined -fno-sanitize-recover=all -Wall -Wextra -Werror -Wno-pass-failed -DCHECK -I%t/made %s %t/made/gather.cpp -o %t/clang && env OMP_NUM_THREADS=3 %t/clang
// RUN: %gxx -std=c++17 -O2 -fopenmp -Wall -Wextra -Werror -DCHECK -I%t/made %s %t/made/gather.cpp -o %t/gcc && env OMP_NUM_THREADS=2 %t/gcc
// RUN: %gxx -std=c++17 -g -O1 -fopenmp -fsanitize=thread -DCHECK -I%t/made -c %s -o %t/race1.o
// RUN: %gxx -std=c++17 -g -O1 -fopenmp -fsanitize=thread -c %t/made/gather.cpp -o %t/race2.o
// RUN: %clangxx -fopenmp -fsanitize=thread %t/race1.o %t/race2.o -o %t/race
// RUN: env OMP_NUM_THREADS=4 OMP_TOOL_LIBRARIES=%archer TSAN_OPTIONS=ignore_noninstrumented_modules=1 %t/race
#include <cmath>

// VERIFIED-COUNT-7: verification passed

// CHECK-LABEL: void smooth_adjoint(
// CHECK: if (n >= 4) {
// CHECK-NEXT: u_adj[0] += a * v_adj[1];
// CHECK-NEXT: u_adj[1] += a * v_adj[2] + 2 * u[1] * v_adj[1];
// CHECK: #pragma omp parallel for simd
// CHECK-NEXT: for (int i = 2; i < n - 2; ++i)
// CHECK-NEXT: u_adj[i] += a * (v_adj[i + 1] + v_adj[i - 1]) + 2 * u[i] * v_adj[i];
// CHECK-NEXT: }
// CHECK-NEXT: u_adj[n - 2] += a * v_adj[n - 3] + 2 * u[n - 2] * v_adj[n - 2];
// CHECK-NEXT: u_adj[n - 1] += a * v_adj[n - 2];
// CHECK-NEXT: } else {
void smooth(double *v, const double *u, double a, int n) {
  for (int i = 1; i < n - 1; ++i)
    v[i] = a * (u[i - 1] + u[i + 1]) + u[i] * u[i];
}

// Offsets of either sign, a range that starts elsewhere.
// CHECK-LABEL: void five_adjoint(
// CHECK: for (int i = 4; i < n - 3; ++i)
void five(double *v, const double *u, int n) {
  for (int i = 2; i < n - 1; ++i)
    v[i] = u[i - 2] - 3 * u[i + 1] + u[i + 2] * u[i] - u[i - 1];
}

// A flattened array, whose rows are as long as a parameter says.
// CHECK-LABEL: void plane_adjoint(
// CHECK: #pragma omp parallel for
// CHECK: for (int i = 0; i < h; ++i)
// CHECK-NEXT: if (i >= 2 && i < h - 2) {
// CHECK-NEXT: if (w >= 4) {
// CHECK: } else {
// CHECK: if (i >= 1 && i < h - 1) {
// CHECK-NEXT: if (w >= 4) {
void plane(const double *u, double *v, int h, int w) {
  for (int i = 1; i < h - 1; ++i)
    for (int j = 1; j < w - 1; ++j)
      v[i * w + j] = 0.25 * (u[(i - 1) * w + j] + u[(i + 1) * w + j] + u[i * w + j - 1] + u[i * w + j + 1]) * u[i * w + j];
}

// What an iteration adds hangs on a condition, and so does what else it does: it stays.
// CHECK-LABEL: void upwind_adjoint(
// CHECK: u_adj[i + 1] += a[i] * v_adj_i2;
void upwind(const double *u, const double *a, double *v, int n) {
  for (int i = 1; i < n - 1; ++i) {
    if (a[i] > 0)
      v[i] = a[i] * (u[i] - u[i - 1]);
    else
      v[i] = a[i] * (u[i + 1] - u[i]);
  }
}

// Neighbours that lie far apart: a loop for each.
// CHECK-LABEL: void wide_adjoint(
// CHECK: #pragma omp parallel for simd
void wide(const double *u, double *v, int n) {
  for (int i = 0; i < n - 16; ++i)
    v[i] = u[i] * u[i + 16] + u[i + 7];
}

// Rows of their own lengths.
// CHECK-LABEL: void below_adjoint(
// CHECK: #pragma omp parallel for
void below(const double (*u)[40], double (*v)[40], int n) {
  for (int i = 1; i < n; ++i)
    for (int j = 1; j < i; ++j)
      v[i][j] = u[i][j] * u[i - 1][j] + u[i][j - 1];
}

// CHECK-LABEL: void cube_adjoint(
// CHECK: #pragma omp parallel for
void cube(const double (*u)[12][12], double (*v)[12][12], int n) {
  for (int i = 1; i < n - 1; ++i)
    for (int j = 1; j < n - 1; ++j)
      for (int k = 1; k < n - 1; ++k)
        v[i][j][k] = u[i][j][k] + 0.1 * (u[i + 1][j][k] - 2 * u[i][j][k] + u[i - 1][j][k]) + 0.2 * (u[i][j + 1][k] - 2 * u[i][j][k] + u[i][j - 1][k]) + 0.3 * (u[i][j][k + 1] - 2 * u[i][j][k] + u[i][j][k - 1]);
}

#ifdef CHECK
#include "gather.h"
#include <cstddef>
#include <cstdio>
#include <vector>

using Vec = std::vector<double>;

/// Compares u's adjoint, for a seed of each element of v, with differences of
/// f, which is a polynomial of degree two at most: central ones are exact.
template <typename F, typename A> int wrong(const char *Name, int N, size_t Size, F Run, A Adjoint) {
  Vec U(Size), Seed(Size), V0(Size);
  for (size_t I = 0; I < Size; ++I) {
    U[I] = std::sin(1.0 + 3 * I);
    Seed[I] = std::cos(2.0 * I);
    V0[I] = 0.5 * I;
  }
  Vec V = V0, UAdj(Size, 0.25), VAdj = Seed;
  Adjoint(U, V, UAdj, VAdj);
  Vec Expected = V0;
  Run(U, Expected);
  if (V != Expected) {
    std::printf("%s(%d): the primal differs\n", Name, N);
    return 1;
  }
  for (size_t I = 0; I < Size; ++I) {
    const auto Loss = [&](double By) {
      Vec X = U, Y = V0;
      X[I] += By;
      Run(X, Y);
      double Sum = 0;
      for (size_t K = 0; K < Size; ++K)
        Sum += Seed[K] * Y[K];
      return Sum;
    };
    const double Slope = (Loss(1e-3) - Loss(-1e-3)) / 2e-3 + 0.25;
    if (std::fabs(UAdj[I] - Slope) > 1e-8 * (1 + std::fabs(Slope))) {
      std::printf("%s(%d): element %zu: %.12g, not %.12g\n", Name, N, I, UAdj[I], Slope);
      return 1;
    }
  }
  return 0;
}

int main() {
  int Bad = 0;
  for (int N : {-3, 0, 1, 2, 3, 4, 5, 6, 7, 8, 15, 40}) {
    const size_t Size = N < 0 ? 3 : N;
    Bad += wrong("smooth", N, Size, [&](Vec &U, Vec &V) { smooth(V.data(), U.data(), 1.5, N); },
                 [&](Vec &U, Vec &V, Vec &UA, Vec &VA) {
                   double AAdj = 0;
                   smooth_adjoint(V.data(), U.data(), 1.5, N, VA.data(), UA.data(), &AAdj);
                 });
    Bad += wrong("five", N, Size + 1, [&](Vec &U, Vec &V) { five(V.data(), U.data(), N); },
                 [&](Vec &U, Vec &V, Vec &UA, Vec &VA) { five_adjoint(V.data(), U.data(), N, VA.data(), UA.data()); });
    Bad += wrong("upwind", N, Size,
                 [&](Vec &U, Vec &V) {
                   Vec A(Size);
                   for (size_t I = 0; I < Size; ++I)
                     A[I] = I % 3 ? 1.25 : -0.5;
                   upwind(U.data(), A.data(), V.data(), N);
                 },
                 [&](Vec &U, Vec &V, Vec &UA, Vec &VA) {
                   Vec A(Size), AAdj(Size);
                   for (size_t I = 0; I < Size; ++I)
                     A[I] = I % 3 ? 1.25 : -0.5;
                   upwind_adjoint(U.data(), A.data(), V.data(), N, UA.data(), AAdj.data(), VA.data());
                 });
    Bad += wrong("wide", N, Size, [&](Vec &U, Vec &V) { wide(U.data(), V.data(), N); },
                 [&](Vec &U, Vec &V, Vec &UA, Vec &VA) { wide_adjoint(U.data(), V.data(), N, UA.data(), VA.data()); });
    for (int W : {1, 3, 4, 9}) {
      const int H = N < 0 ? N : N % 9;
      Bad += wrong("plane", N, H < 0 ? 3 : H * W, [&](Vec &U, Vec &V) { plane(U.data(), V.data(), H, W); },
                   [&](Vec &U, Vec &V, Vec &UA, Vec &VA) { plane_adjoint(U.data(), V.data(), H, W, UA.data(), VA.data()); });
    }
    if (N <= 8) {
      using Row = double[40];
      const auto Rows = [](Vec &X) { return reinterpret_cast<Row *>(X.data()); };
      Bad += wrong("below", N, Size * 40, [&](Vec &U, Vec &V) { below(Rows(U), Rows(V), N); },
                   [&](Vec &U, Vec &V, Vec &UA, Vec &VA) { below_adjoint(Rows(U), Rows(V), N, Rows(UA), Rows(VA)); });
    }
    if (N <= 5) {
      using Plane = double[12][12];
      const auto Planes = [](Vec &X) { return reinterpret_cast<Plane *>(X.data()); };
      Bad += wrong("cube", N, Size * 144, [&](Vec &U, Vec &V) { cube(Planes(U), Planes(V), N); },
                   [&](Vec &U, Vec &V, Vec &UA, Vec &VA) { cube_adjoint(Planes(U), Planes(V), N, Planes(UA), Planes(VA)); });
    }
  }
  return Bad != 0;
}
#endif
