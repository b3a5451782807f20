//===- WriteNetworks.h - what a network computes, as loops ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Internal to lib/Transform: part of raise-networks.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_TRANSFORM_WRITENETWORKS_H
#define RAISE_LIB_TRANSFORM_WRITENETWORKS_H

#include "BarrierPhases.h"
#include "LiveCells.h"
#include "Networks.h"

namespace raise {

struct WrittenNetwork {
  StmtList List;
  /// Scalars that hold elements which nothing changes any more.
  std::vector<std::pair<Cell, VarRef>> Named;
};

/// Statements in place of Place.Self that give what a network found: sums of a
/// range, or of all ranges that start at one place, by a loop each. Nothing
/// where that takes more than a few. Known: the integers before; Arrays: the
/// block's, in the order of their declarations.
std::optional<WrittenNetwork> writeNetwork(const Network::State &Found,
                                           const Network &Known,
                                           const Level &Place,
                                           llvm::ArrayRef<BufferRef> Arrays);

} // namespace raise

#endif // RAISE_LIB_TRANSFORM_WRITENETWORKS_H
