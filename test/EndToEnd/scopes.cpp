// Bodies of other functions take the place of their calls: what they name is found where it is printed, under whatever
// else is in scope there, or the loop stays.
// RUN: %clang_raise rewrite %s -o %t.cpp -- -fopenmp -O2 2>%t.err
// RUN: FileCheck %s < %t.cpp
// RUN: FileCheck --check-prefix=REMARK %s < %t.err
// RUN: clang++-19 -O2 -fopenmp -Wall -Wextra -Wno-unused-function -Werror %t.cpp -o %t && %t
// RUN: g++ -O2 -fopenmp -Wall -Wextra -Wno-unused-function -Werror %t.cpp -o %t && %t
// RUN: clang++-19 -O2 -fopenmp %s -o %t && %t
#include <cmath>

template <int K = 2> static inline int mul(int v) { return v * K; }
// CHECK-LABEL: void argument(
// CHECK: a[i] = b[i] * 5;
void argument(int *a, const int *b, long n) {
  for (long i = 0; i < n; i++)
    a[i] = mul<5>(b[i]);
}

int x = 3;
static inline int get(int v) { return v + x; }
// CHECK-LABEL: void global(
// CHECK: a[i] = b[i] + ::x + x;
void global(int *a, const int *b, long n) {
  int x = 7;
  for (long i = 0; i < n; i++)
    a[i] = get(b[i]) + x;
}

static inline int pick(int v) {
  static const int t[4] = {9, 8, 7, 6};
  return t[v & 3];
}
// REMARK: [[#@LINE+3]]:{{.*}}[CR1031
void table(int *a, const int *b, long n) {
  const int t[4] = {1, 2, 3, 4};
  for (long i = 0; i < n; i++)
    a[i] = pick(b[i]) + t[i & 3];
}

namespace A {
typedef unsigned char T;
enum { Z = 100 };
static inline void put(int *o, int v) {
  T k = v * 3;
  k += v + Z;
  *o = k;
}
} // namespace A
namespace B {
typedef int T;
enum { Z = 1 };
// CHECK-LABEL: void types(
// CHECK: A::T k = v * 3;
// CHECK: A::Z
void types(int *a, const int *b, long n) {
  T unused = Z;
  (void)unused;
  for (long i = 0; i < n; i++)
    A::put(a + i, b[i]);
}
} // namespace B

static inline int local(int v) {
  int t[4] = {9, 8, 7, 6};
  return t[v & 3];
}
// CHECK-LABEL: void arrays(
// CHECK: int t_2[4] = {9, 8, 7, 6};
// CHECK: int t_3[4] = {9, 8, 7, 6};
void arrays(int *a, const int *b, long n) {
  int t[4] = {1, 2, 3, 4};
  for (long i = 0; i < n; i++)
    a[i] = local(b[i]) * t[i & 3] + local(3);
}

namespace U {
static float sqrtf(float v) { return v * 2 + 100; }
// REMARK: [[#@LINE+2]]:{{.*}}[CR1031
void library(float *a, const float *b, long n) {
  for (long i = 0; i < n; i++)
    a[i] = std::sqrt(b[i]) + sqrtf(1);
}
} // namespace U

// CHECK-LABEL: void twice(
// CHECK: a[i] = b[i] + ::x;
// CHECK: a[i] += b[i] * ::x + x;
void twice(int *a, const int *b, long n) {
  for (long i = 0; i < n; i++)
    a[i] = b[i] + x;
  int x = 2;
  for (long i = 0; i < n; i++)
    a[i] += b[i] * ::x + x;
}

int a_at = 3;
// A name of ours that the original text would find instead.
// CHECK-LABEL: void ours(
// CHECK: a_at_2 =
void ours(int *a, const int *b, long n) {
  for (long i = 0; i < n; i++)
    a[i] = b[i] + ::a_at + a_at;
}

struct R {
  int &n;
  int *x;
};
// REMARK: [[#@LINE+2]]:{{.*}}[CR1013
void refers(R r, int n) {
  for (int i = 0; i < n; i++)
    r.x[i] = r.n + i;
}

// CHECK-LABEL: void inner(
// CHECK: short v = (short)b[i];
void inner(int *a, const int *b, long n) {
  for (long i = 0; i < n; i++) {
    typedef short sh;
    sh v = (sh)b[i];
    a[i] = v;
  }
}

// The value of a pointer is its distance from where it started.
void chain(double *a, const double *b, long n, int s) {
  double *p = a + s;
  for (int i = 0; i < n; i++)
    p[i] = p[i + 1] += b[i];
}

// What a using directive opens, or a base class has, is nearer than a global.
namespace P {
namespace A {
static int x = 5;
}
namespace B {
using namespace A;
// CHECK-LABEL: void opened(
// CHECK: a[i] = (b[i] + ::x) * P::A::x;
void opened(int *a, const int *b, long n) {
  for (long i = 0; i < n; i++)
    a[i] = get(b[i]) * x;
}
} // namespace B
} // namespace P
struct Base {
  int x;
};
struct Derived : Base {
  // CHECK-LABEL: void inherits(
  // CHECK: a[i] = b[i] + ::x;
  void inherits(int *a, const int *b, long n) {
    for (long i = 0; i < n; i++)
      a[i] = get(b[i]);
  }
};

int main() {
  const int N = 300000; // enough for the raised form to run
  static int a[N + 8], b[N];
  static float u[N], v[N];
  static double c[N + 8], d[N];
  for (int i = 0; i < N; ++i)
    b[i] = i, v[i] = i, d[i] = i;
  int Bad = 0;
  argument(a, b, N);
  for (int i = 0; i < N; ++i)
    Bad += a[i] != 5 * i;
  global(a, b, N);
  for (int i = 0; i < N; ++i)
    Bad += a[i] != i + 10;
  table(a, b, N);
  for (int i = 0; i < N; ++i)
    Bad += a[i] != 10;
  B::types(a, b, N);
  for (int i = 0; i < N; ++i)
    Bad += a[i] != (4 * i + 100) % 256;
  arrays(a, b, N);
  for (int i = 0; i < N; ++i)
    Bad += a[i] != (9 - i % 4) * (1 + i % 4) + 6;
  U::library(u, v, N);
  for (int i = 0; i < N; ++i)
    Bad += u[i] != std::sqrt(v[i]) + 102;
  twice(a, b, N);
  for (int i = 0; i < N; ++i)
    Bad += a[i] != i + 3 + 3 * i + 2;
  ours(a, b, N);
  for (int i = 0; i < N; ++i)
    Bad += a[i] != i + 6;
  refers({a[3], a}, N);
  for (int i = 0; i < N; ++i)
    Bad += a[i] != (i <= 3 ? 9 : 12) + i;
  inner(a, b, N);
  for (int i = 0; i < N; ++i)
    Bad += a[i] != (short)i;
  P::B::opened(a, b, N);
  for (int i = 0; i < N; ++i)
    Bad += a[i] != (i + 3) * 5;
  Derived D;
  D.x = 100;
  D.inherits(a, b, N);
  for (int i = 0; i < N; ++i)
    Bad += a[i] != i + 3;
  chain(c, d, N - 2, 1);
  Bad += c[1] != 0 || c[2] != 1 || c[3] != 2;
  return Bad != 0;
}
