// A loop that sums and, in the same iterations, stores what is each one's own.
// RUN: printf 'machine:\n  parallel-work: 1\n' > %t.cfg
// RUN: %clang_raise rewrite %s --config=%t.cfg --verify --function=scale --function=grid --function=update --function=bins --function=folded -o %t.c -- -O3 -fopenmp 2> %t.err
// RUN: FileCheck --check-prefix=VERIFIED %s < %t.err
// RUN: sed '/CHECK/d' %t.c | FileCheck %s
// RUN: clang-19 -O3 -fopenmp -Wall -Wextra -Werror -fsyntax-only %t.c
// VERIFIED-COUNT-3: verification passed

// CHECK-LABEL: double scale(
// CHECK: #pragma omp parallel for simd reduction(+ : t)
double scale(int n, double *restrict y, const double *restrict x, double a) {
  double t = 0;
  for (int i = 0; i < n; ++i) {
    y[i] = a * x[i];
    t += x[i] * x[i];
  }
  return t;
}

// CHECK-LABEL: double grid(
// CHECK: #pragma omp parallel for reduction(+ : t)
// CHECK: #pragma omp simd reduction(+ : t)
double grid(int n, int m, double *restrict y, const double *restrict x) {
  double t = 0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < m; ++j) {
      y[i * m + j] += x[i * m + j];
      t += x[i * m + j];
    }
  return t;
}

// CHECK-LABEL: void update(
// CHECK: reduction(+ : sum)
void update(int n, double *restrict s, double *restrict y,
            const double *restrict x) {
  for (int i = 0; i < n; ++i) {
    s[0] += x[i] * y[i];
    y[i] += 2 * x[i];
  }
}

// Iterations meet in what does not follow from the counter alone.
// CHECK-LABEL: double bins(
// CHECK-NOT: #pragma
// CHECK-LABEL: double folded(
// CHECK-NOT: #pragma
double bins(int n, double *restrict y, const int *restrict at,
            const double *restrict x) {
  double t = 0;
  for (int i = 0; i < n; ++i) {
    y[at[i]] += x[i];
    t += x[i];
  }
  return t;
}

double folded(int n, double *restrict y, const double *restrict x) {
  double t = 0;
  for (int i = 0; i < n; ++i) {
    y[i % 3] += x[i];
    t += x[i];
  }
  return t;
}
