/*===- cuda.h - stands in for CUDA's header of this name -------------===//
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *===------------------------------------------------------------------------===*/
#ifndef RAISE_FORWARD_CUDA_H
#define RAISE_FORWARD_CUDA_H
#include "raise/runtime.h"
#define CUDA_VERSION CUDART_VERSION
#endif
