//===- parallel-for-simd.cpp - a map over one range -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %conformance %s
//
// `if (parallel : ...)` keeps `simd` when the work is too small for threads.

#include "Conformance.h"
using namespace conformance;

FORM static void square(float *y, const float *x, int n) {
#pragma omp parallel for simd if (parallel : n > 200000)
  for (int i = 0; i < n; ++i)
    y[i] = x[i] * x[i];
}

// An original with a wider index and a condition under which nothing is
// stored: the store stays under its branch.
FORM static void clampNegative(float *y, const float *x, std::size_t n) {
#pragma omp parallel for if (n > 50000)
  for (std::size_t i = 0; i < n; ++i)
    if (x[i] < 0)
      y[i] = 0;
}

int main() {
  for (int Size : Sizes)
    forThreadCounts([Size] {
      std::vector<float> X = randomFloats(Size, Size + 1);
      std::vector<float> Want(Size), Got(Size, -7);
      for (int I = 0; I < Size; ++I)
        Want[I] = X[I] * X[I];
      square(Got.data(), X.data(), Size);
      checkSame(Want, Got, "square", Size);

      Got = Want = randomFloats(Size, Size + 2);
      for (int I = 0; I < Size; ++I)
        if (X[I] < 0)
          Want[I] = 0;
      clampNegative(Got.data(), X.data(), Size);
      checkSame(Want, Got, "clampNegative", Size);
    });
  square(nullptr, nullptr, 0);
  square(nullptr, nullptr, -1);
}
