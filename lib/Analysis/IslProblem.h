//===- IslProblem.h - is a system of linear constraints empty? --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_ANALYSIS_ISLPROBLEM_H
#define RAISE_LIB_ANALYSIS_ISLPROBLEM_H

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

struct isl_ctx;

namespace raise::analysis {

/// Sum of Coefficients[v] * v + Constant, == 0 or >= 0, over integer variables
/// numbered from 0.
struct Linear {
  std::map<unsigned, int64_t> Coefficients;
  int64_t Constant = 0;
  bool Equality = false;
};

/// Holds isl's context and the budget of operations for one loop.
class IslBudget {
public:
  explicit IslBudget(unsigned long MaxOperations);
  ~IslBudget();
  IslBudget(const IslBudget &) = delete;
  IslBudget &operator=(const IslBudget &) = delete;
  bool exhausted() const { return Exhausted; }

  enum class Answer { Empty, NotEmpty, Unknown };
  /// Whether no integers satisfy all of S. Unknown: the budget is spent.
  Answer isEmpty(unsigned Variables, const std::vector<Linear> &S);
  /// Values of the variables that satisfy S; empty if none were found.
  std::vector<int64_t> sample(unsigned Variables, const std::vector<Linear> &S);

  /// Constraints on the variables in Kept that hold wherever S does; none where
  /// the budget is spent.
  std::vector<Linear> project(unsigned Variables, const std::vector<Linear> &S,
                              const std::set<unsigned> &Kept);

private:
  isl_ctx *Ctx;
  bool Exhausted = false;
};

} // namespace raise::analysis

#endif // RAISE_LIB_ANALYSIS_ISLPROBLEM_H
