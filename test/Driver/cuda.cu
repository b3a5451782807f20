// A CUDA file becomes C++ that builds with both compilers, with a kernel raised
// and one on the reference executor; verification compares them.
//
// RUN: rm -rf %t && mkdir %t
// RUN: %clang_raise rewrite %s -o %t/out/ --verify --json=%t/r.json -- -O2 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: FileCheck %s --check-prefix=TEXT < %t/out/cuda.cu.cpp
// RUN: FileCheck %s --check-prefix=JSON < %t/r.json
// RUN: %clangxx -std=c++17 -O2 -fopenmp -Wall -Wextra -Werror -I%runtime -c %t/out/cuda.cu.cpp -o %t/a.o
// RUN: %gxx -std=c++17 -O2 -fopenmp -Wall -Wextra -Werror -I%runtime -c %t/out/cuda.cu.cpp -o %t/b.o
//
// The same bytes again, and --check agrees:
// RUN: %clang_raise rewrite %s -o %t/again/ -- -O2 2> %t/err
// RUN: cmp %t/out/cuda.cu.cpp %t/again/cuda.cu.cpp
// RUN: %clang_raise rewrite %s -o %t/out/ --check -- -O2 2> %t/err
//
// What is left is an error where that was asked for:
// RUN: %python %S/Inputs/status.py 1 %clang_raise rewrite %s -o %t/required/ --require-raised -- -O2 2>&1 | FileCheck %s --check-prefix=REQUIRED
// REQUIRED: error: 'reverse' is left, which --require-raised forbids
// RUN: %clang_raise rewrite %s -o %t/required/ --require-raised --function=square -- -O2 2> %t/err
//
// A CUDA file is not edited in place:
// RUN: cp %s %t/k.cu
// RUN: %python %S/Inputs/status.py 2 %clang_raise rewrite %t/k.cu --in-place -- -O2 2>&1 | FileCheck %s --check-prefix=PLACE
// RUN: cmp %s %t/k.cu
// PLACE: error: a CUDA source becomes a file of its own; name it with -o

__global__ void square(float *y, const float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[i] * x[i];
}
// REMARK: cuda.cu:[[#@LINE-5]]:17: remark: kernel raised to a map: y[i] = x[i]·x[i],  0 ≤ i < n; verification passed
// TEXT: static void square_range(
// TEXT: #pragma omp parallel for simd
// TEXT: void square(dim3 grid, dim3 block
// JSON: "function": "square"
// JSON-NEXT: "construct": "kernel"
// JSON-NEXT: "status": "raised"
// JSON-NEXT: "rewritten": true
// JSON: "verification": "passed"

__global__ void reverse(float *x) {
  __shared__ float part[64];
  __shared__ int done;
  done = 0;
  part[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  if (atomicAdd(&done, 1) < 64)
    x[threadIdx.x] = part[blockDim.x - 1 - threadIdx.x];
}
// REMARK: cuda.cu:[[#@LINE-9]]:17: remark: kernel not raised: the value that atomicAdd returns is used [CR1021, -Rraise-missed]
// TEXT: RAISE_SHARED(float[64])
// TEXT: raise_simt::launch(
// JSON: "function": "reverse"
// JSON: "status": "left"
// JSON-NEXT: "rewritten": false
// JSON: "verification": "none"

void run(float *y, const float *x, int n) {
  square<<<(n + 255) / 256, 256>>>(y, x, n);
  reverse<<<1, 64>>>(y);
}
// TEXT: square((n + 255) / 256, 256, y, x, n);
// TEXT: reverse(1, 64, y);
