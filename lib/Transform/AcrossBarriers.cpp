//===- AcrossBarriers.cpp - what lives on from one piece to the next ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "BarrierPhases.h"
#include "FoldConstants.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace raise {

/// CUDA allows no more threads in a block.
static constexpr int64_t MostThreads = 1024;
/// What threads keep lies on the stack of who runs their block.
static constexpr int64_t MostBytes = 1 << 20;

namespace {

/// A variable by an element of an array.
class ToElement : public Rewriter {
public:
  ToElement(const Var *V, Access At) : V(V), At(std::move(At)) {}

private:
  const Var *V;
  Access At;
  ExprRef rewriteExpr(const ExprRef &E) override {
    auto *U = dyn_cast<VarUse>(E.get());
    return U && U->V.get() == V ? std::make_shared<Load>(At, V->Ty, E->Loc) : E;
  }
  StmtRef rewriteStmt(const StmtRef &S) override {
    if (auto *D = dyn_cast<Decl>(S.get()); D && D->V.get() == V)
      return D->Init ? std::make_shared<Store>(At, Combiner::None, D->Init,
                                               /*Atomic=*/false, S->Loc)
                     : nullptr;
    if (auto *A = dyn_cast<Assign>(S.get()); A && A->V.get() == V)
      return std::make_shared<Store>(At, A->Op, A->Value, /*Atomic=*/false,
                                     S->Loc);
    return S;
  }
};

/// A thread's array by its row of the block's.
class ToRow : public Rewriter {
public:
  ToRow(const Buffer *From, BufferRef To, std::vector<ExprRef> Row)
      : From(From), To(std::move(To)), Row(std::move(Row)) {}

private:
  const Buffer *From;
  BufferRef To;
  const std::vector<ExprRef> Row;
  bool moves(Access &A) const {
    if (A.Buf.get() != From)
      return false;
    A.Buf = To;
    A.Indices.insert(A.Indices.begin(), Row.begin(), Row.end());
    return true;
  }
  ExprRef rewriteExpr(const ExprRef &E) override {
    auto *L = dyn_cast<Load>(E.get());
    Access A = L ? L->From : Access();
    return L && moves(A) ? std::make_shared<Load>(A, E->Ty, E->Loc) : E;
  }
  /// What D says its elements are at first, stored.
  StmtRef initialised(const DeclBuffer &D) const {
    StmtList Stores;
    for (size_t N = 0; N < D.Init.size(); ++N) {
      std::vector<ExprRef> At;
      size_t Left = N;
      for (size_t X = D.B->Extents.size(); X-- > 0;) {
        const auto Size = size_t(*constantValue(D.B->Extents[X]));
        At.insert(At.begin(), build::intConst(int64_t(Left % Size)));
        Left /= Size;
      }
      At.insert(At.begin(), Row.begin(), Row.end());
      Access To;
      To.Buf = this->To;
      To.Indices = std::move(At);
      Stores.push_back(std::make_shared<Store>(To, Combiner::None, D.Init[N],
                                               /*Atomic=*/false, D.Loc));
    }
    return std::make_shared<Block>(std::move(Stores), D.Loc);
  }
  StmtRef rewriteStmt(const StmtRef &S) override {
    if (auto *D = dyn_cast<DeclBuffer>(S.get()); D && D->B.get() == From)
      return initialised(*D);
    auto *St = dyn_cast<Store>(S.get());
    Access A = St ? St->To : Access();
    return St && moves(A) ? std::make_shared<Store>(A, St->Op, St->Value,
                                                    St->Atomic, S->Loc)
                          : S;
  }
};

/// S as a T; null if it is none.
template <class T> std::shared_ptr<const T> as(const StmtRef &S) {
  return isa<T>(*S) ? std::static_pointer_cast<const T>(S) : nullptr;
}

bool mentions(const StmtRef &S, const Var *V) {
  return uses(S, V) || assigns(S, V);
}

bool mentions(const StmtList &List, const Var *V) {
  return any_of(List, [&](const StmtRef &S) { return mentions(S, V); });
}

/// Whether a loop of S uses or sets V.
bool mentionsInLoop(const StmtRef &S, const Var *V) {
  if (isa<For>(*S) || isa<While>(*S))
    return mentions(S, V);
  bool Yes = false;
  forEachPart(S, [&](const StmtRef &Sub) { Yes |= mentionsInLoop(Sub, V); });
  return Yes;
}

/// What is known of a variable behind statements that run one after the other:
/// whether it was read before they set it, or else is set.
enum class FirstUse { None, Set, Read };

FirstUse firstUse(ArrayRef<StmtRef> List, const Var *V);

FirstUse firstUse(const StmtRef &S, const Var *V) {
  if (!S || !mentions(S, V))
    return FirstUse::None;
  const auto Reads = [&](const ExprRef &E) { return E && uses(E, V); };
  if (auto *B = dyn_cast<Block>(S.get()))
    return firstUse(B->Body, V);
  if (auto *A = dyn_cast<Assign>(S.get()))
    return Reads(A->Value) || (A->V.get() == V && A->Op != Combiner::None)
               ? FirstUse::Read
               : FirstUse::Set;
  if (auto *L = dyn_cast<For>(S.get())) {
    if (Reads(L->Lo))
      return FirstUse::Read;
    if (L->V.get() == V)
      return FirstUse::Set;
    if (Reads(L->Hi) || Reads(L->Step))
      return FirstUse::Read;
    // Its body may not run.
    return firstUse(L->Body, V) == FirstUse::Read ? FirstUse::Read
                                                  : FirstUse::None;
  }
  if (auto *I = dyn_cast<If>(S.get())) {
    if (Reads(I->Cond))
      return FirstUse::Read;
    const FirstUse Then = firstUse(I->Then, V), Else = firstUse(I->Else, V);
    if (Then == FirstUse::Read || Else == FirstUse::Read)
      return FirstUse::Read;
    return Then == Else ? Then : FirstUse::None;
  }
  return FirstUse::Read; // as far as is known
}

FirstUse firstUse(ArrayRef<StmtRef> List, const Var *V) {
  for (const StmtRef &S : List)
    if (const FirstUse U = firstUse(S, V); U != FirstUse::None)
      return U;
  return FirstUse::None;
}

/// Whether what decides which pieces run uses or sets V.
bool controls(const PhaseList &List, const Var *V) {
  return any_of(List, [&](const PhaseNode &N) {
    if (N.Kind == PhaseNode::Once)
      return mentions(N.List, V);
    if (N.Kind != PhaseNode::Nest)
      return false;
    const auto Reads = [&](const ExprRef &E) { return E && uses(E, V); };
    bool Own = false;
    if (auto *I = dyn_cast<If>(N.Control.get()))
      Own = Reads(I->Cond);
    else if (auto *W = dyn_cast<While>(N.Control.get()))
      Own = Reads(W->Cond);
    else if (auto *L = dyn_cast<For>(N.Control.get()))
      Own = L->V.get() == V || Reads(L->Lo) || Reads(L->Hi) || Reads(L->Step);
    else
      Own = true;
    return Own || controls(N.Then, V) || controls(N.Else, V);
  });
}

/// How List uses the array B: at all, through views or pointers.
struct ArrayUses {
  bool Any = false, Other = false;
  ArrayUses(const StmtList &List, const Buffer *B) {
    const auto Look = [&](const Access &A) {
      if (A.Buf.get() != B)
        return;
      Any = true;
      Other |= A.isView();
    };
    for (const StmtRef &S : List) {
      forEachExpr(S, [&](const ExprRef &E) {
        if (auto *L = dyn_cast<Load>(E.get()))
          Look(L->From);
      });
      forEachStmt(S, [&](const StmtRef &Sub) {
        if (auto *St = dyn_cast<Store>(Sub.get()))
          Look(St->To);
        auto *D = dyn_cast<Decl>(Sub.get());
        if (D && D->V->Base.get() == B)
          Any = Other = true;
      });
    }
  }
};

StmtList renamed(const StmtList &List, const VarRef &From, const VarRef &To) {
  StmtList Out;
  for (const StmtRef &S : List)
    Out.push_back(renamed(S, From, To));
  return Out;
}

/// S for each statement of List, those that become null left out.
void rewriteAll(Rewriter &R, StmtList &List) {
  StmtList Out;
  for (const StmtRef &S : List)
    if (StmtRef New = R.run(S))
      append_range(Out,
                   isa<Block>(*S) ? ArrayRef<StmtRef>(New) : statements(New));
  List = std::move(Out);
}

} // namespace

AcrossBarriers::AcrossBarriers(Phases &All, const StmtRef &Body,
                               std::vector<VarRef> Iterators,
                               std::vector<int64_t> Sizes,
                               std::vector<ExprRef> Extents)
    : All(All), Body(Body), Iterators(std::move(Iterators)),
      Sizes(std::move(Sizes)), Extents(std::move(Extents)) {}

StmtList AcrossBarriers::run() {
  giveOwn();
  recompute();
  sink();
  storeScalars();
  storeArrays();
  return std::move(Arrays);
}

bool AcrossBarriers::isIterator(const Var *V) const {
  return any_of(Iterators, [&](const VarRef &I) { return I.get() == V; });
}

/// Whether E comes out the same in each piece, and costs next to nothing.
bool AcrossBarriers::isFree(const ExprRef &E) const {
  bool Free = true;
  forEachExpr(E, [&](const ExprRef &Sub) {
    Free &= !isa<Load>(*Sub) && !isa<Call>(*Sub);
    auto *U = dyn_cast<VarUse>(Sub.get());
    Free &= !U || !OfOnePiece.count(U->V.get());
    if (!U || isIterator(U->V.get()) || IsRepeated.count(U->V.get()) ||
        U->V->Kind == VarKind::Launch)
      return;
    unsigned Sets = 0;
    assignedVars(Body, [&](const VarRef &V) { Sets += V == U->V; });
    Free &= All.OfBlock.count(U->V.get()) ? Sets == 1 : Sets == 0;
  });
  return Free;
}

void AcrossBarriers::recompute() {
  forEachThreads(All.List, [&](PhaseNode &N, PhaseList &) {
    for (const StmtRef &S : N.List) {
      auto D = as<Decl>(S);
      if (!D || !D->Init || !isFree(D->Init))
        continue;
      unsigned Sets = 0;
      assignedVars(Body, [&](const VarRef &V) { Sets += V == D->V; });
      if (Sets != 1)
        continue;
      Repeated.push_back(D);
      IsRepeated.insert(D->V.get());
    }
  });
  forEachThreads(All.List, [&](PhaseNode &N, PhaseList &) {
    StmtList Own, Rest;
    for (const StmtRef &S : N.List) {
      auto *D = dyn_cast<Decl>(S.get());
      (D && IsRepeated.count(D->V.get()) ? Own : Rest).push_back(S);
    }
    std::set<const Var *> Named;
    for (const auto &D : reverse(Repeated))
      if (mentions(Rest, D->V.get()) || Named.count(D->V.get()))
        forEachExpr(D->Init, [&](const ExprRef &E) {
          Named.insert(D->V.get());
          if (auto *U = dyn_cast<VarUse>(E.get()))
            Named.insert(U->V.get());
        });
    N.List.clear();
    std::vector<std::pair<VarRef, VarRef>> Copies;
    for (const auto &D : Repeated)
      if (Named.count(D->V.get())) {
        N.List.push_back(D);
        Copies.push_back({D->V, std::make_shared<Var>(*D->V)});
      }
    append_range(N.List, Rest);
    for (const auto &[From, To] : Copies)
      N.List = renamed(N.List, From, To);
  });
}

/// Variables that are declared in one piece and used in one other, which runs
/// as often, are declared there.
void AcrossBarriers::sink() {
  struct Move {
    StmtRef D;
    PhaseNode *To;
  };
  std::vector<Move> Moves;
  forEachThreads(All.List, [&](PhaseNode &N, PhaseList &In) {
    StmtList Stay;
    for (const StmtRef &S : N.List) {
      auto *D = dyn_cast<Decl>(S.get());
      PhaseNode *Only = nullptr;
      unsigned Count = 0;
      bool Beside = false;
      if (D && !D->Init)
        forEachThreads(All.List, [&](PhaseNode &Other, PhaseList &There) {
          const bool Here = &Other == &N;
          for (const StmtRef &Sub : Other.List)
            if (Sub != S && mentions(Sub, D->V.get())) {
              Count += Only != &Other;
              Only = &Other;
              Beside = !Here && &There == &In;
              break;
            }
        });
      if (Count == 1 && Beside)
        Moves.push_back({S, Only});
      else if (!D || D->Init || Count != 0)
        Stay.push_back(S);
    }
    N.List = std::move(Stay);
  });
  for (const Move &M : Moves)
    M.To->List.insert(M.To->List.begin(), M.D);
}

void AcrossBarriers::leave(std::string Text, const SourceLoc &Loc) {
  if (!All.Why.isSet())
    All.Why = {"CR1402", std::move(Text), Loc};
}

/// Of an element of a type that is not known as much as the largest of CUDA's.
static int64_t bytesOf(const Buffer &B) {
  int64_t Bytes = B.Elem.isVoid() ? 64 : (int64_t(B.Elem.Bits) + 7) / 8;
  for (const ExprRef &E : B.Extents)
    Bytes *= std::min<int64_t>(constantValue(E).value_or(1 << 20), 1 << 20);
  return Bytes;
}

BufferRef AcrossBarriers::arrayFor(std::string Name, const Type &Elem,
                                   ArrayRef<ExprRef> Inner,
                                   const Buffer *Like) {
  auto B = Like ? std::make_shared<Buffer>(*Like) : std::make_shared<Buffer>();
  B->Name = std::move(Name);
  B->Elem = Elem;
  B->Kind = BufferKind::Local;
  B->Extents.clear();
  if (is_contained(Sizes, 0))
    B->Extents.push_back(build::intConst(MostThreads));
  else
    for (int64_t Size : Sizes)
      B->Extents.push_back(build::intConst(Size));
  append_range(B->Extents, Inner);
  Bytes += bytesOf(*B);
  if (Bytes > MostBytes)
    leave("the threads of a block wait for each other while each has data of "
          "its own, '" +
              B->Name + "' among it, that is too much for a stack",
          B->Loc);
  Arrays.push_back(std::make_shared<DeclBuffer>(B));
  return B;
}

/// The element, or row, of the thread that runs a piece.
Access AcrossBarriers::elementOf(const BufferRef &Array) const {
  Access A;
  A.Buf = Array;
  if (!is_contained(Sizes, 0)) {
    for (const VarRef &I : Iterators)
      A.Indices.push_back(build::var(I));
    return A;
  }
  ExprRef Flat;
  for (size_t D = 0; D < Iterators.size(); ++D) {
    const ExprRef I = build::cast(build::var(Iterators[D]), Type::getI32());
    Flat =
        Flat ? build::add(
                   build::mul(Flat, build::cast(Extents[D], Type::getI32())), I)
             : I;
  }
  A.Indices.push_back(Flat);
  return A;
}

/// A scalar that is declared once for several pieces, each of which sets it
/// before it reads it (`int i;` above the loops that count by it), is one for
/// each of them.
void AcrossBarriers::giveOwn() {
  std::vector<std::pair<PhaseNode *, std::shared_ptr<const Decl>>> Declared;
  forEachThreads(All.List, [&](PhaseNode &N, PhaseList &) {
    for (const StmtRef &S : N.List)
      if (auto D = as<Decl>(S); D && !D->Init)
        Declared.push_back({&N, D});
  });
  for (const auto &Each : Declared) {
    const PhaseNode *Home = Each.first;
    const std::shared_ptr<const Decl> &D = Each.second;
    const VarRef &V = D->V;
    bool Own = !controls(All.List, V.get());
    forEachThreads(All.List, [&](PhaseNode &N, PhaseList &) {
      Own &= &N == Home || firstUse(N.List, V.get()) != FirstUse::Read;
    });
    if (!Own)
      continue;
    forEachThreads(All.List, [&](PhaseNode &N, PhaseList &) {
      if (&N == Home || !mentions(N.List, V.get()))
        return;
      auto Mine = std::make_shared<Var>(*V);
      OfOnePiece.insert(Mine.get());
      N.List = renamed(N.List, V, Mine);
      N.List.insert(N.List.begin(),
                    std::make_shared<Decl>(Mine, nullptr, D->Loc));
    });
  }
}

void AcrossBarriers::storeScalars() {
  std::vector<std::shared_ptr<const Decl>> Crossing;
  forEachThreads(All.List, [&](PhaseNode &N, PhaseList &) {
    for (const StmtRef &S : N.List) {
      auto D = as<Decl>(S);
      bool Crosses = false;
      if (D)
        forEachThreads(All.List, [&](PhaseNode &Other, PhaseList &) {
          Crosses |= &Other != &N && mentions(Other.List, D->V.get());
        });
      if (Crosses)
        Crossing.push_back(D);
    }
  });
  for (const auto &D : Crossing)
    storeScalar(*D);
}

void AcrossBarriers::storeScalar(const Decl &D) {
  const VarRef &V = D.V;
  const bool IsCursor = V->Kind == VarKind::Cursor;
  bool Counts = false; // as a loop's variable
  forEachStmt(Body, [&](const StmtRef &S) {
    auto *L = dyn_cast<For>(S.get());
    Counts |= L && L->V == V;
  });
  if ((IsCursor || Counts) && !D.Init) {
    leave("the threads of a block wait for each other while '" + V->Name +
              "' has no value yet that could be kept",
          V->Loc);
    return;
  }
  const BufferRef Array =
      arrayFor(V->Name + "_of", IsCursor ? Type::getI64() : V->Ty, {}, nullptr);
  const Access At = elementOf(Array);
  forEachThreads(All.List, [&](PhaseNode &N, PhaseList &) {
    if (!mentions(N.List, V.get()))
      return;
    const bool InLoop = any_of(
        N.List, [&](const StmtRef &S) { return mentionsInLoop(S, V.get()); });
    if (!D.Init || !(IsCursor || Counts || InLoop)) {
      ToElement R(V.get(), At);
      rewriteAll(R, N.List);
      return;
    }
    auto Own = std::make_shared<Var>(*V);
    bool Declares = false, Sets = false;
    for (const StmtRef &S : N.List) {
      auto *Here = dyn_cast<Decl>(S.get());
      Declares |= Here && Here->V == V;
      Sets |= assigns(S, V.get());
    }
    N.List = renamed(N.List, V, Own);
    if (!Declares)
      N.List.insert(N.List.begin(),
                    std::make_shared<Decl>(Own, build::load(At), D.Loc));
    if (Sets)
      N.List.push_back(std::make_shared<Store>(At, Combiner::None,
                                               build::var(Own),
                                               /*Atomic=*/false, D.Loc));
  });
}

void AcrossBarriers::storeArrays() {
  std::vector<std::shared_ptr<const DeclBuffer>> Crossing, Tables;
  forEachThreads(All.List, [&](PhaseNode &N, PhaseList &) {
    for (const StmtRef &S : N.List) {
      auto D = as<DeclBuffer>(S);
      bool Crosses = false;
      if (D)
        forEachThreads(All.List, [&](PhaseNode &Other, PhaseList &) {
          Crosses |= &Other != &N && ArrayUses(Other.List, D->B.get()).Any;
        });
      if (D && isTable(*D, Body)) // the block may look at it as well
        Tables.push_back(D);
      else if (Crosses)
        Crossing.push_back(D);
    }
  });
  for (const auto &D : Tables) {
    Arrays.push_back(D);
    forEachThreads(All.List,
                   [&](PhaseNode &N, PhaseList &) { llvm::erase(N.List, D); });
  }
  for (const auto &D : Crossing) {
    bool Other = D->Init.size() > 64 ||
                 any_of(D->B->Extents,
                        [](const ExprRef &E) { return !constantValue(E); });
    forEachThreads(All.List, [&](PhaseNode &N, PhaseList &) {
      Other |= ArrayUses(N.List, D->B.get()).Other;
    });
    if (Other)
      return leave("the threads of a block wait for each other while each has "
                   "an array '" +
                       D->B->Name + "' of its own that is not followed",
                   D->B->Loc);
    const BufferRef Array =
        arrayFor(D->B->Name + "_of", D->B->Elem, D->B->Extents, D->B.get());
    forEachThreads(All.List, [&](PhaseNode &N, PhaseList &) {
      ToRow R(D->B.get(), Array, elementOf(Array).Indices);
      rewriteAll(R, N.List);
    });
  }
}

} // namespace raise
