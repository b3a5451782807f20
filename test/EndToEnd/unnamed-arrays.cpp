// An array that the derivative does not name is not declared in it, of which compilers would warn.
// RUN: %clang_raise grad --function=f %s -o %t.cpp -- -std=c++17
// RUN: FileCheck %s < %t.cpp
// RUN: %gxx -std=c++17 -O1 -Wall -Wextra -Werror -c %t.cpp -o %t.o
// RUN: %clangxx -std=c++17 -O1 -Wall -Wextra -Werror -c %t.cpp -o %t.o
// CHECK-LABEL: void f_adjoint(
// CHECK-NOT: {{ w\[}}
// CHECK: x_adj[0] += f_adj * a;
double f(const double *x, double a) {
  double w[4] = {1, 0.5, 0.25, a};
  double s = 0;
  return s * w[1] + x[0] * a;
}
