// RUN: %raise_lift %s -- -O2 | FileCheck %s
void bad(float *x, int n) {
  for (int i = 0; i < n; i++) {
    if (x[i] < 0)
      goto done;
    x[i] += 1;
  }
done:
  x[0] = 1;
}
// CHECK-LABEL: @bad
// CHECK: opaque "goto done" "CR1006"
// CHECK: opaque "done:" "CR1006"
// CHECK: CR1006.c:5:7: goto [CR1006]
// CHECK: CR1006.c:8:1: label 'done' can be jumped to [CR1006]
void good(float *x, int n) {
  for (int i = 0; i < n; i++) {
    if (x[i] < 0)
      break;
    x[i] += 1;
  }
  x[0] = 1;
}
// CHECK-LABEL: @good
// CHECK: break;
// CHECK-NOT: [CR
