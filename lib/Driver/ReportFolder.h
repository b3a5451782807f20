//===- ReportFolder.h - the review report on disk ----------------*- C++
//-*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Internal to lib/Driver.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_DRIVER_REPORTFOLDER_H
#define RAISE_LIB_DRIVER_REPORTFOLDER_H

#include "raise/Driver/Unit.h"

namespace raise {

/// Why the report cannot be written to Folder, as far as can be told before any
/// work is done: something that is no folder, or a page's name taken by what no
/// report left there.
llvm::Error checkReportFolder(llvm::StringRef Folder);

/// Writes the report, each file whole, and removes pages of sources that an
/// older report had more.
llvm::Error writeReport(llvm::StringRef Folder, llvm::StringRef Command,
                        llvm::ArrayRef<SourceFile> Sources,
                        llvm::ArrayRef<UnitOutput> Units);

} // namespace raise

#endif // RAISE_LIB_DRIVER_REPORTFOLDER_H
