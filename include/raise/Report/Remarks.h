//===- Remarks.h - results as Clang-style remarks ----------------*- C++
//-*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
//   k.cpp:14:3: remark: raised to a map: y[i] = x[i]·x[i] [-Rraise]
//   k.cpp:21:3: remark: not raised: <reason> [CR1101, -Rraise-missed]
//      22 |     u[i] = u[i-1];
//         |            ^~~~~~
//
// The place in front is the loop's or kernel's; the quoted line is the one that
// stopped it.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_REPORT_REMARKS_H
#define RAISE_REPORT_REMARKS_H

#include "raise/Report/Result.h"
#include "llvm/Support/raw_ostream.h"

namespace raise {

enum class Severity { Note, Remark, Warning, Error };

/// `file:line:col: error: text`, in Clang's colours where OS shows colours.
/// Line 0 leaves line and column away.
void printMessage(llvm::raw_ostream &OS, llvm::StringRef File, unsigned Line,
                  unsigned Column, Severity S, llvm::StringRef Text);

/// What printRemark says of a result, on one line, without place and code.
std::string remarkText(const Result &R);

/// One result. Source is the text of the result's file, for the quoted line; a
/// reason whose place is in another file is named in words instead.
void printRemark(llvm::raw_ostream &OS, const Result &R,
                 llvm::StringRef Source);

/// The line of Source that holds Line (1-based), and a caret under Column with
/// tildes to the end of [Begin, End). Nothing if there is no such line.
void printSnippet(llvm::raw_ostream &OS, llvm::StringRef Source,
                  const SourceLoc &At);

/// The second of these lines alone, with Text behind the mark.
void printMark(llvm::raw_ostream &OS, llvm::StringRef Source,
               const SourceLoc &At, llvm::StringRef Text);

} // namespace raise

#endif // RAISE_REPORT_REMARKS_H
