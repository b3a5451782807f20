//===- reduce.h - cooperative_groups::reduce -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===------------------------------------------------------------------------===//
#ifndef RAISE_COOPERATIVE_GROUPS_REDUCE_H
#define RAISE_COOPERATIVE_GROUPS_REDUCE_H
#include "../cooperative_groups.h"
#endif
