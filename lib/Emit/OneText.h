//===- OneText.h - both branches of a region as one text --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_EMIT_ONETEXT_H
#define RAISE_LIB_EMIT_ONETEXT_H

#include "StmtPrinter.h"

namespace raise {

/// Raised, the text of R's body, with Test in the clause of its outer loop,
/// where that says the same as a choice between Raised and Original by Test:
/// they differ in pragmas alone, and those inside hold whenever they are
/// reached. Nothing where it does not.
std::optional<Code> inOneText(const Region &R, const Code &Raised,
                              const Code &Original, const std::string &Test);

} // namespace raise

#endif // RAISE_LIB_EMIT_ONETEXT_H
