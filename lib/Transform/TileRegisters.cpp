//===- TileRegisters.cpp - products of matrices by tiles ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
//   for (i) for (j) { s = 0; for (k) s += a[i][k] * b[k][j]; c[i][j] = s; }
//
// needs two loads for each product. A few rows of i by a few vectors of j, a
// tile, have their sums in registers, and each element that is loaded serves a
// row or a column of them:
//
//   for (i block) for (j strip) {
//     sum = 0 for all of both
//     for (k block) {
//       copy b[k block][j strip]
//       for (i tile of the block) { tile = sum; for (k) tile += ...; sum = tile
//     }
//     c = sum
//   }
//
// The copy lies in one piece in the nearest cache, however far apart b's rows
// are; beyond the end of a strip it is zero, so that all tiles have the same
// size. Each sum is made in the order in which it was, so nothing rounds
// otherwise. Rows that fill no tile stay as they are.
//
//===----------------------------------------------------------------------===//
#include "TileRegisters.h"
#include "IntoLoops.h"
#include "PlainName.h"
#include "RegionPass.h"
#include "raise/IR/Effects.h"
#include "raise/IR/Visitor.h"
#include "raise/Transform/Passes.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace raise;
using llvm::dyn_cast;

namespace {

using List = std::vector<StmtRef>;

/// Points of a range with which tiles pay for their copies.
constexpr int64_t LongEnough = 16;

/// How many points of i and j make a tile, of i a block, and of k one.
struct Shape {
  int64_t Rows, Columns, BlockRows, Depth;
  /// Eight sums of a vector each leave registers of sixteen for what is added,
  /// and are enough for two units that take four cycles each. The copy fills
  /// half of the nearest cache.
  Shape(const MachineFacts &Machine, const Type &Sum)
      : Rows(2), Columns(std::max<int64_t>(
                     4 * int64_t(Machine.VectorBytes) * 8 / Sum.Bits, 4)),
        BlockRows(64), Depth(128) {}
};

/// The points of It are so few that tiles do not pay.
bool isShort(const Iterator &It) {
  const auto Lo = smallNumber(It.Lo), Hi = smallNumber(It.Hi);
  return Lo && Hi && *Hi - *Lo < LongEnough;
}

/// Rows that share a copied strip: for fewer, copying takes as long as they do.
constexpr int64_t RowsEnough = 8;

/// A test that It has fewer than Enough points; null where it has as many.
ExprRef shortTest(const Iterator &It, int64_t Enough = LongEnough) {
  const auto Lo = smallNumber(It.Lo);
  if (!Lo || smallNumber(It.Hi))
    return nullptr;
  return build::lt(It.Hi, build::intConst(*Lo + Enough, It.Hi->Ty));
}

/// Not -0.
bool isZero(ExprRef E) {
  while (const auto *As = dyn_cast<Cast>(E.get()))
    E = As->Operand;
  const auto *I = dyn_cast<IntConst>(E.get());
  const auto *F = dyn_cast<FloatConst>(E.get());
  return (I && !I->Value) || (F && F->Value == 0 && !std::signbit(F->Value));
}

/// Writes one contraction by tiles.
class Tiler {
public:
  Tiler(const Contraction &C, const MachineFacts &Machine)
      : C(C), Is(Machine, C.sumType()), Ty(C.sumType()) {}

  /// The rows that fill tiles, of which the last ends before Rest.
  StmtRef run(const VarRef &Rest);

private:
  static VarRef named(const std::string &Name, const Type &Ty) {
    auto V = std::make_shared<Var>();
    V->Name = Name;
    V->Ty = Ty;
    return V;
  }
  static Iterator upTo(const Iterator &Like, ExprRef Lo, ExprRef Hi,
                       IterKind Kind) {
    Iterator It = Like;
    It.V = std::make_shared<Var>(*Like.V);
    It.Lo = std::move(Lo);
    It.Hi = std::move(Hi);
    It.Kind = Kind;
    return It;
  }
  static StmtRef loops(std::vector<Iterator> Its, List Body,
                       std::string Kind = "") {
    return std::make_shared<TensorOp>(
        std::move(Its), nullptr, makeBlock(std::move(Body)), std::move(Kind));
  }
  static StmtRef set(Access To, ExprRef Value) {
    return std::make_shared<Store>(std::move(To), Combiner::None,
                                   std::move(Value));
  }
  BufferRef array(const std::string &Name, int64_t Rows, bool Flat = false) {
    auto B = std::make_shared<Buffer>();
    B->Name = Name;
    B->Elem = Name == StripName ? C.Packed.Buf->Elem : Ty;
    B->Kind = BufferKind::Local;
    const Type I64 = Type::getI64();
    if (Flat)
      B->Extents = {build::intConst(Rows * Is.Columns, I64)};
    else
      B->Extents = {build::intConst(Rows, I64),
                    build::intConst(Is.Columns, I64)};
    return B;
  }
  static Access at(const BufferRef &B, ExprRef Row, ExprRef Column) {
    Access A;
    A.Buf = B;
    A.Indices = {std::move(Row), std::move(Column)};
    return A;
  }
  /// It's point as one of its band's.
  static ExprRef within(const Iterator &It, const BandsOf &Of) {
    const ExprRef V = build::var(It.V);
    return build::sub(build::cast(V, Of.Bands.V->Ty), build::var(Of.Bands.V));
  }
  ExprRef number(int64_t Value, const Iterator &Like) const {
    return build::intConst(Value, Like.V->Ty);
  }
  StmtRef forPoints(llvm::function_ref<List(const Access &)> Make) const;
  StmtRef copyStrip() const;
  StmtRef tiles() const;
  Access inStrip(ExprRef Row, ExprRef Column) const;

  const Contraction &C;
  const Shape Is;
  const Type Ty;
  std::string StripName;
  BandsOf Rows, Columns, Depth;
  BufferRef SumsOfBlock, Tile, Strip;
};

/// The scalar that an element became.
class InElement : public Rewriter {
public:
  InElement(const VarRef &V, Access At) : V(V), At(std::move(At)) {}
  ExprRef rewriteExpr(const ExprRef &E) override {
    const auto *U = dyn_cast<VarUse>(E.get());
    return U && U->V == V ? build::load(At) : E;
  }
  StmtRef rewriteStmt(const StmtRef &S) override {
    const auto *D = dyn_cast<Decl>(S.get());
    const auto *A = dyn_cast<Assign>(S.get());
    if (D && D->V == V)
      return D->Init ? set(Combiner::None, D->Init) : nullptr;
    return A && A->V == V ? set(A->Op, A->Value) : S;
  }

private:
  StmtRef set(Combiner Op, const ExprRef &Value) const {
    return std::make_shared<Store>(At, Op, Value);
  }
  const VarRef V;
  const Access At;
};

/// Loads of one element, as loads of its copy.
class FromCopy : public Rewriter {
public:
  FromCopy(Access From, Access To) : From(std::move(From)), To(std::move(To)) {}
  ExprRef rewriteExpr(const ExprRef &E) override {
    const auto *L = dyn_cast<Load>(E.get());
    return L && sameAccess(L->From, From) ? build::load(To) : E;
  }

private:
  const Access From, To;
};

/// Whether all that comes before C's loop is that its element is set to zero.
bool startsFromZero(const Contraction &C) {
  const auto *St =
      C.Before.size() == 1 ? dyn_cast<Store>(C.Before.front().get()) : nullptr;
  return St && C.Element && St->Op == Combiner::None &&
         sameAccess(St->To, *C.Element) && isZero(St->Value);
}

/// What Make gives for each point of the block and the strip, and its sum.
StmtRef Tiler::forPoints(llvm::function_ref<List(const Access &)> Make) const {
  const Iterator I =
      upTo(Rows.Points, Rows.Points.Lo, Rows.Points.Hi, IterKind::Serial);
  const Iterator J = upTo(Columns.Points, Columns.Points.Lo, Columns.Points.Hi,
                          IterKind::Parallel);
  List Body = Make(at(SumsOfBlock, within(I, Rows), within(J, Columns)));
  if (Body.empty())
    return nullptr;
  StmtRef One = makeBlock(std::move(Body));
  One = substitute(One, C.I.V, build::var(I.V));
  One = substitute(One, C.J.V, build::var(J.V));
  return loops({I, J}, {One});
}

/// The strip's element. It is one array, since a pointer leads to it: without
/// that, gcc takes what it loads there for what it stores to the tile, whose
/// sums then are in no registers. (A pointer to each of its rows has clang do
/// so, under -ffast-math.)
Access Tiler::inStrip(ExprRef Row, ExprRef Column) const {
  Access A = at(Strip, std::move(Row), std::move(Column));
  A.Extents = {build::intConst(Is.Columns, A.Indices.front()->Ty)};
  return A;
}

/// Strip = the packed elements of the block of k and of the strip of j, and
/// zeros to the end of its rows.
StmtRef Tiler::copyStrip() const {
  const Iterator K =
      upTo(Depth.Points, Depth.Points.Lo, Depth.Points.Hi, IterKind::Serial);
  const Iterator J = upTo(Columns.Points, Columns.Points.Lo, Columns.Points.Hi,
                          IterKind::Parallel);
  Substitution Of;
  Of[C.K.V.get()] = build::var(K.V);
  Of[C.J.V.get()] = build::var(J.V);
  const StmtRef Copy = set(inStrip(within(K, Depth), within(J, Columns)),
                           substitute(build::load(C.Packed), Of));
  Iterator End = upTo(C.J, nullptr, nullptr, IterKind::Parallel);
  const Type Wide = Columns.Bands.V->Ty;
  End.V = std::make_shared<Var>(*End.V);
  const ExprRef Width = build::sub(build::cast(Columns.Points.Hi, Wide),
                                   build::var(Columns.Bands.V));
  auto Beyond = std::make_shared<Var>(*C.J.V);
  Beyond->Ty = Wide;
  End.V = Beyond;
  End.Lo = Width;
  End.Hi = build::intConst(Is.Columns, Wide);
  End.Step = build::intConst(1, Wide);
  const Type &Elem = Strip->Elem;
  const ExprRef Zero =
      Elem.isFloat() ? build::floatConst(0, Elem) : build::intConst(0, Elem);
  const StmtRef Fill = set(inStrip(within(K, Depth), build::var(Beyond)), Zero);
  return loops({K}, {loops({J}, {Copy}), loops({End}, {Fill})}, "strip");
}

/// Adds the products of the block of k to all sums of the block, tile by tile.
StmtRef Tiler::tiles() const {
  Iterator Tiles = upTo(C.I, Rows.Points.Lo, Rows.Points.Hi, IterKind::Serial);
  auto First = std::make_shared<Var>(*C.I.V);
  First->Name += "_tile";
  Tiles.V = First;
  Tiles.Step = number(Is.Rows, C.I);
  const auto TileRows = [&] {
    return upTo(C.I, number(0, C.I), number(Is.Rows, C.I), IterKind::Parallel);
  };
  const auto TileColumns = [&] {
    return upTo(C.J, number(0, C.J), number(Is.Columns, C.J),
                IterKind::Parallel);
  };
  const auto InTile = [&](const Iterator &I, const Iterator &J) {
    return at(Tile, build::var(I.V), build::var(J.V));
  };
  const auto InSums = [&](const Iterator &I, const Iterator &J) {
    const Type Wide = Rows.Bands.V->Ty;
    const ExprRef Row = build::sub(build::cast(build::var(First), Wide),
                                   build::var(Rows.Bands.V));
    return at(SumsOfBlock, build::add(Row, build::cast(build::var(I.V), Wide)),
              build::var(J.V));
  };
  const Iterator I1 = TileRows(), J1 = TileColumns(), I2 = TileRows(),
                 J2 = TileColumns(), I3 = TileRows(), J3 = TileColumns();
  const Iterator K =
      upTo(Depth.Points, Depth.Points.Lo, Depth.Points.Hi, IterKind::Serial);
  // Copies of what is loaded first: their places are not to be substituted.
  const Type I64 = Type::getI64();
  const auto Copy = std::make_shared<Var>();
  Copy->Name = plainName(C.Packed.Buf->Name) + "_packed";
  Copy->Ty = I64;
  Copy->Kind = VarKind::Cursor;
  Copy->Base = Strip;
  Access InCopy;
  InCopy.Buf = Strip;
  InCopy.Indices = {
      build::add(build::add(build::var(Copy),
                            build::mul(build::cast(within(K, Depth), I64),
                                       build::intConst(Is.Columns, I64))),
                 build::cast(build::var(J2.V), I64))};
  ExprRef Value = FromCopy(C.Packed, InCopy).run(C.Value);
  Substitution Of;
  Of[C.I.V.get()] = build::add(build::var(First), build::var(I2.V));
  Of[C.K.V.get()] = build::var(K.V);
  Value = substitute(Value, Of);
  const StmtRef Add =
      std::make_shared<Store>(InTile(I2, J2), C.Op, std::move(Value));
  // With the rows innermost, gcc keeps their sums in registers, too.
  return loops(
      {Tiles},
      {std::make_shared<DeclBuffer>(Tile),
       loops({I1, J1}, {set(InTile(I1, J1), build::load(InSums(I1, J1)))}),
       std::make_shared<Decl>(Copy, build::intConst(0, I64)),
       loops({K, J2}, {loops({I2}, {Add})}),
       loops({I3, J3}, {set(InSums(I3, J3), build::load(InTile(I3, J3)))})});
}

StmtRef Tiler::run(const VarRef &Rest) {
  Iterator I = C.I;
  I.Hi = build::var(Rest);
  Rows = makeBands(I, Is.BlockRows, "block");
  Columns = makeBands(C.J, Is.Columns, "strip");
  Depth = makeBands(C.K, Is.Depth, "block");
  const std::string Name = C.sumName();
  StripName = plainName(C.Packed.Buf->Name) + "_strip";
  SumsOfBlock = array(C.Scalar ? Name : Name + "_block", Is.BlockRows);
  Tile = array(Name + "_tile", Is.Rows);
  Strip = array(StripName, Is.Depth, /*Flat=*/true);

  List Body = {Rows.End, Columns.End,
               std::make_shared<DeclBuffer>(SumsOfBlock)};
  // Of what lies beyond the end of a strip there is a sum, too.
  const Iterator FillRow = upTo(C.I, number(0, C.I), number(Is.BlockRows, C.I),
                                IterKind::Serial),
                 FillColumn = upTo(C.J, number(0, C.J), number(Is.Columns, C.J),
                                   IterKind::Parallel);
  const ExprRef Zero =
      Ty.isFloat() ? build::floatConst(0, Ty) : build::intConst(0, Ty);
  Body.push_back(loops(
      {FillRow, FillColumn},
      {set(at(SumsOfBlock, build::var(FillRow.V), build::var(FillColumn.V)),
           Zero)}));
  const auto Add = [](List &To, StmtRef S) {
    if (S)
      To.push_back(std::move(S));
  };
  const auto Points = [&](const List &Of, const Access &Sum) {
    List Out;
    for (const StmtRef &S : Of) {
      const auto *D = dyn_cast<Decl>(S.get());
      if (D && D->V == C.Scalar && D->Init && isZero(D->Init)) // as it is
        continue;
      Add(Out, C.Scalar ? InElement(C.Scalar, Sum).run(S) : S);
    }
    return Out;
  };
  Add(Body, forPoints([&](const Access &Sum) {
        List Out = Points(C.Before, Sum);
        if (C.Element && startsFromZero(C))
          Out.clear();
        else if (C.Element)
          Out.push_back(set(Sum, build::load(*C.Element)));
        return Out;
      }));
  Iterator Blocks = Depth.Bands;
  Blocks.Kind = IterKind::Serial;
  std::vector<Iterator> Sums, Around;
  for (const Iterator &It : C.Outer)
    (It.Kind == IterKind::Serial ? Sums : Around).push_back(It);
  Sums.push_back(Blocks);
  Body.push_back(
      loops(std::move(Sums), {Depth.End, std::make_shared<DeclBuffer>(Strip),
                              copyStrip(), tiles()}));
  Add(Body, forPoints([&](const Access &Sum) {
        List Out;
        if (C.Element)
          Out.push_back(set(*C.Element, build::load(Sum)));
        llvm::append_range(Out, Points(C.After, Sum));
        return Out;
      }));
  Around.push_back(Rows.Bands);
  Around.push_back(Columns.Bands);
  return loops(std::move(Around), std::move(Body),
               "tiles of " + std::to_string(Is.Rows) + " x " +
                   std::to_string(Is.Columns));
}

/// T with the rows of V from Rest on: less than a tile's.
class FromRest : public Rewriter {
public:
  FromRest(const Var *V, VarRef Rest) : V(V), Rest(std::move(Rest)) {}
  StmtRef rewriteStmt(const StmtRef &S) override {
    const auto *T = dyn_cast<TensorOp>(S.get());
    if (!T)
      return S;
    std::vector<Iterator> Its = T->Iterators;
    const auto Row =
        llvm::find_if(Its, [&](const Iterator &It) { return It.V.get() == V; });
    if (Row == Its.end())
      return S;
    Row->Lo = build::var(Rest);
    Row->Kind = IterKind::Serial;
    return std::make_shared<TensorOp>(std::move(Its), T->Mask, T->Body, "rest",
                                      T->Loc);
  }

private:
  const Var *V;
  const VarRef Rest;
};

/// The rows that fill tiles: none where those would not pay.
StmtRef declareRest(const VarRef &Rest, const Contraction &C, int64_t Rows) {
  const ExprRef By = build::intConst(Rows, C.I.Hi->Ty);
  ExprRef Whole = build::mul(build::div(C.I.Hi, By), By);
  ExprRef Short = shortTest(C.J);
  const auto AlsoIf = [&](const ExprRef &Few) {
    Short = Short ? build::binary(BinaryOp::LOr, Short, Few) : Few;
  };
  if (const ExprRef Few = shortTest(C.K);
      Few && !(Short && structurallyEqual(Short, Few)))
    AlsoIf(Few);
  const auto IsTested = [&](const Iterator &It) {
    return !smallNumber(It.Hi) && structurallyEqual(It.Hi, C.I.Hi);
  };
  if (const ExprRef Few = shortTest(C.I, RowsEnough);
      Few && !IsTested(C.J) && !IsTested(C.K))
    AlsoIf(Few);
  if (Short)
    Whole = build::select(Short, build::intConst(0, Whole->Ty), Whole);
  return std::make_shared<Decl>(Rest, Whole);
}

StmtRef only(const ExprRef &If, const StmtRef &Then) {
  return std::make_shared<raise::If>(If, Then, nullptr);
}

/// What T is by tiles. AsksFirst: loops that nothing is left for are not
/// started, where no test of all sizes stands around them.
StmtRef byTiles(const StmtRef &T, const Contraction &C,
                const MachineFacts &Machine, bool AsksFirst) {
  auto Rest = std::make_shared<Var>();
  Rest->Name = C.I.V->Name + "_rest";
  Rest->Ty = C.I.V->Ty;
  Rest->Const = true;
  List Body;
  // For each row, in a variable of its own.
  const auto Rowwise = [&](const List &Of, const StmtRef &Whole, bool IsRest) {
    if (Of.empty())
      return;
    std::vector<Iterator> Its = C.Outer;
    Its.push_back(C.I);
    const auto V = std::make_shared<Var>(*C.I.V);
    StmtRef Each = substitute(makeBlock(Of), C.I.V, build::var(V));
    Its.back().V = V;
    StmtRef Op = Whole ? Whole
                       : std::make_shared<TensorOp>(std::move(Its), nullptr,
                                                    std::move(Each));
    if (IsRest)
      Op = FromRest(Whole ? C.I.V.get() : V.get(), Rest).run(Op);
    Body.push_back(IsRest && AsksFirst
                       ? only(build::lt(build::var(Rest), C.I.Hi), Op)
                       : Op);
  };
  const bool Alone = C.RowBefore.empty() && C.RowAfter.empty();
  Rowwise(C.RowBefore, nullptr, false);
  Body.push_back(declareRest(Rest, C, Shape(Machine, C.sumType()).Rows));
  const StmtRef Tiles = Tiler(C, Machine).run(Rest);
  Body.push_back(AsksFirst ? only(build::binary(BinaryOp::GT, build::var(Rest),
                                                build::intConst(0, Rest->Ty)),
                                  Tiles)
                           : Tiles);
  Rowwise({C.Loop}, Alone ? T : nullptr, true);
  Rowwise(C.RowAfter, nullptr, false);
  return makeBlock(std::move(Body), T->Loc);
}

class Regions : public Rewriter {
public:
  Regions(const Context &Ctx, bool AsksFirst)
      : Ctx(Ctx), AsksFirst(AsksFirst) {}

private:
  const Context &Ctx;
  const bool AsksFirst;

  StmtRef tile(const StmtRef &S, const Region &R) const {
    const auto *T = dyn_cast<TensorOp>(S.get());
    if (!T)
      return mapChildren(S, [&](const StmtRef &Sub) { return tile(Sub, R); });
    const auto C = contractionOf(*T, [&](const Buffer &A, const Buffer &B) {
      return areSeparate(R.Rests.Guards, Ctx, A, B);
    });
    if (C && !isShort(C->I) && !isShort(C->J) && !isShort(C->K))
      return byTiles(S, *C, Ctx.Opts.Machine, AsksFirst);
    StmtRef Body = tile(T->Body, R);
    return Body == T->Body
               ? S
               : std::make_shared<TensorOp>(T->Iterators, T->Mask, Body,
                                            T->OpKind, T->Loc);
  }
  StmtRef rewriteStmt(const StmtRef &S) override {
    const auto *R = dyn_cast<Region>(S.get());
    // Sizes are tested together with what a look at memory finds.
    if (!R || R->Rests.Inspection || !R->Rests.Hoisted.empty())
      return S;
    StmtRef Body = tile(R->Body, *R);
    if (Body == R->Body)
      return S;
    Obligations Rests = R->Rests;
    if (!Rests.Means)
      Rests.Means = R->Body;
    return std::make_shared<Region>(std::move(Rests), Body, R->Original,
                                    R->Loc);
  }
};

} // namespace

FunctionRef raise::tileRegisters(FunctionRef F, Context &Ctx) {
  // A library's products, and expressions of whole arrays, have tiles of their
  // own; and there is an original for small sizes.
  const bool KeepProducts = Ctx.Opts.Blas && Ctx.Opts.FP == FPMode::Fast;
  if (Ctx.Opts.Target != Dialect::OpenMP || KeepProducts ||
      !(isDerivative(*F) || hasPlainOriginals(*F)))
    return F;
  return withBody(*F, Regions(Ctx, isDerivative(*F)).run(F->Body));
}
