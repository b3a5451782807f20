//===- NestGuards.h - what a nest needs, tested before it -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_TRANSFORM_NESTGUARDS_H
#define RAISE_LIB_TRANSFORM_NESTGUARDS_H

#include "LoopForm.h"
#include "raise/Analysis/Loops.h"
#include <set>
#include <vector>

namespace raise {

/// Appends the texts of From that Into lacks.
void addOnce(std::vector<std::string> &Into,
             const std::vector<std::string> &From);

/// What is being built for one Region, while raiseLoops goes into its loops.
struct Nest {
  StmtRef Root; ///< the outermost loop
  Obligations Rests;
  std::vector<const For *> Loops; ///< around the current place, outermost first
  std::vector<ExprRef> Known;
  /// See LoopQuery.
  std::vector<std::pair<BufferRef, ExprRef>> Sizes;
  std::vector<std::pair<const Buffer *, const Buffer *>> Separated;
  /// Variables that are set inside the region: no guard may look at them.
  std::set<const Var *> Inner;
  bool Kernel = false;
  /// Loops of a sequence are being raised in place of one loop, whose guards
  /// are in Rests: they separate all buffers that these loops touch.
  bool Covered = false;
  /// Of such a sequence, loops that are not free may keep their order.
  bool KeepsRests = false;

  /// Takes Guards over into Rests, each once. A guard that looks at an iterator
  /// of the loops around is replaced by one for all of its values, where there
  /// is such a one. False, and nothing taken, if one of them cannot be tested
  /// before the region. The outermost loop's test of two buffers covers every
  /// access inside it, so it serves the inner loops too.
  bool adopt(const std::vector<Guard> &Guards, bool Outermost);

  /// Has the region begin with Inspections, which guards of L use. False, and
  /// nothing taken, if what they look at may be set in the region before L.
  bool inspect(llvm::ArrayRef<Inspection> Inspections, const For &L);

  /// Has Guards say that the iterations of Form can be counted as OpenMP does,
  /// where that is not clear. False if it cannot be tested.
  bool addCountFits(const LoopForm &Form, std::vector<Guard> &Guards) const;

  /// Has tests come first under which the buffers of all others are looked for
  /// by the source as well. False if there are none.
  bool addTestsToReach();

  /// Knows what a fact of the user's says.
  void know(const Decl &Fact);
  /// The same, and the region says that it may rest on it.
  void rest(const Decl &Fact);
  /// How much is known, to forget what comes in addition.
  using Knowledge = std::pair<size_t, size_t>;
  Knowledge knowledge() const { return {Known.size(), Sizes.size()}; }
  void forget(const Knowledge &Since) {
    Known.resize(Since.first);
    Sizes.resize(Since.second);
  }

  /// After adopting Guards of its outermost loop: what they say of buffers
  /// holds for the loops inside as well.
  void separate(llvm::ArrayRef<Guard> Guards);
};

/// Whether two tests of sizes never hold both: `m >= 60` and `m <= 8`.
bool excludeEachOther(llvm::ArrayRef<Guard> Guards);

/// Drops tests that always hold, and tests of sizes that follow from others:
/// `n*m <= 10` beside `n*m <= 9`.
/// What is left is computed no earlier than what says that it can be.
void dropImplied(std::vector<Guard> &Guards);

} // namespace raise

#endif // RAISE_LIB_TRANSFORM_NESTGUARDS_H
