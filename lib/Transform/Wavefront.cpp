//===- Wavefront.cpp - rows of a recurrence side by side ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
//   for (i) for (j) a[i][j] = (a[i][j-1] + a[i-1][j] + a[i-1][j+1]) / 3;
//
// waits in each point for the one before it: the processor computes one chain
// of divisions. What a point needs lies on diagonals 2*i + j before its own
// (analyseFronts), so rows may run side by side, each two columns behind the
// one before it: bands of rows, in step.
//
//   for (i_band)
//     rows 0 .. 7, while their fronts are shorter than the band
//     for (j_front) for (row) { i = i_band + row; j = j_front - 2*row; ... }
//     rows 0 .. 7, from the last whole front on
//
// A band's points fall into three parts by the numbers of their fronts. The
// first and the last run in the source's order, so all that a point hangs on
// is there, and between them fronts follow one another. Bands follow one
// another as rows did. Each point computes what it did, of the same values.
//
// Across rows memory is met in as many places as a band has rows, which is why
// there are few.
//
//===----------------------------------------------------------------------===//
#include "FoldConstants.h"
#include "LoopForm.h"
#include "NestGuards.h"
#include "Peel.h"
#include "Subscripts.h"
#include "TileRegisters.h"
#include "raise/Analysis/Fronts.h"
#include "raise/IR/Effects.h"
#include "raise/IR/SizeTest.h"
#include "raise/IR/Visitor.h"
#include "raise/Transform/Liveness.h"
#include "raise/Transform/Passes.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace raise;
using llvm::cast;
using llvm::dyn_cast;
using llvm::isa;

namespace {

using List = std::vector<StmtRef>;

class WithOriginals : public Rewriter {
  StmtRef rewriteStmt(const StmtRef &S) override {
    const auto *R = dyn_cast<Region>(S.get());
    return R ? run(R->Original) : S;
  }
};

/// Two loops, the inner one all that the outer one does.
struct RowNest {
  const For *Rows, *Columns;
  LoopForm OfRows, OfColumns;
};

std::optional<RowNest> readNest(const For &L) {
  const auto Body = statements(L.Body);
  const auto *Inner =
      Body.size() == 1 ? dyn_cast<For>(Body.front().get()) : nullptr;
  if (!Inner || L.LKind != LoopKind::Serial ||
      Inner->LKind != LoopKind::Serial || !isFixedIn(Inner->Lo, L) ||
      !isFixedIn(Inner->Hi, L) || !isFixedIn(L.Hi, L))
    return std::nullopt;
  Reason Why;
  const auto Rows = ascendingForm(L, /*KeepOrder=*/true, Why);
  const auto Columns = ascendingForm(*Inner, /*KeepOrder=*/true, Why);
  if (!Rows || !Columns || smallNumber(Rows->Step) != 1 ||
      smallNumber(Columns->Step) != 1)
    return std::nullopt;
  return RowNest{&L, Inner, *Rows, *Columns};
}

/// What the points of a nest compute, as far as it says what rows in step gain.
struct PointWork {
  bool Straight = true; ///< arithmetic on elements, and a store
  unsigned Stores = 0;
  unsigned Floats = 0;             ///< operations that round
  bool Slow = false;               ///< divides, or takes roots
  std::set<const Buffer *> Moving; ///< buffers that rows are rows of
};

bool isSquareRoot(const Callee &Fn) {
  llvm::StringRef Name = Fn.Name;
  Name.consume_front("::");
  Name.consume_front("std::");
  return !Fn.Definition && (Name == "sqrt" || Name == "sqrtf");
}

PointWork workOf(const RowNest &N) {
  PointWork W;
  const auto Look = [&](const Access &A) {
    if (llvm::any_of(A.Indices, [&](const ExprRef &E) {
          return uses(E, N.Rows->V.get());
        }))
      W.Moving.insert(A.Buf.get());
    W.Straight &= !A.Buf->Volatile;
  };
  for (const StmtRef &S : statements(N.Columns->Body)) {
    const auto *D = dyn_cast<Decl>(S.get());
    const auto *St = dyn_cast<Store>(S.get());
    W.Straight &= (D && D->Init) || isa<Assign>(S.get()) || (St && !St->Atomic);
    if (St) {
      ++W.Stores;
      Look(St->To);
      W.Floats += St->Op != Combiner::None && St->Value->Ty.isFloat();
    }
  }
  forEachExpr(N.Columns->Body, [&](const ExprRef &E) {
    if (const auto *L = dyn_cast<Load>(E.get()))
      Look(L->From);
    const auto *B = dyn_cast<Binary>(E.get());
    const auto *C = dyn_cast<Call>(E.get());
    // Which way a branch goes is guessed while its operands are computed: there
    // is no chain to be broken.
    W.Straight &= !isa<Select>(E.get()) && !(B && isComparison(B->Op)) &&
                  !(B && (B->Op == BinaryOp::LAnd || B->Op == BinaryOp::LOr));
    const bool Root = C && isSquareRoot(*C->Fn);
    W.Straight &= !C || Root;
    const bool Rounds = B && E->Ty.isFloat();
    W.Floats += Rounds;
    W.Slow |= Root || (Rounds && B->Op == BinaryOp::Div);
  });
  return W;
}

/// Whether a point reads what its row's point before it stores: a chain. From
/// further back, processors compute several points at once as it is.
bool readsNeighbour(const RowNest &N) {
  const Var *J = N.Columns->V.get();
  bool Reads = false;
  const auto Compare = [&](const Access &To, const Access &From) {
    const auto At = subscripts(To), Is = subscripts(From);
    if (To.Buf != From.Buf || !areComparable(To, From) || !At || !Is)
      return;
    bool Before = false;
    for (size_t D = 0; D < At->size(); ++D) {
      const auto Step = (*At)[D].mentions(J) ? (*At)[D].coefficient(J)
                                             : Polynomial::constant(0);
      if (!Step || !((*At)[D] - (*Is)[D] == *Step))
        return;
      Before |= !Step->isZero();
    }
    Reads |= Before;
  };
  for (const StmtRef &S : statements(N.Columns->Body))
    if (const auto *St = dyn_cast<Store>(S.get()))
      forEachExpr(N.Columns->Body, [&](const ExprRef &E) {
        if (const auto *L = dyn_cast<Load>(E.get()))
          Compare(St->To, L->From);
      });
  return Reads;
}

/// Whether N may have so many rows and columns, as far as its bounds and the
/// declarations of what it stores to tell: else the tests never hold.
bool mayHave(const RowNest &N, int64_t Rows, int64_t Columns) {
  const auto First = smallNumber(N.OfRows.Lo), Last = smallNumber(N.OfRows.Hi);
  if (First && Last && *Last - *First < Rows)
    return false;
  const int64_t End = smallNumber(N.OfColumns.Lo).value_or(0) + Columns;
  bool May = true;
  for (const StmtRef &S : statements(N.Columns->Body)) {
    const auto *St = dyn_cast<Store>(S.get());
    if (!St || St->To.isView() ||
        St->To.Indices.size() != St->To.Buf->Extents.size())
      continue;
    for (size_t D = 0; D < St->To.Indices.size(); ++D) {
      const ExprRef &Extent = St->To.Buf->Extents[D];
      const auto Size = Extent ? smallNumber(Extent) : std::nullopt;
      May &=
          !Size || *Size >= End || !uses(St->To.Indices[D], N.Columns->V.get());
    }
  }
  const auto Hi = smallNumber(N.OfColumns.Hi);
  return May && (!Hi || *Hi >= End);
}

/// How many rows are worth going side by side; 0 for none. Cheap points (all of
/// integers are) soon wait for nothing but memory, where rows that are a power
/// of two apart get into each other's way.
int64_t rowsInStep(const PointWork &W) {
  constexpr size_t MostArrays = 4, FewArrays = 2;
  constexpr unsigned ManyOperations = 8, SomeOperations = 4;
  // Of rows that store to two arrays gcc 12.2 at -O3 makes loops of their own,
  // in an order in which values are lost (-ftree-loop-distribution).
  if (!W.Straight || W.Stores != 1 || W.Moving.size() > MostArrays ||
      (!W.Slow && W.Floats < SomeOperations))
    return 0;
  const bool Waits = W.Slow || W.Floats >= ManyOperations;
  return Waits && W.Moving.size() <= FewArrays ? 8 : 4;
}

/// Writes one nest by bands.
class Bands {
public:
  Bands(const RowNest &N, int64_t Rows, int64_t Skew)
      : N(N), Rows(Rows), Skew(Skew) {
    First = named(N.Rows->V->Name + "_band", N.OfRows.Lo->Ty);
    Rest = named(N.Rows->V->Name + "_rest", N.OfRows.Lo->Ty);
  }
  /// With how many columns bands pay: a quarter of a band at most is not in
  /// step.
  int64_t leastColumns() const {
    return std::max<int64_t>(24, 4 * Skew * (Rows - 1));
  }
  /// Ranges with which bands pay, and in which all that they compute fits.
  std::vector<Guard> guards() const;
  StmtRef body() const;
  /// The nest as it stands.
  StmtRef means() const;

private:
  static std::shared_ptr<Var> named(const std::string &Name, const Type &Ty) {
    auto V = std::make_shared<Var>();
    V->Name = Name;
    V->Ty = Ty;
    return V;
  }
  static ExprRef number(int64_t Value, const Type &Ty) {
    return build::intConst(Value, Ty);
  }
  const Type &columnType() const { return N.OfColumns.Lo->Ty; }
  /// By how many columns Row stays behind its band's first one.
  ExprRef behind(const VarRef &Row) const {
    return build::mul(number(Skew, columnType()),
                      build::cast(build::var(Row), columnType()));
  }
  /// The nest's point in this row and column.
  StmtRef point(ExprRef Row, ExprRef Column) const;
  StmtRef rowOf(const Iterator &Row, const Iterator &Column) const;
  Iterator rowIterator(int64_t From, int64_t To) const;
  Iterator columnIterator(const std::string &Suffix, ExprRef Lo,
                          ExprRef Hi) const;
  static void fits(std::vector<Guard> &Out, const LoopForm &Form, int64_t Least,
                   const std::string &Why);
  StmtRef band() const;
  StmtRef leftOver() const;

  const RowNest &N;
  const int64_t Rows, Skew;
  VarRef First, Rest;
};

StmtRef Bands::point(ExprRef Row, ExprRef Column) const {
  List Out;
  StmtRef Body = withOwnVariables(N.Columns->Body);
  const auto Declare = [&](const VarRef &V, const ExprRef &Value) {
    if (const auto *U = dyn_cast<VarUse>(Value.get()); U && U->V->Ty == V->Ty) {
      Body = substitute(Body, V, Value);
      return;
    }
    auto Own = std::make_shared<Var>(*V);
    Own->Kind = VarKind::Local;
    Own->Const = true;
    Out.push_back(std::make_shared<Decl>(Own, build::cast(Value, V->Ty)));
    Body = substitute(Body, V, build::var(Own));
  };
  Declare(N.Rows->V, Row);
  Declare(N.Columns->V, Column);
  llvm::append_range(Out, statements(Body));
  return makeBlock(std::move(Out));
}

Iterator Bands::rowIterator(int64_t From, int64_t To) const {
  const Type &Ty = N.OfRows.Lo->Ty;
  return {named("row", Ty), number(From, Ty), number(To, Ty), number(1, Ty),
          IterKind::Serial};
}

Iterator Bands::columnIterator(const std::string &Suffix, ExprRef Lo,
                               ExprRef Hi) const {
  return {named(N.Columns->V->Name + Suffix, columnType()), std::move(Lo),
          std::move(Hi), number(1, columnType()), IterKind::Serial};
}

StmtRef Bands::rowOf(const Iterator &Row, const Iterator &Column) const {
  return std::make_shared<TensorOp>(
      std::vector<Iterator>{Row, Column}, nullptr,
      point(build::add(build::var(First), build::var(Row.V)),
            build::var(Column.V)));
}

StmtRef Bands::band() const {
  const ExprRef &Lo = N.OfColumns.Lo, &Hi = N.OfColumns.Hi;
  const ExprRef Whole = plusConstant(Lo, Skew * (Rows - 1));
  const Iterator Front = columnIterator("_front", Whole, Hi),
                 Row = rowIterator(0, Rows);
  const StmtRef InStep = std::make_shared<TensorOp>(
      std::vector<Iterator>{Front, Row}, nullptr,
      point(build::add(build::var(First), build::var(Row.V)),
            Skew ? build::sub(build::var(Front.V), behind(Row.V))
                 : build::var(Front.V)));
  List Body;
  if (Skew) {
    const Iterator Early = rowIterator(0, Rows - 1);
    Body.push_back(rowOf(
        Early, columnIterator("", Lo, build::sub(Whole, behind(Early.V)))));
  }
  Body.push_back(InStep);
  if (Skew) {
    const Iterator Late = rowIterator(1, Rows);
    Body.push_back(
        rowOf(Late, columnIterator("", build::sub(Hi, behind(Late.V)), Hi)));
  }
  Iterator It{First, N.OfRows.Lo, build::var(Rest),
              number(Rows, N.OfRows.Lo->Ty), IterKind::Serial};
  std::string Kind = "bands of " + std::to_string(Rows) + " rows in step";
  if (Skew)
    Kind += ", each " + std::to_string(Skew) +
            (Skew > 1 ? " columns" : " column") + " behind the one before it";
  return std::make_shared<TensorOp>(std::vector<Iterator>{It}, nullptr,
                                    makeBlock(std::move(Body)), Kind);
}

StmtRef Bands::leftOver() const {
  Iterator Row{named(N.Rows->V->Name, N.OfRows.Lo->Ty), build::var(Rest),
               N.OfRows.Hi, number(1, N.OfRows.Lo->Ty), IterKind::Serial};
  const Iterator Column = columnIterator("", N.OfColumns.Lo, N.OfColumns.Hi);
  return std::make_shared<TensorOp>(
      std::vector<Iterator>{Row, Column}, nullptr,
      point(build::var(Row.V), build::var(Column.V)), "left over");
}

StmtRef Bands::means() const {
  Iterator Row{named(N.Rows->V->Name, N.OfRows.Lo->Ty), N.OfRows.Lo,
               N.OfRows.Hi, number(1, N.OfRows.Lo->Ty), IterKind::Serial};
  const Iterator Column = columnIterator("", N.OfColumns.Lo, N.OfColumns.Hi);
  return std::make_shared<TensorOp>(
      std::vector<Iterator>{Row, Column}, nullptr,
      point(build::var(Row.V), build::var(Column.V)));
}

StmtRef Bands::body() const {
  const ExprRef &Lo = N.OfRows.Lo, &Hi = N.OfRows.Hi;
  const auto From = smallNumber(Lo);
  const ExprRef Count = From ? plusConstant(Hi, -*From) : build::sub(Hi, Lo);
  const ExprRef Over = build::rem(Count, number(Rows, Lo->Ty));
  auto End = std::make_shared<Var>(*Rest);
  List Out{std::make_shared<Decl>(Rest, build::sub(Hi, Over)), band(),
           leftOver()};
  return makeBlock(std::move(Out));
}

void Bands::fits(std::vector<Guard> &Out, const LoopForm &Form, int64_t Least,
                 const std::string &Why) {
  const auto Test = [&](ExprRef Cond) {
    if (const auto *C = dyn_cast<IntConst>(Cond.get()); !C || !C->Value)
      Out.push_back({std::move(Cond), {}, {}, Why});
  };
  const auto AtLeast = [&](const ExprRef &E, int64_t Value) {
    Test(sizeTest(BinaryOp::GE, E, number(Value, E->Ty)));
  };
  if (const auto From = smallNumber(Form.Lo); From && *From >= 0)
    return AtLeast(Form.Hi, *From + Least);
  const auto Wide = [](const ExprRef &E) {
    return build::cast(E, Type::getI64());
  };
  if (Form.Lo->Ty.Signed)
    AtLeast(Form.Lo, 0);
  Test(build::lt(Form.Lo, Form.Hi));
  AtLeast(build::sub(Wide(Form.Hi), Wide(Form.Lo)), Least);
}

std::vector<Guard> Bands::guards() const {
  std::vector<Guard> Out;
  // In a square the one test says both.
  if (!structurallyEqual(N.OfRows.Lo, N.OfColumns.Lo) ||
      !structurallyEqual(N.OfRows.Hi, N.OfColumns.Hi))
    fits(Out, N.OfRows, Rows, "rows fill a band");
  fits(Out, N.OfColumns, leastColumns(), "columns fill fronts");
  return Out;
}

class Walker {
public:
  Walker(const Function &F, Context &Ctx) : F(F), Ctx(Ctx), Live(F) {}

  StmtRef run(const StmtRef &S, std::vector<const For *> Around = {}) {
    if (!S || isa<Region>(S.get()))
      return S;
    const auto *L = dyn_cast<For>(S.get());
    if (!L)
      return mapChildren(S,
                         [&](const StmtRef &Sub) { return run(Sub, Around); });
    if (StmtRef New = byBands(*L, S, Around))
      return New;
    Around.push_back(L);
    return mapChildren(S, [&](const StmtRef &Sub) { return run(Sub, Around); });
  }

private:
  StmtRef byBands(const For &L, const StmtRef &S,
                  const std::vector<const For *> &Around);
  /// Whether what was raised inside of L keeps its order, all of it.
  static bool isInOrder(const For &L);
  bool isReadAfter(const For &L, const For &Nest) const {
    return !L.DeclaresVar && Live.isLiveAfter(&Nest, L.V.get());
  }

  const Function &F;
  Context &Ctx;
  Liveness Live;
};

bool Walker::isInOrder(const For &L) {
  bool Ok = true;
  forEachStmt(L.Body, [&](const StmtRef &S) {
    const auto *R = dyn_cast<Region>(S.get());
    Ok &= !R || !R->Rests.Ordered.empty();
  });
  return Ok;
}

StmtRef Walker::byBands(const For &L, const StmtRef &S,
                        const std::vector<const For *> &Around) {
  if (!isInOrder(L))
    return nullptr;
  const StmtRef Plain = WithOriginals().run(S);
  const auto N = readNest(cast<For>(*Plain));
  const int64_t Rows = N ? rowsInStep(workOf(*N)) : 0;
  if (!Rows || isReadAfter(L, L) || isReadAfter(*N->Columns, L) ||
      !readsNeighbour(*N))
    return nullptr;
  LoopQuery Q;
  Q.Loop = N->Rows;
  Q.Enclosing = Around;
  llvm::append_range(Q.Separated, Ctx.Apart);
  FrontFacts Fronts = analyseFronts(Q, F, Ctx);
  if (Fronts.Why.isSet())
    return nullptr;
  const Bands B(*N, Rows, Fronts.Skew);
  if (!mayHave(*N, Rows, B.leastColumns()))
    return nullptr;
  Nest Needs;
  Needs.Root = Plain;
  Needs.Loops = Around;
  assignedVars(Plain, [&](const VarRef &V) { Needs.Inner.insert(V.get()); });
  // Small sizes pay for no other test.
  std::vector<Guard> Guards = B.guards();
  llvm::append_range(Guards, Fronts.Guards);
  if (!Needs.adopt(Guards, /*Outermost=*/true))
    return nullptr;
  Obligations Rests = std::move(Needs.Rests);
  dropImplied(Rests.Guards);
  if (excludeEachOther(Rests.Guards))
    return nullptr;
  const std::string I = N->Rows->V->Name, J = N->Columns->V->Name;
  const std::string Front =
      (Fronts.Skew > 1 ? std::to_string(Fronts.Skew) + "*" : "") +
      (Fronts.Skew ? I + " + " : "") + J;
  addOnce(Rests.Proved, {"each point needs only what lies on fronts " + Front +
                         " before its own, or before it in its row"});
  addOnce(Rests.Assumptions, Fronts.Assumed);
  Rests.Means = B.means();
  return std::make_shared<Region>(std::move(Rests), B.body(), Plain, L.Loc);
}

} // namespace

FunctionRef raise::wavefront(FunctionRef F, Context &Ctx) {
  if (Ctx.Opts.Target != Dialect::OpenMP || isDerivative(*F) ||
      !hasPlainOriginals(*F))
    return F;
  return withBody(*F, Walker(*F, Ctx).run(F->Body));
}
