// Functions of CBLAS have bodies where whole functions are lifted for derivatives, and only there.
// RUN: %raise_lift --alone %s -- -O2 | FileCheck %s
// RUN: %raise_lift %s -- -O2 | FileCheck --check-prefix=CALL %s
enum order { row_major = 101, column_major = 102 };
float cblas_sdot(const int n, const float *x, const int incx, const float *y, const int incy);
void cblas_sger(enum order o, int m, int n, float alpha, const float *x, int incx, const float *y, int incy, float *a, int lda);

// CHECK-LABEL: func @dot(
// CHECK-NOT: opaque
// CHECK: for (k
// CHECK: for (i
// CHECK: sum += x[
// CALL-LABEL: func @dot(
// CALL: opaque {{.*}}calls cblas_sdot, whose effects are not known
void dot(int b, int n, const float *x, const float *y, float *s) {
  for (int k = 0; k < b; k++)
    s[k] = cblas_sdot(n, x, 1, y, -1);
}

// CHECK-LABEL: func @outer(
// CHECK-NOT: opaque
// CHECK: for (k
// CHECK: for (i
// CHECK: for (j
// CHECK: a[
void outer(int b, int m, int n, const float *x, const float *y, float *a) {
  for (int k = 0; k < b; k++)
    cblas_sger(column_major, m, n, 2.0f, x, 1, y, 1, a, m);
}

// One that the source has is its own.
static double cblas_dasum(int n, const double *x, int incx) { return n * x[0] + incx; }
// CHECK-LABEL: func @own(
// CHECK: for (k
// CHECK-NOT: for
// CHECK: s[
void own(int b, int n, const double *x, double *s) {
  for (int k = 0; k < b; k++)
    s[k] = cblas_dasum(n, x, 1);
}
