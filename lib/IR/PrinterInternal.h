//===- PrinterInternal.h - IR to text ---------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_IR_PRINTERINTERNAL_H
#define RAISE_LIB_IR_PRINTERINTERNAL_H

#include "raise/IR/Function.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/raw_ostream.h"

namespace raise::detail {

/// Names of one function's variables and buffers: the first that is printed
/// keeps its name, the next of that name gets a number.
class NameTable {
  llvm::DenseMap<const void *, std::string> Names;
  llvm::StringSet<> Taken;

public:
  llvm::StringRef get(const Var &V) { return get(&V, V.Name); }
  llvm::StringRef get(const Buffer &B) { return get(&B, B.Name); }

private:
  llvm::StringRef get(const void *Id, llvm::StringRef Name);
};

/// What the source writes for V; as a part of an expression unless Alone.
std::string said(const Var &V, bool Alone);

class Printer {
  llvm::raw_ostream &OS;
  NameTable Names;
  unsigned Indent = 0;
  bool AsSource = false; ///< leave out what C leaves unsaid

public:
  explicit Printer(llvm::raw_ostream &OS, unsigned Indent = 0)
      : OS(OS), Indent(Indent) {}

  void printAsSource() { AsSource = true; }
  /// The same of an expression that stands by itself.
  void exprAlone(const ExprRef &E);
  /// MinPrecedence: an operator that binds less gets parentheses.
  void expr(const ExprRef &E, unsigned MinPrecedence = 0);
  void stmt(const StmtRef &S);
  void name(const Var &V) {
    OS << (AsSource ? said(V, /*Alone=*/false) : Names.get(V).str());
  }
  void name(const Buffer &B) {
    OS << (AsSource ? llvm::StringRef(B.Name) : Names.get(B));
  }
  /// `name: type` of a scalar and of a buffer, as in parameters and globals.
  void declare(const Var &V);
  void declare(const Buffer &B);
  void body(const StmtRef &S);
  void required(llvm::ArrayRef<Guard> Guards);
  /// Gives a kernel's launch dimensions their names before all others.
  void reserve(const Function &F);

private:
  llvm::raw_ostream &line() { return OS.indent(Indent); }
  void list(llvm::ArrayRef<ExprRef> Exprs);
  void quoted(llvm::StringRef Text);
  void access(const Access &A);
  void unary(const Unary &U);
  void intConst(const IntConst &C);
  void floatConst(const FloatConst &C);
  void compound(const Expr &E);
  void sourceCast(const Cast &C, unsigned MinPrecedence);
  void call(const Call &C);
  void decl(const Decl &D);
  void fact(const Decl &D);
  void declBuffer(const DeclBuffer &D);
  void forLoop(const For &F);
  void whileLoop(const While &W);
  void ifElse(const If &I);
  void opaque(const Opaque &O);
  void pureCall(const PureCall &C);
  void tensorOp(const TensorOp &T);
  void region(const Region &R);
  void guard(const Guard &G);
  void range(const ElementRange &R);
};

/// `@name`, quoted if need be.
void printFunctionName(llvm::raw_ostream &OS, llvm::StringRef Name);

} // namespace raise::detail

#endif // RAISE_LIB_IR_PRINTERINTERNAL_H
