//===- Attempts.h - what inputs are tried -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Makes up arguments: scalars of a family, what hints and the function's own
// tests ask of them, buffers that are filled where they are read, launches.
// Whether the function is defined on them, Discovery.cpp finds out.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_VERIFY_ATTEMPTS_H
#define RAISE_LIB_VERIFY_ATTEMPTS_H

#include "AskedFacts.h"
#include "Filler.h"
#include "Hints.h"
#include "Random.h"
#include "Shape.h"
#include "raise/Verify/Discovery.h"
#include <map>
#include <set>

namespace raise {

/// A family of inputs. Each attempt belongs to one.
enum class Family {
  Equal,
  OneLarge,
  Small,
  Overlap,
  Flags,
  Negative,
  Product,
  Large
};
constexpr unsigned NumFamilies = 8;
struct Attempt {
  Family Kind = Family::Equal;
  interp::Inputs In;
  std::map<std::string, std::shared_ptr<Filler>> Fillers; ///< by buffer
  bool Overlaps = false;
  /// Of a recorded call: its arguments, before anything ran.
  std::shared_ptr<const interp::Inputs> Before;
};

/// Large inputs come by turns: of so many, first those in which all parameters
/// are large.
constexpr unsigned LargePeriod = 12;
constexpr bool isForAll(unsigned Number) {
  return Number % LargePeriod < LargePeriod / 2;
}

class AttemptMaker {
public:
  AttemptMaker(const VerifyJob &Job, const DiscoverySettings &S);
  const InputShape &shape() const { return Shape; }
  /// The next attempt of A's family, which is its Number-th. The same sequence
  /// of calls makes the same attempts.
  void make(Attempt &A, unsigned Number);
  /// Binds one more parameter to another's storage, if two may overlap.
  void overlap(Attempt &A);
  /// The largest of the integers, within what a size may be.
  int64_t largestInt(const interp::Inputs &In) const;

private:
  const VerifyJob &Job;
  const Function &F;
  const InputShape Shape;
  const AskedFacts Asked;
  const std::set<const Var *> Switches;
  Random Rand;
  const bool WithSpecials, LooksAhead;

  int64_t chooseInt(Family Kind, unsigned Number, unsigned Index);
  int64_t largeInt(unsigned Number, unsigned Index);
  void chooseScalars(Attempt &A, unsigned Number);
  void applyHints(Attempt &A);
  std::optional<HintRange> hint(llvm::StringRef Name, const interp::Inputs &In);
  void chooseBuffers(Attempt &A);
  void chooseLaunch(Attempt &A);
};

} // namespace raise

#endif // RAISE_LIB_VERIFY_ATTEMPTS_H
