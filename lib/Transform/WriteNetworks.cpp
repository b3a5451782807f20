//===- WriteNetworks.cpp - what a network computes, as loops --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "WriteNetworks.h"
#include "ConcreteRaces.h"
#include "FoldConstants.h"
#include "raise/IR/Visitor.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace llvm;

namespace raise {

namespace {

/// Elements at First, First + By, ... of one array.
struct Run {
  const Buffer *Array = nullptr;
  int64_t First = 0, Count = 0, By = 1;
};

std::optional<Run> runOf(const Combination &C) {
  Run R;
  for (const auto &[At, N] : C.Cells) {
    if (N != 1)
      return std::nullopt;
    if (R.Count == 0) {
      R.Array = At.Array;
      R.First = At.At;
    } else if (R.Count == 1) {
      R.By = At.At - R.First;
    }
    if (At.Array != R.Array || At.At != R.First + R.Count * R.By)
      return std::nullopt;
    ++R.Count;
  }
  return R;
}

/// Statements that give what a Network found, where that is said in few.
class Writer {
public:
  Writer(const Network::State &Found, const Network &Known, const Level &Place,
         ArrayRef<BufferRef> Arrays, SourceLoc Loc)
      : Found(Found), Known(Known), Place(Place), Arrays(Arrays),
        Loc(std::move(Loc)) {}

  /// Scalars that hold elements which nothing changes any more.
  std::vector<std::pair<Cell, VarRef>> Named;

  /// False if it takes more than a few.
  bool write(ArrayRef<StmtRef> Replaced, StmtList &Out) {
    for (const auto &[At, V] : Found.Cells) {
      auto *C = std::get_if<CombinationRef>(&V);
      const bool Same = C && (*C)->Op == Combiner::None && !(*C)->Fn &&
                        !(*C)->Number && (*C)->Cells.size() == 1 &&
                        (*C)->Cells.begin()->first == At;
      if (Same || !liveOf(At.Array).contains(At.At))
        continue;
      if (!C || !isKnown(At.Array))
        return false;
      Live[At.Array][At.At] = *C;
    }
    StmtList Stores;
    for (const BufferRef &Array : Arrays)
      if (const auto It = Live.find(Array.get());
          It != Live.end() && !storeAll(Array.get(), It->second, Stores))
        return false;
    for (const Network::Output &O : Found.Outputs) {
      const ExprRef V = valueOf(O.Value);
      if (!V)
        return false;
      Stores.push_back(
          std::make_shared<Store>(O.To, Combiner::None, V, false, O.Loc));
    }
    if (!keepScalars(Replaced, Stores))
      return false;
    if (Totals.size() > 3 || Copies.size() > 4)
      return false;
    append_range(Out, First);
    append_range(Out, Stores);
    return true;
  }

private:
  const Network::State &Found;
  const Network &Known; ///< integers, before
  const Level &Place;
  ArrayRef<BufferRef> Arrays; ///< in the order of their declarations
  const SourceLoc Loc;
  /// What the elements that are looked at later hold.
  std::map<const Buffer *, std::map<int64_t, CombinationRef>> Live;
  StmtList First; ///< what computes the sums, before anything is stored
  std::vector<std::pair<CombinationRef, VarRef>> Totals, Copies;
  std::map<const Buffer *, LiveCells> Asked;
  std::set<const Var *> Taken; ///< the code's own, that sums are computed in

  bool isKnown(const Buffer *B) const {
    return any_of(Arrays, [&](const BufferRef &A) { return A.get() == B; });
  }

  const LiveCells &liveOf(const Buffer *B) {
    const auto [It, New] = Asked.try_emplace(B);
    if (!New)
      return It->second;
    It->second = cellsReadAfter(Place, *B);
    const bool DeclaredHere = any_of(Place.Before, [&](const StmtRef &S) {
      auto *D = dyn_cast<DeclBuffer>(S.get());
      return D && D->B.get() == B;
    });
    if (!It->second.All || !DeclaredHere)
      return It->second;
    // Where subscripts hang on what is known, they can be asked.
    Network After(FPMode::Fast);
    for (const auto &[V, Value] : Found.Scalars)
      if (auto *N = std::get_if<int64_t>(&Value))
        After.set(V, *N);
    if (const auto Read = ConcreteRaces::cellsRead(Place.After, *B, After))
      It->second = LiveCells{false, *Read};
    return It->second;
  }

  static VarRef fresh(StringRef Name, const Type &Ty, const SourceLoc &Loc) {
    auto V = std::make_shared<Var>();
    V->Name = Name.str();
    V->Ty = Ty;
    V->Loc = Loc;
    return V;
  }

  /// Array[At], row-major; At counts along the last dimension from where
  /// Offset, if set, starts. Null if it would leave the row, which Count
  /// elements from there are to stay in.
  std::optional<Access> element(const Buffer *Array, int64_t At,
                                const ExprRef &Offset = nullptr,
                                int64_t Count = 1) const {
    Access A;
    for (const BufferRef &B : Arrays)
      if (B.get() == Array)
        A.Buf = B;
    if (!A.Buf)
      return std::nullopt;
    for (size_t D = Array->Extents.size(); D-- > 0;) {
      const int64_t Extent = constantValue(Array->Extents[D]).value_or(1);
      const int64_t I = D ? At % Extent : At;
      const bool Last = D + 1 == Array->Extents.size();
      if (Last && D && I + Count > Extent)
        return std::nullopt;
      A.Indices.insert(A.Indices.begin(),
                       Last && Offset ? Offset : build::intConst(I));
      At = D ? At / Extent : 0;
    }
    return A;
  }

  /// Where `for (l = From; l < To; l += 1)` counts places in a row of Array.
  static int64_t inRow(const Buffer *Array, int64_t At) {
    return Array->Extents.size() == 1
               ? At
               : At % constantValue(Array->Extents.back()).value_or(1);
  }

  StmtRef update(const VarRef &V, const Combination &C, ExprRef By) const {
    if (!C.Fn)
      return std::make_shared<Assign>(V, C.Op, std::move(By), Loc);
    return std::make_shared<Assign>(
        V, Combiner::None, build::call(C.Fn, {build::var(V), std::move(By)}),
        Loc);
  }

  ExprRef combined(const Combination &C, ExprRef L, ExprRef R) const {
    if (C.Fn)
      return build::call(C.Fn, {std::move(L), std::move(R)});
    switch (C.Op) {
    case Combiner::Add:
      return build::add(std::move(L), std::move(R));
    case Combiner::Mul:
      return build::mul(std::move(L), std::move(R));
    case Combiner::And:
      return build::binary(BinaryOp::And, std::move(L), std::move(R));
    case Combiner::Or:
      return build::binary(BinaryOp::Or, std::move(L), std::move(R));
    case Combiner::Xor:
      return build::binary(BinaryOp::Xor, std::move(L), std::move(R));
    case Combiner::Min:
      return build::select(build::lt(R, L), R, L);
    default:
      return build::select(build::lt(L, R), R, L);
    }
  }

  StmtRef loop(const VarRef &L, int64_t From, int64_t To, StmtList Body) const {
    return std::make_shared<For>(
        L, build::intConst(From), BinaryOp::LT, build::intConst(To),
        build::intConst(1), LoopKind::Serial, true,
        std::make_shared<Block>(std::move(Body), Loc), Loc);
  }

  static const char *nameOf(const Combination &C) {
    StringRef Fn = C.Fn ? StringRef(C.Fn->Name) : "";
    if (Fn.contains("max") || C.Op == Combiner::Max)
      return "largest";
    if (Fn.contains("min") || C.Op == Combiner::Min)
      return "smallest";
    return C.Op == Combiner::Add   ? "sum"
           : C.Op == Combiner::Mul ? "product"
                                   : "all";
  }

  /// Computes C, before anything is stored.
  ExprRef valueOf(const CombinationRef &C) {
    if (C->Number && C->Cells.empty())
      return C->Number;
    const bool Copy = C->Op == Combiner::None && !C->Fn;
    auto &Computed = Copy ? Copies : Totals;
    for (const auto &[Had, V] : Computed)
      if (*Had == *C)
        return build::var(V);
    const std::optional<Run> R = runOf(*C);
    if (!R || R->Count == 0 || Computed.size() > 4)
      return nullptr;
    const int64_t Start = C->Number ? 0 : 1;
    const std::optional<Access> Head = element(R->Array, R->First);
    if (!Head)
      return nullptr;
    const VarRef V = fresh(Copy ? "first" : nameOf(*C), C->Ty, Loc);
    First.push_back(std::make_shared<Decl>(
        V, C->Number ? C->Number : build::load(*Head), Loc));
    if (R->Count - Start == 1) {
      const std::optional<Access> A =
          element(R->Array, R->First + Start * R->By);
      if (!A)
        return nullptr;
      First.push_back(update(V, *C, build::load(*A)));
    } else if (R->Count > Start) {
      const VarRef L = fresh("l", Type::getI32(), Loc);
      const int64_t At = R->First + Start * R->By;
      const int64_t Row = inRow(R->Array, At);
      const ExprRef Place =
          R->By == 1
              ? build::var(L)
              : build::add(build::intConst(inRow(R->Array, R->First)),
                           build::mul(build::var(L), build::intConst(R->By)));
      const std::optional<Access> A =
          element(R->Array, R->First, Place, (R->Count - 1) * R->By + 1);
      if (!A)
        return nullptr;
      const int64_t From = R->By == 1 ? Row : Start;
      First.push_back(loop(L, From, From + R->Count - Start,
                           {update(V, *C, build::load(*A))}));
    }
    Computed.emplace_back(C, V);
    return build::var(V);
  }

  bool storeAll(const Buffer *Array,
                const std::map<int64_t, CombinationRef> &Cells, StmtList &Out) {
    const int64_t From = Cells.begin()->first;
    const bool Dense =
        std::prev(Cells.end())->first - From + 1 == int64_t(Cells.size());
    const bool Alike = all_of(Cells, [&](const auto &C) {
      return *C.second == *Cells.begin()->second;
    });
    if (Cells.size() > 4 && Dense && Alike) {
      const ExprRef V = valueOf(Cells.begin()->second);
      const VarRef L = fresh("l", Type::getI32(), Loc);
      const std::optional<Access> A =
          element(Array, From, build::var(L), int64_t(Cells.size()));
      if (!V || !A)
        return false;
      const int64_t Row = inRow(Array, From);
      Out.push_back(
          loop(L, Row, Row + int64_t(Cells.size()),
               {std::make_shared<Store>(*A, Combiner::None, V, false, Loc)}));
      return true;
    }
    if (Cells.size() > 4)
      return Dense && storeRunning(Array, Cells, Out);
    for (const auto &[At, C] : Cells) {
      const ExprRef V = valueOf(C);
      const std::optional<Access> A = element(Array, At);
      if (!V || !A)
        return false;
      Out.push_back(std::make_shared<Store>(*A, Combiner::None, V, false, Loc));
      auto *U = dyn_cast<VarUse>(V.get());
      if (U && Array->Extents.size() == 1)
        Named.push_back({{Array, At}, U->V});
    }
    return true;
  }

  /// Elements that have, each, what the one before has and one more.
  bool storeRunning(const Buffer *Array,
                    const std::map<int64_t, CombinationRef> &Cells,
                    StmtList &Out) {
    const Combination &Last = *std::prev(Cells.end())->second;
    const std::optional<Run> Over = runOf(Last);
    if (!Over || Over->By != 1 || Over->Array->Extents.size() != 1 ||
        Array->Extents.size() != 1 || (!Last.Fn && Last.Op == Combiner::None))
      return false;
    const Buffer *Source = Over->Array;
    const bool InPlace = Source == Array;
    if (!InPlace && Live.count(Source))
      return false; // another loop stores to it
    // Element At is over the cells from Over->First to the one before
    // At + Shift.
    int64_t From = Cells.begin()->first;
    const int64_t To = std::prev(Cells.end())->first + 1,
                  Shift = Over->First + Over->Count - (To - 1);
    for (const auto &[At, C] : Cells)
      if (!isOverFirst(*C, Last, *Over, At + Shift - Over->First))
        return false;
    const VarRef Part = fresh(nameOf(Last), Last.Ty, Loc);
    const auto Read = [&](const ExprRef &At) {
      return build::load(*element(Source, 0, At));
    };
    const auto Put = [&](const ExprRef &At) {
      return std::make_shared<Store>(*element(Array, 0, At), Combiner::None,
                                     build::var(Part), false, Loc);
    };
    Out.push_back(std::make_shared<Decl>(
        Part, Last.Number ? Last.Number : Read(build::intConst(Over->First)),
        Loc));
    int64_t Ahead = From + Shift - Over->First - (Last.Number ? 0 : 1);
    if (Ahead == 0 && !Last.Number) {
      Out.push_back(Put(build::intConst(From)));
      ++From;
      Ahead = 1;
    }
    const VarRef L = fresh("l", Type::getI32(), Loc);
    const int64_t By = Shift - Ahead; // from an element to the cell to take in
    const ExprRef In = plusConstant(build::var(L), By);
    if (Ahead == 1 && (!InPlace || By >= 0)) {
      Out.push_back(loop(L, From, To,
                         {update(Part, Last, Read(In)), Put(build::var(L))}));
      return true;
    }
    if (Ahead != 0 || !InPlace || By != 0)
      return false;
    const VarRef Here = fresh("here", Last.Ty, Loc);
    Out.push_back(
        loop(L, From, To,
             {std::make_shared<Decl>(Here, Read(In), Loc), Put(build::var(L)),
              update(Part, Last, build::var(Here))}));
    return true;
  }

  /// Whether C is Like's operation on the first Count cells of Over.
  static bool isOverFirst(const Combination &C, const Combination &Like,
                          const Run &Over, int64_t Count) {
    const std::optional<Run> R = runOf(C);
    const bool Alone = C.Op == Combiner::None && !C.Fn;
    const auto Name = [](const CalleeRef &Fn) {
      return Fn ? StringRef(Fn->Name) : StringRef();
    };
    return R && structurallyEqual(C.Number, Like.Number) &&
           (Alone || (C.Op == Like.Op && Name(C.Fn) == Name(Like.Fn))) &&
           R->Count == Count &&
           (Count == 0 ||
            (R->Array == Over.Array && R->First == Over.First && R->By == 1));
  }

  /// Computes the sum that E stands for in V itself, which is declared here.
  bool takeName(const VarRef &V, const ExprRef &E, StmtList &Stores) {
    auto *U = dyn_cast<VarUse>(E.get());
    const auto It = find_if(
        Totals, [&](const auto &Total) { return U && Total.second == U->V; });
    if (It == Totals.end() || V->Const || Taken.count(U->V.get()) ||
        any_of(Place.After,
               [&](const StmtRef &S) { return assigns(S, V.get()); }))
      return false;
    const VarRef From = U->V;
    Taken.insert(V.get());
    for (StmtList *List : {&First, &Stores})
      for (StmtRef &S : *List)
        S = renamed(S, From, V);
    for (auto &[At, Held] : Named)
      if (Held == From)
        Held = V;
    It->second = V;
    return true;
  }

  /// The variables that are looked at later get their values.
  bool keepScalars(ArrayRef<StmtRef> Replaced, StmtList &Out) {
    std::set<const Var *> Here, Inside;
    std::vector<VarRef> Assigned;
    for (const StmtRef &S : Replaced) {
      if (auto *D = dyn_cast<Decl>(S.get()))
        Here.insert(D->V.get());
      forEachStmt(S, [&](const StmtRef &Sub) {
        if (auto *D = dyn_cast<Decl>(Sub.get()))
          Inside.insert(D->V.get());
        else if (auto *L = dyn_cast<For>(Sub.get()); L && L->DeclaresVar)
          Inside.insert(L->V.get());
      });
      assignedVars(S, [&](const VarRef &V) {
        if (!is_contained(Assigned, V))
          Assigned.push_back(V);
      });
    }
    for (const VarRef &V : Assigned) {
      const auto At = Found.Scalars.find(V.get());
      const bool Lives =
          Inside.count(V.get())
              ? Here.count(V.get()) &&
                    any_of(Place.After,
                           [&](const StmtRef &S) { return uses(S, V.get()); })
              : isReadAfter(Place, V.get());
      if (At == Found.Scalars.end() || !Lives) // or in a branch not taken
        continue;
      const NetworkValue &Value = At->second;
      ExprRef E;
      const auto Had = Known.state().Scalars.find(V.get());
      if (Had != Known.state().Scalars.end() && Had->second == Value &&
          !Here.count(V.get()))
        continue;
      if (auto *N = std::get_if<int64_t>(&Value))
        E = build::intConst(*N, V->Ty);
      else if (auto *C = std::get_if<CombinationRef>(&Value))
        E = valueOf(*C);
      if (!E)
        return false;
      if (Here.count(V.get()) && takeName(V, E, Out))
        continue;
      Out.push_back(Here.count(V.get())
                        ? StmtRef(std::make_shared<Decl>(V, E, Loc))
                        : std::make_shared<Assign>(V, Combiner::None, E, Loc));
    }
    return true;
  }
};

} // namespace

std::optional<WrittenNetwork> writeNetwork(const Network::State &Found,
                                           const Network &Known,
                                           const Level &Place,
                                           ArrayRef<BufferRef> Arrays) {
  Writer W(Found, Known, Place, Arrays, Place.Self.front()->Loc);
  WrittenNetwork Out;
  if (!W.write(Place.Self, Out.List))
    return std::nullopt;
  Out.Named = std::move(W.Named);
  return Out;
}

} // namespace raise
