//===- LoopChecks.cpp - answers about loops against brute force -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "LoopChecks.h"
#include "raise/IR/Effects.h"
#include "raise/IR/Text.h"
#include "raise/IR/Visitor.h"
#include "llvm/Support/MemoryBuffer.h"
#include <random>
#include <set>

using namespace llvm;

namespace raise::testing {

Answer ask(StringRef Text, Question Q) {
  Answer A;
  A.Q = Q;
  auto Parsed = parseIR(Text, "test.rir");
  if (!Parsed) {
    A.Error = toString(Parsed.takeError());
    return A;
  }
  A.Functions = *Parsed;
  A.F = A.Functions.back();
  std::vector<std::pair<const For *, StmtRef>> Loops;
  forEachStmt(A.F->Body, [&](const StmtRef &S) {
    if (const auto *L = dyn_cast<For>(S.get()))
      Loops.push_back({L, S});
  });
  if (Q.Which >= Loops.size()) {
    A.Error = "no such loop";
    return A;
  }
  A.Loop = Loops[Q.Which].first;
  LoopQuery LQ;
  LQ.Loop = A.Loop;
  LQ.Threads = Q.Threads;
  for (auto &[L, S] : Loops) {
    bool Around = false;
    forEachStmt(L->Body,
                [&](const StmtRef &Sub) { Around |= Sub.get() == A.Loop; });
    if (Around)
      LQ.Enclosing.push_back(L);
  }
  std::vector<const Var *> Live;
  std::set<const Var *> Seen;
  auto Consider = [&](const Var *V) {
    for (const std::string &Name : Q.LiveOut)
      if (V->Name == Name && Seen.insert(V).second)
        Live.push_back(V);
  };
  assignedVars(A.F->Body, [&](const VarRef &V) { Consider(V.get()); });
  for (const Param &P : A.F->Params)
    if (P.Scalar)
      Consider(P.Scalar.get());
  LQ.LiveOut = &Live;
  Context Ctx;
  Ctx.Opts = Q.Opts;
  A.Facts = analyseLoop(LQ, *A.F, Ctx);
  return A;
}

Answer askFile(StringRef Name, Question Q) {
  auto File = MemoryBuffer::getFile(std::string(RAISE_TESTDATA) + "/shapes/" +
                                    Name.str());
  if (!File) {
    Answer A;
    A.Error = "cannot read " + Name.str();
    return A;
  }
  return ask((*File)->getBuffer(), Q);
}

std::string Answer::toString() const {
  if (!Error.empty())
    return Error;
  std::string S = Facts.R == LoopFacts::Result::Independent ? "independent"
                  : Facts.R == LoopFacts::Result::Conflict  ? "conflict"
                                                            : "unknown";
  if (Facts.Why.isSet())
    S += " " + Facts.Why.Code + ": " + Facts.Why.Text;
  for (const Guard &G : Facts.Guards) {
    S += "\n  guard ";
    if (G.Cond)
      S += raise::toString(G.Cond);
    else
      S += "disjoint " + G.A.Buf->Name + "[" + raise::toString(G.A.Lo) + ", " +
           raise::toString(G.A.Hi) + ") " + G.B.Buf->Name + "[" +
           raise::toString(G.B.Lo) + ", " + raise::toString(G.B.Hi) + ")";
    S += "  // " + G.Why;
  }
  for (const ReductionInfo &R : Facts.Reductions)
    S += "\n  reduction " + (R.Scalar ? R.Scalar->Name : R.Element.Buf->Name) +
         " " + spelling(R.Op).str();
  return S;
}

/// A value that depends on the place only: small integers, floats in [-2, 2].
static interp::Value fillValue(uint64_t Seed, size_t Cell, const Type &Ty) {
  uint64_t H =
      (Cell + 1) * 0x9e3779b97f4a7c15ull ^ Seed * 0xbf58476d1ce4e5b9ull;
  H ^= H >> 29;
  if (Ty.isFloat())
    return interp::Value::ofFloat(int64_t(H % 65) / 16.0L - 2, Ty);
  return interp::Value::ofInt(H % 4, Ty);
}

static std::shared_ptr<interp::Storage> storage(uint64_t Seed) {
  auto S = std::make_shared<interp::Storage>();
  S->Growable = true;
  S->Fill = [Seed](size_t Cell, const std::string &, const Type &Ty) {
    return fillValue(Seed, Cell, Ty);
  };
  return S;
}

enum class Held { Yes, No, Undefined, NeverReached };

using Evaluate = llvm::function_ref<std::optional<int64_t>(const ExprRef &)>;

/// Sees all values of I's element, with Values for what is known; false where
/// one cannot be had.
static bool look(const Inspection &I, size_t Level, Substitution &Values,
                 Evaluate Number, llvm::function_ref<void(int64_t)> See) {
  if (Level == I.Loops.size()) {
    auto V = Number(substitute(I.Element, Values));
    if (V)
      See(*V);
    return V.has_value();
  }
  const For &L = *I.Loops[Level];
  auto V = Number(substitute(L.Lo, Values));
  while (V) {
    Values[L.V.get()] = build::intConst(*V, L.V->Ty);
    ExprRef More =
        build::binary(L.Cond, build::cast(build::var(L.V), L.Hi->Ty), L.Hi);
    auto Goes = Number(substitute(More, Values));
    if (!Goes || !*Goes)
      return Goes.has_value();
    if (!look(I, Level + 1, Values, Number, See))
      return false;
    V = Number(substitute(build::add(build::var(L.V), L.Step), Values));
  }
  return false;
}

/// Found: what an inspection finds, instead of a look.
static Held holds(const Answer &A, interp::Inputs &In, std::string &Which,
                  llvm::function_ref<std::pair<int64_t, int64_t>(const Type &)>
                      Found = nullptr) {
  // Guards stand before the loop, where the function's own variables have
  // values already.
  Substitution Before;
  for (const StmtRef &S : statements(A.F->Body)) {
    const Var *V = nullptr;
    ExprRef E;
    if (const auto *D = dyn_cast<Decl>(S.get())) {
      V = D->V.get();
      E = D->Init;
    } else if (const auto *W = dyn_cast<Assign>(S.get())) {
      V = W->V.get();
      E = W->Op == Combiner::None ? W->Value : nullptr;
    }
    if (!E || !E->Ty.isIntegral())
      continue;
    E = substitute(E, Before);
    if (!interp::evaluate(E, *A.F, In))
      return Held::NeverReached;
    Before[V] = E;
  }
  auto Number = [&](const ExprRef &Guarded) -> std::optional<int64_t> {
    auto V = interp::evaluate(substitute(Guarded, Before), *A.F, In);
    return V ? std::optional<int64_t>(V->I) : std::nullopt;
  };
  for (const Inspection &I : A.Facts.Inspections) {
    Which = "inspection of " + raise::toString(I.Element);
    int64_t Least = 0, Greatest = 0;
    auto See = [&](int64_t V) {
      Least = std::min(Least, V);
      Greatest = std::max(Greatest, V);
    };
    Substitution Values;
    if (Found)
      std::tie(Least, Greatest) = Found(I.Least->Ty);
    else if (!look(I, 0, Values, Number, See))
      return Held::NeverReached; // the loop does not get to its end either
    Before[I.Least.get()] = build::intConst(Least, I.Least->Ty);
    Before[I.Greatest.get()] = build::intConst(Greatest, I.Greatest->Ty);
  }
  for (const Guard &G : A.Facts.Guards) {
    if (G.Cond) {
      Which = raise::toString(G.Cond);
      auto V = Number(G.Cond);
      if (!V)
        return Held::Undefined;
      if (!*V)
        return Held::No;
      continue;
    }
    Which = "range of " + G.A.Buf->Name + " or " + G.B.Buf->Name;
    auto AL = Number(G.A.Lo), AH = Number(G.A.Hi), BL = Number(G.B.Lo),
         BH = Number(G.B.Hi);
    if (!AL || !AH || !BL || !BH)
      return Held::Undefined;
    const auto &X = In.Buffers[G.A.Buf->Name], &Y = In.Buffers[G.B.Buf->Name];
    if (X.Store == Y.Store && *AL < *AH && *BL < *BH &&
        X.Offset + *AL < Y.Offset + *BH && Y.Offset + *BL < X.Offset + *AH)
      return Held::No;
  }
  return Held::Yes;
}

namespace {
struct Seen {
  int64_t Iteration;
  bool Write, Atomic;
  Combiner Op;
  interp::Value After;
};
} // namespace

/// The first two entries of different iterations that conflict.
///
/// Iterations may meet in as many elements of a storage as Elements says, by
/// updates.
static std::string
findConflict(const Answer &A, const interp::Outcome &O,
             const std::map<const interp::Storage *, unsigned> &Elements) {
  std::map<std::pair<const interp::Storage *, std::vector<int64_t>>,
           std::map<int64_t, bool>>
      Met; // whether by updates
  std::map<std::tuple<const interp::Storage *, int64_t, std::string,
                      std::vector<int64_t>>,
           std::vector<Seen>>
      Places;
  std::set<const interp::Storage *> Locals;
  for (const auto &L : O.Locals)
    Locals.insert(L.get());
  for (const interp::TraceEntry &E : O.Trace) {
    if (!E.Store || Locals.count(E.Store))
      continue;
    std::vector<int64_t> Around;
    int64_t Iteration = -1;
    for (auto &[S, Count] : E.Where) {
      if (S == A.Loop) {
        Iteration = Count;
        break;
      }
      Around.push_back(Count);
    }
    if (Iteration < 0)
      continue;
    auto &Old = Places[{E.Store, E.Cell, E.Field, Around}];
    for (const Seen &X : Old) {
      if (X.Iteration == Iteration || (!X.Write && !E.IsWrite))
        continue;
      if (X.Atomic && E.Atomic)
        continue;
      if (A.Q.Threads && X.Write && E.IsWrite && X.Op == Combiner::None &&
          E.Op == Combiner::None && X.After.I == E.After.I &&
          X.After.D == E.After.D)
        continue;
      std::string Text = "cell " + std::to_string(E.Cell) + " in iterations " +
                         std::to_string(X.Iteration) + " and " +
                         std::to_string(Iteration);
      auto Allowed = Elements.find(E.Store);
      if (Allowed == Elements.end())
        return Text;
      auto &Cells = Met[{E.Store, Around}];
      bool Update = E.Op != Combiner::None;
      auto [Cell, New] = Cells.insert({E.Cell, Update});
      if (Cells.size() > Allowed->second || Cell->second != Update ||
          (Update && X.Op == Combiner::None))
        return Text + ", which is no element of a reduction";
    }
    if (Old.size() < 64)
      Old.push_back({Iteration, E.IsWrite, E.Atomic, E.Op, E.After});
  }
  return "";
}

void tryOnce(const Answer &A, const Sizes &Known, uint64_t Seed, bool Overlap,
             Trial &T) {
  std::mt19937_64 Random(Seed);
  interp::Inputs In;
  std::map<std::string, std::shared_ptr<interp::Storage>> ByType;
  std::string Shown;
  for (const Param &P : A.F->Params) {
    if (P.Scalar) {
      const Type &Ty = P.Scalar->Ty;
      auto It = Known.find(P.Scalar->Name);
      int64_t V = It != Known.end() ? It->second : int64_t(Random() % 7);
      In.Scalars[P.Scalar->Name] = Ty.isFloat()
                                       ? interp::Value::ofFloat(V / 2.0L, Ty)
                                       : interp::Value::ofInt(V, Ty);
      Shown += " " + P.Scalar->Name + "=" + std::to_string(V);
      continue;
    }
    auto &Shared = ByType[P.Buf->Elem.name()];
    bool Apart = !Overlap || P.Buf->Restrict;
    if (!Shared || Apart)
      Shared = storage(Seed);
    // Arguments that may be short of the front need room there.
    int64_t Offset = 5000 + (Overlap ? int64_t(Random() % 12) : 0);
    In.Buffers[P.Buf->Name] = {Apart ? storage(Seed) : Shared, Offset};
  }
  std::string Which;
  switch (holds(A, In, Which)) {
  case Held::No:
    ++T.Refused;
    return;
  case Held::Undefined:
    T.Violation = "guard not evaluable: " + Which + " at" + Shown;
    return;
  case Held::NeverReached:
    ++T.Stopped;
    return;
  case Held::Yes:
    break;
  }
  std::map<const interp::Storage *, unsigned> Reduced;
  for (const ReductionInfo &R : A.Facts.Reductions)
    if (!R.Scalar)
      ++Reduced[In.Buffers[R.Element.Buf->Name].Store.get()];
  interp::Settings S;
  S.Trace = true;
  S.MaxSteps = 200000;
  interp::Outcome O = interp::run(*A.F, In, S);
  if (O.Why != interp::Stop::Done) {
    ++T.Stopped;
    return;
  }
  ++T.Ran;
  std::string Conflict = findConflict(A, O, Reduced);
  if (!Conflict.empty() && T.Violation.empty())
    T.Violation = Conflict + " at" + Shown + (Overlap ? " (overlapping)" : "");
}

std::string tryExtremes(const Answer &A, unsigned Runs) {
  std::mt19937_64 Random(4711);
  for (unsigned Run = 0; Run < Runs; ++Run) {
    interp::Inputs In;
    std::string Shown;
    for (const Param &P : A.F->Params) {
      if (!P.Scalar) {
        In.Buffers[P.Buf->Name] = {storage(Run), 0};
        continue;
      }
      const Type &Ty = P.Scalar->Ty;
      if (Ty.isFloat()) {
        In.Scalars[P.Scalar->Name] = interp::Value::ofFloat(1, Ty);
        continue;
      }
      uint64_t Mask = Ty.Bits == 64 ? ~0ull : (1ull << Ty.Bits) - 1;
      uint64_t Most = Ty.Signed ? Mask >> 1 : Mask;
      uint64_t Choices[] = {
          0,    1,        2,     Most,  Most - 1, Most + 1,
          Mask, Most / 2, 65536, 46341, Random(), Random() >> (Random() % 64)};
      uint64_t Bits = Choices[Random() % 12] & Mask;
      int64_t V = Ty.Signed && Ty.Bits < 64 && Bits > Most
                      ? int64_t(Bits) - int64_t(Mask) - 1
                      : int64_t(Bits);
      In.Scalars[P.Scalar->Name] = interp::Value::ofInt(V, Ty);
      Shown += " " + P.Scalar->Name + "=" + std::to_string(V);
    }
    auto Found = [&](const Type &Ty) {
      int64_t Most = (int64_t(1) << (Ty.Bits - Ty.Signed - 1)) - 1 +
                     (int64_t(1) << (Ty.Bits - Ty.Signed - 1));
      int64_t Least = Ty.Signed ? -Most - 1 : 0;
      int64_t Lows[] = {0, Least / 2, Least}, Highs[] = {0, Most / 2, Most};
      return std::make_pair(Lows[Random() % 3], Highs[Random() % 3]);
    };
    std::string Which;
    if (holds(A, In, Which, Found) == Held::Undefined)
      return "guard not evaluable: " + Which + " at" + Shown;
  }
  return "";
}

Trial tryMany(const Answer &A, int64_t Most, unsigned Runs) {
  Trial T;
  std::vector<std::string> Names;
  for (const Param &P : A.F->Params)
    if (P.Scalar && P.Scalar->Ty.isIntegral())
      Names.push_back(P.Scalar->Name);
  uint64_t All = 1;
  for (size_t I = 0; I < Names.size() && All <= Runs; ++I)
    All *= Most + 1;
  bool Complete = All <= Runs;
  std::mt19937_64 Random(20240607);
  for (uint64_t Run = 0; Run < (Complete ? All : Runs); ++Run) {
    Sizes Known;
    uint64_t Rest = Run;
    for (const std::string &N : Names) {
      Known[N] = (Complete ? Rest : Random()) % (Most + 1);
      Rest /= Most + 1;
    }
    tryOnce(A, Known, Run, false, T);
    tryOnce(A, Known, Run, true, T);
    if (!T.Violation.empty())
      break;
  }
  return T;
}

} // namespace raise::testing
