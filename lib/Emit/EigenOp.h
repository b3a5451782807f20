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
  /// Whether there is a call of BLAS that does the same; FromZero: to elements
  /// that were 0, whatever they hold. Statements are its lines then, and test()
  /// is what they need.
  bool runBlas(bool FromZero);
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
  bool areSeparate(const Buffer &A, const Buffer &B) const;
  bool mayMoveDown(const ExprRef &E) const;
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
  /// Iterators by what they go along: none is a scalar product.
  struct Shape {
    std::optional<size_t> Row, Column, Summed;
    bool operator!=(const Shape &O) const {
      return Row != O.Row || Column != O.Column || Summed != O.Summed;
    }
  };
  /// W as Scale · A · B: A has the rows, B the columns, and both what is
  /// summed.
  struct Product {
    const Write *W = nullptr;
    ExprRef Scale; ///< null: 1
    Access A, B;
    Shape Of;
  };
  std::optional<Factors> factors(const Write &W);
  std::optional<Product> readProduct(const Write &W);
  Text scalarProduct(const Product &Of, llvm::StringRef Sign);
  Text matrixProduct(const Product &Is, llvm::StringRef Sign);
  Text matrix(const Access &A, size_t Row, size_t Column, bool Written = false);
  Text vector(const Access &A, size_t K, bool Written = false);

  // BlasCall.cpp
  struct Stored;
  struct BlasCall;
  Text blasPointer(const Access &A);
  Text blasInteger(const ExprRef &E, bool Positive);
  Text blasStep(const Motion &M, size_t K);
  bool blasMatrix(const Access &A, size_t Row, size_t Column, Stored &Out);
  bool blasVector(const Access &A, size_t K, Stored &Out);
  void require(const ExprRef &Cond);
  bool blasDot(const BlasCall &C);
  bool blasGer(const BlasCall &C);
  bool blasGemv(const BlasCall &C);
  bool blasGemm(const BlasCall &C);
  bool readProducts();
  bool blasPays();
  BlasCall blasCall(const Product &Is, bool FromZero);

  // BlasTriangle.cpp
  /// Points at which one iterator is not greater than another.
  struct Triangle {
    size_t Lesser, Greater;
  };
  bool readTriangle();
  bool areOneTable(const Access &A, size_t I, const Access &B, size_t J);
  bool blasTriangle(const BlasCall &C);
  std::optional<llvm::StringRef> sideOf(const Shape &Of) const;
  bool areOneCall();
  bool blasTwoTables(const BlasCall &C);

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
  std::vector<Iterator> Square; ///< Iters, where these are not those of T
  std::optional<Triangle> Half; ///< the points of Square that T has
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
  std::vector<Write> Terms;           ///< what one write adds, each for itself
  std::vector<Product> Products;      ///< that Terms are
  std::vector<std::string> BlasSizes; ///< of points, for each iterator
  std::vector<Family> Families;
  size_t Inner = 0;
  bool NeedsPoint = false;
  llvm::SmallVector<int64_t, 3> Least; ///< points of each; empty: as they are
  std::vector<std::string> Required;   ///< tests beside those of sizes
};

/// Whether T's form is worth more than a loop's.
bool isLongEnough(llvm::ArrayRef<Iterator> Iters);

} // namespace raise::eigen

#endif // RAISE_LIB_EMIT_EIGENOP_H
