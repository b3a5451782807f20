//===- Distribute.h - one loop as several in a row --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A loop in which one statement keeps an order holds back all others of its
// body, and a statement that reads what another writes in another iteration
// keeps both from running at once. Each may be free in a loop of its own.
//
// The functions return what does exactly what the loop does, on every input on
// which the loop is defined and ends and their guards hold: the same stores,
// and the same values afterwards of the loop's variable where it is declared
// outside and of the scalars that may be read after the loop.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_TRANSFORM_DISTRIBUTE_H
#define RAISE_TRANSFORM_DISTRIBUTE_H

#include "raise/Analysis/Loops.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <optional>

namespace raise {

/// Statements that run in place of a loop where Guards hold. Guards are as in
/// LoopFacts, and separate every two buffers of which the loop writes one.
struct LoopSequence {
  std::vector<StmtRef> Body;
  std::vector<Guard> Guards;
  std::vector<std::string> Assumed; ///< by --alias=assume
  /// Conditions, as in LoopQuery, that then hold before each statement.
  std::vector<ExprRef> Known;
};

/// The statements of Q.Loop's body in loops of their own, in an order that
/// keeps every dependence (statements are reordered where they may be). A
/// scalar that lives within an iteration is computed again wherever it is read,
/// if that is cheap; where an element is read that the same iteration has
/// stored, the value is taken instead of the element, which frees the read from
/// the store (node splitting, after Kuck, Kuhn, Padua, Leasure, Wolfe,
/// "Dependence Graphs and Compiler Optimizations", POPL 1981, but without an
/// array for the old values). Loops whose iterations are independent are joined
/// again where the result is independent too (typed fusion, after Kennedy,
/// McKinley, "Maximizing Loop Parallelism and Improving Data Locality via Loop
/// Fusion and Distribution", LCPC 1993), and so are the others.
///
/// Nothing where no loop of several would have independent iterations.
/// Q.LiveOut must be set.
std::optional<LoopSequence> distribute(const LoopQuery &Q, const Function &F,
                                       const Context &Ctx);

/// The same, by what the caller says instead of by what is free: parts of one
/// label that is not 0 stand in one loop, those of label 0 where they may.
/// LabelOf is asked of simple statements, of inner loops as a whole, and, with
/// the If, of tests. Body is a loop for each label, in the order in which they
/// are to run; nothing where two labels cannot part, and no node is split.
std::optional<LoopSequence>
distributeBy(const LoopQuery &Q, const Function &F, const Context &Ctx,
             llvm::function_ref<unsigned(const StmtRef &)> LabelOf);

/// The iterations before and after a point of Q.Loop's range in loops of their
/// own, and, where only that one depends on others, the iteration at the point
/// between them (index-set splitting and peeling; see Crossings.h). The loop
/// counts up by one.
///
/// Nothing where no point is found for which the iterations of each loop are
/// independent. Q.LiveOut must be set.
std::optional<LoopSequence> splitRange(const LoopQuery &Q, const Function &F,
                                       const Context &Ctx);

/// Q.Loop, the outermost of a perfect nest, with a loop of the nest whose
/// iterations are independent around the others, which keep their order
/// (interchange, after Allen, Kennedy, "Automatic Loop Interchange", SIGPLAN
/// Symposium on Compiler Construction, 1984). The iterations of that loop must
/// not depend on one another in whatever iterations of the others they are, so
/// each element is computed as before, to the last rounding.
///
/// Nothing where Q.Loop's own iterations are independent, or no other loop's
/// are. Q.LiveOut must be set.
std::optional<LoopSequence> interchange(const LoopQuery &Q, const Function &F,
                                        const Context &Ctx);

/// What every iteration of Q.Loop does alike, once, and then the loop without
/// it (the oldest of loop optimisations, here for stores; see Repeats.h).
///
/// Nothing where no store is left for the loop: one that does nothing but
/// repeat itself is meant to. Q.LiveOut must be set.
std::optional<LoopSequence> runOnce(const LoopQuery &Q, const Function &F,
                                    const Context &Ctx);

} // namespace raise

#endif // RAISE_TRANSFORM_DISTRIBUTE_H
