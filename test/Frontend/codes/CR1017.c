// RUN: %raise_lift %s -- -O2 | FileCheck %s
static int power(int b, int e) { return e == 0 ? 1 : b * power(b, e - 1); }
void bad(int *x, int n) {
  for (int i = 0; i < n; i++)
    x[i] = power(x[i], 3);
}
// CHECK-LABEL: @bad
// CHECK: CR1017.c:2:58: calls power recursively (line 2, in power) [CR1017]
static int cube(int b) { return b * b * b; }
void good(int *x, int n) {
  for (int i = 0; i < n; i++)
    x[i] = cube(x[i]);
}
// CHECK-LABEL: @good
// CHECK-NOT: [CR
