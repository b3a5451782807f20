// What is only known by its name: it never changes, and may overlap anything.
// RUN: %raise_lift %s -- -O2 | FileCheck %s
#include <stdlib.h>

// CHECK: pointer x: f32*;
// CHECK-LABEL: @allocated
// CHECK: opaque "float *x = calloc(n, sizeof(float));"
// CHECK: x[i] = icast<f32>(i);
void allocated(int n) {
  float *x = calloc(n, sizeof(float));
  for (int i = 0; i < n; i++)
    x[i] = i;
  free(x);
}

// A pointer that changes is not.
// CHECK-LABEL: @moved
// CHECK: opaque "x[i] = 0"
void moved(int n) {
  float *x = calloc(n, sizeof(float));
  for (int i = 0; i < n; i++)
    x[i] = 0;
  x++;
}

// Nor one whose address is known elsewhere.
void fill(float **);
// CHECK-LABEL: @filled
// CHECK: opaque "x[i] = 0"
void filled(void) {
  float *x = 0;
  fill(&x);
  for (int i = 0; i < 9; i++)
    x[i] = 0;
}

struct layer {
  int n;
  struct {
    double w[4];
    short h;
  } in;
};
struct layer get(void);

// CHECK: external l.in.h: const i16;
// CHECK-LABEL: @member
// CHECK: sum += icast<i32>(l.in.h);
int member(void) {
  struct layer l = get();
  int sum = 0;
  for (int i = 0; i < 9; i++)
    sum += l.in.h;
  return sum;
}

// CHECK-LABEL: @array
// CHECK: opaque "sum += l.in.w[i]"
double array(struct layer l) {
  double sum = 0;
  for (int i = 0; i < 4; i++)
    sum += l.in.w[i];
  return sum;
}
