// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang-raise
// RUN: %clang_raise rewrite %s -o %t.c --alias=assume -- -std=c99 -O2 -fopenmp
// RUN: %python %S/Inputs/no-warnings.py %t.c --clang %clang --gcc %gcc
// RUN: %clang_raise rewrite %s -o %t.c -- -std=c11 -O2 -fopenmp
// RUN: %python %S/Inputs/no-warnings.py %t.c --clang %clang --gcc %gcc
// RUN: %clang_raise rewrite %s -o %t.c -- -std=c11 -O2 -fopenmp-simd
// RUN: %python %S/Inputs/no-warnings.py %t.c --clang %clang --gcc %gcc
// RUN: %clang_raise rewrite %s -o %t.cpp -- -x c++ -std=c++17 -O2 -fopenmp
// RUN: %python %S/Inputs/no-warnings.py %t.cpp --clang %clang --gcc %gcc
//
// Loops of every shape that the emitter has, over every width of index: what
// comes out compiles without a warning.

#include <math.h>
#include <stddef.h>
#include <stdint.h>

void map(float *y, const float *x, int n) {
  for (int i = 0; i < n; i++)
    y[i] = 2 * x[i];
}
void bytes(unsigned char *a, const unsigned char *b, int n) {
  for (int i = 0; i < n; i++)
    a[i] = (unsigned char)(b[i] + 1);
}
void short_sizes(double *y, short n, unsigned char m) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < 7; j++)
      y[(int)(i * 7 + j)] = 1;
  for (long i = 0; i < m; i++)
    for (long j = 0; j < 700; j++)
      y[(int)(i * 700 + j)] = 2;
}
void byte_index(float *a, const float *b) {
  for (unsigned char i = 0; i < 100; i++)
    a[i] = b[i];
}
void byte_view(float *c, const float *b, int n) {
  for (int i = 0; i < n; i++)
    c[(unsigned char)i] = b[i];
}
void constant_byte_view(float *c, const float *b) {
  for (int i = 0; i < 200; i++)
    c[(unsigned char)i] = b[i];
}
void short_view(float *c, const float *b, int n) {
  for (int i = 0; i < n; i++)
    c[(unsigned short)i] = b[i];
}
void signed_byte_view(float *c, const float *b, int n) {
  for (int i = 0; i < n; i++)
    c[(signed char)i] = b[i];
}
void short_counter(float *c, const float *b, short n) {
  for (short i = 0; i < n; i++)
    c[i] = b[i];
}
void unsigned_counter(float *c, const float *b, unsigned n) {
  for (unsigned i = 0; i < n; i++)
    c[i] = b[i];
}
void unsigned_offset(float *c, const float *b, unsigned n, unsigned k) {
  for (unsigned i = 0; i < n; i++)
    c[i + k] = b[i];
}
void size_counter(float *c, const float *b, size_t n) {
  for (size_t i = 0; i < n; i++)
    c[i] = b[i];
}
void mixed(float *c, const float *b, unsigned n) {
  for (int i = 0; i < (int)n; i++)
    c[i] = b[i];
}
void mixed_compare(float *c, const float *b, int n, unsigned m) {
  for (int i = 0; i < n; i++)
    if ((unsigned)i < m)
      c[i] = b[i];
}
void long_counter(double *c, const double *b, long n) {
  for (long i = 0; i < n; ++i)
    c[i] = b[i] * b[i];
}
void down(float *c, const float *b, int n) {
  for (int i = n - 1; i >= 0; i--)
    c[i] = b[i];
}
void step(float *c, const float *b, int n) {
  for (int i = 0; i < n; i += 3)
    c[i] = b[i];
}
void inclusive(float *c, const float *b, int n) {
  for (int i = 1; i <= n; i++)
    c[i] = b[i];
}
void outer_counter(float *c, const float *b, int n) {
  int i;
  for (i = 0; i < n; i++)
    c[i] = b[i];
}
int counter_used_later(float *c, const float *b, int n) {
  int i;
  for (i = 0; i < n; i++)
    c[i] = b[i];
  return i;
}
void chosen(float *c, const float *b, int n, float limit) {
  for (int i = 0; i < n; i++) {
    float v = b[i];
    if (v > limit)
      v = limit;
    c[i] = v;
  }
}
void chosen_unused(float *c, const float *b, int n, int k) {
  int last;
  for (int i = 0; i < n; i++) {
    c[i] = b[i];
    k > 0 ? (last = i) : (last = 0);
  }
}
void chosen_statement(float *c, const float *b, int n, int flag) {
  for (int i = 0; i < n; i++) {
    float t;
    flag ? (t = b[i]) : (t = 1);
    c[i] = t;
  }
}
void chosen_store(float *c, float *d, const float *b, int n, int flag) {
  for (int i = 0; i < n; i++)
    flag ? (c[i] = b[i]) : (d[i] = b[i]);
}
void chained(float *c, float *d, const float *b, int n) {
  for (int i = 0; i < n; i++)
    c[i] = d[i] = b[i];
}
void conditional(float *c, const float *b, int n) {
  for (int i = 0; i < n; i++)
    if (b[i] > 0 && i != 3)
      c[i] = b[i];
    else
      c[i] = -b[i];
}
void continued(float *c, const float *b, int n) {
  for (int i = 0; i < n; i++) {
    if (b[i] < 0)
      continue;
    c[i] = sqrtf(b[i]);
  }
}
float sum(const float *b, int n) {
  float s = 0;
  for (int i = 0; i < n; i++)
    s += b[i];
  return s;
}
int count(const int *b, int n) {
  int s = 0;
  for (int i = 0; i < n; i++)
    if (b[i] & 1)
      s++;
  return s;
}
unsigned char byte_sum(const unsigned char *b, int n) {
  unsigned char s = 0;
  for (int i = 0; i < n; i++)
    s += b[i];
  return s;
}
uint32_t bits(const uint32_t *b, int n) {
  uint32_t s = 0;
  for (int i = 0; i < n; i++)
    s ^= b[i] << 3;
  return s;
}
float most(const float *b, int n) {
  float m = b[0];
  for (int i = 1; i < n; i++)
    if (b[i] > m)
      m = b[i];
  return m;
}
void element_sum(float *out, const float *b, int n) {
  for (int i = 0; i < n; i++)
    out[0] += b[i];
}
void row_sums(float *out, const float *b, int n, int m) {
  for (int i = 0; i < n; i++) {
    out[i] = 0;
    for (int k = 0; k < m; k++)
      out[i] += b[i * m + k];
  }
}
void column_sums(float *out, const float *b, int n, int m) {
  for (int i = 0; i < n; i++)
    for (int k = 0; k < m; k++)
      out[k] += b[i * m + k];
}
void product(float *c, const float *a, const float *b, int n, int m, int p) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      float s = 0;
      for (int k = 0; k < p; k++)
        s += a[i * p + k] * b[k * m + j];
      c[i * m + j] = s;
    }
}
void transpose(float *c, const float *a, unsigned n, unsigned m) {
  for (unsigned i = 0; i < n; i++)
    for (unsigned j = 0; j < m; j++)
      c[j * n + i] = a[i * m + j];
}
void stencil(float *c, const float *a, int n) {
  for (int i = 1; i < n - 1; i++)
    c[i] = 0.5f * (a[i - 1] + a[i + 1]);
}
void gather(float *c, const float *a, const int *k, int n) {
  for (int i = 0; i < n; i++)
    c[i] = a[k[i]];
}
void strided(float *c, const float *a, int n, int inc) {
  for (int i = 0; i < n; i++)
    c[i * inc] = a[i * inc];
}
void triangle(float *c, const float *a, int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++)
      c[i * n + j] = a[j * n + i];
}
void cursors(float *c, const float *a, int n, int m) {
  for (int i = 0; i < n; i++) {
    const float *x = a + i * m;
    float *y = c + i * m;
    for (int j = 0; j < m; j++)
      y[j] = x[j];
  }
}
void two_dimensional(float c[][8], const float a[][8], int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 8; j++)
      c[i][j] = a[i][j];
}
void local_array(float *c, const float *a, int n) {
  for (int i = 0; i < n; i++) {
    float w[3] = {1, 2, 1};
    float s = 0;
    for (int k = 0; k < 3; k++)
      s += w[k] * a[i + k];
    c[i] = s;
  }
}
void divided(int *c, const int *a, int n, int w) {
  for (int i = 0; i < n; i++)
    c[i] = a[i / w] + i % w;
}
void logic(int *c, const int *a, const int *b, int n) {
  for (int i = 0; i < n; i++)
    c[i] = (a[i] && !b[i]) | (a[i] << 2) | (a[i] == b[i]);
}
void mixed_signs(int *c, const unsigned *a, int n) {
  for (int i = 0; i < n; i++)
    c[i] = a[i] < (unsigned)i ? (int)a[i] : i;
}
void unused_local(float *c, const float *a, int n) {
  for (int i = 0; i < n; i++) {
    float t = a[i];
    (void)t;
    c[i] = 1;
  }
}
