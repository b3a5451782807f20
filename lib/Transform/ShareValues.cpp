//===- ShareValues.cpp - what a point computes or stores twice ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
//   for (i) { a[i] = exp(x[i]) + 1; b[i] = exp(x[i]) * 2; }
//
// A compiler calls exp twice, since it may set errno, and loads x[i] twice,
// since a may lie where x does. The region's tests know better: the value gets
// a name where it is first computed, and is the same bits. Likewise a store to
// an element that the same point stores to again, with nothing in between that
// might look at it, is no store: compilers keep it for what they load between
// the two.
//
// What compilers find by themselves stays as it is written.
//
//===----------------------------------------------------------------------===//
#include "LaneValue.h"
#include "PlainName.h"
#include "RegionPass.h"
#include "Subscripts.h"
#include "raise/IR/Effects.h"
#include "raise/IR/Visitor.h"
#include "raise/Transform/Passes.h"
#include "llvm/ADT/STLExtras.h"

using namespace raise;
using llvm::cast;
using llvm::dyn_cast;
using llvm::isa;

namespace {

using List = std::vector<StmtRef>;

/// Whether computing E does nothing but that.
bool isPlainValue(const ExprRef &E) {
  bool Plain = true;
  forEachExpr(E, [&](const ExprRef &Sub) {
    const auto *C = dyn_cast<Call>(Sub.get());
    const auto *L = dyn_cast<Load>(Sub.get());
    Plain &= !(C && (C->Fn->Definition || C->Fn->MayTrap || C->Fn->Rule)) &&
             !(L && L->From.Buf->Volatile);
  });
  return Plain;
}

/// The statements of one point, in a row and without conditions.
class PointBody {
public:
  PointBody(List Body, const Region &R, const Options &Opts)
      : Body(std::move(Body)), Whole(makeBlock(this->Body)), R(R), Opts(Opts) {}

  static bool isStraight(const List &Body);
  /// Whether there was anything to be gained.
  bool run();
  const List &statements() const { return Body; }

private:
  bool dropOverwritten();
  bool nameRepeated();
  bool meet(const Access &A, const Access &B) const;
  bool mayRead(const ExprRef &E, const Access &A) const;
  bool mayRead(const StmtRef &S, const Access &A) const;
  bool isOverwritten(size_t At) const;
  bool changes(const StmtRef &S, const ExprRef &E) const;
  bool isWorthIt(const ExprRef &E, bool StoresBetween) const;
  bool nameAt(size_t At, const ExprRef &E);
  bool nameIn(size_t At, const ExprRef &E);

  List Body;
  const StmtRef Whole; ///< Body as it was
  const Region &R;
  const Options &Opts;
};

bool PointBody::isStraight(const List &Body) {
  return llvm::all_of(Body, [](const StmtRef &S) {
    const auto *D = dyn_cast<Decl>(S.get());
    const auto *St = dyn_cast<Store>(S.get());
    return (D && D->Init && D->V->Kind != VarKind::Cursor) ||
           isa<Assign>(S.get()) || (St && !St->Atomic && !St->To.Buf->Volatile);
  });
}

/// Whether A and B may be, or share a part of, one element.
bool PointBody::meet(const Access &A, const Access &B) const {
  if (A.Buf != B.Buf)
    return !areApart(R.Rests.Guards, *A.Buf, *B.Buf);
  if (!areComparable(A, B) || !isSteady(A, Whole) || !isSteady(B, Whole))
    return true;
  const auto At = subscripts(A), Is = subscripts(B);
  return !At || !Is || !differ(*At, *Is);
}

bool PointBody::mayRead(const ExprRef &E, const Access &A) const {
  bool Reads = !isPlainValue(E);
  forEachExpr(E, [&](const ExprRef &Sub) {
    const auto *L = dyn_cast<Load>(Sub.get());
    Reads |= L && meet(L->From, A);
  });
  return Reads;
}

/// Whether S may look at A before it stores anything.
bool PointBody::mayRead(const StmtRef &S, const Access &A) const {
  if (const auto *D = dyn_cast<Decl>(S.get()))
    return mayRead(D->Init, A);
  if (const auto *Set = dyn_cast<Assign>(S.get()))
    return mayRead(Set->Value, A);
  const auto &St = cast<Store>(*S);
  return mayRead(St.Value, A) || (St.Op != Combiner::None && meet(St.To, A)) ||
         llvm::any_of(St.To.Indices,
                      [&](const ExprRef &E) { return mayRead(E, A); });
}

/// Whether the store At is to an element that a later one stores to before
/// anything looks at it.
bool PointBody::isOverwritten(size_t At) const {
  const auto *St = dyn_cast<Store>(Body[At].get());
  if (!St || !isSteady(St->To, Whole) || !isPlainValue(St->Value) ||
      !llvm::all_of(St->To.Indices, isPlainValue))
    return false;
  for (size_t K = At + 1; K < Body.size(); ++K) {
    if (mayRead(Body[K], St->To))
      return false;
    const auto *Later = dyn_cast<Store>(Body[K].get());
    if (Later && Later->Op == Combiner::None && Later->To.Buf == St->To.Buf &&
        structurallyEqual(build::load(Later->To), build::load(St->To)))
      return true;
  }
  return false;
}

bool PointBody::dropOverwritten() {
  List Kept;
  for (size_t I = 0; I < Body.size(); ++I)
    if (!isOverwritten(I))
      Kept.push_back(Body[I]);
  const bool Any = Kept.size() < Body.size();
  Body = std::move(Kept);
  return Any;
}

/// Whether E may have another value after S than before.
bool PointBody::changes(const StmtRef &S, const ExprRef &E) const {
  const auto *St = dyn_cast<Store>(S.get());
  const auto *D = dyn_cast<Decl>(S.get());
  bool Changes = false;
  forEachExpr(E, [&](const ExprRef &Sub) {
    const auto *U = dyn_cast<VarUse>(Sub.get());
    const auto *L = dyn_cast<Load>(Sub.get());
    Changes |= (U && (assigns(S, U->V.get()) || (D && D->V == U->V))) ||
               (St && L && meet(L->From, St->To));
  });
  return Changes;
}

/// Whether a compiler would compute E a second time, and that takes longer than
/// an addition does.
bool PointBody::isWorthIt(const ExprRef &E, bool StoresBetween) const {
  bool Slow = false, MayFail = false, Loads = false, Varies = false;
  forEachExpr(E, [&](const ExprRef &Sub) {
    const auto *B = dyn_cast<Binary>(Sub.get());
    const auto *C = dyn_cast<Call>(Sub.get());
    Slow |= (C && !isAbsolute(Sub)) ||
            (B && B->Op == BinaryOp::Div && B->Ty.isFloat());
    MayFail |= C && C->Fn->SetsErrno && Opts.MathErrno;
    Loads |= isa<Load>(Sub.get());
    Varies |= isa<Load>(Sub.get()) || isa<VarUse>(Sub.get());
  });
  return Slow && Varies && (MayFail || (Loads && StoresBetween));
}

/// Puts one name in the place of all that equals an expression.
class Naming : public Rewriter {
public:
  Naming(const ExprRef &E, const VarRef &V) : E(E), V(V) {}

private:
  const ExprRef E;
  const VarRef V;
  ExprRef rewriteExpr(const ExprRef &Sub) override {
    return structurallyEqual(Sub, E) ? build::var(V) : Sub;
  }
};

unsigned countOf(const ExprRef &E, const StmtRef &S) {
  unsigned Count = 0;
  forEachExpr(S,
              [&](const ExprRef &Sub) { Count += structurallyEqual(Sub, E); });
  return Count;
}

/// exp_x for exp(x[i]); a quotient is one.
std::string nameFor(const ExprRef &E) {
  const auto *C = dyn_cast<Call>(E.get());
  if (!C)
    return isa<Binary>(E.get()) && cast<Binary>(*E).Op == BinaryOp::Div
               ? "quotient"
               : "value";
  llvm::StringRef Name = C->Fn->Name;
  Name = Name.substr(Name.rfind(':') + 1);
  if (Name.size() > 3 && Name.ends_with("f") && C->Fn->Result.Bits == 32)
    Name = Name.drop_back();
  std::string Of = "value";
  if (C->Args.size() == 1) {
    const Expr *A = C->Args.front().get();
    while (const auto *Conv = dyn_cast<Cast>(A))
      A = Conv->Operand.get();
    if (const auto *L = dyn_cast<Load>(A))
      Of = plainName(L->From.Buf->Name);
    else if (const auto *U = dyn_cast<VarUse>(A))
      Of = plainName(U->V->Name);
  }
  return Name.str() + "_" + Of;
}

/// Whether S stores to what E loads, as far as the declarations tell: compilers
/// know no more.
bool mayReach(const StmtRef &S, const ExprRef &E) {
  const auto *St = dyn_cast<Store>(S.get());
  bool May = false;
  forEachExpr(E, [&](const ExprRef &Sub) {
    const auto *L = dyn_cast<Load>(Sub.get());
    May |= L && St && !areApart({}, *L->From.Buf, *St->To.Buf);
  });
  return May;
}

/// A name for E, of statement At, if it is computed again.
bool PointBody::nameAt(size_t At, const ExprRef &E) {
  if (!E->Ty.isFloat() || !isPlainValue(E))
    return false;
  size_t End = At + 1; // behind the last statement that finds the same value
  bool StoresBetween = false;
  unsigned Count = countOf(E, Body[At]);
  for (size_t K = At; K + 1 < Body.size() && !changes(Body[K], E); ++K) {
    StoresBetween |= mayReach(Body[K], E);
    if (const unsigned More = countOf(E, Body[K + 1])) {
      Count += More;
      End = K + 2;
    }
  }
  if (Count < 2 || !isWorthIt(E, StoresBetween))
    return false;
  const auto V = std::make_shared<Var>();
  V->Name = nameFor(E);
  V->Ty = E->Ty;
  V->Const = true;
  V->Loc = E->Loc;
  Naming By(E, V);
  for (size_t K = At; K < End; ++K)
    Body[K] = By.run(Body[K]);
  Body.insert(Body.begin() + At, std::make_shared<Decl>(V, E, E->Loc));
  return true;
}

/// The largest part of E that is computed whenever E is, and again.
bool PointBody::nameIn(size_t At, const ExprRef &E) {
  if (nameAt(At, E))
    return true;
  if (const auto *U = dyn_cast<Unary>(E.get()))
    return nameIn(At, U->Operand);
  if (const auto *C = dyn_cast<Cast>(E.get()))
    return nameIn(At, C->Operand);
  if (const auto *S = dyn_cast<Select>(E.get()))
    return nameIn(At, S->Cond);
  if (const auto *C = dyn_cast<Call>(E.get()))
    return llvm::any_of(C->Args,
                        [&](const ExprRef &A) { return nameIn(At, A); });
  if (const auto *B = dyn_cast<Binary>(E.get()))
    return nameIn(At, B->L) || (B->Op != BinaryOp::LAnd &&
                                B->Op != BinaryOp::LOr && nameIn(At, B->R));
  return false;
}

bool PointBody::nameRepeated() {
  bool Any = false;
  for (size_t I = 0; I < Body.size(); ++I) {
    // A name that was given stands in a statement of its own, before this one.
    const auto Value = [&]() -> ExprRef {
      if (const auto *D = dyn_cast<Decl>(Body[I].get()))
        return D->Init;
      if (const auto *A = dyn_cast<Assign>(Body[I].get()))
        return A->Value;
      return cast<Store>(*Body[I]).Value;
    };
    while (nameIn(I, Value())) {
      Any = true;
      ++I;
    }
  }
  return Any;
}

bool PointBody::run() {
  const bool Dropped = dropOverwritten();
  return nameRepeated() || Dropped;
}

/// The points of one region's operations.
class Points : public Rewriter {
public:
  Points(const Region &R, const Options &Opts) : R(R), Opts(Opts) {}
  bool Changed = false;

private:
  const Region &R;
  const Options &Opts;
  StmtRef rewriteStmt(const StmtRef &S) override {
    const auto *T = dyn_cast<TensorOp>(S.get());
    if (!T || !PointBody::isStraight(raise::statements(T->Body)))
      return S;
    PointBody P(raise::statements(T->Body), R, Opts);
    if (!P.run())
      return S;
    Changed = true;
    return std::make_shared<TensorOp>(
        T->Iterators, T->Mask, makeBlock(P.statements()), T->OpKind, T->Loc);
  }
};

} // namespace

FunctionRef raise::shareValues(FunctionRef F, Context &Ctx) {
  if (!takesVectorLoops(*F, Ctx.Opts))
    return F;
  return mapRegions(F, [&](const Region &R) -> StmtRef {
    Points P(R, Ctx.Opts);
    StmtRef Body = P.run(R.Body);
    return P.Changed ? laidOut(R, std::move(Body), R.Rests) : nullptr;
  });
}
