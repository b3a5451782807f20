// Structures that kernels are passed by value are known by their members' names; where a thread changes its copy, it has
// scalars of its own. Each launch is compared with the kernel's text, run thread by thread.
// RUN: rm -rf %t && mkdir -p %t
// RUN: %clang_raise rewrite %s -o %t/main.cpp -- -O2 2> %t/err
// RUN: grep -v CHECK %t/main.cpp | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t/err
// RUN: %clang_raise rewrite %s -o %t/again.cpp -- -O2 2> /dev/null && cmp %t/main.cpp %t/again.cpp
// RUN: %clang_raise rewrite %s -o %t/plain.cpp --function=main -- -O2 2> /dev/null
// RUN: not grep "^static void .*_range(" %t/plain.cpp
// RUN: %gxx -std=c++17 -O0 -fopenmp -Wall -Wextra -Werror -I%runtime %t/plain.cpp -o %t/plain
// RUN: %t/plain > %t/want
// RUN: %gxx -std=c++17 -O2 -fopenmp -Wall -Wextra -Werror -I%runtime %t/main.cpp -o %t/gcc
// RUN: env OMP_NUM_THREADS=1 %t/gcc > %t/got && cmp %t/want %t/got
// RUN: env OMP_NUM_THREADS=3 %t/gcc > %t/got && cmp %t/want %t/got
// RUN: %clangxx -std=c++17 -O2 -fopenmp -L%omp_libs -Wl,-rpath,%omp_libs -Wall -Wextra -Werror -I%runtime %t/main.cpp -o %t/clang
// RUN: env OMP_NUM_THREADS=2 %t/clang > %t/got && cmp %t/want %t/got
// RUN: %clangxx -std=c++17 -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -I%runtime %t/main.cpp -o %t/san
// RUN: env ASAN_OPTIONS=detect_leaks=0 %t/san > %t/got && cmp %t/want %t/got
#include <cstdio>
#include <vector>

struct Box {
  int2 lo, hi;
};
struct Filter {
  int n, stride;
  float by;
  float w[2][4], c[4];
  const float *in;
  float *out;
  Box box;
};

// CHECK: static void filter_range(Filter f) {
// CHECK: for (int i = 0; i < f.n; ++i)
// CHECK-NEXT: f.out[i] = f.by * f.in[i] + f.w[0][i % 4] * f.w[1][3 - i % 4];
__global__ void filter(Filter f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < f.n)
    f.out[i] = f.by * f.in[i] + f.w[0][i % 4] * f.w[1][3 - i % 4];
}

// Copies and references of one that stays are the same thing.
__device__ float weigh(const float *w, float x) { return w[0] * x + w[3]; }
__device__ int width(const Box &b) { return b.hi.x - b.lo.x; }
__device__ float one(Filter g, int i) { return g.in[i] * g.by; }
// CHECK: static void copies_range(const Filter f, float4 v) {
// CHECK: f.box.hi.x - f.box.lo.x
__global__ void copies(const Filter f, float4 v) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const Filter g = f;
  if (i < g.n)
    g.out[i] = weigh(g.c, v.y) + one(f, i) + width(g.box) * v.w;
}

// CHECK: static void shift_range(dim3 grid, dim3 block, int2 by, int *x, int n) {
// CHECK: int by_x = by.x;
__global__ void shift(int2 by, int *x, int n) {
  by.x += blockIdx.x * blockDim.x + threadIdx.x;
  if (by.x < n)
    x[by.x] += by.y;
}

// A pointer of the parameter's and one beside it may lead to the same memory.
// CHECK: static void reverse_range(dim3 grid, dim3 block, Filter f, float *x) {
__global__ void reverse(Filter f, float *x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (2 * i < f.n)
    f.out[2 * i] = x[2 * i + 1];
}

// The object of a member function that changes nothing.
struct Put {
  double strike;
  __host__ __device__ double operator()(double s) const { return s < strike ? strike - s : 0; }
};
struct Nothing {
  __host__ __device__ double operator()(double s) const { return 3 * s; }
};
// CHECK: static void apply_range_Put(double *x, Put f, int n) {
// CHECK: f.strike - s
// CHECK: static void apply_range_Nothing(double *x, Nothing /*f*/, int n) {
template <typename F> __global__ void apply(double *x, F f, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] = f(x[i]);
}

// What stays as written.
// REMARK: kernel not raised: a thread changes its copy of 'f.c' [CR1026
// CHECK: a thread changes its copy of 'f.c'
__global__ void scratch(Filter f) {
  float *w = f.c;
  w[1] = threadIdx.x;
  f.out[threadIdx.x] = w[1];
}
// REMARK: kernel not raised: parameter 'f', of type 'Filter', is changed, and is more than scalars [CR1026
__global__ void moved(Filter f) {
  f.out += blockDim.x;
  f.out[threadIdx.x] = 1;
}
class Hidden {
  int value;

public:
  explicit Hidden(int value) : value(value) {}
  __host__ __device__ int get() const { return value; }
};
// REMARK: kernel not raised: 'value' is a private member, which no other function can name
__global__ void secret(Hidden h, int *x) { x[threadIdx.x] = h.get(); }
struct Odd {
  int bits : 3;
  volatile int moving;
  union {
    int u;
    float v;
  };
  struct {
    int s, t;
  };
  mutable int count;
  __device__ int next() const { return ++count; }
};
// Nothing changes what overlaps in it.
// REMARK: kernel raised to a map: x[t] = o.bits
__global__ void bits(Odd o, int *x) { x[threadIdx.x] = o.bits; }
// REMARK: kernel not raised: a volatile object is read
__global__ void moving(Odd o, int *x) { x[threadIdx.x] = o.moving; }
// REMARK: kernel raised to a map: x[t] = o.u
__global__ void either(Odd o, int *x) { x[threadIdx.x] = o.u + int(o.v); }
// REMARK: kernel raised to a map: x[t] = o.t
__global__ void unnamed(Odd o, int *x) { x[threadIdx.x] = o.t; }
// REMARK: kernel not raised: parameter 'o', of type 'Odd', is changed, and is more than scalars
__global__ void counts(Odd o, int *x) { x[threadIdx.x] = o.next() + o.next(); }

static void show(const char *name, const std::vector<float> &x) {
  unsigned sum = 0;
  for (float v : x)
    sum = sum * 31 + unsigned(int(v * 64));
  std::printf("%s %zu %u\n", name, x.size(), sum);
}
static void show(const char *name, const std::vector<int> &x) {
  unsigned sum = 0;
  for (int v : x)
    sum = sum * 31 + unsigned(v);
  std::printf("%s %zu %u\n", name, x.size(), sum);
}

static void run(int n, int blocks, int threads) {
  std::vector<float> in(n + 8), out(n + 8), x(n + 8);
  for (int i = 0; i < n + 8; ++i)
    in[i] = float(i % 13) / 4, out[i] = -1, x[i] = float(i % 7);
  Filter f = {n, 2, 0.5f, {{1, 2, 3, 4}, {5, 6, 7, 8}}, {2, 4, 6, 8}, in.data(), out.data(), {{1, 2}, {9, 4}}};
  filter<<<blocks, threads>>>(f);
  show("filter", out);
  copies<<<blocks, threads>>>(f, make_float4(1, 2, 3, 0.25f));
  show("copies", out);
  reverse<<<blocks, threads>>>(f, x.data());
  show("reverse", out);
  reverse<<<blocks, threads>>>(f, out.data());
  show("same", out);
  std::vector<int> ints(n + 8, 5);
  shift<<<blocks, threads>>>(make_int2(3, 9), ints.data(), n);
  show("shift", ints);
  std::vector<double> d(n + 8);
  for (int i = 0; i < n + 8; ++i)
    d[i] = i % 11;
  apply<Put><<<blocks, threads>>>(d.data(), Put{4.5}, n);
  apply<Nothing><<<blocks, threads>>>(d.data(), Nothing(), n);
  show("apply", std::vector<float>(d.begin(), d.end()));
}

int main() {
  for (int n : {0, 1, 2, 7, 64, 1000, 100000})
    for (int blocks : {1, 3, (n + 63) / 64, n / 64 + 2})
      if (blocks > 0)
        run(n, blocks, 64);
  float x[128], out[128];
  for (int i = 0; i < 128; ++i)
    x[i] = float(i), out[i] = 0;
  Filter f = {64, 1, 2, {{1, 2, 3, 4}, {5, 6, 7, 8}}, {2, 4, 6, 8}, x, out, {{0, 0}, {1, 1}}};
  int ints[64];
  scratch<<<1, 64>>>(f);
  std::printf("%g\n", out[63]);
  moved<<<1, 64>>>(f);
  std::printf("%g\n", out[127]);
  secret<<<1, 64>>>(Hidden(7), ints);
  std::printf("%d\n", ints[63]);
  Odd o = {};
  o.bits = -2, o.moving = 4, o.u = 6, o.t = 8, o.count = 10;
  bits<<<1, 64>>>(o, ints);
  std::printf("%d\n", ints[63]);
  moving<<<1, 64>>>(o, ints);
  std::printf("%d\n", ints[63]);
  either<<<1, 64>>>(o, ints);
  std::printf("%d\n", ints[63]);
  unnamed<<<1, 64>>>(o, ints);
  std::printf("%d\n", ints[63]);
  counts<<<1, 64>>>(o, ints);
  std::printf("%d\n", ints[63]);
}
