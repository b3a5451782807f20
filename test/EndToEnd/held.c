// Loops over what global pointers and pointers in structures point to. A store that may hit the pointer itself is
// tested for.
// RUN: %clang_raise rewrite %s -o %t.c -- -fopenmp -O2 2>%t.err
// RUN: FileCheck %s < %t.err
// RUN: FileCheck --check-prefix=TEXT %s < %t.c
// RUN: clang-19 -O2 -fopenmp -Wall -Wextra -Werror %t.c -o %t && %t
// RUN: gcc -O2 -fopenmp -Wall -Wextra -Werror %t.c -o %t && %t
// RUN: clang-19 -O2 %s -o %t && %t
#include <stdlib.h>

float *table, *other;
struct layer {
  long size;
  double *out, *in;
};

// TEXT-LABEL: void global(
// TEXT: &table
// CHECK: held.c:[[#@LINE+2]]:{{.*}}raised to a
void global(int n) {
  for (int i = 0; i < n; ++i)
    table[i] = other[i + 1] + 1;
}

// TEXT-LABEL: void member(
// TEXT: l->in and l do not overlap l->out
// CHECK: held.c:[[#@LINE+2]]:{{.*}}raised to a
void member(struct layer *l, int n) {
  for (int i = 0; i < n; ++i)
    l->out[i] = l->in[i] * 2;
}

// CHECK: held.c:[[#@LINE+5]]:{{.*}}raised to a
double rows(int n) {
  double(*m)[8] = malloc(n * sizeof *m);
  if (m == NULL)
    return 0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < 8; ++j)
      m[i][j] = i * 8 + j;
  double r = m[n - 1][7] + m[1][0];
  free(m);
  return r;
}

// Once the pointer moves, nothing is said of where it leads.
// CHECK: held.c:[[#@LINE+4]]:{{.*}}raised to a
// CHECK: held.c:[[#@LINE+6]]:{{.*}}raised to a
float moves(float *a, float *b, int n) {
  float *p = n > 5 ? a : b;
  for (int i = 0; i < n; ++i)
    p[i] = i;
  p = b;
  for (int i = 0; i < n; ++i)
    p[i] += a[i];
  return b[n - 1];
}

int main(void) {
  float a[100], b[100];
  for (int i = 0; i < 100; ++i)
    a[i] = b[i] = i;
  table = a;
  other = a;
  global(90); // overlapping: in order
  for (int i = 0; i < 90; ++i)
    if (a[i] != i + 2)
      return 1;
  // The store that changes the pointer: the next element goes elsewhere.
  double first[4] = {1, 2, 3, 4}, second[4] = {5, 6, 7, 8};
  struct layer l = {4, first, second};
  member(&l, 4);
  if (first[3] != 16)
    return 2;
  struct layer ring;
  ring.size = 0;
  ring.out = (double *)&ring;
  ring.in = (double *)&ring;
  member(&ring, 1);
  if (ring.size != 0)
    return 3;
  if (rows(9) != 71 + 8)
    return 4;
  return moves(a, b, 90) == 89 + 89 ? 0 : 5;
}
