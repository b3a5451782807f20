// Member functions that only return what an expression says: it stands in their place, and is no effect.
// RUN: %raise_lift %s -- -O2 -std=c++17 -fopenmp | FileCheck %s
#include <vector>

class Domain {
  std::vector<double> m_x;
  int m_n;

public:
  int n() const { return m_n; }
  bool empty() const { return m_x.empty(); }
  bool notEmpty() { return !empty(); }
  int next() { return m_n++; }
  double &x(int i) { return m_x[i]; }
};

// CHECK: func @counted(
// CHECK: for (i: i32 = 0; i < d[0:i64].m_n:i32; i += 1)
void counted(Domain &d) {
  for (int i = 0; i < d.n(); ++i)
    d.x(i) = i;
}

// CHECK: func @searched(
// CHECK-NOT: let
// CHECK: while (i < d[0:i64].m_n:i32)
int searched(Domain &d, int i) {
  while (i < d.n())
    i++;
  return i;
}

// A test of it may stand in a parallel region.
// CHECK: func @region(
// CHECK: if (!(`d.m_x.size()` == 0:u64))
// CHECK: claimed for
void region(Domain &d, double *y, int n) {
#pragma omp parallel
  {
    if (!d.empty()) {
#pragma omp for
      for (int i = 0; i < n; ++i)
        y[i] = 0;
    }
  }
}

// One that changes something is an effect.
// CHECK: func @changes(
// CHECK: opaque {{.*}}"CR1020"
// CHECK-NOT: claimed
void changes(Domain &d, double *y, int n) {
#pragma omp parallel
  {
    if (d.next() > 0) {
#pragma omp for
      for (int i = 0; i < n; ++i)
        y[i] = 0;
    }
  }
}
