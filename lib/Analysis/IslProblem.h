//===- IslProblem.h - is a system of linear constraints empty? --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_ANALYSIS_ISLPROBLEM_H
#define RAISE_LIB_ANALYSIS_ISLPROBLEM_H

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
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

/// Holds isl's context and the budget for one loop: of isl's operations, and of
/// coefficients in the systems that are asked about. The second counts a
/// question each time, though only the first time costs isl anything: who asks
/// has built the system again.
class IslBudget {
public:
  /// Rows times columns of all systems; a loop of the corpora that is decided
  /// asks about 170 thousand.
  static constexpr unsigned long MaxCoefficients = 1000000;

  explicit IslBudget(unsigned long MaxOperations);
  ~IslBudget();
  IslBudget(const IslBudget &) = delete;
  IslBudget &operator=(const IslBudget &) = delete;
  bool exhausted() const { return Exhausted; }

  enum class Answer { Empty, NotEmpty, Unknown };
  /// Whether no integers satisfy all of S. Unknown: the budget is spent.
  /// Answers are remembered: many pairs of accesses make the same system.
  Answer isEmpty(unsigned Variables, const std::vector<Linear> &S);
  /// Values of the variables that satisfy S; empty if none were found.
  std::vector<int64_t> sample(unsigned Variables, const std::vector<Linear> &S);

  /// Constraints on the variables in Kept that hold wherever S does; none where
  /// the budget is spent.
  std::vector<Linear> project(unsigned Variables, const std::vector<Linear> &S,
                              const std::set<unsigned> &Kept);

private:
  using System = std::vector<int64_t>; ///< as numbers, one after the other
  struct Hash {
    size_t operator()(const System &S) const;
  };

  isl_ctx *Ctx;
  bool Exhausted = false;
  unsigned long Asked = 0;                          ///< coefficients
  std::unordered_map<System, bool, Hash> Emptiness; ///< of one loop's systems
};

} // namespace raise::analysis

#endif // RAISE_LIB_ANALYSIS_ISLPROBLEM_H
