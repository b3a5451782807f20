//===- GradComment.h - what is said of a derivative -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_DRIVER_GRADCOMMENT_H
#define RAISE_LIB_DRIVER_GRADCOMMENT_H

#include "GradFile.h"

namespace raise {

bool isTangent(const GradItem &Item);

/// The comment above a derivative.
std::string commentOf(const GradItem &Item, const Options &Opts);

/// Where a derivative of that signature ends the program; empty for nowhere.
std::string stopsOf(const grad::Signature &Sig);

/// What its use rests on, for a report.
std::vector<std::string> assumptionsOf(const GradItem &Item,
                                       const Options &Opts);

/// What it computes, a line for each derivative that it gives:
/// `x_adj += (∂y/∂x)ᵀ·y_adj`, `y_tan = ∂y/∂x·x_tan`. Where what is
/// differentiated changes x itself, x_adj is replaced.
std::string notationOf(const GradItem &Item);

} // namespace raise

#endif // RAISE_LIB_DRIVER_GRADCOMMENT_H
