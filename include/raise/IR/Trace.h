//===- Trace.h - where emitted text comes from ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// For a reader who compares what was emitted with its source: each line that
// is printed, and the places of the source whose computation stands there. The
// printer records it from the locations that statements and expressions carry
// through the passes: what was fused has all of its places, what a pass laid
// out anew those of the loops whose variables it runs.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_IR_TRACE_H
#define RAISE_IR_TRACE_H

#include "raise/IR/Expr.h"
#include <string>
#include <vector>

namespace raise {

/// Places of the source. Of a statement that holds others only its head counts:
/// its place is one byte long then.
using Origins = std::vector<SourceLoc>;

struct TracedLine {
  std::string Text; ///< as printed, not yet formatted
  Origins From;     ///< empty: no statement of the source, as a test's line
};

/// What one function of Emit returned, comments included.
struct TracedText {
  SourceLoc Of;       ///< of the function that it was made of
  SourceLoc Replaces; ///< what it stands in place of; invalid: it is new
  std::vector<TracedLine> Lines;
};

/// Texts, in the order in which they were printed.
struct Trace {
  std::vector<TracedText> Texts;
};

} // namespace raise

#endif // RAISE_IR_TRACE_H
