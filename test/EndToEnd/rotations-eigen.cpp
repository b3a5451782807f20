// Eigen's views are pointers: arrays that they look at do not change names. Compared with differences.
// RUN: rm -rf %t && mkdir -p %t
// RUN: %clang_raise grad --target=eigen --function=viewed %s -o %t/made.cpp -- -std=c++17 -O2
// RUN: FileCheck %s < %t/made.cpp
// RUN: %clangxx -std=c++17 -O2 -Wall -Wextra -Werror -isystem /usr/include/eigen3 -DDRIVER %s %t/made.cpp -o %t/run && %t/run
// CHECK: Eigen::Map
// CHECK-NOT: u.swap(v)
#include <cmath>
#include <utility>
#include <vector>

double viewed(const double *x, double k, int steps) {
  std::vector<double> u(x, x + 2000), v(2000);
  for (int t = 0; t < steps; ++t) {
    for (int i = 0; i < 2000; ++i)
      v[i] = u[i] * u[i] * k;
    std::swap(u, v);
    for (int i = 0; i < 2000; ++i)
      u[i] = u[i] + 0.5 * v[i];
    std::swap(u, v);
    for (int i = 0; i < 2000; ++i)
      v[i] = u[i] * v[i];
    std::swap(u, v);
  }
  double s = 0;
  for (int i = 0; i < 2000; ++i)
    s += u[i] * u[i];
  return s;
}

#ifdef DRIVER
#include <cstdio>
void viewed_adjoint(const double *x, double k, int steps, double *x_adj,
                    double *k_adj, double viewed_adj);
int main() {
  bool good = true;
  for (int steps : {0, 1, 3}) {
    std::vector<double> x(2000), slopes(2000);
    for (int i = 0; i < 2000; ++i)
      x[i] = 0.6 + 0.3 * std::sin(i);
    double of_k = 0;
    viewed_adjoint(x.data(), 0.8, steps, slopes.data(), &of_k, 1);
    const double h = 1e-5;
    const double want = (viewed(x.data(), 0.8 + h, steps) -
                         viewed(x.data(), 0.8 - h, steps)) /
                        (2 * h);
    good &= std::fabs(of_k - want) < 1e-5 * (1 + std::fabs(want));
    for (int i : {0, 7, 1234, 1999}) {
      const double old = x[i];
      x[i] = old + h;
      const double above = viewed(x.data(), 0.8, steps);
      x[i] = old - h;
      const double below = viewed(x.data(), 0.8, steps);
      x[i] = old;
      const double slope = (above - below) / (2 * h);
      good &= std::fabs(slopes[i] - slope) < 1e-5 * (1 + std::fabs(slope));
    }
  }
  return good ? 0 : 1;
}
#endif
