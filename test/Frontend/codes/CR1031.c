// RUN: %raise_lift %s -- -O2 | FileCheck %s
int x = 3;
static inline void add(int *y, int v) { *y = v + x; }
static inline void pick(int *y, int v) {
  static const int table[4] = {9, 8, 7, 6};
  *y = table[v & 3];
}
void bad(int *a, const int *b, long n) {
  int x = 7;
  for (long i = 0; i < n; i++)
    add(&a[i], b[i] + x);
}
// CHECK-LABEL: @bad
// CHECK: CR1031.c:3:50: 'x' cannot be named here{{.*}} [CR1031]
void foreign(int *a, const int *b, long n) {
  for (long i = 0; i < n; i++)
    pick(&a[i], b[i]);
}
// CHECK-LABEL: @foreign
// CHECK: 'table' cannot be named here{{.*}} [CR1031]
void good(int *a, const int *b, long n) {
  for (long i = 0; i < n; i++)
    add(&a[i], b[i]);
}
// CHECK-LABEL: @good
// CHECK-NOT: [CR
