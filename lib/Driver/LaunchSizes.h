//===- LaunchSizes.h - the blocks that a file launches ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_DRIVER_LAUNCHSIZES_H
#define RAISE_LIB_DRIVER_LAUNCHSIZES_H

#include "llvm/ADT/DenseMap.h"
#include <array>
#include <cstdint>

namespace clang {
class ASTContext;
class FunctionDecl;
} // namespace clang

namespace raise {

/// Sizes of the blocks in which a translation unit launches its kernels, where
/// these are numbers (or names for numbers): raised code may count by them,
/// under a test of the launch.
class LaunchSizes {
public:
  explicit LaunchSizes(clang::ASTContext &AST);
  /// The extents along x, y and z of a block in every launch of Kernel; 0 where
  /// they differ, or are not known. All are 0 for a kernel that other files may
  /// launch, or that is used other than to launch it.
  std::array<int64_t, 3> blockOf(const clang::FunctionDecl &Kernel) const;

private:
  llvm::DenseMap<const clang::FunctionDecl *, std::array<int64_t, 3>> Blocks;
};

} // namespace raise

#endif // RAISE_LIB_DRIVER_LAUNCHSIZES_H
