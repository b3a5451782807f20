//===- CodePane.h - code on a page ------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_REPORT_CODEPANE_H
#define RAISE_LIB_REPORT_CODEPANE_H

#include "Links.h"

namespace raise {

struct PaneContent {
  llvm::StringRef Text;      ///< the whole file
  size_t Begin = 0, End = 0; ///< what is shown of it: the lines that hold this
  const LinkMap *Links = nullptr;
  /// Statements that something else on the page came from; others are no links.
  const std::vector<bool> *HasPartner = nullptr;
  /// Of the emitted text: the source's lines, which stand beside each line.
  const std::vector<unsigned> *LinesOf = nullptr;
  /// Lines with a mark, by their number, as the places that stopped something.
  std::vector<unsigned> Marked;
};

/// The lines, each with its number, tokens coloured, statements as links.
std::string codePane(const PaneContent &Content);

} // namespace raise

#endif // RAISE_LIB_REPORT_CODEPANE_H
