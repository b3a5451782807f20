//===- Run.h - a run over sources or a database ------------------*- C++
//-*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_DRIVER_RUN_H
#define RAISE_DRIVER_RUN_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

namespace raise {

/// The whole tool but for main(): reads the arguments (without the program's
/// name), processes the sources, writes what was asked for. Headers is the
/// folder of the shipped headers. Out gets results (source text, diffs,
/// explanations), Err errors, progress and the remarks of `rewrite`. Output
/// does not depend on -j. Returns the exit status: 0 done; 1 a check or
/// verification failed, or something required was refused; 2 the command line,
/// a source or its compile command could not be used.
int runTool(llvm::ArrayRef<llvm::StringRef> Arguments, llvm::StringRef Headers,
            llvm::raw_ostream &Out, llvm::raw_ostream &Err);

/// Whether the tool crashed on a source and went on with the others.
bool survivedCrash();

} // namespace raise

#endif // RAISE_DRIVER_RUN_H
