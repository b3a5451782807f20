// RUN: %clangxx %prelude_flags -std=c++17 -fsyntax-only %s -Xclang -ast-dump -fno-color-diagnostics 2>&1 | FileCheck %s
// How the tree looks: indices are plain member expressions of extern variables, a launch has its four operands, what has no counterpart in the runtime is marked,
// and a texture is a name that can be refused.

// CHECK-LABEL: FunctionDecl {{.*}} indices 'void (int *)'
// CHECK: MemberExpr {{.*}} 'const unsigned int' lvalue .x
// CHECK-NEXT: DeclRefExpr {{.*}} 'const uint3' lvalue Var {{.*}} 'threadIdx' 'const uint3'
// CHECK: CallExpr {{.*}} 'void'
// CHECK: DeclRefExpr {{.*}} '__syncthreads' 'void ()'
__global__ void indices(int *out) {
  out[threadIdx.x] = 1;
  __syncthreads();
}

// CHECK-LABEL: FunctionDecl {{.*}} launch 'void (int *)'
// CHECK: CUDAKernelCallExpr {{.*}} 'void'
// CHECK: CallExpr {{.*}} 'cudaError_t'
void launch(int *out) { indices<<<2, 32>>>(out); }

// CHECK-LABEL: FunctionDecl {{.*}} lockstep 'void (int *)'
// CHECK: __shfl_down
__global__ void lockstep(int *out) { out[0] = __shfl_down(out[1], 1); }
