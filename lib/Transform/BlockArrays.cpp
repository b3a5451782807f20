//===- BlockArrays.cpp - shared arrays as those of a block ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "BlockArrays.h"
#include "FoldConstants.h"
#include "raise/IR/Effects.h"
#include "raise/IR/Visitor.h"

using namespace llvm;

namespace raise {

namespace {

class OtherArray : public Rewriter {
public:
  OtherArray(BufferRef From, BufferRef To)
      : From(std::move(From)), To(std::move(To)) {}

private:
  BufferRef From, To;
  DenseMap<const Var *, VarRef> Cursors;
  Access moved(Access A) const {
    if (A.Buf == From)
      A.Buf = To;
    return A;
  }
  VarRef moved(const VarRef &V) {
    if (V->Base != From)
      return V;
    VarRef &Own = Cursors[V.get()];
    if (!Own) {
      auto New = std::make_shared<Var>(*V);
      New->Base = To;
      Own = New;
    }
    return Own;
  }
  ExprRef rewriteExpr(const ExprRef &E) override {
    if (auto *L = dyn_cast<Load>(E.get()); L && L->From.Buf == From)
      return std::make_shared<Load>(moved(L->From), E->Ty, E->Loc);
    if (auto *U = dyn_cast<VarUse>(E.get()); U && U->V->Base == From)
      return std::make_shared<VarUse>(moved(U->V), E->Loc);
    return E;
  }
  StmtRef rewriteStmt(const StmtRef &S) override {
    if (auto *St = dyn_cast<Store>(S.get()); St && St->To.Buf == From)
      return std::make_shared<Store>(moved(St->To), St->Op, St->Value,
                                     St->Atomic, S->Loc);
    if (auto *D = dyn_cast<DeclBuffer>(S.get()); D && D->B == From)
      return std::make_shared<DeclBuffer>(To, D->Init, S->Loc);
    if (auto *D = dyn_cast<Decl>(S.get()); D && D->V->Base == From)
      return std::make_shared<Decl>(moved(D->V), D->Init, S->Loc);
    if (auto *A = dyn_cast<Assign>(S.get()); A && A->V->Base == From)
      return std::make_shared<Assign>(moved(A->V), A->Op, A->Value, S->Loc);
    return S;
  }
};

} // namespace

StmtRef withArray(const StmtRef &S, const BufferRef &From,
                  const BufferRef &To) {
  return OtherArray(From, To).run(S);
}

/// `grid` and `block` are the launch's.
static std::string ownName(const std::string &Name) {
  return Name == "grid" || Name == "block" ? "own_" + Name : Name;
}

/// Arrays that a thread declares itself and that are named like the launch.
static StmtRef renameArrays(StmtRef Body) {
  std::vector<BufferRef> Named;
  forEachStmt(Body, [&](const StmtRef &S) {
    auto *D = dyn_cast<DeclBuffer>(S.get());
    if (D && ownName(D->B->Name) != D->B->Name)
      Named.push_back(D->B);
  });
  for (const BufferRef &B : Named) {
    auto Array = std::make_shared<Buffer>(*B);
    Array->Name = ownName(B->Name);
    Body = withArray(Body, B, Array);
  }
  return Body;
}

StmtRef BlockArrays::take(ArrayRef<BufferRef> Shared, StmtRef Body) {
  for (const BufferRef &B : Shared) {
    auto Array = std::make_shared<Buffer>(*B);
    Array->Kind = BufferKind::Local;
    Array->Name = ownName(B->Name);
    if (isDynamicShared(*B)) { // pages that are not touched cost nothing
      int64_t Row = bytesOfElement(*B);
      for (size_t D = 1; D < B->Extents.size(); ++D)
        Row *= constantValue(B->Extents[D]).value_or(1);
      Array->Extents[0] =
          build::intConst(MostDynamicShared / std::max<int64_t>(Row, 1));
    }
    Body = withArray(Body, B, Array);
    (Array->PerWarp ? OfWarps : OfBlock).push_back(Array);
  }
  return renameArrays(std::move(Body));
}

/// Every expression that the block evaluates outside of the loops over its
/// threads.
static void forEachOfBlock(const PhaseList &List,
                           function_ref<void(const ExprRef &)> Fn) {
  for (const PhaseNode &N : List) {
    if (N.Kind == PhaseNode::Once)
      for (const StmtRef &S : N.List)
        forEachExpr(S, Fn);
    if (N.Kind == PhaseNode::Nest)
      if (const ExprRef Cond = conditionOf(N.Control.get()))
        forEachExpr(Cond, Fn);
    forEachOfBlock(N.Then, Fn);
    forEachOfBlock(N.Else, Fn);
  }
}

static std::optional<int64_t> constantElements(const Buffer &B) {
  int64_t Size = 1;
  for (const ExprRef &E : B.Extents) {
    const std::optional<int64_t> N = E ? constantValue(E) : std::nullopt;
    if (!N)
      return std::nullopt;
    Size *= *N;
  }
  return Size;
}

StmtList BlockArrays::declare(const PhaseList &All) const {
  std::set<const Buffer *> Read;
  forEachOfBlock(All, [&](const ExprRef &E) {
    if (auto *L = dyn_cast<Load>(E.get()))
      Read.insert(L->From.Buf.get());
  });
  StmtList Out;
  for (const BufferRef &B : OfBlock) {
    const std::optional<int64_t> Size = constantElements(*B);
    if (!Read.count(B.get()) || !Size || B->Elem.isVoid()) {
      Out.push_back(std::make_shared<DeclBuffer>(B));
      continue;
    }
    const ExprRef Zero = build::cast(build::intConst(0), B->Elem);
    Out.push_back(std::make_shared<DeclBuffer>(
        B, std::vector<ExprRef>(size_t(*Size), Zero)));
  }
  return Out;
}

} // namespace raise
