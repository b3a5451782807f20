// Maxima by fmax are reductions, with what fmax does of numbers that are none.
// RUN: %clang_raise rewrite --verify %s -o %t.out.cpp -- -O2 -fopenmp 2> %t.err
// RUN: FileCheck %s < %t.err
// RUN: %clangxx -O2 -fopenmp -L%omp_libs -Wl,-rpath,%omp_libs -DMAIN %t.out.cpp -o %t.run && %t.run
#include <cmath>

// CHECK: compared-extrema.cpp:[[@LINE+3]]:3: remark: raised to a reduction: m = max(m, max_i fabsf(x[i])),  0 ≤ i < n; verification passed
float largest(const float *x, int n) {
  float m = -INFINITY;
  for (int i = 0; i < n; ++i)
    m = fmaxf(m, fabsf(x[i]));
  return m;
}
// CHECK: compared-extrema.cpp:[[@LINE+2]]:3: remark: not raised: 'm' carries a value
float given(const float *x, float m, int n) {
  for (int i = 0; i < n; ++i)
    m = fmaxf(m, x[i]);
  return m;
}

#ifdef MAIN
#include <cstdio>
int main() {
  const int n = 5000;
  static float x[n];
  for (int i = 0; i < n; ++i)
    x[i] = float(i * 37 % 4999) - 2500;
  x[0] = x[77] = x[4999] = NAN;
  float want = -INFINITY;
  for (int i = 0; i < n; ++i)
    want = std::fmax(want, std::fabs(x[i]));
  const bool bad = largest(x, n) != want || given(x, NAN, n) != 2498;
  std::printf("%g %g\n", double(largest(x, n)), double(given(x, NAN, n)));
  return bad;
}
#endif
