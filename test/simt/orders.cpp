// RUN: %everywhere %s %t
// RUN: env RAISE_SIMT_ORDER=descending %t print | FileCheck %s --check-prefix=DESCENDING
// RUN: env RAISE_SIMT_ORDER=ascending %t print | FileCheck %s --check-prefix=ASCENDING
// RUN: not env RAISE_SIMT_ORDER=sideways %t print 2>&1 | FileCheck %s --check-prefix=WRONG
// DESCENDING: last writer 0
// ASCENDING: last writer 199
// WRONG: RAISE_SIMT_ORDER=sideways is not a value of this variable
//
// A racy kernel shows the order of threads, a correct one does not.
#include <raise/simt.h>

#include "Check.h"

#include <set>
#include <vector>

static void racy_thread(int *out) { *out = blockIdx.x * blockDim.x + threadIdx.x; }
KERNEL(racy, (dim3 grid, dim3 block, int *out), (out))

// Every thread appends to a trace before and after a barrier.
static void trace_thread(int *trace, int *length) {
  trace[(*length)++] = blockIdx.x * blockDim.x + threadIdx.x;
  __syncthreads();
  trace[(*length)++] = blockIdx.x * blockDim.x + threadIdx.x;
}
KERNEL(trace, (dim3 grid, dim3 block, int *out, int *length), (out, length))

static std::vector<int> traceOf(raise_simt::Order O, uint64_t Seed) {
  raise_simt::setOrder(O, Seed);
  std::vector<int> T(2 * 3 * 70);
  int Length = 0;
  trace(3, 70, T.data(), &Length);
  CHECK(Length == (int)T.size());
  // Whatever the order, both halves of a block's part name each of its threads once.
  for (int B = 0; B < 3; ++B)
    for (int Half = 0; Half < 2; ++Half) {
      std::set<int> Names(T.begin() + (2 * B + Half) * 70, T.begin() + (2 * B + Half + 1) * 70);
      CHECK(Names.size() == 70 && *Names.rbegin() - *Names.begin() == 69);
    }
  return T;
}

int main(int argc, char **) {
  using raise_simt::Order;
  if (argc > 1) {
    int writer = -1;
    racy(2, 100, &writer);
    std::printf("last writer %d\n", writer);
    return 0;
  }
  std::vector<int> Up = traceOf(Order::Ascending, 1), Down = traceOf(Order::Descending, 1);
  CHECK(Up[0] == 0 && Up[69] == 69 && Up[70] == 0 && Up.back() == 209);
  CHECK(Down[0] == 209 && Down[69] == 140 && Down.back() == 0);
  std::vector<int> Random = traceOf(Order::Random, 9);
  CHECK(Random != Up && Random != Down);
  CHECK(traceOf(Order::Random, 9) == Random);
  CHECK(traceOf(Order::Random, 10) != Random);
  return Failures != 0;
}
