// Adjoints whose sums go down columns: along rows where these are long, as they were where they are short.
// RUN: rm -rf %t && mkdir -p %t/made
// RUN: %clang_raise grad --verify --function=products --function=pairs %s -o %t/made/rows.c -- -std=c11 -O2 -fopenmp 2> %t/err
// RUN: FileCheck --check-prefix=VERIFIED %s < %t/err
// RUN: FileCheck %s < %t/made/rows.c
// RUN: %clang_raise grad --fp=strict --function=products %s -o %t/made/strict.c -- -std=c11 -O2 -fopenmp
// RUN: FileCheck --check-prefix=STRICT %s < %t/made/strict.c
// RUN: %clang -std=c11 -O3 %native -fopenmp -Wall -Wextra -Werror -DCHECK -I%t/made %s %t/made/rows.c -lm -o %t/clang && env OMP_NUM_THREADS=1 %t/clang && env OMP_NUM_THREADS=3 %t/clang
// RUN: %clang -std=c11 -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -fopenmp -DCHECK -I%t/made %s %t/made/rows.c -lm -o %t/san && %t/san
// RUN: %gcc -std=c11 -O3 %native -fopenmp -Wall -Wextra -Werror -DCHECK -I%t/made %s %t/made/rows.c -lm -o %t/gcc && env OMP_NUM_THREADS=1 %t/gcc && env OMP_NUM_THREADS=3 %t/gcc
// RUN: %gcc -std=c11 -O2 -Wall -Wextra -Werror -Wno-unknown-pragmas -DCHECK -I%t/made %s %t/made/rows.c -lm -o %t/serial && %t/serial

enum { N = 80, M = 72 };

// VERIFIED: the adjoint of 'products': verification passed
// VERIFIED: the adjoint of 'pairs': verification passed

/// Two sums of the adjoint share the row i with itself.
// CHECK-LABEL: void products_adjoint(
// CHECK: if (m >= 48) {
// CHECK-NEXT: for (int j{{.*}} = 0; j{{.*}} <= i{{.*}}; ++j
// CHECK-NEXT: #pragma omp simd
// CHECK-NEXT: for (int k{{.*}} = 0; k{{.*}} < m; ++k
// STRICT-LABEL: void products_adjoint(
// STRICT-NOT: m >= 48
void products(int n, int m, double alpha, double c[restrict N][N],
              double a[restrict N][M]) {
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < m; ++k)
      for (int j = 0; j <= i; ++j)
        c[i][j] += alpha * a[i][k] * a[j][k];
}

/// The same of two tables, from a column of theirs on, and a factor.
// CHECK-LABEL: void pairs_adjoint(
// CHECK: if ((long long)to - from >= 48) {
// CHECK-NEXT: for (int j{{.*}} = 0; j
// CHECK: for (int k
void pairs(int n, int from, int to, double c[restrict N][N],
           double a[restrict N][M], double b[restrict N][M], double w) {
  for (int i = 0; i < n; ++i)
    for (int k = from; k < to; ++k)
      for (int j = 0; j < n; ++j)
        c[i][j] += w * (a[i][k] * b[j][k] + b[i][k] * a[j][k]);
}

#ifdef CHECK
#include "rows.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static double c[N][N], a[N][M], b[N][M], c_adj[N][N], a_adj[N][M], b_adj[N][M],
    a_is[N][M], b_is[N][M], alpha_adj, alpha_is;

static void fill(void) {
  for (int i = 0; i < N; ++i) {
    for (int j = 0; j < N; ++j) {
      c[i][j] = 0.25 * i - j;
      c_adj[i][j] = (7 * i + 3 * j) % 11 - 5;
    }
    for (int k = 0; k < M; ++k) {
      a[i][k] = (5 * i + k) % 13 * 0.125 - 0.75;
      b[i][k] = (3 * i + 2 * k) % 17 * 0.0625 - 0.5;
      a_adj[i][k] = a_is[i][k] = i - k;
      b_adj[i][k] = b_is[i][k] = i + k;
    }
  }
  alpha_adj = alpha_is = 3;
}

static int differ(const double *x, const double *y, int n) {
  int wrong = 0;
  for (int i = 0; i < n; ++i)
    wrong += !(fabs(x[i] - y[i]) <= 1e-9 * (1 + fabs(y[i])));
  return wrong;
}

static int products_wrong(int n, int m) {
  fill();
  const double alpha = 1.5;
  for (int i = n - 1; i >= 0; --i)
    for (int k = m - 1; k >= 0; --k)
      for (int j = i; j >= 0; --j) {
        alpha_is += c_adj[i][j] * a[i][k] * a[j][k];
        a_is[i][k] += alpha * c_adj[i][j] * a[j][k];
        a_is[j][k] += alpha * c_adj[i][j] * a[i][k];
      }
  products_adjoint(n, m, alpha, c, a, &alpha_adj, c_adj, a_adj);
  return differ(&a_adj[0][0], &a_is[0][0], N * M) +
         differ(&alpha_adj, &alpha_is, 1);
}

static int pairs_wrong(int n, int from, int to) {
  fill();
  const double w = -0.75;
  for (int i = n - 1; i >= 0; --i)
    for (int k = to - 1; k >= from; --k)
      for (int j = n - 1; j >= 0; --j) {
        a_is[i][k] += w * c_adj[i][j] * b[j][k];
        b_is[j][k] += w * c_adj[i][j] * a[i][k];
        b_is[i][k] += w * c_adj[i][j] * a[j][k];
        a_is[j][k] += w * c_adj[i][j] * b[i][k];
        alpha_is += c_adj[i][j] * (a[i][k] * b[j][k] + b[i][k] * a[j][k]);
      }
  pairs_adjoint(n, from, to, c, a, b, w, c_adj, a_adj, b_adj, &alpha_adj);
  return differ(&a_adj[0][0], &a_is[0][0], N * M) +
         differ(&b_adj[0][0], &b_is[0][0], N * M) + differ(&alpha_adj, &alpha_is, 1);
}

int main(void) {
  int wrong = 0;
  const int sizes[] = {0, 1, 2, 7, 15, 16, 17, 33, M, -3};
  for (int n = 0; n < 10; ++n)
    for (int m = 0; m < 10; ++m) {
      wrong += products_wrong(sizes[n], sizes[m]);
      for (int from = 0; from < 9; ++from)
        wrong += pairs_wrong(sizes[n], sizes[from], sizes[m]);
    }
  if (wrong)
    printf("%d differ\n", wrong);
  return wrong != 0;
}
#endif
