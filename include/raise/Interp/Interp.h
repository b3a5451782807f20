//===- Interp.h - executing IR with exact C meaning -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The judge of every pass: runs a function on small inputs with C's widths,
// wrapping, rounding and lazy evaluation, and stops at whatever C leaves
// undefined. It can trace accesses, so that the independence of a loop's
// iterations is checked by brute force.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_INTERP_INTERP_H
#define RAISE_INTERP_INTERP_H

#include "raise/IR/Function.h"
#include <functional>
#include <map>
#include <optional>

namespace raise::interp {

/// A scalar value: integers in I (sign- or zero-extended), floats in D, rounded
/// to their type.
struct Value {
  Type Ty;
  int64_t I = 0;
  long double D = 0;
  static Value ofInt(int64_t I, Type Ty = Type::getI32());
  static Value ofFloat(long double D, Type Ty);
};

/// A buffer's storage. Several buffers may be bound to one storage at different
/// offsets (aliasing). Cells start uninitialised unless set. Size grows on
/// access where Growable is set (extent discovery).
struct Storage {
  std::vector<std::optional<Value>> Cells; ///< by flat index
  bool Growable = false;
  /// Supplies the value of a cell that is read before it was written, when the
  /// storage is growable; null: reading it is an error.
  std::function<Value(size_t)> Fill;
};

struct Binding {
  std::shared_ptr<Storage> Store; ///< null: a null pointer
  int64_t Offset = 0;             ///< element 0 of the buffer is cell Offset
};

struct Inputs {
  std::map<std::string, Value> Scalars;    ///< by parameter name
  std::map<std::string, Binding> Buffers;  ///< by parameter name
  uint64_t GridDim[3] = {1, 1, 1}, BlockDim[3] = {1, 1, 1};
};

/// Why execution stopped.
enum class Stop {
  Done, OutOfRange, Uninitialised, SignedOverflow, DivisionByZero,
  FloatToIntRange, NullPointer, StepLimit, Unsupported, DivergentBarrier, BadShift,
};

struct TraceEntry {
  const Storage *Store;
  int64_t Cell;
  std::string Field;
  bool IsWrite;
  bool Atomic;
  Combiner Op; ///< of a write; None for a plain store
  /// Values of the enclosing loops' counters (0, 1, 2, ... for each For, While
  /// and TensorOp iterator entered), outermost first, with the loop's statement.
  std::vector<std::pair<const Stmt *, int64_t>> Where;
  /// For writes: the value after the write.
  Value After;
  SourceLoc Loc;
};

struct Settings {
  uint64_t MaxSteps = 10000000;
  bool Trace = false;
  /// Order in which Parallel loops, thread loops and TensorOps' parallel
  /// iterators run.
  enum class Order { Ascending, Descending, Random } Ord = Order::Ascending;
  uint64_t Seed = 0;
  /// Regions: run Body if guards hold (default), always Original, or always
  /// Body.
  enum class Which { Guarded, Original, Body } Regions = Which::Guarded;
};

struct Outcome {
  Stop Why = Stop::Done;
  std::string Message; ///< for people, with location
  SourceLoc Loc;
  std::optional<Value> Result;
  std::map<std::string, Value> Scalars; ///< final values of scalar parameters
  std::vector<TraceEntry> Trace;
  unsigned GuardsPassed = 0, GuardsFailed = 0; ///< of regions reached
};

/// Runs F; buffers of In are modified in place. Kernels with barriers run the
/// threads of a block in lockstep between barriers.
Outcome run(const Function &F, Inputs &In, const Settings &S = {});

/// Evaluates an expression over parameters (a guard).
std::optional<Value> evaluate(const ExprRef &E, const Function &F, Inputs &In);

} // namespace raise::interp

#endif // RAISE_INTERP_INTERP_H
