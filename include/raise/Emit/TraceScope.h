//===- TraceScope.h - recording where printed lines come from ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_EMIT_TRACESCOPE_H
#define RAISE_EMIT_TRACESCOPE_H

#include "raise/IR/Trace.h"

namespace raise {

/// While it lives, all that functions of Emit return in this thread is added to
/// a trace. What is printed is the same with and without one.
class TraceScope {
public:
  /// Null: nothing is recorded, whatever scope is around.
  explicit TraceScope(Trace *To);
  ~TraceScope();
  TraceScope(const TraceScope &) = delete;
  TraceScope &operator=(const TraceScope &) = delete;

private:
  Trace *const Before;
};

/// The innermost scope's; null where nothing is recorded.
Trace *currentTrace();

} // namespace raise

#endif // RAISE_EMIT_TRACESCOPE_H
