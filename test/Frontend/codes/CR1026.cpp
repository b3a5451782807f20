// RUN: %raise_lift %s -- -O2 | FileCheck %s
#include <vector>
void bad(std::vector<float> x) {
  for (int i = 0; i < 4; i++)
    x[i] = 0;
}
// CHECK-NOT: @bad
// CHECK: CR1026.cpp:3:10: parameter 'x' has type 'std::vector<float>', which is not supported [CR1026]
void good(float *x) {
  for (int i = 0; i < 4; i++)
    x[i] = 0;
}
// CHECK-LABEL: @good
// CHECK-NOT: [CR
