//===- FilePage.h - the page of one source ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_REPORT_FILEPAGE_H
#define RAISE_LIB_REPORT_FILEPAGE_H

#include "raise/Report/Review.h"

namespace raise {

/// What stands in the page's main part. Reasons: the page that explains codes.
std::string filePage(const ReviewFile &File, llvm::StringRef Reasons);

std::string statusBadge(Status S);

} // namespace raise

#endif // RAISE_LIB_REPORT_FILEPAGE_H
