//===- LoopChecks.h - answers about loops against brute force ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// An answer "independent under guards" is checked by running the function on
// small inputs: wherever the guards hold, no two iterations may touch one
// element that one of them writes. Buffers lie apart in some runs and overlap
// at random distances in others, so the guards on ranges are tested too.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_TEST_ANALYSIS_LOOPCHECKS_H
#define RAISE_TEST_ANALYSIS_LOOPCHECKS_H

#include "raise/Analysis/Loops.h"
#include "raise/Interp/Interp.h"
#include "llvm/ADT/StringRef.h"
#include <map>
#include <string>

namespace raise::testing {

struct Question {
  bool Threads = false;
  unsigned Which = 0; ///< the loop's number in order of appearance
  Options Opts;
  /// Names of scalars that are read after the loop; all others are not.
  std::vector<std::string> LiveOut;
};

/// A function of IR text and the answer about one of its loops.
struct Answer {
  std::vector<FunctionRef> Functions; ///< the last one has the loop
  FunctionRef F;
  const For *Loop = nullptr;
  Question Q;
  LoopFacts Facts;
  std::string Error; ///< the text could not be read
  bool independent() const { return Facts.R == LoopFacts::Result::Independent; }
  std::string toString() const;
};

Answer ask(llvm::StringRef Text, Question Q = {});
Answer askFile(llvm::StringRef Name, Question Q = {});

using Sizes = std::map<std::string, int64_t>;

/// How runs of the function went.
struct Trial {
  unsigned Ran = 0;      ///< finished with the guards holding
  unsigned Refused = 0;  ///< a guard did not hold
  unsigned Stopped = 0;  ///< the original is undefined on the input
  std::string Violation; ///< a conflict although the guards held, or a guard
                         ///< that could not be evaluated
};

/// One run with the given integer parameters (others are random and small).
/// Overlap: all buffers of one element type lie in one storage.
void tryOnce(const Answer &A, const Sizes &Known, uint64_t Seed, bool Overlap,
             Trial &T);
/// Runs with all integer parameters from 0 to Most, all combinations if they
/// are few, else a seeded sample.
Trial tryMany(const Answer &A, int64_t Most = 6, unsigned Runs = 400);

/// Evaluates the guards alone at parameters as large and as small as their
/// types allow. Returns the first that stopped although those before it held.
std::string tryExtremes(const Answer &A, unsigned Runs);

} // namespace raise::testing

#endif // RAISE_TEST_ANALYSIS_LOOPCHECKS_H
