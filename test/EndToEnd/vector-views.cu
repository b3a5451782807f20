// An array of scalars that is seen as an array of structures of them (float4 and its kin) is still the array of scalars.
// Each launch is compared with the kernel's text, run thread by thread.
// RUN: rm -rf %t && mkdir -p %t
// RUN: %clang_raise rewrite %s -o %t/main.cpp --verify -- -O2 2> %t/err
// RUN: grep -v CHECK %t/main.cpp | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t/err
// RUN: %clang_raise rewrite %s -o %t/again.cpp -- -O2 2> /dev/null && cmp %t/main.cpp %t/again.cpp
// RUN: %clang_raise rewrite %s -o %t/plain.cpp --function=main -- -O2 2> /dev/null
// RUN: not grep "^static void .*_range(" %t/plain.cpp
// RUN: %gxx -std=c++17 -O0 -fno-strict-aliasing -fopenmp -Wall -Wextra -Werror -I%runtime %t/plain.cpp -o %t/plain
// RUN: %t/plain > %t/want
// RUN: %gxx -std=c++17 -O2 -fopenmp -Wall -Wextra -Werror -I%runtime %t/main.cpp -o %t/gcc
// RUN: env OMP_NUM_THREADS=1 %t/gcc > %t/got && cmp %t/want %t/got
// RUN: env OMP_NUM_THREADS=3 %t/gcc > %t/got && cmp %t/want %t/got
// RUN: %clangxx -std=c++17 -O2 -fopenmp -L%omp_libs -Wl,-rpath,%omp_libs -fsanitize=address -Wall -Wextra -Werror -I%runtime %t/main.cpp -o %t/clang
// RUN: env OMP_NUM_THREADS=2 ASAN_OPTIONS=detect_leaks=0 %t/clang > %t/got && cmp %t/want %t/got
#include <cstdio>
#include <vector>

// REMARK: kernel raised to a map: {{.*}}; verification passed
// CHECK: static void scale_range(const float *x, float *y, float by, int n) {
// CHECK: y[4LL * i + 3] =
__global__ void scale(const float *x, float *y, float by, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float4 a = reinterpret_cast<const float4 *>(x)[i];
    a.x *= by;
    a.w += 1;
    reinterpret_cast<float4 *>(y)[i] = a;
  }
}

// Where it begins does not matter: no element is read as anything but a float.
// REMARK: kernel raised to a map: {{.*}}; verification passed
__global__ void shifted(const float *x, float *y, int n) {
  int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) {
    float4 a = *(const float4 *)(x + i + 1);
    ((float3 *)(y + i))->z = a.x + a.w;
  }
}

// Pointers that keep the view, step in it, and lead back.
// REMARK: kernel raised to a broadcast: {{.*}}; verification passed
// CHECK: const int *p = x;
// CHECK-NEXT: p += 2;
__global__ void swapped(const int *x, int *y, unsigned n) {
  const int2 *p = (const int2 *)x;
  ++p;
  int2 *q = (int2 *)y;
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    q[i] = make_int2(p[i].y, __ldg(p + i).x);
    const int *back = (const int *)(p + i);
    (&q[i])->x += back[0];
  }
}

// Negative offsets, and both names of one array.
// REMARK: kernel raised to a map: x[2·n+2·(-i-1)+1] +=
__global__ void mixed(double *x, int n) {
  double2 *p = reinterpret_cast<double2 *>(x) + n;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    p[-i - 1].y += x[2 * (n - i - 1)];
}

struct Pair {
  short at[2];
};
struct Quad {
  Pair a, b;
};
// REMARK: kernel raised to a map: x[4·i+2+(k&1)] ={{.*}}; verification passed
__global__ void nested(short *x, int k, int n) {
  Quad *q = reinterpret_cast<Quad *>(x);
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    q[i].b.at[k & 1] = q[i].a.at[1] + reinterpret_cast<short2 &>(x[4 * i]).x;
}

// Shared memory, too.
// REMARK: kernel raised to a nest: {{.*}}; verification passed
__global__ void turned(const float *x, float *y) {
  __shared__ float s[256];
  int t = threadIdx.x;
  reinterpret_cast<float4 *>(s)[t] = reinterpret_cast<const float4 *>(x)[blockIdx.x * 64 + t];
  __syncthreads();
  float4 v = {s[t], s[t + 64], s[t + 128], s[t + 192]};
  reinterpret_cast<float4 *>(y)[blockIdx.x * 64 + 63 - t] = v;
}

// What stays as written: other scalars, gaps, unions.
// REMARK: kernel not raised: 'float *' is converted to 'int4 *' [CR1009
__global__ void bits(float *x) { ((int4 *)x)[threadIdx.x].y ^= 1; }
struct alignas(16) Padded {
  float x, y, z;
};
// REMARK: kernel not raised: 'float *' is converted to 'Padded *' [CR1009
__global__ void gap(float *x) { ((Padded *)x)[threadIdx.x].y = 1; }
union Either {
  float a, b;
};
// REMARK: kernel not raised: 'a' is a member of a union [CR1012
__global__ void either(float *x) { ((Either *)x)[threadIdx.x].a = 1; }
struct Signs {
  int a;
  unsigned b;
};
// REMARK: kernel not raised: 'int *' is converted to 'Signs *' [CR1009
__global__ void signs(int *x) { ((Signs *)x)[threadIdx.x].b = 1; }

template <typename T> static void show(const char *name, const std::vector<T> &x) {
  unsigned sum = 0;
  for (T v : x)
    sum = sum * 31 + unsigned(int(v * 64));
  std::printf("%s %zu %u\n", name, x.size(), sum);
}

static void run(int n, int blocks) {
  std::vector<float> x(4 * n + 8), y(4 * n + 8);
  std::vector<int> a(2 * n + 8), b(2 * n + 8);
  std::vector<double> d(2 * n + 8);
  std::vector<short> s(4 * n + 8);
  for (int i = 0; i < 4 * n + 8; ++i)
    x[i] = float(i % 13) / 4, s[i] = short(i % 29);
  for (int i = 0; i < 2 * n + 8; ++i)
    a[i] = i % 17, d[i] = i % 11;
  scale<<<blocks, 64>>>(x.data(), y.data(), 1.5f, n);
  show("scale", y);
  shifted<<<blocks, 64>>>(x.data(), y.data(), 4 * n);
  show("shifted", y);
  scale<<<blocks, 64>>>(y.data(), y.data(), 1.5f, n);
  show("in place", y);
  swapped<<<blocks, 64>>>(a.data(), b.data(), n);
  show("swapped", b);
  mixed<<<blocks, 64>>>(d.data(), n);
  show("mixed", d);
  nested<<<blocks, 64>>>(s.data(), n, n);
  show("nested", s);
}

int main() {
  for (int n : {0, 1, 2, 7, 64, 1000, 100000})
    for (int blocks : {1, 3, (n + 63) / 64, n / 64 + 2})
      if (blocks > 0)
        run(n, blocks);
  std::vector<float> x(3 * 256), y(3 * 256);
  for (int i = 0; i < 3 * 256; ++i)
    x[i] = float(i);
  turned<<<3, 64>>>(x.data(), y.data());
  show("turned", y);
  bits<<<1, 64>>>(x.data());
  gap<<<1, 64>>>(x.data());
  either<<<1, 64>>>(x.data());
  show("rest", x);
  std::vector<int> a(128);
  signs<<<1, 64>>>(a.data());
  show("signs", a);
}
