//===- end-to-end.cpp - originals against what was emitted for them -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// EMITTED names the C++ text to include; without it, the functions are C and
// linked.

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <vector>

#ifdef EMITTED
#include EMITTED
#else
extern "C" {
#define BOTH(Result, Name, ...)                                                \
  Result Name##_raised(__VA_ARGS__);                                           \
  Result Name##_original(__VA_ARGS__);
#include "end-to-end.h"
#undef BOTH
}
#endif

static long Failures = 0;
static void check(bool Ok, const char *What, long A, long B = 0) {
  if (Ok)
    return;
  ++Failures;
  std::printf("%s differs (%ld, %ld)\n", What, A, B);
}

static unsigned Seed = 1;
static unsigned next() { return Seed = Seed * 1664525u + 1013904223u, Seed >> 8; }
template <class T> std::vector<T> data(size_t Size, double Lo, double Hi) {
  std::vector<T> Result(Size + 8);
  for (T &X : Result)
    X = T(Lo + (Hi - Lo) * (next() % 65536) / 65535.0);
  return Result;
}

template <class T> bool same(const std::vector<T> &A, const std::vector<T> &B) {
  return std::memcmp(A.data(), B.data(), A.size() * sizeof(T)) == 0;
}
template <class T> bool bits(T A, T B) {
  return std::memcmp(&A, &B, sizeof(T)) == 0;
}
// A sum may be rounded in another order, unless the mode forbids it.
template <class T> bool near(T A, T B, double Scale = 1e3) {
#ifdef STRICT
  (void)Scale;
  return bits(A, B);
#else
  double Eps = std::numeric_limits<T>::epsilon();
  return bits(A, B) || std::fabs(double(A) - double(B)) <= Scale * Eps * (1 + std::fabs(double(B)));
#endif
}
template <class T>
bool allNear(const std::vector<T> &A, const std::vector<T> &B) {
  for (size_t I = 0; I < A.size(); ++I)
    if (!near(A[I], B[I]))
      return false;
  return true;
}

// Calls both forms with their own copy of the buffer `Buf`.
#define COMPARE(Equal, Name, Buf, ...)                                         \
  do {                                                                         \
    auto Before = Buf;                                                         \
    auto *p = Buf.data();                                                      \
    Name##_original(__VA_ARGS__);                                              \
    auto Want = Buf;                                                           \
    Buf = Before;                                                              \
    p = Buf.data();                                                            \
    Name##_raised(__VA_ARGS__);                                                \
    check(Equal(Buf, Want), #Name, n);                                         \
    (void)p;                                                                   \
  } while (0)

static void elementwise(int n) {
  size_t N = size_t(n < 0 ? 0 : n);
  auto X = data<float>(N, -2, 2), Y = data<float>(N, -2, 2);
  COMPARE(same, map, Y, p, X.data(), n);
  COMPARE(same, shifted, Y, p, X.data(), n);
  COMPARE(same, outside, Y, p, X.data(), n);
  COMPARE(same, unused, Y, p, n);
  COMPARE(same, positive, Y, p, X.data(), n);
  check(bits(outside_raised(Y.data(), X.data(), n),
             outside_original(Y.data(), X.data(), n)), "outside", n);
  // The buffers overlap at every distance: the test must see it.
  for (int Shift : {0, 1, 3, n / 2, n - 1, n}) {
    if (Shift < 0 || Shift > n)
      continue;
    auto Two = data<float>(2 * N, -2, 2);
    COMPARE(same, map, Two, p + Shift, p, n);
    COMPARE(same, map, Two, p, p + Shift, n);
    COMPARE(same, shifted, Two, p + Shift, p, n);
    COMPARE(same, shifted, Two, p, p + Shift, n);
  }
  auto Index = data<int>(N, -1, n > 0 ? n - 1 : 0);
  COMPARE(same, gather, Y, p, X.data(), Index.data(), n);
  auto Count = data<unsigned>(N, 0, 9);
  COMPARE(same, histogram, Count, p, Index.data(), n);
  for (int Inc : {-1, 0, 1, 3}) {
    auto S = data<float>(N * 3 + N, -2, 2);
    COMPARE(same, strided, S, p + (Inc < 0 ? N : 0), n, Inc);
  }
  auto I = data<int>(N, -100, 100);
  COMPARE(same, collide, I, p, 7, n);
  auto B = data<unsigned char>(N, 0, 255);
  auto H = data<short>(N, -500, 500);
  auto W = data<unsigned>(N, 0, 4e9);
  auto W2 = W;
  COMPARE(same, types, B, p, H.data(), W.data(), n, 3u);
  types_original(B.data(), H.data(), W2.data(), n, 3u);
  types_original(B.data(), H.data(), W2.data(), n, 3u);
  check(same(W, W2), "types", n, 1);
}

static void reductions(int n) {
  size_t N = size_t(n < 0 ? 0 : n);
  auto X = data<float>(N, -1, 2);
  auto D = data<double>(N, 0.75, 1.3);
  check(near(sum_raised(X.data(), n, 3), sum_original(X.data(), n, 3), 1e4), "sum", n);
  check(near(difference_raised(D.data(), n, 3), difference_original(D.data(), n, 3), 1e4),
        "difference", n);
  check(near(product_raised(D.data(), n, 3), product_original(D.data(), n, 3), 1e4),
        "product", n);
  check(bits(quotient_raised(D.data(), n, 3), quotient_original(D.data(), n, 3)),
        "quotient", n);
  auto B = data<unsigned char>(N, 0, 255);
  check(bytes_raised(B.data(), n) == bytes_original(B.data(), n), "bytes", n);
  for (unsigned Start : {0u, 0xffffffffu, 0xf0f0f0f1u}) {
    auto U = data<unsigned>(N, 0, 4e9);
    unsigned R[3] = {Start, Start, Start}, O[3] = {Start, Start, Start};
    bits_raised(U.data(), n, &R[0], &R[1], &R[2]);
    bits_original(U.data(), n, &O[0], &O[1], &O[2]);
    check(std::memcmp(R, O, sizeof R) == 0, "bits", n);
  }
  for (int Start : {-2000, 0, 2000}) {
    auto I = data<int>(N, -1000, 1000);
    int R[2] = {Start, Start}, O[2] = {Start, Start};
    extrema_raised(I.data(), n, &R[0], &R[1]);
    extrema_original(I.data(), n, &O[0], &O[1]);
    check(R[0] == O[0] && R[1] == O[1], "extrema", n);
  }
  const float Nan = std::numeric_limits<float>::quiet_NaN();
  const float Inf = std::numeric_limits<float>::infinity();
  for (float Start : {0.0f, -0.0f, -Inf, Inf, Nan, -5.0f})
    for (int At : {-1, 0, n / 2, n - 1}) {
      auto Y = X;
      if (At >= 0 && At < n)
        Y[size_t(At)] = Nan;
      if (n > 3)
        Y[1] = 0.0f, Y[2] = -0.0f;
      check(bits(floatmax_raised(Y.data(), n, Start), floatmax_original(Y.data(), n, Start)),
            "floatmax", n, At);
    }
  for (float Limit : {0.0f, 5.0f})
    check(every_raised(X.data(), n, Limit) == every_original(X.data(), n, Limit), "every", n);
  auto T = data<float>(N + 1, -1, 2);
  COMPARE(allNear, into, T, p, X.data(), n);
  COMPARE(allNear, into, T, p + (n > 2 ? 1 : 0), p, n); // overlaps
  if (n <= 0) // nothing may be touched
    into_raised(nullptr, X.data(), n);
}

static void nests(int a, int b) {
  int n = a;
  size_t A = size_t(a < 0 ? 0 : a), B = size_t(b < 0 ? 0 : b), K = 5;
  auto X = data<float>(A * B + A * K + B * K, -1, 1), Y = X;
  auto Out = data<float>(A * B + A, -1, 1);
  COMPARE(allNear, rows, Out, p, X.data(), a, b);
  COMPARE(same, cursors, Out, p, X.data(), a, b);
  COMPARE(same, cursors, Out, p, p, a, b);
  COMPARE(same, cursors, Out, p + (A && B ? 1 : 0), p, a, b);
  COMPARE(same, matmul, Out, p, X.data(), Y.data(), a, b, int(K));
  COMPARE(allNear, inner, Out, p, X.data(), Y.data(), a, b, int(K));
  auto I = data<int>(A * B + 3, -9, 9);
  auto Total = data<int>(3, 0, 9);
  COMPARE(same, square, Total, p, I.data(), a, b);
  auto Square = data<float>(A * A, -1, 1);
  COMPARE(same, triangle, Square, p, a);
  auto Bias = data<float>(B, -1, 1);
  auto Cube = data<float>(2 * A * B, -1, 1);
  COMPARE(same, broadcast, Cube, p, Bias.data(), 2, b, a);
  auto In = data<double>(A * B, -1, 1), Turned = In;
  COMPARE(same, transpose, Turned, p, In.data(), A, B);
}

int main() {
  for (int n : {-3, 0, 1, 2, 3, 7, 64, 1001}) {
    elementwise(n);
    reductions(n);
  }
  for (int a : {-1, 0, 1, 2, 13, 40})
    for (int b : {-2, 0, 1, 3, 33})
      nests(a, b);
  return Failures ? EXIT_FAILURE : EXIT_SUCCESS;
}
