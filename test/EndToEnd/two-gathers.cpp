// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two reads of an index array in one nest are looked at under two names, in a
// whole function as well as in a region of one.
// RUN: %clang_raise grad --function=twice --verify --require-verified %s -o %t.adjoint.cpp -- -fopenmp -O2
// RUN: FileCheck %s < %t.adjoint.cpp
// RUN: %clangxx -O1 -fopenmp -Wall -Wextra -Werror -c %t.adjoint.cpp -o %t.o
// RUN: %gxx -O1 -fopenmp -Wall -Wextra -Werror -c %t.adjoint.cpp -o %t.o
// RUN: %clang_raise rewrite %s -o %t.cpp -- -fopenmp -O2
// RUN: grep -v CHECK %t.cpp | FileCheck %s
// RUN: %clangxx -O1 -fopenmp -Wall -Wextra -Werror -c %t.cpp -o %t.o
#include <cmath>

// CHECK: int k_least = 0;
// CHECK: int k_least_2 = 0;
// CHECK: reduction(min : k_least, k_least_2)
// CHECK: sizeof(*y) * k_least
// CHECK: sizeof(*y) * k_least_2
void twice(double *z, const double *y, const int *k, int n) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      z[i] += std::sin(y[k[j]] * y[k[i]]);
}
