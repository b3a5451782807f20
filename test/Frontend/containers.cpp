// Vectors, arrays and spans: elements and size, by the container's name.
// RUN: %raise_lift %s -- -O2 -std=c++20 | FileCheck %s
#include <array>
#include <span>
#include <vector>

// CHECK: external `v.size()`: const u64 upto 2305843009213693951;
// CHECK: pointer `v.data()`: f32* inlocal apart 1 owned;
// CHECK-LABEL: @subscripts
// CHECK: for (i: u64 = {{.*}}; i < `v.size()`; i += 1:u64)
// CHECK-NEXT: `v.data()`[i] = `v.data()`[i] * 2.0:f32;
// CHECK-NOT: [CR
void subscripts(std::vector<float> &v) {
  for (size_t i = 0; i < v.size(); ++i)
    v[i] = v[i] * 2.0f;
}

// CHECK: pointer `w.data()`: const f64*
// CHECK-LABEL: @ranges
// CHECK: for (x_index: i64 = 0:i64; x_index < {{.*}}`w.size()`
// CHECK-NEXT: let x: f64 = `w.data()`[x_index];
// CHECK: for (y_index: i64
// CHECK-NEXT: s += `w.data()`[y_index];
// CHECK: for (z_index: i64 = 0:i64; z_index < 4:i64; z_index += 1:i64)
// CHECK-NEXT: a[z_index] = s;
// CHECK: for (r_index: i64 = 0:i64; r_index < 3:i64; r_index += 1:i64)
// CHECK: for (e_index: i64 = 0:i64; e_index < 2:i64; e_index += 1:i64)
// CHECK: m[r_index, e_index] = 1.0;
double ranges(const std::vector<double> &w) {
  double s = 0, a[4], m[3][2];
  for (double x : w)
    s += x;
  for (const double &y : w)
    s += y;
  for (auto &z : a)
    z = s;
  for (auto &r : m)
    for (double &e : r)
      e = 1.0;
  return a[0] + m[0][0];
}

// CHECK-LABEL: @iterators
// CHECK: for (it_index: i64 = 0:i64; it_index < {{.*}}`v.size()`
// CHECK-NEXT: `v.data()`[it_index] += 1.0:f32;
// CHECK: for (p_index: i64 = 0:i64; p_index != icast<i64>(n); p_index += 1:i64)
// CHECK-NEXT: x[p_index] = 0.0:f32;
// CHECK: for (q_index: i64 = 0:i64; q_index != icast<i64>(n); q_index += 1:i64)
// CHECK-NEXT: x[q_index] = 1.0:f32;
void iterators(std::vector<float> &v, float *x, int n) {
  for (auto it = v.begin(); it != v.end(); ++it)
    *it += 1.0f;
  for (float *p = x; p != x + n; ++p)
    *p = 0.0f;
  for (float *q = x, *e = x + n; q != e; q++)
    *q = 1.0f;
}

// CHECK-LABEL: @fixed
// CHECK: for (i: u64 = {{.*}}; i < 8:u64;
// CHECK: `s.data()`[i] = `a.data()`[i];
void fixed(const std::array<int, 8> &a, std::span<int> s) {
  for (size_t i = 0; i < a.size(); ++i)
    s[i] = a[i];
}

// What else is done with a container is opaque, and may change it.
// CHECK-LABEL: @grows
// CHECK: while (i < `v.size()`) why "the body may change 'v.size()', which the loop's bound uses"
// CHECK: opaque "v.push_back(1)"
void grows(std::vector<int> &v) {
  for (size_t i = 0; i < v.size(); ++i)
    if (v[i] > 0)
      v.push_back(1);
}
// CHECK-LABEL: @walked
// CHECK: opaque "for (auto it = v.begin()
// CHECK: calls std::vector<int>::push_back, a member function of a library [CR1005]
void walked(std::vector<int> &v) {
  for (auto it = v.begin(); it != v.end(); ++it)
    v.push_back(*it);
}
// Bits are no objects; a checked access may throw.
// CHECK-LABEL: @bits
// CHECK: opaque
// CHECK: opaque
void bits(std::vector<bool> &b, std::vector<int> &v) {
  for (size_t i = 0; i < v.size(); ++i)
    b[i] = v[i] > 0;
  for (size_t i = 0; i < v.size(); ++i)
    v.at(i) = 0;
}

// A thread-local container is each thread's own: the threads of a region that is emitted would fill another one.
// CHECK-LABEL: @each_threads_own
// CHECK: opaque "kept[i] = 9 * i" "CR1010" "'kept' is thread-local";
// CHECK: opaque "y[i] = kept[i]" "CR1010" "'kept' is thread-local";
void each_threads_own(int n, int *y) {
  static thread_local std::vector<int> kept(64);
  for (int i = 0; i < n; ++i)
    kept[i] = 9 * i;
  for (int i = 0; i < n; ++i)
    y[i] = kept[i];
}
