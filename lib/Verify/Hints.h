//===- Hints.h - ranges that the user states for inputs ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_VERIFY_HINTS_H
#define RAISE_LIB_VERIFY_HINTS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace raise {

struct HintRange {
  double Lo, Hi;
};

/// Evaluates `sum` or `sum..sum`, where a sum is of products of numbers and
/// names. Lookup gives a name's value, or nothing where it is not known (yet).
/// Nothing if the text is malformed or a name is unknown.
std::optional<HintRange>
evaluateHint(llvm::StringRef Text,
             llvm::function_ref<std::optional<double>(llvm::StringRef)> Lookup);

} // namespace raise

#endif // RAISE_LIB_VERIFY_HINTS_H
