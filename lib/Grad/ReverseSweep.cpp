//===- ReverseSweep.cpp - each statement's reverse, from the last ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "AdjointBuilder.h"
#include "LastChoice.h"
#include "ReversedLoop.h"
#include "Rules.h"
#include "raise/Grad/Derivatives.h"
#include "raise/IR/Visitor.h"

using namespace llvm;

namespace raise::grad {

using Statements = AdjointBuilder::Statements;

void AdjointBuilder::reverseOf(const List &L, Statements &Out) {
  Statements Sweep, Head;
  const Node *Joint = nullptr;
  for (const std::unique_ptr<Node> &Child : reverse(L.Nodes)) {
    if (!isJoint(*Child))
      reverseOf(*Child, Sweep);
    else if (!Joint && join(*Child, Sweep))
      Joint = Child.get();
    else
      this->Joint->Failed = true;
  }
  if (Sweep.empty() && !Joint)
    return;
  declared(L, Head);
  if (Joint)
    declareFirst(*Joint, Head);
  append_range(Out, Head);
  append_range(Out, Sweep);
}

void AdjointBuilder::declared(const List &L, Statements &Out) {
  std::vector<BufferRef> Arrays;
  for (const std::unique_ptr<Node> &Child : L.Nodes) {
    auto *D = dyn_cast<Decl>(Child->S.get());
    auto *B = dyn_cast<DeclBuffer>(Child->S.get());
    if (D && Vars.count(D->V.get()))
      Out.push_back(std::make_shared<Decl>(adjoint(D->V), zero(D->V->Ty)));
    if (B && Buffers.count(B->B.get())) {
      (void)adjoint(B->B);
      Arrays.push_back(B->B);
    }
  }
  // The arrays' sizes stand at the head, and what points into the arrays.
  const auto PointsIntoOne = [&](const StmtRef &S) {
    auto *D = dyn_cast<Decl>(S.get());
    return D && any_of(Arrays, [&](const BufferRef &B) {
             return D->V->Base == adjoint(B);
           });
  };
  const Statements Head = kept().headOf(L);
  copy_if(Head, std::back_inserter(Out), std::not_fn(PointsIntoOne));
  for (const BufferRef &B : Arrays)
    clearedArray(*B, adjoint(B), Out);
  copy_if(Head, std::back_inserter(Out), PointsIntoOne);
}

void AdjointBuilder::clearedArray(const Buffer &Primal, const BufferRef &B,
                                  Statements &Out) {
  int64_t Count = 1;
  for (const ExprRef &E : B->Extents) {
    auto *C = dyn_cast<IntConst>(E.get());
    Count = C && Count ? Count * C->Value : 0;
  }
  std::vector<ExprRef> Init;
  if (B->Lies == ArrayHome::Heap && B->Elem.isFloat())
    Init = {zero(B->Elem)};
  else if (Count > 0 && Count <= 64 && B->Elem.isFloat())
    Init.assign(Count, zero(B->Elem));
  Out.push_back(std::make_shared<DeclBuffer>(B, Init));
  if (!Init.empty())
    return;
  // One loop for each dimension.
  std::vector<VarRef> I;
  Access To{B, {}, {}, ""};
  for (size_t K = 0; K < B->rank(); ++K) {
    auto V = std::make_shared<Var>();
    V->Name = kept().freshName("i");
    V->Ty = B->Extents[K]->Ty;
    I.push_back(V);
    To.Indices.push_back(build::var(V));
  }
  StmtRef S;
  if (B->Elem.isFloat())
    S = std::make_shared<Store>(To, Combiner::None, zero(B->Elem));
  else
    S = block(clearedMembers(Primal, To));
  for (size_t K = B->rank(); K-- > 0;)
    S = std::make_shared<For>(I[K], build::intConst(0, I[K]->Ty), BinaryOp::LT,
                              B->Extents[K], build::intConst(1, I[K]->Ty),
                              LoopKind::Serial, true, block({S}));
  Out.push_back(S);
}

Statements AdjointBuilder::clearedMembers(const Buffer &B,
                                          const Access &At) const {
  std::map<std::string, Type> Members;
  forEachExpr(Plain.F->Body, [&](const ExprRef &E) {
    auto *L = dyn_cast<Load>(E.get());
    if (L && L->From.Buf.get() == &B && L->Ty.isFloat())
      Members.insert({L->From.Field, L->Ty});
  });
  for (const auto &[St, Of] : nest().Stores)
    if (St->To.Buf.get() == &B && St->Value->Ty.isFloat())
      Members.insert({St->To.Field, St->Value->Ty});
  Statements Out;
  for (const auto &[Field, T] : Members) {
    Access To = At;
    To.Field = Field;
    Out.push_back(std::make_shared<Store>(To, Combiner::None, zero(T)));
  }
  return Out;
}

void AdjointBuilder::reverseOf(const Node &S, Statements &Out) {
  switch (S.S->Kind) {
  case StmtKind::Decl: {
    auto *D = cast<Decl>(S.S.get());
    if (D->Init && Active.isActive(D->V.get()))
      contribute(D->Init, {build::var(adjoint(D->V))}, before(S),
                 valueAfter(build::var(D->V), S, D->Init), Out);
    return;
  }
  case StmtKind::DeclBuffer:
    return initialised(S, Out);
  case StmtKind::Assign:
    return assign(S, Out);
  case StmtKind::Store:
    return store(S, Out);
  case StmtKind::For:
    return loop(S, Out);
  case StmtKind::While:
    return repeated(S, Out);
  case StmtKind::If:
    return branch(S, Out);
  case StmtKind::Return: {
    auto *R = cast<Return>(S.S.get());
    if (R->Value && Seed)
      contribute(R->Value, {Seed}, before(S), {}, Out);
    return;
  }
  case StmtKind::Opaque: // pure, of what carries no derivatives
    return;
  default:
    llvm_unreachable("refused or rewritten before");
  }
}

AdjointBuilder::Left AdjointBuilder::valueAfter(const ExprRef &Use,
                                                const Node &S,
                                                const ExprRef &E) {
  Left Of{Use, kept().withoutTape(Use, after(S)), nullptr, after(S)};
  if (!Of.Value && !(kept().isNear() && isSlow(E)))
    return Of;
  auto V = std::make_shared<Var>();
  V->Ty = Use->Ty;
  Of.Mark = V;
  return Of;
}

void AdjointBuilder::initialised(const Node &S, Statements &Out) {
  auto *D = cast<DeclBuffer>(S.S.get());
  if (!Active.isActive(D->B.get()))
    return;
  for (size_t K = 0; K < D->Init.size(); ++K) {
    if (!Active.isActive(D->Init[K]))
      continue;
    Access At{adjoint(D->B), {}, {}, ""};
    size_t Flat = K;
    for (const ExprRef &E : reverse(D->B->Extents)) {
      const int64_t N = cast<IntConst>(E.get())->Value;
      At.Indices.insert(At.Indices.begin(), build::intConst(Flat % N));
      Flat /= N;
    }
    contribute(D->Init[K],
               {std::make_shared<Load>(At, derivativeType(D->Init[K]->Ty))},
               before(S), {}, Out);
  }
}

void AdjointBuilder::assign(const Node &S, Statements &Out) {
  auto *A = cast<Assign>(S.S.get());
  if (StmtRef Back = kept().takenBack(S))
    Out.push_back(std::move(Back));
  if (!Active.isActive(A->V.get()))
    return;
  const ExprRef Use = build::var(A->V);
  const Target T{Use, build::var(adjoint(A->V)), A->Op, A->Value};
  update(T, S, Out);
}

void AdjointBuilder::store(const Node &S, Statements &Out) {
  auto *St = cast<Store>(S.S.get());
  const Type Ty = St->To.Field.empty() ? St->To.Buf->Elem : St->Value->Ty;
  if (!Active.isActive(St->To.Buf.get()) || !Ty.isFloat())
    return;
  const Target T{
      std::make_shared<Load>(St->To, Ty),
      std::make_shared<Load>(adjoint(St->To, before(S)), derivativeType(Ty)),
      St->Op, St->Value};
  update(T, S, Out);
}

StmtRef AdjointBuilder::set(const ExprRef &Place, const ExprRef &Value) {
  if (auto *U = dyn_cast<VarUse>(Place.get()))
    return std::make_shared<Assign>(U->V, Combiner::None, Value);
  return std::make_shared<Store>(cast<Load>(Place.get())->From, Combiner::None,
                                 Value);
}

bool AdjointBuilder::mayMeetTarget(const Target &T, const ExprRef &E) const {
  auto *To = dyn_cast<Load>(T.Use.get());
  bool Meets = false;
  forEachSource(E, [&](const ExprRef &Leaf) {
    auto *L = dyn_cast<Load>(Leaf.get());
    Meets |= L && To && Active.isActive(L->From.Buf.get()) &&
             !structurallyEqual(T.Use, Leaf) &&
             kept().mayMeet(*L->From.Buf, *To->From.Buf);
  });
  return Meets;
}

void AdjointBuilder::update(const Target &T, const Node &S, Statements &Out) {
  const Type Ty = T.Adjoint->Ty;
  const Position P = before(S);
  switch (T.Op) {
  case Combiner::Add:
  case Combiner::Sub: {
    // The seed is read by each contribution, of which none may change it.
    ExprRef From = T.Adjoint;
    if (isa<Load>(*From) &&
        (mayMeetTarget(T, T.Value) || sources(T.Value) > 1)) {
      const VarRef V = temporary(valueName(T), Ty);
      Out.push_back(std::make_shared<Decl>(V, From));
      From = build::var(V);
    }
    contribute(
        T.Value,
        {build::cast(From, derivativeType(T.Value->Ty)), T.Op == Combiner::Sub},
        P, {}, Out);
    return;
  }
  case Combiner::Min:
  case Combiner::Max: {
    const ExprRef Wins =
        build::binary(T.Op == Combiner::Min ? BinaryOp::LT : BinaryOp::GT,
                      T.Value, build::cast(T.Use, T.Value->Ty));
    Statements Then;
    replaced(T, T.Value, S, Then);
    Out.push_back(std::make_shared<If>(
        kept().condition(Wins, P, /*Always=*/true), block(Then), nullptr));
    return;
  }
  case Combiner::None:
    return replaced(T, T.Value, S, Out);
  default:
    llvm_unreachable("written out before, or no operator on floats");
  }
}

unsigned AdjointBuilder::sources(const ExprRef &E) const {
  unsigned Count = 0;
  forEachSource(E,
                [&](const ExprRef &Leaf) { Count += Active.isActive(Leaf); });
  return Count;
}

std::string AdjointBuilder::valueName(const Target &T) {
  auto *L = dyn_cast<Load>(T.Adjoint.get());
  if (!L)
    return cast<VarUse>(T.Adjoint.get())->V->Name + "_new";
  std::string Name = lastName(L->From.Buf->Name).str();
  for (const ExprRef &I : L->From.Indices) {
    const Expr *Bare = I.get();
    while (auto *C = dyn_cast<Cast>(Bare))
      Bare = C->Operand.get();
    if (auto *U = dyn_cast<VarUse>(Bare))
      return Name + "_" + U->V->Name;
  }
  return Name + "_here";
}

void AdjointBuilder::replaced(const Target &T, const ExprRef &Value,
                              const Node &S, Statements &Out) {
  const Type Ty = T.Adjoint->Ty;
  const Position P = before(S);
  if (!Active.isActive(Value)) {
    Out.push_back(set(T.Adjoint, zero(Ty)));
    return;
  }
  bool Self = false;
  forEachSource(Value, [&](const ExprRef &Leaf) {
    Self |= structurallyEqual(Leaf, T.Use);
  });
  const bool Meets = mayMeetTarget(T, Value);
  if (!Meets && !Self) {
    ExprRef From = T.Adjoint;
    if (isa<Load>(*From) && sources(Value) > 1) {
      const VarRef V = temporary(valueName(T), Ty);
      Out.push_back(std::make_shared<Decl>(V, From));
      From = build::var(V);
    }
    contribute(Value, {From}, P, valueAfter(T.Use, S, Value), Out);
    Out.push_back(set(T.Adjoint, zero(Ty)));
    return;
  }
  // The value that is left may be had where what it is made of is gone.
  const Left Of = valueAfter(T.Use, S, Value);
  const Contributions C = contributionsOf(
      Value, {T.Adjoint}, hooks(), Of.Mark ? build::var(Of.Mark) : nullptr);
  // Only at the end is the adjoint of T replaced by what T passes on to
  // itself.
  const bool Plain = none_of(
      C, [](const Contribution &Each) { return Each.Cond || Each.Named; });
  if (!Meets && Plain) {
    Contributions Others, Own;
    for (const Contribution &Each : C)
      (structurallyEqual(Each.To, T.Use) ? Own : Others).push_back(Each);
    Statements Made;
    add(Others, P, Made);
    Sum Terms;
    for (const Contribution &Each : Own)
      append_range(Terms, Each.Terms);
    // A function that T is an argument of may pass on nothing.
    const ExprRef Passed =
        Terms.empty() ? zero(Ty) : kept().here(asExpr(Terms), P);
    if (!structurallyEqual(Passed, T.Adjoint))
      Made.push_back(set(T.Adjoint, Passed));
    unmark(Made, Of);
    append_range(Out, Made);
    return;
  }
  const VarRef V = temporary(valueName(T), Ty);
  Out.push_back(std::make_shared<Decl>(V, T.Adjoint));
  Out.push_back(set(T.Adjoint, zero(Ty)));
  contribute(Value, {build::var(V)}, P, Of, Out);
}

ExprRef AdjointBuilder::conditionOf(const If &I, const Node &S) {
  const VarRef At = lastChoiceOf(I, Plain.Last);
  // What grew at each choice goes back at each, not at the last alone; of one
  // iteration there is one choice.
  if (!At || kept().growsIn(*S.Body) || !before(S).L->Owner)
    return kept().condition(I.Cond, before(S));
  const Node &Loop = *before(S).L->Owner;
  const ExprRef Here = build::var(cast<For>(Loop.S.get())->V);
  const ExprRef Last = kept().at(build::var(At), after(Loop));
  if (auto *U = dyn_cast<VarUse>(Last.get()))
    Chosen.insert(U->V.get());
  return build::binary(BinaryOp::EQ, kept().at(Here, before(S)), Last);
}

StmtRef AdjointBuilder::ofLastChoice(const Node &S, const LoopHeader &H,
                                     const Statements &Body) const {
  auto *I = Body.size() == 1 ? dyn_cast<If>(Body.front().get()) : nullptr;
  auto *Is = I && !I->Else ? dyn_cast<Binary>(I->Cond.get()) : nullptr;
  auto *Here = Is ? dyn_cast<VarUse>(Is->L.get()) : nullptr;
  auto *Last = Is ? dyn_cast<VarUse>(Is->R.get()) : nullptr;
  auto &L = *cast<For>(S.S.get());
  if (!Last || Is->Op != BinaryOp::EQ || !Here || Here->V != H.V ||
      !Chosen.count(Last->V.get()) || assigns(I->Then, Last->V.get()) ||
      L.Cond != BinaryOp::LT || fixedStep(L) != 1 || L.Hi->Ty != Last->Ty)
    return nullptr;
  // The end of the range is for those who ask which elements that may be.
  const ExprRef Runs = build::logicalAnd(
      build::binary(BinaryOp::GE, Is->R, build::cast(H.Lo, Last->Ty)),
      build::binary(BinaryOp::LT, Is->R, H.Hi));
  return std::make_shared<If>(Runs, substitute(I->Then, H.V, Is->R), nullptr,
                              I->Loc);
}

void AdjointBuilder::branch(const Node &S, Statements &Out) {
  auto *I = cast<If>(S.S.get());
  Statements Then, Else;
  reverseOf(*S.Body, Then);
  if (S.Else)
    reverseOf(*S.Else, Else);
  if (Then.empty() && Else.empty())
    return;
  ExprRef Cond = conditionOf(*I, S);
  if (Then.empty()) {
    std::swap(Then, Else);
    Cond = build::logicalNot(Cond);
  }
  Out.push_back(std::make_shared<If>(
      Cond, block(Then), Else.empty() ? nullptr : block(Else), S.S->Loc));
}

void AdjointBuilder::loop(const Node &S, Statements &Out) {
  if (is_contained(Segmented, &S))
    return segmented(S, Out);
  auto *L = cast<For>(S.S.get());
  Statements Body;
  reverseOf(*S.Body, Body);
  if (Body.empty())
    return;
  const Position P = before(S);
  const LoopHeader R{kept().at(L->Lo, P), kept().at(L->Hi, P),
                     kept().at(L->Step, P), kept().reverseCounter(S)};
  Statements Made = kept().countedOutside(S, R, Body);
  StmtRef Once = ofLastChoice(S, R, Body);
  Made.push_back(Once ? Once
                      : reversed(*L, R, std::move(Body),
                                 [&](StringRef Name, const Type &T) {
                                   return temporary(Name, T);
                                 }));
  kept().addBackCounters(S, Made);
  append_range(Out, Made);
}

void AdjointBuilder::repeated(const Node &S, Statements &Out) {
  Statements Body;
  reverseOf(*S.Body, Body);
  if (Body.empty())
    return;
  const VarRef K = kept().reverseCounter(S);
  const ExprRef Count = kept().at(build::var(S.Trips), after(S));
  const Type T = K->Ty;
  Statements Made{std::make_shared<For>(
      K, build::sub(Count, build::intConst(1, T)), BinaryOp::GE,
      build::intConst(0, T), build::intConst(-1, T), LoopKind::Serial,
      /*DeclaresVar=*/true, block(Body), S.S->Loc)};
  kept().addBackCounters(S, Made);
  append_range(Out, Made);
  Counted.insert(&S);
}

} // namespace raise::grad
