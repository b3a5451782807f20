//===- cuComplex.h - stands in for CUDA header of this name -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===------------------------------------------------------------------------===//
#include "../runtime/cuComplex.h"
