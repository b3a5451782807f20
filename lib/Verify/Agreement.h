//===- Agreement.h - whether two runs left the same -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_VERIFY_AGREEMENT_H
#define RAISE_LIB_VERIFY_AGREEMENT_H

#include "raise/Interp/Interp.h"

namespace raise {

/// Whether A and B hold the same; where the order of a sum may differ (Rounds),
/// to three digits. A run may have touched more of a storage than the other.
bool agree(const interp::Storage &A, const interp::Storage &B, bool Rounds);

} // namespace raise

#endif // RAISE_LIB_VERIFY_AGREEMENT_H
