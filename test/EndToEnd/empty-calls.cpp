// What the source's loops test first stands before the tests of ranges and
// sizes: an empty call does nothing more than it did, and where counters are
// compared in other ways than numbers, or used later, no such test is made.
//
// RUN: rm -rf %t && mkdir %t
// RUN: %clang_raise rewrite --quiet %s -o %t/out.cpp -- -std=c++17 -fopenmp
// RUN: sed "/CHECK/d" %t/out.cpp | FileCheck %s
// RUN: %clang -x c++ -std=c++17 -O2 -Wall -Wextra -Werror -Wno-unknown-pragmas -DORIGINAL -c %s -o %t/original.o
// RUN: %clangxx -std=c++17 -O1 -g -fopenmp -fsanitize=address,undefined -fno-sanitize-recover=all -Wall -Wextra -Werror -Wno-pass-failed -DMAIN %t/out.cpp %t/original.o -o %t/run
// RUN: %t/run
// RUN: %gxx -std=c++17 -O3 %native -fopenmp -Wall -Wextra -Werror -DMAIN %t/out.cpp %t/original.o -o %t/run
// RUN: %t/run

#include <cstddef>
#ifdef ORIGINAL
#define NAME(F) F##_original
#else
#define NAME(F) F
#endif

// CHECK-LABEL: // clang-raise: nest
// CHECK: if (n > 0 && m > 0) {
// CHECK-NEXT: if ((n | m) >= 128 && (double)n * m > 50000 &&
void NAME(nest)(float *y, const float *x, int n, int m) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      y[i * m + j] = x[i * m + j] * 2;
}

// CHECK-LABEL: // clang-raise: inner
// CHECK: if (n > 2) {
void NAME(inner)(float *y, const float *x, int n) {
  for (int i = 1; i < n - 1; i++)
    y[i] = x[i - 1] + x[i + 1];
}

// CHECK-LABEL: // clang-raise: inclusive
// CHECK: if (from <= to) {
void NAME(inclusive)(float *y, const float *x, int from, int to) {
  for (int i = from; i <= to; i++)
    y[i] = x[i] * 2;
}

// CHECK-LABEL: // clang-raise: down
// CHECK: if (n >= 1) {
void NAME(down)(float *y, const float *x, int n) {
  for (int i = n - 1; i >= 0; i--)
    y[i] = x[i] * 2;
}

// CHECK-LABEL: // clang-raise: sized
// CHECK: if (n > 0) {
void NAME(sized)(float *y, const float *x, size_t n) {
  for (size_t i = 0; i < n; i++)
    y[i] = x[i] * 2;
}

// A negative n is a large one here.
// CHECK-LABEL: // clang-raise: wide
// CHECK: if ((unsigned int)n > 0) {
void NAME(wide)(float *y, const float *x, int n) {
  for (unsigned i = 0; i < (unsigned)n; i++)
    y[i] = x[i] * 2;
}

// The counter is used after the loop.
// CHECK-LABEL: // clang-raise: outside
// CHECK-NOT: if (n > 0
// CHECK: clang-raise: end
int NAME(outside)(float *y, const float *x, int n) {
  int i;
  for (i = 0; i < n; i++)
    y[i] = x[i] * 2;
  return i;
}

// An `else` stays with its `if`.
void NAME(otherwise)(float *y, const float *x, int n, bool All) {
  if (All)
    for (int i = 0; i < n; i++)
      y[i] = x[i] * 2;
  else
    y[0] = -1;
}
void NAME(labelled)(float *y, const float *x, int n, int Times) {
  if (n > -2)
  again:
    for (int i = 0; i < n; i++)
      y[i] = x[i] * 2;
  else
    y[0] = -1;
  if (--Times > 0)
    goto again;
}

#ifdef MAIN
#include <cstdio>
#include <cstring>
#include <initializer_list>
#include <type_traits>

void nest_original(float *, const float *, int, int);
void inner_original(float *, const float *, int);
void inclusive_original(float *, const float *, int, int);
void down_original(float *, const float *, int);
void sized_original(float *, const float *, size_t);
void wide_original(float *, const float *, int);
int outside_original(float *, const float *, int);
void otherwise_original(float *, const float *, int, bool);
void labelled_original(float *, const float *, int, int);

static constexpr int Most = 300000;
static float Was[Most], Is[Most], From[Most];

template <class F, class G, class... Args>
static bool same(const char *Name, F Of, G Original, Args... Sizes) {
  for (int i = 0; i < Most; ++i) {
    Was[i] = Is[i] = 7;
    From[i] = float(i % 1013);
  }
  bool Same = true;
  if constexpr (std::is_void_v<decltype(Of(Is, From, Sizes...))>) {
    Of(Is, From, Sizes...);
    Original(Was, From, Sizes...);
  } else {
    Same = Of(Is, From, Sizes...) == Original(Was, From, Sizes...);
  }
  Same &= !std::memcmp(Was, Is, sizeof Was);
  if (!Same)
    std::printf("%s differs\n", Name);
  return Same;
}

int main() {
  bool Good = true;
#define SAME(F, ...) Good &= same(#F, F, F##_original, __VA_ARGS__)
  for (int n : {-3, -1, 0, 1, 2, 3, 17, 500}) {
    for (int m : {-3, 0, 1, 5, 510})
      SAME(nest, n, m);
    SAME(inclusive, 5, n);
    SAME(inclusive, n < 0 ? 0 : n, 250000);
    SAME(otherwise, n, true);
    SAME(otherwise, n, false);
    SAME(labelled, n, 2);
    if (n >= 0)
      SAME(sized, size_t(n)), SAME(wide, n);
  }
  for (int n : {-3, -1, 0, 1, 2, 3, 17, 250001}) {
    SAME(inner, n);
    SAME(down, n);
    SAME(outside, n);
  }
  return Good ? 0 : 1;
}
#endif
