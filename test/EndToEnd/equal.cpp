// What is raised equals its original bit by bit, also where it is easy to be wrong: each function is compared over
// many inputs by Inputs/equal-main.cpp, at one and four threads, built by both compilers, and once without its pragmas.
// RUN: %clang_raise rewrite %s -o %t.raised.cpp -- -fopenmp -O2 2>%t.remarks
// RUN: FileCheck --check-prefix=RAISED %s < %t.remarks
// RUN: grep -v '#pragma omp' %t.raised.cpp > %t.plain.cpp
// RUN: %clangxx -std=c++17 -O2 -ffp-contract=off -DFORM=original -c %s -o %t.original.o
// RUN: %clangxx -std=c++17 -O2 -ffp-contract=off -fopenmp -Wall -Wextra -Werror -DFORM=raised -c %t.raised.cpp -o %t.clang.o
// RUN: %gxx -std=c++17 -O2 -ffp-contract=off -fopenmp -Wall -Wextra -Werror -DFORM=raised -c %t.raised.cpp -o %t.gcc.o
// RUN: %clangxx -std=c++17 -O2 -ffp-contract=off -DFORM=raised -c %t.plain.cpp -o %t.plain.o
// RUN: %clangxx -std=c++17 -O1 -c %S/Inputs/equal-main.cpp -o %t.main.o
// RUN: %clangxx -fopenmp %t.main.o %t.original.o %t.clang.o -o %t.clang
// RUN: %gxx -fopenmp %t.main.o %t.original.o %t.gcc.o -o %t.gcc
// RUN: %clangxx %t.main.o %t.original.o %t.plain.o -o %t.plain
// RUN: env OMP_NUM_THREADS=1 %t.clang
// RUN: env OMP_NUM_THREADS=4 %t.clang
// RUN: env OMP_NUM_THREADS=4 %t.gcc
// RUN: %t.plain
#include <cstdint>
#ifdef FORM
namespace FORM {
#endif

// Pointers that overlap at run time.
// RAISED: equal.cpp:[[#@LINE+2]]:{{.*}} raised
void shift(float *y, const float *x, int n) {
  for (int i = 0; i < n; ++i)
    y[i] = 2 * x[i] + 1;
}

// An unsigned accumulation that wraps.
// RAISED: equal.cpp:[[#@LINE+3]]:{{.*}} raised to a reduction
unsigned wraps(const unsigned *x, int n) {
  unsigned s = 4000000000u;
  for (int i = 0; i < n; ++i)
    s += x[i];
  return s;
}

// A narrow one.
uint8_t narrow(const uint8_t *x, int n) {
  uint8_t s = 200;
  for (int i = 0; i < n; ++i)
    s += x[i];
  return s;
}

// Unsigned indices that wrap: i - 1 is huge for i == 0, and the store is not made.
void unsignedIndex(int *y, unsigned n) {
  for (unsigned i = 0; i < n; ++i)
    if (i - 1 < n)
      y[i - 1] = static_cast<int>(i);
}

// NaN in the data is ignored, NaN in the initial value stays.
float largest(const float *x, float m, int n) {
  for (int i = 0; i < n; ++i)
    if (x[i] > m)
      m = x[i];
  return m;
}

float smallestSelect(const float *x, float m, int n) {
  for (int i = 0; i < n; ++i)
    m = x[i] < m ? x[i] : m;
  return m;
}

// The mirror image does not ignore it.
float nanKeeping(const float *x, float m, int n) {
  for (int i = 0; i < n; ++i)
    m = m > x[i] ? m : x[i];
  return m;
}

// A last value used after the loop.
int lastValue(int *y, int n) {
  int i;
  for (i = 0; i < n; ++i)
    y[i] = 3 * i;
  return i;
}

// A conditional store must not become an unconditional one (y may be read-only where c is zero).
void conditional(int *y, const int *c, int n) {
  for (int i = 0; i < n; ++i)
    if (c[i])
      y[i] = c[i];
}

// A guarded division.
void guarded(int *y, const int *d, int n) {
  for (int i = 0; i < n; ++i)
    if (d[i] != 0)
      y[i] = 1000 / d[i];
}

// Down, by steps, and with both ends inclusive.
void ranges(int *y, int n) {
  for (int i = n - 1; i >= 0; --i)
    y[i] = i;
  for (int i = 2; i < n; i += 3)
    y[i] += 7;
  for (int i = 0; i <= n - 1; ++i)
    y[i] *= 2;
}

// Row sums: every element is read once, and none is written twice.
void rows(int *out, const int *a, int n, int m) {
  for (int i = 0; i < n; ++i) {
    int s = 0;
    for (int j = 0; j < m; ++j)
      s += a[i * m + j];
    out[i] = s;
  }
}

#ifdef FORM
}
#endif
