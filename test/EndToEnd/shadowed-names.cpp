// Bodies of functions stand in place of calls, with the names of their own variables and arrays: one name, one thing, also in
// loops that are written twice (in parallel, and as they were), and in what is named after a name.
// RUN: %clang_raise grad --mode=forward --verify --function=depths --function=twice --function=nested --function=grows --function=product %s -o %t.one.cpp -- -O2 -std=c++17 -fopenmp 2>&1 | FileCheck %s
// RUN: %clang_raise grad --mode=forward --verify --directions=2 --function=depths --function=twice --function=nested --function=grows --function=product %s -o %t.two.cpp -- -O2 -std=c++17 -fopenmp 2>&1 | FileCheck %s
// RUN: %clang_raise grad --verify --function=depths --function=twice --function=nested --function=grows --function=product %s -o %t.adj.cpp -- -O2 -std=c++17 -fopenmp 2>&1 | FileCheck --check-prefix=ADJOINT %s
// RUN: %clangxx -O2 -std=c++17 -fopenmp -Wall -Wextra -Wshadow -Werror -fsyntax-only %t.one.cpp %t.two.cpp %t.adj.cpp
// RUN: FileCheck --check-prefix=NAMES %s < %t.one.cpp
#include <vector>

static void add(double *p, double v) { *p += v * v; }
static void each(double *p, int n, double v) {
  for (int i = 0; i < n; ++i)
    add(p + i, v + p[i]);
}
// CHECK-COUNT-5: verification passed
// ADJOINT-COUNT-5: verification passed
// NAMES-LABEL: depths_tangent(
// NAMES: else {
// NAMES-NEXT: for (int i_2
// NAMES-NEXT: double *p_2 = p + i_2;
// NAMES-NEXT: double *p_2_tan = p_tan + i_2;
double depths(const double *x, double *y, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i) {
    each(y + i, n - i > 2 ? 2 : n - i, x[i]);
    s += y[i];
  }
  return s;
}

static double chain(const double *x, int n) {
  std::vector<double> t(n);
  for (int i = 0; i < n; ++i)
    t[i] = x[i] * (i ? t[i - 1] : 1.0);
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += t[i];
  return s;
}
// NAMES-LABEL: twice_tangent(
// NAMES: std::vector<double> t_2(n)
// NAMES: std::vector<double> t_2_tan(n)
double twice(const double *x, const double *y, int n) { return chain(x, n) * chain(y, n); }

// NAMES-LABEL: nested_tangent(
double nested(const double *x, double *y, int n) {
  std::vector<double> t(n);
  for (int i = 0; i < n; ++i)
    t[i] = y[i] * x[i];
  double r = 0;
  for (int i = 0; i < n; ++i) {
    double q = chain(x, i);
    t[i] += q;
    r += q * t[i];
  }
  for (int i = 0; i < n; ++i)
    y[i] = t[i] * r;
  return r;
}

static double dot(const double *a, const double *b, int n) {
  double r = 0;
  for (int i = 0; i < n; ++i)
    r += a[i] * b[i];
  return r;
}
double grows(const double *x, double a, int n, int steps) {
  double r = a;
  for (int k = 0; k < (steps < 3 ? steps : 3); ++k) {
    double s = dot(x, x, n);
    r += s * r;
  }
  return r;
}

struct Matrix {
  double *a;
  int rows, cols;
  double &operator()(int i, int j) { return a[i * cols + j]; }
  double operator()(int i, int j) const { return a[i * cols + j]; }
};
void product(const Matrix &A, const Matrix &B, Matrix &C) {
  for (int i = 0; i < C.rows; ++i)
    for (int j = 0; j < C.cols; ++j) {
      double s = 0;
      for (int k = 0; k < A.cols; ++k)
        s += A(i, k) * B(k, j);
      C(i, j) = s;
    }
}

// The seed of one does not hide the adjoint of the other.
// RUN: %clang_raise grad --verify --function=homonyms %s -o - -- -O2 -std=c++17 -fopenmp 2>&1 >/dev/null | FileCheck --check-prefix=HOMONYMS %s
// HOMONYMS: the adjoint of 'homonyms': verification passed
namespace first {
static double f(double x) { return x * x; }
} // namespace first
namespace second {
static double f(double x, double p) { return p * x + first::f(x); }
} // namespace second
void homonyms(const double *x, double *y, int n) {
  for (int i = 0; i < n; ++i)
    y[i] = second::f(x[i], x[i]) + first::f(x[i]);
}
