// A reference stays with what it was bound to, whatever its text leads to later: loops after that know it by its own
// name.
// RUN: %clang_raise rewrite %s -o %t.cpp -- -fopenmp -O2
// RUN: FileCheck %s < %t.cpp
// RUN: clang++-19 -O2 -fopenmp -Wall -Wextra -Werror %t.cpp -o %t.clang && %t.clang
// RUN: g++ -O2 -fopenmp -Wall -Wextra -Werror %t.cpp -o %t.gcc && %t.gcc
#include <utility>
#include <vector>

struct Part {
  int n;
  double *data;
};
__attribute__((noinline)) Part make(double *data) { return {1, data}; }
double *Current;
__attribute__((noinline)) void other(double *to) { Current = to; }
enum { N = 300000 };
static double A[N], B[N], Q[N];

// CHECK-LABEL: void index(
// CHECK: // x += Σ_i q[i]
void index(double *p, const double *q, int n) {
  Part a = make(p);
  double &x = p[a.n];
  a.n = 5;
  for (int i = 0; i < n; ++i)
    x += q[i];
}
// CHECK-LABEL: void pointer(
// CHECK: // x += Σ_i q[i]
void pointer(double *p, double *r, const double *q, int n) {
  Part a = make(p);
  double &x = a.data[0];
  a.data = r;
  for (int i = 0; i < n; ++i)
    x += q[i];
}
// CHECK-LABEL: void global(
// CHECK: // x += Σ_i q[i]
void global(double *r, const double *q, int n) {
  double &x = *Current;
  other(r);
  for (int i = 0; i < n; ++i)
    x += q[i];
}
// Its elements are still those of the memory that is fresh.
// CHECK-LABEL: double swapped(
// CHECK: Tested: x and q do not overlap v;
double swapped(const double *q, int n) {
  std::vector<double> v(n), w(n);
  double &x = v[0];
  v.swap(w);
  w.swap(v);
  for (int i = 0; i < n; ++i)
    v[i] = x + q[i];
  return v[n - 1];
}
// Nothing comes between here; it goes by its name all the same.
// CHECK-LABEL: void steady(
// CHECK: // x += Σ_i q[i]
void steady(double *p, const double *q, int n) {
  Part a = make(p);
  double &x = p[a.n];
  for (int i = 0; i < n; ++i)
    x += q[i];
  a.n = 5;
}
// CHECK-LABEL: void each(
// CHECK: // x += Σ_i q[i]
void each(std::vector<double> &v, std::vector<double> &w, const double *q,
          int n) {
  for (double &x : v) {
    std::swap(v, w);
    for (int i = 0; i < n; ++i)
      x += q[i];
    std::swap(v, w);
  }
}
// CHECK: int main
int main() {
  for (int i = 0; i < N; ++i)
    Q[i] = i % 2;
  const double Sum = N / 2;
  bool Bad = false;
  index(A, Q, N);
  Bad |= A[1] != Sum || A[5] != 0;
  pointer(A, B, Q, N);
  Bad |= A[0] != Sum || B[0] != 0;
  Current = A;
  global(B, Q, N);
  Bad |= A[0] != 2 * Sum || B[0] != 0 || Current != B;
  Q[0] = 1;
  Bad |= swapped(Q, N) != 2;
  Q[0] = 0;
  steady(A, Q, N);
  Bad |= A[1] != 2 * Sum;
  std::vector<double> v(3), w(3);
  each(v, w, Q, N);
  Bad |= v[0] != Sum || v[2] != Sum || w[0] != 0;
  return Bad;
}
