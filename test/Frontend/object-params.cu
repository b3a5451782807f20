// RUN: %raise_lift %s -- -O2 | FileCheck %s
// Kernels' parameters of class type: members by their names, or scalars of each thread's own.
struct Part {
  int lo, hi;
};
struct Params {
  int n;
  float by, w[4], m[2][3];
  const float *in;
  float *out;
  Part part;
  struct {
    int s, t;
  };
};

// CHECK-LABEL: kernel @all(p: const void&, implied p.n: const i32, implied p.part.hi: const i32, implied p.by: const f32, implied p.in: const f32*,
// CHECK-SAME: implied p.w: const f32* fresh 1, implied p.m: const f32[][3:i64] fresh 2, implied p.t: const i32, implied p.out: f32*)
// CHECK: if (i < p.n - p.part.hi) {
// CHECK-NEXT: p.out[i] = p.by * p.in[i] + p.w[i % 4] + p.m[1, i % 3] + icast<f32>(p.t);
__global__ void all(Params p) {
  int i = threadIdx.x;
  if (i < p.n - p.part.hi)
    p.out[i] = p.by * p.in[i] + p.w[i % 4] + p.m[1][i % 3] + p.t;
}

// A copy that never changes, what it is passed to, and what a member is bound to.
__device__ float first(const float *w, Params q) { return w[0] + q.by; }
__device__ int width(const Part &b) { return b.hi - b.lo; }
// CHECK-LABEL: kernel @copies(
// CHECK-NOT: let q
// CHECK: p.w[w] + p.by
// CHECK: p.part.hi - p.part.lo
__global__ void copies(const Params p) {
  const Params q = p;
  const float *w = q.w;
  q.out[threadIdx.x] = first(w, p) + width(q.part);
}

// CHECK-LABEL: kernel @changes(v: const void&, x: f32*, implied v.x: const f32, implied v.y: const f32, implied v.z: const f32)
// CHECK: let v_x: f32 = v.x;
// CHECK: let v_y: f32 = v.y;
// CHECK: v_x += icast<f32>(threadIdx.x);
// CHECK: x[threadIdx.x] = v_x * v_y;
__global__ void changes(float3 v, float *x) {
  v.x += threadIdx.x;
  x[threadIdx.x] = v.x * v.y;
}

struct Add {
  int k;
  __device__ int operator()(int x) const { return x + k; }
  __device__ int twice(int x) const { return (*this)((*this)(x)); }
};
// CHECK-LABEL: kernel @functor(x: i32*, f: const void&, implied f.k: const i32)
// CHECK: let result: i32 = {{.*}} + f.k;
// CHECK: let result.1: i32 = result + f.k;
__global__ void functor(int *x, Add f) { x[threadIdx.x] = f.twice(x[threadIdx.x]); }

// What is not followed. A thread's own array is no memory that others see.
// CHECK: a thread changes its copy of 'p.w' [CR1026]
__global__ void writes(Params p) {
  float *w = p.w;
  w[1] = 3;
}
// CHECK: parameter 'p', of type 'Params', is changed, and is more than scalars [CR1026]
__global__ void moves(Params p) { p.out++; }
// CHECK: parameter 'p', of type 'Params', is changed, and is more than scalars [CR1026]
__global__ void assigns(Params p) { p.w[1] = 0; }

class Hidden {
  int value;

public:
  __device__ int get() const { return value; }
};
// CHECK: 'value' is a private member, which no other function can name
__global__ void hides(Hidden h, int *x) { x[threadIdx.x] = h.get(); }
// CHECK: 'value' is a private member, which no other function can name
__global__ void hidden(const Hidden *h, int *x) { x[threadIdx.x] = h[threadIdx.x].get(); }

struct Odd {
  int bits : 3;
  volatile int moving;
  mutable int count;
  union {
    int u;
    float f;
  };
  __device__ int next() const { return ++count; }
};
// CHECK-LABEL: kernel @bits(o: const void&, x: i32*, implied o.bits: const i32)
__global__ void bits(Odd o, int *x) { x[threadIdx.x] = o.bits; }
// CHECK: a volatile object is read [CR1001]
__global__ void moving(Odd o, int *x) { x[threadIdx.x] = o.moving; }
// CHECK-LABEL: kernel @either(
// CHECK: x[threadIdx.x] = o.u + cast<i32>(o.f);
__global__ void either(Odd o, int *x) { x[threadIdx.x] = o.u + (int)o.f; }
// CHECK: 'bits' is a bit-field [CR1012]
__global__ void other(const Odd *o, int *x) { x[threadIdx.x] = o->bits; }
// CHECK: 'u' is a member of a union [CR1012]
__global__ void another(const Odd *o, int *x) { x[threadIdx.x] = o->u; }
struct Pairs {
  Part p[8];
};
// CHECK-LABEL: kernel @parts(
// CHECK: let q_lo: i32 = all.p[threadIdx.x % icast<u32>(8)].lo:i32;
// CHECK: let q_hi: i32 = all.p[threadIdx.x % icast<u32>(8)].hi:i32;
__global__ void parts(Pairs all, int *x) {
  Part q = all.p[threadIdx.x % 8];
  x[threadIdx.x] = q.hi - q.lo;
}
// CHECK: parameter 'o', of type 'Odd', is changed, and is more than scalars [CR1026]
__global__ void counts(Odd o, int *x) { x[threadIdx.x] = o.next(); }
struct Base {
  virtual __device__ int get() const;
};
// CHECK: parameter 'b' has type 'Base', which is not supported [CR1026]
__global__ void dynamic(Base b, int *x) { x[threadIdx.x] = b.get(); }
struct Copied {
  int n;
  __host__ __device__ Copied(const Copied &o) : n(o.n + 1) {}
};
// CHECK: parameter 'c' has type 'Copied', which is not supported [CR1026]
__global__ void copied(Copied c, int *x) { x[threadIdx.x] = c.n; }
