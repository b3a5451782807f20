// RUN: %raise_lift %s -- -O2 | FileCheck %s
void bad(int *x, int n) {
  static int calls;
  for (int i = 0; i < n; i++)
    x[i] = calls++;
}
// CHECK-LABEL: @bad
// CHECK: CR1010.c:3:3: 'calls' is static and keeps its value between calls [CR1010]
extern _Thread_local int seed;
void thread(int *x, int n) {
  for (int i = 0; i < n; i++)
    x[i] = seed;
}
// CHECK-LABEL: @thread
// CHECK: 'seed' is thread-local [CR1010]
void good(int *x, int n) {
  static const int table[4] = {1, 2, 3, 4};
  for (int i = 0; i < n; i++)
    x[i] = table[i & 3];
}
// CHECK-LABEL: @good
// CHECK: x[i] = table[i & 3];
// CHECK-NOT: [CR
