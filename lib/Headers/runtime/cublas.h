/*===- cublas.h - stands in for cuBLAS's header of this name ------------------===//
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *===------------------------------------------------------------------------===*/
#ifndef RAISE_FORWARD_CUBLAS_H
#define RAISE_FORWARD_CUBLAS_H
#include "cublas_v2.h"
#endif
