// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops as expressions of Eigen, from source to a program that is run against
// its original; what has no such form is an OpenMP loop in the same file.
//
// RUN: %clang_raise rewrite %s --target=eigen --verify --json=%t.json -o %t.cpp -- -O1 -std=c++17 -fopenmp
// RUN: grep -v CHECK %t.cpp | FileCheck %s
// RUN: not grep '"verification": "failed"' %t.json
// RUN: grep '"verification": "passed"' %t.json | count 12
// RUN: %clangxx -std=c++17 -O2 -ffp-contract=off -fopenmp -Wall -Wextra -Werror -isystem /usr/include/eigen3 %S/Inputs/eigen-main.cpp -DEMITTED='"%t.cpp"' -DORIGINAL='"%s"' -o %t.clang && %t.clang
// RUN: %gxx -std=c++17 -O0 -ffp-contract=off -fopenmp -Wall -Wextra -Werror -isystem /usr/include/eigen3 %S/Inputs/eigen-main.cpp -DEMITTED='"%t.cpp"' -DORIGINAL='"%s"' -o %t.gcc && %t.gcc
//
// A second run, which has to know where Eigen is, leaves blocks and include as
// they are.
// RUN: %clang_raise rewrite %t.cpp --target=eigen -o %t.again.cpp -- -O1 -std=c++17 -fopenmp -isystem /usr/include/eigen3
// RUN: cmp %t.cpp %t.again.cpp
//
// CHECK: #include <cstddef>
// CHECK-NEXT: #include <vector>
// CHECK-NEXT: #include <Eigen/Core>
#include <cstddef>
#include <vector>

void axpy(float a, const float *x, float *y, int n) {
  for (int i = 0; i < n; i++)
    y[i] += a * x[i];
}
// CHECK: if (n > 0 &&
// CHECK: ys += a * xs;
// CHECK-NEXT: } else {
// CHECK-NEXT: for (int i = 0; i < n; i++)

void smooth(double *v, const double *u, double a, int n) {
  for (int i = 1; i < n - 1; ++i)
    v[i] = a * (u[i - 1] + u[i + 1]);
}
// CHECK: vs = a * (us.head(n - 2) + us.tail(n - 2));

void shift(float *x, int n) {
  for (int i = 0; i < n - 1; ++i)
    x[i] = x[i + 1];
}
// CHECK: void shift(
// CHECK-NEXT: for

void rowsums(float *out, const float *x, int n, int m) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < m; ++j)
      out[i] += x[i * m + j];
}
// CHECK: outs += x_mat.rowwise().sum();

void turn(float *b, const float *a, int n, int m) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < m; ++j)
      b[j * n + i] = a[i * m + j];
}
// CHECK: b_mat = a_mat.transpose();

void bias(float *out, const float *in, const float *b, int n, int m) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < m; ++j)
      out[i * m + j] = in[i * m + j] + b[j];
}
// CHECK: out_mat = in_mat.rowwise() + bs.transpose();

void strided(int n, float a, const float *x, int incx, float *y, int incy) {
  for (int i = 0; i < n; ++i)
    y[i * incy] += a * x[i * incx];
}

void clamp(float *y, const float *x, float lo, float hi, int n) {
  for (int i = 0; i < n; ++i)
    y[i] = x[i] < lo ? lo : x[i] > hi ? hi : x[i];
}
// CHECK: y[i] = x[i] < lo ? lo : x[i] > hi ? hi : x[i];

void atLeast(float *y, const float *x, float lo, int n) {
  for (int i = 0; i < n; ++i)
    y[i] = x[i] < lo ? lo : x[i];
}
// CHECK: ys = (xs < lo).select(lo, xs);

void bytes(unsigned char *y, const unsigned char *x, int n) {
  for (int i = 0; i < n; ++i)
    y[i] = 255 - x[i];
}
// CHECK: ys = (255 - xs.cast<int>()).cast<unsigned char>();

void halve(std::vector<float> &y, const std::vector<float> &x) {
  for (std::size_t i = 0; i < x.size(); ++i)
    y[i] = 0.5f * (y[i] + x[i]);
}
// CHECK: ys = 0.5f * (ys + xs);

double distance(const double *x, const double *y, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += (x[i] - y[i]) * (x[i] - y[i]);
  return s;
}
// CHECK: s += (xs - ys).square().sum();

void gather(float *__restrict y, const float *__restrict x,
            const int *__restrict k, int n) {
  for (int i = 0; i < n; ++i)
    y[i] = x[k[i]];
}
// CHECK: #pragma omp parallel for
// CHECK: y[i] = x[k[i]];
