//===- IslProblemTest.cpp - questions to isl, and what they cost ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "IslProblem.h"
#include "gtest/gtest.h"

using namespace raise::analysis;

namespace {

Linear atLeast(std::map<unsigned, int64_t> Coefficients, int64_t Constant) {
  return {std::move(Coefficients), Constant, false};
}

Linear zero(std::map<unsigned, int64_t> Coefficients, int64_t Constant) {
  return {std::move(Coefficients), Constant, true};
}

TEST(IslProblem, IntegersDecide) {
  IslBudget Budget(100000);
  // 2x == 2y + 1 has rational solutions and no integers.
  const std::vector<Linear> Odd{zero({{0, 2}, {1, -2}}, -1)};
  EXPECT_EQ(Budget.isEmpty(2, Odd), IslBudget::Answer::Empty);
  const std::vector<Linear> Even{zero({{0, 2}, {1, -2}}, -2)};
  EXPECT_EQ(Budget.isEmpty(2, Even), IslBudget::Answer::NotEmpty);
}

TEST(IslProblem, AnAnswerIsThatOfItsOwnQuestion) {
  IslBudget Budget(100000);
  // Systems of the same numbers that mean something else: which variable, an
  // equality or not, where a constraint ends.
  const std::vector<std::vector<Linear>> Empty{
      {atLeast({{0, 1}}, -5), atLeast({{0, -1}}, 4)},
      {zero({{0, 1}}, 1), atLeast({{0, 1}}, 0)},
      {atLeast({{0, 1}, {1, 1}}, -5), atLeast({{0, -1}, {1, -1}}, 4)}};
  const std::vector<std::vector<Linear>> Points{
      {atLeast({{0, 1}}, -5), atLeast({{1, -1}}, 4)},
      {atLeast({{0, 1}}, 1), atLeast({{0, 1}}, 0)},
      {atLeast({{0, 1}}, -5), atLeast({{0, -1}, {1, -1}}, 4)}};
  for (int Again = 0; Again < 3; ++Again) {
    for (const auto &S : Empty)
      EXPECT_EQ(Budget.isEmpty(2, S), IslBudget::Answer::Empty);
    for (const auto &S : Points)
      EXPECT_EQ(Budget.isEmpty(2, S), IslBudget::Answer::NotEmpty);
  }
}

/// How often S can be asked about before the budget is spent.
unsigned long timesAsked(unsigned long Operations, unsigned Variables,
                         const std::vector<Linear> &S) {
  IslBudget Budget(Operations);
  unsigned long Times = 0;
  while (Budget.isEmpty(Variables, S) != IslBudget::Answer::Unknown)
    ++Times;
  EXPECT_TRUE(Budget.exhausted());
  EXPECT_TRUE(Budget.sample(Variables, S).empty());
  EXPECT_TRUE(Budget.project(Variables, S, {0}).empty());
  return Times;
}

TEST(IslProblem, AQuestionCountsEachTimeThatItIsAsked) {
  const std::vector<Linear> S{atLeast({{0, 1}}, 0), atLeast({{0, -1}}, 9)};
  // Three rows with the constant's column: six coefficients a question.
  EXPECT_EQ(timesAsked(1000000, 1, S), IslBudget::MaxCoefficients / 6);
}

TEST(IslProblem, OperationsOfIslAreCountedWhereItIsAsked) {
  const std::vector<Linear> S{zero({{0, 3}, {1, 5}, {2, 7}}, -11),
                              atLeast({{0, 1}}, 0), atLeast({{1, 1}}, 0),
                              atLeast({{2, 1}}, 0)};
  EXPECT_EQ(timesAsked(1, 3, S), 0u);
}

} // namespace
