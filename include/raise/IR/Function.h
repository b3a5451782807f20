//===- Function.h - functions -----------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_IR_FUNCTION_H
#define RAISE_IR_FUNCTION_H

#include "raise/IR/Stmt.h"
#include <array>

namespace raise {

/// A parameter is a scalar or a buffer; exactly one of the two is set.
struct Param {
  VarRef Scalar;
  BufferRef Buf;
  /// Not passed by itself: its name says how another parameter gives it, as
  /// `x.size()` where x is a container.
  bool Implied = false;
  llvm::StringRef name() const { return Scalar ? Scalar->Name : Buf->Name; }
};

enum class FunctionKind { Host, Kernel, Device };

/// A lifted function. The body of a Kernel is wrapped by the frontend in its
/// grid and block loops, outermost first:
///   grid.z, grid.y, grid.x, block.z, block.y, block.x
/// over gridDim.* and blockDim.* (Launch), whose loop variables are the Vars
/// blockIdx.* and threadIdx.*. Dimensions that the kernel never mentions still
/// have their loops: its threads exist even if they do not look at their index.
/// A `return` inside them ends that thread only.
class Function {
public:
  std::string Name;          ///< unqualified
  std::string QualifiedName; ///< as --function takes it
  FunctionKind Kind = FunctionKind::Host;
  Type Result;
  std::vector<Param> Params;
  /// For kernels: gridDim.x, .y, .z, blockDim.x, .y, .z (VarKind::Launch).
  std::array<VarRef, 6> LaunchDims;
  /// For kernels: the extents of a block along x, y and z wherever its file
  /// launches it; 0 where that is not known.
  std::array<int64_t, 3> UsualBlock{};
  /// Of a kernel that stands for several launches, one behind the other: what a
  /// thread does in the second comes after all that the first ones do in any.
  bool InOrder = false;
  StmtRef Body;
  SourceLoc Loc; ///< of the name; offsets cover the whole definition
  bool InternalLinkage = false;
  /// Of a function that was made: the parameter whose adjoint it returns.
  std::string Differentiates;
  /// Of a function that was made: what stands above it; empty where that
  /// follows from its name.
  std::string Comment;
  /// Of a function that was made: the name of a function for what a Region that
  /// ends the body has for its Original, where that should be one of its own.
  std::string GeneralForm;
  /// Of a function that was made: what its caller must see to. Where that does
  /// not hold, it ends the program. Only parameters are named.
  std::vector<Guard> Requires;
  bool LanguageC = false; ///< from a C source: emitted text must stay C
  /// Set where Params and Result do not say all of the signature (a parameter
  /// of a class type, `this`, a pointer that is returned): what is missing. The
  /// body is right all the same, but nothing can call the function as a whole.
  std::string MissingSignature;

  /// Null if there is none of that name.
  const Param *findParam(llvm::StringRef Name) const;
};

using FunctionRef = std::shared_ptr<const Function>;

/// Whether a differentiation made F.
bool isDerivative(const Function &F);

/// Whether the originals of F's regions are what somebody wrote. Where not, one
/// runs a kernel thread by thread, or a derivative in its general form: far
/// slower than any order of loops.
bool hasPlainOriginals(const Function &F);

/// The same function with another body.
FunctionRef withBody(const Function &F, StmtRef Body);

/// Equal up to locations, spellings and the identity of what is declared inside
/// (names take no part, but for globals). A body of one statement equals a
/// block of that statement.
bool structurallyEqual(const StmtRef &A, const StmtRef &B);
bool structurallyEqual(const Function &A, const Function &B);

/// A fresh kernel's launch dimensions, named as above.
std::array<VarRef, 6> makeLaunchDims();

} // namespace raise

#endif // RAISE_IR_FUNCTION_H
