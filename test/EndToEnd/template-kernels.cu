// Each instantiation of a template kernel is raised on its own; the launcher chooses at compile time, and has the
// executor for all others.
// RUN: rm -rf %t && mkdir -p %t
// RUN: %clang_raise rewrite %s -o %t/main.cpp --verify --json=%t/r.json -- -O2 2> %t/err
// RUN: grep -v CHECK %t/main.cpp | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t/err
// RUN: %clang_raise rewrite %s -o %t/again.cpp -- -O2 2> /dev/null && cmp %t/main.cpp %t/again.cpp
//
// The second source has raised instances of its own of the header's kernel, or none.
// RUN: %clang_raise rewrite %S/Inputs/template-kernels-other.cu -o %t/other.cpp -- -O2 2> /dev/null
// RUN: grep "shift_range_short(" %t/other.cpp
// RUN: %clang_raise rewrite %S/Inputs/template-kernels-other.cu -o %t/plain.cpp '--function=shift<short>' -- -O2 2> /dev/null
// RUN: not grep "shift_range_float(" %t/plain.cpp
// RUN: %gxx -std=c++17 -O2 -fopenmp -Wall -Wextra -Werror -I%runtime %t/main.cpp %t/other.cpp -o %t/gcc
// RUN: env OMP_NUM_THREADS=1 %t/gcc && env OMP_NUM_THREADS=2 %t/gcc
// RUN: %gxx -std=c++17 -O0 -fopenmp -Wall -Wextra -Werror -I%runtime %t/plain.cpp %t/main.cpp -o %t/mixed
// RUN: env OMP_NUM_THREADS=1 %t/mixed && env OMP_NUM_THREADS=2 %t/mixed
// RUN: %clangxx -std=c++17 -O2 -fopenmp -L%omp_libs -Wl,-rpath,%omp_libs -Wall -Wextra -Werror -I%runtime %t/main.cpp %t/other.cpp -o %t/clang
// RUN: env OMP_NUM_THREADS=1 %t/clang && env OMP_NUM_THREADS=2 %t/clang
// RUN: %clangxx -std=c++17 -O0 -fopenmp -L%omp_libs -Wl,-rpath,%omp_libs -Wall -Wextra -Werror -I%runtime %t/main.cpp %t/plain.cpp -o %t/mixed
// RUN: env OMP_NUM_THREADS=1 %t/mixed && env OMP_NUM_THREADS=2 %t/mixed
#include <cstdio>
#include <type_traits>

#include "Inputs/template-kernels.cuh"

typedef unsigned char byte;
enum Mode { Add, Subtract };
struct Pair {
  float a, b;
};
template <typename T> struct Wide {
  typedef T type;
};
template <> struct Wide<float> {
  typedef double type;
};

// CHECK: #include <raise/simt.h>
// CHECK-NEXT: #include <type_traits>
// CHECK: static void shift_range_float(float *x, float by, int n) {

// REMARK-DAG: template-kernels.cu:[[#@LINE+13]]:{{.*}}remark: kernel raised to a map: {{.*}}; verification passed
// CHECK: // scale<float>, template-kernels.cu
// CHECK: static void scale_range_float(float *x, float a, int n) {
// CHECK: static void scale_range_double(double *x, double a, int n) {
// CHECK: // As written, for launches that the ranges do not describe and for other
// CHECK-NEXT: // arguments of the template: what one thread does.
// CHECK-NEXT: template <typename T> static void scale_thread(T *x, T a, int n) {
// CHECK: template <typename T>
// CHECK-NEXT: static void scale(dim3 grid, dim3 block, T *x, T a, int n) {
// CHECK-NEXT: if (!raise::beginLaunch(grid, block))
// CHECK-NEXT: return;
// CHECK-NEXT: if constexpr (std::is_same_v<T, float>) {
// CHECK-NEXT: if (
template <typename T> static __global__ void scale(T *x, T a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] *= a;
}
// CHECK: scale_range_float(x, a, n);
// CHECK-NEXT: return;
// CHECK: if constexpr (std::is_same_v<T, double>) {
// CHECK: raise_simt::launch(

// Numbers, truth values, enumerators; defaults; what is deduced and what is not; names of the kernel's own.
namespace sums {
// CHECK: static void power_range_2_false_Add_float(
// CHECK: static void power_range_minus_3_true_Subtract_int(
// CHECK: static void power_range_2_false_Add_unsigned_char(
// CHECK: if constexpr (N == 2 && !Whole && M == Add && std::is_same_v<T, float>) {
// CHECK: if constexpr (N == -3 && Whole && M == Subtract && std::is_same_v<T, int>) {
template <int N = 2, bool Whole = false, Mode M = Add, typename T>
__global__ void power(T *y, const T *x, int n) {
  using Sum = typename Wide<T>::type;
  enum { Last = N < 0 ? -N : N };
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  Sum s = Whole ? 1 : 0;
  for (int k = 0; k < Last; ++k)
    s += M == Add ? x[i] * k : -x[i];
  y[i] = static_cast<T>(s);
}
} // namespace sums

// Whatever can be named in front of the template: a structure, an instance of a template, a constant type.
// CHECK: static void first_range_Pair_float(
// CHECK: static void first_range_Wide_int_const_float(
template <typename S, typename T = const float>
__global__ void first(float *y, const S *, T *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[i] + sizeof(S);
}

// What one instantiation cannot be is said, and the others are raised all the same.
// REMARK-DAG: template-kernels.cu:[[#@LINE+9]]:{{.*}}remark: kernel partly raised to a map: {{.*}}; verification passed
// REMARK-DAG: template-kernels.cu:[[#@LINE+8]]:{{.*}}remark: not raised further: largest<int> is left: {{.*}} [CR
// CHECK: static void largest_range_float(
// CHECK-NOT: largest_range_int
// CHECK: // As written, for launches that the range does not describe and for other
// CHECK: // largest<int>: OpenMP has no atomic form of this update
// CHECK-NEXT: // (template-kernels.cu:{{[0-9]+}}) [CR1604].
// CHECK: if constexpr (std::is_same_v<T, float>) {
// CHECK-NOT: if constexpr
template <typename T> __global__ void largest(T *x, const T *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  if constexpr (std::is_same_v<T, int>)
    atomicMax(x, y[i]);
  else
    x[i] = y[i] > 1 ? y[i] : 1;
}

// What compilers let a template ask, and no plain function, is decided: no value of the type is below 0, nothing is added.
// CHECK: static void clip_range_unsigned_char_0(unsigned char *x, int n) {
// CHECK: x[i] = v;
// CHECK: static void clip_range_int_2(int *x, int n) {
// CHECK: v < 0
// CHECK: template <typename T, unsigned By> static void clip_thread(
template <typename T, unsigned By> __global__ void clip(T *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  T v = x[i];
  v = v + By;
  if (By == 0)
    v = v / 2;
  x[i] = v < 0 ? 0 : v;
}

// Another parameter stands for a condition.
// CHECK: void whole(dim3 grid, dim3 block, T *x, int n) {
// CHECK-NOT: if constexpr
// CHECK: whole_thread<T>(x, n);
template <typename T, std::enable_if_t<std::is_integral_v<T>, int> = 0>
__global__ void whole(T *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] = 7;
}

// CHECK: void shiftElsewhere(
void shiftElsewhere(float *x, short *y, int n);

template <typename T> int check(const char *What, const T *x, const T *y, int n) {
  for (int i = 0; i < n; ++i)
    if (x[i] != y[i]) {
      printf("%s: %g at %d, not %g\n", What, double(x[i]), i, double(y[i]));
      return 1;
    }
  return 0;
}

template <typename T> int scales(int n, int Threads) {
  T x[3001], y[3001];
  for (int i = 0; i < 3001; ++i) {
    x[i] = i % 57;
    y[i] = i < n ? x[i] * 3 : x[i];
  }
  scale<<<(n + Threads - 1) / Threads, Threads>>>(x, T(3), n);
  return check("scale", x, y, 3001);
}

template <int N, bool Whole, Mode M, typename T> int powers(int n) {
  T x[600], y[600], z[600];
  for (int i = 0; i < 600; ++i) {
    x[i] = i % 7;
    y[i] = z[i] = 100;
    if (i < n) {
      int s = Whole;
      for (int k = 0; k < (N < 0 ? -N : N); ++k)
        s += M == Add ? int(x[i]) * k : -int(x[i]);
      z[i] = s;
    }
  }
  if constexpr (N == 2)
    sums::power<<<n / 32 + 1, 32>>>(y, x, n);
  else
    sums::power<N, Whole, M><<<n / 32 + 1, 32>>>(y, x, n);
  return check("power", y, z, 600);
}

int main() {
  int Bad = 0;
  for (int n : {0, 1, 2, 33, 3000})
    for (int Threads : {32, 7}) {
      if (n == 0)
        continue; // no launch of CUDA's
      Bad += scales<float>(n, Threads) + scales<double>(n, Threads);
    }
  // Fewer threads than elements: no launch that the range describes.
  float a[100], b[100];
  for (int i = 0; i < 100; ++i) {
    a[i] = i;
    b[i] = i < 64 ? 2 * i : i;
  }
  scale<<<2, 32>>>(a, 2.f, 100);
  Bad += check("a short launch", a, b, 100);
  for (int n : {1, 33, 600})
    Bad += powers<2, false, Add, float>(n) + powers<-3, true, Subtract, int>(n) + powers<2, false, Add, byte>(n);
  for (int i = 0; i < 100; ++i)
    b[i] = i + sizeof(Pair);
  for (int i = 0; i < 100; ++i)
    a[i] = i;
  first<<<4, 32>>>(a, static_cast<const Pair *>(nullptr), a, 100);
  Bad += check("first", a, b, 100);
  for (int i = 0; i < 100; ++i)
    b[i] += sizeof(Wide<int>);
  first<<<4, 32>>>(a, static_cast<const Wide<int> *>(nullptr), static_cast<const float *>(a), 100);
  Bad += check("first", a, b, 100);
  int m = 0, values[50];
  for (int i = 0; i < 50; ++i)
    values[i] = i * 7 % 50;
  largest<<<2, 32>>>(&m, values, 50);
  Bad += m != 49;
  float f[50], g[50];
  for (int i = 0; i < 50; ++i) {
    f[i] = i;
    g[i] = i > 1 ? i : 1;
  }
  largest<<<2, 32>>>(f, f, 50);
  Bad += check("largest", f, g, 50);
  byte c[40], d[40];
  int e[40], w[40];
  for (int i = 0; i < 40; ++i) {
    c[i] = 6 * i;
    d[i] = 3 * i;
    e[i] = i - 20;
    w[i] = i < 18 ? 0 : i - 18;
  }
  clip<byte, 0><<<2, 32>>>(c, 40);
  clip<int, 2><<<2, 32>>>(e, 40);
  Bad += check("clip", c, d, 40) + check("clip", e, w, 40);
  whole<<<1, 32>>>(e, 32);
  for (int i = 0; i < 32; ++i)
    w[i] = 7;
  Bad += check("whole", e, w, 40);
  short s[40], t[40];
  for (int i = 0; i < 40; ++i) {
    s[i] = i;
    t[i] = i + 3;
    g[i] = f[i] + 1 + 2;
  }
  shift<<<2, 32>>>(f, 1.f, 40);
  shiftElsewhere(f, s, 40);
  Bad += check("shift", f, g, 40) + check("shift elsewhere", s, t, 40);
  return Bad;
}
