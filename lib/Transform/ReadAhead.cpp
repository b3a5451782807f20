//===- ReadAhead.cpp - what later iterations store is read first ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
//   for (i) { a[i] = b[i] * c[i]; b[i] = a[i] * a[i+1]; }
//
// keeps its order, since iteration i reads what iteration i + 1 stores. Several
// iterations may run side by side all the same, statement by statement, if the
// element is read before any of them stores to it, which compilers find out by
// themselves once the text says so:
//
//   for (i) { a_next = a[i+1]; a[i] = b[i] * c[i]; b[i] = a[i] * a_next; }
//
// The loop does what it did, in its order, whatever compilers make of it: only
// within an iteration a load moves over stores to other elements.
//
//===----------------------------------------------------------------------===//
#include "LoopRuns.h"
#include "PlainName.h"
#include "RegionPass.h"
#include "Subscripts.h"
#include "WholeStrips.h"
#include "raise/IR/Effects.h"
#include "raise/IR/Visitor.h"
#include "raise/Transform/Passes.h"
#include "llvm/ADT/STLExtras.h"

using namespace raise;
using llvm::dyn_cast;
using llvm::isa;

namespace {

/// Iterations from which on tests before the loop are nothing against it.
constexpr int64_t LeastPoints = 64;

/// A load, and the first statement that it has to stand before.
struct Early {
  ExprRef Read;
  size_t Before;
  int64_t By; ///< by how many iterations that stores later
};

/// Of one loop in its order.
class Ahead {
public:
  Ahead(const TensorOp &T, const Region &R)
      : T(T), R(R), Body(statements(T.Body)) {}

  /// The body with its loads where they have to be, null where iterations
  /// cannot run side by side.
  StmtRef run();
  bool Moved = false;

private:
  bool isPlain(const Access &A) const {
    return A.Buf->Kind != BufferKind::Pointer && isSteady(A, T.Body);
  }
  bool addLoad(size_t At, const ExprRef &E);
  bool movesTo(const Early &L, size_t From) const;
  StmtRef withLoads() const;

  const TensorOp &T;
  const Region &R;
  const llvm::ArrayRef<StmtRef> Body;
  int64_t Step = 0;
  std::vector<Early> Loads;
};

/// Takes the load E of the statement at At; false if it reads what an earlier
/// iteration stores, or may.
bool Ahead::addLoad(size_t At, const ExprRef &E) {
  const auto &From = llvm::cast<Load>(*E).From;
  const auto Is = isPlain(From) ? subscripts(From) : std::nullopt;
  if (!Is)
    return false;
  std::optional<Early> Found;
  for (size_t I = 0; I < Body.size(); ++I) {
    const auto *St = dyn_cast<Store>(Body[I].get());
    if (!St)
      continue;
    if (St->To.Buf != From.Buf) {
      if (!areApart(R.Rests.Guards, *St->To.Buf, *From.Buf))
        return false;
      continue;
    }
    const auto To =
        areComparable(St->To, From) ? subscripts(St->To) : std::nullopt;
    const Distance D =
        To ? distanceOf(*To, *Is, T.Iterators.front().V.get(), Step)
           : Distance();
    if (!D.Known || (D.By && *D.By < 0))
      return false;
    if (D.By && *D.By > 0 && I < At && !Found)
      Found = Early{E, I, *D.By};
  }
  if (!Found)
    return true;
  Loads.push_back(*Found);
  return loadsSurely(Body[At], E.get()) && movesTo(Loads.back(), At);
}

/// Whether nothing from L's place up to From changes what it reads.
bool Ahead::movesTo(const Early &L, size_t From) const {
  const auto &Read = llvm::cast<Load>(*L.Read).From;
  const auto Is = subscripts(Read);
  for (size_t I = L.Before; I < From; ++I)
    if (const auto *St = dyn_cast<Store>(Body[I].get());
        St && St->To.Buf == Read.Buf && !differ(*subscripts(St->To), *Is))
      return false;
  return true;
}

StmtRef Ahead::run() {
  const auto *By = dyn_cast<IntConst>(T.Iterators.front().Step.get());
  if (!By || By->Value < 1 || By->Value > INT32_MAX || T.Mask ||
      !isStraight(T.Body))
    return nullptr;
  Step = By->Value;
  std::vector<const Var *> Own;
  std::vector<const Store *> Stores;
  for (size_t I = 0; I < Body.size(); ++I) {
    if (const auto *D = dyn_cast<Decl>(Body[I].get())) {
      if (!D->Init)
        return nullptr;
      Own.push_back(D->V.get());
    } else if (const auto *A = dyn_cast<Assign>(Body[I].get())) {
      if (!llvm::is_contained(Own, A->V.get()))
        return nullptr; // it is handed on
    } else if (const auto *St = dyn_cast<Store>(Body[I].get())) {
      // Elements of two iterations are two, and no two statements meet.
      const auto To = isPlain(St->To) ? subscripts(St->To) : std::nullopt;
      if (!To || llvm::none_of(*To, [&](const Polynomial &P) {
            return P.mentions(T.Iterators.front().V.get());
          }))
        return nullptr;
      for (const Store *Other : Stores)
        if (Other->To.Buf == St->To.Buf ||
            !areApart(R.Rests.Guards, *Other->To.Buf, *St->To.Buf))
          return nullptr;
      Stores.push_back(St);
    } else {
      return nullptr;
    }
    bool Plain = true;
    forEachExpr(Body[I], [&](const ExprRef &E) {
      Plain &= !isa<Call>(E.get()) && (!isa<Load>(E.get()) || addLoad(I, E));
    });
    if (!Plain)
      return nullptr;
  }
  Moved = !Loads.empty();
  return Stores.empty() ? nullptr : Moved ? withLoads() : T.Body;
}

/// Reads V where E was loaded.
class Instead : public Rewriter {
public:
  Instead(ExprRef E, VarRef V) : E(std::move(E)), V(std::move(V)) {}
  ExprRef rewriteExpr(const ExprRef &Sub) override {
    return structurallyEqual(Sub, E) ? build::var(V) : Sub;
  }

private:
  const ExprRef E;
  const VarRef V;
};

StmtRef Ahead::withLoads() const {
  std::vector<StmtRef> Out(Body.begin(), Body.end());
  std::vector<std::pair<size_t, StmtRef>> Decls;
  std::vector<ExprRef> Done;
  for (const Early &L : Loads) {
    if (llvm::any_of(Done, [&](const ExprRef &E) {
          return structurallyEqual(E, L.Read);
        }))
      continue;
    Done.push_back(L.Read);
    const auto &From = llvm::cast<Load>(*L.Read).From;
    const auto V = std::make_shared<Var>();
    V->Name = plainName(From.Buf->Name) + (L.By == 1 ? "_next" : "_ahead");
    V->Ty = L.Read->Ty;
    V->Const = true;
    size_t First = L.Before;
    for (const Early &Other : Loads)
      if (structurallyEqual(Other.Read, L.Read))
        First = std::min(First, Other.Before);
    for (size_t I = First; I < Out.size(); ++I)
      Out[I] = Instead(L.Read, V).run(Out[I]);
    Decls.push_back({First, std::make_shared<Decl>(V, L.Read)});
  }
  std::reverse(Decls.begin(),
               Decls.end()); // each goes before the one behind it
  llvm::stable_sort(Decls, [](auto &A, auto &B) { return A.first > B.first; });
  for (auto &[At, D] : Decls)
    Out.insert(Out.begin() + ptrdiff_t(At), D);
  return makeBlock(std::move(Out), T.Body->Loc);
}

/// Whether R's operation goes over the range in other steps than the source:
/// it was unrolled by hand, which compilers do not see through.
bool isRolledUp(const Region &R, const TensorOp &T) {
  const auto *L = dyn_cast<For>(R.Original.get());
  return L && !structurallyEqual(L->Step, T.Iterators.front().Step);
}

StmtRef inStep(const Region &R) {
  const auto *T = dyn_cast<TensorOp>(R.Body.get());
  if (!T || R.Rests.Ordered.empty() || T->Iterators.size() != 1 ||
      T->Iterators.front().Kind != IterKind::Serial)
    return nullptr;
  Ahead By(*T, R);
  const StmtRef Body = By.run();
  // As it stands, compilers see it without us.
  if (!Body || (!By.Moved && !isRolledUp(R, *T)))
    return nullptr;
  Obligations Rests = R.Rests;
  Rests.Ordered.clear();
  // Tests take their time where there is little to do.
  if (!Rests.Guards.empty())
    if (const ExprRef Test =
            lengthTest(T->Iterators.front(), LeastPoints, R.Body);
        Test && !isImplied(Test, Rests.Guards))
      Rests.Guards.push_back({Test, {}, {}, ""});
  Rests.Proved.push_back("what later iterations store is read before "
                         "anything is stored, so that several may run side "
                         "by side");
  return laidOut(
      R, std::make_shared<TensorOp>(T->Iterators, nullptr, Body, "", T->Loc),
      std::move(Rests));
}

} // namespace

FunctionRef raise::readAhead(FunctionRef F, Context &Ctx) {
  if (Ctx.Opts.Target != Dialect::OpenMP || !hasPlainOriginals(*F))
    return F;
  return mapRegions(F, inStep);
}
