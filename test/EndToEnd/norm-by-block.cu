// The README's example of a block: its text there is this.
// RUN: %clang_raise rewrite %s -o %t.cpp --verify --require-verified -- -O2
// RUN: FileCheck %s < %t.cpp
// RUN: %gxx -std=c++17 -O2 -fopenmp -I%runtime -c %t.cpp -o /dev/null
__global__ void norm_kernel(float *y, const float *__restrict__ x, int n) {
  __shared__ float s[256];
  float part = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) part += x[i] * x[i];
  s[threadIdx.x] = part;
  __syncthreads();
  for (int k = blockDim.x / 2; k > 0; k /= 2) {
    if (threadIdx.x < k) s[threadIdx.x] += s[threadIdx.x + k];
    __syncthreads();
  }
  if (threadIdx.x == 0) y[0] = sqrtf(s[0]);
}
void norm(float *y, const float *x, int n) { norm_kernel<<<1, 256>>>(y, x, n); }

// CHECK: // y[0] = sqrtf(Σ_i x[i]·x[i]),  0 ≤ i < n
// CHECK: {{^}}static void norm_kernel_range(float *y, const float *__restrict x, int n) {
// CHECK-NEXT: {{^}}  float sum = 0;
// CHECK-NEXT: {{^}}#pragma omp parallel for simd reduction(+ : sum) if (parallel : n > 200000)
// CHECK-NEXT: {{^}}  for (int i = 0; i < n; ++i)
// CHECK-NEXT: {{^}}    sum += x[i] * x[i];
// CHECK-NEXT: {{^}}  y[0] = sqrtf(sum);
// CHECK-NEXT: {{^}}}
