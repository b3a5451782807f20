// Adjoints of loops that count in size_t: forwards where the order is free, else from their end, without conversions.
// RUN: printf 'machine:\n  parallel-work: 1\n' > %t.cfg
// RUN: %clang_raise grad %s --config=%t.cfg --verify --function=squares --function=products --function=rows -o %t.adj.cpp -- -O2 -std=c++17 -fopenmp 2> %t.err
// RUN: FileCheck --check-prefix=VERIFIED %s < %t.err
// RUN: FileCheck %s < %t.adj.cpp
// RUN: %clangxx -O1 -g -std=c++17 -fopenmp -fsanitize=address,undefined -fno-sanitize-recover=all -Wall -Wextra -Werror -Wno-pass-failed -DADJOINT='"%t.adj.h"' %s %t.adj.cpp -o %t.clang && env OMP_NUM_THREADS=3 %t.clang
// RUN: g++ -O2 -std=c++17 -fopenmp -Wall -Wextra -Werror -DADJOINT='"%t.adj.h"' %s %t.adj.cpp -o %t.gcc && env OMP_NUM_THREADS=2 %t.gcc
// RUN: %gxx -O1 -g -std=c++17 -fopenmp -fsanitize=thread -DADJOINT='"%t.adj.h"' -c %s -o %t.race1.o
// RUN: %gxx -O1 -g -std=c++17 -fopenmp -fsanitize=thread -c %t.adj.cpp -o %t.race2.o
// RUN: %clangxx -fopenmp -fsanitize=thread %t.race1.o %t.race2.o -o %t.race
// RUN: env OMP_NUM_THREADS=4 OMP_TOOL_LIBRARIES=%archer TSAN_OPTIONS=ignore_noninstrumented_modules=1 %t.race
#ifdef ADJOINT
#include ADJOINT
#endif
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <vector>

// VERIFIED: the adjoint of 'squares': verification passed
// VERIFIED: the adjoint of 'products': verification passed
// VERIFIED: the adjoint of 'rows': verification passed

// CHECK-LABEL: void squares_adjoint(
// CHECK: #pragma omp parallel for
// CHECK: for (size_t i = 0; i < x.size(); ++i)
// CHECK: #pragma omp parallel for
// CHECK: for (size_t i = 0; i < x.size(); ++i) {
double squares(const std::vector<double> &x, std::vector<double> &y) {
  double s = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    y[i] = x[i] * x[i];
    s += y[i] * x[i];
  }
  return s;
}

// CHECK-LABEL: void products_adjoint(
// CHECK: for (size_t i_end = n; i_end > 1; --i_end) {
// CHECK-NEXT: size_t i = i_end - 1;
double products(size_t n, double *x) {
  double s = 0;
  for (size_t i = 1; i < n; ++i) {
    x[i] = x[i] * x[i - 1];
    s += x[i];
  }
  return s;
}

// CHECK-LABEL: void rows_adjoint(
// CHECK: for (unsigned int {{i(_end)?}} =
void rows(unsigned n, unsigned m, const double *x, double *y) {
  for (unsigned i = 0; i < n; ++i)
    for (unsigned j = i; j < m; ++j)
      y[i] += x[i * m + j] * x[j];
}

#ifdef ADJOINT
static bool wrong(double found, double expected) {
  const bool Bad = std::fabs(found - expected) > 1e-6 * (1 + std::fabs(expected));
  if (Bad)
    std::printf("%.12g, not %.12g\n", found, expected);
  return Bad;
}

int main() {
  bool Bad = false;
  for (size_t n : {0, 1, 2, 7}) {
    std::vector<double> x(n), y(n), xa(n), ya(n);
    for (size_t i = 0; i < n; ++i)
      x[i] = 0.5 + 0.1 * double(i);
    squares_adjoint(x, y, xa, ya, 2);
    for (size_t i = 0; i < n; ++i)
      Bad |= wrong(xa[i], 6 * x[i] * x[i]);
    // By differences.
    std::vector<double> a(n, 0.0), z = x;
    products_adjoint(n, z.data(), a.data(), 1);
    for (size_t i = 0; i < n; ++i) {
      std::vector<double> up = x, down = x;
      up[i] += 1e-6;
      down[i] -= 1e-6;
      const double d = products(n, up.data()) - products(n, down.data());
      Bad |= wrong(a[i], d / 2e-6);
    }
  }
  return Bad;
}
#endif
