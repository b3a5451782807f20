//===- EigenOp.h - tensor operations as Eigen statements --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// No two iterations of an operation touch what one of them writes, except where
// they combine. So the first statement of its body may run for all of them,
// then the second, and each is one expression over whole arrays. One of which
// Eigen cannot say that, with the same values and no other access of memory,
// stays a loop.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_EMIT_EIGENOP_H
#define RAISE_LIB_EMIT_EIGENOP_H

#include "EigenExpr.h"
#include "EigenViews.h"
#include "raise/IR/Counts.h"

namespace raise::eigen {

/// What is known where an operation stands.
struct Place {
  const Options *Opts = nullptr;
  const ExprPrinter *P = nullptr;
  const std::vector<Guard> *Tested = nullptr; ///< may be null
  const NotNegative *Counters = nullptr;      ///< may be null
};

class Operation {
public:
  /// The iterators of T from Level on, at one point of those before.
  Operation(const TensorOp &T, size_t Level, const Place &Where, Views &V);
  /// Whether there is such a form.
  bool run();
  /// Under which it may run; empty: always.
  std::string test() const;
  std::vector<std::string> Statements;

private:
  /// A write with its locals replaced by their values.
  struct Write {
    VarRef Scalar; ///< else To
    Access To;
    Combiner Op;
    ExprRef Value;
    Motion M; ///< of To
  };
  /// Accesses of one buffer that differ by whole steps.
  struct Family {
    Access First;
    Motion M;
    llvm::SmallVector<int64_t, 3> Least, Most; ///< shifts
    bool Written = false;
  };
  struct Let {
    ExprRef Value;
    size_t Before; ///< the number of writes before it
  };
  using Text = std::optional<std::string>;

  bool readIterators();
  bool readBody();
  bool readLet(const Decl &D, llvm::ArrayRef<StmtRef> Later);
  bool readWrite(Write W);
  bool mayMoveDown(const ExprRef &E) const;
  bool areApart(const Buffer &A, const Buffer &B) const;
  bool collect(const ExprRef &E);
  bool add(const Access &A, bool Written);
  void chooseInner();
  bool areReadable() const;

  Text write(const Write &W);
  Text writeMap(const Write &W, const Piece &Value);
  Text writeReduction(const Write &W, const Piece &Value);
  Text total(Combiner Op, const Piece &Value) const;

  // EigenProduct.cpp
  bool product();
  struct Factors {
    ExprRef Scale;
    std::vector<Access> Loads;
  };
  struct Shape {
    size_t Row = 0;
    std::optional<size_t> Column, Summed;
  };
  std::optional<Factors> factors(const Write &W);
  Text scalarProduct(const Write &W, const Factors &F, llvm::StringRef Sign);
  Text matrixProduct(const Write &W, const Access &X, const Access &Y,
                     const Shape &Of, llvm::StringRef Sign);
  Text matrix(const Access &A, size_t Row, size_t Column, bool Written = false);
  Text vector(const Access &A, size_t K, bool Written = false);

  std::optional<Piece> element(const Access &A);
  Text view(const Family &F, const Motion &M, Algebra Kind, size_t Row,
            size_t Column);
  Text vectorView(const Family &F, const Motion &M, Algebra Kind, size_t K);
  std::string pointer(const Family &F, const Motion &M);
  std::string sizeText(const Sum &S) const;
  Text strideText(const Sum &Step, const Sum &Width) const;
  std::string part(size_t K, int64_t At, int64_t More,
                   llvm::StringRef Of) const;
  unsigned dims(const Motion &M) const;
  unsigned whole() const { return (1u << Iters.size()) - 1; }
  bool isNotNegative(const ExprRef &E) const;
  std::string testOf(size_t K) const;

  const TensorOp &T;
  size_t Level;
  llvm::ArrayRef<Iterator> Iters;
  Place Where;
  const ExprPrinter &P;
  Views &V;
  NotNegative Known;
  llvm::DenseSet<const Var *> Changing;
  Symbols Syms;
  llvm::SmallVector<Sum, 3> Counts;
  std::vector<std::string> SizeTexts;
  llvm::DenseMap<const Var *, ExprRef> Values;
  llvm::DenseMap<const Var *, Let> Lets;
  std::vector<Write> Writes;
  std::vector<Family> Families;
  size_t Inner = 0;
  bool NeedsPoint = false;
};

/// Whether T's form is worth more than a loop's.
bool isLongEnough(llvm::ArrayRef<Iterator> Iters);

} // namespace raise::eigen

#endif // RAISE_LIB_EMIT_EIGENOP_H
