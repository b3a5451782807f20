//===- OpenMP.h - IR to C and C++ text, OpenMP dialect ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Emitted text is read by people: names and type spellings are the source's,
// parentheses are those that C needs or gcc's -Wparentheses asks for, and a
// loop looks as a careful colleague would have written it. The text compiles
// without a new warning under -Wall -Wextra in clang and gcc.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_EMIT_OPENMP_H
#define RAISE_EMIT_OPENMP_H

#include "raise/IR/Context.h"

namespace raise {

/// An expression as C text, with C's precedence.
std::string emitExpr(const ExprRef &E);

/// Index notation of what a statement computes, one formula for each write of
/// memory or reduced scalar: "out[b,t,o] = bias[o] + Σ_c inp[b,t,c]·w[o,c]",
/// "x[i] *= a,  0 ≤ i < n". UTF-8, one formula a line, to be read in order: the
/// equations of Equations.h. "" where they would not say it, or be too many.
std::string notation(const StmtRef &S, llvm::ArrayRef<Guard> Guards = {});
/// Of R's body, where R's guards hold.
std::string notation(const Region &R);

/// "map", "broadcast", "transpose", "gather", "scatter", "stencil",
/// "reduction", "contraction", "nest": the name of what a TensorOp (or nest of
/// them) is.
std::string kindOf(const StmtRef &S);

/// A comment of the text that a Region replaces.
struct SourceComment {
  std::string Text; ///< its lines, without the comment's marks
  /// Where the statement begins that it is about, as a byte offset.
  unsigned Statement = 0;
};

/// The text that replaces a Region's original in place: comment, guards, raised
/// loops, and OriginalText in the `else` where there are guards. R stands in
/// F's body. After the comment there is exactly one statement, so that the text
/// may stand where the original stood, below an `if` as well. Lines are
/// indented by Indent columns after the first. The text is not yet formatted
/// and has no begin and end markers. Each of Comments, which are those of
/// OriginalText, stands somewhere in it: with the original where that is
/// printed, else above its statement where that is printed, else in the comment
/// above all.
std::string emitRegion(const Region &R, const Function &F,
                       llvm::StringRef OriginalText, const Options &Opts,
                       unsigned Indent = 0,
                       llvm::ArrayRef<SourceComment> Comments = {});

/// Whether a loop of R's body keeps the directive of the author's that stands
/// on it. The text that R replaces begins with that directive then, and so does
/// OriginalText.
bool keepsDirective(const Region &R);

/// The raised form of a kernel (whose body is one Region): `static void
/// K_range(args)` over the plain range, with its comment. An instance of a
/// template has another Name than K_range, and its arguments in Kernel's:
/// `scale<float>`.
std::string emitRangeFunction(const Function &Kernel, const Options &Opts,
                              llvm::StringRef Name = "",
                              llvm::StringRef Instance = "");

/// Whether K_range takes `dim3 grid, dim3 block` before the kernel's
/// parameters, because its ranges end with the launch (`filter < grid.y`).
bool rangeNeedsLaunch(const Function &Kernel);

/// F's parameters, each with its type and its name.
std::string emitParameters(const Function &F);

/// The condition, over parameters and the dim3 variables `grid` and `block`,
/// under which a launch of the kernel may call K_range. "true" if none is
/// needed.
std::string emitLaunchCondition(const Function &Kernel, const Options &Opts);

/// The condition of R's guards, in the terms of F, in which R stands. "true" if
/// it has none.
std::string emitGuards(const Region &R, const Function &F, const Options &Opts);

/// Reason why emitting R, which stands in F's body, would not pay (CR1601: only
/// with -fopenmp; CR1602: the loop is already at its best), is not possible in
/// this dialect (CR1604), or would lose errno under --fp=strict (CR1605); unset
/// if it pays.
Reason whyNotEmit(const Region &R, const Function &F, const Options &Opts);

} // namespace raise

#endif // RAISE_EMIT_OPENMP_H
