//===- Steps.cpp - what a loop over time steps carries --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Steps.h"
#include "FirstUse.h"
#include "ReversedLoop.h"
#include "raise/IR/Effects.h"
#include "raise/IR/Visitor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace raise::grad {

static constexpr const char *Code = "CR1812";

//===-- Which loops
//--------------------------------------------------------===//

namespace {

/// What the text says of the name.
struct Named {
  std::vector<std::string> Others; ///< variables of loops
  const While *Repeats = nullptr;  ///< a while loop that tests it
  StmtRef Leaves;                  ///< leaves a loop over it
  const For *Loop = nullptr;
};

/// The statement in Body, which is a loop's, that leaves the loop.
StmtRef leaves(const StmtRef &S, bool Inner = false) {
  if (!S)
    return nullptr;
  if (isa<Return>(*S) || (isa<Break>(*S) && !Inner))
    return S;
  if (auto *I = dyn_cast<If>(S.get())) {
    const StmtRef Then = leaves(I->Then, Inner);
    return Then ? Then : leaves(I->Else, Inner);
  }
  if (auto *F = dyn_cast<For>(S.get()))
    return leaves(F->Body, true);
  if (auto *W = dyn_cast<While>(S.get()))
    return leaves(W->Body, true);
  if (auto *B = dyn_cast<Block>(S.get()))
    for (const StmtRef &Child : B->Body)
      if (StmtRef Out = leaves(Child, Inner))
        return Out;
  return nullptr;
}

Named namedIn(const Function &F, StringRef Name) {
  Named N;
  forEachStmt(F.Body, [&](const StmtRef &S) {
    if (auto *L = dyn_cast<For>(S.get())) {
      if (L->V->Name == Name) {
        N.Loop = N.Loop ? N.Loop : L;
        N.Leaves = N.Leaves ? N.Leaves : leaves(L->Body);
      } else if (!is_contained(N.Others, L->V->Name)) {
        N.Others.push_back(L->V->Name);
      }
    } else if (auto *W = dyn_cast<While>(S.get())) {
      forEachExpr(W->Cond, [&](const ExprRef &E) {
        auto *U = dyn_cast<VarUse>(E.get());
        if (U && U->V->Name == Name)
          N.Repeats = W;
      });
    }
  });
  return N;
}

std::string nearest(StringRef Name, ArrayRef<std::string> Others) {
  const std::string *Best = nullptr;
  unsigned Least = 0;
  for (const std::string &Other : Others) {
    const unsigned D = Name.edit_distance(Other);
    if ((!Best || D < Least) && D <= (Name.size() + 2) / 3)
      Best = &Other, Least = D;
  }
  if (Best)
    return "; did you mean '" + *Best + "'?";
  if (Others.empty())
    return "; it has no loop that counts";
  return "; its loops are over " + join(Others.begin(), Others.end(), ", ");
}

void find(const List &L, StringRef Name, bool Inner,
          std::vector<const Node *> &Out, const Node *&Nested) {
  for (const std::unique_ptr<Node> &N : L.Nodes) {
    auto *F = dyn_cast<For>(N->S.get());
    if (F && F->V->Name == Name) {
      if (Inner)
        Nested = N.get();
      else
        Out.push_back(N.get());
    }
    for (const List *In : {N->Body.get(), N->Else.get()})
      if (In)
        find(*In, Name, Inner || N->isLoop(), Out, Nested);
  }
}

} // namespace

std::vector<const Node *> askedLoops(const Nest &N, const Function &F,
                                     const Checkpoints &Asked, Reason &Why) {
  const std::string &Name = Asked.Loop;
  const std::string From =
      "checkpoint" + (Asked.Place.empty() ? "" : " (" + Asked.Place + ")");
  const auto Refuse = [&](const std::string &Text, SourceLoc Loc) {
    Why = {Code, From + ": " + Text, Loc.isValid() ? Loc : F.Loc};
    return std::vector<const Node *>();
  };
  const Named Is = namedIn(F, Name);
  if (Is.Leaves)
    return Refuse("the loop over '" + Name +
                      "' may be left here, so that its number of steps is not "
                      "known before it; take the test out of the loop, or "
                      "compute the number of steps before",
                  Is.Leaves->Loc);
  if (!Is.Loop && Is.Repeats)
    return Refuse("the loop that tests '" + Name +
                      "' does not count steps whose number is known before "
                      "it; write it as 'for' over an integer",
                  Is.Repeats->Loc);
  if (!Is.Loop)
    return Refuse("'" + F.Name + "' has no loop over '" + Name + "'" +
                      nearest(Name, Is.Others),
                  F.Loc);
  std::vector<const Node *> Found;
  const Node *Nested = nullptr;
  find(N.Root, Name, false, Found, Nested);
  if (Found.empty())
    return Refuse("the loop over '" + Name +
                      "' lies in another loop; name the outermost one",
                  Nested ? Nested->S->Loc : Is.Loop->Loc);
  for (const Node *Each : Found)
    if (!fixedStep(*cast<For>(Each->S.get())) ||
        !isCounted(*cast<For>(Each->S.get())))
      return Refuse("the loop over '" + Name +
                        "' does not count by a constant step to a bound",
                    Each->S->Loc);
  return Found;
}

//===-- What it carries
//----------------------------------------------------===//

namespace {

class StateFinder {
public:
  StateFinder(const Nest &N, const Node &Loop, Overwrites &Ranges,
              function_ref<bool(const Buffer &, const Buffer &)> MayMeet)
      : N(N), Loop(Loop), L(*cast<For>(Loop.S.get())), Ranges(Ranges),
        MayMeet(MayMeet) {}

  StepState run() {
    forEachStmt(L.Body, [&](const StmtRef &S) {
      if (isa<Opaque>(*S))
        stop("the loop calls a function without a body, which may read what "
             "the loop changes",
             S->Loc);
    });
    scalars();
    collect();
    for (const Use &U : Uses)
      if (!State.Why.isSet())
        U.Written ? written(U) : onlyRead(U);
    return std::move(State);
  }

private:
  struct Use {
    BufferRef B;
    std::string Field;
    Type Elem;
    bool Written = false, Read = false;
    SourceLoc Loc;
  };

  void stop(const std::string &Text, const SourceLoc &Loc) {
    if (!State.Why.isSet())
      State.Why = {Code, "checkpoint: " + Text, Loc.isValid() ? Loc : L.Loc};
  }

  bool isInside(const List *Scope) const {
    return Scope && isWithin(Scope, Loop.Body.get());
  }

  /// In the order of the text.
  void scalars() {
    DenseSet<const Var *> Seen;
    forEachStmt(L.Body, [&](const StmtRef &S) {
      VarRef V;
      if (auto *A = dyn_cast<Assign>(S.get()))
        V = A->V;
      else if (auto *F = dyn_cast<For>(S.get()))
        V = F->V;
      if (!V || !Seen.insert(V.get()).second || isInside(N.scopeOf(V.get())))
        return;
      if (!mayReadFirst(Loop, V.get())) {
        State.SetFirst.push_back(V);
        return;
      }
      if (!hasValue(V.get()))
        stop("'" + V->Name +
                 "' may have no value where the loop begins; give it one",
             S->Loc);
      State.Scalars.push_back(V);
    });
  }

  bool hasValue(const Var *V) const {
    if (!N.scopeOf(V))
      return true;
    const Node *At = &Loop;
    for (const List *In = Loop.In; In; In = outer(*In)) {
      for (unsigned K = 0; K < At->Index; ++K) {
        const Node &Def = *In->Nodes[K];
        auto *D = dyn_cast<Decl>(Def.S.get());
        if (Def.Sets.count(V) &&
            ((D && D->Init) || isa<Assign>(*Def.S) || isa<Opaque>(*Def.S)))
          return true;
      }
      At = In->Owner;
    }
    return false;
  }

  Use &use(const Access &A, const Type &T, const SourceLoc &Loc) {
    for (Use &U : Uses)
      if (U.B == A.Buf && U.Field == A.Field)
        return U;
    Uses.push_back({A.Buf, A.Field, A.Field.empty() ? A.Buf->Elem : T,
                    /*Written=*/false, /*Read=*/false, Loc});
    return Uses.back();
  }

  void collect() {
    forEachStmt(L.Body, [&](const StmtRef &S) {
      auto *St = dyn_cast<Store>(S.get());
      if (!St || Loop.Declares.count(St->To.Buf.get()))
        return;
      Use &U = use(St->To, St->Value->Ty, St->Loc);
      U.Written = true;
    });
    forEachExpr(L.Body, [&](const ExprRef &E) {
      auto *Ld = dyn_cast<Load>(E.get());
      if (Ld && !Loop.Declares.count(Ld->From.Buf.get()))
        use(Ld->From, Ld->Ty, Ld->Loc).Read = true;
    });
  }

  /// Whether the caller, or another function, sees what B holds.
  static bool isSeen(const Buffer &B) { return B.Kind != BufferKind::Local; }

  void written(const Use &U) {
    const Buffer &B = *U.B;
    if (B.Volatile || B.Lies == ArrayHome::Growing ||
        (B.Kind == BufferKind::Pointer && B.Home != PointerHome::Fixed))
      return stop(
          "'" + B.Name + "', which the loop writes, " +
              (B.Volatile ? "is volatile"
               : B.Lies == ArrayHome::Growing
                   ? "grows in it; give it its size before the loop"
                   : "is reached by a pointer that may change; take a local "
                     "pointer before the loop"),
          U.Loc);
    if (hides(B))
      return stop("'" + B.Name +
                      "', which the loop writes, is declared in a block "
                      "around it; declare it at the head of the function",
                  U.Loc);
    const bool IsRead = updates(U) || any_of(Uses, [&](const Use &Other) {
                          return Other.Read && MayMeet(*Other.B, B);
                        });
    if (!IsRead) {
      State.Outputs.insert(&B);
      return;
    }
    const bool Carried = mayReadFirst(Loop, B, U.Field, MayMeet);
    if (!Carried && !isSeen(B))
      return;
    const std::vector<SavedPart> Parts = parts(U, /*Reads=*/false);
    if (isSeen(B))
      append_range(State.AtEnd, Parts);
    if (!Carried)
      return;
    append_range(State.Arrays, Parts);
    // Elements that the loop reads and leaves.
    if (isOverwritten(U))
      keepOnce(U);
  }

  /// `a[i] += e` reads a[i].
  bool updates(const Use &U) const {
    return any_of(Loop.Stores, [&](const Store *St) {
      return St->Op != Combiner::None && MayMeet(*St->To.Buf, *U.B);
    });
  }

  /// Declared where the reverse sweep does not see it.
  bool hides(const Buffer &B) const {
    const List *Scope = N.scopeOf(&B);
    return Scope && Scope != &N.Root;
  }

  void onlyRead(const Use &U) {
    const Buffer &B = *U.B;
    if (hides(B))
      return stop("'" + B.Name +
                      "', which the loop reads, is declared in a block around "
                      "it; declare it at the head of the function",
                  U.Loc);
    if (!isOverwritten(U))
      return;
    if (B.Const || B.Volatile || B.Lies == ArrayHome::Growing)
      return stop("'" + B.Name +
                      "', which the loop reads, may be overwritten after it "
                      "and cannot be put back",
                  U.Loc);
    keepOnce(U);
  }

  void keepOnce(const Use &U) {
    const std::vector<SavedPart> Parts = parts(U, /*Reads=*/true);
    append_range(State.Once, Parts);
    if (isSeen(*U.B))
      append_range(State.AtEnd, Parts);
  }

  /// Whether something after the loop may write to what U is.
  bool isOverwritten(const Use &U) const {
    const auto Overwrites = [&](const Store *St) {
      return MayMeet(*St->To.Buf, *U.B) &&
             (St->To.Buf != U.B || St->To.Field == U.Field);
    };
    bool Later = false;
    const Node *At = &Loop;
    for (const List *In = Loop.In; In; In = outer(*In)) {
      for (unsigned K = At->Index + 1; K < In->Nodes.size(); ++K)
        Later |= any_of(In->Nodes[K]->Stores, Overwrites);
      At = In->Owner;
    }
    return Later;
  }

  static ExprRef asI64(const ExprRef &E) {
    return build::cast(E, Type::getI64());
  }

  std::vector<SavedPart> parts(const Use &U, bool Reads) {
    const Buffer &B = *U.B;
    const Type I64 = Type::getI64();
    const ExprRef Zero = build::intConst(0, I64);
    const bool Known = all_of(B.Extents, [&](const ExprRef &E) {
      return E && (isa<IntConst>(*E) || !isSeen(B)) && isSteady(E);
    });
    const auto Boxes = Ranges.boxes(&L, B, U.Field, Reads);
    std::vector<SavedPart> Out;
    if (Boxes) {
      for (const Overwrites::Box &Each : *Boxes)
        Out.push_back({U.B, U.Field, U.Elem, Each});
      return Out;
    }
    // A local array whose size is known is saved as a whole.
    if (Known) {
      Overwrites::Box Whole;
      for (size_t K = 0; K < B.rank(); ++K) {
        Whole.Base.push_back(Zero);
        Overwrites::Box::Side Side{asI64(B.Extents[K]), {}};
        for (size_t D = 0; D < B.rank(); ++D)
          Side.Steps.push_back(build::intConst(D == K, I64));
        Whole.Sides.push_back(std::move(Side));
      }
      return {{U.B, U.Field, U.Elem, std::move(Whole)}};
    }
    stop("which elements of '" + B.Name + "' the loop " +
             (Reads ? "reads" : "changes") +
             " is not known before it, so that they cannot be saved; declare "
             "'" +
             B.Name +
             "' as an array of constant size, or copy it to a local array of "
             "known size before the loop",
         U.Loc);
    return Out;
  }

  /// Uses only variables that nothing sets but their declarations.
  bool isSteady(const ExprRef &E) const {
    bool Steady = true;
    forEachExpr(E, [&](const ExprRef &Sub) {
      auto *U = dyn_cast<VarUse>(Sub.get());
      Steady &= !isa<Load>(*Sub) && !isa<Call>(*Sub);
      if (!U)
        return;
      const List *Scope = N.scopeOf(U->V.get());
      Steady &= !Scope || Scope == &N.Root;
      for (const std::unique_ptr<Node> &Each : N.Root.Nodes)
        Steady &= isa<Decl>(*Each->S) || !Each->Sets.count(U->V.get());
    });
    return Steady;
  }

  const Nest &N;
  const Node &Loop;
  const For &L;
  Overwrites &Ranges;
  const function_ref<bool(const Buffer &, const Buffer &)> MayMeet;
  std::vector<Use> Uses;
  StepState State;
};

} // namespace

StepState stateOf(const Nest &N, const Node &Loop, Overwrites &Ranges,
                  function_ref<bool(const Buffer &, const Buffer &)> MayMeet) {
  return StateFinder(N, Loop, Ranges, MayMeet).run();
}

} // namespace raise::grad
