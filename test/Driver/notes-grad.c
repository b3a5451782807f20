// Derivatives rest on no notes; inputs of their verification do.
//
// RUN: %clang_raise grad %s --function=mean -o %t.c --verify --require-verified --json=%t.json -- -O2 2> %t.err
// RUN: FileCheck %s < %t.json
// RUN: FileCheck %s --check-prefix=TEXT < %t.c
// RUN: %clang -std=c11 -O2 -Wall -Wextra -Werror -c %t.c -o %t.o

// CHECK: "status": "raised"
// CHECK: "assumptions": []
// CHECK: "verification": "passed"
// TEXT-NOT: assume
// TEXT: void mean_adjoint(
// TEXT: for (
// TEXT-NOT: Assumed
// clang-raise: assume(n % 4 == 0 && n > 4)
double mean(const double *x, int n) {
  double s = 0;
  // clang-raise: off
  for (int i = 0; i < n; i++)
    s += x[i] * x[i];
  // clang-raise: on
  return s / n;
}
