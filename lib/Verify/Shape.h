//===- Shape.h - what a function's inputs look like -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_VERIFY_SHAPE_H
#define RAISE_LIB_VERIFY_SHAPE_H

#include "raise/Verify/Verify.h"
#include "llvm/ADT/StringSet.h"
#include <array>

namespace raise {

/// What the choice of inputs looks at.
struct InputShape {
  std::vector<VarRef> Ints, Floats; ///< scalar parameters
  std::vector<BufferRef> Buffers;   ///< parameters
  llvm::StringSet<> TestedForNull;
  /// Sizes of shared arrays: a kernel often wants a block of that size.
  std::vector<unsigned> SharedSizes;
  /// Whether the kernel looks at its index in y and z. Where it does not, more
  /// threads would do the same work again.
  bool UsesBlockY = false, UsesBlockZ = false;
  bool UsesGridY = false, UsesGridZ = false;
  /// Not empty: the function cannot be called by a test.
  std::string Problem;
};
InputShape shapeOf(const Function &F, const llvm::StringMap<StructLayout> &L);

/// The parameter that stands for array Field in every element of Of
/// (Buffer::EachElement); null if F touches none.
const Buffer *arrayInEach(const Function &F, const Buffer &Of,
                          llvm::StringRef Field);

/// The block sizes, in x, y and z, that the raised form of a kernel asks of its
/// launch; 0 where it takes any.
std::array<unsigned, 3> blockAskedFor(const Function *Raised);

/// Whether some floating sum or product may be rounded in another order: a
/// reduction in a raised region, or an atomic update of the original.
bool hasRoundingReduction(const Function &Original, const Function *Raised);

} // namespace raise

#endif // RAISE_LIB_VERIFY_SHAPE_H
