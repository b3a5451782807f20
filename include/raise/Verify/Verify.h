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
#include "raise/IR/Figure.h"
#include "llvm/ADT/StringMap.h"

namespace raise {

enum class Verdict { Passed, Failed, Inconclusive, Racy, None };

struct VerifyResult {
  Verdict V = Verdict::None;
  std::string Detail; ///< "12 inputs, sizes 0..1025, 1, 2 and 4 threads" or the
                      ///< first difference
  std::vector<Figure> Figures = {}; ///< where it passed, one for each input
};

/// Ranges that the user states for inputs in .clang-raise, by parameter:
/// "1..8", "k*NH" (a multiple of another parameter), a fixed value.
using InputHints = llvm::StringMap<std::string>;

/// The layout of a structure that a pointer parameter points to.
struct StructLayout {
  struct Field {
    std::string Path; ///< as in Access::Field
    unsigned Offset;  ///< bytes
    Type Ty;
    /// Not 0: an array of so many, whatever its dimensions.
    unsigned Count = 0;
  };
  unsigned Size = 0; ///< bytes of one element
  std::vector<Field> Fields;
};

struct VerifyJob {
  FunctionRef Original; ///< as lifted, not raised
  FunctionRef Raised; ///< after the pipeline (for the guards that inputs should
                      ///< reach); may be null
  /// Source files, absolute: the original's text and the emitted text. CUDA
  /// originals are given as a translation for the reference executor (every
  /// kernel run as written). Neither is modified.
  std::string OriginalFile, EmittedFile;
  /// The emitted text without its tests for enough work (that is, emitted with
  /// MachineFacts::ParallelWork = 1), so that small inputs too run the raised
  /// code. Tested beside EmittedFile; may be empty.
  std::string EagerFile;
  /// Text that is compiled below each of the three files: a loop that was made
  /// a function of its own (Entry names it). Usually empty.
  std::string OriginalBelow, EmittedBelow, EagerBelow;
  /// An expression that denotes the function at the end of both files: in C++
  /// with its type, so that overloads, namespaces, static functions and
  /// template instantiations are named: `static_cast<void (*)(float *,
  /// int)>(&ns::f<4>)`; in C just `f`. For a kernel the function `void (dim3,
  /// dim3, args)` that launches it.
  std::string Entry;
  /// Folder that the original source's `#include "..."` are relative to.
  std::string IncludeDir;
  /// Flags of the compile command with absolute paths; no inputs. What would
  /// not build a shared library is dropped (-c, -o, -M*, -Werror, -fsanitize).
  /// For CUDA files the driver gives the flags of the emitted C++ file.
  std::vector<std::string> CompileFlags;
  /// What stands behind the source, for the linker.
  std::vector<std::string> LinkFlags;
  std::string Compiler =
      "clang++-19"; ///< looked for on PATH; for C a C compiler
  bool IsKernel = false;
  bool LanguageC = false;
  InputHints Hints;
  /// Why there is nothing to test with, such as hints that make no sense
  /// (problemOfHints); usually empty.
  std::string Problem;
  /// What holds of the arguments (raise/IR/Fact.h), where Original does not say
  /// so itself.
  std::vector<StmtRef> Facts;
  /// A file of recorded calls (Recording.h), in place of inputs that are made
  /// up; may be empty.
  std::string Recording;
  /// For buffers whose elements are structures, by parameter; without it they
  /// cannot be tested.
  llvm::StringMap<StructLayout> Layouts;
  FPMode FP = FPMode::Reduce;
  AliasMode Alias = AliasMode::Check;
  /// The longest that one call of the original may take.
  unsigned TimeoutSeconds = 10;
};

/// What is wrong with a user's hints for F, or nothing: a name that is no
/// parameter of F, a text that is no range.
std::string problemOfHints(const Function &F, const InputHints &Hints);

/// Compiles and runs. RuntimeDir holds the shipped headers. One result for each
/// job. Jobs of one pair of files share their compilations. Files are written
/// to WorkDir, which exists, and left there for inspection. Never throws; a
/// compile error of the original is Inconclusive, of the emitted text Failed.
std::vector<VerifyResult> verifyFile(llvm::ArrayRef<VerifyJob> Jobs,
                                     llvm::StringRef RuntimeDir,
                                     llvm::StringRef WorkDir);

llvm::StringRef name(Verdict V); ///< "passed", "failed", ...

} // namespace raise

#endif // RAISE_VERIFY_VERIFY_H
