//===- LinearValue.h - a scalar as a start and what was added ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_TRANSFORM_LINEARVALUE_H
#define RAISE_LIB_TRANSFORM_LINEARVALUE_H

#include "raise/IR/Function.h"
#include <functional>
#include <map>
#include <optional>
#include <set>

namespace raise {

/// C, or C * E where E is set. E does not vary in the loop.
struct Addend {
  int64_t C = 0;
  ExprRef E;
};

/// What an integer holds somewhere in an iteration: what Base held when the
/// iteration began (nothing, if null) plus the sum, in the order in which the
/// iteration adds it. The equation is one of integers if Modulus is 0, else it
/// holds modulo 2^Modulus.
struct LinearValue {
  VarRef Base;
  std::vector<Addend> Sum;
  unsigned Modulus = 0;
  /// Some partial sum may be a value that the original never computes.
  bool Regrouped = false;

  bool isExact() const { return Modulus == 0; }
  bool operator==(const LinearValue &O) const;
};

/// What each scalar of one loop's body holds at the current place; a scalar
/// without an entry has its value from before the iteration, and none means
/// that the value is not of this kind.
class LinearEnv {
public:
  /// Changing: the scalars that the loop assigns anywhere, its own variable
  /// among them. Narrowed(V) is the expression that V stands for, if V is such
  /// a name (see Inductions.cpp).
  LinearEnv(std::set<const Var *> Changing,
            std::function<ExprRef(const Var *)> Narrowed)
      : Changing(std::move(Changing)), Narrowed(std::move(Narrowed)) {}

  std::optional<LinearValue> eval(const ExprRef &E) const;
  /// The value of V now.
  std::optional<LinearValue> valueOf(const VarRef &V) const;
  /// V becomes what E is now; the value that it has then, if it has one.
  std::optional<LinearValue> assign(const VarRef &V, const ExprRef &E);
  void forget(const Var *V) { Values[V] = std::nullopt; }

  /// Whether E has one value throughout the loop, and computing it once more
  /// cannot trap.
  bool isInvariant(const ExprRef &E) const;

  using Map = std::map<const Var *, std::optional<LinearValue>>;
  Map Values;

private:
  std::set<const Var *> Changing;
  std::function<ExprRef(const Var *)> Narrowed;

  std::optional<LinearValue> sum(const LinearValue &L, const LinearValue &R,
                                 bool Minus, const Type &Ty) const;
};

/// `V op= Value` as the new value of V; null where op is neither + nor -.
ExprRef assignedValue(const Assign &A);

} // namespace raise

#endif // RAISE_LIB_TRANSFORM_LINEARVALUE_H
