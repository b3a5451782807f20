//===- Depfile.h - results and what they were made from -----------*- C++
//-*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_DRIVER_DEPFILE_H
#define RAISE_LIB_DRIVER_DEPFILE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace raise {

/// A rule of make: Target, and the files that it was made from. Ninja and CMake
/// read it too.
std::string makeRule(llvm::StringRef Target,
                     llvm::ArrayRef<std::string> Inputs);

} // namespace raise

#endif // RAISE_LIB_DRIVER_DEPFILE_H
