//===- DirectionLoops.cpp - loops over directions -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Directions.h"
#include "Rules.h"
#include "raise/IR/Effects.h"
#include "raise/IR/Visitor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/Twine.h"

using namespace llvm;

namespace raise::grad {

namespace {

/// What statements for one direction read besides tangents, and all names in
/// them.
struct Reads {
  DenseSet<const Var *> Vars;
  std::vector<BufferRef> Buffers;
  StringSet<> Names;

  Reads(ArrayRef<Piece> Group, const DenseSet<const Buffer *> &Tangents) {
    const auto Note = [&](const BufferRef &B) {
      Names.insert(B->Name);
      if (!Tangents.count(B.get()) && !is_contained(Buffers, B))
        Buffers.push_back(B);
    };
    for (const Piece &P : Group) {
      forEachExpr(P.S, [&](const ExprRef &E) {
        if (auto *U = dyn_cast<VarUse>(E.get())) {
          Vars.insert(U->V.get());
          Names.insert(U->V->Name);
        } else if (auto *L = dyn_cast<Load>(E.get())) {
          Note(L->From.Buf);
        } else if (auto *N = dyn_cast<NonNull>(E.get())) {
          Note(N->Buf);
        } else if (auto *C = dyn_cast<Call>(E.get())) {
          Names.insert(C->Fn->Name);
        }
      });
      Names.insert(cast<Store>(P.S.get())->To.Buf->Name);
    }
  }

  /// Whether S, which computes no tangent, may run before what reads this.
  bool stays(const StmtRef &S) const {
    if (auto *D = dyn_cast<Decl>(S.get()))
      return !Names.count(D->V->Name);
    if (auto *D = dyn_cast<DeclBuffer>(S.get()))
      return !Names.count(D->B->Name);
    if (auto *A = dyn_cast<Assign>(S.get()))
      return !Vars.count(A->V.get());
    auto *St = dyn_cast<Store>(S.get());
    return St && none_of(Buffers, [&](const BufferRef &B) {
             return alias(*B, *St->To.Buf) != AliasResult::No;
           });
  }
};

/// The arrays that stand for scalars, as scalars again.
struct AsScalars : Rewriter {
  DenseMap<const Buffer *, VarRef> Of;
  DenseSet<const Stmt *> First;

  VarRef find(const BufferRef &B) const { return Of.lookup(B.get()); }
  ExprRef rewriteExpr(const ExprRef &E) override {
    auto *L = dyn_cast<Load>(E.get());
    const VarRef V = L ? find(L->From.Buf) : nullptr;
    return V ? build::var(V) : E;
  }
  StmtRef statement(const StmtRef &S) {
    const bool Declares = First.count(S.get());
    const StmtRef New = run(S);
    auto *St = cast<Store>(New.get());
    const VarRef V = find(St->To.Buf);
    if (!V)
      return New;
    if (Declares)
      return std::make_shared<Decl>(V, St->Value, S->Loc);
    return std::make_shared<Assign>(V, St->Op, St->Value, S->Loc);
  }
};

unsigned usesIn(ArrayRef<Piece> Group, const Buffer *Array) {
  unsigned Count = 0;
  for (const Piece &P : Group) {
    forEachExpr(P.S, [&](const ExprRef &E) {
      auto *L = dyn_cast<Load>(E.get());
      Count += L && L->From.Buf.get() == Array;
    });
    Count += !P.Declares && cast<Store>(P.S.get())->To.Buf.get() == Array;
  }
  return Count;
}

/// Calls that no direction changes are made once, before the loop.
struct CallsOnce : Rewriter {
  const DirectionLoops &With;
  std::vector<StmtRef> Before;
  explicit CallsOnce(const DirectionLoops &With) : With(With) {}

  ExprRef rewriteExpr(const ExprRef &E) override {
    auto *C = dyn_cast<Call>(E.get());
    if (!C || C->Fn->MayTrap || !E->Ty.isFloat() ||
        uses(E, With.Direction.get()))
      return E;
    for (const StmtRef &S : Before)
      if (structurallyEqual(cast<Decl>(S.get())->Init, E))
        return build::var(cast<Decl>(S.get())->V);
    auto V = std::make_shared<Var>();
    V->Name =
        With.nameOfValue(C->Fn->Definition ? StringRef(C->Fn->Definition->Name)
                                           : baseName(*C->Fn));
    V->Ty = E->Ty;
    V->Const = true;
    Before.push_back(std::make_shared<Decl>(V, E, E->Loc));
    return build::var(V);
  }
};

class Maker {
public:
  Maker(const DirectionLoops &With) : With(With) {}

  std::vector<StmtRef> run(ArrayRef<Piece> Pieces) {
    for (const Piece &P : Pieces) {
      if (P.PerDirection) {
        Group.push_back(P);
        continue;
      }
      if (!Group.empty() && !Reads(Group, With.Tangents).stays(P.S))
        close();
      Out.push_back(P.S);
    }
    close();
    return std::move(Out);
  }

private:
  /// What only this group uses needs no array.
  AsScalars scalars() {
    AsScalars Map;
    for (const Piece &P : Group) {
      if (!P.Declares)
        continue;
      const BufferRef &A = cast<Store>(P.S.get())->To.Buf;
      if (usesIn(Group, A.get()) != With.Uses.lookup(P.Declares.get()))
        continue;
      erase_if(Out, [&](const StmtRef &S) {
        auto *D = dyn_cast<DeclBuffer>(S.get());
        return D && D->B == A;
      });
      Map.Of[A.get()] = P.Declares;
      Map.First.insert(P.S.get());
    }
    return Map;
  }

  void close() {
    if (Group.empty())
      return;
    CallsOnce Calls(With);
    for (Piece &P : Group)
      P.S = Calls.run(P.S);
    append_range(Out, Calls.Before);
    AsScalars Map = scalars();
    const auto D = std::make_shared<Var>(*With.Direction);
    std::vector<StmtRef> Body;
    for (const Piece &P : Group)
      Body.push_back(
          substitute(Map.statement(P.S), With.Direction, build::var(D)));
    Out.push_back(std::make_shared<For>(
        D, build::intConst(0), BinaryOp::LT, build::intConst(With.K),
        build::intConst(1), LoopKind::Serial, /*DeclaresVar=*/true,
        std::make_shared<Block>(std::move(Body)), Group.front().S->Loc));
    Group.clear();
  }

  const DirectionLoops &With;
  std::vector<Piece> Group;
  std::vector<StmtRef> Out;
};

} // namespace

std::string DirectionLoops::nameOfValue(StringRef Function) const {
  std::string Name = (Twine(Function) + "_value").str();
  for (unsigned N = 2; !Names->insert(Name).second; ++N)
    Name = (Twine(Function) + "_value" + Twine(N)).str();
  return Name;
}

std::vector<StmtRef> DirectionLoops::inLoops(ArrayRef<Piece> Pieces) const {
  return Maker(*this).run(Pieces);
}

} // namespace raise::grad
