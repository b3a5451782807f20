// RUN: %raise_lift %s -- -O2 | FileCheck %s
__global__ void bad(float *x) {
  int v = x[threadIdx.x];
  v += __match_any_sync(0xffffffffu, v);
  x[threadIdx.x] = v;
}
// CHECK-LABEL: @bad
// CHECK: CR1022.cu:4:8: calls __match_any_sync, which has no raised form [CR1022]
__global__ void part(float *x, unsigned mask) {
  x[threadIdx.x] = __any_sync(mask, x[threadIdx.x] > 0);
}
// CHECK-LABEL: @part
// CHECK: CR1022.cu:10:20: calls __any_sync for lanes that are not known to be all of the warp's [CR1022]
__global__ void wide(float *x, int width) {
  x[threadIdx.x] = __shfl_sync(0xffffffffu, x[threadIdx.x], 0, width);
}
// CHECK-LABEL: @wide
// CHECK: CR1022.cu:15:20: a shuffle whose width is not known here [CR1022]
__global__ void good(float *x) {
  __shared__ float part[32];
  part[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] += part[threadIdx.x ^ 16];
}
// CHECK-LABEL: @good
// CHECK: grid.x for
// CHECK: shared part: f32[32:i64];
// CHECK: block.z for
// CHECK: barrier;
// CHECK-NOT: [CR
__global__ void exchange(float *x) {
  float v = x[threadIdx.x];
  v += __shfl_down_sync(0xffffffffu, v, 16, 16);
  __syncwarp();
  x[threadIdx.x] = v;
}
// CHECK-LABEL: @exchange
// CHECK: shared warp v_of: f32[32:i64];
// CHECK: v_of[icast<i32>([[RANK:.*]] % 32:u32)] = v;
// CHECK-NEXT: barrier warp;
// CHECK-NEXT: let shuffled: f32 = v_of[{{.*}}];
// CHECK-NEXT: barrier warp;
// CHECK-NEXT: v += shuffled;
// CHECK-NEXT: barrier warp;
__global__ void past(float *y, const float *x, float4 *z, float4 v) {
  __stcs(&y[threadIdx.x], __ldca(x + threadIdx.x) + 1);
  __stcg(z + threadIdx.x, v);
}
// CHECK-LABEL: @past
// CHECK: y[icast<i64>(threadIdx.x)] = x[icast<i64>(threadIdx.x)] + icast<f32>(1);
// CHECK: "CR1022" "a store past a cache of more than a number";
