//===- Walk.h - the accesses of a loop as integer functions -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Walks one iteration of a loop in program order with the scalars' symbolic
// values, and records each access of memory as a polynomial, with the
// conditions under which it happens.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_ANALYSIS_WALK_H
#define RAISE_LIB_ANALYSIS_WALK_H

#include "Symbols.h"
#include "raise/Analysis/Loops.h"
#include "raise/IR/Effects.h"
#include "llvm/ADT/MapVector.h"
#include <set>

namespace raise::analysis {

/// What a truth value says about integers: polynomials that are >= 0.
struct Implied {
  std::vector<Bounded> WhenTrue, WhenFalse;
};

/// An integer (or bool): P, under the facts N.
struct Value {
  Poly P;
  Needs N;
  std::shared_ptr<const Implied> Means; ///< may be null
};

/// One place of the loop's body that touches memory.
struct Touch {
  Access At;
  Poly P; ///< the flat index
  /// Of an array declared with several dimensions: the index of each, outermost
  /// first. C leaves a subscript outside its own dimension undefined, so two
  /// elements are one only if all of these are equal.
  std::vector<Poly> Dims;
  Needs N;
  MemoryAccess::Mode How = MemoryAccess::Mode::Read;
  Combiner Op = Combiner::None;
  bool Atomic = false;
  const Store *By = nullptr; ///< for writes
  const Stmt *In = nullptr;  ///< the simple statement, or the If that tests it
  SourceLoc Loc;
  std::vector<Bounded> Path;     ///< hold whenever this is executed
  std::vector<AtomId> Iterators; ///< of the loops around it, from Root inwards
  /// Conditions that do not vary with the loop, and how they turned out.
  std::vector<std::pair<ExprRef, bool>> Fixed;
  /// Path says exactly when this is executed.
  bool Exact = true;
  /// Of those that decide whether it is executed.
  unsigned Conditions = 0;
  /// For stores: the value mentions nothing that varies, but for memory.
  bool FixedValue = false;
  bool writes() const { return How != MemoryAccess::Mode::Read; }
  ExtraBounds bounds(const Symbols &S) const;
};

/// Whether a condition that does not vary keeps A and B from both happening.
bool excludeEachOther(const Touch &A, const Touch &B);

/// How the variable of a For runs.
struct Run {
  AtomId A = 0;
  Value V;
  std::optional<Poly> Count0; ///< 0, 1, 2, ... over the iterations
  std::optional<Poly> Trips;  ///< if not negative
  Reason Why;                 ///< set: not understood
  /// All of the variable's range is in the atom's bounds and Constraints.
  bool Exact = true;
};

class Walk {
public:
  /// Inspect: what is loaded by all iterations alike gets bounds that an
  /// Inspection finds.
  Walk(Symbols &S, const LoopQuery &Q, const Function &F, bool Inspect = false);
  /// Fills Touches; returns why the loop cannot be analysed, if so.
  Reason run();

  const LoopQuery &query() const { return Q; }
  std::vector<Touch> Touches;
  Run Root;
  /// More that holds of an iterator wherever it has a value.
  std::multimap<AtomId, Bounded> Constraints;
  bool isInvariant(const ExprRef &E) const;
  Value eval(const ExprRef &E);
  std::vector<Inspection> Inspections;
  /// Whether each iteration of its loops evaluates the inspected element, so
  /// that looking at it first reads nothing new.
  bool isAlwaysRead(const Inspection &I) const;
  /// How many elements a buffer has, where the query says so.
  std::map<const Buffer *, Bounded> Sizes;
  /// Buffers declared in the body: one for each iteration.
  std::set<const Buffer *> Own;

private:
  BufferRef homeOf(const Buffer &B);
  void recordHome(const Buffer &B, const SourceLoc &Loc);
  std::map<const Buffer *, BufferRef> Homes;
  /// In the order in which variables are first given a value: what walks
  /// through it numbers new atoms, and their order is seen in what is emitted.
  using Env = llvm::MapVector<const Var *, Value>;
  Run enter(const For &L);
  std::optional<Needs> staysBelow(const Poly &P, const Type &T);
  Value fit(Value V, const Type &T, const ExprRef &E,
            const Type *From = nullptr);
  void findDefinitions(const StmtRef &Body);
  std::optional<Value> definition(const VarRef &V);
  Value giveUp(const ExprRef &E, const char *Code, std::string Text);
  Value evalBinary(const Binary &B, const ExprRef &E);
  Value evalCompare(const Binary &B, const ExprRef &E);
  Value evalDivision(const Value &L, const Value &R, bool Remainder,
                     const ExprRef &E);
  Value evalSelect(const Select &Sel, const ExprRef &E);
  Value eitherOf(const Value &T, const Value &F, const Value &C,
                 llvm::function_ref<Value()> Unknown);
  Value evalCast(const Cast &C, const ExprRef &E);
  Value truth(std::vector<Bounded> True, std::vector<Bounded> False,
              const ExprRef &E);
  void collect(const ExprRef &E);
  void record(const Access &At, MemoryAccess::Mode How, const Store *By,
              const SourceLoc &Loc);
  bool isFixed(const ExprRef &E) const;
  Value flatten(const Access &At, std::vector<Poly> &Dims);
  void inspect(const ExprRef &E, const Value &V);
  bool isInspectable(const ExprRef &E) const;
  void findLocals();
  ExprRef withLocals(const ExprRef &E) const;
  void walk(const StmtRef &S);
  void walkFor(const For &L);
  void walkTensor(const TensorOp &T);
  void walkUnknownTimes(const StmtRef &Body);
  void walkIf(const ExprRef &Cond, llvm::function_ref<void()> Then,
              llvm::function_ref<void()> Else);
  std::optional<Poly> change(const StmtRef &Body, const Var *X,
                             const std::set<const Var *> &Assigned, Needs &N);
  void assume(const ExprRef &Cond, bool Outcome);
  struct PathMark {
    size_t Path, Fixed, Iterators, Around;
    bool Exact;
    unsigned Conditions;
  };
  PathMark mark() const {
    return {Path.size(),   Fixed.size(), Iterators.size(),
            Around.size(), Exact,        Conditions};
  }
  void restore(const PathMark &M);

  Symbols &S;
  const LoopQuery &Q;
  const Stmt *Current = nullptr;
  /// Variables declared with a value and never assigned again; null: assigned.
  std::map<const Var *, ExprRef> Definitions;
  std::set<const Var *> Converted; ///< seen by definition(), and not followed
  unsigned DefinitionDepth = 0;
  Env Values;
  std::set<const Var *> Inside; ///< assigned or declared in the loop
  std::set<const Buffer *> Written;
  std::set<std::pair<const Buffer *, std::string>> WrittenFields;
  std::vector<BufferRef> WrittenRefs;
  std::vector<Bounded> Path;
  std::vector<AtomId> Iterators;
  std::vector<std::pair<ExprRef, bool>> Fixed;
  bool Exact = true;
  unsigned Conditions = 0;
  const bool Inspect;
  llvm::DenseMap<const Var *, ExprRef> Locals;
  std::vector<const For *> Around; ///< from the analysed loop inwards
  std::vector<std::vector<AtomId>> InspectedNests;
};

} // namespace raise::analysis

#endif // RAISE_LIB_ANALYSIS_WALK_H
