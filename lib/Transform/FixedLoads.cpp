//===- FixedLoads.cpp - bounds and strides that lie in memory -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "FixedLoads.h"
#include "EarlyExits.h"
#include "PlainName.h"
#include "raise/IR/Effects.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace raise;
using llvm::cast;
using llvm::dyn_cast;
using llvm::isa;
using llvm::StringRef;

namespace {

/// A buffer that every access finds at one address.
bool staysInPlace(const Buffer &B) {
  return B.Kind == BufferKind::Param || B.Kind == BufferKind::Global ||
         (B.Kind == BufferKind::Pointer && B.Home == PointerHome::Fixed);
}

bool isInOnePlace(const Load &L) {
  const Access &A = L.From;
  return L.Ty.isInt() && !A.isView() && !A.Buf->Volatile &&
         staysInPlace(*A.Buf) && llvm::all_of(A.Indices, [](const ExprRef &I) {
           return isa<IntConst>(I.get());
         });
}

bool samePlace(const Access &A, const Access &B) {
  return A.Buf == B.Buf && A.Indices.size() == B.Indices.size() &&
         std::equal(A.Indices.begin(), A.Indices.end(), B.Indices.begin(),
                    [](const ExprRef &X, const ExprRef &Y) {
                      return structurallyEqual(X, Y);
                    });
}

/// Puts lets in the place of loads.
class LetLoads : public Rewriter {
public:
  explicit LetLoads(FixedLoads &Out) : Out(Out) {}
  void add(const ExprRef &E) {
    const auto *L = cast<Load>(E.get());
    if (of(*L))
      return;
    auto V = std::make_shared<Var>();
    V->Name = nameOf(L->From);
    V->Ty = L->Ty;
    V->Kind = VarKind::Local;
    V->Const = true;
    V->Loc = L->Loc;
    Out.Lets.push_back(std::make_shared<Decl>(V, E, L->Loc));
    Out.Values[V.get()] = E;
    if (!llvm::is_contained(Out.From, L->From.Buf))
      Out.From.push_back(L->From.Buf);
  }
  ExprRef rewriteExpr(const ExprRef &E) override {
    const auto *L = dyn_cast<Load>(E.get());
    const VarRef V = L ? of(*L) : nullptr;
    return V ? build::var(V) : E;
  }

private:
  FixedLoads &Out;
  /// `rows` of `a.rows_`, or `a_rows` where there is another one.
  std::string nameOf(const Access &A) const {
    const StringRef Path = StringRef(A.Field).rtrim('_');
    const std::string Last = Path.substr(Path.rfind('.') + 1).str();
    if (Last.empty())
      return plainName(A.Buf->Name) + "_value";
    const bool Taken = llvm::any_of(Out.Lets, [&](const StmtRef &S) {
      return cast<Decl>(S.get())->V->Name == Last;
    });
    return Taken ? plainName(A.Buf->Name) + "_" + Last : Last;
  }
  VarRef of(const Load &L) const {
    for (const StmtRef &S : Out.Lets) {
      const auto *D = cast<Decl>(S.get());
      const auto *Of = cast<Load>(D->Init.get());
      if (samePlace(Of->From, L.From) && Of->From.Field == L.From.Field &&
          Of->Ty == L.Ty)
        return D->V;
    }
    return nullptr;
  }
};

/// `{ let i = Lo; while (i < Hi) { S; i += Step; } }` as a `for`, and so where
/// i is declared before and set to Lo. (That nothing else changes Hi is the
/// caller's matter.)
StmtRef asFor(const StmtRef &S) {
  auto List = statements(S);
  if (!isa<Block>(S.get()) || List.size() != 2)
    return nullptr;
  auto *W = dyn_cast<While>(List[1].get());
  auto *D = dyn_cast<Decl>(List[0].get());
  auto *A = dyn_cast<Assign>(List[0].get());
  if (!W || !(D ? D->Init != nullptr : A && A->Op == Combiner::None))
    return nullptr;
  const VarRef V = D ? D->V : A->V;
  auto *Test = W->TestFirst ? dyn_cast<Binary>(W->Cond.get()) : nullptr;
  auto *Counts = Test ? dyn_cast<VarUse>(Test->L.get()) : nullptr;
  if (!Counts || Counts->V != V || V->Kind == VarKind::Cursor ||
      !isComparison(Test->Op) || Test->Op == BinaryOp::EQ ||
      uses(Test->R, V.get()))
    return nullptr;
  auto Body = statements(W->Body).vec();
  auto *Step = Body.empty() ? nullptr : dyn_cast<Assign>(Body.back().get());
  const bool Down = Step && Step->Op == Combiner::Sub && V->Ty.Signed;
  if (!Step || Step->V != V || (Step->Op != Combiner::Add && !Down) ||
      !isa<IntConst>(Step->Value.get()) || Step->Value->Ty != V->Ty)
    return nullptr;
  Body.pop_back();
  StmtRef Rest = makeBlock(std::move(Body), W->Body->Loc);
  if (assigns(Rest, V.get()) || leavesEarly(Rest))
    return nullptr;
  ExprRef By = Step->Value;
  if (Down)
    By = build::intConst(-cast<IntConst>(By.get())->Value, By->Ty);
  return std::make_shared<For>(V, D ? D->Init : A->Value, Test->Op, Test->R, By,
                               LoopKind::Serial, D != nullptr, Rest, W->Loc);
}

struct CountedLoops : Rewriter {
  std::vector<ExprRef> Bounds; ///< that the source's loops evaluate again
  StmtRef rewriteStmt(const StmtRef &S) override {
    StmtRef Made = asFor(S);
    if (!Made)
      return S;
    Bounds.push_back(cast<For>(Made.get())->Hi);
    return Made;
  }
};

/// What tells which elements are stored to.
class StoresOnly : public Rewriter {
  StmtRef rewriteStmt(const StmtRef &S) override {
    if (auto *St = dyn_cast<Store>(S.get())) {
      const Type &Ty = St->Value->Ty;
      return std::make_shared<Store>(St->To, Combiner::None,
                                     Ty.isFloat()  ? build::floatConst(0, Ty)
                                     : Ty.isBool() ? build::boolConst(false)
                                                   : build::intConst(0, Ty),
                                     false, St->Loc);
    }
    if (auto *D = dyn_cast<Decl>(S.get()); D && D->V->Ty.isFloat() && D->Init)
      return std::make_shared<Decl>(D->V, build::floatConst(0, D->V->Ty),
                                    D->Loc);
    if (auto *A = dyn_cast<Assign>(S.get()); A && A->V->Ty.isFloat())
      return std::make_shared<Assign>(A->V, Combiner::None,
                                      build::floatConst(0, A->V->Ty), A->Loc);
    return S;
  }
};

/// Of two paths of members: one is the other or holds it.
bool overlap(StringRef A, StringRef B) {
  if (A.size() > B.size())
    std::swap(A, B);
  return B == A || A.empty() || B.starts_with(A.str() + ".");
}

/// Whether S may change what L loads, whatever buffers overlap.
bool stores(const Effects &Does, const Load &L) {
  return llvm::any_of(Does.Memory, [&](const MemoryAccess &M) {
    return M.How != MemoryAccess::Mode::Read && M.At.Buf == L.From.Buf &&
           overlap(M.At.Field, L.From.Field);
  });
}

} // namespace

/// What B leads to can be read at any time.
static bool isThere(const Buffer &B) {
  return (B.Kind == BufferKind::Param && B.Reference) ||
         B.Kind == BufferKind::Global ||
         (B.Kind == BufferKind::Pointer && B.Name == "this");
}

namespace {

/// Calls Do for what a statement evaluates whatever its values are: neither
/// arms of conditions nor the extents of views, which nothing looks at.
class Evaluated : public Visitor {
public:
  explicit Evaluated(llvm::function_ref<void(const Load &)> Do) : Do(Do) {}
  bool visitExpr(const ExprRef &E) override {
    const auto *B = dyn_cast<Binary>(E.get());
    if (B && (B->Op == BinaryOp::LAnd || B->Op == BinaryOp::LOr)) {
      walk(B->L);
      return false;
    }
    if (const auto *S = dyn_cast<Select>(E.get())) {
      walk(S->Cond);
      return false;
    }
    if (const auto *L = dyn_cast<Load>(E.get())) {
      Do(*L);
      for (const ExprRef &I : L->From.Indices)
        walk(I);
      return false;
    }
    return true;
  }
  bool visitStmt(const StmtRef &S) override {
    if (const auto *St = dyn_cast<Store>(S.get())) {
      walk(St->Value);
      for (const ExprRef &I : St->To.Indices)
        walk(I);
      return false;
    }
    return true;
  }

private:
  llvm::function_ref<void(const Load &)> Do;
};

/// The objects that a nest shows to be there: those of the bounds and of the
/// statements that are reached whenever the loops around them run.
class ReachedObjects {
public:
  std::vector<Access> Objects;
  std::vector<ExprRef> Runs; ///< if these hold

  void add(const For &L) {
    reach(L.Hi);
    Around.push_back(L.V.get());
    for (const ExprRef &E : {L.Lo, L.Hi})
      for (const Var *V : Around)
        if (uses(E, V))
          return;
    // The counter is compared in the type of the bound.
    const ExprRef Start = build::cast(build::cast(L.Lo, L.V->Ty), L.Hi->Ty);
    Pending.push_back(L.Cond == BinaryOp::LT && isa<IntConst>(Start.get())
                          ? build::binary(BinaryOp::GT, L.Hi, Start)
                          : build::binary(L.Cond, Start, L.Hi));
    enterAll(L.Body);
  }

private:
  std::vector<ExprRef> Pending;
  std::vector<const Var *> Around;

  template <typename T> void reach(const T &What) {
    bool New = false;
    Evaluated([&](const Load &L) {
      if (!isInOnePlace(L) || isThere(*L.From.Buf))
        return;
      // A name that an iteration makes for itself leads elsewhere in each.
      if (!Around.empty() && L.From.Buf->Kind == BufferKind::Pointer)
        return;
      Objects.push_back(L.From);
      New = true;
    }).walk(What);
    if (New)
      Runs.insert(Runs.end(), Pending.begin(), Pending.end());
    if (New)
      Pending.clear();
  }

  void enterAll(const StmtRef &S) {
    for (const StmtRef &Sub : statements(S)) {
      if (leavesEarly(Sub))
        return; // what follows may not be reached
      if (auto *L = dyn_cast<For>(Sub.get())) {
        llvm::SaveAndRestore Before(Pending);
        add(*L);
      } else if (isa<Block>(Sub.get())) {
        enterAll(Sub);
      } else if (isa<Store>(Sub.get()) || isa<Assign>(Sub.get()) ||
                 isa<Decl>(Sub.get())) {
        reach(Sub);
      }
    }
  }
};

/// Whether a subscript in S holds a load from one place.
bool hasFixedSubscript(const StmtRef &S) {
  bool Found = false;
  const auto Look = [&](const Access &A) {
    for (const ExprRef &I : A.Indices)
      forEachExpr(I, [&](const ExprRef &E) {
        const auto *L = dyn_cast<Load>(E.get());
        Found |= L && isInOnePlace(*L);
      });
  };
  forEachExpr(S, [&](const ExprRef &E) {
    if (const auto *L = dyn_cast<Load>(E.get()))
      Look(L->From);
  });
  forEachStmt(S, [&](const StmtRef &Sub) {
    if (const auto *St = dyn_cast<Store>(Sub.get()))
      Look(St->To);
  });
  return Found;
}

} // namespace

std::optional<FixedLoads> raise::fixLoads(const StmtRef &S) {
  FixedLoads Out;
  CountedLoops Counting;
  const StmtRef Counted = Counting.run(S);
  auto *Outermost = dyn_cast<For>(Counted.get());
  const Effects Does = effectsOf(S);
  bool Ok = Outermost && Outermost->LKind == LoopKind::Serial && !Does.Unknown;
  forEachStmt(Counted, [&](const StmtRef &Sub) {
    Ok &= !isa<While>(Sub.get()) && !isa<Region>(Sub.get());
  });
  if (!Ok || (Counting.Bounds.empty() && !hasFixedSubscript(S)))
    return std::nullopt;
  ReachedObjects Reached;
  Reached.add(*Outermost);
  auto IsFixed = [&](const Load &L) {
    return isInOnePlace(L) && !stores(Does, L) &&
           (isThere(*L.From.Buf) ||
            llvm::any_of(Reached.Objects, [&](const Access &A) {
              return samePlace(A, L.From);
            }));
  };
  LetLoads Lets(Out);
  forEachExpr(Counted, [&](const ExprRef &E) {
    if (auto *L = dyn_cast<Load>(E.get()); L && IsFixed(*L))
      Lets.add(E);
  });
  for (const ExprRef &Bound : Counting.Bounds)
    forEachExpr(Bound, [&](const ExprRef &E) {
      auto *L = dyn_cast<Load>(E.get());
      Ok &= !L || IsFixed(*L);
    });
  if (!Ok || Out.Lets.empty())
    return std::nullopt;
  for (const ExprRef &E : Reached.Runs)
    Out.Runs.push_back(Lets.run(E));
  Out.Loop = Lets.run(Counted);
  Outermost = cast<For>(Out.Loop.get());
  std::vector<StmtRef> Body;
  for (const StmtRef &Let : Out.Lets) {
    const auto *D = cast<Decl>(Let.get());
    auto Again = std::make_shared<Var>(*D->V);
    Body.push_back(std::make_shared<Decl>(Again, D->Init, D->Loc));
  }
  Body.push_back(StoresOnly().run(Outermost->Body));
  Out.Touches = std::make_shared<For>(
      Outermost->V, Outermost->Lo, Outermost->Cond, Outermost->Hi,
      Outermost->Step, Outermost->LKind, Outermost->DeclaresVar,
      makeBlock(std::move(Body)), Outermost->Loc);
  return Out;
}
