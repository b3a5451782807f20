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
  StringMap<DenseSet<const void *>> Used;

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
        Used[Word].insert(Entity);
      }
      Text = Text.drop_front(std::max<size_t>(Word.size(), 1));
    }
  }
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

/// Whether an iterator's first value is given in terms of the variable itself,
/// which in C would read the new variable.
bool startsFromItself(const StmtRef &Body, const Var *V) {
  bool Found = false;
  forEachStmt(Body, [&](const StmtRef &S) {
    if (auto *T = dyn_cast<TensorOp>(S.get())) {
      for (const Iterator &I : T->Iterators)
        if (I.V.get() == V)
          Found |= uses(I.Lo, V) || uses(I.Hi, V) || uses(I.Step, V);
    } else if (auto *D = dyn_cast<Decl>(S.get())) {
      Found |= D->V.get() == V && D->Init && uses(D->Init, V);
    } else if (auto *L = dyn_cast<For>(S.get())) {
      if (L->V.get() == V && L->DeclaresVar)
        Found |= uses(L->Lo, V) || uses(L->Hi, V) || uses(L->Step, V);
    }
  });
  return Found;
}

bool declares(const StmtRef &S, const Var *V) {
  bool Found = false;
  eachDeclared(S, [&](const VarRef &D) { Found |= D.get() == V; });
  return Found;
}

/// What is used where V is visible, and a little more.
void collectScope(const StmtRef &Body, const Var *V, NameCollector &Scope) {
  if (declares(Body, V))
    Scope.walk(Body);
  forEachStmt(Body, [&](const StmtRef &S) {
    auto *B = dyn_cast<Block>(S.get());
    bool Local = B && any_of(B->Body, [&](const StmtRef &Sub) {
                   return isa<Decl>(*Sub) && declares(Sub, V);
                 });
    bool Loop = !isa<Decl>(*S) && declares(S, V);
    if (Local || Loop)
      Scope.walk(S);
  });
}

/// Whether Inner is declared while Outer, which comes first, is visible.
bool scopesNest(const StmtRef &Body, const Var *Outer, const Var *Inner) {
  bool Nested = false;
  forEachStmt(Body, [&](const StmtRef &S) {
    Nested |= declares(S, Outer) && declaresInside(S, Inner);
    auto *B = dyn_cast<Block>(S.get());
    if (!B)
      return;
    bool Visible = false;
    for (const StmtRef &Sub : B->Body) {
      Nested |= Visible && declaresInside(Sub, Inner);
      Visible |= isa<Decl>(*Sub) && declares(Sub, Outer);
    }
  });
  return Nested;
}

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
  NameCollector Whole(/*Originals=*/true), Here(/*Originals=*/false);
  Whole.VisitInspections = false; // but guards use what they declare
  if (Inspection)
    for (const StmtRef &S : statements(Inspection))
      if (auto *D = dyn_cast<Decl>(S.get()))
        Whole.Skipped.insert(D->V.get());
  for (const Param &P : F.Params)
    Whole.All.insert(P.name());
  if (F.Body)
    Whole.walk(F.Body);
  Here.walk(Body);
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
    bool Hides = startsFromItself(Body, V) || (Taken && Taken->count(Name));
    NameCollector Scope(/*Originals=*/false);
    collectScope(Body, V, Scope);
    for (const void *Entity : Scope.Used[Name])
      Hides |= Entity != V &&
               !Here.IsDeclared.count(static_cast<const Var *>(Entity));
    for (const Var *Other : Keepers[Name])
      // What stands in both forms of a loop may come in another order there.
      Hides |= scopesNest(Body, Other, V) || scopesNest(Body, V, Other);
    if (Hides)
      Given[V] = fresh(Name);
    else
      Keepers[Name].push_back(V);
  }
}

/// The loops that look at indices count under names that hide nothing they use.
void Names::nameCounters(const StmtRef &Inspection,
                         const std::set<std::string> *Taken) {
  NameCollector Here(/*Originals=*/false);
  Here.walk(Inspection);
  for (const Var *V : Here.Declared) {
    if (Given.count(V))
      continue;
    const std::string Name = plainName(*V);
    bool Hides =
        startsFromItself(Inspection, V) || (Taken && Taken->count(Name));
    NameCollector Scope(/*Originals=*/false);
    collectScope(Inspection, V, Scope);
    for (const void *Entity : Scope.Used[Name])
      Hides |= Entity != V &&
               !Here.IsDeclared.count(static_cast<const Var *>(Entity));
    if (Hides)
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

} // namespace raise
