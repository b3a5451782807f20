// A loop that is tested alone keeps the values that its function gives to the
// variables around it: the proof rests on them.
// RUN: %clang_raise rewrite --verify %s -o %t.c -- -O2 -fopenmp 2>&1 | FileCheck %s
double a[400];

// CHECK: definitions.c:[[#@LINE+5]]:{{.*}}raised to {{.*}}verification passed ({{.*}}the loop alone
void apart(void) {
  int k1 = 1;
  int k2 = 2;
  int k = 100 * (2 * k1 - k2) + 64;
  for (int i = 0; i < 64; ++i)
    a[i + k] = a[i] * 0.5;
}
// CHECK: definitions.c:[[#@LINE+3]]:{{.*}}raised to {{.*}}verification passed ({{.*}}the loop alone
void other(int m) {
  int k = 200;
  for (int i = 0; i < 64; ++i)
    a[i + k] = a[i] + m;
}
