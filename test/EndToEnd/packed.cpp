// Places in packed arrays that a nest counts: the reverse counts back. Compiled, and verified against differences and the tangent.
// RUN: rm -rf %t && mkdir -p %t
// RUN: %clang_raise grad --verify --alias=assume %s --function=triangle --function=walks --function=strides --function=twice --function=whiles -o %t/joint.cpp -- -std=c++17 -O2 -fopenmp 2> %t/err
// RUN: FileCheck --check-prefix=VERIFIED --implicit-check-not=warning --implicit-check-not=error %s < %t/err
// RUN: FileCheck %s < %t/joint.cpp
// RUN: %clang_raise grad --verify %s --function=triangle --function=walks --function=strides --function=twice --function=whiles -o %t/general.cpp -- -std=c++17 -O2 2> %t/err
// RUN: FileCheck --check-prefix=VERIFIED --implicit-check-not=warning --implicit-check-not=error %s < %t/err
// RUN: %clang_raise grad --verify --alias=assume --split %s --function=triangle --function=walks --function=strides --function=twice --function=whiles -o %t/split.cpp -- -std=c++17 -O2 2> %t/err
// RUN: FileCheck --check-prefix=VERIFIED --implicit-check-not=warning --implicit-check-not=error %s < %t/err
// RUN: g++ -std=c++17 -O2 -fopenmp -Wall -Wextra -Werror -c %t/joint.cpp -o %t/joint.o
// RUN: g++ -std=c++17 -O2 -Wall -Wextra -Werror -c %t/split.cpp -o %t/split.o
// RUN: clang++-19 -std=c++17 -O2 -fopenmp -Wall -Wextra -Werror -c %t/joint.cpp -o %t/joint.o
// VERIFIED-DAG: the adjoint of 'triangle': verification passed
// VERIFIED-DAG: the adjoint of 'walks': verification passed
// VERIFIED-DAG: the adjoint of 'strides': verification passed
// VERIFIED-DAG: the adjoint of 'twice': verification passed
// VERIFIED-DAG: the adjoint of 'whiles': verification passed
#include <vector>

// CHECK-LABEL: void triangle_adjoint(
// CHECK-NOT: tape
// CHECK: int k_back = k;
// CHECK: k_back -= d - (i + 1);
// CHECK: #pragma omp simd reduction(+ : sum)
// CHECK: l_adj[k_back + (j - (i + 1))] +=
void triangle(int d, const double *l, const double *x, double *y) {
  int k = 0;
  for (int i = 0; i < d; i++)
    for (int j = i + 1; j < d; j++) {
      y[j] = y[j] + l[k] * x[i];
      k++;
    }
}

// Begun anew for each row, by two statements, backwards.
// CHECK-LABEL: void walks_adjoint(
// CHECK: std::vector<int> k_tape(n > 0 ? n : 0);
// CHECK: k_back
double walks(int n, int d, const double *l) {
  double s = 0;
  for (int p = 0; p < n; ++p) {
    int k = 3 * d;
    double q = 1;
    for (int i = 0; i < d; i++) {
      q = q * l[k];
      k -= 2;
      s += q * l[k + 1];
      k--;
      s += l[k + 2] * l[k + 1];
    }
    s += q * l[k];
  }
  return s;
}

// CHECK-LABEL: void strides_adjoint(
// CHECK: at_back -= 3;
void strides(unsigned n, const double *x, double *y) {
  unsigned at = 1;
  for (unsigned i = 0; i < n; ++i) {
    y[i] = y[i] * x[at] + x[at - 1];
    at += 3;
    y[i] += x[at - 2] * x[at];
  }
}

// Two nests, one after the other, count on.
// CHECK-LABEL: void twice_adjoint(
// CHECK: k_back
void twice(int n, const double *l, double *y) {
  int k = 0;
  for (int i = 0; i < n; ++i) {
    y[i] = y[i] * l[k];
    ++k;
  }
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < i; ++j) {
      y[j] += l[k] * l[k - 1];
      ++k;
    }
  y[0] += l[k];
}

// CHECK-LABEL: void whiles_adjoint(
// CHECK: k_back
double whiles(int n, const double *l, double top) {
  double s = 0;
  int k = 0;
  while (k < n && s < top) {
    s += l[k] * l[k] + 0.1;
    ++k;
  }
  return s;
}
