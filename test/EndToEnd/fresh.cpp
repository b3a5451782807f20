// Loops over memory that the function has allocated: raised without a test of what they overlap, and the same; a pointer that is kept is tested.
// RUN: %clang_raise rewrite %s -o %t.cpp -- -fopenmp -O2 -std=c++17 2>%t.err
// RUN: FileCheck %s < %t.err
// RUN: FileCheck --check-prefix=TEXT %s < %t.cpp
// RUN: clang++-19 -O2 -fopenmp -std=c++17 -Wall -Wextra -Werror %t.cpp -o %t && %t > %t.raised
// RUN: g++ -O2 -fopenmp -std=c++17 -Wall -Wextra -Werror %t.cpp -o %t && %t > %t.gcc
// RUN: clang++-19 -O2 -std=c++17 %s -o %t && %t > %t.original
// RUN: diff %t.raised %t.original
// RUN: diff %t.gcc %t.original
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

struct Grid {
  int n;
  double scale;
  double *out;
};
template <class T> static T *allocate(std::size_t n) {
  return static_cast<T *>(std::malloc(n * sizeof(T)));
}
template <class T> static void release(T **p) {
  std::free(*p);
  *p = nullptr;
}

// The store may not change the scale.
// CHECK: fresh.cpp:[[#@LINE+9]]:{{.*}}raised to a broadcast
// TEXT: {{^}}double smooth(
// TEXT: // No two iterations touch an element that one of them writes.
// TEXT: if (n > 0) {
// TEXT-NEXT: if (n >
// TEXT-NEXT: #pragma omp parallel for firstprivate(
double smooth(Grid *g, const double *x) {
  const int n = g->n;
  double *t = allocate<double>(n);
  for (int i = 0; i < n; ++i)
    t[i] = g->scale * std::exp(std::sin(x[i]));
  double last = t[g->n - 1] + t[g->n / 2];
  release(&t);
  return last;
}

// Nor the bound.
// CHECK: fresh.cpp:[[#@LINE+3]]:{{.*}}raised to a broadcast
double own(Grid *g, const double *x) {
  std::vector<double> t(g->n);
  for (int i = 0; i < g->n; ++i)
    t[i] = g->scale * std::exp(std::cos(x[i]));
  return t[g->n - 1] + t[g->n / 2];
}

// Elsewhere as well: here the bound lies in the array itself, and a test tells.
// CHECK: fresh.cpp:[[#@LINE+8]]:{{.*}}raised to a broadcast: t[i] = i / 3, {{ *}}0 ≤ i < bound[0]
static int *Kept;
static void keep(int *p) { Kept = p; }
int kept(int n) {
  int *t = new int[n], *&shown = Kept;
  keep(t + n / 2);
  const int *bound = shown;
  *Kept = n;
  for (int i = 0; i < *bound; ++i)
    t[i] = i / 3;
  int sum = t[n / 2] + t[n / 2 - 1];
  delete[] t;
  return sum;
}

// Containers of one object.
class Fields {
  std::vector<double> a, b;
  int n;

public:
  explicit Fields(int n) : a(n, 1.5), b(n, 0.25), n(n) {}
  // CHECK: fresh.cpp:[[#@LINE+2]]:{{.*}}raised to a broadcast
  void mix() {
    for (int i = 0; i < n; ++i)
      a[i] = std::exp(std::sin(b[i] * i)) + a[i];
  }
  double last() const { return a[n - 1]; }
};

int main() {
  const int N = 300000;
  std::vector<double> x(N);
  for (int i = 0; i < N; ++i)
    x[i] = i % 17 * 0.5;
  Grid g{N, 3.0, x.data()};
  Fields f(N);
  f.mix();
  std::printf("%.17g %.17g %d %.17g\n", smooth(&g, x.data()), own(&g, x.data()),
              kept(1000), f.last());
}
