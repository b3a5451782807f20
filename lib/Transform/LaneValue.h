//===- LaneValue.h - what the lanes of a vector compute ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_TRANSFORM_LANEVALUE_H
#define RAISE_LIB_TRANSFORM_LANEVALUE_H

#include "raise/IR/Function.h"

namespace raise {

/// A call of fabs or fabsf, which every vector has.
bool isAbsolute(const ExprRef &E);

/// Whether E comes out the same each time that it is computed of the same
/// values: no compiler may round a float in it in two ways, as `a*b + c`.
bool isRepeatable(const ExprRef &E);

/// Whether the lanes of a vector, one for each value of V, compute E from
/// neighbours in memory, without a trap where E is computed though the source
/// would not.
bool isLaneValue(const ExprRef &E, const Var *V);

/// S, of lane values alone, for V = Start + Lane, where Lane is a counter of
/// 32 bits. Subscripts end in `+ Lane`: of a constant number of lanes, clang
/// unrolls the loop before it looks for vectors, and sees neighbours by that.
StmtRef forLane(const StmtRef &S, const VarRef &V, const ExprRef &Start,
                const VarRef &Lane);

} // namespace raise

#endif // RAISE_LIB_TRANSFORM_LANEVALUE_H
