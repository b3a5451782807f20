// The derivative of an array that lies in a structure lies in that of the structure.
// RUN: %clang_raise grad %s --function=cubic --function=nested --function=apply --function=scaled --function=led -o %t.adj.cpp -- -O2 -std=c++17
// RUN: FileCheck %s < %t.adj.h
// RUN: %clang_raise grad %s --mode=forward --function=cubic --function=nested --function=apply --function=scaled --function=led -o %t.tan.cpp -- -O2 -std=c++17
// RUN: %clangxx -O1 -g -std=c++17 -fsanitize=address,undefined -fno-sanitize-recover=all -Wall -Wextra -Werror -DADJOINT='"%t.adj.h"' -DTANGENT='"%t.tan.h"' %s %t.adj.cpp %t.tan.cpp -o %t.clang && %t.clang
// RUN: g++ -O2 -std=c++17 -Wall -Wextra -Werror -DADJOINT='"%t.adj.h"' -DTANGENT='"%t.tan.h"' %s %t.adj.cpp %t.tan.cpp -o %t.gcc && %t.gcc
// What the program that verifies cannot fill is said so.
// RUN: %clang_raise grad %s --verify --function=cubic -o - -- -O2 -std=c++17 2>&1 | FileCheck --check-prefix=VERIFY %s
// VERIFY: verification inconclusive (the test program cannot fill '{{.*}}c', an array)
#ifdef ADJOINT
#include ADJOINT
#include TANGENT
#endif
#include <cmath>
#include <cstdio>

struct Poly {
  double k;
  double c[3];
};
struct Pair {
  Poly a, b;
};
struct Vec {
  double v[3];
  double operator[](int i) const { return v[i]; }
};

// CHECK: void cubic_adjoint(const Poly &p, double x, Poly *p_adj, double *x_adj,
// CHECK-NEXT: double cubic_adj);
double cubic(const Poly &p, double x) {
  return p.k * (p.c[0] + x * (p.c[1] + x * p.c[2]));
}

// CHECK: void nested_adjoint(const Pair *q, double x, Pair *q_adj, double *x_adj,
double nested(const Pair *q, double x) {
  double s = 0;
  for (int i = 0; i < 3; ++i)
    s += q->a.c[i] * q->b.c[i] * x;
  return s;
}

// CHECK: void apply_adjoint(const Vec &a,
// CHECK: Vec *a_adj,
void apply(const Vec &a, const double *x, double *y, int n) {
  for (int i = 0; i < n; ++i)
    y[i] = a[i % 3] * x[i] + a[0];
}

void scaled(Poly &p, double x) {
  for (int i = 0; i < 3; ++i)
    p.c[i] *= x * p.c[i];
  p.k = p.c[1] * p.k;
}

// What a pointer leads to has a derivative of its own, also for its array alone:
// what a pointer in h_adj points to is not known.
// CHECK: void led_adjoint(const Holder &h, double x, Holder *h_adj, double *x_adj,
// CHECK-NEXT: Poly *p_adj, double led_adj);
struct Holder {
  Poly *p;
  double g;
};
double led(const Holder &h, double x) { return h.p->c[1] * h.g * x; }

#ifdef ADJOINT
static bool Bad = false;
static void same(const char *What, double Found, double Expected) {
  if (std::fabs(Found - Expected) > 1e-6 * (1 + std::fabs(Expected))) {
    std::printf("%s: %.12g, not %.12g\n", What, Found, Expected);
    Bad = true;
  }
}

int main() {
  Poly p = {2, {1, 3, -2}}, pa = {0.5, {0.25, 0, 1}}, pt = {1, {2, -1, 0.5}};
  double xa = 0, r = 0;
  const double x = 1.5, h = 1e-6;
  cubic_adjoint(p, x, &pa, &xa, 2);
  const auto With = [&](double t) {
    Poly q = p;
    q.k += t * pt.k;
    for (int i = 0; i < 3; ++i)
      q.c[i] += t * pt.c[i];
    return q;
  };
  // Adjoints are added to what was there.
  same("k", pa.k - 0.5, 2 * (1 + x * (3 + x * -2)));
  same("c0", pa.c[0] - 0.25, 2 * p.k);
  same("c1", pa.c[1], 2 * p.k * x);
  same("c2", pa.c[2] - 1, 2 * p.k * x * x);
  cubic_tangent(p, x, &pt, 0, &r);
  same("cubic_tangent", r, (cubic(With(h), x) - cubic(With(-h), x)) / (2 * h));

  Pair q = {p, {1, {4, 5, 6}}};
  Pair qa = {};
  xa = 0;
  nested_adjoint(&q, x, &qa, &xa, 1);
  for (int i = 0; i < 3; ++i) {
    same("a", qa.a.c[i], q.b.c[i] * x);
    same("b", qa.b.c[i], q.a.c[i] * x);
  }

  const Vec v = {{2, 3, 4}};
  double vx[4] = {1, 2, 3, 4}, y[4], vxa[4] = {}, ya[4] = {1, 1, 1, 1};
  Vec va = {};
  apply_adjoint(v, vx, y, 4, &va, vxa, ya);
  same("v0", va.v[0], 1 + 4 + 4);
  same("v1", va.v[1], 2);
  same("v2", va.v[2], 3);

  Holder hold = {&p, 3}, ha = {&p, 0};
  Poly pointed = {};
  xa = 0;
  const double before = p.c[1];
  led_adjoint(hold, x, &ha, &xa, &pointed, 1);
  same("led c1", pointed.c[1], 3 * x);
  same("led g", ha.g, before * x);
  same("the primal", p.c[1], before);
  double ht = 0;
  Poly moved = {0, {0, 1, 0}};
  Holder still = {nullptr, 0};
  led_tangent(hold, x, &still, 0, &moved, &ht);
  same("led_tangent", ht, 3 * x);

  // The tangent of an update along a direction, and its transpose.
  Poly u = p, ut = pt, w = p, wa = {1, {1, 1, 1}};
  scaled_tangent(u, x, &ut, 0);
  xa = 0;
  scaled_adjoint(w, x, &wa, &xa);
  same("primal", w.k, u.k);
  same("dot", wa.k * pt.k + wa.c[0] * pt.c[0] + wa.c[1] * pt.c[1] +
                  wa.c[2] * pt.c[2],
       ut.k + ut.c[0] + ut.c[1] + ut.c[2]);
  return Bad;
}
#endif
