// What a function or a helper of it names in its namespace or class is named from where the derivative stands, and what is
// repeated of a class is the class.
// RUN: %clang_raise grad --function=energy --function=weight --function=instance --function=enumerated --function=Planet::pull --function=Hidden::doubled --function=moved %s -o %t.adj.cpp -- -O2 -std=c++17
// RUN: %clang_raise grad --mode=forward --function=energy --function=weight --function=instance --function=enumerated --function=Planet::pull --function=Hidden::doubled --function=moved %s -o %t.tan.cpp -- -O2 -std=c++17
// RUN: %clang_raise grad --mode=forward --directions=2 --function=moved %s -o %t.two.cpp -- -O2 -std=c++17
// RUN: %clangxx -O1 -std=c++17 -Wall -Wextra -Werror -c %t.adj.cpp -o %t.adj.o
// RUN: %clangxx -O1 -std=c++17 -Wall -Wextra -Werror -c %t.tan.cpp -o %t.tan.o
// RUN: %gxx -O1 -std=c++17 -Wall -Wextra -Werror -fsyntax-only %t.adj.cpp %t.tan.cpp %t.two.cpp
// RUN: %clangxx -O1 -std=c++17 -DADJOINT='"%t.adj.h"' -DTANGENT='"%t.tan.h"' %s %t.adj.o %t.tan.o -o %t.run && %t.run
// RUN: not %clang_raise grad --function=Hidden::pull %s -o %t.no.cpp -- -O2 -std=c++17 2>&1 | FileCheck %s --check-prefix=PRIVATE
// RUN: not %clang_raise grad --function=stateful %s -o %t.no.cpp -- -O2 -std=c++17 2>&1 | FileCheck %s --check-prefix=STATE
#include <cmath>
#include <cstdio>

constexpr double g = 1.0;
namespace phys {
constexpr double g = 9.81;
static double square(double v) { return v * v * g; }
} // namespace phys
double energy(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += phys::square(x[i]) * g;
  return s;
}

struct Planet {
  static constexpr double g = 3.7;
  double m;
  static double squared(double v) { return v * v * g; }
  double pull(const double *x, int n) const {
    double s = 0;
    for (int i = 0; i < n; ++i)
      s += m * x[i] * x[i] * g;
    return s;
  }
};
double weight(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += Planet::squared(x[i]) * g;
  return s;
}

template <class R> struct Rule {
  static constexpr R g = 2;
  static R of(R v) { return v * v * v * g; }
};
double instance(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += Rule<double>::of(x[i]);
  return s;
}

struct Power {
  enum { WIDTH = 4 };
  static double of(double v) {
    double s = v;
    for (int i = 0; i < WIDTH; ++i)
      s = v * s;
    return s;
  }
};
enum { WIDTH = 10 };
double enumerated(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += Power::of(x[i]) * WIDTH;
  return s;
}

struct Vec2 {
  double x, y;
  Vec2 operator+(Vec2 o) const { return {x + o.x, y + o.y}; }
};
double moved(const double *x, int n) {
  Vec2 a{0, 0};
  for (int i = 0; i + 1 < n; i += 2) {
    Vec2 b{x[i], x[i + 1]};
    a = a + b;
  }
  return a.x * a.y;
}

class Hidden {
  static constexpr double g = 1.6;
  enum { TWICE = 2 };

public:
  // A number, whatever its name.
  double doubled(const double *x, int n) const {
    double s = 0;
    for (int i = 0; i < n; ++i)
      s += m * x[i] * TWICE;
    return s;
  }
  double m;
  double pull(const double *x, int n) const {
    double s = 0;
    for (int i = 0; i < n; ++i)
      // PRIVATE: [[#@LINE+1]]:{{[0-9]+}}: error: not differentiated: 'g' cannot be named here: it is another function's, private to a class, or hidden by a local of the same name [CR1801]
      s += m * x[i] * x[i] * g;
    return s;
  }
};

namespace {
struct State {
  // STATE: [[#@LINE+1]]:{{[0-9]+}}: error: {{.*}}the derivative uses 'scale', which only this file sees and may change [CR1809]
  static inline double scale = 1.5;
};
} // namespace
void rescale(double by) { State::scale = by; }
double stateful(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += x[i] * x[i] * State::scale;
  return s;
}

#ifdef ADJOINT
#include ADJOINT
#include TANGENT

using Scalar = double (*)(const double *, int);
template <typename A, typename T> static int wrong(const char *Name, Scalar F, A Adjoint, T Tangent) {
  double X[4] = {0.5, -1.25, 2, 0.75};
  for (int I = 0; I < 4; ++I) {
    double Adj[4] = {}, Tan[4] = {}, Result = 0;
    Tan[I] = 1;
    Adjoint(X, 4, Adj, 1.0);
    const double Primal = Tangent(X, 4, Tan, &Result);
    const double Old = X[I];
    X[I] = Old + 1e-5;
    double Slope = F(X, 4);
    X[I] = Old - 1e-5;
    Slope = (Slope - F(X, 4)) / 2e-5;
    X[I] = Old;
    if (std::fabs(Adj[I] - Slope) > 1e-6 * (1 + std::fabs(Slope)) || std::fabs(Result - Slope) > 1e-6 * (1 + std::fabs(Slope)) || Primal != F(X, 4)) {
      std::printf("%s: %g and %g, not %g\n", Name, Adj[I], Result, Slope);
      return 1;
    }
  }
  return 0;
}

int main() {
  const Planet Mars{2};
  return wrong("energy", energy, energy_adjoint, energy_tangent) + wrong("weight", weight, weight_adjoint, weight_tangent) +
         wrong("instance", instance, instance_adjoint, instance_tangent) + wrong("enumerated", enumerated, enumerated_adjoint, enumerated_tangent) +
         wrong("moved", moved, moved_adjoint, moved_tangent) +
         wrong(
             "pull", [](const double *x, int n) { return Planet{2}.pull(x, n); },
             [&](const double *x, int n, double *a, double s) {
               Planet Adj{0};
               Planet_pull_adjoint(Mars, x, n, &Adj, a, s);
             },
             [&](const double *x, int n, double *t, double *r) {
               Planet Tan{0};
               return Planet_pull_tangent(Mars, x, n, &Tan, t, r);
             });
}
#endif
