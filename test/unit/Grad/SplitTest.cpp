//===- SplitTest.cpp - adjoints in two functions --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Programs.h"
#include "raise/Grad/Adjoint.h"
#include "raise/IR/Text.h"
#include "raise/IR/Visitor.h"
#include "raise/Verify/DotProduct.h"
#include "llvm/ADT/STLExtras.h"
#include <gtest/gtest.h>
#include <set>

using namespace raise;
using namespace raise::testing;

namespace {

/// A function's statements without those that return.
class NoReturns : public Rewriter {
  StmtRef rewriteStmt(const StmtRef &S) override {
    if (auto *R = llvm::dyn_cast<Region>(S.get())) // which stays as it is
      return std::make_shared<Region>(R->Rests, R->Body,
                                      NoReturns().run(R->Original), R->Loc);
    return llvm::isa<Return>(*S) ? nullptr : S;
  }
};

/// Both parts in a row, as one function that the interpreter can run.
FunctionRef inARow(const Function &Joint, const grad::SplitAdjoint &S) {
  std::vector<StmtRef> Body;
  for (const BufferRef &B : S.Members)
    if (B->Lies == ArrayHome::Automatic)
      Body.push_back(std::make_shared<DeclBuffer>(B));
  const StmtRef First = NoReturns().run(S.Augmented->Body);
  llvm::append_range(Body, statements(First));
  Body.push_back(S.Reverse->Body);
  return withBody(Joint, std::make_shared<Block>(Body));
}

} // namespace

TEST(Split, AgreesWithTangentsOnRandomPrograms) {
  const unsigned Count = 300;
  DotProductCheck Joint, Row;
  unsigned Kept = 0, TwoForms = 0;
  for (unsigned Seed = 0; Seed < Count; ++Seed) {
    const std::string Text = Programs(Seed, /*Loops=*/Seed % 2).program();
    const FunctionRef F = functionIn(Text, "f");
    ASSERT_TRUE(F);
    grad::Request All;
    All.Wrt = {"x", "y", "z", "a", "b"};
    All.Of = {"return", "y", "z"};
    const grad::Differentiated T = grad::tangentOf(F, All);
    All.Split = true;
    const grad::Differentiated D = grad::adjointOf(F, All);
    ASSERT_TRUE(T.F && D.F) << Text;
    for (const std::string &Problem : verify(*D.F))
      ADD_FAILURE() << "seed " << Seed << ": " << Problem << "\n"
                    << textOf(*D.F);
    const grad::SplitAdjoint S = grad::splitAdjoint(*F, *D.F);
    std::set<std::string> Names;
    for (const BufferRef &B : S.Members)
      EXPECT_TRUE(Names.insert(B->OwnerField).second) << B->OwnerField;
    EXPECT_EQ(S.Augmented->Result, F->Result);
    EXPECT_EQ(S.Augmented->Params.size(),
              F->Params.size() + !S.Members.empty());
    Kept += !S.Members.empty();
    TwoForms += !S.Reverse->GeneralForm.empty();
    grad::Differentiated Parts = D;
    Parts.F = inARow(*D.F, S);
    std::mt19937_64 Random(Seed);
    for (unsigned Run = 0; Run < 4; ++Run) {
      const interp::Inputs In = inputsFor(Random, Run, Run == 3);
      checkDotProduct(*F, T, D, In, Run, Joint);
      checkDotProduct(*F, T, Parts, In, Run, Row);
    }
    ASSERT_EQ(Joint.Difference, "") << "seed " << Seed << "\n"
                                    << Text << textOf(*D.F);
    ASSERT_EQ(Row.Difference, "")
        << "seed " << Seed << "\n"
        << Text << textOf(*S.Augmented) << textOf(*S.Reverse);
  }
  EXPECT_GT(Kept, Count / 2);
  EXPECT_GT(TwoForms, Count / 10);
  EXPECT_EQ(Row.Compared, Joint.Compared);
  EXPECT_GT(Row.NonZero, 2 * Count);
}

TEST(Split, NothingIsKeptWhereNothingNeedsIt) {
  const FunctionRef F =
      functionIn("func @f(x: const f64* restrict, y: f64* restrict, n: i32) {\n"
                 "for (i: i32 = 0; i < n; i += 1) { y[i] = 2.0 * x[i]; }\n}\n",
                 "f");
  ASSERT_TRUE(F);
  grad::Request Asked;
  Asked.Split = true;
  const grad::Differentiated D = grad::adjointOf(F, Asked);
  ASSERT_TRUE(D.F);
  const grad::SplitAdjoint S = grad::splitAdjoint(*F, *D.F);
  EXPECT_TRUE(S.Members.empty());
  EXPECT_EQ(S.TapeType, "");
  EXPECT_EQ(S.Augmented->Params.size(), F->Params.size());
  EXPECT_EQ(S.Reverse->Params.size(), D.F->Params.size());
}

TEST(Split, WhatCannotBeKept) {
  const FunctionRef F = functionIn(
      "func @f(x: const f64* restrict, n: i32): f64 {\n"
      "array t: f64[n];\nlet s: f64 = 1.0;\n"
      "for (i: i32 = 0; i < n; i += 1) { t[i] = x[i] * x[i]; }\n"
      "for (i: i32 = 0; i < n; i += 1) { s = s * t[i]; }\nreturn s;\n}\n",
      "f");
  ASSERT_TRUE(F);
  grad::Request Asked;
  EXPECT_TRUE(grad::adjointOf(F, Asked).F);
  Asked.Split = true;
  const grad::Differentiated D = grad::adjointOf(F, Asked);
  EXPECT_FALSE(D.F);
  ASSERT_EQ(D.Refused.size(), 1u);
  EXPECT_EQ(D.Refused[0].Code, "CR1807");
}
