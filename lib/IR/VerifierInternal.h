//===- VerifierInternal.h - the checks of a function ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_IR_VERIFIERINTERNAL_H
#define RAISE_LIB_IR_VERIFIERINTERNAL_H

#include "raise/IR/Function.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/Twine.h"

namespace raise::detail {

/// The TensorOps around a statement, innermost last.
struct TensorScope {
  const TensorOp *Op;
  /// Variables declared in Op's body so far: each point has its own.
  llvm::DenseSet<const Var *> Own;
  /// How an outer scalar is written; one combiner only.
  std::vector<std::pair<const Var *, Combiner>> Outer;
};

class Verifier {
  const Function &F;
  std::vector<std::string> Messages;
  llvm::DenseSet<const void *> Visible;
  std::vector<TensorScope> Tensors;
  unsigned LoopDepth = 0, LaunchDepth = 0;
  SourceLoc At; ///< of the statement under check

public:
  explicit Verifier(const Function &F) : F(F) {}
  std::vector<std::string> run();

private:
  void report(const llvm::Twine &What, const SourceLoc &Loc);
  void report(const llvm::Twine &What) { report(What, At); }

  // Expressions (VerifyExpr.cpp).
  void expr(const ExprRef &E);
  void use(const Var &V, const SourceLoc &Loc);
  void use(const Buffer &B);
  void access(const Access &A);
  void load(const Load &L);
  void intConst(const IntConst &C);
  void floatConst(const FloatConst &C);
  void call(const Call &C);
  void typed(const ExprRef &E, const Type &Ty, const llvm::Twine &What);
  void integer(const ExprRef &E, const llvm::Twine &What);

  // Statements (Verifier.cpp).
  void stmt(const StmtRef &S);
  void body(const StmtRef &S);
  void declare(const Var &V);
  void declare(const Buffer &B);
  void extents(const Buffer &B);
  void written(const VarRef &V, Combiner Op);
  void decl(const Decl &D);
  void declBuffer(const DeclBuffer &D);
  void assign(const Assign &A);
  void store(const Store &S);
  void launchLoop(const For &L);
  void forLoop(const For &L);
  void whileLoop(const While &W);
  void ifElse(const If &I);
  void returned(const Return &R);
  void pureCall(const PureCall &C);
  void region(const Region &R);
  void guard(const Guard &G, llvm::ArrayRef<Guard> Earlier);
  void evaluableBefore(const ExprRef &E, llvm::ArrayRef<Guard> Earlier);
  void tensorOp(const TensorOp &T);
  void iterator(const Iterator &I);
  void writtenInTensor(const VarRef &V, Combiner Op);
  bool allowedInTensor(const Stmt &S);
  bool mayEndTensor() const;
  bool mayEndFunction() const;
  void parameters();
};

} // namespace raise::detail

#endif // RAISE_LIB_IR_VERIFIERINTERNAL_H
