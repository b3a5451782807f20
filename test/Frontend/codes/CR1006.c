// RUN: %raise_lift %s -- -O2 | FileCheck %s
void bad(float *x, int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      if (x[i * n + j] < 0)
        goto done;
      x[i * n + j] += 1;
    }
done:
  x[0] = 1;
}
// CHECK-LABEL: @bad
// CHECK: opaque "goto done" "CR1006"
// CHECK: opaque "done:" "CR1006"
// CHECK: CR1006.c:6:9: goto [CR1006]
// CHECK: CR1006.c:9:1: label 'done' can be jumped to [CR1006]
void good(float *x, int n) {
  for (int i = 0; i < n; i++) {
    if (x[i] < 0)
      goto done;
    x[i] += 1;
  }
done:
  x[0] = 1;
}
// CHECK-LABEL: @good
// CHECK: break;
// CHECK-NOT: [CR
