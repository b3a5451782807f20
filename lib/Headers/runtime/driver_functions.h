/*===- driver_functions.h - stands in for CUDA's header of this name -------------===//
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *===------------------------------------------------------------------------===*/
#ifndef RAISE_FORWARD_DRIVER_FUNCTIONS_H
#define RAISE_FORWARD_DRIVER_FUNCTIONS_H
#include "raise/runtime.h"
#endif
