// Where whole functions are made, plain functions of scalars may call
// themselves, by way of others too.
// RUN: %raise_lift --alone %s -- | FileCheck %s
// RUN: %raise_lift %s -- | FileCheck %s --check-prefix=PART
double power(double x, int n) { return n == 0 ? 1 : x * power(x, n - 1); }
static double odd(double x, int n);
double even(double x, int n) { return n == 0 ? x : odd(x * x, n - 1); }
static double odd(double x, int n) { return n == 0 ? 1 / x : even(x + 1, n - 1); }

// CHECK: func @power(x: f64, n: i32): f64 maytrap {
// CHECK-NEXT: return n == 0 ? icast<f64>(1) : x * @power(x, n - 1);
// CHECK: y[i] = @power(y[i], 3);
// PART: CR1017
void once(double *y, int n) {
  for (int i = 0; i < n; ++i)
    y[i] = power(y[i], 3);
}

// CHECK: declare @even(f64, i32): f64 maytrap;
// CHECK: func @odd(x: f64, n: i32): f64 maytrap {
// CHECK: func @even(x: f64, n: i32): f64 maytrap {
void both(double *y, int n) {
  for (int i = 0; i < n; ++i)
    y[i] = even(y[i], i);
}

// What turns out to touch memory is none of these, nor what calls it back.
// CHECK: func @memory(
// CHECK: CR1017
static double kept;
static double writes(double x, int n);
static double back(double x, int n) { return n ? writes(x, n - 1) : x; }
static double writes(double x, int n) { kept = x; return back(x, n); }
void memory(double *y, int n) {
  for (int i = 0; i < n; ++i)
    y[i] = back(y[i], i);
}
