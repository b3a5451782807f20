//===- KernelNames.h - kernels named other than to launch them --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_DRIVER_KERNELNAMES_H
#define RAISE_LIB_DRIVER_KERNELNAMES_H

#include "CudaEdits.h"

namespace raise {

/// CR1502, into Edits, for each use of a kernel's name that its launcher cannot
/// stand for.
void checkKernelNames(clang::ASTContext &AST, EditList &Edits);

} // namespace raise

#endif // RAISE_LIB_DRIVER_KERNELNAMES_H
