// RUN: %raise_lift %s -- -O2 | FileCheck %s
void bad(float *a, float *b, int n, int c) {
  float *p = c ? a : b;
  for (int i = 0; i < n; i++)
    *p++ = 0;
}
// CHECK-LABEL: @bad
// CHECK: opaque "float *p = c ? a : b;" "CR1008" "'p' may point into 'a' or 'b'"
// CHECK: opaque "*p++ = 0" "CR1008"
// CHECK: CR1008.c:3:22: 'p' may point into 'a' or 'b' [CR1008]
// CHECK: CR1008.c:5:6: pointer 'p' is moved, and is not followed [CR1008]
// What is not followed is known by its name until then.
void unchanged(float *a, float *b, int n, int c) {
  float *p = c ? a : b;
  for (int i = 0; i < n; i++)
    p[i] = 0;
}
// CHECK: pointer p: f32*;
// CHECK-LABEL: @unchanged
// CHECK: p[i] = icast<f32>(0);
extern float *table, *next;
void outside(int n) {
  table = next;
  for (int i = 0; i < n; i++)
    table[i] = 0;
}
// CHECK: pointer table: f32* inglobal;
// CHECK-LABEL: @outside
// CHECK: opaque "table = next"
// CHECK: table[i] = icast<f32>(0);
// CHECK: CR1008.c:[[#@LINE-8]]:3: 'table' is a pointer in memory, and is written: storing pointers is not supported [CR1008]
void good(float *a, int n, int c) {
  float *p = c ? a : a + n;
  for (int i = 0; i < n; i++)
    p[i] = 0;
}
// CHECK-LABEL: @good
// CHECK: cursor p: a = icast<bool>(c) ? 0:i64 : icast<i64>(n);
// CHECK: a[p + icast<i64>(i)] = icast<f32>(0);
// CHECK-NOT: [CR
