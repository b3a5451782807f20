// Stores that are the same in every iteration are done once, before the rest,
// where nothing reads what was there before them.
// RUN: printf 'machine:\n  parallel-work: 1\n' > %t.cfg
// RUN: %clang_raise rewrite %s --fp=strict --config=%t.cfg -o %t.c -- -fopenmp -O2 2>%t.err
// RUN: FileCheck --check-prefix=REMARK %s < %t.err
// RUN: FileCheck %s < %t.c
// RUN: clang-19 -O2 -ffp-contract=off -fopenmp -Wall -Wextra -Werror %t.c -o %t && env OMP_NUM_THREADS=4 %t > %t.raised
// RUN: env OMP_NUM_THREADS=1 %t > %t.one
// RUN: clang-19 -O2 -ffp-contract=off -Wall -Wextra %s -o %t && %t > %t.original
// RUN: diff %t.raised %t.original
// RUN: diff %t.one %t.original
// RUN: clang-19 -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -fopenmp %t.c -o %t && %t > %t.checked
// RUN: diff %t.checked %t.original
#include <math.h>
#include <stdio.h>
#define N 60
double a[N], b[N], d[N], m[N][N], w[2 * N];

// REMARK: run-once.c:[[#@LINE+2]]:{{.*}}raised to a nest: a[j] = 1 - a[j-1]
void columns(int rows, int n) {
  for (int i = 0; i < rows; ++i)
    for (int j = 1; j < n; ++j) {
      a[j] = 1 - a[j - 1];
      m[j][i] = a[j] + m[j][i] * d[j];
    }
  // CHECK: {{^ *// }}What every iteration stores alike, to a,
  // CHECK: {{^ *}}for (int j = 1; j < n; ++j)
  // CHECK-NEXT: a[j] = 1 - a[j - 1];
  // CHECK: {{^ *}}#pragma omp parallel for
  // CHECK-NEXT: for (int j = 1; j < n; ++j)
}

// With the scalar and the tests that it needs, and pointers that may lead to
// one place.
// REMARK: run-once.c:[[#@LINE+2]]:{{.*}}raised to
void element(double *t, const double *x, double *y, int n, int k, double least) {
  for (int i = 0; i < n; ++i) {
    double v = x[k] * 3;
    if (v > least)
      t[k] = v;
    else
      t[k] = least;
    y[i] = t[k] * x[i];
  }
  // CHECK: {{^ *// }}What every iteration stores alike, to t,
  // CHECK: {{^ *}}#pragma omp parallel for simd
  // CHECK-NEXT: for (int i = 0; i < n; ++i)
  // CHECK-NEXT: {{^ *}}y[i] = t[k] * x[i];
}

// A running sum that starts anew in each iteration; the rest stores to the same
// array, elsewhere.
// REMARK: run-once.c:[[#@LINE+2]]:{{.*}}raised to
void sums(int n) {
  for (int i = 0; i < n; ++i) {
    double s = 0;
    for (int k = 0; k < 8; ++k) {
      s += d[k];
      w[k] = s;
    }
    w[i + 10] = w[3] - d[i];
  }
  // CHECK: {{^ *// }}What every iteration stores alike, to w,
}

// The first iteration reads what was there before.
// REMARK: run-once.c:[[#@LINE+2]]:{{.*}}not raised further: two iterations of 'i' write one element, 'b[j]'
void ahead(int n) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n - 1; ++j) {
      b[j] = d[j];
      m[i][j] = m[i][j] + b[j + 1];
    }
}

// A sum is another one in each iteration.
// REMARK: run-once.c:[[#@LINE+2]]:{{.*}}not raised further: the iterations of 'i' update one element, 'b[j]', one after the other
void again(int n) {
  for (int i = 0; i < n; ++i)
    for (int j = 1; j < n; ++j) {
      b[j] = b[j] * 0.5 + b[j - 1];
      m[j][i] = b[j];
    }
}

static void print(void) {
  double s = 0;
  for (int i = 0; i < N; ++i) {
    s = s * 0.75 + a[i] + 2 * b[i] + 3 * d[i] + 5 * w[i] + 7 * w[N + i];
    for (int j = 0; j < N; ++j)
      s += m[i][j] * (i - 0.5 * j);
  }
  printf("%a %d\n", s, signbit(a[2]));
}

int main(void) {
  for (int i = 0; i < N; ++i) {
    a[i] = i % 3;
    b[i] = 1.0 / (1 + i);
    d[i] = i % 7 - 3.5;
    for (int j = 0; j < N; ++j)
      m[i][j] = 1.0 / (1 + i + 2 * j);
  }
  static const int Sizes[] = {0, 1, 2, 3, 17, N};
  for (int r = 0; r < 6; ++r)
    for (int c = 0; c < 6; ++c) {
      columns(Sizes[r], Sizes[c]);
      print();
    }
  for (int r = 0; r < 6; ++r) {
    const int n = Sizes[r];
    element(a, d, b, n, 5, 0);
    element(a, d, b, n < N ? n : N - 1, 4, NAN);
    print();
    element(b + 3, b, b, n < 30 ? n : 30, 2, -1.5);
    element(b, d, w, n, 0, -0.0);
    print();
    sums(n < N - 12 ? n : N - 12);
    ahead(n);
    again(n);
    print();
  }
}
