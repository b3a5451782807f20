//===- FlowGraph.h - how values flow between statements ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_ANALYSIS_FLOWGRAPH_H
#define RAISE_LIB_ANALYSIS_FLOWGRAPH_H

#include "Conflicts.h"

namespace raise::analysis {

/// A simple statement of the body (Decl, Assign or Store), the test of an If,
/// which the statements in its arms depend on, or a way out of the loop (break,
/// return, a call that does not come back), which ends what would follow.
struct FlowNode {
  StmtRef S;
  /// The Ifs around, outermost first, and which arm.
  std::vector<std::pair<const If *, bool>> Under;
  VarRef Writes; ///< of a Decl or Assign
  bool isTest() const { return llvm::isa<If>(S.get()); }
  bool isExit() const;
};

/// A value that node From may have computed is used by node To: in the same
/// iteration, or (Carried) in a later one. By is the read it enters by: a
/// scalar, or an access.
struct FlowEdge {
  unsigned From, To;
  bool Carried;
  const Var *Scalar = nullptr;
  const Access *Memory = nullptr;
};

struct FlowGraph {
  std::vector<FlowNode> Nodes; ///< in program order
  std::vector<FlowEdge> Edges;
  Needs N;    ///< what the absence of edges rests on
  Reason Why; ///< set: there is no graph
  /// The strongly connected component of each node.
  std::vector<unsigned> Component;
  /// Whether values go round in the component.
  bool isRecurrent(unsigned C) const;
  /// Whether some iteration may be the last.
  bool leaves() const;
  /// Whether which iteration leaves hangs on what others computed.
  bool leavesByState() const;
};

/// The flow through one loop's body, which holds no loop. W has run.
FlowGraph flowOf(const For &L, const Walk &W, ConflictTest &Test);

} // namespace raise::analysis

#endif // RAISE_LIB_ANALYSIS_FLOWGRAPH_H
