// Derivatives of generated adjoints: tangents of adjoints give Hessian-vector
// products, adjoints of adjoints the same from the other side. Both are
// compared with differences of the gradient.
// RUN: rm -rf %t && mkdir -p %t/made
// RUN: %clang_raise grad --function=norm --function=smooth --function=newton --function=walk %s -o %t/made/first.cpp -- -std=c++17
// RUN: %clang_raise grad --mode=forward --function=norm_adjoint --function=smooth_adjoint --function=newton_adjoint --function=walk_adjoint %t/made/first.cpp -o %t/made/forward.cpp -- -std=c++17
// RUN: %clang_raise grad --function=norm_adjoint --function=smooth_adjoint --function=newton_adjoint --function=walk_adjoint %t/made/first.cpp -o %t/made/reverse.cpp -- -std=c++17
// RUN: %clangxx -std=c++17 -O2 -ffp-contract=off -Wall -Wextra -Werror -DCHECK -I%t/made %s %t/made/first.cpp %t/made/forward.cpp %t/made/reverse.cpp -o %t/clang && %t/clang
// RUN: %gxx -std=c++17 -O2 -ffp-contract=off -Wall -Wextra -Werror -DCHECK -I%t/made %s %t/made/first.cpp %t/made/forward.cpp %t/made/reverse.cpp -o %t/gcc && %t/gcc
// RUN: %clangxx -std=c++17 -g -O1 -fsanitize=address,undefined -fno-sanitize-recover=undefined -DCHECK -I%t/made %s %t/made/first.cpp %t/made/forward.cpp %t/made/reverse.cpp -o %t/asan && %t/asan
// RUN: %clang_raise grad --mode=forward --verify --require-verified --function=smooth_adjoint --function=newton_adjoint %t/made/first.cpp -o %t/made/verified.cpp -- -std=c++17
// RUN: %clang_raise grad --config=%S/Inputs/eager.yaml --function=norm --function=smooth --function=newton --function=walk %s -o %t/made/omp.cpp -- -std=c++17 -fopenmp
// RUN: %clang_raise grad --mode=forward --verify --require-verified --function=smooth_adjoint --function=newton_adjoint %t/made/omp.cpp -o %t/made/omp2.cpp -- -std=c++17 -fopenmp
// RUN: FileCheck %s --input-file=%t/made/forward.cpp
// RUN: %clang_raise grad --alias=assume --mode=forward --function=smooth_adjoint %t/made/first.cpp -- -std=c++17 | FileCheck %s --check-prefix=ASSUME
// An adjoint is differentiated in the form that holds whatever overlaps, unless
// pointers are said not to.
// CHECK-LABEL: {{^}}void smooth_adjoint_tangent(
// CHECK: double *u_tape_tan = 
// ASSUME-LABEL: {{^}}void smooth_adjoint_tangent(
// ASSUME-NOT: std::vector
#include <cmath>

/// What it reads is overwritten.
double norm(double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += x[i] * x[i];
  sum = std::sqrt(sum);
  for (int i = 0; i < n; i++)
    x[i] = x[i] * x[i] / sum;
  return sum;
}

/// Two forms.
void smooth(double *v, const double *u, double a, int n) {
  for (int i = 1; i < n - 1; i++)
    v[i] = a * (u[i - 1] + u[i + 1]) + u[i] * u[i] * u[i];
}

/// A tape that grows.
double newton(double a) {
  double x = a;
  while (std::fabs(x * x - a) > 1e-12)
    x = 0.5 * (x + a / x);
  return x;
}

/// Rows of a triangle, left early.
double walk(const double *x, int n) {
  double s = 1;
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) {
      s = s * 0.5 + std::sin(x[i] * x[j]) * s;
      if (s > 40)
        return s * x[0];
    }
  return s;
}

#ifdef CHECK
#include "first.h"
#include "forward.h"
#include "reverse.h"
#include <cstdio>
#include <functional>
#include <vector>

using Vec = std::vector<double>;
static int Failures;

static void same(const char *What, double Got, double Right) {
  if (!(std::fabs(Got - Right) <= 2e-6 * (1 + std::fabs(Right)))) {
    std::printf("%s is %.12g, not %.12g\n", What, Got, Right);
    ++Failures;
  }
}

/// Central differences of Gradient at X along V.
static Vec along(const std::function<Vec(const Vec &)> &Gradient, const Vec &X,
                 const Vec &V) {
  const double H = 1e-6;
  Vec Up = X, Down = X;
  for (size_t I = 0; I < X.size(); ++I) {
    Up[I] += H * V[I];
    Down[I] -= H * V[I];
  }
  Vec A = Gradient(Up), B = Gradient(Down);
  for (size_t I = 0; I < A.size(); ++I)
    A[I] = (A[I] - B[I]) / (2 * H);
  return A;
}

int main() {
  const int N = 7;
  Vec X(N), V(N), W(N);
  for (int I = 0; I < N; ++I) {
    X[I] = 0.6 + 0.31 * ((I * 5) % 7);
    V[I] = 0.5 - 0.2 * ((I * 3) % 5);
    W[I] = 0.3 + 0.1 * I;
  }
  {
    // norm: the gradient of norm + W · x after the call.
    const auto Gradient = [&](const Vec &At) {
      Vec Y = At, G = W;
      norm_adjoint(Y.data(), N, G.data(), 1);
      return G;
    };
    const Vec Right = along(Gradient, X, V);
    Vec Y = X, G = W, YTan = V, GTan(N);
    norm_adjoint_tangent(Y.data(), N, G.data(), 1, YTan.data(), GTan.data(), 0);
    for (int I = 0; I < N; ++I)
      same("norm", GTan[I], Right[I]);
    // V · (H e_I), all at once, as V H: the Hessian is symmetric.
    Y = X;
    G = W;
    Vec YAdj(N), GAdj = V;
    double SeedAdj = 0;
    norm_adjoint_adjoint(Y.data(), N, G.data(), 1, YAdj.data(), GAdj.data(),
                         &SeedAdj);
    for (int I = 0; I < N; ++I)
      same("norm, reverse", YAdj[I], Right[I]);
  }
  {
    const double A = 0.8;
    const auto Gradient = [&](const Vec &At) {
      Vec Out(N), U = At, OutAdj = W, G(N);
      double AAdj = 0;
      smooth_adjoint(Out.data(), U.data(), A, N, OutAdj.data(), G.data(),
                     &AAdj);
      return G;
    };
    const Vec Right = along(Gradient, X, V);
    Vec Out(N), U = X, OutAdj = W, G(N), OutTan(N), UTan = V, OutAdjTan(N),
        GTan(N);
    double AAdj = 0, AAdjTan = 0;
    smooth_adjoint_tangent(Out.data(), U.data(), A, N, OutAdj.data(), G.data(),
                           &AAdj, OutTan.data(), UTan.data(), 0,
                           OutAdjTan.data(), GTan.data(), &AAdjTan);
    for (int I = 0; I < N; ++I)
      same("smooth", GTan[I], Right[I]);
    // One buffer for both: what is read may have been written.
    const auto Shared = [&](const Vec &At) {
      Vec U = At, G = W;
      double AAdj = 0;
      smooth_adjoint(U.data(), U.data(), A, N, G.data(), G.data(), &AAdj);
      return G;
    };
    const Vec InPlace = along(Shared, X, V);
    U = X;
    G = W;
    UTan = V;
    GTan = Vec(N);
    AAdj = AAdjTan = 0;
    smooth_adjoint_tangent(U.data(), U.data(), A, N, G.data(), G.data(), &AAdj,
                           UTan.data(), UTan.data(), 0, GTan.data(),
                           GTan.data(), &AAdjTan);
    for (int I = 0; I < N; ++I)
      same("smooth in place", GTan[I], InPlace[I]);
  }
  {
    // sqrt'' = -1 / 4 a^(-3/2).
    const double A = 1.7, Right = -0.25 / (A * std::sqrt(A));
    double G = 0, GTan = 0;
    newton_adjoint_tangent(A, &G, 1, 1, &GTan, 0);
    same("newton", GTan, Right);
    double AAdj = 0, GAdj = 1, SeedAdj = 0;
    G = 0;
    newton_adjoint_adjoint(A, &G, 1, &AAdj, &GAdj, &SeedAdj);
    same("newton, reverse", AAdj, Right);
  }
  {
    const auto Gradient = [&](const Vec &At) {
      Vec G(N);
      walk_adjoint(At.data(), N, G.data(), 1);
      return G;
    };
    const Vec Right = along(Gradient, X, V);
    Vec G(N), XTan = V, GTan(N);
    walk_adjoint_tangent(X.data(), N, G.data(), 1, XTan.data(), GTan.data(), 0);
    Vec H(N), XAdj(N), HAdj = V;
    double SeedAdj = 0;
    walk_adjoint_adjoint(X.data(), N, H.data(), 1, XAdj.data(), HAdj.data(),
                         &SeedAdj);
    for (int I = 0; I < N; ++I) {
      same("walk", GTan[I], Right[I]);
      same("walk, reverse", XAdj[I], Right[I]);
    }
  }
  if (!Failures)
    std::puts("all right");
  return Failures != 0;
}
#endif
