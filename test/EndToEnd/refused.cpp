// Each of these is left exactly as it is, with the reason at its place.
// RUN: %clang_raise explain %s -- -fopenmp -O2 2>&1 | FileCheck %s
// RUN: %clang_raise rewrite %s -o %t.cpp -- -fopenmp -O2 2>/dev/null
// RUN: diff %s %t.cpp
#include <cstdio>

// CHECK: refused.cpp:[[#@LINE+2]]:{{[0-9]+}}: remark: not raised: iteration i reads 'u[i - 1]', which iteration i - 1 writes (distance 1) [CR1101
void carried(double *u, int n) {
  for (int i = 1; i < n; ++i)
    u[i] = 0.5 * u[i] * u[i - 1] * u[i - 1];
}

// A recurrence that is linear is understood, and stays in its order.
// CHECK: refused.cpp:[[#@LINE+3]]:{{[0-9]+}}: remark: raised to a scan: u[i] = 0.5·(u[i] + u[i-1]),
// CHECK: refused.cpp:[[#@LINE+2]]:{{[0-9]+}}: remark: not rewritten: its order is kept: iteration i reads 'u[i - 1]', which iteration i - 1 writes (distance 1) [CR1603
void linear(double *u, int n) {
  for (int i = 1; i < n; ++i)
    u[i] = 0.5 * (u[i] + u[i - 1]);
}

// CHECK: refused.cpp:[[#@LINE+2]]:{{[0-9]+}}: remark: not raised: {{.*}}printf
void sideEffect(double *u, int n) {
  for (int i = 0; i < n; ++i) {
    std::printf("%d\n", i);
    u[i] = 0;
  }
}

// CHECK: refused.cpp:[[#@LINE+2]]:{{[0-9]+}}: remark: not raised: the body changes 'n', which the loop's bound uses [CR1201
void bounds(double *u, int n) {
  for (int i = 0; i < n; ++i) {
    u[i] = 0;
    if (u[i + 1] < 0)
      n = n * n;
  }
}

// CHECK: refused.cpp:[[#@LINE+2]]:{{[0-9]+}}: remark: not raised: {{.*}}volatile
void isVolatile(volatile int *u, int n) {
  for (int i = 0; i < n; ++i)
    u[i] = i;
}

// CHECK: refused.cpp:[[#@LINE+2]]:{{[0-9]+}}: remark: not raised: {{.*}}assembly
void assembly(int *u, int n) {
  for (int i = 0; i < n; ++i) {
    asm volatile("" ::: "memory");
    u[i] = i;
  }
}

// Where the loop has no range whatever its body's statements do, that comes first.
int unknown(int);
// CHECK: refused.cpp:[[#@LINE+2]]:{{[0-9]+}}: remark: not raised: the body assigns the loop's variable [CR1201
void ownVariable(int *u, int n) {
  for (int i = 0; i < n; ++i)
    if (u[i] == 0) {
      unknown(n);
      --n;
      --i;
    }
}
// CHECK: refused.cpp:[[#@LINE+2]]:{{[0-9]+}}: remark: not raised: how often the while loop runs is not known before it [CR1201
void untilNull(const char *s) {
  while (*s) {
    unknown(*s);
    ++s;
  }
}
// Here what is not understood is all that stops.
// CHECK: refused.cpp:[[#@LINE+3]]:{{[0-9]+}}: remark: not raised: calls unknown, whose effects are not known [CR1005
void counted(int *u, int n) {
  int i = 0;
  while (i < n) {
    if (u[i] == 0)
      n = unknown(n);
    i++;
  }
}
