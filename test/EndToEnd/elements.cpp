// The first and the last element of containers, room that is only asked for, and values that are moved by copying.
// RUN: %clang_raise grad %s -o %t.cpp --verify --require-verified --function=ends --function=squares --function=turned -- -std=c++17 -O2
// RUN: %clangxx -std=c++17 -O2 -Wall -Wextra -Werror -c %t.cpp -o %t.o
// RUN: %gxx -std=c++17 -O2 -Wall -Wextra -Werror -c %t.cpp -o %t.o
// RUN: FileCheck %s < %t.cpp
// RUN: not %clang_raise grad %s -o %t.no.cpp --function=given -- -std=c++17 -O2 2>&1 | FileCheck --check-prefix=GIVEN %s
// RUN: %clang_raise rewrite %s -o %t.r.cpp -- -std=c++17 -O2 -fopenmp 2>/dev/null
// RUN: FileCheck --check-prefix=LOOP %s < %t.r.cpp
#include <utility>
#include <vector>

// CHECK-LABEL: void ends_adjoint(
double ends(const std::vector<double> &v) { return v.front() * v.back() * v.back(); }

// CHECK-LABEL: void squares_adjoint(
// CHECK-NOT: reserve
// CHECK: push_back(x[i] * x[i]);
double squares(int n, const double *x) {
  std::vector<double> t;
  t.reserve(n);
  for (int i = 0; i < n; i++)
    t.push_back(x[i] * x[i]);
  return n > 0 ? t.back() * t.front() : 0;
}

void turned(int n, double *x) {
  if (n > 1) {
    std::swap(x[0], x[n - 1]);
    x[0] *= std::as_const(x[n - 1]);
  }
}

// A reference that a function gets may be written through.
void sink(double &&);
// GIVEN: elements.cpp:[[#@LINE+3]]:3: error: {{.*}}calls sink, whose effects are not known
double given(double x) {
  double y = x * x;
  sink(std::move(y));
  return y;
}

// The bound's vector is another than the one whose last element is written.
// LOOP-LABEL: void scaled(
// LOOP: // clang-raise: scaled:1
void scaled(std::vector<double> &a, const std::vector<double> &b) {
  for (std::size_t i = 0; i < b.size(); ++i)
    a[i] = b[i] * b.front() + b.back();
}
