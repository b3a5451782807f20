//===- ArrayTouches.h - the accesses of one array, in order -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Internal to ArrayFlow: each place that reads or writes an array, with the
// elements and the iterations in which it does so as polynomials.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_ANALYSIS_ARRAYTOUCHES_H
#define RAISE_LIB_ANALYSIS_ARRAYTOUCHES_H

#include "Poly.h"
#include "raise/IR/Function.h"
#include "llvm/ADT/DenseMap.h"

namespace raise::analysis {

/// Whether E is the constant 0, converted or not.
bool isZeroNumber(const ExprRef &E);

/// P >= 0, or P == 0.
struct Condition {
  Poly P;
  bool Equality = false;
};

/// One place that reads or writes the array.
struct ArrayTouch {
  bool Writes = false;
  const Stmt *By = nullptr; ///< the store, or what reads
  /// A write of zero; of a read: the one of an update by + or -.
  bool Zero = false, OfUpdate = false;
  /// The element, by dimension; none where that is not known.
  std::optional<std::vector<Poly>> Element;
  /// What each dimension but the first must stay below for Element to be the
  /// only name of the element.
  std::vector<Poly> Extents;
  /// Numbers of the loops around, from the outermost: each counts from 0.
  std::vector<AtomId> Iterations;
  /// Values that are not known, of variables that loops count with.
  std::vector<AtomId> Unknown;
  std::vector<Condition> Where;
  bool Exact = true; ///< it happens wherever Where holds
  /// Where it stands: places in the text, and between them the loops.
  std::vector<unsigned> Places;
};

/// The accesses of an array in the statements that follow its declaration.
/// Atoms are numbered as isl gets them: those of isIteration vary.
class ArrayTouches {
public:
  ArrayTouches(const Buffer &B, llvm::ArrayRef<StmtRef> Rest);

  bool Followed = true; ///< else what follows holds for nothing
  std::vector<ArrayTouch> All;
  /// How many elements each dimension has, where that is known.
  std::vector<std::optional<Poly>> Sizes;
  bool varies(AtomId A) const { return Varies[A]; }
  bool varies(const Monomial &M) const;
  /// Whether isl can be told: what varies occurs alone.
  bool isAffine(const Poly &P) const;

private:
  struct Around {
    std::vector<AtomId> Iterations, Unknown;
    std::vector<Condition> Where;
    bool Exact = true;
    std::vector<unsigned> Places;
  };

  bool isFixed(const ExprRef &E) const;
  AtomId fresh(bool IsIteration);
  /// That stands for E, which is evaluated once or fixed.
  AtomId atomOf(const ExprRef &E);
  /// Index: modulo 2^64, as addresses are.
  std::optional<Poly> eval(const ExprRef &E, bool Index);
  std::optional<Poly> evalWhole(const ExprRef &E, bool Index);
  void assume(const ExprRef &Cond, bool Holds);
  void condition(Poly P, bool Equality);
  ArrayTouch &touch(const Access &At, const Stmt *By, bool Writes);
  void reads(const ExprRef &E, const Stmt *By);
  void walk(const StmtRef &S);
  void walk(const Store &St);
  void walk(const If &I);
  void walk(const For &L);
  void walk(const While &W);
  void count(const For &L, const Poly &Lo, AtomId Iteration);
  void splitRows();
  std::optional<std::vector<Poly>> digits(const ArrayTouch &T,
                                          llvm::ArrayRef<Poly> Strides) const;

  const Buffer &B;
  Around Now;
  unsigned Place = 0;
  std::vector<bool> Varies; ///< of each atom
  llvm::DenseMap<const Var *, unsigned> Set;
  llvm::DenseMap<const Var *, Poly> Known;
  std::vector<std::pair<ExprRef, AtomId>> Fixed;
};

} // namespace raise::analysis

#endif // RAISE_LIB_ANALYSIS_ARRAYTOUCHES_H
