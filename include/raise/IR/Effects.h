//===- Effects.h - what a statement reads and writes ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_IR_EFFECTS_H
#define RAISE_IR_EFFECTS_H

#include "raise/IR/Function.h"

namespace raise {

struct MemoryAccess {
  enum class Mode { Read, Write, Update }; // Update: reads and writes (+=)
  Access At;
  Mode How;
  bool Atomic = false;
  SourceLoc Loc;
};

/// Everything that a statement may do. Order is that of evaluation.
struct Effects {
  std::vector<MemoryAccess> Memory;
  std::vector<VarRef> ScalarReads, ScalarWrites; // not those declared inside
  bool Unknown = false; ///< an Opaque: may touch anything reachable
  bool Barrier = false, MayReturn = false, MayTrap = false, Volatile = false;
};
Effects effectsOf(const StmtRef &S);
Effects effectsOf(const ExprRef &E);

/// `extern __shared__ T a[];`: its size is the launch's, and all such arrays of
/// a kernel start at one address.
bool isDynamicShared(const Buffer &B);
/// The most bytes of it that a launch can have (compute capability 9.0, and
/// where the program has raised the limit).
inline constexpr int64_t MostDynamicShared = int64_t{227} * 1024;
/// The buffer in whose elements B lies (Buffer::EachElement); else B itself.
const Buffer &wholeOf(const Buffer &B);
/// What an element of such memory takes of it; at least 1.
int64_t bytesOfElement(const Buffer &B);

/// Whether two buffers may share a byte, by what the declarations alone say.
/// Distinct __restrict parameters and distinct arrays never do, nor does memory
/// that was allocated apart (Buffer::Fresh, Buffer::Apart); types prove
/// nothing.
enum class AliasResult { No, May, Must };
AliasResult alias(const Buffer &A, const Buffer &B);

/// Whether two buffers share no byte that one of them writes, by that or by one
/// of the tests.
bool areApart(llvm::ArrayRef<Guard> Tested, const Buffer &A, const Buffer &B);

/// Whether B is all elements of a vector, from the first on: no pointer or
/// reference into them. Two such are the same or have nothing in common.
bool isWholeContainer(const Buffer &B);

} // namespace raise

#endif // RAISE_IR_EFFECTS_H
