// What a parameter of an unsupported type reaches is left; the rest is not.
// RUN: %raise_lift %s -- -O2 | FileCheck %s
struct State {
  int n;
  float *data;
};
void bad(State s, float *x, int n) {
  s = State();
  for (int i = 0; i < s.n; i++)
    x[i] = 0;
  for (int i = 0; i < n; i++)
    x[i] = 1;
}
// CHECK-LABEL: @bad
// CHECK: opaque "s = State()"
// CHECK: opaque "for (int i = 0; i < s.n; i++)
// CHECK: for (i: i32 = 0; i < n; i += 1) {
// CHECK: CR1026.cpp:8:{{[0-9]+}}: structure 's' is assigned as a whole
// CHECK: CR1026.cpp:9:{{[0-9]+}}: structure 's' is assigned as a whole or its address is taken, so its members are not followed [CR1026]

// CHECK-DAG: external s.n: const i32;
// CHECK-DAG: pointer s.data: f32*;
void good(State s, float *x) {
  for (int i = 0; i < s.n; i++)
    x[i] = s.data[i];
}
// CHECK-LABEL: @good
// CHECK: for (i: i32 = 0; i < s.n; i += 1) {
// CHECK-NEXT: x[i] = s.data[i];
// CHECK-NOT: [CR
