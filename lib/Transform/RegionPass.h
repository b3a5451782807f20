//===- RegionPass.h - passes that lay out regions anew ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Internal to lib/Transform. What passes share that give a region another body
// for the same operation.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_TRANSFORM_REGIONPASS_H
#define RAISE_LIB_TRANSFORM_REGIONPASS_H

#include "raise/IR/Context.h"
#include "raise/IR/Function.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace raise {

/// F with what LayOut has for each region; null for one that stays.
FunctionRef mapRegions(const FunctionRef &F,
                       llvm::function_ref<StmtRef(const Region &)> LayOut);

/// R with another Body. What is said of R goes on being said of the operation
/// that was proved.
StmtRef laidOut(const Region &R, StmtRef Body, Obligations Rests);

/// Whether F's loops are laid out for compilers to make vectors of: they are no
/// expressions of Eigen, pragmas are read, and people wrote the originals.
bool takesVectorLoops(const Function &F, const Options &Opts);

/// Whether no access of a region with these tests to A meets one to B, one of
/// which it writes.
bool areSeparate(llvm::ArrayRef<Guard> Guards, const Context &Ctx,
                 const Buffer &A, const Buffer &B);

} // namespace raise

#endif // RAISE_LIB_TRANSFORM_REGIONPASS_H
