//===- Review.h - what a reviewer sees of a run -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The data of the review report, and the report: a folder of static pages that
// a browser opens from disk. docs/review.md says what stands on them.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_REPORT_REVIEW_H
#define RAISE_REPORT_REVIEW_H

#include "raise/Analysis/Conflicts.h"
#include "raise/IR/Trace.h"
#include "raise/Report/Result.h"
#include "llvm/ADT/ArrayRef.h"
#include <optional>

namespace raise {

/// A loop of a nest, for its drawing: `for (Variable = First; Test; ...)`.
struct NestLoop {
  std::string Variable, First, Test;
  /// Its iterations are the ones that meet.
  bool Carries = false;
};

/// What a result has beside its words.
struct ReviewDetail {
  std::vector<std::string> Proved;
  /// The loops around the place that fixes its order, outermost first, and what
  /// does. Empty where nothing of the kind is known.
  std::vector<NestLoop> Nest;
  std::optional<Conflict> Meets;
  /// Of a derivative: what it keeps on the way, how it updates, what it rests
  /// on; sentences.
  std::vector<std::string> Notes;
};

/// A function that was looked at.
struct ReviewFunction {
  std::string Name;
  /// Of the whole definition: File as the source's path, and offsets.
  SourceLoc Loc;
  /// The statements of it, and of what it calls in the same file.
  std::vector<SourceLoc> Statements;
  /// What was made of it, in the order in which that stands in the result.
  std::vector<TracedText> Emitted;
  /// Of a derivative: what `rewrite` makes of the primal, in
  /// ReviewFile::Raised.
  std::vector<TracedText> Raised;
};

struct ReviewFile {
  std::string Display; ///< as the user named it
  std::string Path;    ///< as places name it
  std::string Source;
  std::optional<std::string> Emitted; ///< the whole new text
  bool IsDerivative = false;          ///< Emitted is a file of its own
  /// Of derivatives: the whole text that `rewrite` makes of the source.
  std::optional<std::string> Raised;
  std::vector<Result> Results;
  std::vector<ReviewDetail> Details; ///< as many
  std::vector<ReviewFunction> Functions;
  /// Why nothing was made of it.
  std::vector<Reason> Errors;
};

struct ReviewPage {
  std::string Name; ///< of the file in the report's folder
  std::string Text;
};

/// All files of the report, the index first. Command: "rewrite", ...
std::vector<ReviewPage> reviewPages(llvm::ArrayRef<ReviewFile> Files,
                                    llvm::StringRef Command);

/// Whether Text was written by reviewPages: what an older run left is removed.
bool isReviewPage(llvm::StringRef Text);

} // namespace raise

#endif // RAISE_REPORT_REVIEW_H
