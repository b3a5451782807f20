// At a = 1 the iteration stops before it starts, and beside it it does not: the
// tangent of that one path is no mistake. A wrong one elsewhere would be.
// RUN: %clang_raise grad --mode=forward --function=root --verify --json=%t.json %s -o %t.cpp -- -O2
// RUN: FileCheck %s < %t.json
// CHECK: "verification": "passed"
// CHECK-NEXT: at kinks left out
#include <cmath>
double root(double a) {
  double x = a;
  while (std::fabs(x * x - a) > 1e-12)
    x = 0.5 * (x + a / x);
  return x;
}
