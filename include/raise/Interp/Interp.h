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
#include <set>

namespace raise::interp {

/// A type without its spelling: runs keep and copy values by the million.
struct ValueType {
  TypeKind Kind = TypeKind::Void;
  uint8_t Bits = 0;
  bool Signed = false;

  ValueType() = default;
  ValueType(const Type &T)
      : Kind(T.Kind), Bits(static_cast<uint8_t>(T.Bits)), Signed(T.Signed) {}
  operator Type() const { return {Kind, Bits, Signed, ""}; }

  bool isBool() const { return Kind == TypeKind::Bool; }
  bool isFloat() const { return Kind == TypeKind::Float; }
  bool operator==(const ValueType &O) const {
    return Kind == O.Kind && Bits == O.Bits && Signed == O.Signed;
  }
  bool operator!=(const ValueType &O) const { return !(*this == O); }
};

/// A scalar value: integers in I (sign- or zero-extended), floats in D, rounded
/// to their type.
struct Value {
  ValueType Ty;
  int64_t I = 0;
  long double D = 0;
  static Value ofInt(int64_t I, ValueType Ty = Type::getI32());
  static Value ofFloat(long double D, ValueType Ty);
};

/// Equal bit for bit, but for the payload of a NaN.
bool sameValue(const Value &A, const Value &B);

/// A buffer's storage. Several buffers may be bound to one storage at different
/// offsets (aliasing). Cells start uninitialised unless set. Size grows on
/// access where Growable is set (extent discovery).
struct Storage {
  using Plane = std::vector<std::optional<Value>>;
  Plane Cells; ///< by flat index
  /// Members of structure elements, by path ("pos.x"): one plane each. They do
  /// not overlap each other or Cells.
  std::map<std::string, Plane> Fields;
  bool Growable = false;
  /// Growing beyond this many elements is OutOfRange.
  size_t MaxElements = size_t(1) << 22;
  /// Supplies the value of a cell that is read before it was written, when the
  /// storage is growable; null: reading it is an error.
  std::function<Value(size_t Cell, const std::string &Field, const Type &Ty)>
      Fill;
  /// Elements: the size of the longest plane.
  size_t size() const;
};

struct Binding {
  std::shared_ptr<Storage> Store; ///< null: a null pointer
  int64_t Offset = 0;             ///< element 0 of the buffer is cell Offset
};

struct Inputs {
  /// By name of the parameter or of the External variable.
  std::map<std::string, Value> Scalars;
  /// By name of the parameter or of the Global buffer. A cell's value is
  /// converted to the type with which it is read.
  std::map<std::string, Binding> Buffers;
  uint64_t GridDim[3] = {1, 1, 1}, BlockDim[3] = {1, 1, 1};
};

/// Inputs with storages of their own; those that were shared still are.
Inputs clone(const Inputs &In);

/// Why execution stopped.
enum class Stop {
  Done,
  OutOfRange,
  Uninitialised,
  SignedOverflow,
  DivisionByZero,
  FloatToIntRange,
  NullPointer,
  StepLimit,
  Unsupported,
  DivergentBarrier,
  BadShift,
  Requirement, ///< what Function::Requires says does not hold
};

/// "signed overflow" and the like.
llvm::StringRef describe(Stop S);

struct TraceEntry {
  /// Null for a scalar (Settings::TraceScalars), which Scalar then names.
  const Storage *Store;
  const Var *Scalar = nullptr;
  int64_t Cell = 0;
  std::string Field;
  bool IsWrite = false;
  bool Atomic = false;
  Combiner Op = Combiner::None; ///< of a write; None for a plain store
  /// Values of the enclosing loops' counters (0, 1, 2, ... for each For, While
  /// and TensorOp iterator entered), outermost first, with the loop's
  /// statement.
  std::vector<std::pair<const Stmt *, int64_t>> Where;
  /// For writes: the value after the write.
  Value After;
  SourceLoc Loc;
};

struct Settings {
  uint64_t MaxSteps = 10000000;
  bool Trace = false;
  bool TraceScalars = false; ///< with Trace: also uses and writes of scalars
  /// Watch what a kernel's threads write to the buffers of Inputs: see
  /// Outcome::ThreadsDisagree.
  bool WatchThreads = false;
  /// If set, the stores that ran join it.
  std::set<const Stmt *> *Reached = nullptr;
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
  std::vector<std::shared_ptr<Storage>> Locals;
  /// With Settings::WatchThreads: two threads, with no barrier between them,
  /// wrote one cell, and neither the same value nor by the same atomic update:
  /// what stays there is whatever came last. Exact for the launch that ran,
  /// where a few orders of threads may by chance leave the same.
  bool ThreadsDisagree = false;
  uint64_t Steps = 0; ///< statements and iterations executed
  uint64_t Path = 0;  ///< a digest of the choices that were made, in order
  unsigned GuardsPassed = 0, GuardsFailed = 0; ///< of regions reached
};

/// Runs F; buffers of In are modified in place. Kernels with barriers run the
/// threads of a block in lockstep between barriers. An update (`+=`) is traced
/// as one write with its combiner. Storages of local arrays stay alive in
/// Outcome::Locals when tracing, so that their addresses differ. Opaque
/// statements, unknown callees and missing inputs stop with Unsupported.
Outcome run(const Function &F, Inputs &In, const Settings &S = {});

/// Evaluates an expression over parameters (a guard); nothing if it stops.
std::optional<Value> evaluate(const ExprRef &E, const Function &F, Inputs &In);

} // namespace raise::interp

#endif // RAISE_INTERP_INTERP_H
