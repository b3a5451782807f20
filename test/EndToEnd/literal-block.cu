// A kernel that writes its block size as a number is raised for launches of that
// size; any other launch runs as written.
//
// RUN: %clang_raise rewrite %s -o %t.cpp --verify -- -O2 2> %t.err
// RUN: FileCheck %s --check-prefix=REMARK < %t.err
// RUN: FileCheck %s < %t.cpp
// RUN: %gxx -std=c++17 -O2 -fopenmp -Wall -Wextra -Werror -I%runtime %t.cpp -o %t.gcc
// RUN: %t.gcc
// RUN: %clangxx -std=c++17 -O2 -fopenmp -L%omp_libs -Wl,-rpath,%omp_libs -Wall -Wextra -Werror -I%runtime %t.cpp -o %t.clang
// RUN: %t.clang

// REMARK: kernel raised to a map: y[i] = x[i]·x[i],  0 ≤ i < n; verification passed
// CHECK: static void square_range(
// CHECK: void square(
// CHECK: block.x == 16
// CHECK: square_range(y, x, n);
__global__ void square(float *y, const float *x, int n) {
  int i = blockIdx.x * 16 + threadIdx.x;
  if (i < n)
    y[i] = x[i] * x[i];
}

// REMARK: kernel raised to a {{.*}}y[j,i] = x[j,i] + 1{{.*}}; verification passed
// CHECK: void plane(
// CHECK: block.x == 8 && block.y == 4
// CHECK: plane_range(y, x, w, h);
__global__ void plane(float *y, const float *x, int w, int h) {
  int i = blockIdx.x * 8 + threadIdx.x, j = 4 * blockIdx.y + threadIdx.y;
  if (i < w && j < h)
    y[j * w + i] = x[j * w + i] + 1;
}

// Two numbers are no block size. Threads of blocks above 16 race: what is
// written then is one thread's value, as CUDA has it.
// CHECK: static void two_sizes_range(dim3 grid, dim3 block, float *y, int n) {
// CHECK: int i = b * (unsigned int)16 + t;
// CHECK: static void two_sizes_thread(
__global__ void two_sizes(float *y, int n) {
  int i = blockIdx.x * 16 + threadIdx.x, j = blockIdx.x * 32 + threadIdx.x;
  if (i < n && j < n)
    y[i] = j;
}

int main() {
  float x[70], y[70], z[70];
  for (int Threads : {16, 8, 24}) { // 8 leaves gaps, 24 does elements twice
    for (int k = 0; k < 70; ++k) {
      x[k] = k;
      y[k] = z[k] = -1;
    }
    int Blocks = 4;
    square<<<Blocks, Threads>>>(y, x, 60);
    for (int b = 0; b < Blocks; ++b)
      for (int t = 0; t < Threads; ++t)
        if (16 * b + t < 60)
          z[16 * b + t] = float(16 * b + t) * (16 * b + t);
    for (int k = 0; k < 70; ++k)
      if (y[k] != z[k])
        return 1;
  }
  plane<<<dim3(2, 3), dim3(8, 4)>>>(y, x, 10, 7);
  for (int k = 0; k < 70; ++k)
    if (y[k] != x[k] + 1)
      return 2;
  return 0;
}
