// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Derivatives in the Eigen dialect are verified, and include what they need,
// where the source includes nothing.
//
// RUN: rm -rf %t && mkdir -p %t && cp %s %t/grad-eigen.cpp && cd %t
// RUN: %clang_raise grad --target=eigen --function=dot --verify --require-verified --json=r.json grad-eigen.cpp -o made.cpp -- -O2 -std=c++17
// RUN: FileCheck %s --check-prefix=JSON < r.json
// RUN: FileCheck %s < made.cpp
// JSON: "verification": "passed"
//
// CHECK: made by clang-raise grad.
// CHECK: #include <Eigen/Core>
// CHECK: void dot_adjoint(const double *x, const double *y, int n, double *x_adj,
// CHECK: xs_adj += dot_adj * ys;
// CHECK-NEXT: ys_adj += xs * dot_adj;
// CHECK: } else {
// CHECK-NEXT: for (int i = 0; i < n; ++i) {
double dot(const double *x, const double *y, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += x[i] * y[i];
  return s;
}
