// Products of matrices by tiles, from copies of what they load: bit by bit the
// same as the loops, at sizes around those of a tile, a strip and a block.
//
// RUN: rm -rf %t && mkdir %t
// RUN: printf 'machine:\n  parallel-work: 1\n' > %t/config
// RUN: %clang_raise rewrite --config=%t/config --fp=strict %s -o %t/out.cpp -- -std=c++17 -fopenmp -I%t
// RUN: sed "/CHECK/d" %t/out.cpp | FileCheck %s
// RUN: %clangxx -std=c++17 -O3 -ffp-contract=off -fopenmp -Wall -Wextra -Werror -Wno-unknown-pragmas -DORIGINAL -c %s -o %t/original.o
// RUN: %clangxx -std=c++17 -O3 -ffp-contract=off -fopenmp -Wall -Wextra -Werror -DMAIN %t/out.cpp %t/original.o -o %t/run
// RUN: env OMP_NUM_THREADS=1 %t/run
// RUN: env OMP_NUM_THREADS=3 %t/run
// RUN: %gxx -std=c++17 -O2 -ffp-contract=off -fopenmp -Wall -Wextra -Werror -Wno-unknown-pragmas -DORIGINAL -c %s -o %t/original.o
// RUN: %gxx -std=c++17 -O2 -ffp-contract=off -fopenmp -Wall -Wextra -Werror -DMAIN %t/out.cpp %t/original.o -o %t/run
// RUN: env OMP_NUM_THREADS=2 %t/run
// RUN: %clangxx -std=c++17 -O1 -g -ffp-contract=off -fopenmp -fsanitize=address,undefined -fno-sanitize-recover=all -DORIGINAL -c %s -o %t/original.o
// RUN: %clangxx -std=c++17 -O1 -g -ffp-contract=off -fopenmp -fsanitize=address,undefined -fno-sanitize-recover=all -Wno-pass-failed -DMAIN %t/out.cpp %t/original.o -o %t/run
// RUN: env OMP_NUM_THREADS=2 ASAN_OPTIONS=detect_leaks=0 %t/run
// RUN: %clang_raise rewrite --verify --require-verified --config=%t/config %s -o %t/verified.cpp -- -std=c++17 -fopenmp

#include <cstddef>

#ifdef ORIGINAL
#define NAME(F) F##_original
#else
#define NAME(F) F
#endif

// CHECK-LABEL: void NAME(product)(
// CHECK: const int i_rest = m < 16 || l < 16 || n < 8 ? 0 : n / 2 * 2;
// CHECK-NEXT: // Tiles of 2 x 16 sums, which stay in registers.
// CHECK-NEXT: #pragma omp parallel for collapse(2)
// CHECK-NEXT: for (long long i_block = 0; i_block < i_rest; i_block += 64)
// CHECK-NEXT: for (long long j_strip = 0; j_strip < m; j_strip += 16) {
// CHECK: sum_tile[i][j] = sum[i_tile - i_block + i][j];
// CHECK: double *b_packed = b_strip;
// CHECK-NEXT: for (int k = k_block; k < k_end; ++k) {
// CHECK-NEXT: #pragma omp simd
// CHECK-NEXT: for (int j = 0; j < 16; ++j) {
// CHECK-NEXT: const double b_strip_kj = b_packed[(k - k_block) * 16 + j];
// CHECK-NEXT: for (int i = 0; i < 2; ++i)
// CHECK-NEXT: sum_tile[i][j] += a[(i_tile + i) * l + k] * b_strip_kj;
// CHECK: for (int i = i_rest; i < n; ++i)
void NAME(product)(double *c, const double *a, const double *b, double alpha,
                   double beta, int n, int m, int l) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      double sum = 0;
      for (int k = 0; k < l; k++)
        sum += a[i * l + k] * b[k * m + j];
      c[i * m + j] = alpha * sum + beta * c[i * m + j];
    }
}

// The sum is an element, and k goes around j.
// CHECK-LABEL: void NAME(update)(
// CHECK: c_tile[i][j] -=
// CHECK-NEXT: alpha * a[(i_tile + i) * l + k] * b_strip_kj;
void NAME(update)(double *c, const double *a, const double *b, double alpha,
                  int n, int m, int l) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < m; j++)
      c[i * m + j] *= 0.75;
    for (int k = 0; k < l; k++)
      for (int j = 0; j < m; j++)
        c[i * m + j] -= alpha * a[i * l + k] * b[k * m + j];
  }
}

// Rows by rows, as a layer of a network has it; strips of 32 floats.
// CHECK-LABEL: void NAME(layer)(
// CHECK: w_strip[(k - k_block) * 32 + (j - j_strip)] =
// CHECK: for (int j = 0; j < 32; ++j)
void NAME(layer)(float *y, const float *x, const float *w, const float *bias,
                 int n, int m, int l) {
  for (int i = 0; i < n; i++) {
    const float *row = x + i * l;
    for (int j = 0; j < m; j++) {
      float sum = bias ? bias[j] : 0.0f;
      for (int k = 0; k < l; k++)
        sum += row[k] * w[j * l + k];
      y[i * m + j] = sum;
    }
  }
}

// Several products, of integers.
// CHECK-LABEL: void NAME(batches)(
// CHECK: for (int t = 0;
// CHECK: i_block
void NAME(batches)(int *c, const int *a, const int *b, int batches, int n,
                   int m, int l) {
  for (int t = 0; t < batches; t++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++) {
        int sum = 1;
        for (int k = 0; k < l; k++)
          sum += a[(t * n + i) * l + k] * b[k * m + j];
        c[(t * n + i) * m + j] = sum;
      }
}

// Counted without a sign.
// CHECK-LABEL: void NAME(sizes)(
// CHECK: i_block
void NAME(sizes)(double *c, const double *a, const double *b, size_t n,
                 size_t m, size_t l) {
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < m; j++) {
      double sum = 0;
      for (size_t k = 0; k < l; k++)
        sum += a[i * l + k] * b[k * m + j];
      c[i * m + j] = sum;
    }
}

// More than a product.
// CHECK-LABEL: void NAME(distances)(
// CHECK: i_block
void NAME(distances)(double *c, const double *a, const double *b, int n, int m,
                     int l) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      double sum = 0;
      for (int k = 0; k < l; k++)
        sum += (a[i * l + k] - b[k * m + j]) * (a[i * l + k] - b[k * m + j]);
      c[i * m + j] = sum;
    }
}

// Sizes that are known.
// CHECK-LABEL: void NAME(square)(
// CHECK: const int i_rest = n < 8 ? 0 : n / 2 * 2;
void NAME(square)(double (*c)[40], const double (*a)[300],
                  const double (*b)[40], int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 40; j++) {
      c[i][j] = 0;
      for (int k = 0; k < 300; k++)
        c[i][j] += a[i][k] * b[k][j];
    }
}

// Too few, for ever; an index that is loaded; a range that hangs on i; and
// what is loaded is what is made: none by tiles.
// CHECK-LABEL: void NAME(others)(
// CHECK-NOT: i_tile
// CHECK-LABEL: #ifdef MAIN
void NAME(others)(double *c, const double *a, const double *b, const int *at,
                  int n, int m, int l) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      double sum = 0;
      for (int k = 0; k < 4; k++)
        sum += a[i * 4 + k] * b[k * m + j];
      c[i * m + j] = sum;
    }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      for (int k = 0; k < l; k++)
        c[i * m + j] += a[i * l + k] * b[at[k] * m + j];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      for (int k = 0; k < i; k++)
        c[i * m + j] += a[i * l + k % l] * b[k % l * m + j];
  for (int i = 0; i < n; i++)
    for (int k = 0; k < m; k++)
      for (int j = 0; j < m; j++)
        c[i * m + j] += c[i * m + k] * b[k % l * m + j];
}

#ifdef MAIN
#include <cstdio>
#include <cstring>
#include <vector>

void product_original(double *, const double *, const double *, double, double,
                      int, int, int);
void update_original(double *, const double *, const double *, double, int, int,
                     int);
void layer_original(float *, const float *, const float *, const float *, int,
                    int, int);
void batches_original(int *, const int *, const int *, int, int, int, int);
void sizes_original(double *, const double *, const double *, size_t, size_t,
                    size_t);
void distances_original(double *, const double *, const double *, int, int,
                        int);
void square_original(double (*)[40], const double (*)[300],
                     const double (*)[40], int);
void others_original(double *, const double *, const double *, const int *, int,
                     int, int);

template <typename T> static std::vector<T> filled(size_t N) {
  std::vector<T> V(N + 1);
  for (size_t I = 0; I < V.size(); ++I)
    V[I] = T(double((I + N) * 2654435761u % 1000) / 64 - 7);
  return V;
}

static int Failures = 0;

template <typename T, typename F, typename G>
static void compare(const char *What, size_t Size, int n, int m, int l, F &&New,
                    G &&Old) {
  std::vector<T> X = filled<T>(Size), Y = X;
  New(X.data());
  Old(Y.data());
  if (Size && std::memcmp(X.data(), Y.data(), Size * sizeof(T))) {
    std::printf("%s differs: n %d, m %d, l %d\n", What, n, m, l);
    ++Failures;
  }
}

static void check(int n, int m, int l) {
  const auto Size = [](int X, int Y) {
    return size_t(X > 0 ? X : 0) * size_t(Y > 0 ? Y : 0);
  };
  const auto A = filled<double>(Size(n, l)), B = filled<double>(Size(l, m));
  compare<double>(
      "product", Size(n, m), n, m, l,
      [&](auto *C) { product(C, A.data(), B.data(), 1.5, 0.3, n, m, l); },
      [&](auto *C) {
        product_original(C, A.data(), B.data(), 1.5, 0.3, n, m, l);
      });
  compare<double>(
      "update", Size(n, m), n, m, l,
      [&](auto *C) { update(C, A.data(), B.data(), 0.7, n, m, l); },
      [&](auto *C) { update_original(C, A.data(), B.data(), 0.7, n, m, l); });
  compare<double>(
      "distances", Size(n, m), n, m, l,
      [&](auto *C) { distances(C, A.data(), B.data(), n, m, l); },
      [&](auto *C) { distances_original(C, A.data(), B.data(), n, m, l); });
  const auto X = filled<float>(Size(n, l)), W = filled<float>(Size(m, l)),
             V = filled<float>(Size(m, 1));
  // A row that begins before x is no pointer.
  for (const float *Bias : {V.data(), (const float *)nullptr})
    if (l >= 0)
      compare<float>(
        "layer", Size(n, m), n, m, l,
        [&](auto *Y) { layer(Y, X.data(), W.data(), Bias, n, m, l); },
        [&](auto *Y) { layer_original(Y, X.data(), W.data(), Bias, n, m, l); });
  // Where the arguments overlap the original runs.
  compare<double>(
      "overlap", Size(n, m) + Size(l, m), n, m, l,
      [&](auto *C) { product(C, A.data(), C, 1.5, 0.3, n, m, l); },
      [&](auto *C) { product_original(C, A.data(), C, 1.5, 0.3, n, m, l); });
  if (n < 0 || m < 0 || l < 0)
    return;
  compare<double>(
      "sizes", Size(n, m), n, m, l,
      [&](auto *C) { sizes(C, A.data(), B.data(), n, m, l); },
      [&](auto *C) { sizes_original(C, A.data(), B.data(), n, m, l); });
  const auto P = filled<int>(3 * Size(n, l)), Q = filled<int>(Size(l, m));
  compare<int>(
      "batches", 3 * Size(n, m), n, m, l,
      [&](int *C) { batches(C, P.data(), Q.data(), 3, n, m, l); },
      [&](int *C) { batches_original(C, P.data(), Q.data(), 3, n, m, l); });
}

int main() {
  for (int m : {-1, 0, 1, 2, 15, 16, 17, 31, 33, 63, 64, 65})
    for (int n : {-3, 0, 1, 2, 3, 4, 5, 16, 17, 63, 64, 65, 131})
      for (int l : {-2, 0, 1, 15, 16, 17})
        check(n, m, l);
  for (int l : {127, 128, 129, 300})
    for (int n : {1, 3, 65})
      check(n, 35, l);
  const auto B = filled<double>(300 * 40);
  for (int n : {-1, 0, 1, 2, 3, 5, 64, 67}) {
    const size_t Rows = n > 0 ? n : 0;
    const auto A = filled<double>(Rows * 300);
    using Wide = const double(*)[300];
    using Narrow = const double(*)[40];
    using To = double(*)[40];
    compare<double>(
        "square", Rows * 40, n, 40, 300,
        [&](double *C) { square((To)C, (Wide)A.data(), (Narrow)B.data(), n); },
        [&](double *C) {
          square_original((To)C, (Wide)A.data(), (Narrow)B.data(), n);
        });
  }
  for (int n : {0, 1, 2, 3, 20})
    for (int m : {1, 2, 16, 33}) {
      const int l = 20;
      std::vector<int> At(l);
      for (int k = 0; k < l; ++k)
        At[k] = k * 7 % l;
      const auto A = filled<double>(size_t(n) * l + 100),
                 D = filled<double>(size_t(l) * m);
      compare<double>(
          "others", size_t(n) * m, n, m, l,
          [&](auto *C) { others(C, A.data(), D.data(), At.data(), n, m, l); },
          [&](auto *C) {
            others_original(C, A.data(), D.data(), At.data(), n, m, l);
          });
    }
  if (Failures)
    std::printf("%d differ\n", Failures);
  return Failures != 0;
}
#endif
