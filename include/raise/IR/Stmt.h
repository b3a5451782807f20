//===- Stmt.h - statements, tensor operations, regions ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Statements are immutable trees as expressions are. Two of them carry what
// the tool is about:
//
//  - TensorOp: a loop nest that was proved to be a whole-array operation. Its
//    iterators have kinds, its body is a straight line of lets and writes.
//    Map, broadcast, transpose, stencil, gather, scatter, reduction and
//    contraction are all this one shape (compare MLIR's linalg.generic).
//  - Region: what a rewrite rests on, as data: what was proved, what is tested
//    at run time, what the user asked to assume, and what runs when a test
//    fails. Nothing else can make a rewrite conditional.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_IR_STMT_H
#define RAISE_IR_STMT_H

#include "raise/IR/Expr.h"

namespace raise {

class Stmt;
using StmtRef = std::shared_ptr<const Stmt>;

enum class StmtKind {
  Block,
  Decl,
  DeclBuffer,
  Assign,
  Store,
  For,
  While,
  If,
  Barrier,
  Return,
  Break,
  Continue,
  Opaque,
  TensorOp,
  Region,
};

class Stmt {
public:
  const StmtKind Kind;
  const SourceLoc Loc;
  virtual ~Stmt() = default;

protected:
  Stmt(StmtKind Kind, SourceLoc Loc) : Kind(Kind), Loc(std::move(Loc)) {}
};

class Block : public Stmt {
public:
  const std::vector<StmtRef> Body;
  explicit Block(std::vector<StmtRef> Body, SourceLoc Loc = {})
      : Stmt(StmtKind::Block, std::move(Loc)), Body(std::move(Body)) {}
  static bool classof(const Stmt *S) { return S->Kind == StmtKind::Block; }
};

/// Declares a scalar, visible to the end of the enclosing block. Without an
/// initialiser its value is indeterminate (reading it is an error).
class Decl : public Stmt {
public:
  const VarRef V;
  const ExprRef Init;
  Decl(VarRef V, ExprRef Init, SourceLoc Loc = {})
      : Stmt(StmtKind::Decl, std::move(Loc)), V(std::move(V)),
        Init(std::move(Init)) {}
  static bool classof(const Stmt *S) { return S->Kind == StmtKind::Decl; }
};

/// Declares a local or shared array; all extents are known expressions. Init is
/// empty (indeterminate) or holds one value for each element, row-major. An
/// array on the heap is indeterminate or has one: zero, for all elements.
class DeclBuffer : public Stmt {
public:
  const BufferRef B;
  const std::vector<ExprRef> Init;
  DeclBuffer(BufferRef B, std::vector<ExprRef> Init = {}, SourceLoc Loc = {})
      : Stmt(StmtKind::DeclBuffer, std::move(Loc)), B(std::move(B)),
        Init(std::move(Init)) {}
  static bool classof(const Stmt *S) { return S->Kind == StmtKind::DeclBuffer; }
};

/// How a write combines with what was there. `None` replaces. Sub and Div
/// subtract and divide in place. Min and Max keep the old value unless the new
/// one compares less (greater): `if (v < x) x = v`, so a NaN in v is ignored.
enum class Combiner {
  None,
  Add,
  Sub,
  Mul,
  Div,
  Rem,
  Min,
  Max,
  And,
  Or,
  Xor,
  Shl,
  Shr,
  LAnd,
  LOr,
};
llvm::StringRef spelling(Combiner C);

/// Writes a scalar: `V = Value`, `V += Value`, ... Value has V's type or, for a
/// combiner, may have a wider one: V is then converted to Value's type,
/// combined and converted back, as C's compound assignment does.
class Assign : public Stmt {
public:
  const VarRef V;
  const Combiner Op;
  const ExprRef Value;
  Assign(VarRef V, Combiner Op, ExprRef Value, SourceLoc Loc = {})
      : Stmt(StmtKind::Assign, std::move(Loc)), V(std::move(V)), Op(Op),
        Value(std::move(Value)) {}
  static bool classof(const Stmt *S) { return S->Kind == StmtKind::Assign; }
};

/// Writes memory: `To = Value`, `To += Value`, ... The types are as for Assign,
/// with the element in V's place. An atomic store always has a combiner; its
/// old value is not used.
class Store : public Stmt {
public:
  const Access To;
  const Combiner Op;
  const ExprRef Value;
  const bool Atomic;
  Store(Access To, Combiner Op, ExprRef Value, bool Atomic = false,
        SourceLoc Loc = {})
      : Stmt(StmtKind::Store, std::move(Loc)), To(std::move(To)), Op(Op),
        Value(std::move(Value)), Atomic(Atomic) {}
  static bool classof(const Stmt *S) { return S->Kind == StmtKind::Store; }
};

enum class LoopKind {
  Serial,
  Parallel, ///< iterations may run at once, in any order
  Simd,     ///< the author's 'omp simd'; otherwise Serial
  Claimed,  ///< Serial, but a directive of the author's claims that iterations
           ///< may run at once: to be proved like any other, and reported where
           ///< it is proved wrong
  GridX,
  GridY,
  GridZ, ///< over blocks of a launch
  BlockX,
  BlockY,
  BlockZ ///< over threads of a block
};
bool isThreadLoop(LoopKind K); ///< grid or block

/// `for (V = Lo; (cast)V Cond Hi; V += Step)`. Lo, Hi and Step are evaluated
/// once, before the loop: a frontend builds a For only where the body cannot
/// change them (else a While). The comparison is made in Hi's type, V being
/// converted to it. Cond is LT, LE, GT, GE or NE. V's arithmetic is that of its
/// type: an unsigned V wraps. Where DeclaresVar is false, V is declared outside
/// and keeps its last value. The body does not assign V. `break` and `continue`
/// belong to the innermost For or While.
class For : public Stmt {
public:
  const VarRef V;
  const ExprRef Lo, Hi, Step;
  const BinaryOp Cond;
  const LoopKind LKind;
  const bool DeclaresVar;
  const StmtRef Body;
  For(VarRef V, ExprRef Lo, BinaryOp Cond, ExprRef Hi, ExprRef Step,
      LoopKind LKind, bool DeclaresVar, StmtRef Body, SourceLoc Loc = {})
      : Stmt(StmtKind::For, std::move(Loc)), V(std::move(V)), Lo(std::move(Lo)),
        Hi(std::move(Hi)), Step(std::move(Step)), Cond(Cond), LKind(LKind),
        DeclaresVar(DeclaresVar), Body(std::move(Body)) {}
  static bool classof(const Stmt *S) { return S->Kind == StmtKind::For; }
};

class While : public Stmt {
public:
  const ExprRef Cond;
  const bool TestFirst; ///< false: do ... while
  const StmtRef Body;
  /// Why the source's loop is no For, for a remark; may be empty.
  const std::string Why;
  /// The For that it would be if its body did not change the bound, as it may:
  /// for a remark alone, and not written out. May be null.
  const StmtRef AsIf;
  While(ExprRef Cond, bool TestFirst, StmtRef Body, std::string Why = "",
        SourceLoc Loc = {}, StmtRef AsIf = nullptr)
      : Stmt(StmtKind::While, std::move(Loc)), Cond(std::move(Cond)),
        TestFirst(TestFirst), Body(std::move(Body)), Why(std::move(Why)),
        AsIf(std::move(AsIf)) {}
  static bool classof(const Stmt *S) { return S->Kind == StmtKind::While; }
};

class If : public Stmt {
public:
  const ExprRef Cond;
  const StmtRef Then, Else; ///< Else may be null
  If(ExprRef Cond, StmtRef Then, StmtRef Else, SourceLoc Loc = {})
      : Stmt(StmtKind::If, std::move(Loc)), Cond(std::move(Cond)),
        Then(std::move(Then)), Else(std::move(Else)) {}
  static bool classof(const Stmt *S) { return S->Kind == StmtKind::If; }
};

/// __syncthreads(), or __syncwarp(): the threads of a warp wait for each other.
/// A warp is 32 threads whose ranks in the block, x counting fastest, differ in
/// the last five binary digits alone.
class Barrier : public Stmt {
public:
  const bool OfWarp;
  explicit Barrier(SourceLoc Loc = {}, bool OfWarp = false)
      : Stmt(StmtKind::Barrier, std::move(Loc)), OfWarp(OfWarp) {}
  static bool classof(const Stmt *S) { return S->Kind == StmtKind::Barrier; }
};

class Return : public Stmt {
public:
  const ExprRef Value; ///< null in a void function
  explicit Return(ExprRef Value, SourceLoc Loc = {})
      : Stmt(StmtKind::Return, std::move(Loc)), Value(std::move(Value)) {}
  static bool classof(const Stmt *S) { return S->Kind == StmtKind::Return; }
};

class Break : public Stmt {
public:
  explicit Break(SourceLoc Loc = {}) : Stmt(StmtKind::Break, std::move(Loc)) {}
  static bool classof(const Stmt *S) { return S->Kind == StmtKind::Break; }
};

class Continue : public Stmt {
public:
  explicit Continue(SourceLoc Loc = {})
      : Stmt(StmtKind::Continue, std::move(Loc)) {}
  static bool classof(const Stmt *S) { return S->Kind == StmtKind::Continue; }
};

/// `Result = Name(Args)`: a call of a function whose body is not known, and
/// whose author declares that it has no effect but its value.
struct PureCall {
  /// Value, or the address of element Value of Base.
  struct Argument {
    BufferRef Base;
    ExprRef Value;
  };
  VarRef Result;
  std::string Name; ///< as the source spells it
  std::vector<Argument> Args;
  /// `pure`: the value may depend on anything in memory. Else `const`: on Args
  /// alone, pointers as such and not what they point to.
  bool ReadsMemory = true;
  bool MayThrow = false;
};

/// A statement that was not understood: its text, and why, with a diagnostic
/// code. It may read and write anything that any pointer can reach, and any
/// variable in `Touches`. NoReturn: it is a call that does not come back, so
/// that nothing after it sees what it wrote. Keeps: variables whose addresses
/// it may have kept, so that what is not followed may read them at any time
/// after it, and where the function ends.
///
/// Where Pure is set, it does no more than that says, and Touches is Result.
/// Whoever does not look at Pure takes it for what it might be at worst.
class Opaque : public Stmt {
public:
  const std::string Text;
  const std::string Code; ///< diagnostic code, e.g. "CR1005"
  const std::string Why;
  const std::vector<VarRef> Touches;
  const bool NoReturn;
  const std::shared_ptr<const PureCall> Pure;
  const std::vector<VarRef> Keeps;
  Opaque(std::string Text, std::string Code, std::string Why,
         std::vector<VarRef> Touches = {}, SourceLoc Loc = {},
         bool NoReturn = false, std::shared_ptr<const PureCall> Pure = nullptr,
         std::vector<VarRef> Keeps = {})
      : Stmt(StmtKind::Opaque, std::move(Loc)), Text(std::move(Text)),
        Code(std::move(Code)), Why(std::move(Why)), Touches(std::move(Touches)),
        NoReturn(NoReturn), Pure(std::move(Pure)), Keeps(std::move(Keeps)) {}
  static bool classof(const Stmt *S) { return S->Kind == StmtKind::Opaque; }
};

enum class IterKind {
  Parallel,  ///< no two iterations touch what one of them writes
  Reduction, ///< writes of different iterations combine (the combiner says how)
  Scan,      ///< iteration i uses what i - 1 wrote, in order
  Serial,    ///< order kept as written
  Search,    ///< order kept; some iteration may be the last, for a reason that
             ///< hangs on nothing that iterations pass on to later ones
};
/// Iterations run in their order.
bool isOrdered(IterKind K);

/// V runs over Lo, Lo + Step, ... while < Hi. Step > 0. All three are fixed
/// before the operation, but may use iterators further left (triangular).
struct Iterator {
  VarRef V;
  ExprRef Lo, Hi, Step;
  IterKind Kind = IterKind::Parallel;
};

/// A whole-array operation: for each point of the iterators' ranges at which
/// Mask (may be null) holds, run Body. Body is a Block of: Decl (a let) and
/// DeclBuffer, Assign and Store (writes), If over such statements, nested
/// TensorOps whose iterators lie inside, and For and While, which one point
/// runs in order. If the only iterator is ordered, a point may also be the
/// last: `break` ends the operation; in one that lies in no other, `return`
/// ends the function, and so does an Opaque that does not return. A scalar
/// written under a Reduction iterator is declared outside this TensorOp and
/// written only with one combiner (Add and Sub count as one). `Kind` is filled
/// by recognition ("map", "reduction", ...) and is a name for people: nothing
/// is decided by it.
class TensorOp : public Stmt {
public:
  const std::vector<Iterator> Iterators;
  const ExprRef Mask;
  const StmtRef Body;
  const std::string OpKind;
  TensorOp(std::vector<Iterator> Iterators, ExprRef Mask, StmtRef Body,
           std::string OpKind = "", SourceLoc Loc = {})
      : Stmt(StmtKind::TensorOp, std::move(Loc)),
        Iterators(std::move(Iterators)), Mask(std::move(Mask)),
        Body(std::move(Body)), OpKind(std::move(OpKind)) {}
  static bool classof(const Stmt *S) { return S->Kind == StmtKind::TensorOp; }
};

/// The half-open range of elements [Lo, Hi) of a buffer, in elements of the
/// flat buffer; i64 expressions over what is known before the region. Empty
/// when Lo >= Hi.
struct ElementRange {
  BufferRef Buf;
  ExprRef Lo, Hi;
  /// Lo may be so low that its address would lie below 0: such a range counts
  /// as one that overlaps. Otherwise both addresses exist.
  bool MayUnderflow = false;
};

/// A run-time test. Either Cond holds, or (Cond null) the byte ranges of A and
/// B share no byte; null pointers and empty ranges pass. Guards are tested in
/// order: each must be evaluable before the region without a trap or overflow
/// once those before it hold.
struct Guard {
  ExprRef Cond;
  ElementRange A, B;
  std::string Why; ///< "inc > 0, so that elements are distinct"
};

/// Why an operation keeps the order of its loop: "iteration i reads 'u[i - 1]',
/// which iteration i - 1 writes". Loc is that of the dependence.
struct KeptOrder {
  std::string Why;
  SourceLoc Loc;
};

/// A fact that a rewrite used. Kinds of facts are kept apart so that a reader
/// sees what holds always, what is tested and what was asked for.
struct Obligations {
  std::vector<std::string> Proved;
  /// Runs before the guards, which see the variables that it declares: what
  /// only a look at memory can tell them. It reads what Original reads in every
  /// run, and writes only what it declares. Null for none.
  StmtRef Inspection;
  std::vector<Guard> Guards;
  std::vector<std::string> Assumptions;
  std::vector<KeptOrder> Ordered;
  /// What the source computes in every iteration of a loop and the region once,
  /// before it: a function's name, or that of the scalar it goes to.
  std::vector<std::string> Hoisted;
  /// Sums of floats are put together in another order than in Original, in ways
  /// that Body does not show.
  bool Regrouped = false;
  /// The operation as it was proved, where Body computes it by loops that were
  /// laid out in another way: what is said of the region is said of it, and it
  /// never runs. Null where that is Body.
  StmtRef Means;
  bool isUnconditional() const { return Guards.empty(); }
};

/// Body replaces Original (the source's statement, lifted) whenever every guard
/// holds; else Original runs. Loc is the range of source text that Original
/// came from.
class Region : public Stmt {
public:
  const Obligations Rests;
  const StmtRef Body, Original;
  Region(Obligations Rests, StmtRef Body, StmtRef Original, SourceLoc Loc = {})
      : Stmt(StmtKind::Region, std::move(Loc)), Rests(std::move(Rests)),
        Body(std::move(Body)), Original(std::move(Original)) {}
  /// What is computed, for people.
  const StmtRef &meaning() const { return Rests.Means ? Rests.Means : Body; }
  static bool classof(const Stmt *S) { return S->Kind == StmtKind::Region; }
};

/// The statements of a Block, or the statement itself.
llvm::ArrayRef<StmtRef> statements(const StmtRef &S);
/// A Block of the given statements, or the one statement.
StmtRef makeBlock(std::vector<StmtRef> Body, SourceLoc Loc = {});

} // namespace raise

#endif // RAISE_IR_STMT_H
