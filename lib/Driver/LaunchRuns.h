//===- LaunchRuns.h - launches that become one loop -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_DRIVER_LAUNCHRUNS_H
#define RAISE_LIB_DRIVER_LAUNCHRUNS_H

#include "CudaEdits.h"
#include "raise/Driver/CudaFile.h"

namespace raise {

/// Launches of the main file that stand one behind the other, over one grid, in
/// one stream, of kernels that are raised to one point for each thread: one
/// call of a function that goes through memory once, where the loop over what
/// all of them do is proved (joinLaunches). The function stands before the one
/// that launches, and runs the kernels one by one where its tests do not hold.
void joinLaunchRuns(const CudaFileInput &In, EditList &Edits);

} // namespace raise

#endif // RAISE_LIB_DRIVER_LAUNCHRUNS_H
