//===- Overwrites.cpp - what is still there at the end --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Two instances of statements meet in a later iteration of the outermost loop
// in which their iterations differ, or in the same iteration of all: each is a
// question about one loop, with those around it fixed.
//
//===----------------------------------------------------------------------===//

#include "raise/Analysis/Overwrites.h"
#include "LoopProof.h"

using namespace llvm;

namespace raise {
using namespace analysis;

namespace {

/// Lives before what refers to it.
struct OwnQuery {
  LoopQuery Own;
};

bool usesOnly(const ExprRef &E, const DenseSet<const Var *> &Known) {
  bool Only = true;
  if (E)
    forEachExpr(E, [&](const ExprRef &Sub) {
      auto *U = dyn_cast<VarUse>(Sub.get());
      Only &= !U || Known.count(U->V.get());
      Only &= !isa<Load>(*Sub);
    });
  return Only;
}

bool usesOnly(const Guard &G, const DenseSet<const Var *> &Known) {
  return all_of(std::vector<ExprRef>{G.Cond, G.A.Lo, G.A.Hi, G.B.Lo, G.B.Hi},
                [&](const ExprRef &E) { return usesOnly(E, Known); });
}

/// What the loops around Loop say about their variables inside of it.
std::vector<ExprRef> rangesOf(ArrayRef<const For *> Around, const For &Loop) {
  std::vector<ExprRef> Known;
  const auto Add = [&](BinaryOp Op, const ExprRef &L, const ExprRef &R) {
    bool Fixed = true;
    forEachExpr(R, [&](const ExprRef &E) {
      auto *U = dyn_cast<VarUse>(E.get());
      Fixed &= !isa<Load>(*E) && !isa<Call>(*E) &&
               !(U && assigns(Loop.Body, U->V.get()));
    });
    if (Fixed)
      Known.push_back(build::binary(Op, build::cast(L, R->Ty), R));
  };
  for (const For *L : Around) {
    auto *Step = dyn_cast<IntConst>(L->Step.get());
    if (!Step || L->V->Kind == VarKind::Cursor || L->Cond == BinaryOp::NE)
      continue;
    Add(L->Cond, build::var(L->V), L->Hi);
    if (L->V->Ty.Signed) // else it may have wrapped
      Add(Step->Value > 0 ? BinaryOp::GE : BinaryOp::LE, build::var(L->V),
          L->Lo);
  }
  return Known;
}

} // namespace

class Overwrites::Proof : OwnQuery, LoopProof {
public:
  /// Around: the loops around Loop, outermost first.
  Proof(const For *Loop, ArrayRef<const For *> Around, const Function &F,
        const Context &Ctx, const DenseSet<const Var *> &Known)
      : OwnQuery{{Loop,
                  Around.vec(),
                  rangesOf(Around, *Loop),
                  {},
                  nullptr,
                  false,
                  Ctx.Apart}},
        LoopProof(Own, F, Ctx), Known(Known) {}

  bool disjoint(const Store *To, const Stmt *In, const Access &At, When Pairs) {
    if (!walk())
      return false;
    bool Found = false;
    for (const Touch &A : W.Touches) {
      if (A.In != In || !sameAccess(A.At, At))
        continue;
      Found = true;
      bool Meets = false;
      for (const Touch &B : W.Touches)
        Meets |= B.By == To && !never(A, B, Pairs);
      if (Meets)
        return false;
    }
    return Found;
  }

  std::optional<std::vector<Box>> boxes(const Buffer &B, StringRef Field,
                                        bool Reads, bool &Tested) {
    if (!walk())
      return std::nullopt;
    std::vector<const Touch *> Needed, Others;
    for (const Touch &T : W.Touches)
      if (T.At.Buf.get() == &B && T.At.Field == Field)
        (Reads || T.writes() ? Needed : Others).push_back(&T);
    const auto Reached = reachedBoxes(S, W, Needed, Others);
    if (!Reached)
      return std::nullopt;
    Needs Before;
    bool Known = true;
    const auto Lower = [&](const Poly &P) -> ExprRef {
      const auto E = S.lowerToExpr(P);
      Known &= E.has_value();
      if (!E)
        return build::intConst(0, Type::getI64());
      Before = Before + E->N;
      return E->E;
    };
    std::vector<Box> Out;
    for (const ReachedBox &R : *Reached) {
      Before = Before + R.N;
      Box &To = Out.emplace_back();
      for (const Poly &P : R.Base)
        To.Base.push_back(Lower(P));
      for (const ReachedBox::Side &Side : R.Sides) {
        const ExprRef Count = Lower(Side.Last + Poly::constant(1));
        Box::Side &Made = To.Sides.emplace_back();
        ExprRef Runs = S.proves(Side.Last) ? nullptr : S.lowerFact(Side.Last);
        for (const Poly &P : Side.If) {
          (void)Lower(P); // what keeps it from overflowing
          Runs = build::logicalAnd(Runs, S.lowerFact(P));
        }
        Made.Count =
            Runs ? build::select(Runs, Count, build::intConst(0, Count->Ty))
                 : Count;
        for (const Poly &P : Side.Steps)
          Made.Steps.push_back(Lower(P));
      }
    }
    const std::vector<Guard> Guards = S.guards(Before);
    if (!Known || !all_of(Guards, [&](const Guard &G) {
          return usesOnly(G, this->Known);
        }))
      return std::nullopt;
    Tested |= !Guards.empty();
    N = N + Before;
    return Out;
  }

  std::optional<ExprRef> elements(const Buffer &B) {
    if (!walk())
      return std::nullopt;
    const auto Most = elementsUpTo(S, W, B, N + W.Root.V.N);
    const auto Count = Most ? S.lowerToExpr(Most->Count.P) : std::nullopt;
    if (!Count)
      return std::nullopt;
    const Needs Before = Most->Count.N + Count->N;
    ExprRef Size = Count->E;
    if (Most->Least.value_or(-1) < 0 &&
        !S.proves(Most->Count.P, Before + N + W.Root.V.N)) {
      if (auto *C = dyn_cast<Cast>(Size.get()); C && C->Operand->Ty.isInt())
        Size = C->Operand; // `n > 0 ? n : 0` as a source has it
      const ExprRef Zero = build::intConst(0, Size->Ty);
      Size = build::select(build::binary(BinaryOp::GT, Size, Zero), Size, Zero);
    }
    if (!usesOnly(Size, Known))
      return std::nullopt;
    N = N + Before;
    return Size;
  }

  Rests rests(bool Separate) {
    Rests R;
    if (Separate) {
      if (!walk())
        R.Why = Stopped;
      else
        R.Why = addGuards(N + W.Root.V.N, R.Guards, R.Assumed);
      R.Attained = Attained;
      for (const Inspection &I : W.Inspections)
        if (!R.Why.isSet() && isUsed(I, R.Guards))
          R.Why = {"CR1105",
                   "which elements are used hangs on the values of an index",
                   Q.Loop->Loc};
      for (const Guard &G : R.Guards)
        if (!R.Why.isSet() && !usesOnly(G, Known))
          R.Why = {"CR1105",
                   "which elements are used is not known where the function "
                   "begins",
                   Q.Loop->Loc};
    } else {
      R.Guards = S.guards(N);
    }
    return R;
  }

private:
  bool walk() {
    if (!Walked) {
      Walked = true;
      Stopped = W.run();
    }
    return !Stopped.isSet();
  }

  bool never(const Touch &A, const Touch &B, When Pairs) {
    const Meeting M = Test.test(A, B, Pairs);
    if (M.V != Meeting::Verdict::Never)
      return false;
    Needs Before;
    for (unsigned F : M.N) {
      const std::optional<Needs> Each = inAllIterations(F);
      if (!Each)
        return false;
      Before = Before + *Each;
    }
    if (!all_of(S.guards(Before),
                [&](const Guard &G) { return usesOnly(G, Known); }))
      return false;
    N = N + Before;
    return true;
  }

  /// What makes fact F hold in all iterations of the loops around: at the end
  /// of each variable's range where it is least.
  std::optional<Needs> inAllIterations(unsigned F) {
    Poly P = S.fact(F).P;
    Needs Signs;
    bool Changed = false;
    for (const For *L : reverse(Q.Enclosing)) {
      const AtomId A = S.variable(L->V);
      if (!P.mentions(A))
        continue;
      Changed = true;
      const auto Split = P.splitLinear(A);
      auto *Step = dyn_cast<IntConst>(L->Step.get());
      if (!Split || !Step || std::abs(Step->Value) != 1 ||
          L->Cond == BinaryOp::NE || !L->V->Ty.Signed)
        return std::nullopt;
      const bool Up = Step->Value > 0;
      const bool Closed = L->Cond == BinaryOp::LE || L->Cond == BinaryOp::GE;
      const Value First = W.eval(L->Lo), End = W.eval(L->Hi);
      const Poly Last = Closed ? End.P : End.P - Poly::constant(Step->Value);
      const auto &[Factor, Rest] = *Split;
      const bool Rising =
          S.proves(Factor) || (!S.proves(-Factor) && S.isMeantPositive(Factor));
      const std::optional<Needs> Sign =
          S.require(Rising ? Factor : -Factor, "sizes are not negative");
      if (!Sign)
        return std::nullopt;
      Signs = Signs + *Sign + First.N + End.N;
      P = Factor * (Rising == Up ? First.P : Last) + Rest;
    }
    if (!Changed)
      return Needs{F};
    const std::optional<Needs> Holds = S.require(P, S.fact(F).Why);
    if (!Holds)
      return std::nullopt;
    return *Holds + Signs;
  }

  const DenseSet<const Var *> &Known;
  bool Walked = false;
  Reason Stopped;
  Needs N; ///< of all answers so far
};

Overwrites::Overwrites(const Function &F, const Context &Ctx) : F(F), Ctx(Ctx) {
  auto V = std::make_shared<Var>();
  V->Name = "once";
  V->Ty = Type::getI32();
  // What can be tested before all but declarations of scalars.
  for (const Param &P : F.Params)
    if (P.Scalar)
      Known.insert(P.Scalar.get());
  for (const VarRef &V : F.LaunchDims)
    if (V)
      Known.insert(V.get());
  const ArrayRef<StmtRef> Body = statements(F.Body);
  size_t Rest = 0;
  for (; Rest < Body.size() && isa<Decl>(*Body[Rest]); ++Rest)
    Known.insert(cast<Decl>(Body[Rest].get())->V.get());
  for (const StmtRef &S : Body.drop_front(Rest))
    assignedVars(S, [&](const VarRef &V) { Known.erase(V.get()); });
  Once = std::make_shared<For>(V, build::intConst(0), BinaryOp::LT,
                               build::intConst(1), build::intConst(1),
                               LoopKind::Serial, /*DeclaresVar=*/true, F.Body);
}

Overwrites::~Overwrites() = default;

Overwrites::Proof &Overwrites::proofOf(ArrayRef<const For *> Loops) {
  const For *Loop = Loops.empty() ? Once.get() : Loops.back();
  std::unique_ptr<Proof> &P = Proofs[Loop];
  if (!P)
    P = std::make_unique<Proof>(Loop, Loops.empty() ? Loops : Loops.drop_back(),
                                F, Ctx, Known);
  return *P;
}

/// What a pointer that may change leads to is not known by its name.
static bool isFixed(const Buffer &B) {
  return B.Kind != BufferKind::Pointer || B.Home == PointerHome::Fixed;
}

bool Overwrites::mayMeet(const Store *To, const Stmt *In, const Access &At,
                         ArrayRef<const For *> Loops, size_t First,
                         bool SameIteration, bool Later) {
  if (!isFixed(*At.Buf) || !isFixed(*To->To.Buf))
    return true;
  if (At.Buf != To->To.Buf)
    return false; // as rests() says
  if (SameIteration && !proofOf(Loops).disjoint(To, In, At, When::Same))
    return true;
  const When Pairs = Later ? When::Before : When::After;
  for (size_t K = Loops.size(); K > First; --K)
    if (!proofOf(Loops.take_front(K)).disjoint(To, In, At, Pairs))
      return true;
  return false;
}

bool Overwrites::mayWrite(const Store *To, const Stmt *In, const Access &At,
                          ArrayRef<const For *> Loops, bool SameIteration,
                          size_t First) {
  return mayMeet(To, In, At, Loops, First, SameIteration, /*Later=*/true);
}

bool Overwrites::mayHaveWritten(const Store *To, const Stmt *In,
                                const Access &At, ArrayRef<const For *> Loops,
                                size_t First, bool SameIteration) {
  return mayMeet(To, In, At, Loops, First, SameIteration, /*Later=*/false);
}

std::optional<std::vector<Overwrites::Box>>
Overwrites::boxes(const For *L, const Buffer &B, StringRef Field, bool Reads) {
  return proofOf(L).boxes(B, Field, Reads, Tested);
}

std::optional<ExprRef> Overwrites::elements(const Buffer &B) {
  return proofOf({}).elements(B);
}

Overwrites::Rests Overwrites::rests() {
  Rests Whole = proofOf({}).rests(/*Separate=*/true);
  std::vector<Guard> All;
  const auto Add = [&](std::vector<Guard> Guards) {
    for (Guard &G : Guards)
      if (!G.Cond || none_of(All, [&](const Guard &Other) {
            return Other.Cond && structurallyEqual(Other.Cond, G.Cond);
          }))
        All.push_back(std::move(G));
  };
  // In the order of the function, whatever the addresses of its statements.
  forEachStmt(F.Body, [&](const StmtRef &S) {
    auto It = Proofs.find(dyn_cast<For>(S.get()));
    if (It != Proofs.end())
      Add(It->second->rests(/*Separate=*/false).Guards);
  });
  Add(std::move(Whole.Guards));
  Whole.Guards = std::move(All);
  return Whole;
}

} // namespace raise
