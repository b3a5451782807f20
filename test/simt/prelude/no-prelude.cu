// RUN: not %clangxx -x cuda --cuda-host-only -nocudainc -nocudalib --cuda-path=/nonexistent -isystem %prelude -fsyntax-only %s 2>&1 | FileCheck %s
// CHECK: parse CUDA with -include raise_cuda_prelude.h
#include <cuda_runtime.h>
