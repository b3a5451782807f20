// RUN: %raise_lift %s -- -O2 | FileCheck %s
// All such arrays are one.
__global__ void both(float *x) {
  extern __shared__ float part[];
  extern __shared__ int places[];
  part[threadIdx.x] = x[threadIdx.x];
  places[threadIdx.x] = 1;
}
// CHECK-LABEL: @both
// CHECK: 'places' is dynamic shared memory, which another array of another type shares [CR1023]

// A union is memory of no one sort.
union Word { int i; float f; };
__global__ void words(float *x) {
  extern __shared__ Word word[];
  word[threadIdx.x].f = x[threadIdx.x];
}
// CHECK-LABEL: @words
// CHECK: 'word' is dynamic shared memory of a type that is not supported [CR1023]

__global__ void good(float *x) {
  extern __shared__ float part[];
  part[threadIdx.x] = x[threadIdx.x];
  x[threadIdx.x] = part[1];
}
// CHECK-LABEL: @good
// CHECK: shared part: f32[];
// CHECK-NOT: shared
// CHECK-NOT: [CR

// Structures of one sort of numbers are these where they are seen so; bytes are what they are seen as.
struct Pair { float a, b; };
__global__ void pairs(float *x) {
  extern __shared__ Pair pair[];
  pair[threadIdx.x].b = x[threadIdx.x];
  x[threadIdx.x] = ((float *)pair)[threadIdx.x];
}
// CHECK-LABEL: @pairs
// CHECK: shared pair: f32[];
// CHECK: pair[2:i64 * icast<i64>(threadIdx.x) + 1:i64] = x[threadIdx.x];
// CHECK: x[threadIdx.x] = pair[threadIdx.x];

__global__ void whole(float *x) {
  extern __shared__ Pair two[];
  two[threadIdx.x].b = x[threadIdx.x];
}
// CHECK-LABEL: @whole
// CHECK: two[threadIdx.x].b = x[threadIdx.x];

__global__ void bytes(double *x, int n) {
  extern __shared__ char raw[];
  double *second = (double *)(raw + n * sizeof(double));
  second[threadIdx.x] = x[threadIdx.x];
}
// CHECK-LABEL: @bytes
// CHECK: shared raw: f64[];
// CHECK: second: raw = icast<i64>(n);
// CHECK: raw[second + icast<i64>(threadIdx.x)] = x[threadIdx.x];
// CHECK-NOT: [CR
