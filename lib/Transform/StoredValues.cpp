//===- StoredValues.cpp - what an iteration has just stored ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "StoredValues.h"
#include "FoldConstants.h"
#include "PlainName.h"
#include "raise/IR/Visitor.h"
#include "raise/Transform/IndexMath.h"
#include "llvm/ADT/STLExtras.h"

using namespace raise;
using llvm::cast;
using llvm::dyn_cast;
using llvm::isa;

namespace {

/// An element, and the variable that holds what was stored there last.
struct Known {
  Access At;
  VarRef Value;
};

/// Whether two subscripts differ whatever their variables are.
bool differ(const ExprRef &A, const ExprRef &B) {
  auto PA = Polynomial::of(A), PB = Polynomial::of(B);
  auto By = PA && PB ? (*PA - *PB).asConstant() : std::nullopt;
  return By && *By != 0 && *By > INT32_MIN && *By < INT32_MAX;
}

bool mayBeOne(const Access &A, const Access &B) {
  if (A.Buf != B.Buf)
    return false;
  if (A.Indices.size() != B.Indices.size())
    return true;
  for (size_t I = 0; I < A.Indices.size(); ++I)
    if (differ(A.Indices[I], B.Indices[I]))
      return false;
  return true;
}

/// Whether no store can make another element of A by moving a pointer.
bool hasFixedHome(const Access &A) {
  bool Ok = true;
  forEachExpr(build::load(A), [&](const ExprRef &E) {
    if (auto *Ld = dyn_cast<Load>(E.get()))
      Ok &= Ld->From.Buf->Home == PointerHome::Fixed ||
            Ld->From.Buf->Home == PointerHome::Variable;
  });
  return Ok;
}

/// Whether what is stored to A may be what A's subscripts load.
bool mayMoveItself(const Access &A) {
  bool May = false;
  for (const ExprRef &I : A.Indices)
    forEachExpr(I, [&](const ExprRef &E) {
      auto *Ld = dyn_cast<Load>(E.get());
      May |= Ld && mayBeOne(Ld->From, A);
    });
  return May;
}

class LoadReplacer : public Rewriter {
public:
  explicit LoadReplacer(const std::vector<Known> &Table) : Table(Table) {}
  ExprRef rewriteExpr(const ExprRef &E) override {
    if (auto *Ld = dyn_cast<Load>(E.get()))
      for (const Known &K : Table)
        if (sameAccess(K.At, Ld->From)) {
          Replaced = true;
          return build::var(K.Value);
        }
    return E;
  }
  bool Replaced = false;

private:
  const std::vector<Known> &Table;
};

class Forwarder {
public:
  explicit Forwarder(const For &L) : L(L) {}
  StmtRef run(const StmtRef &S);
  bool Changed = false;

private:
  StmtRef runList(const StmtRef &S);
  void forget(const StmtRef &S);
  ExprRef newValue(const Store &St, const ExprRef &Old) const;
  template <typename T> T replaced(const T &In) {
    LoadReplacer R(Table);
    T Out = R.run(In);
    Changed |= R.Replaced;
    return Out;
  }
  ExprRef readIn(llvm::ArrayRef<StmtRef> Later, const Access &At) const;

  const For &L;
  std::vector<Known> Table;
};

} // namespace

/// Drops what S may overwrite, or whose subscripts mean something else after.
void Forwarder::forget(const StmtRef &S) {
  llvm::erase_if(Table, [&](const Known &K) {
    bool Lost = false;
    ExprRef Element = build::load(K.At); // its subscripts may be loads as well
    forEachStmt(S, [&](const StmtRef &Sub) {
      if (auto *St = dyn_cast<Store>(Sub.get()))
        forEachExpr(Element, [&](const ExprRef &E) {
          auto *Ld = dyn_cast<Load>(E.get());
          Lost |= Ld && mayBeOne(Ld->From, St->To);
        });
    });
    assignedVars(S, [&](const VarRef &V) {
      for (const auto &List : {K.At.Indices, K.At.Extents})
        for (const ExprRef &E : List)
          Lost |= E && uses(E, V.get());
    });
    return Lost;
  });
}

/// The first read of At in Later, or null.
ExprRef Forwarder::readIn(llvm::ArrayRef<StmtRef> Later,
                          const Access &At) const {
  ExprRef Read;
  for (const StmtRef &S : Later)
    forEachExpr(S, [&](const ExprRef &E) {
      auto *Ld = dyn_cast<Load>(E.get());
      if (!Read && Ld && sameAccess(Ld->From, At))
        Read = E;
    });
  return Read;
}

/// What the element, Old before, holds after St; null for a combiner that is no
/// arithmetic.
ExprRef Forwarder::newValue(const Store &St, const ExprRef &Old) const {
  BinaryOp Op;
  switch (St.Op) {
  case Combiner::None:
    return St.Value;
  case Combiner::Add:
    Op = BinaryOp::Add;
    break;
  case Combiner::Sub:
    Op = BinaryOp::Sub;
    break;
  case Combiner::Mul:
    Op = BinaryOp::Mul;
    break;
  case Combiner::Div:
    Op = BinaryOp::Div;
    break;
  default:
    return nullptr;
  }
  return build::cast(
      build::binary(Op, build::cast(Old, St.Value->Ty), St.Value), Old->Ty);
}

StmtRef Forwarder::run(const StmtRef &S) {
  if (!S)
    return S;
  // What is declared in a block is known to its end.
  std::vector<Known> Before = Table;
  if (isa<Block>(S.get())) {
    StmtRef New = runList(S);
    Table = std::move(Before);
    return New;
  }
  auto *I = dyn_cast<If>(S.get());
  if (!I)
    return replaced(S);
  ExprRef Cond = replaced(I->Cond);
  StmtRef Then = run(I->Then);
  Table = Before;
  StmtRef Else = run(I->Else);
  Table = std::move(Before);
  return std::make_shared<If>(Cond, Then, Else, I->Loc);
}

StmtRef Forwarder::runList(const StmtRef &S) {
  llvm::ArrayRef<StmtRef> List = cast<Block>(S.get())->Body;
  std::vector<StmtRef> Out;
  for (size_t I = 0; I < List.size(); ++I) {
    auto *St = dyn_cast<Store>(List[I].get());
    // A loop may come back to its reads after its writes.
    if (isa<For>(List[I].get()))
      forget(List[I]);
    StmtRef New = run(List[I]);
    forget(List[I]);
    ExprRef Read =
        St && !St->Atomic && hasFixedHome(St->To) && !mayMoveItself(St->To)
            ? readIn(List.drop_front(I + 1), St->To)
            : nullptr;
    // Old is what New reads, which may have been replaced already.
    auto *Now = Read ? cast<Store>(New.get()) : nullptr;
    ExprRef Value =
        Now ? newValue(*Now, std::make_shared<Load>(Now->To, Read->Ty))
            : nullptr;
    if (!Value || Value->Ty != Read->Ty) {
      Out.push_back(New);
      continue;
    }
    auto V = std::make_shared<Var>();
    V->Name = plainName(St->To.Buf->Name) + "_" + L.V->Name;
    V->Ty = Value->Ty;
    V->Const = true;
    Out.push_back(std::make_shared<Decl>(V, Value));
    Out.push_back(std::make_shared<Store>(cast<Store>(New.get())->To,
                                          Combiner::None, build::var(V), false,
                                          St->Loc));
    Table.push_back({St->To, V});
  }
  return std::make_shared<Block>(std::move(Out), S->Loc);
}

std::shared_ptr<const For> raise::useStoredValues(const For &L) {
  Forwarder Fw(L);
  StmtRef Body = Fw.run(L.Body);
  if (!Fw.Changed)
    return nullptr;
  Body = SelfComparisonFolder().run(Body);
  if (!Body)
    Body = makeBlock({});
  return std::make_shared<For>(L.V, L.Lo, L.Cond, L.Hi, L.Step, L.LKind,
                               L.DeclaresVar, Body, L.Loc);
}

StmtRef raise::withoutSingleUses(const StmtRef &S) {
  struct Merger : Rewriter {
    const StmtRef &Whole;
    explicit Merger(const StmtRef &Whole) : Whole(Whole) {}
    unsigned count(const Var *V) const {
      unsigned N = 0;
      forEachExpr(Whole, [&](const ExprRef &E) {
        auto *U = dyn_cast<VarUse>(E.get());
        N += U && U->V.get() == V;
      });
      return N;
    }
    StmtRef rewriteStmt(const StmtRef &Sub) override {
      auto *B = dyn_cast<Block>(Sub.get());
      if (!B)
        return Sub;
      std::vector<StmtRef> Out;
      for (const StmtRef &Next : B->Body) {
        auto *D = Out.empty() ? nullptr : dyn_cast<Decl>(Out.back().get());
        auto *St = dyn_cast<Store>(Next.get());
        auto *U = St ? dyn_cast<VarUse>(St->Value.get()) : nullptr;
        if (D && D->Init && U && U->V == D->V && St->Op == Combiner::None &&
            count(D->V.get()) == 1)
          Out.back() = std::make_shared<Store>(St->To, Combiner::None, D->Init,
                                               false, St->Loc);
        else
          Out.push_back(Next);
      }
      return Out.size() == B->Body.size()
                 ? Sub
                 : std::make_shared<Block>(std::move(Out), Sub->Loc);
    }
  } M(S);
  return M.run(S);
}
