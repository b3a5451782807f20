// A loop that was raised and stays as it stands is tested too: what it was raised to, beside the loop itself.
// RUN: %clang_raise rewrite --verify %s -o %t.c -- -fopenmp -O2 2> %t.err
// RUN: FileCheck %s < %t.err
// RUN: diff %s %t.c

// CHECK: [[#@LINE+2]]:3: remark: raised to a scan: u[i] = 0.5·(u[i] + u[i-1]),  1 ≤ i < n; verification passed ({{.*}}the loop alone)
void linear(double *u, int n) {
  for (int i = 1; i < n; ++i)
    u[i] = 0.5 * (u[i] + u[i - 1]);
}

// CHECK: [[#@LINE+2]]:3: remark: raised to a stencil: {{.*}}; verification passed ({{.*}}both holding and failing, the loop alone)
void ahead(float *a, const float *b, int n) {
  for (int i = 0; i < n - 1; ++i)
    a[i] = a[i + 1] + b[i];
}
