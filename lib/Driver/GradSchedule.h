//===- GradSchedule.h - loops of derivatives, laid out ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_DRIVER_GRADSCHEDULE_H
#define RAISE_LIB_DRIVER_GRADSCHEDULE_H

#include "raise/Grad/Tangent.h"

namespace raise {

/// Made, an adjoint of which those loops count up whose order is free but for
/// how sums round, and nests are taken apart where that suits memory; see
/// countUp, splitSums, gatherSums and orderSums. Anything else stays as it is.
/// Of a kernel, the form over its plain range is left if not all of its loops
/// can be raised.
grad::Differentiated inGoodOrder(grad::Differentiated Made,
                                 const Options &Opts);

/// Made.F with those loops raised that this is proved for and where it pays: of
/// two forms, those of the one that ran its tests. Made.OverRange, if it has
/// one, with the first for all else.
FunctionRef scheduled(const grad::Differentiated &Made, const Options &Opts);

/// The same for what runs after First, which `scheduled` gave: it rests on the
/// tests that First ran, and adds none.
FunctionRef scheduledAfter(const grad::Differentiated &Made,
                           const Function &First, const Options &Opts);

} // namespace raise

#endif // RAISE_LIB_DRIVER_GRADSCHEDULE_H
