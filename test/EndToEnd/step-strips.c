// Loops whose statements take values from further down, in the iteration
// before, statement by statement in strips. The same bits, under strict too, at
// sizes around those of a strip, from below 0 up, with one thread and three,
// and where arrays overlap.
//
// RUN: rm -rf %t && mkdir %t
// RUN: printf 'machine:\n  parallel-work: 1\n' > %t/config
// RUN: %clang_raise rewrite --fp=strict %s -o %t/out.c -- -O2 -fopenmp
// RUN: FileCheck %s < %t/out.c
// RUN: %clang_raise rewrite --config=%t/config %s -o %t/eager.c -- -O2 -fopenmp
// RUN: %clang -O2 -ffp-contract=off -fopenmp -Wall -Wextra -Werror -DORIGINAL -c %s -o %t/original.o
// RUN: %clang -O0 -fopenmp -Wall -Wextra -Werror -DMAIN %t/out.c %t/original.o -o %t/run && %t/run
// RUN: %clang -O3 %native -ffp-contract=off -fopenmp -Wall -Wextra -Werror -DMAIN %t/out.c %t/original.o -o %t/run && %t/run
// RUN: %clang -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -ffp-contract=off -fopenmp -Wall -Wextra -Werror -Wno-pass-failed -DMAIN %t/eager.c %t/original.o -o %t/run
// RUN: env OMP_NUM_THREADS=1 %t/run
// RUN: env OMP_NUM_THREADS=3 %t/run
// RUN: %gcc -O2 -ffp-contract=off -fopenmp -Wall -Wextra -Werror -DMAIN %t/out.c %t/original.o -o %t/run && %t/run
// RUN: %gcc -O3 -ffp-contract=off -fopenmp -Wall -Wextra -Werror -DMAIN %t/eager.c %t/original.o -o %t/run
// RUN: env OMP_NUM_THREADS=3 %t/run
// RUN: %clang_raise rewrite --verify --require-verified %s -o %t/verified.c -- -O2 -fopenmp

#ifdef ORIGINAL
#define NAME(F) F##_original
#else
#define NAME(F) F
#endif

// The second statement reads ahead, so it is vector code without a pragma.
// CHECK-LABEL: // clang-raise: arrays:
// CHECK: // The statements of a strip run one after the other, each behind
// CHECK: if (n >= 130 &&
// CHECK: const int i_rest = n - 1 - (n - 1 - 1) % 64;
// CHECK-NEXT: for (int i_strip = 1; i_strip < i_rest; i_strip += 64) {
// CHECK-NEXT: for (int lane = 0; lane < 64; ++lane)
// CHECK-NEXT: b[i_strip + lane] =
// CHECK-NEXT: b[i_strip + 1 + lane] - c[i_strip + lane] * c[i_strip + lane];
// CHECK-NEXT: #pragma omp simd
// CHECK-NEXT: for (int lane = 0; lane < 64; ++lane)
// CHECK-NEXT: a[i_strip + lane] = b[i_strip - 1 + lane] + c[i_strip + lane];
// CHECK: for (int i = i_rest; i < n - 1; ++i) {
void NAME(arrays)(float *a, float *b, const float *c, int n) {
  for (int i = 1; i < n - 1; i++) {
    a[i] = b[i - 1] + c[i];
    b[i] = b[i + 1] - c[i] * c[i];
  }
}

// CHECK-LABEL: // clang-raise: scalar:
// CHECK: double s_strip[65];
// CHECK-NEXT: s_strip[0] = s;
// CHECK: s_strip[lane + 1] = b[i_strip + lane] + c[i_strip + lane];
// CHECK: s = s_strip[64];
double NAME(scalar)(double *a, double *b, const double *c, long n) {
  double s = 0;
  for (long i = 0; i < n; i++) {
    a[i] = s * c[i];
    s = b[i] + c[i];
    b[i] = a[i] + c[i];
  }
  return s;
}

// Three in a row, and what a point computes for two of them.
// CHECK-LABEL: // clang-raise: chain:
// CHECK: float t_strip[64];
float NAME(chain)(float *a, float *b, float *c, int n) {
  float s = 1;
  for (int i = 2; i < n; i++) {
    a[i] = b[i - 2] * 0.5f;
    const float t = c[i] * c[i];
    b[i] = s - t;
    s = t + 0.25f;
    c[i] = 3;
  }
  return s;
}

// Rows of a table, each in its strips.
// CHECK-LABEL: // clang-raise: rows:
// CHECK: #pragma omp parallel for
// CHECK: b[j * n + i_strip + lane] = b[j * n + i_strip + lane] + 1;
// CHECK: // clang-raise: end
void NAME(rows)(float *a, float *b, int m, int n) {
  for (int j = 0; j < m; j++)
    for (int i = 1; i < n; i++) {
      a[j * n + i] = b[j * n + i - 1] * 2;
      b[j * n + i] = b[j * n + i] + 1;
    }
}

// Each takes from the other; a value that is there before its use; integers.
// CHECK-NOT: _strip
// CHECK: #ifdef MAIN
float NAME(ordered)(float *a, float *b, int *h, int n) {
  float s = 0;
  int k = 0;
  for (int i = 1; i < n; i++) {
    a[i] = b[i - 1] * 0.5f;
    b[i] = a[i] + 1;
  }
  for (int i = 0; i < n; i++) {
    const float t = b[i];
    b[i] = (t + s) * 0.5f;
    s = t;
  }
  for (int i = 0; i < n; i++) {
    a[i] = (float)k;
    k = h[i];
    h[i] = 3;
  }
  return s + (float)k;
}

#ifdef MAIN
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void arrays_original(float *a, float *b, const float *c, int n);
double scalar_original(double *a, double *b, const double *c, long n);
float chain_original(float *a, float *b, float *c, int n);
void rows_original(float *a, float *b, int m, int n);
float ordered_original(float *a, float *b, int *h, int n);

static int bad;
static void compare(const void *a, const void *b, size_t size, const char *what,
                    int n) {
  if (memcmp(a, b, size)) {
    printf("%s differs at %d\n", what, n);
    bad = 1;
  }
}

#define FILL(T)                                                                \
  const size_t size = (size_t)(n > 0 ? n : 0) * 4 + 100;                       \
  T *a = malloc(size * sizeof(T)), *b = malloc(size * sizeof(T));              \
  for (size_t k = 0; k < size; ++k)                                            \
    a[k] = b[k] = (T)(k * k % 101) * (T)0.37 - 17;

#define END(T, What)                                                           \
  compare(a, b, size * sizeof(T), What, n);                                    \
  free(a);                                                                     \
  free(b);

static void check(int n) {
  // Apart, one element behind, one ahead, the same: of both of the others.
  const int far = n > 0 ? n + 8 : 8;
  const int shifts[][2] = {{far, 2 * far}, {1, 2 * far}, {-1, far},
                           {far, 1},       {far, far + 1}, {far, far - 1},
                           {0, far},       {far, 0},     {1, -1}};
  for (size_t k = 0; k < (n < 1000 ? sizeof shifts / sizeof *shifts : 1); ++k) {
    const int to = 4 + shifts[k][0], on = 4 + shifts[k][1];
    {
      FILL(float)
      arrays(a + 4, a + to, a + on, n);
      arrays_original(b + 4, b + to, b + on, n);
      END(float, "arrays")
    }
    {
      FILL(double)
      const double r = scalar(a + 4, a + to, a + on, n),
                   s = scalar_original(b + 4, b + to, b + on, n);
      compare(&r, &s, sizeof r, "what is left", n);
      END(double, "scalar")
    }
    {
      FILL(float)
      const float r = chain(a + 4, a + to, a + on, n),
                  s = chain_original(b + 4, b + to, b + on, n);
      compare(&r, &s, sizeof r, "what is left of the chain", n);
      END(float, "chain")
    }
    {
      FILL(float)
      rows(a + 4, a + to, 2, n / 2);
      rows_original(b + 4, b + to, 2, n / 2);
      END(float, "rows")
    }
  }
  FILL(float)
  int *g = calloc(size, sizeof(int)), *h = calloc(size, sizeof(int));
  const float r = ordered(a, a + far, g, n),
              s = ordered_original(b, b + far, h, n);
  compare(&r, &s, sizeof r, "what is left in order", n);
  free(g);
  free(h);
  END(float, "ordered")
}

int main(void) {
  const int sizes[] = {-3,  0,   1,   2,   3,   17,  63,  64,  65,  127, 128,
                       129, 130, 131, 132, 133, 191, 192, 193, 194, 195, 258,
                       259, 260, 500, 513, 514, 200001};
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; ++k)
    check(sizes[k]);
  return bad;
}
#endif
