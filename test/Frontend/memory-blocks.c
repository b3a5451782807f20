// Where a whole function is made of what is lifted, calls that copy and fill
// blocks of memory are loops over elements; else they are what they were.
// RUN: %raise_lift --alone %s -- | FileCheck %s
// RUN: %raise_lift %s -- | FileCheck %s --check-prefix=PLAIN
#include <string.h>

struct Pair {
  double a;
  int b;
};

// PLAIN-LABEL: func @elements
// PLAIN: opaque "memcpy(y, x, n * sizeof(double))"
// CHECK-LABEL: func @elements
// CHECK: for (i: i32 = 0; i < n; i += 1) {
// CHECK-NEXT: y[i] = x[i];
double elements(double *y, const double *x, int n) {
  memcpy(y, x, n * sizeof(double));
  double s = 0;
  for (int k = 0; k < n; k++)
    s += y[k];
  return s;
}

// CHECK-LABEL: func @members
// CHECK: o[icast<i64>(k) + i].a = p[i].a:f64;
// CHECK-NEXT: o[icast<i64>(k) + i].b = p[i].b:i32;
void members(struct Pair *o, const struct Pair *p, int k) {
  memcpy(o + k, p, 3 * sizeof *p);
  for (int i = 0; i < k; i++)
    o[i].a = 0;
}

// Upwards or downwards, as the distance has it.
// CHECK-LABEL: func @inside
// CHECK: if (icast<i64>(k) <= 2:i64)
// CHECK: i += 1
// CHECK: else
// CHECK: i{{.*}} >= 0{{.*}} += -1
void inside(double *x, int k, int n) {
  memmove(x + k, x + 2, n * sizeof *x);
  for (int i = 0; i < n; i++)
    x[i] = 0;
}

// What may overlap is moved by way of a third array.
// CHECK-LABEL: func @between
// CHECK: heap moved: f64[
// CHECK: moved[i] = x[i]
// CHECK: y[i{{.*}}] = moved[i
void between(double *y, const double *x, int n) {
  memmove(y, x, n * sizeof *x);
  for (int i = 0; i < n; i++)
    y[i] += 1;
}

// CHECK-LABEL: func @rows
// CHECK: for (i: i64 = 0:i64; i < 4:i64; i += 1:i64) {
// CHECK-NEXT: for (j: i64 = 0:i64; j < 2:i64; j += 1:i64) {
// CHECK-NEXT: t[i, j] = x[i * 2:i64 + j]
double rows(const double *x) {
  double t[4][2], s = 0;
  memcpy(t, x, sizeof t);
  for (int i = 0; i < 4; i++)
    s += t[i][1];
  return s;
}

// A 32-bit product may wrap, and then the size is another one.
// CHECK-LABEL: func @narrow
// CHECK: opaque "memcpy(y, x, n * 8u)" "CR1005" "the size 'n * 8u' is not seen to be a multiple
void narrow(double *y, const double *x, unsigned n) {
  memcpy(y, x, n * 8u);
  for (unsigned i = 0; i < n; i++)
    y[i] += 1;
}

// The size is what it was when the variable was set.
// CHECK-LABEL: func @later
// CHECK: opaque "memcpy(y, x, bytes)"
void later(double *y, const double *x, int n) {
  unsigned long bytes = n * sizeof *x;
  for (; n > 4; n--)
    y[n] = 0;
  memcpy(y, x, bytes);
}

// CHECK-LABEL: func @differ
// CHECK: opaque "memcpy(y, x, n * sizeof *x)" "CR1005" "copies bytes of 'double' into 'float'"
void differ(float *y, const double *x, int n) {
  memcpy(y, x, n * sizeof *x);
  for (int i = 0; i < n; i++)
    y[i] += 1;
}
