// RUN: %everywhere %s %t
// RUN: %clangxx -std=c++17 -O1 -g -fsanitize=thread -I%runtime -I%S/Inputs %s -o %t.tsan && %t.tsan
// RUN: %gxx -std=c++17 -O2 -fopenmp -Wall -Wextra -Werror -I%runtime -I%S/Inputs %s -o %t.omp && %t.omp
// Several host threads launch at once: each has its own executor, shared memory and errors, and atomics hold between them.
#include <raise/simt.h>

#include "Check.h"

#include <thread>
#include <vector>

static void sums_thread(unsigned *total, int who, int *wrong) {
  auto &part = RAISE_SHARED(int[96]);
  int t = threadIdx.x;
  part[t] = who + t;
  __syncthreads();
  if (part[95 - t] != who + 95 - t)
    atomicAdd(wrong, 1);
  atomicAdd(total, 1u);
  int v = __shfl_xor_sync(0xffffffffu, who, 1);
  if (v != who)
    atomicAdd(wrong, 1);
}
KERNEL(sums, (dim3 grid, dim3 block, unsigned *total, int who, int *wrong), (total, who, wrong))

int main() {
  unsigned total = 0;
  int wrong = 0;
  std::vector<int> errors(4);
  std::vector<std::thread> hosts;
  for (int h = 0; h < 4; ++h)
    hosts.emplace_back([&, h] {
      raise_simt::setOrder(h % 2 ? raise_simt::Order::Random : raise_simt::Order::Descending, (uint64_t)h);
      for (int i = 0; i < 20; ++i)
        sums(5, 96, &total, 1000 * h, &wrong);
      sums(h, 96, &total, 0, &wrong); // an error for the first only
      errors[h] = cudaGetLastError();
    });
  for (std::thread &T : hosts)
    T.join();
  CHECK(total == (4 * 20 * 5 + 1 + 2 + 3) * 96 && wrong == 0);
  CHECK(errors[0] == cudaErrorInvalidConfiguration && !errors[1] && !errors[2] && !errors[3]);
  return Failures != 0;
}
