// Loops inside of others: sums beside stores are vectors where the nest around runs in parallel, a row inside of two loops is not raised for threads alone, and several nests hand over their pointers by value.
// RUN: rm -rf %t && mkdir -p %t
// RUN: %clang_raise rewrite --verify %s -o %t/out.c -- -O2 -fopenmp 2> %t/err
// RUN: FileCheck --check-prefix=SAID --implicit-check-not=error %s < %t/err
// RUN: FileCheck %s < %t/out.c
// RUN: gcc -O3 -fopenmp -Wall -Wextra -Werror -Wno-unknown-pragmas -c %t/out.c -o %t/out.o
// RUN: clang-19 -O3 -fopenmp -Wall -Wextra -Werror -c %t/out.c -o %t/out.o

// SAID: rows-in-nests.c:[[@LINE+9]]:3: remark: raised to a contraction: {{.*}} verification passed
// CHECK-LABEL: void attend(
// CHECK: #pragma omp parallel for
// CHECK: #pragma omp simd reduction(+ : [[SUM:[a-z_]+]])
// CHECK-NEXT: for (int i = 0; i < n; ++i) {
// CHECK-NEXT: [[SUM]] += v[(b * m + t) * n + i] * g[b * n + i];
// CHECK-NEXT: h[(b * m + t) * n + i] += a_bt * g[b * n + i];
void attend(float *p, float *h, const float *v, const float *a, const float *g,
            int k, int m, int n) {
  for (int b = 0; b < k; ++b)
    for (int t = 0; t < m; ++t)
      for (int i = 0; i < n; ++i) {
        p[b * m + t] += v[(b * m + t) * n + i] * g[b * n + i];
        h[(b * m + t) * n + i] += a[b * m + t] * g[b * n + i];
      }
}

// SAID: rows-in-nests.c:[[@LINE+9]]:7: remark: not rewritten: rows inside of two loops are not so long that threads pay, and the tests for overlap take as long as a short row [CR1602
// CHECK-LABEL: void scatter(
// CHECK-NOT: {{^#}}pragma
// CHECK-LABEL: void products(
void scatter(float *table, float *rows, const float *by, const int *at, int k,
             int m, int n) {
  for (int b = 0; b < k; ++b)
    for (int t = 0; t < m; ++t) {
      const int row = at[b * m + t];
      for (int i = 0; i < n; ++i) {
        table[row * n + i] += by[(b * m + t) * n + i];
        rows[t * n + i] += by[(b * m + t) * n + i];
      }
    }
}

// CHECK: #pragma omp parallel for firstprivate(a, b)
// CHECK: #pragma omp parallel for firstprivate(b, c)
// CHECK: #pragma omp parallel for firstprivate(a, c)
void products(double *a, double *b, double *c, int n) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      a[i * n + j] = 2 * b[j * n + i] + 1;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      b[i * n + j] = c[j * n + i] * c[i * n + j];
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      c[i * n + j] = a[j * n + i] - a[i * n + j];
}

// CHECK-LABEL: void norms(
// CHECK-NOT: parallel
// CHECK: #pragma omp simd reduction(+ : sum, square)
// CHECK-NOT: parallel
void norms(float *totals, const float *x, const float *w, const int *at, int k,
           int m, int n) {
  for (int b = 0; b < k; ++b)
    for (int t = 0; t < m; ++t) {
      const float *row = x + (b * m + t) * n;
      float sum = 0, square = 0;
      for (int i = 0; i < n; ++i) {
        sum += w[i] * row[i];
        square += row[i] * row[i];
      }
      totals[at[b * m + t]] = totals[at[t]] + sum * sum - square;
    }
}
