// Arrays that stand with an earlier allocation are not declared with a later one, which has to wait for its size.
// RUN: %clang_raise grad --verify --require-verified --function=f %s -o %t.cpp -- -O2 -std=c++17 -fopenmp 2>&1 | FileCheck %s --check-prefix=VERIFIED
// RUN: %clang_raise grad --verify --require-verified --alias=assume --function=f %s -o %t.assume.cpp -- -O2 -std=c++17 -fopenmp 2>&1 | FileCheck %s --check-prefix=VERIFIED
// RUN: %clang_raise grad --verify --require-verified --function=calls %s -o %t.calls.cpp -- -O2 -std=c++17 -fopenmp 2>&1 | FileCheck %s --check-prefix=VERIFIED
// VERIFIED: verification passed
// RUN: %gxx -std=c++17 -O1 -fopenmp -Wall -Wextra -Werror -c %t.cpp -o %t.o
// RUN: FileCheck %s < %t.cpp

// CHECK: static void f_adjoint_general(
// CHECK: std::vector<double> arrays(4 * [[SIZE:[a-z0-9_]+]]);
// CHECK-NEXT: .data();
// CHECK-COUNT-3: + [[SIZE]];
// CHECK: int m = n - 1;
// CHECK-NEXT: const std::size_t [[LESS:[a-z0-9_]+]] = m
// CHECK-NEXT: std::vector<double> arrays_2(2 * [[LESS]]);
// CHECK-NEXT: .data();
// CHECK-NEXT: + [[LESS]];
// CHECK-NEXT: for (
void f(double *y, const double *x, int n) {
  for (int i = 0; i < n; ++i)
    y[i] *= x[i] * y[i];
  int m = n - 1;
  for (int i = 0; i < m; ++i)
    y[i] *= x[i] * y[i];
  for (int i = 0; i < n; ++i)
    y[i + 1] *= y[i] * y[i];
}

static void scale(double *y, const double *x, int n) {
  for (int i = 0; i < n; ++i)
    y[i] *= x[i] * y[i];
}

void calls(double *y, const double *x, int n) {
  scale(y, x, n);
  scale(y, x, n - 1);
  scale(y + 1, y, n);
}
