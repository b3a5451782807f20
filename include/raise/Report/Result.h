//===- Result.h - the outcome for one kernel or loop -------------*- C++
//-*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What remarks and the machine-readable results say, as data. There is one
// Result for each kernel, each outermost loop, and each inner loop that was
// tried after its parent was left.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_REPORT_RESULT_H
#define RAISE_REPORT_RESULT_H

#include "raise/IR/Context.h"
#include "raise/IR/Figure.h"

namespace raise {

enum class Construct { Kernel, Loop, Function };
enum class Verification { None, Passed, Failed, Inconclusive };

/// Text in place of the lines First to End - 1 of a file; where these are none,
/// before line First.
struct LineFix {
  unsigned First = 1, End = 1;
  std::string Text;
};

struct Result {
  std::string File; ///< as the user named it
  unsigned Line = 0, Column = 0;
  std::string Function; ///< qualified name of the function it stands in
  Construct What = Construct::Loop;
  Status Outcome = Status::Left;
  bool Rewritten = false;
  std::string Kind;     ///< "map", "reduction", ...; empty if left
  std::string Notation; ///< index notation, one formula a line; empty if left
  /// Why it was left, only partly raised, or raised and not rewritten. Loc is
  /// the place that stopped it, which may be deep inside.
  Reason Why;
  std::vector<std::string> Assumptions; ///< what the user asked to assume
  std::vector<std::string> Guards;      ///< what is tested at run time
  Verification Verified = Verification::None;
  std::string VerifiedDetail;
  std::vector<Figure> Figures; ///< where verification passed, by input
  /// Of the first result of a file that would be rewritten: all edits of the
  /// file, where they are not made.
  std::vector<LineFix> Fixes;
};

llvm::StringRef spelling(Construct C); ///< "kernel", "loop", "function"
llvm::StringRef spelling(Status S); ///< "raised", "partial", "left", "failed"
llvm::StringRef spelling(Verification V); ///< "passed", ...

} // namespace raise

#endif // RAISE_REPORT_RESULT_H
