//===- Order.cpp - what a loop computes whose order is kept ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "raise/Analysis/Order.h"
#include "FlowGraph.h"
#include "Hazards.h"
#include "LoopProof.h"
#include "Reductions.h"
#include "raise/IR/Text.h"
#include "raise/IR/Visitor.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace raise {
using namespace analysis;

namespace {

/// How an expression depends on what is carried.
enum class Degree { Constant, Affine, Other };

Degree both(Degree A, Degree B) { return std::max(A, B); }

class OrderAnalysis : LoopProof {
public:
  OrderAnalysis(const LoopQuery &Q, const Function &F, const Context &Ctx)
      : LoopProof(Q, F, Ctx) {}
  OrderFacts run();

private:
  bool isState(unsigned Node, const Var *V) const;
  bool isState(unsigned Node, const Access &At) const;
  Degree degree(unsigned Node, const ExprRef &E) const;
  Degree degreeOfProduct(unsigned Node, const Binary &B) const;
  Degree degreeOfUpdate(unsigned Node, Combiner Op, const ExprRef &Value,
                        bool IsFloat) const;
  bool isAssociative(unsigned Node) const;
  bool composes(unsigned Node) const;
  void checkComponents();
  std::string nameOf(unsigned Node) const;

  FlowGraph G;
  OrderFacts Facts;
};

} // namespace

/// Whether V, read by Node, may hold what goes round in Node's component.
bool OrderAnalysis::isState(unsigned Node, const Var *V) const {
  return any_of(G.Edges, [&](const FlowEdge &E) {
    return E.To == Node && E.Scalar == V &&
           G.Component[E.From] == G.Component[Node];
  });
}

bool OrderAnalysis::isState(unsigned Node, const Access &At) const {
  return any_of(G.Edges, [&](const FlowEdge &E) {
    return E.To == Node && E.Memory && sameAccess(*E.Memory, At) &&
           G.Component[E.From] == G.Component[Node];
  });
}

Degree OrderAnalysis::degreeOfProduct(unsigned Node, const Binary &B) const {
  Degree L = degree(Node, B.L), R = degree(Node, B.R);
  if (L == Degree::Constant && R == Degree::Constant)
    return Degree::Constant;
  // Division of integers drops what is left over: no affine function.
  if (B.Op == BinaryOp::Div)
    return R == Degree::Constant && B.Ty.isFloat() ? L : Degree::Other;
  return L == Degree::Constant || R == Degree::Constant ? both(L, R)
                                                        : Degree::Other;
}

Degree OrderAnalysis::degree(unsigned Node, const ExprRef &E) const {
  switch (E->Kind) {
  case ExprKind::IntConst:
  case ExprKind::FloatConst:
  case ExprKind::NonNull:
    return Degree::Constant;
  case ExprKind::VarUse:
    return isState(Node, cast<VarUse>(E.get())->V.get()) ? Degree::Affine
                                                         : Degree::Constant;
  case ExprKind::Load: {
    const Access &At = cast<Load>(E.get())->From;
    // Which element is read must not hang on what is carried.
    for (const auto &List : {At.Indices, At.Extents})
      for (const ExprRef &I : List)
        if (degree(Node, I) != Degree::Constant)
          return Degree::Other;
    return isState(Node, At) ? Degree::Affine : Degree::Constant;
  }
  case ExprKind::Unary: {
    const auto *U = cast<Unary>(E.get());
    Degree D = degree(Node, U->Operand);
    return D == Degree::Constant || U->Op == UnaryOp::Neg ? D : Degree::Other;
  }
  case ExprKind::Cast: {
    const auto *C = cast<Cast>(E.get());
    Degree D = degree(Node, C->Operand);
    bool Keeps = C->Ty.isFloat() == C->Operand->Ty.isFloat() && !C->Ty.isBool();
    return D == Degree::Constant || Keeps ? D : Degree::Other;
  }
  case ExprKind::Select: {
    const auto *Sel = cast<Select>(E.get());
    if (degree(Node, Sel->Cond) != Degree::Constant)
      return Degree::Other;
    return both(degree(Node, Sel->True), degree(Node, Sel->False));
  }
  case ExprKind::Call: {
    for (const ExprRef &A : cast<Call>(E.get())->Args)
      if (degree(Node, A) != Degree::Constant)
        return Degree::Other;
    return Degree::Constant;
  }
  case ExprKind::Binary: {
    const auto *B = cast<Binary>(E.get());
    if (B->Op == BinaryOp::Mul || B->Op == BinaryOp::Div)
      return degreeOfProduct(Node, *B);
    Degree D = both(degree(Node, B->L), degree(Node, B->R));
    bool Sum = B->Op == BinaryOp::Add || B->Op == BinaryOp::Sub;
    return D == Degree::Constant || Sum ? D : Degree::Other;
  }
  }
  return Degree::Other;
}

/// `x op= Value` as a function of x and of what else is carried.
Degree OrderAnalysis::degreeOfUpdate(unsigned Node, Combiner Op,
                                     const ExprRef &Value, bool IsFloat) const {
  Degree D = degree(Node, Value);
  switch (Op) {
  case Combiner::None:
    return D;
  case Combiner::Add:
  case Combiner::Sub:
    return both(D, Degree::Affine);
  case Combiner::Div:
    if (!IsFloat)
      return Degree::Other;
    [[fallthrough]];
  case Combiner::Mul:
    return D == Degree::Constant ? Degree::Affine : Degree::Other;
  default:
    return Degree::Other;
  }
}

/// One operator that is associative, between what is carried and something
/// that is not.
bool OrderAnalysis::isAssociative(unsigned Node) const {
  const FlowNode &N = G.Nodes[Node];
  StmtRef Update = N.S;
  unsigned Test = Node;
  // The test of a minimum or maximum is part of it.
  if (!N.Under.empty() && N.Under.back().second)
    for (unsigned I = 0; I < G.Nodes.size(); ++I)
      if (G.Nodes[I].S.get() == N.Under.back().first &&
          G.Component[I] == G.Component[Node]) {
        Test = I;
        Update = std::make_shared<If>(N.Under.back().first->Cond, N.S, nullptr);
      }
  // Nothing else that is carried may take part.
  for (const FlowEdge &E : G.Edges)
    if (G.Component[E.From] == G.Component[Node] &&
        (E.To == Node || E.To == Test) && E.From != Node && E.From != Test)
      return false;
  auto IsTarget = [&](const ExprRef &E) {
    if (const auto *U = dyn_cast<VarUse>(E.get()))
      return N.Writes && U->V == N.Writes;
    const auto *Ld = dyn_cast<Load>(E.get());
    return Ld && !N.Writes && isState(Node, Ld->From);
  };
  auto IsWrite = [&](const StmtRef &St) { return St == N.S; };
  return UpdateMatcher{IsTarget, IsWrite}.match(Update).has_value();
}

bool OrderAnalysis::composes(unsigned Node) const {
  const Stmt *St = G.Nodes[Node].S.get();
  switch (St->Kind) {
  case StmtKind::If: {
    if (degree(Node, cast<If>(St)->Cond) == Degree::Constant)
      return true;
    // A test of what is carried is right in a running minimum or maximum,
    // which is all that goes round then.
    unsigned Others = 0;
    bool Running = true;
    for (unsigned I = 0; I < G.Nodes.size(); ++I)
      if (I != Node && G.Component[I] == G.Component[Node]) {
        ++Others;
        Running &= isAssociative(I);
      }
    return Running && Others == 1;
  }
  case StmtKind::Break:
  case StmtKind::Return:
  case StmtKind::Opaque:
    return true;
  case StmtKind::Decl: {
    const auto *D = cast<Decl>(St);
    return !D->Init || degree(Node, D->Init) != Degree::Other;
  }
  case StmtKind::Assign: {
    const auto *A = cast<Assign>(St);
    return degreeOfUpdate(Node, A->Op, A->Value, A->V->Ty.isFloat()) !=
               Degree::Other ||
           isAssociative(Node);
  }
  default: {
    const auto *W = cast<Store>(St);
    for (const ExprRef &I : W->To.Indices)
      if (degree(Node, I) != Degree::Constant)
        return false;
    return degreeOfUpdate(Node, W->Op, W->Value, W->To.Buf->Elem.isFloat()) !=
               Degree::Other ||
           isAssociative(Node);
  }
  }
}

std::string OrderAnalysis::nameOf(unsigned Node) const {
  const FlowNode &N = G.Nodes[Node];
  if (N.Writes)
    return N.Writes->Name;
  const auto *St = dyn_cast<Store>(N.S.get());
  return St ? sourceText(build::load(St->To)) : "";
}

void OrderAnalysis::checkComponents() {
  for (unsigned Node = 0; Node < G.Nodes.size(); ++Node) {
    if (!G.isRecurrent(G.Component[Node]))
      continue;
    if (!composes(Node)) {
      std::string Name = nameOf(Node);
      Facts.Why = {G.Nodes[Node].Writes ? "CR1107" : "CR1101",
                   Name.empty()
                       ? "a condition hangs on what earlier iterations "
                         "computed"
                       : "'" + Name +
                             "' hangs on what earlier iterations "
                             "computed, by more than a sum, a product "
                             "with what is known, a minimum or a "
                             "maximum",
                   G.Nodes[Node].S->Loc};
      return;
    }
    std::string Name = nameOf(Node);
    if (!Name.empty() && !is_contained(Facts.Carried, Name))
      Facts.Carried.push_back(Name);
  }
}

OrderFacts OrderAnalysis::run() {
  Facts.Why = findHazard(*Q.Loop, /*MayLeave=*/true);
  if (Facts.Why.isSet())
    return Facts;
  Facts.Why = W.run();
  if (Facts.Why.isSet())
    return Facts;
  G = flowOf(*Q.Loop, W, Test);
  Facts.Why = G.Why;
  if (!Facts.Why.isSet())
    checkComponents();
  if (Facts.Why.isSet())
    return Facts;
  Facts.Why = addGuards(W.Root.V.N + G.N, Facts.Guards, Facts.Assumed);
  if (Facts.Why.isSet())
    return Facts;
  Facts.Recognised = true;
  Facts.Leaves = G.leaves();
  Facts.LeavesByState = G.leavesByState();
  return Facts;
}

OrderFacts analyseOrder(const LoopQuery &Q, const Function &F,
                        const Context &Ctx) {
  return OrderAnalysis(Q, F, Ctx).run();
}

} // namespace raise
