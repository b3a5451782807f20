//===- Assets.h - the files that the report is made of ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_REPORT_ASSETS_H
#define RAISE_LIB_REPORT_ASSETS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace raise::assets {

/// lib/Report/assets/page.html, report.css, report.js.
extern const llvm::StringRef Page, Style, Script;

/// docs/diagnostics, by code, sorted: "CR1101".
struct Diagnostic {
  llvm::StringRef Code, Text;
};
llvm::ArrayRef<Diagnostic> diagnostics();

} // namespace raise::assets

#endif // RAISE_LIB_REPORT_ASSETS_H
