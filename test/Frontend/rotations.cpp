// Arrays of the function's own that change places are lifted as an exchange of their elements, as far as nothing else leads to those.
// RUN: %raise_lift --alone %s -- -std=c++20 | FileCheck %s
#include <span>
#include <utility>
#include <vector>

// CHECK-LABEL: func @swapped
// CHECK-NOT: opaque
// CHECK: for (i.2: i64 = 0:i64; i.2 < icast<i64>(n); i.2 += 1:i64) {
// CHECK-NEXT: let held: f64 = u[i.2];
// CHECK-NEXT: u[i.2] = v[i.2];
// CHECK-NEXT: v[i.2] = held;
double swapped(const double *x, int n) {
  std::vector<double> u(x, x + n), v(n);
  for (int i = 0; i < n; ++i)
    v[i] = x[i];
  std::swap(u, v);
  return u[0];
}

// Three, one after the other: two exchanges.
// CHECK-LABEL: func @turned
// CHECK-NOT: opaque
// CHECK: = a[
// CHECK-NEXT: a[{{.*}}] = b[
// CHECK: = b[
// CHECK-NEXT: b[{{.*}}] = c[
// CHECK-NEXT: c[{{.*}}] = held
// CHECK-NEXT: }
// CHECK-NEXT: let s:
double turned(const double *x, int n) {
  double *a = new double[n], *b = new double[n], *c = new double[n];
  for (int i = 0; i < n; ++i) {
    a[i] = x[i];
    b[i] = 2 * x[i];
    c[i] = 3 * x[i];
  }
  double *first = a;
  a = b;
  b = c;
  c = first;
  const double s = a[0] + 10 * b[0] + 100 * c[0];
  delete[] a;
  delete[] b;
  delete[] c;
  return s;
}

// What was put aside is used once more.
// CHECK-LABEL: func @used
// CHECK: opaque "double *first = a;"
double used(const double *x, int n) {
  double *a = new double[n], *b = new double[n];
  for (int i = 0; i < n; ++i)
    a[i] = b[i] = x[i];
  double *first = a;
  a = b;
  b = first;
  return first[0];
}

// One that is lost: no exchange.
// CHECK-LABEL: func @lost
// CHECK: opaque "a = b"
double lost(const double *x, int n) {
  double *a = new double[n], *b = new double[n];
  for (int i = 0; i < n; ++i)
    a[i] = b[i] = x[i];
  a = b;
  return a[0] + b[1];
}

// There and back.
// CHECK-LABEL: func @twice
// CHECK-NOT: opaque
// CHECK: return
double twice(const double *x, int n) {
  double *a = new double[n], *b = new double[n];
  for (int i = 0; i < n; ++i)
    a[i] = b[i] = x[i];
  std::swap(a, b);
  std::swap(b, a);
  const double s = a[0];
  delete[] a;
  delete[] b;
  return s;
}

// CHECK-LABEL: func @stays
// CHECK: opaque "std::swap(u, v)" "CR1008" "'u' and 'v' change places, and 'p' leads into what was 'u' before"
double stays(const double *x, int n) {
  std::vector<double> u(x, x + n), v(n);
  double *p = u.data();
  for (int i = 0; i < n; ++i)
    v[i] = x[i];
  std::swap(u, v);
  return p[0] + u[1];
}

// CHECK-LABEL: func @element
// CHECK: opaque "std::swap(u, v)" "CR1008" "'u' and 'v' change places, and 'first' leads into what was 'u' before"
double element(const double *x, int n) {
  std::vector<double> u(x, x + n), v(n);
  double &first = u[0];
  for (int i = 0; i < n; ++i)
    v[i] = x[i];
  std::swap(u, v);
  first += 1;
  return u[0];
}

// CHECK-LABEL: func @walked
// CHECK: opaque {{.*}} "CR1008" "'u' and 'v' change places, and a loop around walks over what was 'u' when it began"
double walked(const double *x, int n) {
  std::vector<double> u(x, x + n), v(n);
  double s = 0;
  for (double e : u) {
    s += e;
    std::swap(u, v);
  }
  return s;
}

// CHECK-LABEL: func @sizes
// CHECK: opaque "std::swap(u, v)" "CR1008" "'u' and 'v' change places, and are not known to have one size: make one by the other's, as in 'v(u.size())'"
double sizes(const double *x, int n, int m) {
  std::vector<double> u(x, x + n), v(m);
  for (int i = 0; i < m; ++i)
    v[i] = x[i];
  std::swap(u, v);
  return u[0];
}

// CHECK-LABEL: func @others
// CHECK: opaque "std::swap(a, b)" "CR1005" "'a' and 'b' change places, which is followed for arrays that the function makes itself"
double others(double *a, double *b, int n) {
  for (int i = 0; i < n; ++i)
    a[i] = 1;
  std::swap(a, b);
  return a[0];
}

// A vector that the caller gives, and one of its size.
// CHECK-LABEL: func @given
// CHECK-NOT: opaque
// CHECK: for (i.2: i64 = 0:i64; i.2 < icast<i64>(`u.size()`); i.2 += 1:i64) {
// CHECK-NEXT: let held: f64 = u[i.2];
// CHECK-NEXT: u[i.2] = v[i.2];
// CHECK-NEXT: v[i.2] = held;
void given(std::vector<double> &u, const float *w, double k) {
  std::vector<double> v(u);
  for (std::size_t i = 0; i < u.size(); ++i)
    v[i] = k * w[i];
  std::swap(u, v);
}

// CHECK-LABEL: func @both
// CHECK: opaque "std::swap(u, v)" "CR1008" "'u' and 'v' change places, and are not known to have one size
void both(std::vector<double> &u, std::vector<double> &v, int n) {
  for (int i = 0; i < n; ++i)
    v[i] = 2 * u[i];
  std::swap(u, v);
}

// Views change places, and not what they lead to.
// CHECK-LABEL: func @views
// CHECK: opaque "std::swap(u, v)" "CR1008" "'u' and 'v' change places, and not both are arrays that this function makes
void views(std::span<double> u, std::span<double> v, int n) {
  for (int i = 0; i < n; ++i)
    v[i] = 2 * u[i];
  std::swap(u, v);
  u[0] = 1;
}

// CHECK-LABEL: func @led
// CHECK: opaque "std::swap(u, v)" "CR1008" "'u' and 'v' change places, and 'p' leads into what was 'u' before"
void led(std::vector<double> &u) {
  std::vector<double> v(u);
  for (std::size_t i = 0; i < u.size(); ++i)
    v[i] = 2 * u[i];
  double *p = u.data();
  std::swap(u, v);
  p[0] = 1;
}

// What the caller has may lead there as well.
// CHECK-LABEL: func @passed
// CHECK: opaque "std::swap(u, v)" "CR1008" "'u' and 'v' change places, and 'p' may lead into what was 'u' before"
void passed(std::vector<double> &u, const double *p) {
  std::vector<double> v(u);
  for (std::size_t i = 0; i < u.size(); ++i)
    v[i] = 2 * u[i];
  std::swap(u, v);
  u[0] = p[0];
}

// CHECK-LABEL: func @referred
// CHECK: opaque "std::swap(u, v)" "CR1008" "'u' and 'v' change places, and 'k' may lead into what was 'u' before"
void referred(std::vector<double> &u, const double &k) {
  std::vector<double> v(u);
  for (std::size_t i = 0; i < u.size(); ++i)
    v[i] = 2 * u[i];
  std::swap(u, v);
  u[0] = k;
}
