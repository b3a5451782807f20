//===- device_functions.h - stands in for CUDA's header of this name -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===------------------------------------------------------------------------===//
// What it would declare is in raise_cuda_prelude.h, which is included before everything else.
#ifndef RAISE_CUDA_PRELUDE
#error "parse CUDA with -include raise_cuda_prelude.h"
#endif
