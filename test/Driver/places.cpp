// Raised loops whose text cannot be replaced where it stands are left as they
// are, each with its reason; without the cause they are rewritten.
//
// RUN: %clang_raise rewrite %s --json=%t.json -o %t.cpp -- -std=c++17 -fopenmp 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=TEXT < %t.cpp
// RUN: %clangxx -std=c++17 -fopenmp -fsyntax-only %t.cpp

#define ZERO(x, n) for (int i = 0; i < n; ++i) x[i] = 0
#define LIMIT 10000000

void inMacro(float *x, int n) { ZERO(x, n); }
// CHECK: places.cpp:[[#@LINE-1]]:33: remark: raised to a map
// CHECK: not rewritten: part of it comes from a macro [CR1702

void constantMacro(float *x) {
  for (int i = 0; i < LIMIT; ++i)
    x[i] = 0;
}
// TEXT: {{^ +}}// clang-raise: constantMacro:1
// TEXT: i < LIMIT

void directiveInside(float *x, int n) {
  for (int i = 0; i < n; ++i) {
#ifdef NEVER
    x[i] = 1;
#endif
    x[i] = 0;
  }
}
// CHECK: not rewritten: a preprocessor directive stands inside it [CR1703

template <typename T> void inTemplate(T *x, int n) {
  for (int i = 0; i < n; ++i)
    x[i] = 0;
}
template void inTemplate<float>(float *, int);
// CHECK: not rewritten: it stands in a template [CR1704

constexpr void inConstexpr(float *x, int n) {
  for (int i = 0; i < n; ++i)
    x[i] = 0;
}
// CHECK: not rewritten: it stands in a constexpr function{{.*}} [CR1705

void afterPragma(float *x, int n) {
#pragma GCC ivdep
  for (int i = 0; i < n; ++i)
    x[i] = 0;
}
// CHECK: not rewritten: '#pragma {{.*}}' before it belongs to the loop as written [CR1708

#ifndef NEVER
void afterDirective(float *x, int n) {
#endif
  for (int i = 0; i < n; ++i)
    x[i] = 0;
}
// TEXT: {{^ +}}// clang-raise: afterDirective:1

// TEXT-NOT: {{^ +}}// clang-raise: in
// A region's mark stays where it is.
void scop(double *__restrict y, const double *__restrict x, long n) {
#pragma scop
  for (long i = 0; i < n; i++)
    y[i] = x[i] * 2;
#pragma endscop
}
// TEXT: #pragma scop
// TEXT-NEXT: {{^ +}}// clang-raise: scop:1
