//===- Notation.cpp - what a statement computes, in index notation --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Scalars are followed symbolically through the statement, so that a sum in a
// local variable that ends up in an element is printed as that element's
// formula. What would become too long keeps its name and gets a line of its
// own.
//
//===----------------------------------------------------------------------===//

#include "Formula.h"
#include "raise/Emit/OpenMP.h"
#include "raise/IR/Visitor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace raise {
namespace {

constexpr size_t InlineWidth = 12, OnceWidth = 56, LineWidth = 100, MaxLines = 8;

class Writer {
public:
  std::vector<std::string> Lines;

  void statement(const StmtRef &S);
  std::string domain() const;

private:
  std::string assignment(const std::string &Target, Combiner Op,
                         const Formula &Value) const;
  bool isReassigned(const Var *V) const;
  void setScalar(const Var *V, Formula Value, bool UsedOnce);
  void scalarUpdate(const Assign &A);
  void store(const Store &S);
  void tensor(const TensorOp &T);
  void line(std::string Text) {
    if (!Conditions.empty())
      Text += "  where " + join(Conditions, " ∧ ");
    if (!is_contained(Lines, Text))
      Lines.push_back(std::move(Text));
  }

  FormulaPrinter P;
  std::vector<const Iterator *> Reductions; ///< around, innermost last
  std::vector<std::string> Conditions;
  bool BetweenLoops = false; ///< the block being read holds loops, too
  /// The statement whose uses decide whether a let is worth a name.
  StmtRef Root;
};

StringRef bigOperator(Combiner Op) {
  switch (Op) {
  case Combiner::Add:
  case Combiner::Sub:
    return "Σ";
  case Combiner::Mul:
    return "Π";
  case Combiner::Min:
    return "min";
  case Combiner::Max:
    return "max";
  case Combiner::And:
    return "and";
  case Combiner::Or:
    return "or";
  case Combiner::Xor:
    return "xor";
  case Combiner::LAnd:
    return "all";
  case Combiner::LOr:
    return "any";
  default:
    return "";
  }
}

std::string Writer::assignment(const std::string &Target, Combiner Op,
                               const Formula &Value) const {
  switch (Op) {
  case Combiner::None:
    return Target + " = " + Value.Text;
  case Combiner::Min:
  case Combiner::Max:
    return Target + " = " + (Op == Combiner::Min ? "min(" : "max(") + Target +
           ", " + Value.Text + ")";
  default:
    return Target + " " + spelling(Op).str() + " " + Value.Text;
  }
}

bool Writer::isReassigned(const Var *V) const {
  bool Found = false;
  forEachStmt(Root, [&](const StmtRef &S) {
    auto *A = dyn_cast<Assign>(S.get());
    Found |= A && A->V.get() == V;
  });
  return Found;
}

void Writer::setScalar(const Var *V, Formula Value, bool UsedOnce) {
  size_t Limit = UsedOnce ? OnceWidth : InlineWidth;
  bool Index = P.Lets.count(V);
  if (Value.Strength == 3 || Index || columns(Value.Text) <= Limit) {
    P.Values[V] = std::move(Value);
    return;
  }
  // A plain local can be read in the code below; what a loop made of it, and
  // what stands between loops, is worth a line.
  if (BetweenLoops || StringRef(Value.Text).contains('_'))
    line(plainName(*V) + " = " + Value.Text);
  P.Values.erase(V);
}

/// The iterators that a combined value ranges over: "i", "j,k".
static std::string subscripts(ArrayRef<const Iterator *> Iterators) {
  std::vector<std::string> Names;
  for (const Iterator *I : Iterators)
    Names.push_back(plainName(*I->V));
  return join(Names, ",");
}

static Formula combinedOver(ArrayRef<const Iterator *> Over, Combiner Op,
                            const Formula &F, StringRef Condition) {
  std::string Under = subscripts(Over);
  if (!Condition.empty())
    Under = "{" + Under + ": " + Condition.str() + "}";
  return {bigOperator(Op).str() + "_" + Under + " " + within(F, 2), 2};
}

void Writer::scalarUpdate(const Assign &A) {
  Formula Value = P.of(A.Value);
  if (A.Op == Combiner::None) {
    setScalar(A.V.get(), Value, false);
    return;
  }
  auto It = P.Values.find(A.V.get());
  Formula Old = It == P.Values.end() ? Formula{plainName(*A.V), 3} : It->second;
  if (bigOperator(A.Op).empty()) {
    line(assignment(plainName(*A.V), A.Op, Value));
    return;
  }
  if (!Reductions.empty()) {
    Value = combinedOver(Reductions, A.Op, Value, join(Conditions, " ∧ "));
  }
  bool Outside = It == P.Values.end() && !Reductions.empty();
  std::vector<std::string> Saved = std::move(Conditions);
  Conditions.clear();
  bool Zero = Old.Text == "0" || Old.Text == "0.0";
  if (Outside)
    line(assignment(Old.Text, A.Op, Value));
  else if (A.Op == Combiner::Add && Zero)
    setScalar(A.V.get(), Value, true);
  else if (A.Op == Combiner::Add)
    setScalar(A.V.get(), {within(Old, 1) + " + " + within(Value, 2), 1}, true);
  else if (A.Op == Combiner::Sub)
    setScalar(A.V.get(), {(Zero ? "" : within(Old, 1) + " ") + "- " + within(Value, 2), 1}, true);
  else if (A.Op == Combiner::Mul && (Old.Text == "1" || Old.Text == "1.0"))
    setScalar(A.V.get(), Value, true);
  else if (A.Op == Combiner::Mul)
    setScalar(A.V.get(), {within(Old, 2) + "·" + within(Value, 3), 2}, true);
  else if (Old.Text == (A.Op == Combiner::Min ? "∞" : "-∞"))
    setScalar(A.V.get(), Value, true);
  else if (A.Op == Combiner::Min || A.Op == Combiner::Max)
    setScalar(A.V.get(),
              {std::string(A.Op == Combiner::Min ? "min(" : "max(") + Old.Text +
                   ", " + Value.Text + ")",
               3},
              true);
  else
    line(assignment(plainName(*A.V), A.Op, Value));
  Conditions = std::move(Saved);
}

void Writer::store(const Store &S) {
  std::string Target = P.access(S.To);
  Formula Value = P.of(S.Value);
  // What the target's place does not depend on is combined over.
  std::vector<const Iterator *> Over;
  for (const Iterator *I : Reductions)
    if (!any_of(S.To.Indices,
                [&](const ExprRef &E) { return uses(E, I->V.get()); }))
      Over.push_back(I);
  if (Over.empty() || bigOperator(S.Op).empty()) {
    line(assignment(Target, S.Op, Value));
    return;
  }
  line(assignment(Target, S.Op, combinedOver(Over, S.Op, Value, "")));
}

void Writer::tensor(const TensorOp &T) {
  size_t Around = Reductions.size();
  for (const Iterator &I : T.Iterators) {
    P.Domain.push_back(&I);
    if (I.Kind == IterKind::Reduction)
      Reductions.push_back(&I);
  }
  if (T.Mask)
    Conditions.push_back(P.of(T.Mask).Text);
  statement(T.Body);
  if (T.Mask)
    Conditions.pop_back();
  Reductions.resize(Around);
}

void Writer::statement(const StmtRef &S) {
  if (!Root)
    Root = S;
  switch (S->Kind) {
  case StmtKind::Block: {
    bool Outer = BetweenLoops;
    auto &Body = cast<Block>(S.get())->Body;
    BetweenLoops =
        any_of(Body, [](const StmtRef &Sub) { return isa<TensorOp>(*Sub); });
    for (const StmtRef &Sub : Body)
      statement(Sub);
    BetweenLoops = Outer;
    break;
  }
  case StmtKind::Decl: {
    auto *D = cast<Decl>(S.get());
    unsigned Uses = 0;
    forEachExpr(Root, [&](const ExprRef &E) {
      auto *U = dyn_cast<VarUse>(E.get());
      Uses += U && U->V == D->V;
    });
    std::vector<std::string> Saved = std::move(Conditions);
    Conditions.clear();
    bool Fixed = D->Init && !isReassigned(D->V.get());
    if (Fixed && D->V->Ty.isInt())
      P.Lets[D->V.get()] = D->Init;
    if (D->Init)
      setScalar(D->V.get(), P.of(D->Init), Uses <= 1);
    Conditions = std::move(Saved);
    break;
  }
  case StmtKind::Assign:
    scalarUpdate(*cast<Assign>(S.get()));
    break;
  case StmtKind::Store:
    store(*cast<Store>(S.get()));
    break;
  case StmtKind::If: {
    auto *I = cast<If>(S.get());
    Conditions.push_back(P.of(I->Cond).Text);
    DenseMap<const Var *, Formula> Before = P.Values;
    statement(I->Then);
    if (I->Else) {
      P.Values = Before;
      Conditions.back() = "¬(" + Conditions.back() + ")";
      statement(I->Else);
    }
    Conditions.pop_back();
    P.Values = Before;
    // After a conditional assignment a scalar has no one formula.
    assignedVars(S, [&](const VarRef &V) { P.Values.erase(V.get()); });
    break;
  }
  case StmtKind::For:
    // Values change from turn to turn: names only.
    assignedVars(S, [&](const VarRef &V) { P.Values.erase(V.get()); });
    statement(cast<For>(S.get())->Body);
    assignedVars(S, [&](const VarRef &V) { P.Values.erase(V.get()); });
    break;
  case StmtKind::While:
    assignedVars(S, [&](const VarRef &V) { P.Values.erase(V.get()); });
    statement(cast<While>(S.get())->Body);
    assignedVars(S, [&](const VarRef &V) { P.Values.erase(V.get()); });
    break;
  case StmtKind::TensorOp:
    tensor(*cast<TensorOp>(S.get()));
    break;
  case StmtKind::Region:
    statement(cast<Region>(S.get())->Body);
    break;
  default:
    break;
  }
}

/// "0 ≤ i, j < n, 1 ≤ k < m".
std::string Writer::domain() const {
  std::vector<std::pair<std::string, std::string>> Ranges; // bounds, names
  FormulaPrinter Plain;
  for (const Iterator *I : P.Domain) {
    auto *Step = dyn_cast<IntConst>(withoutImplicitCasts(I->Step).get());
    std::string Hi = " < " + Plain.of(I->Hi).Text;
    if (!Step || Step->Value != 1)
      Hi += " step " + Plain.of(I->Step).Text;
    std::string Bounds = Plain.of(I->Lo).Text + " ≤ \x01" + Hi;
    std::string Name = plainName(*I->V);
    auto It = find_if(Ranges, [&](auto &R) { return R.first == Bounds; });
    if (It == Ranges.end())
      Ranges.push_back({Bounds, Name});
    else if (!is_contained(split(It->second, ", "), StringRef(Name)))
      It->second += ", " + Name;
  }
  std::vector<std::string> Texts;
  for (auto &[Bounds, Names] : Ranges) {
    size_t At = Bounds.find('\x01');
    Texts.push_back(Bounds.substr(0, At) + Names + Bounds.substr(At + 1));
  }
  return join(Texts, ", ");
}

} // namespace

std::string notation(const StmtRef &S) {
  Writer W;
  W.statement(S);
  if (W.Lines.size() > MaxLines) {
    W.Lines.resize(MaxLines);
    W.Lines.push_back("…");
  }
  std::string Domain = W.domain();
  if (!Domain.empty()) {
    if (W.Lines.empty() || columns(W.Lines.back()) + columns(Domain) > LineWidth)
      W.Lines.push_back(Domain);
    else
      W.Lines.back() += ",  " + Domain;
  }
  return join(W.Lines, "\n");
}

} // namespace raise
