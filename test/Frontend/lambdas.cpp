// A lambda is its body where it is called.
// RUN: %raise_lift %s -- -O2 -std=c++17 | FileCheck %s

// CHECK-LABEL: @named
// CHECK: for (i: i32 = 0; i < n; i += 1)
// CHECK: y[i.1] = a * x[i.1] + b;
// CHECK-NOT: [CR
void named(float *y, const float *x, float a, float b, int n) {
  auto set = [&](int i) { y[i] = a * x[i] + b; };
  for (int i = 0; i < n; ++i)
    set(i);
}

// CHECK-LABEL: @inplace
// CHECK-NOT: [CR
void inplace(float *y, const float *x, int n) {
  for (int i = 0; i < n; ++i)
    y[i] = [=](float v) { return v * v + x[0]; }(x[i]);
}

// What it captures by copy is what it was when the lambda was made.
// CHECK-LABEL: @copied
// CHECK: opaque "y[i] = f()" "CR1015"
void copied(float *y, float a, int n) {
  auto f = [a] { return a; };
  a = 3;
  for (int i = 0; i < n; ++i)
    y[i] = f();
}

// One that goes elsewhere may be called at any time.
#include <functional>
void keep(std::function<void(float)> f);
// CHECK-LABEL: @kept
// CHECK: let s: f32
// CHECK: opaque "keep(add)"
// CHECK-SAME: touches (s)
float kept(const float *x, int n) {
  float s = 0;
  auto add = [&](float v) { s += v; };
  keep(add);
  for (int i = 0; i < n; ++i)
    s += x[i];
  return s;
}
