//===- Notation.cpp - what a statement computes, in index notation --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Notation.h"
#include "raise/Emit/OpenMP.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <map>
#include <set>

using namespace llvm;

namespace raise {

// --- The whole --------------------------------------------------------------

namespace {

constexpr size_t LineWidth = 100, MaxLines = 8;
/// An iterator that is less than this has no bound.
constexpr int64_t NoEnd = int64_t(1) << 62;

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
  bool findExits();
  std::string exitLine(const Equation &E) const;
  std::string ofSearch(const Equation &E, std::string &Text,
                       std::vector<ExprRef> &Where) const;
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
  /// How a loop with this iterator ends early.
  DenseMap<const Var *, const Equation *> Exits;
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

// --- Searches ---------------------------------------------------------------

/// False where a loop ends early in more ways than one, or without a test.
bool Writer::findExits() {
  for (const Equation &E : All.Lines)
    if (E.Leaves && (E.Loops.empty() || E.Where.empty() ||
                     !Exits.insert({E.Loops.back().V.get(), &E}).second))
      return false;
  return true;
}

/// What a way out does, but for ending the loop; "" for nothing.
std::string Writer::exitLine(const Equation &E) const {
  if (auto *O = dyn_cast<Opaque>(E.At))
    return StringRef(O->Text).rtrim("; \n").str();
  if (!isa<Return>(E.At))
    return "";
  return E.Value ? "return " + P.of(E.Value).Text : "return";
}

/// Which iterations of a loop that ends early E is of, with Text, which says E
/// itself, made shorter where that is the first of them. Where loses what is
/// said.
std::string Writer::ofSearch(const Equation &E, std::string &Text,
                             std::vector<ExprRef> &Where) const {
  const Equation *Exit = nullptr;
  for (const Range &R : E.Loops)
    if (auto It = Exits.find(R.V.get()); It != Exits.end())
      Exit = It->second;
  if (!Exit)
    return "";
  const Range &Over = Exit->Loops.back();
  std::string Name = plainName(*Over.V), Test;
  for (const ExprRef &C : Exit->Where)
    Test += (Test.empty() ? "" : " ∧ ") + within(P.of(C), And);
  bool Later = &E > Exit;
  bool Same = Where.size() >= Exit->Where.size();
  for (size_t I = 0; Same && I < Exit->Where.size(); ++I)
    Same = structurallyEqual(Where[I], Exit->Where[I]);
  if (!Same || Later)
    return std::string(Later ? "before" : "up to") + " the first " + Name +
           " with " + Test;
  // Done on the way out.
  Where.erase(Where.begin(), Where.begin() + ptrdiff_t(Exit->Where.size()));
  auto *U = E.Value && E.Op == Combiner::None
                ? dyn_cast<VarUse>(withoutImplicitCasts(E.Value).get())
                : nullptr;
  if (!U || U->V != Over.V || !Where.empty())
    return "at the first " + Name + " with " + Test;
  std::string Place = "min {" + Name + ": " + Test + "}";
  Text = E.Leaves ? "return " + Place
                  : assignment(target(E), Combiner::None, Place);
  return "if any";
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
    if (U->V->Kind == VarKind::External && U->V->Base)
      return addOnce(N.Buffers, U->V->Base.get());
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
  auto *End = dyn_cast<IntConst>(R.Hi.get());
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
    Text = Lo + " ≤ \x01";
    // A walk has no end of its own.
    if (!End || End->Value < NoEnd)
      Text += " < " + Hi;
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
  if (isAmbiguous(PerLine) || !findExits())
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
    std::string Text = E.Leaves ? exitLine(E) : line(E);
    if (Text.empty())
      continue;
    if (E.Lasting) {
      Tail.push_back(std::move(Text));
      continue;
    }
    std::vector<std::string> Where;
    std::vector<ExprRef> Tests = E.Where;
    if (E.Declares) // a local is there only to be used there
      Tests.clear();
    std::string Which = E.Declares ? "" : ofSearch(E, Text, Tests);
    if (!Which.empty())
      Text += "  " + Which;
    for (const ExprRef &C : Tests)
      addOnce(Where, within(P.of(C), And));
    if (!Where.empty())
      Text += "  where " + llvm::join(Where, " ∧ ");
    std::string Each = E.Leaves ? "" : repeats(E);
    if (!Each.empty())
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

/// Calls of functions without a body as values, with pointers by their names.
class CallValues : public Rewriter {
public:
  StmtRef rewriteStmt(const StmtRef &S) override {
    auto *O = dyn_cast<Opaque>(S.get());
    if (!O || !O->Pure)
      return S;
    const PureCall &C = *O->Pure;
    auto Fn = std::make_shared<Callee>();
    Fn->Name = C.Name;
    Fn->Result = C.Result->Ty;
    std::vector<ExprRef> Args;
    for (const PureCall::Argument &A : C.Args) {
      ExprRef E = A.Value;
      if (A.Base) {
        auto At = std::make_shared<Var>();
        At->Name = A.Base->Name;
        At->Ty = Type::getI64();
        At->Kind = VarKind::External;
        At->Base = A.Base;
        E = build::add(build::var(At), build::cast(E, At->Ty));
      }
      Fn->Params.push_back(E->Ty);
      Args.push_back(std::move(E));
    }
    return std::make_shared<Assign>(C.Result, Combiner::None,
                                    build::call(Fn, std::move(Args)), S->Loc);
  }
};

} // namespace

std::string notation(const StmtRef &S, ArrayRef<Guard> Guards) {
  StmtRef Shown = CallValues().run(S);
  Equations All = equationsOf(Shown, Guards);
  return Writer(All).text();
}

std::string notation(const Region &R) {
  return notation(R.meaning(), R.Rests.Guards);
}

} // namespace raise
