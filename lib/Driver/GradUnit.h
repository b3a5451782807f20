//===- GradUnit.h - one source file from text to derivatives -----*- C++
//-*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_DRIVER_GRADUNIT_H
#define RAISE_LIB_DRIVER_GRADUNIT_H

#include "raise/Driver/Unit.h"

namespace raise {

/// How each file begins that `grad` writes.
inline bool isMadeByGrad(llvm::StringRef Text) {
  return Text.starts_with("// Tangents of ") ||
         Text.starts_with("// Adjoints of ") ||
         Text.starts_with("// Adjoints and tangents of ");
}

/// As processUnit, for `grad`: NewText is a file of derivatives, HeaderText
/// (unless HeaderName is empty) the header that declares them. What cannot be
/// differentiated is in Refused, and then there is no text.
UnitOutput gradUnit(const SourceFile &Source, llvm::StringRef OutputFolder,
                    llvm::StringRef HeaderName, const UnitSettings &Settings);

} // namespace raise

#endif // RAISE_LIB_DRIVER_GRADUNIT_H
