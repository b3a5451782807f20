// Changes of variables that the statement at hand does not spell out.
// RUN: %raise_lift %s -- -O2 -std=c++17 | FileCheck %s
#include <utility>
#include <vector>

// A pointer stays where it was when its container is another's by now.
// CHECK-LABEL: @swapped
// CHECK: opaque "double *p = a.data();" "CR1005"
// CHECK: p[i + 1] = `b.data()`[i];
void swapped(std::vector<double> &a, std::vector<double> &b, int n, int steps) {
  for (int t = 0; t < steps; t++) {
    double *p = a.data();
    std::swap(a, b);
    for (int i = 0; i < n; i++)
      p[i + 1] = b[i];
  }
}
// CHECK-LABEL: @steady
// CHECK-NOT: opaque
// CHECK: cursor p: `a.data()` = 0:i64;
// CHECK-NOT: opaque
void steady(std::vector<double> &a, const std::vector<double> &b, int n,
            int steps) {
  for (int t = 0; t < steps; t++) {
    double *p = a.data();
    for (int i = 0; i < n; i++)
      p[i + 1] = b[i];
  }
}

// What a lambda changes, the statement that calls it changes.
// CHECK-LABEL: @called
// CHECK: opaque "v.push_back(next())"
// CHECK-SAME: touches (k)
void called(std::vector<int> &v) {
  int k = 0;
  auto next = [&] { return ++k; };
  v.push_back(next());
  for (int i = 0; i < 9; i++)
    v[i] = k;
}
// CHECK-LABEL: @generic
// CHECK: opaque "v.push_back(next(2))"
// CHECK-SAME: touches (k)
void generic(std::vector<int> &v) {
  int k = 0;
  auto next = [&](auto by) { return k += by; };
  v.push_back(next(2));
  for (int i = 0; i < 9; i++)
    v[i] = k;
}
// CHECK-LABEL: @inside
// CHECK: while (t < k) why "the body changes 'k', which the loop's bound uses"
void inside(std::vector<int> &v, int k) {
  auto next = [&] { return --k; };
  for (int t = 0; t < k; t++)
    v.push_back(next());
}

// A copy is no other name of what it was made from.
// CHECK-LABEL: @elements
// CHECK: opaque "y[i] = f(i)" "CR1015"
void elements(double *y, std::vector<double> &x, int n) {
  auto f = [x](int i) { return x[i]; };
  for (int i = 0; i < n; i++)
    y[i] = f(i);
}
// CHECK-LABEL: @referee
// CHECK: opaque "y[i] = f(i)" "CR1015"
void referee(double *y, double &x, int n) {
  auto f = [x](int i) { return x + i; };
  for (int i = 0; i < n; i++)
    y[i] = f(i);
}
// CHECK-LABEL: @earlier
// CHECK: opaque "y[i] = [k](int v) { return k + v; }(k++)" "CR1015"
void earlier(double *y, int k, int n) {
  for (int i = 0; i < n; i++)
    y[i] = [k](int v) { return k + v; }(k++);
}

// Pointers that get values whose origin is not seen.
// CHECK-LABEL: @parameter
// CHECK: opaque "double *p = t;" "CR1008" "'p' is given the value of 'q', and where that points is not known here"
void parameter(double *b) {
  double t[4];
  double *p = t;
  [&](double *q) { p = q + 1; }(b);
  for (int i = 0; i < 4; i++)
    p[i] = 1;
}
// CHECK-LABEL: @chosen
// CHECK: opaque "double *p = t, *q = t;" "CR1008" "'p' may point into 't' or 'b'"
void chosen(double *b, int n) {
  double t[4];
  double *p = t, *q = t;
  (n > 3 ? p : q) = b;
  for (int i = 0; i < 4; i++)
    p[i] = 1;
}
// CHECK-LABEL: @assembled
// CHECK: opaque "double *p = t;" "CR1016"
void assembled(double *b) {
  double t[4];
  double *p = t;
  asm("" : "=r"(p) : "0"(b));
  for (int i = 0; i < 4; i++)
    p[i] = 1;
}
// Once for all calls.
// CHECK: pointer q: f64*;
// CHECK-LABEL: @first
// CHECK: cursor p: q = 0:i64;
void first(double *b) {
  static double *const q = b;
  double *p = q;
  for (int i = 0; i < 4; i++)
    p[i] = 1;
}

// References in a structure, and what a destructor does.
struct Holder {
  int &r;
};
struct Guard {
  int &r;
  ~Guard() { r = 9; }
};
// CHECK-LABEL: @held
// CHECK: opaque "Holder h{m};"
// CHECK: while (k < m)
// CHECK: opaque "h.r = k"
// CHECK-SAME: touches (k, m)
void held(int m) {
  Holder h{m};
  for (int k = 0; k < m; k++)
    h.r = k;
}
// CHECK-LABEL: @guarded
// CHECK: opaque "Guard g{m};"
// CHECK: m = 5;
// CHECK-NEXT: opaque "~g" "CR1013" "what the end of 'g' does is not followed" touches (m);
// CHECK-NEXT: break;
// CHECK: m = 4;
// CHECK-NEXT: }
// CHECK-NEXT: opaque "~g"
// CHECK-SAME: touches (m)
int guarded(int m, int n) {
  for (int k = 0; k < n; k++) {
    Guard g{m};
    if (n > 5) {
      m = 5;
      break;
    }
    m = 4;
  }
  return m;
}
