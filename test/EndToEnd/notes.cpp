// Notes in C++: what is raised under them does what was written.
// RUN: %clang_raise rewrite %s -o %t.cpp --json=%t.json --verify -- -fopenmp -O2 -std=c++17 2>%t.err
// RUN: FileCheck %s < %t.json
// RUN: FileCheck --check-prefix=TEXT %s < %t.cpp
// RUN: clang++-19 -O2 -fopenmp -std=c++17 -Wall -Wextra -Werror %t.cpp -o %t && %t > %t.raised
// RUN: g++ -O2 -fopenmp -std=c++17 -Wall -Wextra -Werror %t.cpp -o %t && %t > %t.gcc
// RUN: clang++-19 -O2 -std=c++17 %s -o %t && %t > %t.original
// RUN: diff %t.raised %t.original
// RUN: diff %t.gcc %t.original
#include <cstdio>
#include <vector>

// A template is told of in each of its instantiations.
// CHECK: "function": "shift"
// CHECK: "status": "raised"
// CHECK: "assumptions": [
// CHECK-NEXT: "by >= n && n > 0"
// CHECK: "guards": []
// clang-raise: assume(by >= n && n > 0)
template <class T> void shift(T *__restrict a, int n, int by) {
  for (int i = 0; i < n; i++)
    a[i] = a[i + by] + 1;
}
template void shift(float *, int, int);

struct Grid {
  int w = 0;
  std::vector<double> v;

  // CHECK: "function": "Grid::smooth"
  // CHECK: "assumptions": [
  // CHECK-NEXT: "last < stride"
  void smooth(int rows, int stride, int last) {
    double *const p = v.data();
    for (int r = 0; r < rows; r++) {
      // clang-raise: assume(last < stride)
      for (int i = 0; i <= last; i++)
        p[r * stride + i] = 0.5 * p[r * stride + i] + r;
    }
  }

  // CHECK: "function": "Grid::untouched"
  // CHECK: "status": "left"
  // CHECK: "code": "CR1032"
  // TEXT: void untouched() {
  // TEXT-NEXT: for (double &x : v)
  // TEXT-NEXT: x *= 2;
  // clang-raise: off
  void untouched() {
    for (double &x : v)
      x *= 2;
  }
  // clang-raise: on
};

// Where y lies in x, the test of all of x finds it.
// CHECK: "function": "gather"
// CHECK: "assumptions": [
// CHECK-NEXT: "x has m elements"
void gather(double *y, const double *x, const int *__restrict k, int n, int m) {
  // clang-raise: extent(x, m)
  for (int i = 0; i < n; i++)
    if (k[i] >= 0)
      y[i] = x[k[i]] + (m > 0);
}

int main() {
  std::vector<float> a(4000, 1);
  for (size_t i = 0; i < a.size(); i++)
    a[i] = float(i % 17);
  shift(a.data(), 1500, 2000);
  Grid g;
  g.v.assign(90000, 3);
  g.smooth(300, 300, 250);
  g.untouched();
  std::vector<double> x(50000), y(40000);
  std::vector<int> k(40000);
  for (int i = 0; i < 40000; i++)
    k[i] = i % 7 ? (i * 31) % 50000 : -1;
  for (int i = 0; i < 50000; i++)
    x[i] = i;
  gather(y.data(), x.data(), k.data(), 40000, 50000);
  gather(x.data() + 1, x.data(), k.data(), 40000, 50000);
  double s = 0;
  for (size_t i = 0; i < x.size(); i++)
    s += x[i] * double(i % 5);
  for (size_t i = 0; i < y.size(); i++)
    s -= y[i];
  for (double d : g.v)
    s += d;
  for (float f : a)
    s += f;
  std::printf("%.17g\n", s);
}
