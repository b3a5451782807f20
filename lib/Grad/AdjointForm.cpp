//===- AdjointForm.cpp - a function run, then reversed --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "AdjointForm.h"
#include "Cleanup.h"
#include "Contributions.h"
#include "Distinct.h"
#include "LastChoice.h"
#include "Nest.h"
#include "Repeated.h"
#include "ReversedLoop.h"
#include "Rules.h"
#include "Split.h"
#include "Tidy.h"
#include "Values.h"
#include "raise/Grad/UserRules.h"
#include "raise/IR/Visitor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace llvm;

namespace raise::grad {

namespace {

using Statements = std::vector<StmtRef>;

class Builder {
public:
  Builder(const Function &Primal, Structured Plain, const Signature &Sig,
          Activity Active, AliasMode Alias, Overwrites *Later, Callees &Called,
          std::set<std::string> NamesInUse)
      : Names(std::move(NamesInUse)), Primal(Primal), Plain(std::move(Plain)),
        Sig(Sig), Active(std::move(Active)), Called(Called),
        N(*this->Plain.F, this->Plain.Counters, Names),
        Kept(N, Alias, Later, Names) {}

  FunctionRef whole() {
    for (const Slot &S : Sig.Slots) {
      const Param &P = Primal.Params[S.Index];
      if (P.Buf)
        Buffers[P.Buf.get()] = S.Derivative.Buf;
      else
        Results[P.Scalar.get()] = S.Derivative.Buf;
    }
    if (Sig.ResultDependent)
      Seed = build::var(Sig.Result.Scalar);
    auto A = std::make_shared<Function>(Primal);
    A->Name = Primal.Name + "_adjoint";
    A->QualifiedName = Primal.QualifiedName + "_adjoint";
    A->InternalLinkage = false;
    A->Result = Type::getVoid();
    for (const Slot &S : Sig.Slots)
      A->Params.push_back(S.Derivative);
    if (Sig.ResultDependent)
      A->Params.push_back(Sig.Result);
    A->Body = body();
    return A;
  }

  /// For a function that only computes on scalars: the adjoint of parameter K
  /// is returned.
  FunctionRef ofParameter(unsigned K, std::string Name) {
    auto A = std::make_shared<Function>(Primal);
    auto V = std::make_shared<Var>();
    V->Name = derivativeName(Primal.Name, Mode::Reverse, Names);
    V->Ty = Primal.Result;
    V->Kind = VarKind::Param;
    Seed = build::var(V);
    A->Params.push_back({V, nullptr});
    A->Name = std::move(Name);
    A->QualifiedName = A->Name;
    A->InternalLinkage = true;
    Returned = Primal.Params[K].Scalar;
    A->Differentiates = Returned->Name;
    A->Result = Returned->Ty;
    A->Body = body();
    return A;
  }

  std::set<std::string> Names;
  std::vector<Reason> *Split = nullptr;

private:
  //===-- Adjoints of what has a name
  //--------------------------------------===//

  VarRef adjoint(const VarRef &V) {
    VarRef &A = Vars[V.get()];
    if (!A) {
      auto Made = std::make_shared<Var>(*V);
      Made->Kind = VarKind::Local;
      Made->Const = false;
      Made->Name = nameFor(V->Name);
      A = std::move(Made);
    }
    return A;
  }

  BufferRef adjoint(const BufferRef &B) {
    BufferRef &A = Buffers[B.get()];
    if (A)
      return A;
    std::shared_ptr<Buffer> Made = derivativeBuffer(*B, nameFor(B->Name));
    const List *L = N.scopeOf(B.get());
    if (L && B->Lies == ArrayHome::Growing) {
      Made->Lies = ArrayHome::Heap;
      Made->Extents = {
          Kept.at(build::var(B->Count), {L, unsigned(L->Nodes.size())})};
    } else if (L)
      for (const std::unique_ptr<Node> &Child : L->Nodes)
        if (auto *D = dyn_cast<DeclBuffer>(Child->S.get()); D && D->B == B)
          for (ExprRef &E : Made->Extents)
            E = Kept.at(E, before(*Child));
    A = Made;
    return A;
  }

  /// Variables of one name in scopes apart have adjoints of one name.
  std::string nameFor(StringRef Of) {
    auto [It, New] = NameOf.try_emplace(Of);
    if (New)
      It->second = derivativeName(Of, Mode::Reverse, Names);
    return It->second;
  }

  /// The adjoint of what is accessed just before the statement at P.
  Access adjoint(const Access &A, Position P) {
    Access To = A;
    To.Buf = adjoint(A.Buf);
    for (ExprRef &E : To.Extents)
      E = Kept.at(E, P);
    for (ExprRef &E : To.Indices) {
      E = Kept.at(E, P);
      Substitution Map;
      forEachExpr(E, [&](const ExprRef &Sub) {
        auto *U = dyn_cast<VarUse>(Sub.get());
        if (U && U->V->Kind == VarKind::Cursor && U->V->Base == A.Buf)
          if (VarRef C = Kept.cursorInto(U->V, To.Buf, nameFor(U->V->Name)))
            Map[U->V.get()] = build::var(C);
      });
      if (!Map.empty())
        E = substitute(E, Map);
    }
    return To;
  }

  VarRef temporary(StringRef Name, const Type &T) {
    auto V = std::make_shared<Var>();
    V->Name = Kept.freshName(Name);
    V->Ty = T;
    V->Const = true;
    return V;
  }

  //===-- Contributions
  //----------------------------------------------------===//

  CalleeRef byRule(const Callee &C, unsigned K) {
    CalleeRef &Made = Called.ByRule[{C.Name, K}];
    if (!Made) {
      Made = adjointByRule(C, K, adjointName(*C.Definition, K));
      Called.InOrder.push_back(Made->Definition);
    }
    return Made;
  }

  /// "g_adj", or "g_adj_x" where g has several floating parameters.
  std::string adjointName(const Function &Of, unsigned K) {
    const auto Floats = count_if(
        Of.Params, [](const Param &P) { return P.Scalar->Ty.isFloat(); });
    std::string Name = Of.Name + "_adj";
    if (Floats > 1)
      Name += "_" + Of.Params[K].name().str();
    while (!Called.Names->insert(Name).second)
      Name += '_';
    return Name;
  }

  CalleeRef callee(const Call &C, unsigned K) {
    if (C.Fn->Rule)
      return byRule(*C.Fn, K);
    const std::shared_ptr<const Function> &D = C.Fn->Definition;
    auto [It, New] = Called.Made.try_emplace({D.get(), K});
    if (!New)
      return It->second;
    Activity Inside = activityOfCallee(*D);
    const Var *P = D->Params[K].Scalar.get();
    if (!Inside.ResultVaried || !Inside.isActive(P))
      return nullptr;
    const std::string Name = adjointName(*D, K);
    std::set<std::string> Inner = namesIn(*D);
    Inner.insert(Called.Names->begin(), Called.Names->end());
    Structured S = structured(D, Inner);
    Inside = activityOfCallee(*S.F); // of the variables that it has now
    const Signature None;
    Builder B(*D, std::move(S), None, std::move(Inside), AliasMode::Check,
              /*Later=*/nullptr, Called, std::move(Inner));
    auto Made = std::make_shared<Callee>();
    Made->Name = Name;
    Made->Definition = B.ofParameter(K, Name);
    Made->Result = Made->Definition->Result;
    Made->Params = C.Fn->Params;
    Made->Params.push_back(C.Fn->Result);
    Made->MayTrap = C.Fn->MayTrap;
    Called.InOrder.push_back(Made->Definition);
    Called.Made[{D.get(), K}] = Made;
    return Made;
  }

  ContributionHooks hooks() {
    ContributionHooks H;
    H.IsActive = [this](const ExprRef &E) { return Active.isActive(E); };
    H.OfCallee = [this](const Call &C, unsigned K) { return callee(C, K); };
    H.Temporary = [this](StringRef Name, const Type &T) {
      return temporary(Name, T);
    };
    return H;
  }

  /// Stands for Value, which is as the reverse sees it already, among what is
  /// not; null for null.
  static VarRef markOf(const ExprRef &Value) {
    if (!Value)
      return nullptr;
    auto V = std::make_shared<Var>();
    V->Ty = Value->Ty;
    return V;
  }
  static void unmark(Statements &Made, const VarRef &Mark,
                     const ExprRef &Value) {
    if (Mark)
      for (StmtRef &S : Made)
        S = substitute(S, Mark, Value);
  }

  /// Statements that add to the adjoint of each source of E what Seed passes on
  /// to it. P is where E is evaluated, Value holds E's value after that.
  void contribute(const ExprRef &E, const Term &From, Position P,
                  const ExprRef &Value, Statements &Out) {
    const VarRef Mark = markOf(Value);
    Statements Made;
    add(contributionsOf(E, From, hooks(), Mark ? build::var(Mark) : nullptr), P,
        Made);
    unmark(Made, Mark, Value);
    nameCalls(Made);
    append_range(Out, Made);
  }

  /// Calls that Made makes several times are made once, before it. (It changes
  /// adjoints alone, which no call looks at other than through names.)
  void nameCalls(Statements &Made) {
    Statements Named;
    for (;;) {
      ExprRef All;
      DenseSet<const Var *> Own;
      const auto Add = [&](const ExprRef &E) {
        const ExprRef Wide = build::cast(E, Type::getFloat(64));
        All = All ? build::add(All, Wide) : Wide;
      };
      for (const StmtRef &S : Made) {
        if (auto *D = dyn_cast<Decl>(S.get())) {
          Own.insert(D->V.get());
          Add(D->Init);
        } else if (auto *A = dyn_cast<Assign>(S.get())) {
          Add(A->Value);
        } else if (auto *St = dyn_cast<Store>(S.get())) {
          Add(St->Value);
        }
      }
      const ExprRef C = All ? repeatedCall(All, nullptr) : nullptr;
      bool Early = C != nullptr;
      if (C)
        forEachExpr(C, [&](const ExprRef &E) {
          auto *U = dyn_cast<VarUse>(E.get());
          auto *L = dyn_cast<Load>(E.get());
          Early &= !(U && Own.count(U->V.get())) &&
                   !(L && !N.Buffers.count(L->From.Buf.get()));
        });
      if (!Early)
        break;
      const Callee &Fn = *cast<Call>(C.get())->Fn;
      const VarRef V = temporary(
          (Fn.Definition ? Fn.Definition->Name : baseName(Fn).str()) + "_value",
          C->Ty);
      for (StmtRef &S : Made)
        S = grad::replaced(S, C, build::var(V));
      Named.push_back(std::make_shared<Decl>(V, C));
    }
    Made.insert(Made.begin(), Named.begin(), Named.end());
  }

  void add(const Contributions &C, Position P, Statements &Out) {
    for (const Contribution &Each : C) {
      if (Each.Cond) {
        Statements Then, Else;
        add(Each.Then, P, Then);
        add(Each.Else, P, Else);
        ExprRef Cond = Kept.condition(Each.Cond, P);
        if (Then.empty()) {
          std::swap(Then, Else);
          Cond = build::logicalNot(Cond);
        }
        if (!Then.empty())
          Out.push_back(std::make_shared<If>(
              Cond, block(Then), Else.empty() ? nullptr : block(Else)));
      } else if (Each.Named) {
        Out.push_back(
            std::make_shared<Decl>(Each.Named, Kept.at(asExpr(Each.Terms), P)));
      } else {
        ExprRef E = asExpr(Each.Terms);
        Combiner Op = Combiner::Add;
        if (auto *U = dyn_cast<Unary>(E.get()); U && U->Op == UnaryOp::Neg) {
          E = U->Operand;
          Op = Combiner::Sub;
        } else if (allMinus(Each.Terms)) {
          Sum Turned = Each.Terms;
          for (Term &T : Turned)
            T.Minus = false;
          E = asExpr(Turned);
          Op = Combiner::Sub;
        }
        Out.push_back(accumulate(Each.To, Op, Kept.at(E, P), P));
      }
    }
  }
  static bool allMinus(const Sum &Terms) {
    return all_of(Terms, [](const Term &T) { return T.Minus; });
  }
  static StmtRef block(Statements S) {
    return std::make_shared<Block>(std::move(S));
  }

  StmtRef accumulate(const ExprRef &Leaf, Combiner Op, const ExprRef &E,
                     Position P) {
    if (auto *U = dyn_cast<VarUse>(Leaf.get()))
      return std::make_shared<Assign>(adjoint(U->V), Op, E);
    return std::make_shared<Store>(adjoint(cast<Load>(Leaf.get())->From, P), Op,
                                   E);
  }

  //===-- Statements
  //-------------------------------------------------------===//

  /// The reverse of L, at the end of Out.
  void reverseOf(const List &L, Statements &Out) {
    Statements Sweep;
    for (const std::unique_ptr<Node> &Child : reverse(L.Nodes))
      reverseOf(*Child, Sweep);
    if (Sweep.empty())
      return;
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
    const Statements Head = Kept.headOf(L);
    copy_if(Head, std::back_inserter(Out), std::not_fn(PointsIntoOne));
    for (const BufferRef &B : Arrays)
      clearedArray(*B, adjoint(B), Out);
    copy_if(Head, std::back_inserter(Out), PointsIntoOne);
    append_range(Out, Sweep);
  }

  /// A local array of zeros.
  void clearedArray(const Buffer &Primal, const BufferRef &B, Statements &Out) {
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
      V->Name = Kept.freshName("i");
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
      S = std::make_shared<For>(
          I[K], build::intConst(0, I[K]->Ty), BinaryOp::LT, B->Extents[K],
          build::intConst(1, I[K]->Ty), LoopKind::Serial, true, block({S}));
    Out.push_back(S);
  }

  /// Zero for each floating member that the function names.
  Statements clearedMembers(const Buffer &B, const Access &At) const {
    std::map<std::string, Type> Members;
    forEachExpr(Plain.F->Body, [&](const ExprRef &E) {
      auto *L = dyn_cast<Load>(E.get());
      if (L && L->From.Buf.get() == &B && L->Ty.isFloat())
        Members.insert({L->From.Field, L->Ty});
    });
    for (const auto &[St, Of] : N.Stores)
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

  void reverseOf(const Node &S, Statements &Out) {
    switch (S.S->Kind) {
    case StmtKind::Decl: {
      auto *D = cast<Decl>(S.S.get());
      if (D->Init && Active.isActive(D->V.get()))
        contribute(D->Init, {build::var(adjoint(D->V))}, before(S),
                   valueAfter(build::var(D->V), S), Out);
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
        contribute(R->Value, {Seed}, before(S), nullptr, Out);
      return;
    }
    case StmtKind::Opaque: // pure, of what carries no derivatives
      return;
    default:
      llvm_unreachable("refused or rewritten before");
    }
  }

  /// Use, where it can be had in the reverse with the value after S.
  ExprRef valueAfter(const ExprRef &Use, const Node &S) {
    return Kept.withoutTape(Use, after(S));
  }

  void initialised(const Node &S, Statements &Out) {
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
      contribute(D->Init[K], {std::make_shared<Load>(At, D->Init[K]->Ty)},
                 before(S), nullptr, Out);
    }
  }

  void assign(const Node &S, Statements &Out) {
    auto *A = cast<Assign>(S.S.get());
    if (!Active.isActive(A->V.get()))
      return;
    const ExprRef Use = build::var(A->V);
    const Target T{Use, build::var(adjoint(A->V)), A->Op, A->Value};
    update(T, S, Out);
  }

  void store(const Node &S, Statements &Out) {
    auto *St = cast<Store>(S.S.get());
    const Type Ty = St->To.Field.empty() ? St->To.Buf->Elem : St->Value->Ty;
    if (!Active.isActive(St->To.Buf.get()) || !Ty.isFloat())
      return;
    const Target T{std::make_shared<Load>(St->To, Ty),
                   std::make_shared<Load>(adjoint(St->To, before(S)), Ty),
                   St->Op, St->Value};
    update(T, S, Out);
  }

  /// What is written, and its adjoint.
  struct Target {
    ExprRef Use, Adjoint;
    Combiner Op;
    ExprRef Value;
  };

  StmtRef set(const ExprRef &Place, const ExprRef &Value) {
    if (auto *U = dyn_cast<VarUse>(Place.get()))
      return std::make_shared<Assign>(U->V, Combiner::None, Value);
    return std::make_shared<Store>(cast<Load>(Place.get())->From,
                                   Combiner::None, Value);
  }

  /// Whether adding to the adjoint of a source of E may change that of T other
  /// than where the source is T itself.
  bool mayMeetTarget(const Target &T, const ExprRef &E) const {
    auto *To = dyn_cast<Load>(T.Use.get());
    bool Meets = false;
    forEachSource(E, [&](const ExprRef &Leaf) {
      auto *L = dyn_cast<Load>(Leaf.get());
      Meets |= L && To && Active.isActive(L->From.Buf.get()) &&
               !structurallyEqual(T.Use, Leaf) &&
               Kept.mayMeet(*L->From.Buf, *To->From.Buf);
    });
    return Meets;
  }

  void update(const Target &T, const Node &S, Statements &Out) {
    const Type Ty = T.Use->Ty;
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
      contribute(T.Value,
                 {build::cast(From, T.Value->Ty), T.Op == Combiner::Sub}, P,
                 nullptr, Out);
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
          Kept.condition(Wins, P, /*Always=*/true), block(Then), nullptr));
      return;
    }
    case Combiner::None:
      return replaced(T, T.Value, S, Out);
    default:
      llvm_unreachable("written out before, or no operator on floats");
    }
  }

  /// How often the seed of E is read.
  unsigned sources(const ExprRef &E) const {
    unsigned Count = 0;
    forEachSource(E,
                  [&](const ExprRef &Leaf) { Count += Active.isActive(Leaf); });
    return Count;
  }

  std::string valueName(const Target &T) {
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

  /// `T = Value`.
  void replaced(const Target &T, const ExprRef &Value, const Node &S,
                Statements &Out) {
    const Type Ty = T.Use->Ty;
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
      contribute(Value, {From}, P, valueAfter(T.Use, S), Out);
      Out.push_back(set(T.Adjoint, zero(Ty)));
      return;
    }
    // The value that is left may be had where what it is made of is gone.
    const ExprRef Left = valueAfter(T.Use, S);
    const VarRef Mark = markOf(Left);
    const Contributions C = contributionsOf(Value, {T.Adjoint}, hooks(),
                                            Mark ? build::var(Mark) : nullptr);
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
          Terms.empty() ? zero(Ty) : Kept.at(asExpr(Terms), P);
      if (!structurallyEqual(Passed, T.Adjoint))
        Made.push_back(set(T.Adjoint, Passed));
      unmark(Made, Mark, Left);
      append_range(Out, Made);
      return;
    }
    const VarRef V = temporary(valueName(T), Ty);
    Out.push_back(std::make_shared<Decl>(V, T.Adjoint));
    Out.push_back(set(T.Adjoint, zero(Ty)));
    contribute(Value, {build::var(V)}, P, Left, Out);
  }

  ExprRef conditionOf(const If &I, const Node &S) {
    const VarRef At = lastChoiceOf(I, Plain.Last);
    // What grew at each choice goes back at each, not at the last alone.
    if (!At || Kept.growsIn(*S.Body))
      return Kept.condition(I.Cond, before(S));
    const Node &Loop = *before(S).L->Owner;
    const ExprRef Here = build::var(cast<For>(Loop.S.get())->V);
    return build::binary(BinaryOp::EQ, Kept.at(Here, before(S)),
                         Kept.at(build::var(At), after(Loop)));
  }

  void branch(const Node &S, Statements &Out) {
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

  void loop(const Node &S, Statements &Out) {
    auto *L = cast<For>(S.S.get());
    Statements Body;
    reverseOf(*S.Body, Body);
    if (Body.empty())
      return;
    const Position P = before(S);
    const LoopHeader R{Kept.at(L->Lo, P), Kept.at(L->Hi, P),
                       Kept.at(L->Step, P), Kept.reverseCounter(S)};
    Out.push_back(
        reversed(*L, R, std::move(Body), [&](StringRef Name, const Type &T) {
          return temporary(Name, T);
        }));
  }

  void repeated(const Node &S, Statements &Out) {
    Statements Body;
    reverseOf(*S.Body, Body);
    if (Body.empty())
      return;
    const VarRef K = Kept.reverseCounter(S);
    const ExprRef Count = Kept.at(build::var(S.Trips), after(S));
    const Type T = K->Ty;
    Out.push_back(std::make_shared<For>(
        K, build::sub(Count, build::intConst(1, T)), BinaryOp::GE,
        build::intConst(0, T), build::intConst(-1, T), LoopKind::Serial,
        /*DeclaresVar=*/true, block(Body), S.S->Loc));
    Counted.insert(&S);
  }

  //===-- The forward sweep
  //------------------------------------------------===//

  void forward(const List &L, Statements &Out) {
    for (const std::unique_ptr<Node> &Child : L.Nodes) {
      append_range(Out, Kept.savesAt(before(*Child)));
      forward(*Child, Out);
    }
    append_range(Out, Kept.savesAt({&L, unsigned(L.Nodes.size())}));
  }

  StmtRef forward(const List &L) {
    Statements Out;
    forward(L, Out);
    return block(Out);
  }

  void forward(const Node &S, Statements &Out) {
    switch (S.S->Kind) {
    case StmtKind::For: {
      auto *L = cast<For>(S.S.get());
      Out.push_back(std::make_shared<For>(L->V, L->Lo, L->Cond, L->Hi, L->Step,
                                          LoopKind::Serial, L->DeclaresVar,
                                          forward(*S.Body), L->Loc));
      return;
    }
    case StmtKind::While: {
      auto *W = cast<While>(S.S.get());
      // Those that were made without jumps count themselves.
      const bool Counts = !Plain.Counters.count(W) && Counted.count(&S);
      Statements Body;
      forward(*S.Body, Body);
      if (Counts) {
        const ExprRef One = build::intConst(1, S.Trips->Ty);
        Out.push_back(
            std::make_shared<Decl>(S.Trips, build::intConst(0, S.Trips->Ty)));
        Body.push_back(std::make_shared<Assign>(S.Trips, Combiner::Add, One));
      }
      Out.push_back(std::make_shared<While>(W->Cond, W->TestFirst, block(Body),
                                            W->Why, W->Loc));
      return;
    }
    case StmtKind::If: {
      auto *I = cast<If>(S.S.get());
      Out.push_back(std::make_shared<If>(I->Cond, forward(*S.Body),
                                         S.Else ? forward(*S.Else) : nullptr,
                                         I->Loc));
      return;
    }
    case StmtKind::Return:
      return;
    default:
      Out.push_back(S.S);
    }
  }

  //===-- The whole
  //--------------------------------------------------------===//

  StmtRef body() {
    Statements Sweep, Out;
    reverseOf(N.Root, Sweep);
    // Parameters' adjoints, unless they are memory.
    Statements Before, After;
    for (const Param &P : Primal.Params) {
      if (!P.Scalar || !Vars.count(P.Scalar.get()))
        continue;
      const VarRef A = adjoint(P.Scalar);
      Before.push_back(std::make_shared<Decl>(A, zero(A->Ty)));
      if (BufferRef To = Results.lookup(P.Scalar.get()))
        After.push_back(std::make_shared<Store>(
            Access{To, {build::intConst(0, Type::getI64())}, {}, ""},
            Combiner::Add, build::var(A)));
    }
    forward(N.Root, Out);
    if (Split) {
      Statements Reverse = std::move(Before);
      append_range(Reverse, Sweep);
      append_range(Reverse, After);
      return inTwo(std::move(Out), std::move(Reverse));
    }
    append_range(Out, Before);
    append_range(Out, Sweep);
    append_range(Out, After);
    if (Returned) {
      const VarRef A = Vars.lookup(Returned.get());
      Out.push_back(
          std::make_shared<Return>(A ? build::var(A) : zero(Returned->Ty)));
    }
    return withDistinctVariables(tidied(block(Out)));
  }

  /// Both sweeps, with what is kept between them in a tape.
  StmtRef inTwo(Statements Forward, Statements Reverse) {
    std::string Name = "tape";
    while (!Names.insert(Name).second)
      Name += '_';
    const BufferRef Tape = tapeParameter(Primal, Name);
    const ArrayRef<StmtRef> Source = statements(Plain.F->Body);
    if (!Source.empty())
      if (auto *R = dyn_cast<Return>(Source.back().get()); R && R->Value)
        append_range(Forward, keptResult(Tape, R->Value));
    Forward.push_back(block(std::move(Reverse)));
    return withMembers(tidied(block(std::move(Forward))), Primal, Tape, Source,
                       *Split);
  }

  const Function &Primal;
  const Structured Plain;
  const Signature &Sig;
  const Activity Active;
  Callees &Called;
  const Nest N;
  Values Kept;
  ExprRef Seed;    ///< the adjoint of the result; null for none
  VarRef Returned; ///< the parameter whose adjoint is returned
  DenseMap<const Var *, VarRef> Vars;
  DenseMap<const Buffer *, BufferRef> Buffers;
  DenseMap<const Var *, BufferRef> Results; ///< of parameters by value
  StringMap<std::string> NameOf;
  DenseSet<const Node *> Counted; ///< while loops whose trips are needed
};

} // namespace

FunctionRef adjointForm(const Function &Primal, const Structured &Plain,
                        const Signature &Sig, AliasMode Alias,
                        Overwrites *Later, Callees &Called,
                        std::set<std::string> Names,
                        std::vector<Reason> *Split) {
  for (const FunctionRef &Made : Called.InOrder)
    Names.insert(Made->Name);
  Builder B(Primal, Plain, Sig, activityOf(*Plain.F, Sig, Alias), Alias, Later,
            Called, std::move(Names));
  Called.Names = &B.Names;
  B.Split = Split;
  FunctionRef Made = B.whole();
  Called.Names = nullptr;
  return Made;
}

} // namespace raise::grad
