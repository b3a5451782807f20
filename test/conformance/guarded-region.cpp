//===- guarded-region.cpp - a run-time test that buffers do not overlap ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %conformance %s
//
// Half-open byte ranges compared as integers; the other branch is the original.

#include "Conformance.h"
using namespace conformance;

FORM static bool smooth(float *y, const float *x, int n) {
  const std::uintptr_t y_at = (std::uintptr_t)y, x_at = (std::uintptr_t)x;
  const std::uintptr_t y_bytes = n > 0 ? (std::size_t)n * sizeof(*y) : 0;
  const std::uintptr_t x_bytes = n > 0 ? ((std::size_t)n + 1) * sizeof(*x) : 0;
  const bool disjoint =
      n <= 0 || y_at + y_bytes <= x_at || x_at + x_bytes <= y_at;
  if (disjoint) {
#pragma omp parallel for simd if (parallel : n > 100000)
    for (int i = 0; i < n; ++i)
      y[i] = 0.5f * x[i] + 0.25f * x[i + 1];
  } else {
    for (int i = 0; i < n; ++i)
      y[i] = 0.5f * x[i] + 0.25f * x[i + 1];
  }
  return disjoint;
}

// y starts Offset elements after x in one array.
static void checkOffset(int Size, long Offset, bool Disjoint) {
  size_t Base = Size + 2, Room = 3 * Base;
  std::vector<float> Want = randomFloats(Room, Size + 1), Got = Want;
  volatile long Hidden = Offset; // The compiler may not know the overlap.
  float *Y = Want.data() + Base + Hidden;
  const float *X = Want.data() + Base;
  for (int I = 0; I < Size; ++I)
    Y[I] = 0.5f * X[I] + 0.25f * X[I + 1];
  bool Taken = smooth(Got.data() + Base + Hidden, Got.data() + Base, Size);
  check(Taken == Disjoint, "guard", Size, Offset);
  checkSame(Want, Got, "smooth", Size);
}

int main() {
  for (int Size : Sizes)
    forThreadCounts([Size] {
      checkOffset(Size, Size + 1, true);
      checkOffset(Size, -Size, true);
      if (!Size)
        return;
      for (long Offset : {0, 1, Size, 1 - Size})
        checkOffset(Size, Offset, false);
    });
  check(smooth(nullptr, nullptr, 0), "null", 0);
  check(smooth(nullptr, nullptr, -3), "null", -3);
}
