//===- Diff.h - unified differences ------------------------------*- C++
//-*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// After Myers, "An O(ND) Difference Algorithm and Its Variations" (Algorithmica
// 1986): a shortest edit script. Space is the square of the number of changed
// lines, which are few where blocks of a file are replaced.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_DRIVER_DIFF_H
#define RAISE_DRIVER_DIFF_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace raise {

/// A unified diff with three lines of context, as `patch -p0` takes it. Empty
/// if the texts are equal.
std::string unifiedDiff(llvm::StringRef Old, llvm::StringRef New,
                        llvm::StringRef OldName, llvm::StringRef NewName);

} // namespace raise

#endif // RAISE_DRIVER_DIFF_H
