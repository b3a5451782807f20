//===- SegmentedLoop.h - one loop reversed from snapshots -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Internal to lib/Grad. The states that are kept, and what goes back to them
// (Segments.cpp); which ones where their number is fixed (Binomial.cpp).
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_GRAD_SEGMENTEDLOOP_H
#define RAISE_LIB_GRAD_SEGMENTEDLOOP_H

#include "AdjointBuilder.h"

namespace raise::grad {

/// One loop by segments: what is put around and into it in the forward sweep,
/// and its reverse.
class SegmentedLoop {
public:
  using Statements = AdjointBuilder::Statements;

  SegmentedLoop(AdjointBuilder &B, const Node &S);
  void run(Statements &Out);

private:
  /// An expression in terms of either sweep.
  struct Both {
    ExprRef There, Back;
  };

  bool isBinomial() const { return Snapshots > 0; }
  VarRef local(llvm::StringRef Name, const Type &T);
  VarRef counter(llvm::StringRef Name);
  /// E under a name, where it is not one.
  Both named(llvm::StringRef Name, Both E);
  Both inBoth(const ExprRef &E) { return {E, B.kept().at(E, P)}; }

  void count();
  /// The number of the iteration in which L.V has its value, which began at Lo.
  ExprRef indexFrom(const ExprRef &Lo) const;
  ExprRef valueAt(const ExprRef &Number) const;
  void note(const std::string &Name, const ExprRef &Count, const Type &Elem);
  std::string notes() const;
  BufferRef array(const std::string &Base, const Type &Elem,
                  const ExprRef &Count);
  void scalars(const Statements &Again);
  VarRef copies(size_t K);
  StmtRef copied(const SavedPart &Of, const BufferRef &Kept,
                 const Overwrites::Box &Box, const ExprRef &At, bool IsBack);
  std::pair<Overwrites::Box, Overwrites::Box> boxes(const SavedPart &A);
  void arrays();
  void once();
  void atEnd();
  void atSteps();
  void bounds(const VarRef &First, const VarRef &End);
  void own();
  void whole(Statements &Out);

  // Where the number of states is fixed (Binomial.cpp)
  void countStates();
  ExprRef lastSaved() const;
  ExprRef stride(const ExprRef &At, const ExprRef &End, const ExprRef &Room);
  StmtRef savedAt(const ExprRef &Here, const ExprRef &End, const ExprRef &Room,
                  const Statements &Copies);
  void goForward(const VarRef &Last);
  void forget();
  std::vector<std::string> binomialNotes() const;

  AdjointBuilder &B;
  const Node &S;
  const For &L;
  const Position P;
  const bool AtRoot; ///< the reverse sweep sees what is declared beside it
  const int64_t Step, Every, Snapshots;
  const StepState State;
  Both Trips, Parts;
  VarRef Back;         ///< counts the segments, or the steps that are left
  ExprRef Index, Size; ///< of an iteration of the forward sweep
  ExprRef Part;        ///< where a state is saved
  ExprRef Slot;        ///< where the one lies that is put back
  /// Where the number of states is fixed: how many there are, which step is
  /// the next to be saved, and the steps of those that are.
  VarRef Top, Next;
  BufferRef Saves;
  AdjointBuilder::Snapshots Made;
  llvm::DenseSet<const Var *> Unread; ///< what no segment looks at
  std::vector<std::string> Js;
  llvm::DenseMap<const Expr *, Both> CountOf;
  /// At a snapshot of the forward sweep, and of the reverse; of the reverse:
  /// before all, before the segments, in each, after them.
  Statements Saved, SavedAgain, Sizes, Begin, Ended, Body, PutBack;
  std::string Bytes; ///< of a snapshot
};

/// What stands between two snapshots when it runs again: L's body without
/// stores to Outputs and assignments of Unread, with variables of its own.
StmtRef runAgain(const StmtRef &Loop,
                 const llvm::DenseSet<const Buffer *> &Outputs,
                 const llvm::DenseSet<const Var *> &Unread);

/// The function that says how far it is from one state that is kept to the
/// next; made once.
CalleeRef strideFunction(Callees &Called, bool LanguageC);

} // namespace raise::grad

#endif // RAISE_LIB_GRAD_SEGMENTEDLOOP_H
