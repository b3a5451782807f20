// A member of a structure that a function called here names, and the caller does
// not: it may, and the text does.
// RUN: %clang_raise rewrite %s -o %t.c -- -fopenmp -O2 2>&1 | FileCheck %s
// RUN: clang-19 -O2 -fopenmp -Wall -Wextra -Werror %t.c -o %t.clang && %t.clang
// RUN: gcc -O2 -fopenmp -Wall -Wextra -Werror %t.c -o %t.gcc && %t.gcc
typedef struct {
  int w, h;
  float *data;
} image;
static float get(image m, int x, int y) { return m.data[y * m.w + x]; }

// CHECK: inlined-members.c:[[#@LINE+3]]:{{.*}}raised to
// CHECK-NOT: CR1716
void row(float *restrict out, image b, int n) {
  for (int i = 0; i < n; ++i)
    out[i] = get(b, i, 1) * 2;
}
int main(void) {
  float data[200], out[100];
  for (int i = 0; i < 200; ++i)
    data[i] = (float)i;
  image b = {100, 2, data};
  row(out, b, 100);
  for (int i = 0; i < 100; ++i)
    if (out[i] != (float)(100 + i) * 2)
      return 1;
  return 0;
}
