// RUN: %raise_lift %s -- -O2 | FileCheck %s
// A template is lifted once for each instantiation.
#include <algorithm>
#include <cmath>

enum class Mode { Plain, Scaled };

template <typename T, int N> void fill(T *x, Mode m) {
  for (int i = 0; i < N; ++i)
    x[i] = m == Mode::Scaled ? std::pow(x[i], 2) : T(1);
}
void use(float *f, double *d) {
  fill<float, 4>(f, Mode::Plain);
  fill<double, 8>(d, Mode::Scaled);
}
// CHECK-DAG: func @fill(x: f32*, m: i32) {
// CHECK-DAG: func @fill(x: f64*, m: i32) {
// CHECK-DAG: i < 4;
// CHECK-DAG: i < 8;

void overloads(float *x, int n) {
  const float limit = 2;
  for (int i = 0; i < n; ++i)
    x[i] = std::exp(x[i]) + std::abs(x[i]) + std::min(x[i], limit);
}
// CHECK-LABEL: @overloads
// CHECK: @expf(x[i]) + @fabsf(x[i]) + (limit < x[i] ? limit : x[i]);
// CHECK-NOT: [CR
