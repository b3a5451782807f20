// RUN: %raise_lift %s -- -O2 | FileCheck %s
#include <cstdlib>
void bad(float **rows, int n) {
  for (int i = 0; i < n; i++)
    rows[i] = new float[4];
}
void freed(float *x, int n) {
  for (int i = 0; i < n; i++)
    x[i] = 0;
  std::free(x);
}
// CHECK-LABEL: @freed
// CHECK: CR1004.cpp:10:3: calls free, which manages memory [CR1004]
float local(const float *x, int n) {
  float *copy = new float[1];
  for (int i = 0; i < n; i++)
    copy[0] += x[i];
  return copy[0];
}
// CHECK-LABEL: @local
// CHECK: CR1004.cpp:15:17: memory is allocated [CR1004]
float good(const float *x, int n) {
  float copy[1] = {0};
  for (int i = 0; i < n; i++)
    copy[0] += x[i];
  return copy[0];
}
// CHECK-LABEL: @good
// CHECK: array copy: f32[1:i64] = {
// CHECK: copy[0] += x[i];
// CHECK-NOT: [CR
