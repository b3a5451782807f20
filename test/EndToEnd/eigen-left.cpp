// What Eigen has no expression for stays a loop: elements of types that C++
// tells apart though they are one to the processor, and products with vectors
// that go backwards.
//
// RUN: rm -rf %t && mkdir %t
// RUN: %clang_raise rewrite --target=eigen --fp=fast %s -o %t/out.cpp -- -std=c++17 -fopenmp
// RUN: sed "/CHECK/d" %t/out.cpp | FileCheck %s
// RUN: %clangxx -std=c++17 -O1 -fopenmp -Wall -Wextra -Werror -isystem /usr/include/eigen3 -c %t/out.cpp -o %t/out.o
// RUN: %gxx -std=c++17 -O1 -fopenmp -Wall -Wextra -Werror -isystem /usr/include/eigen3 -c %t/out.cpp -o %t/out.o

// CHECK-LABEL: void names(
// CHECK-NOT: as = bs
// CHECK: void same(
void names(int n, long *a, const long long *b) {
  for (int i = 0; i < n; i++)
    a[i] = b[i];
}

// CHECK: as += bs;
void same(int n, long *a, const long *b) {
  for (int i = 0; i < n; i++)
    a[i] += b[i];
}

// CHECK-LABEL: void backwards(
// CHECK-NOT: noalias
void backwards(int n, int m, const double *a, const double *x, double *y) {
  for (int i = 0; i < n; i++)
    for (int k = 0; k < m; k++)
      y[n - 1 - i] += a[i * m + k] * x[k];
}
