// What a parallel loop inside another only reads is handed over by value: the
// pointers and scalars of the function, and nothing that is an object, a
// reference or a global, or that has no plain copy.
// RUN: mkdir -p %t.dir && cp %s %t.dir/a.cpp && printf 'machine:\n  parallel-work: 1\n' > %t.dir/.clang-raise
// RUN: %clang_raise rewrite %t.dir/a.cpp -o %t.always.cpp -- -fopenmp -O2 -std=c++20
// RUN: %clang_raise rewrite %s -o %t.cpp -- -fopenmp -O2 -std=c++20
// RUN: grep -v '// CHECK' %t.cpp | FileCheck %s
// RUN: clang++-19 -std=c++20 -O2 -fopenmp -Wall -Wextra -Werror %t.cpp -o %t.clang && env OMP_NUM_THREADS=4 %t.clang
// RUN: g++ -std=c++20 -O2 -fopenmp -Wall -Wextra -Werror %t.cpp -o %t.gcc && env OMP_NUM_THREADS=2 %t.gcc
// RUN: clang++-19 -std=c++20 -O2 -fopenmp %t.always.cpp -o %t.clang && env OMP_NUM_THREADS=4 %t.clang
// RUN: g++ -std=c++20 -O2 -fopenmp %t.always.cpp -o %t.gcc && env OMP_NUM_THREADS=3 %t.gcc
#include <span>
#include <vector>

static float table[1000000], factor = 0.5f;

// CHECK-LABEL: void objects(
// CHECK: #pragma omp parallel for simd firstprivate(n){{$}}
void objects(int steps, std::vector<float> &y, std::span<const float> x) {
  const int n = static_cast<int>(x.size());
  for (int t = 0; t < steps; ++t)
    for (int i = 0; i < n; ++i)
      y[i] = y[i] * 0.5f + x[i];
}

// A fixed array behind a reference would be copied whole; a pointer to rows of
// a known length is a pointer like others.
// CHECK-LABEL: void arrays(
// CHECK: #pragma omp parallel for simd firstprivate(n, k){{$}}
// CHECK: #pragma omp parallel for simd firstprivate(b, n, t){{$}}
// CHECK: #pragma omp parallel for simd firstprivate(c, n){{$}}
void arrays(int steps, float (&a)[64], float (*b)[1000000], int n, float c[],
            const int k) {
  for (int t = 0; t < steps; ++t) {
    for (int i = 0; i < n; ++i)
      a[i] = a[i] * 0.5f + static_cast<float>(k);
    a[0] += b[t][0];
    for (int i = 0; i < n; ++i)
      b[t][i] = b[t][i] * 0.5f;
    b[t][0] += c[0];
    for (int i = 0; i < n; ++i)
      c[i] = c[i] * 0.5f;
    c[0] += a[0];
  }
}

// CHECK-LABEL: void outside(
// CHECK: #pragma omp parallel for simd firstprivate(n, f){{$}}
void outside(int steps, long long n) {
  for (int t = 0; t < steps; ++t) {
    const float f = static_cast<float>(t) * 0.5f;
    for (long long i = 0; i < n; ++i)
      table[i] = table[i] * f + factor;
  }
}

int main() {
  std::vector<float> y(64, 1.0f), x(64, 2.0f);
  static float b[2][1000000];
  float a[64] = {}, c[64];
  for (float &v : c)
    v = 4;
  objects(2, y, x);
  arrays(2, a, b, 64, c, 3);
  outside(2, 64);
  for (int i = 1; i < 64; ++i)
    if (y[i] != 3.25f || a[i] != 4.5f || b[0][i] != 0 || c[i] != 1 ||
        table[i] != 0.75f)
      return 1;
  return a[0] > 4 && c[0] > 1 && b[1][0] > 0 ? 0 : 2;
}
