// What may not be said of arrays in structures: by names that are private, or
// the library's own; for a part of a copy; by two names at once. Nor is there
// an element beside what a reference refers to.
// RUN: printf 'machine:\n  parallel-work: 1\n' > %t.cfg
// RUN: %clang_raise rewrite --config=%t.cfg %s -o %t.cpp -- -std=c++17 -O2 -fopenmp 2> %t.err
// RUN: FileCheck --check-prefix=SAID %s < %t.err
// RUN: FileCheck %s < %t.cpp
// RUN: %clangxx -std=c++17 -O1 -g -fopenmp -ffp-contract=off -fsanitize=address,undefined -fno-sanitize-recover=all -Wall -Wextra -Werror -Wno-pass-failed %t.cpp -o %t.clang && env OMP_NUM_THREADS=3 %t.clang > %t.out.clang
// RUN: %clangxx -std=c++17 -O2 -ffp-contract=off %s -o %t.before && %t.before > %t.out.before
// RUN: diff %t.out.before %t.out.clang
// RUN: %clang_raise rewrite --config=%t.cfg --alias=assume %s -o %t.assumed.cpp -- -std=c++17 -O2 -fopenmp 2> %t.err
// RUN: %clangxx -std=c++17 -O2 -fopenmp -ffp-contract=off %t.assumed.cpp -o %t.assumed && env OMP_NUM_THREADS=4 %t.assumed > %t.out.assumed
// RUN: diff %t.out.before %t.out.assumed
#include <array>
#include <cstdio>

class Vec {
  double m[3] = {1, 2, 3};

public:
  double &operator[](int k) { return m[k]; }
  double operator[](int k) const { return m[k]; }
};

// SAID: [[@LINE+4]]:3: remark: not rewritten: the raised form needs a member ('{{[pq]}}[].m') that the function does not name itself [CR1716
// CHECK-LABEL: void add(
// CHECK-NOT: #pragma omp
void add(Vec *p, const Vec *q, int n) {
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < 3; ++k)
      p[i][k] += q[i][k];
}

struct Held {
  std::array<double, 3> a;
  int n;
};

// SAID: [[@LINE+4]]:3: remark: not rewritten: the raised form needs a member ('{{[pq]}}[].a._M_elems') that the function does not name itself [CR1716
// CHECK-LABEL: void library(
// CHECK-NOT: #pragma omp
void library(Held *p, const Held *q, int n) {
  for (int i = 0; i < n; ++i)
    p[i] = q[i];
}

struct Count {
  int count[4];
  int more[2][2];
  int w;
};

// Each copy is of what the one before it wrote: the loop stays, with all of it.
// CHECK-LABEL: void carry(
// CHECK-NEXT: for (int i = 1; i < n; ++i)
// CHECK-NEXT: c[i] = c[i - 1];
// CHECK-NEXT: }
void carry(Count *c, int n) {
  for (int i = 1; i < n; ++i)
    c[i] = c[i - 1];
}

// The first element's by a name of its own, and by that of each.
// SAID: [[@LINE+5]]:3: remark: not raised: 'c[i].count[k]': an array inside a structure that has no name of its own [CR1024
// CHECK-LABEL: void both(
// CHECK-NOT: #pragma omp
// CHECK: {{^}}}
void both(Count *c, int n) {
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < 4; ++k)
      c[i].count[k] = c->count[k] + 1;
}

// The other way round all are elements of one array.
// CHECK-LABEL: void last(
// CHECK-NOT: #pragma omp
// CHECK: {{^}}}
void last(Count *c, int n) {
  for (int i = n - 1; i >= 0; --i)
    c[i].count[0] = c[i].count[1] + c->count[0];
}

// SAID: [[@LINE+5]]:3: remark: not raised: an element beside what 'x' refers to
// CHECK-LABEL: void beside(
// CHECK-NOT: #pragma omp
void beside(double &x, int n) {
  double *at = &x;
  for (int i = 0; i < n; ++i)
    at[i] = i;
}

// SAID: remark: not raised: an element beside what 'p' refers to
// CHECK-LABEL: void besides(
// CHECK-NOT: #pragma omp
void besides(Count &p, int n) {
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < 4; ++k)
      (&p)[i].count[k] *= 2;
}

struct Odd {
  long double _Complex z[2];
  int count[3];
};

// An array that is not followed, by either name, says nothing of the others.
// SAID: remark: not raised: 'o->z[0]': an array inside a structure
// SAID: remark: raised to a map: o[i].count[k] *= 2
// CHECK-LABEL: void odd(
// CHECK: #pragma omp
void odd(Odd *o, int n) {
  for (int i = 0; i < n; ++i)
    o->z[1] = o->z[0];
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < 3; ++k)
      o[i].count[k] *= 2;
}

int main() {
  constexpr int n = 37;
  static Vec p[n], q[n];
  static Held h[n], g[n];
  static Count c[n];
  static double x[n];
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < 3; ++k) {
      q[i][k] = i * k;
      g[i].a[k] = i + k;
      c[i].count[k] = 3 * i - k;
      c[i].more[k % 2][k / 2] = i - k;
    }
    g[i].n = i;
    c[i].w = -i;
  }
  add(p, q, n);
  library(h, g, n);
  besides(c[0], n);
  both(c + 7, n - 7);
  last(c + 2, n - 2);
  beside(x[0], n);
  carry(c + 20, n - 20);
  static Odd o[n];
  o[3].count[2] = 5;
  odd(o, n);
  std::printf("%d\n", o[3].count[2]);
  for (int i = 0; i < n; ++i)
    std::printf("%a %a %d %d %d %d %d %a\n", p[i][2], h[i].a[1], h[i].n,
                c[i].count[0], c[i].count[3], c[i].more[1][0], c[i].w, x[i]);
}
