// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Emitted text and its original on the same values: whole numbers, whose sums
// no order of additions rounds.
#include <cblas.h>
#include <cstddef>
#include <cstdio>
#include <vector>
namespace original {
#include ORIGINAL
}
namespace emitted {
#include EMITTED
}

static int Wrong = 0;

template <typename T>
static std::vector<T> values(size_t Count, unsigned Seed) {
  std::vector<T> V(Count);
  for (T &X : V) {
    Seed = Seed * 1103515245u + 12345u;
    X = T(int((Seed >> 16) % 7) - 3);
  }
  return V;
}

template <typename T, typename F>
static void check(const char *Name, int N, int M, size_t Count, F Run) {
  std::vector<T> A = values<T>(Count, 1), B = A;
  Run(true, A.data());
  Run(false, B.data());
  // What is added to its own factors becomes no number.
  bool Same = true;
  for (size_t I = 0; I < Count; ++I)
    Same &= A[I] == B[I] || (A[I] != A[I] && B[I] != B[I]);
  if (!Same) {
    std::printf("%s differs at %d, %d\n", Name, N, M);
    ++Wrong;
  }
}

#define BOTH(F, ...)                                                           \
  (Original ? original::F(__VA_ARGS__) : emitted::F(__VA_ARGS__))

int main() {
  const int Sizes[][2] = {{0, 3},   {3, 0},   {-1, 4},  {1, 1},   {2, 3},
                          {23, 50}, {24, 8},  {24, 40}, {25, 7},  {25, 41},
                          {64, 1},  {64, 64}, {90, 33}, {33, 90}, {100, 100}};
  const size_t Big = 130 * 130;
  const std::vector<double> X = values<double>(Big, 2),
                            Y = values<double>(Big, 3);
  const std::vector<float> P = values<float>(Big, 4),
                           Q = values<float>(Big, 5);
  for (auto &[N, M] : Sizes) {
    const int n = N, m = M;
    for (double Alpha : {2.0, 0.0, -1.0})
      check<double>("below", n, m, Big, [&](bool Original, double *C) {
        BOTH(below, C, X.data(), Alpha, 3, n, m);
      });
    check<float>("belowAnew", n, m, Big, [&](bool Original, float *C) {
      BOTH(belowAnew, C, P.data(), n, m);
    });
    check<double>("above", n, m, Big, [&](bool Original, double *C) {
      BOTH(above, C, X.data(), n, m);
    });
    // Rows apart, end to end, and rows that share elements.
    for (int More : {5, 0, -1})
      for (int Then : {2, 0, -1})
        if (n + More > 0 && n + Then > 0)
          check<float>("aboveTurned", n, m, Big, [&](bool Original, float *C) {
            BOTH(aboveTurned, C, P.data(), n, m, n + More, n + Then);
          });
    check<double>("byColumns", n, m, Big, [&](bool Original, double *C) {
      BOTH(byColumns, C, X.data(), n, m);
    });
    for (int From : {0, 1, 5, 40})
      check<double>("corner", n, m, Big, [&](bool Original, double *C) {
        BOTH(corner, C, X.data(), From, n, m);
      });
    if (n >= 0 && m >= 0)
      check<double>("wideSizes", n, m, Big, [&](bool Original, double *C) {
        BOTH(wideSizes, C, X.data(), n, m);
      });
    check<double>("covariance", m, n, Big, [&](bool Original, double *C) {
      BOTH(covariance, C, X.data(), 1, m, n);
    });
    for (double Alpha : {2.0, 0.0})
      check<double>("eachOther", n, m, Big, [&](bool Original, double *C) {
        BOTH(eachOther, C, X.data(), Y.data(), Alpha, 3, n, m);
      });
    check<float>("eachOtherAnew", n, m, Big, [&](bool Original, float *C) {
      BOTH(eachOtherAnew, C, P.data(), Q.data(), n, m);
    });
    check<double>("bothWithThemselves", n, m, Big,
                  [&](bool Original, double *C) {
                    BOTH(bothWithThemselves, C, X.data(), Y.data(), n, m);
                  });
    check<double>("wholeSquare", n, m, Big, [&](bool Original, double *C) {
      BOTH(wholeSquare, C, X.data(), Y.data(), 2, n, m);
    });
    check<double>("rowsOfBoth", n, m, Big, [&](bool Original, double *C) {
      BOTH(rowsOfBoth, C, X.data(), Y.data(), Y.data() + 7, n, m);
    });
    check<double>("otherFactors", n, m, Big, [&](bool Original, double *C) {
      BOTH(otherFactors, C, X.data(), Y.data(), 2, 3, n, m);
    });
    check<double>("twoOuter", n, m, Big, [&](bool Original, double *C) {
      BOTH(twoOuter, C, X.data(), Y.data(), n);
    });
    check<double>("withoutDiagonal", n, m, Big, [&](bool Original, double *C) {
      BOTH(withoutDiagonal, C, X.data(), n, m);
    });
    check<double>("cutOff", n, m, Big, [&](bool Original, double *C) {
      BOTH(cutOff, C, X.data(), n, m, 3);
    });
    check<double>("twoTables", n, m, Big, [&](bool Original, double *C) {
      BOTH(twoTables, C, X.data(), Y.data(), n, m);
    });
    check<double>("nextRow", n, m, Big, [&](bool Original, double *C) {
      BOTH(nextRow, C, X.data(), n, m);
    });
    check<double>("shorterSums", n, m, Big, [&](bool Original, double *C) {
      BOTH(shorterSums, C, X.data(), n);
    });
    // The result lies among the factors, and next to them: the tests decide.
    for (int At : {0, 7, 5000, -1})
      check<double>("aliased", n, m, 3 * Big, [&](bool Original, double *C) {
        BOTH(above, C + Big, C + Big + (At < 0 ? n * n : At), n, m);
      });
  }
  for (int n : {1, 10, 30})
    check<double>("batch", n, 20, Big, [&](bool Original, double *C) {
      BOTH(batch, C, X.data(), 9, n, 20);
    });
  check<double>("fixedSize", 64, 48, 64 * 64, [&](bool Original, double *C) {
    BOTH(fixedSize, reinterpret_cast<double(*)[64]>(C),
         reinterpret_cast<const double(*)[48]>(X.data()));
  });
  return Wrong != 0;
}
