/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   What the programs share that run one form of a shipped kernel: `form SIZE`
   prints the seconds of a call, `form SIZE FILE` calls once and writes what was
   computed. C and C++. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { MOST_CALLS = 1000 };

static double now(void) {
  struct timespec at;
  clock_gettime(CLOCK_MONOTONIC, &at);
  return (double)at.tv_sec + 1e-9 * (double)at.tv_nsec;
}

static int by_value(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* The median of as many calls as a tenth of a second holds. The first starts
   threads: it counts only where there is no second. */
static double seconds_of(void (*call)(void)) {
  static double times[MOST_CALLS];
  const double start = now();
  int n = 0;
  while (n < MOST_CALLS && (n == 0 || now() - start < 0.1)) {
    const double before = now();
    call();
    times[n++] = now() - before;
  }
  if (n == 1)
    return times[0];
  qsort(times + 1, n - 1, sizeof *times, by_value);
  return times[1 + (n - 1) / 2];
}

static int run(void (*call)(void), const void *out, size_t bytes,
               const char *path) {
  if (!path) {
    printf("%.9f\n", seconds_of(call));
    return 0;
  }
  call();
  FILE *file = fopen(path, "wb");
  const int written = file && fwrite(out, 1, bytes, file) == bytes;
  return !(file && fclose(file) == 0 && written);
}

/* The same numbers for every form, in [0, 1). */
static double uniform(void) {
  static unsigned seed = 1;
  seed = seed * 1664525u + 1013904223u;
  return seed / 4294967296.0;
}
