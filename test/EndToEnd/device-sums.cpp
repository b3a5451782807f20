// Sums of everything, on a device: what is computed from one comes after its
// parts were added, in adjoints, tangents and what the primal computes.
// RUN: rm -rf %t && mkdir -p %t
// RUN: %clang_raise grad --target=cuda --function=squared --function=length --function=ratio --function=moved --function=scaled --function=few %s -o %t/device.cu -- -std=c++17
// RUN: FileCheck %s < %t/device.cu
// RUN: %if nvcc %{ nvcc -arch=sm_80 -Werror all-warnings -c %t/device.cu -o %t/device.o %}
// RUN: %clang_raise rewrite %t/device.cu -o %t/device.cpp --
// RUN: %clangxx -std=c++17 -O1 -fopenmp -ffp-contract=off -DCHECK -I%runtime -I%t %s %t/device.cpp -o %t/run
// RUN: env OMP_NUM_THREADS=1 %t/run && env OMP_NUM_THREADS=3 %t/run
// RUN: not %clang_raise grad --mode=forward --target=cuda --function=squared %s -- 2>&1 | FileCheck %s --check-prefix=RETURNS
// RUN: %clang_raise grad --target=cuda --function=handed %s -- -std=c++17 2>/dev/null | FileCheck %s --check-prefix=HANDED
#include <cmath>

// CHECK-LABEL: static __global__ void squared_adjoint_x_adj(
// CHECK: double s = 0;
// CHECK-NEXT: s += raise_block_sum(
// CHECK-NEXT: double s_adj = 2 * s * squared_adj;
double squared(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += x[i] * x[i];
  // RETURNS: device-sums.cpp:[[@LINE+1]]:3: error: not written for a device: the function returns what the device computes [CR1813]
  return s * s;
}
double length(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += x[i] * x[i];
  return std::sqrt(s);
}
double ratio(const double *x, const double *z, int n) {
  double s = 0, p = 0;
  for (int i = 0; i < n; ++i) {
    s += x[i] * x[i];
    p += x[i] * z[i];
  }
  return p / std::sqrt(s);
}
double moved(const double *x, double a, int n) {
  double s = a * a;
  for (int i = 0; i < n; ++i)
    s += x[i] * a;
  return s * s;
}
void scaled(double *y, const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += x[i] * y[i];
  double r = s * s;
  for (int i = 0; i < n; ++i)
    y[i] += r * x[i];
}

// What is declared among values from memory stays with them to its last use.
double few(double *y, double a, double b) {
  const double first = y[0];
  double t = a * b;
  y[1] = first * first * t;
  t += 2 * a;
  return t * y[1];
}

// What one thread writes and others read behind a barrier is not said to be
// each thread's alone.
// HANDED-LABEL: static __global__ void handed_adjoint_y(double *y,
// HANDED: __syncthreads();
// HANDED: const double b = y[0] * a;
void handed(double *y, const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += x[i] * y[i];
  const double a = y[0];
  y[0] = s;
  const double b = y[0] * a;
  for (int i = 1; i < n; ++i)
    y[i] = x[i] * b;
}

#ifdef CHECK
#include "device.h"
#include <cstdio>
#include <functional>
#include <vector>

using Vector = std::vector<double>;
static int Failures;

static void compare(const char *What, double Got, double Right) {
  if (std::fabs(Got - Right) <= 1e-6 * (1 + std::fabs(Right)))
    return;
  std::printf("%s: %.9g, not %.9g\n", What, Got, Right);
  ++Failures;
}

/// Of F at X, along each of its elements.
static Vector slopes(const std::function<double(const Vector &)> &F,
                     const Vector &X) {
  Vector Out;
  for (size_t I = 0; I < X.size(); ++I) {
    Vector Up = X, Down = X;
    Up[I] += 1e-5;
    Down[I] -= 1e-5;
    Out.push_back((F(Up) - F(Down)) / 2e-5);
  }
  return Out;
}

int main() {
  for (int N : {1, 2, 37}) {
    Vector X, Z;
    for (int I = 0; I < N; ++I) {
      X.push_back(0.5 + 0.1 * std::sin(I + 1));
      Z.push_back(0.3 + 0.1 * std::cos(2 * I));
    }
    const auto Compare = [&](const char *What, const Vector &Got,
                             const Vector &Right) {
      for (size_t I = 0; I < Right.size(); ++I)
        compare(What, Got[I], Right[I]);
    };
    Vector XA(N), ZA(N);
    squared_adjoint(X.data(), N, XA.data(), 1);
    Compare("squared", XA,
            slopes([&](const Vector &V) { return squared(V.data(), N); }, X));
    XA.assign(N, 0);
    length_adjoint(X.data(), N, XA.data(), 1);
    Compare("length", XA,
            slopes([&](const Vector &V) { return length(V.data(), N); }, X));
    XA.assign(N, 0);
    ratio_adjoint(X.data(), Z.data(), N, XA.data(), ZA.data(), 1);
    Compare("ratio", XA, slopes(
                             [&](const Vector &V) {
                               return ratio(V.data(), Z.data(), N);
                             },
                             X));
    XA.assign(N, 0);
    double A = 0;
    moved_adjoint(X.data(), 1.5, N, XA.data(), &A, 1);
    Compare("moved", XA, slopes(
                             [&](const Vector &V) {
                               return moved(V.data(), 1.5, N);
                             },
                             X));
    Compare("moved, a", {A},
            slopes([&](const Vector &V) { return moved(X.data(), V[0], N); },
                   {1.5}));
    Vector F = {1.25, 0.5}, FA = {0, 0};
    double &B = *new double(0);
    A = 0;
    few_adjoint(F.data(), 1.5, 0.75, FA.data(), &A, &B, 1);
    const auto Few = [](const Vector &V) {
      Vector At = {V[0], 0.5};
      return few(At.data(), V[1], V[2]);
    };
    Compare("few", {FA[0], A, B}, slopes(Few, {1.25, 1.5, 0.75}));
    delete &B;
    Vector Y = Z, Right = Z, YA(N, 1);
    XA.assign(N, 0);
    scaled(Right.data(), X.data(), N);
    scaled_adjoint(Y.data(), X.data(), N, YA.data(), XA.data());
    Compare("scaled, y", Y, Right);
    const auto Sum = [&](Vector From, const Vector &By) {
      scaled(From.data(), By.data(), N);
      double S = 0;
      for (double V : From)
        S += V;
      return S;
    };
    Compare("scaled, y_adj", YA,
            slopes([&](const Vector &V) { return Sum(V, X); }, Z));
    Compare("scaled, x_adj", XA,
            slopes([&](const Vector &V) { return Sum(Z, V); }, X));
  }
  return Failures != 0;
}
#endif
