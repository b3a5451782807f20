// Adjoints of loops under OpenMP: parallel where that is proved, the same at
// any number of threads, and re-entrant.
// RUN: rm -rf %t && mkdir -p %t/made
// RUN: %clang_raise grad --function=neighbours --function=matvec --function=largest --function=layer --function=power %s -o %t/made/threads.cpp -- -std=c++17 -fopenmp
// RUN: FileCheck %s < %t/made/threads.cpp
// RUN: %clangxx -std=c++17 -O2 -fopenmp -ffp-contract=off -Wall -Wextra -Werror -c %t/made/threads.cpp -o %t/clang.o
// RUN: %clangxx -std=c++17 -O2 -fopenmp -ffp-contract=off -DCHECK -I%t/made %s %t/clang.o -o %t/clang && %t/clang
// RUN: %gxx -std=c++17 -O2 -fopenmp -ffp-contract=off -Wall -Wextra -Werror -c %t/made/threads.cpp -o %t/gcc.o
// RUN: %gxx -std=c++17 -O2 -fopenmp -ffp-contract=off -DCHECK -I%t/made %s %t/gcc.o -o %t/gcc && %t/gcc
// g++ instruments and clang links, as in conformance/matrix.py.
// RUN: %gxx -std=c++17 -g -O1 -fopenmp -fsanitize=thread -DCHECK -I%t/made -c %s -o %t/race1.o
// RUN: %gxx -std=c++17 -g -O1 -fopenmp -fsanitize=thread -c %t/made/threads.cpp -o %t/race2.o
// RUN: %clangxx -fopenmp -fsanitize=thread %t/race1.o %t/race2.o -o %t/race
// RUN: env OMP_TOOL_LIBRARIES=%archer TSAN_OPTIONS=ignore_noninstrumented_modules=1 %t/race
#include <cmath>

/// Two iterations of the adjoint add to one element: it stays in order.
double neighbours(const double *x, int n) {
  double s = 0;
#pragma omp parallel for reduction(+ : s)
  for (int i = 1; i < n; i++)
    s += x[i] * x[i - 1];
  return s;
}

/// Rows in parallel add to x's adjoint.
void matvec(double *y, const double *A, const double *x, int n, int m) {
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      y[i] += A[i * m + j] * x[j];
}

double largest(const double *x, int n) {
  double m = x[0];
#pragma omp parallel for reduction(max : m)
  for (int i = 0; i < n; i++)
    if (x[i] > m)
      m = x[i];
  return m;
}

/// Rows that share nothing.
// CHECK: void layer_adjoint(
// CHECK: layer_adjoint_general(
// CHECK: #pragma omp parallel for if (parallel :
// CHECK: for (int r = 0; r < rows; ++r)
// CHECK: #pragma omp parallel for if (parallel :
// CHECK: for (int r = 0; r < rows; ++r)
void layer(double *out, const double *in, int rows, int n) {
#pragma omp parallel for
  for (int r = 0; r < rows; r++) {
    double sum = 0;
    for (int i = 0; i < n; i++)
      sum += in[r * n + i] * in[r * n + i];
    double inv = 1 / std::sqrt(sum + 1);
    for (int i = 0; i < n; i++)
      out[r * n + i] = in[r * n + i] * inv;
  }
}

/// One thread would handle many iterations of its own chain.
void power(double *x, int n, int steps) {
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    for (int k = 0; k < steps; k++)
      x[i] = x[i] * 0.999 + std::sin(x[i]) * 0.001;
}

#ifdef CHECK
#include "threads.h"
#include <cstdio>
#include <omp.h>
#include <vector>

using Vector = std::vector<double>;
static int Failures;
static void require(bool Holds, const char *What) {
  if (!Holds) {
    std::printf("%s\n", What);
    ++Failures;
  }
}
static Vector numbers(int N, double From) {
  Vector V;
  for (int I = 0; I < N; ++I)
    V.push_back(std::sin(From + 1.7 * I));
  return V;
}
static double dot(const Vector &A, const Vector &B) {
  double S = 0;
  for (size_t I = 0; I < A.size(); ++I)
    S += A[I] * B[I];
  return S;
}
static bool near(double A, double B) {
  return std::fabs(A - B) <= 1e-5 * (1 + std::fabs(B));
}

int main() {
  for (int Threads : {1, 2, 4, 8})
    for (int Run = 0; Run < 50; ++Run) {
      omp_set_num_threads(Threads);
      Vector X, XA(64, 0.0);
      for (int I = 0; I < 64; ++I)
        X.push_back(0.5 * I);
      neighbours_adjoint(X.data(), 64, XA.data(), 1.0);
      double Sum = 0;
      for (double A : XA)
        Sum += A;
      require(Sum == 1984.5, "neighbours");
    }
  const int Rows = 300, N = 200;
  const Vector In = numbers(Rows * N, 1), D = numbers(Rows * N, 2),
               Seed = numbers(Rows * N, 3);
  Vector First;
  for (int Threads : {1, 2, 4, 8}) {
    omp_set_num_threads(Threads);
    Vector Out(Rows * N), OutAdj = Seed, InAdj(Rows * N, 0.0);
    layer_adjoint(Out.data(), In.data(), Rows, N, OutAdj.data(), InAdj.data());
    Vector Up = In, Down = In, A(Rows * N), B(Rows * N);
    for (int I = 0; I < Rows * N; ++I) {
      Up[I] += 1e-6 * D[I];
      Down[I] -= 1e-6 * D[I];
    }
    layer(A.data(), Up.data(), Rows, N);
    layer(B.data(), Down.data(), Rows, N);
    double Slope = 0;
    for (int I = 0; I < Rows * N; ++I)
      Slope += Seed[I] * (A[I] - B[I]) / 2e-6;
    require(near(dot(InAdj, D), Slope), "layer");
    require(dot(OutAdj, OutAdj) == 0, "layer, replaced");
    if (First.empty())
      First = InAdj;
    require(near(dot(First, D), dot(InAdj, D)), "layer, threads");
  }
  {
    const Vector X = numbers(7, 4), A = numbers(35, 5), S = numbers(5, 6);
    Vector Y(5, 1.0), YA = S, XA(7, 0.0), AA(35, 0.0);
    matvec_adjoint(Y.data(), A.data(), X.data(), 5, 7, YA.data(), AA.data(),
                   XA.data());
    for (int J = 0; J < 7; ++J) {
      double Right = 0;
      for (int I = 0; I < 5; ++I)
        Right += A[I * 7 + J] * S[I];
      require(near(XA[J], Right), "matvec");
    }
    require(YA == S, "matvec, updated");
  }
  {
    const Vector X = numbers(9, 7);
    Vector XA(9, 0.0);
    largest_adjoint(X.data(), 9, XA.data(), 2.0);
    double Sum = 0;
    int At = 0;
    for (int I = 0; I < 9; ++I) {
      Sum += XA[I];
      At = X[I] > X[At] ? I : At;
    }
    require(Sum == 2 && XA[At] == 2, "largest");
  }
  { // re-entrant: from threads of the caller's
    Vector Sums(8);
#pragma omp parallel for num_threads(4)
    for (int K = 0; K < 8; ++K) {
      Vector X = numbers(10, 8), XA(10, 1.0);
      power_adjoint(X.data(), 10, 10000, XA.data());
      Sums[K] = XA[0];
    }
    for (double S : Sums)
      require(S == Sums[0] && S != 1, "power");
  }
  return Failures;
}
#endif
