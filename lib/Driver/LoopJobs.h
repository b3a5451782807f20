//===- LoopJobs.h - one loop as a test of its own ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Internal to lib/Driver. Where a function cannot be tested as a whole, each of
// its rewritten loops is put into a function of its own below the source's
// text: once as the source has it, once as it was emitted.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_DRIVER_LOOPJOBS_H
#define RAISE_LIB_DRIVER_LOOPJOBS_H

#include "Candidate.h"
#include "raise/Verify/Verify.h"

namespace raise {

/// Fills Job (which holds what the function's own job has) for the loop F of C.
/// Number makes its name unique in the file. False and Why if the loop cannot
/// be taken out of its function.
bool makeLoopJob(const Candidate &C, const Finding &F, llvm::StringRef Source,
                 const Options &Opts, unsigned Number, VerifyJob &Job,
                 std::string &Why);

} // namespace raise

#endif // RAISE_LIB_DRIVER_LOOPJOBS_H
