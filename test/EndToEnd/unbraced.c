// A loop that is the body of an `if` without braces: the test that the result adds must not take the author's `else`.
// RUN: %clang_raise rewrite %s -o %t.c -- -fopenmp -O2 2>/dev/null
// RUN: FileCheck %s < %t.c
// RUN: %clangxx -x c -std=c11 -fopenmp -Wall -Wextra -Werror -c %t.c -o /dev/null
// RUN: %gxx -x c -std=c11 -fopenmp -Wall -Wextra -Werror -c %t.c -o /dev/null
// RUN: %clang_raise rewrite %t.c -o %t.again.c -- -fopenmp -O2 2>/dev/null
// RUN: diff %t.c %t.again.c

// CHECK: if (n > 3) {
// CHECK-NEXT: // clang-raise: unbraced:1
// CHECK: // clang-raise: end
// CHECK-NEXT: }
// CHECK-NEXT: else
// CHECK-NEXT: a[0] = 1;
void unbraced(float *a, const float *b, int n) {
  if (n > 3)
    for (int i = 0; i < n; i++)
      a[i] = b[i];
  else
    a[0] = 1;
}

// What a comment ends with is no head.
// CHECK-LABEL: void commented(
// CHECK: {{^}}  // each of them (and none twice)
// CHECK-NEXT: {{^}}  // clang-raise: commented:1
// CHECK: {{^}}  // clang-raise: end
// CHECK-NEXT: {{^}}}
void commented(double *restrict a, const double *restrict b, int n) {
  // each of them (and none twice)
  for (int i = 0; i < n; i++)
    a[i] = b[i] * b[i];
}

// The braces stand around all that the loop's body became, in the head's column.
// CHECK-LABEL: void steps(
// CHECK: {{^}}  for (int t = 0; t < m; t++) {
// CHECK-NEXT: {{^}}    // clang-raise: steps:1
// CHECK: {{^}}    // clang-raise: end
// CHECK-NEXT: {{^}}  }
// CHECK-NEXT: {{^}}  a[0] = 1;
void steps(double *restrict a, const double *restrict b, int n, int m) {
  for (int t = 0; t < m; t++)
    for (int i = 0; i < n; i++)
      a[i] = a[i] * a[i] + b[i];
  a[0] = 1;
}

// CHECK-LABEL: void between(
// CHECK: {{^}}  for (int t = 0; t < m; t++) // all (of them)
// CHECK-NEXT: {{^}}    // once (more)
// CHECK-NEXT: {{^ *}}{{[{]}}
// CHECK-NEXT: // clang-raise: between:1
// CHECK: // clang-raise: end
// CHECK-NEXT: {{^ *[}]}}
// CHECK-NEXT: {{^}}  a[0] = 1;
void between(double *restrict a, const double *restrict b, int n, int m) {
  for (int t = 0; t < m; t++) // all (of them)
    // once (more)
    for (int i = 0; i < n; i++)
      a[i] = a[i] * a[i] + b[i];
  a[0] = 1;
}

// CHECK-LABEL: void until(
// CHECK: {{^}}  do {
// CHECK: // clang-raise: end
// CHECK-NEXT: {{^}}  }
// CHECK-NEXT: {{^}}  while (--m > 0);
void until(double *restrict a, const double *restrict b, int n, int m) {
  do
    for (int i = 0; i < n; i++)
      a[i] = a[i] * a[i] + b[i];
  while (--m > 0);
}

// What the line ends with stands where the line began.
// CHECK-LABEL: void line(
// CHECK: {{^}}  // clang-raise: end
// CHECK-NEXT: {{^}}}
void line(double *restrict a, int n) { for (int i = 0; i < n; i++) a[i] = 1; }
