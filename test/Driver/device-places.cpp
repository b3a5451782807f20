// Where kernels stand: behind what they call, above their functions, and inside
// of their namespaces; what they are called by is nobody else's name.
// RUN: %clang_raise rewrite --target=cuda %s -o %t.cu -- -std=c++17 2> %t.err
// RUN: FileCheck %s --check-prefix=LEFT < %t.err
// RUN: %clangxx -std=c++17 -x c++ -fsyntax-only %t.cu
// RUN: %if nvcc %{ nvcc -arch=sm_80 -std=c++17 -x cu -Werror all-warnings -c %t.cu -o %t.o %}
// RUN: %clang_raise rewrite %t.cu -o %t-host.cpp -- -std=c++17
// RUN: %clangxx -std=c++17 -fopenmp -I%runtime -c %t-host.cpp -o %t-host.o
// RUN: printf '// The comment of a function.\nvoid f(float *x, float *y, int n) {\n  for (int i = 0; i < n; ++i) x[i] += 1; for (int i = 0; i < n; ++i) y[i] -= 1;\n}\n' > %t-first.cpp
// RUN: %clang_raise rewrite --target=cuda %t-first.cpp -o %t-first.cu -- -std=c++17
// RUN: FileCheck %s --check-prefix=FIRST < %t-first.cu
// FIRST: // clang-raise: device:1
// FIRST: static unsigned raise_blocks(
// FIRST: f_on_device_x(
// FIRST: f_on_device_2_y(
// FIRST: // The comment of a function.
// FIRST: f_on_device(
// FIRST: f_on_device_2(
#include <cstddef>
void close(float *x, int n) {
  for (int i = 0; i < n; ++i)
    x[i] += 1;
}
namespace one { void line(float *x, int n) {
  for (int i = 0; i < n; ++i)
    x[i] *= 2;
} }
double named(const double *x, int n) {
  double s = 0, s_before = 2, s_element = 3;
  for (int i = 0; i < n; ++i)
    s += x[i] * s_before * s_element;
  return s;
}
// LEFT: device-places.cpp:[[@LINE+2]]:3: {{.*}}'raise_blocks' is the name of something that kernels need
void hides(float *raise_blocks, int n) {
  for (int i = 0; i < n; ++i)
    raise_blocks[i] = i;
}
// LEFT: device-places.cpp:[[@LINE+2]]:3: {{.*}}'threadIdx' is the name of something that kernels need
void builtin(float *x, int n, int threadIdx) {
  for (int i = 0; i < n; ++i)
    x[i] += threadIdx;
}
void locals(float *__restrict x, const float *__restrict y, int n) {
  for (int i = 0; i < n; ++i) {
    float blockDim = y[i], raise_rows = blockDim * 2;
    x[i] += blockDim * raise_rows;
  }
}
