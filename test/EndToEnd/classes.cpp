// Questions about a value's kind are known functions: raised, verified on data
// with NaN and infinity, and conditions of derivatives.
// RUN: rm -rf %t && mkdir -p %t
// RUN: %clang_raise rewrite --verify --require-verified %s -o %t/raised.cpp -- -std=c++17 -fopenmp 2>&1 | FileCheck %s
// RUN: %clang_raise grad --verify --require-verified --function=finite --function=ordered %s -o %t/adjoint.cpp -- -std=c++17
// RUN: %clang_raise grad --verify --require-verified --mode=forward --function=finite %s -o %t/tangent.cpp -- -std=c++17
// RUN: FileCheck %s --check-prefix=TEXT < %t/adjoint.cpp
// RUN: not %clang_raise grad --function=wide %s -o %t/none.cpp -- -std=c++17 2>&1 | FileCheck %s --check-prefix=WIDE
#include <cmath>

// CHECK: classes.cpp:[[#@LINE+6]]:3: remark: raised to a reduction: {{.*}}isnan(x[i]){{.*}}isinf(y[i]){{.*}}verification passed
// TEXT: if (!(__builtin_isnan(x[i]) || __builtin_isinf(
// TEXT-NEXT: !__builtin_isfinite(x[i]))) {
// TEXT-NEXT: x_adj[i] +=
double finite(const double *x, const float *y, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    if (!(std::isnan(x[i]) || std::isinf(y[i]) || !std::isfinite(x[i])))
      s += x[i] * y[i];
  return s;
}

// CHECK: classes.cpp:[[#@LINE+3]]:3: remark: raised to a reduction: {{.*}}x[i] > 0.5{{.*}}verification passed
double ordered(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    if (std::isgreater(x[i], 0.5) || std::signbit(x[i]))
      s += x[i] * x[i];
  return s;
}

// WIDE: classes.cpp:[[#@LINE+2]]:{{.*}}: error: not differentiated: calls __builtin_isnan, whose effects are not known [CR1801]
double wide(const double *x) {
  return std::isnan((long double)x[0]) ? 0 : x[0] * x[0];
}
