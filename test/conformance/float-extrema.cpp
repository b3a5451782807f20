//===- float-extrema.cpp - maximum and minimum that ignore NaN in the data ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %conformance %s
//
// `if (x[i] > m) m = x[i]`: a NaN in the data is never taken, a NaN that m
// starts from is kept. OpenMP's own max does neither.
//
// Threads combine in any order, so of two equal values either may remain: with
// zeros of both signs in the data, the sign of a zero result is not fixed, and
// values are compared here, not bits. Where the sign matters, arg-extrema.cpp
// holds a form that is exact.

#include "Conformance.h"
using namespace conformance;

#pragma omp declare reduction(raise_max:float : omp_out =                      \
                                  omp_in > omp_out ? omp_in : omp_out)         \
    initializer(omp_priv = omp_orig)
#pragma omp declare reduction(raise_min:float : omp_out =                      \
                                  omp_in < omp_out ? omp_in : omp_out)         \
    initializer(omp_priv = omp_orig)

FORM static float maximum(const float *x, int n, float start) {
  float m = start;
#pragma omp parallel for reduction(raise_max : m) if (n > 100000)
  for (int i = 0; i < n; ++i)
    if (x[i] > m)
      m = x[i];
  return m;
}

FORM static float minimum(const float *x, int n, float start) {
  float m = start;
#pragma omp parallel for reduction(raise_min : m) if (n > 100000)
  for (int i = 0; i < n; ++i)
    if (x[i] < m)
      m = x[i];
  return m;
}

// Any NaN is as good as any other; else the values must be equal.
static bool agree(float A, float B) {
  return A == B || (std::isnan(A) && std::isnan(B));
}

static void checkData(const std::vector<float> &X, float Start) {
  int Size = int(X.size());
  float Max = Start, Min = Start;
  for (float V : X) {
    if (V > Max)
      Max = V;
    if (V < Min)
      Min = V;
  }
  check(agree(Max, maximum(X.data(), Size, Start)), "maximum", Size);
  check(agree(Min, minimum(X.data(), Size, Start)), "minimum", Size);
}

int main() {
  const float Nan = std::numeric_limits<float>::quiet_NaN();
  const float Inf = std::numeric_limits<float>::infinity();
  for (int Size : Sizes)
    forThreadCounts([&] {
      std::vector<float> X = randomFloats(Size, Size + 1);
      for (float Start : {0.0f, -Inf, Inf, Nan, 5.0f, -5.0f})
        checkData(X, Start);
      checkData(std::vector<float>(Size, -Inf), -Inf);
      checkData(std::vector<float>(Size, Nan), -Inf);
      if (!Size)
        return;
      for (int At : {0, Size / 2, Size - 1}) {
        std::vector<float> Y = X;
        Y[At] = Nan;
        for (float Start : {Y[0], -Inf, Inf})
          checkData(Y, Start);
        Y[At] = 9;
        checkData(Y, Y[0]);
        Y[At] = -9;
        checkData(Y, Y[0]);
      }
    });
}
