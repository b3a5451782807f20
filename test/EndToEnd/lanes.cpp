// The largest and smallest of floats by lanes: the same bits as the loop leaves,
// with NaNs, infinities and zeros of both signs anywhere, at every length
// around those at which the text changes.
//
// RUN: rm -rf %t && mkdir %t
// RUN: %clang_raise rewrite --fp=strict %s -o %t/out.cpp -- -std=c++17 -fopenmp
// RUN: sed "/CHECK/d" %t/out.cpp | FileCheck %s
// RUN: %clangxx -std=c++17 -O2 -fopenmp -Wall -Wextra -Werror -Wno-unknown-pragmas -DORIGINAL -c %s -o %t/original.o
// RUN: %clangxx -std=c++17 -O0 -fopenmp -Wall -Wextra -Werror -DMAIN %t/out.cpp %t/original.o -o %t/run
// RUN: env OMP_NUM_THREADS=1 %t/run
// RUN: %clangxx -std=c++17 -O3 %native -fopenmp -Wall -Wextra -Werror -DMAIN %t/out.cpp %t/original.o -o %t/run
// RUN: env OMP_NUM_THREADS=2 %t/run
// RUN: %gxx -std=c++17 -O3 -fopenmp -Wall -Wextra -Werror -DMAIN %t/out.cpp %t/original.o -o %t/run
// RUN: env OMP_NUM_THREADS=2 %t/run
// RUN: %clang_raise rewrite --verify --require-verified %s -o %t/verified.cpp -- -std=c++17 -fopenmp

#include <cmath>

#ifdef ORIGINAL
#define NAME(F) F##_original
#else
#define NAME(F) F
#endif

// CHECK-LABEL: // clang-raise: largest
// CHECK: // Each lane compares as the loop does, and of zeros the first stays.
// CHECK: if (n >= 1025) {
// CHECK: float m_lane[32];
// CHECK: for (int i_strip = 1; i_strip < i_rest; i_strip += 32) {
// CHECK-NEXT: #pragma omp simd
// CHECK-NEXT: for (int lane = 0; lane < 32; ++lane) {
// CHECK-NEXT: const float m_i = a[i_strip + lane];
// CHECK: if (m == 0.0f && m_before != 0.0f) {
float NAME(largest)(const float *a, int n) {
  float m = a[0];
  for (int i = 1; i < n; ++i)
    if (a[i] > m)
      m = a[i];
  return m;
}

// A value that is never a negative zero needs no look at zeros.
// CHECK-LABEL: // clang-raise: magnitude
// CHECK: double m_lane[16];
// CHECK-NOT: m_before
// CHECK: // clang-raise: end
double NAME(magnitude)(const double *a, int lo, int hi) {
  double m = 0;
  for (int i = lo; i < hi; ++i)
    if (std::fabs(a[i]) > m)
      m = std::fabs(a[i]);
  return m;
}

// CHECK-LABEL: // clang-raise: where
// CHECK: any |= a[i_strip + lane] == m;
// CHECK: break;
long NAME(where)(const double *a, long n, double *value) {
  double m = a[0];
  long at = 0;
  for (long i = 1; i < n; ++i)
    if (a[i] < m) {
      m = a[i];
      at = i;
    }
  *value = m;
  return at;
}

// Inside of a loop over rows the length is tested for each.
// CHECK-LABEL: // clang-raise: rows
// CHECK: #pragma omp parallel for
// CHECK: const int i_rest = n >= 1024 ? n - n % 32 : 0;
// CHECK: const float most_i = a[j * n + i_strip + lane];
void NAME(rows)(float *__restrict out, const float *a, int m, int n) {
  for (int j = 0; j < m; ++j) {
    float most = -10000;
    for (int i = 0; i < n; ++i)
      if (a[j * n + i] > most)
        most = a[j * n + i];
    out[j] = most;
  }
}

// With where it is, too: the first place of the largest, once it is known.
// CHECK-LABEL: // clang-raise: places
// CHECK: #pragma omp parallel for
// CHECK: most_lane[lane] = most_i > best ? most_i : best;
// CHECK: if (most > most_before) {
// CHECK-NEXT: for (int i = 0; i < i_rest; ++i)
// CHECK-NEXT: if (a[j * n + i] == most) {
// CHECK-NEXT: most = a[j * n + i];
// CHECK-NEXT: at = i;
// CHECK-NEXT: with = b[i];
// CHECK-NEXT: break;
// CHECK: for (int i = i_rest; i < n; ++i)
// CHECK-NEXT: if (a[j * n + i] > most) {
void NAME(places)(float *__restrict out, int *__restrict where,
                  double *__restrict beside, const float *a, const double *b,
                  float start, int m, int n) {
  for (int j = 0; j < m; ++j) {
    float most = start;
    int at = -1;
    double with = 0;
    for (int i = 0; i < n; ++i)
      if (a[j * n + i] > most) {
        most = a[j * n + i];
        at = i;
        with = b[i];
      }
    out[j] = most;
    where[j] = at;
    beside[j] = with;
  }
}

// Left: an update of something else as well; what an iteration declares.
// CHECK-LABEL: // clang-raise: twice
// CHECK-NOT: lane
// CHECK: // clang-raise: end
void NAME(twice)(float *__restrict out, int *__restrict where, const float *a,
                 int m, int n) {
  for (int j = 0; j < m; ++j) {
    float most = -1;
    int at = -1;
    for (int i = 0; i < n; ++i)
      if (a[j * n + i] > most) {
        most = a[j * n + i];
        at = i;
        most = 3;
      }
    out[j] = most;
    where[j] = at;
  }
}
// CHECK-LABEL: // clang-raise: own
// CHECK-NOT: lane
// CHECK: // clang-raise: end
void NAME(own)(int *__restrict where, const float *a, float limit, int m,
               int n) {
  for (int j = 0; j < m; ++j) {
    int at = -1;
    for (int i = 0; i < n; ++i) {
      float value = a[j * n + i];
      if (value > limit) {
        value = limit;
        at = i;
      }
    }
    where[j] = at;
  }
}

// What may round in two ways may not be found again.
// CHECK-LABEL: // clang-raise: rounded
// CHECK-NOT: lane
// CHECK: // clang-raise: end
void NAME(rounded)(int *__restrict where, const double *a, const double *b,
                   int m, int n) {
  for (int j = 0; j < m; ++j) {
    double most = 0;
    int at = -1;
    for (int i = 0; i < n; ++i)
      if (most < a[j * n + i] * b[i] + 0.1) {
        most = a[j * n + i] * b[i] + 0.1;
        at = i;
      }
    where[j] = at;
  }
}

// A NaN that the loop would take is no maximum of its kind.
// CHECK-NOT: clang-raise: takesNaN
float NAME(takesNaN)(const float *a, int n) {
  float m = a[0];
  for (int i = 1; i < n; ++i)
    m = m > a[i] ? m : a[i];
  return m;
}

#ifdef MAIN
#include <cstdio>
#include <cstring>
#include <random>
#include <vector>

float largest_original(const float *, int);
double magnitude_original(const double *, int, int);
long where_original(const double *, long, double *);
void rows_original(float *__restrict, const float *, int, int);
void places_original(float *__restrict, int *__restrict, double *__restrict,
                     const float *, const double *, float, int, int);

template <typename T> static bool same(T A, T B) {
  return !std::memcmp(&A, &B, sizeof A);
}

template <typename T> static std::vector<T> make(unsigned N, unsigned Kind) {
  static std::mt19937 Random(5);
  std::vector<T> V(N);
  for (T &X : V)
    switch (Kind == 4 ? Random() % 4 : Kind) {
    case 0: // any
      X = T(Random() % 2000) - 1000;
      break;
    case 1: // zeros of both signs are the most
      X = Random() % 8 ? -T(1 + Random() % 9) : Random() % 2 ? T(0) : -T(0);
      break;
    case 2: // and the least
      X = Random() % 8 ? T(1 + Random() % 9) : Random() % 2 ? T(0) : -T(0);
      break;
    default:
      X = Random() % 3 ? T(Random() % 7) : Random() % 2 ? T(NAN) : -T(INFINITY);
    }
  return V;
}

int main() {
  unsigned Wrong = 0, Seen = 0;
  const auto Check = [&](bool Same, const char *What, unsigned N, unsigned K) {
    ++Seen;
    if (!Same && ++Wrong < 5)
      std::printf("%s differs: n = %u, kind %u\n", What, N, K);
  };
  for (unsigned N : {1u, 2u, 31u, 511u, 512u, 513u, 527u, 1023u, 1024u, 1025u,
                     1026u, 1056u, 1057u, 4000u, 60001u})
    for (unsigned Kind = 0; Kind < 5; ++Kind)
      for (unsigned Start = 0; Start < 3; ++Start) {
        std::vector<float> F = make<float>(N, Kind);
        std::vector<double> D = make<double>(N, Kind);
        if (Start) // a zero, or NaN, is there before all else
          D[0] = F[0] = Start == 1 ? -0.0f : NAN;
        Check(same(largest(F.data(), N), largest_original(F.data(), N)),
              "largest", N, Kind);
        Check(same(magnitude(D.data(), Start, N),
                   magnitude_original(D.data(), Start, N)),
              "magnitude", N, Kind);
        double M = 0, MO = 0;
        const long At = where(D.data(), N, &M),
                   AtO = where_original(D.data(), N, &MO);
        Check(At == AtO && same(M, MO), "where", N, Kind);
        const int Rows = N > 10000 ? 1 : 60;
        std::vector<float> Table = make<float>(Rows * N, Kind);
        std::vector<float> Out(Rows, 7), OutO(Rows, 7);
        rows(Out.data(), Table.data(), Rows, N);
        rows_original(OutO.data(), Table.data(), Rows, N);
        Check(!std::memcmp(Out.data(), OutO.data(), Rows * sizeof(float)),
              "rows", N, Kind);
        std::vector<int> Where(Rows, 5), WhereO(Rows, 5);
        std::vector<double> Beside(Rows, 5), BesideO(Rows, 5);
        const float Least = Start == 2 ? NAN : Start ? -0.0f : -10000.0f;
        places(Out.data(), Where.data(), Beside.data(), Table.data(), D.data(),
               Least, Rows, N);
        places_original(OutO.data(), WhereO.data(), BesideO.data(),
                        Table.data(), D.data(), Least, Rows, N);
        Check(!std::memcmp(Out.data(), OutO.data(), Rows * sizeof(float)) &&
                  Where == WhereO &&
                  !std::memcmp(Beside.data(), BesideO.data(),
                               Rows * sizeof(double)),
              "places", N, Kind);
      }
  std::printf("%u of %u differ\n", Wrong, Seen);
  return Wrong != 0;
}
#endif
