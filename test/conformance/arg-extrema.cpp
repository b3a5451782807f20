//===- arg-extrema.cpp - maximum with its first position ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %conformance %s
//
// Each thread starts from a value marked empty (at < 0), and ties go to the
// smaller position, which is the one that the serial loop keeps.

#include "Conformance.h"
using namespace conformance;

// A member function, since a free one would be unused without OpenMP.
struct Best {
  float value;
  int at;
  void take(const Best &other) {
    if (other.at >= 0 && (at < 0 || other.value > value ||
                          (other.value == value && other.at < at)))
      *this = other;
  }
};
#pragma omp declare reduction(raise_argmax:Best : omp_out.take(omp_in))        \
    initializer(omp_priv = Best{0, -1})

FORM static void argmax(const float *x, int n, float *value, int *at) {
  float m = *value;
  Best best = {0, -1};
#pragma omp parallel for reduction(raise_argmax : best) if (n > 100000)
  for (int i = 0; i < n; ++i)
    if (x[i] > (best.at < 0 ? m : best.value)) {
      best.value = x[i];
      best.at = i;
    }
  if (best.at >= 0) {
    *value = best.value;
    *at = best.at;
  }
}

static void checkData(const std::vector<float> &X, float Start) {
  int Size = int(X.size()), WantAt = -5, GotAt = -5;
  float Want = Start, Got = Start;
  for (int I = 0; I < Size; ++I)
    if (X[I] > Want) {
      Want = X[I];
      WantAt = I;
    }
  argmax(X.data(), Size, &Got, &GotAt);
  check(sameBits(Want, Got), "argmax value", Size, WantAt);
  check(WantAt == GotAt, "argmax position", Size, WantAt);
}

int main() {
  const float Nan = std::numeric_limits<float>::quiet_NaN();
  const float Inf = std::numeric_limits<float>::infinity();
  for (int Size : Sizes)
    forThreadCounts([&] {
      std::vector<float> X = randomFloats(Size, Size + 1);
      for (float Start : {0.0f, -Inf, Inf, Nan, 5.0f})
        checkData(X, Start);
      // Many ties, also between zeros of either sign.
      for (int I = 0; I < Size; ++I)
        X[I] = I % 3 ? -0.0f : 0.0f;
      checkData(X, -1);
      for (int I = 0; I < Size; ++I)
        X[I] = float((I * 7) % 11);
      checkData(X, -Inf);
      if (!Size)
        return;
      for (int At : {0, Size / 2, Size - 1}) {
        std::vector<float> Y = X;
        Y[At] = Nan;
        checkData(Y, Y[0]);
        Y[At] = 99;
        checkData(Y, Y[0]);
      }
    });
}
