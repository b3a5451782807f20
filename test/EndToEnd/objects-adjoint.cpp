// Containers, member functions and instantiations of templates: the derivatives
// are verified by the tool, then compiled with both compilers and compared with
// differences and with gradients by hand.
// RUN: rm -rf %t && mkdir -p %t/made
// RUN: %clang_raise grad --function=squares --function=cosine --function=update --function=norm --function=copied --function=view --function=folded --function=Layer::forward --function=activated --function=sim::Net::run --function=multiply --function=power %s -o %t/made/adjoint.cpp -- -std=c++20
// RUN: %clang_raise grad --mode=forward --function=squares --function=cosine --function=update --function=norm --function=copied --function=view --function=folded --function=Layer::forward --function=activated --function=sim::Net::run --function=multiply --function=power %s -o %t/made/tangent.cpp -- -std=c++20
// RUN: %clang_raise grad --verify --require-verified --function=view --function=norm --function=sim::Net::run --function=multiply %s -o %t/made/verified.cpp -- -std=c++20
// RUN: %clang_raise grad --verify --require-verified --function=Layer::forward %s -o %t/made/parallel.cpp -- -std=c++20 -fopenmp
// RUN: FileCheck %s --check-prefix=PARALLEL < %t/made/parallel.cpp
// RUN: %clangxx -std=c++20 -O2 -Wall -Wextra -Werror -DCHECK -I%t/made %s %t/made/adjoint.cpp %t/made/tangent.cpp -o %t/clang && %t/clang
// RUN: %gxx -std=c++20 -O2 -Wall -Wextra -Werror -DCHECK -I%t/made %s %t/made/adjoint.cpp %t/made/tangent.cpp -o %t/gcc && %t/gcc
// RUN: %clangxx -std=c++20 -g -O1 -fsanitize=address,undefined -fno-sanitize-recover=undefined -DCHECK -I%t/made %s %t/made/adjoint.cpp %t/made/tangent.cpp -o %t/asan && %t/asan
// RUN: FileCheck %s --check-prefix=TEXT < %t/made/adjoint.cpp
// TEXT: void squares_adjoint(const std::vector<double> &x, std::vector<double> &x_adj,
// TEXT-NEXT: double squares_adj) {
// TEXT: void view_adjoint(std::span<const float> x, std::span<float> y, float a,
// TEXT-NEXT: std::span<float> x_adj, std::span<float> y_adj,
// No member stands in a clause.
// PARALLEL: #pragma omp parallel for
// PARALLEL-NOT: firstprivate({{.*}}self
// TEXT: void Layer_forward_adjoint(const Layer &self, const float *x, float *y,
// TEXT-NEXT: Layer *self_adj, float *x_adj, float *y_adj,
// TEXT-NEXT: float *b_adj, float *w_adj) {
// TEXT: void multiply_adjoint(const Matrix &a, const Matrix &b, Matrix &o,
// TEXT-NEXT: double *a_data_adj, double *b_data_adj,
// RUN: %clang_raise grad --function="power<double>" %s -- -std=c++20 | FileCheck %s --check-prefix=ONE
// ONE: void power_adjoint(double x,
// ONE-NOT: float
// RUN: not %clang_raise grad --function=Hidden::value %s -- -std=c++20 2>&1 | FileCheck %s --check-prefix=HIDDEN
// RUN: not %clang_raise grad --function=unused %s -- -std=c++20 2>&1 | FileCheck %s --check-prefix=UNUSED
// RUN: not %clang_raise grad --function=grows %s -- -std=c++20 2>&1 | FileCheck %s --check-prefix=GROWS
// RUN: not %clang_raise grad --function=nested %s -- -std=c++20 2>&1 | FileCheck %s --check-prefix=NESTED
// RUN: not %clang_raise grad --function=changes %s -- -std=c++20 2>&1 | FileCheck %s --check-prefix=CHANGES
// RUN: not %clang_raise grad --function=bytes %s -- -std=c++20 2>&1 | FileCheck %s --check-prefix=BYTES
// RUN: not %clang_raise grad --function=Sum::operator+ %s -- -std=c++20 2>&1 | FileCheck %s --check-prefix=OPERATOR
#include <array>
#include <cmath>
#include <numeric>
#include <span>
#include <vector>

double squares(const std::vector<double> &x) {
  double s = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
    s += x[i] * x[i];
  return s;
}

static double dot(const std::vector<double> &a, const std::vector<double> &b) {
  double s = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    s += a[i] * b[i];
  return s;
}

double cosine(const std::vector<double> &a, const std::vector<double> &b) {
  return dot(a, b) / std::sqrt(dot(a, a) * dot(b, b));
}

void update(const std::vector<double> &x, std::vector<double> &y) {
  for (std::size_t i = 0; i < x.size(); ++i)
    y[i] = x[i] * x[i] * y[i];
}

double norm(const std::array<double, 3> &x, std::array<double, 3> w) {
  double s = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
    s += w[i] * x[i] * x[i];
  return std::sqrt(s);
}

double copied(const std::vector<double> &x) {
  std::vector<double> t(x);
  for (std::size_t i = 1; i < t.size(); ++i)
    t[i] *= t[i - 1];
  std::array<double, 2> sum = {};
  for (double v : t)
    sum[v > 0] += v;
  return sum[0] * sum[1];
}

void view(std::span<const float> x, std::span<float> y, float a) {
  for (std::size_t i = 0; i < x.size(); ++i)
    y[i] += a * x[i];
}

double folded(const std::vector<double> &x, const double *w) {
  return std::inner_product(x.begin(), x.end(), w, 1.0) *
         std::accumulate(x.begin(), x.end(), 0.0);
}

/// Arrays that a structure points to.
struct Layer {
  const float *w, *b;
  int in, out;
  float scale;
  void forward(const float *x, float *y) const {
    for (int o = 0; o < out; ++o) {
      float s = b[o];
      for (int i = 0; i < in; ++i)
        s += w[o * in + i] * x[i];
      y[o] = s * scale;
    }
  }
};

void activated(const Layer *l, const float *x, float *y) {
  l->forward(x, y);
  for (int o = 0; o < l->out; ++o)
    y[o] = std::tanh(y[o]);
}

namespace sim {
struct Net {
  std::vector<double> w;
  double bias;
  double run(const std::vector<double> &x) const;
};

double Net::run(const std::vector<double> &x) const {
  double s = bias;
  for (std::size_t i = 0; i < w.size(); ++i)
    s += w[i] * x[i];
  return std::tanh(s);
}
} // namespace sim

struct Matrix {
  int rows, columns;
  double *data;
};

void multiply(const Matrix &a, const Matrix &b, Matrix &o) {
  for (int i = 0; i < a.rows; ++i)
    for (int j = 0; j < b.columns; ++j) {
      double s = 0;
      for (int k = 0; k < a.columns; ++k)
        s += a.data[i * a.columns + k] * b.data[k * b.columns + j];
      o.data[i * o.columns + j] = s;
    }
}

template <class T> T power(T x, int n) {
  T p = 1;
  for (int i = 0; i < n; ++i)
    p *= x;
  return p;
}
template double power<double>(double, int);
template float power<float>(float, int);

class Hidden {
  double a = 2;

public:
  // HIDDEN: objects-adjoint.cpp:[[#@LINE+1]]:{{.*}} error: not differentiated: 'a' is a private member, which no other function can name [CR1801]
  double value(double x) const { return a * x; }
};

// UNUSED: objects-adjoint.cpp:[[#@LINE+1]]:{{.*}} error: a template without an instantiation in this file [CR1807]
template <class T> T unused(T x) { return x * x; }

void grows(std::vector<double> &x) {
  // GROWS: objects-adjoint.cpp:[[#@LINE+1]]:{{.*}} error: not differentiated: calls std::vector<double>::resize, a member function of a library [CR1801]
  x.resize(10);
  x[0] = x[1] * x[2];
}

double nested(const std::vector<std::vector<double>> &x) {
  // NESTED: objects-adjoint.cpp:[[#@LINE+1]]:{{.*}} error: not differentiated: 'x[0]' is one of several containers [CR1801]
  return x[0][0] * x[0][0];
}

// CHANGES: objects-adjoint.cpp:[[#@LINE+2]]:{{.*}} error: the function changes its copy of 'x' [CR1807]
double changes(std::vector<double> x) {
  x[0] *= x[1];
  return x[0];
}

// BYTES: objects-adjoint.cpp:[[#@LINE+2]]:{{.*}} error: 'l->w' might be changed by what writes bytes [CR1807]
void bytes(const Layer *l, unsigned char *at, float *y) {
  at[0] = 1;
  y[0] = l->w[0] * l->w[0];
}

struct Sum {
  double v;
  // OPERATOR: objects-adjoint.cpp:[[#@LINE+1]]:{{.*}} error: a constructor, a destructor or an operator [CR1807]
  double operator+(double o) const { return v + o; }
};

#ifdef CHECK
#include "adjoint.h"
#include "tangent.h"
#include <cstdio>

static int Failures = 0;

static void expect(const char *What, double Got, double Right,
                   double Limit = 1e-6) {
  if (std::fabs(Got - Right) <= Limit * (1 + std::fabs(Right)))
    return;
  std::printf("%s: %.12g, not %.12g\n", What, Got, Right);
  ++Failures;
}

using Values = std::vector<double>;

static Values some(int N, double From = 0.3) {
  Values V(N);
  for (int I = 0; I < N; ++I)
    V[I] = From + std::sin(1.7 * I) * 0.8;
  return V;
}

/// The slope of F along coordinate I of X.
template <class F> static double slope(F Of, Values X, int I) {
  Values Down = X;
  X[I] += 1e-6;
  Down[I] -= 1e-6;
  return (Of(X) - Of(Down)) / 2e-6;
}

static void checkVectors(int N) {
  const Values X = some(N), B = some(N, 0.9);
  Values G(N), H(N), K(N);
  squares_adjoint(X, G, 1);
  cosine_adjoint(X, B, H, K, 1);
  for (int I = 0; I < N; ++I) {
    expect("squares", G[I], 2 * X[I]);
    expect("cosine", H[I],
           slope([&](const Values &V) { return cosine(V, B); }, X, I));
    expect("cosine", K[I],
           slope([&](const Values &V) { return cosine(X, V); }, B, I));
  }
  Values C(N), D(N), W(N), Y = B, YA = some(N, 2), XA(N);
  copied_adjoint(X, C, 1);
  folded_adjoint(X, B.data(), D, W.data(), 1);
  update_adjoint(X, Y, XA, YA);
  double T = 0;
  Values Along = B;
  squares_tangent(X, Along, &T);
  for (int I = 0; I < N; ++I) {
    expect("copied", C[I], slope(copied, X, I));
    expect("folded", D[I],
           slope([&](const Values &V) { return folded(V, B.data()); }, X, I));
    expect("update", XA[I], 2 * X[I] * B[I] * some(N, 2)[I]);
    expect("update", YA[I], X[I] * X[I] * some(N, 2)[I]);
    expect("update", Y[I], X[I] * X[I] * B[I]);
    T -= 2 * X[I] * B[I];
  }
  expect("squares", T, 0);
}

static void checkObjects() {
  const float W[6] = {1, 2, 3, 4, 5, 6}, B[2] = {0.5f, -1}, X[3] = {1, -1, 2};
  const Layer L = {W, B, 3, 2, 0.5f};
  Layer LA = {nullptr, nullptr, 0, 0, 0};
  float Y[2], XA[3] = {}, YA[2] = {1, 3}, BA[2] = {}, WA[6] = {};
  Layer_forward_adjoint(L, X, Y, &LA, XA, YA, BA, WA);
  for (int O = 0; O < 2; ++O) {
    const float Seed = O ? 3 : 1;
    expect("forward", BA[O], Seed * 0.5);
    for (int I = 0; I < 3; ++I)
      expect("forward", WA[3 * O + I], Seed * 0.5 * X[I]);
    expect("forward", YA[O], 0);
  }
  for (int I = 0; I < 3; ++I)
    expect("forward", XA[I], 0.5 * W[I] + 1.5 * W[3 + I]);
  // The value before it is scaled, at each output.
  expect("forward", LA.scale, 1 * Y[0] / 0.5 + 3 * Y[1] / 0.5, 1e-5);

  const sim::Net N = {some(4), 0.1};
  sim::Net NA = {{}, 0};
  Values WN(4), XN(4);
  const Values In = some(4, -0.2);
  sim::Net_run_adjoint(N, In, &NA, XN, WN, 1);
  const double R = N.run(In);
  expect("run", NA.bias, 1 - R * R);
  for (int I = 0; I < 4; ++I) {
    expect("run", XN[I], (1 - R * R) * N.w[I]);
    expect("run", WN[I], (1 - R * R) * In[I]);
  }

  double A[4] = {1, 2, 3, 4}, M[4] = {5, 6, 7, 8}, P[4];
  double AA[4] = {}, MA[4] = {}, PA[4] = {1, 0, 0, 2};
  Matrix MP = {2, 2, P};
  multiply_adjoint({2, 2, A}, {2, 2, M}, MP, AA, MA, PA);
  const double RightA[4] = {5, 7, 12, 16}, RightM[4] = {1, 6, 2, 8};
  for (int I = 0; I < 4; ++I) {
    expect("multiply", AA[I], RightA[I]);
    expect("multiply", MA[I], RightM[I]);
    expect("multiply", PA[I], 0);
  }
}

int main() {
  for (int N : {1, 2, 7})
    checkVectors(N);
  checkObjects();
  const std::array<double, 3> X = {1, -2, 0.5}, W = {2, 1, 3};
  std::array<double, 3> XA = {}, WA = {};
  norm_adjoint(X, W, XA, WA, 1);
  for (int I = 0; I < 3; ++I) {
    expect("norm", XA[I], W[I] * X[I] / norm(X, W));
    expect("norm", WA[I], X[I] * X[I] / (2 * norm(X, W)));
  }
  const float U[2] = {1, 2};
  float V[2] = {3, 4}, UA[2] = {}, VA[2] = {5, 6}, SA = 0;
  view_adjoint(U, V, 2, UA, VA, &SA);
  expect("view", UA[0], 10);
  expect("view", UA[1], 12);
  expect("view", SA, 17);
  double D = 0;
  float F = 0;
  power_adjoint(2.0, 3, &D, 1.0);
  power_adjoint(2.0f, 3, &F, 1.0f);
  expect("power", D, 12);
  expect("power", F, 12);
  return Failures != 0;
}
#endif
