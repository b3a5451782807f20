// A null pointer that is passed to a function in its call decides the tests of
// it in there.
// RUN: %raise_lift %s | FileCheck %s
#include <stddef.h>

static float biased(const float *x, const float *bias, int i) {
  float v = bias ? bias[i] : 0.5f;
  if (bias != NULL && bias[i] > 3)
    return bias[0];
  if (!bias || x[i] < 0)
    v += 1;
  return v + x[i];
}

// CHECK-LABEL: func @without(
// CHECK-NOT: nonnull
// CHECK-NOT: opaque
// CHECK: let [[V:.*]]: f32 = 0.5:f32;
// CHECK-NOT: if
// CHECK: [[V]] += icast<f32>(1);
// CHECK-NOT: if
// CHECK: o[i] =
void without(float *o, const float *x, int n) {
  for (int i = 0; i < n; i++)
    o[i] = biased(x, NULL, i);
}

// CHECK-LABEL: func @with(
// CHECK: nonnull(b)
void with(float *o, const float *x, const float *b, int n) {
  for (int i = 0; i < n; i++)
    o[i] = biased(x, b, i);
}

static float passed_on(const float *x, const float *bias, int i) {
  return biased(x, bias, i) * 2;
}

// CHECK-LABEL: func @twice(
// CHECK-NOT: nonnull
// CHECK-NOT: opaque
// CHECK: o[i] =
void twice(float *o, const float *x, int n) {
  for (int i = 0; i < n; i++)
    o[i] = passed_on(x, 0, i);
}

// One that is followed is not.
static float follows(const float *x, const float *bias, int i) {
  return x[i] + bias[i];
}
// CHECK-LABEL: func @wrong(
// CHECK: opaque {{.*}} "CR1008" "parameter 'bias' is a null pointer in this call (line {{[0-9]+}}, in follows)"
void wrong(float *o, const float *x, int n) {
  for (int i = 0; i < n; i++)
    o[i] = follows(x, NULL, i);
}

// One that the function changes may be null no longer.
static float changes(const float *x, const float *bias, int i) {
  if (!bias)
    bias = x;
  return bias[i];
}
// CHECK-LABEL: func @changed(
// CHECK: opaque
void changed(float *o, const float *x, int n) {
  for (int i = 0; i < n; i++)
    o[i] = changes(x, NULL, i);
}

// Nor is a pointer followed that starts as either of two.
static float either(const float *x, const float *bias, int i) {
  const float *b = bias ? bias : x;
  return b[i];
}
// CHECK-LABEL: func @chosen(
// CHECK: opaque {{.*}} "CR1008" "parameter 'bias' is a null pointer in this call"
void chosen(float *o, const float *x, int n) {
  for (int i = 0; i < n; i++)
    o[i] = either(x, NULL, i);
}
