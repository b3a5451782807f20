// Loops under directives of the author's: understood, said what they are, and kept as they stand; a wrong claim is
// reported, and so is what keeps one from being proved.
// RUN: %clang_raise rewrite %s -o %t.c -- -fopenmp -O2 2>%t.err
// RUN: FileCheck %s < %t.err
// RUN: diff %s %t.c

// CHECK: openmp.c:[[#@LINE+5]]:{{.*}}raised to a
// CHECK: openmp.c:[[#@LINE+4]]:{{.*}}not rewritten: it already runs under the author's 'omp parallel for' [CR1020
void multiply(int n, const double a[n][n], const double b[n][n],
              double c[restrict n][n]) {
#pragma omp parallel for collapse(2) schedule(static)
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      double s = 0;
      for (int k = 0; k < n; ++k)
        s += a[i][k] * b[k][j];
      c[i][j] = s;
    }
}

// CHECK: openmp.c:[[#@LINE+4]]:{{.*}}not raised: the OpenMP directive claims that iterations are independent, but iteration i reads 'x[i - 1]', which iteration i - 1 writes (distance 1) [CR1030
// CHECK-NOT: openmp.c:[[#@LINE+3]]:{{.*}}raised
void wrong(float *x, int n) {
#pragma omp parallel for
  for (int i = 1; i < n; ++i)
    x[i] = x[i - 1] + 1;
}

// Also where something could be computed before it.
// CHECK: openmp.c:[[#@LINE+3]]:{{.*}}not raised further: the OpenMP directive claims that iterations are independent, but iteration i reads 'x[i - 1]'
void wrongToo(float *restrict x, const float *y, int n) {
#pragma omp parallel for
  for (int i = 1; i < n; ++i) {
    float s = 0;
    for (int j = 0; j < n; ++j)
      s += y[j];
    x[i] = x[i - 1] + s;
  }
}

// CHECK: openmp.c:[[#@LINE+3]]:{{.*}}not raised: the store to 'x[k[i]]' may hit one element twice
void unproved(float *x, const int *k, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i)
    x[k[i]] = i;
}

// A loop inside is not given threads of its own.
// CHECK: openmp.c:[[#@LINE+6]]:{{.*}}raised to a map
// CHECK: openmp.c:[[#@LINE+5]]:{{.*}}it already runs under the author's 'omp parallel for' [CR1020
void inner(float *x, const int *k, int n, int m) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    float *row = x + (long)k[i] * m;
    for (int j = 0; j < m; ++j)
      row[j] = j;
  }
}
