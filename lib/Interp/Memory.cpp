//===- Memory.cpp - loads, stores and arrays
//---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Engine.h"
#include "raise/IR/Effects.h"
#include "raise/IR/Fact.h"

namespace raise::interp {

size_t Storage::size() const {
  size_t N = Cells.size();
  for (const auto &[Name, Plane] : Fields)
    N = std::max(N, Plane.size());
  return N;
}

/// Acc * Extent + Index; false on overflow.
static bool horner(int64_t &Acc, int64_t Extent, int64_t Index) {
  return !__builtin_mul_overflow(Acc, Extent, &Acc) &&
         !__builtin_add_overflow(Acc, Index, &Acc);
}

static std::string showAccess(const Access &A, int64_t Index) {
  return "'" + A.Buf->Name + "' at " + std::to_string(Index);
}

/// Indices of the declared dimensions; C makes leaving an inner one undefined
/// even where the flat element exists.
bool Engine::declaredIndex(const AccessNode &A, Frame &F, const BufSlot &B,
                           const SourceLoc &Loc, int64_t &Flat) {
  for (size_t I = 0; I < A.Indices.size(); ++I) {
    int64_t Index = eval(A.Indices[I], F).I;
    if (failed())
      return false;
    int64_t Extent = I < B.Extents.size() ? B.Extents[I] : -1;
    if ((Extent >= 0 && (Index < 0 || Index >= Extent)) ||
        !horner(Flat, I ? Extent : 0, Index)) {
      fail(Stop::OutOfRange, Loc, showAccess(*A.Src, Index));
      return false;
    }
  }
  return true;
}

bool Engine::locate(const AccessNode &A, Frame &F, const SourceLoc &Loc,
                    Place &Out) {
  BufSlot &B = F.Bufs[A.Buf];
  int64_t Flat = 0;
  if (A.Extents.empty()) {
    if (!declaredIndex(A, F, B, Loc, Flat))
      return false;
  } else {
    for (size_t I = 0; I < A.Indices.size(); ++I) {
      int64_t Index = eval(A.Indices[I], F).I;
      int64_t Extent = I ? eval(A.Extents[I - 1], F).I : 0;
      if (failed())
        return false;
      if (!horner(Flat, Extent, Index)) {
        fail(Stop::OutOfRange, Loc, showAccess(*A.Src, Index));
        return false;
      }
    }
  }
  Storage *Store = F.Bufs[A.Buf].Store.get();
  if (!Store) {
    fail(Stop::NullPointer, Loc, "'" + A.Src->Buf->Name + "'");
    return false;
  }
  int64_t Cell = 0;
  bool Over = __builtin_add_overflow(Flat, B.Offset, &Cell);
  size_t Limit = Store->Growable ? Store->MaxElements : Store->size();
  if (Over || Cell < 0 || uint64_t(Cell) >= Limit) {
    fail(Stop::OutOfRange, Loc, showAccess(*A.Src, Flat));
    return false;
  }
  const std::string &Field = A.Src->Field;
  Out.Store = Store;
  Out.Cells = Field.empty() ? &Store->Cells : &Store->Fields[Field];
  Out.Cell = Cell;
  return true;
}

std::optional<Value> &Engine::cell(const Place &At, const std::string &Field,
                                   ValueType Ty, bool ForReading) {
  Storage::Plane &Cells = *At.Cells;
  if (size_t(At.Cell) >= Cells.size())
    Cells.resize(At.Cell + 1); // in range: locate has looked
  std::optional<Value> &C = Cells[At.Cell];
  if (ForReading && !C && At.Store->Growable && At.Store->Fill)
    C = At.Store->Fill(At.Cell, Field, Ty);
  return C;
}

/// The cell's value as type T; cells hold the type of what was put there.
static Stop read(const Value &V, TC T, Scalar &Out) {
  TC Has = typeCode(V.Ty);
  if (Has == T) {
    Out = toScalar(V);
    return Stop::Done;
  }
  return convert(toScalar(V), Has, T, Out);
}

Scalar Engine::load(const ExprNode *N, Frame &F) {
  Scalar Result = isFloat(N->Ty) ? ofD(0) : ofI(0);
  Place At;
  if (!locate(N->At, F, N->Src->Loc, At))
    return Result;
  const Access &A = *N->At.Src;
  const std::optional<Value> &C = cell(At, A.Field, N->Src->Ty, true);
  if (!C) {
    fail(Stop::Uninitialised, N->Src->Loc, showAccess(A, At.Cell));
    return Result;
  }
  check(read(*C, N->Ty, Result), N->Src->Loc);
  if (S.Trace)
    traceMemory(At, A, F, false, N->Src->Loc, nullptr, nullptr);
  return Result;
}

void Engine::store(const StmtNode *N, Frame &F) {
  const auto &Src = *llvm::cast<Store>(N->Src);
  Scalar V = eval(N->Value, F);
  Place At;
  if (failed() || !locate(N->To, F, Src.Loc, At))
    return;
  const Access &A = Src.To;
  // A member's type is not declared: an update keeps that of the old value.
  ValueType Ty = N->To.Elem == TC::Void ? Src.Value->Ty : A.Buf->Elem;
  bool Update = N->Op != Combiner::None;
  std::optional<Value> &C = cell(At, A.Field, Ty, Update);
  if (Update && !C)
    return fail(Stop::Uninitialised, Src.Loc, showAccess(A, At.Cell));
  if (N->To.Elem == TC::Void && C)
    Ty = C->Ty;
  TC T = typeCode(Ty);
  Scalar Old = ofI(0), Result = ofI(0);
  if (Update)
    check(read(*C, T, Old), Src.Loc);
  if (!failed())
    check(combine(N->Op, T, Old, N->Value->Ty, V, Result), Src.Loc);
  if (failed())
    return;
  C = toValue(Result, Ty);
  if (!Watched.empty() && !Out.ThreadsDisagree)
    watch(At, F, N, *C);
  if (S.Trace)
    traceMemory(At, A, F, true, Src.Loc, N, &*C);
}

void Engine::declareBuffer(const StmtNode *N, Frame &F) {
  const auto &Src = *llvm::cast<DeclBuffer>(N->Src);
  bool IsShared = Src.B->Kind == BufferKind::Shared;
  if (IsShared) {
    auto It = Shared.find(N->Slot);
    if (It != Shared.end()) {
      F.Bufs[N->Slot] = It->second;
      return;
    }
  }
  BufSlot B;
  int64_t Count = 1;
  size_t Rank = Src.B->rank();
  for (size_t I = 0; I < Rank; ++I) {
    if (!N->Exprs[I] && isDynamicShared(*Src.B) && I == 0) {
      Count = MostDynamicShared / bytesOfElement(*Src.B);
      B.Extents.push_back(Count);
      continue;
    }
    if (!N->Exprs[I])
      return fail(Stop::Unsupported, Src.Loc,
                  "array '" + Src.B->Name + "' of unknown size");
    int64_t E = eval(N->Exprs[I], F).I;
    if (failed())
      return;
    const bool MayBeEmpty = Src.B->Lies != ArrayHome::Automatic;
    if (E < 0 || (E == 0 && !MayBeEmpty) ||
        __builtin_mul_overflow(Count, E, &Count) ||
        Count > int64_t(Storage().MaxElements))
      return fail(Stop::OutOfRange, Src.Loc,
                  "extent of array '" + Src.B->Name + "'");
    B.Extents.push_back(E);
  }
  B.Store = std::make_shared<Storage>();
  B.Store->Cells.resize(Count);
  if (Src.B->Lies == ArrayHome::Growing) {
    B.Store->Growable = true;
    B.Extents.clear();
  }
  if (Src.B->Elem.isVoid()) // structures: planes come with the first write
    B.Store->MaxElements = Count;
  for (size_t I = Rank; I < N->Exprs.size() && int64_t(I - Rank) < Count; ++I) {
    Scalar V = eval(N->Exprs[I], F), C = ofI(0);
    if (failed())
      return;
    check(convert(V, N->Exprs[I]->Ty, typeCode(Src.B->Elem), C), Src.Loc);
    if (Src.B->Lies == ArrayHome::Heap)
      std::fill(B.Store->Cells.begin(), B.Store->Cells.end(),
                toValue(C, Src.B->Elem));
    else
      B.Store->Cells[I - Rank] = toValue(C, Src.B->Elem);
  }
  if (S.Trace)
    Out.Locals.push_back(B.Store);
  if (IsShared)
    Shared[N->Slot] = B;
  if (Src.B->PerWarp)
    PerWarp[N->Slot] = {};
  F.Bufs[N->Slot] = std::move(B);
}

void Engine::fact(const StmtNode *N, int64_t Value, Frame &F) {
  const auto &Src = *llvm::cast<Decl>(N->Src);
  const auto Fail = [&](const char *Why) {
    fail(Stop::OutOfRange, Src.Loc, (Why + saysOf(Src)).str());
  };
  if (N->Fact == StmtNode::FactKind::True)
    return Value ? void() : Fail("what is assumed does not hold: ");
  BufSlot &B = F.Bufs[N->To.Buf];
  const int64_t Count = std::max<int64_t>(Value, 0);
  if (!B.Store)
    return Count == 0 ? void() : Fail("of a null pointer: ");
  int64_t End = 0;
  const bool Over = __builtin_add_overflow(Count, B.Offset, &End);
  const size_t Most =
      B.Store->Growable ? B.Store->MaxElements : B.Store->size();
  if (Over || uint64_t(End) > Most)
    return Fail("there are not so many elements: ");
  if (B.Store->Growable && B.Store->size() < size_t(End))
    B.Store->Cells.resize(End);
  if (Src.V->Base->rank() == 1)
    B.Extents = {Count};
}

void Engine::traceMemory(const Place &At, const Access &A, Frame &F,
                         bool IsWrite, const SourceLoc &Loc,
                         const StmtNode *Writer, const Value *After) {
  TraceEntry E;
  E.Store = At.Store;
  E.Cell = At.Cell;
  E.Field = A.Field;
  E.IsWrite = IsWrite;
  if (Writer) {
    E.Atomic = Writer->Atomic;
    E.Op = Writer->Op;
  }
  E.Where = F.Where;
  if (After)
    E.After = *After;
  E.Loc = Loc;
  Out.Trace.push_back(std::move(E));
}

void Engine::watchThreads(const Inputs &In) {
  for (const auto &[Name, B] : In.Buffers)
    if (B.Store)
      Watched.insert(B.Store.get());
}

void Engine::watch(const Place &At, const Frame &F, const StmtNode *Writer,
                   const Value &After) {
  if (!Watched.contains(At.Store))
    return;
  std::vector<Write> &Plane = Writes[At.Cells];
  if (size_t(At.Cell) >= Plane.size())
    Plane.resize(At.Cells->size());
  Write &Last = Plane[At.Cell];
  if (Last.At && Last.By.races(F.Who)) {
    const bool SameUpdate = Last.At->Atomic && Writer->Atomic &&
                            Last.At->Op == Writer->Op &&
                            Writer->Op != Combiner::None;
    const bool SameStore = Last.At->Op == Combiner::None &&
                           Writer->Op == Combiner::None &&
                           sameValue(Last.V, After);
    Out.ThreadsDisagree = !SameUpdate && !SameStore;
  }
  Last = {F.Who, Writer, After};
}

void Engine::traceScalar(const Var *V, Frame &F, bool IsWrite, Combiner Op,
                         const SourceLoc &Loc) {
  TraceEntry E;
  E.Store = nullptr;
  E.Scalar = V;
  E.IsWrite = IsWrite;
  E.Op = Op;
  E.Where = F.Where;
  E.Loc = Loc;
  Out.Trace.push_back(std::move(E));
}

} // namespace raise::interp
