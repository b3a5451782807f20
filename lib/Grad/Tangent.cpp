//===- Tangent.cpp - forward mode -----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "raise/Grad/Tangent.h"
#include "Blocks.h"
#include "Cleanup.h"
#include "Directions.h"
#include "DistinctNames.h"
#include "Launch.h"
#include "Repeated.h"
#include "RingCalls.h"
#include "Rules.h"
#include "Structured.h"
#include "TangentCallees.h"
#include "Unnamed.h"
#include "raise/Grad/UserRules.h"
#include "raise/IR/Recursion.h"
#include "raise/IR/Visitor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace llvm;

namespace raise::grad {

namespace {

using Statements = std::vector<StmtRef>;

class Builder {
public:
  Builder(const Function &F, const Signature &Sig, Activity Active,
          TangentCallees &Called)
      : F(F), Sig(Sig), Active(std::move(Active)), Called(Called) {
    Hooks.OfLeaf = [this](const ExprRef &E) { return leaf(E); };
    Hooks.OfCallee = [this](const Call &C) {
      return tangentOfCallee(*C.Fn, this->Called);
    };
    Hooks.Spill = [this](const ExprRef &E) { return spill(E); };
  }

  FunctionRef whole() {
    for (const Slot &S : Sig.Slots) {
      const Param &P = F.Params[S.Index];
      if (P.Scalar)
        Vars[P.Scalar.get()] = S.Derivative.Scalar;
      else
        Buffers[P.Buf.get()] = S.Derivative.Buf;
    }
    for (const Workspace &W : Sig.Workspaces)
      Buffers[F.Params[W.Index].Buf.get()] = W.Derivative;
    auto T = std::make_shared<Function>(F);
    T->Name = F.Name + "_tangent";
    T->QualifiedName = F.QualifiedName + "_tangent";
    T->InternalLinkage = false;
    for (const Slot &S : Sig.Slots)
      T->Params.push_back(S.Derivative);
    if (Sig.ResultDependent)
      T->Params.push_back(Sig.Result);
    T->Requires = Sig.Requires;
    T->Body = finish(body());
    return T;
  }

  /// For a function that only computes on scalars: the tangent is returned.
  FunctionRef derivativeOnly(std::string Name) {
    ReturnsTangent = true;
    auto T = std::make_shared<Function>(F);
    for (const Param &P : F.Params) {
      if (!P.Scalar->Ty.isFloat())
        continue;
      auto V = std::make_shared<Var>(*P.Scalar);
      V->Name = derivativeName(P.name(), Mode::Forward, Names);
      Vars[P.Scalar.get()] = V;
      T->Params.push_back({V, nullptr});
    }
    T->Name = std::move(Name);
    T->QualifiedName = T->Name;
    T->InternalLinkage = true;
    T->Body = finish(body());
    return T;
  }

  /// Where the names of locals' tangents come from.
  std::set<std::string> Names;

  /// What holds tangents in what whole() made.
  TangentPlaces places() const {
    TangentPlaces P;
    for (const auto &[Of, T] : Vars)
      P.Vars.insert(T.get());
    for (const auto &[Of, T] : Buffers)
      P.Buffers.insert(T.get());
    return P;
  }

private:
  //===-- Tangents of what has a name
  //--------------------------------------===//

  VarRef tangent(const VarRef &V) {
    VarRef &T = Vars[V.get()];
    if (!T) {
      auto Made = std::make_shared<Var>(*V);
      if (Made->Kind == VarKind::Param)
        Made->Kind = VarKind::Local;
      Made->Name = nameFor(V->Name);
      T = std::move(Made);
    }
    return T;
  }

  BufferRef tangent(const BufferRef &B) {
    BufferRef &T = Buffers[B.get()];
    if (!T)
      T = derivativeBuffer(*B, nameFor(B->Name));
    return T;
  }

  /// Variables of one name in scopes apart have tangents of one name.
  std::string nameFor(StringRef Of) {
    auto [It, New] = NameOf.try_emplace(Of);
    if (New)
      It->second = derivativeName(Of, Mode::Forward, Names);
    return It->second;
  }

  /// A cursor into the tangent of its base, at the same offset.
  VarRef tangentCursor(const VarRef &V) {
    VarRef &T = Vars[V.get()];
    if (!T) {
      auto Made = std::make_shared<Var>(*V);
      Made->Name = nameFor(V->Name);
      Made->Base = tangent(V->Base);
      T = std::move(Made);
    }
    return T;
  }
  bool hasTangentCursor(const Var &V) const {
    return V.Kind == VarKind::Cursor && Active.isActive(V.Base.get());
  }

  /// E with each cursor into Base replaced by that into Base's tangent.
  ExprRef moved(const ExprRef &E, const Buffer *Base) {
    Substitution Map;
    forEachExpr(E, [&](const ExprRef &Sub) {
      auto *U = dyn_cast<VarUse>(Sub.get());
      if (U && U->V->Base.get() == Base && hasTangentCursor(*U->V))
        Map[U->V.get()] = build::var(tangentCursor(U->V));
    });
    return Map.empty() ? E : substitute(E, Map);
  }

  Access moved(const Access &A) {
    Access T = A;
    T.Buf = tangent(A.Buf);
    if (T.Buf->rank() < A.Buf->rank()) // its rows lie one after the other
      T.Extents.assign(A.Buf->Extents.begin() + 1, A.Buf->Extents.end());
    for (ExprRef &I : T.Indices)
      I = moved(I, A.Buf.get());
    return T;
  }

  ExprRef leaf(const ExprRef &E) {
    if (auto *U = dyn_cast<VarUse>(E.get()))
      return Active.isActive(U->V.get()) ? build::var(tangent(U->V)) : nullptr;
    auto *L = cast<Load>(E.get());
    if (!Active.isActive(L->From.Buf.get()))
      return nullptr;
    return std::make_shared<Load>(moved(L->From), L->Ty);
  }

  ExprRef spill(const ExprRef &E) {
    if (isa<VarUse>(*E) || isa<Load>(*E))
      return E;
    auto V = std::make_shared<Var>();
    V->Name = nameFor("arg");
    V->Ty = E->Ty;
    V->Const = true;
    Spilled.push_back(std::make_shared<Decl>(V, E));
    return build::var(V);
  }

  //===-- Statements
  //-------------------------------------------------------===//

  ExprRef derivative(const ExprRef &E, const ExprRef &Value = nullptr) {
    return asExpr(grad::tangentOf(E, Hooks, Value));
  }

  /// Calls that E makes several times, wherever it is evaluated, are made once
  /// and named; what uses Value, which is not there yet, stays.
  ExprRef nameCalls(ExprRef E, const ExprRef &Value) {
    while (const ExprRef C = E ? repeatedCall(E, Value) : nullptr) {
      auto V = std::make_shared<Var>();
      const auto &Fn = *cast<Call>(C.get())->Fn;
      V->Name =
          valueName((Fn.Definition ? Fn.Definition->Name : baseName(Fn).str()) +
                    "_value");
      V->Ty = C->Ty;
      V->Const = true;
      Spilled.push_back(std::make_shared<Decl>(V, C));
      E = replaced(E, C, build::var(V));
    }
    return E;
  }
  /// A name that no scope around has.
  std::string valueName(const std::string &Of) {
    for (unsigned K = 1;; ++K) {
      const std::string Name = Of + (K > 1 ? std::to_string(K) : "");
      if (Names.count(Name) ||
          any_of(ValueNames, [&](auto &Scope) { return Scope.count(Name); }))
        continue;
      ValueNames.back().insert(Name);
      return Name;
    }
  }
  static ExprRef orZero(const ExprRef &E, const Type &T) {
    return E ? E : zero(T);
  }

  /// The statements that S becomes, at the end of Out.
  void add(const StmtRef &S, Statements &Out) {
    switch (S->Kind) {
    case StmtKind::Block:
      for (const StmtRef &Child : cast<Block>(S.get())->Body)
        add(Child, Out);
      return;
    case StmtKind::Decl:
      return decl(S, Out);
    case StmtKind::DeclBuffer:
      return declBuffer(S, Out);
    case StmtKind::Assign:
      return assign(S, Out);
    case StmtKind::Store:
      return store(S, Out);
    case StmtKind::For: {
      auto *L = cast<For>(S.get());
      Out.push_back(std::make_shared<For>(L->V, L->Lo, L->Cond, L->Hi, L->Step,
                                          L->LKind, L->DeclaresVar,
                                          nested(L->Body), L->Loc));
      return;
    }
    case StmtKind::While: {
      auto *W = cast<While>(S.get());
      Out.push_back(std::make_shared<While>(W->Cond, W->TestFirst,
                                            nested(W->Body), W->Why, W->Loc));
      return;
    }
    case StmtKind::If: {
      auto *I = cast<If>(S.get());
      Out.push_back(std::make_shared<If>(I->Cond, nested(I->Then),
                                         I->Else ? nested(I->Else) : nullptr,
                                         I->Loc));
      return;
    }
    case StmtKind::Return:
      return leave(S, Out);
    case StmtKind::Break:
    case StmtKind::Continue:
    case StmtKind::Opaque: // pure, of what carries no derivatives
      Out.push_back(S);
      return;
    case StmtKind::Barrier:
    case StmtKind::TensorOp:
    case StmtKind::Region:
      llvm_unreachable("refused before");
    }
  }

  StmtRef nested(const StmtRef &S) {
    Statements Inner;
    ValueNames.emplace_back();
    // A block inside a block has a scope of its own.
    if (auto *B = dyn_cast<Block>(S.get()))
      for (const StmtRef &Child : B->Body)
        if (isa<Block>(*Child))
          Inner.push_back(nested(Child));
        else
          add(Child, Inner);
    else
      add(S, Inner);
    ValueNames.pop_back();
    return std::make_shared<Block>(std::move(Inner), S->Loc);
  }

  StmtRef body() {
    Statements Out;
    for (const Param &P : F.Params) // changed inside, and seen by nobody else
      if (P.Scalar && Active.isActive(P.Scalar.get()) &&
          !Vars.count(P.Scalar.get()))
        Out.push_back(
            std::make_shared<Decl>(tangent(P.Scalar), zero(P.Scalar->Ty)));
    for (const Workspace &W : Sig.Workspaces)
      Out.push_back(declaration(W));
    const StmtRef Rest = nested(F.Body);
    append_range(Out, statements(Rest));
    return std::make_shared<Block>(std::move(Out), F.Body->Loc);
  }

  /// Without what nothing reads: of the primal too, where a compiler would warn
  /// of it.
  static StmtRef finish(const StmtRef &S) {
    return dropUnread(S, [](const Var &V) {
      return V.Kind == VarKind::Local || V.Kind == VarKind::Param ||
             V.Kind == VarKind::Cursor;
    });
  }

  /// The linearisation T of S, whose temporaries come first.
  void place(const StmtRef &T, const StmtRef &S, bool After, Statements &Out) {
    append_range(Out, Spilled);
    Spilled.clear();
    if (After)
      Out.push_back(S);
    if (T)
      Out.push_back(T);
    if (!After)
      Out.push_back(S);
  }

  void decl(const StmtRef &S, Statements &Out) {
    auto *D = cast<Decl>(S.get());
    StmtRef T;
    if (hasTangentCursor(*D->V)) {
      T = std::make_shared<Decl>(
          tangentCursor(D->V),
          D->Init ? moved(D->Init, D->V->Base.get()) : nullptr, D->Loc);
    } else if (Active.isActive(D->V.get())) {
      const ExprRef Value = build::var(D->V);
      ExprRef E =
          D->Init ? nameCalls(derivative(D->Init, Value), Value) : nullptr;
      T = std::make_shared<Decl>(
          tangent(D->V), D->Init ? orZero(E, D->V->Ty) : nullptr, D->Loc);
    }
    place(T, S, /*After=*/true, Out);
  }

  void declBuffer(const StmtRef &S, Statements &Out) {
    auto *D = cast<DeclBuffer>(S.get());
    StmtRef T;
    if (Active.isActive(D->B.get())) {
      std::vector<ExprRef> Init;
      for (const ExprRef &E : D->Init)
        Init.push_back(orZero(nameCalls(derivative(E), nullptr), E->Ty));
      T = std::make_shared<DeclBuffer>(tangent(D->B), std::move(Init), D->Loc);
    }
    place(T, S, /*After=*/true, Out);
  }

  /// The part of `Target op= Value` that is no plain linear update: what the
  /// target's tangent becomes. Old is the target's value, OldTan its tangent.
  ExprRef product(Combiner Op, const ExprRef &Old, const ExprRef &OldTan,
                  const ExprRef &Value, const ExprRef &ValueTan) {
    const Type &T = Value->Ty; // C combines in this type
    const ExprRef X = build::cast(Old, T), XTan = build::cast(OldTan, T);
    ExprRef New = Op == Combiner::Mul
                      ? build::add(times(XTan, Value), times(X, ValueTan))
                      : build::div(build::sub(XTan, times(build::div(X, Value),
                                                          ValueTan)),
                                   Value);
    return build::cast(New, Old->Ty);
  }

  struct Update {
    Combiner Op = Combiner::None;
    ExprRef Value; ///< null: nothing to do
    ExprRef Cond;  ///< only where this holds
  };

  /// What the tangent of a written place gets.
  Update update(Combiner Op, const ExprRef &Old, const ExprRef &OldTan,
                const ExprRef &Value, const ExprRef &ValueTan) {
    switch (Op) {
    case Combiner::None:
      return {Combiner::None, orZero(ValueTan, Old->Ty), nullptr};
    case Combiner::Add:
    case Combiner::Sub: {
      auto *Minus = ValueTan ? dyn_cast<Unary>(ValueTan.get()) : nullptr;
      if (Minus && Minus->Op == UnaryOp::Neg)
        return {Op == Combiner::Add ? Combiner::Sub : Combiner::Add,
                Minus->Operand, nullptr};
      return {Op, ValueTan, nullptr};
    }
    case Combiner::Mul:
    case Combiner::Div:
      if (!ValueTan)
        return {Op, Value, nullptr};
      return {Combiner::None, product(Op, Old, OldTan, Value, ValueTan),
              nullptr};
    case Combiner::Min:
    case Combiner::Max: {
      const ExprRef X = build::cast(Old, Value->Ty);
      const ExprRef Wins = build::binary(
          Op == Combiner::Min ? BinaryOp::LT : BinaryOp::GT, Value, X);
      return {Combiner::None, build::cast(orZero(ValueTan, Value->Ty), Old->Ty),
              Wins};
    }
    default:
      llvm_unreachable("no operator on floating values");
    }
  }

  static StmtRef under(const ExprRef &Cond, const StmtRef &S) {
    return Cond ? std::make_shared<If>(Cond, S, nullptr, S->Loc) : S;
  }

  void assign(const StmtRef &S, Statements &Out) {
    auto *A = cast<Assign>(S.get());
    if (hasTangentCursor(*A->V)) {
      place(std::make_shared<Assign>(tangentCursor(A->V), A->Op,
                                     moved(A->Value, A->V->Base.get()), A->Loc),
            S, /*After=*/false, Out);
      return;
    }
    if (!Active.isActive(A->V.get())) {
      Out.push_back(S);
      return;
    }
    const VarRef T = tangent(A->V);
    const ExprRef Old = build::var(A->V);
    // A variable that its new value does not use may get that first, for the
    // tangent to use.
    const bool Fresh = A->Op == Combiner::None && !uses(A->Value, A->V.get());
    const ExprRef ValueTan = derivative(A->Value, Fresh ? Old : nullptr);
    Update U = update(A->Op, Old, build::var(T), A->Value, ValueTan);
    U.Value = nameCalls(U.Value, Fresh ? Old : nullptr);
    StmtRef New;
    if (U.Value)
      New = under(U.Cond, std::make_shared<Assign>(T, U.Op, U.Value, A->Loc));
    const bool After = Fresh && U.Value && uses(U.Value, A->V.get());
    place(New, S, After, Out);
  }

  static bool uses(const ExprRef &E, const ExprRef &Sub) {
    bool Found = false;
    forEachExpr(E, [&](const ExprRef &X) { Found |= X == Sub; });
    return Found;
  }
  static bool uses(const ExprRef &E, const Var *V) { return raise::uses(E, V); }

  /// Whether E reads no memory but tangents and Place, where that is.
  bool readsOnly(const ExprRef &E, const ExprRef &Place) const {
    DenseSet<const Buffer *> Tangents;
    for (const auto &[Of, T] : Buffers)
      Tangents.insert(T.get());
    bool Only = true;
    forEachExpr(E, [&](const ExprRef &X) {
      if (auto *L = dyn_cast<Load>(X.get()))
        Only &= X == Place || Tangents.count(L->From.Buf.get());
    });
    return Only;
  }

  void store(const StmtRef &S, Statements &Out) {
    auto *St = cast<Store>(S.get());
    const Type Ty = St->To.Field.empty() ? St->To.Buf->Elem : St->Value->Ty;
    if (!Active.isActive(St->To.Buf.get()) || !Ty.isFloat()) {
      Out.push_back(S);
      return;
    }
    const Access To = moved(St->To);
    const ExprRef Old = std::make_shared<Load>(St->To, Ty);
    const ExprRef OldTan = std::make_shared<Load>(To, Ty);
    // What was stored may be used where nothing else is read that the store
    // might have changed.
    if (St->Op == Combiner::None && Spilled.empty()) {
      const ExprRef After = nameCalls(derivative(St->Value, Old), Old);
      if (After && Spilled.empty() && uses(After, Old) &&
          readsOnly(After, Old)) {
        place(std::make_shared<Store>(To, Combiner::None, After, St->Atomic,
                                      St->Loc),
              S, /*After=*/true, Out);
        return;
      }
      Spilled.clear();
    }
    const ExprRef ValueTan = derivative(St->Value);
    Update U = update(St->Op, Old, OldTan, St->Value, ValueTan);
    U.Value = nameCalls(U.Value, nullptr);
    StmtRef New;
    if (U.Value)
      New = under(U.Cond, std::make_shared<Store>(To, U.Op, U.Value, St->Atomic,
                                                  St->Loc));
    place(New, S, /*After=*/false, Out);
  }

  void leave(const StmtRef &S, Statements &Out) {
    auto *R = cast<Return>(S.get());
    if (!R->Value || (!ReturnsTangent && !Sig.ResultDependent)) {
      Out.push_back(S);
      return;
    }
    const ExprRef E =
        orZero(nameCalls(derivative(R->Value), nullptr), F.Result);
    if (ReturnsTangent) {
      append_range(Out, Spilled);
      Spilled.clear();
      Out.push_back(std::make_shared<Return>(E, R->Loc));
      return;
    }
    const Access To{
        Sig.Result.Buf, {build::intConst(0, Type::getI64())}, {}, ""};
    place(std::make_shared<Store>(To, Combiner::None, E, false, R->Loc), S,
          /*After=*/false, Out);
  }

  const Function &F;
  const Signature &Sig;
  const Activity Active;
  TangentCallees &Called;
  ForwardHooks Hooks;
  bool ReturnsTangent = false;
  DenseMap<const Var *, VarRef> Vars;
  DenseMap<const Buffer *, BufferRef> Buffers;
  StringMap<std::string> NameOf;
  Statements Spilled;
  std::vector<std::set<std::string>> ValueNames{1}; ///< of the scopes around
};

CalleeRef byRule(const Callee &C, TangentCallees &Called) {
  CalleeRef &Made = Called.ByRule[C.Name];
  if (!Made) {
    Made = tangentByRule(
        C, derivativeName(C.Definition->Name, Mode::Forward, *Called.Names));
    Called.InOrder.push_back(Made->Definition);
  }
  return Made;
}

} // namespace

CalleeRef tangentOfCallee(const Callee &Fn, TangentCallees &Called) {
  if (Fn.Rule)
    return byRule(Fn, Called);
  std::shared_ptr<const Function> D = Fn.Definition;
  if (auto It = Called.Made.find(D.get()); It != Called.Made.end())
    return It->second;
  Activity Inside = activityOfCallee(*D);
  if (!Inside.ResultVaried)
    return Called.Made[D.get()] = nullptr;
  auto Made = std::make_shared<Callee>(Fn);
  Made->Name = derivativeName(D->Name, Mode::Forward, *Called.Names);
  for (const Type &T : Fn.Params)
    if (T.isFloat())
      Made->Params.push_back(T);
  Called.Made[D.get()] = Made; // before the body, which may call it
  D = withCallsApart(withDistinctNames(D));
  Inside = activityOfCallee(*D); // of the variables that it has now
  const Signature None;          // B refers to it
  Builder B(*D, None, std::move(Inside), Called);
  B.Names = namesIn(*D);
  B.Names.insert(Called.Names->begin(), Called.Names->end());
  Made->Definition = B.derivativeOnly(Made->Name);
  if (callsItself(*Made->Definition))
    keepRing(Made);
  Called.InOrder.push_back(Made->Definition);
  return Made;
}

Differentiated tangentOf(const FunctionRef &Given, const Request &Asked) {
  Differentiated D;
  const BlockForm Form = inBlocks(Given, Asked.FP);
  if (Form.Why.isSet()) {
    D.Refused = {Form.Why};
    return D;
  }
  const FunctionRef F = withDistinctNames(Form.F);
  // What is not understood may be what reads and writes.
  D.Refused = whyNotDifferentiable(*F, Signature(), Asked.Alias);
  if (!D.Refused.empty())
    return D;
  D.Sig = signatureOf(*F, Asked, Mode::Forward, D.Refused);
  if (!D.Refused.empty())
    return D;
  const Reason NoRoom = settleUnnamed(*F, D.Sig, Asked.Alias);
  D.Refused = withReason(whyNotDifferentiable(*F, D.Sig, Asked.Alias), NoRoom);
  if (!D.Refused.empty())
    return D;
  D.Apart = D.Sig.Apart;
  TangentCallees Called;
  const Signature One = D.Sig;
  if (Asked.Directions > 1)
    D.Sig = withDirections(*F, One, Asked.Directions, D.Refused);
  if (!D.Refused.empty())
    return D;
  const auto Tangent = [&](const FunctionRef &Plain) {
    const FunctionRef Of = withCallsApart(Plain);
    Builder B(*Of, One, activityOf(*Of, One, Asked.Alias), Called);
    B.Names = D.Sig.Names;
    for (const FunctionRef &Made : Called.InOrder)
      B.Names.insert(Made->Name);
    Called.Names = &B.Names;
    FunctionRef Made = B.whole();
    Called.Names = nullptr;
    if (D.Sig.Directions == 1)
      return Made;
    std::vector<Reason> Why;
    const FunctionRef Many =
        inDirections(*Made, B.places(), One, D.Sig, B.Names, Why);
    append_range(D.Refused, Why);
    return Many ? Many : Made;
  };
  const auto OfThread = [&](const FunctionRef &Thread) {
    std::set<std::string> Own = D.Sig.Names;
    return Tangent(structured(Thread, Own).F);
  };
  D.F = F->Kind == FunctionKind::Kernel
            ? forItsLaunches(ofLaunch(F, OfThread, /*Sums=*/false, D.Sig.Names),
                             Form)
            : Tangent(F);
  D.Helpers = std::move(Called.InOrder);
  if (std::string Note = noteOf(Form); !Note.empty())
    D.Notes.push_back(std::move(Note));
  if (!D.Refused.empty())
    D.F = nullptr;
  return D;
}

} // namespace raise::grad
