//===- RegionPrinter.h - a region's guards and both branches ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_EMIT_REGIONPRINTER_H
#define RAISE_LIB_EMIT_REGIONPRINTER_H

#include "StmtPrinter.h"

namespace raise {

/// One statement: the raised form, under its guards if it has any, with the
/// original in the other branch. Takes from Comments what it prints. Directive
/// goes above the loop that keeps it. Holding, which may be null, is what is
/// tested before R.
Code regionCode(const Region &R, const Function &F, const Code &Original,
                const Options &Opts, Names &N, ExprPrinter &P,
                CommentStock *Comments = nullptr,
                const std::string &Directive = "",
                const std::vector<Guard> *Holding = nullptr);

/// Whether R stores bytes: these may be a part of anything that a parallel loop
/// was handed by its address, a pointer too. (Measured: such a loop over a
/// million pixels takes fourteen times as long.)
bool storesBytes(const Region &R);

/// Part of R's body (or all of it), without tests.
Code bareRegionCode(const StmtRef &Part, const Region &R, const Function &F,
                    const Options &Opts, Names &N, ExprPrinter &P);

/// How many loops S holds, itself included.
unsigned loopsIn(const StmtRef &S);

/// Whether S is a loop whose iterations go down. Compilers turn each vector of
/// it round, clang for every array in it.
bool countsDown(const StmtRef &S);

/// Whether R is one loop inside of two others.
bool isRowInNest(const Region &R, const Function &F);

/// Whether R's original is all that names some variable or pointer of F: its
/// body draws a warning then, if nothing stands in for that.
bool leavesUnused(const Region &R, const Function &F);

/// A pragma that a compiler cannot add by itself, or an expression of Eigen.
bool hasPayingPragma(const Code &C);

/// Notes which buffers the original indexes in 64 bits.
void noteIndexWidths(const StmtRef &Original, ExprPrinter &P);

/// Whether the sizes that R's guards let through are all below the one from
/// which on threads pay.
bool guardsKeepItSmall(const Region &R, const Function &F, const Options &Opts,
                       const ExprPrinter &P, const Names &N);

/// Whether Cond, as `n > 0`, holds wherever Work, as `n > 200000`, or several
/// such tests, does. N: the names that Work was printed with.
bool followsFrom(const ExprRef &Cond, llvm::StringRef Work, const Names &N);

} // namespace raise

#endif // RAISE_LIB_EMIT_REGIONPRINTER_H
