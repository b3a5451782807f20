//===- EigenExpr.h - expressions over whole arrays --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The value that a statement has at each point of an operation, as one Eigen
// expression over all points. Every conversion and every rounding is that of
// the statement: Eigen computes element by element what is written.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_EMIT_EIGENEXPR_H
#define RAISE_LIB_EMIT_EIGENEXPR_H

#include "EigenIndex.h"
#include "raise/IR/Context.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <set>

namespace raise::eigen {

/// Text, and on which iterators it depends: bit K for the K-th. What depends on
/// one of two is a column, whichever of them it is.
struct Piece {
  std::string Text;
  Prec Strength = Prec::Postfix;
  unsigned Dims = 0;
};

/// P in parentheses unless a `.` may follow it.
std::string postfix(const Piece &P);

class ExprWriter {
public:
  /// Element: the text of a load that differs between points; may decline.
  using ElementText = llvm::function_ref<std::optional<Piece>(const Access &)>;
  ExprWriter(const Options &Opts, const ExprPrinter &P, const Symbols &S,
             llvm::ArrayRef<std::string> Sizes, size_t Inner,
             ElementText Element)
      : Opts(Opts), P(P), S(S), Sizes(Sizes), Inner(Inner), Element(Element) {}

  /// Nothing where Eigen has no expression of the same value.
  std::optional<Piece> write(const ExprRef &E);
  /// Loads that happen at every point.
  void addCertain(const ExprRef &E);
  /// Something was written as a scalar that may not be computed where there is
  /// no point at all.
  bool NeedsPoint = false;
  /// How often a row or column meets a table. More than once in a statement is
  /// hard to read: a loop over rows says it better.
  unsigned Meetings = 0;
  /// Arrays and scalars that are named. Of more than a few, clang keeps the
  /// operands of each step in memory, and a loop is faster.
  std::set<std::string> Operands;
  static constexpr unsigned MaxOperands = 4;
  /// V, which depends on one iterator, as an operand of what depends on both.
  std::string across(const Piece &V) const;
  unsigned whole() const { return (1u << Sizes.size()) - 1; }

private:
  std::optional<Piece> scalar(const ExprRef &E);
  std::optional<Piece> load(const Load &L);
  std::optional<Piece> convert(const Cast &C);
  std::optional<Piece> unary(const Unary &U);
  std::optional<Piece> binary(const Binary &B);
  std::optional<Piece> power(const Binary &B);
  std::optional<Piece> select(const Select &C);
  std::optional<Piece> extremum(const Select &C);
  std::optional<Piece> call(const Call &C);
  std::optional<Piece> join(BinaryOp Op, Piece L, Piece R);
  std::string spread(const Piece &V, unsigned To) const;
  bool isCertain(const Access &A) const;

  const Options &Opts;
  const ExprPrinter &P;
  const Symbols &S;
  llvm::ArrayRef<std::string> Sizes; ///< of the iterators
  size_t Inner;                      ///< the iterator of columns
  ElementText Element;
  std::vector<Access> Certain;
  bool InSelect = false;
  bool Lazy = false; ///< what is written might not have been evaluated
};

} // namespace raise::eigen

#endif // RAISE_LIB_EMIT_EIGENEXPR_H
