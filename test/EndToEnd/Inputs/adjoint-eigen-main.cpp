//===- adjoint-eigen-main.cpp - derivatives as loops and as expressions ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Both get the same data, with arrays that lie apart, in one place, and one
// behind the other; all of it, and what lies behind, must come out the same.

#include <Eigen/Core>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>

namespace loops {
#include LOOPS
}
namespace expressions {
#include EIGEN
}

using Data = std::vector<double>;

static int Failures = 0;
static unsigned Seed = 3;
static Data data(long Size) {
  Data V(size_t(Size < 0 ? 0 : Size) + 8);
  for (double &X : V)
    X = int((Seed = Seed * 1664525u + 1013904223u) >> 20) % 100 / 8.0 - 6;
  return V;
}

static void same(const char *Name, int Size, const Data &A, const Data &B) {
  for (size_t I = 0; I < A.size(); ++I)
    if (std::memcmp(&A[I], &B[I], sizeof(double)) != 0 &&
        !(std::isnan(A[I]) && std::isnan(B[I])) &&
        !(std::fabs(A[I] - B[I]) <= TOLERANCE * (1 + std::fabs(A[I])))) {
      std::printf("%s(%d) differs at %zu: %g, not %g\n", Name, Size, I, B[I],
                  A[I]);
      ++Failures;
      return;
    }
}

/// Call stands for statements on the primal values P and the derivatives D, in
/// which `form` is the namespace.
#define COMPARE(Name, Size, P, D, ...)                                         \
  {                                                                            \
    Data P1 = P, D1 = D, P2 = P, D2 = D;                                       \
    {                                                                          \
      namespace form = loops;                                                  \
      double *p = P1.data(), *d = D1.data();                                   \
      __VA_ARGS__;                                                             \
    }                                                                          \
    {                                                                          \
      namespace form = expressions;                                            \
      double *p = P2.data(), *d = D2.data();                                   \
      __VA_ARGS__;                                                             \
    }                                                                          \
    same(Name, Size, P1, P2);                                                  \
    same(Name " (derivatives)", Size, D1, D2);                                 \
  }

/// Arrays x and y of which y begins Shift behind x.
static void pairs(int n, int Shift) {
  const int y = Shift, Last = 2 * (n < 0 ? 0 : n) + Shift + 1;
  const Data P = data(Last + n), D = data(Last + n);
  (void)y;
#if defined(TANGENTS)
  double a_tan = 0.5;
  COMPARE("axpy", n, P, D, form::axpy_tangent(1.5, p, p + y, n, a_tan, d, d + y));
  COMPARE("square", n, P, D, form::square_tangent(p + y, p, n, d + y, d));
  COMPARE("stencil", n, P, D,
          form::stencil_tangent(p + y, p, 0.25, n, d + y, d, a_tan));
#elif defined(DIRECTIONS)
  const Data Many = data(16 * (Last + n));
  const Data Of = data(16);
  COMPARE("axpy", n, P, Many,
          form::axpy_tangent(1.5, p, p + y, n, Of.data(), d, d + 16 * y));
#elif !defined(SPLIT)
  COMPARE("axpy", n, P, D,
          form::axpy_adjoint(1.5, p, p + y, n, d + Last, d, d + y));
  COMPARE("square", n, P, D, form::square_adjoint(p + y, p, n, d + y, d));
  COMPARE("stencil", n, P, D,
          form::stencil_adjoint(p + y, p, 0.25, n, d + y, d, d + Last));
  COMPARE("blend", n, P, D,
          form::blend_adjoint(p + y, p, p, p + 1, n, d + y, d, d, d + 1));
#endif
}

static void single(int n) {
  const Data P = data(n), D = data(n);
#if defined(TANGENTS)
  COMPARE("normalize", n, P, D, form::normalize_tangent(p, n, d));
#elif defined(SPLIT)
  COMPARE("normalize", n, P, D, {
    form::normalize_tape tape;
    form::normalize_augmented(p, n, tape);
    form::normalize_reverse(p, n, d, tape);
  });
#elif !defined(DIRECTIONS)
  COMPARE("normalize", n, P, D, form::normalize_adjoint(p, n, d));
  // Apart, so that no test sends the two to their general form.
  const int N = n < 0 ? 0 : n;
  const Data P4 = data(4 * N), D4 = data(4 * N);
  COMPARE("blend", n, P4, D4,
          form::blend_adjoint(p, p + N, p + 2 * N, p + 3 * N, n, d, d + N,
                              d + 2 * N, d + 3 * N));
#endif
}

#if !defined(TANGENTS) && !defined(DIRECTIONS) && !defined(SPLIT)
/// C lies behind A and B, or in A's place.
static void tables(int n, int m, int k) {
  const int N = n < 0 ? 0 : n, M = m < 0 ? 0 : m, K = k < 0 ? 0 : k;
  const int b = N * K, c = b + K * M;
  const Data P = data(c + N * M), D = data(c + N * M);
  COMPARE("gemm", n, P, D,
          form::gemm_adjoint(p, p + b, p + c, n, m, k, d, d + b, d + c));
  if (n == m && m == k) {
    COMPARE("gemm(A, A)", n, P, D,
            form::gemm_adjoint(p, p, p + c, n, m, k, d, d, d + c));
    COMPARE("gemm(A, B, A)", n, P, D,
            form::gemm_adjoint(p, p + b, p, n, m, k, d, d + b, d));
  }
}
#endif

int main() {
  for (int n : {-3, 0, 1, 2, 3, 4, 5, 17, 100}) {
    single(n);
    for (int Shift : {0, 1, n < 0 ? 0 : n})
      pairs(n, Shift);
#if !defined(TANGENTS) && !defined(DIRECTIONS) && !defined(SPLIT)
    tables(n, n, n);
    tables(n, 7, 3);
    tables(5, n, 4);
    tables(4, 6, n);
#endif
  }
  return Failures != 0;
}
