// Where the program has an `operator new` of its own, nothing is said of what it
// gives out. A class that derives from a container is none.
// RUN: %raise_lift %s -- -std=c++17 | FileCheck %s
// CHECK-NOT: {{ fresh [0-9]| owned}}
// CHECK: func @derived
#include <cstddef>
#include <vector>
alignas(16) static double Pool[1 << 16];
static std::size_t Used;
void *operator new(std::size_t n) {
  void *p = Pool + Used;
  Used += (n + 15) / 16 * 2;
  return p;
}
void operator delete(void *) noexcept {}
void operator delete(void *, std::size_t) noexcept {}

double given(std::vector<double> &a, int n) {
  for (int i = 0; i < n; ++i)
    a[i + 1] = Pool[i] + 1;
  return a[n];
}
double made(int n) {
  const double *q = Pool + Used;
  std::vector<double> a(n + 1);
  double *p = new double[n + 1];
  for (int i = 0; i < n; ++i)
    p[i + 1] = a[i + 1] = q[i] + 1;
  return a[n] + p[n];
}
struct Rows : std::vector<double> {};
struct Holder {
  Rows rows;
};
void derived(Holder &e, int n) {
  for (int i = 0; i < n; ++i)
    e.rows[i] = 1;
}
