// Loops that are left early, whose start changes on the way: it is what it was before the loop. Compared with differences of the functions themselves.
// RUN: rm -rf %t && mkdir -p %t
// RUN: %clang_raise grad %s --function=counted --function=used --function=returned --function=lower --function=memory --function=down --function=beyond -o %t/joint.cpp -- -std=c++17 -O2
// RUN: FileCheck %s < %t/joint.cpp
// RUN: clang++-19 -std=c++17 -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -Wall -Wextra -Werror -DDRIVER %s %t/joint.cpp -o %t/clang
// RUN: g++ -std=c++17 -O2 -Wall -Wextra -Werror -DDRIVER %s %t/joint.cpp -o %t/gcc
// RUN: %t/clang
// RUN: %t/gcc
#include <cmath>

// CHECK-LABEL: void counted_adjoint(
// CHECK: const int j_start = j;
// CHECK: while (!stopped && j_start + (int)trip < steps)
double counted(const double *x, int n, int steps) {
  double r = 0.7;
  int j = 0;
  while (j < steps) {
    r *= x[n - 1] + 0.1;
    if (r < 0.02)
      break;
    ++j;
  }
  return r;
}
double used(const double *x, int n, int steps) {
  double r = 0.7;
  int j = 0;
  while (j < steps) {
    r *= x[n - 1] + 0.5;
    if (r < 0.02)
      break;
    j += 2;
  }
  return r * x[j % n];
}
double returned(const double *x, int n, int steps) {
  double r = 0.7;
  int j = 1;
  for (; j < steps; ++j) {
    r *= x[j % n];
    if (r < 0.001)
      return 2 * r;
  }
  return r + j * x[0];
}
double lower(const double *x, int n, int steps) {
  double r = 1;
  int lo = 0;
  for (int j = lo; j < steps; ++j) {
    r = std::sin(r * x[(j + lo) % n]);
    if (r > 100)
      break;
    lo += 1;
  }
  return r;
}
double memory(const double *x, int n, int steps) {
  double r = 1;
  int start[1] = {0};
  for (int j = start[0]; j < steps; ++j) {
    r = std::sin(r * x[j % n]);
    if (r > 100)
      break;
    start[0] = j + 2;
  }
  return r;
}
double down(const double *x, int n, int steps) {
  double r = 1;
  while (steps > 0) {
    r = std::sin(r + x[steps % n]);
    if (r > 0.999)
      return r;
    --steps;
  }
  return r;
}

// From beyond the end, which it does not come to.
double beyond(const double *x, int n, int steps) {
  double r = 0;
  for (int j = steps + 2; j != steps; ++j) {
    r += x[j % n] * x[j % n];
    if (j % 4 == 0)
      break;
  }
  return r;
}

#ifdef DRIVER
#include <cstdio>
#include <vector>
void counted_adjoint(const double *, int, int, double *, double);
void used_adjoint(const double *, int, int, double *, double);
void returned_adjoint(const double *, int, int, double *, double);
void lower_adjoint(const double *, int, int, double *, double);
void memory_adjoint(const double *, int, int, double *, double);
void down_adjoint(const double *, int, int, double *, double);
void beyond_adjoint(const double *, int, int, double *, double);

using Function = double(const double *, int, int);
using Adjoint = void(const double *, int, int, double *, double);
static bool agree(const char *name, Function f, Adjoint adjoint) {
  bool good = true;
  for (int n : {1, 2, 5})
    for (int steps = 0; steps < 9; ++steps) {
      std::vector<double> x(n), slopes(n);
      for (int i = 0; i < n; ++i)
        x[i] = 0.6 + 0.3 * std::sin(i + 1.0);
      adjoint(x.data(), n, steps, slopes.data(), 1);
      for (int i = 0; i < n; ++i) {
        const double h = 1e-6, old = x[i];
        x[i] = old + h;
        const double above = f(x.data(), n, steps);
        x[i] = old - h;
        const double below = f(x.data(), n, steps);
        x[i] = old;
        const double slope = (above - below) / (2 * h);
        if (std::fabs(slope - slopes[i]) < 1e-6 * (1 + std::fabs(slope)))
          continue;
        std::printf("%s, n = %d, steps = %d: %g, by differences %g\n", name, n,
                    steps, slopes[i], slope);
        good = false;
      }
    }
  return good;
}
int main() {
  bool good = agree("counted", counted, counted_adjoint);
  good &= agree("used", used, used_adjoint);
  good &= agree("returned", returned, returned_adjoint);
  good &= agree("lower", lower, lower_adjoint);
  good &= agree("memory", memory, memory_adjoint);
  good &= agree("down", down, down_adjoint);
  good &= agree("beyond", beyond, beyond_adjoint);
  return good ? 0 : 1;
}
#endif
