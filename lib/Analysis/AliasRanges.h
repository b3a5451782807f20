//===- AliasRanges.h - guards that buffers do not overlap -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_ANALYSIS_ALIASRANGES_H
#define RAISE_LIB_ANALYSIS_ALIASRANGES_H

#include "Walk.h"

namespace raise::analysis {

struct AliasFacts {
  std::vector<Guard> Guards; ///< of disjointness; evaluable once N holds
  std::vector<std::string> Assumed;
  Needs N;
  Reason Why; ///< set: some range is not known before the loop
};

/// What must hold so that no two buffers of which the loop writes one share an
/// element that it touches. Two touches of one buffer are not its matter. Base
/// is tested in any case, and before these guards.
AliasFacts separateBuffers(Symbols &S, const Walk &W, AliasMode Mode,
                           const Needs &Base);

} // namespace raise::analysis

#endif // RAISE_LIB_ANALYSIS_ALIASRANGES_H
