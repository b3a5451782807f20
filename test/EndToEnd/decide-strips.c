// Loops that hand on values under a condition ask for it by strips, and do the
// same for all mixtures of answers, at all sizes, and where memory overlaps.
//
// RUN: rm -rf %t && mkdir %t
// RUN: %clang_raise rewrite --fp=strict %s -o %t/out.c -- -std=c11 -fopenmp
// RUN: sed "/CHECK/d" %t/out.c | FileCheck %s
// RUN: %clang -std=c11 -O2 -ffp-contract=off -fopenmp -Wall -Wextra -Werror -Wno-unknown-pragmas -DORIGINAL -c %s -o %t/original.o
// RUN: %clang -std=c11 -O3 %native -ffp-contract=off -fopenmp -Wall -Wextra -Werror -DMAIN %t/out.c %t/original.o -o %t/run
// RUN: %t/run
// RUN: %clang -std=c11 -O1 -g -ffp-contract=off -fopenmp -fsanitize=address,undefined -fno-sanitize-recover=all -DMAIN %t/out.c %t/original.o -o %t/run
// RUN: %t/run
// RUN: %gcc -std=c11 -O2 -ffp-contract=off -fopenmp -Wall -Wextra -Werror -DMAIN %t/out.c %t/original.o -o %t/run
// RUN: %t/run

#include <math.h>
#include <stddef.h>
#ifdef ORIGINAL
#define NAME(F) F##_original
#else
#define NAME(F) F
#endif

// CHECK-LABEL: // clang-raise: pack
// CHECK: #pragma omp simd reduction(+ : found)
// CHECK: if (found == 64) {
// CHECK-NEXT: #pragma omp simd
// CHECK-NEXT: for (int lane = 0; lane < 64; ++lane)
// CHECK-NEXT: x[k + lane] = y[i_strip + lane];
// CHECK: } else if (found > 0)
// CHECK-NEXT: break;
// CHECK-NEXT: i_from = i_strip + 64;
int NAME(pack)(double *x, const double *y, int n) {
  int k = 0;
  for (int i = 0; i < n; i++)
    if (y[i] > 0)
      x[k++] = y[i];
  return k;
}

// CHECK-LABEL: // clang-raise: expand
// CHECK: x[i_strip + lane] = y[k + lane];
int NAME(expand)(double *x, const double *y, int n) {
  int k = 0;
  for (int i = 0; i < n; i++)
    if (x[i] > 0)
      x[i] = y[k++];
  return k;
}

// CHECK-LABEL: // clang-raise: within
// CHECK: found += (y[i_strip + lane] > 0) & (y[i_strip + lane] < 2);
size_t NAME(within)(double *restrict x, const double *restrict y, size_t n) {
  size_t k = 0;
  for (size_t i = 0; i < n; i++)
    if (y[i] > 0 && y[i] < 2)
      x[k++] = (double)i;
  return k;
}

// CHECK-LABEL: // clang-raise: pairs
// CHECK: x[j + 2 * lane + 2] =
// CHECK: } else if (found == 0) {
// CHECK: x[j + lane + 1] =
int NAME(pairs)(double *x, const double *y, int n) {
  int j = -1;
  for (int i = 0; i < n; i++) {
    j++;
    x[j] = y[i] * 3;
    if (y[i] > 0) {
      j++;
      x[j] = y[i];
    }
  }
  return j + 1;
}

// CHECK-LABEL: // clang-raise: held
// CHECK: if (found == 64) {
// CHECK: s = y[i_strip + 63] * y[i_strip + 63];
double NAME(held)(double *restrict x, const double *restrict y, int n) {
  double s = 1.5;
  for (int i = 0; i < n; i++) {
    if (y[i] > 0)
      s = y[i] * y[i];
    x[i] = s * y[i] + 1;
  }
  return s;
}

// CHECK-LABEL: // clang-raise: both
int NAME(both)(double *restrict x, const double *restrict y, int n) {
  int k = 0, m = n, i;
  for (i = 0; i < n; i++)
    if (y[i] > 0)
      x[k++] = y[i];
    else
      x[--m] = y[i];
  return k + i;
}

// Strips without a record are passed over: NaNs are records, as the original
// has it, and so is what follows one.
// CHECK-LABEL: // clang-raise: farthest
// CHECK: // inc = 1; else the original runs.
// CHECK: if (n >= 1025 && inc == 1) {
// CHECK: found += !(fabs(y[k + lane]) <= most);
// CHECK-NEXT: if (found > 0)
// CHECK-NEXT: break;
// CHECK-NEXT: k += 64;
int NAME(farthest)(double *most_of, const double *y, int n, int inc) {
  int k = n > 0 && inc < 0 ? (n - 1) * -inc : 0, at = 0;
  double most = n > 0 ? fabs(y[k]) : 0;
  k += inc;
  for (int i = 1; i < n; i++) {
    if (fabs(y[k]) <= most)
      goto next;
    at = i;
    most = fabs(y[k]);
  next:
    k += inc;
  }
  *most_of = most;
  return at;
}

// CHECK-LABEL: // clang-raise: records
// CHECK: found += d > m;
// CHECK-NEXT: }
// CHECK-NEXT: if (found > 0)
int NAME(records)(double *x, const double *y, int n) {
  int k = 0;
  double m = 1;
  for (int i = 0; i < n; i++) {
    const double d = y[i] - x[i];
    if (d > m) {
      m = d * 0.75;
      if (y[i] > 0)
        x[i + 1] = d;
      k = 2 * k + i % 3;
      k %= 1000;
    }
  }
  return k;
}

// Behind a record, its sum may overflow where the original's does not.
// CHECK-NOT: clang-raise: reset
int NAME(reset)(const int *y, int n) {
  int m = 0;
  for (int i = 0; i < n; i++)
    if (y[i] + m > 0)
      m = m / 2 - y[i];
  return m;
}

// What is kept lies where it will be asked about.
// CHECK-NOT: clang-raise: compact
int NAME(compact)(double *x, int n) {
  int k = 0;
  for (int i = 0; i < n; i++)
    if (x[i] > 0)
      x[k++] = x[i];
  return k;
}

#ifdef MAIN
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int pack_original(double *, const double *, int);
int expand_original(double *, const double *, int);
size_t within_original(double *, const double *, size_t);
int pairs_original(double *, const double *, int);
double held_original(double *, const double *, int);
int both_original(double *, const double *, int);
int compact_original(double *, int);
int farthest_original(double *, const double *, int, int);
int records_original(double *, const double *, int);
int reset_original(const int *, int);

enum { Most = 4200 };
static double y[Most], old[3 * Most], now[3 * Most];
static unsigned Wrong;

static unsigned random_number(void) {
  static unsigned long long S = 88172645463325252;
  S ^= S << 13, S ^= S >> 7, S ^= S << 17;
  return (unsigned)(S >> 20);
}

// All, none, some; long stretches of all and of none, with some between them;
// NaNs, zeros of both signs, infinities.
static void fill(double *x, int n, int kind) {
  const double special[] = {NAN, -0.0, 0.0, INFINITY, -INFINITY, 2};
  for (int i = 0; i < n; ++i) {
    const unsigned R = random_number();
    const int On = kind == 0   ? 1
                   : kind == 1 ? 0
                   : kind == 2 ? R % 2
                   : kind == 3 ? R % 50 == 0
                   : kind == 4 ? R % 50 != 0
                   : kind == 7 ? i / 1400 % 2 == 0 || (i % 1400 < 90 && R % 2)
                               : i / 64 % 3 == 0 || (i / 64 % 3 == 1 && R % 2);
    x[i] = kind == 8 ? i / 300 : (On ? 1 : -1) * (1 + R % 7 / 4.0);
    if (kind == 6 && R % 3 == 0)
      x[i] = special[R / 8 % 6];
  }
}

// Elements that the original stores to, and no more, are there.
static double *exact(const double *from, size_t n) {
  double *x = malloc(n * sizeof *x + !n);
  memcpy(x, from, n * sizeof *x);
  return x;
}
static void compare(const double *a, const double *b, size_t n) {
  Wrong += n && memcmp(a, b, n * sizeof *a) != 0;
}

#define OUT(F, N, LEN)                                                         \
  do {                                                                         \
    fill(old, 3 * Most, 2);                                                    \
    memcpy(now, old, sizeof old);                                              \
    const double Ends = (double)F##_original(old, y, N);                       \
    const size_t Length = LEN;                                                 \
    double *x = exact(now, Length), *in = exact(y, (size_t)n);                 \
    Wrong += (double)F(x, in, N) != Ends;                                      \
    compare(x, old, Length);                                                   \
    free(x), free(in);                                                         \
  } while (0)

static void check(int n, int kind) {
  fill(y, n, kind);
  OUT(pack, n, (size_t)Ends);
  OUT(within, (size_t)n, (size_t)Ends);
  OUT(pairs, n, (size_t)Ends);
  OUT(held, n, (size_t)n);
  OUT(both, n, (size_t)n);
  OUT(records, n, (size_t)n + 1);
  for (int inc = -2; inc <= 2; ++inc) {
    const int Step = inc < 0 ? -inc : inc;
    const size_t Length = n > 0 ? (size_t)(n - 1) * (size_t)Step + 1 : 0;
    if (Length > Most)
      continue;
    double *in = exact(y, Length), Now, Then;
    Wrong += farthest(&Now, in, n, inc) != farthest_original(&Then, in, n, inc);
    compare(&Now, &Then, 1);
    free(in);
  }
  // The source of an expansion holds what is taken.
  memcpy(now, y, sizeof y);
  memcpy(old, y, sizeof y);
  static double z[Most];
  fill(z, Most, 2);
  const int Taken = expand_original(old, z, n);
  double *x = exact(now, (size_t)n), *from = exact(z, (size_t)Taken);
  Wrong += expand(x, from, n) != Taken;
  compare(x, old, (size_t)n);
  free(x), free(from);
  // Overlapping.
  for (int By = -70; By <= 70; By += 7) {
    fill(old, 3 * Most, kind);
    memcpy(now, old, sizeof old);
    Wrong += pack(now + 100 + By, now + 100, n) !=
             pack_original(old + 100 + By, old + 100, n);
    compare(now, old, 3 * Most);
    Wrong += expand(now + 100 + By, now + 100, n) !=
             expand_original(old + 100 + By, old + 100, n);
    compare(now, old, 3 * Most);
    Wrong += pairs(now + 100 + By, now + 100, n) !=
             pairs_original(old + 100 + By, old + 100, n);
    compare(now, old, 3 * Most);
  }
  Wrong += compact(now, n) != compact_original(old, n);
  compare(now, old, 3 * Most);
}

int main(void) {
  const int sizes[] = {0, 1, 63, 64, 65, 257, 640, 1023, 1024, 1025, 2047, 2048, 4190};
  for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; ++i)
    for (int kind = 0; kind < 9; ++kind)
      check(sizes[i], kind);
  printf("%u differ\n", Wrong);
  return Wrong != 0;
}
#endif
