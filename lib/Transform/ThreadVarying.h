//===- ThreadVarying.h - what differs among a block's threads ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_TRANSFORM_THREADVARYING_H
#define RAISE_LIB_TRANSFORM_THREADVARYING_H

#include "raise/IR/Visitor.h"
#include <set>

namespace raise {

/// Whether Body, what a thread does, declares D as a table: all its elements
/// are numbers, and stay so.
bool isTable(const DeclBuffer &D, const StmtRef &Body);

/// The scalars that may differ among the threads of a block: those computed
/// from Seeds (the indices of threads), and those that are set under a
/// condition, or in a loop, that differs. Memory differs where it is indexed by
/// what differs, and where it is an array of each thread's own. A loop that
/// some threads leave early is one that differs.
///
/// OfWarp: of a warp instead of a block, for which an array of the warp's is
/// one.
///
/// Threads that have ended are none: what a block's threads do under a
/// condition that is the last thing that they do, and wait in, differs only
/// among those that do it (endsOthers).
class ThreadVarying {
public:
  ThreadVarying(const StmtRef &Body, std::set<const Var *> Seeds,
                bool OfWarp = false);

  bool contains(const Var *V) const { return Vars.count(V) != 0; }
  bool varies(const ExprRef &E) const;
  /// V counts as one that differs from now on, with all that is made of it.
  void add(const StmtRef &Body, const Var *V);

private:
  std::set<const Var *> Vars;
  std::set<const Buffer *> OwnArrays;
  const bool OfWarp;
  void close(const StmtRef &Body);
  bool someLeave(const StmtRef &S, bool Under) const;
  void spread(const StmtRef &S, bool Under, bool Last);
};

/// Whether S, the last thing that a thread does, is an `if` under one branch of
/// which the threads of a block wait for each other: all others have ended, or
/// do so without waiting, and a barrier does not wait for them.
bool endsOthers(const StmtRef &S);

/// The condition under which S runs its parts again or at all; null: always.
/// Of a For a call of a made-up function of what decides on how often it runs.
ExprRef conditionOf(const Stmt *S);

/// Fn for each statement that S directly holds, of a Block, If, For or While.
void forEachPart(const StmtRef &S,
                 llvm::function_ref<void(const StmtRef &)> Fn);

} // namespace raise

#endif // RAISE_LIB_TRANSFORM_THREADVARYING_H
