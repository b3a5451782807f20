//===- Json.h - machine-readable results -------------------------*- C++
//-*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_REPORT_JSON_H
#define RAISE_REPORT_JSON_H

#include "raise/Report/Result.h"
#include "llvm/ADT/ArrayRef.h"

namespace raise {

/// A JSON document {"version":1,"results":[...]} with the results in the given
/// order and the keys always in the same one, ending with a newline. Bytes that
/// are not UTF-8 are replaced. docs/command-line.md lists the keys.
std::string toJson(llvm::ArrayRef<Result> Results);

} // namespace raise

#endif // RAISE_REPORT_JSON_H
