// Member functions, of the object itself and of others.
// RUN: %raise_lift %s -- -O2 -std=c++17 | FileCheck %s
#include <vector>

class Domain {
  std::vector<double> m_x, m_v;
  std::vector<int> m_nodes;
  int m_n;
  double m_sum = 0;

public:
  double &x(int i) { return m_x[i]; }
  double &v(int i) { return m_v[i]; }
  int *nodes(int i) { return &m_nodes[8 * i]; }
  int size() const { return m_n; }
  void add(double d) { m_sum += d; }

  void clear();
};

// CHECK: pointer this: {{.*}}* apart 1;
// CHECK: pointer `this->m_x.data()`: f64* inlocal apart 1 owned;
// CHECK-LABEL: @clear
// CHECK: for (i: i32 = 0; i < this[0:i64].m_n:i32; i += 1)
// CHECK-NEXT: `this->m_x.data()`[i] = 0.0;
void Domain::clear() {
  for (int i = 0; i < m_n; ++i)
    m_x[i] = 0.0;
}

// CHECK-LABEL: @move
// CHECK: `d.m_x.data()`[i] += `d.m_v.data()`[i] * dt;
// CHECK-NOT: [CR
void move(Domain &d, double dt, int n) {
  for (int i = 0; i < n; ++i)
    d.x(i) += d.v(i) * dt;
}

// CHECK-LABEL: @gather
// CHECK: cursor at: `d.m_nodes.data()` = icast<i64>(8 * i);
// CHECK: let i.1: i32 = `d.m_nodes.data()`[at + icast<i64>(k)];
// CHECK-NEXT: sum += `d.m_x.data()`[i.1];
double gather(Domain &d, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    const int *at = d.nodes(i);
    for (int k = 0; k < 8; ++k)
      sum += d.x(at[k]);
  }
  return sum;
}

// CHECK-LABEL: @total
// CHECK: let d.1: f64 = x[i];
// CHECK-NEXT: d[0:i64].m_sum += d.1;
void total(Domain &d, const double *x, int n) {
  for (int i = 0; i < n; ++i)
    d.add(x[i]);
}

template <typename T> struct View {
  T *p;
  int stride;
  T &operator()(int i) const { return p[i * stride]; }
};
// CHECK-LABEL: @viewed
// CHECK: a.p[i * a[0:i64].stride:i32] = cast<f32>(1);
template <typename T> void viewed(const View<T> &a, int n) {
  for (int i = 0; i < n; ++i)
    a(i) = T(1);
}
template void viewed(const View<float> &, int);
