//===- Programs.h - differentiable programs at random -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_TEST_GRAD_PROGRAMS_H
#define RAISE_TEST_GRAD_PROGRAMS_H

#include "raise/Interp/Interp.h"
#include <random>
#include <string>

namespace raise::testing {

/// The function named Name of IR text, which must parse and be valid.
FunctionRef functionIn(const std::string &Text, llvm::StringRef Name);

/// Random functions
///   f(y: f64*, z: f64*, x: const f64*, k: const i32*, a: f64, b: f64, n: i32)
/// that return f64: straight lines, loops, branches, updates in place, cursors,
/// local arrays, calls, gathers. They are defined wherever n is small and all
/// arrays have 3 * n + 4 elements.
class Programs {
public:
  /// Loops: of all forms, and left early. One program in three calls a function
  /// that calls itself.
  explicit Programs(uint64_t Seed, bool Loops = false)
      : Random(Seed), Loops(Loops), Ring(Seed % 3 == 2) {}
  std::string program();
  /// Such a function that is mostly one loop over rows of three elements, whose
  /// iterations often meet in sums alone, with something before and after it.
  std::string rows();

private:
  std::mt19937_64 Random;
  std::vector<std::string> Scalars, Indices, Protected;
  unsigned Fresh = 0;
  const bool Loops, Ring;
  bool InCallee = false;

  unsigned pick(unsigned N) { return Random() % N; }
  std::string number();
  std::string index();
  std::string leaf();
  std::string again();
  std::string callee();
  std::string expr(unsigned Depth);
  std::string cond(unsigned Depth);
  std::string statement(unsigned Depth);
  std::string loop(const std::string &Name, unsigned Depth);
  std::string block(unsigned Depth);
  std::string ofRow(const std::string &Column);
  std::string rowValue(const std::string &Column);
  std::string rowStatement(unsigned Depth);
};

/// F's text.
std::string textOf(const Function &F);

/// Inputs for such a function; Overlap lets y and z share storage.
interp::Inputs inputsFor(std::mt19937_64 &Random, unsigned N, bool Overlap);

} // namespace raise::testing

#endif // RAISE_TEST_GRAD_PROGRAMS_H
