// Names that are made of arrays' are identifiers, also of arrays in namespaces and of members.
// RUN: printf 'machine:\n  parallel-work: 1\n' > %t.cfg
// RUN: %clang_raise rewrite %s --config=%t.cfg -o %t.cpp -- -fopenmp -O2 -std=c++17
// RUN: FileCheck %s < %t.cpp
// RUN: %clangxx -O1 -std=c++17 -ffp-contract=off %s -o %t && %t > %t.original
// RUN: %clangxx -O2 -std=c++17 -ffp-contract=off -fopenmp -Wall -Wextra -Werror %t.cpp -o %t && env OMP_NUM_THREADS=3 %t > %t.clang
// RUN: g++ -O2 -std=c++17 -ffp-contract=off -fopenmp -Wall -Wextra -Werror %t.cpp -o %t && env OMP_NUM_THREADS=2 %t > %t.gcc
// RUN: diff %t.original %t.clang
// RUN: diff %t.original %t.gcc
#include <cmath>
#include <cstdio>
#include <vector>

namespace ns {
float x[1000], y[1000], z[1000], t[10000];
}
struct Table {
  int n;
  std::vector<float> d;
};

// CHECK-LABEL: void ahead(
// CHECK: const float x_next = ns::x[i + 1];
void ahead() {
  for (int i = 0; i < 999; i++) {
    ns::x[i] = ns::y[i] * ns::z[i];
    ns::y[i] = ns::x[i] * ns::x[i + 1];
  }
}

// CHECK-LABEL: void tiles(
// CHECK: float t_block[
void tiles(const float (*a)[100], const float (*b)[100]) {
  for (int i = 0; i < 100; i++)
    for (int j = 0; j < 100; j++)
      for (int k = 0; k < 100; k++)
        ns::t[i * 100 + j] += a[i][k] * b[k][j];
}

// CHECK-LABEL: void members(
// CHECK: float d_strip[
void members(const Table &a, const Table &b, Table &c, int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      float s = 0;
      for (int k = 0; k < n; k++)
        s += a.d[i * n + k] * b.d[k * n + j];
      c.d[i * n + j] = s;
    }
}

// CHECK-LABEL: void parts(
// CHECK: ns::z[i] = ns::x[i] * ns::x[i - 1]
void parts() {
  for (int i = 1; i < 1000; i++) {
    ns::x[i] = std::exp(ns::y[i]);
    ns::z[i] = ns::x[i] * ns::x[i - 1] + std::sin(ns::y[i]);
  }
}

// CHECK-LABEL: float handed(
// CHECK: float s_strip[65];
float handed() {
  float s = 0;
  for (int i = 0; i < 1000; i++) {
    ns::x[i] = s * ns::z[i];
    s = ns::y[i] + ns::z[i];
    ns::y[i] = ns::x[i];
  }
  return s;
}

// CHECK: int main
int main() {
  static float a[100][100], b[100][100];
  for (int i = 0; i < 1000; i++) {
    ns::x[i] = i % 7;
    ns::y[i] = i % 5 * 0.25f;
    ns::z[i] = i % 3;
  }
  for (int i = 0; i < 100; i++)
    for (int j = 0; j < 100; j++) {
      a[i][j] = (i + j) % 5;
      b[i][j] = (i - j) % 3;
    }
  ahead();
  tiles(a, b);
  Table m{100, std::vector<float>(&a[0][0], &a[0][0] + 10000)}, q = m, p = m;
  members(m, q, p, 100);
  parts();
  const float s = handed();
  for (int i = 0; i < 1000; i++)
    std::printf("%.9g %.9g %.9g %.9g %.9g\n", ns::x[i], ns::y[i], ns::z[i],
                ns::t[i], p.d[i]);
  std::printf("%.9g\n", s);
}
