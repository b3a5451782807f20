// A local reference is what it refers to; that nothing uses it any more is no
// reason for a warning.
// RUN: %clang_raise rewrite %s -o %t.cpp -- -fopenmp -O2
// RUN: grep -v '// CHECK' %t.cpp | FileCheck %s
// RUN: clang++-19 -O2 -fopenmp -Wall -Wextra -Werror %t.cpp -o %t.clang && %t.clang
// RUN: g++ -O2 -fopenmp -Wall -Wextra -Werror %t.cpp -o %t.gcc && %t.gcc

// CHECK-LABEL: double total(
// CHECK: s += y[i];
// CHECK: (void)r;
double total(const double *y, int n) {
  double s = 0;
  double &r = s;
  for (int i = 0; i < n; ++i)
    r += y[i];
  return s;
}
// Where it is used elsewhere, there is nothing to say.
// CHECK-LABEL: double more(
// CHECK-NOT: (void)
double more(const double *y, int n) {
  double s = 0;
  double &r = s;
  for (int i = 0; i < n; ++i)
    r += y[i];
  return r;
}
// CHECK-LABEL: void count(
// CHECK: #pragma omp
// CHECK: } else {
// CHECK-NEXT: for (int i = 0; i < m; ++i)
// CHECK-NOT: (void)
void count(double *x, int n) {
  const int &m = n;
  for (int i = 0; i < m; ++i)
    x[i] = i;
}
// CHECK: int main
int main() {
  double x[9];
  count(x, 9);
  return total(x, 9) == 36 && more(x, 9) == 36 ? 0 : 1;
}
