//===- StripLoops.cpp - loops in their order, by strips -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "StripLoops.h"
#include "FoldConstants.h"
#include "LaneValue.h"
#include "NestGuards.h"
#include "Peel.h"
#include "RegionPass.h"
#include "llvm/ADT/STLExtras.h"

using namespace raise;
using llvm::dyn_cast;

StripLoops::StripLoops(const Region &R, int64_t LeastPoints, Write By)
    : R(R), LeastPoints(LeastPoints), By(By) {
  forEachStmt(R.Body, [&](const StmtRef &S) {
    if (const auto *T = dyn_cast<TensorOp>(S.get()))
      for (const Iterator &I : T->Iterators)
        Inside.insert(I.V.get());
    if (const auto *D = dyn_cast<Decl>(S.get()))
      Inside.insert(D->V.get());
    if (const auto *L = dyn_cast<For>(S.get()))
      Inside.insert(L->V.get());
  });
}

/// Whether It has enough points, under a test that is made before the region
/// (null: none is needed).
bool StripLoops::isLong(const Iterator &It, ExprRef &Test) const {
  const auto From = constantValue(It.Lo), To = constantValue(It.Hi);
  if (From && To)
    return *To - *From >= LeastPoints;
  Test = lengthTest(It, LeastPoints, R.Body);
  return Test &&
         llvm::none_of(Inside, [&](const Var *V) { return uses(Test, V); });
}

StmtRef StripLoops::rewriteStmt(const StmtRef &S) {
  const auto *T = dyn_cast<TensorOp>(S.get());
  if (!T || T->Mask || T->Iterators.empty())
    return S;
  const Iterator &It = T->Iterators.back();
  ExprRef Test;
  if ((It.Kind != IterKind::Scan && It.Kind != IterKind::Serial) ||
      !isLong(It, Test))
    return S;
  const StmtRef New = By(It, T->Body, T->Loc);
  if (!New)
    return S;
  Changed = true;
  if (Test && !isImplied(Test, R.Rests.Guards) && !isImplied(Test, Tests))
    Tests.push_back({Test, {}, {}, ""});
  if (T->Iterators.size() == 1)
    return New;
  std::vector<Iterator> Outer = T->Iterators;
  Outer.pop_back();
  return std::make_shared<TensorOp>(std::move(Outer), nullptr, New, "", T->Loc);
}

StmtRef StripLoops::run(const std::string &Proved) {
  StmtRef Body = Rewriter::run(R.Body);
  if (!Changed)
    return nullptr;
  Obligations Rests = R.Rests;
  Rests.Ordered.clear();
  // They are cheap, and what they imply need not be tested.
  Rests.Guards.insert(Rests.Guards.begin(), Tests.begin(), Tests.end());
  dropImplied(Rests.Guards);
  Rests.Proved.push_back(Proved);
  return laidOut(R, std::move(Body), std::move(Rests));
}

bool raise::goesWith(const Iterator &It, const For &L) {
  const ExprRef Hi = L.Cond == BinaryOp::LT ? L.Hi
                     : L.Cond == BinaryOp::LE
                         ? build::add(L.Hi, build::intConst(1, L.Hi->Ty))
                         : nullptr;
  return Hi &&
         structurallyEqual(build::cast(It.Lo, L.V->Ty),
                           build::cast(L.Lo, L.V->Ty)) &&
         structurallyEqual(build::cast(It.Hi, L.V->Ty),
                           build::cast(Hi, L.V->Ty));
}

StmtRef raise::laneLoop(IterKind Kind, std::vector<StmtRef> List,
                        const VarRef &Lane, int64_t Width, const Iterator &It,
                        const WholeStrips &Of) {
  const StmtRef Body =
      ConstantFolder().run(forLane(withOwnVariables(makeBlock(std::move(List))),
                                   It.V, build::var(Of.Strips.V), Lane));
  return std::make_shared<TensorOp>(
      std::vector<Iterator>{{Lane, build::intConst(0), build::intConst(Width),
                             build::intConst(1), Kind}},
      nullptr, Body, "");
}

StmtRef raise::stripsAndRest(const WholeStrips &Of, std::vector<StmtRef> Before,
                             std::vector<StmtRef> Strip,
                             llvm::ArrayRef<StmtRef> Points, IterKind Kind,
                             const SourceLoc &Loc) {
  std::vector<StmtRef> Out;
  if (Of.RestDecl)
    Out.push_back(Of.RestDecl);
  llvm::append_range(Out, Before);
  Out.push_back(std::make_shared<TensorOp>(std::vector<Iterator>{Of.Strips},
                                           nullptr, makeBlock(std::move(Strip)),
                                           "", Loc));
  if (Of.HasLast) {
    StmtRef Rest = withOwnVariables(makeBlock(Points.vec()));
    Iterator Last = withOwnVariable(Of.Last, Rest);
    Last.Kind = Kind;
    Out.push_back(std::make_shared<TensorOp>(std::vector<Iterator>{Last},
                                             nullptr, Rest, "", Loc));
  }
  return makeBlock(std::move(Out));
}

std::shared_ptr<Var> raise::stripScalar(const std::string &Name,
                                        const Type &Ty) {
  auto V = std::make_shared<Var>();
  V->Name = Name;
  V->Ty = Ty;
  return V;
}

BufferRef raise::stripArray(const std::string &Name, const Type &Elem,
                            int64_t Count, const SourceLoc &Loc) {
  auto Buf = std::make_shared<Buffer>();
  Buf->Name = Name;
  Buf->Elem = Elem;
  Buf->Kind = BufferKind::Local;
  Buf->Extents = {build::intConst(Count, Type::getI64())};
  Buf->Loc = Loc;
  return Buf;
}

Access raise::stripElement(const BufferRef &Buf, const VarRef &Lane,
                           int64_t By) {
  Access A;
  A.Buf = Buf;
  A.Indices = {By ? build::add(build::var(Lane), build::intConst(By))
                  : build::var(Lane)};
  return A;
}
