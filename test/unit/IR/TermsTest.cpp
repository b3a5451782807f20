//===- TermsTest.cpp - sums of products -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "raise/IR/Terms.h"
#include "TestHelpers.h"

using namespace raise;

namespace {

class TermsTest : public ::testing::Test {
protected:
  ExprRef variable(const char *Name) {
    return build::var(test::makeVar(Name, Type::getFloat(64)));
  }
  ExprRef A = variable("a"), B = variable("b"), C = variable("c"),
          D = variable("d");

  static std::string text(const ExprRef &E) {
    std::string Text;
    for (const Addend &Each : addendsOf(E)) {
      Text += Each.Minus ? "-" : "+";
      llvm::SmallVector<ExprRef, 4> Factors;
      factorsOf(Each.Value, Factors);
      for (const ExprRef &F : Factors) {
        const auto *U = llvm::dyn_cast<VarUse>(F.get());
        Text += U ? U->V->Name : "?";
      }
    }
    return Text;
  }
  static ExprRef negated(const ExprRef &E) {
    return build::unary(UnaryOp::Neg, E);
  }
};

TEST_F(TermsTest, AddendsWithTheirSigns) {
  EXPECT_EQ(text(A), "+a");
  EXPECT_EQ(text(build::sub(build::add(A, B), build::mul(C, D))), "+a+b-cd");
  EXPECT_EQ(text(build::sub(A, build::sub(B, C))), "+a-b+c");
  EXPECT_EQ(text(negated(build::sub(A, B))), "-a+b");
}

TEST_F(TermsTest, FactorsOfSums) {
  EXPECT_EQ(text(build::mul(A, build::sub(B, C))), "+ab-ac");
  EXPECT_EQ(text(build::mul(build::add(A, B), negated(C))), "-ac-bc");
  EXPECT_EQ(text(build::mul(negated(A), negated(B))), "+ab");
  // What is no sum stays the expression that it was.
  const ExprRef E = build::mul(A, build::mul(B, C));
  EXPECT_EQ(addendsOf(E)[0].Value, E);
}

TEST_F(TermsTest, TwoSumsStayAProduct) {
  EXPECT_EQ(text(build::mul(build::add(A, B), build::add(C, D))), "+??");
  const ExprRef Quotient = build::binary(BinaryOp::Div, build::add(A, B), C);
  EXPECT_EQ(text(Quotient), "+?");
}

} // namespace
