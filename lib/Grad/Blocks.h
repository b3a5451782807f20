//===- Blocks.h - kernels whose threads wait for each other -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What the threads of a block exchange, through shared memory or within warps,
// is differentiated block by block: cut at its barriers (split-barriers), a
// block is a piece of code for one thread, which runs what each of its threads
// does between two barriers as a loop. Blocks are to a launch then what threads
// are to one without barriers: none reads what another one writes other than by
// atomic updates. The derivative is for the launches for which the cut holds.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_GRAD_BLOCKS_H
#define RAISE_LIB_GRAD_BLOCKS_H

#include "raise/IR/Context.h"

namespace raise::grad {

struct BlockForm {
  FunctionRef F; ///< null: Why
  /// What a launch must be; nothing where F is the kernel as it was.
  Obligations Rests;
  Reason Why;
};

/// The kernel as loops over blocks, where its threads wait for each other or
/// share memory; else as it is.
BlockForm inBlocks(const FunctionRef &Kernel, FPMode FP);

/// What a comment says of the launches; empty where any will do.
std::string noteOf(const BlockForm &Form);

/// Made, a derivative of Form.F, for the launches that Form rests on; others
/// end the program with a message.
FunctionRef forItsLaunches(const FunctionRef &Made, const BlockForm &Form);

} // namespace raise::grad

#endif // RAISE_LIB_GRAD_BLOCKS_H
