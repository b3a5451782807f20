//===- VisitorTest.cpp - walking, rewriting, substituting -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "raise/IR/Visitor.h"
#include "TestHelpers.h"

using namespace raise;
using namespace raise::test;

namespace {

const char *const Everything =
    "func @f(n: i32, m: i32, x: f32, b: bool, p: f32*) {\n"
    "  let y: f32 = b ? x : -x;\n"
    "  array a: f32[n] = {x};\n"
    "  y += @fmaf(x, x, icast<f32>(n));\n"
    "  p{n}[m, n] = p[n];\n"
    "  for (i: i32 = n; i < n; i += n) { y = x; }\n"
    "  while (n > m) { m = n; }\n"
    "  if (n == m) { m = n; } else { b = nonnull(p); }\n"
    "  region {\n"
    "    guard (n > 0) \"\"\n"
    "    guard disjoint (p: icast<i64>(n) .. 0:i64, p: 0:i64 .. "
    "icast<i64>(n)) \"\"\n"
    "    body { tensor (i: parallel n .. n step n) where (i < n) "
    "{ p[i] = x; } }\n"
    "    original { m = n; }\n"
    "  }\n"
    "}\n";

unsigned countUses(const StmtRef &S, const Var *V) {
  unsigned Count = 0;
  forEachExpr(S, [&](const ExprRef &E) {
    if (const auto *U = llvm::dyn_cast<VarUse>(E.get()))
      Count += U->V.get() == V;
  });
  return Count;
}

TEST(Visitor, ReachesEveryExpressionButOriginals) {
  FunctionRef F = parse(Everything);
  const Var *N = F->Params[0].Scalar.get();
  EXPECT_EQ(countUses(F->Body, N), 19u);

  struct All : Visitor {
    const Var *N;
    unsigned Count = 0;
    bool visitExpr(const ExprRef &E) override {
      if (const auto *U = llvm::dyn_cast<VarUse>(E.get()))
        Count += U->V.get() == N;
      return true;
    }
  } Counter;
  Counter.N = N;
  Counter.VisitOriginals = true;
  Counter.walk(F->Body);
  EXPECT_EQ(Counter.Count, 20u);
}

TEST(Visitor, LeavesWhatItEnters) {
  struct Depth : Visitor {
    int Now = 0, Deepest = 0;
    bool visitStmt(const StmtRef &S) override {
      Deepest = std::max(Deepest, ++Now);
      return S->Kind != StmtKind::Region;
    }
    void leaveStmt(const StmtRef &) override { --Now; }
  } D;
  D.walk(parse(Everything)->Body);
  EXPECT_EQ(D.Now, 0);
  EXPECT_EQ(D.Deepest, 3);
}

TEST(Rewriter, SharesWhatDoesNotChange) {
  FunctionRef F = parse(Everything);
  EXPECT_EQ(Rewriter().run(F->Body), F->Body);
}

TEST(Substitute, ReplacesEveryUseOutsideOriginals) {
  FunctionRef F = parse(Everything);
  const VarRef N = F->Params[0].Scalar, M = F->Params[1].Scalar;
  StmtRef New = substitute(F->Body, N, build::intConst(7));
  // The extent of a declared array stays: the array's identity hangs on it.
  EXPECT_EQ(countUses(New, N.get()), 1u);
  EXPECT_EQ(countUses(New, M.get()), countUses(F->Body, M.get()));
  // The originals are as they were: one use of n is left in them.
  EXPECT_TRUE(uses(New, N.get()));
}

TEST(Rewriter, DeletesStatements) {
  struct NoStores : Rewriter {
    StmtRef rewriteStmt(const StmtRef &S) override {
      return S->Kind == StmtKind::Store ? nullptr : S;
    }
  } R;
  FunctionRef F = parse("func @f(n: i32, p: f32*) {\n"
                        "  p[0] = 1.0:f32;\n"
                        "  if (n > 0) { p[1] = 1.0:f32; } else { p[2] = "
                        "1.0:f32; }\n"
                        "  for (i: i32 = 0; i < n; i += 1) { p[i] = 1.0:f32; "
                        "}\n}\n");
  FunctionRef Wanted = parse("func @f(n: i32, p: f32*) {\n  if (n > 0) { }\n"
                             "  for (i: i32 = 0; i < n; i += 1) { }\n}\n");
  EXPECT_TRUE(structurallyEqual(*withBody(*F, R.run(F->Body)), *Wanted));
}

TEST(Rewriter, SplicesABlockThatReplacesAStatement) {
  struct Twice : Rewriter {
    StmtRef rewriteStmt(const StmtRef &S) override {
      if (S->Kind != StmtKind::Store)
        return S;
      return std::make_shared<Block>(std::vector<StmtRef>{S, S});
    }
  } R;
  FunctionRef F = parse("func @f(p: f32*) { p[0] = 1.0:f32; }");
  EXPECT_EQ(statements(R.run(F->Body)).size(), 2u);
}

TEST(Uses, CountsUpdatesAndOriginals) {
  FunctionRef F = parse("func @f(a: i32, b: i32, c: i32, d: i32) {\n"
                        "  a = 1; b += 1;\n"
                        "  opaque \"\" \"\" \"\" touches (d);\n"
                        "  region { body { } original { a = c; } }\n}\n");
  auto V = [&](unsigned I) { return F->Params[I].Scalar.get(); };
  EXPECT_FALSE(uses(F->Body, V(0)));
  EXPECT_TRUE(uses(F->Body, V(1)));
  EXPECT_TRUE(uses(F->Body, V(2)));
  EXPECT_TRUE(uses(F->Body, V(3)));
  EXPECT_TRUE(assigns(F->Body, V(0)));
  EXPECT_FALSE(assigns(F->Body, V(2)));
  EXPECT_TRUE(assigns(F->Body, V(3)));
}

TEST(Statements, BlocksAndSingles) {
  StmtRef B = std::make_shared<Break>();
  EXPECT_EQ(makeBlock({B}), B);
  EXPECT_EQ(statements(B).size(), 1u);
  EXPECT_EQ(statements(makeBlock({B, B})).size(), 2u);
  EXPECT_TRUE(statements(nullptr).empty());
}

} // namespace
