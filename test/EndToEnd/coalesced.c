// Rows without a gap become one range: short ones no longer cost the start and
// the end of a loop of vectors each.
// RUN: printf 'machine:\n  parallel-work: 100\n' > %t.cfg
// RUN: %clang_raise rewrite %s --config=%t.cfg -o %t.c -- -fopenmp -O2 2>/dev/null
// RUN: sed '/CHECK/d' %t.c | FileCheck %s
// RUN: gcc -O2 -DMAIN %s -o %t && %t > %t.original
// RUN: gcc -O2 -fopenmp -DMAIN -Wall -Wextra -Werror %t.c -o %t && env OMP_NUM_THREADS=3 %t > %t.raised
// RUN: diff %t.raised %t.original
// RUN: clang-19 -O2 -fopenmp -DMAIN -fsanitize=undefined -fno-sanitize-recover=all -Wall -Wextra -Werror -Wno-pass-failed %t.c -o %t && env OMP_NUM_THREADS=3 %t > %t.raised
// RUN: diff %t.raised %t.original
// RUN: %clang_raise rewrite --verify %s --config=%t.cfg -o %t.c -- -fopenmp -O2 2>&1 | FileCheck %s --check-prefix=VERIFY
// VERIFY-NOT: warning

#include <stddef.h>
#include <stdint.h>

// CHECK-LABEL: void scale(
// CHECK:      // y[r,c] = a·x[r,c],  0 ≤ r < R, 0 ≤ c < C
// CHECK:      #pragma omp parallel for simd
// CHECK-NEXT: for (long long rc = 0; rc < (long long)R * C; ++rc)
// CHECK-NEXT:   y[rc] = a * x[rc];
void scale(float *y, const float *x, float a, int R, int C) {
  for (int r = 0; r < R; ++r)
    for (int c = 0; c < C; ++c)
      y[r * C + c] = a * x[r * C + c];
}

// CHECK-LABEL: void from_there(
// CHECK: for (long long rc = 0; rc < (long long)R * C; ++rc)
// CHECK-NEXT:   y[rc + there + 1] = x[rc + there] + (int)rc;
void from_there(double *y, const double *x, int there, int R, int C) {
  for (int r = 0; r < R; ++r)
    for (int c = 0; c < C; ++c)
      y[there + r * C + c + 1] = x[r * C + (c + there)] + (r * C + c);
}

// CHECK-LABEL: void invert(
// CHECK: for (long long index = 0; index < (long long)images * rows * columns;
// CHECK-NEXT:  ++index)
// CHECK-NEXT:   to[index] = 255 - from[index];
void invert(uint8_t *to, const uint8_t *from, int images, int rows, int columns) {
  for (int image = 0; image < images; ++image)
    for (int row = 0; row < rows; ++row)
      for (int column = 0; column < columns; ++column) {
        const int index = (image * rows + row) * columns + column;
        to[index] = 255 - from[index];
      }
}

// By size_t; and names that together are a word of C.
// CHECK-LABEL: void by_size(
// CHECK: for (size_t i_f = 0; i_f < n * m; ++i_f)
// CHECK-NEXT:   y[i_f] = x[i_f] * x[i_f];
void by_size(double *restrict y, const double *restrict x, size_t n, size_t m) {
  for (size_t i = 0; i < n; ++i)
    for (size_t f = 0; f < m; ++f)
      y[i * m + f] = x[i * m + f] * x[i * m + f];
}

// A count that the nest comes to only if the outer one is not 0.
// CHECK-LABEL: void blocks(
// CHECK: Tested: {{.*}}n ≥ 0
// CHECK: for (long long ij = 0; ij < n * ((long long)p * q); ++ij)
void blocks(float *y, const float *x, int n, int p, int q) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < p * q; ++j)
      y[i * (p * q) + j] = x[i * (p * q) + j] + 1;
}

// What is cut to fewer bits, or rounded, is so for each number.
// CHECK-LABEL: void cut_numbers(
// CHECK: for (long long rc = 0; rc < R * 4LL; ++rc) {
// CHECK: table[(unsigned char)(int)rc]
// CHECK: (signed char)(int)rc
// CHECK-LABEL: void short_names(
// CHECK: // y[r,c] = x[uint8(r·C+c)] + x[uint8(r·C+c)/2] + uint16(r·C + c),
// CHECK: for (size_t rc = 0; rc < R * C; ++rc) {
// CHECK-NEXT: const unsigned char i = rc;
// CHECK-NEXT: y[rc] = x[i] + x[(unsigned char)rc / 2] + (int)(unsigned short)rc;
void cut_numbers(double *restrict y, const double *restrict table, int R) {
  for (int r = 0; r < R; ++r)
    for (int c = 0; c < 4; ++c) {
      y[r * 4 + c] = table[(unsigned char)(r * 4 + c)];
      if ((signed char)(r * 4 + c) < 0)
        y[r * 4 + c] += 3;
      y[r * 4 + c] += (int)(float)(unsigned char)(r * 4 + c);
    }
}
void short_names(double *restrict y, const double *restrict x, size_t R, size_t C) {
  for (size_t r = 0; r < R; ++r)
    for (size_t c = 0; c < C; ++c) {
      const unsigned char i = r * C + c;
      y[r * C + c] = x[i] + x[(unsigned char)(r * C + c) / 2] + (int)(unsigned short)(r * C + c);
    }
}

// Left: the column is asked for, rows are apart, a count is cut to 32 bits.
// CHECK-LABEL: void bias(
// CHECK: for (int r = 0; r < R; ++r) {
// CHECK-LABEL: void pitched(
// CHECK: for (int r = 0; r < R; ++r) {
// CHECK-LABEL: void cut(
// CHECK: for (int r = 0; r < R; ++r)
// CHECK-NOT: rc
// CHECK: MAIN
void bias(float *y, const float *x, const float *b, int R, int C) {
  for (int r = 0; r < R; ++r)
    for (int c = 0; c < C; ++c)
      y[r * C + c] = x[r * C + c] + b[c];
}
void pitched(float *y, const float *x, int pitch, int R, int C) {
  for (int r = 0; r < R; ++r)
    for (int c = 0; c < C; ++c)
      y[r * pitch + c] = 2 * x[r * pitch + c];
}
void cut(float *restrict y, const float *restrict x, int R, long C) {
  for (int r = 0; r < R; ++r)
    for (long c = 0; c < (int)C; ++c)
      y[r * C + c] = 2 * x[r * C + c];
}

#ifdef MAIN
#include <stdio.h>
#include <stdlib.h>
int main(void) {
  enum { Most = 40 * 40 * 4 + 8 };
  static float x[Most], y[Most];
  static double xd[Most], yd[Most];
  static uint8_t xb[Most], yb[Most];
  const int sizes[] = {-40, -3, 0, 1, 2, 3, 7, 16, 17, 40};
  for (int a = 0; a < 10; ++a)
    for (int b = 0; b < 10; ++b) {
      const int R = sizes[a], C = sizes[b];
      for (int i = 0; i < Most; ++i) {
        x[i] = (float)(i % 17);
        xd[i] = i % 19;
        xb[i] = (uint8_t)(i * 7);
        y[i] = 0;
        yd[i] = 0;
        yb[i] = 0;
      }
      scale(y, x, 3, R, C);
      from_there(yd, xd, 5, R, C);
      invert(yb, xb, 3, R, C);
      if (R >= 0 && C >= 0)
        by_size(xd, yd, (size_t)R, (size_t)C);
      blocks(x, y, R, C, 3);
      if (a == 0)
        blocks(x, y, 0, 2000000000, 1);
      bias(x, x + 1, y, R, C); // x overlaps itself: as it was
      if (C >= 0)
        pitched(y, x, C + 1, R, C);
      cut(y, x + 3, R, C);
      cut_numbers(xd, yd, 7 * R);
      if (R >= 0 && C >= 0)
        short_names(yd, xd, (size_t)R, (size_t)C);
      double s = 0;
      for (int i = 0; i < Most; ++i)
        s += (y[i] + 2 * x[i]) * (i % 13) + (yd[i] + xd[i]) * (i % 11) + yb[i] * (i % 7);
      printf("%d %d %.17g\n", R, C, s);
    }
  return 0;
}
#endif
