//===- CoalesceIterators.cpp - a nest over one range as one loop ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
//   for (r < R) for (c < C) y[r*C + c] = a * x[r*C + c];
//   for (rc < R*C) y[rc] = a * x[rc];
//
// Iterators whose values are used together alone, as the number of their point
// in the order of the nest, become that number (loop coalescing,
// Polychronopoulos 1987). Rows that are shorter than a few vectors no longer
// cost what starting and ending a loop of vectors does, and threads share out
// elements instead of rows. The order of points stays what it was, so nothing
// rounds otherwise.
//
//===----------------------------------------------------------------------===//
#include "FoldConstants.h"
#include "NestGuards.h"
#include "RegionPass.h"
#include "StripLoops.h"
#include "Subscripts.h"
#include "raise/IR/Effects.h"
#include "raise/IR/Text.h"
#include "raise/IR/Visitor.h"
#include "raise/Transform/Passes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace raise;
using llvm::cast;
using llvm::dyn_cast;
using llvm::isa;

namespace {

/// How many bits E takes, its sign aside.
unsigned widthOf(const ExprRef &E) {
  if (const auto C = constantValue(E); C && *C >= 0)
    return llvm::Log2_64_Ceil(uint64_t(*C) + 1);
  // A sum may take one more than its parts, of which it has the type.
  return E->Ty.Bits - unsigned(E->Ty.Signed);
}

/// Whether E is not negative, whatever its variables are.
bool isNatural(const ExprRef &E) {
  const auto C = constantValue(E);
  return C ? *C >= 0 : !E->Ty.Signed;
}

/// E, which does not overflow, in 64 bits, of which the sums in it do not
/// either.
ExprRef widened(const ExprRef &E, const Type &Ty) {
  const auto *B = dyn_cast<Binary>(E.get());
  if (B && E->Ty.Bits < Ty.Bits &&
      (B->Op == BinaryOp::Add || B->Op == BinaryOp::Sub ||
       B->Op == BinaryOp::Mul))
    return build::binary(B->Op, widened(B->L, Ty), widened(B->R, Ty));
  if (const auto C = constantValue(E))
    return build::intConst(*C, Ty);
  return E->Ty == Ty ? E : build::cast(E, Ty, /*Implicit=*/true);
}

Guard notNegative(const ExprRef &E) {
  return {build::binary(BinaryOp::GE, widened(E, Type::getI64()),
                        build::intConst(0, Type::getI64())),
          {},
          {},
          sourceText(E) + " is not negative"};
}

/// The innermost iterators of an operation, as the number of their point.
class PointNumber {
public:
  /// None where points in order are not numbers in order, or their count might
  /// not be computed.
  static std::optional<PointNumber> of(llvm::ArrayRef<Iterator> Group);

  /// Body by the number; null where it needs more than that of a point.
  StmtRef rewrite(const StmtRef &Body);
  Access rewrite(const Access &A) const;
  ExprRef rewrite(const ExprRef &E) const;
  /// 0, 1, ... up to the number of points.
  Iterator range() const;
  /// Where these hold, range() is right.
  std::vector<Guard> tests() const;

private:
  explicit PointNumber(llvm::ArrayRef<Iterator> Group) : Group(Group) {}
  bool addStrides();
  std::string name() const;
  std::optional<Polynomial> restOf(const ExprRef &E) const;
  template <typename T> bool mentions(const T &Of) const {
    return llvm::any_of(
        Group, [&](const Iterator &It) { return uses(Of, It.V.get()); });
  }
  StmtRef withoutNames(StmtRef S);

  llvm::ArrayRef<Iterator> Group;
  std::vector<Polynomial> Strides; ///< points from one value to the next
  std::shared_ptr<Var> Number;
  bool Named = false; ///< by the source
};

/// Whether a product of all of these counts fits into 64 bits, of which one may
/// be a sign.
bool isExact(llvm::ArrayRef<Iterator> Group, bool Signed) {
  unsigned Bits = 0;
  for (const Iterator &It : Group)
    Bits += widthOf(It.Hi);
  return Bits <= 64U - unsigned(Signed);
}

/// E by its variables, if its value is that of real arithmetic modulo 2^64.
std::optional<Polynomial> polynomial(const ExprRef &E) {
  Access Whole;
  Whole.Indices = {E};
  const auto P = subscripts(Whole);
  return P ? std::optional(P->front()) : std::nullopt;
}

/// Whether E, of 64 bits, has sums that overflow where a nest that never comes
/// to E does not compute them. (Shorter ones are widened.)
bool mayOverflow(const ExprRef &E) {
  bool May = false;
  forEachExpr(E, [&](const ExprRef &Sub) {
    May |= isa<Binary>(Sub.get()) && Sub->Ty.Bits == 64 && Sub->Ty.Signed;
  });
  return May;
}

/// False if the iterators are no rows of one length.
bool PointNumber::addStrides() {
  Polynomial Stride = Polynomial::constant(1);
  for (const Iterator &It : llvm::reverse(Group)) {
    const auto Hi = polynomial(It.Hi);
    if (!Hi || mentions(It.Hi) || constantValue(It.Lo) != 0 ||
        constantValue(It.Step) != 1 || It.Kind != Group.front().Kind)
      return false;
    Strides.insert(Strides.begin(), Stride);
    Stride = Stride * *Hi;
  }
  return true;
}

/// Whether single letters put together are a word of C++.
bool isKeyword(llvm::StringRef Name) {
  static const char *const Words[] = {
      "do",   "if",   "or",   "and",  "asm",  "for",  "int",  "new",
      "not",  "try",  "xor",  "auto", "bool", "case", "char", "else",
      "enum", "goto", "long", "this", "true", "void"};
  return llvm::is_contained(Words, Name);
}

/// `rc` of r and c, `row_column` of row and column.
std::string PointNumber::name() const {
  std::vector<llvm::StringRef> Names;
  for (const Iterator &It : Group)
    Names.push_back(It.V->Name);
  const std::string Short = llvm::join(Names, "");
  return Short.size() == Names.size() && Short.size() <= 4 && !isKeyword(Short)
             ? Short
             : llvm::join(Names, "_");
}

std::optional<PointNumber> PointNumber::of(llvm::ArrayRef<Iterator> Group) {
  PointNumber N(Group);
  if (Group.front().Kind == IterKind::Search || !N.addStrides())
    return std::nullopt;
  const bool Unsigned = llvm::any_of(Group, [](const Iterator &It) {
    return It.Hi->Ty.Bits == 64 && !It.Hi->Ty.Signed;
  });
  // Where only the last step of a product does not fit, no count is 0, and the
  // nest would never end.
  if (!isExact(Group.drop_back(), !Unsigned) ||
      llvm::any_of(Group.drop_front(),
                   [](const Iterator &It) { return mayOverflow(It.Hi); }))
    return std::nullopt;
  N.Number = stripScalar(N.name(), Type::getInt(64, !Unsigned));
  return N;
}

Iterator PointNumber::range() const {
  const Type &Ty = Number->Ty;
  Iterator It = Group.front();
  It.V = Number;
  It.Lo = build::intConst(0, Ty);
  It.Step = build::intConst(1, Ty);
  It.Hi = widened(It.Hi, Ty);
  for (const Iterator &Inner : Group.drop_front())
    It.Hi = build::mul(It.Hi, widened(Inner.Hi, Ty));
  It.Hi = ConstantFolder().run(It.Hi);
  return It;
}

std::vector<Guard> PointNumber::tests() const {
  std::vector<Guard> Tests;
  // One count below zero makes a product so, too, if none overflows, also of
  // counts that the nest would not come to.
  const bool One = Number->Ty.Signed && isExact(Group, true) &&
                   llvm::all_of(Group, [](const Iterator &It) {
                     return isa<VarUse>(It.Hi.get()) || constantValue(It.Hi);
                   });
  for (const Iterator &It : Group.drop_front(One ? 1 : 0))
    if (!isNatural(It.Hi))
      Tests.push_back(notNegative(It.Hi));
  return Tests;
}

/// What E has beside the number of the point; none where it is no such sum.
std::optional<Polynomial> PointNumber::restOf(const ExprRef &E) const {
  auto Rest = polynomial(E);
  if (!Rest)
    return std::nullopt;
  for (size_t I = 0; I < Group.size(); ++I)
    Rest = *Rest - Strides[I] * Polynomial::variable(Group[I].V.get());
  if (llvm::any_of(Group, [&](const Iterator &It) {
        return Rest->mentions(It.V.get());
      }))
    return std::nullopt;
  return Rest;
}

/// To + E, term by term.
ExprRef plusTerms(const ExprRef &To, const ExprRef &E) {
  const auto *B = dyn_cast<Binary>(E.get());
  if (B && (B->Op == BinaryOp::Add || B->Op == BinaryOp::Sub)) {
    const ExprRef First = plusTerms(To, B->L);
    return B->Op == BinaryOp::Add ? plusTerms(First, B->R)
                                  : build::sub(First, widened(B->R, To->Ty));
  }
  if (const auto C = constantValue(E))
    return *C ? plusConstant(To, *C) : To;
  return build::add(To, widened(E, To->Ty));
}

/// A, where a subscript is the number and something else: that is what it is
/// at the first point.
Access PointNumber::rewrite(const Access &A) const {
  Access New = A;
  for (ExprRef &E : New.Indices) {
    if (!mentions(E) || !restOf(E))
      continue;
    ExprRef Rest = E;
    for (const Iterator &It : Group)
      Rest = substitute(Rest, It.V, build::intConst(0, It.V->Ty));
    Rest = withoutZeros(Rest);
    ExprRef At = build::var(Number);
    const auto By = constantValue(Rest);
    const Type Ty = E->Ty.Bits == 64 ? E->Ty : Type::getI64();
    if (At->Ty != Ty && !(By && *By == 0))
      At = build::cast(At, Ty, /*Implicit=*/true);
    E = plusTerms(At, Rest);
  }
  return New;
}

/// S without names of the number, `int i = r * C + c;`, which takes the first
/// of them.
StmtRef PointNumber::withoutNames(StmtRef S) {
  const auto IsName = [&](const StmtRef &Sub) {
    const auto *D = dyn_cast<Decl>(Sub.get());
    if (!D || !D->Init || !D->V->Ty.isInt() || D->Init->Ty != D->V->Ty)
      return false;
    const auto Rest = restOf(D->Init);
    unsigned Sets = 0;
    assignedVars(S, [&](const VarRef &V) { Sets += V == D->V; });
    return Rest && Rest->isZero() && Sets == 1;
  };
  const llvm::ArrayRef<StmtRef> List = statements(S);
  const auto Own = llvm::find_if(List, IsName);
  if (Own == List.end())
    return S;
  std::vector<StmtRef> Left;
  for (const StmtRef &Sub : List)
    if (Sub != *Own)
      Left.push_back(Sub);
  const auto &Name = cast<Decl>(**Own);
  if (!Named)
    Number->Name = Name.V->Name;
  Named = true;
  return withoutNames(
      substitute(makeBlock(std::move(Left)), Name.V, Name.Init));
}

/// Subscripts by the number of the point.
struct SubscriptsByNumber : Rewriter {
  const PointNumber &N;
  explicit SubscriptsByNumber(const PointNumber &N) : N(N) {}
  ExprRef rewriteExpr(const ExprRef &E) override {
    const auto *L = dyn_cast<Load>(E.get());
    return L ? std::make_shared<Load>(N.rewrite(L->From), L->Ty, L->Loc) : E;
  }
  StmtRef rewriteStmt(const StmtRef &S) override {
    const auto *St = dyn_cast<Store>(S.get());
    return St ? std::make_shared<Store>(N.rewrite(St->To), St->Op, St->Value,
                                        St->Atomic, St->Loc)
              : S;
  }
};

/// Values that are the number of the point, in the type that they have.
struct ValuesByNumber : Rewriter {
  const PointNumber &N;
  explicit ValuesByNumber(const PointNumber &N) : N(N) {}
  ExprRef rewriteExpr(const ExprRef &E) override { return N.rewrite(E); }
};

ExprRef PointNumber::rewrite(const ExprRef &E) const {
  const auto Rest = E->Ty.isInt() && mentions(E) ? restOf(E) : std::nullopt;
  return Rest && Rest->isZero() ? build::cast(build::var(Number), E->Ty) : E;
}

StmtRef PointNumber::rewrite(const StmtRef &Body) {
  // Subscripts first, whole: what is a sum in them may be one of 64 bits.
  const StmtRef New = ValuesByNumber(*this).run(
      SubscriptsByNumber(*this).run(withoutNames(Body)));
  return mentions(New) || !uses(New, Number.get()) ? nullptr : New;
}

/// Whether S is one point's work: no loops, no other operations.
bool isPoint(const StmtRef &S) {
  bool Plain = true;
  forEachStmt(S, [&](const StmtRef &Sub) {
    Plain &= isa<Block, Decl, Assign, Store, If>(Sub.get());
  });
  return Plain;
}

/// T by one iterator; null where that is what it has. Tests: what it then
/// rests on. (Of some of the iterators it is no gain: what is left is shared
/// out, and may be few.)
StmtRef coalesced(const TensorOp &T, std::vector<Guard> &Tests) {
  if (T.Mask || T.Iterators.size() < 2 || !isPoint(T.Body))
    return nullptr;
  auto N = PointNumber::of(T.Iterators);
  if (!N)
    return nullptr;
  const StmtRef Body = N->rewrite(T.Body);
  if (!Body)
    return nullptr;
  Tests = N->tests();
  return std::make_shared<TensorOp>(std::vector<Iterator>{N->range()}, nullptr,
                                    Body, T.OpKind, T.Loc);
}

/// Whether the region's tests can be made of what S needs: variables that are
/// none of its own.
bool isTestable(const Guard &G, const Region &R) {
  bool Ok = true;
  forEachExpr(G.Cond, [&](const ExprRef &E) {
    const auto *U = dyn_cast<VarUse>(E.get());
    Ok &= !U || !assigns(R.Body, U->V.get());
  });
  forEachStmt(R.Body, [&](const StmtRef &S) {
    const auto *D = dyn_cast<Decl>(S.get());
    Ok &= !D || !uses(G.Cond, D->V.get());
  });
  return Ok;
}

StmtRef inRegion(const Region &R) {
  // What several operations have in common are their outer iterators.
  const auto *T = dyn_cast<TensorOp>(R.Body.get());
  std::vector<Guard> Tests;
  StmtRef Body = T ? coalesced(*T, Tests) : nullptr;
  if (!Body)
    return nullptr;
  Obligations Rests = R.Rests;
  for (Guard &G : Tests) {
    if (!isTestable(G, R))
      return nullptr;
    Rests.Guards.push_back(std::move(G));
  }
  dropImplied(Rests.Guards);
  // Where there was nothing to test, small sizes would have to do with the
  // original from now on.
  if (R.Rests.Guards.empty() && !Rests.Guards.empty())
    return nullptr;
  return laidOut(R, std::move(Body), std::move(Rests));
}

} // namespace

FunctionRef raise::coalesceIterators(FunctionRef F, Context &Ctx) {
  if (Ctx.Opts.Target != Dialect::OpenMP)
    return F;
  return mapRegions(F, inRegion);
}
