// Loops of C++ as kernels beside them: translated for the CPU, where every
// kernel runs thread by thread, and compared with the loops as written; and as
// plain C++, which the file still is.
// RUN: rm -rf %t && mkdir -p %t
// RUN: %clang_raise rewrite --target=cuda %s -o %t/device.cu -- -std=c++17 2> %t/remarks
// RUN: FileCheck %s < %t/device.cu
// RUN: FileCheck %s --check-prefix=LEFT < %t/remarks
// RUN: %clang_raise rewrite --target=cuda --check %s -o %t/device.cu -- -std=c++17
// RUN: %clang_raise rewrite --target=cuda %t/device.cu -o %t/again.cu -- -x c++ -std=c++17
// RUN: diff %t/device.cu %t/again.cu
// RUN: %clang_raise rewrite --target=cuda --report=%t/report %s -o %t/again.cu -- -std=c++17
// RUN: diff %t/device.cu %t/again.cu
// RUN: %if nvcc %{ nvcc -arch=sm_80 -std=c++17 -Werror all-warnings -c %t/device.cu -o %t/device.o %}
// RUN: %clang_raise rewrite %t/device.cu -o %t/device.cpp -- -std=c++17
// RUN: %clangxx -std=c++17 -O1 -fopenmp -ffp-contract=off -I%runtime -c %t/device.cpp -o %t/device.o
// RUN: %clangxx -std=c++17 -O1 -ffp-contract=off -DNS=plain -DCHECK -c %s -o %t/plain.o
// RUN: %clangxx -fopenmp %t/plain.o %t/device.o -o %t/run
// RUN: env OMP_NUM_THREADS=1 %t/run && env OMP_NUM_THREADS=3 %t/run
// RUN: %clangxx -std=c++17 -O1 -Wall -Wextra -Werror -Wno-unknown-pragmas -x c++ -c %t/device.cu -o %t/host.o
#include <cmath>
#ifndef NS
#define NS tested
#endif

// CHECK: {{^}}// clang-raise: device:1 {{[0-9a-f]+$}}
// CHECK-NEXT: #ifdef __CUDACC__
// CHECK: template <class... T> static bool raise_on_device(const T *...arrays) {

namespace NS {
// CHECK: {{^}}// clang-raise: axpy:1 {{[0-9a-f]+$}}
// CHECK-NEXT: #ifdef __CUDACC__
// CHECK-NEXT: static __global__ void axpy_on_device_y(
// CHECK: {{^}}static void axpy_on_device(float *y, const float *x, float a, int n) {
// CHECK-NEXT: if (n > 0)
// CHECK-NEXT: axpy_on_device_y<<<raise_blocks((size_t)n), 256>>>(
// CHECK: {{^}}// y = a·x + y, as it is.
// CHECK-NEXT: void axpy(
// y = a·x + y, as it is.
void axpy(float *y, const float *x, float a, int n) {
  // CHECK: // clang-raise: axpy:2
  // CHECK: // As kernels, where a device reaches its arrays.
  // CHECK-NEXT: {{^}}#ifdef __CUDACC__
  // CHECK-NEXT: if (raise_on_device(y, x) && {{.*}}
  // CHECK: axpy_on_device(y, x, a, n);
  // CHECK-NEXT: raise_finish(y, x);
  // CHECK-NEXT: } else
  // CHECK-NEXT: {{^}}#endif
  // CHECK-NEXT: for (int i = 0; i < n; ++i)
  for (int i = 0; i < n; ++i)
    y[i] = a * x[i] + y[i];
}

// A block for each row.
// CHECK: unit_rows_on_device_out(float *out, const float
// CHECK: raise_block_sum(
void unit_rows(float *out, const float *in, int rows, int width) {
  for (int r = 0; r < rows; ++r) {
    float sum = 0;
    for (int c = 0; c < width; ++c)
      sum += in[r * width + c] * in[r * width + c];
    float scale = 1 / std::sqrt(sum);
    for (int c = 0; c < width; ++c)
      out[r * width + c] = scale * in[r * width + c];
  }
}

void product(double *c, const double *a, const double *b, int n, int m, int k) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < m; ++j) {
      double s = 0;
      for (int l = 0; l < k; ++l)
        s += a[i * k + l] * b[l * m + j];
      c[i * m + j] = s;
    }
}

// A result of the host's.
double dot(const double *x, const double *y, int n) {
  double s = 1;
  // CHECK: raise_value<double> s_element;
  // CHECK-NEXT: dot_on_device(x, y, n, s, s_element);
  // CHECK-NEXT: s = s_element.get();
  for (int i = 0; i < n; ++i)
    s += x[i] * y[i];
  return s;
}

// Steps stay where they are, around what is one kernel each.
void smooth(double *u, double *v, int n, int steps) {
  for (int t = 0; t < steps; ++t) {
    for (int i = 1; i + 1 < n; ++i)
      v[i] = 0.25 * (u[i - 1] + 2 * u[i] + u[i + 1]);
    for (int i = 1; i + 1 < n; ++i)
      u[i] = v[i];
  }
}

void gather(float *__restrict__ y, const float *__restrict__ x,
            const int *__restrict__ at, int n) {
  for (int i = 0; i < n; ++i)
    y[i] = x[at[i]];
}

// What it reads of x is not known before it looks at memory.
// LEFT: rewrite-device.cpp:[[@LINE+2]]:3: {{.*}}not written for a device: tests before it look at memory
void overlapping(float *y, const float *x, const int *at, int n) {
  for (int i = 0; i < n; ++i)
    y[i] = x[at[i]];
}

// Two loops of one function.
void both(float *y, float *z, const float *x, int n) {
  int i;
  for (i = 0; i < n; ++i)
    y[i] = x[i] * 3;
  if (n > 2)
    for (i = 0; i < n; i += 2)
      z[i] = x[i] - 1;
}

// LEFT: rewrite-device.cpp:[[@LINE+3]]:3: {{.*}}its order is kept
// CHECK-NOT: running_on_device
void running(double *x, int n) {
  for (int i = 1; i < n; ++i)
    x[i] = x[i - 1] * 0.5 + x[i] * x[i - 1];
}

// What stands above the function does not see what is declared inside.
// LEFT: rewrite-device.cpp:[[@LINE+3]]:3: {{.*}}not written for a device: 'T' is declared inside of the function
void inside(float *x, int n) {
  using T = float;
  for (int i = 0; i < n; ++i)
    x[i] += T(n);
}

static float squared(float v) { return v * v; }
// LEFT: rewrite-device.cpp:[[@LINE+2]]:3: {{.*}}not written for a device: it calls 'squared', which is a function of the host
void calls(float *x, int n) {
  for (int i = 0; i < n; ++i)
    x[i] = squared(x[i]) + 1;
}

struct Box {
  float *data;
  int n;
  // LEFT: rewrite-device.cpp:[[@LINE+2]]:5: {{.*}}not written for a device: it stands in a member function
  void fill(float x) {
    for (int i = 0; i < n; ++i)
      data[i] = x;
  }
};

// LEFT: rewrite-device.cpp:[[@LINE+4]]:3: {{.*}}not written for a device: 'local' is an array of the host's
float local_array(const float *x) {
  float local[64];
  float s = 0;
  for (int i = 0; i < 64; ++i)
    local[i] = x[i] * x[i];
  for (int i = 0; i < 64; ++i)
    s = s < local[i] ? local[i] : s;
  return s;
}
} // namespace NS

#ifdef CHECK
#include <cstdio>
#include <cstdlib>
#include <vector>
namespace tested {
void axpy(float *y, const float *x, float a, int n);
void unit_rows(float *out, const float *in, int rows, int width);
void product(double *c, const double *a, const double *b, int n, int m, int k);
double dot(const double *x, const double *y, int n);
void smooth(double *u, double *v, int n, int steps);
void gather(float *y, const float *x, const int *at, int n);
void both(float *y, float *z, const float *x, int n);
float local_array(const float *x);
} // namespace tested

template <class T> static std::vector<T> values(size_t n, int seed) {
  std::vector<T> v(n);
  for (T &x : v)
    x = T((seed = (seed * 1103515245 + 12345) & 0x7fffffff) % 1000) / 500 - 1;
  return v;
}
template <class T>
static void compare(const char *what, int n, const std::vector<T> &a,
                    const std::vector<T> &b) {
  for (size_t i = 0; i < a.size(); ++i)
    if (!(std::fabs(double(a[i] - b[i])) <= 1e-5 * (1 + std::fabs(double(a[i]))))) {
      std::printf("%s(%d): element %zu: %g, not %g\n", what, n, i, double(b[i]),
                  double(a[i]));
      std::exit(1);
    }
}

int main() {
  for (int n : {0, 1, 2, 3, 17, 255, 256, 257, 1000}) {
    const auto x = values<float>(n, 1), y0 = values<float>(n, 2);
    auto a = y0, b = y0;
    plain::axpy(a.data(), x.data(), 1.5f, n);
    tested::axpy(b.data(), x.data(), 1.5f, n);
    compare("axpy", n, a, b);
    a = b = y0; // in place, and shifted
    plain::axpy(a.data(), a.data(), 1.5f, n);
    tested::axpy(b.data(), b.data(), 1.5f, n);
    compare("axpy in place", n, a, b);
    if (n > 1) {
      plain::axpy(a.data() + 1, a.data(), 0.5f, n - 1);
      tested::axpy(b.data() + 1, b.data(), 0.5f, n - 1);
      compare("axpy shifted", n, a, b);
    }
    const int rows = 5;
    const auto in = values<float>(size_t(rows) * n, 3);
    std::vector<float> o(in.size()), p(in.size());
    plain::unit_rows(o.data(), in.data(), rows, n);
    tested::unit_rows(p.data(), in.data(), rows, n);
    compare("unit_rows", n, o, p);
    const auto u = values<double>(n, 4), w = values<double>(n, 5);
    const std::vector<double> d{plain::dot(u.data(), w.data(), n)},
        e{tested::dot(u.data(), w.data(), n)};
    compare("dot", n, d, e);
    auto u1 = u, u2 = u, v1 = w, v2 = w;
    plain::smooth(u1.data(), v1.data(), n, 7);
    tested::smooth(u2.data(), v2.data(), n, 7);
    compare("smooth", n, u1, u2);
    compare("smooth", n, v1, v2);
    std::vector<int> at(n);
    for (int i = 0; i < n; ++i)
      at[i] = (i * 7 + 3) % n;
    a = b = y0;
    plain::gather(a.data(), x.data(), at.data(), n);
    tested::gather(b.data(), x.data(), at.data(), n);
    compare("gather", n, a, b);
    a = b = y0;
    auto z1 = y0, z2 = y0;
    plain::both(a.data(), z1.data(), x.data(), n);
    tested::both(b.data(), z2.data(), x.data(), n);
    compare("both", n, a, b);
    compare("both", n, z1, z2);
    if (n <= 40) {
      const int m = 9, k = 33;
      const auto A = values<double>(size_t(n) * k, 6),
                 B = values<double>(size_t(k) * m, 7);
      std::vector<double> C(size_t(n) * m), D(size_t(n) * m);
      plain::product(C.data(), A.data(), B.data(), n, m, k);
      tested::product(D.data(), A.data(), B.data(), n, m, k);
      compare("product", n, C, D);
    }
  }
  return 0;
}
#endif
