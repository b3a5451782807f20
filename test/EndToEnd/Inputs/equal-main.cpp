// Compares namespace original with namespace raised, bit by bit.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <limits>
#include <random>
#include <vector>

#define FORMS(NAME)                                                            \
  namespace NAME {                                                             \
  void shift(float *, const float *, int);                                     \
  unsigned wraps(const unsigned *, int);                                       \
  uint8_t narrow(const uint8_t *, int);                                        \
  void unsignedIndex(int *, unsigned);                                         \
  float largest(const float *, float, int);                                    \
  float smallestSelect(const float *, float, int);                             \
  float nanKeeping(const float *, float, int);                                 \
  int lastValue(int *, int);                                                   \
  void conditional(int *, const int *, int);                                   \
  void guarded(int *, const int *, int);                                       \
  void ranges(int *, int);                                                     \
  void rows(int *, const int *, int, int);                                     \
  }
FORMS(original)
FORMS(raised)

static int Failures = 0;
static void check(const char *What, const void *A, const void *B, size_t Bytes,
                  int N) {
  if (std::memcmp(A, B, Bytes) == 0)
    return;
  std::printf("%s differs for n = %d\n", What, N);
  ++Failures;
}

static std::mt19937 Random(7);
template <class T> static std::vector<T> values(size_t N, int Lo, int Hi) {
  std::vector<T> V(N + 4);
  for (T &X : V)
    X = static_cast<T>(Lo + int(Random() % unsigned(Hi - Lo + 1)));
  return V;
}

// Runs both forms of something that changes a vector.
template <class T, class F>
static void both(const char *What, std::vector<T> V, int N, F Run) {
  std::vector<T> A = V, B = V;
  Run(A, true);
  Run(B, false);
  check(What, A.data(), B.data(), A.size() * sizeof(T), N);
}

static void atSize(int N) {
  size_t Size = N > 0 ? N : 0;
  for (int Offset = -2; Offset <= 2; ++Offset) // x and y overlap, or coincide
    both("shift", values<float>(2 * Size + 8, -50, 50), N,
         [&](std::vector<float> &V, bool Old) {
           (Old ? original::shift : raised::shift)(V.data() + 3, V.data() + 3 + Offset, N);
         });
  both("shift, apart", values<float>(2 * Size + 8, -50, 50), N,
       [&](std::vector<float> &V, bool Old) {
         (Old ? original::shift : raised::shift)(V.data(), V.data() + Size, N);
       });
  auto U = values<unsigned>(Size, 0, 2000000000);
  unsigned WA = original::wraps(U.data(), N), WB = raised::wraps(U.data(), N);
  check("wraps", &WA, &WB, sizeof WA, N);
  auto Bytes = values<uint8_t>(Size, 0, 255);
  uint8_t NA = original::narrow(Bytes.data(), N), NB = raised::narrow(Bytes.data(), N);
  check("narrow", &NA, &NB, 1, N);
  both("unsignedIndex", values<int>(Size, -9, 9), N, [&](std::vector<int> &V, bool Old) {
    (Old ? original::unsignedIndex : raised::unsignedIndex)(V.data(), Size);
  });
  both("lastValue", values<int>(Size + 1, -9, 9), N, [&](std::vector<int> &V, bool Old) {
    V.back() = (Old ? original::lastValue : raised::lastValue)(V.data(), N);
  });
  auto C = values<int>(Size, 0, 2);
  both("conditional", values<int>(Size, -9, 9), N, [&](std::vector<int> &V, bool Old) {
    (Old ? original::conditional : raised::conditional)(V.data(), C.data(), N);
  });
  both("guarded", values<int>(Size, -9, 9), N, [&](std::vector<int> &V, bool Old) {
    (Old ? original::guarded : raised::guarded)(V.data(), C.data(), N);
  });
  both("ranges", values<int>(Size, -9, 9), N, [&](std::vector<int> &V, bool Old) {
    (Old ? original::ranges : raised::ranges)(V.data(), N);
  });
  if (N >= 0 && N < 2000)
    both("rows", values<int>(Size * 6, -9, 9), N, [&](std::vector<int> &V, bool Old) {
      (Old ? original::rows : raised::rows)(V.data() + 5 * Size, V.data(), N, 5);
    });
}

static void extrema(int N) {
  const float NaN = std::numeric_limits<float>::quiet_NaN(), Inf = INFINITY;
  for (float Special : {NaN, Inf, -Inf, 0.0f, -0.0f})
    for (int Place : {0, N / 2, N - 1})
      for (float Initial : {NaN, -Inf, Inf, 0.0f, -0.0f, 3.0f}) {
        auto X = values<float>(N, -3, 0);
        if (N > 0)
          X[Place] = Special;
        using Form = float(const float *, float, int);
        Form *Forms[][2] = {{original::largest, raised::largest},
                            {original::smallestSelect, raised::smallestSelect},
                            {original::nanKeeping, raised::nanKeeping}};
        for (auto &F : Forms) {
          float A = F[0](X.data(), Initial, N), B = F[1](X.data(), Initial, N);
          check("an extremum", &A, &B, sizeof A, N);
        }
      }
}

int main() {
  for (int N : {-3, 0, 1, 2, 3, 33, 1000, 300000})
    atSize(N);
  for (int N : {0, 1, 2, 7, 300000})
    extrema(N);
  return Failures != 0;
}
