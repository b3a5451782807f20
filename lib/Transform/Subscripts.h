//===- Subscripts.h - elements as polynomials -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Internal to lib/Transform. Which accesses are of one element and which are
// not, as far as their subscripts tell.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_TRANSFORM_SUBSCRIPTS_H
#define RAISE_LIB_TRANSFORM_SUBSCRIPTS_H

#include "raise/IR/Stmt.h"
#include "raise/Transform/IndexMath.h"

namespace raise {

using Subscripts = std::vector<Polynomial>;

/// Of A's dimensions; nothing where arithmetic of a subscript's own width may
/// wrap and that of 64 bits would not.
std::optional<Subscripts> subscripts(const Access &A);

/// Whether nothing that Body changes, of variables, tells which element A is,
/// and its array is one that no other name reaches behind the tests' back.
bool isSteady(const Access &A, const StmtRef &Body);

/// Whether these are two elements, whatever the variables are.
bool differ(const Subscripts &A, const Subscripts &B);

/// Whether the polynomials of two accesses are of the same dimensions.
bool areComparable(const Access &A, const Access &B);

/// How many elements further A is for the next V; 0 where V does not matter,
/// nothing where that is no number, or not along the last dimension.
std::optional<int64_t> strideAlong(const Access &A, const Var *V);

/// By how many iterations Store's iteration comes behind Load's, if both are of
/// one element; nothing where they never are.
struct Distance {
  bool Known = false;
  std::optional<int64_t> By;
};
Distance distanceOf(const Subscripts &Stored, const Subscripts &Loaded,
                    const Var *V, int64_t Step);

/// That of two accesses in Body, the body of a loop over V by ones. Nothing is
/// known where one of the two may be any element; by none where they never
/// meet, as Guards say of two arrays.
Distance distanceBetween(const Access &Stored, const Access &Other,
                         const StmtRef &Body, const Var *V,
                         llvm::ArrayRef<Guard> Guards);

/// Whether S, which stands under no condition, loads Read in any case.
bool loadsSurely(const StmtRef &S, const Expr *Read);

} // namespace raise

#endif // RAISE_LIB_TRANSFORM_SUBSCRIPTS_H
