//===- Directions.h - tangents of several directions ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Internal to lib/Grad. A tangent in one direction becomes one in k directions:
// whatever holds a tangent holds k of them, the direction varying fastest, and
// what computes tangents stands in a loop over directions. The primal's
// statements stay, once. Directions have nothing to do with each other, and no
// tangent overlaps a primal: so that loops over directions that stand side by
// side, or beside primal statements that change nothing that they read, are
// one.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_GRAD_DIRECTIONS_H
#define RAISE_LIB_GRAD_DIRECTIONS_H

#include "raise/Grad/Signature.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace raise::grad {

/// What of a tangent's variables and memory holds tangents. A cursor is none.
struct TangentPlaces {
  llvm::DenseSet<const Var *> Vars;
  llvm::DenseSet<const Buffer *> Buffers;
};

/// B, which holds tangents, with room for K in place of each.
BufferRef withDirections(const Buffer &B, unsigned K);
/// V, a tangent, as an array of K.
std::shared_ptr<Buffer> arrayOf(const Var &V, unsigned K);

/// The signature of a tangent in K directions. Refused gets what has no place
/// for them (CR1811).
Signature withDirections(const Function &Primal, Signature Of, unsigned K,
                         std::vector<Reason> &Refused);

/// Tangent, whose derivatives are parameters as One says, in the directions of
/// Many. Refused gets what has no place for them.
FunctionRef inDirections(const Function &Tangent, const TangentPlaces &Places,
                         const Signature &One, const Signature &Many,
                         std::set<std::string> &Names,
                         std::vector<Reason> &Refused);

//===-- Loops over directions
//----------------------------------------------===//

/// Statements of one block, of which some are for one direction each.
struct Piece {
  StmtRef S;
  bool PerDirection = false;
  /// Of the first store to what a declaration declares: that scalar, as it was.
  VarRef Declares = nullptr;
};

/// What a loop over directions needs to know.
struct DirectionLoops {
  unsigned K = 0;
  VarRef Direction; ///< in statements for one direction: its number
  /// How often variables that are arrays now are used in the whole function.
  llvm::DenseMap<const Var *, unsigned> Uses;
  llvm::DenseMap<const Var *, BufferRef> Arrays;
  std::set<std::string> *Names = nullptr;  ///< all that are in use
  llvm::DenseSet<const Buffer *> Tangents; ///< as they are now

  std::string nameOfValue(llvm::StringRef Function) const;
  /// The block of Pieces, with as few loops as order allows; what is used in
  /// one loop alone is a scalar of it.
  std::vector<StmtRef> inLoops(llvm::ArrayRef<Piece> Pieces) const;
};

} // namespace raise::grad

#endif // RAISE_LIB_GRAD_DIRECTIONS_H
