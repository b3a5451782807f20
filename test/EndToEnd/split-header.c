// The header of two sweeps of a C source serves C++ as well, which has no _Bool.
// RUN: rm -rf %t && mkdir %t
// RUN: %clang_raise grad --split --function=product %s -o %t/split.c -- -O2 -std=c11 -fopenmp
// RUN: FileCheck %s < %t/split.h
// RUN: %gcc -std=c11 -Wall -Wextra -Werror -fopenmp -O1 -c %t/split.c -o %t/split.o
// RUN: echo '#include "split.h"' > %t/user.c && echo '#include "split.h"' > %t/user.cpp
// RUN: %gcc -std=c11 -Wall -Wextra -Werror -fsyntax-only %t/user.c
// RUN: g++ -std=c++17 -Wall -Wextra -Werror -fsyntax-only %t/user.cpp
// RUN: clang++-19 -std=c++17 -Wall -Wextra -Werror -fsyntax-only %t/user.cpp
// CHECK: #include <stdbool.h>
// CHECK: typedef struct product_tape {
// CHECK-NEXT: bool separate;
// CHECK-NOT: _Bool
void product(int m, int n, int k, const float *a, const float *b, float *c) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      float s = 0;
      for (int l = 0; l < k; l++)
        s += a[i * k + l] * b[l * n + j];
      c[i * n + j] = s;
    }
}
