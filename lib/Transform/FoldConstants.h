//===- FoldConstants.h - sums of numbers as one number ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_TRANSFORM_FOLDCONSTANTS_H
#define RAISE_LIB_TRANSFORM_FOLDCONSTANTS_H

#include "raise/IR/Visitor.h"
#include <optional>

namespace raise {

/// The value of an integer expression of constants alone, however it is
/// spelled, as its type reads it. None if it overflows.
std::optional<int64_t> constantValue(const ExprRef &E);

/// E + C, where `x + a` and `x - a` take C into a if a is a plain number (no
/// name of the source). E + C must not overflow; then neither does the result.
ExprRef plusConstant(const ExprRef &E, int64_t C);

/// Replaces what putting an expression for a variable leaves behind: operations
/// on two numbers, `x - 1 - 1`, and comparisons of a number with itself, with
/// the branches that these choose.
class ConstantFolder : public Rewriter {
public:
  ExprRef rewriteExpr(const ExprRef &E) override;
  StmtRef rewriteStmt(const StmtRef &S) override;
};

/// Replaces comparisons of a variable with itself, of which compilers warn,
/// with the branches that these choose.
class SelfComparisonFolder : public Rewriter {
public:
  ExprRef rewriteExpr(const ExprRef &E) override;
  StmtRef rewriteStmt(const StmtRef &S) override;
};

/// Sums and products of integers with 0, and conversions of it, as what they
/// come to.
ExprRef withoutZeros(const ExprRef &E);
StmtRef withoutZeros(const StmtRef &S);

} // namespace raise

#endif // RAISE_LIB_TRANSFORM_FOLDCONSTANTS_H
