//===- DevicePoints.cpp - which threads run an operation ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "DevicePoints.h"
#include "raise/IR/SizeTest.h"
#include "raise/IR/Visitor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace raise::device {

static bool hangsOn(const Iterator &It, ArrayRef<Iterator> Outer) {
  return any_of(Outer, [&](const Iterator &O) {
    return uses(It.Lo, O.V.get()) || uses(It.Hi, O.V.get()) ||
           uses(It.Step, O.V.get());
  });
}

Points pointsOf(const TensorOp &T) {
  Points P;
  size_t K = 0;
  while (K < T.Iterators.size() && T.Iterators[K].Kind == IterKind::Parallel &&
         !hangsOn(T.Iterators[K], P.Iterators))
    P.Iterators.push_back(T.Iterators[K++]);
  if (K == T.Iterators.size())
    P.Body =
        T.Mask ? std::make_shared<If>(T.Mask, T.Body, nullptr, T.Loc) : T.Body;
  else
    P.Body = std::make_shared<TensorOp>(
        std::vector<Iterator>(T.Iterators.begin() + K, T.Iterators.end()),
        T.Mask, T.Body, T.OpKind, T.Loc);
  return P;
}

std::optional<int64_t> factorOf(const Var *V, const ExprRef &E) {
  if (!uses(E, V))
    return 0;
  if (auto *U = dyn_cast<VarUse>(E.get()))
    return U->V.get() == V ? 1 : 0;
  if (auto *C = dyn_cast<Cast>(E.get())) // what wraps is no multiple
    return C->Ty.isInt() && C->Ty.Bits >= C->Operand->Ty.Bits
               ? factorOf(V, C->Operand)
               : std::nullopt;
  auto *B = dyn_cast<Binary>(E.get());
  if (!B)
    return std::nullopt;
  const auto L = factorOf(V, B->L), R = factorOf(V, B->R);
  if (!L || !R)
    return std::nullopt;
  if (B->Op == BinaryOp::Add)
    return *L + *R;
  if (B->Op == BinaryOp::Sub)
    return *L - *R;
  return std::nullopt;
}

namespace {
/// How many accesses in a point's loops go along the lines of memory, with the
/// point and with the loops.
class Lines : public Visitor {
public:
  Lines(const Var *Point) : Point(Point) {}
  unsigned OfPoints = 0, OfLoops = 0;

  bool visitExpr(const ExprRef &E) override {
    if (auto *L = dyn_cast<Load>(E.get()))
      count(L->From);
    return true;
  }
  bool visitStmt(const StmtRef &S) override {
    if (const Var *V = variableOf(S))
      Loops.push_back(V);
    else if (auto *St = dyn_cast<Store>(S.get()))
      count(St->To);
    return true;
  }
  void leaveStmt(const StmtRef &S) override {
    if (variableOf(S))
      Loops.pop_back();
  }

private:
  static const Var *variableOf(const StmtRef &S) {
    auto *T = dyn_cast<TensorOp>(S.get());
    auto *L = dyn_cast<For>(S.get());
    return T ? T->Iterators.back().V.get() : L ? L->V.get() : nullptr;
  }
  void count(const Access &A) {
    if (Loops.empty())
      return;
    const ExprRef &Last = A.Indices.back();
    OfPoints += factorOf(Point, Last) == 1;
    OfLoops +=
        any_of(Loops, [&](const Var *V) { return factorOf(V, Last) == 1; });
  }
  const Var *Point;
  std::vector<const Var *> Loops;
};
} // namespace

bool isForBlocks(const Points &P) {
  Lines L(P.Iterators.back().V.get());
  L.walk(P.Body);
  return L.OfLoops > 0 && L.OfPoints == 0;
}

static bool isZero(const ExprRef &E) {
  auto *C = dyn_cast<IntConst>(withoutImplicitCasts(E).get());
  return C && C->Value == 0;
}

static int64_t stepOf(const Iterator &It) {
  auto *C = dyn_cast<IntConst>(withoutImplicitCasts(It.Step).get());
  return C ? C->Value : 0;
}

std::string anyPoint(const Points &P, const ExprPrinter &Print) {
  std::string Text;
  for (const Iterator &It : P.Iterators) {
    const ExprRef Test = sizeTest(BinaryOp::GT, It.Hi, It.Lo);
    if (auto *C = dyn_cast<IntConst>(Test.get()); C && C->Value)
      continue;
    Text += (Text.empty() ? "" : " && ") +
            parenthesised(Print.condition(Test), Prec::Equality);
  }
  return Text;
}

/// "n", "(i_end - i_begin + 3) / 4": the trips of It, in size_t, as a factor.
static std::string tripsOf(const Iterator &It, const ExprPrinter &Print,
                           bool Leads) {
  const std::string Size = Print.SizeType;
  const Printed Hi = Print.converted(It.Hi);
  const int64_t Step = stepOf(It);
  if (isZero(It.Lo) && Step == 1)
    return (Leads ? "(" + Size + ")" : "") + parenthesised(Hi, Prec::Unary);
  std::string Text = "((long long)" + parenthesised(Hi, Prec::Unary);
  if (!isZero(It.Lo))
    Text += " - " + parenthesised(Print.converted(It.Lo), Prec::Product);
  Text += ")";
  if (Step != 1) {
    const std::string By = parenthesised(Print.converted(It.Step), Prec::Unary);
    Text = "((" + Text + " + " + By + " - 1) / " + By + ")";
  }
  return (Leads ? "(" + Size + ")" : "") + Text;
}

std::string countOf(const Points &P, const ExprPrinter &Print) {
  std::string Text;
  for (const Iterator &It : P.Iterators)
    Text += (Text.empty() ? "" : " * ") + tripsOf(It, Print, Text.empty());
  return Text;
}

std::vector<std::string> iteratorsAt(const Points &P, StringRef Number,
                                     const ExprPrinter &Print) {
  std::vector<std::string> Lines;
  std::string Rest = Number.str();
  for (size_t I = P.Iterators.size(); I-- > 0;) {
    const Iterator &It = P.Iterators[I];
    std::string At = Rest;
    if (I) {
      const std::string Trips = tripsOf(It, Print, /*Leads=*/false);
      At += " % " + Trips;
      Rest += " / " + Trips;
    }
    const std::string Type = Print.typeOf(It.V->Ty);
    std::string Value =
        "(" + Type + ")" + (StringRef(At).contains(' ') ? "(" + At + ")" : At);
    if (stepOf(It) != 1)
      Value += " * " + parenthesised(Print.converted(It.Step), Prec::Unary);
    if (!isZero(It.Lo))
      Value.insert(0, parenthesised(Print.inType(It.Lo, It.Lo->Ty), Prec::Sum) +
                          " + ");
    Lines.push_back(
        formatv("const {0} {1} = {2};", Type, Print.nameOf(It.V.get()), Value));
  }
  std::reverse(Lines.begin(), Lines.end());
  return Lines;
}

} // namespace raise::device
