// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One side of a product that is the same on both: a call that writes that side
// alone, from source to a program that is run against its original.
//
// RUN: echo 'blas: cblas' > %t.yaml
// RUN: %clang_raise rewrite %s --config=%t.yaml --fp=fast -o %t.cpp -- -O1 -std=c++17 -fopenmp
// RUN: grep -v CHECK %t.cpp | FileCheck %s
// RUN: %clangxx -std=c++17 -O2 -fopenmp -Wall -Wextra -Werror %S/Inputs/blas-triangles-main.cpp -DEMITTED='"%t.cpp"' -DORIGINAL='"%s"' -o %t.clang -lopenblas && env OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 %t.clang && env OPENBLAS_NUM_THREADS=1 %t.clang
// RUN: %gxx -std=c++17 -O0 -fopenmp -Wall -Wextra -Werror %S/Inputs/blas-triangles-main.cpp -DEMITTED='"%t.cpp"' -DORIGINAL='"%s"' -o %t.gcc -lopenblas && %t.gcc
//
// The same as C.
// RUN: sed -n '/^void below/,/^}/p' %s > %t.c
// RUN: %clang_raise rewrite %t.c --config=%t.yaml --fp=fast -o %t.out.c -- -O1 -std=c11 -fopenmp
// RUN: grep cblas_dsyrk %t.out.c && %gcc -std=c11 -O2 -fopenmp -Wall -Wextra -Werror -c %t.out.c -o %t.o
//
// RUN: %clang_raise rewrite %t.cpp --config=%t.yaml --fp=fast -o %t.again.cpp -- -O1 -std=c++17 -fopenmp
// RUN: cmp %t.cpp %t.again.cpp
//
// RUN: printf 'blas: cblas\nfunctions: {include: [below, above]}\n' > %t.some.yaml
// RUN: %clang_raise rewrite %s --config=%t.some.yaml --fp=fast --verify --require-verified -o %t.some.cpp -- -O1 -std=c++17 -fopenmp
//
// RUN: %clang_raise rewrite %s --config=%t.yaml -o %t.reduce.cpp -- -O1 -std=c++17 -fopenmp
// RUN: grep -v "CHECK\|RUN" %t.reduce.cpp | not grep cblas_
#include <cstddef>

void below(double *c, const double *a, double alpha, double beta, int n,
           int m) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j <= i; j++)
      c[i * n + j] *= beta;
    for (int k = 0; k < m; k++)
      for (int j = 0; j <= i; j++)
        c[i * n + j] += alpha * a[i * m + k] * a[j * m + k];
  }
}
// CHECK-LABEL: void below(
// CHECK: if (n > 23 && m > 7 && alpha != 0.0 &&
// CHECK: c[i * n + j] *= beta;
// CHECK-NEXT: }
// CHECK-NEXT: cblas_dsyrk(CblasRowMajor, CblasLower, CblasNoTrans, n, m, alpha, a, m, 1.0,
// CHECK-NEXT: c, n);
// CHECK-NEXT: } else {
// CHECK-NEXT: for (int i = 0; i < n; i++) {

void belowAnew(float *c, const float *a, int n, int m) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < i + 1; ++j) {
      float s = 0;
      for (int k = 0; k < m; ++k)
        s += a[i * m + k] * a[j * m + k];
      c[i * n + j] = s;
    }
}
// CHECK-LABEL: void belowAnew(
// CHECK: cblas_ssyrk(CblasRowMajor, CblasLower, CblasNoTrans, n, m, 1.0f, a, m, 0.0f,
// CHECK-NEXT: c, n);

void above(double *c, const double *a, int n, int m) {
  for (int i = 0; i < n; ++i)
    for (int j = i; j < n; ++j)
      for (int k = 0; k < m; ++k)
        c[i * n + j] += a[i * m + k] * a[j * m + k];
}
// CHECK-LABEL: void above(
// CHECK: cblas_dsyrk(CblasRowMajor, CblasUpper, CblasNoTrans, n, m, 1.0, a, m, 1.0,

// Of columns, in rows at a distance, and less.
void aboveTurned(float *c, const float *a, int n, int m, int lda, int ldc) {
  for (int k = 0; k < m; ++k)
    for (int i = 0; i < n; ++i)
      for (int j = i; j < n; ++j)
        c[i * ldc + j] -= a[k * lda + i] * a[k * lda + j];
}
// CHECK-LABEL: void aboveTurned(
// CHECK: ldc >= n && lda >= n
// CHECK: cblas_ssyrk(CblasRowMajor, CblasUpper, CblasTrans, n, m, -1.0f, a, lda,
// CHECK-NEXT: 1.0f, c, ldc);

// The outer loop is that of columns.
void byColumns(double *c, const double *a, int n, int m) {
  for (int j = 0; j < n; ++j)
    for (int i = j; i < n; ++i)
      for (int k = 0; k < m; ++k)
        c[i * n + j] += a[k * n + i] * a[k * n + j];
}
// CHECK-LABEL: void byColumns(
// CHECK: cblas_dsyrk(CblasRowMajor, CblasLower, CblasTrans, n, m, 1.0, a, n, 1.0, c,

// A triangle that begins somewhere on the diagonal.
void corner(double *c, const double *a, int from, int n, int m) {
  for (int i = from; i < n; ++i)
    for (int j = from; j <= i; ++j)
      for (int k = 0; k < m; ++k)
        c[i * n + j] += a[i * m + k] * a[j * m + k];
}
// CHECK-LABEL: void corner(
// CHECK: from < n && (long long)n - from > 23 && m > 7
// CHECK: n >= (long long)n - from
// CHECK: cblas_dsyrk(CblasRowMajor, CblasLower, CblasNoTrans,
// CHECK-NEXT: (int)((long long)n - from), m, 1.0, a + from * m, m, 1.0,
// CHECK-NEXT: c + (from * n + from), n);

void batch(double *c, const double *a, int t, int n, int m) {
  for (int s = 0; s < t; ++s)
    for (int i = 0; i < n; ++i)
      for (int j = 0; j <= i; ++j)
        for (int k = 0; k < m; ++k)
          c[(s * n + i) * n + j] +=
              a[(s * n + i) * m + k] * a[(s * n + j) * m + k];
}
// CHECK-LABEL: void batch(
// CHECK: if (n > 23 && m > 7
// CHECK-NEXT: for (int s = 0; s < t; ++s)
// CHECK: cblas_dsyrk(CblasRowMajor, CblasLower, CblasNoTrans, n, m, 1.0,
// CHECK: } else {
// CHECK-NEXT: #pragma omp parallel for
// CHECK-NEXT: for (int s = 0; s < t; ++s)

void fixedSize(double c[64][64], const double a[64][48]) {
  for (int i = 0; i < 64; ++i)
    for (int j = 0; j <= i; ++j) {
      c[i][j] = 0;
      for (int k = 0; k < 48; ++k)
        c[i][j] += a[i][k] * a[j][k];
    }
}
// CHECK-LABEL: void fixedSize(
// CHECK: cblas_dsyrk(CblasRowMajor, CblasLower, CblasNoTrans, 64, 48, 1.0, &a[0][0],
// CHECK-NEXT: 48, 0.0, &c[0][0], 64);

void wideSizes(double *c, const double *a, size_t n, size_t m) {
  for (size_t i = 0; i < n; ++i)
    for (size_t j = i; j < n; ++j)
      for (size_t k = 0; k < m; ++k)
        c[i * n + j] += a[i * m + k] * a[j * m + k];
}
// CHECK-LABEL: void wideSizes(
// CHECK: n <= 2147483647
// CHECK: cblas_dsyrk(CblasRowMajor, CblasUpper, CblasNoTrans, (int)n, (int)m,

// What follows in both halves stays behind it.
void covariance(double *c, const double *x, double f, int n, int m) {
  for (int i = 0; i < m; ++i)
    for (int j = i; j < m; ++j) {
      c[i * m + j] = 0;
      for (int k = 0; k < n; ++k)
        c[i * m + j] += x[k * m + i] * x[k * m + j];
      c[i * m + j] /= f;
      c[j * m + i] = c[i * m + j];
    }
}
// CHECK-LABEL: void covariance(
// CHECK: cblas_dsyrk(CblasRowMajor, CblasUpper, CblasTrans, m, n, 1.0, x, m, 0.0,

// Each of two tables with the other.
void eachOther(double *c, const double *a, const double *b, double alpha,
               double beta, int n, int m) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j <= i; j++)
      c[i * n + j] *= beta;
    for (int k = 0; k < m; k++)
      for (int j = 0; j <= i; j++)
        c[i * n + j] += a[j * m + k] * alpha * b[i * m + k] +
                        b[j * m + k] * alpha * a[i * m + k];
  }
}
// CHECK-LABEL: void eachOther(
// CHECK: cblas_dsyr2k(CblasRowMajor, CblasLower, CblasNoTrans, n, m, alpha, b, m,
// CHECK-NEXT: a, m, 1.0, c, n);

void eachOtherAnew(float *c, const float *a, const float *b, int n, int m) {
  for (int i = 0; i < n; ++i)
    for (int j = i; j < n; ++j) {
      float s = 0;
      for (int k = 0; k < m; ++k)
        s += a[k * n + i] * b[k * n + j] + b[k * n + i] * a[k * n + j];
      c[i * n + j] = -2 * s;
    }
}
// CHECK-LABEL: void eachOtherAnew(
// CHECK: cblas_ssyr2k(CblasRowMajor, CblasUpper, CblasTrans, n, m, -2, a, n, b, n,
// CHECK-NEXT: 0.0f, c, n);

// Two tables, each with itself.
void bothWithThemselves(double *c, const double *a, const double *b, int n,
                        int m) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j <= i; ++j)
      for (int k = 0; k < m; ++k)
        c[i * n + j] +=
            a[i * m + k] * a[j * m + k] - b[i * m + k] * b[j * m + k];
}
// CHECK-LABEL: void bothWithThemselves(
// CHECK: cblas_dsyrk(CblasRowMajor, CblasLower, CblasNoTrans, n, m, 1.0, a, m, 1.0,
// CHECK-NEXT: c, n);
// CHECK-NEXT: cblas_dsyrk(CblasRowMajor, CblasLower, CblasNoTrans, n, m, -1.0, b, m,
// CHECK-NEXT: 1.0, c, n);

// A sum of products over the whole square.
void wholeSquare(double *c, const double *a, const double *b, double x, int n,
                 int m) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      double s = 0;
      for (int k = 0; k < m; ++k)
        s += a[i * m + k] * b[j * m + k] - b[i * m + k] * a[j * m + k];
      c[i * n + j] = x * s;
    }
}
// CHECK-LABEL: void wholeSquare(
// CHECK: cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, n, n, m, x, a, m, b,
// CHECK-NEXT: m, 0.0, c, n);
// CHECK-NEXT: cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, n, n, m, -x, b, m, a,
// CHECK-NEXT: m, 1.0, c, n);

void rowsOfBoth(double *y, const double *a, const double *b, const double *x,
                int n, int m) {
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < m; ++k)
      y[i] += a[i * m + k] * x[k] + b[i * m + k] * x[k];
}
// CHECK-LABEL: void rowsOfBoth(
// CHECK: cblas_dgemv(CblasRowMajor, CblasNoTrans, n, m, 1.0, a, m, x, 1, 1.0, y,
// CHECK-NEXT: 1);
// CHECK-NEXT: cblas_dgemv(CblasRowMajor, CblasNoTrans, n, m, 1.0, b, m, x, 1, 1.0, y,

// --- Not what BLAS computes -------------------------------------------------

// Its diagonal stays as it is.
void withoutDiagonal(double *c, const double *a, int n, int m) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < i; ++j)
      for (int k = 0; k < m; ++k)
        c[i * n + j] += a[i * m + k] * a[j * m + k];
}
// CHECK-LABEL: void withoutDiagonal(
// CHECK-NOT: cblas

// No square around it.
void cutOff(double *c, const double *a, int n, int m, int from) {
  for (int i = from; i < n; ++i)
    for (int j = 0; j <= i; ++j)
      for (int k = 0; k < m; ++k)
        c[i * n + j] += a[i * m + k] * a[j * m + k];
}
// CHECK-LABEL: void cutOff(
// CHECK-NOT: cblas

// Not the same on both sides.
void twoTables(double *c, const double *a, const double *b, int n, int m) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j <= i; ++j)
      for (int k = 0; k < m; ++k)
        c[i * n + j] += a[i * m + k] * b[j * m + k];
}
// CHECK-LABEL: void twoTables(
// CHECK-NOT: cblas

void nextRow(double *c, const double *a, int n, int m) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j <= i; ++j)
      for (int k = 0; k < m; ++k)
        c[i * n + j] += a[i * m + k] * a[(j + 1) * m + k];
}
// CHECK-LABEL: void nextRow(
// CHECK-NOT: cblas

// The sum ends at the row.
void shorterSums(double *c, const double *a, int n) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      for (int k = 0; k <= i; ++k)
        c[i * n + j] += a[i * n + k] * a[j * n + k];
}
// CHECK-LABEL: void shorterSums(
// CHECK-NOT: cblas_dsyrk
// CHECK-NOT: cblas_dgemm

// Compared without a sign, a negative beginning is no beginning.
void unsignedEnd(double *c, const double *a, int from, unsigned long n, int m) {
  for (long i = from; i < (long)n; ++i)
    for (unsigned long j = i; j < n; ++j)
      for (int k = 0; k < m; ++k)
        c[i * n + j] += a[i * m + k] * a[j * m + k];
}
// CHECK-LABEL: void unsignedEnd(
// CHECK-NOT: cblas_dsyrk

// Other factors on the one side than on the other.
void otherFactors(double *c, const double *a, const double *b, double x,
                  double y, int n, int m) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j <= i; ++j)
      for (int k = 0; k < m; ++k)
        c[i * n + j] += x * a[i * m + k] * b[j * m + k] +
                        y * b[i * m + k] * a[j * m + k];
}
// CHECK-LABEL: void otherFactors(
// CHECK-NOT: cblas

// Twice over a table where once is enough.
void twoOuter(double *c, const double *x, const double *y, int n) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      c[i * n + j] += x[i] * y[j] + y[i] * x[j];
}
// CHECK-LABEL: void twoOuter(
// CHECK-NOT: cblas
