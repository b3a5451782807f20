// RUN: %raise_lift %s -- -O2 | FileCheck %s
void bad(float *x, float (*f)(int), int n) {
  for (int i = 0; i < n; i++)
    x[i] = f(i);
}
// CHECK-LABEL: @bad
// CHECK: CR1011.c:4:12: the function that is called here is not known [CR1011]
extern float (*hook)(float);
void called(float *x, int n) {
  for (int i = 0; i < n; i++)
    x[i] = hook(x[i]);
}
// CHECK-LABEL: @called
// CHECK: CR1011.c:11:12: the function that is called here is not known [CR1011]
static float plain(float v) { return v + 1; }
void good(float *x, int n) {
  for (int i = 0; i < n; i++)
    x[i] = plain(x[i]);
}
// CHECK-LABEL: @good
// CHECK-NOT: [CR
