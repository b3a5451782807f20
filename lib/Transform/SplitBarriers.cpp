//===- SplitBarriers.cpp - kernels whose threads wait for each other ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A kernel with barriers or shared arrays becomes a loop over blocks, in which
// what a thread does is cut at the barriers: loops over the threads of the
// block, with what all threads do alike around them (BarrierPhases.h). Shared
// arrays are the block's own.
//
// Where threads of a warp exchange values, the loop over threads is one over
// warps around one over lanes, and a piece in which they do is cut again: what
// a block is to its threads, a warp is then to its lanes.
//
//===----------------------------------------------------------------------===//
#include "BarrierRaces.h"
#include "BlockArrays.h"
#include "ConcreteRaces.h"
#include "FoldConstants.h"
#include "LaunchForm.h"
#include "LaunchNest.h"
#include "OwnCounters.h"
#include "PhaseLoops.h"
#include "Warps.h"
#include "raise/Transform/Barriers.h"
#include "raise/Transform/Passes.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace raise {

namespace {

class BarrierSplitter {
public:
  BarrierSplitter(FunctionRef F, Context &Ctx, bool TakeLiterals)
      : F(std::move(F)), Ctx(Ctx), Body(Nest.Body),
        Launch(*this->F, TakeLiterals), Writer(Launch, this->F->Loc) {}

  bool stillRaces() const { return Races; }
  /// Whether threads of a block of the size that it is known to have race.
  bool racesForSure() const { return ForSure; }
  /// Whether threads of a block race in a size that the kernel's own numbers
  /// seem to say: it may have another.
  bool mayHaveOtherSize() const {
    return Races && any_of(Launch.Literal, [](int64_t N) { return N != 0; });
  }

  FunctionRef run() {
    std::optional<LaunchNest> Found = launchNest(F->Body);
    if (!Found)
      return F;
    Nest = std::move(*Found);
    std::vector<Guard> Asserted;
    Body = withoutAsserts(Body, Asserted);
    bool Waits = !Nest.Shared.empty();
    forEachStmt(Body, [&](const StmtRef &S) { Waits |= isa<Barrier>(*S); });
    if (!Waits)
      return F; // merge-launch has more to say of it
    Reason Why = findDivergentBarrier(*F, /*LetsEnd=*/true);
    if (!Why.isSet())
      Why = whyNot();
    if (Why.isSet())
      return left(Why);
    ownParameters();
    std::set<std::string> Taken;
    for (const BufferRef &B : Nest.Shared)
      Taken.insert(B->Name);
    if (waitsInWarps(Body))
      Body = Launch.takeWarps(Body, Nest.Index);
    Body = Launch.name(Body, Nest.Index, std::move(Taken));
    Body = Arrays.take(Nest.Shared, Body);
    Phases All = cutAtBarriers(Body, iteratorsOf(OfThreads));
    if (All.Why.isSet())
      return left(All.Why);
    StmtList Out = keepAcross(All);
    if (All.Why.isSet())
      return left(All.Why);
    Obligations Rests;
    append_range(Rests.Guards, Asserted);
    Launch.addGuards(Rests.Guards);
    Reason Stops;
    // Before races are looked for: it costs little, and they cost much.
    forEachThreads(All.List, [&](PhaseNode &N, PhaseList &) {
      if (!Stops.isSet())
        Stops = cutAmongLanes(N).Why;
    });
    if (!Stops.isSet())
      Stops = findRaces(All, OfThreads, Rests.Guards);
    forEachThreads(All.List, [&](PhaseNode &N, PhaseList &) {
      if (!Stops.isSet())
        Stops = cutIntoWarps(N, Rests.Guards);
    });
    if (Stops.isSet())
      return left(Stops);
    Writer.write(All.List, OfThreads, Out);
    StmtRef S = makeBlock(std::move(Out), F->Loc);
    for (unsigned D : {0, 1, 2})
      if (Launch.Iterator[D])
        S = Writer.loopOver(D, Launch.Iterator[D], std::move(S));
    return withBody(*F, std::make_shared<Region>(
                            std::move(Rests), makeBlock({S}), F->Body, F->Loc));
  }

private:
  FunctionRef F;
  Context &Ctx;
  LaunchNest Nest;
  StmtRef &Body;
  LaunchIndices Launch;
  PhaseLoops Writer;
  BlockArrays Arrays;
  mutable bool Races = false; ///< within a piece
  mutable bool ForSure = false;

  std::set<const Var *> iteratorsOf(ArrayRef<unsigned> Dims) const {
    std::set<const Var *> Vars;
    for (unsigned D : Dims)
      if (Launch.Iterator[D])
        Vars.insert(Launch.Iterator[D].get());
    return Vars;
  }

  FunctionRef left(const Reason &Why) {
    Ctx.Missed.push_back(Why);
    return F;
  }

  Reason whyNot() const {
    Reason Why;
    forEachStmt(Body, [&](const StmtRef &S) {
      if (Why.isSet())
        return;
      if (auto *O = dyn_cast<Opaque>(S.get()))
        Why = {O->Code, O->Why, O->Loc};
      else if (isa<Return>(*S))
        Why = {"CR1403",
               "a thread ends in the middle of a loop or of nested conditions",
               S->Loc};
    });
    return Why;
  }

  /// A thread has its own copy of each parameter that the kernel changes.
  void ownParameters() {
    StmtList List;
    for (const Param &P : F->Params) {
      if (!P.Scalar || !assigns(Body, P.Scalar.get()))
        continue;
      auto Copy = std::make_shared<Var>(*P.Scalar);
      Copy->Kind = VarKind::Local;
      Copy->Const = false;
      Body = renamed(Body, P.Scalar, Copy);
      List.push_back(
          std::make_shared<Decl>(Copy, build::var(P.Scalar), P.Scalar->Loc));
    }
    if (List.empty())
      return;
    append_range(List, statements(Body));
    Body = std::make_shared<Block>(std::move(List), Body->Loc);
  }

  /// Arrays with a place for each of what Dims count, for what lives on from a
  /// piece of All, which are those of S, to another.
  StmtList arraysAcross(Phases &All, const StmtRef &S,
                        ArrayRef<unsigned> Dims) const {
    std::vector<VarRef> Iterators;
    std::vector<int64_t> Sizes;
    std::vector<ExprRef> Extents;
    for (unsigned D : reverse(Dims))
      if (Launch.Iterator[D]) {
        Iterators.push_back(Launch.Iterator[D]);
        const ExprRef Extent = Launch.extentIn(D, Type::getI32());
        Sizes.push_back(constantValue(Extent).value_or(0));
        Extents.push_back(Extent);
      }
    return AcrossBarriers(All, S, std::move(Iterators), std::move(Sizes),
                          std::move(Extents))
        .run();
  }

  StmtList keepAcross(Phases &All) const {
    StmtList Out = Arrays.declare(All.List);
    append_range(Out, arraysAcross(All, Body, OfThreads));
    forEachThreads(All.List,
                   [](PhaseNode &N, PhaseList &) { placeUnderMarks(N.List); });
    return Out;
  }

  /// The pieces of N between the places where lanes of a warp wait for each
  /// other; none, if they do not.
  Phases cutAmongLanes(const PhaseNode &N) const {
    const StmtRef S = std::make_shared<Block>(N.List, F->Loc);
    if (!waitsInWarps(S))
      return {};
    return cutAtBarriers(S, iteratorsOf(OfLanes), /*OfWarp=*/true);
  }

  /// Cuts piece N, if its threads wait in warps, into what a warp does.
  Reason cutIntoWarps(const PhaseNode &N, std::vector<Guard> &Guards) {
    const StmtRef S = std::make_shared<Block>(N.List, F->Loc);
    if (!waitsInWarps(S))
      return {};
    Phases Of = cutAmongLanes(N);
    if (Of.Why.isSet())
      return Of.Why;
    StmtList Across = arraysAcross(Of, S, OfLanes);
    if (Of.Why.isSet())
      return Of.Why;
    if (Reason Race = findRaces(Of, OfLanes, Guards); Race.isSet())
      return Race;
    if (Reason Race = keepWarpsApart(S, Guards); Race.isSet())
      return Race;
    StmtList Out;
    Writer.write(Of.List, OfLanes, Out);
    StmtRef Warp = std::make_shared<Block>(std::move(Out), F->Loc);
    Out.clear();
    for (const BufferRef &B : Arrays.ofWarps()) {
      bool Used = false;
      forEachStmt(S, [&](const StmtRef &Sub) {
        auto *St = dyn_cast<Store>(Sub.get());
        Used |= St && St->To.Buf == B;
      });
      if (!Used)
        continue;
      auto Array = std::make_shared<Buffer>(*B);
      Array->PerWarp = false;
      Warp = withArray(Warp, B, Array);
      Out.push_back(std::make_shared<DeclBuffer>(Array));
    }
    append_range(Out, Across);
    append_range(Out, statements(Warp));
    Writer.InWarps[&N] = std::make_shared<Block>(std::move(Out), F->Loc);
    return {};
  }

  /// Loops over the grid, without bodies.
  std::vector<std::shared_ptr<const For>> overBlocks() const {
    std::vector<std::shared_ptr<const For>> Around;
    for (unsigned D : {2, 1, 0})
      if (Launch.Iterator[D])
        Around.push_back(Writer.loopOver(D, Launch.Iterator[D], makeBlock({})));
    return Around;
  }

  /// Piece, in which the lanes of each warp wait for each other, keeps no warp
  /// waiting for another: warps that meet in it race, unless there is only one.
  Reason keepWarpsApart(const StmtRef &Piece,
                        std::vector<Guard> &Guards) const {
    const auto OverWarps = [&](StmtRef S) {
      BarrierRaces::Levels Loops;
      if (const VarRef &Lane = Launch.Iterator[LaunchIndices::Lane])
        S = Writer.loopOver(LaunchIndices::Lane, Lane, S);
      for (unsigned D : OfWarps)
        if (Launch.Iterator[D]) {
          const auto L = Writer.loopOver(D, Launch.Iterator[D], S);
          Loops.insert(Loops.begin(), levelOf(D, L));
          S = L;
        }
      return Loops;
    };
    const Phases None;
    return BarrierRaces(*F, Ctx, None, overBlocks(), OverWarps)
        .findIn(withoutExchanges(Piece), Guards);
  }

  Reason findRaces(const Phases &Of, ArrayRef<unsigned> Dims,
                   std::vector<Guard> &Guards) const {
    std::vector<std::shared_ptr<const For>> Around = overBlocks();
    Phases All = Of;
    if (Dims == ArrayRef(OfLanes))
      for (unsigned D : reverse(OfWarps))
        if (Launch.Iterator[D])
          Around.push_back(
              Writer.loopOver(D, Launch.Iterator[D], makeBlock({})));
    if (Dims == ArrayRef(OfThreads)) {
      forEachThreads(All.List, [&](PhaseNode &N, PhaseList &) {
        N.List = statements(
                     withoutExchanges(std::make_shared<Block>(N.List, F->Loc)))
                     .vec();
      });
      if (const Reason Race = leaveOutApart(All); Race.isSet()) {
        ForSure = true;
        return Race;
      }
    }
    const auto OverThreads = [&](StmtRef S) {
      BarrierRaces::Levels Loops;
      for (unsigned D : Dims)
        if (Launch.Iterator[D]) {
          const auto L = Writer.loopOver(D, Launch.Iterator[D], S);
          Loops.insert(Loops.begin(), levelOf(D, L));
          S = L;
        }
      return Loops;
    };
    BarrierRaces Among(*F, Ctx, All, std::move(Around), OverThreads);
    const Reason Found = Among.find(Guards);
    if (!Found.isSet() && Dims == ArrayRef(OfThreads))
      forEachThreads(All.List, [&](PhaseNode &N, PhaseList &) {
        Races |= !Among.keepSmall(makeBlock(N.List, F->Loc), Guards);
      });
    return Found;
  }

  /// Takes the block's arrays out of All where its threads, which are so many
  /// as is known, are seen to keep apart in them; the race, if one is seen.
  Reason leaveOutApart(Phases &All) const {
    std::vector<ConcreteRaces::Dim> Threads;
    bool AllKnown = true;
    for (unsigned D : OfThreads)
      if (const VarRef &V = Launch.Iterator[D]) {
        std::optional<int64_t> N = constantValue(Launch.extentIn(D, V->Ty));
        // A block of any height has a first row, whose threads may race.
        if (!N && !Threads.empty() && !waitsInWarps(Body)) {
          N = 1;
          AllKnown = false;
        }
        if (!N || *N <= 0)
          return {};
        Threads.emplace_back(V, *N);
      }
    // Those without a size all start at one address.
    size_t Open = count_if(
        Nest.Shared, [](const BufferRef &B) { return isDynamicShared(*B); });
    std::set<const Buffer *> Of;
    std::map<const Buffer *, BufferRef> Instead;
    for (const BufferRef &B : Arrays.ofBlock()) {
      Of.insert(B.get());
      auto Fixed = std::make_shared<Buffer>(*B);
      Fixed->Kind = BufferKind::Param;
      Fixed->Const = Fixed->Restrict = true;
      Instead[B.get()] = Fixed;
    }
    if (Open > 1 || Of.empty())
      return {};
    ConcreteRaces Block(Threads, Of);
    if (!Block.areApart(All.List)) {
      if (waitsInWarps(Body)) // lanes of a warp may wait for each other
        return {};
      Reason Race = Block.race();
      if (Race.isSet() &&
          ConcreteRaces(Threads, Of, WarpSize).areApart(All.List)) {
        Race.Code = "CR1405";
        Race.Text += ": the lanes of a warp are taken to run in step";
      }
      return Race;
    }
    if (!AllKnown)
      return {};
    forEachNode(All.List, [&](PhaseNode &N) {
      N.List =
          statements(withoutArrays(makeBlock(N.List, F->Loc), Instead)).vec();
      if (N.Control)
        N.Control = withoutArrays(N.Control, Instead);
    });
    return {};
  }

  static void forEachNode(PhaseList &List, function_ref<void(PhaseNode &)> Fn) {
    for (PhaseNode &N : List) {
      Fn(N);
      forEachNode(N.Then, Fn);
      forEachNode(N.Else, Fn);
    }
  }

  /// L, over dimension D, as analysis is asked about it.
  BarrierRaces::Level levelOf(unsigned D, std::shared_ptr<const For> L) const {
    if (D != LaunchIndices::Warp || constantValue(L->Hi))
      return {L, L, {}};
    const VarRef &Threads = F->LaunchDims[LaunchIndices::Lane];
    Guard One;
    One.Cond = build::binary(BinaryOp::LE, build::var(Threads),
                             build::intConst(WarpSize, Threads->Ty));
    One.Why = "a block is one warp";
    return {L, overFirstThreads(*L, Threads), One};
  }
};

} // namespace

static FunctionRef split(const FunctionRef &F, Context &Ctx, bool &ForSure) {
  const size_t Missed = Ctx.Missed.size();
  BarrierSplitter First(F, Ctx, /*TakeLiterals=*/true);
  FunctionRef Out = First.run();
  ForSure = First.racesForSure();
  if (!First.mayHaveOtherSize())
    return Out;
  std::vector<Reason> Told(Ctx.Missed.begin() + ptrdiff_t(Missed),
                           Ctx.Missed.end());
  Ctx.Missed.resize(Missed);
  BarrierSplitter Other(F, Ctx, /*TakeLiterals=*/false);
  FunctionRef Instead = Other.run();
  if (Instead != F && !Other.stillRaces())
    return Instead;
  Ctx.Missed.resize(Missed);
  append_range(Ctx.Missed, Told);
  return Out;
}

FunctionRef splitBarriers(FunctionRef F, Context &Ctx) {
  if (F->Kind != FunctionKind::Kernel)
    return F;
  const FunctionRef Own = withOwnCounters(F);
  const size_t Missed = Ctx.Missed.size();
  bool ForSure = false;
  FunctionRef Out = split(Own, Ctx, ForSure);
  if (Out != Own)
    return Out;
  const std::vector<Reason> Told(Ctx.Missed.begin() + ptrdiff_t(Missed),
                                 Ctx.Missed.end());
  // Threads that race in blocks of the size that its file launches are told
  // apart by tests of any size, perhaps; what else stops it has no size.
  const bool Races = any_of(Told, [](const Reason &R) {
    return StringRef(R.Code).starts_with("CR11");
  });
  if (F->UsualBlock == std::array<int64_t, 3>{} || !Races || ForSure)
    return F;
  Ctx.Missed.resize(Missed);
  auto AnySize = std::make_shared<Function>(*Own);
  AnySize->UsualBlock = {};
  Out = split(AnySize, Ctx, ForSure);
  if (Out != AnySize)
    return Out;
  Ctx.Missed.resize(Missed);
  append_range(Ctx.Missed, Told);
  return F;
}

} // namespace raise
