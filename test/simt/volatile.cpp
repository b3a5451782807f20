// RUN: %everywhere %s %t
// Volatile accesses as switch points: warp-synchronous code, flags, and the value of each operator.
#include <raise/simt.h>

#include "Check.h"

#include <vector>

using raise_simt::vol;
using raise_simt::volatileLoad;
using raise_simt::volatileStore;

// The last warp of a reduction without a barrier, as many programs have it.
static void reduce_thread(const int *x, int *sum) {
  auto &s = RAISE_SHARED(int[128]);
  unsigned t = threadIdx.x;
  s[t] = x[blockIdx.x * 128 + t] + x[blockIdx.x * 128 + t + 64];
  __syncthreads();
  if (t < 32) {
    volatile int *v = s;
    vol(v[t]) += volatileLoad(v[t + 32]);
    vol(v[t]) += volatileLoad(v[t + 16]);
    vol(v[t]) += volatileLoad(v[t + 8]);
    vol(v[t]) += volatileLoad(v[t + 4]);
    vol(v[t]) += volatileLoad(v[t + 2]);
    vol(v[t]) += volatileLoad(v[t + 1]);
  }
  if (t == 0)
    sum[blockIdx.x] = s[0];
}
KERNEL(reduce, (dim3 grid, dim3 block, const int *x, int *sum), (x, sum))

// One warp waits for another through a flag.
static void flag_thread(int *data, volatile int *flag, int *seen) {
  if (threadIdx.x == 40) {
    *data = 5;
    __threadfence();
    volatileStore(*flag, 1);
  } else if (threadIdx.x < 32) {
    while (volatileLoad(*flag) == 0)
      ;
    seen[threadIdx.x] = *data;
  }
}
KERNEL(flag, (dim3 grid, dim3 block, int *data, volatile int *flag, int *seen), (data, flag, seen))

static void checkOperators() {
  volatile unsigned char c = 250;
  CHECK((vol(c) += 10) == 4 && c == 4);
  CHECK(vol(c)-- == 4 && --vol(c) == 2 && vol(c)++ == 2 && ++vol(c) == 4);
  CHECK((vol(c) <<= 3) == 32 && (vol(c) |= 1) == 33 && (vol(c) %= 10) == 3 && (vol(c) = 300 - 100) == 200);
  CHECK(volatileStore(c, 7) == 7 && volatileLoad(c) == 7);
  volatile float f = 1.5f;
  CHECK((vol(f) *= 2.0) == 3.0f && (vol(f) /= 2) == 1.5f && (vol(f) -= 0.5f) == 1.0f);
  int target = 3;
  int *volatile p = nullptr;
  CHECK(volatileStore(p, &target) == &target && volatileLoad(p) == &target && volatileStore(p, nullptr) == nullptr);
}

int main() {
  using namespace raise_simt;
  for (Order O : {Order::Ascending, Order::Descending, Order::Random}) {
    setOrder(O, 2);
    std::vector<int> x(3 * 128);
    for (int i = 0; i < 3 * 128; ++i)
      x[i] = i * i % 91;
    int sum[3];
    reduce(3, 64, x.data(), sum);
    for (int b = 0; b < 3; ++b) {
      int expected = 0;
      for (int i = 0; i < 128; ++i)
        expected += x[b * 128 + i];
      CHECK(sum[b] == expected);
    }
    int data = 0, seen[32];
    volatile int ready = 0;
    flag(1, 64, &data, &ready, seen);
    for (int s : seen)
      CHECK(s == 5);
  }
  checkOperators();
  return Failures != 0;
}
