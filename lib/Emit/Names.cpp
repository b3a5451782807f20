//===- Names.cpp - which name each variable gets in emitted text ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Names.h"
#include "raise/IR/Visitor.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace raise {

std::string plainName(const Var &V) {
  StringRef Name = V.Name;
  if (V.Kind == VarKind::Launch) {
    if (Name.consume_front("gridDim."))
      return "grid." + Name.str();
    if (Name.consume_front("blockDim."))
      return "block." + Name.str();
  }
  // `N`, `l.n`, `v.size()`
  if (V.Kind == VarKind::External || V.Kind == VarKind::Param)
    return Name.str();
  std::string Result;
  for (char C : Name)
    Result += isAlnum(C) || C == '_' || C == ':' ? C : '_';
  return Result;
}

StringRef subscripted(const Buffer &B) {
  StringRef Name = B.Name;
  if (B.Kind == BufferKind::Pointer)
    Name.consume_back(".data()");
  return Name;
}

std::string asIdentifier(StringRef Name) {
  std::string Result;
  for (char C : Name)
    if (isAlnum(C) || C == '_')
      Result += C;
    else if (!Result.empty() && Result.back() != '_')
      Result += '_';
  return Result;
}

namespace {

/// Calls back for each variable that a statement declares itself.
template <class Callback> void eachDeclared(const StmtRef &S, Callback Fn) {
  if (auto *D = dyn_cast<Decl>(S.get()))
    Fn(D->V);
  else if (auto *L = dyn_cast<For>(S.get())) {
    if (L->DeclaresVar)
      Fn(L->V);
  } else if (auto *T = dyn_cast<TensorOp>(S.get()))
    for (const Iterator &I : T->Iterators)
      Fn(I.V);
}

/// Everything that has a name in a function: what stands there, and what is
/// used. An entity is a variable, a buffer or a callee.
class NameCollector : public Visitor {
public:
  explicit NameCollector(bool Originals) { VisitOriginals = Originals; }
  StringSet<> All;
  /// Variables in the order in which they are met.
  std::vector<const Var *> Declared;
  DenseSet<const Var *> IsDeclared;

  /// They get their names elsewhere.
  DenseSet<const Var *> Skipped;

  void note(const Var *V) {
    if (Skipped.count(V))
      return;
    add(plainName(*V), V);
    if (V->Base)
      note(V->Base.get());
  }
  /// The name of a member of an object hides nothing.
  void note(const Buffer *B) {
    const bool Member = B->Kind == BufferKind::Local && B->Owner;
    add(Member ? B->Owner->Name : B->Name, B);
  }
  /// Each identifier of `ns::x`, of a type's spelling or of a constant's is
  /// taken: a new variable of that name would hide it, here or in the original.
  void add(StringRef Text, const void *Entity) {
    while (!Text.empty()) {
      StringRef Word =
          Text.take_while([](char C) { return isAlnum(C) || C == '_'; });
      if (!Word.empty()) {
        All.insert(Word);
        used(Word, Entity);
      }
      Text = Text.drop_front(std::max<size_t>(Word.size(), 1));
    }
  }
  virtual void used(StringRef, const void * /*Entity*/) {}
  void addType(const Type &T) {
    if (!T.Spelling.empty())
      add(T.Spelling, &T);
  }
  bool visitExpr(const ExprRef &E) override {
    if (auto *U = dyn_cast<VarUse>(E.get()))
      note(U->V.get());
    else if (auto *L = dyn_cast<Load>(E.get()))
      note(L->From.Buf.get());
    else if (auto *N = dyn_cast<NonNull>(E.get()))
      note(N->Buf.get());
    else if (auto *C = dyn_cast<Call>(E.get()))
      add(C->Fn->Name, C->Fn.get());
    else if (auto *I = dyn_cast<IntConst>(E.get()))
      add(I->Spelling, I); // may be a macro or an enumerator
    else if (auto *X = dyn_cast<FloatConst>(E.get()))
      add(X->Spelling, X);
    if (isa<Cast>(E.get()))
      addType(E->Ty);
    return true;
  }
  bool visitStmt(const StmtRef &S) override {
    eachDeclared(S, [&](const VarRef &V) {
      All.insert(plainName(*V));
      addType(V->Ty);
      if (IsDeclared.insert(V.get()).second)
        Declared.push_back(V.get());
    });
    if (auto *A = dyn_cast<Assign>(S.get()))
      note(A->V.get());
    else if (auto *St = dyn_cast<Store>(S.get()))
      note(St->To.Buf.get());
    else if (auto *L = dyn_cast<For>(S.get()); L && !L->DeclaresVar)
      note(L->V.get());
    else if (auto *B = dyn_cast<DeclBuffer>(S.get()))
      note(B->B.get()), addType(B->B->Elem);
    else if (auto *O = dyn_cast<Opaque>(S.get()); O && O->Pure) {
      note(O->Pure->Result.get());
      add(O->Pure->Name, O->Pure.get());
      for (const PureCall::Argument &A : O->Pure->Args)
        if (A.Base)
          note(A.Base.get());
    }
    return true;
  }
};

/// What stands where in a statement, by the number of the statement in a walk:
/// where each variable that it declares is visible, and what is used there.
class Scopes : public NameCollector {
public:
  explicit Scopes(const StmtRef &Body) : NameCollector(/*Originals=*/false) {
    walk(Body);
  }

  /// Whether V's first value is given in terms of the variable itself, which in
  /// C would read the new variable.
  bool startsFromItself(const Var *V) const { return FromItself.count(V); }

  /// Whether V, under Name, would hide something else that is used where it is
  /// visible, or a little before.
  bool hides(const Var *V, StringRef Name) {
    const auto Uses = Used.find(Name);
    const auto Where = Of.find(V);
    if (Uses == Used.end() || Where == Of.end())
      return false;
    return any_of(
        Uses->second, [&](const std::pair<unsigned, const void *> &U) {
          return !IsDeclared.count(static_cast<const Var *>(U.second)) &&
                 any_of(Where->second.Near,
                        [&](const Span &S) { return S.has(U.first); });
        });
  }

  /// Whether Inner is declared while Outer, which comes first, is visible.
  bool nest(const Var *Outer, const Var *Inner) const {
    const auto O = Of.find(Outer), I = Of.find(Inner);
    if (O == Of.end() || I == Of.end())
      return false;
    return any_of(I->second.Declared, [&](unsigned At) {
      return any_of(O->second.Visible,
                    [&](const Span &S) { return S.has(At); });
    });
  }

private:
  /// Statements First to Last of the walk.
  struct Span {
    unsigned First, Last;
    bool has(unsigned At) const { return First <= At && At <= Last; }
  };
  struct Variable {
    std::vector<unsigned> Declared;
    /// The statements in which it is visible; those of the same block too.
    std::vector<Span> Visible, Near;
  };
  /// A statement that the walk is in.
  struct Open {
    unsigned At;
    bool IsBlock;
    /// Of a block: its declarations, each with the first statement after it.
    std::vector<std::pair<const Var *, unsigned>> Decls;
  };
  DenseMap<const Var *, Variable> Of;
  DenseSet<const Var *> FromItself;
  StringMap<std::vector<std::pair<unsigned, const void *>>> Used;
  std::vector<Open> Stack;
  unsigned Now = 0;

  void used(StringRef Word, const void *Entity) override {
    auto &Uses = Used[Word];
    if (Uses.empty() || Uses.back() != std::pair(Now, Entity))
      Uses.push_back({Now, Entity});
  }

  bool visitStmt(const StmtRef &S) override {
    ++Now;
    eachDeclared(S,
                 [&](const VarRef &V) { Of[V.get()].Declared.push_back(Now); });
    const auto Starts = [&](const VarRef &V, ArrayRef<ExprRef> From) {
      if (any_of(From, [&](const ExprRef &E) { return E && uses(E, V.get()); }))
        FromItself.insert(V.get());
    };
    if (auto *T = dyn_cast<TensorOp>(S.get())) {
      for (const Iterator &I : T->Iterators)
        Starts(I.V, {I.Lo, I.Hi, I.Step});
    } else if (auto *D = dyn_cast<Decl>(S.get())) {
      Starts(D->V, {D->Init});
    } else if (auto *L = dyn_cast<For>(S.get()); L && L->DeclaresVar) {
      Starts(L->V, {L->Lo, L->Hi, L->Step});
    }
    Stack.push_back({Now, isa<Block>(*S), {}});
    return NameCollector::visitStmt(S);
  }

  void leaveStmt(const StmtRef &S) override {
    const Open Left = std::move(Stack.back());
    Stack.pop_back();
    for (const auto &[V, First] : Left.Decls) {
      Of[V].Visible.push_back({First, Now});
      Of[V].Near.push_back({Left.At, Now});
    }
    eachDeclared(S, [&](const VarRef &V) {
      Variable &It = Of[V.get()];
      if (!isa<Decl>(*S)) {
        It.Visible.push_back({Left.At, Now});
        It.Near.push_back({Left.At, Now});
      } else if (Stack.empty()) {
        It.Near.push_back({Left.At, Now});
      } else if (Stack.back().IsBlock) {
        Stack.back().Decls.push_back({V.get(), Now + 1});
      }
    });
  }
};

} // namespace

bool declaresInside(const StmtRef &S, const Var *V) {
  bool Found = false;
  forEachStmt(S, [&](const StmtRef &Sub) {
    eachDeclared(Sub,
                 [&](const VarRef &Declared) { Found |= Declared.get() == V; });
  });
  return Found;
}

Names::Names(const Function &F, const StmtRef &Body,
             const std::set<std::string> *Taken, const StmtRef &Inspection) {
  if (Taken)
    for (const std::string &Name : *Taken)
      Known.insert(Name);
  NameCollector Whole(/*Originals=*/true);
  Whole.VisitInspections = false; // but guards use what they declare
  if (Inspection)
    for (const StmtRef &S : statements(Inspection))
      if (auto *D = dyn_cast<Decl>(S.get()))
        Whole.Skipped.insert(D->V.get());
  for (const Param &P : F.Params)
    Whole.All.insert(P.name());
  if (F.Body)
    Whole.walk(F.Body);
  Scopes Here(Body);
  for (const auto &Entry : Whole.All)
    Known.insert(Entry.getKey());
  for (const auto &Entry : Here.All)
    Known.insert(Entry.getKey());
  if (Inspection)
    for (const StmtRef &S : statements(Inspection))
      if (auto *D = dyn_cast<Decl>(S.get()))
        Given[D->V.get()] = fresh(plainName(*D->V));

  if (Inspection)
    nameCounters(Inspection, Taken);

  StringMap<std::vector<const Var *>> Keepers;
  for (const Var *V : Here.Declared) {
    std::string Name = plainName(*V);
    bool Hides = Here.startsFromItself(V) || (Taken && Taken->count(Name)) ||
                 Here.hides(V, Name);
    for (const Var *Other : Keepers[Name])
      // What stands in both forms of a loop may come in another order there.
      Hides |= Here.nest(Other, V) || Here.nest(V, Other);
    if (Hides)
      Given[V] = fresh(Name);
    else
      Keepers[Name].push_back(V);
  }
}

/// The loops that look at indices count under names that hide nothing they use.
void Names::nameCounters(const StmtRef &Inspection,
                         const std::set<std::string> *Taken) {
  Scopes Here(Inspection);
  for (const Var *V : Here.Declared) {
    if (Given.count(V))
      continue;
    const std::string Name = plainName(*V);
    if (Here.startsFromItself(V) || (Taken && Taken->count(Name)) ||
        Here.hides(V, Name))
      Given[V] = fresh(Name);
  }
}

std::string Names::of(const Var *V) const {
  auto It = Given.find(V);
  return It == Given.end() ? plainName(*V) : It->second;
}

std::string Names::fresh(StringRef Base) {
  std::string Name = Base.str();
  for (unsigned Suffix = 2; !Known.insert(Name).second; ++Suffix)
    Name = Base.str() + "_" + std::to_string(Suffix);
  return Name;
}

void addDeclaredNames(const StmtRef &S, const Names &N, DeclaredNames &Into) {
  if (auto *D = dyn_cast<Decl>(S.get()))
    Into[N.of(D->V.get())].push_back(D->V.get());
  else if (auto *B = dyn_cast<DeclBuffer>(S.get()))
    Into[B->B->Name].push_back(B->B.get());
  else if (auto *Inner = dyn_cast<Block>(S.get()))
    for (const StmtRef &Sub : Inner->Body)
      addDeclaredNames(Sub, N, Into);
}

bool usesOther(const StmtRef &S, const DeclaredNames &Declared,
               const Names &N) {
  struct Finder : NameCollector {
    const DeclaredNames &Declared;
    const Names &N;
    bool Found = false;
    Finder(const DeclaredNames &Declared, const Names &N)
        : NameCollector(/*Originals=*/true), Declared(Declared), N(N) {}
    void used(StringRef Name, const void *Entity) override {
      const auto At = Declared.find(Name);
      Found |= At != Declared.end() && !is_contained(At->second, Entity);
    }
    bool visitExpr(const ExprRef &E) override {
      if (auto *U = dyn_cast<VarUse>(E.get()))
        used(N.of(U->V.get()), U->V.get());
      return NameCollector::visitExpr(E);
    }
    bool visitStmt(const StmtRef &Sub) override {
      if (auto *O = dyn_cast<Opaque>(Sub.get()))
        add(O->Text, O);
      return NameCollector::visitStmt(Sub);
    }
  } F(Declared, N);
  F.walk(S);
  return F.Found;
}

} // namespace raise
