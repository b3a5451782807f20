//===- helper_cuda.h - stands in for the header of CUDA samples -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===------------------------------------------------------------------------===//
#include "../runtime/helper_cuda.h"
