//===- Unread.h - locals that nothing reads ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_IR_UNREAD_H
#define RAISE_IR_UNREAD_H

#include "raise/IR/Stmt.h"

namespace raise {

/// A Region's body without locals that nothing reads, whose last use a pass or
/// a conversion took away: a compiler would warn of them. Originals: what the
/// originals of regions inside Body name is read, too.
StmtRef withoutUnread(const StmtRef &Body, bool Originals = false);

} // namespace raise

#endif // RAISE_IR_UNREAD_H
