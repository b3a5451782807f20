// RUN: %raise_lift %s -- -O2 | FileCheck %s
// Arrays of scalars that are seen as arrays of structures of them.

// CHECK-LABEL: kernel @whole(
// CHECK: let a_x: f32 = x[4:i64 * icast<i64>(i)];
// CHECK: let a_w: f32 = x[4:i64 * icast<i64>(i) + 3:i64];
// CHECK: y[4:i64 * icast<i64>(i)] = a_x;
// CHECK: y[4:i64 * icast<i64>(i) + 3:i64] = a_w;
__global__ void whole(const float *x, float *y, int i) {
  float4 a = reinterpret_cast<const float4 *>(x)[i];
  a.y += 1;
  reinterpret_cast<float4 *>(y)[i] = a;
}

// All is read before the first is written, and an index stays what it was.
// CHECK-LABEL: kernel @turns(
// CHECK: let index: i64 = p + 2:i64 * icast<i64>(x[0]);
// CHECK: let part: i32 = x[p + 2:i64 + 1:i64];
// CHECK: let part.1: i32 = x[p + 2:i64];
// CHECK: x[{{.*}}index{{.*}}] = part;
// CHECK: x[index + 1:i64] = part.1;
__global__ void turns(int *x) {
  int2 *p = (int2 *)x;
  p[x[0]] = make_int2(p[1].y, p[1].x);
}

// Anywhere; a float3 has three. An unsigned index wraps before it is scaled.
// CHECK-LABEL: kernel @places(
// CHECK: x[icast<i64>(i) + 1:i64 + 2:i64] = x[3:i64 * icast<i64>(u + icast<u32>(1)) + 1:i64];
// CHECK: x[-2:i64] = icast<f32>(0);
__global__ void places(float *x, int i, unsigned u) {
  (*(float4 *)(x + i + 1)).z = ((float3 *)x)[u + 1].y;
  reinterpret_cast<float3 *>(x)[-1].y = 0;
}

// Pointers: steps, the way back, and parts of what they lead to.
__device__ float sum(const float2 *p, int n) {
  float s = 0;
  for (int i = 0; i < n; ++i)
    s += __ldg(p + i).x + p[i].y;
  return s;
}
// CHECK-LABEL: kernel @steps(
// CHECK: cursor p: x = 4:i64;
// CHECK: p += 2:i64;
// CHECK: p -= 2:i64 * icast<i64>(n);
// CHECK: cursor back: x = p + 1:i64;
// CHECK: x[p + 2:i64] = x[back + 3:i64];
// CHECK: x[2:i64 * icast<i64>(i)]
__global__ void steps(float *x, int n) {
  float2 *p = (float2 *)x + 2;
  p++;
  p -= n;
  float *back = (float *)p + 1;
  p[1].x = back[3];
  *x = sum((const float2 *)x, n);
}

struct Pair {
  short at[2];
};
struct Quad {
  Pair a, b;
};
// CHECK-LABEL: kernel @nested(
// CHECK: x[q + 4:i64 * icast<i64>(i) + 2:i64 + icast<i64>(k)] =
// CHECK: x[q + 4:i64 * icast<i64>(i)] = x[icast<i64>(4 * i) + 1:i64];
__global__ void nested(short *x, int i, int k) {
  Quad *q = reinterpret_cast<Quad *>(x);
  q[i].b.at[k] = 1;
  q[i].a.at[0] = reinterpret_cast<short2 &>(x[4 * i]).y;
}
// CHECK-LABEL: kernel @rows(
// CHECK: x[{{.*}}4:i64 * icast<i64>(i) + icast<i64>(k)] = 1
__global__ void rows(int *x, int i, int k) {
  int (*a)[4] = (int (*)[4])x;
  a[i][k] = 1;
}

// Other scalars, gaps, several sorts, volatile.
struct alignas(16) Padded {
  float x, y, z;
};
struct Mixed {
  int a;
  unsigned b;
};
union Either {
  float a, b;
};
// CHECK-LABEL: kernel @bits(
// CHECK: opaque {{.*}} "'float *' is converted to 'int4 *'"
__global__ void bits(float *x) { ((int4 *)x)->x = 1; }
// CHECK-LABEL: kernel @gap(
// CHECK: opaque {{.*}} "'float *' is converted to 'Padded *'"
__global__ void gap(float *x) { ((Padded *)x)->x = 1; }
// CHECK-LABEL: kernel @sorts(
// CHECK: opaque {{.*}} "'int *' is converted to 'Mixed *'"
__global__ void sorts(int *x) { ((Mixed *)x)->a = 1; }
// CHECK-LABEL: kernel @either(
// CHECK: opaque {{.*}} "'a' is a member of a union"
__global__ void either(float *x) { ((Either *)x)->a = 1; }
// CHECK-LABEL: kernel @moving(
// CHECK: opaque {{.*}} "CR1001"
__global__ void moving(float *x) { ((volatile float4 *)x)->x = 1; }
// CHECK-LABEL: kernel @back(
// CHECK: opaque {{.*}} "'float4 *' is converted to 'float *'"
__global__ void back(float4 *x) { ((float *)x)[1] = 1; }
// CHECK-LABEL: kernel @several(
// CHECK: opaque
__global__ void several(float *x) {
  __shared__ float s[4][8];
  *x = ((float4 *)s)[1].x;
}
