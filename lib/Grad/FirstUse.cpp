//===- FirstUse.cpp - what an iteration reads before it writes ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "FirstUse.h"
#include "raise/IR/Visitor.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace raise::grad {

//===-- Scalars
//------------------------------------------------------------===//

namespace {
enum class First { None, Set, Read };
} // namespace

static First firstUse(const List &L, const Var *V);

static First firstUse(const Node &N, const Var *V) {
  switch (N.S->Kind) {
  case StmtKind::For: {
    auto *F = cast<For>(N.S.get());
    if (uses(F->Lo, V) || uses(F->Hi, V) || uses(F->Step, V))
      return First::Read;
    if (F->V.get() == V)
      return First::Set;
    return firstUse(*N.Body, V) == First::Read ? First::Read : First::None;
  }
  case StmtKind::While:
    return uses(N.S, V) ? First::Read : First::None;
  case StmtKind::If: {
    if (uses(cast<If>(N.S.get())->Cond, V))
      return First::Read;
    const First Then = firstUse(*N.Body, V),
                Else = N.Else ? firstUse(*N.Else, V) : First::None;
    if (Then == First::Read || Else == First::Read)
      return First::Read;
    return Then == Else ? Then : First::None;
  }
  default:
    if (uses(N.S, V))
      return First::Read;
    return N.Sets.count(V) ? First::Set : First::None;
  }
}

static First firstUse(const List &L, const Var *V) {
  for (const std::unique_ptr<Node> &N : L.Nodes)
    if (const First F = firstUse(*N, V); F != First::None)
      return F;
  return First::None;
}

bool mayReadFirst(const Node &Loop, const Var *V) {
  return firstUse(*Loop.Body, V) == First::Read;
}

//===-- Arrays
//-------------------------------------------------------------===//

namespace {

/// A plain store, with the loops inside of the iteration that are around it.
struct Stored {
  const Store *St;
  std::vector<const For *> Loops;
};

class ArrayReads {
public:
  ArrayReads(const Node &Loop, const Buffer &B, StringRef Field,
             function_ref<bool(const Buffer &, const Buffer &)> MayMeet)
      : Loop(Loop), B(B), Field(Field), MayMeet(MayMeet) {}

  bool run() {
    walk(*Loop.Body, {});
    return Found;
  }

private:
  /// Has one value in all iterations of the loops around it but Loops.
  bool isSteady(const ExprRef &E, ArrayRef<const For *> Loops) const {
    bool Steady = true;
    forEachExpr(E, [&](const ExprRef &Sub) {
      auto *U = dyn_cast<VarUse>(Sub.get());
      Steady &= !isa<Load>(*Sub) && !isa<Call>(*Sub);
      Steady &= !U || !Loop.Sets.count(U->V.get()) ||
                any_of(Loops, [&](const For *F) { return F->V == U->V; });
    });
    return Steady;
  }
  bool isSteady(const Access &A, ArrayRef<const For *> Loops) const {
    const auto Is = [&](const ExprRef &E) { return isSteady(E, Loops); };
    return all_of(A.Indices, Is) && all_of(A.Extents, Is);
  }

  static ExprRef loadOf(const Access &A) {
    return std::make_shared<Load>(A, Type::getFloat(64));
  }

  static bool sameHeader(const For &A, const For &B) {
    return A.Cond == B.Cond && A.V->Ty == B.V->Ty &&
           structurallyEqual(A.Lo, B.Lo) && structurallyEqual(A.Hi, B.Hi) &&
           structurallyEqual(A.Step, B.Step);
  }

  /// Whether Of stores, in some iterations of its loops from the Kth on, to
  /// what At is in each iteration of Around.
  static bool reaches(const ExprRef &To, const Stored &Of, size_t K,
                      const ExprRef &At, ArrayRef<const For *> Around) {
    if (K == Of.Loops.size())
      return structurallyEqual(To, At);
    return any_of(Around, [&](const For *F) {
      return sameHeader(*F, *Of.Loops[K]) &&
             reaches(substitute(To, Of.Loops[K]->V, build::var(F->V)), Of,
                     K + 1, At, Around);
    });
  }

  /// Whether the iteration has stored to At before.
  bool isWritten(const Access &At, ArrayRef<const For *> Loops) const {
    if (!isSteady(At, Loops))
      return false;
    const ExprRef Use = loadOf(At);
    return any_of(Here,
                  [&](const Store *St) {
                    return structurallyEqual(loadOf(St->To), Use);
                  }) ||
           any_of(Before, [&](const Stored &Of) {
             return reaches(loadOf(Of.St->To), Of, 0, Use, Loops);
           });
  }

  void reads(const ExprRef &E, ArrayRef<const For *> Loops) {
    if (E)
      forEachExpr(E, [&](const ExprRef &Sub) {
        auto *L = dyn_cast<Load>(Sub.get());
        if (!L || !MayMeet(*L->From.Buf, B))
          return;
        if (L->From.Buf.get() != &B ||
            (L->From.Field == Field && !isWritten(L->From, Loops)))
          Found = true;
      });
  }

  /// What of N's stores surely happens, whatever its loops do but run.
  void note(const Node &N, std::vector<const For *> Loops) {
    if (auto *F = dyn_cast<For>(N.S.get())) {
      const bool Steady =
          isSteady(F->Lo, {}) && isSteady(F->Hi, {}) && isSteady(F->Step, {});
      Loops.push_back(F);
      for (const std::unique_ptr<Node> &Child : N.Body->Nodes)
        if (Steady)
          note(*Child, Loops);
    } else if (auto *St = dyn_cast<Store>(N.S.get());
               St && St->Op == Combiner::None && St->To.Buf.get() == &B &&
               St->To.Field == Field && isSteady(St->To, Loops)) {
      Before.push_back({St, Loops});
    }
  }

  void walk(const List &L, const std::vector<const For *> &Loops) {
    const size_t Marked = Here.size();
    for (const std::unique_ptr<Node> &N : L.Nodes) {
      own(*N, Loops);
      if (auto *F = dyn_cast<For>(N->S.get())) {
        std::vector<const For *> Inner = Loops;
        Inner.push_back(F);
        walk(*N->Body, Inner);
      } else {
        for (const List *Inner : {N->Body.get(), N->Else.get()})
          if (Inner)
            walk(*Inner, Loops);
      }
      auto *St = dyn_cast<Store>(N->S.get());
      if (St && St->To.Buf.get() == &B && St->To.Field == Field &&
          St->Op == Combiner::None && isSteady(St->To, Loops))
        Here.push_back(St);
      if (&L == Loop.Body.get())
        note(*N, {});
    }
    Here.resize(Marked);
  }

  /// The expressions of N that are not of statements inside of it.
  void own(const Node &N, ArrayRef<const For *> Loops) {
    if (auto *F = dyn_cast<For>(N.S.get())) {
      for (const ExprRef &E : {F->Lo, F->Hi, F->Step})
        reads(E, Loops);
    } else if (auto *W = dyn_cast<While>(N.S.get())) {
      reads(W->Cond, Loops);
    } else if (auto *I = dyn_cast<If>(N.S.get())) {
      reads(I->Cond, Loops);
    } else {
      auto *St = dyn_cast<Store>(N.S.get());
      // An update reads what it changes.
      if (St && St->Op != Combiner::None)
        reads(loadOf(St->To), Loops);
      forEachExpr(N.S, [&](const ExprRef &E) {
        if (isa<Load>(*E))
          reads(E, Loops);
      });
    }
  }

  const Node &Loop;
  const Buffer &B;
  const StringRef Field;
  const function_ref<bool(const Buffer &, const Buffer &)> MayMeet;
  /// In the same iterations of the loops around; in loops that have ended.
  std::vector<const Store *> Here;
  std::vector<Stored> Before;
  bool Found = false;
};

} // namespace

bool mayReadFirst(const Node &Loop, const Buffer &B, StringRef Field,
                  function_ref<bool(const Buffer &, const Buffer &)> MayMeet) {
  return ArrayReads(Loop, B, Field, MayMeet).run();
}

} // namespace raise::grad
