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
#include <utility>
#include <vector>

namespace raise {

/// A unified diff with three lines of context, as `patch -p0` takes it. Empty
/// if the texts are equal.
std::string unifiedDiff(llvm::StringRef Old, llvm::StringRef New,
                        llvm::StringRef OldName, llvm::StringRef NewName);

/// Byte ranges [begin, end) of New that hold the lines which are not Old's,
/// each run of lines as one range, in order.
std::vector<std::pair<size_t, size_t>> changedRanges(llvm::StringRef Old,
                                                     llvm::StringRef New);

/// Bytes [Begin, End) of the old text, and what stands there in the new one.
struct LineEdit {
  size_t Begin, End;
  std::string Text;
};

/// The edits, whole lines each, that turn Old into New, in order; between two
/// of them is a line that stays.
std::vector<LineEdit> lineEdits(llvm::StringRef Old, llvm::StringRef New);

} // namespace raise

#endif // RAISE_DRIVER_DIFF_H
