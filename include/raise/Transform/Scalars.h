//===- Scalars.h - loops whose scalars carry no value -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A scalar that one iteration leaves for the next keeps a loop from being an
// operation on whole arrays, although its value is often plain: it advances by
// a fixed amount, or it is what the iteration before computed anyway. These
// functions rewrite such a loop so that each iteration finds the value itself.
//
// Each is a pure function. It returns a statement that does exactly what the
// loop does (the same stores, and the same values afterwards of the loop's
// variable where it is declared outside and of the scalars in After) on every
// input on which the loop is defined and ends; or nothing where it found
// nothing to change. The result need not be faster.
//
// After holds the scalars that may be read after the loop.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_TRANSFORM_SCALARS_H
#define RAISE_TRANSFORM_SCALARS_H

#include "raise/Transform/Liveness.h"
#include <optional>

namespace raise {

/// Integers and cursors that every iteration advances by the same amount, at
/// however many places, become closed forms `k + c * (i - lo)` of the loop's
/// variable, where k is then the value from before the loop; `k = k + c *
/// trips` follows the loop if k is in After. Inner loops first, so that what an
/// inner loop adds in all is a step of the outer one.
///
/// Left alone: an update under a condition (unless both branches make the
/// same), one by an amount that changes in the loop or is loaded from memory,
/// and whatever might overflow where the loop itself would not. After Gerlek,
/// Stoltz, Wolfe, "Beyond Induction Variables: Detecting and Classifying
/// Sequences Using a Demand-Driven SSA Form", TOPLAS 17(1), 1995, in its linear
/// case.
std::optional<StmtRef> substituteInductions(const For &L,
                                            const Liveness::VarSet &After);

/// Scalars of any type that an iteration reads before it sets them, to a value
/// that can be written as end(i): by the loop's variable, what the loop does
/// not change, and memory that no store of it can reach (by the declarations of
/// the buffers alone). Iterations after the first begin with
/// `x = end(i - step)`; the first, which has the x from before the loop, is
/// peeled. So it goes on for scalars that take over the value of such a one
/// (y = x; x = end(i)), which peels one iteration more.
///
/// Left alone: values of memory that the loop may write, values under a
/// condition, and those that are made of the scalar itself.
std::optional<StmtRef> expandWrapArounds(const For &L,
                                         const Liveness::VarSet &After);

/// Scalars of After that the loop only sets, at one place, to a value end(i) as
/// above. Where every iteration sets one, `x = end(last)` follows the loop,
/// under the condition that it runs. Where only some do, the loop computes the
/// largest number of such an iteration, as a reduction by Max, and what follows
/// sets x if there is one. In the loop, a scalar that is read after it was set
/// becomes the iteration's own.
std::optional<StmtRef> rewriteLastValues(const For &L,
                                         const Liveness::VarSet &After);

/// `if (v > x) { x = v; y = e; }`, in one loop or in two that are nested and
/// rectangular, where x and y have no other part in them: the extremum alone,
/// and then, if it is a new one, the first iteration in which v == x, as a
/// reduction by Min; y is what e was there. A NaN in the data changes nothing,
/// as before. v and e are functions of the iteration as above, and a floating v
/// is loaded, negated or made absolute, but not otherwise computed. Only the
/// strict comparison, so that the first of equal values counts.
std::optional<StmtRef> splitArgExtremum(const For &L,
                                        const Liveness::VarSet &After);

/// All of the above, each on what the one before left: inductions, places of
/// extrema, wrap-arounds, last values. Inductions are looked for in inner loops
/// too, the others only in L and the loops that come of it.
std::optional<StmtRef> rewriteScalars(const For &L,
                                      const Liveness::VarSet &After);

} // namespace raise

#endif // RAISE_TRANSFORM_SCALARS_H
