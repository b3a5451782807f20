//===- Discovery.h - inputs on which a function is defined -------*- C++
//-*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Chooses scalar arguments and contents of buffers, runs the lifted original in
// the interpreter on buffers that grow where they are touched, and keeps the
// inputs on which the original does nothing undefined. The buffers' sizes are
// exactly what was touched, so that a guard page can stand behind them.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_VERIFY_DISCOVERY_H
#define RAISE_VERIFY_DISCOVERY_H

#include "raise/Interp/Interp.h"
#include "raise/Verify/Verify.h"

namespace raise {

struct TestInput {
  /// Scalars, launch dimensions and the buffers' initial contents: a cell is
  /// set where the original reads it before it writes it.
  interp::Inputs In;
  std::string Text;      ///< "n = 33, inc = 2, grid 2x1x1, block 64x1x1"
  bool Overlaps = false; ///< two parameters share a storage
  /// The interpreted original did not write anything (or returned nothing).
  bool Trivial = false;
  bool GuardPassed = false, GuardFailed = false; ///< of some region of Raised
  /// How often Raised came to a region and ran its body: without tests for
  /// enough work, threads start each time.
  uint64_t Starts = 0;
  uint64_t Steps = 0;   ///< of the original
  uint64_t Written = 0; ///< cells that the original changed
  /// The largest number of terms that a reduction may have had.
  uint64_t Terms = 1;
};

struct Discovered {
  std::vector<TestInput> Inputs;
  /// Kernels: inputs that were rejected because the result depends on the order
  /// of threads, the first of them, and how many of Inputs would show it if
  /// every input did (many threads, many elements written).
  unsigned Racy = 0, Substantial = 0;
  std::string RacyText;
  /// Why there are none.
  std::string Problem;
  /// The raised function leaves the storage that the original stays in.
  std::string RaisedStops;
};

struct DiscoverySettings {
  unsigned Attempts = 400;
  uint64_t MaxSteps = 300000;
  /// One input of more steps than that is looked for, since emitted code may
  /// stay serial below.
  uint64_t LargeSteps = 450000, MaxLargeSteps = 12000000;
  bool Large = true;    ///< whether such are looked for
  bool Specials = true; ///< some inputs hold NaN, infinities and -0.0
  uint64_t Seed = 1;
};

/// The same inputs on every run and machine.
Discovered discoverInputs(const VerifyJob &Job,
                          const DiscoverySettings &S = {});

} // namespace raise

#endif // RAISE_VERIFY_DISCOVERY_H
