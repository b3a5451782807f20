//===- cuda_fp16.hpp - stands in for CUDA's header of this name ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===------------------------------------------------------------------------===//
#include "cuda_fp16.h"
