//===- OneTest.h - one test for the threads of several loops ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_EMIT_ONETEST_H
#define RAISE_LIB_EMIT_ONETEST_H

#include "StmtPrinter.h"

namespace raise {

/// The test of one size, there before R, that says of all loops of R whether
/// there is work for threads, where R computes something once. Clauses would
/// ask it of each: that takes as long as some hundred elements, which the loops
/// of a short vector do not.
std::optional<std::string> oneTest(const Region &R, const Function &F,
                                   const Options &Opts, Names &N,
                                   ExprPrinter &P);

/// Body, where Work holds as Threads prints it, else without threads: its loops
/// and what follows them. A test around all of it stays there.
Code withOneTest(const std::string &Work, const StmtRef &Body,
                 StmtPrinter &Threads, const Options &Opts, Names &N,
                 ExprPrinter &P);

} // namespace raise

#endif // RAISE_LIB_EMIT_ONETEST_H
