//===- PlainName.h - names made of those of arrays --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_TRANSFORM_PLAINNAME_H
#define RAISE_LIB_TRANSFORM_PLAINNAME_H

#include "llvm/ADT/StringExtras.h"
#include <string>

namespace raise {

/// What people call an array, as one identifier: `s->rows` and `s.rows` are
/// rows, and so are `ns::rows` and the elements of a vector, `m.rows_.data()`.
inline std::string plainName(llvm::StringRef Name) {
  Name.consume_back(".data()");
  Name = Name.substr(Name.find_last_of(">.:") + 1);
  // A member's last underscore would stand before that of what it is part of.
  if (const llvm::StringRef Short = Name.rtrim('_'); !Short.empty())
    Name = Short;
  std::string Plain = Name.str();
  for (char &C : Plain)
    if (!llvm::isAlnum(C))
      C = '_';
  return Plain.empty() ? "value" : Plain;
}

} // namespace raise

#endif // RAISE_LIB_TRANSFORM_PLAINNAME_H
