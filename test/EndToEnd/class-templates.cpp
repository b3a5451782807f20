// Instances of class templates in signatures, bodies and what is repeated of the source.
// RUN: %clang_raise grad %s --verify --function=member --function=number --function=named --function=overloads --function=parameters -o %t.adj.cpp -- -I %S/Inputs -O2 -std=c++17 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: FileCheck %s < %t.adj.h
// RUN: FileCheck --check-prefix=BODY %s < %t.adj.cpp
// RUN: %clang_raise grad %s --mode=forward --function=number --function=named --function=overloads --function=parameters -o %t.tan.cpp -- -I %S/Inputs -O2 -std=c++17
// Both headers stand beside the source.
// RUN: %clangxx -std=c++17 -Wall -Wextra -Werror -I %S/Inputs -fsyntax-only -include %t.adj.h -include %t.tan.h %s
// RUN: g++ -std=c++17 -Wall -Wextra -Werror -I %S/Inputs -fsyntax-only %t.adj.cpp
// RUN: g++ -std=c++17 -Wall -Wextra -Werror -I %S/Inputs -fsyntax-only %t.tan.cpp
// What a header cannot declare is refused.
// RUN: not %clang_raise grad %s --function=own -o %t.own.cpp -- -I %S/Inputs -std=c++17 2>&1 | FileCheck --check-prefix=OWN %s
// RUN: not %clang_raise grad %s --function=alias -o %t.own.cpp -- -I %S/Inputs -std=c++17 2>&1 | FileCheck --check-prefix=OWN %s
// RUN: not %clang_raise grad %s --function=inner -o %t.own.cpp -- -I %S/Inputs -std=c++17 2>&1 | FileCheck --check-prefix=INNER %s
#include "complex-pair.h"

// VERIFIED-DAG: the adjoint of 'number': verification passed
// VERIFIED-DAG: the adjoint of 'overloads': verification passed

// CHECK: void member_adjoint(const Couple<double> &c, double x, Couple<double> *c_adj,
double member(const Couple<double> &c, double x) { return c.re * x + c.im; }

template <int K> struct Times {
  static double of(double x) { return K * x * x; }
};
// BODY-LABEL: void number_adjoint(
// BODY: 4
// BODY-NOT: ::K
// BODY: {{^}$}}
void number(const double *x, double *y, int n) {
  for (int i = 0; i < n; ++i)
    y[i] = Times<4>::of(x[i]);
}

namespace q {
constexpr double K = 0.5;
template <class T> struct Half {
  static double of(double x) { return K * x * x; }
};
} // namespace q
void named(const double *x, double *y, int n) {
  for (int i = 0; i < n; ++i)
    y[i] = q::Half<int>::of(x[i]);
}

static double f(double x) { return x * x; }
template <class T> static T f(T x, int k) { return x * x * k; }
void overloads(const double *x, double *y, int n) {
  for (int i = 0; i < n; ++i)
    y[i] = f(x[i]) + f(x[i], 3);
}

// A template's parameter stands in the template, whatever else has its name.
constexpr int K = 7;
template <int K> static double by(double x) { return K * x * x; }
void parameters(const double *x, double *y, int n) {
  for (int i = 0; i < n; ++i)
    y[i] = by<3>(x[i]) + K * x[i];
}

template <class T> struct Own {
  T a, b;
};
// OWN: error: the derivative uses 'Own', a type that a header cannot declare without defining it; move it to a header of its own [CR1809]
double own(const Own<double> &c) { return c.a * c.b; }
using Alias = Own<double>;
double alias(const Alias *c) { return c->a * c->b; }

struct Outer {
  struct In {
    double a;
  };
  In i;
  double b;
};
// INNER: error: the derivative uses 'Outer', a type that a header cannot declare without defining it; move it to a header of its own [CR1809]
void inner(Outer *o, const Outer::In *a) { o->i.a = a->a * o->b; }
