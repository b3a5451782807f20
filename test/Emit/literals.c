// Formulas give numbers without what only says how they are stored.
// RUN: %clang_raise explain %s -- -O2 -fopenmp | FileCheck %s
// CHECK: remark: raised to {{.*}}: y[i] = 2·x[i] + 1.5,
void f(double *restrict y, const double *restrict x, int n) {
  for (int i = 0; i < n; ++i)
    y[i] = 2. * x[i] + 1.5;
}
// CHECK: remark: raised to {{.*}}: y[i] = 0,
void g(double *y, int n) {
  for (int i = 0; i < n; ++i)
    y[i] = 0.;
}
