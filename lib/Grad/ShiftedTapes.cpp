//===- ShiftedTapes.cpp - tapes that hold what others hold later ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Where tape B has in iteration k what tape A has in iteration k + s, one with
// s elements more is enough: the loop fills the later part, and the s elements
// before it are set ahead of the loop.
//
//===----------------------------------------------------------------------===//

#include "ShiftedTapes.h"
#include "ReversedLoop.h"
#include "raise/IR/SizeTest.h"
#include "raise/IR/Visitor.h"
#include "raise/Transform/IndexMath.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace raise::grad {

namespace {

using Statements = std::vector<StmtRef>;

constexpr int64_t MostShift = 4;

bool sameNumber(const ExprRef &A, const ExprRef &B) {
  const auto P = Polynomial::of(A), Q = Polynomial::of(B);
  return P && Q ? *P == *Q : structurallyEqual(A, B);
}

bool sameNumbers(ArrayRef<ExprRef> A, ArrayRef<ExprRef> B) {
  return std::equal(A.begin(), A.end(), B.begin(), B.end(), sameNumber);
}

/// A store of a loop's body to a tape, at its Place in that.
struct Keeping {
  const Store *St;
  size_t Place;
  int64_t Shift = 0;
};

/// Tapes that one loop fills, by their shifts from the first of them.
struct Group {
  std::vector<Keeping> Tapes;
  bool OfMemory = false;
  const Keeping &last() const { return Tapes.back(); }
};

/// One loop of a function, and what it keeps.
class Filling {
public:
  Filling(const For &L, function_ref<bool(const Store &)> IsTape,
          function_ref<bool(const Buffer &)> IsOurs)
      : L(L), List(statements(L.Body)), Step(fixedStep(L).value_or(0)),
        IsOurs(IsOurs) {
    if (std::abs(Step) != 1 || L.V->Kind == VarKind::Cursor)
      return;
    for (size_t K = 0; K < List.size(); ++K)
      if (auto *St = dyn_cast<Store>(List[K].get());
          St && IsTape(*St) && countsIterations(*St))
        Found.push_back({St, K});
  }

  /// Tapes that are one; nothing where there are none.
  std::optional<Group> group() const {
    for (const Keeping &First : Found)
      for (const bool Memory : {true, false})
        if (auto G = groupFrom(First, Memory))
          return G;
    return std::nullopt;
  }

private:
  /// Whether the last subscript is the number of the iteration.
  bool countsIterations(const Store &St) const {
    const Access &To = St.To;
    if (To.Indices.empty() || !To.Field.empty() ||
        To.Indices.size() != To.Extents.size() + 1)
      return false;
    for (const ExprRef &E : ArrayRef(To.Indices).drop_back())
      if (uses(E, L.V.get()))
        return false;
    const ExprRef V = build::cast(build::var(L.V), Type::getI64()),
                  Lo = build::cast(L.Lo, Type::getI64());
    return sameNumber(To.Indices.back(),
                      Step > 0 ? build::sub(V, Lo) : build::sub(Lo, V));
  }

  static bool areAlike(const Store &A, const Store &B) {
    const Buffer &X = *A.To.Buf, &Y = *B.To.Buf;
    return &X != &Y && X.Elem == Y.Elem &&
           sameNumbers(A.To.Indices, B.To.Indices) &&
           sameNumbers(A.To.Extents, B.To.Extents) &&
           structurallyEqual(X.Extents[0], Y.Extents[0]);
  }

  std::optional<Group> groupFrom(const Keeping &First, bool Memory) const {
    Group G{{First}, Memory};
    while (const auto Next = nextAfter(G))
      G.Tapes.push_back(*Next);
    // All that are before First belong to it as well.
    const bool IsFirst = none_of(Found, [&](const Keeping &K) {
      return K.St != First.St && areAlike(*K.St, *First.St) &&
             (Memory ? ofMemory(*K.St, *First.St) : ofVariable(K, First));
    });
    return IsFirst && G.Tapes.size() > 1 ? std::optional(G) : std::nullopt;
  }

  /// The nearest of those that lie after the last tape of G.
  std::optional<Keeping> nextAfter(const Group &G) const {
    std::optional<Keeping> Next;
    const Keeping &Last = G.last();
    for (const Keeping &K : Found) {
      if (any_of(G.Tapes, [&](const Keeping &Has) { return Has.St == K.St; }) ||
          !areAlike(*Last.St, *K.St))
        continue;
      const int64_t By =
          G.OfMemory ? ofMemory(*Last.St, *K.St) : ofVariable(Last, K);
      const int64_t Shift = Last.Shift + By;
      if (By && Shift <= MostShift && (!Next || Shift < Next->Shift))
        Next = Keeping{K.St, K.Place, Shift};
    }
    return Next;
  }

  /// How many iterations later A has what B has, both of elements of an array
  /// that the loop leaves alone; 0 if that is not so.
  int64_t ofMemory(const Store &A, const Store &B) const {
    auto *X = dyn_cast<Load>(A.Value.get()), *Y = dyn_cast<Load>(B.Value.get());
    if (!X || !Y || X->From.Buf != Y->From.Buf || X->From.Buf->Volatile ||
        X->From.Field != Y->From.Field || !isLeft(*X->From.Buf))
      return 0;
    for (int64_t By = 1; By <= MostShift; ++By) {
      const ExprRef Later =
          build::add(build::var(L.V), build::intConst(By * Step, L.V->Ty));
      const auto Moved = [&](ArrayRef<ExprRef> List) {
        std::vector<ExprRef> Out;
        for (const ExprRef &E : List)
          Out.push_back(substitute(E, L.V, Later));
        return Out;
      };
      if (sameNumbers(Moved(X->From.Indices), Y->From.Indices) &&
          sameNumbers(X->From.Extents, Y->From.Extents) &&
          !sameNumbers(X->From.Indices, Y->From.Indices) &&
          all_of(Y->From.Indices, [](const ExprRef &E) {
            return Polynomial::of(E).has_value();
          }))
        return By;
    }
    return 0;
  }

  /// Whether the loop writes nothing that may be of B, and leaves the variables
  /// of subscripts alone: it writes arrays of the function's own, but not B.
  bool isLeft(const Buffer &B) const {
    bool Left = true;
    forEachStmt(L.Body, [&](const StmtRef &S) {
      auto *St = dyn_cast<Store>(S.get());
      Left &= !St || (IsOurs(*St->To.Buf) && St->To.Buf.get() != &B);
      auto *A = dyn_cast<Assign>(S.get());
      Left &= !(A && A->V->Ty.isIntegral()) && !isa<Opaque>(*S) &&
              !(isa<Decl>(*S) && cast<Decl>(S.get())->V->Ty.isIntegral());
    });
    return Left;
  }

  /// 1 if B keeps what the variable that A keeps is set to for the next
  /// iteration.
  int64_t ofVariable(const Keeping &A, const Keeping &B) const {
    auto *U = dyn_cast<VarUse>(A.St->Value.get());
    auto *Kept = dyn_cast<VarUse>(B.St->Value.get());
    if (!U || !Kept || !U->V->Ty.isFloat())
      return 0;
    const Var *V = U->V.get();
    unsigned Sets = 0;
    assignedVars(L.Body, [&](const VarRef &W) { Sets += W.get() == V; });
    for (size_t M = A.Place + 1; M < List.size(); ++M) {
      auto *Next = dyn_cast<Assign>(List[M].get());
      if (!Next || Next->V.get() != V)
        continue;
      if (Sets != 1)
        return 0;
      if (Kept->V.get() == V)
        return B.Place > M;
      const auto [From, To] = std::minmax(B.Place, M);
      return Next->Op == Combiner::None &&
             structurallyEqual(Next->Value, B.St->Value) &&
             none_of(
                 List.slice(From + 1, To - From - 1),
                 [&](const StmtRef &S) { return assigns(S, Kept->V.get()); });
    }
    return 0;
  }

  const For &L;
  const ArrayRef<StmtRef> List;
  const int64_t Step;
  const function_ref<bool(const Buffer &)> IsOurs;
  std::vector<Keeping> Found;
};

/// E + C as a subscript or an extent; what is taken off E goes first.
ExprRef plus(const ExprRef &E, int64_t C) {
  auto *Wide = dyn_cast<Cast>(E.get());
  const ExprRef &Of = Wide ? Wide->Operand : E;
  auto *B = dyn_cast<Binary>(Of.get());
  auto *Off = B && B->Op == BinaryOp::Sub && B->Ty.Signed &&
                      (!Wide || E->Ty.Bits > B->Ty.Bits)
                  ? dyn_cast<IntConst>(B->R.get())
                  : nullptr;
  if (!Off || Off->Value < 0)
    return C ? build::add(E, build::intConst(C, E->Ty)) : E;
  const int64_t Left = Off->Value - C;
  if (Left > 0)
    return build::cast(build::sub(B->L, build::intConst(Left, B->Ty)), E->Ty);
  const ExprRef V = build::cast(B->L, E->Ty);
  return Left ? build::add(V, build::intConst(-Left, E->Ty)) : V;
}

/// Whether L runs at all.
ExprRef runs(const For &L) {
  const ExprRef Lo = numberIn(L.Lo, L.Hi->Ty);
  switch (L.Cond) {
  case BinaryOp::LT:
    return sizeTest(BinaryOp::GT, L.Hi, Lo);
  case BinaryOp::LE:
    return sizeTest(BinaryOp::GE, L.Hi, Lo);
  default:
    return sizeTest(L.Cond, Lo, L.Hi);
  }
}

/// Reads and fills one tape for those of a group.
class Merger : public Rewriter {
public:
  /// Always: the variables have values where the loop does not run, too.
  Merger(const Group &G, const For &L, BufferRef New, bool Always)
      : L(L), New(std::move(New)) {
    for (const Keeping &K : G.Tapes)
      Shift[K.St->To.Buf.get()] = K.Shift;
    Last = G.last().St;
    Width = G.last().Shift;
    Ahead = ahead(G, Always);
  }

  ExprRef rewriteExpr(const ExprRef &E) override {
    auto *Of = dyn_cast<Load>(E.get());
    const auto By = Of ? Shift.find(Of->From.Buf.get()) : Shift.end();
    if (!Of || By == Shift.end())
      return E;
    return std::make_shared<Load>(moved(Of->From, By->second), E->Ty, E->Loc);
  }
  StmtRef rewriteStmt(const StmtRef &S) override {
    if (auto *D = dyn_cast<DeclBuffer>(S.get()); D && Shift.count(D->B.get()))
      return D->B == Last->To.Buf
                 ? std::make_shared<DeclBuffer>(New, D->Init, D->Loc)
                 : nullptr;
    if (auto *St = dyn_cast<Store>(S.get());
        St && Shift.count(St->To.Buf.get())) {
      if (St->To.Buf != Last->To.Buf)
        return nullptr;
      return std::make_shared<Store>(moved(St->To, Width), St->Op, St->Value,
                                     false, St->Loc);
    }
    // Its body was rewritten, not its header.
    if (auto *Loop = dyn_cast<For>(S.get()); Loop && Loop->V == L.V &&
                                             Loop->Loc.Begin == L.Loc.Begin &&
                                             holdsStore(*Loop)) {
      Statements Out = Ahead;
      Out.push_back(S);
      return std::make_shared<Block>(std::move(Out));
    }
    return S;
  }

private:
  bool holdsStore(const For &Loop) const {
    return any_of(statements(Loop.Body), [&](const StmtRef &S) {
      auto *St = dyn_cast<Store>(S.get());
      return St && St->To.Buf == New;
    });
  }

  Access moved(Access A, int64_t By) const {
    A.Buf = New;
    A.Indices.back() = plus(A.Indices.back(), By);
    if (A.isView())
      A.Extents.back() = plus(A.Extents.back(), Width);
    return A;
  }

  /// What stands before the loop.
  Statements ahead(const Group &G, bool Always) const {
    Statements Out;
    const int64_t Step = *fixedStep(L);
    for (int64_t M = 0; M < Width; ++M) {
      Access To = moved(Last->To, 0);
      To.Indices.back() = build::intConst(M, To.Indices.back()->Ty);
      ExprRef Value;
      if (G.OfMemory)
        Value = elementAt(plus(L.Lo, (M - Width) * Step));
      else
        Value = G.Tapes[M].St->Value;
      Out.push_back(std::make_shared<Store>(To, Combiner::None, Value));
    }
    if (Always && !G.OfMemory && !Last->To.isView())
      return Out; // there is room
    return {std::make_shared<If>(
        runs(L), std::make_shared<Block>(std::move(Out)), nullptr)};
  }

  /// What the last tape keeps where the loop's variable is V.
  ExprRef elementAt(const ExprRef &V) const {
    auto *Of = cast<Load>(Last->Value.get());
    Access From = Of->From;
    for (ExprRef &E : From.Indices) {
      E = substitute(E, L.V, V);
      const auto P = Polynomial::of(E);
      if (const auto Number = P ? P->asConstant() : std::nullopt)
        E = build::intConst(*Number, E->Ty);
    }
    return std::make_shared<Load>(std::move(From), Of->Ty, Of->Loc);
  }

  const For &L;
  const BufferRef New;
  DenseMap<const Buffer *, int64_t> Shift;
  const Store *Last;
  int64_t Width;
  Statements Ahead;
};

class ShiftedTapes {
public:
  explicit ShiftedTapes(const StmtRef &Body) {
    DenseMap<const Buffer *, unsigned> Stores;
    forEachStmt(Body, [&](const StmtRef &S) {
      if (auto *St = dyn_cast<Store>(S.get()))
        ++Stores[St->To.Buf.get()];
      if (auto *D = dyn_cast<Decl>(S.get()); D && D->Init)
        Begun.insert(D->V.get());
      if (auto *D = dyn_cast<DeclBuffer>(S.get())) {
        Ours.insert(D->B.get());
        if (D->B->Lies == ArrayHome::Heap && D->Init.empty() &&
            D->B->rank() == 1)
          Tapes.insert(D->B.get());
      }
    });
    for (const auto &[B, Count] : Stores)
      if (Count > 1)
        Tapes.erase(B);
    // Those that one list declares live together.
    struct Lists : Visitor {
      DenseMap<const Buffer *, const Stmt *> In;
      bool visitStmt(const StmtRef &S) override {
        if (isa<Block>(*S))
          for (const StmtRef &C : statements(S))
            if (auto *D = dyn_cast<DeclBuffer>(C.get()))
              In[D->B.get()] = S.get();
        return true;
      }
    } Where;
    Where.walk(Body);
    DeclaredIn = std::move(Where.In);
  }

  /// Body with one group as one tape; null if there is none.
  StmtRef merged(const StmtRef &Body) {
    StmtRef Out;
    forEachStmt(Body, [&](const StmtRef &S) {
      auto *L = dyn_cast<For>(S.get());
      if (!L || Out)
        return;
      const auto IsTape = [&](const Store &St) {
        return St.Op == Combiner::None && !St.Atomic &&
               Tapes.count(St.To.Buf.get());
      };
      const auto IsOurs = [&](const Buffer &B) { return Ours.count(&B); };
      const auto G = Filling(*L, IsTape, IsOurs).group();
      const BufferRef New = G && liveTogether(*G) ? larger(*G) : nullptr;
      if (New)
        Out = Merger(*G, *L, New, haveValues(*G)).run(Body);
    });
    return Out;
  }

private:
  /// Whether the variables that G keeps have values before the loop.
  bool haveValues(const Group &G) const {
    return all_of(ArrayRef(G.Tapes).drop_back(), [&](const Keeping &K) {
      auto *U = dyn_cast<VarUse>(K.St->Value.get());
      return U && (U->V->Kind == VarKind::Param || Begun.count(U->V.get()));
    });
  }

  bool liveTogether(const Group &G) const {
    return all_of(G.Tapes, [&](const Keeping &K) {
      return DeclaredIn.lookup(K.St->To.Buf.get()) ==
             DeclaredIn.lookup(G.last().St->To.Buf.get());
    });
  }

  /// The last tape of G with room for all; null where its size is not
  /// understood.
  static BufferRef larger(const Group &G) {
    const Access &To = G.last().St->To;
    const ExprRef &Size = To.Buf->Extents[0];
    const auto Longer = [&](const ExprRef &Count) {
      return build::add(Count, build::intConst(G.last().Shift, Count->Ty));
    };
    ExprRef New;
    if (!To.isView()) {
      New = Longer(Size);
    } else if (auto *B = dyn_cast<Binary>(Size.get());
               B && B->Op == BinaryOp::Mul && counts(B->R, To.Extents.back())) {
      New = build::mul(B->L, Longer(B->R));
    }
    if (!New)
      return nullptr;
    auto Made = std::make_shared<Buffer>(*To.Buf);
    Made->Extents = {New};
    // The shortest name is the one without a number behind it.
    for (const Keeping &K : G.Tapes)
      if (G.OfMemory && K.St->To.Buf->Name.size() < Made->Name.size())
        Made->Name = K.St->To.Buf->Name;
    return Made;
  }

  /// Whether E is Trips, or 0 where that is less.
  static bool counts(ExprRef E, const ExprRef &Trips) {
    while (auto *C = dyn_cast<Cast>(E.get()))
      E = C->Operand;
    auto *S = dyn_cast<Select>(E.get());
    return S ? sameNumber(build::cast(S->True, Trips->Ty), Trips)
             : sameNumber(build::cast(E, Trips->Ty), Trips);
  }

  DenseSet<const Buffer *> Tapes, Ours;
  DenseSet<const Var *> Begun; ///< declared with a value
  DenseMap<const Buffer *, const Stmt *> DeclaredIn;
};

} // namespace

StmtRef withoutShiftedTapes(StmtRef Body) {
  while (StmtRef New = ShiftedTapes(Body).merged(Body))
    Body = New;
  return Body;
}

} // namespace raise::grad
