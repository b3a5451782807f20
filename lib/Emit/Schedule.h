//===- Schedule.h - which loop of a tensor operation gets which pragma ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The iterators' kinds say which orders are allowed. What is decided here is
// which of these freedoms pay: threads for the outermost loop, vectors for the
// innermost, reductions where the rounding mode allows them.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_EMIT_SCHEDULE_H
#define RAISE_LIB_EMIT_SCHEDULE_H

#include "raise/IR/Context.h"
#include <optional>

namespace raise {

/// An accumulator of a loop: a scalar, or an element that all iterations
/// update, which is kept in a scalar during the loop; or an array of which each
/// iteration updates what it finds, and each thread has one of its own.
struct Accumulator {
  VarRef Scalar;
  const Store *Element = nullptr;
  BufferRef Array;
  ExprRef Length; ///< of Array, where it is a pointer's row
  Combiner Op = Combiner::None;
  bool Rounds = false; ///< the result depends on the order
};

/// The type that A is combined in.
const Type &typeOf(const Accumulator &A);

/// What the body of a loop does to scalars declared outside it.
struct ScalarUse {
  std::vector<Accumulator> Accumulators;
  /// Something else, so that iterations must stay in order.
  bool Ordered = false;
};

class NotNegative;

/// What stands around a tensor operation.
struct Surroundings {
  const Options *Opts = nullptr;
  bool InParallel = false;
  /// What is tested before it; null: nothing.
  const std::vector<Guard> *Tested = nullptr;
  /// Of the counters of the loops around it; null: there are none.
  const NotNegative *Counters = nullptr;
  bool Repeated = false; ///< a loop that stays as it is stands around it
  bool Inside = false;   ///< it stands in another operation
  bool OfKernel = false; ///< iterations were threads of one
};

/// What iterator Level of T and all within it do to outside scalars.
ScalarUse scalarUse(const TensorOp &T, size_t Level);

/// The pragma of one loop, before thresholds.
struct LoopPlan {
  bool Parallel = false, Simd = false;
  std::vector<Accumulator> Reductions; ///< named in the clause
};
LoopPlan planLoop(const TensorOp &T, size_t Level, const Surroundings &Around);

/// That It runs often enough for a sum of its own in vectors, each time that it
/// runs; null where that is known, where Reductions round nothing, or where it
/// cannot be said by It's bounds.
ExprRef shortRowTest(const Iterator &It,
                     llvm::ArrayRef<Accumulator> Reductions);

/// Whether updates of S are atomic.
bool hasAtomic(const StmtRef &S);

/// The stores by which iterations of T's iterator Level may meet at one element
/// and leave the same value there, as threads do that raise a flag: run at
/// once, they are atomic writes.
std::vector<const Store *> sharedWrites(const TensorOp &T, size_t Level,
                                        bool OfKernel);

/// Whether partial results of updates by Op combine to the result of the loop.
bool canAccumulate(Combiner Op, const Type &Elem, const ExprRef &Value);

/// Evaluating E for an iteration that would have been skipped does no harm.
bool isSpeculable(const ExprRef &E);

/// How far the element of A moves when V goes one step; nothing if that is not
/// a constant.
std::optional<int64_t> stride(const Access &A, const Var *V);

/// Whether `parallel for simd` is what clang makes good code of for T's
/// innermost loop.
bool mayCombine(const TensorOp &T, const LoopPlan &Plan);

/// The operator in OpenMP's reduction clause; empty if it has none that gives
/// the very result of the loop.
llvm::StringRef reductionOperator(Combiner Op, const Type &Ty);

/// Whether T is a few rows of an array of ours, which compilers write out.
bool isUnrolled(const TensorOp &T);

/// Whether both compilers turn this body into vector code.
bool vectorises(const TensorOp &T, const Options &Opts,
                llvm::ArrayRef<Accumulator> Reductions);

} // namespace raise

#endif // RAISE_LIB_EMIT_SCHEDULE_H
