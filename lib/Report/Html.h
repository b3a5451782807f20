//===- Html.h - text for a page ---------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_REPORT_HTML_H
#define RAISE_LIB_REPORT_HTML_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace raise::html {

/// Text as it stands in an element, or in an attribute's quotes. This is the
/// one place that escapes: whatever comes from outside goes through it. Bytes
/// that are not UTF-8, and characters that a page must not hold, become U+FFFD.
std::string escape(llvm::StringRef Text);

/// Some sentences of Markdown, as the pages of docs/diagnostics are written:
/// headings, paragraphs, lists, tables as they stand, code, `code`, **strong**.
/// Links lead nowhere from a report: their text stays.
std::string fromMarkdown(llvm::StringRef Text);

} // namespace raise::html

#endif // RAISE_LIB_REPORT_HTML_H
