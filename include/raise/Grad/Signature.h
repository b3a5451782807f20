//===- Signature.h - what is differentiated, and its names ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Which parameters of a function get a derivative beside them, what these are
// called and what form they have. Defaults look at the text of the function
// alone, so that a better analysis never changes a signature.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_GRAD_SIGNATURE_H
#define RAISE_GRAD_SIGNATURE_H

#include "raise/IR/Context.h"
#include "llvm/ADT/DenseSet.h"
#include <optional>
#include <set>

namespace raise::grad {

enum class Mode { Reverse, Forward };

/// How the loops over variable Loop that stand in no other loop are reversed:
/// by segments of Every iterations, each run again from a snapshot, or where
/// Snapshots is not 0 from at most so many, one iteration after the other.
struct Checkpoints {
  std::string Loop;
  int64_t Every = 1;
  std::string Place; ///< where that was asked for, for messages
  int64_t Snapshots = 0;
};

/// What was asked for. Empty lists stand for the defaults: independents are the
/// floating scalars by value and the floating buffers that some statement
/// reads; dependents the return value, called "return", else the floating
/// buffers that some statement writes.
struct Request {
  std::vector<std::string> Wrt, Of;
  AliasMode Alias = AliasMode::Check;
  /// In reverse: so that splitAdjoint can take the result apart.
  bool Split = false;
  /// Forward: tangents at once. More than one: see Signature::Directions.
  unsigned Directions = 1;
  /// In reverse.
  std::optional<Checkpoints> Steps = std::nullopt;
  /// Names that must not be declared: what the source declares itself.
  std::set<std::string> Taken = {};
  /// Whether what lanes of a warp sum may be summed in another order.
  FPMode FP = FPMode::Reduce;
  /// In reverse: how iterations that meet in sums alone are reversed: one by
  /// one, right behind their forward sweeps, where that gains; likewise for
  /// threads of a device, which have no arrays of a size that is known at run
  /// time only; or in a sweep of their own.
  enum class Sweeps { Joint, OnDevice, Two };
  Sweeps Sweep = Sweeps::Joint;
};

/// One parameter's derivative.
struct Slot {
  size_t Index = 0; ///< of the parameter
  bool Independent = false, Dependent = false;
  /// `x_tan`, a scalar by value for a scalar; else a buffer. An adjoint is
  /// always a buffer, and so is a tangent in several directions.
  Param Derivative;
};

/// What carries derivatives and is not named: these lie in an array of the
/// function that is made, all zero at first.
struct Workspace {
  size_t Index = 0; ///< of the parameter
  BufferRef Derivative;
};

struct Signature {
  Mode M = Mode::Forward;
  std::vector<Slot> Slots; ///< in order of parameters
  std::vector<Workspace> Workspaces;
  /// Parameters without a slot that overlap nothing with which that would
  /// matter, where Requires holds; Apart are the pairs that it is about.
  llvm::DenseSet<const Buffer *> Separate;
  std::vector<Guard> Requires;
  std::vector<std::pair<const Buffer *, const Buffer *>> Apart;
  /// The number k of tangents at once. Where it is not 1, a scalar has
  /// `const T x_tan[k]`, the result `T f_tan[k]`, and a buffer k tangents for
  /// each element, that of direction d of x[i] in x_tan[i * k + d]; an array of
  /// several dimensions has one more, x_tan[i][j][d].
  unsigned Directions = 1;
  bool ResultDependent = false;
  /// `R *f_tan`, or by value `R f_adj`. Set where ResultDependent is.
  Param Result;
  /// Every name that is in use: the function's, Request::Taken, the slots'.
  std::set<std::string> Names;

  /// Null if the parameter has none.
  const Slot *slotOf(const Function &F, const Var *V) const;
  const Slot *slotOf(const Function &F, const Buffer *B) const;
  const Workspace *workspaceOf(const Function &F, const Buffer *B) const;
};

/// Refused gets what is wrong with the request: CR1802 a name that cannot be an
/// independent or dependent, CR1803 there is none, CR1807 a signature that the
/// IR does not hold. The result is meaningless then.
Signature signatureOf(const Function &F, const Request &Asked, Mode M,
                      std::vector<Reason> &Refused);

/// "x_tan" or "x_adj", with as many trailing `_` as it takes to be in no name
/// of Used, to which it is added.
/// `w` of `layer->w` and of `v.w`; a plain name itself.
llvm::StringRef lastName(llvm::StringRef Path);

std::string derivativeName(llvm::StringRef Of, Mode M,
                           std::set<std::string> &Used);

/// A buffer of floating values, or of structures: what has derivatives at all.
/// (Which members of a structure are floating is seen at each access.)
bool holdsFloats(const Buffer &B);

/// B's derivative: the same form, not const, where a reference becomes a
/// pointer. Extents are kept.
std::shared_ptr<Buffer> derivativeBuffer(const Buffer &B, std::string Name);

/// All names that occur in F, its callees' included.
std::set<std::string> namesIn(const Function &F);

} // namespace raise::grad

#endif // RAISE_GRAD_SIGNATURE_H
