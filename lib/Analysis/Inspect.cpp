//===- Inspect.cpp - what an index array holds, looked at before the loop -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The inspector of the inspector/executor scheme (Saltz, Mirchandani, Crowley,
// "Run-time parallelization and scheduling of loops", IEEE Trans. Computers
// 1991), for ranges only. It runs the loops around a load and nothing else, so
// it may read only what they read in any case, and what the loop does not
// write: that other buffers do not overlap the array is a guard like any other.
//
//===----------------------------------------------------------------------===//

#include "Walk.h"
#include "raise/IR/Visitor.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace raise::analysis {

namespace {
/// Local variables as what they were declared with.
class Inliner : public Rewriter {
public:
  explicit Inliner(function_ref<ExprRef(const Var *)> Of) : Of(Of) {}
  ExprRef rewriteExpr(const ExprRef &E) override {
    const auto *U = dyn_cast<VarUse>(E.get());
    ExprRef D = U ? Of(U->V.get()) : nullptr;
    return D ? run(D) : E;
  }

private:
  function_ref<ExprRef(const Var *)> Of;
};
} // namespace

/// Notes the scalars of the loop's body that get one value, where they are
/// declared.
void Walk::findLocals() {
  std::map<const Var *, unsigned> Writes;
  assignedVars(Q.Loop->Body, [&](const VarRef &V) { ++Writes[V.get()]; });
  forEachStmt(Q.Loop->Body, [&](const StmtRef &St) {
    const auto *D = dyn_cast<Decl>(St.get());
    if (D && D->Init && Writes[D->V.get()] == 1)
      Locals[D->V.get()] = D->Init;
  });
}

/// E without those scalars.
ExprRef Walk::withLocals(const ExprRef &E) const {
  return Inliner([&](const Var *V) { return Locals.lookup(V); }).run(E);
}

/// No store can make B's pointer another one.
static bool hasFixedAddress(const Buffer &B) {
  return B.Home == PointerHome::Fixed || B.Home == PointerHome::Variable;
}

/// Whether E, without local scalars, is known once the variables of the loops
/// around are. What E loads decides which elements the inspection reads then,
/// before it is tested whether the loop writes it: no store may.
bool Walk::isInspectable(const ExprRef &E) const {
  bool Ok = true;
  auto MayBeWritten = [&](const Buffer &B) {
    return any_of(WrittenRefs, [&](const BufferRef &W) {
      return alias(*W, B) != AliasResult::No;
    });
  };
  forEachExpr(E, [&](const ExprRef &Sub) {
    Ok &= !isa<Call>(Sub.get()) && !isa<Select>(Sub.get());
    if (const auto *B = dyn_cast<Binary>(Sub.get()))
      Ok &= B->Op != BinaryOp::Div && B->Op != BinaryOp::Rem &&
            B->Op != BinaryOp::LAnd && B->Op != BinaryOp::LOr;
    if (const auto *L = dyn_cast<Load>(Sub.get()))
      Ok &= !MayBeWritten(*L->From.Buf) && !Own.count(L->From.Buf.get()) &&
            !L->From.Buf->Volatile && hasFixedAddress(*L->From.Buf);
    if (const auto *U = dyn_cast<VarUse>(Sub.get()))
      Ok &= U->V->Kind != VarKind::Cursor &&
            (!Inside.count(U->V.get()) ||
             any_of(Around, [&](const For *L) { return L->V == U->V; }));
  });
  return Ok;
}

/// "index_" for the values of `index`, `v_` for those of `v.data()`.
static std::string nameOfValues(const Buffer &B) {
  StringRef Source = B.Name;
  Source.consume_back(".data()");
  std::string Name;
  for (char C : Source)
    if (isAlnum(C) || C == '_')
      Name += C;
    else if (!Name.empty() && Name.back() != '_')
      Name += '_';
  return Name + "_";
}

/// Gives the unknown V, the value of the load E, the bounds that an inspection
/// will find.
void Walk::inspect(const ExprRef &E, const Value &V) {
  auto A = V.P.asAtom();
  bool Indexes = E->Ty.isInt() && (E->Ty.Signed || E->Ty.Bits < 64);
  if (!A || !S[*A].Varies || !Indexes || Conditions > 0 || !Exact)
    return;
  ExprRef Element = withLocals(E);
  const Access &From = cast<Load>(Element.get())->From;
  // A guard says that nothing stored goes there, but it comes later.
  if (Written.count(From.Buf.get()) || Own.count(From.Buf.get()) ||
      From.Buf->Volatile || !hasFixedAddress(*From.Buf))
    return;
  for (const auto &List : {From.Indices, From.Extents})
    if (!all_of(List, [&](const ExprRef &I) { return isInspectable(I); }))
      return;
  for (const For *L : Around) {
    const auto *Step = dyn_cast<IntConst>(L->Step.get());
    if (!Step || Step->Value == 0 || !isInspectable(withLocals(L->Lo)) ||
        !isInspectable(withLocals(L->Hi)))
      return;
  }
  auto Nest = find(InspectedNests, Iterators) - InspectedNests.begin();
  const Inspection *Found = nullptr;
  for (const Inspection &I : Inspections)
    if (I.Nest == Nest && structurallyEqual(*I.Element, *Element))
      Found = &I;
  if (!Found) {
    auto Name = [&](const char *Which) {
      auto New = std::make_shared<Var>();
      New->Name = nameOfValues(*From.Buf) + Which;
      New->Ty = E->Ty;
      New->Ty.Spelling.clear(); // the numbers count, not that it is an enum
      New->Kind = VarKind::Local;
      return VarRef(New);
    };
    if (Nest == std::distance(InspectedNests.begin(), InspectedNests.end()))
      InspectedNests.push_back(Iterators);
    Inspections.push_back(
        {Element, {}, Name("least"), Name("greatest"), unsigned(Nest)});
    for (const For *L : Around)
      Inspections.back().Loops.push_back(std::make_shared<For>(
          L->V, withLocals(L->Lo), L->Cond, withLocals(L->Hi),
          withLocals(L->Step), L->LKind, true, makeBlock({}), L->Loc));
    Found = &Inspections.back();
  }
  // Making an atom may move the others.
  AtomId Least = S.extremeVariable(Found->Least, true);
  AtomId Greatest = S.extremeVariable(Found->Greatest, false);
  S.at(*A).Lo.push_back({Poly::atom(Least), {}});
  S.at(*A).Hi.push_back({Poly::atom(Greatest), {}});
}

bool Walk::isAlwaysRead(const Inspection &I) const {
  const auto &Its = InspectedNests[I.Nest];
  const auto &From = cast<Load>(I.Element.get())->From;
  return any_of(Touches, [&](const Touch &T) {
    if (T.writes() || T.Conditions > 0 || !T.Exact || T.Iterators != Its ||
        T.At.Buf != From.Buf)
      return false;
    return structurallyEqual(*withLocals(build::load(T.At)), *I.Element);
  });
}

} // namespace raise::analysis
