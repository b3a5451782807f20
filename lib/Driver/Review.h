//===- Review.h - what the driver knows for the review report ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Internal to lib/Driver.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_DRIVER_REVIEW_H
#define RAISE_LIB_DRIVER_REVIEW_H

#include "Candidate.h"
#include "GradFile.h"
#include "raise/Report/Review.h"

namespace raise {

/// Of the candidates that are selected, with what Traced
/// holds of them. Path: the source's.
std::vector<ReviewFunction>
reviewFunctions(llvm::ArrayRef<Candidate> Candidates, const Trace &Traced,
                llvm::StringRef Path);
/// What belongs to each of Results, before their files were named as the user
/// does.
std::vector<ReviewDetail> reviewDetails(llvm::ArrayRef<Result> Results,
                                        llvm::ArrayRef<Candidate> Candidates);

/// What a derivative keeps, and how it updates what several threads do.
std::vector<std::string> notesOf(const GradItem &Item);

/// Of functions that were differentiated, each once.
std::vector<ReviewFunction> reviewDerivatives(llvm::ArrayRef<GradItem> Items,
                                              const Trace &Traced,
                                              llvm::StringRef Path);

} // namespace raise

#endif // RAISE_LIB_DRIVER_REVIEW_H
