// Functions of vectors whose loops run to their sizes, and steps that leave the result in the caller's vector by an exchange. Compiled and compared with differences of the functions themselves.
// RUN: rm -rf %t && mkdir -p %t
// RUN: %clang_raise grad --verify %s --function=burgers --function=powers --function=counted -o %t/joint.cpp -- -std=c++17 -O2 -fopenmp 2> %t/err
// RUN: FileCheck --check-prefix=VERIFIED --implicit-check-not=warning --implicit-check-not=error %s < %t/err
// RUN: FileCheck %s < %t/joint.cpp
// RUN: clang++-19 -std=c++17 -O3 -fopenmp -Wall -Wextra -Werror -DDRIVER %s %t/joint.cpp -o %t/clang
// RUN: g++ -std=c++17 -O3 -fopenmp -Wall -Wextra -Werror -DDRIVER %s %t/joint.cpp -o %t/gcc
// RUN: clang++-19 -std=c++17 -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -DDRIVER %s %t/joint.cpp -o %t/sanitized
// RUN: env OMP_NUM_THREADS=1 %t/clang
// RUN: env OMP_NUM_THREADS=2 %t/gcc
// RUN: %t/sanitized
// VERIFIED-DAG: the adjoint of 'burgers': verification passed
// VERIFIED-DAG: the adjoint of 'powers': verification passed
// VERIFIED-DAG: the adjoint of 'counted': verification passed
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

// One tape, of all that a step reads, and a reverse sweep that gathers.
// CHECK-LABEL: void burgers_adjoint(
// CHECK: std::vector<double> u_tape(
// CHECK-NOT: _tape{{[0-9]*}}(
// CHECK: for (int i = 2; i < n - 2; ++i)
// CHECK-NEXT: u_adj[i] +=
double burgers(std::vector<double> &u, double nu, double dt, int steps) {
  const int n = (int)u.size();
  std::vector<double> v(u);
  for (int t = 0; t < steps; ++t) {
    for (int i = 1; i < n - 1; ++i)
      v[i] = u[i] - dt * u[i] * (u[i + 1] - u[i - 1]) * 0.5 +
             nu * (u[i + 1] - 2 * u[i] + u[i - 1]);
    std::swap(u, v);
  }
  double s = 0;
  for (std::size_t i = 0; i < u.size(); ++i)
    s += u[i] * u[i];
  return s;
}

// Loops of both sweeps are parallel where the vectors are apart.
// CHECK-LABEL: void powers_adjoint(
// CHECK: if (!(x.data() != y.data()))
// CHECK: #pragma omp parallel for
// CHECK: for ({{.*}}size_t i = 0; i < x.size(); ++i)
// CHECK: #pragma omp parallel for
// CHECK: for ({{.*}}size_t i = 0; i < x.size(); ++i)
void powers(std::vector<double> &y, const std::vector<double> &x, double a) {
  for (std::size_t i = 0; i < x.size(); ++i)
    y[i] = a * x[i] * x[i] + y[i] * x[i];
}

// A number of elements as an int needs no test.
// CHECK-LABEL: void counted_adjoint(
// CHECK-NOT: 2147483647
// CHECK: #pragma omp parallel for
// CHECK: for (int i = 0; i < n; ++i)
// CHECK-NOT: 2147483647
// CHECK: #pragma omp parallel for
// CHECK: for (int i = 0; i < n; ++i)
void counted(std::vector<double> &y, const std::vector<double> &x) {
  const int n = x.size();
  for (int i = 0; i < n; ++i)
    y[i] = x[i] * x[i] * x[i];
}

#ifdef DRIVER
#include <cstdio>
using Vector = std::vector<double>;
void burgers_adjoint(Vector &, double, double, int, Vector &, double *,
                     double *, double);
void powers_adjoint(Vector &, const Vector &, double, Vector &, Vector &,
                    double *);
void counted_adjoint(Vector &, const Vector &, Vector &, Vector &);

static Vector sample(std::size_t n, double phase) {
  Vector v(n);
  for (std::size_t i = 0; i < n; ++i)
    v[i] = 0.3 * std::sin(i + phase);
  return v;
}

static bool close(const char *name, std::size_t i, double is, double slope) {
  const bool good = std::fabs(slope - is) < 1e-6 * (1 + std::fabs(slope));
  if (!good)
    std::printf("%s[%zu]: %g, by differences %g\n", name, i, is, slope);
  return good;
}

/// The slope of f where one of its numbers changes.
template <typename F> static double slope(double &x, F f) {
  const double h = 1e-6, old = x;
  x = old + h;
  const double above = f();
  x = old - h;
  const double below = f();
  x = old;
  return (above - below) / (2 * h);
}

static bool stepped(std::size_t n, int steps) {
  bool good = true;
  Vector x = sample(n, 1), by = sample(n, 3);
  double nu = 0.1, dt = 0.05;
  // The result weighted, and what is left in the vector too.
  const auto f = [&] {
    Vector u = x;
    double s = 2 * burgers(u, nu, dt, steps);
    for (std::size_t i = 0; i < n; ++i)
      s += by[i] * u[i];
    return s;
  };
  Vector u = x, adj = by, left = x;
  burgers(left, nu, dt, steps);
  double nu_adj = 0, dt_adj = 0;
  burgers_adjoint(u, nu, dt, steps, adj, &nu_adj, &dt_adj, 2);
  for (std::size_t i = 0; i < n; ++i) {
    good &= close("burgers", i, adj[i], slope(x[i], f));
    good &= close("left", i, u[i], left[i]);
  }
  good &= close("nu", 0, nu_adj, slope(nu, f));
  good &= close("dt", 0, dt_adj, slope(dt, f));
  return good;
}

static bool elementwise(std::size_t n) {
  bool good = true;
  Vector x = sample(n, 1), y = sample(n, 2), by = sample(n, 3);
  double a = 1.5;
  const auto weighted = [&](const Vector &of) {
    double s = 0;
    for (std::size_t i = 0; i < n; ++i)
      s += by[i] * of[i];
    return s;
  };
  const auto f = [&] {
    Vector z = y;
    powers(z, x, a);
    return weighted(z);
  };
  const auto g = [&] {
    Vector z = y;
    counted(z, x);
    return weighted(z);
  };
  Vector z = y, y_adj = by, x_adj(n), w = y, w_adj = by, v_adj(n);
  double a_adj = 0;
  powers_adjoint(z, x, a, y_adj, x_adj, &a_adj);
  counted_adjoint(w, x, w_adj, v_adj);
  for (std::size_t i = 0; i < n; ++i) {
    good &= close("x", i, x_adj[i], slope(x[i], f));
    good &= close("y", i, y_adj[i], slope(y[i], f));
    good &= close("v", i, v_adj[i], slope(x[i], g));
    good &= close("w", i, w_adj[i], 0);
  }
  good &= close("a", 0, a_adj, slope(a, f));
  // One vector for both.
  const auto same = [&] {
    Vector both = x;
    powers(both, both, a);
    return weighted(both);
  };
  Vector both = x, both_adj = by;
  a_adj = 0;
  powers_adjoint(both, both, a, both_adj, both_adj, &a_adj);
  for (std::size_t i = 0; i < n; ++i)
    good &= close("both", i, both_adj[i], slope(x[i], same));
  good &= close("a of both", 0, a_adj, slope(a, same));
  return good;
}

int main() {
  bool good = true;
  for (std::size_t n : {0, 1, 2, 3, 4, 5, 6, 40}) {
    for (int steps : {0, 1, 2, 5})
      good &= stepped(n, steps);
    good &= elementwise(n);
  }
  return good ? 0 : 1;
}
#endif
