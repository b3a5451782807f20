//===- serial-in-parallel.cpp - serial loops and private variables --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %conformance %s

#include "Conformance.h"
using namespace conformance;

// One recurrence a column; the temporaries were declared outside the loop, as
// C code does, and are private to each iteration now.
FORM static void recurrence(float *out, const float *a, int n, int steps) {
  float t, s;
  int k;
#pragma omp parallel for private(t, s, k) if ((std::size_t)n * steps > 100000)
  for (int i = 0; i < n; ++i) {
    t = a[i];
    s = 0;
    for (k = 0; k < steps; ++k) {
      t = 0.5f * t + 0.25f;
      s += t;
    }
    out[i] = s;
  }
}

// Time steps stay in order; each is parallel over space, and the barrier at
// the end of each loop keeps the steps apart.
FORM static void diffuse(float *u, float *v, int n, int steps) {
#pragma omp parallel if (n > 50000)
  for (int step = 0; step < steps; ++step) {
#pragma omp for simd
    for (int i = 1; i < n - 1; ++i)
      v[i] = 0.25f * (u[i - 1] + u[i + 1]) + 0.5f * u[i];
#pragma omp for simd
    for (int i = 1; i < n - 1; ++i)
      u[i] = v[i];
  }
}

// The value of the last iteration is wanted after the loop.
FORM static float lastSquare(float *out, const float *x, int n, float t) {
  if (n > 0) {
#pragma omp parallel for lastprivate(t) if (n > 100000)
    for (int i = 0; i < n; ++i) {
      t = x[i] * x[i];
      out[i] = t + 1;
    }
  }
  return t;
}

static void checkSize(int Size) {
  std::vector<float> A = randomFloats(Size, Size + 1);
  std::vector<float> Want(Size), Got(Size, -7);
  for (int I = 0; I < Size; ++I) {
    float T = A[I];
    for (int K = 0; K < 9; ++K) {
      T = 0.5f * T + 0.25f;
      Want[I] += T;
    }
  }
  recurrence(Got.data(), A.data(), Size, 9);
  checkSame(Want, Got, "recurrence", Size);

  std::vector<float> U = A, V(Size);
  Want = A;
  for (int Step = 0; Step < 5; ++Step) {
    std::vector<float> Old = Want;
    for (int I = 1; I < Size - 1; ++I)
      Want[I] = 0.25f * (Old[I - 1] + Old[I + 1]) + 0.5f * Old[I];
  }
  diffuse(U.data(), V.data(), Size, 5);
  checkSame(Want, U, "diffuse", Size);

  float Last = 42;
  for (int I = 0; I < Size; ++I) {
    Last = A[I] * A[I];
    Want[I] = Last + 1;
  }
  float GotLast = lastSquare(Got.data(), A.data(), Size, 42);
  check(sameBits(Last, GotLast), "lastSquare", Size);
  checkSame(Want, Got, "lastSquare", Size);
}

int main() {
  for (int Size : Sizes)
    forThreadCounts([Size] { checkSize(Size); });
}
