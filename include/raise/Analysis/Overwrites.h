//===- Overwrites.h - what is still there at the end ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Whether an element that a statement reads or writes may be written by a
// statement that runs later. If it is not, then what a function read can be
// read again when it has ended. Buffers that are not the same are taken to
// share no memory; that, and whatever else the answers rest on, is a test to be
// made before.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_ANALYSIS_OVERWRITES_H
#define RAISE_ANALYSIS_OVERWRITES_H

#include "raise/IR/Context.h"
#include "llvm/ADT/DenseSet.h"
#include <map>
#include <memory>
#include <optional>

namespace raise {

class Overwrites {
public:
  /// F has no jumps. Ctx.Apart is told apart without a test. Bounded by
  /// Ctx.Opts.MaxIslOperations for each loop.
  Overwrites(const Function &F, const Context &Ctx);
  ~Overwrites();

  /// Whether To may write the element that At, an access of the statement In,
  /// is: in a later iteration of one of Loops, which are the loops around both,
  /// outermost first, from the one numbered First on, those around it fixed;
  /// or, SameIteration, in the same iteration of all.
  bool mayWrite(const Store *To, const Stmt *In, const Access &At,
                llvm::ArrayRef<const For *> Loops, bool SameIteration,
                size_t First = 0);

  /// Whether To may have written that element before: in an earlier iteration
  /// of one of Loops from the one numbered First on, those around it fixed; or,
  /// SameIteration, in the same iteration of all.
  bool mayHaveWritten(const Store *To, const Stmt *In, const Access &At,
                      llvm::ArrayRef<const For *> Loops, size_t First,
                      bool SameIteration);

  /// Elements of a buffer: index D is Base[D] plus, for each side, Steps[D]
  /// times a number from 0 on below Count (which is not negative). All are i64,
  /// by what is known before the loop.
  struct Box {
    struct Side {
      ExprRef Count;
      std::vector<ExprRef> Steps;
    };
    std::vector<ExprRef> Base;
    std::vector<Side> Sides;
  };
  /// What L, which no loop is around, writes of member Field of B, or, Reads,
  /// touches of it, and perhaps more that it touches, if it runs at all.
  /// Nothing where that is not known before L.
  std::optional<std::vector<Box>> boxes(const For *L, const Buffer &B,
                                        llvm::StringRef Field, bool Reads);
  /// Whether they are known under tests alone.
  bool boxesAreTested() const { return Tested; }

  /// How many elements of B there are, from its first on, up to the last one
  /// that F touches, perhaps more: an integer that is not negative, by what is
  /// known where F begins. Of several dimensions, along the first. Nothing
  /// where that is not known, or may lie before the first.
  std::optional<ExprRef> elements(const Buffer &B);

  /// What the answers so far rest on, and that no two buffers of which F writes
  /// one share an element that F touches: tests over what is known where F
  /// begins, or after its first statements where these declare scalars. Why is
  /// set where that cannot be tested.
  struct Rests {
    std::vector<Guard> Guards;
    std::vector<std::string> Assumed;
    Reason Why;
    /// The first and the last element of each range are touched wherever one of
    /// it is.
    bool Attained = true;
  };
  Rests rests();

private:
  class Proof;
  bool mayMeet(const Store *To, const Stmt *In, const Access &At,
               llvm::ArrayRef<const For *> Loops, size_t First,
               bool SameIteration, bool Later);
  Proof &proofOf(llvm::ArrayRef<const For *> Loops);

  const Function &F;
  const Context &Ctx;
  llvm::DenseSet<const Var *> Known; ///< where tests are made
  bool Tested = false;
  std::shared_ptr<const For> Once; ///< around all of F
  std::map<const For *, std::unique_ptr<Proof>> Proofs;
};

} // namespace raise

#endif // RAISE_ANALYSIS_OVERWRITES_H
