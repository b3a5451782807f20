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
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <deque>

using namespace llvm;

namespace raise {
namespace {

constexpr size_t InlineWidth = 12, OnceWidth = 56, LineWidth = 100,
                 MaxLines = 8;

/// Scalars are followed through a statement as long as what is said of them
/// stays true: until one of the variables or buffers that it mentions changes.
class Writer {
public:
  std::vector<std::string> Lines;

  explicit Writer(const StmtRef &Root) : Root(Root) { statement(Root); }
  std::string domain() const;

private:
  void statement(const StmtRef &S);
  void decl(const Decl &D);
  void assign(const Assign &A);
  void accumulate(const Assign &A);
  void store(const Store &S);
  void choice(const If &I);
  void tensor(const TensorOp &T);
  void loop(const StmtRef &Body);

  void setScalar(const Var *V, Formula Value, const ExprRef &From, bool Once);
  bool setDigit(const VarRef &V, const ExprRef &Value);
  void setInteger(const Var *V, const ExprRef &Value);
  void forget(const void *Changed);
  void forgetAssigned(const StmtRef &Body);
  void settle(const StmtRef &Body);
  bool isReassigned(const Var *V) const;
  bool isBound(const Var *Inner, const Var *V) const;
  bool onlyAccumulates(const StmtRef &Body, const Var *V) const;
  void line(std::string Text) {
    if (!Conditions.empty())
      Text += "  where " + join(Conditions, " ∧ ");
    if (!is_contained(Lines, Text))
      Lines.push_back(std::move(Text));
  }

  /// Where a variable was declared: what stands around it is fixed for it.
  struct Place {
    size_t Loops = 0, Conditions = 0;
  };

  FormulaPrinter P;
  std::vector<const Iterator *> Ordered; ///< loops around but parallel ones
  std::vector<std::string> Conditions;
  DenseMap<const Var *, Place> DeclaredAt;
  /// The variables and buffers that a scalar's formula mentions.
  DenseMap<const Var *, DenseSet<const void *>> Mentions;
  /// Locals that are digits of another number, x = id % w, and their ranges.
  std::deque<Iterator> DigitRanges;
  std::vector<std::string> DigitLines;
  std::vector<const Iterator *> Domain;
  bool BetweenLoops = false; ///< the block being read holds loops, too
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

std::string assignment(const std::string &Target, Combiner Op,
                       const Formula &Value) {
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

bool holds(const ExprRef &E, function_ref<bool(const Expr &)> Test) {
  bool Found = false;
  forEachExpr(E, [&](const ExprRef &Sub) { Found |= Test(*Sub); });
  return Found;
}

bool divides(const ExprRef &E) {
  return holds(E, [](const Expr &Sub) {
    auto *B = dyn_cast<Binary>(&Sub);
    return B && (B->Op == BinaryOp::Div || B->Op == BinaryOp::Rem);
  });
}

bool reads(const ExprRef &E, const Buffer *B) {
  return holds(E, [&](const Expr &Sub) {
    auto *L = dyn_cast<Load>(&Sub);
    return L && L->From.Buf.get() == B;
  });
}

// --- What is known of scalars -----------------------------------------------

bool Writer::isReassigned(const Var *V) const {
  bool Found = false;
  forEachStmt(Root, [&](const StmtRef &S) {
    auto *A = dyn_cast<Assign>(S.get());
    auto *L = dyn_cast<For>(S.get());
    Found |= (A && A->V.get() == V) || (L && L->V.get() == V);
  });
  return Found;
}

void Writer::forget(const void *Changed) {
  std::vector<const Var *> Stale;
  for (auto &Entry : Mentions)
    if (Entry.second.count(Changed))
      Stale.push_back(Entry.first);
  for (const Var *V : Stale) {
    P.Values.erase(V);
    P.Lets.erase(V);
    Mentions.erase(V);
  }
}

void Writer::forgetAssigned(const StmtRef &Body) {
  assignedVars(Body, [&](const VarRef &V) {
    if (onlyAccumulates(Body, V.get()))
      return;
    P.Values.erase(V.get());
    P.Lets.erase(V.get());
    Mentions.erase(V.get());
    forget(V.get());
  });
  forEachStmt(Body, [&](const StmtRef &S) {
    if (auto *St = dyn_cast<Store>(S.get()))
      forget(St->To.Buf.get());
  });
}

/// Says what scalars hold that Body may change, since their names stand for
/// something else from there on.
void Writer::settle(const StmtRef &Body) {
  forEachStmt(Body, [&](const StmtRef &S) {
    auto *A = dyn_cast<Assign>(S.get());
    const Var *V = A ? A->V.get() : nullptr;
    if (!V || declaresInside(Body, V) || !P.Values.count(V) ||
        onlyAccumulates(Body, V))
      return;
    std::string Text = P.Values[V].Text;
    P.Values.erase(V);
    P.Lets.erase(V);
    Mentions.erase(V);
    if (Text != plainName(*V))
      line(plainName(*V) + " = " + Text);
  });
}

/// All that Body does with V is to combine values into it by one operator.
bool Writer::onlyAccumulates(const StmtRef &Body, const Var *V) const {
  std::optional<Combiner> Op;
  bool Only = !declaresInside(Body, V);
  forEachStmt(Body, [&](const StmtRef &S) {
    auto *A = dyn_cast<Assign>(S.get());
    if (!A || A->V.get() != V)
      return;
    Only &= !bigOperator(A->Op).empty() && Op.value_or(A->Op) == A->Op;
    Op = A->Op;
  });
  forEachExpr(Body, [&](const ExprRef &E) {
    auto *U = dyn_cast<VarUse>(E.get());
    Only &= !(U && U->V.get() == V);
  });
  return Only && Op;
}

/// Inner belongs to a loop inside the scope of V, where a sum binds it.
bool Writer::isBound(const Var *Inner, const Var *V) const {
  size_t Loops = DeclaredAt.lookup(V).Loops;
  for (const Iterator *I : ArrayRef(Ordered).drop_front(Loops))
    if (I->V.get() == Inner)
      return true;
  return DeclaredAt.lookup(Inner).Loops > Loops;
}

void Writer::setScalar(const Var *V, Formula Value, const ExprRef &From,
                       bool Once) {
  DenseSet<const void *> Uses;
  if (auto It = Mentions.find(V); It != Mentions.end())
    Uses = It->second; // a value that is added to what was there
  forEachExpr(From, [&](const ExprRef &E) {
    if (auto *L = dyn_cast<Load>(E.get()))
      Uses.insert(L->From.Buf.get());
    auto *U = dyn_cast<VarUse>(E.get());
    if (!U || isBound(U->V.get(), V))
      return;
    auto Inner = Mentions.find(U->V.get());
    Uses.insert(U->V.get());
    if (Inner != Mentions.end())
      Uses.insert(Inner->second.begin(), Inner->second.end());
  });
  Uses.erase(V);
  P.Values.erase(V);
  Mentions.erase(V);
  forget(V);
  size_t Limit = Once ? OnceWidth : InlineWidth;
  if (Value.Strength == Atom || P.Lets.count(V) ||
      columns(Value.Text) <= Limit) {
    P.Values[V] = std::move(Value);
    Mentions[V] = std::move(Uses);
    return;
  }
  // A plain local can be read in the code below; what a loop made of it, and
  // what stands between loops, is worth a line.
  if (BetweenLoops || StringRef(Value.Text).contains('_'))
    line(plainName(*V) + " = " + Value.Text);
}

/// A local that is a quotient or a remainder keeps its name.
bool Writer::setDigit(const VarRef &V, const ExprRef &Value) {
  if (!V->Ty.isInt() || V->Kind == VarKind::Cursor || !divides(Value) ||
      isReassigned(V.get()))
    return false;
  ExprRef Hi = build::intConst(int64_t(1) << 30, Type::getI64());
  auto *B = dyn_cast<Binary>(withoutImplicitCasts(Value).get());
  if (B && B->Op == BinaryOp::Rem)
    Hi = B->R;
  ExprRef Zero = build::intConst(0, Type::getI64());
  ExprRef One = build::intConst(1, Type::getI64());
  DigitRanges.push_back({V, Zero, Hi, One, IterKind::Parallel});
  P.Domain.push_back(&DigitRanges.back());
  DigitLines.push_back(plainName(*V) + " = " + P.of(Value).Text);
  return true;
}

/// Integers are followed as expressions, so that indices can be told apart.
void Writer::setInteger(const Var *V, const ExprRef &Value) {
  if (V->Ty.isInt() && Value->Ty == V->Ty)
    P.Lets[V] = Value;
  else
    P.Lets.erase(V);
}

void Writer::decl(const Decl &D) {
  const Var *V = D.V.get();
  DeclaredAt[V] = {Ordered.size(), Conditions.size()};
  P.Values.erase(V);
  P.Lets.erase(V);
  Mentions.erase(V);
  if (!D.Init)
    return;
  unsigned Uses = 0;
  forEachExpr(Root, [&](const ExprRef &E) {
    auto *U = dyn_cast<VarUse>(E.get());
    Uses += U && U->V.get() == V;
  });
  std::vector<std::string> Saved = std::move(Conditions);
  Conditions.clear();
  ExprRef Value = substitute(D.Init, P.Lets);
  if (!setDigit(D.V, Value)) {
    setInteger(V, Value);
    setScalar(V, P.of(Value), Value, Uses <= 1);
  }
  Conditions = std::move(Saved);
}

static std::optional<BinaryOp> operatorOf(Combiner Op) {
  switch (Op) {
  case Combiner::Add:
    return BinaryOp::Add;
  case Combiner::Sub:
    return BinaryOp::Sub;
  case Combiner::Mul:
    return BinaryOp::Mul;
  case Combiner::Div:
    return BinaryOp::Div;
  case Combiner::Rem:
    return BinaryOp::Rem;
  default:
    return std::nullopt;
  }
}

void Writer::assign(const Assign &A) {
  const Var *V = A.V.get();
  Place At = DeclaredAt.lookup(V);
  bool InLoop = Ordered.size() > At.Loops;
  ExprRef Value = substitute(A.Value, P.Lets);
  if (A.Op != Combiner::None && InLoop && P.Values.count(V))
    return accumulate(A);
  if (A.Op != Combiner::None && !InLoop && !V->Ty.isBool()) {
    // One step on from what it held.
    auto Known = P.Lets.find(V);
    auto Op = operatorOf(A.Op);
    if (Op && Known != P.Lets.end() && Known->second->Ty == Value->Ty) {
      Value = build::binary(*Op, Known->second, Value);
      setInteger(V, Value);
      return setScalar(V, P.of(Value), Value, false);
    }
  }
  if (A.Op == Combiner::None && !InLoop && Conditions.size() == At.Conditions) {
    Formula Text = P.of(Value);
    Mentions.erase(V);
    setInteger(V, Value);
    return setScalar(V, Text, Value, false);
  }
  if (A.Op != Combiner::None && InLoop && onlyAccumulates(Root, V))
    return accumulate(A);
  // No one formula holds: say what is done.
  P.Values.erase(V);
  P.Lets.erase(V);
  line(assignment(plainName(*V), A.Op, P.of(Value)));
  Mentions.erase(V);
  forget(V);
}

// --- Loops ------------------------------------------------------------------

/// The iterators that a combined value ranges over: "i", "j,k".
std::string subscripts(ArrayRef<const Iterator *> Iterators) {
  std::vector<std::string> Names;
  for (const Iterator *I : Iterators)
    Names.push_back(plainName(*I->V));
  return join(Names, ",");
}

Formula combinedOver(ArrayRef<const Iterator *> Over, Combiner Op,
                     const Formula &F, StringRef Condition) {
  std::string Under = subscripts(Over);
  if (!Condition.empty())
    Under = "{" + Under + ": " + Condition.str() + "}";
  return {bigOperator(Op).str() + "_" + Under + " " + within(F, Product), Sum};
}

/// A value that a loop combines into a scalar.
void Writer::accumulate(const Assign &A) {
  const Var *V = A.V.get();
  Place At = DeclaredAt.lookup(V);
  ArrayRef<const Iterator *> Over = ArrayRef(Ordered).drop_front(At.Loops);
  std::vector<std::string> Under(Conditions.begin() + ptrdiff_t(At.Conditions),
                                 Conditions.end());
  Formula Value = combinedOver(Over, A.Op, P.of(A.Value), join(Under, " ∧ "));
  std::vector<std::string> Saved = Conditions;
  Conditions.resize(At.Conditions);
  P.Lets.erase(V);
  auto It = P.Values.find(V);
  if (It == P.Values.end()) {
    line(assignment(plainName(*V), A.Op, Value));
    Conditions = std::move(Saved);
    return;
  }
  Formula Old = It->second;
  bool Zero = Old.Text == "0" || Old.Text == "0.0";
  bool One = Old.Text == "1" || Old.Text == "1.0";
  if (A.Op == Combiner::Sub)
    Value = {(Zero ? "-" : within(Old, Sum) + " - ") + within(Value, Product),
             Sum};
  else if (A.Op == Combiner::Add && !Zero)
    Value = {within(Old, Sum) + " + " + Value.Text, Sum};
  else if (A.Op == Combiner::Mul && !One)
    Value = {within(Old, Product) + "·" + within(Value, Atom), Product};
  else if (A.Op == Combiner::Min || A.Op == Combiner::Max) {
    bool Empty = Old.Text == (A.Op == Combiner::Min ? "∞" : "-∞");
    if (!Empty)
      Value = {std::string(A.Op == Combiner::Min ? "min(" : "max(") + Old.Text +
                   ", " + Value.Text + ")",
               Atom};
  } else if (A.Op != Combiner::Add && A.Op != Combiner::Mul) {
    Value = {Old.Text + " " + spelling(A.Op).str() + " " + Value.Text, Choice};
  }
  setScalar(V, Value, substitute(A.Value, P.Lets), true);
  Conditions = std::move(Saved);
}

void Writer::store(const Store &S) {
  std::string Target = P.access(S.To);
  Formula Value = P.of(S.Value);
  // What the target's place does not depend on is combined over; of a place in
  // terms of locals that is not known.
  std::vector<const Iterator *> Over;
  bool Locals = false;
  for (const ExprRef &E : S.To.Indices) {
    ExprRef Place = substitute(E, P.Lets);
    Locals |= holds(Place, [&](const Expr &Sub) {
      auto *U = dyn_cast<VarUse>(&Sub);
      bool Iterates =
          U && any_of(Domain, [&](const Iterator *I) { return I->V == U->V; });
      return isa<Load>(Sub) || (U && !Iterates && U->V->Kind != VarKind::Param);
    });
  }
  for (const Iterator *I : Ordered)
    if (!any_of(S.To.Indices, [&](const ExprRef &E) {
          return uses(substitute(E, P.Lets), I->V.get());
        }))
      Over.push_back(I);
  bool Combines = !Over.empty() && !Locals && !bigOperator(S.Op).empty() &&
                  !reads(S.Value, S.To.Buf.get());
  if (Combines)
    Value = combinedOver(Over, S.Op, Value, "");
  line(assignment(Target, S.Op, Value));
  forget(S.To.Buf.get());
}

void Writer::loop(const StmtRef &Body) {
  settle(Body);
  forgetAssigned(Body);
  statement(Body);
  forgetAssigned(Body);
}

void Writer::tensor(const TensorOp &T) {
  size_t Around = Ordered.size();
  settle(T.Body);
  forgetAssigned(T.Body);
  for (const Iterator &I : T.Iterators) {
    Domain.push_back(&I);
    P.Domain.push_back(&I);
    if (I.Kind != IterKind::Parallel)
      Ordered.push_back(&I);
  }
  size_t Depth = Conditions.size();
  if (T.Mask)
    Conditions.push_back(within(P.of(T.Mask), And));
  statement(T.Body);
  Conditions.resize(Depth);
  Ordered.resize(Around);
  forgetAssigned(T.Body);
}

void Writer::choice(const If &I) {
  for (const StmtRef &Branch : {I.Then, I.Else})
    if (Branch && Ordered.empty())
      settle(Branch);
  Formula Cond = P.of(I.Cond);
  size_t Depth = Conditions.size();
  auto Before = P;
  Conditions.push_back(within(Cond, And));
  statement(I.Then);
  if (I.Else) {
    P.Values = Before.Values;
    P.Lets = Before.Lets;
    Conditions.resize(Depth);
    Conditions.push_back("¬" + within(Cond, Atom));
    statement(I.Else);
  }
  Conditions.resize(Depth);
  P.Values = Before.Values;
  P.Lets = Before.Lets;
  // After a conditional change nothing holds for certain.
  auto Drop = [&](const StmtRef &S) {
    if (S)
      forEachStmt(S, [&](const StmtRef &Sub) {
        if (auto *A = dyn_cast<Assign>(Sub.get())) {
          P.Values.erase(A->V.get());
          P.Lets.erase(A->V.get());
          forget(A->V.get());
        } else if (auto *St = dyn_cast<Store>(Sub.get())) {
          forget(St->To.Buf.get());
        }
      });
  };
  Drop(I.Then);
  Drop(I.Else);
}

void Writer::statement(const StmtRef &S) {
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
  case StmtKind::Decl:
    return decl(*cast<Decl>(S.get()));
  case StmtKind::Assign:
    return assign(*cast<Assign>(S.get()));
  case StmtKind::Store:
    return store(*cast<Store>(S.get()));
  case StmtKind::If:
    return choice(*cast<If>(S.get()));
  case StmtKind::For:
    return loop(cast<For>(S.get())->Body);
  case StmtKind::While:
    return loop(cast<While>(S.get())->Body);
  case StmtKind::TensorOp:
    return tensor(*cast<TensorOp>(S.get()));
  case StmtKind::Region:
    return statement(cast<Region>(S.get())->Body);
  default:
    break;
  }
}

/// "0 ≤ i, j < n, 1 ≤ k < m".
std::string Writer::domain() const {
  std::vector<std::pair<std::string, std::string>> Ranges; // bounds, names
  FormulaPrinter Plain;
  for (const Iterator *I : Domain) {
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
  // A few digits are worth naming; many are easier to read in the code.
  std::string Digits = join(DigitLines, ", ");
  if (!Digits.empty() && columns(Digits) <= LineWidth)
    Texts.push_back(Digits);
  return join(Texts, ", ");
}

} // namespace

std::string notation(const StmtRef &S) {
  Writer W(S);
  if (W.Lines.size() > MaxLines) {
    W.Lines.resize(MaxLines);
    W.Lines.push_back("…");
  }
  std::string Domain = W.domain();
  if (!Domain.empty()) {
    if (W.Lines.empty() ||
        columns(W.Lines.back()) + columns(Domain) > LineWidth)
      W.Lines.push_back(Domain);
    else
      W.Lines.back() += ",  " + Domain;
  }
  return join(W.Lines, "\n");
}

} // namespace raise
