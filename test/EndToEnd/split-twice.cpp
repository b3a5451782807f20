// A tape is for any number of calls: a reverse sweep that computes steps anew does so in arrays of its own.
// RUN: rm -rf %t && mkdir -p %t
// RUN: %clang_raise grad --config=%S/Inputs/periodic.yaml --split --function=evolves %s -o %t/split.cpp -- -std=c++17 -O2
// RUN: FileCheck %s < %t/split.cpp
// RUN: cat %s >> %t/split.cpp
// RUN: g++ -std=c++17 -O2 -Wall -Wextra -Werror -DDRIVER %t/split.cpp -o %t/gcc && %t/gcc
// CHECK-LABEL: void evolves_reverse(
// CHECK: std::vector<double> u(n);
// CHECK: u[i] = tape.u[i];
// CHECK-NOT: tape.u[{{.*}}] = {{.}}
#include <cmath>
#include <vector>

double evolves(const double *x, int n, int steps) {
  std::vector<double> u(x, x + n);
  double last[3] = {1, 2, 3};
  for (int s = 0; s < steps; ++s) {
    for (int i = 0; i < n; ++i)
      u[i] = std::sin(u[i] * last[i % 3]);
    last[s % 3] *= u[0];
  }
  double r = last[0] * last[1];
  for (int i = 0; i < n; ++i)
    r += u[i] * u[i];
  return r;
}

#ifdef DRIVER
int main() {
  int bad = 0;
  for (int steps = 0; steps < 7; ++steps) {
    const int n = 5;
    double x[n] = {0.3, 0.7, -0.4, 1.1, 0.2}, first[n] = {}, second[n] = {};
    evolves_tape tape;
    evolves_augmented(x, n, steps, tape);
    evolves_reverse(x, n, steps, first, 1, tape);
    evolves_reverse(x, n, steps, second, 2, tape);
    for (int i = 0; i < n; ++i) {
      const double h = 1e-6, old = x[i];
      x[i] = old + h;
      const double above = evolves(x, n, steps);
      x[i] = old - h;
      const double below = evolves(x, n, steps);
      x[i] = old;
      const double slope = (above - below) / (2 * h);
      bad += !(std::fabs(first[i] - slope) < 1e-6) || !(std::fabs(second[i] - 2 * slope) < 2e-6);
    }
  }
  return bad;
}
#endif
