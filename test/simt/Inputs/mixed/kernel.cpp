// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
extern "C" {
#include "mixed.h"
}

#include <raise/simt.h>

dim3 sizeFor(size_t n) {
  dim3 d((n + 3) / 4, 1);
  return d;
}
static void twice_thread(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] *= 2;
}
void twice(float *x, int n) {
  dim3 grid = sizeFor(n), block = 4;
  if (!raise::beginLaunch(grid, block))
    return;
  raise_simt::launch(grid, block, raise::launchSharedBytes(), [&] { twice_thread(x, n); }, "twice");
}
cudaError_t lastError() { return cudaGetLastError(); }
