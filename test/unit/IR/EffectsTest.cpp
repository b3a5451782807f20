//===- EffectsTest.cpp - what statements read and write -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "raise/IR/Effects.h"
#include "TestHelpers.h"

using namespace raise;
using namespace raise::test;

namespace {

/// Effects of the body of a function with a few parameters.
Effects effectsIn(const std::string &Body) {
  FunctionRef F =
      parse("declare @mayTrap(i32): i32 maytrap;\n"
            "kernel @f(n: i32, m: i32, x: f32, p: f32*, q: f32* volatile) { " +
            Body + " }");
  return effectsOf(F->Body);
}

std::string names(const std::vector<VarRef> &Vars) {
  std::string Out;
  for (const VarRef &V : Vars)
    Out += V->Name + " ";
  return Out;
}

TEST(Effects, ScalarsOnceInOrderOfEvaluation) {
  Effects E = effectsIn("m = n + m; m += n;");
  EXPECT_EQ(names(E.ScalarReads), "n m ");
  EXPECT_EQ(names(E.ScalarWrites), "m ");
  EXPECT_EQ(names(effectsIn("m = n;").ScalarReads), "n ");
  EXPECT_EQ(names(effectsIn("m += n;").ScalarReads), "n m ");
}

TEST(Effects, DeclaredInsideIsNotOutside) {
  Effects E = effectsIn("let y: f32 = x; y += x; "
                        "for (i: i32 = 0; i < n; i += 1) { y += 1.0:f32; } "
                        "tensor (k: parallel 0 .. n) { p[k] = y; }");
  EXPECT_EQ(names(E.ScalarReads), "x n ");
  EXPECT_EQ(names(E.ScalarWrites), "");
  EXPECT_EQ(names(effectsIn("for (m = 0; m < n; m += 1) { }").ScalarWrites),
            "m ");
}

TEST(Effects, MemoryInOrder) {
  Effects E = effectsIn("p[n] = q[m]; atomic p[0] += x;");
  ASSERT_EQ(E.Memory.size(), 3u);
  EXPECT_EQ(E.Memory[0].At.Buf->Name, "q");
  EXPECT_EQ(E.Memory[0].How, MemoryAccess::Mode::Read);
  EXPECT_EQ(E.Memory[1].How, MemoryAccess::Mode::Write);
  EXPECT_FALSE(E.Memory[1].Atomic);
  EXPECT_EQ(E.Memory[2].How, MemoryAccess::Mode::Update);
  EXPECT_TRUE(E.Memory[2].Atomic);
  EXPECT_TRUE(E.Volatile);
  EXPECT_FALSE(effectsIn("p[n] = x;").Volatile);
}

TEST(Effects, ADeclaredArrayIsNew) {
  Effects E = effectsIn("array t: f32[4:i64] = {x, p[m], x, x};");
  ASSERT_EQ(E.Memory.size(), 2u);
  EXPECT_EQ(E.Memory[0].At.Buf->Name, "p");
  EXPECT_EQ(E.Memory[1].At.Buf->Name, "t");
  EXPECT_EQ(E.Memory[1].How, MemoryAccess::Mode::Write);
}

TEST(Effects, IndicesOfAStoreAreReads) {
  EXPECT_EQ(names(effectsIn("p{m}[n, 0] = x;").ScalarReads), "m n x ");
}

TEST(Effects, Traps) {
  EXPECT_TRUE(effectsIn("m = n / m;").MayTrap);
  EXPECT_TRUE(effectsIn("m %= n;").MayTrap);
  EXPECT_TRUE(effectsIn("m = n / 0;").MayTrap);
  EXPECT_TRUE(effectsIn("m = n / -1;").MayTrap);
  EXPECT_FALSE(effectsIn("m = n / 3;").MayTrap);
  EXPECT_FALSE(effectsIn("x = x / x;").MayTrap);
  EXPECT_TRUE(effectsIn("m = @mayTrap(n);").MayTrap);
}

TEST(Effects, ControlAndUnknown) {
  EXPECT_TRUE(effectsIn("if (n > 0) { return; }").MayReturn);
  EXPECT_FALSE(effectsIn("while (n > 0) { break; }").MayReturn);
  EXPECT_TRUE(effectsIn("barrier;").Barrier);
  Effects E = effectsIn("opaque \"g(&m);\" \"CR1005\" \"\" touches (m);");
  EXPECT_TRUE(E.Unknown && E.MayReturn && E.MayTrap && E.Barrier);
  EXPECT_EQ(names(E.ScalarWrites), "m ");
  EXPECT_FALSE(effectsIn("m = n;").Unknown);
}

TEST(Effects, BothVersionsOfARegion) {
  Effects E = effectsIn("region { guard (n > 0) \"\" body { p[0] = x; } "
                        "original { m = 1; p[1] = x; } }");
  EXPECT_EQ(E.Memory.size(), 2u);
  EXPECT_EQ(names(E.ScalarReads), "n x ");
  EXPECT_EQ(names(E.ScalarWrites), "m ");
}

TEST(Alias, ByDeclaration) {
  auto Make = [](BufferKind Kind, bool Restrict = false) {
    auto B = std::make_shared<Buffer>(*makeBuffer("b"));
    B->Kind = Kind;
    B->Restrict = Restrict;
    if (Kind != BufferKind::Param)
      B->Extents = {build::intConst(4)};
    return B;
  };
  auto P = Make(BufferKind::Param), Q = Make(BufferKind::Param),
       R = Make(BufferKind::Param, true), L = Make(BufferKind::Local),
       G = Make(BufferKind::Global), H = Make(BufferKind::Global),
       S = Make(BufferKind::Shared);
  EXPECT_EQ(alias(*P, *P), AliasResult::Must);
  EXPECT_EQ(alias(*P, *Q), AliasResult::May);
  EXPECT_EQ(alias(*P, *R), AliasResult::No);
  EXPECT_EQ(alias(*P, *L), AliasResult::No);
  EXPECT_EQ(alias(*S, *P), AliasResult::No);
  EXPECT_EQ(alias(*P, *G), AliasResult::May);
  EXPECT_EQ(alias(*G, *H), AliasResult::No);
  EXPECT_EQ(alias(*S, *L), AliasResult::No);
}

TEST(Alias, DynamicSharedArraysStartAtOneAddress) {
  auto A = std::make_shared<Buffer>(*makeBuffer("a"));
  A->Kind = BufferKind::Shared;
  auto B = std::make_shared<Buffer>(*A);
  EXPECT_EQ(alias(*A, *B), AliasResult::May);
  B->Extents = {build::intConst(4)};
  EXPECT_EQ(alias(*A, *B), AliasResult::No);
}

TEST(Alias, MemoryThatWasAllocated) {
  auto Make = [](BufferKind Kind, unsigned Fresh, unsigned Apart) {
    Buffer B;
    B.Kind = Kind;
    B.Fresh = Fresh;
    B.Apart = Apart;
    return B;
  };
  const Buffer P = Make(BufferKind::Pointer, 0, 0),
               Q = Make(BufferKind::Pointer, 1, 0),
               R = Make(BufferKind::Pointer, 1, 0),
               S = Make(BufferKind::Pointer, 2, 0),
               V = Make(BufferKind::Pointer, 0, 1),
               W = Make(BufferKind::Pointer, 0, 1),
               X = Make(BufferKind::Pointer, 0, 2),
               Param = Make(BufferKind::Param, 0, 0);
  EXPECT_EQ(alias(Q, P), AliasResult::No);
  EXPECT_EQ(alias(Param, Q), AliasResult::No);
  EXPECT_EQ(alias(Q, R), AliasResult::May);
  EXPECT_EQ(alias(Q, S), AliasResult::No);
  EXPECT_EQ(alias(V, W), AliasResult::No);
  EXPECT_EQ(alias(V, X), AliasResult::May);
  EXPECT_EQ(alias(V, P), AliasResult::May);
}

} // namespace
