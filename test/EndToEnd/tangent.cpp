// Tangents are made, compiled beside the original, run, and compared with
// central differences of the original.
// RUN: rm -rf %t && mkdir -p %t/made
// RUN: %clang_raise grad --mode=forward --function=smooth --function=energy --function=calls --function=softmax --function=newton --function=recur --function=first --function=table --function=maybe --function=walk --function=hidden %s -o %t/made/tangent.cpp -- -std=c++17
// RUN: %clang_raise grad --mode=forward --function=smooth --function=energy --function=calls --function=softmax --function=newton --function=recur --function=first --function=table --function=maybe --function=walk --function=hidden %s -o %t/made/tangent.cpp --check -- -std=c++17
// RUN: %clangxx -std=c++17 -O2 -ffp-contract=off -Wall -Wextra -Werror -c %t/made/tangent.cpp -o %t/clang.o
// RUN: %clangxx -std=c++17 -O2 -ffp-contract=off -DCHECK -I%t/made %s %t/clang.o -o %t/clang && %t/clang
// RUN: %gxx -std=c++17 -O2 -ffp-contract=off -Wall -Wextra -Werror -c %t/made/tangent.cpp -o %t/gcc.o
// RUN: %gxx -std=c++17 -O2 -ffp-contract=off -DCHECK -I%t/made %s %t/gcc.o -o %t/gcc && %t/gcc
#include <cmath>
#include <cstddef>
#include "Inputs/tangent.h"

#define HALF 0.5
typedef double real;
struct Body {
  double x, y, z, mass;
  int kind;
};

namespace physics {
static const double G = 6.5;
static double gate(double v, int k) {
  if (v < 0)
    return HALF * v;
  return std::sin(v) * k;
}
double outside(double v) { return v * v * v; }

void smooth(double *v, const double *u, double a, int n) {
  for (int i = 1; i < n - 1; i++)
    v[i] = a * (u[i - 1] + u[i + 1]) + u[i] * u[i];
}

double energy(const Body *b, int n) {
  double e = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++) {
      double dx = b[i].x - b[j].x, dy = b[i].y - b[j].y, dz = b[i].z - b[j].z;
      double r = std::sqrt(dx * dx + dy * dy + dz * dz);
      e -= G * b[i].mass * b[j].mass / r;
    }
  return e;
}

double calls(double a, double b, int k) {
  double s = gate(a * b, k);
  return s / outside(b) + fromHeader(a);
}
namespace {
double hidden(double a) { return a * a * HALF; }
} // namespace
double seen(double a) { return hidden(a); }
} // namespace physics

void softmax(real *out, const real *in, int rows, int n) {
  for (int r = 0; r < rows; r++) {
    const real *x = in + r * n;
    real *y = out + r * n;
    real m = x[0];
    for (int i = 1; i < n; i++)
      if (x[i] > m)
        m = x[i];
    real s = 0;
    for (int i = 0; i < n; i++) {
      y[i] = std::exp(x[i] - m);
      s += y[i];
    }
    for (int i = 0; i < n; i++)
      y[i] /= s;
  }
}

double newton(double a, double &x) {
  int it = 0;
  while (it < 20) {
    double f = x * x - a;
    if (std::fabs(f) < 1e-14)
      break;
    x -= f / (2 * x);
    it++;
  }
  return x;
}

// y and x may be the same array, or overlap.
void recur(double *y, const double *x, int n) {
  for (int i = 1; i < n; i++)
    y[i] = std::tanh(y[i - 1] * x[i]) + x[i - 1];
}

double first(const double *x, int n, double limit) {
  double s = 1;
  for (int i = 0; i < n; i++) {
    s *= 1 + x[i];
    if (s > limit)
      return s - limit;
  }
  return s * limit;
}

static const double Weights[3] = {0.25, 0.5, 0.25};
double table(const double *x, int n) {
  double part[3] = {0, 0, 0};
  for (int i = 0; i < n; i++)
    part[i % 3] += Weights[i % 3] * x[i] * x[i];
  return part[0] * part[1] - part[2];
}

double maybe(const double *__restrict x, double *__restrict log, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    s += std::pow(x[i], 2.5);
    if (log)
      log[i] = s;
  }
  return s;
}

double walk(const double *p, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s = std::hypot(s, *p++);
  return s;
}

#ifdef CHECK
#include "tangent.h"
#include <cstdio>
#include <functional>
#include <vector>

using Vec = std::vector<double>;
static int Failed;

/// F takes values to values; Tangent takes values and their tangents to the
/// tangents of the results.
static void check(const char *Name, const Vec &X,
                  const std::function<Vec(const Vec &)> &F,
                  const std::function<Vec(const Vec &, const Vec &)> &Tangent) {
  Vec V(X.size()), Up = X, Down = X;
  const double H = 1e-6;
  for (size_t I = 0; I < X.size(); ++I) {
    V[I] = std::sin(1.0 + 3 * I);
    Up[I] += H * V[I];
    Down[I] -= H * V[I];
  }
  const Vec A = F(Up), B = F(Down), T = Tangent(X, V);
  double Sum = 0;
  for (size_t I = 0; I < A.size(); ++I) {
    const double Slope = (A[I] - B[I]) / (2 * H);
    Sum += std::fabs(Slope);
    if (!(std::fabs(Slope - T[I]) <= 1e-6 * (1 + std::fabs(Slope)))) {
      std::printf("%s[%zu]: %.12g, by differences %.12g\n", Name, I, T[I],
                  Slope);
      ++Failed;
    }
  }
  if (A.size() != T.size() || Sum == 0) {
    std::printf("%s: nothing compared\n", Name);
    ++Failed;
  }
}

int main() {
  using namespace physics;
  const int N = 9;
  Vec X;
  for (int I = 0; I < N; ++I)
    X.push_back(0.3 + 0.2 * I + 0.1 * std::cos(5.0 * I));

  check("smooth", X, [&](const Vec &U) { Vec V(N); smooth(V.data(), U.data(), U[0], N); return V; },
        [&](const Vec &U, const Vec &D) {
          Vec V(N), VT(N); Vec DT = D;
          smooth_tangent(V.data(), U.data(), U[0], N, VT.data(), DT.data(), D[0]);
          return VT; });
  auto Bodies = [](const Vec &U) {
    std::vector<Body> B(2);
    for (int I = 0; I < 2; ++I)
      B[I] = {U[4 * I], U[4 * I + 1], U[4 * I + 2], U[4 * I + 3], I};
    return B; };
  check("energy", X, [&](const Vec &U) { return Vec{energy(Bodies(U).data(), 2)}; },
        [&](const Vec &U, const Vec &D) {
          double T; energy_tangent(Bodies(U).data(), 2, Bodies(D).data(), &T); return Vec{T}; });
  for (double Sign : {1.0, -1.0})
    check("calls", {0.4 * Sign, 1.7}, [&](const Vec &U) { return Vec{calls(U[0], U[1], 3)}; },
          [&](const Vec &U, const Vec &D) {
            double T; calls_tangent(U[0], U[1], 3, D[0], D[1], &T); return Vec{T}; });
  check("hidden", {0.7}, [&](const Vec &U) { return Vec{seen(U[0])}; },
        [&](const Vec &U, const Vec &D) { double T; hidden_tangent(U[0], D[0], &T); return Vec{T}; });
  check("softmax", X, [&](const Vec &U) { Vec Y(N); softmax(Y.data(), U.data(), 3, 3); return Y; },
        [&](const Vec &U, const Vec &D) {
          Vec Y(N), T(N), DT = D;
          softmax_tangent(Y.data(), U.data(), 3, 3, T.data(), DT.data()); return T; });
  check("newton", {2.0, 1.2}, [&](const Vec &U) { double S = U[1]; double R = newton(U[0], S); return Vec{R, S}; },
        [&](const Vec &U, const Vec &D) {
          double S = U[1], ST = D[1], T; newton_tangent(U[0], S, D[0], &ST, &T); return Vec{T, ST}; });
  check("recur, in place", X, [&](const Vec &U) { Vec Y = U; recur(Y.data(), Y.data(), N); return Y; },
        [&](const Vec &U, const Vec &D) {
          Vec Y = U, T = D; recur_tangent(Y.data(), Y.data(), N, T.data(), T.data()); return T; });
  check("recur, overlapping", X, [&](const Vec &U) { Vec Y = U; recur(Y.data(), Y.data() + 2, N - 2); return Y; },
        [&](const Vec &U, const Vec &D) {
          Vec Y = U, T = D; recur_tangent(Y.data(), Y.data() + 2, N - 2, T.data(), T.data() + 2); return T; });
  for (double Limit : {4.0, 1e6})
    check("first", X, [&](const Vec &U) { return Vec{first(U.data(), N, Limit * U[1])}; },
          [&](const Vec &U, const Vec &D) {
            Vec DT = D; double T;
            first_tangent(U.data(), N, Limit * U[1], DT.data(), Limit * D[1], &T); return Vec{T}; });
  check("table", X, [&](const Vec &U) { return Vec{table(U.data(), N)}; },
        [&](const Vec &U, const Vec &D) { Vec DT = D; double T; table_tangent(U.data(), N, DT.data(), &T); return Vec{T}; });
  check("maybe", X, [&](const Vec &U) { return Vec{maybe(U.data(), nullptr, N)}; },
        [&](const Vec &U, const Vec &D) { Vec DT = D; double T; maybe_tangent(U.data(), nullptr, N, DT.data(), &T); return Vec{T}; });
  check("walk", X, [&](const Vec &U) { return Vec{walk(U.data(), N)}; },
        [&](const Vec &U, const Vec &D) { Vec DT = D; double T; walk_tangent(U.data(), N, DT.data(), &T); return Vec{T}; });
  return Failed != 0;
}
#endif
