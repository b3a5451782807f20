// RUN: %raise_lift %s -- -O2 | FileCheck %s
// The loops around a kernel, device functions, vectors, atomics; launches that
// are spelled with spaces parse.
#define BLOCK 128

__device__ float pixel(const float *image, int w, int x, int y) {
  if (x < 0 || x >= w)
    return 0;
  return image[x + w * y];
}
__device__ float cube(float v) { return v * v * v; }
__device__ float3 swapped(float3 v) { return make_float3(v.z, v.y, v.x); }

__global__ void shade(float *out, const float *image, int w, int n, float gain) {
  int id = (blockIdx.x + blockIdx.y * gridDim.x) * blockDim.x + threadIdx.x;
  if (id >= n)
    return;
  gain *= 2;
  float3 c = make_float3(pixel(image, w, id % w, id / w), 1.f, gain);
  c = swapped(c);
  out[id] = cube(c.x) + fminf(c.z, expf(gain)) + max(id, w);
}
// CHECK-LABEL: kernel @shade
// CHECK: grid.z for (blockIdx.z: u32 = 0:u32; blockIdx.z < gridDim.z; blockIdx.z += 1:u32) {
// CHECK: grid.y for
// CHECK: grid.x for
// CHECK: block.z for
// CHECK: block.y for
// CHECK: block.x for
// CHECK: let gain.1: f32 = gain;
// CHECK: let id: i32 = icast<i32>((blockIdx.x + blockIdx.y * gridDim.x) * blockDim.x + threadIdx.x);
// CHECK: return;
// CHECK: gain.1 *= icast<f32>(2);
// CHECK: if (x < 0 || x >= w) {
// CHECK-NEXT: pixel_result = icast<f32>(0);
// CHECK-NEXT: } else {
// CHECK-NEXT: pixel_result = image[x + w * y];
// CHECK: out[id] = @cube({{.*}}) + @fminf({{.*}}, @expf(gain.1)) + icast<f32>(id < w ? w : id);

__global__ void total(const float *x, float *sum, int n) {
  __shared__ float part[BLOCK];
  int t = threadIdx.x;
  part[t] = 0;
  for (int i = t; i < n; i += BLOCK)
    part[t] += x[i];
  __syncthreads();
  if (t == 0)
    atomicAdd(sum + 1, part[0]);
}
// CHECK-LABEL: kernel @total
// CHECK: grid.x for
// CHECK-NEXT: shared part: f32[128:i64];
// CHECK-NEXT: block.z for
// CHECK: barrier;
// CHECK: atomic sum[1:i64] += part[0];

__global__ void stride(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (; i < n; i += blockDim.x * gridDim.x)
    x[i] = __ldg(x + i) + rsqrtf(2.f);
}
// CHECK-LABEL: kernel @stride
// CHECK: for (i = i; i < n; i += icast<i32>(blockDim.x * gridDim.x)) {
// CHECK: + 1.0:f32 / @sqrtf(2

void launch(float *x, int n) { stride<< <1, 64>> >(x, n); }
