// Running sums by strips. Of whole numbers, of which every sum is exact, the
// same bits as the loops leave, at sizes around those of a strip, from below 0
// up, with one thread and three, and where arrays overlap.
//
// RUN: rm -rf %t && mkdir %t
// RUN: printf 'machine:\n  parallel-work: 1\n' > %t/config
// RUN: %clang_raise rewrite %s -o %t/out.c -- -O2 -fopenmp
// RUN: sed "/CHECK/d" %t/out.c | FileCheck %s
// RUN: %clang_raise rewrite --fp=strict %s -o %t/strict.c -- -O2 -fopenmp
// RUN: not grep "for (int i_strip[ ]= " %t/strict.c
// RUN: %clang_raise rewrite --config=%t/config %s -o %t/eager.c -- -O2 -fopenmp
// RUN: %clang -O2 -fopenmp -Wall -Wextra -Werror -Wno-unknown-pragmas -DORIGINAL -c %s -o %t/original.o
// RUN: %clang -O0 -fopenmp -Wall -Wextra -Werror -DMAIN %t/out.c %t/original.o -o %t/run && %t/run
// RUN: %clang -O3 %native -ffp-contract=off -fopenmp -Wall -Wextra -Werror -DMAIN %t/out.c %t/original.o -o %t/run && %t/run
// RUN: %clang -O2 -fopenmp -Wall -Wextra -Werror -DMAIN %t/eager.c %t/original.o -o %t/run
// RUN: env OMP_NUM_THREADS=1 %t/run
// RUN: env OMP_NUM_THREADS=3 %t/run
// RUN: %gcc -O2 -fopenmp -Wall -Wextra -Werror -DMAIN %t/out.c %t/original.o -o %t/run && %t/run
// RUN: %gcc -O3 -fopenmp -Wall -Wextra -Werror -DMAIN %t/eager.c %t/original.o -o %t/run
// RUN: env OMP_NUM_THREADS=3 %t/run
// RUN: %clang_raise rewrite --verify --require-verified %s -o %t/verified.c -- -O2 -fopenmp

#ifdef ORIGINAL
#define NAME(F) F##_original
#else
#define NAME(F) F
#endif

// CHECK-LABEL: // clang-raise: sums:
// CHECK: // Each strip sums up for itself, and what came before it joins in the
// CHECK: if (n >= 256 &&
// CHECK: const int i_rest = n - n % 16;
// CHECK-NEXT: for (int i_strip{{ }}= 0; i_strip < i_rest; i_strip += 16) {
// CHECK-NEXT: float s_upto[16];
// CHECK-NEXT: float s_part = 0.0f;
// CHECK-NEXT: #pragma GCC unroll 16
// CHECK-NEXT: for (int lane = 0; lane < 16; ++lane) {
// CHECK-NEXT: s_part += x[i_strip + lane];
// CHECK-NEXT: s_upto[lane] = s_part;
// CHECK-NEXT: }
// CHECK-NEXT: #pragma omp simd
// CHECK-NEXT: for (int lane = 0; lane < 16; ++lane)
// CHECK-NEXT: y[i_strip + lane] = s + s_upto[lane];
// CHECK-NEXT: s += s_part;
// CHECK-NEXT: }
// CHECK-NEXT: for (int i = i_rest; i < n; ++i) {
float NAME(sums)(const float *x, float *y, int n) {
  float s = 0;
  for (int i = 0; i < n; i++) {
    s += x[i];
    y[i] = s;
  }
  return s;
}

// Several things are added: those of sixteen points in vectors, first.
// CHECK-LABEL: // clang-raise: terms:
// CHECK: float a_last = a[0];
// CHECK: #pragma omp simd
// CHECK-NEXT: for (int lane = 0; lane < 16; ++lane)
// CHECK-NEXT: a_upto[lane] = c + x[i_strip + lane] - 2 * x[i_strip + 1 + lane];
// CHECK-NEXT: #pragma GCC unroll 16
// CHECK-NEXT: for (int lane = 0; lane < 16; ++lane) {
// CHECK-NEXT: a_part += a_upto[lane];
// CHECK-NEXT: a_upto[lane] = a_part;
// CHECK: for (int i = i_rest; i < n; ++i) {
// CHECK-NEXT: a_last += c + x[i] - 2 * x[i + 1];
// CHECK-NEXT: a[i] = a_last;
void NAME(terms)(float *a, const float *x, float c, int n) {
  for (int i = 1; i < n; i++)
    a[i] = a[i - 1] + c + x[i] - 2 * x[i + 1];
}

// With what is stored for them, in one pass over the arrays.
// CHECK-LABEL: // clang-raise: stored:
// CHECK: for (int lane = 0; lane < 16; ++lane) {
// CHECK-NEXT: a[i_strip + lane] += x[i_strip + lane];
// CHECK-NEXT: y_upto[lane] = a[i_strip + lane] + x[i_strip + lane];
// CHECK: y[i_strip + lane] = y_last + y_upto[lane];
void NAME(stored)(float *a, float *y, const float *x, int n) {
  for (int i = 1; i < n; i++) {
    a[i] += x[i];
    y[i] = y[i - 1] + a[i] + x[i];
  }
}

// Through another array's element, whose place needs the sum before it.
// CHECK-LABEL: // clang-raise: through:
// CHECK: // What an iteration adds is added up first, so that the next one
// CHECK: double y_last = y[0];
// CHECK-NEXT: for (int i = 1; i < n; ++i) {
// CHECK-NEXT: a[i] = y_last + x[i];
// CHECK-NEXT: y_last += x[i] - 3;
// CHECK-NEXT: y[i] = y_last;
void NAME(through)(double *a, double *y, const double *x, int n) {
  for (int i = 1; i < n; i++) {
    a[i] = y[i - 1] + x[i];
    y[i] = a[i] - 3;
  }
}

// What was overwritten is not used again, nor what has stepped on since.
// CHECK-LABEL: NAME(itself)(
// CHECK-NOT: y_last
// CHECK: }
void NAME(itself)(double *a, double *y, const double *x, int n) {
  for (int i = 1; i < n; i++) {
    a[i] = y[i - 1] + a[i];
    y[i] = a[i] - x[i];
  }
}

double NAME(stepped)(double *restrict a, double *restrict y, const double *x, int n) {
  double s = 0, u = 1;
  for (int i = 1; i < n; i++) {
    a[i] = s + u;
    u = u + 1;
    s = a[i] - x[i];
    y[i] = s;
  }
  return s + u;
}

// CHECK-LABEL: // clang-raise: before:
// CHECK: y[i_strip + lane] = s - s_before[lane];
// CHECK-NEXT: s -= s_part;
double NAME(before)(const double *x, double *y, long lo, long hi) {
  double s = 3;
  for (long i = 2; i < hi; i++) {
    y[i] = s;
    s = s - x[i] + x[i - 1];
  }
  return s + (double)lo;
}

// CHECK-LABEL: // clang-raise: in_place:
// CHECK: float a_last = a[0];
// CHECK: a[i_strip + lane] = a_last + a_upto[lane];
float NAME(in_place)(float *a, float *unused, int n) {
  for (int i = 1; i < n; i++)
    a[i] += a[i - 1];
  return n > 0 ? a[0] : unused[0];
}

// The sum in a longer expression.
// CHECK-LABEL: // clang-raise: within:
// CHECK: s_part += x[i_strip + lane] * 2;
// CHECK: z[i_strip + lane] = x[i_strip + lane] * 3 + (s + s_upto[lane]);
float NAME(within)(float *__restrict z, const float *x, int n) {
  float s = 1;
  for (int i = 0; i < n; i++) {
    s += x[i] * 2;
    z[i] = x[i] * 3 + s;
  }
  return s;
}

// Each row under threads.
// CHECK-LABEL: // clang-raise: rows:
// CHECK: #pragma omp parallel for
// CHECK: s_part += x[j * n + i_strip + lane];
void NAME(rows)(const float *x, float *y, int m, int n) {
  for (int j = 0; j < m; j++) {
    float s = 0;
    for (int i = 0; i < n; i++) {
      s += x[j * n + i];
      y[j * n + i] = s;
    }
  }
}

// Of an even number of points, whole strips are all.
// CHECK-LABEL: // clang-raise: whole:
// CHECK-NOT: _rest
// CHECK: // clang-raise: end
static float from[32000], to[32000];
float NAME(whole)(void) {
  float sum = 0;
  for (int i = 0; i < 32000; i++) {
    sum += from[i];
    to[i] = sum;
  }
  return sum + to[31999];
}

// It sums up what it stored; sums of sums; a recurrence: in their order.
// CHECK-NOT: i_strip
float NAME(ordered)(float *y, float *z, int n) {
  float s = 0, t = 0;
  for (int i = 1; i < n; i++) {
    s += y[i - 1];
    y[i] = s * 0.5f;
  }
  for (int i = 0; i < n; i++) {
    s += 1;
    t += s;
    z[i] = t;
  }
  for (int i = 1; i < n; i++)
    z[i] = z[i - 1] * 0.5f + z[i];
  return s + t;
}

#ifdef MAIN
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

float sums_original(const float *x, float *y, int n);
double before_original(const double *x, double *y, long lo, long hi);
float in_place_original(float *a, float *unused, int n);
float within_original(float *z, const float *x, int n);
void rows_original(const float *x, float *y, int m, int n);
void terms_original(float *a, const float *x, float c, int n);
void stored_original(float *a, float *y, const float *x, int n);
void through_original(double *a, double *y, const double *x, int n);
void itself_original(double *a, double *y, const double *x, int n);
double stepped_original(double *restrict a, double *restrict y, const double *x, int n);

static int bad;
static void compare(const void *a, const void *b, size_t size, const char *what,
                    int n) {
  if (memcmp(a, b, size)) {
    printf("%s differs at %d\n", what, n);
    bad = 1;
  }
}

#define FILL(T)                                                                \
  const size_t size = (size_t)(n > 0 ? n : 0) * 6 + 100;                       \
  T *a = malloc(size * sizeof(T)), *b = malloc(size * sizeof(T));              \
  for (size_t k = 0; k < size; ++k)                                            \
    a[k] = b[k] = (T)((int)(k * k % 7) - 3);

#define END(T, What)                                                           \
  compare(a, b, size * sizeof(T), What, n);                                    \
  free(a);                                                                     \
  free(b);

static void check(int n) {
  // Apart, one element behind, one ahead, the same; values grow there.
  const int shifts[] = {n > 0 ? n + 8 : 8, 1, -1, 0};
  for (int k = 0; k < (n < 1000 ? 4 : 1); ++k) {
    const int at = 4 + shifts[k];
    {
      FILL(float)
      const float r = sums(a + 4, a + at, n), s = sums_original(b + 4, b + at, n);
      compare(&r, &s, sizeof r, "sum", n);
      END(float, "sums")
    }
    {
      FILL(double)
      const double r = before(a + 4, a + at, 0, n),
                   s = before_original(b + 4, b + at, 0, n);
      compare(&r, &s, sizeof r, "sum before", n);
      END(double, "before")
    }
    {
      FILL(float)
      rows(a + 4, a + at, 2, n / 2);
      rows_original(b + 4, b + at, 2, n / 2);
      END(float, "rows")
    }
  }
  // A row each, or one that begins in another.
  for (int k = 0; k < (n < 1000 ? 4 : 1); ++k) {
    const int row = n > 0 ? n + 2 : 2, second = k == 1 ? 1 : row,
              third = k == 2 ? row + 1 : k == 3 ? 0 : 2 * row;
    {
      FILL(float)
      terms(a, a + second, 2, n);
      terms_original(b, b + second, 2, n);
      END(float, "terms")
    }
    {
      FILL(float)
      stored(a, a + second, a + third, n);
      stored_original(b, b + second, b + third, n);
      END(float, "stored")
    }
    {
      FILL(double)
      through(a, a + second, a + third, n);
      through_original(b, b + second, b + third, n);
      END(double, "through")
    }
    {
      FILL(double)
      itself(a, a + second, a + third, n);
      itself_original(b, b + second, b + third, n);
      END(double, "itself")
    }
    if (!k) {
      FILL(double)
      const double r = stepped(a, a + second, a + third, n),
                   s = stepped_original(b, b + second, b + third, n);
      compare(&r, &s, sizeof r, "stepped", n);
      END(double, "stepped")
    }
  }
  {
    FILL(float)
    in_place(a, a, n);
    in_place_original(b, b, n);
    END(float, "in place")
  }
  {
    FILL(float)
    const int m = n > 0 ? n : 0;
    const float r = within(a, a + m, n),
                s = within_original(b, b + m, n);
    compare(&r, &s, sizeof r, "sum within", n);
    END(float, "within")
  }
}

int main(void) {
  const int sizes[] = {-3,  0,   1,   2,   17,  130, 255, 256, 257,
                       258, 259, 271, 272, 273, 512, 514, 515, 200001};
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; ++k)
    check(sizes[k]);
  for (int k = 0; k < 32000; ++k)
    from[k] = (float)(k % 5 - 2);
  if (whole() != to[31999] * 2)
    bad = 1;
  return bad;
}
#endif
