// Arrays that are members of a structure, by the structure's name.
// RUN: %clang_raise rewrite %s -o %t.c -- -fopenmp -O2 2>%t.err
// RUN: FileCheck %s < %t.err
// RUN: printf 'machine:\n  parallel-work: 1\n' > %t.cfg
// RUN: %clang_raise rewrite %s --config=%t.cfg -o %t.eager.c -- -fopenmp -O2
// RUN: FileCheck --check-prefix=CODE %s < %t.eager.c
// RUN: clang-19 -O2 -fopenmp -Wall -Wextra -Werror %t.c -o %t && %t > %t.raised
// RUN: env OMP_NUM_THREADS=4 %t > %t.raised4
// RUN: clang-19 -O2 -Wall -Wextra -Wno-unknown-pragmas %s -o %t.o && %t.o > %t.original
// RUN: diff %t.raised %t.original
// RUN: diff %t.raised4 %t.original
#include <stdio.h>
enum { N = 70000 };
struct grid {
  int n;
  double a[N], b[4][N];
  struct {
    double x, y;
  } at[N];
};

// CHECK: member-arrays.c:[[#@LINE+3]]:{{.*}}raised to a reduction: s += Σ_i g->a[i],  0 ≤ i < g->n
double sum(const struct grid *g) {
  double s = 0;
  for (int i = 0; i < g->n; i++)
    s += g->a[i];
  return s;
}

// Two structures that may be one.
// CHECK: member-arrays.c:[[#@LINE+5]]:{{.*}}raised to
// CODE-LABEL: void add(
// CODE: (size_t)g->b
// CODE: g->b[i][j] += h->a[j] * c;
void add(struct grid *g, const struct grid *h, double c) {
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < N; j++)
      g->b[i][j] += h->a[j] * c;
}

// CHECK: member-arrays.c:[[#@LINE+2]]:{{.*}}raised to
void places(struct grid *g) {
  for (int i = 0; i < N; i++)
    g->at[i].x = g->at[i].y + g->a[i];
}

// CHECK: member-arrays.c:[[#@LINE+2]]:{{.*}}raised to a scan
void shift(struct grid *g) {
  for (int i = 1; i < N; i++)
    g->a[i] = g->a[i - 1] + 1;
}

// CHECK: member-arrays.c:[[#@LINE+3]]:{{.*}}raised to
double local(const double *x) {
  static struct grid g;
  for (int i = 0; i < N; i++)
    g.a[i] = x[i] * x[i];
  double s = 0;
  for (int i = 0; i < N; i++)
    s += g.a[i];
  return s;
}

// One of several structures.
// CHECK: member-arrays.c:[[#@LINE+2]]:3: remark: raised to a map: g[k].a[i] += i,  0 ≤ i < N
void several(struct grid *g, int k) {
  for (int i = 0; i < N; i++)
    g[k].a[i] += i;
}

int main(void) {
  static struct grid g[2];
  for (int k = 0; k < 2; k++) {
    g[k].n = N - k;
    for (int i = 0; i < N; i++) {
      g[k].a[i] = i % 37 + k;
      g[k].at[i].y = i % 5;
      for (int j = 0; j < 4; j++)
        g[k].b[j][i] = j - i % 11;
    }
  }
  add(&g[0], &g[1], 0.5);
  add(&g[1], &g[1], 2.0);
  places(&g[1]);
  several(g, 1);
  double s = 0;
  for (int k = 0; k < 2; k++)
    for (int i = 0; i < N; i++)
      s += g[k].b[i % 4][i] * (i % 7) + g[k].at[i].x;
  printf("%.17g %.17g %.17g\n", s, local(g[0].a), sum(&g[1]));
  shift(&g[1]);
  printf("%.17g\n", sum(&g[1]));
  return 0;
}
