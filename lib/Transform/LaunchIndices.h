//===- LaunchIndices.h - a launch's indices, by name ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_TRANSFORM_LAUNCHINDICES_H
#define RAISE_LIB_TRANSFORM_LAUNCHINDICES_H

#include "raise/IR/Visitor.h"
#include <set>
#include <string>

namespace raise {

/// Internal to lib/Transform: part of split-barriers. An int for each index of
/// blocks and threads that a kernel looks at, or the variable that the kernel
/// has for it. Sums and products of indices and extents are computed as ints
/// where the kernel makes them ints, which the launch is tested for.
class LaunchIndices {
public:
  /// blockIdx.x .. threadIdx.z; then the warp, where threads along x are
  /// counted by warps and Lane has threadIdx.x's place.
  static constexpr unsigned NumDims = 7;
  static constexpr unsigned Lane = 3, Warp = 6;

  /// TakeLiterals: numbers of the kernel that look like a block's size are, of
  /// the launches that it is tested for.
  explicit LaunchIndices(const Function &Kernel, bool TakeLiterals = true)
      : F(Kernel), TakeLiterals(TakeLiterals) {}

  /// Body, what one thread does, over Iterator in place of Index. Taken: names
  /// besides its own that no iterator may have.
  StmtRef name(StmtRef Body, llvm::ArrayRef<VarRef> Index,
               std::set<std::string> Taken);
  /// Body with threads along x counted by warps: Index[Lane] and Index[Warp]
  /// are new.
  StmtRef takeWarps(StmtRef Body, llvm::MutableArrayRef<VarRef> Index);

  VarRef Iterator[NumDims];      ///< null: the kernel never looks at it
  int64_t Literal[NumDims] = {}; ///< the kernel's own number for an extent; 0

  /// How many blocks or threads there are along dimension D.
  ExprRef extentIn(unsigned D, const Type &Ty) const;
  /// What this rests on.
  void addGuards(std::vector<Guard> &Guards) const;

private:
  class Replacer;

  const Function &F;
  const bool TakeLiterals;
  StmtRef Body;
  llvm::ArrayRef<VarRef> Index;
  std::vector<ExprRef> MustFitInt; ///< i64, what indices stay below
  bool InWarps = false;
  int64_t LiteralX = 0; ///< the kernel's own number for blockDim.x, in warps

  const VarRef &extent(unsigned D) const { return F.LaunchDims[D]; }
  VarRef declaredAs(const Var *V) const;
  std::string freshName(unsigned D, const std::set<std::string> &Taken) const;
  int64_t usualSize(unsigned D, const VarRef &Thread) const;
  void takeLiteralBlocks();
  bool plainIndices(Access &At);
  ExprRef narrowed(const ExprRef &E, const ExprRef &Of, const Type &Ty);
  ExprRef asInt(const ExprRef &E, ExprRef &Most) const;
  unsigned bitsOf(const ExprRef &E) const;
  void addWarpGuard(std::vector<Guard> &Guards) const;
};

/// E before conversions to integers of 32 bits and more.
const Expr *withoutIntCasts(const Expr *E);

} // namespace raise

#endif // RAISE_LIB_TRANSFORM_LAUNCHINDICES_H
