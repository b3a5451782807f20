//===- HoistLoop.h - what leaves one loop of a nest -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The statements of an iteration are a list of leaves, in the order in which
// they run; an `if` whose condition does not change is opened, so that leaves
// stand in it. First all leaves that only set scalars are candidates. One after
// the other is dropped that reads what another iteration may have changed, or
// sets what a leaf before it reads, until the rest can go as a whole. Of that,
// what is connected with something costly goes.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_TRANSFORM_HOISTLOOP_H
#define RAISE_LIB_TRANSFORM_HOISTLOOP_H

#include "NameCalls.h"
#include "Summary.h"
#include "raise/Transform/Hoist.h"
#include <map>

namespace raise::hoisting {

/// Under which branches of opened ifs a leaf stands.
using Path = std::vector<std::pair<const Stmt *, bool>>;

struct Node {
  StmtRef S;
  Summary Sum; ///< of a leaf; of an opened `if`, its condition's
  bool Open = false;
  bool In = false;              ///< a leaf that goes
  std::vector<Node> Then, Else; ///< of an opened `if` or, in Then, a block
};

/// What the levels of a nest share.
struct NestState {
  Hoisting Out;
  unsigned Moves = 0; ///< loops that lost something
  /// Each `if (a loop runs) { hoisted; that loop }` that was made.
  std::map<StmtRef, const Stmt *> Made;
};

/// One loop; those inside of it have lost already what they lose.
class LoopHoister {
public:
  LoopHoister(const For &L, const Liveness::VarSet &After,
              const HoistRules &Rules, const NamedCalls &Named,
              NestState &Nest);
  /// L without what is hoisted; null where that is nothing.
  StmtRef run();

private:
  const For &L;
  const Liveness::VarSet &After;
  const HoistRules &Rules;
  const NamedCalls &Named;
  NestState &Nest;
  Hoisting &Out;
  Reason Why; ///< why the first call that stays does
  std::vector<Node> Body;
  Summary Header;
  std::vector<BufferRef> Stored;
  std::vector<BufferRef> Made; ///< declared in an iteration
  Summary::VarSet Declared;    ///< by the body: one for each iteration
  std::vector<VarRef> NowSet;  ///< initialised once, set under a condition now

  bool isOnlyOwn(const Summary &S) const;
  void noteReads(const Summary &S);
  std::vector<Node> nodesOf(const StmtRef &S);
  template <class Fn> void eachLeaf(std::vector<Node> &Nodes, Path &At, Fn Do);
  template <class Fn> void eachOpen(std::vector<Node> &Nodes, Fn Do);

  void choose();
  bool dropOne();
  bool openOne(std::vector<Node> &Nodes);
  void selectCostly();
  Reason whyVarying(const Summary &S, const Summary::VarSet &Others) const;
  Reason whyReads(const Summary &S) const;
  bool isHidden(const Buffer &Written, const PureCall &C) const;
  void drop(Node &N, const Reason &Cause);
  void note(const Node &N);
  StmtRef assemble();
  const Stmt *addLoop(const For &Fixed, std::vector<StmtRef> &Run);
  void gather(const std::vector<Node> &Nodes, bool Conditional,
              std::vector<StmtRef> &To, std::vector<StmtRef> &Top);
  std::vector<StmtRef> rest(const std::vector<Node> &Nodes);
};

} // namespace raise::hoisting

#endif // RAISE_LIB_TRANSFORM_HOISTLOOP_H
