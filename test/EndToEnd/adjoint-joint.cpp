// Iterations that meet in sums alone are reversed one by one, right behind
// their forward sweep, where that keeps less or calls fewer slow functions; two
// sweeps stay where the order matters.
// RUN: rm -rf %t && mkdir -p %t
// RUN: %clang_raise grad --verify --require-verified --function=rows --function=gelu --function=mixture --function=counted --function=scaled --function=chain --function=loss --function=shifted --function=left --function=running --function=ring --function=maps %s -o %t/a.cpp -- -O2 -std=c++17 -fopenmp
// RUN: %clangxx -std=c++17 -O2 -fopenmp -Wall -Wextra -Werror -Wno-pass-failed -c %t/a.cpp -o %t/a.o
// RUN: %gxx -std=c++17 -O2 -fopenmp -Wall -Wextra -Werror -c %t/a.cpp -o %t/a.o
// RUN: tr -s ' \n\\' ' ' < %t/a.cpp > %t/text
// RUN: FileCheck %s < %t/text
// RUN: %clang_raise grad --verify --require-verified --fp=strict --function=rows --function=mixture %s -o %t/strict.cpp -- -O2 -std=c++17 -fopenmp
// RUN: tr -s ' \n\\' ' ' < %t/strict.cpp | FileCheck %s --check-prefix=STRICT
#include <cmath>
#include <vector>

// Each exponential once, kept for one row; rows in parallel as before.
// CHECK: void rows_adjoint(
// CHECK-SAME: #pragma omp parallel for
// CHECK-SAME: for (int r = 0; r < rows; ++r) {
// CHECK-SAME: out_tape(n > 0 ? n : 0);
// CHECK-NOT: for (int r =
// CHECK-SAME: const float out_old = out_tape[i];
// CHECK-NOT: exp
// CHECK-SAME: void gelu_adjoint(
// With --fp=strict sums keep their order.
// STRICT: void rows_adjoint(
// STRICT-SAME: for (int r = 0; r < rows; ++r) {
// STRICT-SAME: for (int r = rows - 1; r >= 0; --r) {
void rows(float *__restrict out, const float *__restrict in, int rows, int n) {
  for (int r = 0; r < rows; ++r) {
    const float *x = in + r * n;
    float *y = out + r * n;
    float s = 0;
    for (int i = 0; i < n; ++i) {
      y[i] = std::exp(x[i]);
      s += y[i];
    }
    for (int i = 0; i < n; ++i)
      y[i] /= s;
  }
}

// CHECK-SAME: const float tanh_here = tanhf(
// CHECK-NOT: tanh(
// CHECK-NOT: cosh
// CHECK-SAME: void mixture_adjoint(
void gelu(float *__restrict y, const float *__restrict x, int n) {
  for (int i = 0; i < n; ++i)
    y[i] =
        0.5f * x[i] *
        (1.0f + std::tanh(0.8f * (x[i] + 0.044715f * x[i] * x[i] * x[i])));
}

// What the reverse of what follows leaves for the loop stands before it; arrays
// that each iteration fills are shared, and what is kept is declared once.
// CHECK-SAME: centred_tape_size = (long long)(k > 0 ? k : 0) * (d > 0 ? d : 0);
// CHECK-SAME: double *centred_tape = arrays.data();
// CHECK-SAME: double *exp_tape = centred_tape + centred_tape_size;
// CHECK-SAME: for (int p = 0; p < n; ++p) {
// CHECK-NOT: for (int p =
// CHECK-SAME: void counted_adjoint(
// STRICT: void mixture_adjoint(
// STRICT-SAME: for (int p = n - 1; p >= 0; --p) {
double mixture(const double *means, const double *x, int n, int k, int d) {
  std::vector<double> centred(d), terms(k);
  double total = 0;
  for (int p = 0; p < n; ++p) {
    for (int c = 0; c < k; ++c) {
      for (int j = 0; j < d; ++j)
        centred[j] = x[p * d + j] - means[c * d + j];
      double square = 0;
      for (int j = 0; j < d; ++j)
        square += centred[j] * centred[j] * centred[j];
      terms[c] = -0.5 * square;
    }
    double sum = 0;
    for (int c = 0; c < k; ++c)
      sum = sum + std::exp(terms[c]);
    total += std::log(1 + sum);
  }
  return total + means[0];
}

// By two, with an array of each iteration's own; what follows uses the result,
// and replaces what the loop wrote.
// CHECK-SAME: s_adj = 3 * y_adj[0];
// CHECK-SAME: for (int i = 1; i < n; i += 2) {
// CHECK-SAME: exp_here
// CHECK-NOT: for (int i
// CHECK-SAME: void scaled_adjoint(
void counted(double *__restrict y, const double *__restrict x, double a,
             int n) {
  double s = 0;
  for (int i = 1; i < n; i += 2) {
    double t[3];
    for (int j = 0; j < 3; ++j)
      t[j] = std::exp(a * x[i] + j) + std::exp(x[i]);
    s += t[0] * t[1] * t[2];
    y[i] = t[1];
  }
  y[0] = y[0] + 3 * s;
}

// To the adjoint of a scalar each iteration adds.
// CHECK-SAME: const double exp_here = exp(a * x[i]);
// CHECK-SAME: a_adj_ +=
// CHECK-SAME: void chain_adjoint(
void scaled(double *__restrict y, const double *__restrict x, double a, int n) {
  for (int i = 0; i < n; ++i)
    y[i] = std::exp(a * x[i]) * std::exp(a * x[i]);
}

// An iteration reads what the one before left.
// CHECK-SAME: for (int i = 1; i < n; ++i)
// CHECK-SAME: for (int i = n - 1; i >= 1; --i)
// CHECK-SAME: void loss_adjoint(
void chain(double *__restrict y, const double *__restrict x, int n) {
  for (int i = 1; i < n; ++i)
    y[i] = std::exp(y[i - 1] * x[i]) * std::exp(y[i - 1] * x[i]);
}

// The seed is made of what the loop computes.
// CHECK-SAME: for (int i = 0; i < n; ++i)
// CHECK-SAME: s_adj = loss_adj / (1 + s);
// CHECK-SAME: for (int i
// CHECK-SAME: void shifted_adjoint(
double loss(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += std::exp(x[i]) * std::exp(2 * x[i]);
  return std::log(1 + s);
}

// An iteration replaces what the one before read.
// CHECK-SAME: for (long long k = n - 1LL - 1; k >= 0; --k)
// CHECK-SAME: void left_adjoint(
void shifted(double *__restrict y, double *__restrict x, int n) {
  for (int i = 0; i + 1 < n; ++i) {
    y[i] = std::exp(x[i] * x[i + 1]) * std::exp(x[i]);
    x[i] = x[i] * 2;
  }
}

// An array that a later iteration still reads.
// CHECK-SAME: for (int p = n - 1; p >= 0; --p)
// CHECK-SAME: void running_adjoint(
double left(const double *x, int n, int d) {
  std::vector<double> last(d);
  double s = 0;
  for (int p = 0; p < n; ++p) {
    for (int j = 0; j < d; ++j)
      s += std::exp(x[p * d + j] * last[j]);
    for (int j = 1; j < d; ++j)
      last[j] = std::exp(0.1 * x[p * d + j]);
  }
  return s;
}

// A sum that is read as it grows.
// CHECK-SAME: for (int i = n - 1; i >= 0; --i)
// CHECK-SAME: void ring_adjoint(
void running(double *__restrict y, const double *__restrict x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i) {
    s += std::exp(x[i]);
    y[i] = std::exp(0.1 * s) * s;
  }
}

// What a later loop overwrites, and reads.
// CHECK-SAME: void maps_adjoint(
void ring(double *__restrict y, double *__restrict x, int n) {
  for (int i = 0; i < n; ++i)
    y[i] = std::exp(x[i]) * std::sin(x[i]);
  for (int i = 0; i < n; ++i)
    x[i] = x[i] * y[n - 1 - i];
}

// Two loops, of which the last one is taken.
// CHECK-SAME: const double sin_here = sin(y[i]);
// CHECK-SAME: y_adj[i] +=
void maps(double *__restrict z, double *__restrict y,
          const double *__restrict x, int n) {
  for (int i = 0; i < n; ++i)
    y[i] = std::exp(x[i]) * std::sin(x[i]);
  for (int i = 0; i < n; ++i)
    z[i] = std::exp(y[i]) * std::sin(y[i]);
}
