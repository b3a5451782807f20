//===- Guards.h - run-time tests of a region as C text ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Two ranges of bytes are compared as integers, since C does not define the
// order of pointers into different objects. All of it is unsigned arithmetic,
// which cannot overflow; and a range that holds nothing may pass or fail, since
// both branches do the same.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_EMIT_GUARDS_H
#define RAISE_LIB_EMIT_GUARDS_H

#include "ExprPrinter.h"

namespace raise {

/// The conjunction of all guards, each printed once.
std::string guardCondition(llvm::ArrayRef<Guard> Guards, const ExprPrinter &P);

/// Several ranges are easier to read under names. Lines declare them; Condition
/// is the conjunction in their terms. Ranges whose evaluation needs another
/// guard to hold stay where they are used.
struct NamedGuards {
  std::vector<std::string> Lines;
  std::string Condition;
};
NamedGuards nameGuards(llvm::ArrayRef<Guard> Guards, const ExprPrinter &P,
                       Names &N);

/// "y and x do not overlap", "inc > 0": the guards for a comment, each once.
std::vector<std::string> describeGuards(llvm::ArrayRef<Guard> Guards);

} // namespace raise

#endif // RAISE_LIB_EMIT_GUARDS_H
