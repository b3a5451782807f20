// An enumerator whose name cannot be written in the region's text is refused in C++, where a number is none; one that has
// a name is that name.
// RUN: %raise_lift %s -- -O2 -std=c++17 2>&1 | FileCheck %s
enum Outside { o0, o1 = 5 };
// CHECK-DAG: local-enums.cpp:[[@LINE+5]]:{{.*}}'l0', of an enumeration without a name that can be written here, is not followed [CR1014]
// CHECK-DAG: func @inside(
void inside(double *a, int n) {
  enum L { l0, l1 = 5 };
  for (int i = 0; i < n; i++) {
    L c = i & 1 ? l0 : l1;
    a[i] = c;
  }
}
// CHECK: func @outside(
// CHECK-NOT: opaque
void outside(double *a, int n) {
  for (int i = 0; i < n; i++) {
    Outside c = i & 1 ? o0 : o1;
    a[i] = c;
  }
}
