/*===- cuda_profiler_api.h - stands in for CUDA's header of this name -------------===//
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *===------------------------------------------------------------------------===*/
#ifndef RAISE_FORWARD_CUDA_PROFILER_API_H
#define RAISE_FORWARD_CUDA_PROFILER_API_H
#include "raise/runtime.h"
#endif
