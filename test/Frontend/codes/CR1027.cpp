// RUN: %raise_lift %s -- -O2 | FileCheck %s
int bad(const int (&x)[8]) {
  int s = 0;
  for (int v : x)
    s += v;
  return s;
}
// CHECK: CR1027.cpp:4:3: a range-based for is not lifted [CR1027]
int good(const int *x) {
  int s = 0;
  for (int i = 0; i < 8; i++)
    s += x[i];
  return s;
}
// CHECK-LABEL: @good
// CHECK-NOT: [CR
