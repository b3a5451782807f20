//===- EigenIndex.h - how an access moves with its iterators ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A view of a buffer has an origin, and a stride for each iterator. Both are
// read off the flat index, written as a polynomial in what the index names.
// The original evaluated the index at every point without overflow, so its
// terms may be collected as those of an integer.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_EMIT_EIGENINDEX_H
#define RAISE_LIB_EMIT_EIGENINDEX_H

#include "ExprPrinter.h"
#include "raise/IR/Stmt.h"
#include <map>
#include <optional>

namespace raise::eigen {

/// Integer polynomials over the expressions of a Symbols.
class Sum {
public:
  using Product = std::vector<unsigned>; ///< ascending, with repetition
  std::map<Product, int64_t> Terms;      ///< no zero factors

  static Sum constant(int64_t C);
  static Sum symbol(unsigned S) {
    Sum R;
    R.add({S}, 1);
    return R;
  }
  void add(const Product &P, int64_t Factor);
  Sum plus(const Sum &O, int64_t Times = 1) const;
  Sum times(const Sum &O) const;
  bool isZero() const { return Terms.empty(); }
  /// The number, if it is one.
  std::optional<int64_t> asConstant() const;
  bool operator==(const Sum &O) const { return Terms == O.Terms; }
  bool operator<(const Sum &O) const { return Terms < O.Terms; }
};

class Symbols {
public:
  /// Iterators of the operation; Changing: what else differs between its
  /// points.
  Symbols(llvm::ArrayRef<Iterator> Iters,
          const llvm::DenseSet<const Var *> &Changing);
  /// Nothing where E is no polynomial, or may wrap around.
  std::optional<Sum> sumOf(const ExprRef &E);
  /// Whether E has one value in the whole operation, as long as memory that it
  /// reads is not written.
  bool isFixed(const ExprRef &E) const;
  /// E == S, in a type in which no part of it overflows.
  ExprRef exprOf(const Sum &S) const;
  unsigned iterator(size_t K) const { return unsigned(K); }
  size_t iterators() const { return Count; }
  /// The symbol's own expression.
  const ExprRef &at(unsigned S) const { return List[S]; }

private:
  unsigned symbol(const ExprRef &E);
  std::vector<ExprRef> List;
  size_t Count;
  const llvm::DenseSet<const Var *> &Changing;
};

/// The flat index as Σ Step_k · (iterator_k + Shift_k) + Rest.
struct Motion {
  llvm::SmallVector<Sum, 3> Steps;
  llvm::SmallVector<int64_t, 3> Shifts;
  Sum Rest;
  bool moves(size_t K) const { return !Steps[K].isZero(); }
};
std::optional<Motion> motionOf(const Access &A, Symbols &S);

/// The number that E is, through conversions that keep it, if the source does
/// not give it a name.
std::optional<int64_t> numberOf(const ExprRef &E);

/// E with its variables replaced, and sums of constants folded.
ExprRef replaced(const ExprRef &E,
                 const llvm::DenseMap<const Var *, ExprRef> &By);

} // namespace raise::eigen

#endif // RAISE_LIB_EMIT_EIGENINDEX_H
