//===- Explained.h - a function with what is said of it ----------*- C++
//-*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
//       20 | void smooth(int n, double *u) {
//       21 |   for (int i = 2; i < n; ++i)
//   k.cpp:21:3: remark: not raised: <reason> [CR1101, -Rraise-missed]
//       22 |     u[i] = 0.5 * (u[i - 2] + u[i]);
//          |                   ^~~~~~~~ CR1101
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_REPORT_EXPLAINED_H
#define RAISE_REPORT_EXPLAINED_H

#include "raise/Report/Review.h"
#include "llvm/Support/raw_ostream.h"

namespace raise {

/// The lines of F in Source, in colours where OS shows them, each remark of
/// Results, which are those of F's file, under the line that it is about.
/// Returns which of them were printed: those in F.
std::vector<bool> printExplained(llvm::raw_ostream &OS, llvm::StringRef Source,
                                 const ReviewFunction &F,
                                 llvm::ArrayRef<Result> Results,
                                 llvm::StringRef Display);

} // namespace raise

#endif // RAISE_REPORT_EXPLAINED_H
