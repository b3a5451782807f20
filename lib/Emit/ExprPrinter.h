//===- ExprPrinter.h - expressions as C text --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The IR writes out every conversion, C makes many of them by itself. The
// printer knows the type that C gives to what it has printed and leaves a
// conversion away exactly where C's own rules come to the same value.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_EMIT_EXPRPRINTER_H
#define RAISE_LIB_EMIT_EXPRPRINTER_H

#include "Names.h"
#include "llvm/ADT/DenseSet.h"

namespace raise {

/// Binding strength, weakest first.
enum class Prec {
  Assign,
  Cond,
  LOr,
  LAnd,
  BitOr,
  BitXor,
  BitAnd,
  Equality,
  Relation,
  Shift,
  Sum,
  Product,
  Unary,
  Postfix
};

/// How strongly the operator of C that writes Op binds.
Prec strength(BinaryOp Op);

/// C text whose value is that of the IR expression. Ty is the type that C gives
/// it: it may differ from the expression's only without changing the value.
struct Printed {
  std::string Text;
  Prec Strength = Prec::Postfix;
  Type Ty;
};

class ExprPrinter {
public:
  ExprPrinter(const Names &N, bool LanguageC) : Name(N), LanguageC(LanguageC) {}

  /// Buffers of the original whose index was computed in 64 bits (or by pointer
  /// arithmetic), so that a flat index must be, too.
  llvm::DenseMap<const Buffer *, bool> WideIndex;
  /// Pointers to one element, which is written `*p`.
  llvm::DenseSet<const Buffer *> Single;
  /// Spells 64-bit arithmetic on sizes: "size_t" where that is declared.
  std::string SizeType = "unsigned long long";
  /// In tests that containers differ: empty ones do.
  bool EmptyPasses = false;

  Printed value(const ExprRef &E) const;
  /// For a place at which C itself converts to E's type.
  Printed converted(const ExprRef &E) const;
  /// As `converted`, for text of that place: an initialiser, an argument.
  std::string initialiser(const ExprRef &E) const;
  /// E (a bool) where C tests for non-zero.
  Printed condition(const ExprRef &E) const;
  /// As an operand of a binary operator whose other operand has type E->Ty.
  std::string operand(const ExprRef &E, Prec Above) const;
  /// Text whose C type is T after promotion.
  Printed inType(const ExprRef &E, const Type &T) const;

  std::string memberAccess(const Access &A) const;
  std::string access(const Access &A) const;
  /// What points to B's first element.
  std::string pointerText(const Buffer &B) const;
  /// Base + Offset as pointer arithmetic: each term is added by itself.
  std::string pointer(const Buffer &Base, const ExprRef &Offset) const;

  std::string typeOf(const Type &T) const;
  std::string nameOf(const Var *V) const { return Name.of(V); }
  bool isC() const { return LanguageC; }

private:
  Printed integer(const IntConst &C) const;
  Printed floating(const FloatConst &C) const;
  Printed unary(const Unary &U) const;
  Printed binary(const Binary &B) const;
  Printed logical(const Binary &B) const;
  Printed shift(const Binary &B) const;
  Printed select(const Select &S) const;
  Printed cast(const Cast &C) const;
  Printed call(const Call &C) const;
  std::pair<Printed, Printed> operands(const ExprRef &L, const ExprRef &R,
                                       bool SignMatters) const;
  std::string subscript(const ExprRef &Index) const;
  std::string flat(const Access &A) const;

  const Names &Name;
  bool LanguageC;
};

/// P in parentheses if it binds less than Least.
std::string parenthesised(const Printed &P, Prec Least);

/// E without casts that C makes by itself; for looking at, not for printing.
ExprRef withoutImplicitCasts(ExprRef E);

/// The flat index of a view, ((i0 * e1) + i1) * e2 + ..., in 64 bits if Wide.
ExprRef flatIndex(const Access &A, bool Wide);

/// A cursor variable that leads the index sum, and the rest (null for none).
struct CursorSplit {
  VarRef Cursor;
  ExprRef Rest;
};
CursorSplit splitCursor(const ExprRef &Index, const Buffer *Base);

/// "float *" for a pointer to Base's elements, with its const.
std::string pointerType(const Buffer &Base);

} // namespace raise

#endif // RAISE_LIB_EMIT_EXPRPRINTER_H
