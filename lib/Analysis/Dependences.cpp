//===- Dependences.cpp - which parts of a loop's body may part ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "raise/Analysis/Dependences.h"
#include "FirstUse.h"
#include "Hazards.h"
#include "LoopProof.h"
#include "raise/IR/Visitor.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace raise {
using namespace analysis;

namespace {

/// Past this many parts a body is not looked at: pairs are compared.
constexpr size_t MaxParts = 64;

/// How many operations and loads a part may repeat.
constexpr unsigned MaxCopied = 12;

/// Operations and loads of an expression. Sums and products in subscripts are
/// not counted: they become part of addresses.
struct Cost : Visitor {
  explicit Cost(bool InSubscript = false) : InSubscript(InSubscript) {}
  const bool InSubscript;
  unsigned N = 0;

  bool visitExpr(const ExprRef &E) override {
    if (const auto *Ld = dyn_cast<Load>(E.get())) {
      Cost Subscripts(/*InSubscript=*/true);
      for (const ExprRef &Index : Ld->From.Indices)
        Subscripts.walk(Index);
      N += 1 + Subscripts.N;
      return false;
    }
    if (isa<Call>(E.get()))
      N = MaxCopied + 1;
    const auto *B = dyn_cast<Binary>(E.get());
    const bool IsFree = InSubscript && B &&
                        (B->Op == BinaryOp::Add || B->Op == BinaryOp::Sub ||
                         B->Op == BinaryOp::Mul);
    N += isa<Select>(E.get()) || (B && !IsFree);
    return true;
  }
};

unsigned cost(const ExprRef &E) {
  Cost C;
  C.walk(E);
  return C.N;
}

class BodyAnalysis : LoopProof {
public:
  BodyAnalysis(const LoopQuery &Q, const Function &F, const Context &Ctx)
      : LoopProof(Q, F, Ctx) {}
  BodyFacts run();

private:
  /// A part's place: the tests around it, and which arm.
  using Arms = std::vector<std::pair<unsigned, bool>>;
  void collect(const StmtRef &St, const Arms &Under);
  void addPart(const StmtRef &St, const Arms &Under);
  void findVariables();
  void flowOf(const Var *V);
  bool isLiveOut(const Var *V) const;
  bool mayCopy(unsigned P) const;
  void keepTogether();
  void orderMemory();
  void orderTouches(const Touch &A, unsigned PA, const Touch &B, unsigned PB);
  bool apart(const Touch &A, const Touch &B, When Pairs);
  First use(unsigned P, const Var *V) const;
  bool dominates(unsigned P, unsigned O) const;
  void refuse(const char *Code, std::string Text, const SourceLoc &Loc) {
    if (!Facts.Why.isSet())
      Facts.Why = {Code, std::move(Text), Loc};
  }

  BodyFacts Facts;
  Needs N;
  std::vector<Arms> Under;
  std::map<const Stmt *, unsigned> PartOf;
  std::vector<VarRef> Set;                  ///< by some part, each once
  std::map<const Var *, unsigned> Declared; ///< by which part
  std::set<const Var *> State; ///< what lives longer than an iteration
  std::set<std::pair<unsigned, unsigned>> Order;
};

} // namespace

void BodyAnalysis::addPart(const StmtRef &St, const Arms &Around) {
  BodyPart P;
  P.S = St;
  for (auto [TestOf, Arm] : Around)
    P.Needs.push_back(TestOf);
  PartOf[St.get()] = Facts.Parts.size();
  Facts.Parts.push_back(std::move(P));
  Under.push_back(Around);
}

void BodyAnalysis::collect(const StmtRef &St, const Arms &Around) {
  if (!St)
    return;
  switch (St->Kind) {
  case StmtKind::Block:
    for (const StmtRef &Sub : cast<Block>(St.get())->Body)
      collect(Sub, Around);
    return;
  case StmtKind::If: {
    const auto *I = cast<If>(St.get());
    unsigned Own = Facts.Parts.size();
    addPart(St, Around);
    for (bool Arm : {true, false}) {
      Arms Inside = Around;
      Inside.push_back({Own, Arm});
      collect(Arm ? I->Then : I->Else, Inside);
    }
    return;
  }
  case StmtKind::Decl:
    Declared[cast<Decl>(St.get())->V.get()] = Facts.Parts.size();
    return addPart(St, Around);
  case StmtKind::Assign:
  case StmtKind::Store:
    return addPart(St, Around);
  case StmtKind::For: {
    unsigned Own = Facts.Parts.size();
    addPart(St, Around);
    forEachStmt(St, [&](const StmtRef &Sub) {
      PartOf[Sub.get()] = Own;
      if (isa<DeclBuffer>(Sub.get()) || isa<While>(Sub.get()) ||
          isa<TensorOp>(Sub.get()) || isa<Region>(Sub.get()))
        refuse("CR1111", "the order of what the loop does is not followed",
               Sub->Loc);
    });
    return;
  }
  default:
    refuse("CR1111", "the order of what the loop does is not followed",
           St->Loc);
  }
}

First BodyAnalysis::use(unsigned P, const Var *V) const {
  const StmtRef &St = Facts.Parts[P].S;
  if (const auto *I = dyn_cast<If>(St.get()))
    return firstUse(I->Cond, V);
  return firstUse(St, V);
}

static bool sets(const StmtRef &St, const Var *V) {
  return !isa<If>(St.get()) && assigns(St, V);
}

/// Whether P is done in every iteration in which O is.
bool BodyAnalysis::dominates(unsigned P, unsigned O) const {
  return Under[P].size() <= Under[O].size() &&
         std::equal(Under[P].begin(), Under[P].end(), Under[O].begin());
}

bool BodyAnalysis::isLiveOut(const Var *V) const {
  return !Declared.count(V) && (!Q.LiveOut || is_contained(*Q.LiveOut, V));
}

void BodyAnalysis::findVariables() {
  std::set<const Var *> Seen, Inside;
  // What an inner loop declares is its own.
  for (const BodyPart &P : Facts.Parts)
    if (isa<For>(P.S.get()))
      forEachStmt(P.S, [&](const StmtRef &St) {
        if (const auto *D = dyn_cast<Decl>(St.get()))
          Inside.insert(D->V.get());
        if (const auto *L = dyn_cast<For>(St.get()); L && L->DeclaresVar)
          Inside.insert(L->V.get());
      });
  for (const BodyPart &P : Facts.Parts)
    if (!isa<If>(P.S.get()))
      assignedVars(P.S, [&](const VarRef &V) {
        if (!Inside.count(V.get()) && Seen.insert(V.get()).second)
          Set.push_back(V);
      });
}

/// Where V's values come from, in the same iteration; or that one comes from
/// before it.
void BodyAnalysis::flowOf(const Var *V) {
  bool Carried = isLiveOut(V);
  for (unsigned To = 0; To < Facts.Parts.size(); ++To) {
    BodyPart &P = Facts.Parts[To];
    bool Reads = use(To, V) == First::Reads;
    auto D = Declared.find(V);
    if (D != Declared.end() && D->second != To && (Reads || sets(P.S, V)))
      P.Needs.push_back(D->second);
    if (!Reads)
      continue;
    unsigned Since = 0;
    bool Sure = false;
    for (unsigned I = 0; I < To; ++I)
      if (sets(Facts.Parts[I].S, V) && dominates(I, To) &&
          (!isa<For>(Facts.Parts[I].S.get()) || use(I, V) == First::Sets)) {
        Since = I;
        Sure = true;
      }
    for (unsigned From = Since; From < To; ++From)
      if (sets(Facts.Parts[From].S, V))
        P.Needs.push_back(From);
    Carried |= !Sure && !Declared.count(V);
  }
  if (Carried)
    State.insert(V);
}

bool BodyAnalysis::mayCopy(unsigned P) const {
  const Stmt *St = Facts.Parts[P].S.get();
  if (const auto *I = dyn_cast<If>(St))
    return cost(I->Cond) <= MaxCopied;
  if (const auto *D = dyn_cast<Decl>(St))
    return !D->Init || cost(D->Init) <= MaxCopied;
  const auto *A = dyn_cast<Assign>(St);
  return A && !State.count(A->V.get()) && cost(A->Value) <= MaxCopied;
}

/// What names a scalar that lives longer than an iteration stays together, and
/// so does a part with those that it needs and that cannot be repeated.
void BodyAnalysis::keepTogether() {
  auto Together = [&](unsigned A, unsigned B) {
    if (A == B)
      return;
    Order.insert({A, B});
    Order.insert({B, A});
  };
  for (const Var *V : State) {
    std::optional<unsigned> One;
    for (unsigned P = 0; P < Facts.Parts.size(); ++P)
      if (sets(Facts.Parts[P].S, V) || use(P, V) == First::Reads) {
        Facts.Parts[P].Copies = false;
        Together(One.value_or(P), P);
        One = P;
      }
  }
  for (unsigned P = 0; P < Facts.Parts.size(); ++P)
    for (unsigned Needed : Facts.Parts[P].Needs)
      if (!Facts.Parts[Needed].Copies)
        Together(P, Needed);
}

bool BodyAnalysis::apart(const Touch &A, const Touch &B, When Pairs) {
  Meeting M = Test.test(A, B, Pairs);
  if (M.V == Meeting::Verdict::Budget)
    refuse("CR1190",
           "the order of what the loop does was not decided within the allowed "
           "number of operations",
           A.Loc);
  if (M.V != Meeting::Verdict::Never)
    return false;
  N = N + M.N;
  return true;
}

/// PA stands before PB in the body.
void BodyAnalysis::orderTouches(const Touch &A, unsigned PA, const Touch &B,
                                unsigned PB) {
  const Touch &Writer = A.writes() ? A : B, &Other = A.writes() ? B : A;
  When AFirst = A.writes() ? When::Before : When::After;
  When BFirst = A.writes() ? When::After : When::Before;
  if (!Order.count({PA, PB}) &&
      !(apart(Writer, Other, When::Same) && apart(Writer, Other, AFirst)))
    Order.insert({PA, PB});
  if (!Order.count({PB, PA}) && !apart(Writer, Other, BFirst))
    Order.insert({PB, PA});
}

void BodyAnalysis::orderMemory() {
  for (const Touch &A : W.Touches)
    for (const Touch &B : W.Touches) {
      if (A.Atomic && B.Atomic && Q.UpdatesCommute)
        continue;
      if (A.Atomic && !Q.UpdatesCommute)
        return refuse("CR1111", "the order of atomic updates is not followed",
                      A.Loc);
      if (A.At.Buf != B.At.Buf || (!A.writes() && !B.writes()))
        continue;
      auto PA = PartOf.find(A.In), PB = PartOf.find(B.In);
      if (PA == PartOf.end() || PB == PartOf.end())
        return refuse("CR1111",
                      "the order of what the loop does is not followed", A.Loc);
      if (PA->second < PB->second)
        orderTouches(A, PA->second, B, PB->second);
      if (Facts.Why.isSet())
        return;
    }
}

BodyFacts BodyAnalysis::run() {
  Facts.Why = findHazard(*Q.Loop);
  if (Facts.Why.isSet())
    return std::move(Facts);
  collect(Q.Loop->Body, {});
  if (Facts.Parts.size() > MaxParts)
    refuse("CR1190", "the loop's body is too long to take it apart",
           Q.Loop->Loc);
  if (Facts.Why.isSet())
    return std::move(Facts);
  if (Reason Why = W.run(); Why.isSet()) {
    Facts.Why = Why;
    return std::move(Facts);
  }
  N = W.Root.V.N;
  findVariables();
  for (const VarRef &V : Set)
    flowOf(V.get());
  for (unsigned P = 0; P < Facts.Parts.size(); ++P)
    Facts.Parts[P].Copies = mayCopy(P);
  keepTogether();
  orderMemory();
  if (Facts.Why.isSet())
    return std::move(Facts);
  Facts.Why = addGuards(N, Facts.Guards, Facts.Assumed);
  if (!Facts.Why.isSet())
    Facts.Order.assign(Order.begin(), Order.end());
  return std::move(Facts);
}

BodyFacts analyseBody(const LoopQuery &Q, const Function &F,
                      const Context &Ctx) {
  return BodyAnalysis(Q, F, Ctx).run();
}

} // namespace raise
