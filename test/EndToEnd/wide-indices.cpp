// Indices that are computed in size_t from ints: products of two do not wrap, whatever their values are.
// RUN: printf 'machine:\n  parallel-work: 1\n' > %t.cfg
// RUN: %clang_raise rewrite %s --config=%t.cfg -o %t.cpp -- -fopenmp -O2 -std=c++17 2> %t.remarks
// RUN: FileCheck %s < %t.cpp
// RUN: FileCheck --check-prefix=LEFT %s < %t.remarks
// RUN: %clangxx -O1 -w -std=c++17 %s -o %t && %t > %t.original
// RUN: %clangxx -O1 -g -std=c++17 -fsanitize=address,undefined -fno-sanitize-recover=all -fopenmp -Wall -Wextra -Werror -Wno-pass-failed %t.cpp -o %t && env OMP_NUM_THREADS=3 %t > %t.clang
// RUN: g++ -O2 -std=c++17 -fopenmp -Wall -Wextra -Werror %t.cpp -o %t && env OMP_NUM_THREADS=2 %t > %t.gcc
// RUN: diff %t.original %t.clang
// RUN: diff %t.original %t.gcc
#include <cstddef>
#include <cstdio>
#include <vector>

// CHECK-LABEL: void rows(
// CHECK: m >= 0
// CHECK: #pragma omp parallel for
void rows(int n, int m, float *y) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < m; ++j)
      y[(size_t)i * m + j] = i - j;
}

// A row may be longer than what is set of it, or it is left as it is.
// CHECK-LABEL: void part(
// CHECK: p >= 0 && p >= m
void part(int n, int m, int p, float *y) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < m; ++j)
      y[(size_t)i * p + j] = i + 2 * j;
}

// CHECK-LABEL: void transposed(
// CHECK: #pragma omp parallel for
void transposed(int n, int m, const float *x, float *y) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < m; ++j)
      y[(size_t)i * m + j] = x[(size_t)i + (size_t)j * n];
}

// Of three of them nobody knows.
// CHECK-LABEL: void deep(
// CHECK: <= {{[0-9]+}}
void deep(int a, int b, int c, float *y) {
  for (int i = 0; i < a; ++i)
    for (int j = 0; j < b; ++j)
      for (int k = 0; k < c; ++k)
        y[((size_t)i * b + j) * c + k] = i + 2 * j + 3 * k;
}

// A negative number of 32 bits is no index.
// LEFT: [[#@LINE+2]]:{{.*}}may wrap
void below(int n, int k, float *y) {
  for (int i = 0; i < n; ++i)
    y[(unsigned)(i * i - k)] = i;
}

class Matrix {
  int rows_, cols_;
  std::vector<double> d_;

public:
  Matrix(int r, int c) : rows_(r), cols_(c), d_((size_t)r * c) {}
  int rows() const { return rows_; }
  int cols() const { return cols_; }
  double &operator()(int i, int j) { return d_[(size_t)i * cols_ + j]; }
  double operator()(int i, int j) const { return d_[(size_t)i * cols_ + j]; }
  friend void product(const Matrix &, const Matrix &, Matrix &);
};

// What the accessors compute is written where it is used.
// CHECK-LABEL: void product(
// CHECK: a.d_.data() != c.d_.data()
// CHECK: #pragma omp parallel for
// CHECK: s += a.d_[(size_t)i * {{.*}} + k] * b.d_[(size_t)k * {{.*}} + j];
void product(const Matrix &a, const Matrix &b, Matrix &c) {
  for (int i = 0; i < a.rows(); ++i)
    for (int j = 0; j < b.cols(); ++j) {
      double s = 0;
      for (int k = 0; k < a.cols(); ++k)
        s += a(i, k) * b(k, j);
      c(i, j) = s;
    }
}

// An unsigned variable below a size_t: it is counted in size_t.
// CHECK-LABEL: unsigned count(
// CHECK: y.size() <= 4294967295U
// CHECK: for (unsigned long i = 3; i < y.size(); ++i)
// CHECK-NEXT: y[i] = 2 * y[i];
unsigned count(std::vector<float> &y) {
  unsigned i;
  for (i = 3; i < y.size(); ++i)
    y[i] = 2 * y[i];
  return i;
}
// CHECK-LABEL: void odd(
// CHECK: for (long i = 1; i < n; i += 2)
void odd(long n, float *y) {
  for (unsigned i = 1; i < n; i += 2)
    y[i] = i;
}
// Its sums may start again from 0.
// CHECK-LABEL: void before(
// CHECK: y[(unsigned int)i - 1]
void before(std::vector<float> &y) {
  for (unsigned i = 1; i < y.size(); ++i)
    y[i - 1] = i;
}
// It is left before its end.
// CHECK-LABEL: unsigned where(
// CHECK-NOT: {{^ +}}for (unsigned long
// CHECK: return
unsigned where(const std::vector<float> &y) {
  unsigned i;
  for (i = 0; i < y.size(); ++i)
    if (y[i] > 8)
      break;
  return i;
}

static void show(const float *y, int n) {
  for (int i = 0; i < n; ++i)
    std::printf(" %g", y[i]);
  std::puts("");
}

int main() {
  float x[64], y[64] = {};
  for (int i = 0; i < 64; ++i)
    x[i] = i * 37 % 41;
  for (int n : {-2, 0, 1, 5})
    for (int m : {-3, 0, 1, 7}) {
      rows(n, m, y);
      show(y, 40);
      part(n, m, m + 1, y);
      part(n, m, 2, y);
      show(y, 48);
      transposed(n, m, x, y);
      transposed(n, m, y, y + 8);
      show(y, 64);
      deep(2, n, m > 4 ? 4 : m, y);
      show(y, 64);
    }
  below(5, 0, y);
  show(y, 20);
  for (int n : {0, 2, 3, 9}) {
    std::vector<float> v(y, y + n);
    std::printf("%u", count(v));
    std::printf(" %u", where(v));
    before(v);
    odd(n - 1, y);
    show(v.data(), n);
    show(y, 10);
  }
  Matrix a(3, 4), b(4, 5), c(3, 5), d(4, 4);
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 5; ++j) {
      if (i < 3 && j < 4)
        a(i, j) = i - j;
      b(i, j) = 2 * i + j;
      if (j < 4)
        d(i, j) = i * j + 1;
    }
  product(a, b, c);
  product(d, d, d);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 4; ++j)
      std::printf(" %g %g", c(i, j), d(i, j));
  std::puts("");
}
