// Neighbouring loops over one range become one where no two points of that have
// anything to do with one another: the same elements, bit by bit, whatever
// overlaps; and sums from strips of what was stored.
//
// RUN: rm -rf %t && mkdir %t
// RUN: printf 'machine:\n  parallel-work: 1\n' > %t/eager.cfg
// RUN: %clang_raise rewrite --config=%t/eager.cfg %s -o %t/out.c --json=%t/out.json -- -std=c11 -fopenmp
// RUN: sed "/CHECK/d" %t/out.c | FileCheck %s
// RUN: %clang -std=c11 -O2 -ffp-contract=off -fopenmp -Wall -Wextra -Werror -Wno-unknown-pragmas -DORIGINAL -c %s -o %t/original.o
// RUN: %clang -std=c11 -O3 %native -ffp-contract=off -fopenmp -Wall -Wextra -Werror -DMAIN %t/out.c %t/original.o -o %t/run
// RUN: env OMP_NUM_THREADS=1 %t/run
// RUN: env OMP_NUM_THREADS=4 %t/run
// RUN: %gcc -std=c11 -O2 -ffp-contract=off -fopenmp -Wall -Wextra -Werror -DMAIN %t/out.c %t/original.o -o %t/run
// RUN: env OMP_NUM_THREADS=4 %t/run
// RUN: %clang_raise rewrite --verify --require-verified --function=chain --function=distance %s -o %t/verified.c -- -std=c11 -fopenmp
//
// Each loop of the source has its result.
// RUN: FileCheck --check-prefix=JSON %s < %t/out.json
// JSON-COUNT-2: "function": "chain"
// JSON-NOT: "function": "chain"
//
// With every rounding as written, a sum keeps its order, and its own loop.
// RUN: %clang_raise rewrite --fp=strict --function=distance %s -o %t/strict.c -- -std=c11 -fopenmp
// RUN: sed "/STRICT/d;/CHECK/d" %t/strict.c | FileCheck --check-prefix=STRICT %s
// STRICT-NOT: One loop for
//
// Without OpenMP all stays.
// RUN: %clang_raise rewrite --function=chain %s -o - -- -std=c11 2>/dev/null | diff %s -

#ifdef ORIGINAL
#define NAME(F) F##_original
#else
#define NAME(F) F
#endif

// CHECK-LABEL: // clang-raise: chain:1
// CHECK: // One loop for 2 of the source.
// CHECK: #pragma omp parallel for simd
// CHECK-NEXT: for (int i = 0; i < n; ++i) {
// CHECK-NEXT: const double t_i = a[i] * b[i];
// CHECK-NEXT: t[i] = t_i;
// CHECK-NEXT: c[i] = t_i + d[i];
// CHECK-NEXT: }
// CHECK-NEXT: } else {
// CHECK-NEXT: for (int i = 0; i < n; ++i)
// CHECK-NEXT: t[i] = a[i] * b[i];
// CHECK-NEXT: // Behind it.
// CHECK-NEXT: for (int j = 0; j < n; ++j)
// CHECK-NEXT: c[j] = t[j] + d[j];
// CHECK-NEXT: }
void NAME(chain)(int n, const double *a, const double *b, double *t, double *c,
                 const double *d) {
  for (int i = 0; i < n; ++i)
    t[i] = a[i] * b[i];
  // Behind it.
  for (int j = 0; j < n; ++j)
    c[j] = t[j] + d[j];
}

// Counters and scalars that the function declares.
// CHECK-LABEL: // clang-raise: outside:1
// CHECK: // One loop for 3 of the source.
// CHECK: const double c_i =
// CHECK-NOT: clang-raise: outside:2
void NAME(outside)(int n, const double *restrict a, double *restrict t,
                   double *restrict c, double *restrict d) {
  int i;
  double x;
  for (i = 1; i < n; ++i) {
    x = a[i] * 2;
    t[i] = x * a[i - 1];
  }
  for (i = 1; i < n; i++) {
    x = t[i] + 1;
    c[i] = x * x;
  }
  for (i = 1; i < n; ++i) {
    x = t[i] - c[i];
    d[i] = x / (c[i] + 1);
  }
}

// CHECK-LABEL: // clang-raise: rows:1
// CHECK: // One loop for 2 of the source.
// CHECK: #pragma omp simd
// CHECK-NEXT: for (int j = 0; j < m; ++j) {
void NAME(rows)(int n, int m, double a[n][m], double b[n][m], double c[n][m]) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < m; ++j)
      b[i][j] = a[i][j] * 2;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < m; ++j)
      c[i][j] += b[i][j];
}

// CHECK-LABEL: // clang-raise: distance:1
// CHECK: // One loop for 2 of the source.
// CHECK: #pragma omp parallel for reduction(+ : s)
// CHECK: i_strip += 1024
// CHECK: #pragma omp simd
// CHECK-NEXT: for (int i = i_strip; i < i_end; ++i)
// CHECK-NEXT: d[i] = a[i] - b[i];
// CHECK-NEXT: #pragma omp simd reduction(+ : s)
// CHECK: s += d[i] * d[i];
double NAME(distance)(int n, const double *a, const double *b, double *d) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    d[i] = a[i] - b[i];
  for (int i = 0; i < n; ++i)
    s += d[i] * d[i];
  return s;
}

// What later points of the first loop write, or read.
// CHECK-LABEL: NAME(ahead)
// CHECK: // clang-raise: ahead:1
// CHECK: // clang-raise: ahead:2
void NAME(ahead)(int n, const double *restrict a, double *restrict t,
                 double *restrict c) {
  for (int i = 0; i < n - 1; ++i)
    t[i] = a[i] * 2;
  for (int i = 0; i < n - 1; ++i)
    c[i] = t[i + 1] + a[i];
}
// CHECK-LABEL: NAME(overwrites)
// CHECK: // clang-raise: overwrites:1
// CHECK: // clang-raise: overwrites:2
void NAME(overwrites)(int n, double *restrict a, double *restrict t) {
  for (int i = 0; i < n - 1; ++i)
    t[i] = a[i + 1] * 2;
  for (int i = 0; i < n - 1; ++i)
    a[i] = t[i];
}

// A scalar that goes from one loop to the next.
// CHECK-LABEL: NAME(handed)
// CHECK-NOT: One loop for
double NAME(handed)(int n, const double *restrict a, double *restrict t) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += a[i];
  for (int i = 0; i < n; ++i)
    t[i] = a[i] - s;
  return s;
}

// A directive of the preprocessor stands between the two, and a statement.
// CHECK-LABEL: NAME(between)
// CHECK: // clang-raise: between:1
// CHECK: #ifdef UNLIKELY
// CHECK: // clang-raise: between:2
// CHECK: (void)a;
// CHECK: // clang-raise: between:3
void NAME(between)(int n, double *restrict a, double *restrict t) {
  for (int i = 0; i < n; ++i)
    t[i] = a[i] * 2;
#ifdef UNLIKELY
  n -= 1;
#endif
  for (int i = 0; i < n; ++i)
    a[i] = t[i] + a[i];
  (void)a;
  for (int i = 0; i < n; ++i)
    t[i] = t[i] - a[i];
}
// CHECK-LABEL: #ifdef MAIN

#ifdef MAIN
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
void chain_original(int, const double *, const double *, double *, double *,
                    const double *);
void outside_original(int, const double *restrict, double *restrict,
                      double *restrict, double *restrict);
void rows_original(int n, int m, double a[n][m], double b[n][m],
                   double c[n][m]);
double distance_original(int, const double *, const double *, double *);
void ahead_original(int, const double *restrict, double *restrict,
                    double *restrict);
void overwrites_original(int, double *restrict, double *restrict);
double handed_original(int, const double *restrict, double *restrict);
void between_original(int, double *restrict, double *restrict);

enum { Size = 5000, Total = 5 * Size };
static double Mine[Total], Theirs[Total];
static int Failures;

static void fill(void) {
  for (int i = 0; i < Total; ++i) {
    const int Kind = rand() % 40;
    Mine[i] = Kind == 0 ? -0.0 : Kind == 1 ? INFINITY : rand() / 1e8 - 10;
  }
  memcpy(Theirs, Mine, sizeof Mine);
}
static int same(double x, double y) {
  return memcmp(&x, &y, sizeof x) == 0 || (x != x && y != y);
}
static void compare(const char *What, int n) {
  for (int i = 0; i < Total; ++i)
    if (!same(Mine[i], Theirs[i])) {
      printf("%s, %d: element %d is %g and not %g\n", What, n, i, Mine[i],
             Theirs[i]);
      ++Failures;
      return;
    }
}

/// All calls for arrays that begin at these places.
static void all(int n, int a, int b, int t, int c, int d) {
  fill();
  chain(n, Mine + a, Mine + b, Mine + t, Mine + c, Mine + d);
  chain_original(n, Theirs + a, Theirs + b, Theirs + t, Theirs + c, Theirs + d);
  compare("chain", n);
  fill();
  for (int i = 0; i < Total; ++i)
    Mine[i] = Theirs[i] = isinf(Mine[i]) ? 1 : Mine[i];
  const double s = distance(n, Mine + a, Mine + b, Mine + d);
  const double r = distance_original(n, Theirs + a, Theirs + b, Theirs + d);
  compare("distance", n);
  if (!(fabs(s - r) <= 1e-9 * fabs(r))) {
    printf("distance, %d: %g and not %g\n", n, s, r);
    ++Failures;
  }
}

static void apart(int n) {
  fill();
  outside(n, Mine, Mine + Size, Mine + 2 * Size, Mine + 3 * Size);
  outside_original(n, Theirs, Theirs + Size, Theirs + 2 * Size,
                   Theirs + 3 * Size);
  compare("outside", n);
  fill();
  ahead(n, Mine, Mine + Size, Mine + 2 * Size);
  ahead_original(n, Theirs, Theirs + Size, Theirs + 2 * Size);
  compare("ahead", n);
  fill();
  overwrites(n, Mine, Mine + Size);
  overwrites_original(n, Theirs, Theirs + Size);
  compare("overwrites", n);
  fill();
  between(n, Mine, Mine + Size);
  between_original(n, Theirs, Theirs + Size);
  compare("between", n);
  const int m = n / 50;
  if (m < 1)
    return;
  fill();
  rows(50, m, (void *)Mine, (void *)(Mine + Size), (void *)(Mine + 2 * Size));
  rows_original(50, m, (void *)Theirs, (void *)(Theirs + Size),
                (void *)(Theirs + 2 * Size));
  compare("rows", n);
}

int main(void) {
  static const int Sizes[] = {-7,   0,    1,    2,    3,    17,  1000,
                              1023, 1024, 1025, 2047, 3000, 4999};
  for (unsigned k = 0; k < sizeof Sizes / sizeof *Sizes; ++k) {
    const int n = Sizes[k];
    all(n, 0, Size, 2 * Size, 3 * Size, 4 * Size);
    all(n, 0, 0, Size, 2 * Size, 0);
    all(n, 0, Size, 2 * Size, 0, 0);                // c is a, and d
    all(n, 0, Size, 1, 3 * Size, 4 * Size);         // t is a, one further
    all(n, 1, Size, 2 * Size, 0, 4 * Size);         // c is a, one before
    all(n, 0, Size, 2 * Size, 2 * Size + 1, 3);     // c is t, one further
    all(n, 0, Size, 2 * Size, 3 * Size + 3, 3 * Size);
    apart(n);
  }
  (void)handed;
  return Failures != 0;
}
#endif
