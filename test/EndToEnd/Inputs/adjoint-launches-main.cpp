// Compares each adjoint of adjoint-launches.cu with central differences of what
// it is the adjoint of, along one direction.
#include "adjoint.h"
#include <cmath>
#include <cstdio>
#include <functional>
#include <vector>

double sumsquare(const double *x, int n);
void steps(double *u, double *v, double a, int w, int h, int times);
void total(const double *x, double *s, int n);
void rows(double *y, const double *x, int n, int blocks);
void some(const double *x, double *y, int n);
void wide(const double *x, double *y, unsigned n);

using Vector = std::vector<double>;
static int Failures;

static Vector some(int n, double Seed) {
  Vector V(n);
  for (int i = 0; i < n; ++i)
    V[i] = std::sin(Seed + 1.7 * i);
  return V;
}

static double dot(const Vector &A, const Vector &B) {
  double Sum = 0;
  for (size_t i = 0; i < A.size(); ++i)
    Sum += A[i] * B[i];
  return Sum;
}

/// Run maps the inputs to a number; Adjoint is its gradient at In.
static void check(const char *Name, const Vector &In,
                  const std::function<double(Vector)> &Run,
                  const Vector &Adjoint) {
  const Vector Along = some(In.size(), 5);
  Vector Up = In, Down = In;
  const double Step = 1e-5;
  for (size_t i = 0; i < In.size(); ++i) {
    Up[i] += Step * Along[i];
    Down[i] -= Step * Along[i];
  }
  const double Slope = (Run(Up) - Run(Down)) / (2 * Step);
  if (std::fabs(Slope - dot(Adjoint, Along)) > 1e-6 * (1 + std::fabs(Slope))) {
    std::printf("%s: %.12g, not %.12g\n", Name, dot(Adjoint, Along), Slope);
    ++Failures;
  }
}

static void checkSumsquare(int n) {
  const Vector X = some(n, 1);
  Vector G(n);
  sumsquare_adjoint(X.data(), n, G.data(), 1);
  check(
      "sumsquare", X, [&](const Vector &V) { return sumsquare(V.data(), n); },
      G);
}

static void checkSteps(int w, int h, int times) {
  const int n = w * h;
  const Vector In = some(2 * n + 1, 2), Seed = some(2 * n, 3);
  const auto Run = [&](Vector V) {
    steps(V.data(), V.data() + n, V[2 * n], w, h, times);
    V.pop_back();
    return dot(V, Seed);
  };
  Vector V = In, G = Seed;
  G.push_back(0);
  steps_adjoint(V.data(), V.data() + n, V[2 * n], w, h, times, G.data(),
                G.data() + n, &G[2 * n]);
  check("steps", In, Run, G);
}

static void checkTotal(int n) {
  const Vector X = some(n, 4);
  Vector G(n);
  double S = 7, SAdj = 2;
  total_adjoint(X.data(), &S, n, G.data(), &SAdj);
  check(
      "total", X,
      [&](const Vector &V) {
        double S = 7;
        total(V.data(), &S, n);
        return 2 * S;
      },
      G);
  Failures += SAdj != 0;
}

static void checkRows(int n, int blocks) {
  const Vector In = some(2 * n, 6), Seed = some(n, 7);
  Vector V = In, G = Seed;
  G.resize(2 * n);
  rows_adjoint(V.data(), V.data() + n, n, blocks, G.data(), G.data() + n);
  check(
      "rows", In,
      [&](Vector V) {
        rows(V.data(), V.data() + n, n, blocks);
        V.resize(n);
        return dot(V, Seed);
      },
      G);
}

template <class Size, class F, class Adjoint>
static void checkMap(const char *Name, int n, F Map, Adjoint Of) {
  const Vector In = some(2 * n, 8), Seed = some(n, 9);
  Vector V = In, G(2 * n);
  for (int i = 0; i < n; ++i)
    G[n + i] = Seed[i];
  Of(V.data(), V.data() + n, Size(n), G.data(), G.data() + n);
  check(
      Name, In,
      [&](Vector V) {
        Map(V.data(), V.data() + n, Size(n));
        return dot(Vector(V.begin() + n, V.end()), Seed);
      },
      G);
}

int main() {
  for (int n : {0, 1, 127, 128, 300})
    checkSumsquare(n);
  checkSteps(13, 9, 3);
  checkSteps(8, 4, 1);
  checkSteps(13, 9, 0);
  for (int n : {1, 31, 100})
    checkTotal(n);
  checkRows(9, 5);
  checkRows(9, 3);
  checkRows(9, 0);
  // CUDA takes no launch of fewer blocks than none.
  Vector None(1);
  negative_adjoint(None.data(), None.data(), -1000, None.data(), None.data());
  for (int n : {15, 16, 40}) {
    checkMap<int>("some", n, [](auto... A) { some(A...); }, some_adjoint);
    checkMap<unsigned>("wide", n, wide, wide_adjoint);
  }
  return Failures != 0;
}
