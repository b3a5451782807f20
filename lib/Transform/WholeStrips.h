//===- WholeStrips.h - a range as strips of one length, and a rest -*- C++ -*-//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_TRANSFORM_WHOLESTRIPS_H
#define RAISE_LIB_TRANSFORM_WHOLESTRIPS_H

#include "raise/IR/Function.h"

namespace raise {

/// Points that are asked at once whether something holds: enough to hide the
/// branch, few enough that looking at them again is nothing, and that many
/// strips are of one kind.
constexpr int64_t StripLength = 64;

/// An iterator of step 1 as strips of one length, which compilers know, and
/// what is left after them.
struct WholeStrips {
  /// Declares where the rest begins; null where that is a number. Nothing
  /// before it, Lo, if the range is short.
  StmtRef RestDecl;
  ExprRef Rest;
  /// Whether there is a strip; null where there is one for sure.
  ExprRef Any;
  Iterator Strips; ///< over their first points
  Iterator Points; ///< of one strip
  Iterator Last;   ///< of the rest
  bool HasLast;    ///< may it have a point?
};

/// It by strips of Width points, where there are Least points or more; Least is
/// at least Width. None where the arithmetic might overflow, or where it is
/// known to have fewer. IsLong: it has as many.
std::optional<WholeStrips> wholeStrips(const Iterator &It, int64_t Width,
                                       int64_t Least, bool IsLong = false);

/// Whether It has Least points, as a test that a region may make before its
/// body; null where there is none, or where it is known.
ExprRef lengthTest(const Iterator &It, int64_t Least, const StmtRef &Body);

/// Whether one of Guards says that Test holds.
bool isImplied(const ExprRef &Test, llvm::ArrayRef<Guard> Guards);

/// S, which uses It's variable, for another variable over Range.
Iterator withOwnVariable(const Iterator &Range, StmtRef &S);

} // namespace raise

#endif // RAISE_LIB_TRANSFORM_WHOLESTRIPS_H
