// Calls that copy and fill blocks of memory, and memory that a function
// allocates, in both modes: verified by the tool, then compiled with both
// compilers and compared with differences and with gradients by hand.
// RUN: rm -rf %t && mkdir -p %t/made
// RUN: %clang_raise grad --verify --require-verified --function=scaled --function=shifted --function=rows --function=one --function=ranges --function=filled --function=sized --function=moved --function=layers --function=owned --function=listed --function=grown %s -o %t/made/adjoint.cpp -- -std=c++17
// RUN: %clang_raise grad --mode=forward --verify --require-verified --function=scaled --function=shifted --function=rows --function=one --function=ranges --function=filled --function=sized --function=moved --function=layers --function=owned --function=listed --function=grown %s -o %t/made/tangent.cpp -- -std=c++17
// RUN: %clangxx -std=c++17 -O2 -Wall -Wextra -Werror -DCHECK -I%t/made %s %t/made/adjoint.cpp %t/made/tangent.cpp -o %t/clang && %t/clang
// RUN: %gxx -std=c++17 -O2 -Wall -Wextra -Werror -DCHECK -I%t/made %s %t/made/adjoint.cpp %t/made/tangent.cpp -o %t/gcc && %t/gcc
// RUN: %clangxx -std=c++17 -g -O1 -fsanitize=address,undefined -fno-sanitize-recover=undefined -DCHECK -I%t/made %s %t/made/adjoint.cpp %t/made/tangent.cpp -o %t/asan && %t/asan
// RUN: FileCheck %s --check-prefix=TEXT < %t/made/adjoint.cpp
// A copy's adjoint is the copy turned round.
// TEXT-LABEL: {{^}}void shifted_adjoint(
// TEXT: x_adj[i] += x_adj_here
// RUN: not %clang_raise grad --function=narrowed %s -- -std=c++17 2>&1 | FileCheck %s --check-prefix=NARROWED
// RUN: not %clang_raise grad --function=counted %s -- -std=c++17 2>&1 | FileCheck %s --check-prefix=COUNTED
// RUN: not %clang_raise grad --function=patterned %s -- -std=c++17 2>&1 | FileCheck %s --check-prefix=PATTERNED
// RUN: not %clang_raise grad --function=untyped %s -- -std=c++17 2>&1 | FileCheck %s --check-prefix=UNTYPED
// RUN: not %clang_raise grad --function=wraps %s -- -std=c++17 2>&1 | FileCheck %s --check-prefix=WRAPS
// RUN: not %clang_raise grad --function=beyond %s -- -std=c++17 2>&1 | FileCheck %s --check-prefix=BEYOND
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <vector>

struct Point {
  double x, y;
};

void scaled(const double *x, double *y, int n) {
  std::memcpy(y, x, n * sizeof(double));
  for (int i = 0; i < n; ++i)
    y[i] *= x[i];
  std::memset(y, 0, n / 2 * sizeof *y);
}

void shifted(double *x, int n) {
  std::memmove(x + 1, x, sizeof(double) * (n - 1));
  x[0] = x[0] * x[1];
}

/// Rows of arrays of several dimensions.
double rows(const double *x) {
  double t[3][4], u[3][4];
  memcpy(t, x, sizeof t);
  memset(u, 0, sizeof u);
  memcpy(u[1], t[2], sizeof u[1]);
  memcpy(u[2], t, sizeof u[0]);
  double s = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 4; ++j)
      s += u[i][j] * t[i][j] * t[i][j];
  return s;
}

/// One structure, and variables.
double one(const Point *p) {
  Point q, z;
  memcpy(&q, p, sizeof q);
  memset(&z, 0, sizeof(Point));
  q.x *= q.y;
  double a = p->x, b = 2;
  memcpy(&b, &a, sizeof b);
  z.x += q.x * b;
  return z.x + z.y + q.y * q.y;
}

void ranges(const double *x, float *y, int i, int j) {
  if (i < 0 || j < i)
    return;
  std::copy(x + i, x + j, y);
  std::copy_n(x, i, y + j);
  y[0] *= y[j];
}

double filled(const double *x, int n) {
  std::vector<double> t(n, 1.0);
  std::fill(t.begin(), t.begin() + n / 2, x[0]);
  std::vector<double> u(t.begin() + n / 4, t.end());
  std::fill_n(u.begin(), n / 4, 3);
  double s = 0;
  for (auto it = u.begin(); it != u.end(); ++it)
    s += *it * *it;
  return s * x[0];
}

void sized(const double *x, double *y, unsigned n, int m) {
  if (m < 1)
    return;
  const std::size_t bytes = n * sizeof(double);
  memcpy(y, x, bytes * m);
  memset(y + n, 0, n * (m - 1) * sizeof(double));
  if (n > 0)
    y[0] *= x[0];
}

/// Which of the two is moved first is known when it runs, and so is whether two
/// arrays overlap.
void moved(double *x, double *y, int k, int n) {
  if (k < 0 || n < 4)
    return;
  memmove(x + k, x + 2, (n - 2) * sizeof *x);
  memmove(y, x, n * sizeof *y);
  y[1] = x[k] * y[2];
}

static void layer(const std::vector<double> &in, std::vector<double> &out,
                  const double *w) {
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i] = 0;
    for (std::size_t j = 0; j < in.size(); ++j)
      out[i] += w[i * in.size() + j] * in[j];
  }
  for (double &v : out)
    v = std::tanh(v);
}

double layers(const double *x, const double *w, int n) {
  std::vector<double> in(x, x + n), h(n), out(n);
  layer(in, h, w);
  layer(h, out, w + n * n);
  double s = 0;
  for (double v : out)
    s += v * v;
  return s;
}

static void square(double *p, int n) {
  for (int i = 0; i < n; ++i)
    p[i] *= p[i];
}

double owned(const double *x, int n) {
  double *t = (double *)malloc(n * sizeof(double));
  if (!t)
    abort();
  memcpy(t, x, n * sizeof(double));
  square(t, n);
  double *u = new double[n]();
  double *half = t + n / 2;
  for (int i = 0; i < n - n / 2; ++i)
    u[i] += half[i] * x[0];
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += u[i];
  delete[] u;
  free(t);
  return s;
}

double listed(const double *x, int n) {
  std::vector<double> w = {0.25, 0.5, x[0]};
  const std::vector<double> was = {x, x + n};
  std::vector<double> v(w);
  double s = 0;
  for (int i = 1; i + 1 < n; ++i)
    for (int k = 0; k < 3; ++k)
      s += w[k] * x[i + k - 1] * v[2];
  return s;
}

double grown(const double *x, int n) {
  std::vector<double> kept;
  for (int i = 0; i < n; ++i)
    if (x[i] > 0)
      kept.emplace_back(std::sqrt(x[i]));
  double s = 0;
  for (double v : kept)
    s += v * v * v;
  return s;
}

void narrowed(const double *x, float *y, int n) {
  // NARROWED: memory-blocks.cpp:[[#@LINE+1]]:{{.*}} error: not differentiated: copies bytes of 'double' into 'float' [CR1801]
  memcpy(y, x, n * sizeof(double));
  y[0] *= x[0];
}

void counted(const double *x, double *y, int bytes) {
  // COUNTED: memory-blocks.cpp:[[#@LINE+1]]:{{.*}} error: not differentiated: the size 'bytes' is not seen to be a multiple of the size of 'double' [CR1801]
  memcpy(y, x, bytes);
  y[0] *= x[0];
}

void patterned(const double *x, double *y, int n) {
  // PATTERNED: memory-blocks.cpp:[[#@LINE+1]]:{{.*}} error: not differentiated: fills memory with bytes other than zeros [CR1801]
  memset(y, 1, n * sizeof(double));
  y[0] *= x[0];
}

void untyped(const double *x, double *y, void *z, int n) {
  // UNTYPED: memory-blocks.cpp:[[#@LINE+1]]:{{.*}} error: not differentiated: what 'z' leads to has no type that is known here [CR1801]
  memcpy(z, x, n * sizeof(double));
  y[0] *= x[0];
}

void wraps(const double *x, double *y, unsigned n) {
  unsigned bytes = n * 8;
  // WRAPS: memory-blocks.cpp:[[#@LINE+1]]:{{.*}} error: not differentiated: the size 'bytes' is not seen to be a multiple of the size of 'double' [CR1801]
  memcpy(y, x, bytes);
  y[0] *= x[0];
}

double beyond(const double *x) {
  double t[4][4];
  // BEYOND: memory-blocks.cpp:[[#@LINE+1]]:{{.*}} error: not differentiated: copies or fills more than a row of an array [CR1801]
  memcpy(t[1], x, 8 * sizeof(double));
  return t[1][0] * t[2][0];
}

#ifdef CHECK
#include "adjoint.h"
#include "tangent.h"
#include <cstdio>

static int Failures = 0;

static void expect(const char *What, double Got, double Right) {
  if (std::fabs(Got - Right) <= 1e-5 * (1 + std::fabs(Right)))
    return;
  std::printf("%s: %.12g, not %.12g\n", What, Got, Right);
  ++Failures;
}

using Values = std::vector<double>;

static Values some(int N) {
  Values V(N);
  for (int I = 0; I < N; ++I)
    V[I] = 0.3 + std::sin(1.7 * I) * 0.8;
  return V;
}

/// The gradient and a tangent of a function of some values.
template <class F, class A, class T>
static void check(const char *What, int N, F Of, A Adjoint, T Tangent) {
  const Values X = some(N);
  Values Gradient(N);
  Adjoint(X.data(), Gradient.data());
  Values Direction(N);
  double Along = 0;
  for (int I = 0; I < N; ++I) {
    const double H = 1e-6;
    Values Up = X, Down = X;
    Up[I] += H;
    Down[I] -= H;
    const double Slope = (Of(Up.data()) - Of(Down.data())) / (2 * H);
    expect(What, Gradient[I], Slope);
    Direction[I] = 1.0 / (I + 2);
    Along += Slope * Direction[I];
  }
  expect(What, Tangent(X.data(), Direction.data()), Along);
}

int main() {
  for (int N : {1, 2, 5, 12}) {
#define CHECK_SUM(F)                                                           \
  check(                                                                       \
      #F, N, [&](const double *X) { return F(X, N); },                         \
      [&](const double *X, double *G) { F##_adjoint(X, N, G, 1.0); },          \
      [&](const double *X, const double *D) {                                  \
        double R = 0;                                                          \
        F##_tangent(X, N, const_cast<double *>(D), &R);                        \
        return R;                                                              \
      })
    CHECK_SUM(filled);
    CHECK_SUM(owned);
    CHECK_SUM(listed);
    CHECK_SUM(grown);
    const Values W = some(2 * N * N);
    check(
        "layers", N, [&](const double *X) { return layers(X, W.data(), N); },
        [&](const double *X, double *G) {
          Values GW(W.size());
          layers_adjoint(X, W.data(), N, G, GW.data(), 1.0);
        },
        [&](const double *X, const double *D) {
          Values DW(W.size());
          double R = 0;
          layers_tangent(X, W.data(), N, const_cast<double *>(D), DW.data(),
                         &R);
          return R;
        });
    // By hand: y = x², its first half replaced by zero.
    Values X = some(N), Y(N), XA(N), YA = some(N);
    scaled_adjoint(X.data(), Y.data(), N, XA.data(), YA.data());
    for (int I = 0; I < N; ++I) {
      expect("scaled", Y[I], I < N / 2 ? 0 : X[I] * X[I]);
      expect("scaled", XA[I], I < N / 2 ? 0 : 2 * X[I] * some(N)[I]);
      expect("scaled", YA[I], 0);
    }
  }
  // x is moved by one; then x[0] *= x[1], which is x[0].
  Values X = some(4), XA = {1, 2, 3, 4};
  shifted_adjoint(X.data(), 4, XA.data());
  expect("shifted", XA[0], 2 * some(4)[0] * 1 + 2);
  expect("shifted", XA[1], 3);
  expect("shifted", XA[2], 4);
  expect("shifted", XA[3], 0);
  check(
      "rows", 12, rows,
      [](const double *P, double *G) { rows_adjoint(P, G, 1.0); },
      [](const double *P, const double *D) {
        double R = 0;
        rows_tangent(P, const_cast<double *>(D), &R);
        return R;
      });
  const Point P = {1.5, -2};
  Point PA = {0, 0};
  one_adjoint(&P, &PA, 1.0); // x·y·x + y²
  expect("one", PA.x, 2 * P.x * P.y);
  expect("one", PA.y, P.x * P.x + 2 * P.y);
  // Moved where the two overlap, in both directions.
  for (int K : {0, 1, 2, 3, 5})
    for (int Shift : {0, 1, 3}) {
      const int N = 6;
      const auto Run = [&](Values &M) {
        moved(M.data(), M.data() + Shift, K, N);
      };
      const Values M = some(24), Seed = some(24);
      Values Ran = M, G = Seed;
      moved_adjoint(Ran.data(), Ran.data() + Shift, K, N, G.data(),
                    G.data() + Shift);
      for (int I = 0; I < 24; ++I) {
        const double H = 1e-6;
        Values Up = M, Down = M;
        Up[I] += H;
        Down[I] -= H;
        Run(Up);
        Run(Down);
        double Slope = 0;
        for (int J = 0; J < 24; ++J)
          Slope += Seed[J] * (Up[J] - Down[J]) / (2 * H);
        expect("moved", G[I], Slope);
      }
    }
  return Failures != 0;
}
#endif
