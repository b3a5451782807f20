// What threads of a block put together must come out in each of these, too: each is compared with its original.
// RUN: %clang_raise rewrite %s -o %t.cpp --verify --require-verified -- -O2 2> %t.err
// RUN: grep -c 'verification passed' %t.err | FileCheck %s
// RUN: %gxx -std=c++17 -O2 -fopenmp -I%runtime -c %t.cpp -o /dev/null
// CHECK: 17
#include <cuda_runtime.h>
#define B 64
#define TREE(op)                                                                                                         \
  for (int k = B / 2; k > 0; k >>= 1) {                                                                                   \
    if (t < k)                                                                                                           \
      s[t] op s[t + k];                                                                                                  \
    __syncthreads();                                                                                                     \
  }
// An element that the next iteration's condition looks at.
__global__ void condition(float *y, const float *x, int n) {
  __shared__ float s[B];
  int t = threadIdx.x, base = blockIdx.x * B;
  s[t] = 0;
  int c = 0;
  for (int k = 0; k < n; k++)
    if (x[base + t] * k > s[t]) {
      s[t] = x[base + t] * k;
      c++;
    }
  y[base + t] = c;
}
// One that the other branch looks at.
__global__ void otherBranch(float *y, const float *x, int n) {
  __shared__ float s[B];
  int t = threadIdx.x, base = blockIdx.x * B;
  s[t] = 0;
  float c = 0;
  for (int k = 0; k < n; k++)
    if (k & 1) {
      s[t] = x[base + t] + k;
      c += k;
    } else
      c += s[t];
  y[base + t] = c;
}
// A variable that another iteration looks at.
__global__ void scalar(float *y, const float *x, int n) {
  __shared__ float s[B];
  int t = threadIdx.x, base = blockIdx.x * B;
  float last = 0, all = 0;
  for (int k = 0; k < n; k++) {
    s[t] = x[base + t] + k;
    __syncthreads();
    if (k & 1)
      all += last;
    else {
      float a = 0;
      for (int l = 0; l < B; l++)
        a += s[l];
      last = a;
    }
    __syncthreads();
  }
  y[base + t] = all;
}
// A loop that may end before it has stored everywhere.
__global__ void ended(float *y, const float *x, int n) {
  __shared__ float s[B];
  int t = threadIdx.x, base = blockIdx.x * B;
  s[t] = x[base + t];
  __syncthreads();
  if (t == 0) {
    s[6] = 9;
    for (int i = 0; i < B; i++) {
      if (i == n)
        break;
      s[i] = 1;
    }
  }
  __syncthreads();
  y[base + t] = s[B - 1 - t];
}
// A sum is not where a largest one starts; nor is a largest one where a smallest one does.
__global__ void largestSum(float *y, const float *x, int n) {
  __shared__ float s[B];
  int t = threadIdx.x, base = blockIdx.x * B;
  float a = 0;
  for (int i = t; i < n; i += B)
    a += x[i];
  s[t] = a;
  __syncthreads();
  TREE(= s[t] > s[t + k] ? s[t] :)
  if (t == 0)
    y[blockIdx.x] = s[0];
}
__global__ void largestSums(float *y, const float *x, int n) {
  __shared__ float s[B];
  int t = threadIdx.x, base = blockIdx.x * B;
  float a = 0;
  for (int i = t; i < n; i += B)
    a += x[i];
  s[t] = a;
  __syncthreads();
  for (int k = B / 2; k > 0; k >>= 1) {
    if (t < k)
      s[t] = fmaxf(s[t], s[t + k]);
    __syncthreads();
  }
  if (t == 0)
    y[blockIdx.x] = s[0];
}
__global__ void leastOfLargest(int *y, const int *x, int n) {
  __shared__ int s[B];
  int t = threadIdx.x, a = -1000;
  for (int i = t; i < n; i += B)
    a = max(a, x[i]);
  s[t] = a;
  __syncthreads();
  for (int k = B / 2; k > 0; k >>= 1) {
    if (t < k)
      s[t] = min(s[t], s[t + k]);
    __syncthreads();
  }
  if (t == 0)
    y[blockIdx.x] = s[0];
}
// Differences.
__global__ void treeOfDifferences(float *y, const float *x) {
  __shared__ float s[B];
  int t = threadIdx.x, base = blockIdx.x * B;
  s[t] = x[base + t];
  __syncthreads();
  TREE(-=)
  if (t == 0)
    y[blockIdx.x] = s[0];
}
__global__ void lessSums(float *y, const float *x, int n) {
  __shared__ float s[B];
  int t = threadIdx.x, base = blockIdx.x * B;
  float a = 0;
  for (int i = t; i < n; i += B)
    a += x[i];
  s[t] = a;
  __syncthreads();
  if (t == 0) {
    float r = 0;
    for (int l = 0; l < B; l++)
      r -= s[l];
    y[blockIdx.x] = r;
  }
}
__global__ void firstLessOthers(float *y, const float *x) {
  __shared__ float s[B];
  int t = threadIdx.x, base = blockIdx.x * B;
  s[t] = x[base + t];
  __syncthreads();
  if (t == 0) {
    float r = s[0];
    for (int l = 1; l < B; l++)
      r -= s[l];
    y[blockIdx.x] = r;
  }
}
// A sum in a variable that then changes; two names for it.
__global__ void changed(float *y, const float *x) {
  __shared__ float s[B];
  int t = threadIdx.x, base = blockIdx.x * B;
  s[t] = x[base + t];
  __syncthreads();
  TREE(+=)
  if (t == 0) {
    float r = s[0];
    r = r * 2 + x[base];
    y[blockIdx.x] = r + s[0];
  }
}
__global__ void twoNames(float *y, const float *x) {
  __shared__ float s[B];
  int t = threadIdx.x, base = blockIdx.x * B;
  s[t] = x[base + t];
  __syncthreads();
  TREE(+=)
  if (t == 0) {
    float r = s[0];
    float q = s[0];
    r = r * 2 + x[base];
    y[blockIdx.x] = r + q;
  }
}
// A start that is not below zero for all threads, unsigned or wider.
__global__ void wraps(float *y, const float *x, int n) {
  __shared__ float s[B];
  int t = threadIdx.x, base = blockIdx.x * B;
  float a = 0;
  unsigned off = (unsigned)n - 5u;
  for (unsigned i = t + off; i < 100; i += B)
    a += x[i];
  s[t] = a;
  __syncthreads();
  TREE(+=)
  if (t == 0)
    y[blockIdx.x] = s[0];
}
__global__ void widens(float *y, const float *x, int n) {
  __shared__ float s[B];
  int t = threadIdx.x, base = blockIdx.x * B;
  s[t] = x[base + t];
  __syncthreads();
  for (size_t i = t + (n - 7); i < 100; i += B)
    y[i] = x[i] + s[i % B];
}
// A thread that is done before the others.
__global__ void doneEarly(float *y, const float *x, int n) {
  __shared__ float s[B];
  int t = threadIdx.x;
  s[t] = x[t];
  __syncthreads();
  for (int i = t; i < n; i += B) {
    if (x[i] < 0)
      break;
    y[i] = x[i] + s[3];
  }
}
__global__ void doneEarlySum(float *y, const float *x, int n) {
  __shared__ float s[B];
  int t = threadIdx.x;
  float v = 0;
  for (int i = t; i < n; i += B) {
    if (x[i] < 0)
      break;
    v += x[i];
  }
  s[t] = v;
  __syncthreads();
  TREE(+=)
  if (t == 0)
    y[blockIdx.x] = s[0];
}
// A counter of 8 bits: 512 threads start from 256 numbers.
__global__ void narrow(float *y, const float *x) {
  __shared__ int s[512];
  int t = threadIdx.x;
  s[t] = 0;
  __syncthreads();
  for (unsigned char i = threadIdx.x; i < 100; i += 200)
    atomicAdd(&s[i], 1);
  __syncthreads();
  y[t] = s[t] + x[t];
}
void go(float *y, const float *x, int *yi, const int *xi, int n) {
  condition<<<2, B>>>(y, x, n);
  otherBranch<<<2, B>>>(y, x, n);
  scalar<<<2, B>>>(y, x, n);
  ended<<<2, B>>>(y, x, n);
  largestSum<<<2, B>>>(y, x, n);
  largestSums<<<2, B>>>(y, x, n);
  leastOfLargest<<<2, B>>>(yi, xi, n);
  treeOfDifferences<<<2, B>>>(y, x);
  lessSums<<<2, B>>>(y, x, n);
  firstLessOthers<<<2, B>>>(y, x);
  changed<<<2, B>>>(y, x);
  twoNames<<<2, B>>>(y, x);
  wraps<<<2, B>>>(y, x, n);
  widens<<<1, B>>>(y, x, n);
  doneEarly<<<1, B>>>(y, x, n);
  doneEarlySum<<<1, B>>>(y, x, n);
  narrow<<<1, 512>>>(y, x);
}
