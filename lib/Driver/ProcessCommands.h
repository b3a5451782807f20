//===- ProcessCommands.h - one source under all its commands ------*- C++
//-*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_DRIVER_PROCESSCOMMANDS_H
#define RAISE_LIB_DRIVER_PROCESSCOMMANDS_H

#include "raise/Driver/Unit.h"
#include "raise/Frontend/FileFacts.h"

namespace raise {

/// processUnit, worked out anew. With Facts, notes there what was read.
UnitOutput processCommands(const SourceFile &Source,
                           llvm::StringRef OutputFolder,
                           const UnitSettings &Settings, FileFacts *Facts);

} // namespace raise

#endif // RAISE_LIB_DRIVER_PROCESSCOMMANDS_H
