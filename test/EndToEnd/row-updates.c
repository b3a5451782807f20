// Rows that all iterations update, by pointers: each thread has one of its own.
// (The sums are of small whole numbers, so no order rounds them.)
// RUN: printf 'machine:\n  parallel-work: 1000\n' > %t.cfg
// RUN: %clang_raise rewrite %s --config=%t.cfg -o %t.c -- -fopenmp -O2 2>%t.err
// RUN: FileCheck --check-prefix=REMARK %s < %t.err
// RUN: sed '/CHECK/d' %t.c | FileCheck %s
// RUN: gcc -O2 -Wall -Wextra %s -o %t && %t > %t.original
// RUN: gcc -O2 -fopenmp -Wall -Wextra -Werror %t.c -o %t && env OMP_NUM_THREADS=3 %t > %t.raised
// RUN: diff %t.raised %t.original
// RUN: clang-19 -O2 -fopenmp -Wall -Wextra -Werror %t.c -o %t && env OMP_NUM_THREADS=4 %t > %t.raised
// RUN: diff %t.raised %t.original
// RUN: env OMP_NUM_THREADS=1 %t > %t.raised
// RUN: diff %t.raised %t.original
// RUN: clang-19 -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -fopenmp %t.c -o %t && %t > %t.raised
// RUN: diff %t.raised %t.original
// RUN: %clang_raise rewrite %s --config=%t.cfg --verify --function=columns --function=sumsOfRows --function=gradients -o %t.v.c -- -fopenmp -O2 2>%t.err
// RUN: FileCheck --check-prefix=VERIFIED %s < %t.err
// VERIFIED-COUNT-3: verification passed
// RUN: %clang_raise rewrite %s --fp=strict --function=columns --function=marks -o %t.s.c -- -fopenmp -O2 2>/dev/null
// RUN: FileCheck --check-prefix=STRICT %s < %t.s.c
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

// REMARK: row-updates.c:[[#@LINE+2]]:{{.*}}raised to a reduction: sums[i] += Σ_r x[r,i]
void columns(float *sums, const float *x, int n, int m) {
  for (int r = 0; r < n; ++r)
    for (int i = 0; i < m; ++i)
      sums[i] += x[r * m + i];
  // CHECK-LABEL: void columns(
  // CHECK: if ((n | m) >= 16 && (double)n * m > 1000 && m >= 1 && m <= 16384 &&
  // CHECK-NEXT: n >= 64 &&
  // CHECK: #pragma omp parallel for reduction(+ : sums[0 : m])
  // CHECK-NEXT: for (int r = 0; r < n; ++r) {
  // CHECK-NEXT: #pragma omp simd
  // CHECK-NEXT: for (int i = 0; i < m; ++i)
  // CHECK-NEXT: sums[i] += x[r * m + i];
  // Sums of floats keep their order.
  // STRICT-LABEL: void columns(
  // STRICT-NOT: reduction(
  // STRICT: void
}

// Another spelling, and two updates of one element.
void sumsOfRows(double y[], const double *a, const double *b, int n) {
  for (int r = 0; r < 100; ++r)
    for (int i = 0; i < n; ++i) {
      y[i] = y[i] + a[r * n + i];
      y[i] -= b[r * n + i];
    }
  // CHECK-LABEL: void sumsOfRows(
  // CHECK: #pragma omp parallel for reduction(+ : y[0 : n])
}

// As the weights' gradients of a layer, beside what each row stores.
void gradients(float *dx, float *dw, float *db, const float *dy,
               const float *x, int B, int T, int C) {
  for (int b = 0; b < B; ++b)
    for (int t = 0; t < T; ++t) {
      const float *dy_row = dy + (b * T + t) * C;
      const float *x_row = x + (b * T + t) * C;
      float s = 0;
      for (int i = 0; i < C; ++i)
        s += dy_row[i];
      for (int i = 0; i < C; ++i) {
        db[i] += dy_row[i];
        dw[i] += x_row[i] * dy_row[i];
        dx[(b * T + t) * C + i] = dy_row[i] - s;
      }
    }
  // CHECK-LABEL: void gradients(
  // CHECK: B >= 1 && T >= 1 &&
  // CHECK-NEXT: (long long)B * T >= 64
  // CHECK: #pragma omp parallel for collapse(2) reduction(+ : db[0 : C], dw[0 : C])
  // CHECK-NEXT: firstprivate(dx, dy, x, B, T, C)
  // CHECK: #pragma omp simd reduction(+ : s)
  // CHECK: #pragma omp simd
}

// Bits do not round. Some updates may be left out, if others are not.
void marks(uint32_t *restrict bits, const uint32_t *restrict x, int n) {
  for (int r = 0; r < n; ++r) {
    for (int i = 0; i < 16; ++i)
      bits[i] |= x[r] & i;
    for (int i = 1; i < 16; ++i)
      if (x[r] & 1)
        bits[i] |= 64;
  }
  // CHECK-LABEL: void marks(
  // CHECK: #pragma omp parallel for reduction(| : bits[0 : 16])
  // STRICT-LABEL: void marks(
  // STRICT: reduction(| : bits[0 : 16])
}

// Elements that no iteration may touch are nobody's to add a zero to.
// CHECK-LABEL: void sometimes(
// CHECK-NOT: reduction(+ : counts
// CHECK: {{^}}}
void sometimes(int *counts, const int *x, int n, int m) {
  for (int r = 0; r < n; ++r)
    for (int i = 0; i < m; ++i)
      if (x[r] == i)
        counts[i] += 1;
}

// CHECK-LABEL: void fromOne(
// CHECK-NOT: reduction(+ : counts
// CHECK: {{^}}}
void fromOne(int *counts, const int *x, int n, int m) {
  for (int r = 0; r < n; ++r)
    for (int i = 1; i < m; ++i)
      counts[i] += x[r];
}

// CHECK-LABEL: void everyOther(
// CHECK-NOT: reduction(+ : counts
// CHECK: {{^}}}
void everyOther(int *counts, const int *x, int n, int m) {
  for (int r = 0; r < n; ++r)
    for (int i = 0; i < m; i += 2)
      counts[i] += x[r];
}

// CHECK-LABEL: void ranges(
// CHECK-NOT: reduction(+ : counts
// CHECK: {{^}}}
void ranges(int *counts, const int *x, int n, int m) {
  for (int r = 0; r < n; ++r)
    for (int k = x[r]; k < 2; ++k)
      for (int i = 0; i < m; ++i)
        counts[i] += k;
}

// CHECK-LABEL: void readsRow(
// CHECK-NOT: reduction(+ : y
// CHECK: {{^}}}
void readsRow(int *y, const int *x, int n, int m) {
  for (int r = 0; r < n; ++r)
    for (int i = 0; i < m; ++i)
      y[i] += x[r] * y[0];
}

// CHECK-LABEL: void twoOperators(
// CHECK-NOT: reduction(
// CHECK: {{^}}}
void twoOperators(unsigned *y, const unsigned *x, int n, int m) {
  for (int r = 0; r < n; ++r) {
    for (int i = 0; i < m; ++i)
      y[i] += x[r];
    for (int i = 0; i < m; ++i)
      y[i] *= 3;
  }
}

// Two rows may be one: this is tested.
void twoRows(int *a, unsigned *b, const int *x, int n, int m) {
  for (int r = 0; r < n; ++r)
    for (int i = 0; i < m; ++i) {
      a[i] += x[r];
      b[i] ^= (unsigned)x[r] + (unsigned)i;
    }
  // CHECK-LABEL: void twoRows(
  // CHECK: a_end <= b_at
  // CHECK: reduction(+ : a[0 : m]) reduction(^ : b[0 : m])
}

static int *numbers(int n) {
  int *x = malloc(sizeof(int) * (n + 1));
  for (int i = 0; i < n; ++i)
    x[i] = (i * 7 + i / 5) % 11 - 4;
  return x;
}

static float *floats(int n) {
  float *x = malloc(sizeof(float) * (n + 1));
  for (int i = 0; i < n; ++i)
    x[i] = (float)((i * 7 + i / 5) % 11 - 4);
  return x;
}

static void print(const char *name, const int *x, int n) {
  unsigned h = 0;
  for (int i = 0; i < n; ++i)
    h = h * 31 + (unsigned)x[i];
  printf("%s %d %u\n", name, n, h);
}

static void printFloats(const char *name, const float *x, int n) {
  unsigned h = 0;
  for (int i = 0; i < n; ++i)
    h = h * 31 + (unsigned)(int)x[i];
  printf("%s %d %u\n", name, n, h);
}

int main(void) {
  const int rows[] = {0, 1, 63, 64, 200}, lengths[] = {0, 1, 7, 33, 17000};
  for (int a = 0; a < 5; ++a)
    for (int b = 0; b < 5; ++b) {
      const int n = rows[a], m = lengths[b];
      float *x = floats(n * m), *y = floats(m);
      columns(y, x, n, m);
      printFloats("columns", y, m);
      // The row lies in what is read, and every iteration reads it anew.
      columns(x + m / 2, x, n > 1 ? n - 1 : 0, m);
      printFloats("overlapping", x, n * m);
      int *k = numbers(n), *c = numbers(m);
      twoRows(c, (unsigned *)c, k, n, m);
      print("one row", c, m);
      fromOne(c, k, n, m);
      everyOther(c, k, n, m);
      ranges(c, k, n, m);
      readsRow(c, k, n % 3, m);
      twoOperators((unsigned *)c, (unsigned *)k, n, m);
      print("others", c, m);
      // No element is touched: there is none.
      sometimes(NULL, k, n, 0);
      marks((uint32_t *)c, (uint32_t *)k, m < 16 ? 0 : n);
      print("marks", c, m);
      free(x), free(y), free(k), free(c);
    }
  for (int b = 0; b < 3; ++b) {
    const int B = b * 5, T = 20, C = 37, N = B * T * C;
    float *dx = floats(N), *dw = floats(C), *db = floats(C), *dy = floats(N),
          *x = floats(N);
    gradients(dx, dw, db, dy, x, B, T, C);
    printFloats("dx", dx, N), printFloats("dw", dw, C),
        printFloats("db", db, C);
    free(dx), free(dw), free(db), free(dy), free(x);
  }
  double y[40], a[4000], d[4000];
  for (int i = 0; i < 4000; ++i)
    a[i] = i % 13, d[i] = i % 7;
  for (int i = 0; i < 40; ++i)
    y[i] = i;
  sumsOfRows(y, a, d, 40);
  for (int i = 0; i < 40; ++i)
    printf("%g ", y[i]);
  printf("\n");
  return 0;
}
