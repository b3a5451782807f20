//===- StepByStrips.cpp - the statements of a loop, one by one, by strips -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
//   for (i) { a[i] = s * e[i]; s = b[i] + c[i]; b[i] = a[i] + d[i]; }
//
// keeps its order, since an iteration takes s from a statement further down in
// the one before, and so no compiler makes vectors of it. Nothing but that
// order is in the way: the statements of a strip may run one after the other,
// in an order in which each comes behind those that it takes values from. What
// is handed on in a scalar gets a place for each point:
//
//   for (strip) {
//     s_strip[0] = s;
//     for (lane) s_strip[lane+1] = b[strip+lane] + c[strip+lane];
//     for (lane) { a[strip+lane] = s_strip[lane] * e[strip+lane]; b... }
//     s = s_strip[64];
//   }
//
// Every value is computed as it was, so nothing rounds otherwise.
//
// This is loop distribution (Kennedy and Allen, Optimizing Compilers for Modern
// Architectures, 2001, chapters 2 and 5) with scalar expansion, within a strip.
//
//===----------------------------------------------------------------------===//
#include "LaneValue.h"
#include "PlainName.h"
#include "RegionPass.h"
#include "StripLoops.h"
#include "Subscripts.h"
#include "raise/IR/Effects.h"
#include "raise/Transform/Passes.h"
#include "llvm/ADT/STLExtras.h"

using namespace raise;
using llvm::cast;
using llvm::dyn_cast;
using llvm::isa;

namespace {

/// Points of a strip: what the statements of one hand on stays in the nearest
/// cache.
constexpr int64_t Width = StripLength;
/// Points from which strips pay, tests and all.
constexpr int64_t LeastPoints = 2 * Width;
/// Statements that may have loops of their own.
constexpr size_t MostStatements = 16;

bool hasPlaces(const Type &Ty) {
  return Ty.isFloat() && (Ty.Bits == 32 || Ty.Bits == 64);
}

/// Which of two statements has to run first, for some two points.
struct Order {
  bool Before = false;     ///< the first one
  bool OnlyAtPoint = true; ///< and only if both are of one point
};

/// The statements of one loop in its order, and what each waits for.
class Steps {
public:
  Steps(const Iterator &It, const StmtRef &Body, const Region &R)
      : It(It), List(statements(Body).vec()), Body(Body), R(R) {}
  /// Whether they can run one by one, and that pays.
  bool find();

  const Iterator &It;
  std::vector<StmtRef> List;
  /// Which run as one loop, each a list of statements, in their order.
  std::vector<std::vector<size_t>> Groups;
  /// Whether a point's statement reads what a later one's stores.
  std::vector<bool> ReadsAhead;

  size_t groupOf(size_t At) const {
    for (size_t G = 0; G < Groups.size(); ++G)
      if (llvm::is_contained(Groups[G], At))
        return G;
    llvm_unreachable("every statement is in a group");
  }
  /// What the statement At gives its value to: null for a store.
  VarRef scalarOf(size_t At) const {
    if (const auto *D = dyn_cast<Decl>(List[At].get()))
      return D->V;
    const auto *A = dyn_cast<Assign>(List[At].get());
    return A ? A->V : nullptr;
  }
  bool isHandedOn(size_t At) const { return isa<Assign>(List[At].get()); }

private:
  bool isSimple(size_t At) const;
  bool addScalar(size_t At);
  bool addMemory(size_t P, size_t Q);
  bool addPair(size_t P, const Access &Stored, size_t Q, const Access &Other);
  void add(size_t First, size_t Then, bool AtPoint);
  bool group();
  bool pays() const;
  bool isReadyBefore(size_t At, size_t Use) const;

  const StmtRef &Body;
  const Region &R;
  std::vector<std::vector<Order>> Orders;
};

/// Whether it computes what lanes do, once for each point.
bool Steps::isSimple(size_t At) const {
  const Var *V = It.V.get();
  if (const auto *D = dyn_cast<Decl>(List[At].get()))
    return D->Init && hasPlaces(D->V->Ty) && isLaneValue(D->Init, V);
  if (const auto *A = dyn_cast<Assign>(List[At].get()))
    return A->Op == Combiner::None && hasPlaces(A->V->Ty) &&
           !uses(A->Value, A->V.get()) && isLaneValue(A->Value, V);
  const auto *St = dyn_cast<Store>(List[At].get());
  if (!St || St->Atomic || !St->To.Field.empty() || !isSteady(St->To, Body) ||
      (St->Op != Combiner::None && St->Op != Combiner::Add &&
       St->Op != Combiner::Sub && St->Op != Combiner::Mul))
    return false;
  const auto Stride = strideAlong(St->To, V);
  return Stride && std::abs(*Stride) == 1 && isLaneValue(St->Value, V);
}

void Steps::add(size_t First, size_t Then, bool AtPoint) {
  Orders[First][Then].Before = true;
  Orders[First][Then].OnlyAtPoint &= AtPoint;
}

/// Who uses the scalar that At sets; false if another statement sets it too.
bool Steps::addScalar(size_t At) {
  const VarRef V = scalarOf(At);
  for (size_t I = 0; V && I < List.size(); ++I) {
    if (I != At && scalarOf(I) == V)
      return false;
    if (I != At && uses(List[I], V.get()))
      add(At, I, /*AtPoint=*/I > At);
  }
  return true;
}

/// The order of two accesses' statements; false if that differs from point to
/// point, or is not known.
bool Steps::addPair(size_t P, const Access &Stored, size_t Q,
                    const Access &Other) {
  const Distance D =
      distanceBetween(Stored, Other, Body, It.V.get(), R.Rests.Guards);
  if (!D.Known)
    return false;
  if (!D.By)
    return true;
  if (P == Q) {
    ReadsAhead[P] = ReadsAhead[P] || *D.By > 0;
    return *D.By >= 0;
  }
  const bool OtherFirst = *D.By > 0 || (*D.By == 0 && Q < P);
  add(OtherFirst ? Q : P, OtherFirst ? P : Q, *D.By == 0);
  return true;
}

/// What P stores, against what Q loads and stores.
bool Steps::addMemory(size_t P, size_t Q) {
  const auto *St = dyn_cast<Store>(List[P].get());
  if (!St)
    return true;
  bool Ok = true;
  forEachExpr(List[Q], [&](const ExprRef &E) {
    if (const auto *L = dyn_cast<Load>(E.get()))
      Ok = Ok && addPair(P, St->To, Q, L->From);
  });
  const auto *Also = dyn_cast<Store>(List[Q].get());
  return Ok && (!Also || P == Q || addPair(P, St->To, Q, Also->To));
}

/// An order in which each statement waits for none behind it, the nearest to
/// the text; those that meet at one point only share a loop.
bool Steps::group() {
  std::vector<bool> Done(List.size());
  const auto MayRun = [&](size_t At) {
    for (size_t I = 0; I < List.size(); ++I)
      if (!Done[I] && I != At && Orders[I][At].Before)
        return false;
    return true;
  };
  const auto MayJoin = [&](size_t At) {
    return !Groups.empty() && llvm::all_of(Groups.back(), [&](size_t I) {
      return !Orders[I][At].Before || Orders[I][At].OnlyAtPoint;
    });
  };
  for (size_t Left = List.size(); Left > 0; --Left) {
    size_t Next = List.size();
    for (size_t I = 0; I < List.size(); ++I)
      if (!Done[I] && MayRun(I) &&
          (Next == List.size() || (!MayJoin(Next) && MayJoin(I))))
        Next = I;
    if (Next == List.size())
      return false; // some wait for each other
    if (MayJoin(Next))
      Groups.back().push_back(Next);
    else
      Groups.push_back({Next});
    Done[Next] = true;
  }
  // In a group, a statement's own order is the text's.
  for (auto &G : Groups)
    llvm::sort(G);
  return Groups.size() > 1;
}

/// Whether the value that At hands on is there before Use: compilers see
/// vectors in that by themselves.
bool Steps::isReadyBefore(size_t At, size_t Use) const {
  const auto *A = dyn_cast<Assign>(List[At].get());
  if (!A)
    return false;
  ExprRef Value = A->Value;
  while (const auto *C = dyn_cast<Cast>(Value.get()))
    Value = C->Operand;
  const auto *U = dyn_cast<VarUse>(Value.get());
  for (size_t I = 0; U && I < Use; ++I)
    if (isa<Decl>(List[I].get()) && scalarOf(I) == U->V)
      return true;
  return false;
}

/// Whether a statement takes something from one further down. (What comes from
/// above, compilers vectorise as it is.) Scalars that loops of their own set
/// have their places.
bool Steps::pays() const {
  bool Backwards = false;
  for (size_t P = 0; P < List.size(); ++P)
    for (size_t Q = 0; Q < P; ++Q)
      Backwards |= Orders[P][Q].Before && !isReadyBefore(P, Q);
  return Backwards;
}

bool Steps::find() {
  const size_t Count = List.size();
  if (Count < 2 || Count > MostStatements)
    return false;
  Orders.assign(Count, std::vector<Order>(Count));
  ReadsAhead.assign(Count, false);
  for (size_t P = 0; P < Count; ++P)
    if (!isSimple(P) || !addScalar(P))
      return false;
  for (size_t P = 0; P < Count; ++P)
    for (size_t Q = 0; Q < Count; ++Q)
      if (!addMemory(P, Q))
        return false;
  return pays() && group();
}

/// Writes one loop by strips.
class ByStrips {
public:
  explicit ByStrips(const Steps &S) : S(S), Places(S.List.size()) {}
  /// What stands in place of the loop, of at least LeastPoints points.
  StmtRef run(IterKind Kind, const SourceLoc &Loc);

private:
  void findPlaces();
  StmtRef forPoint(size_t At, size_t Group, const VarRef &Lane) const;
  StmtRef loop(size_t Group, const WholeStrips &Of) const;

  const Steps &S;
  std::vector<BufferRef> Places; ///< of the scalar that a statement sets
};

/// A scalar that other loops use, or the next point, has a place for each.
void ByStrips::findPlaces() {
  for (size_t At = 0; At < S.List.size(); ++At) {
    const VarRef V = S.scalarOf(At);
    if (!V)
      continue;
    bool Needed = S.isHandedOn(At);
    for (size_t I = 0; I < S.List.size(); ++I)
      Needed |= uses(S.List[I], V.get()) && S.groupOf(I) != S.groupOf(At);
    if (Needed)
      Places[At] = stripArray(plainName(V->Name) + "_strip", V->Ty,
                              Width + S.isHandedOn(At), S.List[At]->Loc);
  }
}

/// The statement At, with places for scalars.
StmtRef ByStrips::forPoint(size_t At, size_t Group, const VarRef &Lane) const {
  StmtRef New = S.List[At];
  for (size_t I = 0; I < S.List.size(); ++I) {
    const VarRef V = S.scalarOf(I);
    const bool Own = !S.isHandedOn(I) && S.groupOf(I) == Group;
    if (!Places[I] || Own || I == At || !uses(New, V.get()))
      continue;
    // What is handed on comes one place behind the point that set it.
    New = substitute(
        New, V,
        build::load(stripElement(Places[I], Lane, S.isHandedOn(I) && I < At)));
  }
  return New;
}

StmtRef ByStrips::loop(size_t Group, const WholeStrips &Of) const {
  const auto Lane = stripScalar("lane", Type::getI32());
  std::vector<StmtRef> Points;
  bool Free = true;
  for (const size_t At : S.Groups[Group]) {
    Free &= !S.ReadsAhead[At];
    StmtRef New = forPoint(At, Group, Lane);
    if (!Places[At]) {
      Points.push_back(std::move(New));
      continue;
    }
    ExprRef Value;
    if (const auto *D = dyn_cast<Decl>(New.get())) {
      Points.push_back(New);
      Value = build::var(D->V);
    } else {
      Value = cast<Assign>(*New).Value;
    }
    Points.push_back(std::make_shared<Store>(
        stripElement(Places[At], Lane, S.isHandedOn(At)), Combiner::None, Value,
        false, New->Loc));
  }
  return laneLoop(Free ? IterKind::Parallel : IterKind::Serial,
                  std::move(Points), Lane, Width, S.It, Of);
}

StmtRef ByStrips::run(IterKind Kind, const SourceLoc &Loc) {
  const auto Of = wholeStrips(S.It, Width, LeastPoints, /*IsLong=*/true);
  if (!Of)
    return nullptr;
  findPlaces();
  const auto Element = [](const BufferRef &Buf, int64_t At) {
    Access A;
    A.Buf = Buf;
    A.Indices = {build::intConst(At)};
    return A;
  };
  std::vector<StmtRef> Strip, Last;
  for (size_t At = 0; At < S.List.size(); ++At) {
    if (!Places[At])
      continue;
    Strip.push_back(std::make_shared<DeclBuffer>(Places[At]));
    if (!S.isHandedOn(At))
      continue;
    const VarRef V = S.scalarOf(At);
    Strip.push_back(std::make_shared<Store>(Element(Places[At], 0),
                                            Combiner::None, build::var(V)));
    Last.push_back(std::make_shared<Assign>(
        V, Combiner::None, build::load(Element(Places[At], Width))));
  }
  for (size_t G = 0; G < S.Groups.size(); ++G)
    Strip.push_back(loop(G, *Of));
  llvm::append_range(Strip, Last);
  return stripsAndRest(*Of, {}, std::move(Strip), S.List, Kind, Loc);
}

StmtRef byStrips(const Region &R) {
  return StripLoops(R, LeastPoints,
                    [&](const Iterator &It, const StmtRef &Body,
                        const SourceLoc &Loc) -> StmtRef {
                      Steps Found(It, Body, R);
                      return Found.find() ? ByStrips(Found).run(It.Kind, Loc)
                                          : nullptr;
                    })
      .run("the statements of a strip run one after the other, each behind "
           "those that it takes values from");
}

} // namespace

FunctionRef raise::stepByStrips(FunctionRef F, Context &Ctx) {
  return takesVectorLoops(*F, Ctx.Opts) ? mapRegions(F, byStrips) : F;
}
