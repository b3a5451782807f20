//===- Contraction.cpp - which operations register tiles are for ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A sum over k for each point of two parallel iterators i and j. The k loop may
// stand around that over j or inside of it, beside other statements of a row or
// of a point.
//
// What is found may be computed by tiles, and from copies of what it loads.
// Each element that is loaded hangs on i and k or on j and k, not on both i and
// j, so several points load it, of which none may write to it: not their sums,
// nor what stands before and after them. That needs two points of i and of j.
//
//===----------------------------------------------------------------------===//
#include "AlwaysDefined.h"
#include "IntoLoops.h"
#include "TileRegisters.h"
#include "raise/IR/Visitor.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace raise;
using llvm::dyn_cast;
using llvm::isa;

namespace {

using List = std::vector<StmtRef>;

bool isNumber(const ExprRef &E, int64_t Value) {
  return smallNumber(E) == Value;
}

bool mentions(const StmtRef &S, const Var *V) {
  return uses(S, V) || assigns(S, V);
}

/// Bounds that may be computed at any time, and are counted upwards from a
/// number by one.
bool isPlainRange(const Iterator &It) {
  bool Plain = smallNumber(It.Lo) && isNumber(It.Step, 1) && It.V->Ty.isInt() &&
               It.V->Ty.Bits >= 32;
  forEachExpr(It.Hi, [&](const ExprRef &E) {
    const auto *B = dyn_cast<Binary>(E.get());
    const bool Divides =
        B && (B->Op == BinaryOp::Div || B->Op == BinaryOp::Rem);
    Plain &= !isa<Load>(E.get()) && !isa<Call>(E.get()) &&
             (!Divides || smallNumber(B->R).value_or(0) > 0);
  });
  return Plain;
}

/// Whether S sets nothing but elements of arrays of the source, and scalars
/// that are in Own or that it declares, which joins Own.
bool isPlain(const StmtRef &S, llvm::DenseSet<const Var *> &Own) {
  bool Plain = true;
  forEachStmt(S, [&](const StmtRef &Sub) {
    if (const auto *D = dyn_cast<Decl>(Sub.get()))
      Own.insert(D->V.get());
    const auto *T = dyn_cast<TensorOp>(Sub.get());
    if (T)
      for (const Iterator &I : T->Iterators) {
        Own.insert(I.V.get());
        Plain &= I.Kind != IterKind::Search;
      }
    const auto *A = dyn_cast<Assign>(Sub.get());
    const auto *St = dyn_cast<Store>(Sub.get());
    Plain &= isa<Block>(Sub.get()) || isa<Decl>(Sub.get()) ||
             isa<If>(Sub.get()) || (T && !T->Mask) ||
             (A && Own.contains(A->V.get())) ||
             (St && !St->Atomic && !St->To.Buf->Volatile);
  });
  return Plain;
}

/// Whether D may be left away, and its value computed where it is used.
bool isCheap(const Decl &D, llvm::ArrayRef<StmtRef> Later) {
  bool Cheap = D.Init && !D.V->Ty.isFloat() &&
               llvm::none_of(Later, [&](const StmtRef &S) {
                 return assigns(S, D.V.get());
               });
  if (Cheap)
    forEachExpr(D.Init, [&](const ExprRef &E) {
      const auto *B = dyn_cast<Binary>(E.get());
      Cheap &= !isa<Load>(E.get()) && !isa<Call>(E.get()) &&
               !isa<Select>(E.get()) &&
               !(B && (B->Op == BinaryOp::Div || B->Op == BinaryOp::Rem));
    });
  return Cheap;
}

/// Body without the declarations that are cheap.
List withoutCheap(List Body) {
  for (size_t I = 0; I < Body.size();) {
    const StmtRef Here = Body[I]; // keeps D
    const auto *D = dyn_cast<Decl>(Here.get());
    if (!D || !isCheap(*D, llvm::ArrayRef<StmtRef>(Body).drop_front(I + 1))) {
      ++I;
      continue;
    }
    Body.erase(Body.begin() + long(I));
    for (size_t K = I; K < Body.size(); ++K)
      Body[K] = substitute(Body[K], D->V, D->Init);
  }
  return Body;
}

/// Whether D names what is computed for a point of the sum alone: arithmetic on
/// elements, which may be done where it is used.
bool isFactor(const Decl &D, llvm::ArrayRef<StmtRef> Later) {
  bool Plain = D.Init && llvm::none_of(Later, [&](const StmtRef &S) {
                 return assigns(S, D.V.get());
               });
  if (Plain)
    forEachExpr(D.Init, [&](const ExprRef &E) {
      const auto *B = dyn_cast<Binary>(E.get());
      Plain &= !isa<Call>(E.get()) && !isa<Select>(E.get()) &&
               !(B && (B->Op == BinaryOp::Div || B->Op == BinaryOp::Rem));
    });
  return Plain;
}

/// Whether S rounds as before with V's value, Init, in its place: a product
/// with a name of its own is rounded, and compilers may round one that is added
/// as a part of the sum.
bool roundsAlike(const StmtRef &S, const VarRef &V, ExprRef Init) {
  while (const auto *U = dyn_cast<Unary>(Init.get()))
    Init = U->Operand;
  const auto *B = dyn_cast<Binary>(Init.get());
  if (!B || B->Op != BinaryOp::Mul || !Init->Ty.isFloat())
    return true;
  unsigned Uses = 0, InProducts = 0;
  const auto Is = [&](const ExprRef &E) {
    const auto *U = dyn_cast<VarUse>(E.get());
    return U && U->V == V;
  };
  forEachExpr(S, [&](const ExprRef &E) {
    Uses += Is(E);
    const auto *P = dyn_cast<Binary>(E.get());
    if (P && P->Op == BinaryOp::Mul)
      InProducts += unsigned(Is(P->L)) + unsigned(Is(P->R));
  });
  return Uses == InProducts;
}

/// The last statement of Body, with the names before it by what they are of;
/// null if more stands there.
StmtRef withoutNames(llvm::ArrayRef<StmtRef> Body) {
  StmtRef Last = Body.back();
  for (size_t I = Body.size() - 1; I-- > 0;) {
    const auto *D = dyn_cast<Decl>(Body[I].get());
    if (!D || !isFactor(*D, Body.drop_front(I + 1)) ||
        !roundsAlike(Last, D->V, D->Init))
      return nullptr;
    Last = substitute(Last, D->V, D->Init);
  }
  return Last;
}

/// The loop that Body, of a sum's points, ends with, with the Factors that
/// stand before it in their places; null if more stands there.
StmtRef withFactors(const List &Body, List &Factors) {
  const StmtRef Loop = Body.size() > 1 && isa<TensorOp>(*Body.back())
                           ? withoutNames(Body)
                           : nullptr;
  if (Loop)
    Factors.assign(Body.begin(), Body.end() - 1);
  return Loop;
}

/// Body as one statement, if names and that are all of it; else as it is.
List asOneStatement(List Body) {
  const StmtRef Last = Body.size() > 1 && isa<Store, Assign>(*Body.back())
                           ? withoutNames(Body)
                           : nullptr;
  return Last ? List{Last} : Body;
}

/// Whether It goes over what is summed for a point.
bool isSum(const Iterator &It) {
  return It.Kind == IterKind::Reduction || It.Kind == IterKind::Serial;
}

/// Looks for a contraction.
class Finder {
public:
  using AreApartFn = llvm::function_ref<bool(const Buffer &, const Buffer &)>;
  std::optional<Contraction> run(const TensorOp &T, AreApartFn AreApart);

private:
  bool chooseIterators(const std::vector<Iterator> &All);
  bool takeOp(std::vector<Iterator> Points, const List &Body);
  bool takeLoop(const std::vector<Iterator> &Points, const List &Body,
                size_t At);
  bool takeSum(const StmtRef &S);
  bool isFixed(const Access &A) const;
  bool checkValue();
  bool checkLoad(const Access &A);
  bool checkRanges() const;
  bool checkScalars();
  bool checkFactors(const TensorOp &T, AreApartFn AreApart) const;

  Contraction C;
  List Factors; ///< what stood before the loop over j, for each k
  llvm::DenseSet<const Var *> Own; ///< set beside the sum
  bool HasRows = false, HasPacked = false;
};

/// K is the last or the last but one of All, J the other, and I the last one
/// before that is parallel. Other sums go around all of it, in their order.
bool Finder::chooseIterators(const std::vector<Iterator> &All) {
  if (All.size() < 3)
    return false;
  const size_t Two = All.size() - 2;
  const bool Between = All[Two].Kind != IterKind::Parallel;
  C.K = All[Two + (Between ? 0 : 1)];
  C.J = All[Two + (Between ? 1 : 0)];
  std::vector<Iterator> Around(All.begin(), All.begin() + long(Two)), Sums;
  while (!Around.empty() && isSum(Around.back())) {
    Sums.insert(Sums.begin(), Around.back());
    Sums.front().Kind = IterKind::Serial;
    Around.pop_back();
  }
  // What an outer loop carries from one of its iterations to the next may go
  // from one point of i to another.
  if (Around.empty() || !llvm::all_of(Around, [](const Iterator &It) {
        return It.Kind == IterKind::Parallel;
      }))
    return false;
  C.I = Around.back();
  Around.pop_back();
  C.Outer = std::move(Sums);
  llvm::append_range(C.Outer, Around);
  return C.J.Kind == IterKind::Parallel && isSum(C.K);
}

bool Finder::takeSum(const StmtRef &S) {
  const auto *A = dyn_cast<Assign>(S.get());
  const auto *St = dyn_cast<Store>(S.get());
  if (A) {
    C.Scalar = A->V;
    C.Op = A->Op;
    C.Value = A->Value;
  } else if (St && !St->Atomic && St->To.Field.empty()) {
    C.Element = St->To;
    C.Op = St->Op;
    C.Value = St->Value;
  } else {
    return false;
  }
  const Type Ty = C.sumType();
  return (C.Op == Combiner::Add || C.Op == Combiner::Sub) &&
         (Ty.isFloat() || Ty.isInt()) && (Ty.Bits == 32 || Ty.Bits == 64) &&
         C.Value->Ty == Ty;
}

/// Whether A's place is known before the operation, but for its iterators.
bool Finder::isFixed(const Access &A) const {
  bool Fixed =
      A.Field.empty() && !A.Buf->Volatile &&
      (A.Buf->Kind == BufferKind::Param || A.Buf->Kind == BufferKind::Pointer ||
       A.Buf->Kind == BufferKind::Global || A.Buf->Kind == BufferKind::Local);
  const auto Look = [&](const ExprRef &Index) {
    if (!Index)
      return;
    forEachExpr(Index, [&](const ExprRef &E) {
      const auto *U = dyn_cast<VarUse>(E.get());
      const auto *B = dyn_cast<Binary>(E.get());
      Fixed &= !isa<Load>(E.get()) && !isa<Call>(E.get()) &&
               !isa<Select>(E.get()) &&
               !(B && (B->Op == BinaryOp::Div || B->Op == BinaryOp::Rem)) &&
               !(U && Own.contains(U->V.get()));
    });
  };
  llvm::for_each(A.Indices, Look);
  llvm::for_each(A.Extents, Look);
  return Fixed;
}

bool hangsOn(const Access &A, const Var *V) {
  const auto On = [&](const ExprRef &E) { return E && uses(E, V); };
  return llvm::any_of(A.Indices, On) || llvm::any_of(A.Extents, On);
}

bool Finder::checkLoad(const Access &A) {
  const bool OnI = hangsOn(A, C.I.V.get()), OnJ = hangsOn(A, C.J.V.get()),
             OnK = hangsOn(A, C.K.V.get());
  if (!isFixed(A) || (OnI && OnJ))
    return false;
  HasRows |= OnI && OnK;
  if (!OnJ)
    return true;
  if (!OnK || (HasPacked && !sameAccess(C.Packed, A)))
    return false;
  C.Packed = A;
  return HasPacked = true;
}

bool loads(const ExprRef &E, const Access &From) {
  bool Any = false;
  forEachExpr(E, [&](const ExprRef &Sub) {
    const auto *L = dyn_cast<Load>(Sub.get());
    Any |= L && sameAccess(L->From, From);
  });
  return Any;
}

/// E where the elements of Packed are 0. What does not hang on these is what
/// the source computes, whatever that is.
ExprRef beyond(const ExprRef &E, const Access &Packed) {
  if (isa<IntConst>(E.get()) || isa<FloatConst>(E.get()))
    return E;
  if (!loads(E, Packed)) {
    const auto Any = std::make_shared<Var>();
    Any->Name = "any";
    Any->Ty = E->Ty;
    return build::var(Any);
  }
  if (const auto *Of = dyn_cast<Cast>(E.get()))
    return std::make_shared<Cast>(beyond(Of->Operand, Packed), Of->Ty,
                                  Of->Implicit);
  if (const auto *U = dyn_cast<Unary>(E.get()))
    return build::unary(U->Op, beyond(U->Operand, Packed));
  if (const auto *B = dyn_cast<Binary>(E.get()))
    return std::make_shared<Binary>(B->Op, beyond(B->L, Packed),
                                    beyond(B->R, Packed), B->Ty, B->Loc);
  return E->Ty.isFloat() ? build::floatConst(0, E->Ty)
                         : build::intConst(0, E->Ty);
}

/// Whether sums of what lies beyond a strip's end may be made as well: nothing
/// in them overflows, and no number is converted that does not fit.
bool mayFill(const ExprRef &Value, const Access &Packed) {
  const ExprRef There = beyond(Value, Packed);
  return isAlwaysDefined(There) &&
         (!Value->Ty.isInt() || !Value->Ty.Signed || isAlwaysZero(There));
}

/// Whether Value is arithmetic on elements that do not hang on i and j both.
bool Finder::checkValue() {
  struct Look : Visitor {
    std::vector<const Load *> Loads;
    std::vector<const Var *> Vars;
    bool Ok = true;
    bool visitExpr(const ExprRef &E) override {
      if (const auto *L = dyn_cast<Load>(E.get())) {
        Loads.push_back(L);
        return false;
      }
      if (const auto *U = dyn_cast<VarUse>(E.get()))
        Vars.push_back(U->V.get());
      const auto *B = dyn_cast<Binary>(E.get());
      const auto *U = dyn_cast<Unary>(E.get());
      Ok &= (B && (B->Op == BinaryOp::Add || B->Op == BinaryOp::Sub ||
                   B->Op == BinaryOp::Mul)) ||
            (U && U->Op == UnaryOp::Neg) || isa<Cast>(E.get()) ||
            isa<VarUse>(E.get()) || isa<IntConst>(E.get()) ||
            isa<FloatConst>(E.get());
      return Ok;
    }
  } In;
  In.walk(C.Value);
  return In.Ok &&
         llvm::none_of(In.Vars,
                       [&](const Var *V) {
                         return V == C.J.V.get() || Own.contains(V);
                       }) &&
         llvm::all_of(In.Loads,
                      [&](const Load *L) { return checkLoad(L->From); }) &&
         HasRows && HasPacked && mayFill(C.Value, C.Packed);
}

/// Ranges that hang on nothing in the operation.
bool Finder::checkRanges() const {
  const auto IsFree = [&](const Iterator &It) {
    return isPlainRange(It) && !uses(It.Hi, C.I.V.get()) &&
           !uses(It.Hi, C.J.V.get()) && !uses(It.Hi, C.K.V.get()) &&
           llvm::none_of(Own, [&](const Var *V) { return uses(It.Hi, V); }) &&
           llvm::none_of(C.Outer, [&](const Iterator &Around) {
             return uses(It.Hi, Around.V.get());
           });
  };
  // Tiles come before what they leave, for all that stands around them.
  return llvm::all_of(C.Outer,
                      [](const Iterator &It) {
                        return It.Kind == IterKind::Parallel ||
                               (It.Kind == IterKind::Serial &&
                                isPlainRange(It));
                      }) &&
         IsFree(C.I) && IsFree(C.J) && IsFree(C.K) && isNumber(C.I.Lo, 0);
}

/// No scalar but the sum lives across the loop.
bool Finder::checkScalars() {
  bool Declared = !C.Scalar, Crosses = false;
  for (const List *First : {&C.RowBefore, &C.Before})
    for (const StmtRef &S : *First)
      assignedVars(S, [&](const VarRef &V) {
        Declared |= V == C.Scalar && isa<Decl>(S.get());
        for (const List *Last : {&C.RowAfter, &C.After})
          for (const StmtRef &Later : *Last)
            Crosses |= V != C.Scalar && mentions(Later, V.get());
      });
  if (!Declared || Crosses)
    return false;
  // What is summed over more than k is one element, with nothing done for each
  // point of the outer sum.
  for (const Iterator &It : C.Outer)
    if (It.Kind == IterKind::Serial &&
        (!C.Element || hangsOn(*C.Element, It.V.get()) || !C.Before.empty() ||
         !C.After.empty() || !C.RowBefore.empty() || !C.RowAfter.empty()))
      return false;
  // An element that stays where it is, until all that comes before is done.
  return !C.Element ||
         (isFixed(*C.Element) && hangsOn(*C.Element, C.I.V.get()) &&
          hangsOn(*C.Element, C.J.V.get()) &&
          !hangsOn(*C.Element, C.K.V.get()));
}

/// Body[At] is the loop, or the loops, of the sum.
bool Finder::takeLoop(const std::vector<Iterator> &Points, const List &Body,
                      size_t At) {
  const auto *Inner = dyn_cast<TensorOp>(Body[At].get());
  if (!Inner || Inner->Mask || Inner->Iterators.size() > 2)
    return false;
  std::vector<Iterator> All = Points;
  llvm::append_range(All, Inner->Iterators);
  const List Sum = asOneStatement(statements(Inner->Body).vec());
  if (Sum.size() != 1 || !chooseIterators(All) || !takeSum(Sum.front()))
    return false;
  C.Loop = Body[At];
  // With a loop over j, what is beside it is done once for each row.
  const bool ForRow = Inner->Iterators.size() == 2;
  (ForRow ? C.RowBefore : C.Before)
      .assign(Body.begin(), Body.begin() + long(At));
  (ForRow ? C.RowAfter : C.After)
      .assign(Body.begin() + long(At) + 1, Body.end());
  return true;
}

/// What is done with Body for each of Points.
bool Finder::takeOp(std::vector<Iterator> Points, const List &In) {
  const List Body = asOneStatement(In);
  if (Body.size() == 1) {
    const auto *Inner = dyn_cast<TensorOp>(Body.front().get());
    // Rows of points.
    if (Inner && !Inner->Mask && hasLoop(Inner->Body)) {
      llvm::append_range(Points, Inner->Iterators);
      return takeOp(std::move(Points),
                    withoutCheap(statements(Inner->Body).vec()));
    }
    if (!Inner && chooseIterators(Points) && takeSum(Body.front())) {
      C.Loop = Body.front();
      return true;
    }
  }
  if (Factors.empty() && Points.back().Kind != IterKind::Parallel)
    if (const StmtRef Loop = withFactors(Body, Factors))
      return takeOp(std::move(Points), {Loop});
  for (size_t I = 0; I < Body.size(); ++I)
    if (takeLoop(Points, Body, I))
      return true;
  return false;
}

/// Whether factors are what they were for all points of j: these load them
/// now, and none of T's stores is to what they load.
bool Finder::checkFactors(const TensorOp &T, AreApartFn AreApart) const {
  bool Apart = true;
  for (const StmtRef &Factor : Factors)
    forEachExpr(Factor, [&](const ExprRef &E) {
      const auto *L = dyn_cast<Load>(E.get());
      if (L)
        forEachStmt(T.Body, [&](const StmtRef &S) {
          const auto *St = dyn_cast<Store>(S.get());
          Apart &= !St || AreApart(*St->To.Buf, *L->From.Buf);
        });
    });
  return Apart;
}

std::optional<Contraction> Finder::run(const TensorOp &T, AreApartFn AreApart) {
  if (T.Mask || !takeOp(T.Iterators, withoutCheap(statements(T.Body).vec())))
    return std::nullopt;
  for (const List *Beside : {&C.RowBefore, &C.RowAfter, &C.Before, &C.After})
    for (const StmtRef &S : *Beside)
      if (!isPlain(S, Own))
        return std::nullopt;
  for (const List *Beside : {&C.Before, &C.After})
    if (llvm::any_of(*Beside, hasLoop))
      return std::nullopt;
  if (!checkRanges() || !checkScalars() || !checkFactors(T, AreApart) ||
      !checkValue())
    return std::nullopt;
  return std::move(C);
}

} // namespace

std::optional<int64_t> raise::smallNumber(ExprRef E) {
  while (const auto *C = dyn_cast<Cast>(E.get()))
    E = C->Operand;
  const auto *I = dyn_cast<IntConst>(E.get());
  return I && I->Value >= 0 && I->Value <= INT32_MAX / 2
             ? std::optional(I->Value)
             : std::nullopt;
}

std::optional<Contraction> raise::contractionOf(
    const TensorOp &T,
    llvm::function_ref<bool(const Buffer &, const Buffer &)> AreApart) {
  return Finder().run(T, AreApart);
}
