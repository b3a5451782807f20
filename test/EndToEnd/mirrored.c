// Images that are turned over in place, for widths that are even, odd, and none.
// RUN: %clang_raise rewrite --verify %s -o %t.c -- -fopenmp -O2 2>%t.err
// RUN: FileCheck %s < %t.err
// RUN: clang-19 -O2 -fopenmp -Wall -Wextra -Werror %t.c -o %t && %t
// RUN: gcc -O2 -fopenmp -Wall -Wextra -Werror %t.c -o %t.gcc && %t.gcc
#include <stdlib.h>

// CHECK: mirrored.c:[[#@LINE+2]]:{{.*}}raised to a map{{.*}}; verification passed
void reverse(float *a, int w) {
  for (int j = 0; j < w / 2; ++j) {
    float s = a[w - j - 1];
    a[w - j - 1] = a[j];
    a[j] = s;
  }
}

// CHECK: mirrored.c:[[#@LINE+2]]:{{.*}}raised to a map{{.*}}0 ≤ k < c, 0 ≤ i < h, 0 ≤ j < w / 2; verification passed
void flip(float *a, int w, int h, int c) {
  for (int k = 0; k < c; ++k)
    for (int i = 0; i < h; ++i)
      for (int j = 0; j < w / 2; ++j) {
        int p = j + w * (i + h * k), q = (w - j - 1) + w * (i + h * k);
        float s = a[q];
        a[q] = a[p];
        a[p] = s;
      }
}

int main(void) {
  int bad = 0;
  for (int w = 599999; w <= 600000; w++) {
    float *a = malloc(w * sizeof(float));
    for (int i = 0; i < w; i++)
      a[i] = i;
    reverse(a, w);
    reverse(a, -w);
    for (int i = 0; i < w; i++)
      bad |= a[i] != w - 1 - i;
    flip(a, w / 600, 100, 6);
    bad |= a[0] != a[0] || a[w / 600 - 1] != w - 1 || a[0] != w - w / 600;
    free(a);
  }
  return bad;
}
