// RUN: %everywhere %s %t
// Atomics with their exact meaning, locks and flags inside a block, and the last block.
#include <raise/simt.h>

#include "Check.h"

#include <algorithm>
#include <numeric>
#include <vector>

static void all_thread(int *i, unsigned *u, unsigned long long *l, float *f, double *d) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&i[0], t);
  atomicSub(&i[1], t);
  atomicMin(&i[2], t - 50);
  atomicMax_block(&i[3], t);
  atomicXor(&i[4], t);
  atomicInc(&u[0], 6u);
  atomicDec(&u[1], 6u);
  atomicOr(&u[2], 1u << t % 32);
  atomicAnd_system(&u[3], ~(1u << t % 5));
  atomicAdd(&l[0], 1ull << 33);
  atomicMax(&l[1], (unsigned long long)t << 40);
  atomicAdd(f, 0.5f);
  atomicAdd_system(d, 0.25);
}
KERNEL(all, (dim3 grid, dim3 block, int *i, unsigned *u, unsigned long long *l, float *f, double *d), (i, u, l, f, d))

static void checkAll() {
  int i[5] = {0, 0, 0, 0, 0};
  unsigned u[4] = {0, 3, 0, ~0u};
  unsigned long long l[2] = {0, 0};
  float f = 0;
  double d = 0;
  all(2, 50, i, u, l, &f, &d);
  CHECK(i[0] == 4950 && i[1] == -4950 && i[2] == -50 && i[3] == 99 && i[4] == 0);
  CHECK(u[0] == 100 % 7); // counts 0 … 6 and wraps
  CHECK(u[1] == (3 + 7 * 100 - 100) % 7);
  CHECK(u[2] == ~0u && u[3] == (~0u & ~31u));
  CHECK(l[0] == 100ull << 33 && l[1] == 99ull << 40);
  CHECK(f == 50.0f && d == 25.0);
}

// A maximum of floats by compare and swap, and places in a queue.
static void queue_thread(const float *x, float *top, int *queue, int *length, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int *bits = reinterpret_cast<int *>(top), old = atomicCAS(bits, 0, 0), seen;
  do {
    seen = old;
    if (__int_as_float(seen) >= x[t])
      break;
    old = atomicCAS(bits, seen, __float_as_int(x[t]));
  } while (old != seen);
  if (t % 3 == 0)
    queue[atomicAdd(length, 1)] = t;
}
KERNEL(queue, (dim3 grid, dim3 block, const float *x, float *top, int *queue, int *length, int n),
       (x, top, queue, length, n))

static std::vector<int> checkQueue() {
  std::vector<float> x(100);
  for (int i = 0; i < 100; ++i)
    x[i] = (float)(i * 37 % 100);
  std::vector<int> q(34, -1);
  float top = 0;
  int length = 0;
  queue(4, 32, x.data(), &top, q.data(), &length, 100);
  CHECK(top == 99.0f && length == 34);
  std::vector<int> sorted = q;
  std::sort(sorted.begin(), sorted.end());
  for (int i = 0; i < 34; ++i)
    CHECK(sorted[i] == 3 * i);
  return q;
}

// A lock inside a block, taken by all threads in turn, in one warp and over several.
static void lock_thread(int *lock, int *count) {
  for (bool done = false; !done;)
    if (atomicExch(lock, 1) == 0) {
      int c = *count;
      __threadfence();
      *count = c + 1;
      __threadfence();
      atomicExch(lock, 0);
      done = true;
    }
}
KERNEL(lock, (dim3 grid, dim3 block, int *lock, int *count), (lock, count))

// The block that finishes last adds up what the others left.
static void last_thread(const int *x, int *partial, unsigned *ticket, int *sum) {
  auto &isLast = RAISE_SHARED(bool);
  auto &s = RAISE_SHARED(int);
  if (threadIdx.x == 0)
    s = 0;
  __syncthreads();
  atomicAdd(&s, x[blockIdx.x * blockDim.x + threadIdx.x]);
  __syncthreads();
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = s;
    __threadfence();
    isLast = atomicInc(ticket, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (isLast && threadIdx.x == 0) {
    *sum = 0;
    for (unsigned b = 0; b < gridDim.x; ++b)
      *sum += partial[b];
  }
}
KERNEL(last, (dim3 grid, dim3 block, const int *x, int *partial, unsigned *ticket, int *sum), (x, partial, ticket, sum))

int main() {
  using namespace raise_simt;
  std::vector<std::vector<int>> queues;
  for (Order O : {Order::Ascending, Order::Descending, Order::Random}) {
    setOrder(O, 5);
    checkAll();
    queues.push_back(checkQueue());

    int held = 0, count = 0;
    lock(1, 80, &held, &count);
    CHECK(held == 0 && count == 80);

    std::vector<int> x(7 * 40), partial(7);
    std::iota(x.begin(), x.end(), 0);
    unsigned ticket = 0;
    int sum = -1;
    last(7, 40, x.data(), partial.data(), &ticket, &sum);
    CHECK(sum == 280 * 279 / 2 && ticket == 0);
  }
  // The order of a queue is the order of threads.
  CHECK(queues[0] != queues[1] && queues[0] != queues[2] && queues[1] != queues[2]);

  // Outside a kernel an atomic is just that.
  int outside = 1;
  CHECK(atomicAdd(&outside, 2) == 1 && outside == 3);
  return Failures != 0;
}
