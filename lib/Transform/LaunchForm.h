//===- LaunchForm.h - what a kernel takes for granted of a launch *- C++
//-*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Internal to lib/Transform: parts of merge-launch. `blockIdx.x * 16 +
// threadIdx.x` counts the threads of the launch only where blocks are 16
// threads wide, and a kernel that never looks at `blockIdx.y` means a launch
// that has no such dimension: what the author took for granted becomes a test
// of the launch.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_TRANSFORM_LAUNCHFORM_H
#define RAISE_LIB_TRANSFORM_LAUNCHFORM_H

#include "raise/IR/Context.h"
#include <array>

namespace raise {

/// What stands in the six loops over the threads of a launch, whose variables
/// Index gets: blockIdx.x, .y, .z, threadIdx.x, .y, .z. Null if Body has not
/// the form that the frontend produces, or, with a reason, if it shares arrays.
StmtRef threadBody(const StmtRef &Body, llvm::MutableArrayRef<VarRef> Index,
                   Context &Ctx);

/// For x, y and z the number c where Body computes `c * blockIdx + threadIdx`
/// and no other such number; 0 where it does not. Index holds the variables
/// blockIdx.x to threadIdx.z.
std::array<int64_t, 3> literalBlockSizes(const StmtRef &Body,
                                         llvm::ArrayRef<VarRef> Index);

/// Body for a launch in which Extent is Size.
StmtRef withExtent(const StmtRef &Body, const VarRef &Extent, int64_t Size);

/// What a launch is where the dimensions Unused (0 for blockIdx.x to 5 for
/// threadIdx.z, rising) have extent 1.
std::string unusedText(llvm::ArrayRef<unsigned> Unused);

/// What a thread does without its asserts of what all threads of a launch have
/// alike (`assert(blockDim.x == 256)`), which become Tests: where one does not
/// hold, the kernel runs as written, and ends.
StmtRef withoutAsserts(const StmtRef &Body, std::vector<Guard> &Tests);

/// What a thread does, with what names of its indices and of the launch's
/// extents stand for (`bid` for `blockIdx.x`, `stride` for `blockDim.x *
/// gridDim.x`) in what is declared by them and in the steps of loops. A name
/// that nothing uses then is gone.
StmtRef withoutLaunchNames(const StmtRef &Body, llvm::ArrayRef<VarRef> Index);

/// The parts of a condition that is a conjunction, in order.
void conjuncts(const ExprRef &E, std::vector<ExprRef> &Out);

} // namespace raise

#endif // RAISE_LIB_TRANSFORM_LAUNCHFORM_H
