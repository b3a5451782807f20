// REQUIRES: clang-raise
// Loops with sizes that belong together, indirect reads, reductions, structures.
//
// RUN: %clang_raise rewrite --verify %s -o %t.c -- -O2 -fopenmp 2>&1 | FileCheck %s

// CHECK: chain.c:[[#@LINE+2]]:3: remark: raised to {{.*}}verification passed
double norm(const double *x, int n) { double s = 0;
  for (int i = 0; i < n; i++)
    s += x[i] * x[i];
  return s;
}

// CHECK: chain.c:[[#@LINE+2]]:3: remark: raised to a gather{{.*}}verification passed
void gather(float *restrict y, const float *restrict x, const int *idx, int n) {
  for (int i = 0; i < n; i++)
    y[i] = 3 * x[idx[i]];
}

struct Particle {
  float x, v;
  int alive;
};
// CHECK: chain.c:[[#@LINE+2]]:3: remark: raised to {{.*}}verification passed
void move(struct Particle *p, float dt, int n) {
  for (int i = 0; i < n; i++)
    p[i].x += dt * p[i].v;
}

// CHECK: chain.c:[[#@LINE+2]]:3: remark: raised to {{.*}}verification passed
void product(int n, int m, int k, double c[n][m], double a[n][k], double b[k][m]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      c[i][j] = 0;
      for (int l = 0; l < k; l++)
        c[i][j] += a[i][l] * b[l][j];
    }
}
