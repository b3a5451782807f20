/*===- device_launch_parameters.h - stands in for CUDA's header of this name -------------===//
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *===------------------------------------------------------------------------===*/
#ifndef RAISE_FORWARD_DEVICE_LAUNCH_PARAMETERS_H
#define RAISE_FORWARD_DEVICE_LAUNCH_PARAMETERS_H
#include "raise/runtime.h"
#endif
