//===- UpdatedRows.cpp - rows that a loop only updates --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "raise/IR/UpdatedRows.h"
#include "raise/IR/Updates.h"
#include "raise/IR/Visitor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>

using namespace raise;
using llvm::dyn_cast;
using llvm::dyn_cast_or_null;
using llvm::isa;

namespace {

/// E without conversions to other integers. (A row's length is tested to be a
/// small number, which all of them keep.)
ExprRef withoutCasts(ExprRef E) {
  while (const auto *C = dyn_cast_or_null<Cast>(E.get())) {
    if (!C->Ty.isInt() || !C->Operand->Ty.isInt() || C->Ty.Bits < 32)
      break;
    E = C->Operand;
  }
  return E;
}

const IntConst *asNumber(const ExprRef &E) {
  return dyn_cast_or_null<IntConst>(withoutCasts(E).get());
}

/// A loop that counts up; without V, another one.
struct Counter {
  VarRef V;
  ExprRef Lo, Hi;
  bool ByOne = false;
};

/// Goes to the stores to one buffer, with the loops around each.
class RowFinder : public Visitor {
public:
  RowFinder(const StmtRef &Whole, const Buffer &B) : Whole(Whole), B(B) {
    walk(Whole);
  }

  bool Fails = false;
  ExprRef Length;
  /// Around a store that is surely made, without the loop that leads it from
  /// element to element. There is one if this is not empty.
  std::vector<Counter> Rows;

  /// A number, or a variable that Whole does not set.
  bool isFixed(const ExprRef &E) const {
    const ExprRef Bare = withoutCasts(E);
    const auto *U = dyn_cast_or_null<VarUse>(Bare.get());
    return dyn_cast_or_null<IntConst>(Bare.get()) ||
           (U && U->Ty.isInt() && !assigns(Whole, U->V.get()));
  }

private:
  bool visitStmt(const StmtRef &S) override;
  void leaveStmt(const StmtRef &S) override;
  bool visitExpr(const ExprRef &E) override {
    const auto *L = dyn_cast<Load>(E.get());
    Fails |= L && L->From.Buf.get() == &B;
    return true;
  }
  void addStore(const Store &St);
  /// Whether C runs, if a test of its bound says so.
  bool mayBeTested(const Counter &C) const {
    const IntConst *Lo = asNumber(C.Lo);
    return C.V && Lo && Lo->Value >= 0 && Lo->Value <= INT32_MAX &&
           isFixed(C.Hi);
  }

  const StmtRef Whole;
  const Buffer &B;
  std::vector<Counter> Around;
  unsigned Conditions = 0;
  struct Place {
    size_t Around;
    unsigned Conditions;
  };
  llvm::SmallVector<Place, 8> Places;
};

bool RowFinder::visitStmt(const StmtRef &S) {
  Places.push_back({Around.size(), Conditions});
  // What ends a loop early leaves elements out.
  Fails |= isa<Break>(S.get()) || isa<Continue>(S.get()) ||
           isa<Return>(S.get()) || isa<Opaque>(S.get());
  if (const auto *T = dyn_cast<TensorOp>(S.get())) {
    Conditions += T->Mask != nullptr;
    for (const Iterator &I : T->Iterators) {
      const IntConst *Step = asNumber(I.Step);
      Around.push_back({Step && Step->Value > 0 ? I.V : nullptr, I.Lo, I.Hi,
                        Step && Step->Value == 1});
      Fails |= I.Kind == IterKind::Search;
    }
  } else if (const auto *L = dyn_cast<For>(S.get())) {
    const IntConst *Step = asNumber(L->Step);
    const bool Counts = Step && Step->Value > 0 && L->Cond == BinaryOp::LT &&
                        !assigns(L->Body, L->V.get());
    Around.push_back(
        {Counts ? L->V : nullptr, L->Lo, L->Hi, Counts && Step->Value == 1});
  } else if (isa<While>(S.get()) || isa<If>(S.get())) {
    ++Conditions;
  } else if (const auto *St = dyn_cast<Store>(S.get());
             St && St->To.Buf.get() == &B) {
    addStore(*St);
  }
  return true;
}

void RowFinder::leaveStmt(const StmtRef &) {
  const Place Before = Places.pop_back_val();
  Around.resize(Before.Around);
  Conditions = Before.Conditions;
}

void RowFinder::addStore(const Store &St) {
  const auto *U = St.To.Indices.size() == 1 && !St.To.isView()
                      ? dyn_cast<VarUse>(withoutCasts(St.To.Indices[0]).get())
                      : nullptr;
  const auto At =
      llvm::find_if(Around, [&](const Counter &C) { return U && C.V == U->V; });
  // The outermost loop is the one that is shared out.
  if (At == Around.end() || At == Around.begin() || !mayBeTested(*At) ||
      !St.To.Field.empty() || St.Op == Combiner::None ||
      (Length && !structurallyEqual(withoutCasts(At->Hi), Length))) {
    Fails = true;
    return;
  }
  Length = withoutCasts(At->Hi);
  if (Conditions || !Rows.empty() || asNumber(At->Lo)->Value != 0 ||
      !At->ByOne ||
      !llvm::all_of(Around, [&](const Counter &C) { return mayBeTested(C); }))
    return;
  for (const Counter &C : Around)
    if (C.V != At->V)
      Rows.push_back(C);
}

/// Of a pointer by the name of a variable, to elements that nothing else holds.
bool isNamedPointer(const Buffer &B) {
  const llvm::StringRef Type = B.TypeSpelling;
  const bool IsPointer =
      B.Kind == BufferKind::Param
          ? Type.empty() || ((Type.contains('*') || Type.contains('[')) &&
                             !Type.contains('&') && !Type.contains('<'))
          : B.Kind == BufferKind::Pointer && (B.Home == PointerHome::Fixed ||
                                              B.Home == PointerHome::Variable);
  return IsPointer && B.rank() == 1 && !B.Volatile && !B.Owned &&
         !B.Container && !B.Reference && !B.Owner && !B.Name.empty() &&
         llvm::all_of(B.Name,
                      [](char C) { return llvm::isAlnum(C) || C == '_'; });
}

Guard compare(const ExprRef &E, BinaryOp Op, int64_t Bound, const char *Why) {
  const Type Wide = Type::getI64();
  Guard G;
  G.Cond =
      build::binary(Op, build::cast(E, Wide), build::intConst(Bound, Wide));
  G.Why = Why;
  return G;
}

/// Whether Strong, a comparison of one thing with a number, implies Weak.
bool implies(const Guard &Strong, const Guard &Weak) {
  const auto *S = dyn_cast_or_null<Binary>(Strong.Cond.get());
  const auto *W = dyn_cast_or_null<Binary>(Weak.Cond.get());
  const auto *SaidBy = S ? dyn_cast<IntConst>(S->R.get()) : nullptr;
  const auto *Needed = W ? dyn_cast<IntConst>(W->R.get()) : nullptr;
  if (!SaidBy || !Needed || S->Op != W->Op ||
      !structurallyEqual(withoutCasts(S->L), withoutCasts(W->L)))
    return false;
  return S->Op == BinaryOp::GE   ? SaidBy->Value >= Needed->Value
         : S->Op == BinaryOp::LE ? SaidBy->Value <= Needed->Value
                                 : false;
}

} // namespace

std::optional<UpdatedRow> raise::updatedRow(const StmtRef &S, const Buffer &B) {
  if (!isNamedPointer(B))
    return std::nullopt;
  const RowFinder Found(S, B);
  if (Found.Fails || Found.Rows.empty())
    return std::nullopt;
  const int64_t Most =
      MostBytesOfThread / std::max<int64_t>(B.Elem.sizeInBytes(), 1);
  UpdatedRow Row;
  Row.Length = Found.Length;
  if (const auto *N = dyn_cast<IntConst>(Row.Length.get())) {
    if (N->Value < 1 || N->Value > Most)
      return std::nullopt;
  } else {
    Row.Tests.push_back(
        compare(Row.Length, BinaryOp::GE, 1, "there is something to update"));
    Row.Tests.push_back(compare(Row.Length, BinaryOp::LE, Most,
                                "each thread has room for what it updates"));
  }
  for (const Counter &C : Found.Rows) {
    const int64_t First = asNumber(C.Lo)->Value;
    if (const IntConst *N = asNumber(C.Hi)) {
      if (N->Value <= First)
        return std::nullopt;
      continue;
    }
    Row.Tests.push_back(
        compare(withoutCasts(C.Hi), BinaryOp::GE, First + 1, "the loop runs"));
  }
  return Row;
}

bool raise::areTested(const UpdatedRow &Row, llvm::ArrayRef<Guard> Tested) {
  return llvm::all_of(Row.Tests, [&](const Guard &Needed) {
    return llvm::any_of(
        Tested, [&](const Guard &Said) { return implies(Said, Needed); });
  });
}

ExprRef raise::hasManyRows(const StmtRef &S, const Buffer &B) {
  constexpr int64_t Many = 64;
  const RowFinder Found(S, B);
  const Type Wide = Type::getI64();
  int64_t Known = 1;
  unsigned Bits = 0; // of the product: that of two numbers of 32 bits fits 64
  ExprRef Count;
  for (const Counter &C : Found.Rows) {
    if (!C.ByOne)
      continue;
    const ExprRef Hi = withoutCasts(C.Hi);
    if (const auto *N = dyn_cast<IntConst>(Hi.get())) {
      Known = std::min(std::clamp<int64_t>(N->Value, 1, Many) * Known, Many);
    } else if (Bits + Hi->Ty.Bits <= 64) {
      Bits += Hi->Ty.Bits;
      const ExprRef V = build::cast(Hi, Wide);
      Count = Count ? build::mul(Count, V) : V;
    }
  }
  if (Known >= Many)
    return build::intConst(1, Type::getBool());
  return Count
             ? build::binary(BinaryOp::GE, Count,
                             build::intConst((Many + Known - 1) / Known, Wide))
             : nullptr;
}
