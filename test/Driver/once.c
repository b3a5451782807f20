// `do ... while (0)`, as macros are written, is no loop: nothing is said of it, and
// it stops no loop around it.
//
// RUN: %clang_raise explain %s --json=%t.json -- -O2 -fopenmp > %t.out
// RUN: FileCheck %s < %t.out
// CHECK-NOT: remark
// CHECK: once.c:[[#@LINE+14]]:3: remark: raised to a map: y[i] = x[i]
// CHECK-NEXT: once.c:[[#@LINE+18]]:3: remark: not raised: how often the do loop runs is not known before it
// CHECK-NOT: remark
#define CHECK(x) do { if (!(x)) y[0] = 0; } while (0)
void once(float *restrict y, const float *restrict x, int n) {
  do {
    y[0] = 1;
  } while (0);
  CHECK(n);
  do {
    if (n)
      break;
    y[1] = 2;
  } while (0);
  for (int i = 0; i < n; ++i) {
    do {
      y[i] = x[i];
    } while (0);
  }
  do {
    y[2] += 1;
  } while (y[2] < n);
}
