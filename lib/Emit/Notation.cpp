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

#include "ExprPrinter.h"
#include "raise/Emit/OpenMP.h"
#include "raise/IR/Visitor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace raise {
namespace {

/// A formula and how tightly it binds: 0 comparisons and logic, 1 sums,
/// 2 products and big operators, 3 atoms.
struct Formula {
  std::string Text;
  int Strength = 3;
};

std::string within(const Formula &F, int Least) {
  return F.Strength < Least ? "(" + F.Text + ")" : F.Text;
}

size_t width(StringRef Text) {
  size_t Count = 0;
  for (char C : Text)
    Count += (C & 0xC0) != 0x80; // not a continuation byte of UTF-8
  return Count;
}

constexpr size_t InlineWidth = 28, LineWidth = 110, MaxLines = 8;

class Writer {
public:
  std::vector<std::string> Lines;
  std::vector<const Iterator *> Domain;

  void statement(const StmtRef &S);
  std::string domain() const;

private:
  Formula formula(const ExprRef &E) const;
  Formula binary(const Binary &B) const;
  std::string access(const Access &A) const;
  std::string index(const ExprRef &E) const;
  std::string assignment(const std::string &Target, Combiner Op,
                         const Formula &Value) const;
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

  DenseMap<const Var *, Formula> Values;
  std::vector<const Iterator *> Reductions; ///< around, innermost last
  std::vector<std::string> Conditions;
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

std::string Writer::index(const ExprRef &E) const {
  std::string Text = formula(E).Text, Tight;
  for (char C : Text) // subscripts are set without spaces
    if (C != ' ')
      Tight += C;
  return Tight;
}

std::string Writer::access(const Access &A) const {
  std::string Text = A.Buf->Name;
  if (!A.Buf->Reference) {
    std::vector<std::string> Indices;
    for (const ExprRef &I : A.Indices)
      Indices.push_back(index(I));
    Text += "[" + join(Indices, ",") + "]";
  }
  return A.Field.empty() ? Text : Text + "." + A.Field;
}

Formula Writer::binary(const Binary &B) const {
  Formula L = formula(B.L), R = formula(B.R);
  switch (B.Op) {
  case BinaryOp::Mul:
    return {within(L, 2) + "·" + within(R, 3), 2};
  case BinaryOp::Div:
    return {within(L, 2) + " / " + within(R, 3), 2};
  case BinaryOp::Rem:
    return {within(L, 3) + " mod " + within(R, 3), 1};
  case BinaryOp::Add:
    if (StringRef(R.Text).starts_with("-") && R.Strength > 1)
      return {within(L, 1) + " - " + R.Text.substr(1), 1};
    return {within(L, 1) + " + " + within(R, R.Strength == 1 ? 1 : 2), 1};
  case BinaryOp::Sub:
    return {within(L, 1) + " - " + within(R, 2), 1};
  case BinaryOp::LE:
    return {within(L, 1) + " ≤ " + within(R, 1), 0};
  case BinaryOp::GE:
    return {within(L, 1) + " ≥ " + within(R, 1), 0};
  case BinaryOp::NE:
    return {within(L, 1) + " ≠ " + within(R, 1), 0};
  case BinaryOp::EQ:
    return {within(L, 1) + " = " + within(R, 1), 0};
  case BinaryOp::LAnd:
    return {within(L, 1) + " ∧ " + within(R, 1), 0};
  case BinaryOp::LOr:
    return {within(L, 1) + " ∨ " + within(R, 1), 0};
  default:
    return {within(L, 3) + " " + spelling(B.Op).str() + " " + within(R, 3), 0};
  }
}

Formula Writer::formula(const ExprRef &E) const {
  switch (E->Kind) {
  case ExprKind::IntConst:
  case ExprKind::FloatConst: {
    std::string Text = emitExpr(E);
    // Suffixes say how a number is stored, not what it is.
    bool Single = Text.find('.') != std::string::npos && Text.back() == 'f';
    if (Single)
      Text.pop_back();
    return {Text, Text[0] == '-' ? 2 : 3};
  }
  case ExprKind::VarUse: {
    const Var *V = cast<VarUse>(E.get())->V.get();
    auto It = Values.find(V);
    return It == Values.end() ? Formula{plainName(*V), 3} : It->second;
  }
  case ExprKind::Load:
    return {access(cast<Load>(E.get())->From), 3};
  case ExprKind::Unary: {
    auto *U = cast<Unary>(E.get());
    StringRef Op = U->Op == UnaryOp::Not ? "¬" : spelling(U->Op);
    return {Op.str() + within(formula(U->Operand), 2), 2};
  }
  case ExprKind::Binary:
    return binary(*cast<Binary>(E.get()));
  case ExprKind::Select: {
    auto *S = cast<Select>(E.get());
    return {formula(S->Cond).Text + " ? " + within(formula(S->True), 1) +
                " : " + within(formula(S->False), 1),
            -1};
  }
  case ExprKind::Cast: {
    auto *C = cast<Cast>(E.get());
    Formula F = formula(C->Operand);
    bool Cuts = C->Ty.isInt() && C->Operand->Ty.isFloat();
    return Cuts ? Formula{"trunc(" + F.Text + ")", 3} : F;
  }
  case ExprKind::Call: {
    auto *C = cast<Call>(E.get());
    std::vector<std::string> Args;
    for (const ExprRef &A : C->Args)
      Args.push_back(formula(A).Text);
    StringRef Name = C->Fn->Name;
    Name.consume_front("std::");
    return {Name.str() + "(" + join(Args, ", ") + ")", 3};
  }
  case ExprKind::NonNull:
    return {cast<NonNull>(E.get())->Buf->Name + " ≠ null", 0};
  }
  return {};
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

void Writer::setScalar(const Var *V, Formula Value, bool UsedOnce) {
  size_t Limit = UsedOnce ? 2 * InlineWidth : InlineWidth;
  if (Value.Strength == 3 || width(Value.Text) <= Limit) {
    Values[V] = std::move(Value);
    return;
  }
  line(plainName(*V) + " = " + Value.Text);
  Values.erase(V);
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
  Formula Value = formula(A.Value);
  if (A.Op == Combiner::None) {
    setScalar(A.V.get(), Value, false);
    return;
  }
  auto It = Values.find(A.V.get());
  Formula Old = It == Values.end() ? Formula{plainName(*A.V), 3} : It->second;
  if (bigOperator(A.Op).empty()) {
    line(assignment(plainName(*A.V), A.Op, Value));
    return;
  }
  if (!Reductions.empty()) {
    Value = combinedOver(Reductions, A.Op, Value, join(Conditions, " ∧ "));
  }
  bool Outside = It == Values.end() && !Reductions.empty();
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
  std::string Target = access(S.To);
  Formula Value = formula(S.Value);
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
    Domain.push_back(&I);
    if (I.Kind == IterKind::Reduction)
      Reductions.push_back(&I);
  }
  if (T.Mask)
    Conditions.push_back(formula(T.Mask).Text);
  statement(T.Body);
  if (T.Mask)
    Conditions.pop_back();
  Reductions.resize(Around);
}

void Writer::statement(const StmtRef &S) {
  if (!Root)
    Root = S;
  switch (S->Kind) {
  case StmtKind::Block:
    for (const StmtRef &Sub : cast<Block>(S.get())->Body)
      statement(Sub);
    break;
  case StmtKind::Decl: {
    auto *D = cast<Decl>(S.get());
    unsigned Uses = 0;
    forEachExpr(Root, [&](const ExprRef &E) {
      auto *U = dyn_cast<VarUse>(E.get());
      Uses += U && U->V == D->V;
    });
    std::vector<std::string> Saved = std::move(Conditions);
    Conditions.clear();
    if (D->Init && (Uses || assigns(Root, D->V.get())))
      setScalar(D->V.get(), formula(D->Init), Uses <= 1);
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
    Conditions.push_back(formula(I->Cond).Text);
    DenseMap<const Var *, Formula> Before = Values;
    statement(I->Then);
    if (I->Else) {
      Values = Before;
      Conditions.back() = "¬(" + Conditions.back() + ")";
      statement(I->Else);
    }
    Conditions.pop_back();
    Values = Before;
    // After a conditional assignment a scalar has no one formula.
    assignedVars(S, [&](const VarRef &V) { Values.erase(V.get()); });
    break;
  }
  case StmtKind::For:
    // Values change from turn to turn: names only.
    assignedVars(S, [&](const VarRef &V) { Values.erase(V.get()); });
    statement(cast<For>(S.get())->Body);
    assignedVars(S, [&](const VarRef &V) { Values.erase(V.get()); });
    break;
  case StmtKind::While:
    assignedVars(S, [&](const VarRef &V) { Values.erase(V.get()); });
    statement(cast<While>(S.get())->Body);
    assignedVars(S, [&](const VarRef &V) { Values.erase(V.get()); });
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
  Writer Plain;
  for (const Iterator *I : Domain) {
    auto *Step = dyn_cast<IntConst>(withoutImplicitCasts(I->Step).get());
    std::string Hi = " < " + Plain.formula(I->Hi).Text;
    if (!Step || Step->Value != 1)
      Hi += " step " + Plain.formula(I->Step).Text;
    std::string Bounds = Plain.formula(I->Lo).Text + " ≤ \x01" + Hi;
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
    if (W.Lines.empty() || width(W.Lines.back()) + width(Domain) > LineWidth)
      W.Lines.push_back(Domain);
    else
      W.Lines.back() += ",  " + Domain;
  }
  return join(W.Lines, "\n");
}

} // namespace raise
