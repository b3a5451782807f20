//===- eigen.cpp - originals against their forms as Eigen expressions -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// EMITTED names the text to include. Inputs hold zeros of both signs, NaN and
// infinities; sizes are negative, zero, odd and larger than any vector. What is
// behind the end of each array must stay as it was.

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <vector>

#include EMITTED

static long Failures = 0;
static unsigned Seed = 7;
static unsigned next() {
  return Seed = Seed * 1664525u + 1013904223u, Seed >> 8;
}

constexpr size_t Room = 16;

template <class T> std::vector<T> data(long Size, bool Odd) {
  std::vector<T> V(size_t(Size < 0 ? 0 : Size) + Room);
  for (T &X : V)
    X = T((next() % 2001) / 100.0 - 10.0);
  if (Odd && std::numeric_limits<T>::has_quiet_NaN) {
    const T Values[] = {T(-0.0), T(0.0), std::numeric_limits<T>::infinity(),
                        std::numeric_limits<T>::quiet_NaN(),
                        std::numeric_limits<T>::denorm_min()};
    for (size_t I = 0; I < V.size(); I += 3)
      V[I] = Values[next() % 5];
  }
  return V;
}

/// NaN is NaN, whichever bits it has.
template <class T> bool equal(T A, T B) {
  return std::memcmp(&A, &B, sizeof(T)) == 0 || (A != A && B != B);
}

template <class T>
void compare(const char *Name, const std::vector<T> &Got,
             const std::vector<T> &Wanted, double Scale = 0) {
  for (size_t I = 0; I < Wanted.size(); ++I) {
    if (equal(Got[I], Wanted[I]) ||
        (Scale > 0 &&
         std::fabs(double(Got[I]) - double(Wanted[I])) <=
             Scale * double(std::numeric_limits<T>::epsilon())))
      continue;
    ++Failures;
    std::printf("%s differs at %zu: %g, not %g\n", Name, I, double(Got[I]),
                double(Wanted[I]));
    return;
  }
}

#ifdef STRICT
constexpr double Sums = 0;
#else
constexpr double Sums = 1e5;
#endif
#ifdef FAST
constexpr double Products = 1e5;
#else
constexpr double Products = Sums;
#endif

/// Calls both forms of Name on copies of Y.
#define BOTH(Name, Y, Scale, ...)                                              \
  {                                                                            \
    auto Wanted = Y;                                                           \
    auto Got = Y;                                                              \
    {                                                                          \
      auto *Out = Wanted.data();                                               \
      Name##_original(__VA_ARGS__);                                            \
    }                                                                          \
    {                                                                          \
      auto *Out = Got.data();                                                  \
      Name##_raised(__VA_ARGS__);                                              \
    }                                                                          \
    compare(#Name, Got, Wanted, Scale);                                        \
  }

static void vectors(int n, bool Odd) {
  auto X = data<float>(4 * n + 4, Odd), Y = data<float>(2 * n + 2, Odd);
  auto Z = data<float>(n, Odd), S = data<float>(1, false);
  auto I = data<int>(n, false), K = data<int>(n, false);
  auto D = data<double>(n, false), E = data<double>(n, false);
  BOTH(axpy, Y, 0, Out, X.data(), 1.5f, n);
  BOTH(square, Y, 0, Out, X.data(), n);
  BOTH(relu, Y, 0, Out, X.data(), n);
  BOTH(safe, Y, 0, Out, X.data(), Z.data(), n);
  BOTH(stencil, Y, 0, Out, X.data(), 0.3f, n);
  BOTH(swap, Y, 0, Out, std::vector<float>(X).data(), n);
  BOTH(clamp, I, 0, Out, K.data(), -3, 4, n);
  BOTH(scaleadd, Y, 0, Out, X.data(), S.data(), n);
  BOTH(fill, Y, 0, Out, I.data(), 0.5f, n);
  BOTH(reverse, Y, 0, Out, X.data(), n);
  if (n >= 0)
    BOTH(mixed, D, 0, Out, X.data(), K.data(), size_t(n));
  std::vector<double> Got{dot_raised(D.data(), E.data(), n, 0.25)};
  std::vector<double> Wanted{dot_original(D.data(), E.data(), n, 0.25)};
  compare("dot", Got, Wanted, Sums);
}

/// Where arguments overlap, the tests choose the original.
static void overlaps(int n) {
  for (int Shift : {-2, -1, 0, 1, 2}) {
    auto Y = data<float>(n + 8, false);
    BOTH(axpy, Y, 0, Out + 4, Out + 4 + Shift, 0.5f, n);
  }
}

static void tables(int n, int m, int k) {
  auto Size = [](int A, int B) { return A > 0 && B > 0 ? long(A) * B : 0; };
  auto A = data<float>(Size(n, k), false), B = data<float>(Size(m, k), false);
  auto C = data<float>(Size(n, m), false), M = data<float>(Size(n, m), false);
  auto X = data<float>(m, false), Y = data<float>(n, false);
  auto R = data<float>(n, false), W = data<float>(m, false);
  auto DX = data<double>(n, false), DY = data<double>(m, false);
  auto DA = data<double>(Size(n, m), false);
  BOTH(gemv, Y, Products, Out, M.data(), X.data(), n, m);
  BOTH(ger, DA, 0, Out, DX.data(), DY.data(), n, m);
  BOTH(gemm, C, Products, Out, A.data(), B.data(), 0.5f, n, m, k);
  BOTH(layer, C, 0, Out, M.data(), W.data(), X.data(), Y.data(), R.data(), n,
       m);
  BOTH(scalerows, C, 0, Out, M.data(), Y.data(), n, m);
  BOTH(rowsum, Y, Sums, Out, M.data(), n, m);
  BOTH(colsum, X, Sums, Out, M.data(), n, m);
}

int main() {
  for (int n : {-3, 0, 1, 2, 3, 5, 8, 17, 64, 301}) {
    vectors(n, false);
    vectors(n, true);
    if (n > 0)
      overlaps(n);
  }
  for (int n : {-1, 0, 1, 7, 33})
    for (int m : {-2, 0, 1, 5, 20})
      for (int k : {-1, 0, 1, 9})
        tables(n, m, k);
  return Failures ? EXIT_FAILURE : EXIT_SUCCESS;
}
