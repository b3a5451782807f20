// Loops whose range and elements come from member functions: raised, and the same.
// RUN: %clang_raise rewrite %s -o %t.cpp -- -fopenmp -O2 -std=c++17 2>%t.err
// RUN: FileCheck %s < %t.err
// RUN: FileCheck --check-prefix=TEXT %s < %t.cpp
// RUN: clang++-19 -O2 -fopenmp -std=c++17 -Wall -Wextra -Werror %t.cpp -o %t && %t > %t.raised
// RUN: g++ -O2 -fopenmp -std=c++17 -Wall -Wextra -Werror %t.cpp -o %t && %t > %t.gcc
// RUN: clang++-19 -O2 -std=c++17 %s -o %t && %t > %t.original
// RUN: diff %t.raised %t.original
// RUN: diff %t.gcc %t.original
#include <cmath>
#include <cstdio>
#include <vector>

struct Domain {
  std::vector<double> m_x;
  int m_n, m_first;
  int n() const { return m_n; }
  int first() const { return m_first; }
  int taken() { return m_first++; }
  bool empty() const { return m_x.empty(); }
};

// CHECK: accessors.cpp:[[#@LINE+6]]:{{.*}}raised to a
// TEXT: #pragma omp parallel for
void weights(Domain &d, double a) {
  if (d.empty())
    return;
  const int n = d.n();
  for (int i = 0; i < n; ++i)
    d.m_x[d.first() + i] = std::exp(std::sin(a * i));
}

// What it returns changes with each call.
// CHECK: accessors.cpp:[[#@LINE+2]]:{{.*}}raised to a scan
void taken(Domain &d) {
  for (int i = 0; i < d.taken(); ++i)
    d.m_x[i] += i;
}

int main() {
  Domain d{std::vector<double>(200000, 1.0), 150000, 777};
  weights(d, 0.25);
  d.m_n = 10;
  d.m_first = -3;
  taken(d);
  double s = 0;
  for (double x : d.m_x)
    s = s * 0.5 + x;
  std::printf("%.17g %d\n", s, d.m_first);
}
