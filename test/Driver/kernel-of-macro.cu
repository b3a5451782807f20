// A kernel that a macro writes has no text to be translated.
// RUN: not %clang_raise rewrite %s -o %t.cpp -- 2>&1 | FileCheck %s
#define KERNEL(name, value)                                                                                            \
  __global__ void name(float *x) { x[threadIdx.x] = value; }
// CHECK: kernel-of-macro.cu:[[@LINE+1]]:1: error: a kernel that a macro writes is not translated; write out what the macro stands for [CR1502]
KERNEL(ones, 1)
// A macro may stand in it, and around what its parts are.
#define GLOBAL __global__
#define BODY(...) __VA_ARGS__
// CHECK-NOT: [[@LINE+1]]:{{.*}}error
GLOBAL void twos(float *x) BODY({ x[threadIdx.x] = 2; })
