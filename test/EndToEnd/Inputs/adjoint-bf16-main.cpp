// Calls the adjoints of ../adjoint-bf16.cu, and compares them with what the
// derivatives of their formulas are at the values that bfloat16 has.
#include <cuda_bf16.h>
#include "adjoint.h"
#include <cmath>
#include <cstdio>
#include <vector>
using Real = __nv_bfloat16;
using Floats = std::vector<float>;
static int Failures;

static void compare(const char *What, double Got, double Right) {
  if (std::fabs(Got - Right) <= 1e-5 * (1 + std::fabs(Right)))
    return;
  std::printf("%s: %.9g, not %.9g\n", What, Got, Right);
  ++Failures;
}
static std::vector<Real> values(int N, float From) {
  std::vector<Real> V(N);
  for (int I = 0; I < N; ++I)
    V[I] = Real(From + 0.37f * float((I * 5) % 7));
  return V;
}
static Floats seeds(int N) {
  Floats S(N);
  for (int I = 0; I < N; ++I)
    S[I] = 0.5f + 0.1f * float(I % 5);
  return S;
}
static float f(Real V) { return float(V); }

int main() {
  const int N = 300, C = 9;
  const dim3 Grid(10), Block(32);
  const Floats S = seeds(N);
  {
    std::vector<Real> Table = values(7, 0.3f), Out(N);
    std::vector<int> At(N);
    Floats OutA = S, TableA(7), Right(7);
    for (int I = 0; I < N; ++I)
      At[I] = I * I % 7, Right[At[I]] += 3 * S[I];
    gather_adjoint(Grid, Block, Out.data(), Table.data(), At.data(), N,
                   OutA.data(), TableA.data());
    for (int I = 0; I < 7; ++I)
      compare("gather", TableA[I], Right[I]);
    for (int I = 0; I < N; ++I)
      compare("gather, primal", f(Out[I]), f(Real(f(Table[At[I]]) * 3)));
  }
  {
    std::vector<Real> X = values(N, -1.1f), W = values(N, 0.4f), Was = X;
    Floats XA = S, WA(N);
    inside_adjoint(Grid, Block, X.data(), W.data(), N, XA.data(), WA.data());
    for (int I = 0; I < N; ++I) {
      const Real V = Was[I], U = V * W[I], A = -U + V, B = A * W[I],
                 H = W[I] / Real(2);
      const Real Q[4] = {B, B * B - H, (B * B - H) * (B * B - H) - H,
                         Real()};
      compare("inside, primal", f(X[I]), f(Q[2] * Q[2] - H));
      double Adj = S[I], OfW = 0;
      for (int K = 2; K >= 0; --K) {
        OfW -= Adj / 2;
        Adj *= 2 * f(Q[K]);
      }
      OfW += Adj * f(A);
      const double OfA = Adj * f(W[I]);
      OfW -= OfA * f(V);
      compare("inside, x", XA[I], OfA * (1 - f(W[I])));
      compare("inside, w", WA[I], OfW);
    }
  }
  {
    std::vector<Real> X = values(N * C, -0.9f), Out(N);
    Floats OutA = S, XA(N * C);
    means_adjoint(Grid, Block, Out.data(), X.data(), N, C, OutA.data(),
                  XA.data());
    for (int I = 0; I < N * C; ++I)
      compare("means", XA[I], 2 * f(X[I]) * S[I / C] / C);
  }
  {
    std::vector<Real> X = values(N, -0.2f), W = values(N, 0.7f), Out(N);
    W[0] = X[0];
    Floats OutA = S, XA(N), WA(N);
    chosen_adjoint(Grid, Block, Out.data(), X.data(), W.data(), N, OutA.data(),
                   XA.data(), WA.data());
    for (int I = 0; I < N; ++I) {
      const float A = f(X[I]), B = f(W[I]), Most = A > B ? A : B,
                  From = A > 1 ? A : B;
      compare("chosen, x", XA[I],
              S[I] * ((A > B ? From : 0) + (A > 1 ? Most : 0)));
      compare("chosen, w", WA[I],
              S[I] * ((A > B ? 0 : From) + (A > 1 ? 0 : Most)));
    }
  }
  return Failures;
}
