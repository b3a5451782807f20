// RUN: %everywhere %s %t
// Barriers, shared memory, and the indices of threads.
#include <raise/simt.h>

#include "Check.h"

#include <cmath>
#include <vector>

// ---- a tree in shared memory, with an atomic over the blocks ----

static void total_thread(const float *x, float *sum, int n) {
  auto &part = RAISE_SHARED(float[256]);
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  part[t] = i < n ? x[i] : 0.0f;
  __syncthreads();
  for (int s = blockDim.x / 2; s > 0; s >>= 1) {
    if (t < s)
      part[t] += part[t + s];
    __syncthreads();
  }
  if (t == 0)
    atomicAdd(sum, part[0]);
}
KERNEL(total, (dim3 grid, dim3 block, const float *x, float *sum, int n), (x, sum, n))

// ---- a prefix sum in dynamic shared memory; each thread changes its own copy of a parameter ----

static void scan_thread(const int *x, int *y, int n) {
  int *s = raise_simt::dynamicShared<int>();
  int t = threadIdx.x;
  x += blockIdx.x * n;
  y += blockIdx.x * n;
  s[t] = x[t];
  for (int d = 1; d < n; d *= 2) {
    __syncthreads();
    int v = t >= d ? s[t - d] : 0;
    __syncthreads();
    s[t] += v;
  }
  y[t] = s[t];
}
KERNEL(scan, (dim3 grid, dim3 block, const int *x, int *y, int n), (x, y, n))

// ---- threads that leave before the barrier ----

static void leave_thread(int *out, int n) {
  auto &s = RAISE_SHARED(int[64]);
  int t = threadIdx.x;
  if (t >= n)
    return;
  s[t] = t;
  __syncthreads();
  out[t] = s[n - 1 - t];
}
KERNEL(leave, (dim3 grid, dim3 block, int *out, int n), (out, n))

// ---- barriers with a predicate ----

static void votes_thread(int *count, int *all, int *any) {
  int t = threadIdx.x;
  for (int limit = 0; limit <= 70; limit += 35) {
    int c = __syncthreads_count(t < limit);
    int a = __syncthreads_and(t < limit);
    int o = __syncthreads_or(t < limit);
    if (t == 69) {
      count[limit / 35] = c;
      all[limit / 35] = a;
      any[limit / 35] = o;
    }
  }
}
KERNEL(votes, (dim3 grid, dim3 block, int *count, int *all, int *any), (count, all, any))

// ---- shared memory holds ones when a block starts, and every instantiation has its own ----

template <class T> static T &cell() {
  auto &c = RAISE_SHARED(T);
  return c;
}
static void fresh_thread(int *first, float *second) {
  auto &a = RAISE_SHARED(int);
  auto &b = RAISE_SHARED(int);
  int *dynamic = raise_simt::dynamicShared<int>();
  if (threadIdx.x == 0) {
    first[blockIdx.x] = a + b + cell<int>() + dynamic[3];
    second[blockIdx.x] = cell<float>();
    a = 1;
    b = 2;
    cell<int>() = 3;
    cell<float>() = 4;
    dynamic[3] = 5;
    first[blockIdx.x] += 10 * (a == 1 && b == 2 && cell<int>() == 3 && cell<float>() == 4.0f);
  }
}
KERNEL(fresh, (dim3 grid, dim3 block, int *first, float *second), (first, second))

// ---- the indices ----

static void indices_thread(int *out) {
  int block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  int thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  out[block * (int)(blockDim.x * blockDim.y * blockDim.z) + thread] += 1 + thread;
}
KERNEL(indices, (dim3 grid, dim3 block, int *out), (out))

int main() {
  using namespace raise_simt;
  for (Order O : {Order::Ascending, Order::Descending, Order::Random}) {
    setOrder(O, 3);
    std::vector<float> x(1000, 0.5f);
    float sum = 1;
    total(4, 256, x.data(), &sum, 1000);
    CHECK(sum == 501.0f);

    std::vector<int> in(3 * 128, 1), out(3 * 128);
    raise::configure(128 * sizeof(int)), scan(3, 128, in.data(), out.data(), 128);
    for (int i = 0; i < 3 * 128; ++i)
      CHECK(out[i] == i % 128 + 1);

    std::vector<int> left(64, -5);
    leave(1, 64, left.data(), 40);
    for (int i = 0; i < 64; ++i)
      CHECK(left[i] == (i < 40 ? 39 - i : -5));

    int count[3], all[3], any[3];
    votes(1, 70, count, all, any);
    CHECK(count[0] == 0 && count[1] == 35 && count[2] == 70);
    CHECK(!all[0] && !all[1] && all[2]);
    CHECK(!any[0] && any[1] && any[2]);

    int first[3];
    float second[3];
    raise::configure(16), fresh(3, 33, first, second);
    for (int i = 0; i < 3; ++i) {
      CHECK(first[i] == -4 + 10);
      CHECK(std::isnan(second[i]));
    }

    std::vector<int> seen(2 * 3 * 4 * 30);
    indices(dim3(2, 3, 4), dim3(5, 3, 2), seen.data());
    for (int i = 0; i < (int)seen.size(); ++i)
      CHECK(seen[i] == 1 + i % 30);
  }
  return Failures != 0;
}
