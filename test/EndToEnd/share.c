// What a point computes twice has a name, and what it stores twice is stored
// once: the same elements, bit by bit, whatever overlaps.
//
// RUN: rm -rf %t && mkdir %t
// RUN: printf 'machine:\n  parallel-work: 1\n' > %t/eager.cfg
// RUN: %clang_raise rewrite --config=%t/eager.cfg --verify %s -o %t/out.c -- -std=c11 -fopenmp
// RUN: sed "/CHECK/d" %t/out.c | FileCheck %s
// RUN: %clang -std=c11 -O2 -ffp-contract=off -fopenmp -Wall -Wextra -Werror -DORIGINAL -c %s -o %t/original.o
// RUN: %clang -std=c11 -O3 -ffp-contract=off -fopenmp -Wall -Wextra -Werror -DMAIN %t/out.c %t/original.o -lm -o %t/run
// RUN: env OMP_NUM_THREADS=1 %t/run
// RUN: env OMP_NUM_THREADS=3 %t/run
// RUN: %gcc -std=c11 -O2 -ffp-contract=off -fopenmp -Wall -Wextra -Werror -DMAIN %t/out.c %t/original.o -lm -o %t/run
// RUN: env OMP_NUM_THREADS=3 %t/run
#include <math.h>

#ifdef ORIGINAL
#define NAME(F) F##_original
#else
#define NAME(F) F
#endif

// CHECK-LABEL: // clang-raise: calls:1
// CHECK: const float exp_x = expf(x[i]);
// CHECK-NEXT: a[i] = exp_x + 1;
// CHECK-NEXT: b[i] = exp_x * 2;
void NAME(calls)(int n, float *a, float *b, const float *x) {
  for (int i = 0; i < n; ++i) {
    a[i] = expf(x[i]) + 1;
    b[i] = expf(x[i]) * 2;
  }
}

// The name is not one that the function has.
// CHECK-LABEL: // clang-raise: named:1
// CHECK: const float exp_x{{_?[0-9]+}} = expf(x[i]);
void NAME(named)(int n, float *a, float *b, const float *x, float exp_x) {
  for (int i = 0; i < n; ++i) {
    a[i] = expf(x[i]) + exp_x;
    b[i] = expf(x[i]) * exp_x;
  }
}

// CHECK-LABEL: // clang-raise: twice:1
// CHECK: // One loop for 2 of the source. Where the tests hold, no two iterations
// CHECK-NOT: No two iterations
// CHECK: #pragma omp parallel for simd
// CHECK-NEXT: for (int i = 0; i < n; ++i)
// CHECK-NEXT: a[i] = x[i] * x[i] + b[i];
void NAME(twice)(int n, float *a, const float *b, const float *x) {
  for (int i = 0; i < n; ++i)
    a[i] = b[i];
  for (int i = 0; i < n; ++i)
    a[i] = x[i] * x[i] + b[i];
}

#ifdef MAIN
#include <stdio.h>
#include <string.h>

void calls_original(int, float *, float *, const float *);
void named_original(int, float *, float *, const float *, float);
void twice_original(int, float *, const float *, const float *);

enum { Most = 700, Room = 3 * Most };
static float Found[Room], Expected[Room];

static void fill(int Seed) {
  for (int I = 0; I < Room; ++I)
    Found[I] = (float)((I * 37 + Seed * 11) % 101) / 16 - 3;
  Found[5] = NAN;
  Found[Most + 3] = -0.0f;
  Found[2 * Most + 1] = INFINITY;
  memcpy(Expected, Found, sizeof(Found));
}

static int check(const char *What, int N, int A, int B, int X) {
  if (!memcmp(Found, Expected, sizeof(Found)))
    return 0;
  printf("%s differs: %d points, %d %d %d\n", What, N, A, B, X);
  return 1;
}

int main(void) {
  static const int Starts[] = {0, 1, Most / 2, Most, 2 * Most};
  static const int Sizes[] = {-1, 0, 1, 2, 3, 17, 256, Most};
  enum { Places = sizeof(Starts) / sizeof(*Starts) };
  int Wrong = 0, Seed = 0;
  for (int S = 0; S < (int)(sizeof(Sizes) / sizeof(*Sizes)); ++S)
    for (int P = 0; P < Places * Places * Places; ++P) {
      const int N = Sizes[S], A = Starts[P % Places],
                B = Starts[P / Places % Places],
                X = Starts[P / Places / Places];
      fill(++Seed);
      calls(N, Found + A, Found + B, Found + X);
      calls_original(N, Expected + A, Expected + B, Expected + X);
      Wrong += check("calls", N, A, B, X);
      fill(Seed);
      named(N, Found + A, Found + B, Found + X, 0.5f);
      named_original(N, Expected + A, Expected + B, Expected + X, 0.5f);
      Wrong += check("named", N, A, B, X);
      fill(Seed);
      twice(N, Found + A, Found + B, Found + X);
      twice_original(N, Expected + A, Expected + B, Expected + X);
      Wrong += check("twice", N, A, B, X);
    }
  return Wrong != 0;
}
#endif
