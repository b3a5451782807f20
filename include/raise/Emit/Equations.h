//===- Equations.h - what statements compute, as equations ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The data behind index notation. A statement is read symbolically: scalars are
// replaced by what they hold as long as that is still true, loops that only
// combine values into a scalar or an element become sums. What comes out is a
// list of equations that can be executed: in the loops of the statement, with
// every other assignment taken away, they compute what the statement computes.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_EMIT_EQUATIONS_H
#define RAISE_EMIT_EQUATIONS_H

#include "raise/IR/Visitor.h"

namespace raise {

/// A loop around an equation, or one that a sum binds: V = Lo, Lo + Step, ...
/// while V Cond Hi. The bounds name nothing that the loop changes, but where
/// Dead is set.
struct Range {
  VarRef V;
  ExprRef Lo, Hi, Step;
  BinaryOp Cond = BinaryOp::LT;
  bool Dead = false;
};

/// Value, combined over the points of Over at which all of Under hold.
struct Combined {
  Combiner Op = Combiner::Add;
  std::vector<Range> Over;
  std::vector<ExprRef> Under;
  ExprRef Value;
};

/// What a scalar holds after a loop: Init, combined with all Terms. Name stands
/// for it in other expressions.
struct Sum {
  VarRef Name;
  ExprRef Init;
  std::vector<Combined> Terms;
};

/// `Target Op= Value` wherever all of Where hold. The target is Scalar, or
/// Element, or Array, which then gets Values. Or, if Leaves is set, no target:
/// where all of Where hold, the innermost of Loops ends as At says, which is a
/// break, a return (of Value) or a call that does not come back.
struct Equation {
  const Stmt *At = nullptr; ///< holds in place of this statement
  bool After = false;       ///< or, if set, once this loop has ended
  bool Leaves = false;
  VarRef Scalar;
  Access Element;
  BufferRef Array;
  std::vector<ExprRef> Values;
  Combiner Op = Combiner::None;
  ExprRef Value;
  std::vector<Range> Loops; ///< around, outermost first
  size_t Inside = 0; ///< the last so many Loops run in At, when After is set
  std::vector<ExprRef> Where;
  /// Elements only: Value is combined over these before it goes in.
  std::vector<Range> Over;
  std::vector<ExprRef> Under;
  bool Declares = false; ///< of a local that is declared here
  /// Declares a digit of a number, which nothing changes afterwards: the
  /// equation may stand anywhere.
  bool Lasting = false;
};

struct Equations {
  bool Known = false; ///< else nothing is said, and the rest is empty
  std::vector<Equation> Lines;
  std::vector<Sum> Sums; ///< each uses only those before it
  /// Every loop's ranges, as its equations see them.
  llvm::DenseMap<const Stmt *, std::vector<Range>> Ranges;
};

/// The equations of S. Buffers are taken to overlap unless they cannot, or one
/// of Guards, which S runs under, tests that they do not.
Equations equationsOf(const StmtRef &S, llvm::ArrayRef<Guard> Guards = {});

} // namespace raise

#endif // RAISE_EMIT_EQUATIONS_H
