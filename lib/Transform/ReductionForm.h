//===- ReductionForm.h - one spelling for every reduction -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_TRANSFORM_REDUCTIONFORM_H
#define RAISE_LIB_TRANSFORM_REDUCTIONFORM_H

#include "raise/Analysis/Loops.h"

namespace raise {

/// S with the updates of R's scalar or element written with R's combiner:
/// `s = s + e` and `s = e + s` as `s += e`, `s = s + e + f` as `s += e; s +=
/// f`; `if (e > m) m = e` and `m = e > m ? e : m` as `m max= e`. Null if an
/// update of R has another form.
StmtRef canonicalReduction(const StmtRef &S, const ReductionInfo &R);

} // namespace raise

#endif // RAISE_LIB_TRANSFORM_REDUCTIONFORM_H
