// RUN: %raise_lift %s -- -O2 | FileCheck %s
#include <string>
void bad(float *x, int n) {
  for (int i = 0; i < n; i++) {
    std::string s;
    x[i] = 1;
  }
}
// CHECK-LABEL: @bad
// CHECK: CR1013.cpp:5:5: 's', of type 'std::string', which is more than scalars, is made in the loop [CR1013]
struct Base {
  float Sum;
};
struct Accumulator : Base {
  void add(const float *x, int n) {
    for (int i = 0; i < n; i++)
      Sum += x[i];
  }
};
// CHECK: CR1013.cpp:17:7: a member of a base class [CR1013]
struct Pair {
  float A, B;
};
void good(float *x, int n) {
  for (int i = 0; i < n; i++) {
    Pair P = {x[i], 2};
    Pair Q = P;
    Q.B += P.A;
    x[i] = Q.B;
  }
}
// CHECK-LABEL: @good
// CHECK-NOT: [CR
