/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   What the timed programs of this folder share: the most bytes that were
   allocated at one time while `counting`, medians, and numbers to compute with.
   One file of a program includes it, which is linked with --wrap for malloc,
   calloc, realloc and free. */
#include <malloc.h>
#include <stdlib.h>
#include <time.h>

static size_t live, peak;
static int counting;

void *__real_malloc(size_t);
void *__real_calloc(size_t, size_t);
void *__real_realloc(void *, size_t);
void __real_free(void *);

static void *counted(void *made) {
  if (counting && made) {
    live += malloc_usable_size(made);
    peak = live > peak ? live : peak;
  }
  return made;
}

void *__wrap_malloc(size_t n) { return counted(__real_malloc(n)); }
void *__wrap_calloc(size_t n, size_t m) { return counted(__real_calloc(n, m)); }

void *__wrap_realloc(void *old, size_t n) {
  if (counting && old)
    live -= malloc_usable_size(old);
  return counted(__real_realloc(old, n));
}

void __wrap_free(void *made) {
  if (counting && made)
    live -= malloc_usable_size(made);
  __real_free(made);
}

static double now(void) {
  struct timespec at;
  clock_gettime(CLOCK_MONOTONIC, &at);
  return at.tv_sec + 1e-9 * at.tv_nsec;
}

static int by_value(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double median(double *times, int n) {
  qsort(times, n, sizeof *times, by_value);
  return n % 2 ? times[n / 2] : (times[n / 2 - 1] + times[n / 2]) / 2;
}

static float uniform(void) {
  static unsigned long long state = 88172645463325252ULL;
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (float)(state >> 40) / 16777216.0f - 0.5f;
}
