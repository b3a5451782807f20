//===- Verify.h - original and result, compiled, run, compared --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The interpreter first runs the lifted original on growing buffers: it finds
// the extent of each pointer argument and rejects inputs on which the original
// is undefined. Then a generated program, built with the project's own flags,
// calls original and result on the same inputs and compares.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_VERIFY_VERIFY_H
#define RAISE_VERIFY_VERIFY_H

#include "raise/IR/Context.h"
#include "llvm/ADT/StringMap.h"

namespace raise {

enum class Verdict { Passed, Failed, Inconclusive, Racy, None };

struct VerifyResult {
  Verdict V = Verdict::None;
  std::string Detail; ///< "12 inputs, sizes 0..1025, 1 and 4 threads" or the first difference
};

/// Ranges that the user states for inputs in .clang-raise, by parameter:
/// "1..8", "k*NH" (a multiple of another parameter), a fixed value.
using InputHints = llvm::StringMap<std::string>;

struct VerifyJob {
  FunctionRef Original; ///< as lifted, not raised
  FunctionRef Raised;   ///< after the pipeline (for the guards that inputs should reach)
  /// Source files: the original's text and the emitted text. CUDA originals are
  /// given as a translation for the reference executor (every kernel run as written).
  std::string OriginalFile, EmittedFile;
  std::vector<std::string> CompileFlags; ///< of the compile command, absolute paths
  bool IsKernel = false;
  bool LanguageC = false;
  InputHints Hints;
  FPMode FP = FPMode::Reduce;
};

/// Compiles and runs. RuntimeDir holds the shipped headers; Compiler is the
/// program used (clang++-19 or what the compile command names, found on PATH).
/// Jobs of one file share their two compilations. Never throws; a compile error
/// of the original is Inconclusive, of the emitted text Failed.
std::vector<VerifyResult> verifyFile(llvm::ArrayRef<VerifyJob> Jobs,
                                     llvm::StringRef RuntimeDir,
                                     llvm::StringRef WorkDir);

} // namespace raise

#endif // RAISE_VERIFY_VERIFY_H
