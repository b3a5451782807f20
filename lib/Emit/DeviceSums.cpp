//===- DeviceSums.cpp - sums that several threads share -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Two kinds of sums are more than a loop of one thread.
//
// Of sums over rows there are as many as there are columns, which are few:
// blocks of 32 x 32 threads have 32 columns, and of each 32 shares.
//
// Where the terms of a sum lie side by side in memory and those of neighbours
// do not, neighbouring threads would read from all over it. Blocks copy tiles
// of 32 x 32 elements into shared memory, along its lines.
//
//===----------------------------------------------------------------------===//

#include "DeviceCode.h"
#include "raise/IR/Effects.h"
#include "raise/IR/Visitor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace raise::device {

namespace {

/// Sums of a point into elements of its own: lets, and updates by these.
struct PointSums {
  const TensorOp *Terms = nullptr;
  std::vector<const Store *> Sums;
};

bool readsMemory(const ExprRef &E) {
  bool Reads = false;
  forEachExpr(E, [&](const ExprRef &Sub) { Reads |= isa<Load>(*Sub); });
  return Reads;
}

std::optional<PointSums> pointSumsOf(const Points &At) {
  PointSums P;
  P.Terms = dyn_cast<TensorOp>(At.Body.get());
  if (!P.Terms || P.Terms->Mask)
    return std::nullopt;
  for (const Iterator &It : P.Terms->Iterators)
    for (const Iterator &Outer : At.Iterators)
      if (It.Kind != IterKind::Reduction || uses(It.Lo, Outer.V.get()) ||
          uses(It.Hi, Outer.V.get()) || readsMemory(It.Lo) ||
          readsMemory(It.Hi))
        return std::nullopt;
  for (const StmtRef &S : statements(P.Terms->Body)) {
    if (auto *St = dyn_cast<Store>(S.get())) {
      const bool Own = none_of(St->To.Indices, [&](const ExprRef &E) {
        return readsMemory(E) || any_of(P.Terms->Iterators, [&](auto &It) {
                 return uses(E, It.V.get());
               });
      });
      if ((St->Op != Combiner::Add && St->Op != Combiner::Sub) || St->Atomic ||
          !Own || !St->To.Field.empty() || St->Value->Ty != St->To.Buf->Elem ||
          !St->Value->Ty.isFloat())
        return std::nullopt;
      P.Sums.push_back(St);
    } else if (auto *D = dyn_cast<Decl>(S.get()); !D || !D->Init) {
      return std::nullopt;
    }
  }
  // An index may use no let, and nothing reads what is summed.
  for (const Store *St : P.Sums) {
    for (const StmtRef &S : statements(P.Terms->Body))
      if (auto *D = dyn_cast<Decl>(S.get()))
        for (const ExprRef &E : St->To.Indices)
          if (uses(E, D->V.get()))
            return std::nullopt;
    bool Read = false;
    forEachExpr(P.Terms->Body, [&](const ExprRef &E) {
      auto *L = dyn_cast<Load>(E.get());
      Read |= L && L->From.Buf == St->To.Buf;
    });
    if (Read)
      return std::nullopt;
  }
  return P.Sums.empty() ? std::nullopt : std::optional(P);
}

/// Updates of elements as those of scalars.
class InScalars : public Rewriter {
public:
  DenseMap<const Store *, VarRef> Of;

private:
  StmtRef rewriteStmt(const StmtRef &S) override {
    auto *St = dyn_cast<Store>(S.get());
    auto It = St ? Of.find(St) : Of.end();
    if (It == Of.end())
      return S;
    return std::make_shared<Assign>(It->second, St->Op, St->Value, St->Loc);
  }
};

VarRef scalar(StringRef Name, const Type &Ty) {
  auto V = std::make_shared<Var>();
  V->Name = Name.str();
  V->Ty = Ty;
  return V;
}

} // namespace

std::optional<Code> Printer::columnSums(const Points &At) {
  const auto Sums = pointSumsOf(At);
  if (!Sums || At.Iterators.size() != 1 || Opts.FP == FPMode::Strict)
    return std::nullopt;
  const std::string Count = countOf(At, P), Point = N.fresh("point");
  InScalars Shares;
  Code Body;
  Body.line("const " + P.SizeType + " " + Point + " = (" + P.SizeType +
            ")blockIdx.x * 32 + threadIdx.x;");
  Code Storing;
  std::vector<std::string> Names;
  for (const Store *St : Sums->Sums) {
    const std::string Name = N.fresh(asIdentifier(St->To.Buf->Name) + "_share");
    const VarRef V = scalar(Name, St->To.Buf->Elem);
    N.set(V.get(), Name);
    Names.push_back(Name);
    Shares.Of[St] = V;
    Body.line(P.typeOf(V->Ty) + " " + Name + " = 0;");
  }
  const StmtRef Terms = Shares.run(At.Body);
  if (!checkThread(Terms))
    return Code();
  const Code Adding = withIterators(
      At, Point,
      Group(*this).some(*cast<TensorOp>(Terms.get()), "threadIdx.y", "32"));
  Body.append(nested("if (" + Point + " < " + Count + ")", Adding, true));
  for (auto [St, Name] : zip(Sums->Sums, Names)) {
    Body.line(formatv("{0} = raise_column_sum({0});", Name));
    Storing.line(P.access(St->To) + " += " + Name + ";");
  }
  Body.append(nested("if (threadIdx.y == 0 && " + Point + " < " + Count + ")",
                     withIterators(At, Point, Storing), true));
  return kernel(Body, At.Body, "raise_columns(" + Count + ")", "dim3(32, 32)",
                At.Iterators);
}

namespace {

/// Loads that neighbouring points read from different lines of memory, each
/// along its own line as the terms go.
class AcrossLines : public Visitor {
public:
  AcrossLines(const Var *Point, const Var *Term) : Point(Point), Term(Term) {}
  std::vector<const Load *> Found;

private:
  bool visitExpr(const ExprRef &E) override {
    // What may not be loaded is not copied either.
    if (auto *S = dyn_cast<Select>(E.get())) {
      walk(S->Cond);
      return false;
    }
    if (auto *B = dyn_cast<Binary>(E.get());
        B && (B->Op == BinaryOp::LAnd || B->Op == BinaryOp::LOr)) {
      walk(B->L);
      return false;
    }
    auto *L = dyn_cast<Load>(E.get());
    if (!L)
      return true;
    const bool OnPoint = any_of(
        L->From.Indices, [&](const ExprRef &I) { return uses(I, Point); });
    const ExprRef &Last = L->From.Indices.back();
    if (OnPoint && L->From.Field.empty() && factorOf(Term, Last) == 1 &&
        factorOf(Point, Last) != 1 && none_of(Found, [&](const Load *Has) {
          return sameAccess(Has->From, L->From);
        }))
      Found.push_back(L);
    return true;
  }
  const Var *Point, *Term;
};

class Replaced : public Rewriter {
public:
  std::vector<std::pair<const Load *, VarRef>> By;

private:
  ExprRef rewriteExpr(const ExprRef &E) override {
    auto *L = dyn_cast<Load>(E.get());
    for (auto &[Is, V] : By)
      if (L && sameAccess(L->From, Is->From))
        return build::var(V);
    return E;
  }
};

bool usesOnly(const Access &A, const DenseSet<const Var *> &Inside,
              ArrayRef<const Var *> Allowed) {
  bool Only = true;
  for (const auto *List : {&A.Indices, &A.Extents})
    for (const ExprRef &E : *List)
      forEachExpr(E, [&](const ExprRef &Sub) {
        auto *U = dyn_cast<VarUse>(Sub.get());
        Only &= !isa<Load>(*Sub) && !(U && Inside.contains(U->V.get()) &&
                                      !is_contained(Allowed, U->V.get()));
      });
  return Only;
}

} // namespace

std::optional<Code> Printer::tiledSum(const Points &At) {
  const auto Sums = pointSumsOf(At);
  if (!Sums || At.Iterators.size() < 2 || Sums->Sums.size() != 1 ||
      Sums->Terms->Iterators.size() != 1 || Opts.FP == FPMode::Strict)
    return std::nullopt;
  const Store &St = *Sums->Sums.front();
  const Iterator &Column = At.Iterators.back(),
                 &Term = Sums->Terms->Iterators.front();
  AcrossLines Lines(Column.V.get(), Term.V.get());
  Lines.walk(Sums->Terms->Body);
  DenseSet<const Var *> Inside{Term.V.get()};
  for (const Iterator &It : At.Iterators)
    Inside.insert(It.V.get());
  assignedVars(Sums->Terms->Body,
               [&](const VarRef &V) { Inside.insert(V.get()); });
  erase_if(Lines.Found, [&](const Load *L) {
    return !usesOnly(L->From, Inside, {Column.V.get(), Term.V.get()});
  });
  if (Lines.Found.empty() || Lines.Found.size() > 4)
    return std::nullopt;

  const std::string Size = P.SizeType;
  const Points Rows{{At.Iterators.begin(), At.Iterators.end() - 1}, nullptr},
      Columns{{Column}, nullptr}, Terms{{Term}, nullptr};
  const std::string AllRows = countOf(Rows, P),
                    AllColumns = countOf(Columns, P),
                    AllTerms = countOf(Terms, P);
  const std::string Tile = N.fresh("tile"), Row = N.fresh("row"),
                    Col = N.fresh("column"), First = N.fresh("first"),
                    K = N.fresh("k"), U = N.fresh("u"), Sum = N.fresh("sum");
  Code Body;
  Body.line("// Tiles of 32 x 32 elements, of whose rows a thread has four.");
  Body.line("const " + Size + " " + Tile + "s = (" + AllColumns +
            " + 31) / 32;");
  Body.line("const " + Size + " " + Col + "0 = blockIdx.x % " + Tile +
            "s * 32, " + Row + "0 = blockIdx.x / " + Tile + "s * 32;");
  Replaced Tiles;
  Code Load;
  for (const raise::Load *L : Lines.Found) {
    const std::string Name = N.fresh(asIdentifier(L->From.Buf->Name) + "_tile");
    Body.line(formatv("__shared__ {0} {1}[32][33];", P.typeOf(L->Ty), Name));
    const VarRef V = scalar(Name, L->Ty);
    N.set(V.get(), formatv("{0}[threadIdx.x][{1}]", Name, K));
    Tiles.By.push_back({L, V});
    Load.line(
        formatv("{0}[{1}][threadIdx.x] = {2};", Name, K, P.access(L->From)));
  }
  const std::string Type = P.typeOf(St.Value->Ty);
  Body.line(Type + " " + Sum + "[4] = {0, 0, 0, 0};");

  // A tile, along the lines of memory.
  Code Within;
  Within.line("__syncthreads();");
  Code OfLine;
  OfLine.line("const " + Size + " " + Col + " = " + Col + "0 + " + K + ";");
  OfLine.append(nested(
      "if (" + Col + " < " + AllColumns + " && " + First + " + threadIdx.x < " +
          AllTerms + ")",
      withIterators(Columns, Col,
                    withIterators(Terms, First + " + threadIdx.x", Load)),
      true));
  Within.append(nested("for (unsigned " + K + " = threadIdx.y; " + K +
                           " < 32; " + K + " += 8)",
                       OfLine, true));
  Within.line("__syncthreads();");

  // Its terms.
  const VarRef SumVar = scalar(Sum, St.Value->Ty);
  N.set(SumVar.get(), Sum + "[" + U + "]");
  InScalars Into;
  Into.Of[&St] = SumVar;
  const StmtRef Adds = Tiles.run(Into.run(Sums->Terms->Body));
  Code OfRow;
  OfRow.line("const " + Size + " " + Row + " = " + Row +
             "0 + threadIdx.y + 8 * " + U + ";");
  const Code Add = withIterators(Rows, Row, thread(Adds));
  OfRow.append(nested("if (" + Row + " < " + AllRows + ")", Add, true));
  Code OfTerm;
  for (const std::string &Line : iteratorsAt(Terms, First + " + " + K, P))
    OfTerm.line(Line);
  OfTerm.append(nested(
      "for (unsigned " + U + " = 0; " + U + " < 4; ++" + U + ")", OfRow, true));
  Code OfColumn;
  OfColumn.line("const " + Size + " " + Col + " = " + Col + "0 + threadIdx.x;");
  const std::string HasColumn = "if (" + Col + " < " + AllColumns + ")";
  Code Summing;
  Summing.append(nested("for (unsigned " + K + " = 0; " + K + " < 32 && " +
                            First + " + " + K + " < " + AllTerms + "; ++" + K +
                            ")",
                        OfTerm, true));
  OfColumn.append(
      nested(HasColumn, withIterators(Columns, Col, Summing), true));
  Within.append(OfColumn);
  Body.append(nested("for (" + Size + " " + First + " = 0; " + First + " < " +
                         AllTerms + "; " + First + " += 32)",
                     Within, true));

  // What they come to.
  Code Store;
  Store.line(P.access(St.To) + " += " + Sum + "[" + U + "];");
  Code Storing;
  Storing.line("const " + Size + " " + Row + " = " + Row +
               "0 + threadIdx.y + 8 * " + U + ", " + Col + " = " + Col +
               "0 + threadIdx.x;");
  Storing.append(nested(
      "if (" + Row + " < " + AllRows + " && " + Col + " < " + AllColumns + ")",
      withIterators(Rows, Row, withIterators(Columns, Col, Store)), true));
  Body.append(nested("for (unsigned " + U + " = 0; " + U + " < 4; ++" + U + ")",
                     Storing, true));
  return kernel(Body, At.Body,
                "raise_tiles(" + AllRows + ", " + AllColumns + ")",
                "dim3(32, 8)", At.Iterators);
}

} // namespace raise::device
