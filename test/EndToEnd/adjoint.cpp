// Adjoints are made, compiled beside the original, run, and compared with
// central differences of the original.
// RUN: rm -rf %t && mkdir -p %t/made
// RUN: %clang_raise grad --function=smooth --function=energy --function=softmax --function=newton --function=recur --function=first --function=maybe --function=walk --function=power --function=eliminate --function=rows --function=calls --function=table --function=twice --function=down --function=wraps --function=members %s -o %t/made/adjoint.cpp -- -std=c++17
// RUN: %clang_raise grad --function=smooth --function=energy --function=softmax --function=newton --function=recur --function=first --function=maybe --function=walk --function=power --function=eliminate --function=rows --function=calls --function=table --function=twice --function=down --function=wraps --function=members %s -o %t/made/adjoint.cpp --check -- -std=c++17
// RUN: %clangxx -std=c++17 -O2 -ffp-contract=off -Wall -Wextra -Werror -c %t/made/adjoint.cpp -o %t/clang.o
// RUN: %clangxx -std=c++17 -O2 -ffp-contract=off -DCHECK -I%t/made %s %t/clang.o -o %t/clang && %t/clang
// RUN: %gxx -std=c++17 -O2 -ffp-contract=off -Wall -Wextra -Werror -c %t/made/adjoint.cpp -o %t/gcc.o
// RUN: %gxx -std=c++17 -O2 -ffp-contract=off -DCHECK -I%t/made %s %t/gcc.o -o %t/gcc && %t/gcc
// RUN: %clangxx -std=c++17 -g -O1 -fsanitize=address,undefined -fno-sanitize-recover=undefined -DCHECK -I%t/made %s %t/made/adjoint.cpp -o %t/asan && %t/asan
// RUN: FileCheck %s --check-prefix=TEXT < %t/made/adjoint.cpp
// Loops of the reverse sweep gather where they would scatter, count up where
// their order is free, and down where it is not.
// TEXT-LABEL: {{^}}void smooth_adjoint(
// TEXT: v[i] = a
// TEXT: for (int i = 2; i < n - 2; ++i)
// TEXT-NEXT: u_adj[i] += a * (v_adj[i + 1] + v_adj[i - 1]) + 2 * u[i] * v_adj[i];
// TEXT-LABEL: {{^}}void recur_adjoint(
// TEXT: for (int i = n - 1; i >= 1; --i) {
#include <cmath>

struct Body {
  double x, y, mass;
  int kind;
};

/// Reads what it may overwrite, where the two overlap.
void smooth(double *v, const double *u, double a, int n) {
  for (int i = 1; i < n - 1; i++)
    v[i] = a * (u[i - 1] + u[i + 1]) + u[i] * u[i];
}

double energy(const Body *b, int n) {
  double e = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++) {
      double dx = b[i].x - b[j].x, dy = b[i].y - b[j].y;
      e -= b[i].mass * b[j].mass / std::sqrt(dx * dx + dy * dy);
    }
  return e;
}

void softmax(double *out, const double *in, int n) {
  double m = in[0];
  for (int i = 1; i < n; i++)
    if (in[i] > m)
      m = in[i];
  double sum = 0;
  for (int i = 0; i < n; i++) {
    out[i] = std::exp(in[i] - m);
    sum += out[i];
  }
  for (int i = 0; i < n; i++)
    out[i] /= sum;
}

/// A while loop that is left by a test of a value that carries derivatives.
double newton(double a) {
  double x = a;
  while (std::fabs(x * x - a) > 1e-12)
    x = 0.5 * (x + a / x);
  return x;
}

/// y is read after it is overwritten, and partly written.
void recur(double *y, const double *x, int n) {
  for (int i = 1; i < n; i++)
    y[i] = std::sin(y[i - 1]) * x[i] + y[i] * 0.5;
}

/// A return inside a loop.
double first(const double *x, int n, double limit) {
  double p = 1;
  for (int i = 0; i < n; i++) {
    if (x[i] < 0)
      continue;
    p *= x[i];
    if (p > limit)
      return p * x[0];
    if (i == 5)
      break;
  }
  return p + x[n - 1];
}

/// A pointer that may be null.
double maybe(const double *x, const double *w, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s += w ? w[i] * x[i] : x[i] * x[i];
  return s;
}

/// Pointers that move.
double walk(const double *p, int n) {
  double s = 1;
  while (n > 0) {
    s = s * 0.5 + *p * *p;
    if (s > 2)
      p++;
    n--;
  }
  return s;
}

double power(double x, int n) {
  double r = 1;
  for (int i = 0; i < n; i++)
    r *= x;
  return r;
}

/// Elimination with row swaps: a goes to upper triangular form, b with it.
void eliminate(double *a, double *b, int n) {
  for (int k = 0; k < n; k++) {
    int p = k;
    for (int i = k + 1; i < n; i++)
      if (std::fabs(a[i * n + k]) > std::fabs(a[p * n + k]))
        p = i;
    if (p != k) {
      for (int j = 0; j < n; j++) {
        double t = a[k * n + j];
        a[k * n + j] = a[p * n + j];
        a[p * n + j] = t;
      }
      double t = b[k];
      b[k] = b[p];
      b[p] = t;
    }
    for (int i = k + 1; i < n; i++) {
      double f = a[i * n + k] / a[k * n + k];
      for (int j = k; j < n; j++)
        a[i * n + j] -= f * a[k * n + j];
      b[i] -= f * b[k];
    }
  }
}

/// Sparse rows: the number of elements of a row is known only there.
void rows(double *y, const double *val, const int *at, const int *row,
          const double *x, int n) {
  for (int i = 0; i < n; i++) {
    double s = 0;
    for (int k = row[i]; k < row[i + 1]; k++)
      s = s * 0.25 + val[k] * x[at[k]];
    y[i] = s * s;
  }
}

static double gate(double v, double w, int k) {
  if (v < 0)
    return 0.5 * v;
  return std::sin(v * w) * k;
}
double calls(double a, double b, int k) {
  double s = gate(a * b, b, k);
  return s / gate(b, a, 3);
}

/// Arrays of its own.
double table(const double *x, int n) {
  double t[3] = {x[0], 1, 0};
  for (int i = 0; i < n; i++) {
    t[2] = t[1] * x[i];
    t[1] = t[0] + t[2];
    t[0] = std::sin(t[2]);
  }
  return t[0] * t[1];
}

/// Updated in place, twice.
void twice(double *x, int n) {
  for (int i = 0; i < n; i++) {
    x[i] = x[i] * x[i];
    x[i] += std::sin(x[i]);
  }
}

/// Unsigned, downwards, with a parameter that nothing uses.
double down(const double *x, unsigned n, int unused) {
  double p = 1;
  for (unsigned i = n; i > 0; --i)
    p = p * x[i - 1];
  return p;
}

/// Ends by wrapping.
double wraps(const double *x, unsigned long n) {
  double p = 1;
  for (unsigned long i = n - 1; i < n; --i)
    p = p * x[i] + (x[i] > 2 ? p : 0);
  return p;
}

/// Structures of its own.
double members(const double *x, int n) {
  Body b[2];
  for (int i = 0; i < 2; i++) {
    b[i].x = 1;
    b[i].y = 1;
  }
  for (int i = 0; i < n; i++) {
    b[i % 2].x = b[i % 2].x * 0.5 + x[i] * x[i];
    b[i % 2].y = b[i % 2].x * x[i];
  }
  return b[0].y * b[1].y;
}

#ifdef CHECK
#include "adjoint.h"
#include <cstdio>
#include <vector>

using Vector = std::vector<double>;
static int Failures;

static void compare(const char *What, double Got, double Right) {
  if (std::fabs(Got - Right) <= 1e-6 * (1 + std::fabs(Right)))
    return;
  std::printf("%s: %.9g, not %.9g\n", What, Got, Right);
  ++Failures;
}

/// <seeds of what comes out, differences along d> against <adjoints, d>. Run
/// takes all that goes in, in one vector, to all that comes out.
template <class F>
static double slope(F Run, const Vector &At, const Vector &D,
                    const Vector &Seed) {
  const double H = 1e-6;
  Vector Up = At, Down = At;
  for (size_t I = 0; I < At.size(); ++I) {
    Up[I] += H * D[I];
    Down[I] -= H * D[I];
  }
  const Vector A = Run(Up), B = Run(Down);
  double Sum = 0;
  for (size_t I = 0; I < A.size(); ++I)
    Sum += Seed[I] * (A[I] - B[I]) / (2 * H);
  return Sum;
}

static Vector numbers(int N, double From) {
  Vector V;
  for (int I = 0; I < N; ++I)
    V.push_back(std::sin(From + 1.7 * I) + 1.5);
  return V;
}
static double dot(const Vector &A, const Vector &B) {
  double S = 0;
  for (size_t I = 0; I < A.size(); ++I)
    S += A[I] * B[I];
  return S;
}
static Vector both(const Vector &A, const Vector &B) {
  Vector V = A;
  V.insert(V.end(), B.begin(), B.end());
  return V;
}
static Vector part(const Vector &V, int From, int N) {
  return Vector(V.begin() + From, V.begin() + From + N);
}

int main() {
  const int N = 7;
  const Vector X = numbers(N, 0.3), Y = numbers(N, 2.1);
  const Vector DX = numbers(N, 4), DY = numbers(N, 5);
  const Vector SX = numbers(N, 6), SY = numbers(N, 7);
  { // apart: out = (v, u)
    Vector V = Y, VA = SY, UA = SX;
    double AA = 0;
    smooth_adjoint(V.data(), X.data(), 0.7, N, VA.data(), UA.data(), &AA);
    Vector In = both(both(Y, X), {0.7}), D = both(both(DY, DX), {0.3});
    auto Run = [&](const Vector &I) {
      Vector V = part(I, 0, N), U = part(I, N, N);
      smooth(V.data(), U.data(), I[2 * N], N);
      return both(V, U);
    };
    compare("smooth", dot(both(both(VA, UA), {AA}), D),
            slope(Run, In, D, both(SY, SX)));
    compare("smooth, primal", dot(V, V), dot(part(Run(In), 0, N), part(Run(In), 0, N)));
  }
  { // f(x, x, n) with one adjoint
    Vector V = X, VA = SX;
    double AA = 0;
    smooth_adjoint(V.data(), V.data(), 0.7, N, VA.data(), VA.data(), &AA);
    auto Run = [&](const Vector &I) {
      Vector V = part(I, 0, N);
      smooth(V.data(), V.data(), I[N], N);
      return V;
    };
    compare("smooth, overlapping", dot(both(VA, {AA}), both(DX, {0.3})),
            slope(Run, both(X, {0.7}), both(DX, {0.3}), SX));
  }
  {
    std::vector<Body> B(4), BA(4);
    const Vector P = numbers(12, 1), D = numbers(12, 8);
    auto Fill = [](std::vector<Body> &B, const Vector &P) {
      for (int I = 0; I < 4; ++I)
        B[I] = {P[3 * I] * 2 * I, P[3 * I + 1], P[3 * I + 2], 0};
    };
    Fill(B, P);
    energy_adjoint(B.data(), 4, BA.data(), 1.5);
    double Got = 0;
    for (int I = 0; I < 4; ++I)
      Got += BA[I].x * 2 * I * D[3 * I] + BA[I].y * D[3 * I + 1] +
             BA[I].mass * D[3 * I + 2];
    auto Run = [&](const Vector &I) {
      std::vector<Body> B(4);
      Fill(B, I);
      return Vector{energy(B.data(), 4)};
    };
    compare("energy", Got, slope(Run, P, D, {1.5}));
  }
  const auto Maps = [&](const char *Name, auto Adjoint, auto Primal) {
    // out by in, both of N, out read and written
    Vector V = Y, VA = SY, UA(N, 0.0);
    Adjoint(V.data(), X.data(), VA.data(), UA.data());
    auto Run = [&](const Vector &I) {
      Vector V = part(I, 0, N), U = part(I, N, N);
      Primal(V.data(), U.data());
      return V;
    };
    compare(Name, dot(both(VA, UA), both(DY, DX)),
            slope(Run, both(Y, X), both(DY, DX), SY));
  };
  Maps(
      "softmax",
      [&](double *V, const double *U, double *VA, double *UA) {
        softmax_adjoint(V, U, N, VA, UA);
      },
      [&](double *V, const double *U) { softmax(V, U, N); });
  Maps(
      "recur",
      [&](double *V, const double *U, double *VA, double *UA) {
        recur_adjoint(V, U, N, VA, UA);
      },
      [&](double *V, const double *U) { recur(V, U, N); });
  {
    double AA = 0;
    newton_adjoint(2.0, &AA, 1.0);
    compare("newton", AA, 0.5 / std::sqrt(2.0));
    AA = 0;
    power_adjoint(1.5, 6, &AA, 2.0);
    compare("power", AA, 2 * 6 * std::pow(1.5, 5));
    double BA = 0;
    AA = 0;
    calls_adjoint(0.8, 1.1, 2, &AA, &BA, 1.0);
    auto Run = [&](const Vector &I) { return Vector{calls(I[0], I[1], 2)}; };
    compare("calls", AA * 0.4 + BA * 0.9,
            slope(Run, {0.8, 1.1}, {0.4, 0.9}, {1.0}));
  }
  for (double Limit : {4.0, 1e9}) {
    Vector Z = X, ZA(N, 0.0);
    Z[2] = -1;
    double LA = 0;
    first_adjoint(Z.data(), N, Limit, ZA.data(), &LA, 1.0);
    auto Run = [&](const Vector &I) {
      return Vector{first(I.data(), N, Limit)};
    };
    compare("first", dot(ZA, DX), slope(Run, Z, DX, {1.0}));
    compare("first, limit", LA, 0);
  }
  for (bool Null : {false, true}) {
    Vector XA(N, 0.0), WA(N, 0.0);
    maybe_adjoint(X.data(), Null ? nullptr : Y.data(), N, XA.data(),
                  Null ? nullptr : WA.data(), 1.0);
    auto Run = [&](const Vector &I) {
      return Vector{maybe(I.data(), Null ? nullptr : I.data() + N, N)};
    };
    compare("maybe", dot(both(XA, WA), both(DX, DY)),
            slope(Run, both(X, Y), both(DX, DY), {1.0}));
  }
  {
    Vector XA(N, 0.0);
    walk_adjoint(X.data(), N, XA.data(), 1.0);
    auto Run = [&](const Vector &I) { return Vector{walk(I.data(), N)}; };
    compare("walk", dot(XA, DX), slope(Run, X, DX, {1.0}));
    Vector TA(N, 0.0);
    table_adjoint(X.data(), N, TA.data(), 1.0);
    auto Table = [&](const Vector &I) { return Vector{table(I.data(), N)}; };
    compare("table", dot(TA, DX), slope(Table, X, DX, {1.0}));
    for (int K = 0; K < 3; ++K) {
      Vector KA(N, 0.0);
      if (K == 0)
        down_adjoint(X.data(), N, 0, KA.data(), 1.0);
      else if (K == 1)
        wraps_adjoint(X.data(), N, KA.data(), 1.0);
      else
        members_adjoint(X.data(), N, KA.data(), 1.0);
      auto Run = [&](const Vector &I) {
        return Vector{K == 0   ? down(I.data(), N, 0)
                      : K == 1 ? wraps(I.data(), N)
                               : members(I.data(), N)};
      };
      compare("down, wraps, members", dot(KA, DX), slope(Run, X, DX, {1.0}));
    }
    Vector Z = X, ZA = SX;
    twice_adjoint(Z.data(), N, ZA.data());
    auto Twice = [&](const Vector &I) {
      Vector V = I;
      twice(V.data(), N);
      return V;
    };
    compare("twice", dot(ZA, DX), slope(Twice, X, DX, SX));
  }
  {
    const int M = 4;
    Vector A = numbers(M * M, 3), B = numbers(M, 9);
    A[0] = 0.01; // rows are swapped
    const Vector D = numbers(M * M + M, 11), S = numbers(M * M + M, 12);
    auto Run = [&](const Vector &I) {
      Vector V = I;
      eliminate(V.data(), V.data() + M * M, M);
      return V;
    };
    Vector In = both(A, B), V = In, VA = S;
    eliminate_adjoint(V.data(), V.data() + M * M, M, VA.data(),
                      VA.data() + M * M);
    compare("eliminate", dot(VA, D), slope(Run, In, D, S));
  }
  {
    const int At[] = {0, 3, 1, 6, 2, 0}, Row[] = {0, 2, 2, 5, 6};
    const Vector Val = numbers(6, 13), DV = numbers(6, 14);
    Vector Out(4, 0.0), OA = numbers(4, 15), VA(6, 0.0), XA(N, 0.0);
    const Vector Seed = OA;
    rows_adjoint(Out.data(), Val.data(), At, Row, X.data(), 4, OA.data(),
                 VA.data(), XA.data());
    auto Run = [&](const Vector &I) {
      Vector Y(4);
      rows(Y.data(), I.data(), At, Row, I.data() + 6, 4);
      return Y;
    };
    compare("rows", dot(both(VA, XA), both(DV, DX)),
            slope(Run, both(Val, X), both(DV, DX), Seed));
    compare("rows, replaced", dot(OA, OA), 0);
  }
  return Failures;
}
#endif
