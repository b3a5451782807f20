// Loops that keep their order read first what later iterations store, so that
// compilers make vectors of them: the same results to the last bit, whatever
// overlaps, at every length.
//
// RUN: rm -rf %t && mkdir %t
// RUN: %clang_raise rewrite --fp=strict %s -o %t/out.cpp -- -std=c++17 -fopenmp 2>&1 | FileCheck --check-prefix=SAID %s
// RUN: sed "/CHECK/d" %t/out.cpp | FileCheck %s
// RUN: %clang -x c++ -std=c++17 -O2 -ffp-contract=off -Wall -Wextra -Werror -Wno-unknown-pragmas -DORIGINAL -c %s -o %t/original.o
// RUN: %clangxx -std=c++17 -O3 %native -ffp-contract=off -fopenmp -Wall -Wextra -Werror -DMAIN %t/out.cpp %t/original.o -o %t/run
// RUN: %t/run
// RUN: %clangxx -std=c++17 -O1 -g -ffp-contract=off -fopenmp -fsanitize=address,undefined -fno-sanitize-recover=all -Wno-pass-failed -DMAIN %t/out.cpp %t/original.o -o %t/run
// RUN: %t/run
// RUN: %gxx -std=c++17 -O3 %native -ffp-contract=off -fopenmp -Wall -Wextra -Werror -DMAIN %t/out.cpp %t/original.o -o %t/run
// RUN: %t/run
// RUN: %clang_raise rewrite --verify --require-verified %s -o %t/verified.cpp -- -std=c++17 -fopenmp

#include <cstddef>
#ifdef ORIGINAL
#define NAME(F) F##_original
#else
#define NAME(F) F
#endif

// CHECK-LABEL: // clang-raise: next
// CHECK: // What later iterations store is read before anything is stored, so that
// CHECK: if (n >= 65 &&
// CHECK: const float a_next = a[i + 1];
// CHECK-NEXT: a[i] = b[i] * 2;
// CHECK-NEXT: b[i] = a[i] * a_next;
void NAME(next)(float *a, float *b, int n) {
  for (int i = 0; i < n - 1; i++) {
    a[i] = b[i] * 2;
    b[i] = a[i] * a[i + 1];
  }
}

// CHECK-LABEL: // clang-raise: several
// CHECK: {{x_[a-z0-9_]+}} = x[2 * i + 4];
void NAME(several)(double *__restrict x, double *__restrict y, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    const double t = y[i] + 1;
    x[2 * i] = t;
    y[i] = x[2 * i + 4] - x[2 * i + 2] * x[2 * i];
  }
}

// CHECK-LABEL: // clang-raise: unrolled
// CHECK: ++i)
// CHECK-NEXT: a[i] = a[i + 1] * a[i];
void NAME(unrolled)(float *__restrict a, int n) {
  for (int i = 0; i < n; i += 4) {
    a[i] = a[i + 1] * a[i];
    a[i + 1] = a[i + 2] * a[i + 1];
    a[i + 2] = a[i + 3] * a[i + 2];
    a[i + 3] = a[i + 4] * a[i + 3];
  }
}

// What the iteration before stored is waited for.
// SAID: [[#@LINE+3]]:3: remark: not rewritten: its order is kept: iteration i reads 'a[i - 1]', which iteration i - 1 writes{{.*}}[CR1603
// CHECK-NOT: clang-raise: earlier
void NAME(earlier)(float *__restrict a, float *__restrict b, int n) {
  for (int i = 1; i < n - 1; i++) {
    a[i] = b[i] * 2;
    b[i] = a[i - 1] * a[i + 1];
  }
}
// CHECK: #ifdef MAIN

#ifdef MAIN
#include <cstring>
#include <memory>
void next_original(float *, float *, int);
void several_original(double *__restrict, double *__restrict, std::size_t);
void unrolled_original(float *__restrict, int);

template <class T> static bool same(const T *A, const T *B, std::size_t N) {
  return std::memcmp(A, B, N * sizeof(T)) == 0;
}

int main() {
  for (int n = 0; n < 300; n += n < 80 ? 1 : 37) {
    for (int apart = -3; apart <= n; apart += apart < 4 ? 1 : 29) {
      const int at = apart < 0 ? -apart : 0, size = 2 * n + 8;
      auto ours = std::make_unique<float[]>(size);
      auto theirs = std::make_unique<float[]>(size);
      for (int i = 0; i < size; i++)
        ours[i] = theirs[i] = 1 + float(i % 13) / 8;
      next(&ours[at], &ours[at + apart], n);
      next_original(&theirs[at], &theirs[at + apart], n);
      if (!same(&ours[0], &theirs[0], size))
        return 1;
    }
    const std::size_t size = 2 * n + 4;
    auto x = std::make_unique<double[]>(2 * size);
    auto y = std::make_unique<double[]>(2 * n + 1);
    for (std::size_t i = 0; i < 2 * size; i++)
      x[i] = 1 + double(i % size % 11) / 4;
    for (int i = 0; i < 2 * n; i++)
      y[i] = double(i % (n ? n : 1) % 7) / 4;
    several(&x[0], &y[0], n);
    several_original(&x[size], &y[n], n);
    if (!same(&x[0], &x[size], size) || !same(&y[0], &y[n], n))
      return 2;
    const std::size_t whole = (n + 3) / 4 * 4 + 1;
    auto a = std::make_unique<float[]>(2 * whole);
    for (std::size_t i = 0; i < 2 * whole; i++)
      a[i] = 1 + float(i % whole % 5) / 64;
    unrolled(&a[0], n);
    unrolled_original(&a[whole], n);
    if (!same(&a[0], &a[whole], whole))
      return 3;
  }
}
#endif
