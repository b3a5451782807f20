// Arrays that change places after each step: what their adjoints do is to change places, too. Compiled and compared with differences of the functions themselves.
// RUN: rm -rf %t && mkdir -p %t
// RUN: %clang_raise grad --verify %s --function=swapped --function=rows --function=passed --function=held --function=inner --function=fixed -o %t/joint.cpp -- -std=c++17 -O2 -fopenmp 2> %t/err
// RUN: FileCheck --check-prefixes=VERIFIED,ALL --implicit-check-not=warning --implicit-check-not=error %s < %t/err
// RUN: FileCheck %s < %t/joint.cpp
// RUN: %clang_raise grad --verify %s --split --function=swapped --function=rows --function=passed --function=held --function=inner -o %t/split.cpp -- -std=c++17 -O2 -fopenmp 2> %t/err
// RUN: FileCheck --check-prefix=VERIFIED --implicit-check-not=warning --implicit-check-not=error %s < %t/err
// RUN: %clang_raise grad --verify %s --mode=forward --function=swapped --function=rows --function=passed --function=held --function=inner --function=fixed -o %t/forward.cpp -- -std=c++17 -O2 -fopenmp 2> %t/err
// RUN: clang++-19 -std=c++17 -O3 -fopenmp -Wall -Wextra -Werror -DDRIVER %s %t/joint.cpp -o %t/clang
// RUN: g++ -std=c++17 -O3 -fopenmp -Wall -Wextra -Werror -DDRIVER %s %t/joint.cpp -o %t/gcc
// RUN: g++ -std=c++17 -O3 -fopenmp -Wall -Wextra -Werror -c %t/split.cpp -o %t/split.o
// RUN: g++ -std=c++17 -O3 -fopenmp -Wall -Wextra -Werror -c %t/forward.cpp -o %t/forward.o
// RUN: clang++-19 -std=c++17 -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -DDRIVER %s %t/joint.cpp -o %t/sanitized
// RUN: env OMP_NUM_THREADS=1 %t/clang
// RUN: env OMP_NUM_THREADS=2 %t/gcc
// RUN: %t/sanitized
// VERIFIED: the adjoint of 'swapped': verification passed
// VERIFIED: the adjoint of 'rows': verification passed
// VERIFIED: the adjoint of 'passed': verification passed
// VERIFIED: the adjoint of 'held': verification passed
// VERIFIED: the adjoint of 'inner': verification passed
// ALL: the adjoint of 'fixed': verification passed
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#ifndef DRIVER
#define STATIC static
#else
#define STATIC inline
#endif

// CHECK-LABEL: void swapped_adjoint(
// CHECK: u.swap(v);
// CHECK: v_adj.swap(u_adj);
double swapped(const double *x, int n, int steps) {
  std::vector<double> u(x, x + n), v(n);
  for (int t = 0; t < steps; ++t) {
    for (int i = 1; i < n - 1; ++i)
      v[i] = u[i] + 0.1 * (u[i - 1] * u[i] - 2 * u[i] + u[i + 1]);
    std::swap(u, v);
  }
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += u[i] * u[i];
  return s;
}

// Pointers of an inner loop are gone when the arrays move.
// CHECK-LABEL: void rows_adjoint(
// CHECK: if (t % 3 != 1)
// CHECK-NEXT: u.swap(v);
// CHECK: v_adj.swap(u_adj);
double rows(const double *x, int n, int steps) {
  std::vector<double> u(x, x + n * n), v(u.size());
  for (int t = 0; t < steps; ++t) {
    for (int i = 1; i < n - 1; ++i) {
      const double *row = u.data() + i * n;
      double *to = &v[i * n];
      for (int j = 1; j < n - 1; ++j)
        to[j] = row[j] + 0.1 * (row[j - 1] * row[j + 1] - row[j - n]);
    }
    if (t % 3 != 1)
      u.swap(v);
  }
  double s = 0;
  for (int i = 0; i < n * n; ++i)
    s += u[i] * u[i];
  return s;
}

STATIC void step(std::vector<double> &a, std::vector<double> &b, int n) {
  for (int i = 1; i < n - 1; ++i)
    b[i] = std::sin(a[i - 1]) + a[i] * a[i + 1];
  using std::swap;
  swap(a, b);
}
// CHECK-LABEL: void passed_adjoint(
// CHECK: v.swap(u);
double passed(const double *x, int n, int steps) {
  std::vector<double> u(n, 0.5), v(x, x + n);
  for (int t = 0; t < steps; ++t)
    step(v, u, n);
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += u[i] * v[i];
  return s;
}

// CHECK-LABEL: void held_adjoint(
// CHECK: u.swap(v);
double held(const double *x, int n, int steps) {
  double *u = new double[n], *v = new double[n];
  for (int i = 0; i < n; ++i) {
    u[i] = x[i];
    v[i] = 2 * x[i];
  }
  while (steps-- > 0) {
    for (int i = 1; i < n - 1; ++i)
      v[i] += std::sin(u[i - 1]) + u[i] * u[i + 1];
    double *t = u;
    u = v;
    v = t;
  }
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += u[i] * v[i] * v[i];
  delete[] u;
  delete[] v;
  return s;
}

// One of them ends with the step.
// CHECK-LABEL: void inner_adjoint(
// CHECK: u.swap(v);
double inner(const double *x, int n, int steps) {
  std::vector<double> u(x, x + n);
  for (int t = 0; t < steps; ++t) {
    std::vector<double> v(n);
    for (int i = 0; i < n; ++i)
      v[i] = std::sin(u[i]) * u[n - 1 - i];
    u.swap(v);
  }
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += (i + 1) * u[i];
  return s;
}

// The elements of these move: p leads to those of a all the time.
// CHECK-LABEL: void fixed_adjoint(
// CHECK-NOT: .swap(
double fixed(const double *x) {
  std::array<double, 4> a, b;
  for (int i = 0; i < 4; ++i) {
    a[i] = x[i];
    b[i] = x[i] * x[i];
  }
  double *p = a.data();
  std::swap(a, b);
  return p[0] + 3 * b[1];
}

#ifdef DRIVER
#include <cstdio>
void swapped_adjoint(const double *, int, int, double *, double);
void rows_adjoint(const double *, int, int, double *, double);
void passed_adjoint(const double *, int, int, double *, double);
void held_adjoint(const double *, int, int, double *, double);
void inner_adjoint(const double *, int, int, double *, double);
void fixed_adjoint(const double *, double *, double);

template <typename Of, typename Adjoint>
static bool agree(const char *name, int n, Of f, Adjoint adjoint) {
  std::vector<double> x(n), slopes(n);
  for (int i = 0; i < n; ++i)
    x[i] = 0.3 * std::sin(i + 1.0);
  adjoint(x.data(), slopes.data());
  bool good = true;
  for (int i = 0; i < n; ++i) {
    const double h = 1e-6, old = x[i];
    x[i] = old + h;
    const double above = f(x.data());
    x[i] = old - h;
    const double below = f(x.data());
    x[i] = old;
    const double slope = (above - below) / (2 * h);
    if (!(std::fabs(slope - slopes[i]) < 1e-6 * (1 + std::fabs(slope)))) {
      std::printf("%s[%d]: %g, by differences %g\n", name, i, slopes[i], slope);
      good = false;
    }
  }
  return good;
}

int main() {
  bool good = agree("fixed", 4, [](double *x) { return fixed(x); },
                    [](double *x, double *a) { fixed_adjoint(x, a, 1); });
  for (int steps : {0, 1, 2, 5}) {
#define AGREE(f, n, size)                                                      \
  good &= agree(                                                               \
      #f, size, [&](double *x) { return f(x, n, steps); },                     \
      [&](double *x, double *a) { f##_adjoint(x, n, steps, a, 1); });
    AGREE(swapped, 40, 40)
    AGREE(rows, 7, 49)
    AGREE(passed, 40, 40)
    AGREE(held, 40, 40)
    AGREE(inner, 9, 9)
  }
  return good ? 0 : 1;
}
#endif
