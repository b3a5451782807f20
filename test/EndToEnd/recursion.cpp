// Functions that call themselves: alone, by way of others, from loops over
// arrays. Compiled beside the original, run, compared with differences.
// DEFINE: %{functions} = --function=power --function=parity --function=agm --function=fib --function=sums
// RUN: rm -rf %t && mkdir -p %t/made
// RUN: %clang_raise grad %{functions} %s -o %t/made/adjoint.cpp -- -std=c++17 -fopenmp
// RUN: %clang_raise grad --mode=forward %{functions} %s -o %t/made/tangent.cpp -- -std=c++17 -fopenmp
// RUN: %clang_raise grad --verify --require-verified --mode=forward --directions=2 --function=parity %s -o %t/made/two.cpp -- -std=c++17
// RUN: %clang_raise grad --verify --require-verified --split --function=agm --function=fib %s -o %t/made/split.cpp -- -std=c++17
// RUN: FileCheck %s --check-prefix=ADJOINT --input-file=%t/made/adjoint.cpp
// RUN: %clangxx -std=c++17 -O2 -fopenmp -Wall -Wextra -Werror -DCHECK -I%t/made %s %t/made/adjoint.cpp %t/made/tangent.cpp -o %t/clang && %t/clang
// RUN: %gxx -std=c++17 -O2 -fopenmp -Wall -Wextra -Werror -DCHECK -I%t/made %s %t/made/adjoint.cpp %t/made/tangent.cpp -o %t/gcc && %t/gcc
//
// What is made can be differentiated again, in both ways.
// RUN: %clang_raise grad --function=nested %s -o %t/made/first.cpp -- -std=c++17
// RUN: %clang_raise grad --verify --require-verified --function=nested_adjoint %t/made/first.cpp -o %t/made/reverse.cpp -- -std=c++17
// RUN: %clang_raise grad --verify --require-verified --mode=forward --function=nested_adjoint %t/made/first.cpp -o %t/made/forward.cpp -- -std=c++17
//
// What never returns is said, and is not run.
// RUN: %clang_raise grad --verify --function=endless --json=%t/r.json %s -o %t/made/endless.cpp --
// RUN: FileCheck %s --check-prefix=ENDLESS --input-file=%t/r.json
// ENDLESS: "verification": "inconclusive"
// ENDLESS-NEXT: recursion deeper than 64 calls
//
// A rule for what a recursive function calls must give a tangent.
// RUN: printf 'derivatives:\n  lookup: {adjoint: lookup_adjoint}\n' > %t/rules
// RUN: not %clang_raise grad --config=%t/rules --function=steps %s -- 2>&1 | FileCheck %s --check-prefix=RULE
// RULE: recursion.cpp:[[#]]:[[#]]: error: calls lookup with a value that carries derivatives, and {{.*}} names no tangent of it, which is called by a function that calls itself: of those there is a tangent in reverse mode too [CR1808]
#include <cmath>

// ADJOINT: double power(double x, int n);
double power(double x, int n) {
  if (n == 0)
    return 1;
  return x * power(x, n - 1);
}

// Declared again, since each calls the other.
// ADJOINT: static double odd(double x, int n);
// ADJOINT-NEXT: static double even(double x, int n) {
// ADJOINT: static double odd(double x, int n) {
static double odd(double x, int n);
static double even(double x, int n) { return n <= 0 ? x : odd(x * x, n - 1); }
static double odd(double x, int n) {
  return n <= 0 ? std::cos(x) : even(x / 2, n - 1);
}

// One call of each at a level.
// ADJOINT: // It calls power for values, at each level anew: for d levels, that is d times
// ADJOINT: static double power_tan(double x, int n, double x_tan) {
// ADJOINT-NEXT: if (n == 0)
// ADJOINT-NEXT: return 0;
// ADJOINT-NEXT: const double power_value = power(x, n - 1);
// ADJOINT-NEXT: const double power_value_tan = power_tan(x, n - 1, x_tan);
// ADJOINT-NEXT: return x_tan * power_value + x * power_value_tan;

// ADJOINT: static double even_tan(double x, int n, double x_tan);
// ADJOINT: static double odd_tan(double x, int n, double x_tan) {
// ADJOINT: static double even_tan(double x, int n, double x_tan) {
double parity(double x, int n) { return even(x, n) * odd(x, n); }

// Both parameters lead to both: no values are needed, and no level calls twice.
// ADJOINT-NOT: anew
// ADJOINT: static double agm_tan(double a, double b, int n, double a_tan, double b_tan) {
// ADJOINT-NOT: = agm_tan
// ADJOINT: return agm_tan(
double agm(double a, double b, int n) {
  return n <= 0 ? a : agm((a + b) / 2, std::sqrt(a * b), n - 1);
}

// Calls under conditions, and inside of what needs its operand twice.
double fib(double x, int n) {
  double t = n < 2 ? x + 1 : std::sqrt(fib(x, n - 2) + 2) * fib(std::cos(x), n - 4);
  return t + (n > 3 ? std::fmin(fib(x, n / 4), t) : x) / 3;
}

// ADJOINT: {{^}}void sums_adjoint(
// ADJOINT: power_tan_(x[i], k, y_adj_i * fib(x[i], 3))
void sums(double *__restrict y, const double *__restrict x, int n, int k) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i)
    y[i] = power(x[i], k) * fib(x[i], 3);
}

static double deep(double x, int n) { return n <= 0 ? x : std::sin(deep(x, n - 1)) * x; }
double nested(double x, int n) { return deep(deep(x, n), 2); }

double endless(double x) { return x > 1e300 ? x : x * endless(x / 2); }

double lookup(double x);
void lookup_adjoint(double x, double *x_adj, double lookup_adj);
static double climb(double x, int n) { return n <= 0 ? x : climb(lookup(x), n - 1); }
double steps(double x) { return climb(x, 3); }

#ifdef CHECK
#include "adjoint.h"
#include "tangent.h"
#include <cstdio>

static int Failed = 0;

static void close(const char *What, double A, double B) {
  if (std::fabs(A - B) <= 1e-6 * (1 + std::fabs(B)))
    return;
  std::printf("%s: %.17g, expected %.17g\n", What, A, B);
  Failed = 1;
}

template <class F> double slope(F Of, double X) {
  const double H = 1e-6;
  return (Of(X + H) - Of(X - H)) / (2 * H);
}

double lookup(double x) { return x; }
void lookup_adjoint(double, double *x_adj, double lookup_adj) { *x_adj += lookup_adj; }

int main() {
  for (int N = 0; N < 7; ++N) {
    const double X = 0.9, Y = 1.7;
    double Adj = 0, Other = 0, Tan = 0;
    power_adjoint(X, N, &Adj, 2);
    close("power", Adj, 2 * N * std::pow(X, N - 1));
    power_tangent(X, N, 3, &Tan);
    close("power, tangent", Tan, 3 * N * std::pow(X, N - 1));
    Adj = 0;
    parity_adjoint(X, N, &Adj, 1);
    close("parity", Adj, slope([&](double Z) { return parity(Z, N); }, X));
    Adj = 0;
    agm_adjoint(X, Y, N, &Adj, &Other, 1);
    close("agm, a", Adj, slope([&](double Z) { return agm(Z, Y, N); }, X));
    close("agm, b", Other, slope([&](double Z) { return agm(X, Z, N); }, Y));
    Adj = 0;
    fib_adjoint(X, N, &Adj, 1);
    close("fib", Adj, slope([&](double Z) { return fib(Z, N); }, X));
  }
  // Deeper than any number of calls that doubles at each level could go.
  double A = 0, B = 0;
  agm_adjoint(1, 2, 5000, &A, &B, 1);
  close("agm, deep", A + B * 2, agm(1, 2, 50)); // homogeneous of degree one
  double U[3] = {0.5, 1.25, -0.75}, V[3], VAdj[3] = {1, 2, 3}, UAdj[3] = {};
  sums_adjoint(V, U, 3, 4, VAdj, UAdj);
  for (int I = 0; I < 3; ++I)
    close("sums", UAdj[I], (I + 1) * slope([&](double Z) { return power(Z, 4) * fib(Z, 3); }, U[I]));
  return Failed;
}
#endif
