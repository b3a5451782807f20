//===- eigen-main.cpp - the loops of eigen.cpp, as written and rewritten --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include <Eigen/Core>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <vector>

namespace original {
#include ORIGINAL
}
namespace emitted {
#include EMITTED
}

static int Failures = 0;
static unsigned Seed = 3;
template <class T> std::vector<T> data(long Size) {
  std::vector<T> V(size_t(Size < 0 ? 0 : Size) + 8);
  for (T &X : V)
    X = T(int((Seed = Seed * 1664525u + 1013904223u) >> 20) % 100 / 8.0);
  return V;
}
template <class T>
static void same(const char *Name, const std::vector<T> &A,
                 const std::vector<T> &B, double Tolerance = 0) {
  for (size_t I = 0; I < A.size(); ++I)
    if (std::memcmp(&A[I], &B[I], sizeof(T)) != 0 &&
        !(std::fabs(double(A[I]) - double(B[I])) <= Tolerance)) {
      std::printf("%s differs at %zu\n", Name, I);
      ++Failures;
      return;
    }
}

#define COMPARE(Name, Y, Tolerance, ...)                                       \
  {                                                                            \
    auto Wanted = Y, Got = Y;                                                  \
    {                                                                          \
      auto &Out = Wanted;                                                      \
      original::Name(__VA_ARGS__);                                             \
    }                                                                          \
    {                                                                          \
      auto &Out = Got;                                                         \
      emitted::Name(__VA_ARGS__);                                              \
    }                                                                          \
    same(#Name, Wanted, Got, Tolerance);                                       \
  }

static void vectors(int n) {
  auto X = data<float>(3 * n), Y = data<float>(2 * n);
  auto D = data<double>(n), E = data<double>(n);
  auto K = data<int>(n);
  auto C = data<unsigned char>(n), P = data<unsigned char>(n);
  for (int &I : K)
    I = I % 8;
  COMPARE(axpy, Y, 0, 1.5f, X.data(), Out.data(), n);
  for (int Shift : {-1, 0, 1}) // in place, and one behind the other
    COMPARE(axpy, Y, 0, 0.5f, Out.data() + 1 + Shift, Out.data() + 1, n);
  COMPARE(smooth, D, 0, Out.data(), E.data(), 0.3, n);
  COMPARE(smooth, D, 0, Out.data(), Out.data(), 0.3, n);
  COMPARE(shift, Y, 0, Out.data(), n);
  COMPARE(strided, Y, 0, n, 0.5f, X.data(), 3, Out.data(), 2);
  COMPARE(strided, Y, 0, n, 0.5f, X.data(), 0, Out.data(), 0);
  COMPARE(clamp, Y, 0, Out.data(), X.data(), 2.0f, 5.0f, n);
  COMPARE(atLeast, Y, 0, Out.data(), X.data(), 2.0f, n);
  COMPARE(bytes, C, 0, Out.data(), P.data(), n);
  COMPARE(halve, Y, 0, Out, Y);
  COMPARE(gather, Y, 0, Out.data(), X.data(), K.data(), n);
  std::vector<double> A{original::distance(D.data(), E.data(), n)};
  std::vector<double> B{emitted::distance(D.data(), E.data(), n)};
  same("distance", A, B, 1e-8);
}

static void tables(int n, int m) {
  const long Size = n > 0 && m > 0 ? long(n) * m : 0;
  auto T = data<float>(Size), U = data<float>(Size);
  auto R = data<float>(n), B = data<float>(m);
  COMPARE(rowsums, R, 1e-2, Out.data(), T.data(), n, m);
  COMPARE(turn, U, 0, Out.data(), T.data(), n, m);
  COMPARE(turn, U, 0, Out.data(), Out.data(), n, m);
  COMPARE(bias, U, 0, Out.data(), T.data(), B.data(), n, m);
}

int main() {
  for (int n : {-5, 0, 1, 2, 3, 17, 256, 1003})
    vectors(n);
  for (int n : {-2, 0, 1, 9, 40})
    for (int m : {-1, 0, 1, 7, 33})
      tables(n, m);
  return Failures != 0;
}
