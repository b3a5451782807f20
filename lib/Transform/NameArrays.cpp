//===- NameArrays.cpp - every array of raised code has its own name -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// An array that a raised body declares may have come from another block or from
// the body of an inlined function, where its name hid nothing. In one text, two
// of them may meet, or hide what the function means by that name.
//
//===----------------------------------------------------------------------===//
#include "LoopForm.h"
#include "raise/IR/Visitor.h"
#include "raise/Transform/Passes.h"
#include "llvm/ADT/StringSet.h"
#include <set>

using namespace raise;
using llvm::dyn_cast;

namespace {

/// Puts one buffer in the place of another.
class BufferRenamer : public Rewriter {
  BufferRef From, To;
  Access renamed(Access A) const {
    if (A.Buf == From)
      A.Buf = To;
    return A;
  }

public:
  BufferRenamer(BufferRef From, BufferRef To)
      : From(std::move(From)), To(std::move(To)) {}
  ExprRef rewriteExpr(const ExprRef &E) override {
    if (auto *L = dyn_cast<Load>(E.get()); L && L->From.Buf == From)
      return std::make_shared<Load>(renamed(L->From), L->Ty, L->Loc);
    if (auto *N = dyn_cast<NonNull>(E.get()); N && N->Buf == From)
      return std::make_shared<NonNull>(To, N->Loc);
    return E;
  }
  StmtRef rewriteStmt(const StmtRef &S) override {
    if (auto *D = dyn_cast<DeclBuffer>(S.get()); D && D->B == From)
      return std::make_shared<DeclBuffer>(To, D->Init, D->Loc);
    if (auto *St = dyn_cast<Store>(S.get()); St && St->To.Buf == From)
      return std::make_shared<Store>(renamed(St->To), St->Op, St->Value,
                                     St->Atomic, St->Loc);
    return S;
  }
};

/// The names that stand for something in S, but for the arrays it declares.
struct NamesIn : Visitor {
  llvm::StringSet<> All;
  std::vector<BufferRef> Declared;
  std::vector<VarRef> Cursors;
  std::set<const Var *> Seen;

  void note(const VarRef &V) {
    All.insert(V->Name);
    if (V->Base && Seen.insert(V.get()).second)
      Cursors.push_back(V);
  }
  void note(const BufferRef &B) {
    if (B->Kind != BufferKind::Local)
      All.insert(B->Name);
  }
  bool visitExpr(const ExprRef &E) override {
    if (auto *U = dyn_cast<VarUse>(E.get()))
      note(U->V);
    if (auto *L = dyn_cast<Load>(E.get()))
      note(L->From.Buf);
    if (auto *C = dyn_cast<Call>(E.get()))
      All.insert(C->Fn->Name);
    if (auto *I = dyn_cast<IntConst>(E.get()))
      All.insert(I->Spelling);
    if (auto *F = dyn_cast<FloatConst>(E.get()))
      All.insert(F->Spelling);
    if (!E->Ty.Spelling.empty())
      All.insert(E->Ty.Spelling);
    return true;
  }
  bool visitStmt(const StmtRef &S) override {
    if (auto *D = dyn_cast<DeclBuffer>(S.get()))
      Declared.push_back(D->B);
    if (auto *St = dyn_cast<Store>(S.get()))
      note(St->To.Buf);
    if (auto *D = dyn_cast<Decl>(S.get()))
      note(D->V);
    if (auto *A = dyn_cast<Assign>(S.get()))
      note(A->V);
    if (auto *T = dyn_cast<TensorOp>(S.get()))
      for (const Iterator &I : T->Iterators)
        note(I.V);
    if (auto *L = dyn_cast<For>(S.get()))
      note(L->V);
    return true;
  }
};

StmtRef renameArray(StmtRef S, const BufferRef &From, const BufferRef &To,
                    llvm::ArrayRef<VarRef> Cursors) {
  S = BufferRenamer(From, To).run(S);
  for (const VarRef &V : Cursors)
    if (V->Base == From) {
      auto Moved = std::make_shared<Var>(*V);
      Moved->Base = To;
      S = renameVar(S, V, Moved);
    }
  return S;
}

class RegionRewriter : public Rewriter {
public:
  StmtRef rewriteStmt(const StmtRef &S) override {
    auto *R = dyn_cast<Region>(S.get());
    if (!R)
      return S;
    NamesIn Names;
    Names.VisitOriginals = false;
    Names.walk(R->Body);
    // Arrays from outside that the body uses keep their names.
    std::set<const Buffer *> Own;
    for (const BufferRef &B : Names.Declared)
      Own.insert(B.get());
    forEachExpr(R->Body, [&](const ExprRef &E) {
      auto *L = dyn_cast<Load>(E.get());
      if (L && !Own.count(L->From.Buf.get()))
        Names.All.insert(L->From.Buf->Name);
    });
    forEachStmt(R->Body, [&](const StmtRef &Sub) {
      auto *St = dyn_cast<Store>(Sub.get());
      if (St && !Own.count(St->To.Buf.get()))
        Names.All.insert(St->To.Buf->Name);
    });
    StmtRef Body = R->Body;
    std::set<const Buffer *> Done;
    for (const BufferRef &B : Names.Declared) {
      if (!Done.insert(B.get()).second || Names.All.insert(B->Name).second)
        continue;
      auto New = std::make_shared<Buffer>(*B);
      for (unsigned I = 2; !Names.All.insert(New->Name).second; ++I)
        New->Name = B->Name + "_" + std::to_string(I);
      Body = renameArray(Body, B, New, Names.Cursors);
    }
    return Body == R->Body
               ? S
               : std::make_shared<Region>(R->Rests, Body, R->Original, R->Loc);
  }
};

} // namespace

FunctionRef raise::nameArrays(FunctionRef F, Context &) {
  StmtRef Body = RegionRewriter().run(F->Body);
  return Body == F->Body ? F : withBody(*F, Body);
}
