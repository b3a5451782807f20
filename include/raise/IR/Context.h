//===- Context.h - settings and remarks of one run --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Every decision of a pass is recorded as a Remark at the place in the source
// that caused it. Codes are stable; each has a page in docs/diagnostics.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_IR_CONTEXT_H
#define RAISE_IR_CONTEXT_H

#include "raise/IR/Function.h"
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace raise {

enum class FPMode { Strict, Reduce, Fast };
enum class AliasMode { Check, Assume };
/// What raised code is written in.
enum class Dialect {
  OpenMP,
  Eigen, ///< as OpenMP, but for operations that are expressions of Eigen
  Cuda,  ///< kernels and their launches, for memory of a device
};

/// Machine facts that decide how code is laid out; never probed.
struct MachineFacts {
  unsigned VectorBytes = 32, CacheLineBytes = 64;
  /// Scalar operations' worth of work below which a loop stays serial.
  uint64_t ParallelWork = 200000;
};

struct Options {
  FPMode FP = FPMode::Reduce;
  AliasMode Alias = AliasMode::Check;
  Dialect Target = Dialect::OpenMP;
  /// Products of matrices and vectors may become calls of CBLAS (FPMode::Fast).
  bool Blas = false;
  bool OpenMP = true;     ///< the compile command has -fopenmp
  bool OpenMPSimd = true; ///< -fopenmp or -fopenmp-simd
  bool MathErrno = true;  ///< <cmath> may set errno (no -fno-math-errno)
  /// `size_t` is declared (unqualified) where text will be inserted; else sizes
  /// are spelled `unsigned long long`.
  bool HasSizeT = false;
  /// Names that text must not declare, since a macro has them; may be null.
  std::shared_ptr<const std::set<std::string>> Macros;
  /// Neighbouring loops may become one.
  bool Fuse = true;
  MachineFacts Machine;
  /// isl operations allowed for one nest.
  unsigned long MaxIslOperations = 2000000;
};

/// Why something is left alone, at the place that stopped it.
struct Reason {
  std::string Code; ///< "CR1101"
  std::string Text; ///< "iteration i reads u[i-1], which iteration i-1 writes"
  SourceLoc Loc;
  bool isSet() const { return !Code.empty(); }
};

/// The outcome for a kernel or a loop.
enum class Status { Raised, Partial, Left, Failed };

struct Context {
  Options Opts;
  /// Pairs of buffers of which the caller knows that no access of the function
  /// to one meets one to the other.
  std::vector<std::pair<const Buffer *, const Buffer *>> Apart;
  /// Sums keep their order in loops that touch no memory that a differentiation
  /// made (see Buffer::Derivative): what they sum is the source's.
  bool KeepPrimalSums = false;
  /// Variables of loops that run a few times at most: these stay as they are.
  std::set<const Var *> Brief;
  /// Set by a pass for the loops that it tried and left, innermost cause first.
  std::vector<Reason> Missed;
  void miss(std::string Code, std::string Text, SourceLoc Loc) {
    Missed.push_back({std::move(Code), std::move(Text), std::move(Loc)});
  }
};

} // namespace raise

#endif // RAISE_IR_CONTEXT_H
