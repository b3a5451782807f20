//===- library_types.h - cudaDataType -------------------------------- ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===------------------------------------------------------------------------===//
#include "raise/cublas_types.h"
