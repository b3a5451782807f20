//===- Visitor.h - walking and rewriting the IR -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Visitor calls a hook for each node, parents before children. Rewriter builds
// a new tree bottom up and shares every subtree that did not change.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_IR_VISITOR_H
#define RAISE_IR_VISITOR_H

#include "raise/IR/Function.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace raise {

/// Pre-order walk. A hook returns false to skip the node's children. All
/// expressions are visited, extents of views and index expressions included;
/// a Region's Original is visited only if `VisitOriginals` is set; extents of
/// buffer declarations only at their DeclBuffer.
class Visitor {
public:
  bool VisitOriginals = false;
  bool VisitInspections = true;
  virtual ~Visitor() = default;
  virtual bool visitExpr(const ExprRef &) { return true; }
  virtual bool visitStmt(const StmtRef &) { return true; }
  /// After S and its children, also where visitStmt skipped them.
  virtual void leaveStmt(const StmtRef &) {}
  void walk(const ExprRef &E);
  void walk(const StmtRef &S);
  void walk(const Access &A);
};

/// Calls Fn for each expression (statement) of S, pre-order.
void forEachExpr(const StmtRef &S,
                 llvm::function_ref<void(const ExprRef &)> Fn);
void forEachExpr(const ExprRef &E,
                 llvm::function_ref<void(const ExprRef &)> Fn);
void forEachStmt(const StmtRef &S,
                 llvm::function_ref<void(const StmtRef &)> Fn);

/// Bottom-up rewriting. Override `rewrite*` to replace a node whose children
/// were already rewritten; return it unchanged to keep it. A statement hook may
/// return null to delete the statement (a loop's or branch's body becomes an
/// empty block), or a Block in place of a statement of a block: its parts then
/// join that block. Regions' originals and the extents of declared buffers are
/// left alone.
class Rewriter {
public:
  virtual ~Rewriter() = default;
  virtual ExprRef rewriteExpr(const ExprRef &E) { return E; }
  virtual StmtRef rewriteStmt(const StmtRef &S) { return S; }
  ExprRef run(const ExprRef &E);
  StmtRef run(const StmtRef &S);
  Access run(const Access &A);
};

/// S with Fn's result for each statement that it directly holds: of a Block, an
/// If and the body of a For or While. A Block in place of a statement of a
/// block that is none joins it. Other statements, and null, stay as they are;
/// so does S itself where nothing of it changes.
StmtRef mapChildren(const StmtRef &S,
                    llvm::function_ref<StmtRef(const StmtRef &)> Fn);

/// E with each use of V replaced by To (which has V's type).
ExprRef substitute(const ExprRef &E, const VarRef &V, const ExprRef &To);
StmtRef substitute(const StmtRef &S, const VarRef &V, const ExprRef &To);
using Substitution = llvm::DenseMap<const Var *, ExprRef>;
ExprRef substitute(const ExprRef &E, const Substitution &Map);
/// Uses only: the targets of Decl, Assign and For are not renamed.
StmtRef substitute(const StmtRef &S, const Substitution &Map);

/// Whether V is read, in a Region's original too. `V += e` reads V, and an
/// Opaque reads what it touches.
bool uses(const ExprRef &E, const Var *V);
bool uses(const StmtRef &S, const Var *V);
/// Variables assigned (Assign, Decl, For, an iterator, what an Opaque touches)
/// anywhere in S, originals included; a variable may be named several times.
void assignedVars(const StmtRef &S,
                  llvm::function_ref<void(const VarRef &)> Fn);
bool assigns(const StmtRef &S, const Var *V);

} // namespace raise

#endif // RAISE_IR_VISITOR_H
