//===- Narrowed.h - values computed in 64 bits that fit an int --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A closed form such as `k + 2 * i` is an int wherever the loop computes it,
// but `2 * i` alone need not be, so it is computed in 64 bits and converted
// back. While a statement is being built the value is a name; in the end the
// name becomes the conversion, or, in a subscript or a comparison, the 64-bit
// value itself, which needs none.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_TRANSFORM_NARROWED_H
#define RAISE_LIB_TRANSFORM_NARROWED_H

#include "raise/IR/Function.h"
#include <map>

namespace raise {

class NarrowedValues {
public:
  /// A value of type Ty that is equal, as an integer, to Wide, of type i64.
  ExprRef add(ExprRef Wide, const Type &Ty);
  /// What V stands for; null if it is no name of this kind.
  ExprRef wideOf(const Var *V) const;
  /// S without such names.
  StmtRef expand(const StmtRef &S) const;

private:
  std::map<const Var *, std::pair<VarRef, ExprRef>> Values;
};

} // namespace raise

#endif // RAISE_LIB_TRANSFORM_NARROWED_H
