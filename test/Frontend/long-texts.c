// A reason quotes what it is about; of a long call the name is enough.
// RUN: %raise_lift %s -- | FileCheck %s
struct box {
  float x, y;
};
struct row {
  struct box b;
};
static struct box made(const float *a, int at, int width, int height) {
  struct box b = {a[at] * width, a[at] * height};
  return b;
}
void inside(struct row *r, const float *a, int n, int some_width, int some_height) {
  for (int i = 0; i < n; i++) {
    r[i].b = made(a, some_width * i - some_height, some_width, some_height);
    r[i].b = made(a, i, 1, 2);
  }
}
// CHECK: long-texts.c:[[#@LINE-4]]:5: 'r[i].b = made(…)' assigns a structure inside another [CR1013]
// CHECK: long-texts.c:[[#@LINE-4]]:5: 'r[i].b = made(a, i, 1, 2)' assigns a structure inside another [CR1013]
