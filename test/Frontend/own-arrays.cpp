// Vectors whose every use is known are the function's own arrays; others are
// what they were.
// RUN: %raise_lift --alone %s -- -std=c++17 | FileCheck %s
// RUN: %raise_lift %s -- -std=c++17 | FileCheck %s --check-prefix=PLAIN
#include <vector>

// PLAIN-LABEL: func @sized
// PLAIN: opaque "std::vector<double> kept(n);" {{.*}}'kept' has type 'std::vector<double>', which is not supported
// CHECK-LABEL: func @sized
// CHECK: heap kept: f64[{{.*}}n{{.*}}] = {0.0}
// CHECK: kept[i] = x[i] * x[i]
double sized(const double *x, int n) {
  std::vector<double> kept(n);
  double s = 0;
  for (int i = 0; i < n; i++) {
    kept[i] = x[i] * x[i];
    s += kept[i] * kept.size();
  }
  return s;
}

// CHECK-LABEL: func @filled
// CHECK: heap kept: f64[{{.*}}];
// CHECK: kept[i] = 2.0
double filled(int n, int k) {
  std::vector<double> kept(n, 2.0);
  for (int i = 0; i < k; i++)
    kept[i] += 1;
  return kept[0];
}

// CHECK-LABEL: func @grows
// CHECK: let kept_size: i64 = 0
// CHECK: tape kept: f64[
// CHECK: kept[kept_size] = x[i]
// CHECK-NEXT: kept_size += 1
double grows(const double *x, int n) {
  std::vector<double> kept;
  for (int i = 0; i < n; i++)
    if (x[i] > 0)
      kept.push_back(x[i]);
  double s = 0;
  for (std::size_t i = 0; i < kept.size(); i++)
    s += kept[i];
  return s;
}

void keep(std::vector<double> &);
// CHECK-LABEL: func @escapes
// CHECK-NOT: heap kept
// CHECK: 'kept' is an array of the function's own, and its use in line [[#@LINE+3]] is not followed
double escapes(const double *x, int n) {
  std::vector<double> kept(n);
  keep(kept);
  for (int i = 0; i < n; i++)
    kept[i] = x[i];
  return kept[0];
}

// An element of an array that grows is written: this is no tape.
// CHECK-LABEL: func @rewritten
// CHECK-NOT: tape kept
double rewritten(const double *x, int n) {
  std::vector<double> kept;
  for (int i = 0; i < n; i++) {
    kept.push_back(x[i]);
    kept[0] += 1;
  }
  return kept[0];
}
