//===- Comment.h - the comment above emitted code ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_EMIT_COMMENT_H
#define RAISE_LIB_EMIT_COMMENT_H

#include "StmtPrinter.h"

namespace raise {

/// How the loops of a region's body differ from those of its original.
enum class LoopOrder { Same, Interchanged, Other };
LoopOrder compareLoops(const Region &R);

/// The arrays that the body stores to in fewer loops than the original did,
/// where those were Least loops or more.
std::vector<std::string> storedOnce(const Region &R, unsigned Least = 1);

/// Whether memory is gone through in another order than in the original: loops
/// that changed places, or went inside of others, or stores of whole
/// loops that left others.
bool isLaidOutAnew(const Region &R);

/// The loops within each strip of R's range, where one loop was taken apart
/// into several that run strip by strip (stripParts); else none.
std::vector<StmtRef> partsByStrips(const Region &R);

/// "x", "X.": a sentence.
std::string sentence(llvm::StringRef Text);

/// `//` lines that end by column 80 when indented by Indent.
void addComment(Code &C, llvm::StringRef Text, unsigned Indent);

/// Lines of the author's, as they were broken.
void addSourceComment(Code &C, llvm::StringRef Text);

/// The sentences on what R rests on, "" for none.
/// HasLoops: it is printed as loops, whose order may be another.
std::string obligationsText(const Region &R, const Options &Opts, bool IsKernel,
                            bool HasLoops);

} // namespace raise

#endif // RAISE_LIB_EMIT_COMMENT_H
