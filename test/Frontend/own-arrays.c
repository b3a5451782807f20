// Memory that malloc returns and nothing else leads to is an array of the
// function's own.
// RUN: %raise_lift --alone %s -- -std=c11 | FileCheck %s
#include <stdlib.h>

// CHECK-LABEL: func @allocated
// CHECK: heap kept: f64[{{.*}}n{{.*}}];
// CHECK-NOT: opaque
// CHECK: kept[i] = x[i] * x[i]
double allocated(const double *x, int n) {
  double *kept = malloc((size_t)(n) * sizeof *kept + 1);
  if (!kept)
    abort();
  double s = 0;
  for (int i = 0; i < n; i++) {
    kept[i] = x[i] * x[i];
    s += kept[i];
  }
  free(kept);
  return s;
}

// CHECK-LABEL: func @cleared
// CHECK: heap kept: f32[{{.*}}n{{.*}}] = {0.0:f32}
float cleared(const float *x, int n) {
  float *kept = calloc(n, sizeof(float));
  for (int i = 0; i < n; i++)
    kept[i] += x[i];
  const float s = kept[n - 1];
  free(kept);
  return s;
}

// Bytes of which nobody says what they hold.
// CHECK-LABEL: func @bytes
// CHECK-NOT: heap kept
double bytes(const double *x, int n) {
  double *kept = malloc(n);
  for (int i = 0; i < n / 8; i++)
    kept[i] = x[i];
  const double s = kept[0];
  free(kept);
  return s;
}

double *Held;
// Where it may escape to, it is not followed.
// CHECK-LABEL: func @escapes
// CHECK: opaque "Held = kept"
double escapes(const double *x, int n) {
  double *kept = malloc(n * sizeof *kept);
  Held = kept;
  for (int i = 0; i < n; i++)
    kept[i] = x[i];
  return Held[0];
}

// CHECK-LABEL: func @distance
// CHECK: at[i] = row
long long distance(const double *x, long long *at, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    const double *row = x + i * 3;
    at[i] = row - x;
    s += *row;
  }
  return s;
}
