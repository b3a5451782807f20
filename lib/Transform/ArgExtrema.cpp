//===- ArgExtrema.cpp - where the largest element is ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// `if (v > x) { x = v; y = e; }` ends with the largest v in x, and with the e
// of the first iteration in which v was that large in y. The first half is a
// reduction. The second is another: of the iterations in which v == x, now that
// x is known, the first.
//
// Why this is exact. Each update replaces x by something greater, so neither is
// a NaN, and x ends greater than it began if and only if there was an update.
// Let i be the last iteration that made one: v(i) is x in the end. An earlier
// iteration with v == x would have left a value that v(i) does not exceed. So i
// is the first iteration with v(i) == x; zeros of either sign are equal here as
// they are in the comparison. v is evaluated again, so it must come out the
// same: it may load memory that the loop does not write, and a floating value
// may not be computed by what a compiler may round in two ways (a*b + c).
//
//===----------------------------------------------------------------------===//
#include "FoldConstants.h"
#include "IterationValues.h"
#include "LaneValue.h"
#include "Peel.h"
#include "raise/IR/Visitor.h"
#include "raise/Transform/Scalars.h"
#include "llvm/ADT/STLExtras.h"

using namespace raise;
using llvm::dyn_cast;
using llvm::isa;

namespace {

using VarSet = Liveness::VarSet;

/// How often V is read, and how often it is assigned.
unsigned countReads(const StmtRef &S, const VarRef &V) {
  unsigned N = 0;
  forEachExpr(S, [&](const ExprRef &E) {
    auto *U = dyn_cast<VarUse>(E.get());
    N += U && U->V == V;
  });
  return N;
}

unsigned countWrites(const StmtRef &S, const VarRef &V) {
  unsigned N = 0;
  assignedVars(S, [&](const VarRef &W) { N += W == V; });
  return N;
}

/// One loop of a rectangular nest, and what counts it in the second one.
struct Level {
  const For *L;
  TripCount Count;
  VarRef Own; ///< the loop's variable in the search
};

class ArgExtremum {
public:
  ArgExtremum(const For &L, const VarSet &After) : L(L), After(After) {}

  std::optional<StmtRef> run() {
    if (!findNest() || !findUpdate())
      return std::nullopt;
    IterationValues Values(*Nest.back().L);
    Value = Values.setBy(Extremum);
    if (!isFunctionOfIndices(Value) || !isRepeatable(Value))
      return std::nullopt;
    for (const Assign *A : Others) {
      ExprRef E = Values.setBy(A);
      if (!After.count(A->V.get()))
        continue;
      if (!isFunctionOfIndices(E))
        return std::nullopt;
      Companions.push_back({A->V, E});
    }
    return result();
  }

private:
  const For &L;
  const VarSet &After;
  FixedBounds Bounds;
  std::vector<Level> Nest;
  StmtRef Update;                 ///< the If
  BinaryOp Better = BinaryOp::GT; ///< v Better x
  const Assign *Extremum = nullptr;
  std::vector<const Assign *> Others;
  ExprRef Value;
  std::vector<std::pair<VarRef, ExprRef>> Companions;

  bool findNest();
  bool findUpdate();
  bool readUpdate(const If &I);
  bool isFunctionOfIndices(const ExprRef &E) const;
  StmtRef onlyExtremum() const;
  StmtRef search(const VarRef &At) const;
  std::vector<ExprRef> indices(const VarRef &At) const;
  ExprRef count() const;
  ExprRef withIndices(const ExprRef &E, llvm::ArrayRef<ExprRef> I) const;
  StmtRef result() const;
};

/// One loop, or two of which the inner one is all that the outer one does and
/// has the same range each time.
bool ArgExtremum::findNest() {
  Bounds = fixBounds(L);
  for (const For *At = Bounds.Loop.get(); At;) {
    if (!runsThrough(*At) || !isFixedIn(At->Step, L) || Nest.size() == 2)
      return false;
    bool Inner = !Nest.empty();
    if (Inner && (!isFixedIn(At->Lo, L) || !isFixedIn(At->Hi, L)))
      return false;
    auto Count = countTrips(*At);
    if (!Count)
      return false;
    auto Own = std::make_shared<Var>(*At->V);
    Own->Kind = VarKind::Local;
    Own->Const = false;
    Nest.push_back({At, *Count, Own});
    auto List = statements(At->Body);
    At = List.size() == 1 ? dyn_cast<For>(List[0].get()) : nullptr;
  }
  if (Nest.size() == 1)
    return true;
  // The number of an iteration of both fits 64 bits.
  return Nest[1].Count.Trips && llvm::all_of(Nest, [](const Level &At) {
           return At.Count.Before->Ty == Type::getI32();
         });
}

bool ArgExtremum::findUpdate() {
  for (const StmtRef &S : statements(Nest.back().L->Body))
    if (auto *I = dyn_cast<If>(S.get()); I && readUpdate(*I)) {
      Update = S;
      return true;
    }
  return false;
}

bool ArgExtremum::readUpdate(const If &I) {
  auto *B = dyn_cast<Binary>(I.Cond.get());
  if (!B || (I.Else && !statements(I.Else).empty()) ||
      (B->Op != BinaryOp::LT && B->Op != BinaryOp::GT))
    return false;
  Extremum = nullptr;
  Others.clear();
  for (const StmtRef &S : statements(I.Then)) {
    auto *A = dyn_cast<Assign>(S.get());
    if (!A || A->Op != Combiner::None || A->V == L.V ||
        countWrites(L.Body, A->V) != 1)
      return false;
    // The one that the condition compares; no other is read.
    unsigned Reads = countReads(L.Body, A->V);
    if (Reads == 0) {
      Others.push_back(A);
      continue;
    }
    auto Is = [&](const ExprRef &X, const ExprRef &V) {
      auto *U = dyn_cast<VarUse>(X.get());
      return U && U->V == A->V && structurallyEqual(*V, *A->Value);
    };
    bool Left = Is(B->L, B->R), Right = Is(B->R, B->L);
    if (Reads != 1 || Extremum || (!Left && !Right))
      return false;
    Extremum = A;
    bool Greater = (B->Op == BinaryOp::GT) == Right;
    Better = Greater ? BinaryOp::GT : BinaryOp::LT;
  }
  return Extremum && !Others.empty();
}

bool ArgExtremum::isFunctionOfIndices(const ExprRef &E) const {
  if (!E)
    return false;
  bool Ok = true;
  forEachExpr(E, [&](const ExprRef &Sub) {
    auto *U = dyn_cast<VarUse>(Sub.get());
    Ok &= !U || !assigns(L.Body, U->V.get()) ||
          llvm::any_of(Nest, [&](const Level &N) { return N.L->V == U->V; });
  });
  return Ok;
}

/// The nest with nothing but the extremum in its If.
StmtRef ArgExtremum::onlyExtremum() const {
  struct Shortener : Rewriter {
    const ArgExtremum &Of;
    explicit Shortener(const ArgExtremum &Of) : Of(Of) {}
    StmtRef rewriteStmt(const StmtRef &S) override {
      auto *A = dyn_cast<Assign>(S.get());
      return A && llvm::is_contained(Of.Others, A) ? nullptr : S;
    }
  };
  return Shortener(*this).run(Bounds.Loop);
}

/// The number of the current iteration of the search.
ExprRef ArgExtremum::count() const {
  auto Of = [](const Level &N) {
    return substitute(N.Count.Before, N.L->V, build::var(N.Own));
  };
  if (Nest.size() == 1)
    return Of(Nest[0]);
  Type Wide = Type::getI64();
  return build::add(build::mul(build::cast(Of(Nest[0]), Wide),
                               build::cast(Nest[1].Count.Trips, Wide)),
                    build::cast(Of(Nest[1]), Wide));
}

ExprRef ArgExtremum::withIndices(const ExprRef &E,
                                 llvm::ArrayRef<ExprRef> I) const {
  Substitution Map;
  for (size_t N = 0; N != Nest.size(); ++N)
    Map[Nest[N].L->V.get()] = I[N];
  return ConstantFolder().run(substitute(E, Map));
}

/// `for ... if (v == x) At min= count;`
StmtRef ArgExtremum::search(const VarRef &At) const {
  std::vector<ExprRef> Own;
  Own.reserve(Nest.size());
  for (const Level &N : Nest)
    Own.push_back(build::var(N.Own));
  ExprRef Same = build::binary(BinaryOp::EQ, withIndices(Value, Own),
                               build::var(Extremum->V));
  StmtRef S = std::make_shared<If>(
      Same, std::make_shared<Assign>(At, Combiner::Min, count()), nullptr);
  for (const Level &N : llvm::reverse(Nest))
    S = std::make_shared<For>(
        N.Own, N.L->Lo, N.L->Cond, N.L->Hi, N.L->Step, LoopKind::Serial, true,
        std::make_shared<Block>(std::vector<StmtRef>{S}), N.L->Loc);
  return S;
}

/// The loops' variables in the iteration with number At.
std::vector<ExprRef> ArgExtremum::indices(const VarRef &At) const {
  auto Index = [](const Level &N, ExprRef Number) {
    return indexAfter(*N.L, build::cast(std::move(Number), N.Count.Before->Ty));
  };
  ExprRef Number = build::var(At);
  if (Nest.size() == 1)
    return {Index(Nest[0], Number)};
  ExprRef Width = build::cast(Nest[1].Count.Trips, Type::getI64());
  return {Index(Nest[0], build::div(Number, Width)),
          Index(Nest[1], build::rem(Number, Width))};
}

StmtRef ArgExtremum::result() const {
  const VarRef &X = Extremum->V;
  std::vector<StmtRef> Out = Bounds.Lets;
  auto Start = std::make_shared<Var>(*X);
  Start->Name = X->Name + "_start";
  Start->Kind = VarKind::Local;
  Start->Const = true;
  if (!Companions.empty())
    Out.push_back(std::make_shared<Decl>(Start, build::var(X)));
  Out.push_back(onlyExtremum());
  if (Companions.empty())
    return makeBlock(std::move(Out));
  auto At = std::make_shared<Var>();
  At->Name = X->Name + "_at";
  At->Ty = count()->Ty;
  uint64_t Most = ~0ULL >> (64 - At->Ty.Bits + At->Ty.Signed);
  std::vector<StmtRef> Then{
      std::make_shared<Decl>(
          At, build::intConst(static_cast<int64_t>(Most), At->Ty)),
      search(At)};
  std::vector<ExprRef> I = indices(At);
  for (const auto &[V, E] : Companions)
    Then.push_back(
        std::make_shared<Assign>(V, Combiner::None, withIndices(E, I)));
  Out.push_back(std::make_shared<If>(
      build::binary(Better, build::var(X), build::var(Start)),
      std::make_shared<Block>(std::move(Then)), nullptr));
  return makeBlock(std::move(Out));
}

} // namespace

std::optional<StmtRef> raise::splitArgExtremum(const For &L,
                                               const Liveness::VarSet &After) {
  return ArgExtremum(L, After).run();
}
