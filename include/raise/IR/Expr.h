//===- Expr.h - variables, buffers and expressions --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Expressions are immutable trees with shared nodes. Their meaning is exactly
// C's after conversions: both operands of a binary operator have one type,
// every conversion is a CastExpr (marked implicit when the source did not spell
// it). Signed overflow, division by zero and out-of-range reads are undefined,
// as in C; unsigned arithmetic wraps. `&&`, `||` and `?:` evaluate lazily.
//
// Variables and buffers are identities: two are the same if and only if their
// pointers are equal. Names need not be unique.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_IR_EXPR_H
#define RAISE_IR_EXPR_H

#include "raise/IR/Type.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Casting.h"
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace raise {

class Expr;
class Function;
struct Buffer;
struct Var;
using ExprRef = std::shared_ptr<const Expr>;
using VarRef = std::shared_ptr<const Var>;
using BufferRef = std::shared_ptr<const Buffer>;

enum class VarKind {
  Param,    ///< a scalar parameter (assignable, as in C)
  Local,    ///< a scalar local, also a loop's variable
  Launch,   ///< gridDim.x ... blockDim.z of a kernel: unsigned, fixed, >= 1
  Cursor,   ///< a local pointer into `Base`; its value is the offset from
            ///< Base in elements (i64). Printed as a pointer.
  External, ///< a global scalar that is read (never written: that is refused)
};

/// A scalar variable.
struct Var {
  std::string Name;
  Type Ty;
  VarKind Kind = VarKind::Local;
  BufferRef Base; ///< for cursors
  /// Of a cursor: in the source it points to structures or arrays of Base's
  /// elements, so that there its name with a subscript is another object. Not
  /// part of the text form.
  bool SeesParts = false;
  bool Const = false;
  /// The language lets an unsigned variable have no greater value: the number
  /// of elements of a container.
  std::optional<int64_t> Most;
  SourceLoc Loc;
  /// What the source writes for it, where it has no such variable: a parameter
  /// or the result of a call that was replaced by the function's body. For
  /// sentences only (sourceText); not part of the text form.
  std::string Says;
};

enum class BufferKind {
  Param,   ///< pointer, array or reference parameter
  Local,   ///< array local to the function (or to a thread of a kernel)
  Shared,  ///< __shared__: one per block
  Global,  ///< namespace-scope or static array
  Pointer, ///< what a pointer of the source points to, by the pointer's name
           ///< (`p`, `layer.output`): nothing is known but its Home
};

/// What may change the pointer that a BufferKind::Pointer is named by. An
/// Opaque may change all but those that are Fixed.
enum class PointerHome {
  Fixed,    ///< nothing
  Variable, ///< a local variable: no store can
  Global,   ///< a global variable: a use of the buffer reads it as well
  Memory,   ///< a member, or a variable with an address: likewise
};

/// Where an array that the function declares lies.
enum class ArrayHome {
  Automatic, ///< on the stack
  Heap,      ///< on the heap, until its scope ends; it may have no elements
  Growing,   ///< likewise; a store to the element after the last one adds it.
             ///< It has no elements at first, its extent is the constant 0
};

/// A memory object that is indexed: a base pointer or an array of `Elem`.
/// `Extents` are the declared ones, outermost first; the first is null for a
/// pointer and for `T a[]`. A pointer has exactly one, null, extent.
struct Buffer {
  std::string Name;
  Type Elem;
  BufferKind Kind = BufferKind::Param;
  std::vector<ExprRef> Extents{nullptr};
  bool Const = false;    ///< pointee is const
  bool Restrict = false; ///< distinct from every other buffer by __restrict
  bool Volatile = false;
  ArrayHome Lies = ArrayHome::Automatic; ///< of BufferKind::Local
  /// Of an array that grows: the variable that holds the number of its
  /// elements. Null where nothing counts them. The text form does not keep it.
  VarRef Count;
  /// Of BufferKind::Param: a container (of type TypeSpelling) is passed, whose
  /// elements these are.
  bool Container = false;
  /// Not 0: what a differentiation made beside buffers of lower numbers, with
  /// none of which it shares a byte.
  unsigned Derivative = 0;
  bool Reference = false;   ///< a scalar reference parameter: one element, [0]
  std::string TypeSpelling; ///< of the declaration, e.g. "const float *"
  PointerHome Home = PointerHome::Fixed; ///< of BufferKind::Pointer
  /// Of a pointer that is member OwnerField of the first element of another
  /// buffer: that buffer. The text form keeps it where both are parameters.
  BufferRef Owner;
  std::string OwnerField;
  /// Of an array that is member OwnerField of every element of Owner: `p[i].a`.
  /// The first Owner->rank() indices are the element's; no two elements share a
  /// byte, nor do two members.
  bool EachElement = false;
  /// Not 0: memory that was allocated in the function, and that only buffers of
  /// the same number lead to. Different numbers are different memory.
  unsigned Fresh = 0;
  /// Not 0: no two buffers of this number share a byte, as the containers that
  /// one object holds, and the object itself.
  unsigned Apart = 0;
  /// The elements of a container: in no variable that is an array.
  bool Owned = false;
  /// Of BufferKind::Shared without a size, and of structures: how many bytes
  /// one takes. The text form does not keep it.
  uint64_t ElemBytes = 0;
  /// Of BufferKind::Shared: each warp of a block has an array of its own.
  bool PerWarp = false;
  SourceLoc Loc;
  unsigned rank() const { return Extents.size(); }
};

/// Elements of a buffer at indices. Where `Extents` is empty there is one index
/// for each declared dimension of the buffer. Else the access goes through a
/// recovered view of a one-dimensional buffer: Extents[k] is the extent of
/// dimension k + 1 (the outermost extent is not known), Indices.size() ==
/// Extents.size() + 1, and the flat index is Horner's
///   (...(Indices[0] * Extents[0] + Indices[1]) * Extents[1] + ...).
/// Index expressions are integers of any width. `Field` is empty, or the path
/// of a member of the element ("x", "pos.x"); members do not overlap.
struct Access {
  BufferRef Buf;
  std::vector<ExprRef> Indices;
  std::vector<ExprRef> Extents;
  std::string Field;
  bool isView() const { return !Extents.empty(); }
};

/// The functions that give the derivatives of another one, as the user says: by
/// names that find them. Either may be empty.
struct DerivativeRule {
  std::string Tangent, Adjoint;
  std::string From; ///< where the user says so, for people
};

/// What a call names. A callee in the IR is always pure in its scalar
/// arguments: it reads and writes no memory. (Calls with other effects are
/// OpaqueStmts.)
struct Callee {
  std::string Name; ///< as the source spells it
  Type Result;
  std::vector<Type> Params;
  bool SetsErrno = false; ///< a <cmath> function that may set errno
  bool MayTrap = false;   ///< e.g. divides integers, or does not return
  std::shared_ptr<const Function> Definition; ///< null for known libm functions
  /// Set where the derivatives are what the user says. The body of Definition
  /// is then not known (an Opaque). The text form does not keep it.
  std::shared_ptr<const DerivativeRule> Rule;
};
using CalleeRef = std::shared_ptr<const Callee>;

enum class ExprKind {
  IntConst,
  FloatConst,
  VarUse,
  Load,
  Unary,
  Binary,
  Select,
  Cast,
  Call,
  NonNull,
};

class Expr {
public:
  const ExprKind Kind;
  const Type Ty;
  const SourceLoc Loc;
  virtual ~Expr() = default;

protected:
  Expr(ExprKind Kind, Type Ty, SourceLoc Loc)
      : Kind(Kind), Ty(std::move(Ty)), Loc(std::move(Loc)) {}
};

/// An integer or bool constant. Value holds the bits, sign- or zero-extended
/// from Ty. Spelling is the source's ("0x1f", "BLOCK" where a macro names it).
class IntConst : public Expr {
public:
  const int64_t Value;
  const std::string Spelling;
  IntConst(int64_t Value, Type Ty, std::string Spelling = "",
           SourceLoc Loc = {})
      : Expr(ExprKind::IntConst, std::move(Ty), std::move(Loc)), Value(Value),
        Spelling(std::move(Spelling)) {}
  static bool classof(const Expr *E) { return E->Kind == ExprKind::IntConst; }
};

/// A floating constant, rounded to Ty.
class FloatConst : public Expr {
public:
  const double Value;
  const std::string Spelling;
  FloatConst(double Value, Type Ty, std::string Spelling = "",
             SourceLoc Loc = {})
      : Expr(ExprKind::FloatConst, std::move(Ty), std::move(Loc)), Value(Value),
        Spelling(std::move(Spelling)) {}
  static bool classof(const Expr *E) { return E->Kind == ExprKind::FloatConst; }
};

class VarUse : public Expr {
public:
  const VarRef V;
  explicit VarUse(VarRef Variable, SourceLoc Loc = {})
      : Expr(ExprKind::VarUse, Variable->Ty, std::move(Loc)),
        V(std::move(Variable)) {}
  static bool classof(const Expr *E) { return E->Kind == ExprKind::VarUse; }
};

class Load : public Expr {
public:
  const Access From;
  explicit Load(Access From, Type Ty, SourceLoc Loc = {})
      : Expr(ExprKind::Load, std::move(Ty), std::move(Loc)),
        From(std::move(From)) {}
  static bool classof(const Expr *E) { return E->Kind == ExprKind::Load; }
};

enum class UnaryOp { Neg, Not, BitNot };

class Unary : public Expr {
public:
  const UnaryOp Op;
  const ExprRef Operand;
  Unary(UnaryOp Op, ExprRef Operand, Type Ty, SourceLoc Loc = {})
      : Expr(ExprKind::Unary, std::move(Ty), std::move(Loc)), Op(Op),
        Operand(std::move(Operand)) {}
  static bool classof(const Expr *E) { return E->Kind == ExprKind::Unary; }
};

enum class BinaryOp {
  Add,
  Sub,
  Mul,
  Div,
  Rem,
  Shl,
  Shr,
  And,
  Or,
  Xor, // result: operand type
  LT,
  LE,
  GT,
  GE,
  EQ,
  NE, // result: bool
  LAnd,
  LOr, // bool x bool -> bool, lazy
};

/// Both operands have one type, except shifts, where the right operand may be
/// any integer. C's `int` result of a comparison is an implicit cast from bool.
class Binary : public Expr {
public:
  const BinaryOp Op;
  const ExprRef L, R;
  Binary(BinaryOp Op, ExprRef L, ExprRef R, Type Ty, SourceLoc Loc = {})
      : Expr(ExprKind::Binary, std::move(Ty), std::move(Loc)), Op(Op),
        L(std::move(L)), R(std::move(R)) {}
  static bool classof(const Expr *E) { return E->Kind == ExprKind::Binary; }
};

class Select : public Expr {
public:
  const ExprRef Cond, True, False;
  Select(ExprRef Cond, ExprRef True, ExprRef False, SourceLoc Loc = {})
      : Expr(ExprKind::Select, True->Ty, std::move(Loc)), Cond(std::move(Cond)),
        True(True), False(std::move(False)) {}
  static bool classof(const Expr *E) { return E->Kind == ExprKind::Select; }
};

/// C's conversion. To bool it is `!= 0`. Float to integer outside the range is
/// undefined, as in C.
class Cast : public Expr {
public:
  const ExprRef Operand;
  const bool Implicit;
  Cast(ExprRef Operand, Type To, bool Implicit, SourceLoc Loc = {})
      : Expr(ExprKind::Cast, std::move(To), std::move(Loc)),
        Operand(std::move(Operand)), Implicit(Implicit) {}
  static bool classof(const Expr *E) { return E->Kind == ExprKind::Cast; }
};

class Call : public Expr {
public:
  const CalleeRef Fn;
  const std::vector<ExprRef> Args;
  Call(CalleeRef Callee, std::vector<ExprRef> Args, SourceLoc Loc = {})
      : Expr(ExprKind::Call, Callee->Result, std::move(Loc)),
        Fn(std::move(Callee)), Args(std::move(Args)) {}
  static bool classof(const Expr *E) { return E->Kind == ExprKind::Call; }
};

/// `p != nullptr` for a buffer parameter; bool.
class NonNull : public Expr {
public:
  const BufferRef Buf;
  explicit NonNull(BufferRef Buf, SourceLoc Loc = {})
      : Expr(ExprKind::NonNull, Type::getBool(), std::move(Loc)),
        Buf(std::move(Buf)) {}
  static bool classof(const Expr *E) { return E->Kind == ExprKind::NonNull; }
};

/// True for equal trees: the same operators, types, variables and buffers.
/// Spelling, locations and Cast::Implicit take no part.
bool structurallyEqual(const Expr &A, const Expr &B);
/// The same for null-able references.
bool structurallyEqual(const ExprRef &A, const ExprRef &B);
bool sameAccess(const Access &A, const Access &B);

llvm::StringRef spelling(BinaryOp Op);
llvm::StringRef spelling(UnaryOp Op);
bool isComparison(BinaryOp Op);
/// The comparison that says of b and a what Op says of a and b; others stay.
BinaryOp mirrored(BinaryOp Op);

/// Short constructors; each checks its operands' types by assertion. Integer
/// arithmetic on constants is folded where it does not overflow, and x+0, x-0,
/// x*1, x/1 are simplified; floating arithmetic is never touched.
namespace build {
ExprRef intConst(int64_t Value, Type Ty = Type::getI32());
ExprRef floatConst(double Value, Type Ty);
ExprRef boolConst(bool Value);
ExprRef var(VarRef V);
ExprRef load(Access From);
ExprRef binary(BinaryOp Op, ExprRef L, ExprRef R);
ExprRef unary(UnaryOp Op, ExprRef E);
ExprRef select(ExprRef C, ExprRef T, ExprRef F);
/// Returns E itself when it already has type To.
ExprRef cast(ExprRef E, Type To, bool Implicit = true);
ExprRef call(CalleeRef Fn, std::vector<ExprRef> Args);
ExprRef add(ExprRef L, ExprRef R);
ExprRef sub(ExprRef L, ExprRef R);
ExprRef mul(ExprRef L, ExprRef R);
ExprRef div(ExprRef L, ExprRef R);
ExprRef rem(ExprRef L, ExprRef R);
ExprRef lt(ExprRef L, ExprRef R);
/// Conjunction; a null operand stands for true.
ExprRef logicalAnd(ExprRef L, ExprRef R);
ExprRef logicalNot(ExprRef E);
/// Not E, as a person would write it. Comparisons of integers are inverted;
/// those of floats are not, since !(a < b) holds for NaN where a >= b does not.
ExprRef opposite(const ExprRef &E);
} // namespace build

} // namespace raise

#endif // RAISE_IR_EXPR_H
