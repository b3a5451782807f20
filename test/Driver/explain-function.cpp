// `explain --function` shows the function, with what is said of it under its
// lines; without colours where the output is no terminal.
//
// RUN: %clang_raise explain %s --function=smooth -- -O2 -fopenmp > %t.out
// RUN: FileCheck %s < %t.out
// RUN: not grep "other" %t.out
// RUN: not grep -P '\x1b' %t.out
//
// What goes to another stream goes there.
// RUN: %clang_raise explain %s --function=smooth --json=- -- -O2 -fopenmp 2> %t.err | grep '"version": 1'
// RUN: diff %t.out %t.err

// CHECK: {{^}}   [[#@LINE+1]] | void smooth(int n, double *u) {
void smooth(int n, double *u) {
  // CHECK: {{^}}   [[#@LINE+1]] |   for (int i = 2; i < n; ++i)
  for (int i = 2; i < n; ++i)
    // CHECK: explain-function.cpp:[[#@LINE-1]]:3: remark: raised to a scan
    // CHECK: explain-function.cpp:[[#@LINE-2]]:3: remark: not rewritten: its order is kept
    // CHECK: {{^}}   [[#@LINE+1]] |     u[i] = 0.5 * (u[i - 2] + u[i]);
    u[i] = 0.5 * (u[i - 2] + u[i]);
    // CHECK-NEXT: {{^}}      |                   ^~~~~~~~ CR1603
}

void other(int n, double *u) {
  for (int i = 0; i < n; ++i)
    u[i] = 0;
}
