// A sum whose terms come from a loop without a range has no formula: said without one, and no crash.
// RUN: %clang_raise explain %s -- -O2 -fopenmp | FileCheck %s
// CHECK: sum-in-while.c:[[#@LINE+3]]:{{.*}}raised
double total(const double *b, unsigned n) {
  double x = 0;
  for (unsigned i = 1; i < n; ++i) {
    unsigned k = 0;
    do {
      x += b[k];
      k++;
    } while (k < n);
  }
  return x;
}
