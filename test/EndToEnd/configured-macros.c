// What was proved is proved for the values that macros have under one compile
// command. Those that another command may set are tested, wherever they come
// in; those that the file defines for good are not.
//
// RUN: rm -rf %t && mkdir %t
// RUN: %clang_raise rewrite --fp=strict %s -o %t/out.c -- -std=c11 -fopenmp -DROWS=96 -DMANY='(20 * HALF)'
// RUN: sed "/CHECK/d" %t/out.c | FileCheck %s
// For these values and for others, smaller and larger: no element is touched
// that is not there.
// RUN: %clang -std=c11 -O2 -ffp-contract=off -Wall -Wextra -Werror -Wno-unknown-pragmas -DROWS=96 -DMANY='(20 * HALF)' -DORIGINAL -c %s -o %t/original.o
// RUN: %clang -std=c11 -O2 -ffp-contract=off -fopenmp -fsanitize=address,undefined -fno-sanitize-recover=all -Wno-pass-failed -Wall -Wextra -Werror -DROWS=96 -DMANY='(20 * HALF)' -DMAIN %t/out.c %t/original.o -o %t/run
// RUN: %t/run
// RUN: %clang -std=c11 -O2 -ffp-contract=off -Wall -Wextra -Werror -Wno-unknown-pragmas -DSIZE=1000 -DROWS=7 -DMANY=300 -DORIGINAL -c %s -o %t/original.o
// RUN: %clang -std=c11 -O2 -ffp-contract=off -fopenmp -fsanitize=address,undefined -fno-sanitize-recover=all -Wno-pass-failed -Wall -Wextra -Werror -DSIZE=1000 -DROWS=7 -DMANY=300 -DMAIN %t/out.c %t/original.o -o %t/run
// RUN: %t/run
// RUN: %gcc -std=c11 -O2 -ffp-contract=off -Wall -Wextra -Werror -Wno-unknown-pragmas -DSIZE=90001 -DROWS=200 -DMANY=3000 -DORIGINAL -c %s -o %t/original.o
// RUN: %gcc -std=c11 -O2 -ffp-contract=off -fopenmp -Wall -Wextra -Werror -DSIZE=90001 -DROWS=200 -DMANY=3000 -DMAIN %t/out.c %t/original.o -o %t/run
// RUN: %t/run

#ifndef SIZE
#define SIZE 32000
#endif
#define HALF 100
#define FIXED 4000
#define LAST (SIZE - 1)

#ifdef ORIGINAL
#define NAME(F) F##_original
extern float a[SIZE], b[SIZE], c[SIZE], fixed[FIXED], part[MANY], sums[MANY];
extern float fixed_sums[FIXED];
#else
#define NAME(F) F
float a[SIZE], b[SIZE], c[SIZE], fixed[FIXED], part[MANY], sums[MANY];
float fixed_sums[FIXED];
#endif

// CHECK-LABEL: // clang-raise: first
// CHECK: Tested: SIZE =
// CHECK: if (SIZE == 32000) {
int NAME(first)(float t) {
  for (int i = 0; i < SIZE; i++)
    if (a[i] > t)
      return i;
  return -1;
}

// The range names no macro, but the array does.
// CHECK-LABEL: // clang-raise: by_array
// CHECK: if ({{.*}}MANY == 2000
// CHECK-NOT: HALF ==
void NAME(by_array)(int n) {
  for (int i = 0; i < n; i++) {
    float s = 0;
    for (int j = 0; j < n; j++)
      s += 1 / (1 + part[i] * part[j]);
    sums[i] = s;
  }
}

// CHECK-LABEL: // clang-raise: unconfigured
// CHECK-NOT: FIXED ==
// CHECK-NOT: HALF ==
int NAME(unconfigured)(float t) {
  for (int i = 0; i < FIXED; i++)
    if (fixed[i] > t + HALF)
      return i;
  return -1;
}

// A macro in a macro of the file's own.
// CHECK-LABEL: // clang-raise: parts
// CHECK: if (SIZE == 32000) {
void NAME(parts)(void) {
  for (int i = 0; i < LAST; i++) {
    a[i] = a[i] * c[i];
    b[i] = b[i] + a[i + 1] * c[i];
  }
}

static inline float scaled(float x) { return x * ROWS; }

// A macro in a function that is called.
// CHECK-LABEL: // clang-raise: by_call
// CHECK: ROWS == 96
// CHECK-NOT: SIZE ==
void NAME(by_call)(void) {
  for (int i = 0; i < FIXED; i++) {
    float s = 0;
    for (int j = 0; j < FIXED; j++)
      s += scaled(fixed[i]) / (1 + fixed[j]);
    fixed_sums[i] = s;
  }
}
// CHECK-LABEL: clang-raise: end

#ifdef MAIN
#include <stdlib.h>
#include <string.h>
int first_original(float), unconfigured_original(float);
void by_array_original(int), by_call_original(void), parts_original(void);

static void fill(float *x, int n) {
  for (int i = 0; i < n; i++)
    x[i] = (float)((i * 7 + 3) % 1013) / 8;
}

int main(void) {
  fill(a, SIZE), fill(b, SIZE), fill(c, SIZE);
  fill(fixed, FIXED), fill(part, MANY);
  for (int k = 0; k < 300; k++) {
    const float t = (float)k;
    if (first(t) != first_original(t) ||
        unconfigured(t) != unconfigured_original(t))
      return 1;
  }
  static float was[MANY + FIXED];
  by_array(MANY), by_call();
  memcpy(was, sums, sizeof sums);
  memcpy(was + MANY, fixed_sums, sizeof fixed_sums);
  by_array_original(MANY), by_call_original();
  if (memcmp(was, sums, sizeof sums) ||
      memcmp(was + MANY, fixed_sums, sizeof fixed_sums))
    return 1;
  static float ours[2][SIZE];
  parts();
  memcpy(ours[0], a, sizeof a), memcpy(ours[1], b, sizeof b);
  fill(a, SIZE), fill(b, SIZE);
  parts_original();
  return memcmp(ours[0], a, sizeof a) || memcmp(ours[1], b, sizeof b);
}
#endif
