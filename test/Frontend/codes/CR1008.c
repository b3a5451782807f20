// RUN: %raise_lift %s -- -O2 | FileCheck %s
void bad(float *a, float *b, int n, int c) {
  float *p = c ? a : b;
  p++;
  for (int i = 0; i < n; i++)
    p[i] = 0;
}
// CHECK-LABEL: @bad
// CHECK: opaque "float *p = c ? a : b;" "CR1008" "this pointer may point into 'a' or 'b'"
// CHECK: opaque "p[i] = 0" "CR1008"
// CHECK: CR1008.c:3:22: this pointer may point into 'a' or 'b' [CR1008]
// One that never changes has a name of its own.
void unchanged(float *a, float *b, int n, int c) {
  float *p = c ? a : b;
  for (int i = 0; i < n; i++)
    p[i] = 0;
}
// CHECK: pointer p: f32*;
// CHECK-LABEL: @unchanged
// CHECK: p[i] = icast<f32>(0);
extern float *table;
void outside(int n) {
  for (int i = 0; i < n; i++)
    table[i] = 0;
}
// CHECK-LABEL: @outside
// CHECK: 'table' is a pointer outside the function [CR1008]
void good(float *a, int n, int c) {
  float *p = c ? a : a + n;
  for (int i = 0; i < n; i++)
    p[i] = 0;
}
// CHECK-LABEL: @good
// CHECK: cursor p: a = icast<bool>(c) ? 0:i64 : icast<i64>(n);
// CHECK: a[p + icast<i64>(i)] = icast<f32>(0);
// CHECK-NOT: [CR
