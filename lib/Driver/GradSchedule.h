//===- GradSchedule.h - loops of derivatives in parallel --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_DRIVER_GRADSCHEDULE_H
#define RAISE_LIB_DRIVER_GRADSCHEDULE_H

#include "raise/Grad/Tangent.h"

namespace raise {

/// Made.F with those loops raised that this is proved for and where it pays: of
/// two forms, those of the one that ran its tests.
FunctionRef scheduled(const grad::Differentiated &Made, const Options &Opts);

} // namespace raise

#endif // RAISE_LIB_DRIVER_GRADSCHEDULE_H
