//===- SizeTests.h - from which size on a region pays -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Tests that stand before a region for speed alone: where they fail, the
// original is as good, or the text without threads.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_EMIT_SIZETESTS_H
#define RAISE_LIB_EMIT_SIZETESTS_H

#include "StmtPrinter.h"
#include "Work.h"

namespace raise {

/// The test of R's body, where that is one expression of Eigen, or one call of
/// BLAS.
std::optional<std::string> formTest(const Region &R, const Function &F,
                                    const Options &Opts, const ExprPrinter &P,
                                    const Names &N);

/// Whether R's body is printed as one expression of Eigen.
bool isOneForm(const Region &R, const Function &F, const Options &Opts,
               const ExprPrinter &P, const Names &N);

/// Whether the loops of R pay for their order, too.
bool paysForLayout(const Region &R, const Function &F);

/// Whether R's loops are known to be too short for the order that they are in
/// now to pay.
bool isTooShortForLayout(const Region &R, const Function &F,
                         const Options &Opts, const ExprPrinter &P);

/// Threads start only if there is work for them; the original that stands in
/// the other branch serves small sizes. OpenMP's own test takes the time of
/// some hundred elements.
std::optional<Threshold> sharedWorkTest(const Region &R, const Function &F,
                                        const Options &Opts,
                                        const ExprPrinter &P, const Names &N);

/// The same of several loops for one, and of another order of loops: any of
/// them may be large.
std::optional<Threshold> severalLoopsTest(const Region &R, const Function &F,
                                          const Options &Opts,
                                          const ExprPrinter &P);

/// From which size on R pays for the order of its loops alone, where it stands
/// in no loop; nothing where it has the source's.
std::optional<Threshold> layoutTest(const Region &R, const Function &F,
                                    const Options &Opts, const ExprPrinter &P);

/// What holds wherever R's original, which stands in no loop, does anything at
/// all: "B > 0 && T > 0", or "" where it takes more than the first tests of its
/// loops to tell. Behind it, an empty call pays for none of R's other tests.
std::string notEmptyTest(const Region &R, const Function &F,
                         const ExprPrinter &P);

/// Those of Tests (see shortRowTest) that can be asked before R, joined; empty
/// for none.
std::string rowTest(const Region &R, llvm::ArrayRef<ExprRef> Tests,
                    const ExprPrinter &P);

} // namespace raise

#endif // RAISE_LIB_EMIT_SIZETESTS_H
