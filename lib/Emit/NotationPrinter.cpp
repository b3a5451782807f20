//===- NotationPrinter.cpp - expressions in which names stand for sums ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Notation.h"
#include "llvm/ADT/StringExtras.h"
#include <limits>

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

} // namespace raise
