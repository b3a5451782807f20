//===- UpdatedRows.h - rows that a loop only updates ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
//   for (r) for (i = 0; i < n; ++i) sums[i] += x[r * m + i];
//
// All iterations of r update the elements of one row, whose length is known
// before the loop. If it is short, each thread may have such a row of its own,
// as of an array whose size the program says (raise/IR/Updates.h).
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_IR_UPDATEDROWS_H
#define RAISE_IR_UPDATEDROWS_H

#include "raise/IR/Stmt.h"
#include "llvm/ADT/ArrayRef.h"
#include <optional>

namespace raise {

/// The elements of a pointer, from its first one on, that a loop updates.
struct UpdatedRow {
  /// Their number: a variable that the loop does not set, or a constant.
  ExprRef Length;
  /// That the loop comes to all of them, and that each thread has room for them
  /// on its stack. Then a reduction that names them touches what the loop does.
  std::vector<Guard> Tests;
};

/// The row of B that the loops of S update: each store of S to B is to element
/// i, for the counter i of a loop inside of S that goes up from a number to
/// Length; one of them stands under no condition, goes from 0 by steps of one,
/// and has only loops around it of which a test can say that they run. None
/// where that is not so, S reads B, B is no pointer that a clause can name, or
/// the row is known to be empty or too long.
std::optional<UpdatedRow> updatedRow(const StmtRef &S, const Buffer &B);

/// Whether Tested says what Row rests on.
bool areTested(const UpdatedRow &Row, llvm::ArrayRef<Guard> Tested);

/// That the loops of S around the update of a row, S the outermost, have 64
/// iterations in all: where threads have few, putting their rows together takes
/// as long as what they add to them. Null where it cannot be told.
ExprRef hasManyRows(const StmtRef &S, const Buffer &B);

} // namespace raise

#endif // RAISE_IR_UPDATEDROWS_H
