// Tangents are compared with differences, in the interpreter and compiled.
// RUN: rm -rf %t && mkdir -p %t
// RUN: %clang_raise grad --mode=forward --function=gather --function=inner --function=constants --verify --json=%t/r.json %s -o %t/made.cpp -- -O2
// RUN: FileCheck %s --input-file=%t/r.json
// RUN: ls %t/made.cpp
// RUN: not %clang_raise grad --mode=forward --function=outer --require-verified %s -o %t/out.cpp -- -O2 2>&1 | FileCheck %s --check-prefix=UNKNOWN
#include <cmath>

// CHECK: "function": "gather"
// CHECK: "verification": "passed"
// CHECK: "verification_detail": "{{[1-9][0-9]*}} slopes agree with differences ({{[0-9]+}} at kinks left out), {{[1-9][0-9]*}} inputs compiled and run"
void gather(float *y, const float *x, const int *k, int n) {
  for (int i = 0; i < n; i++)
    y[i] = std::exp(-x[k[i]] * x[k[i]]);
}
// CHECK: "function": "inner"
// CHECK: "verification": "passed"
struct Pair {
  float a, b;
};
double inner(const Pair *p, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s += p[i].a * p[i].b;
  return s;
}
// CHECK: "function": "constants"
// CHECK: "verification": "passed"
static const double Scale = 0.5, Weights[2][2] = {{1, 2}, {3}};
double constants(double x, int n) {
  double s = 0;
  for (int i = 0; i < 2 && i < n; i++)
    s += Weights[i][0] * x * x + Weights[i][1] * Scale * x;
  return s;
}
extern double Factor;
// UNKNOWN: error: verification of 'outer' is inconclusive, which --require-verified forbids
double outer(double x) { return Factor * x * x; }
