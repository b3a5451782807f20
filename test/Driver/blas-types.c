// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls in C, in both of their types, and run against the original.
//
// RUN: echo 'blas: cblas' > %t.yaml
// RUN: sed 's/double/float/g' %s > %t.f.c
// RUN: %clang_raise rewrite %s --config=%t.yaml --fp=fast -o %t.d.out.c -- -O1 -std=c11 -fopenmp
// RUN: %clang_raise rewrite %t.f.c --config=%t.yaml --fp=fast -o %t.f.out.c -- -O1 -std=c11 -fopenmp
// RUN: grep -v CHECK %t.d.out.c | FileCheck %s -DP=d -DEND=
// RUN: grep -v CHECK %t.f.out.c | FileCheck %s -DP=s -DEND=f
// RUN: %clang -std=c11 -O2 -fopenmp -Wall -Wextra -Werror %S/Inputs/blas-types-main.c -DT=double -DEMITTED='"%t.d.out.c"' -DORIGINAL='"%s"' -o %t.d.exe -lopenblas && env OPENBLAS_NUM_THREADS=1 %t.d.exe
// RUN: %gcc -std=c11 -O2 -fopenmp -Wall -Wextra -Werror %S/Inputs/blas-types-main.c -DT=float -DEMITTED='"%t.f.out.c"' -DORIGINAL='"%t.f.c"' -o %t.f.exe -lopenblas && env OPENBLAS_NUM_THREADS=1 %t.f.exe

double inner(const double *x, const double *y, int n) {
  double s = 1;
  for (int i = 0; i < n; ++i)
    s += x[i] * y[3 * i];
  return s;
}
// CHECK-LABEL: inner(
// CHECK: s += cblas_[[P]]dot(n, x, 1, y, 3);

void byRows(double *restrict y, const double *a, const double *x, int n,
               int m) {
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < m; ++k)
      y[i] += a[i * m + k] * x[k];
}
// CHECK-LABEL: byRows(
// CHECK: cblas_[[P]]gemv(CblasRowMajor, CblasNoTrans, n, m, 1.0[[END]], a, m, x, 1,

void byColumns(double *restrict y, const double *a, const double *x, int n,
                  int m) {
  for (int k = 0; k < m; ++k)
    for (int i = 0; i < n; ++i)
      y[k] -= a[i * m + k] * x[i];
}
// CHECK-LABEL: byColumns(
// CHECK: cblas_[[P]]gemv(CblasRowMajor, CblasTrans, n, m, -1.0[[END]], a, m, x, 1,

void batch(double *restrict c, const double *a, const double *b, int t,
              int n, int m) {
  for (int s = 0; s < t; ++s)
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        for (int k = 0; k < m; ++k)
          c[(s * n + i) * n + j] +=
              a[(s * n + i) * m + k] * b[(s * n + j) * m + k];
}
// CHECK-LABEL: batch(
// CHECK: for (int s = 0; s < t; ++s)
// CHECK: cblas_[[P]]gemm(CblasRowMajor, CblasNoTrans, CblasTrans, n, n, m, 1.0[[END]],

void triangles(double *restrict c, const double *a, int t, int n, int m) {
  for (int s = 0; s < t; ++s)
    for (int i = 0; i < n; ++i)
      for (int j = i; j < n; ++j)
        for (int k = 0; k < m; ++k)
          c[(s * n + i) * n + j] +=
              a[(s * n + i) * m + k] * a[(s * n + j) * m + k];
}
// CHECK-LABEL: triangles(
// CHECK: for (int s = 0; s < t; ++s)
// CHECK: cblas_[[P]]syrk(CblasRowMajor, CblasUpper, CblasNoTrans, n, m, 1.0[[END]],

void eachOther(double *restrict c, const double *a, const double *b, int n,
                  int m) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j <= i; ++j)
      for (int k = 0; k < m; ++k)
        c[i * n + j] += a[i * m + k] * b[j * m + k] + b[i * m + k] * a[j * m + k];
}
// CHECK-LABEL: eachOther(
// CHECK: cblas_[[P]]syr2k(CblasRowMajor, CblasLower, CblasNoTrans, n, m, 1.0[[END]],
