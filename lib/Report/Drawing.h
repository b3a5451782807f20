//===- Drawing.h - a nest and what orders its iterations --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_REPORT_DRAWING_H
#define RAISE_LIB_REPORT_DRAWING_H

#include "raise/Report/Review.h"

namespace raise {

/// A figure: some iterations of the nest as dots, and an arrow from each to one
/// that must come after it, as Meets says. "" where there is nothing to draw.
std::string drawNest(const ReviewDetail &Detail);

} // namespace raise

#endif // RAISE_LIB_REPORT_DRAWING_H
