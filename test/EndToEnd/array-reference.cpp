// References to arrays and functions that are called with them.
// RUN: %clang_raise rewrite %s -o %t.cpp -- -fopenmp -O2 -std=c++17 2>%t.err
// RUN: FileCheck %s < %t.cpp
// RUN: clang++-19 -O2 -fopenmp -std=c++17 -Wall -Wextra -Werror %t.cpp -o %t && %t
// RUN: g++ -O2 -fopenmp -std=c++17 -Wall -Wextra -Werror %t.cpp -o %t && %t

constexpr int N = 400000;
float a[N], m[N][2];

// CHECK-LABEL: void scale(
// CHECK: #pragma omp
// CHECK: x[i] = i * 2.0f;
void scale(float (&x)[N]) {
  for (int i = 0; i < N; ++i)
    x[i] = i * 2.0f;
}

// CHECK-LABEL: void pairs(
// CHECK: #pragma omp
// CHECK: y[i][1] = x[i];
void pairs(float (&y)[N][2], const float (&x)[N]) {
  for (int i = 0; i < N; ++i)
    y[i][1] = x[i];
}

int main() {
  scale(a);
  pairs(m, a);
  for (int i = 0; i < N; ++i)
    if (a[i] != i * 2.0f || m[i][1] != a[i] || m[i][0] != 0)
      return 1;
}
