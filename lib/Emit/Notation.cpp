//===- Notation.cpp - what a statement computes, in index notation --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Notation.h"
#include "raise/Emit/OpenMP.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <limits>
#include <map>
#include <set>

using namespace llvm;

namespace raise {

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

// --- Sums -------------------------------------------------------------------

void NotationPrinter::addRange(const Range &R) {
  if (R.Cond != BinaryOp::LT)
    return;
  Iterators.push_back({R.V, R.Lo, R.Hi, R.Step, IterKind::Parallel});
  P.Domain.push_back(&Iterators.back());
}

void NotationPrinter::addDigit(const VarRef &V, const ExprRef &Value) {
  ExprRef Hi = build::intConst(int64_t(1) << 30, Type::getI64());
  auto *B = dyn_cast<Binary>(withoutImplicitCasts(Value).get());
  if (B && B->Op == BinaryOp::Rem)
    Hi = B->R;
  ExprRef Zero = build::intConst(0, Type::getI64());
  ExprRef One = build::intConst(1, Type::getI64());
  addRange({V, Zero, Hi, One, BinaryOp::LT, false});
}

void NotationPrinter::rename(const Var *V, std::string Text) {
  P.Values[V] = {std::move(Text), Atom};
  Renamed.insert(V);
}

bool NotationPrinter::restoreNames() {
  bool Any = !Renamed.empty();
  for (const Var *V : Renamed)
    P.Values.erase(V);
  Renamed.clear();
  return Any;
}

Formula NotationPrinter::combined(const Combined &C) const {
  std::vector<std::string> Names, Under;
  for (const Range &R : C.Over)
    Names.push_back(plainName(*R.V));
  for (const ExprRef &E : C.Under)
    Under.push_back(within(of(E), And));
  std::string Text = llvm::join(Names, ",");
  if (!Under.empty())
    Text = "{" + Text + ": " + llvm::join(Under, " ∧ ") + "}";
  else if (Names.size() > 1)
    Text = "{" + Text + "}";
  // How far a sum reaches to the right is shown wherever more could follow.
  return {bigOperator(C.Op).str() + "_" + Text + " " +
              within(of(C.Value), Product),
          Compare};
}

static bool isConstant(const ExprRef &E, double Value) {
  ExprRef Bare = withoutImplicitCasts(E);
  if (auto *C = dyn_cast<FloatConst>(Bare.get()))
    return C->Value == Value;
  auto *C = dyn_cast<IntConst>(Bare.get());
  return C && double(C->Value) == Value;
}

/// What combining with changes nothing.
static double neutral(Combiner Op) {
  constexpr double Infinity = std::numeric_limits<double>::infinity();
  switch (Op) {
  case Combiner::Mul:
    return 1;
  case Combiner::Min:
    return Infinity;
  case Combiner::Max:
    return -Infinity;
  default:
    return 0;
  }
}

static Formula join(const Formula &Old, Combiner Op, const Formula &Term,
                    bool Empty) {
  switch (Op) {
  case Combiner::Add:
    return Empty ? Term
                 : Formula{within(Old, Additive) + " + " + Term.Text, Additive};
  case Combiner::Sub:
    return {(Empty ? "-" : within(Old, Additive) + " - ") +
                within(Term, Product),
            Additive};
  case Combiner::Mul:
    return Empty ? Term
                 : Formula{within(Old, Product) + "·" + within(Term, Atom),
                           Product};
  case Combiner::Min:
  case Combiner::Max:
    if (Empty)
      return Term;
    return {std::string(Op == Combiner::Min ? "min(" : "max(") + Old.Text +
                ", " + Term.Text + ")",
            Atom};
  default:
    return {within(Old, Atom) + " " + spelling(Op).drop_back().str() + " " +
                within(Term, Atom),
            Choice};
  }
}

void NotationPrinter::addSum(const Sum &S) {
  Formula Whole = of(S.Init);
  bool Empty = isConstant(S.Init, neutral(S.Terms.front().Op));
  for (const Combined &C : S.Terms) {
    Whole = join(Whole, C.Op, combined(C), Empty);
    Empty = false;
  }
  P.Values[S.Name.get()] = Whole;
}

// --- The whole --------------------------------------------------------------

namespace {

constexpr size_t LineWidth = 100, MaxLines = 8;

/// What an equation mentions: everything that a reader has to know by name.
struct Names {
  std::vector<const Range *> Bound;
  /// The loops and sums around what is being collected, and whether a name
  /// there hides another.
  std::vector<const Range *> Around;
  bool Hides = false;
  std::vector<const Var *> Vars;
  std::vector<const Buffer *> Buffers;
};

class Writer {
public:
  explicit Writer(const Equations &All);
  /// "" where a name would mean two things, or there is too much to say.
  std::string text();

private:
  std::string target(const Equation &E) const;
  std::string line(const Equation &E) const;
  static std::string assignment(const std::string &Target, Combiner Op,
                                const std::string &Value);
  void collect(const ExprRef &E, Names &N) const;
  void collect(const Combined &C, Names &N) const;
  static void enter(const Range &R, Names &N);
  Names namesOf(const Equation &E) const;
  /// The loops that repeat an update without being mentioned in it: "k".
  std::string repeats(const Equation &E) const;
  bool isAmbiguous(ArrayRef<Names> PerLine) const;
  std::string domain(ArrayRef<const Range *> Ranges);
  /// "0 ≤ \x01 < n", with the place of the variable.
  std::string bounds(const Range &R);

  const Equations &All;
  NotationPrinter P;
  DenseMap<const Var *, const Sum *> Sums;
};

Writer::Writer(const Equations &All) : All(All) {
  for (const Equation &E : All.Lines) {
    for (const Range &R : E.Loops)
      P.addRange(R);
    for (const Range &R : E.Over)
      P.addRange(R);
    if (E.Lasting)
      P.addDigit(E.Scalar, E.Value);
  }
  for (const Sum &S : All.Sums) {
    for (const Combined &C : S.Terms)
      for (const Range &R : C.Over)
        P.addRange(R);
    P.addSum(S);
    Sums[S.Name.get()] = &S;
  }
}

// --- Lines ------------------------------------------------------------------

std::string Writer::target(const Equation &E) const {
  if (E.Scalar)
    return plainName(*E.Scalar);
  return E.Array ? E.Array->Name : P.access(E.Element);
}

std::string Writer::assignment(const std::string &Target, Combiner Op,
                               const std::string &Value) {
  switch (Op) {
  case Combiner::None:
    return Target + " = " + Value;
  case Combiner::Min:
  case Combiner::Max:
    return Target + " = " + (Op == Combiner::Min ? "min(" : "max(") + Target +
           ", " + Value + ")";
  default:
    return Target + " " + spelling(Op).str() + " " + Value;
  }
}

std::string Writer::line(const Equation &E) const {
  std::string Target = target(E);
  if (E.Array) {
    std::vector<std::string> Values;
    Values.reserve(E.Values.size());
    for (const ExprRef &V : E.Values)
      Values.push_back(P.of(V).Text);
    return Target + " = {" + llvm::join(Values, ", ") + "}";
  }
  if (!E.Over.empty())
    return assignment(Target, E.Op,
                      P.combined({E.Op, E.Over, E.Under, E.Value}).Text);
  // What a loop adds to a scalar that keeps its name.
  auto *U = dyn_cast<VarUse>(E.Value.get());
  const Sum *S = U ? Sums.lookup(U->V.get()) : nullptr;
  if (S && E.Scalar && S->Terms.size() == 1) {
    auto *Old = dyn_cast<VarUse>(S->Init.get());
    if (Old && Old->V == E.Scalar)
      return assignment(Target, S->Terms[0].Op, P.combined(S->Terms[0]).Text);
  }
  return assignment(Target, E.Op, P.of(E.Value).Text);
}

// --- Names ------------------------------------------------------------------

template <typename List, typename Item> void addOnce(List &L, Item I) {
  if (!is_contained(L, I))
    L.push_back(I);
}

void Writer::collect(const Combined &C, Names &N) const {
  size_t Outer = N.Around.size();
  for (const Range &R : C.Over) {
    enter(R, N);
    addOnce(N.Bound, &R);
  }
  for (const ExprRef &E : C.Under)
    collect(E, N);
  collect(C.Value, N);
  N.Around.resize(Outer);
}

void Writer::enter(const Range &R, Names &N) {
  for (const Range *Outer : N.Around)
    N.Hides |= Outer->V != R.V && plainName(*Outer->V) == plainName(*R.V);
  N.Around.push_back(&R);
}

void Writer::collect(const ExprRef &E, Names &N) const {
  if (!E)
    return;
  forEachExpr(E, [&](const ExprRef &Sub) {
    if (auto *L = dyn_cast<Load>(Sub.get()))
      addOnce(N.Buffers, L->From.Buf.get());
    auto *U = dyn_cast<VarUse>(Sub.get());
    if (!U)
      return;
    const Sum *S = Sums.lookup(U->V.get());
    if (!S) {
      for (const Range *R : N.Around)
        N.Hides |= R->V != U->V && plainName(*R->V) == plainName(*U->V);
      return addOnce(N.Vars, U->V.get());
    }
    collect(S->Init, N);
    for (const Combined &C : S->Terms)
      collect(C, N);
  });
}

Names Writer::namesOf(const Equation &E) const {
  Names N;
  for (const Range &R : E.Loops) {
    enter(R, N);
    N.Bound.push_back(&R);
  }
  if (E.Scalar)
    N.Vars.push_back(E.Scalar.get());
  if (E.Array)
    N.Buffers.push_back(E.Array.get());
  if (E.Element.Buf) {
    N.Buffers.push_back(E.Element.Buf.get());
    for (const ExprRef &I : E.Element.Indices)
      collect(I, N);
  }
  for (const ExprRef &V : E.Values)
    collect(V, N);
  for (const ExprRef &C : E.Where)
    collect(C, N);
  if (E.Over.empty()) {
    collect(E.Value, N);
  } else {
    for (const Range &R : E.Over) {
      enter(R, N);
      N.Bound.push_back(&R);
    }
    for (const ExprRef &C : E.Under)
      collect(C, N);
    collect(E.Value, N);
  }
  N.Around.clear();
  for (size_t I = 0; I < N.Bound.size(); ++I) {
    const Range &R = *N.Bound[I];
    Names Own;
    for (const ExprRef &X : {R.Lo, R.Hi, R.Step})
      collect(X, Own);
    for (const Var *V : Own.Vars)
      if (plainName(*V) != plainName(*R.V)) // those get a mark
        addOnce(N.Vars, V);
    for (const Buffer *B : Own.Buffers)
      addOnce(N.Buffers, B);
    for (const Range *More : Own.Bound)
      addOnce(N.Bound, More);
  }
  return N;
}

std::string Writer::repeats(const Equation &E) const {
  Names N;
  if (E.Element.Buf)
    for (const ExprRef &I : E.Element.Indices)
      collect(I, N);
  for (const ExprRef &C : E.Where)
    collect(C, N);
  collect(E.Value, N);
  // Doing it again does the same, unless what is there goes into it.
  bool Updates =
      E.Op != Combiner::None || is_contained(N.Vars, E.Scalar.get()) ||
      (E.Element.Buf && is_contained(N.Buffers, E.Element.Buf.get()));
  // A local stands for the iterations of the loops that it is first set in.
  if (E.Scalar)
    N.Vars.push_back(E.Scalar.get());
  for (const Equation &Other : All.Lines)
    if (Other.Scalar && Other.Op == Combiner::None && Other.Where.empty() &&
        is_contained(N.Vars, Other.Scalar.get()) &&
        !uses(Other.Value, Other.Scalar.get()))
      for (const Range &R : Other.Loops)
        N.Vars.push_back(R.V.get());
  std::vector<std::string> Missing;
  for (const Range &R : E.Loops)
    if (Updates && !is_contained(N.Vars, R.V.get()) && !E.Declares)
      Missing.push_back(plainName(*R.V));
  return llvm::join(Missing, ", ");
}

/// Whether some name stands for two things where a reader cannot tell which.
bool Writer::isAmbiguous(ArrayRef<Names> PerLine) const {
  struct Use {
    const void *What;
    const Var *Local; ///< declared by an equation
    size_t Last, Depth;
  };
  std::map<std::string, Use> Known;
  std::set<std::string> Iterators;
  for (size_t At = 0; At < PerLine.size(); ++At) {
    const Names &N = PerLine[At];
    DenseSet<const Var *> Bound;
    bool Clash = N.Hides;
    auto Add = [&](const std::string &Name, const void *What) {
      const Equation &E = All.Lines[At];
      const Var *Local =
          E.Declares && E.Scalar.get() == What ? E.Scalar.get() : nullptr;
      auto [It, New] =
          Known.insert({Name, Use{What, Local, At, E.Loops.size()}});
      Use &Old = It->second;
      if (!New && Old.What != What) {
        // A local of its own in a later, equally deep loop is read as such.
        Clash |= !Old.Local || !Local || Old.Depth != E.Loops.size() ||
                 Old.Last >= At;
        Old = {What, Local, At, E.Loops.size()};
      }
      Old.Last = At;
    };
    for (const Range *R : N.Bound) {
      Bound.insert(R->V.get());
      Iterators.insert(plainName(*R->V));
    }
    for (const Var *V : N.Vars)
      if (!Bound.count(V))
        Add(plainName(*V), V);
    for (const Buffer *B : N.Buffers)
      Add(B->Name, B);
    if (Clash)
      return true;
  }
  return any_of(
      Known, [&](const auto &Entry) { return Iterators.count(Entry.first); });
}

// --- Ranges -----------------------------------------------------------------

std::string Writer::bounds(const Range &R) {
  // What the variable itself held before the loop.
  std::string Name = plainName(*R.V);
  for (const ExprRef &E : {R.Lo, R.Hi, R.Step})
    forEachExpr(E, [&](const ExprRef &Sub) {
      auto *U = dyn_cast<VarUse>(Sub.get());
      if (U && plainName(*U->V) == Name)
        P.rename(U->V.get(), Name + "₀");
    });
  std::string Lo = P.of(R.Lo).Text, Hi = P.of(R.Hi).Text;
  std::string Step = P.of(R.Step).Text, Text;
  bool Renamed = P.restoreNames();
  switch (R.Cond) {
  case BinaryOp::GT:
    Text = Hi + " < \x01 ≤ " + Lo;
    break;
  case BinaryOp::GE:
    Text = Hi + " ≤ \x01 ≤ " + Lo;
    break;
  case BinaryOp::LE:
    Text = Lo + " ≤ \x01 ≤ " + Hi;
    break;
  case BinaryOp::NE:
    Text = "\x01 = " + Lo + ", … up to, not with, " + Hi;
    break;
  default:
    Text = Lo + " ≤ \x01 < " + Hi;
  }
  if (Step != "1")
    Text += " step " + Step;
  if (Renamed)
    Text += " (" + Name + "₀: " + Name + " before)";
  return Text;
}

/// "0 ≤ i, j < n, 1 ≤ k < m".
std::string Writer::domain(ArrayRef<const Range *> Ranges) {
  MapVector<StringRef, std::vector<std::string>> Grouped; // bounds, names
  std::deque<std::string> Kept;
  for (const Range *R : Ranges) {
    Kept.push_back(bounds(*R));
    addOnce(Grouped[Kept.back()], plainName(*R->V));
  }
  std::vector<std::string> Texts;
  for (auto &[Bounds, Names] : Grouped) {
    size_t At = Bounds.find('\x01');
    Texts.push_back((Bounds.take_front(At) + llvm::join(Names, ", ") +
                     Bounds.drop_front(At + 1))
                        .str());
  }
  return llvm::join(Texts, ", ");
}

std::string Writer::text() {
  if (!All.Known)
    return "";
  std::vector<Names> PerLine;
  for (const Equation &E : All.Lines) {
    if (E.Scalar && E.Scalar->Kind == VarKind::Cursor)
      return ""; // a moving pointer says little
    PerLine.push_back(namesOf(E));
  }
  if (isAmbiguous(PerLine))
    return "";
  // One range for each name is said once, at the end.
  std::map<std::string, std::string> RangeOf;
  std::vector<const Range *> Whole;
  bool Together = true;
  for (const Names &N : PerLine)
    for (const Range *R : N.Bound) {
      std::string Text = bounds(*R);
      auto [It, New] = RangeOf.insert({plainName(*R->V), Text});
      Together &= It->second == Text;
      if (New)
        Whole.push_back(R);
    }
  std::vector<std::string> Lines, Tail;
  for (size_t I = 0; I < All.Lines.size(); ++I) {
    const Equation &E = All.Lines[I];
    std::string Text = line(E);
    if (E.Lasting) {
      Tail.push_back(std::move(Text));
      continue;
    }
    std::vector<std::string> Where;
    for (const ExprRef &C : E.Where) // a local is there only to be used there
      if (!E.Declares)
        addOnce(Where, within(P.of(C), And));
    if (!Where.empty())
      Text += "  where " + llvm::join(Where, " ∧ ");
    if (std::string Each = repeats(E); !Each.empty())
      Text += "  for each " + Each;
    std::string Domain = Together ? "" : domain(PerLine[I].Bound);
    if (!Domain.empty())
      Text += ",  " + Domain;
    Lines.push_back(std::move(Text));
  }
  if (Lines.size() > MaxLines)
    return "";
  if (std::string Domain = domain(Whole); Together && !Domain.empty())
    Tail.insert(Tail.begin(), Domain);
  std::string End = llvm::join(Tail, ", ");
  if (!End.empty()) {
    if (Lines.empty() || columns(Lines.back()) + columns(End) > LineWidth)
      Lines.push_back(End);
    else
      Lines.back() += ",  " + End;
  }
  return llvm::join(Lines, "\n");
}

} // namespace

std::string notation(const StmtRef &S, ArrayRef<Guard> Guards) {
  Equations All = equationsOf(S, Guards);
  return Writer(All).text();
}

std::string notation(const Region &R) {
  return notation(R.Body, R.Rests.Guards);
}

} // namespace raise
