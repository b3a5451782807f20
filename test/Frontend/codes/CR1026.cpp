// What a parameter of an unsupported type reaches is left; the rest is not.
// RUN: %raise_lift %s -- -O2 | FileCheck %s
typedef float Lanes __attribute__((vector_size(16)));
void bad(Lanes v, float *x, int n) {
  for (int i = 0; i < n; i++)
    x[i] = v[0];
  for (int i = 0; i < n; i++)
    x[i] = 1;
}
// CHECK-LABEL: @bad
// CHECK: opaque "x[i] = v[0]"
// CHECK: for (i.1: i32 = 0; i.1 < n; i.1 += 1) {
// CHECK: CR1026.cpp:[[#@LINE-7]]:{{[0-9]+}}: parameter 'v' has type 'Lanes', which is not supported [CR1026]

struct State {
  int n;
  float *data;
};
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

// One that is assigned as a whole has the members of what it is then.
// CHECK: pointer s.data: f32* inlocal;
// CHECK-LABEL: @assigned
// CHECK: opaque "s = t"
// CHECK-NEXT: for (i: i32 = 0; i < s.n; i += 1) {
void assigned(State s, State t, float *x) {
  s = t;
  for (int i = 0; i < s.n; i++)
    x[i] = s.data[i];
}
// One with an address is memory.
// CHECK: pointer s: void&;
// CHECK-LABEL: @addressed
// CHECK: for (i: i32 = 0; i < n; i += 1) {
// CHECK-NEXT: x[i] = s.data[s[0:i64].n:i32];
void keep(State &s);
void addressed(State s, float *x, int n) {
  keep(s);
  for (int i = 0; i < n; i++)
    x[i] = s.data[s.n];
}
