// RUN: %raise_lift %s -- -O2 | FileCheck %s
#include <list>
int bad(const std::list<int> &x) {
  int s = 0;
  for (int v : x)
    s += v;
  return s;
}
// CHECK: CR1027.cpp:5:16: a range that is not followed [CR1027]
int good(const int *x) {
  int s = 0;
  for (int i = 0; i < 8; i++)
    s += x[i];
  return s;
}
// CHECK-LABEL: @good
// CHECK-NOT: [CR
