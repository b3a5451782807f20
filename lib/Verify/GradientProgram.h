//===- GradientProgram.h - a program that runs a derivative -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_VERIFY_GRADIENTPROGRAM_H
#define RAISE_LIB_VERIFY_GRADIENTPROGRAM_H

#include "raise/Interp/Interp.h"
#include "raise/Verify/Gradient.h"

namespace raise {

/// A main() below the emitted text that calls the derivative on given inputs
/// and prints what it leaves, and what the interpreter says that should be.
class GradientProgram {
public:
  explicit GradientProgram(const GradientJob &Job) : Job(Job) {}

  /// Adds an input of the primal, with derivatives that Seed chooses. Inputs
  /// on which the derivative cannot be interpreted are left out.
  void add(const interp::Inputs &In, uint64_t Seed);
  /// Why no program can be written; empty if one can.
  const std::string &problem() const { return Problem; }
  size_t size() const { return Inputs; }

  /// Builds the program with the derivatives that File holds, under Name in
  /// WorkDir. The first error; empty on success.
  std::string build(llvm::StringRef File, llvm::StringRef Name,
                    llvm::StringRef RuntimeDir, llvm::StringRef WorkDir);
  /// Runs what was built under Name with so many threads. The error; empty on
  /// success.
  std::string run(llvm::StringRef Name, unsigned Threads,
                  llvm::StringRef WorkDir, std::string &Output);
  /// The error is no fault of the text's.
  bool isIncomplete() const { return Incomplete; }
  /// The first difference of what was printed; empty for none. Where a value
  /// moves as far when the input is off by its rounding, there is none.
  std::string compare(llvm::StringRef Output) const;

private:
  struct Expected {
    std::string What;
    interp::Value V;
    double Scale; ///< the largest value of its buffer
    /// Where the derivative leaves it: of an input, a buffer's element or its
    /// field; without a buffer the result.
    size_t Input;
    std::string Of, Field;
    size_t Cell = 0;
  };
  std::optional<double> valueOf(const Expected &E, interp::Inputs &After,
                                const interp::Outcome &O) const;
  double movesBy(const Expected &E) const;
  void argument(const Param &P, const interp::Inputs &Before,
                const interp::Inputs &After, std::string &Data,
                std::string &Call, std::string &Print);
  void addSplit(const std::string &Data, const std::string &First,
                const std::string &Call, const std::string &Print);
  std::string elementType(const Buffer &B) const;
  size_t lengthOf(const Buffer &B, const interp::Inputs &In,
                  const interp::Storage &Held);
  std::string declared(const Buffer &B, const std::string &Array,
                       size_t Length) const;

  const GradientJob &Job;
  std::string Text, Problem;
  size_t Inputs = 0;
  bool Incomplete = false;
  bool Alone = true;    ///< links without what the source exports
  bool Outside = false; ///< the input at hand leads out of a container
  std::vector<Expected> Values;
  std::vector<interp::Inputs> Given; ///< of each input, with its derivatives
};

} // namespace raise

#endif // RAISE_LIB_VERIFY_GRADIENTPROGRAM_H
