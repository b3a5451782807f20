//===- NameCalls.h - calls worth a name of their own ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_TRANSFORM_NAMECALLS_H
#define RAISE_LIB_TRANSFORM_NAMECALLS_H

#include "raise/IR/Stmt.h"
#include <map>

namespace raise {

/// What stands for a variable that was declared just before its only use.
using NamedCalls = std::map<const Var *, ExprRef>;

/// Body, which stands in L, as a Block in which calls are given a name just
/// before their statement: those that are evaluated whenever the statement is
/// and do not use L's variable. Inner loops keep theirs.
StmtRef nameCalls(const StmtRef &Body, const For &L, NamedCalls &Named);

/// S with the calls themselves again where S declares their names.
StmtRef withoutNames(const StmtRef &S, const NamedCalls &Named);

} // namespace raise

#endif // RAISE_LIB_TRANSFORM_NAMECALLS_H
