// Rules for functions that are not looked into: called in both directions,
// compiled beside the original, run, compared with differences.
// DEFINE: %{functions} = --function=once --function=loop --function=nested
// RUN: rm -rf %t && mkdir -p %t/made
// RUN: printf 'derivatives:\n  lookup: {adjoint: lookup_adjoint, tangent: lookup_tangent}\n  "model::mix": {adjoint: "model::mix_back", tangent: "model::mix_ahead"}\n' > %t/rules
// RUN: %clang_raise grad --config=%t/rules %{functions} --verify --json=%t/r.json %s -o %t/made/adjoint.cpp -- -std=c++17
// RUN: %clang_raise grad --config=%t/rules --mode=forward %{functions} %s -o %t/made/tangent.cpp -- -std=c++17
// RUN: FileCheck %s --check-prefix=UNKNOWN --input-file=%t/r.json
// RUN: FileCheck %s --check-prefix=ADJOINT --input-file=%t/made/adjoint.cpp
// RUN: FileCheck %s --check-prefix=TANGENT --input-file=%t/made/tangent.cpp
// RUN: %clangxx -std=c++17 -O2 -ffp-contract=off -Wall -Wextra -Werror -c %t/made/adjoint.cpp -o %t/adjoint.o
// RUN: %clangxx -std=c++17 -O2 -ffp-contract=off -Wall -Wextra -Werror -c %t/made/tangent.cpp -o %t/tangent.o
// RUN: %clangxx -std=c++17 -O2 -ffp-contract=off -DCHECK -I%t/made %s %t/adjoint.o %t/tangent.o -o %t/clang && %t/clang
// RUN: %gxx -std=c++17 -O2 -ffp-contract=off -Wall -Wextra -Werror -c %t/made/adjoint.cpp -o %t/adjoint.o
// RUN: %gxx -std=c++17 -O2 -ffp-contract=off -Wall -Wextra -Werror -c %t/made/tangent.cpp -o %t/tangent.o
// RUN: %gxx -std=c++17 -O2 -ffp-contract=off -DCHECK -I%t/made %s %t/adjoint.o %t/tangent.o -o %t/gcc && %t/gcc
#include <cmath>

// UNKNOWN: "verification": "inconclusive"
// UNKNOWN-NEXT: "verification_detail": "it calls '{{.*}}', whose derivative is given by a rule: the interpreter, which takes differences, runs neither"

// No body in sight.
double lookup(double x, int k);
double lookup_tangent(double x, int k, double x_tan, double *lookup_tan);
void lookup_adjoint(double x, int k, double *x_adj, double lookup_adj);

namespace model {
// A body that is not looked into: it says nothing of slopes.
inline double mix(double a, float b) { return std::floor(64 * a * b) / 64; }
inline double mix_ahead(double a, float b, double a_tan, float b_tan, double *mix_tan) {
  *mix_tan = a_tan * b + a * b_tan;
  return mix(a, b);
}
inline void mix_back(double a, float b, double *a_adj, float *b_adj, double mix_adj) {
  *a_adj += b * mix_adj;
  *b_adj += float(a * mix_adj);
}
} // namespace model

// ADJOINT: static double lookup_adj(double x, int k, double lookup_adj{{_*}}) {
// ADJOINT-NEXT: double x_adj = 0;
// ADJOINT-NEXT: lookup_adjoint(x, k, &x_adj, lookup_adj{{_*}});
// ADJOINT-NEXT: return x_adj;
// TANGENT: static double lookup_tan(double x, int k, double x_tan) {
// TANGENT-NEXT: double lookup_tan{{_*}};
// TANGENT-NEXT: lookup_tangent(x, k, x_tan, &lookup_tan{{_*}});
// TANGENT-NEXT: return lookup_tan{{_*}};
double once(double x) { return lookup(x * x, 1) * x; }

// The arguments' values are kept.
void loop(double *y, int n) {
  for (int i = 0; i < n; ++i) {
    double u = y[i];
    for (int k = 1; k < 3; ++k)
      u = lookup(u, k) + 0.5 * u;
    y[i] = u;
  }
}

// ADJOINT: model::mix_back(a, b, &a_adj, &b_adj, mix_adj{{_*}});
static double step(double x) { return model::mix(x, 1.5f) + lookup(x, 1); }
double nested(double x, float w) { return step(step(x)) + model::mix(x, w); }

#ifdef CHECK
#include "adjoint.h"
#include "tangent.h"
#include <cstdio>

double lookup(double x, int k) { return std::sin(k * x); }
double lookup_tangent(double x, int k, double x_tan, double *lookup_tan) {
  *lookup_tan = k * std::cos(k * x) * x_tan;
  return lookup(x, k);
}
void lookup_adjoint(double x, int k, double *x_adj, double lookup_adj) {
  *x_adj += k * std::cos(k * x) * lookup_adj;
}
static int Failed;
static void same(const char *What, double Got, double Right) {
  if (!(std::fabs(Got - Right) <= 1e-6 * (1 + std::fabs(Right)))) {
    std::printf("%s: %.9g, not %.9g\n", What, Got, Right);
    ++Failed;
  }
}
int main() {
  const double X = 0.7, H = 1e-6;
  const double Slope = (once(X + H) - once(X - H)) / (2 * H);
  double T, A = 0;
  once_tangent(X, 1, &T);
  once_adjoint(X, &A, 1);
  same("once, tangent", T, Slope);
  same("once, adjoint", A, Slope);
  double Up[2] = {X + H, 0.2}, Down[2] = {X - H, 0.2};
  loop(Up, 2);
  loop(Down, 2);
  double Y[2] = {X, 0.2}, YT[2] = {1, 0}, Z[2] = {X, 0.2}, ZA[2] = {1, 0};
  loop_tangent(Y, 2, YT);
  loop_adjoint(Z, 2, ZA);
  same("loop, tangent", YT[0], (Up[0] - Down[0]) / (2 * H));
  same("loop, adjoint", ZA[0], (Up[0] - Down[0]) / (2 * H));
  same("loop, untouched", ZA[1] + YT[1], 0);
  // What the rules say of mix, whose own slope is zero.
  const double S = model::mix(X, 1.5f) + lookup(X, 1);
  const double DX = (1.5 + std::cos(S)) * (1.5 + std::cos(X)) + 0.5;
  double XA = 0;
  float WA = 0;
  nested_adjoint(X, 0.5f, &XA, &WA, 1);
  nested_tangent(X, 0.5f, 1, 0, &T);
  same("nested, tangent", T, DX);
  same("nested, adjoint", XA, DX);
  same("nested, w", WA, X);
  return Failed != 0;
}
#endif
