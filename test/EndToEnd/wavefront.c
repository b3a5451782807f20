// Rows of a recurrence run side by side, each as far behind the one before it
// as what it needs of that reaches; no rounding changes.
// RUN: %clang_raise rewrite %s --fp=strict -o %t.c -- -fopenmp -O2 2>%t.err
// RUN: FileCheck --check-prefix=REMARK %s < %t.err
// RUN: FileCheck %s < %t.c
// RUN: clang-19 -O2 -ffp-contract=off -Wall -Wextra %s -o %t && %t > %t.original
// RUN: clang-19 -O3 -ffp-contract=off -fopenmp -Wall -Wextra -Werror %t.c -o %t && env OMP_NUM_THREADS=4 %t > %t.raised
// RUN: diff %t.raised %t.original
// RUN: gcc -O3 -ffp-contract=off -fopenmp -Wall -Wextra -Werror %t.c -o %t && %t > %t.gcc
// RUN: diff %t.gcc %t.original
// RUN: clang-19 -O1 -g -ffp-contract=off -fsanitize=address,undefined -fno-sanitize-recover=all -fopenmp %t.c -o %t && %t > %t.checked
// RUN: diff %t.checked %t.original
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#define N 100
static double A[N][N];
static float F[2 * N * N], G[2 * N * N];

// REMARK: wavefront.c:[[#@LINE+4]]:{{.*}}raised to a stencil
void seidel(int steps, int n) {
  int t, i, j;
  for (t = 0; t <= steps - 1; t++)
    for (i = 1; i <= n - 2; i++)
      for (j = 1; j <= n - 2; j++)
        A[i][j] = (A[i-1][j-1] + A[i-1][j] + A[i-1][j+1] + A[i][j-1] + A[i][j] +
                   A[i][j+1] + A[i+1][j-1] + A[i+1][j] + A[i+1][j+1]) / 9.0;
  // CHECK-LABEL: void seidel
  // CHECK: {{^ *// }}before it in its row. Tested: n ≥ 58; else the original runs.
  // CHECK: {{^ *}}if (n >= 58) {
  // CHECK: {{^ *// }}Bands of 8 rows in step, each 2 columns behind the one before it.
  // CHECK: {{^ *}}const int j = j_front - 2 * row;
  // CHECK: {{^ *// }}Rows that fill no band.
}

// Pointers that may lead to one place, and two statements.
// REMARK: wavefront.c:[[#@LINE+2]]:{{.*}}raised to
void relax(float *u, const float *f, size_t n, size_t m) {
  for (size_t i = 1; i < n; ++i)
    for (size_t j = 1; j < m; ++j) {
      float v = u[i * m + j - 1] - f[i * m + j];
      u[i * m + j] = (v + u[(i - 1) * m + j]) / 1.9f;
    }
  // CHECK-LABEL: void relax
  // CHECK: {{^ *// }}Bands of 8 rows in step, each 1 column behind the one before it.
}

// Here each row needs what the row before it stores last.
// REMARK-NOT: wavefront.c:[[#@LINE+2]]:{{.*}}raised to a
void turned(int n) {
  for (int i = 1; i < n; ++i)
    for (int j = 1; j < n; ++j)
      A[i][j] = (A[i][j - 1] + A[i - 1][n - j]) / 3;
}

static void print(void) {
  unsigned long long h = 14695981039346656037ull;
  const unsigned char *c = (const unsigned char *)A;
  for (size_t i = 0; i < sizeof A; ++i)
    h = (h ^ c[i]) * 1099511628211ull;
  c = (const unsigned char *)F;
  for (size_t i = 0; i < sizeof F; ++i)
    h = (h ^ c[i]) * 1099511628211ull;
  printf("%llx\n", h);
}

static void fill(void) {
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j)
      A[i][j] = i * j % 13 == 5 ? -0.0 : 1.0 / (1 + i + 2 * j);
  A[N - 2][N - 3] = INFINITY;
  for (int k = 0; k < 2 * N * N; ++k) {
    F[k] = (float)(k % 17) - 8;
    G[k] = 1.0f / (float)(1 + k);
  }
}

int main(void) {
  static const int Sizes[] = {0, 1, 2, 3, 8, 9, 10, 25, 26, 33, 57, 58, 59, 67, N};
  for (int r = 0; r < 15; ++r) {
    fill();
    seidel(2, Sizes[r]);
    turned(Sizes[r]);
    print();
    for (int c = 0; c < 15; ++c) {
      const size_t n = (size_t)Sizes[r], m = (size_t)Sizes[c];
      fill();
      relax(F, G, n, m);
      relax(F + 3, F, n, m);
      relax(F, F + 2 * N, n, m);
      print();
    }
  }
}
