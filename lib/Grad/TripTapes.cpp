//===- TripTapes.cpp - tapes that hold one value of each trip -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "TripTapes.h"
#include "Cleanup.h"
#include "Rules.h"
#include "raise/IR/Visitor.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace raise::grad {

namespace {

using Statements = std::vector<StmtRef>;

/// Where List says `V += By`, if nothing else in it sets V.
std::optional<size_t> stepAt(ArrayRef<StmtRef> List, const Var *V,
                             Combiner Op) {
  std::optional<size_t> At;
  for (size_t I = 0; I < List.size(); ++I) {
    if (!assigns(List[I], V))
      continue;
    auto *A = dyn_cast<Assign>(List[I].get());
    if (At || !A || A->Op != Op || !isNumber(A->Value, 1))
      return std::nullopt;
    At = I;
  }
  return At;
}

bool mayLeave(const StmtRef &S) {
  bool Leaves = false;
  forEachStmt(S, [&](const StmtRef &Sub) {
    Leaves |= isa<Break>(*Sub) || isa<Continue>(*Sub) || isa<Return>(*Sub) ||
              isa<Opaque>(*Sub);
  });
  return Leaves;
}

/// Puts one variable's value for a count, and drops the steps of the count.
/// Tapes that it counts are counted by By.
class Renumber : public Rewriter {
public:
  Renumber(VarRef Count, VarRef By, DenseMap<const Buffer *, BufferRef> &Tapes,
           VarRef Trips)
      : Count(std::move(Count)), By(std::move(By)), Trips(std::move(Trips)),
        Tapes(Tapes) {}

  ExprRef rewriteExpr(const ExprRef &E) override {
    if (auto *U = dyn_cast<VarUse>(E.get()); U && U->V == Count)
      return build::var(By);
    if (auto *L = dyn_cast<Load>(E.get()))
      if (Access A = L->From; retarget(A))
        return std::make_shared<Load>(A, L->Ty, L->Loc);
    return E;
  }
  StmtRef rewriteStmt(const StmtRef &S) override {
    if (auto *A = dyn_cast<Assign>(S.get()); A && A->V == Count)
      return nullptr;
    if (auto *D = dyn_cast<Decl>(S.get()); D && D->V == Count)
      return nullptr;
    if (auto *D = dyn_cast<DeclBuffer>(S.get()))
      return std::make_shared<DeclBuffer>(tape(D->B), D->Init, D->Loc);
    if (auto *St = dyn_cast<Store>(S.get()))
      if (Access A = St->To; retarget(A))
        return std::make_shared<Store>(A, St->Op, St->Value, St->Atomic,
                                       St->Loc);
    return S;
  }

private:
  VarRef Count, By, Trips;
  DenseMap<const Buffer *, BufferRef> &Tapes;

  BufferRef tape(const BufferRef &B) {
    if (B->Count != Count)
      return B;
    BufferRef &New = Tapes[B.get()];
    if (!New) {
      auto Made = std::make_shared<Buffer>(*B);
      Made->Count = Trips;
      New = std::move(Made);
    }
    return New;
  }
  bool retarget(Access &A) {
    const BufferRef New = tape(A.Buf);
    const bool Changed = New != A.Buf;
    A.Buf = New;
    return Changed;
  }
};

class TripTapes {
public:
  StmtRef run(const StmtRef &S) {
    if (!isa<Block>(*S))
      return mapChildren(S, [&](const StmtRef &C) { return run(C); });
    Statements L;
    for (const StmtRef &C : cast<Block>(S.get())->Body)
      L.push_back(run(C));
    for (size_t W = 0; W < L.size(); ++W)
      if (isa<While>(*L[W]))
        while (renumberOne(L, W))
          --W; // a declaration before it has gone
    return std::make_shared<Block>(std::move(L), S->Loc);
  }

private:
  /// The place of `let V = 0` in L before W, if nothing between names V.
  static std::optional<size_t> startOf(const Statements &L, size_t W,
                                       const Var *V) {
    for (size_t I = W; I-- > 0;) {
      auto *D = dyn_cast<Decl>(L[I].get());
      if (D && D->V.get() == V)
        return D->Init && isNumber(D->Init, 0) ? std::optional(I)
                                               : std::nullopt;
      if (names(L[I], V))
        return std::nullopt;
    }
    return std::nullopt;
  }

  /// The place of the loop that counts down the trips of V, after W.
  static std::optional<size_t> reverseOf(const Statements &L, size_t W,
                                         const Var *Trips) {
    for (size_t I = W + 1; I < L.size(); ++I) {
      auto *R = dyn_cast<For>(L[I].get());
      auto *From = R ? dyn_cast<Binary>(R->Lo.get()) : nullptr;
      auto *Of = From ? dyn_cast<VarUse>(From->L.get()) : nullptr;
      if (Of && Of->V.get() == Trips && From->Op == BinaryOp::Sub &&
          isNumber(From->R, 1) && R->Cond == BinaryOp::GE &&
          isNumber(R->Hi, 0) && isNumber(R->Step, -1) && R->DeclaresVar &&
          R->V->Ty == Of->V->Ty && !assigns(R->Body, R->V.get()))
        return I;
      if (assigns(L[I], Trips))
        return std::nullopt;
    }
    return std::nullopt;
  }

  static bool renumberOne(Statements &L, size_t W) {
    const auto Body = statements(cast<While>(L[W].get())->Body);
    if (mayLeave(L[W]))
      return false;
    for (const StmtRef &Last : Body) {
      auto *Steps = dyn_cast<Assign>(Last.get());
      if (!Steps)
        continue;
      const VarRef Trips = Steps->V;
      const auto Ends = stepAt(Body, Trips.get(), Combiner::Add);
      const auto R = Ends && startOf(L, W, Trips.get())
                         ? reverseOf(L, W, Trips.get())
                         : std::nullopt;
      if (!R)
        continue;
      for (const StmtRef &S : Body)
        if (auto *A = dyn_cast<Assign>(S.get());
            A && A->V != Trips && A->V->Ty == Trips->Ty &&
            isCountOf(L, W, *R, A->V, *Ends)) {
          renumber(L, *R, A->V, Trips);
          return true;
        }
    }
    return false;
  }

  /// Whether Count is the number of trips of W that are done, up to where W
  /// steps it, and in R the number of the trip from where R steps it.
  static bool isCountOf(const Statements &L, size_t W, size_t R,
                        const VarRef &Count, size_t TripsEnd) {
    const auto Up = statements(cast<While>(L[W].get())->Body);
    const auto Down = statements(cast<For>(L[R].get())->Body);
    const auto StepUp = stepAt(Up, Count.get(), Combiner::Add);
    const auto StepDown = stepAt(Down, Count.get(), Combiner::Sub);
    const auto Start = startOf(L, W, Count.get());
    if (!StepUp || !StepDown || !Start || *StepUp > TripsEnd ||
        mayLeave(L[R]) || uses(cast<While>(L[W].get())->Cond, Count.get()))
      return false;
    for (size_t I = *StepUp + 1; I < Up.size(); ++I)
      if (uses(Up[I], Count.get()))
        return false;
    for (size_t I = 0; I < *StepDown; ++I)
      if (uses(Down[I], Count.get()))
        return false;
    for (size_t I = W + 1; I < L.size(); ++I)
      if (I != R && names(L[I], Count.get()))
        return false;
    return true;
  }

  static void renumber(Statements &L, size_t R, const VarRef &Count,
                       const VarRef &Trips) {
    DenseMap<const Buffer *, BufferRef> Tapes;
    const VarRef K = cast<For>(L[R].get())->V;
    Renumber Forward(Count, Trips, Tapes, Trips), Back(Count, K, Tapes, Trips);
    Statements Out;
    for (size_t I = 0; I < L.size(); ++I)
      if (StmtRef New = (I == R ? Back : Forward).run(L[I]))
        Out.push_back(std::move(New));
    L = std::move(Out);
  }
};

} // namespace

StmtRef withTripNumbers(const StmtRef &Body) { return TripTapes().run(Body); }

} // namespace raise::grad
