// --directions: what it takes, and what has no room for several tangents.
// RUN: not %clang_raise grad --mode=forward --directions=0 --function=f %s -- 2>&1 | FileCheck %s --check-prefix=RANGE -DK=0
// RUN: not %clang_raise grad --mode=forward --directions=65 --function=f %s -- 2>&1 | FileCheck %s --check-prefix=RANGE -DK=65
// RUN: not %clang_raise grad --mode=forward --directions=many --function=f %s -- 2>&1 | FileCheck %s --check-prefix=RANGE -DK=many
// RUN: not %clang_raise grad --directions=2 --function=f %s -- 2>&1 | FileCheck %s --check-prefix=REVERSE
// RUN: %clang_raise grad --help | FileCheck %s --check-prefix=HELP
// RUN: not %clang_raise grad --mode=forward --directions=2 --function=members --function=grows %s -- 2>&1 | FileCheck %s
// RUN: %clang_raise grad --mode=forward --directions=64 --function=f %s -- | FileCheck %s --check-prefix=MOST
#include <vector>
// RANGE: error: option '--directions' needs a number from 1 to 64, not '[[K]]'
// REVERSE: error: --directions is for --mode=forward: an adjoint is that of one result
// HELP: --directions=<k> {{ *}}with --mode=forward: k tangents at once, 1 to 64 (default 1)
// MOST: --directions=64.
// MOST: double f_tangent(double d, const double d_tan[64], double f_tan[64]) {
// MOST-NEXT: for (int d_ = 0; d_ < 64; ++d_)
double f(double d) { return d * d; }

struct Point {
  double x, y;
};
// CHECK: directions.cpp:[[#@LINE+1]]:29: error: 'p' leads to structures, whose members hold one tangent each; leave out --directions, or name other parameters [CR1811]
double members(const Point *p) { return p->x * p->y; }
double grows(const double *x, int n) {
  // CHECK: directions.cpp:[[#@LINE+1]]:3: error: 't_tan' grows with its primal by one tangent at a time; leave out --directions [CR1811]
  std::vector<double> t;
  for (int i = 0; i < n; ++i)
    t.push_back(x[i] * x[i]);
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += t[i] * t[0];
  return s;
}
