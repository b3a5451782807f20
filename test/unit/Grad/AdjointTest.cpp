//===- AdjointTest.cpp - reverse mode -------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "raise/Grad/Adjoint.h"
#include "Programs.h"
#include "raise/IR/Text.h"
#include "raise/IR/Visitor.h"
#include "raise/Transform/Passes.h"
#include "raise/Verify/DotProduct.h"
#include <cstdlib>
#include <gtest/gtest.h>

using namespace raise;
using namespace raise::testing;

static std::string textOf(const grad::Differentiated &D) {
  std::string Text;
  for (const FunctionRef &H : D.Helpers)
    Text += textOf(*H);
  return Text + textOf(*D.F);
}

/// Of random programs: the first seed, and how many.
static std::pair<unsigned, unsigned> seeds(unsigned Usual) {
  const char *Asked = std::getenv("RAISE_FUZZ_PROGRAMS");
  const char *From = std::getenv("RAISE_FUZZ_SEED");
  return {From ? std::atoi(From) : 0, Asked ? std::atoi(Asked) : Usual};
}

/// The text of an adjoint is a program like any other.
static void expectWellFormed(const grad::Differentiated &D, unsigned Seed) {
  for (const std::string &Problem : verify(*D.F))
    ADD_FAILURE() << "seed " << Seed << ": " << Problem << "\n" << textOf(D);
  ASSERT_TRUE(functionIn(textOf(D), "f_adjoint")) << textOf(D);
}

TEST(Adjoint, AgreesWithTangentsOnRandomPrograms) {
  const auto [First, Count] = seeds(400);
  DotProductCheck Total;
  unsigned Turned = 0;
  for (unsigned Seed = First; Seed < First + Count; ++Seed) {
    const std::string Text = Programs(Seed, /*Loops=*/Seed % 2).program();
    const FunctionRef F = functionIn(Text, "f");
    ASSERT_TRUE(F);
    grad::Request All;
    All.Wrt = {"x", "y", "z", "a", "b"};
    All.Of = {"return", "y", "z"};
    const grad::Differentiated T = grad::tangentOf(F, All);
    const grad::Differentiated D = grad::adjointOf(F, All);
    ASSERT_TRUE(T.F && D.F) << Text;
    expectWellFormed(D, Seed);
    std::mt19937_64 Random(Seed);
    for (unsigned Run = 0; Run < 4; ++Run)
      checkDotProduct(*F, T, D, inputsFor(Random, Run, Run == 3), Run, Total);
    ASSERT_EQ(Total.Difference, "") << "seed " << Seed << "\n"
                                    << Text << textOf(D);
    // With its loops laid out, too; in the second round, where arrays are
    // told to be apart and are.
    for (AliasMode Alias : {AliasMode::Check, AliasMode::Assume}) {
      Context Ctx;
      Ctx.Opts.Alias = Alias;
      Ctx.Apart = D.Apart;
      Ctx.KeepPrimalSums = true;
      grad::Differentiated Up = D;
      Up.F = orderSums(gatherSums(splitSums(countUp(D.F, Ctx), Ctx), Ctx), Ctx);
      if (structurallyEqual(*Up.F, *D.F))
        continue;
      ++Turned;
      for (const std::string &Problem : verify(*Up.F))
        ADD_FAILURE() << "seed " << Seed << ": " << Problem << "\n"
                      << textOf(Up);
      for (unsigned Run = 0; Run < (Alias == AliasMode::Check ? 4 : 3); ++Run)
        checkDotProduct(*F, T, Up, inputsFor(Random, Run, Run == 3), Run,
                        Total);
      ASSERT_EQ(Total.Difference, "") << "seed " << Seed << "\n"
                                      << Text << textOf(Up);
    }
  }
  EXPECT_GT(Turned, Count / 8) << Turned;
  EXPECT_GT(Total.Compared, 3 * Count);
  EXPECT_GT(Total.NonZero, 2 * Count);
  EXPECT_LT(Total.Unusable, Total.Compared / 10);
}

/// Iterations that are reversed one by one, right behind their forward sweep.
TEST(Adjoint, AgreesWithTangentsOnRandomRows) {
  const auto [First, Count] = seeds(400);
  DotProductCheck Total;
  unsigned Joint = 0;
  for (unsigned Seed = First; Seed < First + Count; ++Seed) {
    const std::string Text = Programs(Seed).rows();
    const FunctionRef F = functionIn(Text, "f");
    ASSERT_TRUE(F);
    grad::Request All;
    All.Wrt = {"x", "y", "z", "a", "b"};
    All.Of = {"return", "y", "z"};
    All.Alias = Seed % 3 ? AliasMode::Check : AliasMode::Assume;
    const grad::Differentiated T = grad::tangentOf(F, All);
    const grad::Differentiated D = grad::adjointOf(F, All);
    ASSERT_TRUE(T.F && D.F) << Text;
    expectWellFormed(D, Seed);
    const auto Body = statements(D.F->Body);
    auto *Forms =
        Body.empty() ? nullptr : llvm::dyn_cast<Region>(Body.back().get());
    unsigned Sweeps = 0;
    forEachStmt(Forms ? Forms->Body : D.F->Body, [&](const StmtRef &S) {
      auto *L = llvm::dyn_cast<For>(S.get());
      Sweeps += L && L->V->Name == "r";
    });
    Joint += Sweeps == 1;
    std::mt19937_64 Random(Seed);
    const bool Apart = All.Alias == AliasMode::Assume;
    for (unsigned Run = 0; Run < (Apart ? 4u : 5u); ++Run)
      checkDotProduct(*F, T, D, inputsFor(Random, Run, Run == 4), Run, Total);
    ASSERT_EQ(Total.Difference, "") << "seed " << Seed << "\n"
                                    << Text << textOf(D);
  }
  EXPECT_GT(Joint, Count / 12) << Joint;
  EXPECT_LT(Joint, 2 * Count / 3) << Joint;
  EXPECT_GT(Total.Compared, 3 * Count);
  EXPECT_GT(Total.NonZero, 2 * Count);
}

/// What the forward sweep sums keeps its order, to the last bit; what the
/// reverse sums need not.
TEST(Adjoint, PrimalSumsKeepTheirOrder) {
  const FunctionRef F =
      functionIn("func @f(y: f64* restrict, x: const f64* restrict, n: i32) {\n"
                 "  for (i: i32 = n - 1; i >= 0; i += -1) {\n"
                 "    y[0] += x[i] * x[i];\n  }\n}\n",
                 "f");
  const grad::Differentiated D = grad::adjointOf(F, {});
  ASSERT_TRUE(D.F);
  for (const bool Keep : {true, false}) {
    Context Ctx;
    Ctx.Apart = D.Apart;
    Ctx.KeepPrimalSums = Keep;
    const std::string Text = textOf(*countUp(D.F, Ctx));
    EXPECT_EQ(Text.find("i += -1") != std::string::npos, Keep) << Text;
  }
}

/// What a kernel's threads meet in is gathered where the launch covers a plain
/// range, under tests for that and for overlap; else it is atomic.
TEST(Adjoint, OfAKernelOverItsRange) {
  std::string Text = "kernel @k(y: f64*, x: const f64*, n: i32) {\n";
  std::string Close = "}\n";
  for (const char *Level : {"grid", "block"})
    for (const char *Axis : {"z", "y", "x"}) {
      const std::string Index =
          (*Level == 'g' ? "blockIdx." : "threadIdx.") + std::string(Axis);
      const std::string Size =
          (*Level == 'g' ? "gridDim." : "blockDim.") + std::string(Axis);
      Text += std::string(Level) + "." + Axis + " for (" + Index +
              ": u32 = 0:u32; " + Index + " < " + Size + "; " + Index +
              " += 1:u32) {\n";
      Close += "}\n";
    }
  Text += "let i: i32 = icast<i32>(blockIdx.x * blockDim.x + threadIdx.x);\n"
          "if (i < n) { y[i] = x[i] * x[i]; }\n" +
          Close;
  const FunctionRef F = functionIn(Text, "k");
  ASSERT_TRUE(F) << Text;
  const grad::Differentiated D = grad::adjointOf(F, {});
  ASSERT_TRUE(D.F && D.OverRange);
  for (const std::string &Problem : verify(*D.OverRange))
    ADD_FAILURE() << Problem << "\n" << textOf(*D.OverRange);
  const auto *R =
      llvm::dyn_cast<Region>(statements(D.OverRange->Body).back().get());
  ASSERT_TRUE(R);
  EXPECT_TRUE(
      llvm::any_of(R->Rests.Guards, [](const Guard &G) { return !G.Cond; }));
  const auto Atomics = [](const StmtRef &S) {
    unsigned Count = 0;
    forEachStmt(S, [&](const StmtRef &Sub) {
      auto *St = llvm::dyn_cast<Store>(Sub.get());
      Count += St && St->Atomic;
    });
    return Count;
  };
  EXPECT_EQ(Atomics(R->Body), 0u);
  EXPECT_EQ(Atomics(R->Original), 1u);
}

/// A variable that is an argument of its own new value, which does not depend
/// on it.
TEST(Adjoint, SegmentsOfRandomPrograms) {
  DotProductCheck Total;
  unsigned Made = 0, Refused = 0;
  for (unsigned Seed = 0; Seed < 1500; ++Seed) {
    const std::string Text = Programs(Seed, /*Loops=*/Seed % 4 == 3).program();
    const FunctionRef F = functionIn(Text, "f");
    ASSERT_TRUE(F);
    grad::Request All;
    All.Wrt = {"x", "y", "z", "a", "b"};
    All.Of = {"return", "y", "z"};
    const grad::Differentiated T = grad::tangentOf(F, All);
    std::vector<std::string> Over;
    for (const StmtRef &S : statements(F->Body))
      if (auto *L = llvm::dyn_cast<For>(S.get()))
        Over.push_back(L->V->Name);
    for (const std::string &Name : Over) {
      All.Steps = grad::Checkpoints{Name, 1 + Seed % 3, ""};
      if (Seed % 2) // from at most so many states
        std::swap(All.Steps->Every, All.Steps->Snapshots);
      const grad::Differentiated D = grad::adjointOf(F, All);
      if (!D.F) {
        ASSERT_EQ(D.Refused.front().Code, "CR1812");
        ++Refused;
        continue;
      }
      ++Made;
      expectWellFormed(D, Seed);
      std::mt19937_64 Random(Seed);
      for (unsigned Run = 0; Run < 4; ++Run)
        checkDotProduct(*F, T, D, inputsFor(Random, Run, Run == 3), Run, Total);
      ASSERT_EQ(Total.Difference, "")
          << "seed " << Seed << ", loop " << Name << "\n"
          << Text << textOf(D);
    }
  }
  EXPECT_GT(Made, 25u) << Refused;
}

TEST(Adjoint, ArgumentsThatPassOnNothing) {
  const FunctionRef F =
      functionIn("device @g(p: f64, q: f64): f64 { return q * q; }\n"
                 "func @f(a: f64, b: f64): f64 { a = @g(a, b); return a; }\n",
                 "f");
  ASSERT_TRUE(F);
  const grad::Differentiated D = grad::adjointOf(F, {});
  ASSERT_TRUE(D.F);
  EXPECT_NE(textOf(D).find("a_adj_ = icast<f64>(0);"), std::string::npos)
      << textOf(D);
  EXPECT_EQ(textOf(D).find("@g_adj_p"), std::string::npos) << textOf(D);
}

/// What a choice of an iteration keeps goes back for each iteration that made
/// it, though the derivative is the last one's.
TEST(Adjoint, ChoicesThatGrowTapes) {
  const std::string Text = "func @f(x: const f64* restrict, z: f64* restrict, "
                           "n: i32): f64 {\n"
                           "let s: f64 = 0.0;\n"
                           "let i: i32 = 0;\n"
                           "while (i < n) {\n"
                           "let m: f64 = -9.0;\n"
                           "for (j: i32 = 0; j < n; j += 1) {\n"
                           "if (x[j] >= m) { m = @sin(z[j]) - 3.0; }\n}\n"
                           "s += m * m;\n"
                           "z[i] *= 0.5 + s * 0.01;\n"
                           "i += 1;\n}\nreturn s;\n}\n";
  const FunctionRef F = functionIn(Text, "f");
  ASSERT_TRUE(F);
  grad::Request All;
  All.Wrt = {"z"};
  All.Of = {"return", "z"};
  const grad::Differentiated T = grad::tangentOf(F, All);
  const grad::Differentiated D = grad::adjointOf(F, All);
  ASSERT_TRUE(T.F && D.F);
  DotProductCheck Total;
  std::mt19937_64 Random(1);
  for (unsigned Run = 0; Run < 8; ++Run)
    checkDotProduct(*F, T, D, inputsFor(Random, Run, false), Run, Total);
  EXPECT_EQ(Total.Difference, "") << textOf(D);
  EXPECT_GT(Total.NonZero, 4u);
}

/// The statement before reads the element only where it stays.
TEST(Adjoint, AnotherAccessOfTheSameTextProvesNothing) {
  const FunctionRef F =
      functionIn("func @f(x: f64* restrict, y: f64* restrict, n: i32) {\n"
                 "for (i: i32 = 0; i < n; i += 1) {\n"
                 "let t: f64 = i < 3 ? x[i] : 0.0;\n"
                 "y[i] = x[i] * x[i] + t;\n"
                 "if (i >= 3) { x[i] = 0.0; }\n}\n}\n",
                 "f");
  ASSERT_TRUE(F);
  const grad::Differentiated D = grad::adjointOf(F, {});
  ASSERT_TRUE(D.F);
  EXPECT_NE(textOf(D).find("heap x_tape"), std::string::npos) << textOf(D);
}
