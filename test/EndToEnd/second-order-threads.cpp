// Adjoints made for threads test where arrays lie: in derivatives of them, what both branches of such a test compute stands once.
// RUN: rm -rf %t && mkdir -p %t
// RUN: %clang_raise grad --function=two --function=three %s -o %t/first.cpp -- -std=c++17 -fopenmp
// RUN: FileCheck %s --check-prefix=FIRST < %t/first.cpp
// FIRST-LABEL: void two_adjoint(
// FIRST: if (n > 200000 && ((unsigned long long)x_adj
// FIRST-LABEL: void three_adjoint(
// FIRST: const unsigned long long q_adj_end =
// RUN: %clang_raise grad --verify --require-verified --mode=forward --function=two_adjoint --function=three_adjoint %t/first.cpp -o %t/tangent.cpp -- -std=c++17 -O2 -fopenmp 2>&1 | FileCheck %s --check-prefix=VERIFIED
// RUN: %clang_raise grad --verify --require-verified --function=two_adjoint --function=three_adjoint %t/first.cpp -o %t/adjoint.cpp -- -std=c++17 -O2 -fopenmp 2>&1 | FileCheck %s --check-prefix=VERIFIED
// VERIFIED-COUNT-2: verification passed
// RUN: FileCheck %s < %t/tangent.cpp
// RUN: %gxx -std=c++17 -O2 -fopenmp -Wall -Wextra -Werror -c %t/adjoint.cpp -o %t/adjoint.o
// CHECK-LABEL: void two_adjoint_tangent(
// CHECK: for (int i = 0; i < n; ++i) {
// CHECK-NEXT: x_adj_tan[i] += two_adj_tan * p[i] + two_adj * p_tan[i];
double two(const double *x, const double *p, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += x[i] * p[i];
  return s;
}

double three(const double *x, const double *p, const double *q, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += x[i] * p[i] * q[i];
  return s;
}

// What is not the same in both branches depends on addresses, which have no derivative and are no values here.
// RUN: not %clang_raise grad --function=differs %s -- -std=c++17 2>&1 | FileCheck %s --check-prefix=DIFFERS
// DIFFERS: [[# @LINE + 2]]:3: error: not differentiated: what is computed depends on where arrays lie [CR1801]
void differs(double *y, const double *x, int n) {
  if ((unsigned long long)y + sizeof(*y) * n <= (unsigned long long)x)
    for (int i = 0; i < n; ++i)
      y[i] = 2 * x[i];
  else
    for (int i = 0; i < n; ++i)
      y[i] = 3 * x[i];
}

// RUN: not %clang_raise grad --function=alone %s -- -std=c++17 2>&1 | FileCheck %s --check-prefix=ALONE
// ALONE: [[# @LINE + 2]]:3: error: not differentiated: what is computed depends on where arrays lie [CR1801]
void alone(double *y, const double *x, int n) {
  if ((unsigned long long)y < (unsigned long long)x)
    for (int i = 0; i < n; ++i)
      y[i] = 2 * x[i];
}

// RUN: not %clang_raise grad --function=used %s -- -std=c++17 2>&1 | FileCheck %s --check-prefix=USED
// USED: error: not differentiated: {{.*}} [CR1801]
void used(double *y, const double *x, int n) {
  const unsigned long long at = (unsigned long long)x;
  for (int i = 0; i < n; ++i)
    y[i] = x[i] * (at % 16);
}

// RUN: not %clang_raise grad --function=changed %s -- -std=c++17 2>&1 | FileCheck %s --check-prefix=CHANGED
// CHANGED: error: not differentiated: {{.*}} [CR1801]
void changed(double *y, const double *x, int n) {
  const unsigned long long at = (unsigned long long)x++;
  for (int i = 0; i < n; ++i)
    y[i] = x[i] * x[i];
  if (at > (unsigned long long)y)
    for (int i = 0; i < n; ++i)
      y[i] *= 2;
  else
    for (int i = 0; i < n; ++i)
      y[i] *= 2;
}
