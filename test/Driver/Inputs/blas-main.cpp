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
static void check(const char *Name, size_t Count, F Run) {
  std::vector<T> A = values<T>(Count, 1), B = A;
  Run(true, A.data());
  Run(false, B.data());
  if (A != B) {
    std::printf("%s differs\n", Name);
    ++Wrong;
  }
}

#define BOTH(F, ...)                                                           \
  (Original ? original::F(__VA_ARGS__) : emitted::F(__VA_ARGS__))

int main() {
  const int Sizes[][3] = {{0, 3, 4},   {3, 0, 4},    {3, 4, 0},   {-1, 4, 5},
                          {2, 3, 4},   {17, 19, 23}, {64, 1, 64}, {1, 64, 64},
                          {64, 64, 1}, {40, 50, 60}};
  for (auto &[N, M, L] : Sizes) {
    const int Big = 70 * 70;
    const std::vector<double> X = values<double>(Big, 2),
                              Y = values<double>(Big, 3);
    const std::vector<float> P = values<float>(Big, 4),
                             Q = values<float>(Big, 5);
    const int n = N, m = M, l = L;
    check<double>("multiply", Big, [&](bool Original, double *C) {
      BOTH(multiply, C, X.data(), Y.data(), n, m, l);
    });
    // Rows apart, end to end, and rows that share elements.
    for (int More : {3, 0, -1})
      check<float>("gemm", 2 * Big, [&](bool Original, float *C) {
        BOTH(gemm, C, P.data(), Q.data(), 2, -1, n, m, l,
             l + More > 0 ? l + More : 1, m + 2);
      });
    check<double>("both", Big, [&](bool Original, double *C) {
      BOTH(both, C, X.data(), Y.data(), 2, 3, n, m, l);
    });
    check<double>("turnedLeft", Big, [&](bool Original, double *C) {
      BOTH(turnedLeft, C, X.data(), Y.data(), n, m, l);
    });
    check<float>("layer", Big, [&](bool Original, float *C) {
      BOTH(layer, C, P.data(), Q.data(), P.data(), n, m, l);
    });
    check<double>("rows", Big, [&](bool Original, double *C) {
      BOTH(rows, C, X.data(), Y.data(), n, m);
    });
    check<double>("rowsAnew", Big, [&](bool Original, double *C) {
      BOTH(rowsAnew, C, X.data(), Y.data(), n, m);
    });
    for (int Step : {1, 2, 0, -1})
      check<float>("columns", Big, [&](bool Original, float *C) {
        BOTH(columns, C, P.data(), Q.data() + 100, n, m, Step);
      });
    check<double>("outer", Big, [&](bool Original, double *C) {
      BOTH(outer, C, X.data(), Y.data(), 2, n, m);
    });
    check<double>("dot", 1, [&](bool Original, double *C) {
      *C = BOTH(dot, X.data(), Y.data(), n * 20);
    });
    check<double>("square", Big, [&](bool Original, double *C) {
      BOTH(square, C, n < 6 ? n : 6);
    });
    if (n >= 0)
      check<double>("wide", Big, [&](bool Original, double *C) {
        BOTH(wide, C, X.data(), Y.data(), n, m, l);
      });
    // The result is one of the factors: the tests say no.
    check<double>("aliased", 2 * Big, [&](bool Original, double *C) {
      BOTH(multiply, C, C + 5, Y.data(), n, m, l);
    });
  }
  for (int n : {0, 1, 5, 15}) {
    const std::vector<double> X = values<double>(4000, 2),
                              Y = values<double>(4000, 3);
    check<double>("batched", 4000, [&](bool Original, double *C) {
      BOTH(batched, C, X.data(), Y.data(), 16, n);
    });
  }
  const std::vector<double> X = values<double>(64 * 32, 6),
                            Y = values<double>(32 * 48, 7);
  check<double>("fixed", 64 * 48, [&](bool Original, double *C) {
    BOTH(fixed, reinterpret_cast<double(*)[48]>(C),
         reinterpret_cast<const double(*)[32]>(X.data()),
         reinterpret_cast<const double(*)[48]>(Y.data()));
  });
  return Wrong != 0;
}
