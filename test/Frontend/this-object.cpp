// `this` leads to what was there before the call: not to the function's own
// arrays, nor to where a restrict pointer leads that is stored through.
// RUN: %raise_lift %s | FileCheck %s
// RUN: printf 'extern struct d { int n; } *const this;\nvoid f(double *restrict o) { for (int i = 0; i < this->n; ++i) o[i] = i; }\n' > %t.c
// RUN: %raise_lift %t.c | FileCheck --check-prefix=C %s
struct Domain {
  int Count;
  double *Data;
  void own();
  void apart(const double *__restrict, double *__restrict);
  void through(double *);
};
void use(double *);

// CHECK-LABEL: func @own(
// CHECK: for (i: i32 = 0; i < this[0:i64].Count
void Domain::own() {
  double Local[100];
  for (int i = 0; i < Count; ++i)
    Local[i] = i;
  use(Local);
}

// CHECK-LABEL: func @apart(
// CHECK: for (i: i32 = 0; i < this[0:i64].Count
void Domain::apart(const double *__restrict y, double *__restrict o) {
  for (int i = 0; i < Count; ++i)
    o[i] = y[i];
}

// CHECK-LABEL: func @through(
// CHECK: while {{.*}} why "the store to 'o[i]' may change 'this->Count', which the loop's bound uses"
void Domain::through(double *o) {
  for (int i = 0; i < Count; ++i)
    o[i] = 1;
}

// In C it is a name like any other.
// C-LABEL: func @f(
// C-NOT: {{^ *}}for (
