// What an assert() stops is said by what it asserts and in whose text.
// RUN: %raise_lift %s -- | FileCheck %s
#include <assert.h>
struct image {
  int w, h;
  float *data;
};
static float get(struct image m, int x, int y) {
  assert(x < m.w && y < m.h);
  return m.data[y * m.w + x];
}
float total(struct image m, int n) {
  float sum = 0;
  for (int i = 0; i < n; i++)
    sum += get(m, i, 0);
  return sum;
}
// CHECK-LABEL: @total
// CHECK: asserts.c:[[#@LINE-10]]:3: 'assert(x < m.w && y < m.h)' is not proved to hold, in get (line [[#@LINE-10]]): where it fails, the program ends [CR1005]
void own(float *x, int n) {
  for (int i = 0; i < n; i++) {
    assert(x[i] > 0 &&
           x[i] < 1);
    x[i] = 0;
  }
}
// CHECK-LABEL: @own
// CHECK: asserts.c:[[#@LINE-6]]:5: 'assert(…)' is not proved to hold: where it fails, the program ends [CR1005]
void gone(float *x, int n) {
  for (int i = 0; i < n; i++)
    x[i] = 0;
}
// CHECK-LABEL: @gone
// CHECK-NOT: [CR
