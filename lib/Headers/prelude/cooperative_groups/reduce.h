//===- reduce.h - stands in for CUDA's header of this name ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===------------------------------------------------------------------------===//
#include "../cooperative_groups.h"
