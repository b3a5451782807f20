// Tangents in four directions are made, compiled beside the original, run, and
// compared with those in one direction, which are compared with differences in
// tangent.cpp.
// DEFINE: %{functions} = --function=saxpy --function=act --function=softmax --function=grid --function=fixed --function=newton --function=heap
// RUN: rm -rf %t && mkdir -p %t/one %t/four
// RUN: %clang_raise grad --mode=forward %{functions} %s -o %t/one/one.cpp -- -std=c++17
// RUN: %clang_raise grad --mode=forward --directions=4 %{functions} %s -o %t/four/four.cpp -- -std=c++17 -fopenmp
// RUN: %clang_raise grad --mode=forward --directions=3 --function=softmax --function=grid --verify --json=%t/r.json %s -o %t/three.cpp -- -std=c++17
// RUN: FileCheck %s --check-prefix=VERIFIED --input-file=%t/r.json
// RUN: FileCheck %s --input-file=%t/four/four.cpp
// RUN: sed -i 's/_tangent(/_in_four(/' %t/four/four.cpp %t/four/four.h
// RUN: %clangxx -std=c++17 -O2 -fopenmp -ffp-contract=off -Wall -Wextra -Werror -c %t/four/four.cpp -o %t/clang.o
// RUN: %clangxx -std=c++17 -O2 -fopenmp -ffp-contract=off -DCHECK -I%t %s %t/one/one.cpp %t/clang.o -o %t/clang && %t/clang
// RUN: %gxx -std=c++17 -O2 -fopenmp -ffp-contract=off -Wall -Wextra -Werror -c %t/four/four.cpp -o %t/gcc.o
// RUN: %gxx -std=c++17 -O2 -fopenmp -ffp-contract=off -DCHECK -I%t %s %t/one/one.cpp %t/gcc.o -o %t/gcc && %t/gcc
#include <array>
#include <cmath>
#include <vector>

// VERIFIED: "verification": "passed"
// VERIFIED-NEXT: "verification_detail": "{{[1-9][0-9]*}} slopes agree with differences ({{[0-9]+}} at kinks left out), {{[1-9][0-9]*}} values of 3 directions are those of one at a time, {{[1-9][0-9]*}} inputs compiled and run"
// VERIFIED: "verification": "passed"

// Parallel loops stay parallel.
// CHECK: // In 4 directions d: of a, a_tan[d]; of x[i], x_tan[i * 4 + d].
// CHECK: void saxpy_tangent(double a, const double *x, double *y, int n,
// CHECK: const double a_tan[4], double *x_tan, double *y_tan) {
// CHECK: #pragma omp parallel for
void saxpy(double a, const double *x, double *y, int n) {
  for (int i = 0; i < n; ++i)
    y[i] = a * x[i] + y[i];
}

// CHECK: void act_tangent(
// CHECK: const double cos_value = cos(u);
// CHECK-NEXT: #pragma omp simd
// CHECK-NEXT: for (int d = 0; d < 4; ++d) {
// CHECK-NEXT: const double u_tan = x_tan[i * 4 + d] * a + x[i] * a_tan[d];
// CHECK-NEXT: const double v_tan = cos_value * u_tan;
void act(const std::vector<double> &x, std::vector<double> &y, double a) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double u = x[i] * a;
    const double v = std::sin(u);
    y[i] += u * v;
  }
}

void softmax(double *out, const double *in, int rows, int n) {
  for (int r = 0; r < rows; r++) {
    const double *x = in + r * n;
    double *y = out + r * n;
    double m = x[0];
    for (int i = 1; i < n; i++)
      if (x[i] > m)
        m = x[i];
    double s = 0;
    for (int i = 0; i < n; i++) {
      y[i] = std::exp(x[i] - m);
      s += y[i];
    }
    for (int i = 0; i < n; i++)
      y[i] /= s;
  }
}

// CHECK: double A_tan[][3][4]
double grid(double A[][3], double b) {
  double d = 0;
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 3; ++j) {
      A[i][j] *= b;
      d += A[i][j] * A[0][j];
    }
  b *= d;
  return b;
}

// CHECK: std::array<double, 12> &x_tan,
void fixed(const std::array<double, 3> &x, std::array<double, 3> &y) {
  for (int i = 0; i < 3; ++i)
    y[i] = x[i] * x[(i + 1) % 3];
}

double newton(double a, double &x) {
  for (int it = 0; it < 20; ++it) {
    double f = x * x - a;
    if (std::fabs(f) < 1e-14)
      break;
    x -= f / (2 * x);
  }
  return x;
}

double heap(const double *x, int n) {
  std::vector<double> t(n);
  for (int i = 0; i < n; ++i)
    t[i] = x[i] * x[i];
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += t[i] * t[n - 1 - i];
  return s;
}

#ifdef CHECK
#include "four/four.h"
#include "one/one.h"
#include <cstdio>

using Vec = std::vector<double>;
static const int N = 12, K = 4;
static int Failed;

static double tangent(int I, int D) { return std::sin(1.0 + 3 * I + 0.7 * D); }
static Vec inOne(int Size, int D, int From = 0) {
  Vec T;
  for (int I = 0; I < Size; ++I)
    T.push_back(tangent(From + I, D));
  return T;
}
static Vec inAll(int Size, int From = 0) {
  Vec T;
  for (int I = 0; I < Size; ++I)
    for (int D = 0; D < K; ++D)
      T.push_back(tangent(From + I, D));
  return T;
}
/// Direction D of All is One.
static void same(const char *Name, const double *One, const double *All,
                 int Size, int D) {
  for (int I = 0; I < Size; ++I)
    if (!(std::fabs(One[I] - All[I * K + D]) <= 1e-13 * (1 + std::fabs(One[I])))) {
      std::printf("%s[%d], direction %d: %.12g, alone %.12g\n", Name, I, D, All[I * K + D], One[I]);
      ++Failed;
    }
}

int main() {
  Vec X;
  for (int I = 0; I < N; ++I)
    X.push_back(0.3 + 0.2 * I + 0.1 * std::cos(5.0 * I));
  const Vec A = inAll(1, 40);
  Vec Y = X, XT = inAll(N), YT = inAll(N, 20);
  saxpy_in_four(1.5, X.data(), Y.data(), N, A.data(), XT.data(), YT.data());
  Vec V = X, VT = inAll(N, 20);
  act_in_four(X, V, 1.5, XT, VT, A.data());
  Vec O(N), OT(N * K);
  softmax_in_four(O.data(), X.data(), 3, 4, OT.data(), XT.data());
  double G[2][3] = {{1, 2, 3}, {4, 5, 6}}, GT[2][3][K], GR[K];
  for (int I = 0; I < 6; ++I)
    for (int D = 0; D < K; ++D)
      GT[I / 3][I % 3][D] = tangent(I, D);
  grid_in_four(G, 1.5, GT, A.data(), GR);
  std::array<double, 3> F{1, 2, 3}, FY;
  std::array<double, 12> FT, FYT{};
  for (int I = 0; I < 12; ++I)
    FT[I] = tangent(I / K, I % K);
  fixed_in_four(F, FY, FT, FYT);
  double S = 1.2, NR[K], HR[K];
  Vec ST = inAll(1);
  newton_in_four(2.0, S, A.data(), ST.data(), NR);
  heap_in_four(X.data(), N, XT.data(), HR);
  // Where they overlap.
  Vec Z = X, ZT = inAll(N);
  saxpy_in_four(1.5, Z.data(), Z.data() + 2, N - 2, A.data(), ZT.data(), ZT.data() + 2 * K);
  for (int D = 0; D < K; ++D) {
    const double AD = tangent(40, D);
    Vec Y1 = X, X1 = inOne(N, D), Y1T = inOne(N, D, 20);
    saxpy_tangent(1.5, X.data(), Y1.data(), N, AD, X1.data(), Y1T.data());
    same("saxpy", Y1T.data(), YT.data(), N, D);
    Vec V1 = X, V1T = inOne(N, D, 20);
    act_tangent(X, V1, 1.5, X1, V1T, AD);
    same("act", V1T.data(), VT.data(), N, D);
    Vec O1(N), O1T(N);
    softmax_tangent(O1.data(), X.data(), 3, 4, O1T.data(), X1.data());
    same("softmax", O1T.data(), OT.data(), N, D);
    double G1[2][3] = {{1, 2, 3}, {4, 5, 6}}, G1T[2][3], R;
    for (int I = 0; I < 6; ++I)
      G1T[I / 3][I % 3] = tangent(I, D);
    grid_tangent(G1, 1.5, G1T, AD, &R);
    same("grid", G1T[0], GT[0][0], 6, D);
    same("grid's result", &R, GR, 1, D);
    std::array<double, 3> F1T, F1YT{};
    for (int I = 0; I < 3; ++I)
      F1T[I] = tangent(I, D);
    fixed_tangent(F, FY, F1T, F1YT);
    same("fixed", F1YT.data(), FYT.data(), 3, D);
    double S1 = 1.2, S1T = tangent(0, D);
    newton_tangent(2.0, S1, AD, &S1T, &R);
    same("newton", &R, NR, 1, D);
    same("newton's x", &S1T, ST.data(), 1, D);
    heap_tangent(X.data(), N, X1.data(), &R);
    same("heap", &R, HR, 1, D);
    Vec Z1 = X, Z1T = inOne(N, D);
    saxpy_tangent(1.5, Z1.data(), Z1.data() + 2, N - 2, AD, Z1T.data(), Z1T.data() + 2);
    same("saxpy, overlapping", Z1T.data(), ZT.data(), N, D);
  }
  return Failed != 0;
}
#endif
