// Adjoints that say nothing twice: a loop that runs in parallel from a size on
// is written once, with a clause, where what it does outweighs that; what is
// cleared or filled for nobody is not; equal tapes are one.
// RUN: rm -rf %t && mkdir -p %t
// RUN: %clang_raise grad --verify --require-verified --alias=assume --function=softmax --function=pairs --function=heat --function=lags --function=nonlin --function=plain %s -o %t/a.cpp -- -O2 -std=c++17 -fopenmp
// RUN: %clang_raise grad --verify --require-verified --split --function=lags --function=nonlin --function=loss %s -o %t/split.cpp -- -O2 -std=c++17 -fopenmp
// RUN: %clangxx -std=c++17 -O2 -fopenmp -Wall -Wextra -Werror -Wno-pass-failed -c %t/a.cpp -o %t/a.o
// RUN: %gxx -std=c++17 -O2 -fopenmp -Wall -Wextra -Werror -c %t/a.cpp -o %t/a.o
// RUN: %gxx -std=c++17 -O2 -fopenmp -Wall -Wextra -Werror -c %t/split.cpp -o %t/a.o
// RUN: tr -s ' \n\\' ' ' < %t/a.cpp > %t/text
// RUN: FileCheck %s < %t/text
#include <algorithm>
#include <cmath>
#include <vector>

// CHECK: void softmax_adjoint(
// CHECK-SAME: #pragma omp parallel for if (parallel : (double)rows * n > {{[0-9]+}}{{( && n > 0)?}}) for (int r = 0; r < rows; ++r) {
// CHECK-NOT: else {
// CHECK-SAME: void pairs_adjoint(
void softmax(float *out, const float *in, int rows, int n) {
  for (int r = 0; r < rows; ++r) {
    const float *x = in + r * n;
    float *y = out + r * n;
    float m = x[0];
    for (int i = 1; i < n; ++i)
      m = std::max(m, x[i]);
    float s = 0;
    for (int i = 0; i < n; ++i) {
      y[i] = std::exp(x[i] - m);
      s += y[i];
    }
    for (int i = 0; i < n; ++i)
      y[i] /= s;
  }
}

// One iteration is long: the clause costs nothing beside it.
// CHECK-SAME: for (int t = 0; t < steps; ++t) {
// CHECK-SAME: #pragma omp parallel for firstprivate({{[^)]*}}) if (parallel : n > {{[0-9]+}}) for (
// CHECK-SAME: void heat_adjoint(
void pairs(double *x, const double *m, int n, int steps) {
  std::vector<double> f(n);
  for (int t = 0; t < steps; ++t) {
    for (int i = 0; i < n; ++i) {
      double sum = 0;
      for (int j = 0; j < n; ++j) {
        double d = x[i] - x[j];
        sum += m[j] * d / std::sqrt(d * d + 0.1) * std::exp(-d * d);
      }
      f[i] = sum;
    }
    for (int i = 0; i < n; ++i)
      x[i] += 0.01 * f[i];
  }
}

// A short one is not: small sizes would pay for the clause in each step. Each
// step fills what it adds to, and nothing is cleared for the next.
// CHECK-SAME: if (n > 200000) { #pragma omp parallel for simd
// CHECK-SAME: next_adj[i] = u_adj[i]; u_adj[i] = 0;
// CHECK-NOT: next_adj[i] = 0
// CHECK-SAME: void lags_adjoint(
void heat(double *u, int n, int steps, double k) {
  std::vector<double> next(n);
  for (int t = 0; t < steps; ++t) {
    for (int i = 1; i < n - 1; ++i)
      next[i] = u[i] + k * (u[i - 1] - 2 * u[i] + u[i + 1]);
    for (int i = 1; i < n - 1; ++i)
      u[i] = next[i];
  }
}

// CHECK-SAME: std::vector<double> y_tape((n > 0 ? n : 0) + 2LL); y_tape[0] = q; y_tape[1] = p; for
// CHECK-NOT: _tape2
// CHECK-SAME: void nonlin_adjoint(
double lags(const double *x, int n) {
  double p = 1, q = 2, s = 0;
  for (int i = 0; i < n; ++i) {
    double y = p * q * x[i];
    s += y * y;
    q = p;
    p = y;
  }
  return s;
}

// CHECK-SAME: if (n > 2) { u_tape[(long long)t * n] = u[0]; u_tape[(long long)t * n + 1] = u[1]; }
// CHECK-SAME: u_tape[(long long)t * n + (i + 1LL)] = u[i + 1];
// CHECK-NOT: u_tape2
// CHECK-SAME: void plain_adjoint(
double nonlin(const double *u0, int n, int steps, double k) {
  std::vector<double> u(u0, u0 + n), v(n);
  for (int t = 0; t < steps; ++t) {
    for (int i = 1; i < n - 1; ++i)
      v[i] = u[i] + k * u[i - 1] * u[i + 1] * u[i];
    for (int i = 1; i < n - 1; ++i)
      u[i] = v[i];
  }
  double e = 0;
  for (int i = 0; i < n; ++i)
    e += u[i] * u[i];
  return e;
}

// Names and sizes as one writes them.
// CHECK-SAME: std::vector<double> [[A:p_tape2?]](n); for (size_t i = 0; i < n; ++i) { [[A]][i] = p;
// CHECK-SAME: std::vector<double> [[B:p_tape2?]](m > 1 ? m - 1 : 0); for (int j = 1; j < m; ++j) { [[B]][j - 1] = p;
// CHECK-SAME: for (int j = m - 1; j >= 1; --j) { const double p_old = [[B]][j - 1];
double plain(const double *x, size_t n, int m) {
  double p = 1;
  for (size_t i = 0; i < n; ++i)
    p = p * p * x[i] + 0.5;
  for (int j = 1; j != m; ++j)
    p = p * p * x[j] + 0.5;
  return p;
}

double loss(const double *w, const double *x, int n) {
  std::vector<double> a(n);
  for (int i = 0; i < n; ++i)
    a[i] = std::tanh(w[i] * x[i]);
  double s = 0;
  for (int i = 1; i < n - 1; ++i)
    s += a[i - 1] + a[i] * a[i + 1];
  return s;
}
