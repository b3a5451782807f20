// RUN: %clangxx %prelude_flags -std=c++17 -fsyntax-only %s -Xclang -ast-dump -Xclang -ast-dump-filter -Xclang cudaMemcpy3D | FileCheck %s --check-prefix=MARKED
// RUN: %clangxx %prelude_flags -std=c++17 -fsyntax-only %s -Xclang -ast-dump -Xclang -ast-dump-filter -Xclang tex1Dfetch | FileCheck %s --check-prefix=MARKED
// RUN: %clangxx %prelude_flags -std=c++17 -fsyntax-only %s -Xclang -ast-dump -Xclang -ast-dump-filter -Xclang this_grid | FileCheck %s --check-prefix=MARKED
// RUN: %clangxx %prelude_flags -std=c++17 -fsyntax-only %s -Xclang -ast-dump -Xclang -ast-dump-filter -Xclang cudaMemsetAsync | FileCheck %s --check-prefix=PLAIN
// MARKED: AnnotateAttr {{.*}} "raise.unsupported"
// PLAIN: FunctionDecl {{.*}} cudaMemsetAsync
// PLAIN-NOT: AnnotateAttr
// What the runtime does not have parses, and carries the annotation by which it is refused.
#include <cooperative_groups.h>

texture<float, 1, cudaReadModeElementType> Image;
__global__ void fetch(float *out) { out[threadIdx.x] = tex1Dfetch(Image, threadIdx.x); }
__global__ void grid(float *out) {
  cooperative_groups::this_grid().sync();
  out[0] = 1;
}
void copy(cudaMemcpy3DParms *p) { cudaMemcpy3D(p); }
