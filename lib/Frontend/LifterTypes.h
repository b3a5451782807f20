//===- LifterTypes.h - what lifting works with ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Internal to lib/Frontend: types and places of the source, and what its
// variables stand for.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_FRONTEND_LIFTERTYPES_H
#define RAISE_LIB_FRONTEND_LIFTERTYPES_H

#include "Fresh.h"
#include "Jumps.h"
#include "NameScope.h"
#include "Rotation.h"
#include "raise/Frontend/Codes.h"
#include "raise/Frontend/Lift.h"
#include "raise/Frontend/Notes.h"
#include "raise/IR/Stmt.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/AST/StmtOpenMP.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallPtrSet.h"
#include <functional>
#include <map>
#include <optional>

namespace raise::lifting {

using StmtList = std::vector<StmtRef>;

//===-- Types and places of the source
//-------------------------------------===//

/// The IR's type for a scalar; nothing for anything else.
std::optional<Type> scalarType(clang::QualType T, const clang::ASTContext &AST);
/// The type of something that was lifted as a scalar.
Type liftedType(clang::QualType T, const clang::ASTContext &AST);
/// CUDA's cudaError_t.
bool isErrorCode(clang::QualType T);
bool mentionsErrorCode(const clang::Stmt *S);
/// The variable that a call of CUDA's runtime gives memory; null for none.
const clang::VarDecl *allocatedBy(const clang::CallExpr *E,
                                  const clang::ASTContext &AST);
/// Whether T is CUDA's class __nv_bfloat16, or a reference to it.
bool isBFloat16(clang::QualType T);
bool isHalf(clang::QualType T);
/// As the source spells it.
std::string spellingOf(clang::QualType T, const clang::ASTContext &AST);
/// The same for a type that is printed again: found under that spelling in all
/// of the function that is lifted.
std::string emittedSpelling(clang::QualType T, const clang::ASTContext &AST);
/// Whether FD is of the C library or of namespace std.
bool isLibrary(const clang::FunctionDecl *FD, const clang::ASTContext &AST);
/// Whether FD, of the C library, returns a pointer into its argument, or null.
bool mayReturnNullInto(const clang::FunctionDecl *FD,
                       const clang::ASTContext &AST);
SourceLoc locate(clang::SourceRange Range, const clang::ASTContext &AST);
/// As locate, with the semicolon that ends the statement.
SourceLoc locateStatement(const clang::Stmt *S, const clang::ASTContext &AST);
std::string sourceText(clang::SourceRange Range, const clang::ASTContext &AST);
/// The same for a sentence: where it is long, calls are `name(…)`.
std::string shortText(clang::SourceRange Range, const clang::ASTContext &AST);
/// `'to.vals[i]'`, or "this pointer" where its text is too long to be a name.
std::string pointerName(const clang::Expr *E, const clang::ASTContext &AST);
/// Text as what the source writes for a variable that it does not have.
std::string asName(std::string Text);
/// The name of the macro that expands to just this expression; else empty.
std::string macroName(const clang::Expr *E, const clang::ASTContext &AST);
/// The token that spells a literal.
std::string tokenText(clang::SourceLocation L, const clang::ASTContext &AST);

/// A scalar member of a plain structure: its path and type.
struct Member {
  std::string Path;
  Type Ty;
};
/// The members of a structure that is only scalars, nested ones flattened;
/// nothing if it has anything else.
std::optional<std::vector<Member>> plainMembers(clang::QualType T,
                                                const clang::ASTContext &AST);
/// An array that is a member of a structure, with constant extents.
struct ArrayMember {
  std::string Path;
  clang::QualType Ty;
};
struct ObjectMembers {
  std::vector<Member> Scalars;
  std::vector<ArrayMember> Arrays;
};
/// The same for a structure that is scalars and arrays of them; nothing if it
/// has no array.
std::optional<ObjectMembers> objectMembers(clang::QualType T,
                                           const clang::ASTContext &AST);
/// The scalars of a structure of either kind.
std::vector<Member> scalarMembers(clang::QualType T,
                                  const clang::ASTContext &AST);

//===-- Containers
//----------------------------------------------------------===//

/// The element type of a std::vector, std::array or std::span (or a reference
/// to one); nothing for any other type.
std::optional<clang::QualType> containerElement(clang::QualType T);
/// Whether the elements of a container (of that type) are in no other.
bool ownsElements(clang::QualType Container);
/// Whether the file holds an `operator new` in place of the library's.
bool replacesNew(const clang::ASTContext &AST);
/// Whether T is a class with containers that are members, and no object of T
/// can lie in the elements of one of them.
bool holdsContainers(clang::QualType T);
/// What a call does with a container, if that leaves the container as it is.
enum class ContainerOp {
  None,
  Subscript,
  Front,
  Back,
  Size,
  Empty,
  Begin,
  End
};
ContainerOp containerOp(const clang::CallExpr *E);
/// Whether it gives an element.
inline bool isElementOf(ContainerOp Op) {
  return Op == ContainerOp::Subscript || Op == ContainerOp::Front ||
         Op == ContainerOp::Back;
}
/// The container that such a call works on; null for one behind a pointer.
const clang::Expr *containerObject(const clang::CallExpr *E);

/// What E is a cast of, where E is a call of std::move, std::forward or
/// std::as_const on an object that is copied when it is moved; null for others.
const clang::Expr *castByCall(const clang::CallExpr *E);

//===-- What a body does to variables
//--------------------------------------===//

/// The class of a lambda, if T is one or a reference to one.
const clang::CXXRecordDecl *closureOf(clang::QualType T);
/// The bodies that may run where an object of this class is called.
void eachBody(const clang::CXXRecordDecl &Closure,
              llvm::function_ref<void(clang::Stmt *)> In);

/// What functions that are called do with what they are given by reference to
/// const.
class CalleeFacts {
  struct Fates {
    bool Followed = false; ///< else nothing is known
    bool KeepsThis = true, ReturnsThis = false;
    /// For each parameter: whether its address may outlive the call, or its
    /// object change in it; whether the result may be it, by reference.
    std::vector<bool> Keeps, Returns;
  };
  llvm::DenseMap<const clang::FunctionDecl *, std::unique_ptr<Fates>> Known;
  unsigned Depth = 0;
  const Fates &of(const clang::FunctionDecl &FD);

public:
  /// Of FD's parameter I, a reference to const.
  bool keepsParam(const clang::FunctionDecl &FD, unsigned I);
  bool keepsThis(const clang::CXXMethodDecl &M);
  /// Calls In with the arguments that the result of C, a call of FD, may be.
  void eachReturned(const clang::FunctionDecl &FD, const clang::CallExpr &C,
                    llvm::function_ref<void(const clang::Expr *)> In);
};

/// Facts that are read off the syntax tree before a body is lifted.
struct Prescan {
  explicit Prescan(CalleeFacts &Callees) : Callees(Callees) {}
  CalleeFacts &Callees;
  llvm::DenseSet<const clang::VarDecl *> Assigned;  ///< after its declaration
  llvm::DenseSet<const clang::VarDecl *> Addressed; ///< &v, or a reference to v
  /// Pointers: all values given to a variable, its initialiser first.
  llvm::DenseMap<const clang::VarDecl *, std::vector<const clang::Expr *>>
      Values;
  /// Those assignments of a local pointer that are statements of the block that
  /// declares it, in order: no way leads around one, from before it to behind
  /// it. From there on the pointer is as good as a new one.
  llvm::DenseMap<const clang::VarDecl *, std::vector<const clang::Expr *>> Anew;
  /// Structures that are assigned as a whole.
  llvm::DenseSet<const clang::VarDecl *> Whole;
  /// The members of a structure that are assigned, each after the structure's
  /// name: "l.in.n".
  llvm::DenseMap<const clang::VarDecl *, std::vector<std::string>> Members;
  // Of a function that is called:
  bool KeepsThis = false, ReturnsThis = false;
  llvm::DenseSet<const clang::VarDecl *> Returned; ///< by reference to const
  bool HasLabel = false;                           ///< a jump may lead back
  bool HasBlock = false;                           ///< `^{ ... }`
  bool SetsEnvironment = false; ///< that of floating-point operations
  /// Conversions of a pointer, or of what it leads to, to another type.
  std::vector<const clang::CastExpr *> Views;
  Rotations Moves;
  void scan(const clang::Stmt *Body);
  /// Bodies are those of Of, which is called.
  void scanAs(const clang::FunctionDecl *Of,
              llvm::ArrayRef<const clang::Stmt *> Bodies);
};

//===-- Values
//--------------------------------------------------------------===//

/// A pointer value: an element of a buffer (null offset: the first), or the
/// address of a scalar variable.
struct Pointer {
  BufferRef Base;
  ExprRef Offset; ///< i64
  VarRef Scalar;
  bool isSet() const { return Base || Scalar; }
};

/// An lvalue: a variable, an element (or a part of a multi-dimensional array,
/// with fewer indices than dimensions), a local structure, a structure (or a
/// part of one) that never changes, whatever its members are, or a structure or
/// an array that an array of scalars is seen as (A: its first scalar).
struct Place {
  enum PlaceKind { None, Scalar, Memory, Record, Frozen, Packed } Kind = None;
  VarRef V;
  Access A;
  Type Ty;                       ///< of a scalar
  std::vector<VarRef> Parts;     ///< of a Record, one for each scalar member
  std::vector<BufferRef> Arrays; ///< of a Record, one for each array in it
  clang::QualType At;            ///< of a Record: the type of the whole
  std::string Path;              ///< the members picked so far
  const clang::VarDecl *Of = nullptr; ///< of Frozen; Path starts with its name
  clang::QualType QualTy;
  bool isSet() const { return Kind != None; }
};

/// M, scalar I of the structure that P is, which may be inside another.
Place partOf(const Place &P, size_t I, const Member &M,
             const clang::ASTContext &AST);

/// The bytes of an object, as the elements of an array that they were when the
/// statement with the number Since had been emitted.
struct Bytes {
  Pointer At;
  int64_t Elements = 0;
  size_t Since = 0;
  size_t Loops = 0; ///< around it, in the function that it is used in
  /// They begin at a multiple of their number of bytes: two such blocks are the
  /// same or have no byte in common.
  bool Aligned = false;
  bool isSet() const { return At.Base != nullptr; }
};

/// Of: the type of the source that Ty is, if it is known.
ExprRef zeroOf(const Type &Ty, clang::QualType Of = {});
/// Whether the two surely share no byte.
bool areApart(const Buffer &A, const Buffer &B);

//===-- Arrays of scalars as arrays of structures (Views.cpp)
//---------------------------------------------------------===//

/// Whether both types are made of the same scalars, if of one sort alone.
bool maySee(clang::QualType From, clang::QualType To,
            const clang::ASTContext &AST);
/// Whether objects of type T are elements of Base, one after the other.
bool isViewOf(clang::QualType T, const Buffer &Base,
              const clang::ASTContext &AST);
/// The scalars that objects of type T are, one after the other, if they are of
/// one sort alone and nothing lies between them.
std::optional<Type> soleScalar(clang::QualType T, const clang::ASTContext &AST);
/// How many elements of Base a pointer to T, which leads there, steps over.
int64_t stepOf(clang::QualType T, const Buffer &Base,
               const clang::ASTContext &AST);
/// Index elements of type T, in elements of Base.
ExprRef scaled(ExprRef Index, clang::QualType T, const Buffer &Base,
               const clang::ASTContext &AST);
/// P, or the structure or the array of type T that begins there.
Place partAt(Place P, clang::QualType T, const clang::ASTContext &AST);
/// Of P, which is Packed: Field or element Index, of type T, or scalar I.
Place packedMember(const Place &P, const clang::FieldDecl *Field,
                   clang::QualType T, const clang::ASTContext &AST);
Place packedElement(const Place &P, const ExprRef &Index, clang::QualType T,
                    const clang::ASTContext &AST);
Place packedPart(const Place &P, size_t I);

/// What a variable of the source stands for.
struct Binding {
  enum BindingKind {
    Scalar,      ///< V
    Value,       ///< E: never assigned, so its value is used in its place
    BufferObj,   ///< P.Base: an array, or a pointer that never changes
    PointerVal,  ///< P: a pointer that never changes
    Cursor,      ///< V: a pointer variable
    Alias,       ///< At: a reference
    Record,      ///< At.Parts, At.Arrays
    OfBytes,     ///< Held: an object that is only copied as a whole
    Frozen,      ///< At: a structure that is never assigned or addressed
    Null,        ///< a parameter that is a null pointer in this call; Why
    Unsupported, ///< Why; of others why it is not followed when it changes
  } Kind = Unsupported;
  VarRef V;
  ExprRef E;
  Pointer P;
  Place At;
  Bytes Held;
  bool Borrows = false; ///< At's arrays are the caller's
  Reason Why;
};

/// What an OpenMP directive of the author's says of the loop below it.
struct Claim {
  LoopKind Kind = LoopKind::Claimed;
  unsigned Depth = 1; ///< loops that it speaks of, by `collapse`
  /// The loop's variable is each thread's own, wherever it was declared.
  bool PrivateCounter = true;
  std::vector<const clang::VarDecl *> Private; ///< each iteration's own
  /// Variables that the iterations combine, and by what.
  std::vector<std::pair<const clang::VarDecl *, Combiner>> Reductions;
};

/// Whether all that the statements do with V is to combine it, by By, with
/// something that does not hang on it (ClaimedSums.cpp).
bool isOnlyCombined(llvm::ArrayRef<StmtRef> List, const VarRef &V, Combiner By);

/// How `continue` leaves a loop's body: what runs before the next test.
struct LoopFrame {
  std::function<bool()> BeforeContinue;
  bool InSwitch = false; ///< a switch: `break` ends a case
  size_t Ending = 0;     ///< objects to destroy that were there before
};

/// Functions that are called, for all that is lifted for one function
/// (PureFunctions.cpp). By canonical declarations.
struct ScalarFunctions {
  enum class State { NotPure, Open, Pure };
  struct Entry {
    State Is = State::NotPure;
    FunctionRef F;                              ///< where it is Pure
    std::vector<std::shared_ptr<Callee>> Named; ///< by what calls spell
  };
  llvm::DenseMap<const clang::FunctionDecl *, Entry> Of;
  std::vector<const clang::FunctionDecl *> Order; ///< in which they were met
  unsigned Open = 0;
};

/// A function that is being inlined.
struct InlineFrame {
  const clang::FunctionDecl *FD;
  std::vector<VarRef> Results; ///< one for a scalar, none for void
  /// Where it returns an object with arrays, or one that is copied as bytes.
  const Place *Into = nullptr;
  Bytes *AsBytes = nullptr;
};

/// Whether T is a type that memory of no type in particular is declared as.
inline bool isByte(clang::QualType T) {
  return T->isCharType() || T->isStdByteType();
}

/// `extern __shared__ T a[];`, at file scope or in a function.
inline bool isDynamicShared(const clang::VarDecl *V) {
  return V->hasAttr<clang::CUDASharedAttr>() && V->hasExternalStorage();
}

} // namespace raise::lifting

#endif // RAISE_LIB_FRONTEND_LIFTERTYPES_H
