// Where the largest element is, by lanes in the forward sweep: the same element
// gets the adjoint, with equal ones, zeros of both signs and NaNs among them.
// RUN: %clang_raise grad %s --function rows --wrt x --of y -o %t.c -- -fopenmp -O2
// RUN: FileCheck %s < %t.c
// RUN: cat %t.c > %t_run.c && sed '/CHECK/d; /RUN/d' %s | sed -n '/MAIN/,$p' >> %t_run.c
// RUN: clang-19 -O3 %native -fopenmp -DMAIN -Wall -Wextra -Werror -Wno-pass-failed %t_run.c -o %t && env OMP_NUM_THREADS=2 %t
// RUN: gcc -O3 -march=native -fopenmp -DMAIN -Wall -Wextra -Werror %t_run.c -o %t && env OMP_NUM_THREADS=2 %t
// RUN: clang-19 -O1 -fsanitize=undefined,address -fno-sanitize-recover=all -DMAIN %t_run.c -o %t && %t
// RUN: %clang_raise grad --verify %s --function rows --wrt x --of y -o %t.c -- -fopenmp -O2

// CHECK-LABEL: void rows_adjoint(
// CHECK: float most_lane[32];
// CHECK: if (most > most_before) {
// CHECK: most_at = i;
// CHECK-NEXT: break;
// CHECK: x_adj[{{.*}}most_at] +=
void rows(float *y, const float *x, int n, int m) {
  for (int r = 0; r < n; ++r) {
    float most = -10000.0f;
    for (int i = 0; i < m; ++i)
      if (x[r * m + i] > most)
        most = x[r * m + i];
    y[r] = most * 3;
  }
}

#ifdef MAIN
#include <math.h>
#include <stdio.h>
enum { Rows = 40, Most = 2100 };
static float x[Rows * Most], y[Rows], x_adj[Rows * Most], y_adj[Rows];
int main(void) {
  static const int lengths[] = {0, 1, 33, 1023, 1024, 1025, 1056, 1057, 2100};
  unsigned state = 7;
  for (int l = 0; l < 9; ++l)
    for (int kind = 0; kind < 4; ++kind) {
      const int m = lengths[l];
      for (int i = 0; i < Rows * m; ++i) {
        const unsigned k = (state = state * 1664525u + 1013904223u) >> 8;
        x[i] = kind == 0   ? (float)(k % 20011)
               : kind == 1 ? (k % 8 ? -1.0f : k % 16 ? 0.0f : -0.0f)
               : kind == 2 ? (k % 3 ? (float)(k % 7) : k % 2 ? NAN : -INFINITY)
                           : -20000.0f;
        x_adj[i] = 0;
      }
      for (int r = 0; r < Rows; ++r)
        y_adj[r] = (float)(r + 1);
      rows_adjoint(y, x, Rows, m, y_adj, x_adj);
      for (int r = 0; r < Rows; ++r) {
        float most = -10000.0f;
        int at = -1;
        for (int i = 0; i < m; ++i)
          if (x[r * m + i] > most)
            most = x[r * m + (at = i)];
        for (int i = 0; i < m; ++i)
          if (x_adj[r * m + i] != (i == at ? 3.0f * (float)(r + 1) : 0.0f)) {
            printf("row %d of %d, kind %d, element %d\n", r, m, kind, i);
            return 1;
          }
        if (y[r] != most * 3)
          return 2;
      }
    }
  return 0;
}
#endif
