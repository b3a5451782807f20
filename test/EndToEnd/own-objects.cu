// Objects with arrays that kernels declare, their constructors, and objects that only carry bytes from memory to memory.
// RUN: rm -rf %t && mkdir -p %t
// RUN: %clang_raise rewrite %s -o %t/own.cpp -- -O2 2> %t/err
// RUN: FileCheck %s < %t/own.cpp
// RUN: FileCheck %s --check-prefix=REMARK < %t/err
// RUN: %gxx -std=c++17 -O2 -fopenmp -Wall -Wextra -Werror -Wno-sequence-point -I%runtime %t/own.cpp -o %t/gcc && env OMP_NUM_THREADS=2 %t/gcc
// RUN: %clangxx -std=c++17 -O2 -fopenmp -L%omp_libs -Wl,-rpath,%omp_libs -Wall -Wextra -Werror -Wno-unsequenced -Wno-unused-value -I%runtime %t/own.cpp -o %t/clang && env OMP_NUM_THREADS=2 %t/clang
// RUN: %clangxx -std=c++17 -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -I%runtime %t/own.cpp -o %t/san && env ASAN_OPTIONS=detect_leaks=0 %t/san
// RUN: %clang_raise grad --function=square %s -o %t/adjoint.cpp --
// RUN: FileCheck %s --check-prefix=ADJOINT < %t/adjoint.cpp
// RUN: %gxx -std=c++17 -O2 -fopenmp -Wall -Wextra -Werror -I%runtime -I%t %S/Inputs/own-objects-main.cpp %t/adjoint.cpp -o %t/grad && env OMP_NUM_THREADS=2 %t/grad
#include <cuda_bf16.h>
#include <cuda_runtime.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// Sixteen bytes at a time.
template <typename T> struct alignas(16) Pack {
  static constexpr int size = sizeof(int4) / sizeof(T);
  T values[size];
  Pack() = default;
  __device__ explicit Pack(int4 bits) {
    static_assert(sizeof(bits) == sizeof(values), "the same size");
    memcpy(&values, &bits, sizeof(bits));
  }
  __device__ static Pack constant(T value) {
    Pack made;
    for (int k = 0; k < size; ++k)
      made.values[k] = value;
    return made;
  }
  __device__ T &operator[](int k) { return values[k]; }
  __device__ const T &operator[](int k) const { return values[k]; }
  __device__ int4 bits() const {
    int4 all;
    memcpy(&all, &values, sizeof(all));
    return all;
  }
};
template <typename T> __device__ Pack<T> get(const T *from) {
  return Pack<T>{*reinterpret_cast<const int4 *>(from)};
}
template <typename T> __device__ Pack<T> getOnce(const T *from) {
  return Pack<T>{__ldcs(reinterpret_cast<const int4 *>(from))};
}
template <typename T> __device__ void put(T *to, Pack<T> value) {
  *reinterpret_cast<int4 *>(to) = value.bits();
}
template <typename T> __device__ void putOnce(T *to, Pack<T> value) {
  __stcs(reinterpret_cast<int4 *>(to), value.bits());
}

// CHECK-LABEL: static void square_range(
// CHECK: float in_values[4];
// CHECK: in_values[{{.*}}] = x[{{.*}}i + {{.*}}];
// CHECK: for (int k = 0; k < Pack<float>::size; ++k)
// CHECK-NEXT: out_values[k] = in_values[k] * in_values[k];
// CHECK: y[{{.*}}i + {{.*}}] = out_values[{{.*}}];
// REMARK: [[#@LINE+4]]:17: remark: kernel raised
// ADJOINT: void square_adjoint(dim3 grid, dim3 block, float *y, const float *x, int n,
// ADJOINT: float in_values_adj[4];
// ADJOINT: x_adj[{{.*}}] +=
__global__ void square(float *y, const float *x, int n) {
  int i = (blockIdx.x * blockDim.x + threadIdx.x) * Pack<float>::size;
  if (i < n) {
    Pack<float> in = getOnce(x + i), out;
    for (int k = 0; k < in.size; ++k)
      out[k] = in[k] * in[k];
    put(y + i, out);
  }
}

// REMARK: [[#@LINE+1]]:17: remark: kernel raised
__global__ void bfloat(__nv_bfloat16 *y, const __nv_bfloat16 *x, int n) {
  int i = (blockIdx.x * blockDim.x + threadIdx.x) * 8;
  if (i < n) {
    auto sum = Pack<__nv_bfloat16>::constant(1), in = get(x + i);
    for (int k = 0; k < 8; ++k)
      sum[k] = (__nv_bfloat16)((float)sum[k] + (float)in[k] / 3);
    putOnce(y + i, sum);
  }
}

// REMARK: [[#@LINE+1]]:17: remark: kernel raised
__global__ void copy(double *to, const double *from, int n) {
  int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n)
    *reinterpret_cast<int4 *>(to + i) = *reinterpret_cast<const int4 *>(from + i);
}

// Members that begin with values, objects inside others, rows, and what keeps its value from one round to the next.
struct Point {
  float x, y;
  Point() = default;
  __device__ Point(float all) : x(all), y(2 * all) {}
};
struct Table {
  int used = 3;
  Point at;
  int rows[2][3] = {{1, 2, 3}, {4}};
  __device__ Table(float where) : at(where) { rows[1][2] = used; }
  __device__ int sum() const {
    int all = 0;
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < used; ++j)
        all += rows[i][j];
    return all;
  }
};
__device__ Table later(Table t, int by) {
  t.rows[0][0] += by;
  if (by > 2)
    return t;
  Table other(-1.0f);
  other.used = 2;
  return other;
}
__device__ Point swapped(Point p) { return p.x > p.y ? p : Point{p.y}; }
// REMARK: [[#@LINE+1]]:17: remark: kernel raised
__global__ void members(float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  Table first((float)i);
  Table second = later(first, i);
  first = second;
  second.rows[1][1] = 100;
  Point zero{}, best = swapped(first.at);
  y[i] = first.sum() + 1000 * second.sum() + first.at.y + zero.x + best.x;
}
static float wantedMember(int i) {
  const bool Same = i > 2;
  const float x = Same ? i : -1, y = 2 * x;
  const int used = Same ? 3 : 2;
  int rows[2][3] = {{1 + (Same ? i : 0), 2, 3}, {4, 0, 3}}, one = 0, two = 0;
  for (int r = 0; r < 2; ++r)
    for (int c = 0; c < used; ++c) {
      one += rows[r][c];
      two += r == 1 && c == 1 ? 100 : rows[r][c];
    }
  return one + 1000 * two + y + (x > y ? x : y);
}

// Objects in memory, whole.
struct Cell {
  float v[3];
  int tag;
};
// REMARK: [[#@LINE+1]]:17: remark: kernel raised
__global__ void cells(Cell *to, const Cell *from, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    Cell c = from[i];
    c.v[1] = c.v[0] + c.v[2];
    c.tag += 1;
    to[i] = c;
  }
}

// The same by subscripts, by a variable, and with a tail.
// REMARK: [[#@LINE+1]]:17: remark: kernel raised
__global__ void spelled(float *to, const float *from, int n) {
  for (int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x); i < n; i += 4 * gridDim.x * blockDim.x) {
    if (i + 3 < n) {
      int4 v = *(const int4 *)(from + i);
      *(int4 *)(to + i) = v;
    } else {
      for (int k = i; k < n; ++k)
        to[k] = from[k];
    }
  }
}
// REMARK: [[#@LINE+1]]:17: remark: kernel raised
__global__ void subscripts(float *to, const float *from) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  ((int4 *)to)[i] = ((const int4 *)from)[i];
}

// A number that has a name outside of functions is that number.
constexpr int Tile = 8;
static const int Halo = 1;
// REMARK: [[#@LINE+1]]:17: remark: kernel raised
__global__ void tiles(float *y, const float *x, int n) {
  __shared__ float part[Tile + 2 * Halo];
  int t = threadIdx.x, i = blockIdx.x * Tile + t;
  part[t + Halo] = i < n ? x[i] : 0;
  if (t < Halo)
    part[t] = i > 0 && i - 1 < n ? x[i - 1] : 0;
  if (t >= Tile - Halo)
    part[t + 2 * Halo] = i + 1 < n ? x[i + 1] : 0;
  __syncthreads();
  if (i < n)
    y[i] = part[t] + part[t + Halo] + part[t + 2 * Halo];
}

// The bytes are those that were there when they were taken: what is between is refused.
__device__ int4 taken(const float *from) {
  int4 bits;
  memcpy(&bits, from, sizeof(bits));
  return bits;
}
__device__ void keep(float *to, int4 bits) {
  to[0] = -1;
  memcpy(to, &bits, sizeof(bits));
}
// REMARK: [[#@LINE+1]]:17: remark: kernel not raised: the bytes of '&bits' are not those of one array here
__global__ void early(float *x) { keep(x + 4 * threadIdx.x, taken(x + 4 * threadIdx.x)); }
// REMARK: [[#@LINE+1]]:17: remark: kernel not raised: bytes of 'x' become others of 'y'
__global__ void others(int *y, const float *x) {
  *reinterpret_cast<double2 *>(y + 4 * threadIdx.x) = *reinterpret_cast<const double2 *>(x + 4 * threadIdx.x);
}
// What is copied into a parameter is changed by another name.
__device__ float both(const Cell c, float *v) {
  v[0] = 7;
  return c.v[0];
}
// REMARK: [[#@LINE+1]]:17: remark: kernel not raised: what is copied into parameter 'c' is changed in the call by another name
__global__ void aliased(float *y) {
  Cell c;
  c.v[0] = threadIdx.x;
  y[threadIdx.x] = both(c, c.v);
}

// Bytes that are read before others of them are written; under a condition they would be one of two.
__global__ void overlapping(int *p) {
  int *q = p + 8 * threadIdx.x;
  int4 bits;
  memcpy(&bits, q, sizeof(bits));
  memcpy(q + 1, &bits, sizeof(bits));
}
// REMARK: [[#@LINE+1]]:17: remark: kernel not raised
__global__ void either(int *to, const int *from) {
  unsigned t = threadIdx.x;
  int4 bits;
  memcpy(&bits, from, sizeof(bits));
  (t & 1) && (memcpy(&bits, from + 4, sizeof(bits)), true);
  memcpy(to + 4 * t, &bits, sizeof(bits));
}

// What is evaluated first: elements in their order, the right side before the left.
struct Row {
  int v[4];
};
struct Two {
  int x, y;
};
// REMARK: [[#@LINE+1]]:17: remark: kernel raised
__global__ void order(int *y, Row *rows, Two *twos) {
  int t = threadIdx.x, k = t;
  Row r{{k, k++, k++, k}};
  Two two{k, k++};
  int plain[2] = {k, k++};
  y[t] = r.v[0] * 10000 + r.v[1] * 1000 + r.v[2] * 100 + r.v[3] * 10 + (two.y - two.x) + (plain[1] - plain[0]);
  int at = 2 * t;
  rows[at++] = rows[at];
  at = 2 * t;
  twos[at++] = twos[at];
}

// A member's own initialiser speaks of the object that begins, also inside of another one's function.
struct Defaults {
  int n = 3;
  int m = n + 1;
  int a[2] = {n, m};
  __device__ int other() const {
    Defaults d{9};
    return d.a[0] * 100 + d.a[1] + n;
  }
};
// Names that are private, and enumerations, which begin as zero.
enum Colour { Red, Green };
class Hidden {
  static constexpr int Count = 2;
  using Number = int;
  Number v[Count];

public:
  Colour colours[3];
  __device__ Hidden(int x) : v{x, 2 * x}, colours{} { colours[1] = Green; }
  __device__ int sum() const {
    int all = 0;
    for (int i = 0; i < Count; ++i)
      all += v[i];
    return all + 10 * colours[0] + 100 * colours[1];
  }
};
// REMARK: [[#@LINE+1]]:17: remark: kernel raised
__global__ void inside(int *y) {
  int t = threadIdx.x;
  Defaults d;
  Hidden h(t);
  y[t] = d.other() * 1000 + h.sum();
}

static int Bad;
static void expect(const char *what, int i, double is, double want) {
  if (is == want)
    return;
  printf("%s %d: %g, not %g\n", what, i, is, want);
  ++Bad;
}
int main() {
  const int n = 1024;
  float *x, *y;
  __nv_bfloat16 *bx, *by;
  double *dx, *dy;
  Cell *cx, *cy;
  cudaMallocManaged(&x, n * sizeof *x);
  cudaMallocManaged(&y, n * sizeof *y);
  cudaMallocManaged(&bx, n * sizeof *bx);
  cudaMallocManaged(&by, n * sizeof *by);
  cudaMallocManaged(&dx, n * sizeof *dx);
  cudaMallocManaged(&dy, n * sizeof *dy);
  cudaMallocManaged(&cx, n * sizeof *cx);
  cudaMallocManaged(&cy, n * sizeof *cy);
  for (int i = 0; i < n; ++i) {
    x[i] = i * 0.5f;
    bx[i] = (__nv_bfloat16)(float)(i % 50);
    dx[i] = i / 3.0;
    cx[i] = {{1.0f * i, 5, 2}, i};
  }
  square<<<n / 4 / 64, 64>>>(y, x, n);
  bfloat<<<n / 8 / 64, 64>>>(by, bx, n);
  copy<<<n / 2 / 64, 64>>>(dy, dx, n);
  cells<<<n / 64, 64>>>(cy, cx, n);
  cudaDeviceSynchronize();
  for (int i = 0; i < n; ++i) {
    expect("square", i, y[i], x[i] * x[i]);
    expect("bfloat", i, (float)by[i], (float)(__nv_bfloat16)(1 + (float)(i % 50) / 3));
    expect("copy", i, dy[i], dx[i]);
    expect("cells", i, cy[i].v[1] + cy[i].tag, i + 2 + i + 1);
  }
  spelled<<<3, 64>>>(y, x, n - 1);
  cudaDeviceSynchronize();
  for (int i = 0; i < n - 1; ++i)
    expect("spelled", i, y[i], x[i]);
  subscripts<<<n / 4 / 64, 64>>>(y, x + 0);
  cudaDeviceSynchronize();
  for (int i = 0; i < n; ++i)
    expect("subscripts", i, y[i], x[i]);
  tiles<<<(n + Tile - 1) / Tile, Tile>>>(y, x, n);
  cudaDeviceSynchronize();
  for (int i = 0; i < n; ++i)
    expect("tiles", i, y[i], (i ? x[i - 1] : 0) + x[i] + (i + 1 < n ? x[i + 1] : 0));
  members<<<n / 64, 64>>>(y, n);
  cudaDeviceSynchronize();
  for (int i = 0; i < n; ++i)
    expect("members", i, y[i], wantedMember(i));
  for (int i = 0; i < 16; ++i)
    x[i] = i;
  early<<<1, 4>>>(x);
  others<<<1, 4>>>((int *)y, x);
  cudaDeviceSynchronize();
  for (int i = 0; i < 16; ++i) {
    expect("early", i, x[i], i);
    expect("others", i, y[i], i);
  }
  aliased<<<1, 4>>>(y);
  cudaDeviceSynchronize();
  for (int i = 0; i < 4; ++i)
    expect("aliased", i, y[i], i);
  int *iy = (int *)y, *ix = (int *)x;
  for (int i = 0; i < 32; ++i)
    ix[i] = i;
  overlapping<<<1, 4>>>(ix);
  cudaDeviceSynchronize();
  for (int i = 0; i < 32; ++i)
    expect("overlapping", i, ix[i], i % 8 >= 1 && i % 8 <= 4 ? i - 1 : i);
  for (int i = 0; i < 8; ++i)
    ix[i] = i;
  either<<<1, 4>>>(iy, ix);
  cudaDeviceSynchronize();
  for (int i = 0; i < 16; ++i)
    expect("either", i, iy[i], i % 4 + (i / 4 % 2 ? 4 : 0));
  Row *rows;
  Two *twos;
  cudaMallocManaged(&rows, 16 * sizeof *rows);
  cudaMallocManaged(&twos, 16 * sizeof *twos);
  for (int i = 0; i < 16; ++i) {
    rows[i] = {{i, i, i, i}};
    twos[i] = {i, i};
  }
  order<<<1, 4>>>(iy, rows, twos);
  inside<<<1, 4>>>(iy + 4);
  cudaDeviceSynchronize();
  for (int i = 0; i < 4; ++i) {
    expect("order", i, iy[i], i * 10000 + i * 1000 + (i + 1) * 100 + (i + 2) * 10);
    expect("inside", i, iy[i + 4], (9 * 100 + 10 + 3) * 1000 + 3 * i + 100);
  }
  for (int i = 0; i < 16; ++i)
    expect("sides", i, rows[i].v[1] + twos[i].y, 2 * i);
  return Bad != 0;
}
