//===- Races.cpp - independence of iterations by trying
//-----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "raise/Interp/Races.h"
#include "raise/IR/Visitor.h"
#include "llvm/ADT/DenseSet.h"
#include <cmath>
#include <tuple>

namespace raise::interp {
namespace {

/// One place in memory (or scalar) during one run of the loop.
struct Key {
  const void *Object;
  int64_t Cell;
  std::string Field;
  std::vector<int64_t> Around; ///< counters of the enclosing loops
  bool operator<(const Key &O) const {
    return std::tie(Object, Cell, Field, Around) <
           std::tie(O.Object, O.Cell, O.Field, O.Around);
  }
};

struct Touch {
  const TraceEntry *Entry;
  int64_t Iteration;
};

/// All writes of a place, and two reads in different iterations: a pair needs
/// two iterations and at least one write.
struct History {
  std::vector<Touch> Writes, Reads;
};

Sharing classify(const TraceEntry &A, const TraceEntry &B) {
  if (!A.IsWrite || !B.IsWrite || A.Op != B.Op)
    return Sharing::Conflict;
  if (A.Op != Combiner::None)
    return Sharing::SameCombiner;
  // The value of a scalar is not traced.
  return A.Store && sameValue(A.After, B.After) ? Sharing::SameValueStores
                                                : Sharing::Conflict;
}

std::string show(const Touch &T) {
  return std::string(T.Entry->IsWrite ? "writes" : "reads") + " in iteration " +
         std::to_string(T.Iteration);
}

class Detector {
public:
  Detector(const Outcome &O, const For *Loop) : Loop(Loop) {
    Inside.insert(Loop->V.get());
    forEachStmt(Loop->Body, [this](const StmtRef &S) { declared(*S); });
    for (const TraceEntry &E : O.Trace)
      add(E);
  }
  Sharing Worst = Sharing::None;
  std::string Why;

private:
  const For *Loop;
  llvm::DenseSet<const Var *> Inside;
  std::map<Key, History> Places;

  void declared(const Stmt &S) {
    if (auto *D = llvm::dyn_cast<Decl>(&S))
      Inside.insert(D->V.get());
    if (auto *F = llvm::dyn_cast<For>(&S))
      if (F->DeclaresVar)
        Inside.insert(F->V.get());
    if (auto *T = llvm::dyn_cast<TensorOp>(&S))
      for (const Iterator &I : T->Iterators)
        Inside.insert(I.V.get());
  }

  void add(const TraceEntry &E) {
    if (E.Scalar && Inside.count(E.Scalar))
      return;
    Key K{E.Store ? static_cast<const void *>(E.Store)
                  : static_cast<const void *>(E.Scalar),
          E.Cell,
          E.Field,
          {}};
    for (const auto &[S, Count] : E.Where) {
      if (S == Loop) {
        visit(Places[K], {&E, Count});
        return;
      }
      K.Around.push_back(Count);
    }
  }

  void visit(History &H, Touch T) {
    if (Worst == Sharing::Conflict)
      return;
    for (const Touch &Old : H.Writes)
      pair(Old, T);
    if (T.Entry->IsWrite) {
      for (const Touch &Old : H.Reads)
        pair(Old, T);
      H.Writes.push_back(T);
    } else if (H.Reads.empty() ||
               (H.Reads.size() == 1 && H.Reads[0].Iteration != T.Iteration)) {
      H.Reads.push_back(T);
    }
  }

  void pair(const Touch &A, const Touch &B) {
    if (A.Iteration == B.Iteration)
      return;
    Sharing Kind = classify(*A.Entry, *B.Entry);
    if (Kind <= Worst)
      return;
    Worst = Kind;
    const TraceEntry &E = *A.Entry;
    Why = (E.Store ? "cell " + std::to_string(E.Cell)
                   : "scalar '" + E.Scalar->Name + "'") +
          ": " + show(A) + ", " + show(B);
  }
};

} // namespace

Sharing sharingByBruteForce(const Function &F, const For *Loop,
                            const Inputs &In, std::string *Why,
                            const Settings &S) {
  Settings Traced = S;
  Traced.Trace = Traced.TraceScalars = true;
  Inputs Copy = clone(In);
  Outcome O = run(F, Copy, Traced);
  if (O.Why != Stop::Done) {
    if (Why)
      *Why = O.Message;
    return Sharing::Stopped;
  }
  Detector D(O, Loop);
  if (Why)
    *Why = D.Why;
  return D.Worst;
}

bool independentByBruteForce(const Function &F, const For *Loop,
                             const Inputs &In, std::string *Why) {
  return sharingByBruteForce(F, Loop, In, Why) == Sharing::None;
}

} // namespace raise::interp
