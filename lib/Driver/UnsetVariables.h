//===- UnsetVariables.h - loops whose tests may read nothing ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Internal to lib/Driver. Whether gcc notices that a variable may be read
// before it is set depends on how much stands around the read: for the test of
// a loop, on the loop's body. It then warns of the rewritten text and not of
// the original. A person decides what value is meant.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_DRIVER_UNSETVARIABLES_H
#define RAISE_LIB_DRIVER_UNSETVARIABLES_H

#include "raise/IR/Context.h"

namespace clang {
class FunctionDecl;
} // namespace clang

namespace raise {

/// Why the loop at Loc, in FD, is left: a loop around it tests a variable that
/// may not have been set.
Reason whyNotSet(const clang::FunctionDecl &FD, const SourceLoc &Loc);

} // namespace raise

#endif // RAISE_LIB_DRIVER_UNSETVARIABLES_H
