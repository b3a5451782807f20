// What an iteration takes from a statement further up of an earlier one is no
// reason for strips: compilers make a vector loop of the original as it is.
//
// RUN: %clang_raise rewrite %s -o %t.c -- -std=c11 -fopenmp 2>&1 | FileCheck --check-prefix=SAID %s
// RUN: sed "/CHECK/d" %t.c | FileCheck %s

enum { Size = 32000 };
float a[Size], b[Size], c[Size], d[Size];

// SAID: [[#@LINE+4]]:3: remark: not rewritten: {{.*}} [CR1602
// CHECK-NOT: i_strip
// CHECK: void further_down
void further_up(void) {
  for (int i = 0; i < Size - 1; i++) {
    a[i + 1] = b[i] + c[i];
    d[i] = a[i] * c[i];
  }
}

// CHECK: i_strip += 1024
void further_down(void) {
  for (int i = 0; i < Size - 1; i++) {
    d[i] = a[i] * c[i];
    a[i + 1] = b[i] + c[i];
  }
}
