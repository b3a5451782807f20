//===- Nest.h - a function's statements with what is around them -*- C++
//-*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Internal to lib/Grad. The reverse sweep asks of each statement what may run
// after it, and which statement a value comes from: that needs a way upwards.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_GRAD_NEST_H
#define RAISE_LIB_GRAD_NEST_H

#include "raise/IR/Function.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include <set>

namespace raise::grad {

struct Node;

/// The statements of a scope.
struct List {
  Node *Owner = nullptr; ///< the loop or branch; null: the function
  std::vector<std::unique_ptr<Node>> Nodes;
};

/// A statement, with the scopes that it opens.
struct Node {
  StmtRef S;
  List *In = nullptr;
  unsigned Index = 0;
  std::unique_ptr<List> Body, Else; ///< of a loop; of a branch
  /// Variables that S declares or assigns, anywhere inside.
  llvm::DenseSet<const Var *> Sets;
  std::vector<const Store *> Stores; ///< anywhere inside
  llvm::DenseSet<const Buffer *> Declares;
  VarRef Trips; ///< of a While: counts its iterations
  bool isLoop() const { return llvm::isa<For>(*S) || llvm::isa<While>(*S); }
};

/// Before statement Index of L; at its end, where there is none.
struct Position {
  const List *L = nullptr;
  unsigned Index = 0;
  /// What is asked about is named by the statement before, not by the one
  /// after.
  bool Ends = false;
  bool operator==(const Position &O) const {
    return L == O.L && Index == O.Index;
  }
};

class Nest {
public:
  /// F has no jumps (see structured) and no two variables of one name whose
  /// scopes meet. Names: those in use, to which counters of loops are added.
  Nest(const Function &F, const llvm::DenseMap<const While *, VarRef> &Counters,
       std::set<std::string> &Names);

  List Root;
  /// Every variable and buffer of the function.
  llvm::DenseSet<const Var *> Vars;
  llvm::DenseSet<const Buffer *> Buffers;
  std::vector<std::pair<const Store *, Node *>> Stores;
  /// Where what is declared in the function lives; null for a parameter.
  const List *scopeOf(const Var *V) const { return VarScopes.lookup(V); }
  const List *scopeOf(const Buffer *B) const { return BufferScopes.lookup(B); }

private:
  void add(const StmtRef &S, List &To);
  void summarise(List &L);

  const llvm::DenseMap<const While *, VarRef> &Counters;
  std::set<std::string> &Names;
  llvm::DenseMap<const Var *, const List *> VarScopes;
  llvm::DenseMap<const Buffer *, const List *> BufferScopes;
};

inline Position before(const Node &N) { return {N.In, N.Index}; }
inline Position after(const Node &N) { return {N.In, N.Index + 1, true}; }
/// The list that holds the loop or branch that L is a part of; null for the
/// function's.
inline const List *outer(const List &L) {
  return L.Owner ? L.Owner->In : nullptr;
}
/// How many loops are around L's statements.
inline unsigned loopsAround(const List &L) {
  unsigned Count = 0;
  for (const List *At = &L; At->Owner; At = outer(*At))
    Count += At->Owner->isLoop();
  return Count;
}
/// Whether Inner is L or lies inside it.
bool isWithin(const List *Inner, const List *L);

} // namespace raise::grad

#endif // RAISE_LIB_GRAD_NEST_H
