//===- PlainName.h - names made of those of arrays --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_TRANSFORM_PLAINNAME_H
#define RAISE_LIB_TRANSFORM_PLAINNAME_H

#include "llvm/ADT/StringExtras.h"
#include <string>

namespace raise {

/// What people call an array, as one identifier: `s->rows` and `s.rows` are
/// rows, and so is `ns::rows`.
inline std::string plainName(llvm::StringRef Name) {
  std::string Plain = Name.substr(Name.find_last_of(">.:") + 1).str();
  for (char &C : Plain)
    if (!llvm::isAlnum(C))
      C = '_';
  return Plain.empty() ? "value" : Plain;
}

} // namespace raise

#endif // RAISE_LIB_TRANSFORM_PLAINNAME_H
