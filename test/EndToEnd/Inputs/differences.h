// An adjoint, called once, against differences of its primal along one
// direction.
#ifndef DIFFERENCES_H
#define DIFFERENCES_H
#include <cmath>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

using Vector = std::vector<double>;
static int Failures;

static void compare(const char *What, double Got, double Right,
                    double Tolerance = 1e-6) {
  if (std::fabs(Got - Right) <= Tolerance * (1 + std::fabs(Right)))
    return;
  std::printf("%s: %.9g, not %.9g\n", What, Got, Right);
  ++Failures;
}

static Vector numbers(int N, double From) {
  Vector V;
  for (int I = 0; I < N; ++I)
    V.push_back(std::sin(From + 1.7 * I) / 3 + 1);
  return V;
}
static double dot(const Vector &A, const Vector &B) {
  double S = 0;
  for (size_t I = 0; I < A.size(); ++I)
    S += A[I] * B[I];
  return S;
}

using Primal = std::function<void(Vector &Y, Vector &X)>;
using Adjoint =
    std::function<void(Vector &Y, Vector &X, Vector &YA, Vector &XA)>;

/// Run takes y and x, and updates y.
static void check(const char *What, int NY, int NX, const Primal &Run,
                  const Adjoint &Reverse, double H = 1e-6,
                  double Tolerance = 1e-6) {
  Vector Y = numbers(NY, 1), X = numbers(NX, 2), YA = numbers(NY, 3),
         XA = numbers(NX, 4);
  const Vector DY = numbers(NY, 5), DX = numbers(NX, 6), SY = YA, SX = XA;
  Vector YU = Y, XU = X, YD = Y, XD = X;
  for (int I = 0; I < NY; ++I)
    YU[I] += H * DY[I], YD[I] -= H * DY[I];
  for (int I = 0; I < NX; ++I)
    XU[I] += H * DX[I], XD[I] -= H * DX[I];
  Run(YU, XU);
  Run(YD, XD);
  double Slope = dot(SX, DX); // x keeps its value
  for (int I = 0; I < NY; ++I)
    Slope += SY[I] * (YU[I] - YD[I]) / (2 * H);
  Vector Y2 = Y, X2 = X;
  Run(Y2, X2);
  Reverse(Y, X, YA, XA);
  compare(What, dot(YA, DY) + dot(XA, DX), Slope, Tolerance);
  for (int I = 0; I < NY; ++I)
    compare((What + std::string(", primal")).c_str(), Y[I], Y2[I], 1e-12);
}

#endif
