//===- Networks.h - what threads compute by exchanging values ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Internal to lib/Transform: part of raise-networks. Threads add up what a
// block has by trees, butterflies and ladders, in many spellings. All have in
// common that who gets what from whom hangs on nothing but the threads'
// numbers. Where these are known the code can be run with a name for each
// element in place of its value; what is then in each element says what the
// code computes, however it was spelled.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_TRANSFORM_NETWORKS_H
#define RAISE_LIB_TRANSFORM_NETWORKS_H

#include "raise/IR/Context.h"
#include "raise/IR/Stmt.h"
#include <map>
#include <memory>
#include <optional>
#include <variant>

namespace raise {

/// An element of an array of the block, as it was at first.
struct Cell {
  const Buffer *Array = nullptr;
  int64_t At = 0; ///< row-major
  bool operator<(const Cell &O) const {
    return std::tie(Array, At) < std::tie(O.Array, O.At);
  }
  bool operator==(const Cell &O) const {
    return Array == O.Array && At == O.At;
  }
};

/// Cells, and at most one number, put together by one operation, each as often
/// as it says. An operation that ignores copies (the largest, and, or) has each
/// once.
struct Combination {
  Combiner Op = Combiner::None; ///< None for a cell or a number alone, and
  CalleeRef Fn;                 ///< where Fn, fmax or fmin, is the operation
  std::map<Cell, int64_t> Cells;
  ExprRef Number;
  Type Ty;
};
using CombinationRef = std::shared_ptr<const Combination>;

/// The same operation on the same cells and numbers.
bool operator==(const Combination &A, const Combination &B);

/// What a variable or an element holds: nothing that is known, an integer, or a
/// combination.
using NetworkValue = std::variant<std::monostate, int64_t, CombinationRef>;

/// Statements, run in their order with names in place of values.
class Network {
public:
  explicit Network(FPMode FP) : FP(FP) {}

  /// Runs S. False if something in it hangs on more than the numbers of
  /// threads, or does anything but put elements together; what it did to the
  /// state is then undone.
  bool run(const StmtRef &S);

  /// What S stores to memory that it looks at nowhere: values are combinations.
  struct Output {
    Access To;
    CombinationRef Value;
    SourceLoc Loc;
  };

  struct State {
    std::map<const Var *, NetworkValue> Scalars;
    std::map<Cell, NetworkValue> Cells;
    std::vector<Output> Outputs;
    size_t Combined = 0; ///< operations
    bool Rounds = false; ///< one of them rounds
  };
  const State &state() const { return Now; }

  /// The integer that E is now; none if that is not known.
  std::optional<int64_t> number(const ExprRef &E);
  /// The element that A is now, of an array of the function's own.
  std::optional<Cell> cellOf(const Access &A);
  /// Keeps what is known of integers behind S, before which it is known.
  void follow(const StmtRef &S);
  void set(const Var *V, int64_t Value) { Now.Scalars[V] = Value; }
  void forget(const Var *V) { Now.Scalars.erase(V); }

  /// The values of a loop's variable, one after the other.
  class Count {
  public:
    Count(const For &L, Network &In);
    bool isKnown() const { return Known; }
    /// Sets the variable, if there is a value.
    bool goesOn();
    void next();
    /// What comes next is not known after all.
    bool isLost() const { return Lost; }

  private:
    const For &L;
    Network &In;
    int64_t At = 0;
    ExprRef Goes, Next;
    bool Known = false, Lost = false;
  };

  /// Runs use no more than this many steps, all together.
  static constexpr size_t MostSteps = 1500000;
  bool isExhausted() const { return Steps > MostSteps; }
  size_t steps() const { return Steps; }

private:
  FPMode FP;
  State Now;
  size_t Steps = 0;

  bool step(const StmtRef &S);
  bool stepFor(const StmtRef &S);
  bool stepStore(const StmtRef &S);
  bool stepArray(const StmtRef &S);
  bool stepAssign(const StmtRef &S);
  std::optional<int64_t> assigned(const Assign &A);
  std::optional<int64_t> binary(const ExprRef &E);
  NetworkValue value(const ExprRef &E);
  NetworkValue combine(Combiner Op, const CalleeRef &Fn, const NetworkValue &L,
                       const NetworkValue &R, const Type &Ty);
  CombinationRef asCombination(const NetworkValue &V, const Type &Ty) const;
  NetworkValue load(const Access &A, const Type &Ty);
  ExprRef withNumbers(const ExprRef &E);
  bool isStoredOut(const Buffer *B) const;
};

/// The number of elements of an array of the function's own; none if that is
/// not a number, or if there is more to its elements than one scalar.
std::optional<int64_t> plainElements(const Buffer &B);

} // namespace raise

#endif // RAISE_LIB_TRANSFORM_NETWORKS_H
