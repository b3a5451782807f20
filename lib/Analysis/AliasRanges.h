//===- AliasRanges.h - guards that buffers do not overlap -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_ANALYSIS_ALIASRANGES_H
#define RAISE_LIB_ANALYSIS_ALIASRANGES_H

#include "Walk.h"
#include "llvm/ADT/ArrayRef.h"

namespace raise::analysis {

struct AliasFacts {
  std::vector<Guard> Guards; ///< of disjointness; evaluable once N holds
  std::vector<std::string> Assumed;
  Needs N;
  Reason Why; ///< set: some range is not known before the loop
  /// The first and the last element of each range are touched wherever one of
  /// it is: no range reaches further than the memory that is there.
  bool Attained = true;
};

/// What must hold so that no two buffers of which the loop writes one share an
/// element that it touches. Two touches of one buffer are not its matter. Base
/// is tested in any case, and before these guards.
AliasFacts separateBuffers(Symbols &S, const Walk &W, AliasMode Mode,
                           const Needs &Base);

/// How many elements of Buf, from its first on (along the first of several
/// dimensions), hold all that the loop touches of it; perhaps more, perhaps a
/// negative number for none. It is never below Least.
struct ElementCount {
  Bounded Count;
  std::optional<int64_t> Least;
};

/// Nothing where that is not known before the loop, or some touch may lie
/// before the first. Base is tested in any case.
std::optional<ElementCount> elementsUpTo(Symbols &S, const Walk &W,
                                         const Buffer &Buf, const Needs &Base);

/// The elements of a buffer that a touch reaches in all its iterations, which
/// fill a box: index D is Base[D] plus, for each side, Steps[D] times a number
/// from 0 to Last. A side has none unless Last and all of If are >= 0.
struct ReachedBox {
  struct Side {
    Poly Last;
    std::vector<Poly> If;
    std::vector<Poly> Steps;
  };
  std::vector<Poly> Base;
  std::vector<Side> Sides;
  Needs N;
};

/// Boxes that hold what the touches of Needed reach, and nothing that is not
/// reached, if the loop runs. Those of Others, of the same buffer, may be among
/// them. Nothing where no such boxes are known before the loop.
std::optional<std::vector<ReachedBox>>
reachedBoxes(Symbols &S, const Walk &W, llvm::ArrayRef<const Touch *> Needed,
             llvm::ArrayRef<const Touch *> Others);

} // namespace raise::analysis

#endif // RAISE_LIB_ANALYSIS_ALIASRANGES_H
