// RUN: %raise_lift %s -- -O2 | FileCheck %s
#include <stdio.h>
void bad(const float *x, int n) {
  for (int i = 0; i < n; i++)
    printf("%f\n", x[i]);
}
// CHECK-LABEL: @bad
// CHECK: CR1005.c:5:5: calls printf, whose effects are not known [CR1005]
float square(float v) { return v * v; }
void good(float *x, int n) {
  for (int i = 0; i < n; i++)
    x[i] = square(x[i]);
}
// CHECK-LABEL: @good
// CHECK: x[i] = @square(x[i]);
// CHECK-NOT: [CR
