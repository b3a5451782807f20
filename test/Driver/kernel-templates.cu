// Instantiations that the launcher of a template cannot choose are left, each
// with what it is that has no form there; the text compiles all the same.
//
// RUN: %clang_raise rewrite %s -o %t.cpp --json=%t.json -- 2>&1 | FileCheck %s
// RUN: %python %S/Inputs/results.py %s %t.json
// RUN: grep -v TEXT %t.cpp | FileCheck %s --check-prefix=TEXT
// RUN: %clangxx -std=c++17 -fopenmp -I%runtime -fsyntax-only %t.cpp
// TEXT-NOT: _range
// TEXT: reference executor: it stands in a template with a
// TEXT-NOT: _range

// CHECK: remark: not rewritten: it stands in a template with a parameter pack, 'Rest' [CR1704
template <typename T, typename... Rest>
__global__ void pack(T *x, int n, Rest...) { // results: CR1704
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] = 0;
}

template <typename T> struct Holder {
  typedef T type;
};
// CHECK: remark: not rewritten: it stands in a template with a parameter that is a template, 'H' [CR1704
template <template <typename> class H>
__global__ void of(typename H<float>::type *x, int n) { // results: CR1704
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] = 0;
}

// CHECK: remark: not rewritten: it stands in a template with a parameter whose type is not fixed, 'Value' [CR1704
template <auto Value>
__global__ void fill(int *x, int n) { // results: CR1704
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] = Value;
}

int table;
// CHECK: remark: not rewritten: it stands in a template whose argument for 'At' is neither a type nor a number [CR1704
template <int *At>
__global__ void at(int *x, int n) { // results: CR1704
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] = 0;
}

// CHECK: remark: not rewritten: it stands in a template whose argument for 'T' has no name in front of the kernel [CR1704
template <typename T>
__global__ void local(const T *, int *x, int n) { // results: CR1704
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] = 0;
}

// CHECK: remark: not rewritten: it stands in a template whose argument for 'T' is declared behind the kernel [CR1704
template <typename T>
__global__ void later(const T *, int *x, int n) { // results: CR1704
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] = 0;
}
struct Late {
  int x;
};

template <typename T> __device__ T one() { return 1; }
// CHECK: remark: not rewritten: it stands in a template that uses 'one', which is declared behind it [CR1704
template <typename T>
__global__ void ones(T *x, int n) { // results: CR1704
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] = one<T>();
}
template <> __device__ float one<float>() { return 1.5f; }

void run(int *x, float *y, int n) {
  struct Here {
    int x;
  };
  pack<<<1, 32>>>(x, n, 1, 2.f);
  of<Holder><<<1, 32>>>(y, n);
  fill<3><<<1, 32>>>(x, n);
  at<&table><<<1, 32>>>(x, n);
  local<<<1, 32>>>(static_cast<const Here *>(nullptr), x, n);
  later<<<1, 32>>>(static_cast<const Late *>(nullptr), x, n);
  ones<<<1, 32>>>(y, n);
}
