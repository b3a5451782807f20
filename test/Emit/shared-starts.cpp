// Ranges that start at one place share the name of their start.
//
// RUN: %clang_raise grad --function=f %s -o %t.cpp -- -O2
// RUN: FileCheck %s < %t.cpp
// RUN: %clangxx -std=c++17 -Wall -Wextra -Werror -c %t.cpp -o %t.o

// CHECK-LABEL: void f_adjoint(
// CHECK: const unsigned long long x_at = (unsigned long long)x;
// CHECK-NEXT: const unsigned long long x_end = x_at + sizeof(*x);
// CHECK-NEXT: const unsigned long long y_at = (unsigned long long)y;
// CHECK-NEXT: const unsigned long long y_end = y_at + sizeof(*y) * n;
// CHECK-NEXT: const unsigned long long x_end_2 = x_at + sizeof(*x) * n;
// CHECK-NEXT: if (!((x_end <= y_at || y_end <= x_at) &&
// CHECK-NEXT: (x_end_2 <= y_at || y_end <= x_at))) {
double f(const double *x, double *y, int n) {
  double most = x[0];
  for (int i = 0; i < n; ++i) {
    y[i] = x[i] * x[i];
    if (y[i] > most)
      most = y[i];
  }
  return most;
}
