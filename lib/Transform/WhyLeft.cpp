//===- WhyLeft.cpp - which of several reasons is told ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What is not understood comes before any proof, but it may not be what stands
// in the way: where the rest of the loop would keep its order as well, the user
// who puts the one right has gained nothing. So the loop is asked about again,
// without what stopped the proof.
//
//===----------------------------------------------------------------------===//
#include "LoopRaiser.h"
#include "raise/IR/Visitor.h"

using namespace raise;
using llvm::cast;
using llvm::dyn_cast;
using llvm::isa;

namespace {

/// Whether O, in the body of W, is what moves the pointer on that W tests.
bool walks(const While &W, const Opaque &O) {
  bool Moves = false;
  forEachExpr(W.Cond, [&](const ExprRef &E) {
    const auto *Test = dyn_cast<NonNull>(E.get());
    llvm::StringRef Text = O.Text;
    Moves |= Test && Text.consume_front(Test->Buf->Name) &&
             Text.ltrim().starts_with("=");
  });
  return Moves && O.Code == "CR1008";
}

/// Whether O is not understood for the sake of a later statement, whose reason
/// it has.
bool isConsequence(const Opaque &O) {
  const llvm::StringRef Why = O.Why;
  const size_t Line = Why.rfind("(line ");
  return Line != llvm::StringRef::npos && Why.ends_with(")") &&
         !Why.substr(Line).contains(", in ");
}

/// Whether Why is a dependence in what is understood, whatever the rest does.
bool staysWithoutTheRest(const LoopFacts &Facts) {
  return Facts.Why.Code == "CR1109" ||
         (Facts.R == LoopFacts::Result::Conflict &&
          (Facts.Why.Code == "CR1101" || Facts.Why.Code == "CR1103"));
}

/// Whether R says how far pointers are followed: that can be written otherwise,
/// unlike what a call does.
bool isLimit(const Reason &R) {
  return R.Code == "CR1008" || R.Code == "CR1016";
}

class OpaqueDropper : public Rewriter {
public:
  StmtRef rewriteStmt(const StmtRef &S) override {
    return isa<Opaque>(*S) ? makeBlock({}) : S;
  }
};

} // namespace

Reason LoopRaiser::whyLeft(const While &W,
                           const std::vector<const For *> &Around) {
  // A statement that is not understood may be all that keeps the loop from
  // having a range. Where the loop has none in any case, that comes first.
  const Opaque *Unknown = nullptr;
  bool Walks = false;
  forEachStmt(W.Body, [&](const StmtRef &Sub) {
    const auto *O = dyn_cast<Opaque>(Sub.get());
    if (O && !O->NoReturn &&
        (!Unknown || isConsequence(*Unknown) || (!Walks && walks(W, *O)))) {
      Unknown = O;
      Walks = walks(W, *O);
    }
  });
  if (Unknown && (Walks || mayHaveRange(W)))
    return {Unknown->Code, Unknown->Why, Unknown->Loc};
  // Nor would it help if its body left its bound alone.
  if (W.AsIf) {
    LoopQuery Q;
    Q.Loop = cast<For>(W.AsIf.get());
    Q.Enclosing = Around;
    const LoopFacts Facts = analyseLoop(Q, *F, Ctx);
    // (Unless what the bound uses is the very scalar.)
    bool Scalar = false;
    forEachExpr(Q.Loop->Hi, [&](const ExprRef &E) {
      const auto *U = dyn_cast<VarUse>(E.get());
      Scalar |= U && assigns(W.Body, U->V.get());
    });
    if (staysWithoutTheRest(Facts) || (Facts.Why.Code == "CR1107" && !Scalar))
      return Facts.Why;
  }
  return {"CR1201", whyNoRange(W), W.Loc};
}

Reason LoopRaiser::whyLeftAnyway(const For &L,
                                 const std::vector<const For *> &Around,
                                 const Reason &Told) {
  if (!isLimit(Told))
    return {};
  // Nothing is known of what the rest sets.
  bool Sets = false;
  const StmtRef Known = OpaqueDropper().run(L.Body);
  forEachStmt(L.Body, [&](const StmtRef &S) {
    if (const auto *O = dyn_cast<Opaque>(S.get()))
      Sets |= llvm::any_of(
          O->Touches, [&](const VarRef &V) { return uses(Known, V.get()); });
  });
  if (Sets)
    return {};
  const For Rest(L.V, L.Lo, L.Cond, L.Hi, L.Step, L.LKind, L.DeclaresVar, Known,
                 L.Loc);
  LoopQuery Q;
  Q.Loop = &Rest;
  Q.Enclosing = Around;
  const LoopFacts Facts = analyseLoop(Q, *F, Ctx);
  return staysWithoutTheRest(Facts) ? Facts.Why : Reason();
}
