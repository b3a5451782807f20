// A derivative is made for the values that macros have under its compile
// command, and says so: for others it does not compile. A definition that a
// command may set is repeated as one.
//
// RUN: rm -rf %t && mkdir %t
// RUN: %clang_raise grad --function=f --wrt=x --of=y %s -o %t/g.c -- -std=c11
// RUN: FileCheck %s < %t/g.c
// RUN: %clang -std=c11 -Wall -Wextra -Werror -fsyntax-only %t/g.c
// RUN: %clang -std=c11 -Wall -Wextra -Werror -DSIZE=1000 -fsyntax-only %t/g.c
// RUN: not %clang -std=c11 -Wall -Wextra -Werror -DSIZE=500 -fsyntax-only %t/g.c 2>&1 | FileCheck --check-prefix=OTHER %s
// RUN: %clang_raise grad --function=f --wrt=x --of=y %s -o %t/g.c -- -std=c11 -DSIZE=500
// RUN: FileCheck --check-prefix=FIVE %s < %t/g.c
// RUN: not %clang -std=c11 -fsyntax-only -DSIZE=1000 %t/g.c 2>&1 | FileCheck --check-prefix=THOUSAND %s
// RUN: %clang -x c++ -std=c++17 -fsyntax-only %s
// RUN: %clang_raise grad --function=f --wrt=x --of=y -o %t/g.cpp %s -- -x c++ -std=c++17
// RUN: FileCheck --check-prefix=CXX %s < %t/g.cpp
// RUN: %clang_raise grad --function=fixed --wrt=x --of=y -o %t/g.c %s -- -std=c11
// RUN: FileCheck --check-prefix=FIXED %s < %t/g.c

// CHECK: #ifndef SIZE
// CHECK-NEXT: #define SIZE 1000
// CHECK-NEXT: #endif
// CHECK-NEXT: #define PAIRS (SIZE / 2)
#ifndef SIZE
#define SIZE 1000
#endif
#define PAIRS (SIZE / 2)

// CHECK: _Static_assert(
// CHECK-NEXT: SIZE == 1000,
// CHECK-NEXT: "made by clang-raise grad for SIZE == 1000: run it again for other values");
// FIVE: SIZE == 500,
// CXX: {{^}}static_assert(
// OTHER: error: static assertion failed{{.*}}made by clang-raise grad for SIZE == 1000
// THOUSAND: error: static assertion failed
void f(const double *x, double *y) {
  for (int i = 0; i < PAIRS; i++)
    y[i] = x[2 * i] * x[2 * i + 1];
}

// FIXED-NOT: {{[Ss]}}tatic_assert
void fixed(const double *x, double *y) {
  for (int i = 0; i < 8; i++)
    y[i] = x[i] * x[i];
}
