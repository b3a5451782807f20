//===- reductions.cpp - sums, products, logic and bits --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %conformance %s

#include "Conformance.h"
using namespace conformance;

FORM static float sum(const float *x, int n) {
  float s = 0;
#pragma omp parallel for simd reduction(+ : s) if (parallel : n > 200000)
  for (int i = 0; i < n; ++i)
    s += x[i];
  return s;
}

FORM static float product(const float *x, int n, float start) {
  float s = start;
#pragma omp parallel for simd reduction(* : s) if (parallel : n > 200000)
  for (int i = 0; i < n; ++i)
    s *= x[i];
  return s;
}

// Unsigned arithmetic wraps, so any order gives the same bits.
FORM static unsigned sumWrapped(const unsigned *x, int n, unsigned start) {
  unsigned s = start;
#pragma omp parallel for simd reduction(+ : s) if (parallel : n > 200000)
  for (int i = 0; i < n; ++i)
    s += x[i];
  return s;
}

// No simd on && and ||: clang cannot vectorise a loop whose body branches on
// the value so far, and says so by a warning.
FORM static int allBelow(const float *x, int n, float limit, int start) {
  int s = start;
#pragma omp parallel for reduction(&& : s) if (n > 200000)
  for (int i = 0; i < n; ++i)
    s = s && x[i] < limit;
  return s;
}

FORM static int anyAbove(const float *x, int n, float limit, int start) {
  int s = start;
#pragma omp parallel for reduction(|| : s) if (n > 200000)
  for (int i = 0; i < n; ++i)
    s = s || x[i] > limit;
  return s;
}

FORM static int allBelowBits(const float *x, int n, float limit, int start) {
  int s = start;
#pragma omp parallel for simd reduction(& : s) if (parallel : n > 200000)
  for (int i = 0; i < n; ++i)
    s &= x[i] < limit;
  return s;
}

FORM static unsigned andBits(const unsigned *x, int n, unsigned start) {
  unsigned s = start;
#pragma omp parallel for simd reduction(& : s) if (parallel : n > 200000)
  for (int i = 0; i < n; ++i)
    s &= x[i];
  return s;
}

FORM static unsigned orBits(const unsigned *x, int n, unsigned start) {
  unsigned s = start;
#pragma omp parallel for simd reduction(| : s) if (parallel : n > 200000)
  for (int i = 0; i < n; ++i)
    s |= x[i];
  return s;
}

FORM static unsigned xorBits(const unsigned *x, int n, unsigned start) {
  unsigned s = start;
#pragma omp parallel for simd reduction(^ : s) if (parallel : n > 200000)
  for (int i = 0; i < n; ++i)
    s ^= x[i];
  return s;
}

// Several results in one pass.
FORM static void moments(const float *x, int n, float *first, float *second) {
  float a = 0, b = 0;
#pragma omp parallel for simd reduction(+ : a, b) if (parallel : n > 100000)
  for (int i = 0; i < n; ++i) {
    a += x[i];
    b += x[i] * x[i];
  }
  *first += a;
  *second += b;
}

static void checkFloats(int Size) {
  std::vector<float> X = randomFloats(Size, Size + 1);
  double Sum = 0, Squares = 0, Magnitude = 0;
  for (float V : X) {
    Sum += V;
    Squares += double(V) * V;
    Magnitude += std::fabs(V);
  }
  check(nearSum(Sum, sum(X.data(), Size), Size, Magnitude), "sum", Size);
  float First = 3, Second = 4;
  moments(X.data(), Size, &First, &Second);
  check(nearSum(Sum + 3, First, Size, Magnitude + 3), "moments", Size, 1);
  check(nearSum(Squares + 4, Second, Size, Squares + 4), "moments", Size, 2);

  // Signs and a few powers of two multiply exactly, in any order.
  std::vector<float> Factors(Size);
  float Product = 8;
  for (int I = 0; I < Size; ++I) {
    Factors[I] = (I % 5 ? 1.0f : -1.0f) * (I % (Size / 9 + 1) ? 1.0f : 2.0f);
    Product *= Factors[I];
  }
  check(product(Factors.data(), Size, 8) == Product, "product", Size);

  for (int Start : {0, 1}) {
    check(allBelow(X.data(), Size, 2, Start) == Start, "allBelow", Size);
    check(anyAbove(X.data(), Size, 2, Start) == Start, "anyAbove", Size);
    check(allBelowBits(X.data(), Size, 2, Start) == Start, "allBelowBits",
          Size);
  }
  if (!Size)
    return;
  for (int At : {0, Size / 2, Size - 1}) {
    float Old = X[At];
    X[At] = 3;
    check(allBelow(X.data(), Size, 2, 1) == 0, "allBelow", Size, At);
    check(anyAbove(X.data(), Size, 2, 0) == 1, "anyAbove", Size, At);
    check(allBelowBits(X.data(), Size, 2, 1) == 0, "allBelowBits", Size, At);
    X[At] = Old;
  }
}

static void checkBits(int Size) {
  const unsigned Start = 0xf0f0f0f1u;
  std::vector<unsigned> X = randomBits(Size, Size + 1);
  unsigned Sum = Start, Xor = Start;
  for (unsigned V : X) {
    Sum += V;
    Xor ^= V;
  }
  check(sumWrapped(X.data(), Size, Start) == Sum, "sumWrapped", Size);
  check(xorBits(X.data(), Size, Start) == Xor, "xorBits", Size);

  // Each element clears or sets one bit of its own class, so that a lost
  // element is a wrong bit.
  std::vector<unsigned> Cleared(Size), Set(Size);
  unsigned And = Start, Or = Start;
  for (int I = 0; I < Size; ++I) {
    Set[I] = 1u << (I % 29);
    Cleared[I] = ~Set[I];
    And &= Cleared[I];
    Or |= Set[I];
  }
  check(andBits(Cleared.data(), Size, Start) == And, "andBits", Size);
  check(orBits(Set.data(), Size, Start) == Or, "orBits", Size);
}

int main() {
  for (int Size : Sizes)
    forThreadCounts([Size] {
      checkFloats(Size);
      checkBits(Size);
    });
}
