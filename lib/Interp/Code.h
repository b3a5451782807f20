//===- Code.h - IR with names resolved to slots -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A function is translated once into nodes in which each variable and buffer is
// a number, so that running it looks nothing up.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_INTERP_CODE_H
#define RAISE_LIB_INTERP_CODE_H

#include "Arith.h"
#include "llvm/ADT/DenseMap.h"
#include <deque>

namespace raise::interp {

struct FunctionCode;
struct ExprNode;

struct AccessNode {
  unsigned Buf = 0;
  std::vector<const ExprNode *> Indices, Extents; ///< Extents: of a view
  TC Elem = TC::Void; ///< of the buffer's declaration; Void for structures
  const Access *Src = nullptr;
};

struct ExprNode {
  ExprKind Kind = ExprKind::IntConst;
  TC Ty = TC::Void;
  UnaryOp UOp = UnaryOp::Neg;
  BinaryOp BOp = BinaryOp::Add;
  const ExprNode *A = nullptr, *B = nullptr, *C = nullptr;
  Scalar K = ofI(0);
  unsigned Slot = 0; ///< variable, or buffer of NonNull
  AccessNode At;
  MathFn Math = nullptr;
  const FunctionCode *Callee = nullptr;
  std::vector<const ExprNode *> Args;
  const Expr *Src = nullptr;
};

struct StmtNode;

struct IteratorNode {
  unsigned Slot = 0;
  TC Ty = TC::I32;
  const ExprNode *Lo = nullptr, *Hi = nullptr, *Step = nullptr;
  bool Parallel = false;
  bool Ordered = false;
};

struct GuardNode {
  const ExprNode *Cond = nullptr;
  unsigned BufA = 0, BufB = 0;
  const ExprNode *LoA = nullptr, *HiA = nullptr, *LoB = nullptr, *HiB = nullptr;
};

struct StmtNode {
  StmtKind Kind = StmtKind::Block;
  const Stmt *Src = nullptr;
  std::vector<const StmtNode *> Body; ///< of a block; else one for each part
  unsigned Slot = 0;                  ///< variable or buffer
  TC Ty = TC::Void;                   ///< of the variable
  const ExprNode *Value = nullptr;    ///< value, condition or mask
  AccessNode To;
  Combiner Op = Combiner::None;
  bool Atomic = false;
  // For
  const ExprNode *Lo = nullptr, *Hi = nullptr, *Step = nullptr;
  BinaryOp Cond = BinaryOp::LT;
  LoopKind LKind = LoopKind::Serial;
  bool HasBarrier = false; ///< somewhere inside
  /// Thread loops: the variables declared outside that the body writes.
  std::vector<unsigned> Params; ///< parameters: each thread has its own
  bool WritesOuterLocal = false;
  /// Of a Decl that is a fact: what holds of its value. To.Buf has the extent.
  enum class FactKind { None, True, Elements } Fact = FactKind::None;
  // DeclBuffer
  std::vector<const ExprNode *> Exprs; ///< extents, then initial values
  // TensorOp, Region
  std::vector<IteratorNode> Iterators;
  const StmtNode *Inspection = nullptr;
  std::vector<GuardNode> Guards;
};

/// A parameter's place. Buffers' inner extents are evaluated on entry.
struct ParamSlot {
  const Param *Src = nullptr;
  unsigned Slot = 0;
};

struct GlobalSlot {
  VarRef Scalar;
  BufferRef Buf;
  unsigned Slot = 0;
};

struct FunctionCode {
  const Function *Src = nullptr;
  unsigned NumVars = 0, NumBufs = 0;
  std::vector<ParamSlot> Params;
  std::vector<GlobalSlot> Globals; ///< what is neither parameter nor declared
  std::array<int, 6> Launch{-1, -1, -1, -1, -1, -1};
  std::vector<GuardNode> Requires; ///< before Body
  const StmtNode *Body = nullptr;
  /// Declared extents of parameters and globals by buffer slot; null: unknown.
  llvm::DenseMap<unsigned, std::vector<const ExprNode *>> Extents;
};

/// Owns the code of a function and of all that it calls.
class Program {
public:
  const FunctionCode *compile(const Function &F);
  /// An expression over F's parameters, added to the code of F.
  const ExprNode *compileGuard(const ExprRef &E, const Function &F);
  const FunctionCode *find(const Function &F) const;
  /// Not empty if something cannot be executed at all.
  std::string Error;

private:
  friend class Compiler;
  std::deque<ExprNode> Exprs;
  std::deque<StmtNode> Stmts;
  std::deque<FunctionCode> Functions;
  llvm::DenseMap<const Function *, FunctionCode *> ByFunction;
};

} // namespace raise::interp

#endif // RAISE_LIB_INTERP_CODE_H
