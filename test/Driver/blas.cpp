// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of matrices and vectors as calls of BLAS, from source to a program
// that is run against its original: at sizes below and above the tests, and
// with rows that share elements, which BLAS refuses.
//
// RUN: echo 'blas: cblas' > %t.yaml
// RUN: %clang_raise rewrite %s --config=%t.yaml --fp=fast -o %t.cpp -- -O1 -std=c++17 -fopenmp
// RUN: grep -v CHECK %t.cpp | FileCheck %s
// RUN: %clangxx -std=c++17 -O2 -fopenmp -Wall -Wextra -Werror %S/Inputs/blas-main.cpp -DEMITTED='"%t.cpp"' -DORIGINAL='"%s"' -o %t.clang -lopenblas && %t.clang
// RUN: %gxx -std=c++17 -O0 -fopenmp -Wall -Wextra -Werror %S/Inputs/blas-main.cpp -DEMITTED='"%t.cpp"' -DORIGINAL='"%s"' -o %t.gcc -lopenblas && %t.gcc
//
// A second run leaves blocks and include as they are.
// RUN: %clang_raise rewrite %t.cpp --config=%t.yaml --fp=fast -o %t.again.cpp -- -O1 -std=c++17 -fopenmp
// RUN: cmp %t.cpp %t.again.cpp
//
// Verification links the library.
// RUN: printf 'blas: cblas\nfunctions: {include: [both, outer]}\n' > %t.some.yaml
// RUN: %clang_raise rewrite %s --config=%t.some.yaml --fp=fast --verify --require-verified -o %t.some.cpp -- -O1 -std=c++17 -fopenmp
// RUN: grep -v CHECK %t.some.cpp | grep -c "cblas_.*(" | FileCheck %s --check-prefix=TWO
// TWO: 2
//
// Nothing of it where sums keep to how they were written.
// RUN: %clang_raise rewrite %s --config=%t.yaml -o %t.reduce.cpp -- -O1 -std=c++17 -fopenmp
// RUN: grep -v "CHECK\|RUN" %t.reduce.cpp | not grep cblas_
//
// CHECK: #include <cstddef>
// CHECK-NEXT: #include <cblas.h>
#include <cstddef>

void multiply(double *c, const double *a, const double *b, int n, int m,
              int l) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < m; ++j) {
      double s = 0;
      for (int k = 0; k < l; ++k)
        s += a[i * l + k] * b[k * m + j];
      c[i * m + j] = s;
    }
}
// CHECK-LABEL: void multiply(
// CHECK: if (n > 0 && m > 0 && l > 0 && {{.*}}n * m * l > {{.*}}) {
// CHECK: cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, m, l, 1.0, a, l,
// CHECK-NEXT: b, m, 0.0, c, m);
// CHECK-NEXT: } else {
// CHECK-NEXT: for (int i = 0; i < n; ++i)

// Scaled (which BLAS would not do by 0), with its rows at a distance, and in another order.
void gemm(float *c, const float *a, const float *b, float alpha, float beta,
          int n, int m, int l, int lda, int ldc) {
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < m; ++j)
      c[i * ldc + j] *= beta;
    for (int k = 0; k < l; ++k) {
      const float t = alpha * a[i * lda + k];
      for (int j = 0; j < m; ++j)
        c[i * ldc + j] += t * b[k * m + j];
    }
  }
}
// CHECK-LABEL: void gemm(
// CHECK: alpha != 0
// CHECK-NEXT: lda >= l && ldc >= m
// CHECK: c[i * ldc + j] *= beta;
// CHECK-NEXT: }
// CHECK-NEXT: cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, m, l, alpha, a,
// CHECK-NEXT: lda, b, m, 1.0f, c, ldc);

void both(double *c, const double *a, const double *b, double alpha,
          double beta, int n, int m, int l) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < m; ++j) {
      double s = 0;
      for (int k = 0; k < l; ++k)
        s += a[i * l + k] * b[k * m + j];
      c[i * m + j] = alpha * s + beta * c[i * m + j];
    }
}
// CHECK-LABEL: void both(
// CHECK: cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, m, l, alpha, a,
// CHECK-NEXT: l, b, m, 1.0, c, m);

void turnedLeft(double *c, const double *a, const double *b, int n, int m,
                int l) {
  for (int k = 0; k < l; ++k)
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < m; ++j)
        c[i * m + j] -= a[k * n + i] * b[k * m + j];
}
// CHECK-LABEL: void turnedLeft(
// CHECK: cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, n, m, l, -1.0, a, n,
// CHECK-NEXT: b, m, 1.0, c, m);

// Each row of x against each row of w, from pointers to them.
void layer(float *out, const float *x, const float *w, const float *bias, int n,
           int m, int l) {
  for (int i = 0; i < n; ++i) {
    const float *row = x + i * l;
    float *to = out + i * m;
    for (int o = 0; o < m; ++o) {
      float s = bias[o];
      const float *of = w + o * l;
      for (int k = 0; k < l; ++k)
        s += row[k] * of[k];
      to[o] = s;
    }
  }
}
// CHECK-LABEL: void layer(
// CHECK: cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, n, m, l, 1.0f, x, l,
// CHECK-NEXT: w, l, 1.0f, out, m);

void fixed(double c[64][48], const double a[64][32], const double b[32][48]) {
  for (int i = 0; i < 64; ++i)
    for (int j = 0; j < 48; ++j) {
      c[i][j] = 0;
      for (int k = 0; k < 32; ++k)
        c[i][j] += a[i][k] * b[k][j];
    }
}
// CHECK-LABEL: void fixed(
// CHECK: cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, 64, 48, 32, 1.0,
// CHECK-NEXT: &a[0][0], 32, &b[0][0], 48, 0.0, &c[0][0], 48);

void batched(double *c, const double *a, const double *b, int t, int n) {
  for (int s = 0; s < t; ++s)
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        for (int k = 0; k < n; ++k)
          c[(s * n + i) * n + j] += a[(s * n + i) * n + k] * b[(s * n + k) * n + j];
}
// One test for all; and small ones share their threads.
// CHECK-LABEL: void batched(
// CHECK: if (n > 20) {
// CHECK-NEXT: for (int s = 0; s < t; ++s)
// CHECK: cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1.0,
// CHECK: } else {
// CHECK-NEXT: #pragma omp parallel for
// CHECK-NEXT: for (int s = 0; s < t; ++s)

void rows(double *y, const double *a, const double *x, int n, int m) {
  for (int i = 0; i < n; ++i) {
    double s = y[i];
    for (int k = 0; k < m; ++k)
      s += a[i * m + k] * x[k];
    y[i] = s;
  }
}
// CHECK-LABEL: void rows(
// CHECK: cblas_dgemv(CblasRowMajor, CblasNoTrans, n, m, 1.0, a, m, x, 1, 1.0, y,

void rowsAnew(double *y, const double *a, const double *x, int n, int m) {
  for (int i = 0; i < n; ++i) {
    y[i] = 0;
    for (int k = 0; k < m; ++k)
      y[i] += a[i * m + k] * x[k];
  }
}
// CHECK-LABEL: void rowsAnew(
// CHECK: cblas_dgemv(CblasRowMajor, CblasNoTrans, n, m, 1.0, a, m, x, 1, 0.0, y,
// CHECK-NEXT: 1);

void columns(float *y, const float *a, const float *x, int n, int m, int step) {
  for (int k = 0; k < m; ++k)
    for (int i = 0; i < n; ++i)
      y[k] += a[i * m + k] * x[i * step];
}
// CHECK-LABEL: void columns(
// CHECK: step > 0
// CHECK: cblas_sgemv(CblasRowMajor, CblasTrans, n, m, 1.0f, a, m, x, step, 1.0f, y,
// CHECK-NEXT: 1);

void outer(double *a, const double *x, const double *y, double alpha, int n,
           int m) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < m; ++j)
      a[i * m + j] += alpha * x[i] * y[j];
}
// CHECK-LABEL: void outer(
// CHECK: cblas_dger(CblasRowMajor, n, m, alpha, x, 1, y, 1, a, m);

double dot(const double *x, const double *y, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += x[2 * i] * y[i];
  return s;
}
// CHECK-LABEL: double dot(
// CHECK: s += cblas_ddot(n, x, 2, y, 1);

// Sizes that an int may not hold are tested.
void wide(double *c, const double *a, const double *b, long n, long m, long l) {
  for (long i = 0; i < n; ++i)
    for (long k = 0; k < l; ++k)
      for (long j = 0; j < m; ++j)
        c[i * m + j] += a[i * l + k] * b[k * m + j];
}
// CHECK-LABEL: void wide(
// CHECK: n <= 2147483647
// CHECK: cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, (int)n, (int)m,

// What it reads, it writes: no product.
void square(double *a, int n) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < n; ++k)
        a[i * n + j] += a[i * n + k] * a[k * n + j];
}
// CHECK-LABEL: void square(
// CHECK-NOT: cblas
