// Iterations that meet in elements of a small array, and only update them: each
// thread has an array of its own.
// RUN: printf 'machine:\n  parallel-work: 1\n' > %t.cfg
// RUN: %clang_raise rewrite %s --fp=strict --config=%t.cfg -o %t.c -- -fopenmp -O2 2>%t.err
// RUN: FileCheck --check-prefix=REMARK %s < %t.err
// RUN: FileCheck %s < %t.c
// RUN: clang-19 -O2 -ffp-contract=off -fopenmp -Wall -Wextra -Werror %t.c -o %t && env OMP_NUM_THREADS=4 %t > %t.raised
// RUN: env OMP_NUM_THREADS=1 %t > %t.one
// RUN: clang-19 -O2 -ffp-contract=off -Wall -Wextra %s -o %t && %t > %t.original
// RUN: diff %t.raised %t.original
// RUN: diff %t.one %t.original
// RUN: gcc -O2 -ffp-contract=off -fopenmp -Wall -Wextra -Werror %t.c -o %t && env OMP_NUM_THREADS=3 %t > %t.gcc
// RUN: diff %t.gcc %t.original
// RUN: clang-19 -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -fopenmp %t.c -o %t && %t > %t.checked
// RUN: diff %t.checked %t.original
#include <stdint.h>
#include <stdio.h>

int counts[256];
unsigned joint[16][8];
uint64_t bits[64];
int most[32];
double weights[64];
int large[20000];
volatile int seen[16];

// REMARK: histogram.c:[[#@LINE+2]]:{{.*}}raised to a histogram: counts[x[i]] += 1
void bytes(int n, const uint8_t *x) {
  for (int i = 0; i < n; ++i)
    counts[x[i]]++;
  // CHECK-LABEL: void bytes(
  // CHECK: {{^ *// }}Where the tests hold, iterations meet only in updates that commute.
  // CHECK: {{^ *}}#pragma omp parallel for reduction(+ : counts)
  // CHECK-NEXT: for (int i = 0; i < n; ++i)
  // CHECK-NEXT: {{^ *}}++counts[x[i]];
}

// Two dimensions, and another spelling.
void pairs(int n, const uint8_t *x, const uint8_t *y) {
  for (int i = 0; i < n; ++i)
    joint[x[i] >> 4][y[i] & 7] = joint[x[i] >> 4][y[i] & 7] + 3;
  // CHECK-LABEL: void pairs(
  // CHECK: {{^ *}}#pragma omp parallel for reduction(+ : joint)
}

void gathered(int n, const uint64_t *v, const uint8_t *x) {
  for (int i = 0; i < n; ++i)
    bits[x[i] % 64] |= v[i];
  // CHECK-LABEL: void gathered(
  // CHECK: {{^ *}}#pragma omp parallel for reduction(| : bits)
}

// An update that OpenMP has no atomic form of.
void largest(int n, const int *v, const uint8_t *x) {
  for (int i = 0; i < n; ++i)
    if (v[i] > most[x[i] & 31])
      most[x[i] & 31] = v[i];
  // CHECK-LABEL: void largest(
  // CHECK: {{^ *}}#pragma omp parallel for reduction(max : most)
}

// Rows of an image, and an array of the function's own.
int image(int rows, int columns, const uint8_t *x) {
  int own[16] = {0};
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < columns; ++c)
      if (x[r * columns + c] < 200)
        own[x[r * columns + c] & 15] -= c;
  int s = 0;
  for (int k = 0; k < 16; ++k)
    s += own[k] * (k + 1);
  return s;
  // CHECK-LABEL: int image(
  // CHECK: {{^ *}}#pragma omp parallel for reduction(+ : own)
  // CHECK-NEXT: for (int r = 0; r < rows; ++r)
}

// What the author has be atomic may be met by threads from elsewhere.
static void put(int at) {
#pragma omp atomic
  counts[at & 255] += 2;
}
void atomics(int n, const uint8_t *x) {
  for (int i = 0; i < n; ++i)
    put(x[i]);
  // CHECK-LABEL: void atomics(
  // CHECK: {{^ *}}#pragma omp parallel for{{$}}
  // CHECK: {{^ *}}#pragma omp atomic
}

// Each sum rounds.
// REMARK: histogram.c:[[#@LINE+2]]:{{.*}}not rewritten: its order is kept
void rounds(int n, const double *v, const uint8_t *x) {
  for (int i = 0; i < n; ++i)
    weights[x[i] & 63] += v[i];
  // CHECK-LABEL: void rounds(
  // CHECK-NOT: {{^ *}}#pragma
}

// CHECK-LABEL: int read(
// CHECK-NOT: {{^ *}}#pragma
int read(int n, const uint8_t *x) {
  int c = 0;
  for (int i = 0; i < n; ++i) {
    counts[x[i]]++;
    if (counts[x[i]] == 3)
      c++;
  }
  return c;
}

// CHECK-LABEL: void operators(
// CHECK-NOT: {{^ *}}#pragma
void operators(int n, const uint8_t *x) {
  for (int i = 0; i < n; ++i) {
    counts[x[i]] += 2;
    counts[x[i] ^ 1] ^= 1;
  }
}

// More than a thread's stack should hold; and what must not be copied.
// CHECK-LABEL: void others(
// CHECK-NOT: {{^ *}}#pragma
void others(int n, const uint8_t *x) {
  for (int i = 0; i < n; ++i)
    large[x[i] * 70]++;
  for (int i = 0; i < n; ++i)
    seen[x[i] & 15]++;
}

// CHECK-LABEL: int main(
enum { N = 5000 };
static uint8_t x[N], y[N];
static uint64_t v[N];
static int w[N];
static double d[N];
static unsigned hash;
static void mix(const void *data, unsigned size) {
  for (unsigned i = 0; i < size; ++i)
    hash = hash * 31 + ((const uint8_t *)data)[i];
}

int main(void) {
  unsigned next = 7;
  for (int i = 0; i < N; ++i) {
    next = next * 1103515245u + 12345u;
    x[i] = next >> 16;
    y[i] = i % 7 ? x[i] : 9;
    v[i] = 1ull << (next >> 20 & 63);
    w[i] = (int)(next >> 3) - 50000000;
    d[i] = x[i] * 0.37;
  }
  const int sizes[] = {-1, 0, 1, 2, 63, N};
  for (int k = 0; k < 6; ++k) {
    const int n = sizes[k];
    bytes(n, x);
    // What is counted is the counts.
    bytes(n > 1024 ? 1024 : n, (const uint8_t *)counts);
    pairs(n, x, y);
    gathered(n, v, y);
    largest(n, w, x);
    largest(n > 32 ? 32 : n, most, x);
    rounds(n, d, x);
    atomics(n, y);
    printf("%d %d\n", image(n > 50 ? 50 : n, 90, x), read(n, y));
    operators(n, x);
    others(n, y);
    hash = 0;
    mix(counts, sizeof counts);
    mix(joint, sizeof joint);
    mix(bits, sizeof bits);
    mix(most, sizeof most);
    mix(large, sizeof large);
    printf("%u %d %.17g\n", hash, seen[9], weights[9]);
  }
}
