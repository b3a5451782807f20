// A file of tangents, its header, --check, the command line.
// RUN: rm -rf %t && mkdir -p %t
// RUN: %clang_raise grad --mode=forward --function=axpy --function=length %s -o %t/made.c --json=%t/r.json -- -std=c11
// RUN: FileCheck %s --input-file=%t/made.c
// RUN: FileCheck %s --input-file=%t/made.h --check-prefix=HEADER
// RUN: FileCheck %s --input-file=%t/r.json --check-prefix=JSON
// RUN: %clang_raise grad --mode=forward --function=axpy --function=length %s -o %t/made.c --check -- -std=c11
// RUN: %clang -std=c11 -Wall -Wextra -Werror -c %t/made.c -o %t/clang.o
// RUN: %gcc -std=c11 -Wall -Wextra -Werror -c %t/made.c -o %t/gcc.o
// The header stands beside the source itself, in C and in C++.
// RUN: %clang -std=c11 -Wall -Wextra -Werror -fsyntax-only -include %t/made.h %s
// RUN: echo '#include "made.h"' > %t/use.cpp
// RUN: %gxx -Wall -Wextra -Werror -fsyntax-only %t/use.cpp
// RUN: echo "// changed" >> %t/made.h
// RUN: not %clang_raise grad --mode=forward --function=axpy --function=length %s -o %t/made.c --check -- -std=c11 2>&1 | FileCheck %s --check-prefix=CHANGED
// CHANGED: made.h: error: is not what would be written
// RUN: %clang_raise grad --mode=forward --function=axpy --wrt=x --of=y %s -- -std=c11 | FileCheck %s --check-prefix=SOME
// RUN: not %clang_raise grad --mode=forward %s -- 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: %clang_raise grad --mode=forward --function=unnamed %s -- -std=c11 | FileCheck %s --check-prefix=UNNAMED
// NONE: error: grad needs the function for '--mode'
// Without a mode, the adjoint.
// RUN: %clang_raise grad --function=axpy %s -- -std=c11 | FileCheck %s --check-prefix=MODE
// MODE: // Adjoints of functions of grad.c, made by clang-raise grad.
// MODE: void axpy_adjoint(
// RUN: not %clang_raise grad --mode=sideways --function=axpy %s -- 2>&1 | FileCheck %s --check-prefix=WRONG
// WRONG: error: mode is reverse or forward, not 'sideways'
// RUN: not %clang_raise grad --mode=forward --function=axpi %s -- 2>&1 | FileCheck %s --check-prefix=NAME
// NAME: error: no function with a body is called 'axpi'; did you mean 'axpy'?
// A header that somebody else wrote is not replaced.
// RUN: echo "int mine;" > %t/other.h
// RUN: not %clang_raise grad --mode=forward --function=axpy %s -o %t/other.c -- 2>&1 | FileCheck %s --check-prefix=MINE
// MINE: other.h', which was not made by clang-raise grad; name another file with -o
// RUN: not ls %t/other.c
// RUN: not %clang_raise grad --mode=forward --function=axpy %s -o %t/new.h -- 2>&1 | FileCheck %s --check-prefix=ISHEADER
// ISHEADER: error: -o names a header; name the source that goes with it
// RUN: not %clang_raise rewrite --wrt=x %s -- 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: error: option '--wrt' does not apply to rewrite
#include <math.h>

typedef float real;
struct point {
  real x, y;
  int id;
};

// CHECK: #include <math.h>
// CHECK: typedef float real;
// CHECK: struct point {
// CHECK: // The tangent of axpy (grad.c:[[#@LINE+7]]): of y with respect to y, x and a.
// CHECK-NEXT: // Primal: y[i] += a·x[i],  0 ≤ i < n
// CHECK-NEXT: // Tangents overlap as their primals do, and overlap no primal.
// CHECK-NEXT: void axpy_tangent(real *y, const real *x, real a, int n, real *y_tan,
// CHECK-NEXT: real *x_tan, real a_tan) {
// CHECK: y_tan[i] += a_tan * x[i] + a * x_tan[i];
// CHECK-NEXT: y[i] += a * x[i];
void axpy(real *y, const real *x, real a, int n) {
  for (int i = 0; i < n; i++)
    y[i] += a * x[i];
}

// SOME: void axpy_tangent(real *y, const real *x, real a, int n, real *y_tan,
// SOME-NEXT: real *x_tan) {
// SOME: y_tan[i] += a * x_tan[i];
real length(const struct point *p, real unused) {
  (void)unused;
  return sqrtf(p->x * p->x + p->y * p->y);
}
// CHECK: real length_tangent(const struct point *p, real unused, struct point *p_tan,
// CHECK: (void)unused_tan;
// CHECK: *length_tan =
// CHECK-NEXT: arg_tan == 0 ? 0 : arg_tan / (2 * sqrtf(p->x * p->x + p->y * p->y));
// UNNAMED: double unnamed_tangent(double x, double, double x_tan, double *unnamed_tan) {
#ifdef __clang__ // as C23 allows
#pragma clang diagnostic ignored "-Wc23-extensions"
double unnamed(double x, double) { return x * x; }
#endif
// HEADER: #ifndef CLANG_RAISE_MADE_H
// HEADER: typedef float real;
// HEADER-NEXT: struct point;
// HEADER: extern "C" {
// HEADER: void axpy_tangent(
// HEADER: real length_tangent(
// JSON-DAG: "construct": "function"
// JSON-DAG: "kind": "tangent"
// JSON-DAG: "rewritten": true
// JSON-DAG: "status": "raised"

// A parameter that is never written has no value of its own to differentiate.
// RUN: not %clang_raise grad --function=scaled_sum --of=values %s -o - -- -std=c11 2>&1 | FileCheck %s --check-prefix=NEVER
// NEVER: --of names 'values', which 'scaled_sum' does not write [CR1802]
// Sums keep their order, at any number of threads.
// RUN: %clang_raise grad --function=scaled_sum --fp=strict %s -o - -- -std=c11 -O2 -fopenmp | FileCheck %s --check-prefix=STRICT
// RUN: %clang_raise grad --function=scaled_sum %s -o - -- -std=c11 -O2 -fopenmp | FileCheck %s --check-prefix=REDUCE
// STRICT-LABEL: void scaled_sum_adjoint(
// STRICT-NOT: reduction(
// REDUCE-LABEL: void scaled_sum_adjoint(
// REDUCE: reduction(+ :
double scaled_sum(const double *values, double by, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += values[i] * by;
  return sum;
}
