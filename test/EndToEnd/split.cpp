// --split: the two functions of an adjoint give what the one gives, whichever
// form the first took, and the tape can be used again.
// RUN: rm -rf %t && mkdir -p %t/made
// RUN: %clang_raise grad --function=norm --function=smooth --function=newton --function=walk --function=down --function=table --function=copy --function=total %s -o %t/made/whole.cpp -- -std=c++17
// RUN: %clang_raise grad --split --function=norm --function=smooth --function=newton --function=walk --function=down --function=table --function=copy --function=total %s -o %t/made/split.cpp -- -std=c++17
// RUN: FileCheck %s < %t/made/split.cpp
// RUN: FileCheck %s --check-prefix=HEADER < %t/made/split.h
// RUN: %clangxx -std=c++17 -O2 -ffp-contract=off -Wall -Wextra -Werror -DCHECK -I%t/made %s %t/made/whole.cpp %t/made/split.cpp -o %t/clang && %t/clang
// RUN: %gxx -std=c++17 -O2 -ffp-contract=off -Wall -Wextra -Werror -DCHECK -I%t/made %s %t/made/whole.cpp %t/made/split.cpp -o %t/gcc && %t/gcc
// RUN: %clangxx -std=c++17 -g -O1 -fsanitize=address,undefined -fno-sanitize-recover=undefined -DCHECK -I%t/made %s %t/made/whole.cpp %t/made/split.cpp -o %t/asan && %t/asan
// RUN: %clang_raise grad --split --verify --require-verified --function=norm --function=smooth --function=newton --function=walk --function=down --function=table --function=copy --function=total %s -o %t/made/verified.cpp -- -std=c++17
// RUN: not %clang_raise grad --split --mode=forward --function=norm %s -- 2>&1 | FileCheck %s --check-prefix=FORWARD
// FORWARD: error: --split is for --mode=reverse: a tangent keeps nothing
// HEADER: #include <vector>
// HEADER: struct norm_tape {
// HEADER: double norm_augmented(double *x, int n, norm_tape &tape);
// HEADER: void norm_reverse(double *x, int n, double *x_adj, double norm_adj,
// HEADER-NEXT: norm_tape &tape);
#include <cmath>

// CHECK: // What norm_augmented keeps for norm_reverse.
// CHECK-NEXT: struct norm_tape {
// CHECK: std::vector<double> x_tape
// CHECK: };
// CHECK: // Computes what norm (split.cpp:[[#@LINE+6]]) computes, and keeps in tape what
// CHECK-NEXT: // norm_reverse needs of it.
// CHECK-NEXT: double norm_augmented(double *x, int n, norm_tape &tape) {
// CHECK: return sum;
// CHECK: // To be called after norm_augmented, with all arguments and the tape as
// CHECK: void norm_reverse(
double norm(double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += x[i] * x[i];
  sum = std::sqrt(sum);
  for (int i = 0; i < n; i++)
    x[i] = x[i] / sum;
  return sum;
}

/// Two forms.
// CHECK: struct smooth_tape {
// CHECK-NEXT: bool separate;
// CHECK: tape.separate = true;
// CHECK: if (!(tape.separate)) {
// CHECK-NEXT: smooth_reverse_general(
void smooth(double *v, const double *u, double a, int n) {
  for (int i = 1; i < n - 1; i++)
    v[i] = a * (u[i - 1] + u[i + 1]) + u[i] * u[i];
}

/// A tape that grows.
double newton(double a) {
  double x = a;
  while (std::fabs(x * x - a) > 1e-12)
    x = 0.5 * (x + a / x);
  return x;
}

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

/// A parameter that is changed, and a pointer that moves.
double down(const double *p, int n) {
  double s = 1;
  while (n > 0) {
    s = s * 0.5 + *p * *p * n;
    if (s > 2)
      p++;
    n--;
  }
  return s * n + s;
}

/// A local array.
double table(const double *x, int n) {
  double t[4] = {1, 2, 3, 4};
  for (int i = 0; i < n; i++)
    t[i % 4] += x[i] * x[i];
  double s = 1;
  for (int i = 0; i < 4; i++)
    s *= t[i];
  return s;
}

/// Only which form ran.
// CHECK: struct copy_tape {
// CHECK-NEXT: bool separate;
// CHECK-NEXT: };
void copy(double *y, const double *x, int n) {
  for (int i = 0; i < n; i++)
    y[i] = 2 * x[i];
}

/// Nothing needs keeping: no tape.
// CHECK-NOT: total_tape
// CHECK: double total_augmented(const double *x, int n) {
// CHECK: void total_reverse(const double * /*x*/, int n, double *x_adj,
// CHECK-NEXT: double total_adj) {
double total(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s += 2 * x[i];
  return s;
}

#ifdef CHECK
#include "split.h"
#include "whole.h"
#include <cstdio>
#include <vector>

using Vec = std::vector<double>;
static int Failures;
static void same(const char *What, double Got, double Right) {
  if (!(Got == Right) && !(std::fabs(Got - Right) <= 1e-12 * std::fabs(Right))) {
    std::printf("%s is %.17g, not %.17g\n", What, Got, Right);
    ++Failures;
  }
}
static void same(const char *What, const Vec &Got, const Vec &Right) {
  for (size_t I = 0; I < Got.size(); ++I)
    same(What, Got[I], Right[I]);
}

static Vec data(int N, double From) {
  Vec X(N);
  for (int I = 0; I < N; ++I)
    X[I] = From + 0.31 * ((I * 5) % 7);
  return X;
}

int main() {
  norm_tape Norm;
  smooth_tape Smooth;
  newton_tape Newton;
  walk_tape Walk;
  down_tape Down;
  table_tape Table;
  copy_tape Copy;
  for (int N : {9, 0, 1, 4, 12}) {
    const Vec X = data(N, 0.6), W = data(N, 0.2);
    {
      Vec A = X, B = X, GA = W, GB = W, P = X;
      norm_adjoint(A.data(), N, GA.data(), 0.5);
      same("norm", norm_augmented(B.data(), N, Norm), norm(P.data(), N));
      norm_reverse(B.data(), N, GB.data(), 0.5, Norm);
      same("norm_x", B, A);
      same("norm_adj", GB, GA);
    }
    {
      Vec VA(N), VB(N), VAAdj = W, VBAdj = W, GA(N), GB(N);
      double AA = 0, AB = 0;
      smooth_adjoint(VA.data(), X.data(), 0.7, N, VAAdj.data(), GA.data(), &AA);
      smooth_augmented(VB.data(), X.data(), 0.7, N, Smooth);
      smooth_reverse(VB.data(), X.data(), 0.7, N, VBAdj.data(), GB.data(), &AB,
                     Smooth);
      same("smooth", VB, VA);
      same("smooth_v", VBAdj, VAAdj);
      same("smooth_u", GB, GA);
      same("smooth_a", AB, AA);
      // One buffer: the other form.
      Vec A = X, B = X;
      GA = GB = W;
      AA = AB = 0;
      smooth_adjoint(A.data(), A.data(), 0.7, N, GA.data(), GA.data(), &AA);
      smooth_augmented(B.data(), B.data(), 0.7, N, Smooth);
      smooth_reverse(B.data(), B.data(), 0.7, N, GB.data(), GB.data(), &AB,
                     Smooth);
      same("smooth in place", B, A);
      same("smooth_adj in place", GB, GA);
      same("smooth_a in place", AB, AA);
    }
    {
      double A = 0, B = 0;
      newton_adjoint(2.5 + N, &A, 1);
      same("newton", newton_augmented(2.5 + N, Newton), newton(2.5 + N));
      newton_reverse(2.5 + N, &B, 1, Newton);
      same("newton_adj", B, A);
    }
    if (N > 0) {
      Vec A(N), B(N);
      walk_adjoint(X.data(), N, A.data(), 1);
      same("walk", walk_augmented(X.data(), N, Walk), walk(X.data(), N));
      walk_reverse(X.data(), N, B.data(), 1, Walk);
      same("walk_adj", B, A);
    }
    {
      Vec A(N), B(N);
      down_adjoint(X.data(), N, A.data(), 1);
      same("down", down_augmented(X.data(), N, Down), down(X.data(), N));
      down_reverse(X.data(), N, B.data(), 1, Down);
      same("down_adj", B, A);
      table_adjoint(X.data(), N, A.data(), 1);
      same("table", table_augmented(X.data(), N, Table), table(X.data(), N));
      table_reverse(X.data(), N, B.data(), 1, Table);
      same("table_adj", B, A);
    }
    {
      Vec YA(N), YB(N), YAAdj = W, YBAdj = W, A(N), B(N);
      copy_adjoint(YA.data(), X.data(), N, YAAdj.data(), A.data());
      copy_augmented(YB.data(), X.data(), N, Copy);
      copy_reverse(YB.data(), X.data(), N, YBAdj.data(), B.data(), Copy);
      same("copy", YB, YA);
      same("copy_adj", B, A);
      same("total", total_augmented(X.data(), N), total(X.data(), N));
      total_reverse(X.data(), N, B.data(), 0.5);
      total_adjoint(X.data(), N, A.data(), 0.5);
      same("total_adj", B, A);
    }
  }
  if (!Failures)
    std::puts("all right");
  return Failures != 0;
}
#endif
