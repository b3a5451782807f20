// What cannot be differentiated is an error at its place, and nothing is written.
// RUN: rm -rf %t && mkdir -p %t
// RUN: not %clang_raise grad --mode=forward --function=state %s -o %t/a.cpp -- 2>&1 | FileCheck %s --check-prefix=STATE
// RUN: not ls %t/a.cpp
// RUN: %clang_raise grad --mode=forward --function=constant %s -o %t/b.cpp -- && ls %t/b.cpp %t/b.h
// RUN: not %clang_raise grad --mode=forward --function=counter %s -- 2>&1 | FileCheck %s --check-prefix=COUNTER
// RUN: not %clang_raise grad --mode=forward --function=unknown --json=%t/r.json %s -- 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: FileCheck %s --check-prefix=JSON --input-file=%t/r.json
// RUN: not %clang_raise grad --mode=forward --function=vec %s -- 2>&1 | FileCheck %s --check-prefix=VEC
// RUN: not %clang_raise grad --mode=forward "--function=S::operator()" %s -- 2>&1 | FileCheck %s --check-prefix=MEMBER
// RUN: not %clang_raise grad --mode=forward --function=wide %s -- 2>&1 | FileCheck %s --check-prefix=WIDE
// RUN: not %clang_raise grad --mode=forward --function=recursive %s -- 2>&1 | FileCheck %s --check-prefix=RECURSIVE
// RUN: not %clang_raise grad --mode=forward --function=untagged %s -o %t/c.cpp -- 2>&1 | FileCheck %s --check-prefix=UNTAGGED
// RUN: %clang_raise grad --mode=forward --function=untagged %s -- | FileCheck %s --check-prefix=TEXT
// RUN: not %clang_raise grad --mode=forward --function=other::hides %s -- 2>&1 | FileCheck %s --check-prefix=HIDES
// RUN: %clang_raise grad --mode=forward --function=other::finds %s -- | FileCheck %s --check-prefix=FINDS
// RUN: not %clang_raise grad --mode=forward --function=named %s -- 2>&1 | FileCheck %s --check-prefix=NAMED
#include <cmath>
#include <vector>

// STATE: grad-refused.cpp:[[#@LINE+1]]:15: error: the derivative uses 'Scale', which only this file sees and may change [CR1809]
static double Scale = 2;
void setScale(double s) { Scale = s; }
double state(double x) { return Scale * x * x; }
static const double Fixed = 2;
double constant(double x) { return Fixed * x * x; }

static double counts(double x) {
  static int calls = 0;
  ++calls;
  return x * calls;
}
// COUNTER: grad-refused.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: not differentiated: {{.*}} [CR1801]
double counter(double x) { return counts(x) * x; }

double elsewhere(double x);
// UNKNOWN: grad-refused.cpp:[[#@LINE+3]]:{{[0-9]+}}: error: not differentiated: calls elsewhere, whose effects are not known [CR1801]
// UNKNOWN-NEXT: error: a function cannot be differentiated; nothing is written for this file
// JSON-DAG: "code": "CR1801"
double unknown(double x) { return elsewhere(x) * x; }
// JSON-DAG: "status": "failed"

// VEC: grad-refused.cpp:[[#@LINE+1]]:8: error: parameter 'v' has type 'std::vector<double> &&', which is not supported [CR1807]
double vec(std::vector<double> &&v) { return v[0] * v[1]; }
struct S {
  double a;
  // MEMBER: grad-refused.cpp:[[#@LINE+1]]:10: error: a constructor, a destructor or an operator [CR1807]
  double operator()(double x) { return a * x; }
};
// WIDE: error: values of type long double carry derivatives; these are for float and double [CR1810]
long double wide(long double x) { return x * x; }
// RECURSIVE: grad-refused.cpp:[[#@LINE+1]]:44: error: not differentiated: calls recursive recursively; that is differentiated only of plain functions that compute a value from scalars: write a loop [CR1801]
double recursive(const double *x, int n) { return n ? x[n] * recursive(x, n - 1) : 1; }

// UNTAGGED: error: the derivative uses 'Pair', a type that a header cannot declare without defining it; move it to a header of its own [CR1809]
// TEXT: typedef struct {
// TEXT: double untagged_tangent(const Pair *p, Pair *p_tan, double *untagged_tan) {
typedef struct {
  double a, b;
} Pair;
double untagged(const Pair *p) { return p->a * p->b; }

namespace other {
double cos(double x);
using std::exp;
// HIDES: grad-refused.cpp:[[#@LINE+1]]:8: error: the derivative calls 'cos' of <math.h>, and that name means something else where it would stand [CR1809]
double hides(double x) { return std::sin(x); }
// FINDS: *finds_tan = exp(x) * x_tan;
double finds(double x) { return exp(x); }
} // namespace other
// NAMED: error: the derivative calls 'log' of <math.h>, and that name means something else where it would stand [CR1809]
double named(double x, double log) { return std::pow(x, log); }
